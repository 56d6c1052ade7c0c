package eval

import (
	"kotra/bg"
	"kotra/eval/features"
	"kotra/nn"
)

// A Near evaluates as the [Composite] that it is made of, but faster for positions that differ in few
// places from a base, and ranks such positions faster still. It is for one goroutine.
type Near struct {
	composite *Composite
	near      *nn.Near
	buckets   int
}

// Near returns a Near for c, or nil if the network of c is none of ours. Linear, which may be nil, is
// made of that network; [Near.Rate] needs it.
func (c *Composite) Near(linear *Linear) *Near {
	n, ok := c.network.(Network)
	if !ok {
		return nil
	}
	var l *nn.Linear
	if linear != nil {
		l = linear.linear
	}
	return &Near{c, nn.NewNear(n.net, l), n.net.Shape.Buckets}
}

// Move moves the base. Rates are then equities weighted by want.
func (n *Near) Move(base *bg.Position, want Weights) {
	n.near.Move(features.Counts(base), want.outputs())
}

// Evaluate returns the chances of how the game ends from pos as [Composite.Evaluate] does; see
// [nn.Near] about the exception to that.
func (n *Near) Evaluate(pos *bg.Position) (p bg.Probs) {
	mine, theirs := pos.OnRoll.Rearmost(), pos.Opponent.Rearmost()
	if n.composite.knows(mine, theirs) {
		return n.composite.known(pos, mine, theirs)
	}
	contact := mine+theirs > 24
	var out [nn.Outputs]float32
	n.near.Forward(&out, features.Counts(pos), features.BucketGiven(pos, contact, n.buckets))
	limit(&p, pos, contact, &out)
	return p
}

// Rate sets dst[i] to what the network thinks that positions[i] is worth, roughly, as if the layers
// above its first were linear near the base. Dst is not shorter than positions.
func (n *Near) Rate(dst []float32, positions []bg.Position) {
	n.near.Rate(dst, features.AllCounts(positions), func(i int) int { return features.BucketOf(&positions[i], n.buckets) })
}
