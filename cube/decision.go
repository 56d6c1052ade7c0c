package cube

import (
	"kotra/bg"
	"kotra/cube/met"
)

// An Action is a verdict on a cube decision.
type Action uint8

// The actions. Those of the player on roll name the right answer to a double as well, even
// where he should not double. The last ones are answers alone.
const (
	NoCube Action = iota // the player on roll may not double
	NoDoubleTake
	NoDoubleBeaver
	DoubleTake
	DoublePass
	DoubleBeaver
	TooGoodTake // playing on for a gammon is better than a double, which is a take
	TooGoodPass
	OptionalDoubleTake // it makes no difference
	OptionalDoubleBeaver
	NeverDouble // the cube is dead: no double can ever gain

	Take
	Pass
	Beaver  // take and redouble at once, keeping the cube; after a beaver a raccoon, and so on
	Raccoon // the player who has been beavered redoubles at once
)

// names holds the code of an action, its text as GNU Backgammon prints it, and the same for a
// player who owns the cube.
var names = [...]struct{ code, text, redouble string }{
	NoCube:               {"no_cube", "Cube not available", "Cube not available"},
	NoDoubleTake:         {"no_double", "No double, take", "No redouble, take"},
	NoDoubleBeaver:       {"beaver", "No double, beaver", "No redouble, beaver"},
	DoubleTake:           {"double_take", "Double, take", "Redouble, take"},
	DoublePass:           {"double_pass", "Double, pass", "Redouble, pass"},
	DoubleBeaver:         {"double_beaver", "Double, beaver", "Redouble, beaver"},
	TooGoodTake:          {"too_good_take", "Too good to double, take", "Too good to redouble, take"},
	TooGoodPass:          {"too_good_pass", "Too good to double, pass", "Too good to redouble, pass"},
	OptionalDoubleTake:   {"optional_double", "Optional double, take", "Optional redouble, take"},
	OptionalDoubleBeaver: {"optional_double_beaver", "Optional double, beaver", "Optional redouble, beaver"},
	NeverDouble:          {"never_double", "Never double, take (dead cube)", "Never redouble, take (dead cube)"},
	Take:                 {"take", "Take", "Take"},
	Pass:                 {"pass", "Pass", "Pass"},
	Beaver:               {"beaver", "Beaver", "Beaver"},
	Raccoon:              {"raccoon", "Raccoon", "Raccoon"},
}

// Code returns a in lower case with underscores, such as "double_take".
func (a Action) Code() string { return names[a].code }

// String returns a in words, such as "Double, take".
func (a Action) String() string { return names[a].text }

// Doubles reports whether a says that the player on roll should double. An optional double
// counts.
func (a Action) Doubles() bool {
	switch a {
	case DoubleTake, DoublePass, DoubleBeaver, OptionalDoubleTake, OptionalDoubleBeaver:
		return true
	}
	return false
}

// Takes reports whether a says that a double should be taken, by a beaver or otherwise.
func (a Action) Takes() bool {
	switch a {
	case NoCube, DoublePass, TooGoodPass, Pass:
		return false
	}
	return true
}

// Differences of equity below which a double is optional, and below which a position is not too
// good for one. Both are above the noise of single precision and below what any table prints;
// the second is small enough to agree with GNU Backgammon where all but sure wins are at stake.
const (
	optional = 1e-5
	tooGood  = 1e-6
)

// A Decision is a cube decision of the player on roll with everything that leads to it. All
// numbers are seen by him, also when it is his opponent who has to answer; see
// [Decision.Answer].
//
// Equities are for a cube of 1 at money play and EMG for the present cube in a match.
// DoublePass and DoubleTake are meaningless if the Action is NoCube.
type Decision struct {
	NoDouble, DoubleTake, DoublePass bg.Equity
	// The same as match winning chances, 0 for money.
	NoDoubleMWC, DoubleTakeMWC, DoublePassMWC met.MWC

	Action   Action
	Redouble bool // the player on roll owns the cube
	// Beaver is what the double is worth if it is beavered, where beavers are allowed; otherwise
	// it equals DoubleTake.
	Beaver bg.Equity
	// Nerve is the share of wrong answers by the opponent from which on the double would be
	// right although Action says no: the percentage GNU Backgammon prints. 0 where it says yes
	// or where no share would do.
	Nerve float64
}

// String returns the action in the words of GNU Backgammon, such as "Redouble, pass".
func (d *Decision) String() string {
	if d.Redouble {
		return names[d.Action].redouble
	}
	return names[d.Action].text
}

