package eval

import (
	"kotra/bg"
	"kotra/nn"
)

// An Evaluator gives the chances of how the game ends from pos, for the player on roll, who has
// not rolled yet. It does not look ahead (0-ply), knows no cube, keeps nothing of pos, and may
// be called from several goroutines.
type Evaluator interface {
	Evaluate(pos *bg.Position) bg.Probs
}

// A Composite evaluates every position: it leaves each [Class] to who knows it best.
//
//	over          the rules of the game
//	bearoff       the bearoff table, if there is one
//	all others    the network, corrected to what the position allows
//
// It is immutable and safe for concurrent use. Evaluate does not allocate.
type Composite struct {
	network Evaluator
	ours    mean      // the same if it is made of our networks, for they are faster without the interface
	bearoff Evaluator // nil: the network
}

// An Option changes what a [Composite] is made of.
type Option func(*Composite)

// WithBearoff makes table evaluate the positions of class [Bearoff], instead of the network. The
// table must know all of them: 15 checkers a side on six points.
func WithBearoff(table interface {
	Probs(pos *bg.Position) bg.Probs
},
) Option {
	return func(c *Composite) { c.bearoff = tableEvaluator{table} }
}

type tableEvaluator struct {
	table interface {
		Probs(pos *bg.Position) bg.Probs
	}
}

func (t tableEvaluator) Evaluate(pos *bg.Position) bg.Probs { return t.table.Probs(pos) }

// New returns an evaluator that asks network wherever neither the rules nor an option know
// better. It panics if network is nil.
func New(network Evaluator, opts ...Option) *Composite {
	if network == nil {
		panic("eval: no network")
	}
	c := &Composite{network: network}
	switch n := network.(type) {
	case Network:
		c.ours = mean{n}
	case mean:
		c.ours = n
	}
	for _, opt := range opts {
		opt(c)
	}
	return c
}

// Evaluate returns the chances of how the game ends from pos, for the player on roll. They are
// exact for finished games, as good as the table for bearoffs, and otherwise the network's after
// [Clamp].
func (c *Composite) Evaluate(pos *bg.Position) (p bg.Probs) {
	mine, theirs := pos.OnRoll.Rearmost(), pos.Opponent.Rearmost()
	if c.knows(mine, theirs) {
		return c.known(pos, mine, theirs)
	}
	contact := mine+theirs > 24
	if c.ours != nil {
		var out [nn.Outputs]float32
		if len(c.ours) == 1 { // faster without a sum
			c.ours[0].forward(&out, pos, contact)
		} else {
			c.ours.forward(&out, pos, contact)
		}
		limit(&p, pos, contact, &out)
		return p
	}
	p = c.network.Evaluate(pos)
	clamp(pos, contact, &p)
	return p
}

// asksOnly reports whether n is the only network that c asks.
func (c *Composite) asksOnly(n Network) bool { return len(c.ours) == 1 && c.ours[0] == n }

// knows reports whether a position is known without the network: it is [Over] or [Bearoff]. Mine and theirs
// are the rearmost checkers of both sides.
func (c *Composite) knows(mine, theirs int) bool {
	return min(mine, theirs) == bg.Off || max(mine, theirs) <= bg.Home && c.bearoff != nil
}

// known returns what is known of pos without the network: it is [Over] or [Bearoff]. Mine and theirs are
// the rearmost checkers of both sides.
func (c *Composite) known(pos *bg.Position, mine, theirs int) bg.Probs {
	if mine == bg.Off || theirs == bg.Off {
		return bg.Decided(pos.Result())
	}
	return c.bearoff.Evaluate(pos)
}
