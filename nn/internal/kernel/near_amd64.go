//go:build amd64 && !purego

package kernel

import "unsafe"

func diffs(dst []uint64, counts [][Slots]uint8, ref *[Slots]uint8) {
	if active == generic {
		diffsGeneric(dst, counts, ref)
		return
	}
	diffsAVX2(&dst[0], &counts[0][0], &ref[0], len(counts))
}

func diff(a, b *[Slots]uint8) (mask uint64) {
	if active == generic {
		return diffGeneric(a, b)
	}
	diffsAVX2(&mask, &a[0], &b[0], 1)
	return mask
}

func changeRows(dst, base, table []int16, rows []uint32, plus int) {
	switch {
	case active == generic:
		changeRowsGeneric(dst, base, table, rows, plus)
	case active >= avx512 && len(dst)%512 == 0:
		changeRowsAVX512(&dst[0], &base[0], &table[0], len(dst), &rows[0], plus, len(rows))
	default:
		changeRowsAVX2(&dst[0], &base[0], &table[0], len(dst), &rows[0], plus, len(rows))
	}
}

func rateRows(base, table []int16, rows []uint32, gradient []int16) int32 {
	if active == generic {
		return rateRowsGeneric(base, table, rows, gradient)
	}
	first, from := unsafe.SliceData(rows), unsafe.SliceData(table)
	if active >= avx512 && len(base)%512 == 0 {
		return rateRowsAVX512(&base[0], from, len(base), first, len(rows), &gradient[0])
	}
	return rateRowsAVX2(&base[0], from, len(base), first, len(rows), &gradient[0])
}

func dotRow(row []int16, x []float32) float32 {
	if active == generic {
		return dotRowGeneric(row, x)
	}
	if active >= avx512 {
		return dotRowAVX512(&row[0], &x[0], len(row))
	}
	return dotRowAVX2(&row[0], &x[0], len(row))
}

func addProducts(dst, x, w []float32) {
	if active == generic {
		addProductsGeneric(dst, x, w)
		return
	}
	for j := 0; j < len(dst); {
		wide := len(dst)-j >= 32
		switch {
		case wide && active >= avx512:
			addProducts32AVX512(&dst[j], &x[0], &w[j], len(x), len(dst))
		case wide:
			addProducts32AVX2(&dst[j], &x[0], &w[j], len(x), len(dst))
		default:
			addProducts16AVX2(&dst[j], &x[0], &w[j], len(x), len(dst))
		}
		j += 16
		if wide {
			j += 16
		}
	}
}

func backward8(dst []float32, gradient []int8, w []uint8, start int32, unit float32) {
	switch active {
	case generic:
		backward8Generic(dst, gradient, w, start, unit)
	case avx2:
		backward8AVX2(&dst[0], &w[0], len(dst), &gradient[0], len(gradient), start, unit)
	case avx512:
		backward8AVX512(&dst[0], &w[0], len(dst), &gradient[0], len(gradient), start, unit)
	default:
		backward8VNNI(&dst[0], &w[0], len(dst), &gradient[0], len(gradient), start, unit)
	}
}

func scaleBySlopes(grad []float32, sums []int16, soft, low, high float32) {
	switch {
	case active == generic:
		scaleBySlopesGeneric(grad, sums, soft, low, high)
	case active >= avx512:
		scaleBySlopesAVX512(&grad[0], &sums[0], len(grad), soft, low, high)
	default:
		scaleBySlopesAVX2(&grad[0], &sums[0], len(grad), soft, low, high)
	}
}
