package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// each runs f with every level the processor offers but the reference, and skips if there is none.
func each(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	saved := active
	defer func() { active = saved }()
	all := levels()
	if len(all) == 1 {
		t.Skip("only the reference kernels are available")
	}
	for _, l := range all[1:] {
		active = l
		t.Run(l.String(), f)
	}
}

const guard = 64

// guarded returns a slice of n elements at an odd offset with guard bands around it, and a
// function that checks the bands.
func guarded[T int8 | int16 | int32 | uint8 | float32](t *testing.T, n, offset int) ([]T, func()) {
	t.Helper()
	all := make([]T, guard+offset+n+guard)
	for i := range all {
		all[i] = 77
	}
	s := all[guard+offset : guard+offset+n : guard+offset+n]
	return s, func() {
		for i, x := range all {
			if i < guard+offset || i >= guard+offset+n {
				require.EqualValues(t, 77, x, "guard band at %d was written", i)
			}
		}
	}
}

func fillInt[T int8 | int16 | int32 | uint8](rng *rand.Rand, s []T, lo, hi int) {
	for i := range s {
		s[i] = T(lo + rng.IntN(hi-lo+1))
	}
}

func fillFloat(rng *rand.Rand, s []float32, scale float32) {
	for i := range s {
		s[i] = float32(rng.NormFloat64()) * scale
	}
}

func TestOneHotSquareClipEqualsTheReference(t *testing.T) {
	each(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, width := range []int{128, 256, 512, 640, 1024} {
			table := make([]int16, Rows*width)
			for trial := range 9 {
				scale := []int{300, 2000, math.MaxInt16}[trial%3]
				fillInt(rng, table, -scale, scale)
				bias := make([]int16, width)
				fillInt(rng, bias, -scale, scale)
				var counts [Slots]uint8
				for range rng.IntN(53) {
					counts[rng.IntN(Slots)] = uint8(rng.IntN(Levels))
				}
				want := make([]uint8, width)
				oneHotGeneric(want, &counts, bias, table)
				got, check := guarded[uint8](t, width, trial%7)
				OneHotSquareClip(got, &counts, bias, table)
				require.Equal(t, want, got)
				check()
			}
		}
	})
}

func TestAffine8EqualsTheReference(t *testing.T) {
	each(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, outputs := range []int{8, 16, 32, 40, 64} {
			for _, inputs := range []int{8, 64, 128, 512} {
				act := make([]uint8, inputs)
				w := make([]int8, inputs*outputs)
				for extreme := range 2 {
					if extreme == 1 {
						fillInt(rng, act, ActivationOne, ActivationOne)
						fillInt(rng, w, MaxWeight8, MaxWeight8)
					} else {
						fillInt(rng, act, 0, ActivationOne)
						fillInt(rng, w, -MaxWeight8, MaxWeight8)
					}
					plain := make([]int32, outputs)
					for i, a := range act {
						for j := range plain {
							plain[j] += int32(a) * int32(w[i*outputs+j])
						}
					}
					packed := Pack8(w, inputs, outputs)
					want := make([]int32, outputs)
					affine8Generic(want, act, packed)
					for j := range plain {
						require.Equal(t, plain[j], want[j], "output %d in the layout of the weights", j)
					}
					got, check := guarded[int32](t, outputs, 3)
					Affine8(got, act, packed)
					require.Equal(t, want, got)
					check()
				}
			}
		}
	})
}

func TestAffine16EqualsTheReference(t *testing.T) {
	each(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, outputs := range []int{8, 16, 32, 40} {
			for _, inputs := range []int{2, 16, 32, 64} {
				act := make([]int16, inputs)
				w := make([]int16, inputs*outputs)
				fillInt(rng, act, 0, 4095)
				fillInt(rng, w, -8191, 8191)
				packed := Pack16(w, inputs, outputs)
				want := make([]int32, outputs)
				affine16Generic(want, act, packed)
				got, check := guarded[int32](t, outputs, 1)
				Affine16(got, act, packed)
				require.Equal(t, want, got)
				check()
			}
		}
	})
}

