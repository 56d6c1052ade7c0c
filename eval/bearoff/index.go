package bearoff

import "kotra/bg"

// maxPoints is the largest number of points of a table. Up to 12 points two sides cannot be in
// contact, and no checker of a loser can stand in the winner's home board.
const maxPoints = 12

// homePoints is the number of points of a home board: from further out no checker is borne off.
const homePoints = 6

// An indexer numbers the ways to put up to a given number of checkers on a given number of
// points, from 0 for none.
//
// With suffix(p) checkers on point p and above, the number of a position is the sum over the
// points of C(suffix(p)+points-p, points-p+1), the combinatorial number system. It is a perfect
// hash. Positions with fewer checkers come first, and since a step lowers some suffix sums and
// raises none, each step leads to a lower number.
type indexer struct {
	points, checkers int
	size             int                       // number of positions
	terms            [maxPoints + 1][17]uint32 // by point and suffix sum
}

func newIndexer(points, checkers int) indexer {
	x := indexer{points: points, checkers: checkers, size: int(choose(points+checkers, points))}
	for p := 1; p <= points; p++ {
		for s := 1; s <= checkers; s++ {
			x.terms[p][s] = uint32(choose(s+points-p, points-p+1))
		}
	}
	return x
}

// choose returns the binomial coefficient of n over k.
func choose(n, k int) uint64 {
	c := uint64(1)
	for i := 1; i <= k; i++ {
		c = c * uint64(n-k+i) / uint64(i)
	}
	return c
}

// index returns the number of s and whether the table has it: no checker beyond its points and
// not more checkers in play than it has.
func (x *indexer) index(s *bg.Side) (uint32, bool) {
	for p := x.points + 1; p <= bg.Bar; p++ {
		if s[p] != 0 {
			return 0, false
		}
	}
	i, suffix := uint32(0), 0
	for p := x.points; p > 0; p-- {
		suffix += int(s[p])
		if suffix > x.checkers {
			return 0, false
		}
		i += x.terms[p][suffix]
	}
	return i, true
}

// counts sets the checkers on the points of position i, and nothing else, in dst.
func (x *indexer) counts(dst *[maxPoints + 1]uint8, i uint32) {
	above := x.checkers
	for p := 1; p <= x.points; p++ {
		suffix := above
		for x.terms[p][suffix] > i {
			suffix--
		}
		i -= x.terms[p][suffix]
		if p > 1 {
			dst[p-1] = uint8(above - suffix)
		}
		above = suffix
	}
	dst[x.points] = uint8(above)
}

// A mover lists the positions one step away from a position.
type mover struct {
	x       *indexer
	at      uint32
	counts  [maxPoints + 1]uint8
	lowered [maxPoints + 1]uint32 // by point p: how far bearing off from p lowers the number
	highest int
}

// set makes position i the one to move from.
func (m *mover) set(i uint32) {
	m.at = i
	m.x.counts(&m.counts, i)
	m.highest = 0
	suffix := 0
	var terms [maxPoints + 1]uint32
	for p := m.x.points; p > 0; p-- {
		suffix += int(m.counts[p])
		if suffix > 0 {
			m.highest = max(m.highest, p)
			terms[p] = m.x.terms[p][suffix] - m.x.terms[p][suffix-1]
		}
	}
	for p := 1; p <= m.x.points; p++ {
		m.lowered[p] = m.lowered[p-1] + terms[p]
	}
}

// steps sets dst to the positions reached by a step with the given die and returns their number
// and whether the last one bears a checker off. At most one does, and from any position with a
// checker there is a step.
func (m *mover) steps(dst *[maxPoints]uint32, die int) (n int, off bool) {
	for p := m.highest; p > die; p-- {
		if m.counts[p] > 0 {
			dst[n] = m.at - (m.lowered[p] - m.lowered[p-die])
			n++
		}
	}
	if m.highest > homePoints || m.highest == 0 {
		return n, false
	}
	from := min(die, m.highest)
	if m.counts[from] == 0 {
		return n, false
	}
	dst[n] = m.at - m.lowered[from]
	return n + 1, true
}
