package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// affine8: see Affine8, for one block of outputs, eight inputs a turn. The products of two groups of
// four are added as 16-bit numbers, which |w| <= 63 and act <= 128 keep in range.
func affine8(outputs int) {
	TEXT(fmt.Sprintf("affine8x%dAVX2", outputs), NOSPLIT, "func(dst *int32, act *uint8, w *int8, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	act := Load(Param("act"), GP64())
	w := Load(Param("w"), GP64())
	n := Load(Param("n"), GP64())
	f := formAVX2
	ones := f.words(0)
	regs := outputs / 8
	sum := f.zeros(outputs)
	a, b := YMM(), YMM()
	Label("loop")
	VPBROADCASTD(Mem{Base: act}, a)
	VPBROADCASTD(Mem{Base: act, Disp: 4}, b)
	for j := range sum {
		t, u := YMM(), YMM()
		VPMADDUBSW(Mem{Base: w, Disp: 32 * j}, a, t)
		VPMADDUBSW(Mem{Base: w, Disp: 32 * (regs + j)}, b, u)
		VPADDW(u, t, t)
		VPMADDWD(ones, t, t)
		VPADDD(t, sum[j], sum[j])
	}
	ADDQ(Imm(8), act)
	ADDQ(U32(uint32(64*regs)), w)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("loop"))
	for j := range sum {
		VMOVDQU(sum[j], Mem{Base: dst, Disp: 32 * j})
	}
	VZEROUPPER()
	RET()
}

// affine16: see Affine16, for one block of outputs.
func affine16(outputs int) {
	TEXT(fmt.Sprintf("affine16x%dAVX2", outputs), NOSPLIT, "func(dst *int32, act *int16, w *int16, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	act := Load(Param("act"), GP64())
	w := Load(Param("w"), GP64())
	n := Load(Param("n"), GP64())
	f := formAVX2
	regs := outputs / 8
	sum := f.zeros(outputs)
	a := YMM()
	t := make([]VecVirtual, regs)
	for j := range t {
		t[j] = YMM()
	}
	Label("loop")
	VPBROADCASTD(Mem{Base: act}, a)
	for j := range sum {
		VPMADDWD(Mem{Base: w, Disp: 32 * j}, a, t[j])
		VPADDD(t[j], sum[j], sum[j])
	}
	ADDQ(Imm(4), act)
	ADDQ(U32(uint32(32*regs)), w)
	SUBQ(Imm(2), n)
	JNZ(LabelRef("loop"))
	for j := range sum {
		VMOVDQU(sum[j], Mem{Base: dst, Disp: 32 * j})
	}
	VZEROUPPER()
	RET()
}

// requantize: dst = clamp(round(acc*mul+bias), 0, limit), 16 a turn, no fused multiply-add so
// that every processor rounds alike.
func requantize() {
	TEXT("requantizeAVX2", NOSPLIT, "func(dst *int16, acc *int32, mul *float32, bias *float32, limit float32, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	acc := Load(Param("acc"), GP64())
	mul := Load(Param("mul"), GP64())
	bias := Load(Param("bias"), GP64())
	f := formAVX2
	limit, zero := f.param("limit"), f.zero()
	n := Load(Param("n"), GP64())
	x := []VecVirtual{YMM(), YMM()}
	Label("loop")
	for j := range x {
		VCVTDQ2PS(Mem{Base: acc, Disp: 32 * j}, x[j])
		VMULPS(Mem{Base: mul, Disp: 32 * j}, x[j], x[j])
		VADDPS(Mem{Base: bias, Disp: 32 * j}, x[j], x[j])
		VMAXPS(zero, x[j], x[j])
		VMINPS(limit, x[j], x[j])
		VCVTPS2DQ(x[j], x[j])
	}
	VPACKUSDW(x[1], x[0], x[0])
	VPERMQ(Imm(0xd8), x[0], x[0])
	VMOVDQU(x[0], Mem{Base: dst})
	ADDQ(Imm(64), acc)
	ADDQ(Imm(64), mul)
	ADDQ(Imm(64), bias)
	ADDQ(Imm(32), dst)
	SUBQ(Imm(16), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
