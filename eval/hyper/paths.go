package hyper

import (
	"slices"

	"kotra/bg"
)

// A path is a way to play a roll if nobody stands in the way: the position it leads to, and the
// points that checkers land on, bit p for point p as the mover sees it.
type path struct {
	land uint32
	to   uint16
}

// A choice is the paths of a roll that use the same dice. Only if none of them is open the next choice
// may be played.
type choice []path

// A rollPaths holds the choices of a roll, in the order of preference: more dice before fewer, and of
// single dice the larger. If all of them are blocked the side dances.
type rollPaths []choice

// rolls are the 21 rolls.
var rolls = bg.Rolls()

// pathsOf returns the choices of all rolls for the position t.
func pathsOf(t trio) (all [len(rolls)]rollPaths) {
	for i, r := range rolls {
		all[i] = pathsOfRoll(t, r.Dice)
	}
	return all
}

func pathsOfRoll(t trio, dice bg.Dice) rollPaths {
	large, small := max(dice[0], dice[1]), min(dice[0], dice[1])
	start := []path{{0, uint16(t.number())}}
	if large == small {
		// One step after the other, as many as can be made.
		var byCount rollPaths
		for range 4 {
			if start = steps(start, large); len(start) == 0 {
				break
			}
			byCount = append(byCount, start)
		}
		slices.Reverse(byCount)
		return byCount
	}
	first, second := steps(start, large), steps(start, small)
	both := append(steps(first, small), steps(second, large)...)
	return compact(rollPaths{unique(both), first, second})
}

func compact(all rollPaths) rollPaths {
	return slices.DeleteFunc(all, func(c choice) bool { return len(c) == 0 })
}

// steps returns all ways to go on from paths by one step of a die.
func steps(from []path, die uint8) choice {
	var all choice
	for _, p := range from {
		t := trios[p.to]
		for i, place := range t {
			if place == bg.Off || i > 0 && place == t[i-1] || t[0] == bg.Bar && place != bg.Bar {
				continue
			}
			to := uint8(bg.Off)
			if place > die {
				to = place - die
			} else if t[0] > 6 || place < die && place != t[0] {
				continue
			}
			next := t
			next[i] = to
			q := path{p.land, uint16(next.sorted().number())}
			if to != bg.Off {
				q.land |= 1 << to
			}
			all = append(all, q)
		}
	}
	return unique(all)
}

func unique(all choice) choice {
	slices.SortFunc(all, func(a, b path) int {
		if a.to != b.to {
			return int(a.to) - int(b.to)
		}
		return int(int64(a.land) - int64(b.land))
	})
	return slices.Compact(all)
}

// An obstacle is what a position of the other side means for paths, in the view of the mover.
type obstacle struct {
	blocked, blots uint32
	// after holds the other side's positions after hits, by the set of blots hit: bit i for hit[i].
	after [1 << Checkers]uint16
	hit   [Checkers]uint32
}

func obstacleOf(t trio) (o obstacle) {
	var at [Checkers]int // the checker that is blot i
	n := 0
	for i, place := range t {
		if place == bg.Off || place == bg.Bar {
			continue
		}
		bit := uint32(1) << (25 - place)
		if i > 0 && t[i-1] == place || i+1 < Checkers && t[i+1] == place {
			o.blocked |= bit
			continue
		}
		o.blots |= bit
		o.hit[n], at[n] = bit, i
		n++
	}
	for set := range 1 << n {
		next := t
		for i := range n {
			if set>>i&1 != 0 {
				next[at[i]] = bg.Bar
			}
		}
		o.after[set] = uint16(next.sorted().number())
	}
	return o
}

// afterHit returns the other side's position after it has been hit on the points of land.
func (o *obstacle) afterHit(land uint32) int {
	set := 0
	for i, bit := range o.hit {
		if land&bit != 0 {
			set |= 1 << i
		}
	}
	return int(o.after[set])
}
