package nn

import (
	"math"
	"math/bits"
	"sync"

	"kotra/nn/internal/kernel"
)

// A Linear is a network made ready to be approximated, near an input, by a linear function of the
// one-hot counts. It is immutable and safe for concurrent use.
type Linear struct {
	net  *Quantized
	once sync.Once // fills heads at first use

	heads []linearHead
}

// A linearHead holds the dense layers of a bucket for the way up and back. That above the first, which is
// the largest, has the weights of the network: 8 bits, and what they stand for.
type linearHead struct {
	mul, bias []float32 // turn the sums of the way up into what goes into the units
	unit      []float32 // what a weight of 1 is, for each unit
	back      []uint8   // the weights, in the layout of kernel.PackBack
	others    []linearLayer
}

// A linearLayer is a dense layer with its weights for the way up, of shape [in, out], and for the
// way back, of shape [out, in], both row-major.
type linearLayer struct{ weights, transpose, bias []float32 }

// NewLinear returns a Linear for net. It does the work when it is first used.
func NewLinear(net *Quantized) *Linear { return &Linear{net: net} }

func (l *Linear) prepare() {
	for i := range l.net.heads {
		from := &l.net.heads[i]
		units := len(from.scales[0].mul)
		h := linearHead{back: kernel.PackBack(from.first, l.net.Shape.Width, units)}
		for n, s := range from.scales {
			// The sums of all layers but the last are in units of 1/hiddenScale, and so is what the layers
			// from the second on take.
			biases, sums := float32(1./hiddenScale), float32(1./hiddenScale)
			if n == len(from.scales)-1 {
				biases, sums = 1, 1
			}
			if n == 0 {
				h.mul, h.bias = scaled(s.mul, sums), scaled(s.bias, biases)
				h.unit = scaled(h.mul, kernel.ActivationOne)
				continue
			}
			h.others = append(h.others, linearLayerOf(from.others[n-1], units, scaled(s.mul, sums*hiddenScale), scaled(s.bias, biases)))
			units = len(s.mul)
		}
		l.heads = append(l.heads, h)
	}
}

// scaled returns x times by.
func scaled(x []float32, by float32) []float32 {
	y := make([]float32, len(x))
	for i := range x {
		y[i] = x[i] * by
	}
	return y
}

// linearLayerOf returns the layer with the given weights, in the layout of kernel.Pack16, which are in these units.
// The number of its outputs is padded to what the kernels take.
func linearLayerOf(packed []int16, in int, units, bias []float32) linearLayer {
	const multiple = 16
	out := (len(units) + multiple - 1) / multiple * multiple
	d := linearLayer{make([]float32, in*out), make([]float32, in*out), make([]float32, out)}
	copy(d.bias, bias)
	for i, w := range kernel.Unpack16(packed, in, len(units)) {
		j := i % len(units)
		d.weights[i/len(units)*out+j] = float32(w) * units[j]
	}
	transpose(d.transpose, d.weights, in, out)
	return d
}

// A Tangent is the linear approximation of a network at an input, its base, for inputs that differ in few
// slots from another, its reference. It may be moved to others; it is for one goroutine.
//
// The network sums a row of its first layer for each slot and count. A Tangent holds what a change
// of these sums is worth: the gradient of the weighted outputs, carried back through the upper
// layers. The estimate for another input is the sum over all slots where it differs.
type Tangent struct {
	linear *Linear
	ready  bool
	bucket int
	base   [Slots]uint8
	ref    [Slots]uint8
	want   [Outputs]float32

	sums  []int16                 // first layer before its activation, at base
	climb                         // its slopes are the gradient of the sums
	zero  float32                 // what ref is worth
	worth [Slots * Levels]float32 // of a count, beyond that of ref; not a number where not known yet
	from  [Slots]float32          // what the counts of ref are worth, likewise
	rows  []uint32
}

// NewTangent returns a tangent of l that has to be moved to a base first.
func (l *Linear) NewTangent() *Tangent {
	l.once.Do(l.prepare)
	return &Tangent{linear: l, sums: make([]int16, l.net.Shape.Width), climb: l.newClimb()}
}

