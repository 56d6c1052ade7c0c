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
	asked     []nearNetwork // the networks whose mean counts
	rater     nearNetwork   // the one that ranks, which may be one of these
	lead      *Near         // asks the rater alone; the Near itself if it does
}

type nearNetwork struct {
	near    *nn.Near
	buckets int
}

// Near returns a Near for c, or nil if its networks are none of ours. The network of linear, which may
// be nil, ranks; [Near.Rate] needs it.
func (c *Composite) Near(linear *Linear) *Near {
	if c.ours == nil {
		return nil
	}
	n := &Near{composite: c}
	if linear != nil {
		n.rater = nearNetwork{nn.NewNear(linear.network.net, linear.linear), linear.buckets}
	}
	for _, network := range c.ours {
		if linear != nil && network == linear.network {
			n.asked = append(n.asked, n.rater)
		} else {
			n.asked = append(n.asked, nearNetwork{nn.NewNear(network.net, nil), network.net.Shape.Buckets})
		}
	}
	n.lead = n
	if linear != nil && !c.asksOnly(linear.network) {
		n.lead = &Near{composite: c, asked: []nearNetwork{n.rater}, rater: n.rater}
		n.lead.lead = n.lead
	}
	return n
}

// Lead returns a Near that evaluates by the network that ranks alone, n itself if it does. It moves with n.
func (n *Near) Lead() *Near { return n.lead }

// Move moves the base. Rates are then equities weighted by want.
func (n *Near) Move(base *bg.Position, want Weights) {
	counts, outputs := features.Counts(base), want.outputs()
	for _, network := range n.asked {
		network.near.Move(counts, outputs)
	}
	if n.rater.near != nil {
		n.rater.near.Move(counts, outputs) // once more if it is asked too, at no cost
	}
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
	for _, network := range n.asked {
		var one [nn.Outputs]float32
		network.near.Forward(&one, features.Counts(pos), features.BucketGiven(pos, contact, network.buckets))
		addShare(&out, &one, len(n.asked))
	}
	limit(&p, pos, contact, &out)
	return p
}

// Rate sets dst[i] to what the network that ranks thinks that positions[i] is worth, roughly, as if the
// layers above its first were linear near the base. Dst is not shorter than positions.
func (n *Near) Rate(dst []float32, positions []bg.Position) {
	n.rater.near.Rate(dst, features.AllCounts(positions), func(i int) int {
		return features.BucketOf(&positions[i], n.rater.buckets)
	})
}
