package bearoff

import "kotra/bg"

// Tables answers from a two-sided table where that has the position, and otherwise from a
// one-sided one. Two may be nil, One may not.
type Tables struct {
	One *OneSided
	Two *TwoSided
}

// Covers reports whether one of the tables has pos.
func (t Tables) Covers(pos *bg.Position) bool { return t.One.Covers(pos) || t.two(pos) }

func (t Tables) two(pos *bg.Position) bool {
	if t.Two == nil {
		return false
	}
	_, ok := t.Two.Lookup(pos)
	return ok
}

// Probs returns the chances of the player on roll, who has not rolled yet, if nobody doubles. It
// panics if the tables do not cover pos. It does not allocate.
func (t Tables) Probs(pos *bg.Position) bg.Probs {
	if t.Two != nil {
		if eq, ok := t.Two.Lookup(pos); ok {
			return bg.Probs{Win: float32(eq.Win())}
		}
	}
	return t.One.Probs(pos)
}
