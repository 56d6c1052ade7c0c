package search

import (
	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/bearoff"
)

// Efficiency returns the cube efficiency, Janowski's x, that s uses at leaves of a game of a class in
// which the player on roll has the given pip count.
func (s *Searcher) Efficiency(info *cube.Info, class eval.Class, pips int) float64 {
	x := s.efficiencyOf(info)
	return efficiencyIn(&x, class, pips)
}

func (s *Searcher) efficiencyOf(info *cube.Info) cube.Efficiency {
	if s.efficient != nil {
		return *s.efficient
	}
	return info.Efficiency()
}

func efficiencyIn(x *cube.Efficiency, class eval.Class, pips int) float64 {
	switch class {
	case eval.Bearoff:
		return x.Bearoff
	case eval.Race:
		return x.Race(pips)
	case eval.Crashed:
		return x.Crashed
	}
	return x.Contact
}

// efficiency returns the efficiency of a position.
func (pl *plan) efficiency(pos *bg.Position) float64 {
	class := eval.Classify(pos)
	if class != eval.Race {
		return efficiencyIn(&pl.efficient, class, 0)
	}
	return efficiencyIn(&pl.efficient, class, pos.OnRoll.Pips())
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
