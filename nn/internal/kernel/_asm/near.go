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
	dotRow()
	addProducts(16)
	addProducts(32)
	activations()
	scaleBySlopes()
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
func dotRow() {
	TEXT("dotRowAVX2", NOSPLIT, "func(row *int16, x *float32, n int) float32")
	Pragma("noescape")
	row, x, n := Load(Param("row"), GP64()), Load(Param("x"), GP64()), Load(Param("n"), GP64())
	var sums [4]VecVirtual
	for i := range sums {
		sums[i] = YMM()
		VXORPS(sums[i], sums[i], sums[i])
	}
	Label("turn")
	for i, sum := range sums {
		t := YMM()
		VPMOVSXWD(Mem{Base: row, Disp: 16 * i}, t)
		VCVTDQ2PS(t, t)
		VMULPS(Mem{Base: x, Disp: 32 * i}, t, t)
		VADDPS(t, sum, sum)
	}
	ADDQ(Imm(64), row)
	ADDQ(U32(128), x)
	SUBQ(Imm(32), n)
	JNZ(LabelRef("turn"))
	VADDPS(sums[2], sums[0], sums[0])
	VADDPS(sums[3], sums[1], sums[1])
	VADDPS(sums[1], sums[0], sums[0])
	low, high := sums[0].AsX(), XMM()
	VEXTRACTF128(Imm(1), sums[0], high)
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
func addProducts(outputs int) {
	TEXT(fmt.Sprintf("addProducts%dAVX2", outputs), NOSPLIT, "func(dst *float32, x *float32, w *float32, n int, stride int)")
	Pragma("noescape")
	dst, x, w := Load(Param("dst"), GP64()), Load(Param("x"), GP64()), Load(Param("w"), GP64())
	n, stride := Load(Param("n"), GP64()), Load(Param("stride"), GP64())
	SHLQ(Imm(2), stride)
	var chains [2][]VecVirtual
	for c := range chains {
		for i := range outputs / 8 {
			r := YMM()
			if c == 0 {
				VMOVUPS(Mem{Base: dst, Disp: 32 * i}, r)
			} else {
				VXORPS(r, r, r)
			}
			chains[c] = append(chains[c], r)
		}
	}
	Label("turn")
	for c, chain := range chains {
		a := YMM()
		VBROADCASTSS(Mem{Base: x, Disp: 4 * c}, a)
		for i, sum := range chain {
			t := YMM()
			VMULPS(Mem{Base: w, Disp: 32 * i}, a, t)
			VADDPS(t, sum, sum)
		}
		ADDQ(stride, w)
	}
	ADDQ(Imm(8), x)
	SUBQ(Imm(2), n)
	JNZ(LabelRef("turn"))
	for i, sum := range chains[0] {
		VADDPS(chains[1][i], sum, sum)
		VMOVUPS(sum, Mem{Base: dst, Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
}

// activations: see Activations.
func activations() {
	TEXT("activationsAVX2", NOSPLIT, "func(dst *float32, sums *int16, n int)")
	Pragma("noescape")
	dst, sums, n := Load(Param("dst"), GP64()), Load(Param("sums"), GP64()), Load(Param("n"), GP64())
	zero, one, unit := XMM(), XMM(), formAVX2.broadcast(math.Float32bits(1./2048))
	VPXOR(zero, zero, zero)
	VPCMPEQW(one, one, one)
	VPSRLW(Imm(15), one, one)
	VPSLLW(Imm(11), one, one) // 2048 in each lane
	Label("turn")
	x, y := XMM(), YMM()
	VPMAXSW(Mem{Base: sums}, zero, x)
	VPMINSW(one, x, x)
	VPMOVSXWD(x, y)
	VCVTDQ2PS(y, y)
	VMULPS(unit, y, y)
	VMULPS(y, y, y)
	VMOVUPS(y, Mem{Base: dst})
	ADDQ(Imm(16), sums)
	ADDQ(Imm(32), dst)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("turn"))
	VZEROUPPER()
	RET()
}

// scaleBySlopes: see ScaleBySlopes.
func scaleBySlopes() {
	TEXT("scaleBySlopesAVX2", NOSPLIT, "func(grad *float32, sums *int16, n int, soft float32, low float32, high float32)")
	Pragma("noescape")
	grad, sums, n := Load(Param("grad"), GP64()), Load(Param("sums"), GP64()), Load(Param("n"), GP64())
	soft, low, high := formAVX2.param("soft"), formAVX2.param("low"), formAVX2.param("high")
	least, most, softEnd, line := YMM(), YMM(), YMM(), formAVX2.broadcast(math.Float32bits(2./(2048*2048)))
	one := formAVX2.broadcast(math.Float32bits(2048))
	VXORPS(least, least, least)
	VSUBPS(soft, least, least) // -soft
	VADDPS(soft, one, most)    // 1 + soft
	VSUBPS(soft, one, softEnd) // 1 - soft
	Label("turn")
	s, slope, part, mask := YMM(), YMM(), YMM(), YMM()
	VPMOVSXWD(Mem{Base: sums}, s)
	VCVTDQ2PS(s, s)
	VMULPS(line, s, slope)
	VMAXPS(least, s, part)
	VADDPS(soft, part, part)
	VMULPS(part, part, part)
	VMULPS(low, part, part)
	VCMPPS(Imm(1), soft, s, mask) // s < soft
	VBLENDVPS(mask, part, slope, slope)
	VMINPS(most, s, part)
	VSUBPS(part, most, part)
	VMULPS(high, part, part)
	VCMPPS(Imm(14), softEnd, s, mask) // s > 1 - soft
	VBLENDVPS(mask, part, slope, slope)
	VMULPS(Mem{Base: grad}, slope, slope)
	VMOVUPS(slope, Mem{Base: grad})
	ADDQ(Imm(16), sums)
	ADDQ(Imm(32), grad)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("turn"))
	VZEROUPPER()
	RET()
}
