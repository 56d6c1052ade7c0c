//go:build arm64 && !purego

package kernel

import "golang.org/x/sys/cpu"

// levels returns the levels that this processor offers, the fastest last.
func levels() []level {
	if cpu.ARM64.HasASIMDDP {
		return []level{generic, neon, dotprod}
	}
	return []level{generic, neon}
}

//go:noescape
func oneHotNEON(dst *uint8, counts *uint8, bias *int16, table *int16, width int)

//go:noescape
func affine8x32NEON(dst *int32, act *uint8, w *int8, n int)

//go:noescape
func affine8x32DotProd(dst *int32, act *uint8, w *int8, n int)

//go:noescape
func affine16x32NEON(dst *int32, act *int16, w *int16, n int)

//go:noescape
func affine16x8NEON(dst *int32, act *int16, w *int16, n int)

//go:noescape
func requantizeNEON(dst *int16, acc *int32, mul *float32, bias *float32, limit float32, n int)

func oneHot(dst []uint8, counts *[Slots]uint8, bias, table []int16) {
	if active == generic {
		oneHotGeneric(dst, counts, bias, table)
		return
	}
	oneHotNEON(&dst[0], &counts[0], &bias[0], &table[0], len(dst))
}

func affine8(dst []int32, act []uint8, w []int8) {
	for active != generic && len(dst) >= 32 {
		if active == dotprod {
			affine8x32DotProd(&dst[0], &act[0], &w[0], len(act))
		} else {
			affine8x32NEON(&dst[0], &act[0], &w[0], len(act))
		}
		dst, w = dst[32:], w[32*len(act):]
	}
	affine8Generic(dst, act, w)
}

func affine16(dst []int32, act, w []int16) {
	for active != generic && len(dst) > 0 {
		n := block(len(dst), 0)
		switch n {
		case 32:
			affine16x32NEON(&dst[0], &act[0], &w[0], len(act))
		case 8:
			affine16x8NEON(&dst[0], &act[0], &w[0], len(act))
		default:
			affine16Generic(dst[:n], act, w[:n*len(act)])
		}
		dst, w = dst[n:], w[n*len(act):]
	}
	affine16Generic(dst, act, w)
}

func requantize(dst []int16, acc []int32, mul, bias []float32, limit float32) {
	if active == generic || len(dst) == 0 {
		requantizeGeneric(dst, acc, mul, bias, limit)
		return
	}
	requantizeNEON(&dst[0], &acc[0], &mul[0], &bias[0], limit, len(dst))
}
