package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sumRows: dst = bias + the given rows of table, 64 columns held in registers at a time.
func sumRows() {
	TEXT("sumRowsAVX2", NOSPLIT, "func(dst, bias, table *float32, width int, rows *uint16, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	bias := Load(Param("bias"), GP64())
	table := Load(Param("table"), GP64())
	rowSize := Load(Param("width"), GP64())
	rows := Load(Param("rows"), GP64())
	n := Load(Param("n"), GP64())
	SHLQ(Imm(2), rowSize)
	left := GP64()
	MOVQ(rowSize, left)
	Label("chunk")
	var sum [8]VecVirtual
	for j := range sum {
		sum[j] = YMM()
		VMOVUPS(Mem{Base: bias, Disp: 32 * j}, sum[j])
	}
	i, p := GP64(), GP64()
	XORQ(i, i)
	TESTQ(n, n)
	JZ(LabelRef("store"))
	Label("rows")
	MOVWQZX(Mem{Base: rows, Index: i, Scale: 2}, p)
	IMULQ(rowSize, p)
	ADDQ(table, p)
	for j := range sum {
		VADDPS(Mem{Base: p, Disp: 32 * j}, sum[j], sum[j])
	}
	INCQ(i)
	CMPQ(i, n)
	JNE(LabelRef("rows"))
	Label("store")
	for j := range sum {
		VMOVUPS(sum[j], Mem{Base: dst, Disp: 32 * j})
	}
	ADDQ(U32(256), dst)
	ADDQ(U32(256), bias)
	ADDQ(U32(256), table)
	SUBQ(U32(256), left)
	JNZ(LabelRef("chunk"))
	VZEROUPPER()
	RET()
}

// addRows: every given row of table += grad.
func addRows() {
	TEXT("addRowsAVX2", NOSPLIT, "func(table, grad *float32, width int, rows *uint16, n int)")
	Pragma("noescape")
	table := Load(Param("table"), GP64())
	grad := Load(Param("grad"), GP64())
	rowSize := Load(Param("width"), GP64())
	rows := Load(Param("rows"), GP64())
	n := Load(Param("n"), GP64())
	SHLQ(Imm(2), rowSize)
	left := GP64()
	MOVQ(rowSize, left)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("chunk")
	var g [8]VecVirtual
	for j := range g {
		g[j] = YMM()
		VMOVUPS(Mem{Base: grad, Disp: 32 * j}, g[j])
	}
	i, p := GP64(), GP64()
	XORQ(i, i)
	Label("rows")
	MOVWQZX(Mem{Base: rows, Index: i, Scale: 2}, p)
	IMULQ(rowSize, p)
	ADDQ(table, p)
	t := YMM()
	for j := range g {
		VADDPS(Mem{Base: p, Disp: 32 * j}, g[j], t)
		VMOVUPS(t, Mem{Base: p, Disp: 32 * j})
	}
	INCQ(i)
	CMPQ(i, n)
	JNE(LabelRef("rows"))
	ADDQ(U32(256), grad)
	ADDQ(U32(256), table)
	SUBQ(U32(256), left)
	JNZ(LabelRef("chunk"))
	Label("done")
	VZEROUPPER()
	RET()
}

// squareClip: dst = floor(128*clip(src, 0, 1)^2)/128.
func squareClip() {
	TEXT("squareClipAVX2", NOSPLIT, "func(dst, src *float32, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	zero := YMM()
	VPXOR(zero, zero, zero)
	one := broadcast(0x3f800000)
	up := broadcast(0x43000000)
	down := broadcast(0x3c000000)
	x, t := YMM(), YMM()
	Label("loop")
	VMOVUPS(Mem{Base: src}, x)
	VMAXPS(zero, x, x)
	VMINPS(one, x, x)
	VMULPS(x, x, t)
	VMULPS(up, t, t)
	VROUNDPS(Imm(1), t, t)
	VMULPS(down, t, t)
	VMOVUPS(t, Mem{Base: dst})
	ADDQ(Imm(32), src)
	ADDQ(Imm(32), dst)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// squareClipGrad: grad *= 2*src where 0 < src < 1, else 0.
func squareClipGrad() {
	TEXT("squareClipGradAVX2", NOSPLIT, "func(grad, src *float32, n int)")
	Pragma("noescape")
	grad := Load(Param("grad"), GP64())
	src := Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	zero := YMM()
	VPXOR(zero, zero, zero)
	one := broadcast(0x3f800000)
	x, t, u := YMM(), YMM(), YMM()
	Label("loop")
	VMOVUPS(Mem{Base: src}, x)
	VCMPPS(Imm(14), zero, x, t) // x > 0
	VCMPPS(Imm(1), one, x, u)   // x < 1
	VANDPS(u, t, t)
	VADDPS(x, x, x)
	VANDPS(t, x, x)
	VMULPS(Mem{Base: grad}, x, x)
	VMOVUPS(x, Mem{Base: grad})
	ADDQ(Imm(32), src)
	ADDQ(Imm(32), grad)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// gemmPanel: c += a*b for 16 columns of b and c, four rows of a at a time. Strides are in
// elements.
func gemmPanel() {
	TEXT("gemmPanelAVX2", NOSPLIT, "func(c, a, b *float32, m, k, aRow, aCol, bRow, cRow int)")
	Pragma("noescape")
	c := Load(Param("c"), GP64())
	a := Load(Param("a"), GP64())
	m := Load(Param("m"), GP64())
	aRow := Load(Param("aRow"), GP64())
	aCol := Load(Param("aCol"), GP64())
	bRow := Load(Param("bRow"), GP64())
	cRow := Load(Param("cRow"), GP64())
	for _, r := range []Register{aRow, aCol, bRow, cRow} {
		SHLQ(Imm(2), r)
	}
	Label("rows")
	var sum [4][2]VecVirtual
	cp := GP64()
	MOVQ(c, cp)
	for i := range sum {
		for j := range sum[i] {
			sum[i][j] = YMM()
			VMOVUPS(Mem{Base: cp, Disp: 32 * j}, sum[i][j])
		}
		if i < 3 {
			ADDQ(cRow, cp)
		}
	}
	ap, bp, k := GP64(), GP64(), GP64()
	MOVQ(a, ap)
	Load(Param("b"), bp)
	Load(Param("k"), k)
	b0, b1, x := YMM(), YMM(), YMM()
	ap2 := GP64()
	Label("inner")
	VMOVUPS(Mem{Base: bp}, b0)
	VMOVUPS(Mem{Base: bp, Disp: 32}, b1)
	LEAQ(Mem{Base: ap, Index: aRow, Scale: 2}, ap2)
	for i := range sum {
		switch i {
		case 0:
			VBROADCASTSS(Mem{Base: ap}, x)
		case 1:
			VBROADCASTSS(Mem{Base: ap, Index: aRow, Scale: 1}, x)
		case 2:
			VBROADCASTSS(Mem{Base: ap2}, x)
		case 3:
			VBROADCASTSS(Mem{Base: ap2, Index: aRow, Scale: 1}, x)
		}
		VFMADD231PS(b0, x, sum[i][0])
		VFMADD231PS(b1, x, sum[i][1])
	}
	ADDQ(aCol, ap)
	ADDQ(bRow, bp)
	DECQ(k)
	JNZ(LabelRef("inner"))
	MOVQ(c, cp)
	for i := range sum {
		for j := range sum[i] {
			VMOVUPS(sum[i][j], Mem{Base: cp, Disp: 32 * j})
		}
		ADDQ(cRow, cp)
	}
	MOVQ(cp, c)
	LEAQ(Mem{Base: a, Index: aRow, Scale: 4}, a)
	SUBQ(Imm(4), m)
	JNZ(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// adam: one step of Adam; g is cleared.
func adam() {
	TEXT("adamAVX2", NOSPLIT, "func(w, m, v, grad *float32, n int, scale, beta1, beta2, rate, eps float32)")
	Pragma("noescape")
	w := Load(Param("w"), GP64())
	mm := Load(Param("m"), GP64())
	v := Load(Param("v"), GP64())
	g := Load(Param("grad"), GP64())
	n := Load(Param("n"), GP64())
	param := func(name string) VecVirtual {
		addr, err := Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		y := YMM()
		VBROADCASTSS(addr.Addr, y)
		return y
	}
	scale, beta1, beta2, rate, eps := param("scale"), param("beta1"), param("beta2"), param("rate"), param("eps")
	one := broadcast(0x3f800000)
	c1, c2 := YMM(), YMM()
	VSUBPS(beta1, one, c1)
	VSUBPS(beta2, one, c2)
	zero := YMM()
	VPXOR(zero, zero, zero)
	x, t, u := YMM(), YMM(), YMM()
	Label("loop")
	VMULPS(Mem{Base: g}, scale, x)
	VMOVUPS(zero, Mem{Base: g})
	VMULPS(x, c1, t)
	VMOVUPS(Mem{Base: mm}, u)
	VFMADD231PS(u, beta1, t)
	VMOVUPS(t, Mem{Base: mm}) // m
	VMULPS(x, x, x)
	VMULPS(x, c2, x)
	VMOVUPS(Mem{Base: v}, u)
	VFMADD231PS(u, beta2, x)
	VMOVUPS(x, Mem{Base: v}) // v
	VSQRTPS(x, x)
	VADDPS(eps, x, x)
	VMULPS(rate, t, t)
	VDIVPS(x, t, t)
	VMOVUPS(Mem{Base: w}, u)
	VSUBPS(t, u, u)
	VMOVUPS(u, Mem{Base: w})
	for _, p := range []Register{w, mm, v, g} {
		ADDQ(Imm(32), p)
	}
	SUBQ(Imm(8), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// axpby: y = a*x + b*y.
func axpby() {
	TEXT("axpbyAVX2", NOSPLIT, "func(y, x *float32, n int, a, b float32)")
	Pragma("noescape")
	y := Load(Param("y"), GP64())
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	param := func(name string) VecVirtual {
		addr, err := Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		r := YMM()
		VBROADCASTSS(addr.Addr, r)
		return r
	}
	a, b := param("a"), param("b")
	t, u := YMM(), YMM()
	Label("loop")
	VMULPS(Mem{Base: x}, a, t)
	VMULPS(Mem{Base: y}, b, u)
	VADDPS(u, t, t)
	VMOVUPS(t, Mem{Base: y})
	ADDQ(Imm(32), x)
	ADDQ(Imm(32), y)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
