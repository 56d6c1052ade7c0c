//go:build amd64 && !purego

package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// levels returns the levels that this processor offers, the fastest last.
func levels() []level {
	x := &cpu.X86
	if !x.HasAVX2 || !x.HasFMA || !x.HasBMI1 {
		return []level{generic}
	}
	if !x.HasAVX512F || !x.HasAVX512BW || !x.HasAVX512VL || !x.HasAVX512DQ {
		return []level{generic, avx2}
	}
	if !x.HasAVX512VNNI {
		return []level{generic, avx2, avx512}
	}
	return []level{generic, avx2, avx512, avx512vnni}
}

func oneHot(dst []uint8, counts *[Slots]uint8, bias, table []int16) {
	if active == generic {
		oneHotGeneric(dst, counts, bias, table)
		return
	}
	if active >= avx512 {
		oneHotAVX512(&dst[0], &counts[0], &bias[0], &table[0], len(dst))
		return
	}
	oneHotAVX2(&dst[0], &counts[0], &bias[0], &table[0], len(dst))
}

func affine8(dst []int32, act []uint8, w []int8) {
	if active == generic {
		affine8Generic(dst, act, w)
		return
	}
	for j := 0; j < len(dst); {
		n := block(len(dst), j)
		switch n {
		case 32:
			affine8x32AVX2(&dst[j], &act[0], &w[j*len(act)], len(act))
		case 16:
			affine8x16AVX2(&dst[j], &act[0], &w[j*len(act)], len(act))
		default:
			affine8x8AVX2(&dst[j], &act[0], &w[j*len(act)], len(act))
		}
		j += n
	}
}

func affine16(dst []int32, act, w []int16) {
	if active == generic {
		affine16Generic(dst, act, w)
		return
	}
	for j := 0; j < len(dst); {
		n := block(len(dst), j)
		switch n {
		case 32:
			affine16x32AVX2(&dst[j], &act[0], &w[j*len(act)], len(act))
		case 16:
			affine16x16AVX2(&dst[j], &act[0], &w[j*len(act)], len(act))
		default:
			affine16x8AVX2(&dst[j], &act[0], &w[j*len(act)], len(act))
		}
		j += n
	}
}

func requantize(dst []int16, acc []int32, mul, bias []float32, limit float32) {
	if active == generic {
		requantizeGeneric(dst, acc, mul, bias, limit)
		return
	}
	requantizeAVX2(&dst[0], &acc[0], &mul[0], &bias[0], limit, len(dst))
}

func sumRows(dst, bias, table []float32, rows []uint16) {
	if active == generic || len(rows) == 0 {
		sumRowsGeneric(dst, bias, table, rows)
		return
	}
	if active >= avx512 {
		sumRowsAVX512(&dst[0], &bias[0], &table[0], len(dst), &rows[0], len(rows))
		return
	}
	sumRowsAVX2(&dst[0], &bias[0], &table[0], len(dst), &rows[0], len(rows))
}

func addRows(table, grad []float32, rows []uint16) {
	if active == generic || len(rows) == 0 {
		addRowsGeneric(table, grad, rows)
		return
	}
	if active >= avx512 {
		addRowsAVX512(&table[0], &grad[0], len(grad), &rows[0], len(rows))
		return
	}
	addRowsAVX2(&table[0], &grad[0], len(grad), &rows[0], len(rows))
}

func squareClip(dst, src []float32) {
	if active == generic || len(dst) == 0 {
		squareClipGeneric(dst, src)
		return
	}
	if active >= avx512 {
		squareClipAVX512(&dst[0], &src[0], len(dst))
		return
	}
	squareClipAVX2(&dst[0], &src[0], len(dst))
}

func squareClipGrad(grad, src []float32) {
	if active == generic || len(grad) == 0 {
		squareClipGradGeneric(grad, src)
		return
	}
	if active >= avx512 {
		squareClipGradAVX512(&grad[0], &src[0], len(grad))
		return
	}
	squareClipGradAVX2(&grad[0], &src[0], len(grad))
}

func gemm(c, a, b []float32, m, n, k, aRow, aCol, bRow, cRow int) {
	if active == generic {
		gemmGeneric(c, a, b, m, n, k, aRow, aCol, bRow, cRow)
		return
	}
	if wide := m &^ 7; active >= avx512 && wide > 0 {
		j := 0
		for ; n-j >= 32; j += 32 {
			gemm8x32AVX512(&c[j], &a[0], &b[j], wide, k, aRow, aCol, bRow, cRow)
		}
		if j < n {
			gemm8x16AVX512(&c[j], &a[0], &b[j], wide, k, aRow, aCol, bRow, cRow)
		}
		if m == wide {
			return
		}
		c, a, m = c[wide*cRow:], a[wide*aRow:], m-wide
	}
	for j := 0; j < n; j += 16 {
		gemm4x16AVX2(&c[j], &a[0], &b[j], m, k, aRow, aCol, bRow, cRow)
	}
}

func adam(w, m, v, g []float32, p AdamStep) {
	if active == generic || len(w) == 0 {
		adamGeneric(w, m, v, g, p)
		return
	}
	if active >= avx512 {
		adamAVX512(&w[0], &m[0], &v[0], &g[0], len(w), p.Scale, p.Beta1, p.Beta2, p.Rate, p.Epsilon)
		return
	}
	adamAVX2(&w[0], &m[0], &v[0], &g[0], len(w), p.Scale, p.Beta1, p.Beta2, p.Rate, p.Epsilon)
}

func axpby(y, x []float32, a, b float32) {
	if active == generic || len(y) == 0 {
		axpbyGeneric(y, x, a, b)
		return
	}
	if active >= avx512 {
		axpbyAVX512(&y[0], &x[0], len(y), a, b)
		return
	}
	axpbyAVX2(&y[0], &x[0], len(y), a, b)
}

func hasStack() bool { return active != generic }

// packFirst returns the weights of the first dense layer, in the layout of Pack8, in that of the
// stacks in use.
func packFirst(w *int8, inputs, outputs int) *int8 {
	if active != avx512vnni {
		return w
	}
	return &packVNNI(unsafe.Slice(w, inputs*outputs), inputs, outputs)[0]
}

func (s *Stack) run(dst *[stackOutputs]float32, counts *[Slots]uint8) {
	d, c, a := &dst[0], &counts[0], s.address()
	switch active {
	case avx512vnni:
		switch s.kind {
		case directStack:
			stackVNNI(d, c, a)
		case stack16x32:
			stack16x32VNNI(d, c, a)
		case stack32x32:
			stack32x32VNNI(d, c, a)
		case stack64x32:
			stack64x32VNNI(d, c, a)
		default:
			panic(notPrepared)
		}
	case avx512:
		switch s.kind {
		case directStack:
			stackAVX512(d, c, a)
		case stack16x32:
			stack16x32AVX512(d, c, a)
		case stack32x32:
			stack32x32AVX512(d, c, a)
		case stack64x32:
			stack64x32AVX512(d, c, a)
		default:
			panic(notPrepared)
		}
	default:
		switch s.kind {
		case directStack:
			stackAVX2(d, c, a)
		case stack16x32:
			stack16x32AVX2(d, c, a)
		case stack32x32:
			stack32x32AVX2(d, c, a)
		case stack64x32:
			stack64x32AVX2(d, c, a)
		default:
			panic(notPrepared)
		}
	}
}

const notPrepared = "kernel: the stack is not prepared"
