package kernel

import (
	"encoding/binary"
	"math/bits"
)

// Kernels for many inputs near each other: what a change of a few counts does to the sums of the
// first layer, and gradients. All of them give the same bits in every form.

// Diffs sets dst[i] to the slots in which counts[i] and ref differ, slot s at bit s. dst is not
// shorter than counts.
func Diffs(dst []uint64, counts [][Slots]uint8, ref *[Slots]uint8) {
	check(len(dst) >= len(counts))
	if len(counts) > 0 {
		diffs(dst, counts, ref)
	}
}

// Diff returns the slots in which a and b differ, slot s at bit s.
func Diff(a, b *[Slots]uint8) uint64 { return diff(a, b) }

func diffsGeneric(dst []uint64, counts [][Slots]uint8, ref *[Slots]uint8) {
	for i := range counts {
		dst[i] = diffGeneric(&counts[i], ref)
	}
}

func diffGeneric(a, b *[Slots]uint8) (mask uint64) {
	const last = Slots - 8
	for at := 0; at < Slots; at += 8 {
		at := min(at, last)
		diff := binary.LittleEndian.Uint64(a[at:]) ^ binary.LittleEndian.Uint64(b[at:])
		for diff != 0 {
			slot := bits.TrailingZeros64(diff) / 8
			mask |= 1 << (at + slot)
			diff &^= 0xff << (8 * slot)
		}
	}
	return mask
}

// ChangeRows computes dst = base + some rows of table - others, in 16 bits, which wrap: the rows that
// begin at the first plus of the offsets in rows are added, those at the others subtracted. All have
// the width of dst, a multiple of WidthUnit; dst may be base.
func ChangeRows(dst, base, table []int16, rows []uint32, plus int) {
	check(len(dst)%WidthUnit == 0 && len(dst) > 0 && len(base) == len(dst) && plus <= len(rows))
	checkRows(table, rows, len(dst))
	if len(rows) == 0 {
		copy(dst, base)
		return
	}
	changeRows(dst, base, table, rows, plus)
}

func changeRowsGeneric(dst, base, table []int16, rows []uint32, plus int) {
	copy(dst, base)
	for i, r := range rows {
		row := table[r:][:len(dst)]
		if i < plus {
			for j, x := range row {
				dst[j] += x
			}
		} else {
			for j, x := range row {
				dst[j] -= x
			}
		}
	}
}

func checkRows(table []int16, rows []uint32, width int) {
	for _, r := range rows {
		check(int(r)+width <= len(table))
	}
}

// RateOne is what an activation of 1 is for RateRows.
const RateOne = 4096

// RateRows returns the sum of activation[i]*gradient[i] in 32 bits, which wrap, where the activations
// are floor(RateOne * clip(sum/One, 0, 1)^2) of sums = base + the rows of table that begin at the
// offsets in rows, in 16 bits, which wrap. The width, a multiple of WidthUnit, is that of base.
func RateRows(base, table []int16, rows []uint32, gradient []int16) int32 {
	check(len(base)%WidthUnit == 0 && len(base) > 0 && len(gradient) == len(base))
	checkRows(table, rows, len(base))
	return rateRows(base, table, rows, gradient)
}

func rateRowsGeneric(base, table []int16, rows []uint32, gradient []int16) (total int32) {
	var sums [WidthUnit]int16
	for at := 0; at < len(base); at += WidthUnit {
		copy(sums[:], base[at:])
		for _, r := range rows {
			for i, x := range table[int(r)+at:][:WidthUnit] {
				sums[i] += x
			}
		}
		for i, g := range gradient[at:][:WidthUnit] {
			x := int32(min(max(sums[i], 0), One))
			total += x * x / (One * One / RateOne) * int32(g)
		}
	}
	return total
}

// dotLanes is the number of sums that DotRow keeps.
const dotLanes = 32

// DotRow returns the sum of row[i]*x[i]: 32 sums, that of i in sum i mod 32, are added in halves.
// Every product and sum is rounded to float32. The lengths are equal and a multiple of 32.
func DotRow(row []int16, x []float32) float32 {
	check(len(row)%dotLanes == 0 && len(row) > 0 && len(x) == len(row))
	return dotRow(row, x)
}

