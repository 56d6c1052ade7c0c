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
	buckets int
}

// NewLinear returns a Linear for net, whose features must be those of package features. It does
// the work when it is first used.
func NewLinear(net *nn.Quantized) *Linear { return &Linear{nn.NewLinear(net), net.Shape.Buckets} }

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

// A Tangent is the linear approximation of a network at a position. It may be moved to others; it
// is for one goroutine.
type Tangent struct{ tangent *nn.Tangent }

// NewTangent returns a tangent of l that has to be moved to a position first.
func (l *Linear) NewTangent() *Tangent { return &Tangent{l.linear.NewTangent()} }

// Move moves t to base, seen by its player on roll, with the upper layers that the network has
// for positions of the given bucket. Costs are then equities weighted by want. Moving to where it
// is costs nothing.
func (t *Tangent) Move(base *bg.Position, bucket int, want Weights) {
	t.tangent.Move(features.Counts(base), bucket, want.outputs())
}

// Value returns what the position that t was moved to is worth, about.
func (t *Tangent) Value() float32 { return t.tangent.Value() }

// Cost returns what pos is worth by the approximation, beyond ref. It is quick if they differ in
// few places; neither has to be the base of t.
func (t *Tangent) Cost(pos, ref *bg.Position) float32 {
	return t.tangent.Cost(features.Counts(pos), features.Counts(ref))
}
