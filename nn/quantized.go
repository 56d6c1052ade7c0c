package nn

import (
	"math"
	"sync"

	"kotra/nn/internal/kernel"
)

// A Quantized is a network with integer parameters, for inference alone. It is immutable and
// safe for concurrent use.
//
// The first layer has 16-bit parameters in units of 1/2048; the layer above it 8-bit weights,
// and the others 16-bit weights, each with a scale for every unit. All sums are exact, so
// that every processor gives the same result.
type Quantized struct {
	Shape Shape
	bias  []int16
	table []int16
	heads []head
}

// head holds the dense layers of a bucket.
type head struct {
	first  []int8 // the layer above the first
	others [][]int16
	scales []scale // one for each layer, the first included

	stack   kernel.Stack // the same for the kernel that computes all layers
	stacked bool         // there is such a kernel
}

// scale turns the sums of a layer into the integers of the next, or into logits.
type scale struct{ mul, bias []float32 }

// Quantize returns n with rounded parameters.
func (n *Network) Quantize() *Quantized {
	q := &Quantized{Shape: n.Shape, bias: make([]int16, n.Shape.Width), table: make([]int16, kernel.Rows*n.Shape.Width)}
	n.QuantizeInto(q)
	return q
}

// QuantizeInto is Quantize into the memory of q, which must have been made from a network of the
// same shape and must not be in use.
func (n *Network) QuantizeInto(q *Quantized) {
	var wg sync.WaitGroup
	wg.Go(func() { roundAll(q.bias, n.bias()) })
	wg.Go(func() { roundAll(q.table, n.table()) })
	q.heads = make([]head, n.Shape.Buckets)
	for b := range q.heads {
		wg.Go(func() {
			q.heads[b] = n.quantizeHead(b)
			q.heads[b].prepareStack(q)
		})
	}
	wg.Wait()
}

// roundAll sets dst to src in units of 1/kernel.One.
func roundAll(dst []int16, src []float32) {
	for i, x := range src {
		dst[i] = int16(round(min(max(x*kernel.One, math.MinInt16), math.MaxInt16)))
	}
}

// round returns x, a number of at most 22 bits, rounded to an integer, ties to even.
func round(x float32) float32 {
	const shift = 3 << 22 // adding and subtracting it rounds to an integer
	x += shift
	return x - shift
}

func (n *Network) quantizeHead(bucket int) head {
	var h head
	layers, _ := n.Shape.layers(bucket)
	for i, l := range layers {
		last := i == len(layers)-1
		out := l.out
		if last {
			out = outputUnits
		}
		s := scale{make([]float32, out), append([]float32(nil), l.biases(n.Params)[:out]...)}
		if i == 0 {
			h.first = kernel.Pack8(quantize8(s.mul, l.weights(n.Params), l.out), l.in, out)
			for j := range s.mul {
				s.mul[j] *= hiddenScale / float32(kernel.ActivationOne)
			}
		} else {
			h.others = append(h.others, kernel.Pack16(quantize16(s.mul, l.weights(n.Params), l.out), l.in, out))
		}
		for j := range out {
			if last {
				s.mul[j] /= hiddenScale
			} else {
				s.bias[j] *= hiddenScale
			}
		}
		h.scales = append(h.scales, s)
	}
	return h
}

// outputUnits is the number of units of the last layer of a Quantized, padding included.
const outputUnits = 8

// quantize8 returns weights, of shape [in, stride], as integers for the layer above the first, of
// shape [in, len(units)], and sets units to what their 1 stands for in each column.
func quantize8(units, weights []float32, stride int) []int8 {
	out := len(units)
	integers := inUnits[int8](units, weights, stride, kernel.MaxWeight8)
	for j, fits := range kernel.Fit8(integers, out) {
		for attempt := 0; attempt < 64 && !fits; attempt++ {
			units[j] *= 1.02 // coarser, so that the kernels' sums cannot overflow; rarely needed
			column := make([]int8, len(integers)/out)
			for i := range column {
				column[i] = int8(round(weights[i*stride+j] / units[j]))
				integers[i*out+j] = column[i]
			}
			fits = kernel.Fit8(column, 1)[0]
		}
	}
	return integers
}

