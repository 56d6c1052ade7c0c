//go:build (!amd64 && !arm64) || purego

package kernel

func diffs(dst []uint64, counts [][Slots]uint8, ref *[Slots]uint8) { diffsGeneric(dst, counts, ref) }

func diff(a, b *[Slots]uint8) uint64 { return diffGeneric(a, b) }

func changeRows(dst, base, table []int16, rows []uint32, plus int) {
	changeRowsGeneric(dst, base, table, rows, plus)
}

func rateRows(base, table []int16, rows []uint32, gradient []int16) int32 {
	return rateRowsGeneric(base, table, rows, gradient)
}
