package nn

import (
	"math"

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
	round16 := func(dst []int16, src []float32) {
		for i, x := range src {
			const shift = 3 << 22 // adding and subtracting it rounds to an integer
			x = min(max(x*kernel.One, math.MinInt16), math.MaxInt16) + shift
			dst[i] = int16(x - shift)
		}
	}
	round16(q.bias, n.bias())
	round16(q.table, n.table())
	q.heads = make([]head, n.Shape.Buckets)
	for b := range q.heads {
		q.heads[b] = n.quantizeHead(b)
		q.heads[b].prepareStack(q)
	}
}

func (n *Network) quantizeHead(bucket int) head {
	var h head
	layers, _ := n.Shape.layers(bucket)
	for i, l := range layers {
		out, last := l.out, i == len(layers)-1
		if last {
			out = 8
		}
		s := scale{make([]float32, out), make([]float32, out)}
		weights := l.weights(n.Params)
		limit := float32(kernel.MaxWeight8)
		if i > 0 {
			limit = 8191
		}
		integers := make([]int16, l.in*out)
		column := make([]int8, l.in)
		for j := range out {
			unit := unitScale(weights[j:], l.out, limit)
			round := func() {
				for k := range l.in {
					integers[k*out+j] = int16(math.RoundToEven(float64(weights[k*l.out+j] / unit)))
				}
			}
			round()
			if i == 0 {
				for attempt := 0; attempt < 64 && !fits8(column, integers[j:], out); attempt++ {
					unit *= 1.02 // coarser, so that the kernels' sums cannot overflow; rarely needed
					round()
				}
			}
			s.mul[j], s.bias[j] = unit, l.biases(n.Params)[j]
			if i == 0 {
				s.mul[j] *= hiddenScale / float32(kernel.ActivationOne)
			}
			if last {
				s.mul[j] /= hiddenScale
			} else {
				s.bias[j] *= hiddenScale
			}
		}
		if i == 0 {
			bytes := make([]int8, len(integers))
			for k, x := range integers {
				bytes[k] = int8(x)
			}
			h.first = kernel.Pack8(bytes, l.in, out)
		} else {
			h.others = append(h.others, kernel.Pack16(integers, l.in, out))
		}
		h.scales = append(h.scales, s)
	}
	return h
}

// fits8 reports whether the kernels can take the weights of one unit of the layer above the first,
// every stride-th of integers. Column is scratch for one weight of each input.
func fits8(column []int8, integers []int16, stride int) bool {
	for k := range column {
		column[k] = int8(integers[k*stride])
	}
	return kernel.Fits8(column)
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

// unitScale returns what the integer 1 stands for so that the weights of one unit, every
// stride-th of weights, reach limit at most.
func unitScale(weights []float32, stride int, limit float32) float32 {
	var largest float32
	for i := 0; i < len(weights); i += stride {
		largest = max(largest, float32(math.Abs(float64(weights[i]))))
	}
	if largest == 0 {
		return 1
	}
	return largest / limit
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
	var out [8]float32
	h.stack.Run(&out, counts)
	copy(dst[:], out[:])
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