func TestRequantizeEqualsTheReference(t *testing.T) {
	each(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		for _, n := range []int{16, 32, 64} {
			acc := make([]int32, n)
			mul, bias := make([]float32, n), make([]float32, n)
			for range 200 {
				fillInt(rng, acc, -100000, 100000)
				fillFloat(rng, mul, 0.05)
				fillFloat(rng, bias, 300)
				mul[0], bias[0], acc[0] = 0.5, 0, int32(rng.IntN(100)) // ties
				want := make([]int16, n)
				requantizeGeneric(want, acc, mul, bias, 4095)
				got, check := guarded[int16](t, n, 5)
				Requantize(got, acc, mul, bias, 4095)
				require.Equal(t, want, got)
				check()
			}
		}
	})
}

// stackReference computes s, with the given numbers of units, by the reference of each layer.
func stackReference(s *Stack, counts *[Slots]uint8, units []int) (out [stackOutputs]float32) {
	act := make([]uint8, s.Width)
	oneHotGeneric(act, counts, unsafe.Slice(s.Bias, s.Width), unsafe.Slice(s.Table, Rows*s.Width))
	sums := make([]int32, units[0])
	affine8Generic(sums, act, unsafe.Slice(s.W1, s.Width*units[0]))
	muls, biases := []*float32{s.Mul1, s.Mul2, s.Mul3}, []*float32{s.Bias1, s.Bias2, s.Bias3}
	for i, w := range []*int16{s.W2, s.W3}[:len(units)-1] {
		n := units[i]
		hidden := make([]int16, n)
		requantizeGeneric(hidden, sums, unsafe.Slice(muls[i], n), unsafe.Slice(biases[i], n), s.Limit)
		sums = make([]int32, units[i+1])
		affine16Generic(sums, hidden, unsafe.Slice(w, n*len(sums)))
	}
	last := len(units) - 1
	mul, bias := unsafe.Slice(muls[last], stackOutputs), unsafe.Slice(biases[last], stackOutputs)
	for j := range out {
		out[j] = Logistic(float32(float32(sums[j])*mul[j]) + bias[j])
	}
	return out
}

func TestStacksEqualTheReference(t *testing.T) {
	each(t, func(t *testing.T) {
		if !hasStack() {
			t.Skip("no stack kernels")
		}
		rng := rand.New(rand.NewPCG(15, 16))
		for _, hidden := range [][]int{nil, {16, 32}, {32, 32}, {64, 32}} {
			units := append(append([]int(nil), hidden...), stackOutputs)
			for _, width := range []int{128, 512, 640, 1024} {
				t.Run(fmt.Sprint(width, hidden), func(t *testing.T) {
					for trial := range 2 {
						s, counts := randomStack(rng, width, units, trial%2 == 1)
						require.True(t, s.Prepare(hidden))
						for range 50 {
							fillCounts(rng, counts, rng.IntN(53))
							var got [3][stackOutputs]float32 // the outer ones are guard bands
							s.Run(&got[1], counts)
							require.Equal(t, stackReference(s, counts, units), got[1])
							require.Zero(t, got[0])
							require.Zero(t, got[2])
						}
					}
				})
			}
		}
	})
}

func fillCounts(rng *rand.Rand, counts *[Slots]uint8, n int) {
	clear(counts[:])
	for range n {
		counts[rng.IntN(Slots)] = uint8(rng.IntN(Levels))
	}
}

// randomStack returns a stack, and counts for it, with random parameters; extreme ones have all
// activations and weights as large as is allowed.
func randomStack(rng *rand.Rand, width int, units []int, extreme bool) (*Stack, *[Slots]uint8) {
	table, bias := make([]int16, Rows*width), make([]int16, width)
	fillInt(rng, table, -400, 400)
	fillInt(rng, bias, 0, 1000)
	w1 := make([]int8, width*units[0])
	fillInt(rng, w1, -31, 31)
	if extreme {
		fillInt(rng, bias, 30000, 32767)
		for j := range units[0] {
			for i := range width { // 4*63+3 = 255 in each sum
				x := int8([4]int{63, 63, 3, 0}[i/4%4])
				if i%2 == 1 {
					x = int8([4]int{63, 63, 0, 0}[i/4%4])
				}
				if j%3 == 0 {
					x = -x
				}
				w1[i*units[0]+j] = x
			}
		}
	}
	if slices.Contains(Fit8(w1, units[0]), false) {
		panic("weights of the test are too large")
	}
	s := &Stack{Bias: &bias[0], Table: &table[0], Width: width, W1: &Pack8(w1, width, units[0])[0], Limit: 4095}
	in := width
	for i, n := range units {
		mul, b := make([]float32, n), make([]float32, n)
		fillFloat(rng, mul, []float32{0.05, 1e-4, 1e-5}[i])
		fillFloat(rng, b, 300)
		if i == len(units)-1 {
			fillFloat(rng, mul, 1e-5)
			fillFloat(rng, b, 5)
		}
		*[]**float32{&s.Mul1, &s.Mul2, &s.Mul3}[i], *[]**float32{&s.Bias1, &s.Bias2, &s.Bias3}[i] = &mul[0], &b[0]
		if i > 0 {
			w := make([]int16, in*n)
			fillInt(rng, w, -8191, 8191)
			*[]**int16{&s.W2, &s.W3}[i-1] = &Pack16(w, in, n)[0]
		}
		in = n
	}
	return s, new([Slots]uint8)
}

