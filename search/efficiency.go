package search

import (
	"kotra/bg"
	"kotra/eval"
	"kotra/eval/bearoff"
)

// efficiency returns the cube efficiency, Janowski's x, of a position at the leaves.
func (s *Searcher) efficiency(pos *bg.Position) float64 {
	switch eval.Classify(pos) {
	case eval.Bearoff:
		return s.efficient.Bearoff
	case eval.Race:
		return s.efficient.Race(pos.OnRoll.Pips())
	case eval.Crashed:
		return s.efficient.Crashed
	}
	return s.efficient.Contact
}

// lookup returns the exact equities of pos for a cube of 1, if it is known and the game is one for
// which they hold.
func (s *Searcher) lookup(pl *plan, pos *bg.Position) (bearoff.Equities, bool) {
	if s.exact == nil || !pl.unlimited {
		return bearoff.Equities{}, false
	}
	return s.exact.Lookup(pos)
}

// settled reports whether nothing remains to be searched: pos is finished or exactly known.
func (s *Searcher) settled(pl *plan, pos *bg.Position) bool {
	if r, _ := pos.Result(); r != bg.Unfinished {
		return true
	}
	_, ok := s.lookup(pl, pos)
	return ok
}
