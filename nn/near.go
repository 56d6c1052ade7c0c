package nn

import (
	"math/bits"

	"kotra/nn/internal/kernel"
)

// A Near judges inputs that differ in few slots from a base, which may be moved. It keeps the sums of
// the first layer at the base, and what each count that it meets changes them by. It is for one
// goroutine.
//
// Forward gives what [Quantized.Forward] does, to the last bit, unless a sum of the first layer leaves
// the range of 16 bits, at 16 times what its activation takes: there Forward saturates.
//
// Rate estimates what outputs are worth in a fraction of the time: the first layer is computed as it
// is, and the layers above it are taken as linear, with the gradient at the base.
type Near struct {
	q      *Quantized
	linear *Linear // nil: no rates
	base   [Slots]uint8
	want   [Outputs]float32
	sums   []int16                // of the first layer, at base
	here   []int16                // the same at the input in work
	nobody []int16                // zeros
	change [Slots * Levels]uint32 // where in deltas a count's row begins, plus one; 0 if it is not there
	deltas []int16                // rows of the counts less those of the base
	stacks []kernel.Stack         // the network's, with here as their biases; nil if it has none
	slopes []slope                // by bucket
	rows   []uint32
	masks  []uint64
	climb
}

// A slope is the linear form of the layers above the first, of one bucket.
type slope struct {
	ready    bool
	gradient []int16 // of the worth in activations of the first layer, in units of 1/scale
	unit     float32 // what a unit of RateRows is worth
	zero     float32 // the worth where RateRows is 0
}

// rateLimit bounds the sum of magnitudes of a gradient, so that no sum of RateRows overflows.
const rateLimit = (1<<31 - 1) / kernel.RateOne

// NewNear returns a Near for q, at the base of all zeros. Linear, if not nil, is made of q.
func NewNear(q *Quantized, linear *Linear) *Near {
	width := q.Shape.Width
	n := &Near{q: q, linear: linear, sums: append([]int16(nil), q.bias...), here: make([]int16, width), nobody: make([]int16, width)}
	if linear != nil {
		linear.once.Do(linear.prepare)
		n.slopes = make([]slope, q.Shape.Buckets)
		n.climb = linear.newClimb()
	}
	for i := range q.heads {
		if !q.heads[i].stacked {
			return n
		}
	}
	n.stacks = make([]kernel.Stack, len(q.heads))
	for i := range n.stacks {
		n.stacks[i] = q.heads[i].stack
		n.stacks[i].Bias = &n.here[0]
	}
	return n
}

// Move moves the base. Rates are then outputs weighted by want. Moving to where it is costs
// nothing.
func (n *Near) Move(base *[Slots]uint8, want *[Outputs]float32) {
	if n.base == *base && n.want == *want {
		return
	}
	var plus int
	n.rows, plus = appendChanges(n.rows[:0], base, &n.base, len(n.sums))
	kernel.ChangeRows(n.sums, n.sums, n.q.table, n.rows, plus)
	n.base, n.want = *base, *want
	n.change, n.deltas = [Slots * Levels]uint32{}, n.deltas[:0]
	for i := range n.slopes {
		n.slopes[i].ready = false
	}
}

// Forward computes the outputs of the network as [Quantized.Forward] does.
func (n *Near) Forward(dst *[Outputs]float32, counts *[Slots]uint8, bucket int) {
	if n.stacks == nil {
		n.q.Forward(dst, counts, bucket)
		return
	}
	n.find(kernel.Diff(counts, &n.base), counts)
	kernel.ChangeRows(n.here, n.sums, n.deltas, n.rows, len(n.rows))
	var out [8]float32
	n.stacks[bucket].Run(&out, &nothing)
	copy(dst[:], out[:])
}

// nothing has no rows: a stack takes its biases as the sums.
var nothing [Slots]uint8

// find sets n.rows to what leads from the base to counts, which differ in the slots of mask.
func (n *Near) find(mask uint64, counts *[Slots]uint8) {
	rows := n.rows[:0]
	for ; mask != 0; mask &= mask - 1 {
		slot := uint(bits.TrailingZeros64(mask)) % 64
		if slot >= Slots { // never
			break
		}
		at := n.change[slot*Levels+uint(counts[slot]%Levels)]
		if at == 0 {
			at = n.learn(slot, counts[slot])
		}
		rows = append(rows, at-1)
	}
	n.rows = rows
}

// learn adds the row of a count to n.deltas, and returns where it begins, plus one.
func (n *Near) learn(slot uint, count uint8) uint32 {
	var rows [2]uint32
	plus, all := 0, 0
	width := len(n.sums)
	if count > 0 {
		rows[0] = uint32((int(slot)*Levels + int(count)) * width)
		plus, all = 1, 1
	}
	if from := int(n.base[slot]); from > 0 {
		rows[all] = uint32((int(slot)*Levels + from) * width)
		all++
	}
	at := len(n.deltas)
	if cap(n.deltas) < at+width {
		n.deltas = append(make([]int16, 0, 2*(at+width)), n.deltas...)
	}
	n.deltas = n.deltas[:at+width]
	kernel.ChangeRows(n.deltas[at:], n.nobody, n.q.table, rows[:all], plus)
	n.change[int(slot)*Levels+int(count)] = uint32(at + 1)
	return uint32(at + 1)
}

// Rate sets dst[i] to what counts[i] is worth, roughly; bucket tells which layers each is for. The
// Near must have a Linear.
func (n *Near) Rate(dst []float32, counts [][Slots]uint8, bucket func(i int) int) {
	for len(n.masks) < len(counts) {
		n.masks = append(n.masks, make([]uint64, len(counts))...)
	}
	kernel.Diffs(n.masks, counts, &n.base)
	for i := range counts {
		s := &n.slopes[bucket(i)]
		if !s.ready {
			n.lean(s, bucket(i))
		}
		n.find(n.masks[i], &counts[i])
		dst[i] = s.zero + float32(s.unit*float32(kernel.RateRows(n.sums, n.deltas, n.rows, s.gradient)))
	}
}

// lean computes the slope of a bucket at the base.
func (n *Near) lean(s *slope, bucket int) {
	if s.gradient == nil {
		s.gradient = make([]int16, len(n.sums))
	}
	worth := n.climb.gradient(n.linear, bucket, n.sums, &n.want)
	g := n.climb.slopes
	var sum, largest float32
	for _, x := range g {
		x = max(x, -x)
		sum += x
		largest = max(largest, x)
	}
	scale := float32(0)
	if sum > 0 {
		scale = min((rateLimit-float32(len(g)))/sum, 32766/largest)
	}
	const shift = 3 << 22 // adding and subtracting it rounds to an integer
	for i, x := range g {
		s.gradient[i] = int16(float32(float32(x*scale)+shift) - shift)
	}
	s.unit = 0
	if scale > 0 {
		s.unit = 1 / (scale * kernel.RateOne)
	}
	s.zero, s.ready = 0, true
	s.zero = worth - float32(s.unit*float32(kernel.RateRows(n.sums, nil, nil, s.gradient)))
}
