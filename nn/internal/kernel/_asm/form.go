package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A form is a set of vector registers and instructions that kernels are emitted for.
type form struct {
	suffix    string // of the names of functions
	bytes     int    // in a register
	registers int
	vnni      bool // there are instructions that multiply and add in one
}

var (
	formAVX2   = form{"AVX2", 32, 16, false}
	formAVX512 = form{"AVX512", 64, 32, false}
	formVNNI   = form{"VNNI", 64, 32, true}
)

// wide reports whether the registers are those of AVX-512.
func (f form) wide() bool { return f.bytes == 64 }

// of returns f, or the form with the same instructions and smaller registers if they hold all n
// 32-bit numbers.
func (f form) of(n int) form {
	if 4*n < f.bytes {
		f.bytes = 32
	}
	return f
}

// register returns a new register.
func (f form) register() VecVirtual {
	if f.wide() {
		return ZMM()
	}
	return YMM()
}

// part returns the part of r that is a register of f.
func (f form) part(r VecVirtual) VecVirtual {
	if f.wide() {
		return r.AsZ().(VecVirtual)
	}
	return r.AsY().(VecVirtual)
}

// zero returns a register of zeros.
func (f form) zero() VecVirtual {
	r := f.register()
	f.clear(r)
	return r
}

// zeros returns registers of zeros for n 32-bit numbers.
func (f form) zeros(n int) []VecVirtual {
	r := make([]VecVirtual, 4*n/f.bytes)
	for i := range r {
		r[i] = f.zero()
	}
	return r
}

// clear sets r to zeros.
func (f form) clear(r VecVirtual) {
	if f.wide() {
		constant("VPXORQ", r, r, r, r)
		return
	}
	VPXOR(r, r, r)
}

// words returns x, a power of two, in each 16-bit lane.
func (f form) words(shift uint8) VecVirtual {
	r := f.register()
	if f.wide() {
		constant("VPTERNLOGD", r, U8(0xff), r, r, r)
	} else {
		VPCMPEQB(r, r, r)
	}
	VPSRLW(Imm(15), r, r)
	if shift > 0 {
		VPSLLW(Imm(uint64(shift)), r, r)
	}
	return r
}

// broadcast returns bits in each 32-bit lane.
func (f form) broadcast(bits uint32) VecVirtual {
	g, x, r := GP32(), XMM(), f.register()
	MOVL(U32(bits), g)
	VMOVD(g, x)
	VBROADCASTSS(x, r)
	return r
}

// param returns the named argument, a float32, in each lane.
func (f form) param(name string) VecVirtual {
	at, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	r := f.register()
	VBROADCASTSS(at.Addr, r)
	return r
}

// loadAll loads n 16-bit numbers into registers.
func (f form) loadAll(from Register, n int) []VecVirtual {
	r := make([]VecVirtual, 2*n/f.bytes)
	for i := range r {
		r[i] = f.register()
		f.load(Mem{Base: from, Disp: f.bytes * i}, r[i])
	}
	return r
}

// load and store move whole registers of integers.
func (f form) load(from Op, r VecVirtual) { f.move(from, r) }

func (f form) store(r VecVirtual, to Op) { f.move(r, to) }

func (f form) move(from, to Op) {
	if f.wide() {
		VMOVDQU64(from, to)
		return
	}
	VMOVDQU(from, to)
}

// elements emits body for n 32-bit elements, a register at a time; n is a multiple of 8 and not 0.
// After each turn the pointers are moved on. Body is given the form of its turn: if 8 elements are
// left of an odd number, a smaller one.
func (f form) elements(n Register, body func(f form), pointers ...Register) {
	turn := func(f form) {
		body(f)
		for _, p := range pointers {
			ADDQ(Imm(uint64(f.bytes)), p)
		}
	}
	lanes := Imm(uint64(f.bytes / 4))
	if f.wide() {
		SUBQ(lanes, n)
		JB(LabelRef("half"))
	}
	Label("loop")
	turn(f)
	SUBQ(lanes, n)
	if !f.wide() {
		JNZ(LabelRef("loop"))
		return
	}
	JAE(LabelRef("loop"))
	Label("half")
	ADDQ(Imm(8), n)
	JNZ(LabelRef("done"))
	turn(formAVX2)
	Label("done")
}

// aligned returns the address of n bytes on the stack that begin at a cache line.
func aligned(n int) Register {
	const line = 64
	r := GP64()
	LEAQ(AllocLocal(n+line), r)
	ADDQ(Imm(line-1), r)
	ANDQ(I8(-line), r)
	return r
}

// constant emits an instruction that sets r whatever was in it. Package build would take it for
// reading r.
func constant(opcode string, r Op, operands ...Op) {
	Instruction(&ir.Instruction{
		Opcode:   opcode,
		Operands: operands,
		Outputs:  []Op{r},
		ISA:      []string{"AVX512F", "AVX512VL"},
	})
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
