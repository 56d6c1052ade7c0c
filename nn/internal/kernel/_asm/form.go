package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A form is a set of vector registers that kernels are emitted for.
type form struct {
	suffix    string // of the names of functions
	bytes     int    // in a register
	registers int
}

var (
	formAVX2   = form{"AVX2", 32, 16}
	formAVX512 = form{"AVX512", 64, 32}
)

// register returns a new register.
func (f form) register() VecVirtual {
	if f.bytes == 64 {
		return ZMM()
	}
	return YMM()
}

// of returns the part of r that is a register of f.
func (f form) of(r VecVirtual) VecVirtual {
	if f.bytes == 64 {
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

// clear sets r to zeros.
func (f form) clear(r VecVirtual) {
	if f.bytes == 64 {
		constant("VPXORQ", r, r, r, r)
		return
	}
	VPXOR(r, r, r)
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
	if f.bytes == 64 {
		SUBQ(lanes, n)
		JB(LabelRef("half"))
	}
	Label("loop")
	turn(f)
	SUBQ(lanes, n)
	if f.bytes == 32 {
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

func constant(opcode string, r Op, operands ...Op) {
	Instruction(&ir.Instruction{
		Opcode:   opcode,
		Operands: operands,
		Outputs:  []Op{r},
		ISA:      []string{"AVX512F", "AVX512VL"},
	})
}
