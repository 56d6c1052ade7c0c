package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// near emits the kernels for positions near each other.
func near() {
	diffs()
	changeRows(formAVX2, 128)
	changeRows(formAVX512, 512)
	rateRows(formAVX2, 128)
	rateRows(formAVX512, 512)
	for _, f := range []form{formAVX2, formAVX512} {
		dotRow(f)
		addProducts(f, 32)
		scaleBySlopes(f)
	}
	addProducts(formAVX2, 16)
	for _, f := range []form{formAVX2, formAVX512, formVNNI} {
		backward8(f)
	}
}

// diffs: see Diffs. A vector of counts is read as its first and its last 32.
func diffs() {
	const size, last = 52, 20
	TEXT("diffsAVX2", NOSPLIT, "func(dst *uint64, counts *uint8, ref *uint8, n int)")
	Pragma("noescape")
	dst, counts := Load(Param("dst"), GP64()), Load(Param("counts"), GP64())
	ref, n := Load(Param("ref"), GP64()), Load(Param("n"), GP64())
	refLow, refHigh, low, high := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: ref}, refLow)
	VMOVDQU(Mem{Base: ref, Disp: last}, refHigh)
	Label("each")
	VPCMPEQB(Mem{Base: counts}, refLow, low)
	VPCMPEQB(Mem{Base: counts, Disp: last}, refHigh, high)
	mask, upper := GP64(), GP64()
	VPMOVMSKB(low, mask.As32())
	VPMOVMSKB(high, upper.As32())
	NOTL(mask.As32())
	NOTL(upper.As32())
	SHLQ(Imm(last), upper)
	ORQ(upper, mask)
	MOVQ(mask, Mem{Base: dst})
	ADDQ(Imm(8), dst)
	ADDQ(Imm(size), counts)
	DECQ(n)
	JNZ(LabelRef("each"))
	VZEROUPPER()
	RET()
}

// changeRows: see ChangeRows. The sums are held in registers, so many columns at a time.
func changeRows(f form, columns int) {
	TEXT("changeRows"+f.suffix, NOSPLIT, "func(dst *int16, base *int16, table *int16, width int, rows *uint32, plus int, all int)")
	Pragma("noescape")
	dst, base := Load(Param("dst"), GP64()), Load(Param("base"), GP64())
	table, left := Load(Param("table"), GP64()), Load(Param("width"), GP64())
	rows := Load(Param("rows"), GP64())
	plus, all := Load(Param("plus"), GP64()), Load(Param("all"), GP64())
	LEAQ(Mem{Base: rows, Index: plus, Scale: 4}, plus)
	LEAQ(Mem{Base: rows, Index: all, Scale: 4}, all)
	Label("chunk")
	sums := f.loadAll(base, columns)
	next, row := GP64(), GP64()
	MOVQ(rows, next)
	for _, part := range []struct {
		name string
		end  Register
		op   func(...Op)
	}{
		{"add", plus, VPADDW},
		{"subtract", all, VPSUBW},
	} {
		CMPQ(next, part.end)
		JE(LabelRef(part.name + "ed"))
		Label(part.name)
		MOVL(Mem{Base: next}, row.As32())
		ADDQ(Imm(4), next)
		for i := range sums {
			part.op(Mem{Base: table, Index: row, Scale: 2, Disp: f.bytes * i}, sums[i], sums[i])
		}
		CMPQ(next, part.end)
		JNE(LabelRef(part.name))
		Label(part.name + "ed")
	}
	for i := range sums {
		f.store(sums[i], Mem{Base: dst, Disp: f.bytes * i})
	}
	for _, p := range []Register{dst, base, table} {
		ADDQ(U32(uint32(2*columns)), p)
	}
	SUBQ(U32(uint32(columns)), left)
	JNZ(LabelRef("chunk"))
	VZEROUPPER()
	RET()
}

