package eval

import (
	"kotra/bg"
	"kotra/eval/features"
	"kotra/nn"
)

// A Linear is a network made ready to be approximated, near a position, by a linear function of
// the counts of checkers on each place. That function costs next to nothing, so a search uses it
// to pick the few replies that are worth a full evaluation. It is immutable and safe for
// concurrent use.
//
// Positions of one decision differ in few places, and the own effect of a place, such as a blot
// covered or a checker borne off, is in the rows of the network's first layer; see [nn.Tangent].
type Linear struct {
	linear  *nn.Linear
	network Network
	buckets int
}

// NewLinear returns a Linear for net, whose features must be those of package features. It does
// the work when it is first used.
func NewLinear(net *nn.Quantized) *Linear {
	return &Linear{nn.NewLinear(net), NewNetwork(net), net.Shape.Buckets}
}

// Lead returns an evaluator that is e, but for the network: that of l alone. It returns nil if that is what
// e asks, or if e is not a [Composite].
func (l *Linear) Lead(e Evaluator) Evaluator {
	c, ok := e.(*Composite)
	if !ok || c.asksOnly(l.network) {
		return nil
	}
	lead := New(l.network)
	lead.bearoff = c.bearoff
	return lead
}

// Bucket returns the bucket that the network has for pos, of which it is known whether it has contact.
func (l *Linear) Bucket(pos *bg.Position, contact bool) int {
	return features.BucketGiven(pos, contact, l.buckets)
}

// Weights are what the probabilities of a position count for in an equity.
type Weights struct {
	Win, WinGammon, WinBackgammon, LoseGammon, LoseBackgammon float32
}

// outputs returns w in the order of a network's outputs.
func (w *Weights) outputs() *[nn.Outputs]float32 {
	return &[nn.Outputs]float32{w.Win, w.WinGammon, w.WinBackgammon, w.LoseGammon, w.LoseBackgammon}
}

// Changes sets dst[i] to the places of which positions[i] and ref have other numbers of checkers, as
// [Tangent.Cost] takes them. Dst is not shorter than positions.
func Changes(dst []uint64, positions []bg.Position, ref *bg.Position) {
	nn.Diffs(dst, features.AllCounts(positions), features.Counts(ref))
}

// A Tangent is the linear approximation of a network at a position, for positions that differ in few
// places from another. It may be moved to others; it is for one goroutine.
type Tangent struct{ tangent *nn.Tangent }

// NewTangent returns a tangent of l that has to be moved to a position first.
func (l *Linear) NewTangent() *Tangent { return &Tangent{l.linear.NewTangent()} }

// Move moves t to base, seen by its player on roll, with the upper layers that the network has
// for positions of the given bucket; [Tangent.Cost] compares with ref then. Costs are equities weighted by
// want. Moving to where it is costs nothing.
func (t *Tangent) Move(base, ref *bg.Position, bucket int, want Weights) {
	t.tangent.Move(features.Counts(base), features.Counts(ref), bucket, want.outputs())
}

// Cost returns what pos is worth by the approximation, where changed is its difference from the ref of
// t, see [Changes].
func (t *Tangent) Cost(pos *bg.Position, changed uint64) float32 {
	return t.tangent.Cost(features.Counts(pos), changed)
}