func dotRowGeneric(row []int16, x []float32) float32 {
	var sums [dotLanes]float32
	for len(row) >= dotLanes {
		for i := range sums {
			sums[i] += float32(float32(row[i]) * x[i])
		}
		row, x = row[dotLanes:], x[dotLanes:]
	}
	for n := dotLanes / 2; n > 0; n /= 2 {
		for i := range n {
			sums[i] += sums[i+n]
		}
	}
	return sums[0]
}

// AddProducts adds x*w to dst, where w is of shape [len(x), len(dst)], row-major: even rows onto dst,
// odd ones by themselves, then both together. Every product and sum is rounded to float32. len(x)
// is even and len(dst) a multiple of 16.
func AddProducts(dst, x, w []float32) {
	check(len(x)%2 == 0 && len(x) > 0 && len(dst)%16 == 0 && len(dst) > 0 && len(w) == len(x)*len(dst))
	addProducts(dst, x, w)
}

func addProductsGeneric(dst, x, w []float32) {
	for j := range dst {
		even, odd := dst[j], float32(0)
		for i := 0; i < len(x); i += 2 {
			even += float32(x[i] * w[i*len(dst)+j])
			odd += float32(x[i+1] * w[(i+1)*len(dst)+j])
		}
		dst[j] = even + odd
	}
}

// backInputs is the number of inputs that PackBack keeps together.
const backInputs = 64

// backOffset is added to weights in the layout of PackBack, so that they are not negative.
const backOffset = 64

// PackBack returns the weights w of shape [inputs, outputs], which are in the layout of Pack8, in that of
// Backward8: for each 64 inputs, and each four outputs, the four weights of each of these inputs. Inputs
// are a multiple of 64, outputs of 8.
func PackBack(w []int8, inputs, outputs int) []uint8 {
	w = Unpack8(w, inputs, outputs)
	packed := make([]uint8, 0, len(w))
	for i := 0; i < inputs; i += backInputs {
		for j := 0; j < outputs; j += 4 {
			for ii := range backInputs {
				for _, x := range w[(i+ii)*outputs+j:][:4] {
					packed = append(packed, uint8(x+backOffset))
				}
			}
		}
	}
	return packed
}

// Backward8 computes dst[i] = unit * (the sum over j of w(i, j) * gradient[j]): the sum exactly, then it
// and the product rounded to float32. The layout of w is that of PackBack; the magnitude of the weights is
// at most MaxWeight8, and that of the gradient at most 127.
func Backward8(dst []float32, gradient []int8, w []uint8, unit float32) {
	check(len(dst)%backInputs == 0 && len(dst) > 0 && len(gradient)%4 == 0 && len(gradient) > 0)
	check(len(w) == len(dst)*len(gradient))
	start := int32(0)
	for _, g := range gradient {
		start -= backOffset * int32(g)
	}
	backward8(dst, gradient, w, start, unit)
}

func backward8Generic(dst []float32, gradient []int8, w []uint8, start int32, unit float32) {
	var sums [backInputs]int32
	for ; len(dst) > 0; dst = dst[backInputs:] {
		for i := range sums {
			sums[i] = start
		}
		for j := 0; j < len(gradient); j += 4 {
			g := gradient[j:][:4]
			for i := range sums {
				w := w[4*i:][:4]
				sums[i] += int32(w[0])*int32(g[0]) + int32(w[1])*int32(g[1]) + int32(w[2])*int32(g[2]) + int32(w[3])*int32(g[3])
			}
			w = w[4*backInputs:]
		}
		for i, sum := range sums {
			dst[i] = float32(sum) * unit
		}
	}
}

// ScaleBySlopes multiplies grad by the slope of clip(sums/One, 0, 1)^2 for a change of the sums. Within
// soft, in units of the sums, from its two kinks the slope changes gradually: it rises from 0 as a
// square, and falls to 0 in a line. Lengths are equal and multiples of 16.
func ScaleBySlopes(grad []float32, sums []int16, soft float32) {
	check(len(grad)%16 == 0 && len(grad) > 0 && len(sums) == len(grad))
	scaleBySlopes(grad, sums, soft, 1/(2*One*One*soft), 1/(One*soft))
}

func scaleBySlopesGeneric(grad []float32, sums []int16, soft, low, high float32) {
	for i, sum := range sums {
		s := float32(sum)
		slope := s * (2. / (One * One))
		if s < soft {
			x := max(s, -soft) + soft
			slope = float32(x*x) * low
		}
		if s > One-soft {
			slope = float32(One+soft-min(s, One+soft)) * high
		}
		grad[i] = float32(grad[i] * slope)
	}
}
