package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// training emits the float32 kernels in the given form.
func training(f form) {
	sumRows(f)
	addRows(f)
	squareClip(f)
	squareClipGrad(f)
	adam(f)
	axpby(f)
}

// sumRows: dst = bias + the given rows of table, many columns held in registers at a time.
func sumRows(f form) {
	TEXT("sumRows"+f.suffix, NOSPLIT, "func(dst, bias, table *float32, width int, rows *uint16, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	bias := Load(Param("bias"), GP64())
	table := Load(Param("table"), GP64())
	rowSize := Load(Param("width"), GP64())
	rows := Load(Param("rows"), GP64())
	n := Load(Param("n"), GP64())
	SHLQ(Imm(2), rowSize)
	f.columns(rowSize, func(label string, registers int) {
		sum := make([]VecVirtual, registers)
		for j := range sum {
			sum[j] = f.register()
			VMOVUPS(Mem{Base: bias, Disp: f.bytes * j}, sum[j])
		}
		TESTQ(n, n)
		JZ(LabelRef(label + "store"))
		eachRow(label, table, rowSize, rows, n, func(row Register) {
			for j := range sum {
				VADDPS(Mem{Base: row, Disp: f.bytes * j}, sum[j], sum[j])
			}
		})
		Label(label + "store")
		for j := range sum {
			VMOVUPS(sum[j], Mem{Base: dst, Disp: f.bytes * j})
		}
	}, dst, bias, table)
	VZEROUPPER()
	RET()
}

// addRows: every given row of table += grad; there is at least one.
func addRows(f form) {
	TEXT("addRows"+f.suffix, NOSPLIT, "func(table, grad *float32, width int, rows *uint16, n int)")
	Pragma("noescape")
	table := Load(Param("table"), GP64())
	grad := Load(Param("grad"), GP64())
	rowSize := Load(Param("width"), GP64())
	rows := Load(Param("rows"), GP64())
	n := Load(Param("n"), GP64())
	SHLQ(Imm(2), rowSize)
	f.columns(rowSize, func(label string, registers int) {
		g, t := make([]VecVirtual, registers), f.register()
		for j := range g {
			g[j] = f.register()
			VMOVUPS(Mem{Base: grad, Disp: f.bytes * j}, g[j])
		}
		eachRow(label, table, rowSize, rows, n, func(row Register) {
			for j := range g {
				VADDPS(Mem{Base: row, Disp: f.bytes * j}, g[j], t)
				VMOVUPS(t, Mem{Base: row, Disp: f.bytes * j})
			}
		})
	}, grad, table)
	VZEROUPPER()
	RET()
}

// columns emits body for all columns of rows of rowSize bytes: for as many as half the registers
// hold, and for 64 at a time of what is left. Each turn moves the pointers on. Labels of body
// begin with label.
func (f form) columns(rowSize Register, body func(label string, registers int), pointers ...Register) {
	left := GP64()
	MOVQ(rowSize, left)
	for i, registers := range []int{f.registers / 2, 64 * 4 / f.bytes} {
		label, end := []string{"wide", "narrow"}[i], []string{"wideEnd", "narrowEnd"}[i]
		size := U32(uint32(registers * f.bytes))
		CMPQ(left, size)
		JL(LabelRef(end))
		Label(label)
		body(label, registers)
		for _, p := range pointers {
			ADDQ(size, p)
		}
		SUBQ(size, left)
		CMPQ(left, size)
		JGE(LabelRef(label))
		Label(end)
	}
}

// eachRow emits body for the address of each of n rows of table, of rowSize bytes; n is not 0.
func eachRow(label string, table, rowSize, rows, n Register, body func(row Register)) {
	i, p := GP64(), GP64()
	XORQ(i, i)
	Label(label + "rows")
	MOVWQZX(Mem{Base: rows, Index: i, Scale: 2}, p)
	IMULQ(rowSize, p)
	ADDQ(table, p)
	body(p)
	INCQ(i)
	CMPQ(i, n)
	JNE(LabelRef(label + "rows"))
}

// squareClip: dst = floor(128*clip(src, 0, 1)^2)/128.
func squareClip(f form) {
	TEXT("squareClip"+f.suffix, NOSPLIT, "func(dst, src *float32, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	zero := f.zero()
	one, up, down := f.broadcast(0x3f800000), f.broadcast(0x43000000), f.broadcast(0x3c000000)
	f.elements(n, func(f form) {
		x, t := f.register(), f.register()
		VMOVUPS(Mem{Base: src}, x)
		VMAXPS(f.part(zero), x, x)
		VMINPS(f.part(one), x, x)
		VMULPS(x, x, t)
		VMULPS(f.part(up), t, t)
		if f.wide() {
			VRNDSCALEPS(Imm(1), t, t)
		} else {
			VROUNDPS(Imm(1), t, t)
		}
		VMULPS(f.part(down), t, t)
		VMOVUPS(t, Mem{Base: dst})
	}, src, dst)
	VZEROUPPER()
	RET()
}

// squareClipGrad: grad *= 2*src where 0 < src < 1, else 0.
func squareClipGrad(f form) {
	TEXT("squareClipGrad"+f.suffix, NOSPLIT, "func(grad, src *float32, n int)")
	Pragma("noescape")
	grad := Load(Param("grad"), GP64())
	src := Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	const less, greater = 1, 14
	zero, one := f.zero(), f.broadcast(0x3f800000)
	f.elements(n, func(f form) {
		x := f.register()
		VMOVUPS(Mem{Base: src}, x)
		if f.wide() {
			inside := K()
			VCMPPS(Imm(greater), zero, x, inside)
			VCMPPS(Imm(less), one, x, inside, inside)
			VADDPS_Z(x, x, inside, x)
		} else {
			t, u := f.register(), f.register()
			VCMPPS(Imm(greater), f.part(zero), x, t)
			VCMPPS(Imm(less), f.part(one), x, u)
			VANDPS(u, t, t)
			VADDPS(x, x, x)
			VANDPS(t, x, x)
		}
		VMULPS(Mem{Base: grad}, x, x)
		VMOVUPS(x, Mem{Base: grad})
	}, src, grad)
	VZEROUPPER()
	RET()
}

// gemmPanel: c += a*b for so many registers of columns of b and c and so many rows of a, 4 or 8,
// at a time; m is a multiple of rows. Strides are in elements.
func gemmPanel(name string, f form, rows, registers int) {
	TEXT(name, NOSPLIT, "func(c, a, b *float32, m, k, aRow, aCol, bRow, cRow int)")
	Pragma("noescape")
	c := Load(Param("c"), GP64())
	a := Load(Param("a"), GP64())
	aRow := Load(Param("aRow"), GP64())
	aCol := Load(Param("aCol"), GP64())
	bRow := Load(Param("bRow"), GP64())
	cRow := Load(Param("cRow"), GP64())
	for _, r := range []Register{aRow, aCol, bRow, cRow} {
		SHLQ(Imm(2), r)
	}
	m, aRow3 := Load(Param("m"), GP64()), GP64()
	LEAQ(Mem{Base: aRow, Index: aRow, Scale: 2}, aRow3)
	Label("rows")
	sum := make([][]VecVirtual, rows)
	cp := GP64()
	MOVQ(c, cp)
	for i := range sum {
		sum[i] = make([]VecVirtual, registers)
		for j := range sum[i] {
			sum[i][j] = f.register()
			VMOVUPS(Mem{Base: cp, Disp: f.bytes * j}, sum[i][j])
		}
		if i < rows-1 {
			ADDQ(cRow, cp)
		}
	}
	ap, bp, k := GP64(), GP64(), GP64()
	MOVQ(a, ap)
	Load(Param("b"), bp)
	Load(Param("k"), k)
	row, x, ap4 := make([]VecVirtual, registers), f.register(), GP64()
	Label("inner")
	for j := range row {
		row[j] = f.register()
		VMOVUPS(Mem{Base: bp, Disp: f.bytes * j}, row[j])
	}
	LEAQ(Mem{Base: ap, Index: aRow, Scale: 4}, ap4)
	for i := range sum {
		base := []GPVirtual{ap, ap4}[i/4]
		element := []Mem{
			{Base: base},
			{Base: base, Index: aRow, Scale: 1},
			{Base: base, Index: aRow, Scale: 2},
			{Base: base, Index: aRow3, Scale: 1},
		}[i%4]
		if registers == 1 {
			VFMADD231PS_BCST(element, row[0], sum[i][0])
			continue
		}
		VBROADCASTSS(element, x)
		for j := range row {
			VFMADD231PS(row[j], x, sum[i][j])
		}
	}
	ADDQ(aCol, ap)
	ADDQ(bRow, bp)
	DECQ(k)
	JNZ(LabelRef("inner"))
	for i := range sum {
		for j := range sum[i] {
			VMOVUPS(sum[i][j], Mem{Base: c, Disp: f.bytes * j})
		}
		ADDQ(cRow, c)
	}
	for range rows / 4 {
		LEAQ(Mem{Base: a, Index: aRow, Scale: 4}, a)
	}
	SUBQ(Imm(uint64(rows)), m)
	JNZ(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// adam: one step of Adam; g is cleared.
func adam(f form) {
	TEXT("adam"+f.suffix, NOSPLIT, "func(w, m, v, grad *float32, n int, scale, beta1, beta2, rate, eps float32)")
	Pragma("noescape")
	w := Load(Param("w"), GP64())
	mm := Load(Param("m"), GP64())
	v := Load(Param("v"), GP64())
	g := Load(Param("grad"), GP64())
	n := Load(Param("n"), GP64())
	scale, beta1, beta2, rate, eps := f.param("scale"), f.param("beta1"), f.param("beta2"), f.param("rate"), f.param("eps")
	one := f.broadcast(0x3f800000)
	c1, c2 := f.register(), f.register()
	VSUBPS(beta1, one, c1)
	VSUBPS(beta2, one, c2)
	zero := f.zero()
	f.elements(n, func(f form) {
		x, t, u := f.register(), f.register(), f.register()
		VMULPS(Mem{Base: g}, f.part(scale), x)
		VMOVUPS(f.part(zero), Mem{Base: g})
		VMULPS(x, f.part(c1), t)
		VMOVUPS(Mem{Base: mm}, u)
		VFMADD231PS(u, f.part(beta1), t)
		VMOVUPS(t, Mem{Base: mm}) // m
		VMULPS(x, x, x)
		VMULPS(x, f.part(c2), x)
		VMOVUPS(Mem{Base: v}, u)
		VFMADD231PS(u, f.part(beta2), x)
		VMOVUPS(x, Mem{Base: v}) // v
		VSQRTPS(x, x)
		VADDPS(f.part(eps), x, x)
		VMULPS(f.part(rate), t, t)
		VDIVPS(x, t, t)
		VMOVUPS(Mem{Base: w}, u)
		VSUBPS(t, u, u)
		VMOVUPS(u, Mem{Base: w})
	}, w, mm, v, g)
	VZEROUPPER()
	RET()
}

// axpby: y = a*x + b*y.
func axpby(f form) {
	TEXT("axpby"+f.suffix, NOSPLIT, "func(y, x *float32, n int, a, b float32)")
	Pragma("noescape")
	y := Load(Param("y"), GP64())
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	a, b := f.param("a"), f.param("b")
	f.elements(n, func(f form) {
		t, u := f.register(), f.register()
		VMULPS(Mem{Base: x}, f.part(a), t)
		VMULPS(Mem{Base: y}, f.part(b), u)
		VADDPS(u, t, t)
		VMOVUPS(t, Mem{Base: y})
	}, x, y)
	VZEROUPPER()
	RET()
}
