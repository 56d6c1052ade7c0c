//go:build !amd64 || purego

package kernel

// The kernels that have assembly for amd64 alone.

func sumRows(dst, bias, table []float32, rows []uint16) {
	sumRowsGeneric(dst, bias, table, rows)
}

func addRows(table, grad []float32, rows []uint16) {
	addRowsGeneric(table, grad, rows)
}

func squareClip(dst, src []float32) {
	squareClipGeneric(dst, src)
}

func squareClipGrad(grad, src []float32) {
	squareClipGradGeneric(grad, src)
}

func gemm(c, a, b []float32, m, n, k, aRow, aCol, bRow, cRow int) {
	gemmGeneric(c, a, b, m, n, k, aRow, aCol, bRow, cRow)
}

func adam(w, m, v, g []float32, p AdamStep) {
	adamGeneric(w, m, v, g, p)
}

func axpby(y, x []float32, a, b float32) {
	axpbyGeneric(y, x, a, b)
}

func dotRow(row []int16, x []float32) float32 { return dotRowGeneric(row, x) }

func addProducts(dst, x, w []float32) { addProductsGeneric(dst, x, w) }

func backward8(dst []float32, gradient []int8, w []uint8, start int32, unit float32) {
	backward8Generic(dst, gradient, w, start, unit)
}

func scaleBySlopes(grad []float32, sums []int16, soft, low, high float32) {
	scaleBySlopesGeneric(grad, sums, soft, low, high)
}

func hasStack() bool { return false }

func packFirst(w *int8, _, _ int) *int8 { return w }

func (s *Stack) run(*[stackOutputs]float32, *[Slots]uint8) {
	panic("kernel: no stack kernel on this processor")
}