func TestWeightsThatOverflowDoNotFit(t *testing.T) {
	w := make([]int8, 32)
	for i := range w {
		w[i] = 31
	}
	assert.Equal(t, []bool{true}, Fit8(w, 1))
	w[16], w[20], w[24] = 63, 63, 63 // 3*63 + 5*31 > 255
	assert.Equal(t, []bool{false}, Fit8(w, 1))
	for i := range w {
		w[i] = -31
	}
	w[18], w[19], w[22] = -63, -63, -63
	assert.Equal(t, []bool{false}, Fit8(w, 1))
	two := make([]int8, 64) // beside an output of zeros
	for i, x := range w {
		two[2*i+1] = x
	}
	assert.Equal(t, []bool{true, false}, Fit8(two, 2))
	w[19], w[22] = 63, 63
	assert.Equal(t, []bool{true}, Fit8(w, 1))
}

// A sum of n products in float32 in any order, fused or not, differs from the exact one by at
// most n*epsilon times the sum of magnitudes (Higham, Accuracy and Stability, 3.1).
func near(t *testing.T, want, got, magnitude []float32, n int) {
	t.Helper()
	for i := range want {
		bound := 2 * float64(n+2) * 0x1p-24 * float64(magnitude[i])
		require.InDelta(t, want[i], got[i], bound, "element %d", i)
	}
}

func TestFloatKernelsAgreeWithTheReference(t *testing.T) {
	each(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 10))
		for _, width := range []int{64, 128, 320, 512} {
			table := make([]float32, Rows*width)
			fillFloat(rng, table, 1)
			bias := make([]float32, width)
			fillFloat(rng, bias, 1)
			for _, n := range []int{0, 1, 14, 30} {
				rows := make([]uint16, n)
				for i := range rows {
					rows[i] = uint16(rng.IntN(Rows))
				}
				want, got := make([]float32, width), make([]float32, width)
				sumRowsGeneric(want, bias, table, rows)
				SumRows(got, bias, table, rows)
				assert.Equal(t, want, got, "sum of rows in order")

				other := append([]float32(nil), table...)
				grad := make([]float32, width)
				fillFloat(rng, grad, 1)
				addRowsGeneric(other, grad, rows)
				AddRows(table, grad, rows)
				assert.Equal(t, other, table)
			}
		}
		for _, n := range []int{8, 16, 24, 64, 512} {
			src, grad := make([]float32, n), make([]float32, n)
			fillFloat(rng, src, 1)
			fillFloat(rng, grad, 1)
			src[0], src[1], src[2] = 0, 1, -0
			want, got := make([]float32, n), make([]float32, n)
			squareClipGeneric(want, src)
			SquareClip(got, src)
			assert.Equal(t, want, got)
			wantGrad, gotGrad := append([]float32(nil), grad...), append([]float32(nil), grad...)
			squareClipGradGeneric(wantGrad, src)
			SquareClipGrad(gotGrad, src)
			for i := range wantGrad {
				require.InDelta(t, wantGrad[i], gotGrad[i], 0)
			}
			axpbyGeneric(want, src, 0.3, 0.7)
			Axpby(got, src, 0.3, 0.7)
			assert.Equal(t, want, got)
		}
	})
}

