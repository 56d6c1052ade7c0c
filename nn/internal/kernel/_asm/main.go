// Command _asm generates the vector kernels of package kernel for amd64.
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
	sumRows()
	addRows()
	squareClip()
	squareClipGrad()
	gemmPanel()
	adam()
	axpby()
	Generate()
}

// oneHot: see OneHotSquareClip.
func oneHot() {
	TEXT("oneHotAVX2", NOSPLIT, "func(dst *uint8, counts *uint8, bias *int16, table *int16, width int)")
	Pragma("noescape")
	counts := Load(Param("counts"), GP64())
	rowSize := Load(Param("width"), GP64())
	dst := Load(Param("dst"), GP64())
	bias := Load(Param("bias"), GP64())
	table := Load(Param("table"), GP64())
	emitOneHot(dst, counts, bias, table, rowSize)
	VZEROUPPER()
	RET()
}

// emitOneHot emits the one-hot layer. One pass finds the active rows, then the sums are held in
// registers, 128 of them at a time. It uses up its registers; rowSize comes in as the width.
func emitOneHot(dst, counts, bias, table, rowSize Register) {
	ADDQ(rowSize, rowSize)
	offsets := AllocLocal(52 * 8)

	zero, lo, hi := YMM(), YMM(), YMM()
	VPXOR(zero, zero, zero)
	VPCMPEQB(Mem{Base: counts}, zero, lo)
	VPCMPEQB(Mem{Base: counts, Disp: 20}, zero, hi)
	mask, high := GP64(), GP64()
	VPMOVMSKB(lo, mask.As32())
	VPMOVMSKB(hi, high.As32())
	NOTL(mask.As32())
	NOTL(high.As32())
	SHRL(Imm(12), high.As32())
	SHLQ(Imm(32), high)
	ORQ(high, mask)

	n := GP64()
	XORQ(n, n)
	base := GP64()
	LEAQ(offsets, base)
	slot, row := GP64(), GP64()
	TESTQ(mask, mask)
	JZ(LabelRef("found"))
	Label("scan")
	TZCNTQ(mask, slot)
	MOVBQZX(Mem{Base: counts, Index: slot, Scale: 1}, row)
	SHLQ(Imm(4), slot)
	ADDQ(slot, row)
	IMULQ(rowSize, row)
	MOVQ(row, Mem{Base: base, Index: n, Scale: 8})
	INCQ(n)
	BLSRQ(mask, mask)
	JNZ(LabelRef("scan"))
	Label("found")

	one := YMM()
	PCMPEQONES(one)
	VPSRLW(Imm(15), one, one)
	VPSLLW(Imm(11), one, one) // 2048 in each lane

	Label("chunk")
	var sum [8]VecVirtual
	for i := range sum {
		sum[i] = YMM()
		VMOVDQU(Mem{Base: bias, Disp: 32 * i}, sum[i])
	}
	i, p := GP64(), GP64()
	XORQ(i, i)
	TESTQ(n, n)
	JZ(LabelRef("activate"))
	Label("rows")
	MOVQ(Mem{Base: base, Index: i, Scale: 8}, p)
	ADDQ(table, p)
	for j := range sum {
		VPADDSW(Mem{Base: p, Disp: 32 * j}, sum[j], sum[j])
	}
	INCQ(i)
	CMPQ(i, n)
	JNE(LabelRef("rows"))
	Label("activate")
	for j := range sum {
		VPMAXSW(zero, sum[j], sum[j])
		VPMINSW(one, sum[j], sum[j])
		twice := YMM()
		VPADDW(sum[j], sum[j], twice)
		VPMULHUW(twice, sum[j], sum[j])
	}
	for j := 0; j < len(sum); j += 2 {
		VPACKUSWB(sum[j+1], sum[j], sum[j])
		VPERMQ(Imm(0xd8), sum[j], sum[j])
		VMOVDQU(sum[j], Mem{Base: dst, Disp: 16 * j})
	}
	ADDQ(Imm(128), dst)
	ADDQ(U32(256), bias)
	ADDQ(U32(256), table)
	SUBQ(U32(256), rowSize)
	JNZ(LabelRef("chunk"))
}

// PCMPEQONES sets all bits of r.
func PCMPEQONES(r VecVirtual) { VPCMPEQB(r, r, r) }

