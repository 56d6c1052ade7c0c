package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// oneHot512 is oneHot with registers of 512 bits.
func oneHot512() {
	TEXT("oneHotAVX512", NOSPLIT, "func(dst *uint8, counts *uint8, bias *int16, table *int16, width int)")
	Pragma("noescape")
	counts := Load(Param("counts"), GP64())
	rowSize := Load(Param("width"), GP64())
	dst := Load(Param("dst"), GP64())
	bias := Load(Param("bias"), GP64())
	table := Load(Param("table"), GP64())
	emitOneHot512(dst, counts, bias, table, rowSize)
	VZEROUPPER()
	RET()
}

// emitOneHot512 is emitOneHot with 512 sums in registers at a time, or 128 where fewer are left.
func emitOneHot512(dst, counts, bias, table, rowSize Register) {
	ADDQ(rowSize, rowSize)
	offsets := AllocLocal(slots * 8)

	mask, read, board := GP64(), K(), ZMM()
	MOVQ(U64(1<<slots-1), mask)
	KMOVQ(mask, read)
	VMOVDQU8_Z(Mem{Base: counts}, read, board)
	VPTESTMB(board, board, read)
	KMOVQ(read, mask)
	begin, end := emitScan(mask, counts, table, rowSize, offsets)

	zero, one, order := ZMM(), ZMM(), ZMM()
	clearWide(zero)
	setWide(one)
	VPSRLW(Imm(15), one, one)
	VPSLLW(Imm(11), one, one) // 2048 in each lane
	VMOVDQU64(packOrder, order)

	pass := func(columns int, name string) {
		Label(name)
		CMPQ(rowSize, U32(uint32(2*columns)))
		JL(LabelRef(name + "end"))
		sum := make([]VecVirtual, columns/32)
		for i := range sum {
			sum[i] = ZMM()
			VMOVDQU64(Mem{Base: bias, Disp: 64 * i}, sum[i])
		}
		next, row := GP64(), GP64()
		MOVQ(begin, next)
		CMPQ(next, end)
		JE(LabelRef(name + "activate"))
		Label(name + "rows")
		MOVQ(Mem{Base: next}, row)
		ADDQ(Imm(8), next)
		for i := range sum {
			VPADDSW(Mem{Base: table, Index: row, Scale: 1, Disp: 64 * i}, sum[i], sum[i])
		}
		CMPQ(next, end)
		JNE(LabelRef(name + "rows"))
		Label(name + "activate")
		for i := range sum {
			VPMAXSW(zero, sum[i], sum[i])
			VPMINSW(one, sum[i], sum[i])
			twice := ZMM()
			VPADDW(sum[i], sum[i], twice)
			VPMULHUW(twice, sum[i], sum[i])
		}
		for i := 0; i < len(sum); i += 2 {
			VPACKUSWB(sum[i+1], sum[i], sum[i])
			VPERMQ(sum[i], order, sum[i])
			VMOVDQU64(sum[i], Mem{Base: dst, Disp: 32 * i})
		}
		ADDQ(U32(uint32(columns)), dst)
		ADDQ(U32(uint32(2*columns)), bias)
		ADDQ(U32(uint32(2*columns)), table)
		SUBQ(U32(uint32(2*columns)), rowSize)
		JNZ(LabelRef(name))
		Label(name + "end")
	}
	pass(512, "wide")
	TESTQ(rowSize, rowSize)
	JZ(LabelRef("finished"))
	pass(128, "narrow")
	Label("finished")
}

// packOrder holds the permutation that puts the quarters of two packed registers in order.
var packOrder Mem

func declarePackOrder() {
	packOrder = GLOBL("packOrder", RODATA|NOPTR)
	for i, x := range []uint64{0, 2, 4, 6, 1, 3, 5, 7} {
		DATA(8*i, U64(x))
	}
}

// stack512 is stack with registers of 512 bits, with or without the instructions that multiply
// and add in one.
func stack512(name string, vnni bool, units ...int) {
	TEXT(name, 0, "func(dst *float32, counts *uint8, stack *uint64)")
	Pragma("noescape")
	net := network{Load(Param("stack"), GP64())}
	first := AllocLocal(maxWidth)

	act, counts := GP64(), Load(Param("counts"), GP64())
	LEAQ(first, act)
	emitOneHot512(act, counts, net.field("Bias"), net.field("Table"), net.field("Width"))

	act = GP64()
	LEAQ(first, act)
	sums := emitAffine8x512(units[0], act, net.field("W1"), net.field("Width"), vnni)
	activation := AllocLocal(64)
	for i := range units[1:] {
		emitRequantize512(net, i, sums, activation)
		sums = emitAffine16x512(net.layer("W", i+1), units[i], units[i+1], activation, vnni)
	}
	emitLogistic(net, len(units)-1, sums[0])
	VMOVUPS(sums[0], Mem{Base: Load(Param("dst"), GP64())})
	VZEROUPPER()
	RET()
}

// clearWide clears r and setWide sets all its bits. Package build would take them for reading r.
func clearWide(r Op) { constant("VPXORQ", r, r, r, r) }

