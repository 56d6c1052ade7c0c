package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// atEachLevel runs f at every level that the processor offers.
func atEachLevel(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	saved := active
	defer func() { active = saved }()
	for _, l := range levels() {
		active = l
		t.Run(l.String(), f)
	}
}

func TestDiffsAreTheSlotsThatDiffer(t *testing.T) {
	atEachLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		var ref [Slots]uint8
		for i := range ref {
			ref[i] = uint8(rng.IntN(Levels))
		}
		counts := make([][Slots]uint8, 200)
		want, got := make([]uint64, len(counts)), make([]uint64, len(counts)+1)
		for i := range counts {
			counts[i] = ref
			for range rng.IntN(5) {
				counts[i][rng.IntN(Slots)] = uint8(rng.IntN(Levels))
			}
			if i < Slots {
				counts[i][i] ^= 1
			}
			for slot := range ref {
				if counts[i][slot] != ref[slot] {
					want[i] |= 1 << slot
				}
			}
		}
		for i := range counts {
			require.Equal(t, want[i], Diff(&counts[i], &ref))
		}
		got[len(counts)] = 99
		Diffs(got, counts, &ref)
		assert.Equal(t, append(want, 99), got)
		Diffs(nil, nil, &ref)
	})
}

func TestChangedRowsAreAddedAndSubtracted(t *testing.T) {
	for _, width := range []int{128, 256, 512, 640, 1024} {
		rng := rand.New(rand.NewPCG(1, uint64(width)))
		table, base := make([]int16, Rows*width), make([]int16, width)
		fillInt(rng, table, -32768, 32767)
		fillInt(rng, base, -32768, 32767)
		for range 20 {
			rows := make([]uint32, rng.IntN(12))
			for i := range rows {
				rows[i] = uint32(rng.IntN(Rows) * width)
			}
			plus := rng.IntN(len(rows) + 1)
			want := make([]int16, width)
			for i := range want {
				sum := int(base[i])
				for k, r := range rows {
					if k < plus {
						sum += int(table[int(r)+i])
					} else {
						sum -= int(table[int(r)+i])
					}
				}
				want[i] = int16(sum)
			}
			atEachLevel(t, func(t *testing.T) {
				got := make([]int16, width)
				ChangeRows(got, base, table, rows, plus)
				require.Equal(t, want, got, "width %d", width)
				copy(got, base)
				ChangeRows(got, got, table, rows, plus)
				require.Equal(t, want, got, "width %d, in place", width)
			})
		}
		assert.Panics(t, func() { ChangeRows(base, base, table, []uint32{uint32(len(table) - 1)}, 1) })
	}
}

func TestRatesAreTheSameAtEachLevel(t *testing.T) {
	for _, width := range []int{128, 512, 640, 1024} {
		rng := rand.New(rand.NewPCG(5, uint64(width)))
		table, base, gradient := make([]int16, 30*width), make([]int16, width), make([]int16, width)
		fillInt(rng, table, -900, 900)
		fillInt(rng, base, -3000, 5000)
		fillInt(rng, gradient, -2000, 2000)
		for n := range 8 {
			rows := make([]uint32, n)
			for i := range rows {
				rows[i] = uint32(rng.IntN(30) * width)
			}
			want := 0.
			for i := range base {
				sum := int(base[i])
				for _, r := range rows {
					sum += int(table[int(r)+i])
				}
				x := float64(min(max(sum, 0), One)) / One
				want += math.Floor(RateOne*x*x) * float64(gradient[i])
			}
			atEachLevel(t, func(t *testing.T) {
				require.Equal(t, int32(int64(want)), RateRows(base, table, rows, gradient), "width %d, %d rows", width, n)
			})
		}
		assert.Panics(t, func() { RateRows(base, table, []uint32{uint32(29*width + 1)}, gradient) })
	}
}

func TestProductsAreTheSameAtEachLevel(t *testing.T) {
	for _, size := range [][2]int{{512, 32}, {32, 32}, {32, 16}, {16, 48}, {128, 64}, {32, 512}} {
		rng := rand.New(rand.NewPCG(3, uint64(size[0])))
		n, outputs := size[0], size[1]
		x, w, dst := make([]float32, n), make([]float32, n*outputs), make([]float32, outputs)
		for _, s := range [][]float32{x, w, dst} {
			for i := range s {
				s[i] = float32(rng.NormFloat64())
			}
		}
		want := append([]float32(nil), dst...)
		addProductsGeneric(want, x, w)
		for j := range dst { // the reference itself
			sum := float64(dst[j])
			for i := range x {
				sum += float64(x[i]) * float64(w[i*outputs+j])
			}
			require.InDelta(t, sum, want[j], 1e-4)
		}
		atEachLevel(t, func(t *testing.T) {
			got := append([]float32(nil), dst...)
			AddProducts(got, x, w)
			require.Equal(t, want, got, "%v", size)
		})
	}
}

func TestDotsAreTheSameAtEachLevel(t *testing.T) {
	for _, n := range []int{32, 128, 512, 640} {
		rng := rand.New(rand.NewPCG(4, uint64(n)))
		row, x := make([]int16, n), make([]float32, n)
		fillInt(rng, row, -32768, 32767)
		sum := 0.
		for i := range x {
			x[i] = float32(rng.NormFloat64())
			sum += float64(row[i]) * float64(x[i])
		}
		want := dotRowGeneric(row, x)
		require.InDelta(t, 0, float64(want)-sum, 0.5)
		atEachLevel(t, func(t *testing.T) { require.Equal(t, want, DotRow(row, x), "%d", n) })
	}
}

