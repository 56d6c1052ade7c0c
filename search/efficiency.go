package search

import (
	"kotra/bg"
	"kotra/eval"
	"kotra/eval/bearoff"
)

// Efficiency returns the cube efficiency, Janowski's x, that s uses at leaves of a class in which
// the player on roll has the given pip count.
func (s *Searcher) Efficiency(class eval.Class, pips int) float64 {
	switch class {
	case eval.Bearoff:
		return s.efficient.Bearoff
	case eval.Race:
		return s.efficient.Race(pips)
	case eval.Crashed:
		return s.efficient.Crashed
	}
	return s.efficient.Contact
}

// efficiency is Efficiency for a position.
func (s *Searcher) efficiency(pos *bg.Position) float64 {
	class := eval.Classify(pos)
	if class != eval.Race {
		return s.Efficiency(class, 0)
	}
	return s.Efficiency(class, pos.OnRoll.Pips())
}

// lookup returns the exact equities of pos for a cube of 1, if it is known and the game is one for
// which they hold.
func (s *Searcher) lookup(pl *plan, pos *bg.Position) (eq bearoff.Equities, ok bool) {
	if !pl.unlimited {
		return eq, false
	}
	if s.exact != nil {
		if eq, ok = s.exact.Lookup(pos); ok {
			return eq, true
		}
	}
	rules := &pl.rules
	if s.hyper == nil || rules.DoubleBackgammon {
		return eq, false
	}
	v, ok := s.hyper.Lookup(pos)
	return bearoff.Equities{
		Cubeless: v.Probs.Equity(), Owned: v.Owned, Centered: v.NoDouble(bg.Centered, rules.Jacoby), Opponent: v.Opponent,
	}, ok
}

// settled reports whether nothing remains to be searched: pos is finished or exactly known.
func (s *Searcher) settled(pl *plan, pos *bg.Position) bool {
	if r, _ := pos.Result(); r != bg.Unfinished {
		return true
	}
	_, ok := s.lookup(pl, pos)
	return ok
}