// rateRows: see RateRows.
func rateRows(f form, columns int) {
	TEXT("rateRows"+f.suffix, NOSPLIT, "func(base *int16, table *int16, width int, rows *uint32, all int, gradient *int16) int32")
	Pragma("noescape")
	base, table := Load(Param("base"), GP64()), Load(Param("table"), GP64())
	left, rows := Load(Param("width"), GP64()), Load(Param("rows"), GP64())
	all, gradient := Load(Param("all"), GP64()), Load(Param("gradient"), GP64())
	LEAQ(Mem{Base: rows, Index: all, Scale: 4}, all)
	zero, one, total := f.zero(), f.words(11), f.zero() // one is 2048 in each lane
	Label("chunk")
	sums := f.loadAll(base, columns)
	next, row := GP64(), GP64()
	MOVQ(rows, next)
	CMPQ(next, all)
	JE(LabelRef("added"))
	Label("add")
	MOVL(Mem{Base: next}, row.As32())
	ADDQ(Imm(4), next)
	for i := range sums {
		VPADDW(Mem{Base: table, Index: row, Scale: 2, Disp: f.bytes * i}, sums[i], sums[i])
	}
	CMPQ(next, all)
	JNE(LabelRef("add"))
	Label("added")
	for i := range sums {
		VPMAXSW(zero, sums[i], sums[i])
		VPMINSW(one, sums[i], sums[i])
		VPSLLW(Imm(3), sums[i], sums[i])
		VPMULHUW(sums[i], sums[i], sums[i])
		VPMADDWD(Mem{Base: gradient, Disp: f.bytes * i}, sums[i], sums[i])
		VPADDD(sums[i], total, total)
	}
	for _, p := range []Register{base, table, gradient} {
		ADDQ(U32(uint32(2*columns)), p)
	}
	SUBQ(U32(uint32(columns)), left)
	JNZ(LabelRef("chunk"))
	var half VecVirtual = total
	if f.wide() {
		half = YMM()
		VEXTRACTI64X4(Imm(1), total, half)
		VPADDD(total.AsY(), half, half)
	}
	low, high := half.AsX(), XMM()
	VEXTRACTI128(Imm(1), half, high)
	VPADDD(high, low, low)
	VPSHUFD(Imm(0x4e), low, high)
	VPADDD(high, low, low)
	VPSHUFD(Imm(0xb1), low, high)
	VPADDD(high, low, low)
	word := GP32()
	VMOVD(low, word)
	Store(word, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// dotRow: see DotRow.
func dotRow(f form) {
	TEXT("dotRow"+f.suffix, NOSPLIT, "func(row *int16, x *float32, n int) float32")
	Pragma("noescape")
	row, x, n := Load(Param("row"), GP64()), Load(Param("x"), GP64()), Load(Param("n"), GP64())
	sums := f.zeros(32)
	Label("turn")
	for i, sum := range sums {
		t := f.register()
		VPMOVSXWD(Mem{Base: row, Disp: f.bytes / 2 * i}, t)
		VCVTDQ2PS(t, t)
		VMULPS(Mem{Base: x, Disp: f.bytes * i}, t, t)
		VADDPS(t, sum, sum)
	}
	ADDQ(Imm(64), row)
	ADDQ(U32(128), x)
	SUBQ(Imm(32), n)
	JNZ(LabelRef("turn"))
	for half := len(sums) / 2; half > 0; half /= 2 {
		for i := range half {
			VADDPS(sums[half+i], sums[i], sums[i])
		}
	}
	sum := formAVX2.part(sums[0])
	if f.wide() {
		high := YMM()
		VEXTRACTF64X4(Imm(1), sums[0], high)
		VADDPS(high, sum, sum)
	}
	low, high := sum.AsX(), XMM()
	VEXTRACTF128(Imm(1), sum, high)
	VADDPS(high, low, low)
	VMOVHLPS(low, high, high)
	VADDPS(high, low, low)
	VMOVSHDUP(low, high)
	VADDSS(high, low, low)
	Store(low, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// addProducts: see AddProducts, for a block of outputs.
func addProducts(f form, outputs int) {
	TEXT(fmt.Sprintf("addProducts%d%s", outputs, f.suffix), NOSPLIT, "func(dst *float32, x *float32, w *float32, n int, stride int)")
	Pragma("noescape")
	dst, x, w := Load(Param("dst"), GP64()), Load(Param("x"), GP64()), Load(Param("w"), GP64())
	n, stride := Load(Param("n"), GP64()), Load(Param("stride"), GP64())
	SHLQ(Imm(2), stride)
	even, odd := f.zeros(outputs), f.zeros(outputs)
	for i, sum := range even {
		VMOVUPS(Mem{Base: dst, Disp: f.bytes * i}, sum)
	}
	Label("turn")
	for c, chain := range [][]VecVirtual{even, odd} {
		a := f.register()
		VBROADCASTSS(Mem{Base: x, Disp: 4 * c}, a)
		for i, sum := range chain {
			t := f.register()
			VMULPS(Mem{Base: w, Disp: f.bytes * i}, a, t)
			VADDPS(t, sum, sum)
		}
		ADDQ(stride, w)
	}
	ADDQ(Imm(8), x)
	SUBQ(Imm(2), n)
	JNZ(LabelRef("turn"))
	for i, sum := range even {
		VADDPS(odd[i], sum, sum)
		VMOVUPS(sum, Mem{Base: dst, Disp: f.bytes * i})
	}
	VZEROUPPER()
	RET()
}

// backward8: see Backward8. The sums of 64 inputs are held in registers.
func backward8(f form) {
	TEXT("backward8"+f.suffix, NOSPLIT, "func(dst *float32, w *uint8, n int, gradient *int8, outputs int, start int32, unit float32)")
	Pragma("noescape")
	const inputs = 64
	dst, w, n := Load(Param("dst"), GP64()), Load(Param("w"), GP64()), Load(Param("n"), GP64())
	gradient, outputs := Load(Param("gradient"), GP64()), Load(Param("outputs"), GP64())
	start, unit := f.param("start"), f.param("unit") // start is an integer
	var ones VecVirtual
	if !f.vnni {
		ones = f.words(0)
	}
	next, left, g := GP64(), GP64(), f.register()
	Label("inputs")
	sums := make([]VecVirtual, 4*inputs/f.bytes)
	for i := range sums {
		sums[i] = f.register()
		f.move(start, sums[i])
	}
	MOVQ(gradient, next)
	MOVQ(outputs, left)
	Label("outputs")
	VPBROADCASTD(Mem{Base: next}, g)
	for i, sum := range sums {
		t := f.register()
		f.load(Mem{Base: w, Disp: f.bytes * i}, t)
		if f.vnni {
			vpdpbusd(g, t, sum)
			continue
		}
		VPMADDUBSW(g, t, t)
		VPMADDWD(ones, t, t)
		VPADDD(t, sum, sum)
	}
	ADDQ(Imm(4), next)
	ADDQ(U32(4*inputs), w)
	SUBQ(Imm(4), left)
	JNZ(LabelRef("outputs"))
	for i, sum := range sums {
		VCVTDQ2PS(sum, sum)
		VMULPS(unit, sum, sum)
		VMOVUPS(sum, Mem{Base: dst, Disp: f.bytes * i})
	}
	ADDQ(U32(4*inputs), dst)
	SUBQ(Imm(inputs), n)
	JNZ(LabelRef("inputs"))
	VZEROUPPER()
	RET()
}

// scaleBySlopes: see ScaleBySlopes.
func scaleBySlopes(f form) {
	TEXT("scaleBySlopes"+f.suffix, NOSPLIT, "func(grad *float32, sums *int16, n int, soft float32, low float32, high float32)")
	Pragma("noescape")
	grad, sums, n := Load(Param("grad"), GP64()), Load(Param("sums"), GP64()), Load(Param("n"), GP64())
	soft, low, high := f.param("soft"), f.param("low"), f.param("high")
	least, most, softEnd, line := f.zero(), f.register(), f.register(), f.broadcast(math.Float32bits(2./(2048*2048)))
	one := f.broadcast(math.Float32bits(2048))
	VSUBPS(soft, least, least) // -soft
	VADDPS(soft, one, most)    // 1 + soft
	VSUBPS(soft, one, softEnd) // 1 - soft
	const less, greater = 1, 14
	// choose sets slope to part where s compares so with limit.
	choose := func(how uint64, limit, s, part, slope VecVirtual) {
		if f.wide() {
			mask := K()
			VCMPPS(Imm(how), limit, s, mask)
			VBLENDMPS(part, slope, mask, slope)
			return
		}
		mask := f.register()
		VCMPPS(Imm(how), limit, s, mask)
		VBLENDVPS(mask, part, slope, slope)
	}
	Label("turn")
	s, slope, part := f.register(), f.register(), f.register()
	VPMOVSXWD(Mem{Base: sums}, s)
	VCVTDQ2PS(s, s)
	VMULPS(line, s, slope)
	VMAXPS(least, s, part)
	VADDPS(soft, part, part)
	VMULPS(part, part, part)
	VMULPS(low, part, part)
	choose(less, soft, s, part, slope)
	VMINPS(most, s, part)
	VSUBPS(part, most, part)
	VMULPS(high, part, part)
	choose(greater, softEnd, s, part, slope)
	VMULPS(Mem{Base: grad}, slope, slope)
	VMOVUPS(slope, Mem{Base: grad})
	ADDQ(Imm(uint64(f.bytes/2)), sums)
	ADDQ(Imm(uint64(f.bytes)), grad)
	SUBQ(Imm(uint64(f.bytes/4)), n)
	JNZ(LabelRef("turn"))
	VZEROUPPER()
	RET()
}
