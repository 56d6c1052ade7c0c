package eval

import "kotra/bg"

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
	for _, opt := range opts {
		opt(c)
	}
	return c
}

// Evaluate returns the chances of how the game ends from pos, for the player on roll. They are
// exact for finished games, as good as the table for bearoffs, and otherwise the network's after
// [Clamp].
func (c *Composite) Evaluate(pos *bg.Position) bg.Probs {
	if p, ok := c.known(pos); ok {
		return p
	}
	p := c.network.Evaluate(pos)
	Clamp(pos, &p)
	return p
}

// known returns what is known of pos without the network: it is [Over] or [Bearoff].
func (c *Composite) known(pos *bg.Position) (p bg.Probs, ok bool) {
	switch mine, theirs := pos.OnRoll.Rearmost(), pos.Opponent.Rearmost(); {
	case mine == bg.Off || theirs == bg.Off:
		return bg.Decided(pos.Result()), true
	case mine <= home && theirs <= home && c.bearoff != nil:
		return c.bearoff.Evaluate(pos), true
	}
	return bg.Probs{}, false
}
