package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// stackOffsets has the offsets of the fields of type Stack.
var stackOffsets = map[string]int{
	"Bias": 0, "Table": 8, "Width": 16,
	"W1": 24, "Mul1": 32, "Bias1": 40,
	"W2": 48, "Mul2": 56, "Bias2": 64,
	"W3": 72, "Mul3": 80, "Bias3": 88,
	"Logistic": 96, "Limit": 104, "packed": 112,
}

// network is a Stack at an address held in a register.
type network struct{ base Register }

func (n network) address(name string) Mem { return Mem{Base: n.base, Disp: stackOffsets[name]} }

func (n network) field(name string) Register {
	r := GP64()
	MOVQ(n.address(name), r)
	return r
}

// layer is field for the dense layer i, counted from 0.
func (n network) layer(kind string, i int) Register { return n.field(kind + string(rune('1'+i))) }

const (
	maxWidth  = 1024 // of a first layer
	maxHidden = 64   // units of a dense layer
)

// stacks emits the stacks of all shapes in the given form.
func stacks(f form) {
	stack(f, "stack"+f.suffix, 8)
	for _, n := range []int{16, 32, 64} {
		stack(f, fmt.Sprintf("stack%dx32%s", n, f.suffix), n, 32, 8)
	}
}

// stack emits a whole network in one function: the one-hot layer, then dense layers with the
// given numbers of units, the last of 8 with the logistic function. What goes from layer to layer
// stays in registers and on the stack.
func stack(f form, name string, units ...int) {
	TEXT(name, 0, "func(dst *float32, counts *uint8, stack *uint64)")
	Pragma("noescape")
	net := network{Load(Param("stack"), GP64())}
	first := aligned(maxWidth)
	act, counts := GP64(), Load(Param("counts"), GP64())
	MOVQ(first, act)
	emitOneHot(f, act, counts, net.field("Bias"), net.field("Table"), net.field("Width"), !f.vnni)

	emitFirst := emitAffine8Wide
	if f.vnni {
		emitFirst = emitAffine8VNNI
	}
	sums := emitFirst(f, units[0], first, net.field("packed"), net.field("Width"))
	activation := AllocLocal(2 * maxHidden)
	for i := range units[1:] {
		emitRequantize(f, net, i, sums, activation)
		sums = emitAffine16(f, net.layer("W", i+1), units[i], units[i+1], activation)
	}
	out := formAVX2.part(sums[0])
	emitLogistic(net, len(units)-1, out)
	VMOVUPS(out, Mem{Base: Load(Param("dst"), GP64())})
	VZEROUPPER()
	RET()
}

// emitAffine8Wide returns the sums of the layer with 8-bit weights, sixteen inputs a turn: the products
// of four groups are added as 16-bit numbers. The weights must be such that Fit8 is true. It uses
// up its registers.
func emitAffine8Wide(f form, outputs int, act, w, n Register) []VecVirtual {
	f = f.of(outputs)
	ones := f.words(0)
	sum := f.zeros(outputs)
	next := GP64() // weights of the outputs from 32 on
	if outputs > 32 {
		MOVQ(n, next)
		SHLQ(Imm(5), next)
		ADDQ(w, next)
	}
	block := min(outputs, 32)
	line := 4 * block // bytes of a group of weights in a block
	var a [4]VecVirtual
	for g := range a {
		a[g] = f.register()
	}
	Label("dense1")
	for g := range a {
		VPBROADCASTD(Mem{Base: act, Disp: 4 * g}, a[g])
	}
	for j := range sum {
		at := Mem{Base: w, Disp: f.bytes * j}
		if at.Disp >= line {
			at = Mem{Base: next, Disp: at.Disp - line}
		}
		t := f.register()
		VPMADDUBSW(at, a[0], t)
		for g := 1; g < len(a); g++ {
			u := f.register()
			VPMADDUBSW(at.Offset(line*g), a[g], u)
			VPADDW(u, t, t)
		}
		VPMADDWD(ones, t, t)
		VPADDD(t, sum[j], sum[j])
	}
	ADDQ(Imm(16), act)
	ADDQ(U32(uint32(4*line)), w)
	if outputs > 32 {
		ADDQ(U32(uint32(4*line)), next)
	}
	SUBQ(Imm(16), n)
	JNZ(LabelRef("dense1"))
	return sum
}

