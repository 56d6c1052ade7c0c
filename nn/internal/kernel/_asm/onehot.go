package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

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

// slots is the number of counts.
const slots = 52

// emitOneHot emits the one-hot layer. One pass finds the active rows and asks for their first
// cache lines, then the sums are held in registers, 128 of them at a time. It uses up its
// registers; rowSize comes in as the width.
func emitOneHot(dst, counts, bias, table, rowSize Register) {
	ADDQ(rowSize, rowSize)
	offsets := AllocLocal(slots * 8)

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

	begin, end := emitScan(mask, counts, table, rowSize, offsets)

	one := wordOnes()
	VPSLLW(Imm(11), one, one) // 2048 in each lane

	Label("chunk")
	var sum [8]VecVirtual
	for i := range sum {
		sum[i] = YMM()
		VMOVDQU(Mem{Base: bias, Disp: 32 * i}, sum[i])
	}
	next, row := GP64(), GP64()
	MOVQ(begin, next)
	CMPQ(next, end)
	JE(LabelRef("activate"))
	Label("rows")
	MOVQ(Mem{Base: next}, row)
	ADDQ(Imm(8), next)
	for i := range sum {
		VPADDSW(Mem{Base: table, Index: row, Scale: 1, Disp: 32 * i}, sum[i], sum[i])
	}
	CMPQ(next, end)
	JNE(LabelRef("rows"))
	Label("activate")
	for i := range sum {
		VPMAXSW(zero, sum[i], sum[i])
		VPMINSW(one, sum[i], sum[i])
		twice := YMM()
		VPADDW(sum[i], sum[i], twice)
		VPMULHUW(twice, sum[i], sum[i])
	}
	for i := 0; i < len(sum); i += 2 {
		VPACKUSWB(sum[i+1], sum[i], sum[i])
		VPERMQ(Imm(0xd8), sum[i], sum[i])
		VMOVDQU(sum[i], Mem{Base: dst, Disp: 16 * i})
	}
	ADDQ(Imm(128), dst)
	ADDQ(U32(256), bias)
	ADDQ(U32(256), table)
	SUBQ(U32(256), rowSize)
	JNZ(LabelRef("chunk"))
}

// emitScan writes the offsets in table of the rows that mask, a bit for each slot, chooses, and
// asks for their first cache lines. It returns where the offsets begin and end.
func emitScan(mask, counts, table, rowSize Register, offsets Mem) (begin, end Register) {
	begin, end = GP64(), GP64()
	LEAQ(offsets, begin)
	MOVQ(begin, end)
	slot, row := GP64(), GP64()
	TESTQ(mask, mask)
	JZ(LabelRef("found"))
	Label("scan")
	TZCNTQ(mask, slot)
	MOVBQZX(Mem{Base: counts, Index: slot, Scale: 1}, row)
	SHLQ(Imm(4), slot)
	ADDQ(slot, row)
	IMULQ(rowSize, row)
	for line := range 4 {
		PREFETCHT0(Mem{Base: table, Index: row, Scale: 1, Disp: 64 * line})
	}
	MOVQ(row, Mem{Base: end})
	ADDQ(Imm(8), end)
	BLSRQ(mask, mask)
	JNZ(LabelRef("scan"))
	Label("found")
	return begin, end
}