func TestGoingBackIsTheSameAtEachLevel(t *testing.T) {
	for _, size := range [][2]int{{128, 8}, {512, 32}, {640, 16}, {1024, 64}} {
		inputs, outputs := size[0], size[1]
		rng := rand.New(rand.NewPCG(6, uint64(inputs)))
		for _, extreme := range []bool{false, true} {
			w, gradient := make([]int8, inputs*outputs), make([]int8, outputs)
			for i := range w {
				w[i] = int8(rng.IntN(2*MaxWeight8+1) - MaxWeight8)
				if extreme {
					w[i] = MaxWeight8
				}
			}
			for j := range gradient {
				gradient[j] = int8(rng.IntN(255) - 127)
				if extreme {
					gradient[j] = 127
				}
			}
			const unit = 0.37
			want := make([]float32, inputs)
			for i := range want {
				sum := 0
				for j, g := range gradient {
					sum += int(w[i*outputs+j]) * int(g)
				}
				want[i] = float32(sum) * unit
			}
			packed := PackBack(Pack8(w, inputs, outputs), inputs, outputs)
			atEachLevel(t, func(t *testing.T) {
				got := make([]float32, inputs)
				Backward8(got, gradient, packed, unit)
				require.Equal(t, want, got, "%v", size)
			})
		}
	}
	assert.Panics(t, func() { Backward8(make([]float32, 128), make([]int8, 8), make([]uint8, 128), 1) })
}

func TestUnpackingUndoesPacking(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, size := range [][2]int{{32, 8}, {64, 56}, {128, 32}} {
		w8, w16 := make([]int8, size[0]*size[1]), make([]int16, size[0]*size[1])
		for i := range w8 {
			w8[i], w16[i] = int8(rng.IntN(256)-128), int16(rng.IntN(1<<16)-1<<15)
		}
		assert.Equal(t, w8, Unpack8(Pack8(w8, size[0], size[1]), size[0], size[1]))
		assert.Equal(t, w16, Unpack16(Pack16(w16, size[0], size[1]), size[0], size[1]))
	}
}

func TestSlopesAreTheSameAtEachLevel(t *testing.T) {
	const soft = One / 5.
	var sums []int16
	for s := -3000; s < 6000; s += 3 {
		sums = append(sums, int16(s))
	}
	sums = append(sums, -32768, 32767, 409, -409, One-410, One+410)
	sums = sums[:len(sums)&^15]
	grad := make([]float32, len(sums))
	for i := range grad {
		grad[i] = 3
	}
	scaleBySlopesGeneric(grad, sums, soft, 1/(2*One*One*float32(soft)), 1/(One*float32(soft)))
	for i, s := range sums { // the reference itself
		x := float64(s) / One
		if x > 0.2 && x < 0.8 {
			require.InDelta(t, 3*2*x/One, grad[i], 1e-7)
		}
		if x <= -0.2 || x >= 1.2 {
			require.Zero(t, grad[i])
		}
	}
	atEachLevel(t, func(t *testing.T) {
		scaled := make([]float32, len(sums))
		for i := range scaled {
			scaled[i] = 3
		}
		ScaleBySlopes(scaled, sums, soft)
		require.Equal(t, grad, scaled)
	})
}

func BenchmarkNear(b *testing.B) {
	saved := active
	defer func() { active = saved }()
	const width = 512
	rng := rand.New(rand.NewPCG(1, 1))
	table, base, dst := make([]int16, Rows*width), make([]int16, width), make([]int16, width)
	fillInt(rng, table, -300, 300)
	x, w, out := make([]float32, width), make([]float32, 32*width), make([]float32, 32)
	gradient, back := make([]int8, 32), make([]uint8, 32*width)
	counts, masks := make([][Slots]uint8, 20), make([]uint64, 20)
	for _, l := range levels() {
		active = l
		b.Run(fmt.Sprintf("changes/%s", l), func(b *testing.B) {
			for b.Loop() {
				ChangeRows(dst, base, table, []uint32{512, 5 * 512, 20 * 512, 32 * 512, 33 * 512, 98 * 512}, 3)
			}
		})
		b.Run(fmt.Sprintf("rate/%s", l), func(b *testing.B) {
			for b.Loop() {
				RateRows(base, table, []uint32{512, 5 * 512, 20 * 512, 32 * 512}, dst)
			}
		})
		b.Run(fmt.Sprintf("dot/%s", l), func(b *testing.B) {
			for b.Loop() {
				DotRow(base, x)
			}
		})
		b.Run(fmt.Sprintf("products/%s/512x32", l), func(b *testing.B) {
			for b.Loop() {
				AddProducts(out, x, w)
			}
		})
		b.Run(fmt.Sprintf("products/%s/32x512", l), func(b *testing.B) {
			for b.Loop() {
				AddProducts(x, out, w)
			}
		})
		b.Run(fmt.Sprintf("backward/%s/32x512", l), func(b *testing.B) {
			for b.Loop() {
				Backward8(x, gradient, back, 1)
			}
		})
		b.Run(fmt.Sprintf("slopes/%s", l), func(b *testing.B) {
			for b.Loop() {
				ScaleBySlopes(x, base, 400)
			}
		})
		b.Run(fmt.Sprintf("diffs/%s/20", l), func(b *testing.B) {
			for b.Loop() {
				Diffs(masks, counts, &counts[0])
			}
		})
	}
}