func TestGemmAgreesWithTheReference(t *testing.T) {
	each(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(11, 12))
		for _, s := range []struct{ m, n, k int }{{4, 16, 1}, {8, 32, 5}, {12, 48, 7}, {64, 32, 512}, {512, 32, 64}, {64, 512, 32}} {
			for _, transposed := range []bool{false, true} {
				a, b := make([]float32, s.m*s.k), make([]float32, s.k*s.n)
				fillFloat(rng, a, 1)
				fillFloat(rng, b, 1)
				aRow, aCol := s.k, 1
				if transposed {
					aRow, aCol = 1, s.m
				}
				want := make([]float32, s.m*s.n)
				fillFloat(rng, want, 1)
				got, check := guarded[float32](t, len(want), 2)
				copy(got, want)
				magnitude := make([]float32, len(want))
				for i := range magnitude {
					magnitude[i] = float32(math.Abs(float64(want[i])))
				}
				absA, absB := make([]float32, len(a)), make([]float32, len(b))
				for i, x := range a {
					absA[i] = float32(math.Abs(float64(x)))
				}
				for i, x := range b {
					absB[i] = float32(math.Abs(float64(x)))
				}
				gemmGeneric(magnitude, absA, absB, s.m, s.n, s.k, aRow, aCol, s.n, s.n)
				gemmGeneric(want, a, b, s.m, s.n, s.k, aRow, aCol, s.n, s.n)
				Gemm(got, a, b, s.m, s.n, s.k, aRow, aCol, s.n, s.n)
				near(t, want, got, magnitude, s.k+1)
				check()
			}
		}
	})
}

func TestAdamAgreesWithTheReference(t *testing.T) {
	each(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(13, 14))
		n := 72
		var a, b [4][]float32
		for i := range a {
			a[i] = make([]float32, n)
			fillFloat(rng, a[i], 1)
			if i == 2 {
				for j := range a[i] {
					a[i][j] *= a[i][j]
				}
			}
			b[i] = append([]float32(nil), a[i]...)
		}
		step := AdamStep{Scale: 0.1, Beta1: 0.9, Beta2: 0.999, Rate: 0.01, Epsilon: 1e-8}
		adamGeneric(a[0], a[1], a[2], a[3], step)
		Adam(b[0], b[1], b[2], b[3], step)
		for i := range a {
			for j := range a[i] {
				require.InDelta(t, a[i][j], b[i][j], 1e-6, "array %d", i)
			}
		}
	})
}

func BenchmarkKernels(b *testing.B) {
	saved := active
	defer func() { active = saved }()
	rng := rand.New(rand.NewPCG(1, 1))
	for _, l := range levels() {
		active = l
		for _, width := range []int{128, 256, 512} {
			table := make([]int16, Rows*width)
			fillInt(rng, table, -300, 300)
			bias := make([]int16, width)
			var counts [Slots]uint8
			for range 14 {
				counts[rng.IntN(Slots)] = uint8(1 + rng.IntN(3))
			}
			dst := make([]uint8, width)
			b.Run(fmt.Sprintf("onehot/%s/width=%d", l, width), func(b *testing.B) {
				for b.Loop() {
					OneHotSquareClip(dst, &counts, bias, table)
				}
			})
			for _, outputs := range []int{8, 32} {
				w := make([]int8, width*outputs)
				acc := make([]int32, outputs)
				b.Run(fmt.Sprintf("affine8/%s/%dx%d", l, width, outputs), func(b *testing.B) {
					for b.Loop() {
						Affine8(acc, dst, w)
					}
				})
			}
		}
		for _, shape := range [][]int{{128}, {512, 32, 32}, {512, 64, 32}, {1024, 32, 32}, {1024, 64, 32}} {
			width, hidden := shape[0], shape[1:]
			s, _ := randomStack(rng, width, append(append([]int(nil), hidden...), stackOutputs), false)
			if !s.Prepare(hidden) {
				continue
			}
			inputs := make([][Slots]uint8, 64) // rows and weights stay in L2, as of positions from everywhere
			for i := range inputs {
				fillCounts(rng, &inputs[i], 14)
			}
			var out [stackOutputs]float32
			b.Run(fmt.Sprintf("stack/%s/%s", l, strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", "x")), func(b *testing.B) {
				i := 0
				for b.Loop() {
					s.Run(&out, &inputs[i%len(inputs)])
					i++
				}
			})
		}
		x := make([]float32, 64*512)
		y := make([]float32, 512*32)
		z := make([]float32, 64*32)
		b.Run(fmt.Sprintf("gemm/%s/64x32x512", l), func(b *testing.B) {
			for b.Loop() {
				Gemm(z, x, y, 64, 32, 512, 512, 1, 32, 32)
			}
			b.ReportMetric(64*32*512*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
	}
}
