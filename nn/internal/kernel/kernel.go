// Package kernel holds the vector kernels of package nn: a plain Go reference for each, and
// faster forms chosen once at start by what the processor can do.
//
// The integer kernels give the same bits in every form. The float32 kernels are for training
// only; their vector forms may fuse a product with the sum it is added to and so differ from
// the reference in the last bits.
package kernel

//go:generate go run -C _asm . -out ../kernel_amd64.s -stubs ../stubs_amd64.go -pkg kernel

const (
	// Slots is the number of counts that the one-hot layer takes.
	Slots = 52
	// Levels is the number of values a count can have, 0 to 15. The row of the value 0 is
	// never read.
	Levels = 16
	// Rows is the number of rows of the table of the one-hot layer: value c of slot s is row
	// s*Levels+c.
	Rows = Slots * Levels
	// WidthUnit divides the width of a one-hot layer.
	WidthUnit = 128
	// One is what an activation of 1 is as the integer input of the activation function.
	One = 2048
	// ActivationOne is what an activation of 1 is as the result of the activation function.
	ActivationOne = 128
	// MaxWeight8 is the largest magnitude of a weight of Affine8.
	MaxWeight8 = 63
)

// A level is a way to compute the kernels that a processor may offer.
type level uint8

const (
	generic    level = iota
	avx2             // AVX2, FMA and BMI1
	avx512           // avx2, and AVX-512 F, BW, VL and DQ for inference
	avx512vnni       // avx512, and VNNI
	neon             // NEON for the layers with 16-bit table and 8-bit weights
	dotprod          // neon, and the dot products of 8-bit numbers of ARMv8.2
)

func (l level) String() string {
	return [...]string{"generic", "avx2", "avx512", "avx512vnni", "neon", "dotprod"}[l]
}

// active is the level in use. It is chosen once at start; tests change it. The kernels are
// called directly, not through a table of functions, so that their arguments stay on the stack.
var active = levels()[len(levels())-1]

// Name returns the name of the kernels in use, such as "avx2".
func Name() string { return active.String() }

// OneHotSquareClip computes the first layer and its activation from counts.
//
// dst has the width of the layer, a multiple of WidthUnit; bias has the same width and table is
// [Rows, width], row-major, both in units of 1/One. The sums saturate at 16 bits, in the order
// of the slots; the result is floor(ActivationOne * clip(sum/One, 0, 1)^2).
func OneHotSquareClip(dst []uint8, counts *[Slots]uint8, bias, table []int16) {
	check(len(dst)%WidthUnit == 0 && len(dst) > 0 && len(bias) == len(dst) && len(table) == Rows*len(dst))
	oneHot(dst, counts, bias, table)
}

// Affine8 computes dst[j] = sum over i of act[i] * w(i, j), exactly.
//
// len(act) is a multiple of 8 and len(dst) a multiple of 8; act is at most ActivationOne and the
// magnitude of w at most MaxWeight8. The layout of w is that of Pack8.
func Affine8(dst []int32, act []uint8, w []int8) {
	check(len(act)%8 == 0 && len(act) > 0 && len(dst)%8 == 0 && len(w) == len(act)*len(dst))
	affine8(dst, act, w)
}

// Affine16 computes dst[j] = sum over i of act[i] * w(i, j) in 32 bits, which wrap.
//
// len(act) is even and len(dst) a multiple of 8. The layout of w is that of Pack16.
func Affine16(dst []int32, act []int16, w []int16) {
	check(len(act)%2 == 0 && len(act) > 0 && len(dst)%8 == 0 && len(w) == len(act)*len(dst))
	affine16(dst, act, w)
}

// Requantize computes dst[j] = round(clip(acc[j]*mul[j] + bias[j], 0, limit)), ties to even, with
// the product and the sum rounded to float32 each. Lengths are multiples of 16.
func Requantize(dst []int16, acc []int32, mul, bias []float32, limit float32) {
	check(len(dst)%16 == 0 && len(acc) == len(dst) && len(mul) == len(dst) && len(bias) == len(dst))
	requantize(dst, acc, mul, bias, limit)
}

// SumRows computes dst = bias + the given rows of table; all have the width of dst, a multiple
// of 64.
func SumRows(dst, bias, table []float32, rows []uint16) {
	check(len(dst)%64 == 0 && len(bias) == len(dst) && len(table) == Rows*len(dst))
	sumRows(dst, bias, table, rows)
}

