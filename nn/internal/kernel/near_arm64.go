//go:build arm64 && !purego

package kernel

import "unsafe"

//go:noescape
func diffsNEON(dst *uint64, counts *uint8, ref *uint8, n int)

//go:noescape
func changeRowsNEON(dst *int16, base *int16, table *int16, width int, rows *uint32, plus int, all int)

//go:noescape
func rateRowsNEON(base *int16, table *int16, width int, rows *uint32, all int, gradient *int16) int32

func diffs(dst []uint64, counts [][Slots]uint8, ref *[Slots]uint8) {
	if active == generic {
		diffsGeneric(dst, counts, ref)
		return
	}
	diffsNEON(&dst[0], &counts[0][0], &ref[0], len(counts))
}

func diff(a, b *[Slots]uint8) (mask uint64) {
	if active == generic {
		return diffGeneric(a, b)
	}
	diffsNEON(&mask, &a[0], &b[0], 1)
	return mask
}

func changeRows(dst, base, table []int16, rows []uint32, plus int) {
	if active == generic {
		changeRowsGeneric(dst, base, table, rows, plus)
		return
	}
	changeRowsNEON(&dst[0], &base[0], &table[0], len(dst), &rows[0], plus, len(rows))
}

func rateRows(base, table []int16, rows []uint32, gradient []int16) int32 {
	if active == generic {
		return rateRowsGeneric(base, table, rows, gradient)
	}
	return rateRowsNEON(&base[0], unsafe.SliceData(table), len(base), unsafe.SliceData(rows), len(rows), &gradient[0])
}
