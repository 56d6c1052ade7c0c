package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// affine8: see Affine8, for one block of outputs.
func affine8(outputs int, name string) {
	TEXT(name, NOSPLIT, "func(dst *int32, act *uint8, w *int8, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	act := Load(Param("act"), GP64())
	w := Load(Param("w"), GP64())
	n := Load(Param("n"), GP64())
	for j, sum := range emitAffine8(outputs, act, w, n) {
		VMOVDQU(sum, Mem{Base: dst, Disp: 32 * j})
	}
	VZEROUPPER()
	RET()
}

// emitAffine8 returns the sums of act[i]*w over n inputs for a block of outputs, eight inputs a
// turn; the products of two groups of four are added as 16-bit numbers, which |w| <= 63 and act
// <= 128 keep in range.
func emitAffine8(outputs int, act, w, n Register) []VecVirtual {
	ones := wordOnes()
	regs := outputs / 8
	sum := make([]VecVirtual, regs)
	for j := range sum {
		sum[j] = YMM()
		VPXOR(sum[j], sum[j], sum[j])
	}
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
	return sum
}

// emitAffine8Wide is emitAffine8 with sixteen inputs a turn: the products of four groups are added
// as 16-bit numbers. The weights must be such that Fits8 is true.
func emitAffine8Wide(outputs int, act, w, n Register) []VecVirtual {
	ones := wordOnes()
	regs := outputs / 8
	sum := make([]VecVirtual, regs)
	for j := range sum {
		sum[j] = YMM()
		VPXOR(sum[j], sum[j], sum[j])
	}
	var a [4]VecVirtual
	for g := range a {
		a[g] = YMM()
	}
	Label("dense1")
	for g := range a {
		VPBROADCASTD(Mem{Base: act, Disp: 4 * g}, a[g])
	}
	for j := range sum {
		t := YMM()
		VPMADDUBSW(Mem{Base: w, Disp: 32 * j}, a[0], t)
		for g := 1; g < len(a); g++ {
			u := YMM()
			VPMADDUBSW(Mem{Base: w, Disp: 32 * (regs*g + j)}, a[g], u)
			VPADDW(u, t, t)
		}
		VPMADDWD(ones, t, t)
		VPADDD(t, sum[j], sum[j])
	}
	ADDQ(Imm(16), act)
	ADDQ(U32(uint32(128*regs)), w)
	SUBQ(Imm(16), n)
	JNZ(LabelRef("dense1"))
	return sum
}

// affine16: see Affine16, for one block of outputs.
func affine16(outputs int, name string) {
	TEXT(name, NOSPLIT, "func(dst *int32, act *int16, w *int16, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	act := Load(Param("act"), GP64())
	w := Load(Param("w"), GP64())
	n := Load(Param("n"), GP64())
	regs := outputs / 8
	sum := make([]VecVirtual, regs)
	for j := range sum {
		sum[j] = YMM()
		VPXOR(sum[j], sum[j], sum[j])
	}
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
	limit := YMM()
	limitAddr, err := Param("limit").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(limitAddr.Addr, limit)
	n := Load(Param("n"), GP64())
	zero := YMM()
	VPXOR(zero, zero, zero)
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