func affine8(outputs int, name string) {
	TEXT(name, NOSPLIT, "func(dst *int32, act *uint8, w *int8, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	act := Load(Param("act"), GP64())
	w := Load(Param("w"), GP64())
	n := Load(Param("n"), GP64())
	for j, sum := range emitAffine8(outputs, act, w, n, "loop") {
		VMOVDQU(sum, Mem{Base: dst, Disp: 32 * j})
	}
	VZEROUPPER()
	RET()
}

// emitAffine8 returns the sums of act[i]*w over n inputs for a block of outputs, eight inputs a
// turn; the products of two groups of four are added as 16-bit numbers, which |w| <= 63 and act
// <= 128 keep in range.
func emitAffine8(outputs int, act, w, n Register, label string) []VecVirtual {
	ones := YMM()
	PCMPEQONES(ones)
	VPSRLW(Imm(15), ones, ones)
	regs := outputs / 8
	sum := make([]VecVirtual, regs)
	for j := range sum {
		sum[j] = YMM()
		VPXOR(sum[j], sum[j], sum[j])
	}
	a, b := YMM(), YMM()
	Label(label)
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
	JNZ(LabelRef(label))
	return sum
}

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

// stackOffsets has the offsets of the fields of type Stack.
var stackOffsets = map[string]int{
	"Bias": 0, "Table": 8, "Width": 16,
	"W1": 24, "Mul1": 32, "Bias1": 40,
	"W2": 48, "Mul2": 56, "Bias2": 64,
	"W3": 72, "Mul3": 80, "Bias3": 88,
	"Logistic": 96, "Limit": 104,
}

// stack emits a whole network in one function: the one-hot layer, then dense layers with the
// given numbers of units, the last of 8 with the logistic function. What goes from layer to layer
// stays in registers and on the stack.
func stack(name string, units ...int) {
	TEXT(name, 0, "func(dst *float32, counts *uint8, stack *uint64)")
	Pragma("noescape")
	s := Load(Param("stack"), GP64())
	address := func(name string) Mem { return Mem{Base: s, Disp: stackOffsets[name]} }
	field := func(name string) Register {
		r := GP64()
		MOVQ(address(name), r)
		return r
	}
	first := AllocLocal(1024)
	between := AllocLocal(64)

	act, counts := GP64(), Load(Param("counts"), GP64())
	LEAQ(first, act)
	emitOneHot(act, counts, field("Bias"), field("Table"), field("Width"))

	act = GP64()
	LEAQ(first, act)
	sum := emitAffine8(units[0], act, field("W1"), field("Width"), "dense1")
	zero := YMM()
	VPXOR(zero, zero, zero)
	layer := func(i int, kind string) string { return kind + string(rune('1'+i)) }
	for i := range units[1:] {
		// Requantize the sums of layer i.
		limit := YMM()
		VBROADCASTSS(address("Limit"), limit)
		mul, bias := field(layer(i, "Mul")), field(layer(i, "Bias"))
		for j, x := range sum {
			VCVTDQ2PS(x, x)
			VMULPS(Mem{Base: mul, Disp: 32 * j}, x, x)
			VADDPS(Mem{Base: bias, Disp: 32 * j}, x, x)
			VMAXPS(zero, x, x)
			VMINPS(limit, x, x)
			VCVTPS2DQ(x, x)
		}
		for j := 0; j < len(sum); j += 2 {
			VPACKUSDW(sum[j+1], sum[j], sum[j])
			VPERMQ(Imm(0xd8), sum[j], sum[j])
			VMOVDQU(sum[j], between.Offset(16*j))
		}
		// Layer i+1, unrolled.
		w := field(layer(i+1, "W"))
		regs := units[i+1] / 8
		next := make([]VecVirtual, 2*regs) // two chains, so that sums do not wait for each other
		for j := range next {
			next[j] = YMM()
			VPXOR(next[j], next[j], next[j])
		}
		for k := 0; k < units[i]/2; k++ {
			a := YMM()
			VPBROADCASTD(between.Offset(4*k), a)
			for j := range regs {
				t := YMM()
				VPMADDWD(Mem{Base: w, Disp: 32 * (k*regs + j)}, a, t)
				VPADDD(t, next[j+k%2*regs], next[j+k%2*regs])
			}
		}
		for j := range regs {
			VPADDD(next[regs+j], next[j], next[j])
		}
		sum = next[:regs]
	}
	// Logits, then the logistic function by interpolation as in Logistic.
	i := len(units) - 1
	mul, bias := field(layer(i, "Mul")), field(layer(i, "Bias"))
	x := sum[0]
	VCVTDQ2PS(x, x)
	VMULPS(Mem{Base: mul}, x, x)
	VADDPS(Mem{Base: bias}, x, x)
	VMAXPS(broadcast(0xc1800000), x, x) // -16
	VMINPS(broadcast(0x41800000), x, x)
	VADDPS(broadcast(0x41800000), x, x)
	VMULPS(broadcast(0x42800000), x, x) // 64 steps
	index, whole, ones := YMM(), YMM(), YMM()
	VCVTTPS2DQ(x, index)
	VCVTDQ2PS(index, whole)
	VSUBPS(whole, x, x)
	table := field("Logistic")
	a, b := YMM(), YMM()
	PCMPEQONES(ones)
	VXORPS(a, a, a)
	VGATHERDPS(ones, Mem{Base: table, Index: index, Scale: 4}, a)
	PCMPEQONES(ones)
	VXORPS(b, b, b)
	VGATHERDPS(ones, Mem{Base: table, Index: index, Scale: 4, Disp: 4}, b)
	VSUBPS(a, b, b)
	VMULPS(x, b, b)
	VADDPS(b, a, a)
	VMOVUPS(a, Mem{Base: Load(Param("dst"), GP64())})
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

func broadcast(bits uint32) VecVirtual {
	r, x := GP32(), XMM()
	y := YMM()
	MOVL(U32(bits), r)
	VMOVD(r, x)
	VBROADCASTSS(x, y)
	return y
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