func setWide(r Op) { constant("VPTERNLOGD", r, U8(0xff), r, r, r) }

// registers returns cleared registers for n 32-bit sums, and the size of each in bytes: of 512
// bits, or a single one of 256.
func registers(n int) (r []VecVirtual, size int) {
	if n == 8 {
		r, size = []VecVirtual{YMM()}, 32
		VPXOR(r[0], r[0], r[0])
		return r, size
	}
	for range n / 16 {
		x := ZMM()
		clearWide(x)
		r = append(r, x)
	}
	return r, 64
}

// like returns a register of the given size in bytes.
func like(size int) VecVirtual {
	if size == 32 {
		return YMM()
	}
	return ZMM()
}

// emitAffine8x512 returns the sums of the layer with 8-bit weights, sixteen inputs a turn. With
// vnni each group of inputs has a chain of sums of its own.
func emitAffine8x512(outputs int, act, w, n Register, vnni bool) []VecVirtual {
	var chains [4][]VecVirtual
	var size int
	for g := range chains {
		if g == 0 || vnni {
			chains[g], size = registers(outputs)
		}
	}
	ones := like(size)
	if !vnni {
		setWide(ones)
		VPSRLW(Imm(15), ones, ones)
	}
	line := 4 * outputs // bytes of a group of weights
	Label("dense1")
	var a [4]VecVirtual
	for g := range a {
		a[g] = like(size)
		VPBROADCASTD(Mem{Base: act, Disp: 4 * g}, a[g])
	}
	for j := range chains[0] {
		var t VecVirtual
		for g := range a {
			weights := Mem{Base: w, Disp: line*g + size*j}
			if vnni {
				vpdpbusd(weights, a[g], chains[g][j])
				continue
			}
			u := like(size)
			VPMADDUBSW(weights, a[g], u)
			if g == 0 {
				t = u
			} else {
				VPADDW(u, t, t)
			}
		}
		if !vnni {
			VPMADDWD(ones, t, t)
			VPADDD(t, chains[0][j], chains[0][j])
		}
	}
	ADDQ(Imm(16), act)
	ADDQ(U32(uint32(4*line)), w)
	SUBQ(Imm(16), n)
	JNZ(LabelRef("dense1"))
	if vnni {
		addUp(chains[:])
	}
	return chains[0]
}

// emitRequantize512 is emitRequantize with registers of 512 bits.
func emitRequantize512(net network, i int, sums []VecVirtual, dst Mem) {
	limit, zero := ZMM(), ZMM()
	VBROADCASTSS(net.address("Limit"), limit)
	clearWide(zero)
	mul, bias := net.layer("Mul", i), net.layer("Bias", i)
	for j, x := range sums {
		VCVTDQ2PS(x, x)
		VMULPS(Mem{Base: mul, Disp: 64 * j}, x, x)
		VADDPS(Mem{Base: bias, Disp: 64 * j}, x, x)
		VMAXPS(zero, x, x)
		VMINPS(limit, x, x)
		VCVTPS2DQ(x, x)
		VPMOVUSDW(x, dst.Offset(32*j))
	}
}

// emitAffine16x512 is emitAffine16 with registers of 512 bits and four chains of sums.
func emitAffine16x512(w Register, in, out int, act Mem, vnni bool) []VecVirtual {
	var chains [4][]VecVirtual
	var size int
	for i := range chains {
		chains[i], size = registers(out)
	}
	for k := range in / 2 {
		a := like(size)
		VPBROADCASTD(act.Offset(4*k), a)
		for j, sum := range chains[k%len(chains)] {
			weights := Mem{Base: w, Disp: 4*out*k + size*j}
			if vnni {
				vpdpwssd(weights, a, sum)
				continue
			}
			t := like(size)
			VPMADDWD(weights, a, t)
			VPADDD(t, sum, sum)
		}
	}
	addUp(chains[:])
	return chains[0]
}

// addUp adds the chains of sums to the first.
func addUp(chains [][]VecVirtual) {
	for step := 1; step < len(chains); step *= 2 {
		for i := 0; i+step < len(chains); i += 2 * step {
			for j, sum := range chains[i] {
				VPADDD(chains[i+step][j], sum, sum)
			}
		}
	}
}

// vpdpbusd adds to each 32-bit lane of sum four products of 8-bit numbers, unsigned ones of act
// and signed ones of weights. Package build does not have the instruction.
func vpdpbusd(weights, act, sum Op) { multiplyAdd("VPDPBUSD", weights, act, sum) }

// vpdpwssd adds to each 32-bit lane of sum two products of signed 16-bit numbers.
func vpdpwssd(weights, act, sum Op) { multiplyAdd("VPDPWSSD", weights, act, sum) }

func multiplyAdd(opcode string, weights, act, sum Op) {
	Instruction(&ir.Instruction{
		Opcode:   opcode,
		Operands: []Op{weights, act, sum},
		Inputs:   []Op{weights, act, sum},
		Outputs:  []Op{sum},
		ISA:      []string{"AVX512_VNNI", "AVX512VL"},
	})
}
