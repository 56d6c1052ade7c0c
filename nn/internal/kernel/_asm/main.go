// Command _asm generates the vector kernels of package kernel for amd64.
//
// onehot.go and dense.go have single layers of the integer inference, stack.go whole networks, and
// training.go the float32 kernels, near.go those for positions near each other. form.go has what differs between AVX2 and AVX-512.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("amd64,!purego")
	declarePackOrder()
	oneHot(formAVX2)
	oneHot(formAVX512)
	for _, outputs := range []int{32, 16, 8} {
		affine8(outputs)
		affine16(outputs)
	}
	requantize()
	for _, f := range []form{formAVX2, formAVX512, formVNNI} {
		stacks(f)
	}
	training(formAVX2)
	training(formAVX512)
	gemmPanel("gemm4x16AVX2", formAVX2, 4, 2)
	gemmPanel("gemm8x16AVX512", formAVX512, 8, 1)
	gemmPanel("gemm8x32AVX512", formAVX512, 8, 2)
	near()
	Generate()
}
