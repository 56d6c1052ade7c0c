package hyper

import (
	"cmp"
	"slices"

	"kotra/bg"
)

// Checkers is the number of checkers of a side.
const Checkers = 3

// Positions is the number of positions of a side: ways to put the checkers on 24 points, the bar or
// off.
const Positions = 26 * 27 * 28 / 6

const sides = Positions

// A trio is a position of a side: the places of its checkers, the highest first.
type trio [Checkers]uint8

func (t trio) sorted() trio {
	slices.SortFunc(t[:], func(a, b uint8) int { return cmp.Compare(b, a) })
	return t
}

func (t trio) pips() int { return int(t[0]) + int(t[1]) + int(t[2]) }

// rank numbers the trios by the combinatorial number system, in [0, sides).
func (t trio) rank() int {
	a, b, c := int(t[0]), int(t[1]), int(t[2])
	return a*(a+1)*(a+2)/6 + b*(b+1)/2 + c
}

// trios holds all trios, those with fewer pips first: position 0 has all checkers off.
// numbers holds their numbers by rank.
var trios, numbers = func() (all [sides]trio, numbers [sides]uint16) {
	each := func(do func(t trio)) {
		for a := range uint8(bg.Bar + 1) {
			for b := range a + 1 {
				for c := range b + 1 {
					do(trio{a, b, c})
				}
			}
		}
	}
	var next [Checkers*bg.Bar + 2]int // by pips: the number of trios with fewer, then of those in place
	each(func(t trio) { next[t.pips()+1]++ })
	for pips := range Checkers * bg.Bar {
		next[pips+1] += next[pips]
	}
	each(func(t trio) {
		n := &next[t.pips()]
		all[*n] = t
		numbers[t.rank()] = uint16(*n)
		*n++
	})
	return all, numbers
}()

// number returns the number of t, which must be sorted.
func (t trio) number() int { return int(numbers[t.rank()]) }

// numberOf returns the number of s, and whether it has three checkers in all.
func numberOf(s *bg.Side) (int, bool) {
	var t trio
	n := 0
	for place := len(s) - 1; place >= 0; place-- {
		for range s[place] {
			if n == Checkers {
				return 0, false
			}
			t[n] = uint8(place)
			n++
		}
	}
	if n < Checkers {
		return 0, false
	}
	return t.number(), true
}