// Decide returns the decision of the player on roll in [Game.State], given what it is worth to
// him not to double on this turn and to double and be taken. The latter is ignored if he may
// not double.
func (g *Game) Decide(noDouble, doubleTake Value) Decision {
	s := g.State()
	d := Decision{NoDouble: g.Equity(noDouble), Redouble: s.owner == bg.OnRoll}
	if !g.Money() {
		d.NoDoubleMWC = g.MWC(noDouble)
	}
	if !s.CanDouble() {
		return d
	}
	d.DoubleTake, d.DoublePass = g.Equity(doubleTake), g.Equity(s.PassValue())
	if !g.Money() {
		d.DoubleTakeMWC, d.DoublePassMWC = g.MWC(doubleTake), g.MWC(s.PassValue())
	}
	d.Beaver = d.DoubleTake
	beaver := g.CanBeaver(0) && d.DoubleTake < 0
	if beaver {
		d.Beaver = 2 * d.DoubleTake
	}
	d.Action = d.action(beaver, !s.Live())
	d.Nerve = d.nerve()
	return d
}

func (d *Decision) action(beaver, dead bool) Action {
	take := d.DoubleTake <= d.DoublePass+noise
	gain := min(d.Beaver, d.DoublePass) - d.NoDouble
	equal := gain < optional && gain > -optional
	switch {
	case dead:
		return NeverDouble
	case !take && gain > -tooGood:
		return DoublePass
	case !take:
		return TooGoodPass
	case equal && beaver:
		return OptionalDoubleBeaver
	case equal:
		return OptionalDoubleTake
	case gain > 0 && beaver:
		return DoubleBeaver
	case gain > 0:
		return DoubleTake
	case beaver:
		return NoDoubleBeaver
	case d.NoDouble > d.DoublePass:
		return TooGoodTake
	}
	return NoDoubleTake
}

func (d *Decision) nerve() float64 {
	wrong, right := d.DoublePass, d.DoubleTake // by the opponent, if the answer is a take
	switch d.Action {
	case NoDoubleTake, NoDoubleBeaver:
	case TooGoodPass:
		wrong, right = right, wrong
	default:
		return 0
	}
	if wrong <= right || d.NoDouble > wrong {
		return 0
	}
	return float64((d.NoDouble - right) / (wrong - right))
}

// Optimal returns the equity if both players decide correctly.
func (d *Decision) Optimal() bg.Equity {
	if d.Action == NoCube {
		return d.NoDouble
	}
	return max(d.NoDouble, min(d.Beaver, d.DoublePass))
}

// DoubleLoss returns what the player on roll loses by doubling, or by not doing so, at least 0.
func (d *Decision) DoubleLoss(doubled bool) bg.Equity {
	if d.Action == NoCube {
		return 0
	}
	if doubled {
		return d.Optimal() - min(d.Beaver, d.DoublePass)
	}
	return d.Optimal() - d.NoDouble
}

// TakeLoss returns what the opponent loses by answering a double with answer, [Take], [Pass] or
// [Beaver], at least 0.
func (d *Decision) TakeLoss(answer Action) bg.Equity {
	best := min(d.Beaver, d.DoublePass)
	switch answer {
	case Pass:
		return d.DoublePass - best
	case Beaver:
		return 2*d.DoubleTake - best
	}
	return d.DoubleTake - best
}

// Answer returns what the opponent should answer to a double.
func (d *Decision) Answer() Action {
	switch {
	case d.Action == NoCube || d.DoubleTake > d.DoublePass+noise:
		return Pass
	case d.Beaver < d.DoubleTake:
		return Beaver
	}
	return Take
}

// CanBeaver reports whether a double in the present state may be turned on at once when that
// has already been done n times: 0 asks for a beaver, 1 for a raccoon.
func (g *Game) CanBeaver(n int) bool {
	r := &g.info.Rules
	if !g.Money() || r.Beavers == 0 || r.Beavers < 3 && n >= r.Beavers {
		return false
	}
	return g.legal[min(1, maxLevels-1)]
}

// AnswerBeaver returns the right answer to a double that has been turned on at once n times, 1
// being a beaver that the player who doubled has to answer: [Take], [Pass], which loses the
// cube as it was before the last turn of it, or [Raccoon]. accepted is what the game is worth
// to the decider with the cube as turned last, in units of the cube before that turn.
func (g *Game) AnswerBeaver(n int, accepted bg.Equity) Action {
	switch {
	case accepted < -1:
		return Pass
	case accepted > 0 && g.CanBeaver(n):
		return Raccoon
	}
	return Take
}

// Static returns the decision that follows from the probabilities p of a position alone, for an
// efficiency x.
func Static(p *bg.Probs, info Info, x float64) Decision {
	g := New(info)
	s := g.State()
	var l Leaf
	l.Set(p, s)
	if !s.CanDouble() {
		return g.Decide(l.NoDouble(s, x), 0)
	}
	return g.Decide(l.NoDouble(s, x), l.NoDouble(s.Double(), x))
}

// Cubeful returns the equity of a position to the player on roll, who may double if the cube
// lets him, from its probabilities p alone, for an efficiency x: per cube of 1 for money and as
// EMG in a match.
func Cubeful(p *bg.Probs, info Info, x float64) bg.Equity {
	g := New(info)
	s := g.State()
	var l Leaf
	l.Set(p, s)
	return g.Equity(l.Value(s, x))
}
