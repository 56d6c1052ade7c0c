package eval

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync"

	"kotra/bg"
	"kotra/eval/features"
	"kotra/nn"
)

// A Linear is a network made ready to be approximated, near a position, by a linear function of
// the counts of checkers on each place. That function costs next to nothing, so a search uses it
// to pick the few replies that are worth a full evaluation. It is immutable and safe for
// concurrent use.
//
// The network sums a row of its first layer for each place and count. A [Tangent] holds what a
// change of these sums is worth at the position: the gradient of the equity, carried back through
// the upper layers. The estimate for another position is the sum over all places where it
// differs. Positions of one decision differ in few places, and the own effect of a place, such as
// a blot covered or a checker borne off, is in the rows.
type Linear struct {
	net  *nn.Network
	once sync.Once // fills the rest at first use

	width int
	bias  []int16
	table []int16 // [Slots*Levels, width], in units of 1/rowOne
	heads [][]dense
}

// A dense layer has weights of shape [in, out], row-major.
type dense struct {
	in, out       int
	weights, bias []float32
}

// rowOne is what a 1 of the network is in the integers of Linear. They make sums independent of
// their order.
const rowOne = 2048

// NewLinear returns a Linear for net, whose features must be those of package features. It does
// the work when it is first used; net must not change any more.
func NewLinear(net *nn.Network) *Linear { return &Linear{net: net} }

func (l *Linear) prepare() {
	net := l.net
	l.width = net.Shape.Width
	l.bias, l.table = make([]int16, l.width), make([]int16, nn.Slots*nn.Levels*l.width)
	params := net.Params
	round := func(dst []int16) {
		for i := range dst {
			dst[i] = int16(math.RoundToEven(float64(min(max(params[i]*rowOne, math.MinInt16), math.MaxInt16))))
		}
		params = params[len(dst):]
	}
	round(l.bias)
	round(l.table)
	for range net.Shape.Buckets {
		var head []dense
		in := l.width
		for _, out := range append(append([]int(nil), net.Shape.Hidden...), outputs) {
			d := dense{in: in, out: out, weights: params[:in*out]}
			d.bias = params[in*out:][:out]
			params = params[out*(in+1):]
			head = append(head, d)
			in = out
		}
		l.heads = append(l.heads, head)
	}
}

// outputs is the width of the last layer in the parameters of a network, padding included.
const outputs = 16

// Weights are what the probabilities of a position count for in an equity.
type Weights struct {
	Win, WinGammon, WinBackgammon, LoseGammon, LoseBackgammon float32
}

// A Tangent is the linear approximation of a network at a position. It may be moved to others; it
// is for one goroutine.
type Tangent struct {
	linear *Linear
	ready  bool
	bucket int
	base   bg.Position
	want   Weights

	sums   []int32   // first layer before its activation, at base
	units  []int32   // those with a slope
	slopes []float32 // and the gradient of each
	layers [][]float32
	worth  [nn.Slots][nn.Levels]float32 // of a count, not a number where not known yet
}

// Bucket returns the bucket that the network has for pos.
func (l *Linear) Bucket(pos *bg.Position) int { return features.BucketOf(pos, l.net.Shape.Buckets) }

// NewTangent returns a tangent of l that has to be moved to a position first.
func (l *Linear) NewTangent() *Tangent {
	l.once.Do(l.prepare)
	t := &Tangent{
		linear: l,
		sums:   make([]int32, l.width), units: make([]int32, 0, l.width), slopes: make([]float32, 0, l.width),
	}
	for _, d := range l.heads[0] {
		t.layers = append(t.layers, make([]float32, d.out))
	}
	return t
}

// Move moves t to base, seen by its player on roll, with the upper layers that the network has
// for positions of the given bucket. Costs are then equities weighted by want. Moving to where it
// is costs nothing.
func (t *Tangent) Move(base *bg.Position, bucket int, want Weights) {
	if t.ready && t.bucket == bucket && t.want == want && t.base == *base {
		return
	}
	t.sum(base)
	t.bucket, t.want, t.ready = bucket, want, true
	t.worth = unknown
	t.slope()
}

// sum sets the sums of the first layer to those of base, from where they are.
func (t *Tangent) sum(base *bg.Position) {
	l, counts, old := t.linear, features.Counts(base), features.Counts(&t.base)
	if !t.ready {
		for i, b := range l.bias {
			t.sums[i] = int32(b)
		}
		old = &[nn.Slots]uint8{}
	}
	for slot, c := range counts {
		if c == old[slot] {
			continue
		}
		if c > 0 {
			for i, x := range l.row(slot, int(c)) {
				t.sums[i] += int32(x)
			}
		}
		if old[slot] > 0 {
			for i, x := range l.row(slot, int(old[slot])) {
				t.sums[i] -= int32(x)
			}
		}
	}
	t.base = *base
}

func (l *Linear) row(slot, count int) []int16 {
	return l.table[(slot*nn.Levels+count)*l.width:][:l.width]
}