// emitAffine8VNNI returns the sums of the layer with 8-bit weights in the layout of PackVNNI: each
// register takes sixteen inputs of four outputs, so that a lane holds a quarter of a sum. It uses
// up its registers.
func emitAffine8VNNI(f form, outputs int, act, w, n Register) []VecVirtual {
	const unroll = 4
	quarters := outputs / 4
	// A sum waits for the one before it, so there are several of each: 16 are under way.
	chains := make([][]VecVirtual, min(unroll, 16/quarters))
	for c := range chains {
		chains[c] = f.zeros(16 * quarters)
	}
	Label("dense1")
	for u := range unroll {
		a := f.register()
		VBROADCASTI32X4(Mem{Base: act, Disp: 16 * u}, a)
		for j, sum := range chains[u%len(chains)] {
			vpdpbusd(Mem{Base: w, Disp: f.bytes * (quarters*u + j)}, a, sum)
		}
	}
	ADDQ(Imm(16*unroll), act)
	ADDQ(U32(uint32(f.bytes*quarters*unroll)), w)
	SUBQ(Imm(16*unroll), n)
	JNZ(LabelRef("dense1"))
	addUp(chains)
	return addQuarters(f, chains[0])
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

// addQuarters adds the four neighbors in each lane of 128 bits. Four registers become one, in
// which each lane has a sum of each of the four; of two registers the sums become half a register.
func addQuarters(f form, quarters []VecVirtual) []VecVirtual {
	pairs := func(x, y VecVirtual) VecVirtual { // x0+x2, y0+y2, x1+x3, y1+y3
		low := f.register()
		VPUNPCKLDQ(y, x, low)
		VPUNPCKHDQ(y, x, x)
		VPADDD(low, x, x)
		return x
	}
	if len(quarters) == 2 {
		x, y, order := pairs(quarters[0], quarters[1]), f.register(), f.register()
		VPSHUFD(Imm(0x4e), x, y)
		VPADDD(y, x, x)
		VMOVDQU64(packOrder, order)
		VPERMQ(x, order, x)
		return []VecVirtual{x}
	}
	var sums []VecVirtual
	for ; len(quarters) > 0; quarters = quarters[4:] {
		x, y, low := pairs(quarters[0], quarters[1]), pairs(quarters[2], quarters[3]), f.register()
		VPUNPCKLQDQ(y, x, low)
		VPUNPCKHQDQ(y, x, x)
		VPADDD(low, x, x)
		sums = append(sums, x)
	}
	return sums
}

// emitRequantize stores the activations of layer i as 16-bit integers; see Requantize.
func emitRequantize(f form, net network, i int, sums []VecVirtual, dst Mem) {
	limit, zero := f.register(), f.zero()
	VBROADCASTSS(net.address("Limit"), limit)
	mul, bias := net.layer("Mul", i), net.layer("Bias", i)
	for j, x := range sums {
		VCVTDQ2PS(x, x)
		VMULPS(Mem{Base: mul, Disp: f.bytes * j}, x, x)
		VADDPS(Mem{Base: bias, Disp: f.bytes * j}, x, x)
		VMAXPS(zero, x, x)
		VMINPS(limit, x, x)
		VCVTPS2DQ(x, x)
		switch {
		case f.wide():
			VPMOVUSDW(x, dst.Offset(f.bytes/2*j))
		case j%2 == 1:
			VPACKUSDW(x, sums[j-1], x)
			VPERMQ(Imm(0xd8), x, x)
			VMOVDQU(x, dst.Offset(f.bytes/2*(j-1)))
		}
	}
}

// emitAffine16 returns the sums of a layer with 16-bit weights, unrolled, in several chains, so that
// they wait less for each other.
func emitAffine16(f form, w Register, in, out int, act Mem) []VecVirtual {
	f = f.of(out)
	chains := make([][]VecVirtual, 2)
	if f.registers == 32 {
		chains = make([][]VecVirtual, 4)
	}
	for c := range chains {
		chains[c] = f.zeros(out)
	}
	for k := range in / 2 {
		a := f.register()
		VPBROADCASTD(act.Offset(4*k), a)
		for j, sum := range chains[k%len(chains)] {
			weights := Mem{Base: w, Disp: 4*out*k + f.bytes*j}
			if f.vnni {
				vpdpwssd(weights, a, sum)
				continue
			}
			t := f.register()
			VPMADDWD(weights, a, t)
			VPADDD(t, sum, sum)
		}
	}
	addUp(chains)
	return chains[0]
}

// emitLogistic turns the sums of the last layer, i, into outputs, by interpolation as in Logistic.
func emitLogistic(net network, i int, x VecVirtual) {
	f := formAVX2
	VCVTDQ2PS(x, x)
	VMULPS(Mem{Base: net.layer("Mul", i)}, x, x)
	VADDPS(Mem{Base: net.layer("Bias", i)}, x, x)
	VMAXPS(f.broadcast(0xc1800000), x, x) // -16
	VMINPS(f.broadcast(0x41800000), x, x)
	VADDPS(f.broadcast(0x41800000), x, x)
	VMULPS(f.broadcast(0x42800000), x, x) // 64 steps
	index, whole := f.register(), f.register()
	VCVTTPS2DQ(x, index)
	VCVTDQ2PS(index, whole)
	VSUBPS(whole, x, x)
	table := net.field("Logistic")
	gather := func(step int) VecVirtual {
		all, value := f.register(), f.zero()
		VPCMPEQB(all, all, all)
		VGATHERDPS(all, Mem{Base: table, Index: index, Scale: 4, Disp: 4 * step}, value)
		return value
	}
	a, b := gather(0), gather(1)
	VSUBPS(a, b, b)
	VMULPS(x, b, b)
	VADDPS(b, a, x)
}
