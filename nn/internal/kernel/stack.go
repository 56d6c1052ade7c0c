package kernel

import (
	"math"
	"unsafe"
)

// A Stack is a whole network of one bucket, for kernels that compute it in one go, without
// storing what goes from layer to layer and without a call for each. The pointers are to arrays
// with the layouts and lengths of the functions for the single layers; the weights of each output
// in W1 must be such that Fit8 is true.
//
// The assembly knows the offsets of the fields.
type Stack struct {
	Bias, Table *int16
	Width       int

	W1          *int8
	Mul1, Bias1 *float32
	W2          *int16
	Mul2, Bias2 *float32
	W3          *int16
	Mul3, Bias3 *float32

	Logistic *float32
	Limit    float32

	kind   stackKind
	packed *int8 // W1 in the layout of the kernel in use
}

// A stackKind is a shape of dense layers that has a kernel.
type stackKind uint8

const (
	noStack      stackKind = iota
	directStack            // the outputs alone
	stack16x32             // 16 and 32 hidden units
	stack32x32             // 32 and 32 hidden units
	stack64x32             // 64 and 32 hidden units
	stackOutputs = 8       // outputs are padded to so many
)

// Prepare completes s for the given hidden layers above the first. Run may be called only if it
// returns true.
func (s *Stack) Prepare(hidden []int) bool {
	s.kind = noStack
	if !hasStack() {
		return false
	}
	outputs := stackOutputs
	switch {
	case len(hidden) == 0:
		s.kind = directStack
	case len(hidden) == 2 && hidden[1] == 32:
		outputs = hidden[0]
		s.kind = map[int]stackKind{16: stack16x32, 32: stack32x32, 64: stack64x32}[outputs]
	}
	if s.kind == noStack {
		return false
	}
	s.Logistic = &logisticTable[0]
	s.packed = packFirst(s.W1, s.Width, outputs)
	return true
}

// packVNNI returns weights in the layout of Pack8 in that of the stacks with VNNI, where each 64
// bytes have the weights of sixteen inputs for each of four outputs.
//
// The sixteen inputs are those that packing 16-bit sums in registers of 512 bits leaves together:
// eight, and the eight that come 32 later. The outputs of a register are those that adding its
// quarters up leaves apart: of sixteen every fourth, of eight every other one.
func packVNNI(w []int8, inputs, outputs int) []int8 {
	packed := make([]int8, 0, len(w))
	apart := min(4, outputs/4)
	for group := range inputs / 16 {
		first := group/4*64 + group%4*8
		for register := range outputs / 4 {
			for lane := range 4 {
				output := register/apart*16 + lane*apart + register%apart
				size := block(outputs, output&^31)
				w := w[output&^31*inputs:]
				for _, input := range [4]int{first, first + 4, first + 32, first + 36} {
					packed = append(packed, w[input*size+output%32*4:][:4]...)
				}
			}
		}
	}
	return packed
}

// Fit8 reports for each output whether the weights w, of shape [inputs, outputs], are small enough
// for W1 of a Stack: of each sixteen inputs, no positive or negative weights of the eight that one
// 16-bit sum takes may add up to more than that sum can hold. The number of inputs is a multiple of
// 16.
func Fit8(w []int8, outputs int) []bool {
	const largest = math.MaxInt16 / ActivationOne
	fits := make([]bool, outputs)
	for j := range fits {
		fits[j] = true
	}
	// Positive and negative weights of the inputs whose products vector kernels sum together: of every
	// other pair.
	sums := make([][2][2]int16, outputs)
	for ; len(w) > 0; w = w[16*outputs:] {
		clear(sums)
		for i := range 16 {
			for j, x := range w[i*outputs:][:outputs] {
				s := &sums[j][i/2%2]
				s[0] += int16(max(x, 0))
				s[1] -= int16(min(x, 0))
			}
		}
		for j, s := range sums {
			if max(s[0][0], s[0][1], s[1][0], s[1][1]) > largest {
				fits[j] = false
			}
		}
	}
	return fits
}

// Run computes the outputs of the network for counts: the same bits as the functions for the
// single layers and Logistic give.
func (s *Stack) Run(dst *[stackOutputs]float32, counts *[Slots]uint8) {
	s.run(dst, counts)
}

// address returns s as the assembly takes it.
func (s *Stack) address() *uint64 { return (*uint64)(unsafe.Pointer(s)) }

const (
	logisticSteps = 64 // per unit
	logisticRange = 16
)

// logisticTable holds the logistic function from -logisticRange to logisticRange.
var logisticTable = func() (t [2*logisticRange*logisticSteps + 2]float32) {
	for i := range t {
		t[i] = float32(1 / (1 + math.Exp(-float64(i)/logisticSteps+logisticRange)))
	}
	return t
}()

// Logistic returns 1/(1+exp(-x)) within 4e-6, by interpolation in a table, so that it is fast and
// the same everywhere.
func Logistic(x float32) float32 {
	x = (min(max(x, -logisticRange), logisticRange) + logisticRange) * logisticSteps
	i := int(x)
	a, b := logisticTable[i], logisticTable[i+1]
	return a + float32((b-a)*(x-float32(i)))
}