// The kinks of activations are rounded off, or what wakes up a unit that sleeps at the base would
// be overlooked: within these distances from them the slope changes gradually. Found by the share
// of best replies that are kept; it is flat around these values.
const (
	firstSoft  = rowOne / 5 // in sums of the first layer
	hiddenSoft = 0.5        // in inputs of hidden units
)

// slope computes the gradient at the base.
func (t *Tangent) slope() {
	head := t.linear.heads[t.bucket]
	first := &head[0]
	out := t.layers[0]
	copy(out, first.bias)
	t.units = t.units[:0]
	for i, sum := range t.sums {
		if sum > -firstSoft && sum < rowOne+firstSoft {
			t.units = append(t.units, int32(i))
		}
		if sum > 0 {
			x := float32(min(sum, rowOne)) / rowOne
			addScaled(out, first.weights[i*first.out:][:first.out], float32(x*x))
		}
	}
	for n := 1; n < len(head); n++ {
		d := &head[n]
		next := t.layers[n]
		copy(next, d.bias)
		for i, x := range out {
			if x > 0 {
				addScaled(next, d.weights[i*d.out:][:d.out], min(x, nn.HiddenLimit))
			}
		}
		out = next
	}
	want := [nn.Outputs]float32{t.want.Win, t.want.WinGammon, t.want.WinBackgammon, t.want.LoseGammon, t.want.LoseBackgammon}
	for j := range out {
		if j < len(want) {
			p := sigmoid(out[j])
			out[j] = float32(want[j] * float32(p*(1-p)))
		} else {
			out[j] = 0
		}
	}
	// From here on layers hold gradients.
	for n := len(head) - 1; n > 0; n-- {
		d, below := &head[n], t.layers[n-1]
		for i, x := range below {
			if x <= -hiddenSoft || x >= nn.HiddenLimit {
				below[i] = 0
				continue
			}
			below[i] = float32(min((x+hiddenSoft)/(2*hiddenSoft), 1) * dot(d.weights[i*d.out:][:d.out], t.layers[n]))
		}
	}
	t.slopes = t.slopes[:len(t.units)]
	for k, i := range t.units {
		g := dot(first.weights[int(i)*first.out:][:first.out], t.layers[0])
		t.slopes[k] = float32(g * squareSlope(float32(t.sums[i])))
	}
}

// squareSlope returns the slope of the first layer's activation, the square of sum/rowOne between
// 0 and 1, for a change of the sum, rounded off at both ends.
func squareSlope(sum float32) float32 {
	const unit = 1. / (rowOne * rowOne)
	switch {
	case sum < firstSoft:
		sum += firstSoft
		return float32(float32(sum*sum) * (unit / (2 * firstSoft)))
	case sum > rowOne-firstSoft:
		return float32((rowOne + firstSoft - sum) * (rowOne * unit / firstSoft))
	}
	return float32(sum * (2 * unit))
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

// addScaled adds x times src to dst, which is not shorter.
func addScaled(dst, src []float32, x float32) {
	dst = dst[:len(src)]
	for i, w := range src {
		dst[i] += float32(w * x)
	}
}

// dot returns the scalar product of a and b, which is not shorter.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var sum float32
	for i, x := range a {
		sum += float32(x * b[i])
	}
	return sum
}

// Cost returns what pos is worth by the approximation, beyond ref. It is quick if they differ in
// few places; neither has to be the base of t.
func (t *Tangent) Cost(pos, ref *bg.Position) float32 {
	counts, from := features.Counts(pos), features.Counts(ref)
	var cost float32
	for at := 0; at < 48; at += 8 {
		diff := binary.LittleEndian.Uint64(counts[at:]) ^ binary.LittleEndian.Uint64(from[at:])
		for diff != 0 {
			i := bits.TrailingZeros64(diff) / 8
			diff &^= 0xff << (8 * i)
			cost += t.change(at+i, from[at+i], counts[at+i])
		}
	}
	for slot := 48; slot < nn.Slots; slot++ {
		if counts[slot] != from[slot] {
			cost += t.change(slot, from[slot], counts[slot])
		}
	}
	return cost
}

// change returns what a change of the count of a slot is worth.
func (t *Tangent) change(slot int, from, to uint8) float32 {
	worth := &t.worth[slot]
	a, b := worth[from&15], worth[to&15]
	if d := b - a; d == d {
		return d
	}
	return t.compute(slot, to) - t.compute(slot, from)
}

// compute fills in what count checkers in a slot are worth, unless it is there.
func (t *Tangent) compute(slot int, count uint8) float32 {
	known := &t.worth[slot][count&15]
	if *known == *known {
		return *known
	}
	var sum float32
	if count > 0 {
		row := t.linear.row(slot, int(count))
		slopes := t.slopes[:len(t.units)]
		for k, i := range t.units {
			sum += float32(float32(row[i]) * slopes[k])
		}
	}
	*known = sum
	return sum
}

// unknown is what no count is worth yet.
var unknown = func() (u [nn.Slots][nn.Levels]float32) {
	for i := range u {
		for j := range u[i] {
			u[i][j] = float32(math.NaN())
		}
	}
	return u
}()
