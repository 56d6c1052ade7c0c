package main

import (
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
	"Logistic": 96, "Limit": 104,
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

// maxWidth is the largest width of a first layer.
const maxWidth = 1024

// stack emits a whole network in one function: the one-hot layer, then dense layers with the
// given numbers of units, the last of 8 with the logistic function. What goes from layer to layer
// stays in registers and on the stack.
func stack(name string, units ...int) {
	TEXT(name, 0, "func(dst *float32, counts *uint8, stack *uint64)")
	Pragma("noescape")
	net := network{Load(Param("stack"), GP64())}
	first := AllocLocal(maxWidth)

	act, counts := GP64(), Load(Param("counts"), GP64())
	LEAQ(first, act)
	emitOneHot(act, counts, net.field("Bias"), net.field("Table"), net.field("Width"))

	act = GP64()
	LEAQ(first, act)
	sums := emitAffine8Wide(units[0], act, net.field("W1"), net.field("Width"))
	out := emitUpper(net, sums, units)
	VMOVUPS(out, Mem{Base: Load(Param("dst"), GP64())})
	VZEROUPPER()
	RET()
}

// emitUpper emits all that follows the sums of the first dense layer, and returns the outputs.
func emitUpper(net network, sums []VecVirtual, units []int) VecVirtual {
	activation := AllocLocal(64)
	zero := YMM()
	VPXOR(zero, zero, zero)
	for i := range units[1:] {
		emitRequantize(net, i, sums, zero, activation)
		sums = emitAffine16(net.layer("W", i+1), units[i], units[i+1], activation)
	}
	emitLogistic(net, len(units)-1, sums[0])
	return sums[0]
}

// emitRequantize stores the activations of layer i as 16-bit integers; see Requantize.
func emitRequantize(net network, i int, sums []VecVirtual, zero Register, dst Mem) {
	limit := YMM()
	VBROADCASTSS(net.address("Limit"), limit)
	mul, bias := net.layer("Mul", i), net.layer("Bias", i)
	for j, x := range sums {
		VCVTDQ2PS(x, x)
		VMULPS(Mem{Base: mul, Disp: 32 * j}, x, x)
		VADDPS(Mem{Base: bias, Disp: 32 * j}, x, x)
		VMAXPS(zero, x, x)
		VMINPS(limit, x, x)
		VCVTPS2DQ(x, x)
	}
	for j := 0; j < len(sums); j += 2 {
		VPACKUSDW(sums[j+1], sums[j], sums[j])
		VPERMQ(Imm(0xd8), sums[j], sums[j])
		VMOVDQU(sums[j], dst.Offset(16*j))
	}
}

// emitAffine16 returns the sums of a layer with 16-bit weights, unrolled, in two chains, so that
// they wait less for each other.
func emitAffine16(w Register, in, out int, act Mem) []VecVirtual {
	regs := out / 8
	sums := make([]VecVirtual, 2*regs)
	for j := range sums {
		sums[j] = YMM()
		VPXOR(sums[j], sums[j], sums[j])
	}
	for k := range in / 2 {
		a := YMM()
		VPBROADCASTD(act.Offset(4*k), a)
		for j := range regs {
			t, sum := YMM(), sums[j+k%2*regs]
			VPMADDWD(Mem{Base: w, Disp: 32 * (k*regs + j)}, a, t)
			VPADDD(t, sum, sum)
		}
	}
	for j := range regs {
		VPADDD(sums[regs+j], sums[j], sums[j])
	}
	return sums[:regs]
}

// emitLogistic turns the sums of the last layer, i, into outputs, by interpolation as in Logistic.
func emitLogistic(net network, i int, x VecVirtual) {
	VCVTDQ2PS(x, x)
	VMULPS(Mem{Base: net.layer("Mul", i)}, x, x)
	VADDPS(Mem{Base: net.layer("Bias", i)}, x, x)
	VMAXPS(broadcast(0xc1800000), x, x) // -16
	VMINPS(broadcast(0x41800000), x, x)
	VADDPS(broadcast(0x41800000), x, x)
	VMULPS(broadcast(0x42800000), x, x) // 64 steps
	index, whole, ones := YMM(), YMM(), YMM()
	VCVTTPS2DQ(x, index)
	VCVTDQ2PS(index, whole)
	VSUBPS(whole, x, x)
	table := net.field("Logistic")
	a, b := YMM(), YMM()
	setOnes(ones)
	VXORPS(a, a, a)
	VGATHERDPS(ones, Mem{Base: table, Index: index, Scale: 4}, a)
	setOnes(ones)
	VXORPS(b, b, b)
	VGATHERDPS(ones, Mem{Base: table, Index: index, Scale: 4, Disp: 4}, b)
	VSUBPS(a, b, b)
	VMULPS(x, b, b)
	VADDPS(b, a, x)
}