// Move moves t to base, with the upper layers of the given bucket, and to the reference ref. Costs are
// then outputs weighted by want. Moving to where it is costs nothing.
func (t *Tangent) Move(base, ref *[Slots]uint8, bucket int, want *[Outputs]float32) {
	if t.ready && t.bucket == bucket && t.want == *want && t.base == *base && t.ref == *ref {
		return
	}
	t.sum(base)
	t.ref, t.bucket, t.want, t.ready = *ref, bucket, *want, true
	t.worth, t.from = unknown, [Slots]float32(unknown[:])
	t.zero = t.climb.gradient(t.linear, bucket, t.sums, want)
	kernel.ScaleBySlopes(t.slopes, t.sums, firstSoft)
	for m := kernel.Diff(base, ref); m != 0; m &= m - 1 {
		slot := bits.TrailingZeros64(m)
		t.from[slot] = t.row(slot, ref[slot])
		t.zero += t.from[slot] - t.row(slot, base[slot])
	}
}

// sum sets the sums of the first layer to those of base, from where they are.
func (t *Tangent) sum(base *[Slots]uint8) {
	if !t.ready {
		copy(t.sums, t.linear.net.bias)
		t.base = [Slots]uint8{}
	}
	var plus int
	t.rows, plus = appendChanges(t.rows[:0], base, &t.base, len(t.sums))
	kernel.ChangeRows(t.sums, t.sums, t.linear.net.table, t.rows, plus)
	t.base = *base
}

// appendChanges appends to rows the offsets of the rows that lead from the sums of one input to
// those of another: plus of them to be added, the others to be subtracted.
func appendChanges(rows []uint32, to, from *[Slots]uint8, width int) (all []uint32, plus int) {
	mask := kernel.Diff(to, from)
	for m := mask; m != 0; m &= m - 1 {
		slot := bits.TrailingZeros64(m)
		if c := int(to[slot%Slots]); c > 0 {
			rows = append(rows, uint32((slot*Levels+c)*width))
		}
	}
	plus = len(rows)
	for m := mask; m != 0; m &= m - 1 {
		slot := bits.TrailingZeros64(m)
		if c := int(from[slot%Slots]); c > 0 {
			rows = append(rows, uint32((slot*Levels+c)*width))
		}
	}
	return rows, plus
}

// The kinks of activations are rounded off, or what wakes up a unit that sleeps at the base would
// be overlooked: within these distances from them the slope changes gradually. Found by what a search that
// picks replies by it loses; it is flat around these values.
const (
	firstSoft  = kernel.One / 5. // in sums of the first layer
	hiddenSoft = 2.5             // in inputs of hidden units
)

// A climb is scratch for the way up a network and back.
type climb struct {
	first  []uint8     // activations of the first layer
	sums   []int32     // of the layer above it
	back   []int8      // what these are worth
	layers [][]float32 // inputs of the units above the first layer, then what they are worth
	slopes []float32   // what the activations of the first layer are worth
}

func (l *Linear) newClimb() climb {
	width, units := l.net.Shape.Width, len(l.heads[0].unit)
	c := climb{first: make([]uint8, width), sums: make([]int32, units), back: make([]int8, units), slopes: make([]float32, width)}
	c.layers = append(c.layers, make([]float32, units))
	for _, d := range l.heads[0].others {
		c.layers = append(c.layers, make([]float32, len(d.bias)))
	}
	return c
}

