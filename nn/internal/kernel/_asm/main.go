// Command _asm generates the vector kernels of package kernel for amd64.
//
// onehot.go and dense.go have the layers of the integer inference, stack.go puts them together,
// avx512.go has both for wider registers, and training.go has the float32 kernels.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	oneHot()
	affine8(32, "affine8x32AVX2")
	affine8(16, "affine8x16AVX2")
	affine8(8, "affine8x8AVX2")
	affine16(32, "affine16x32AVX2")
	affine16(16, "affine16x16AVX2")
	affine16(8, "affine16x8AVX2")
	stack("stack32x32AVX2", 32, 32, 8)
	stack("stack16x32AVX2", 16, 32, 8)
	stack("stackAVX2", 8)
	requantize()
	training(formAVX2)
	training(formAVX512)
	gemmPanel("gemm4x16AVX2", formAVX2, 4, 2)
	gemmPanel("gemm8x16AVX512", formAVX512, 8, 1)
	gemmPanel("gemm8x32AVX512", formAVX512, 8, 2)
	declarePackOrder()
	oneHot512()
	stack512("stack32x32AVX512", false, 32, 32, 8)
	stack512("stack16x32AVX512", false, 16, 32, 8)
	stack512("stackAVX512", false, 8)
	stack512("stack32x32VNNI", true, 32, 32, 8)
	stack512("stack16x32VNNI", true, 16, 32, 8)
	stack512("stackVNNI", true, 8)
	Generate()
}

// broadcast returns bits in each 32-bit lane.
func broadcast(bits uint32) VecVirtual {
	r, x := GP32(), XMM()
	y := YMM()
	MOVL(U32(bits), r)
	VMOVD(r, x)
	VBROADCASTSS(x, y)
	return y
}

// setOnes sets all bits of r.
func setOnes(r VecVirtual) { VPCMPEQB(r, r, r) }

// wordOnes returns 1 in each 16-bit lane.
func wordOnes() VecVirtual {
	r := YMM()
	setOnes(r)
	VPSRLW(Imm(15), r, r)
	return r
}