// quantize16 is quantize8 for the other layers.
func quantize16(units, weights []float32, stride int) []int16 {
	return inUnits[int16](units, weights, stride, 8191)
}

// inUnits sets units as setUnits does, and returns weights, of shape [in, stride], as integers in these units, of
// shape [in, len(units)].
func inUnits[T int8 | int16](units, weights []float32, stride int, limit float32) []T {
	out := len(units)
	integers := make([]T, len(weights)/stride*out)
	setUnits(units, weights, stride, limit)
	for i := range len(integers) / out {
		row := integers[i*out:][:out]
		for j, w := range weights[i*stride:][:out] {
			row[j] = T(round(w / units[j]))
		}
	}
	return integers
}

// setUnits sets each unit to what the integer 1 stands for, so that the weights of a column, of shape
// [in, stride], reach limit at most. The last bits of units are 0, so that their small multiples are exact, and have
// the same unit again.
func setUnits(units, weights []float32, stride int, limit float32) {
	clear(units)
	for ; len(weights) > 0; weights = weights[stride:] {
		for j, w := range weights[:len(units)] {
			units[j] = max(units[j], w, -w)
		}
	}
	for j, largest := range units {
		if largest == 0 {
			units[j] = 1
		} else {
			const last = 0xff
			units[j] = math.Float32frombits((math.Float32bits(largest/limit) + last) &^ last)
		}
	}
}

// prepareStack sets up the kernel that computes all layers, if there is one.
func (h *head) prepareStack(q *Quantized) {
	s := &h.stack
	s.Bias, s.Table, s.Width = &q.bias[0], &q.table[0], q.Shape.Width
	s.W1, s.Limit = &h.first[0], HiddenLimit*hiddenScale
	muls, biases := []**float32{&s.Mul1, &s.Mul2, &s.Mul3}, []**float32{&s.Bias1, &s.Bias2, &s.Bias3}
	weights := []**int16{&s.W2, &s.W3}
	if len(h.scales) > len(muls) {
		return
	}
	for i := range h.scales {
		*muls[i], *biases[i] = &h.scales[i].mul[0], &h.scales[i].bias[0]
		if i > 0 {
			*weights[i-1] = &h.others[i-1][0]
		}
	}
	h.stacked = s.Prepare(q.Shape.Hidden)
}

// Forward computes the outputs of the network, between 0 and 1, for one input. It does not
// allocate. Counts of [Levels] or more and buckets that the network does not have panic or give
// a meaningless result.
func (q *Quantized) Forward(dst *[Outputs]float32, counts *[Slots]uint8, bucket int) {
	h := &q.heads[bucket]
	if !h.stacked {
		q.forwardByLayer(dst, counts, h)
		return
	}
	var out [outputUnits]float32
	h.stack.Run(&out, counts)
	*dst = [Outputs]float32(out[:])
}

// forwardByLayer is Forward one layer after the other.
func (q *Quantized) forwardByLayer(dst *[Outputs]float32, counts *[Slots]uint8, h *head) {
	var (
		buffer     [MaxWidth]uint8
		sums       [MaxHidden]int32
		activation [MaxHidden]int16
	)
	first := buffer[:q.Shape.Width]
	kernel.OneHotSquareClip(first, counts, q.bias, q.table)
	n := len(h.scales[0].mul)
	kernel.Affine8(sums[:n], first, h.first)
	for i, w := range h.others {
		s := &h.scales[i]
		in := len(s.mul)
		kernel.Requantize(activation[:in], sums[:in], s.mul, s.bias, HiddenLimit*hiddenScale)
		n = len(h.scales[i+1].mul)
		kernel.Affine16(sums[:n], activation[:in], w)
	}
	s := &h.scales[len(h.scales)-1]
	for j := range dst {
		dst[j] = kernel.Logistic(float32(float32(sums[j])*s.mul[j]) + s.bias[j])
	}
}