// gradient sets c.slopes to the gradient of the outputs, weighted by want, in the activations of the
// first layer, whose sums are given, and returns the weighted outputs.
func (c *climb) gradient(l *Linear, bucket int, sums []int16, want *[Outputs]float32) (worth float32) {
	h, q := &l.heads[bucket], l.net
	kernel.OneHotSquareClip(c.first, &nothing, sums, q.table)
	kernel.Affine8(c.sums, c.first, q.heads[bucket].first)
	in := c.layers[0]
	for i, sum := range c.sums {
		in[i] = float32(float32(sum)*h.mul[i]) + h.bias[i]
	}
	for n := range h.others {
		d, out := &h.others[n], c.layers[n+1]
		var active [MaxHidden]float32
		for i, x := range in {
			active[i] = min(max(x, 0), HiddenLimit)
		}
		copy(out, d.bias)
		kernel.AddProducts(out, active[:len(in)], d.weights)
		in = out
	}
	for j := range in {
		if j < len(want) {
			p := sigmoid(in[j])
			worth += float32(want[j] * p)
			in[j] = float32(want[j] * float32(p*(1-p)))
		} else {
			in[j] = 0
		}
	}
	// From here on layers hold gradients.
	for n := len(h.others) - 1; n >= 0; n-- {
		below := c.layers[n]
		var gradient [MaxHidden]float32
		kernel.AddProducts(gradient[:len(below)], c.layers[n+1], h.others[n].transpose)
		for i, x := range below {
			if x <= -hiddenSoft || x >= HiddenLimit {
				below[i] = 0
				continue
			}
			below[i] = float32(min((x+hiddenSoft)/(2*hiddenSoft), 1) * gradient[i])
		}
	}
	kernel.Backward8(c.slopes, c.back, h.back, c.roundBack(h.unit))
	return worth
}

// roundBack sets c.back to what weights of 1 of the lowest of c.layers are worth, rounded, and returns the
// unit of it.
func (c *climb) roundBack(weights []float32) (unit float32) {
	const limit = 127
	largest := float32(0)
	worth := c.layers[0]
	for i, w := range weights {
		worth[i] = float32(worth[i] * w)
		largest = max(largest, worth[i], -worth[i])
	}
	if largest == 0 {
		clear(c.back)
		return 0
	}
	unit = largest / limit
	for i, x := range worth {
		c.back[i] = int8(round(x / unit))
	}
	return unit
}

// sigmoid is the logistic function, the same on every processor.
func sigmoid(x float32) float32 {
	// Rational approximation of tanh(x/2); the slope only has to be about right.
	x = min(max(x/2, -4.9), 4.9)
	s := float32(x * x)
	tanh := float32(x*float32(135135+float32(s*float32(17325+float32(s*float32(378+s)))))) /
		float32(135135+float32(s*float32(62370+float32(s*float32(3150+float32(28*s))))))
	return float32(0.5 + float32(tanh/2))
}

// Diffs sets dst[i] to the slots in which counts[i] and ref differ, slot s at bit s. Dst is not
// shorter than counts.
func Diffs(dst []uint64, counts [][Slots]uint8, ref *[Slots]uint8) { kernel.Diffs(dst, counts, ref) }

// Cost returns what counts are worth by the approximation. Diff are the slots in which they differ from
// the reference; the fewer, the quicker.
func (t *Tangent) Cost(counts *[Slots]uint8, diff uint64) float32 {
	cost := t.zero
	for ; diff != 0; diff &= diff - 1 {
		slot := uint(bits.TrailingZeros64(diff)) % 64
		if slot >= Slots { // never, but the compiler does not know
			break
		}
		count := counts[slot] % Levels
		d := t.worth[slot*Levels+uint(count)]
		if d != d { //nolint:gocritic // not a number: not known
			d = t.learn(int(slot), count)
		}
		cost += d
	}
	return cost
}

// learn returns what count checkers in a slot are worth beyond the reference, and keeps it.
func (t *Tangent) learn(slot int, count uint8) float32 {
	from := &t.from[slot]
	if *from != *from { //nolint:gocritic // not a number
		*from = t.row(slot, t.ref[slot])
	}
	d := t.row(slot, count) - *from
	t.worth[slot*Levels+int(count)] = d
	return d
}

// row returns what count checkers in a slot are worth.
func (t *Tangent) row(slot int, count uint8) float32 {
	if count == 0 {
		return 0
	}
	width := len(t.sums)
	return kernel.DotRow(t.linear.net.table[(slot*Levels+int(count))*width:][:width], t.slopes)
}

// unknown is what no count is worth yet.
var unknown = func() (u [Slots * Levels]float32) {
	for i := range u {
		u[i] = float32(math.NaN())
	}
	return u
}()