// AddRows adds grad to each of the given rows of table; the width is len(grad), a multiple of 64.
func AddRows(table, grad []float32, rows []uint16) {
	check(len(grad)%64 == 0 && len(table) == Rows*len(grad))
	addRows(table, grad, rows)
}

// SquareClip computes dst = clip(src, 0, 1)^2, rounded down to a multiple of 1/ActivationOne as
// OneHotSquareClip does. Lengths are multiples of 8.
func SquareClip(dst, src []float32) {
	check(len(dst)%8 == 0 && len(src) == len(dst))
	squareClip(dst, src)
}

// SquareClipGrad multiplies grad by the derivative of clip(src, 0, 1)^2. Lengths are multiples
// of 8.
func SquareClipGrad(grad, src []float32) {
	check(len(grad)%8 == 0 && len(src) == len(grad))
	squareClipGrad(grad, src)
}

// Gemm computes c += a*b for a of shape [m, k], b of shape [k, n] and c of shape [m, n], where m
// is a multiple of 4 and n of 16. Element (i, p) of a is a[i*aRow+p*aCol], row p of b begins at
// p*bRow and row i of c at i*cRow.
func Gemm(c, a, b []float32, m, n, k, aRow, aCol, bRow, cRow int) {
	check(m%4 == 0 && n%16 == 0)
	if m == 0 || n == 0 || k == 0 {
		return
	}
	check((m-1)*aRow+(k-1)*aCol < len(a) && (k-1)*bRow+n <= len(b) && (m-1)*cRow+n <= len(c))
	gemm(c, a, b, m, n, k, aRow, aCol, bRow, cRow)
}

// An AdamStep holds the numbers of one step of Adam (Kingma and Ba, 2015). Rate and Epsilon have
// the bias corrections folded in.
type AdamStep struct {
	Scale        float32 // multiplies the gradient
	Beta1, Beta2 float32
	Rate         float32
	Epsilon      float32
}

// Adam updates the weights w and the moments m and v with the gradient g, and clears g. Lengths
// are equal and multiples of 8.
func Adam(w, m, v, g []float32, p AdamStep) {
	check(len(w)%8 == 0 && len(m) == len(w) && len(v) == len(w) && len(g) == len(w))
	adam(w, m, v, g, p)
}

// Axpby computes y = a*x + b*y. Lengths are equal and multiples of 8.
func Axpby(y, x []float32, a, b float32) {
	check(len(y)%8 == 0 && len(x) == len(y))
	axpby(y, x, a, b)
}

func check(ok bool) {
	if !ok {
		panic("kernel: lengths do not fit")
	}
}

// block returns how many outputs of an affine layer from j on are stored together.
func block(outputs, j int) int {
	switch {
	case outputs-j >= 32:
		return 32
	case outputs-j >= 16:
		return 16
	}
	return 8
}

// Pack8 returns the weights w of shape [inputs, outputs], row-major, in the layout of Affine8:
// blocks of 32 outputs, then of 16 and of 8; in a block, for each group of four inputs, four weights of
// each output.
func Pack8(w []int8, inputs, outputs int) []int8 { return pack(w, inputs, outputs, 4) }

// Pack16 is Pack8 for Affine16, with groups of two inputs.
func Pack16(w []int16, inputs, outputs int) []int16 { return pack(w, inputs, outputs, 2) }

func pack[T int8 | int16](w []T, inputs, outputs, group int) []T {
	packed := make([]T, len(w))
	at := 0
	for j := 0; j < outputs; {
		size := block(outputs, j)
		for i := 0; i < inputs; i += group {
			to := packed[at:][:size*group]
			for ii := range group {
				for jj, x := range w[(i+ii)*outputs+j:][:size] {
					to[jj*group+ii] = x
				}
			}
			at += size * group
		}
		j += size
	}
	return packed
}

// Unpack8 returns the weights w in the layout of Pack8 as they were before.
func Unpack8(w []int8, inputs, outputs int) []int8 { return unpack(w, inputs, outputs, 4) }

// Unpack16 is Unpack8 for Pack16.
func Unpack16(w []int16, inputs, outputs int) []int16 { return unpack(w, inputs, outputs, 2) }

func unpack[T int8 | int16](packed []T, inputs, outputs, group int) []T {
	w := make([]T, len(packed))
	for j := 0; j < outputs; {
		size := block(outputs, j)
		for i := 0; i < inputs; i += group {
			for jj := range size {
				for ii := range group {
					w[(i+ii)*outputs+j+jj] = packed[jj*group+ii]
				}
			}
			packed = packed[size*group:]
		}
		j += size
	}
	return w
}
