package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// oneHot: see OneHotSquareClip.
func oneHot(f form) {
	TEXT("oneHot"+f.suffix, NOSPLIT, "func(dst *uint8, counts *uint8, bias *int16, table *int16, width int)")
	Pragma("noescape")
	counts := Load(Param("counts"), GP64())
	rowSize := Load(Param("width"), GP64())
	dst := Load(Param("dst"), GP64())
	bias := Load(Param("bias"), GP64())
	table := Load(Param("table"), GP64())
	emitOneHot(f, dst, counts, bias, table, rowSize, true)
	VZEROUPPER()
	RET()
}

// slots is the number of counts.
const slots = 52

// emitOneHot emits the one-hot layer: the sums of many columns are held in registers at a time,
// while the active rows are added to them. The first pass over the rows also finds them. It uses
// up its registers; rowSize comes in as the width. Unless ordered, dst is in the order that packing
// leaves; see PackVNNI.
func emitOneHot(f form, dst, counts, bias, table, rowSize Register, ordered bool) {
	ADDQ(rowSize, rowSize)
	offsets := AllocLocal(slots * 8)
	mask := emitMask(f, counts)
	begin, end := GP64(), GP64()
	LEAQ(offsets, begin)
	MOVQ(begin, end)

	zero, one := f.zero(), f.words(11) // 2048 is 1
	var order VecVirtual
	if f.wide() && ordered {
		order = f.register()
		VMOVDQU64(packOrder, order)
	}
	pass := func(label string, columns int, rows func(label string, sum []VecVirtual)) {
		sum := make([]VecVirtual, 2*columns/f.bytes)
		for i := range sum {
			sum[i] = f.register()
			f.load(Mem{Base: bias, Disp: f.bytes * i}, sum[i])
		}
		rows(label, sum)
		for i := range sum {
			VPMAXSW(zero, sum[i], sum[i])
			VPMINSW(one, sum[i], sum[i])
			twice := f.register()
			VPADDW(sum[i], sum[i], twice)
			VPMULHUW(twice, sum[i], sum[i])
		}
		for i := 0; i < len(sum); i += 2 {
			VPACKUSWB(sum[i+1], sum[i], sum[i])
			if ordered && f.wide() {
				VPERMQ(sum[i], order, sum[i])
			} else if ordered {
				VPERMQ(Imm(0xd8), sum[i], sum[i])
			}
			f.store(sum[i], Mem{Base: dst, Disp: f.bytes / 2 * i})
		}
		size := U32(uint32(2 * columns))
		ADDQ(U32(uint32(columns)), dst)
		ADDQ(size, bias)
		ADDQ(size, table)
		SUBQ(size, rowSize)
	}
	find := func(label string, sum []VecVirtual) { emitFind(f, label, mask, counts, table, rowSize, end, sum) }
	again := func(label string, sum []VecVirtual) { emitAgain(f, label, table, begin, end, sum) }
	const narrow, wide = 128, 512
	if f.wide() {
		CMPQ(rowSize, U32(2*wide))
		JL(LabelRef("narrowFirst"))
		pass("wideFirst", wide, find)
		JZ(LabelRef("finished"))
		CMPQ(rowSize, U32(2*wide))
		JL(LabelRef("narrow"))
		pass("wide", wide, again)
		JZ(LabelRef("finished"))
		JMP(LabelRef("narrow"))
		Label("narrowFirst")
	}
	pass("first", narrow, find)
	JZ(LabelRef("finished"))
	Label("narrow")
	pass("more", narrow, again)
	JNZ(LabelRef("narrow"))
	Label("finished")
}

// emitMask returns a bit for each slot whose count is not 0.
func emitMask(f form, counts Register) Register {
	mask := GP64()
	if f.wide() {
		read, board := K(), ZMM()
		MOVQ(U64(1<<slots-1), mask)
		KMOVQ(mask, read)
		VMOVDQU8_Z(Mem{Base: counts}, read, board)
		VPTESTMB(board, board, read)
		KMOVQ(read, mask)
		return mask
	}
	zero, lo, hi, high := f.zero(), YMM(), YMM(), GP64()
	VPCMPEQB(Mem{Base: counts}, zero, lo)
	VPCMPEQB(Mem{Base: counts, Disp: slots - 32}, zero, hi)
	VPMOVMSKB(lo, mask.As32())
	VPMOVMSKB(hi, high.As32())
	NOTL(mask.As32())
	NOTL(high.As32())
	SHRL(Imm(64-slots), high.As32())
	SHLQ(Imm(32), high)
	ORQ(high, mask)
	return mask
}

// emitFind adds the rows of table that mask chooses to sum, and writes their offsets from end on,
// which it moves.
func emitFind(f form, label string, mask, counts, table, rowSize, end Register, sum []VecVirtual) {
	slot, row := GP64(), GP64()
	TESTQ(mask, mask)
	JZ(LabelRef(label + "Found"))
	Label(label + "Find")
	TZCNTQ(mask, slot)
	MOVBQZX(Mem{Base: counts, Index: slot, Scale: 1}, row)
	SHLQ(Imm(4), slot)
	ADDQ(slot, row)
	IMULQ(rowSize, row)
	MOVQ(row, Mem{Base: end})
	ADDQ(Imm(8), end)
	ADDQ(table, row)
	for i := range sum {
		VPADDSW(Mem{Base: row, Disp: f.bytes * i}, sum[i], sum[i])
	}
	BLSRQ(mask, mask)
	JNZ(LabelRef(label + "Find"))
	Label(label + "Found")
}

// emitAgain adds the rows of table at the offsets from begin to end to sum.
func emitAgain(f form, label string, table, begin, end Register, sum []VecVirtual) {
	next, row := GP64(), GP64()
	MOVQ(begin, next)
	CMPQ(next, end)
	JE(LabelRef(label + "Done"))
	Label(label + "Rows")
	MOVQ(Mem{Base: next}, row)
	ADDQ(Imm(8), next)
	for i := range sum {
		VPADDSW(Mem{Base: table, Index: row, Scale: 1, Disp: f.bytes * i}, sum[i], sum[i])
	}
	CMPQ(next, end)
	JNE(LabelRef(label + "Rows"))
	Label(label + "Done")
}

// packOrder holds the permutation that puts the quarters of two packed registers in order.
var packOrder Mem

func declarePackOrder() {
	packOrder = GLOBL("packOrder", RODATA|NOPTR)
	for i, x := range []uint64{0, 2, 4, 6, 1, 3, 5, 7} {
		DATA(8*i, U64(x))
	}
}
