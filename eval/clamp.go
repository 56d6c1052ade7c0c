package eval

import (
	"math"

	"kotra/bg"
	"kotra/nn"
)

// Clamp corrects p, an estimate for the unfinished position pos, to what pos allows:
//
//   - every probability is in [0, 1] and they are ordered: a gammon is a win, a backgammon a
//     gammon. What is not a number counts as 0.
//   - Nobody loses a gammon who has borne off a checker.
//   - Without contact a backgammon needs a checker of the loser in the winner's home board, and
//     it is 0 if all such checkers get out in time whatever the dice; so is a gammon, if the loser
//     surely bears off a checker in time.
//   - Without contact a race that no dice can turn is 1 or 0, and likewise the gammon and the
//     backgammon that no dice can avert.
//
// The bounds on the number of turns are safe rather than sharp: what is possible is never ruled
// out.
func Clamp(pos *bg.Position, p *bg.Probs) { clamp(pos, pos.Contact(), p) }

// clamp is Clamp where it is known whether pos has contact.
func clamp(pos *bg.Position, contact bool, p *bg.Probs) {
	limit(p, pos, contact, &[nn.Outputs]float32{
		unit(p.Win), unit(p.WinGammon), unit(p.WinBackgammon), unit(p.LoseGammon), unit(p.LoseBackgammon),
	})
}

// limit sets p to the outputs of a network, all between 0 and 1, after [Clamp].
//
// What waits for the outputs is kept short: a processor goes on to the next position only as long as it
// can remember all that waits. Checking the range here would cost a tenth of an evaluation.
func limit(p *bg.Probs, pos *bg.Position, contact bool, out *[nn.Outputs]float32) {
	p.Win, p.WinGammon, p.WinBackgammon, p.LoseGammon, p.LoseBackgammon = out[0], out[1], out[2], out[3], out[4]
	if !contact {
		clampRace(pos, p)
	}
	p.WinGammon = lesser(p.WinGammon*inPlay[pos.Opponent[bg.Off]%16], p.Win)
	p.WinBackgammon = lesser(p.WinBackgammon, p.WinGammon)
	p.LoseGammon = lesser(p.LoseGammon*inPlay[pos.OnRoll[bg.Off]%16], 1-p.Win)
	p.LoseBackgammon = lesser(p.LoseBackgammon, p.LoseGammon)
}

// inPlay is 1 for no checkers borne off, and 0 for any.
var inPlay = [16]float32{1}

// unit returns p limited to [0, 1], and 0 for what is not a number.
func unit(p float32) float32 {
	if p > 0 {
		return min(p, 1)
	}
	return 0
}

// lesser returns the lesser of two numbers of at least 0. The built-in min takes care of others too.
func lesser(a, b float32) float32 {
	return math.Float32frombits(min(math.Float32bits(a), math.Float32bits(b)))
}

// clampRace applies the bounds of a race, where nobody can stand in anybody's way.
func clampRace(pos *bg.Position, p *bg.Probs) {
	mine, theirs := newRunner(&pos.OnRoll), newRunner(&pos.Opponent)

	// The player on roll ends on his n-th turn, before the opponent's n-th.
	if mine.slowest <= theirs.fastest {
		p.Win = 1
	} else if theirs.slowest < mine.fastest {
		p.Win = 0
	}
	// When the player on roll wins on his n-th turn the opponent has had n-1; when the opponent
	// wins on his n-th turn the player on roll has had n.
	p.WinGammon = clampLoss(p.WinGammon, p.Win, theirs.saveGammon, mine.fastest-1, mine.slowest-1)
	p.LoseGammon = clampLoss(p.LoseGammon, 1-p.Win, mine.saveGammon, theirs.fastest, theirs.slowest)
	p.WinBackgammon = clampLoss(p.WinBackgammon, p.WinGammon, theirs.saveBackgammon, mine.fastest-1, mine.slowest-1)
	p.LoseBackgammon = clampLoss(p.LoseBackgammon, p.LoseGammon, mine.saveBackgammon, theirs.fastest, theirs.slowest)
}

// clampLoss corrects the probability p of losing more than a lesser loss, which has the
// probability lesser. The loser has at least few and at most many turns left.
func clampLoss(p, lesser float32, need turns, few, many int) float32 {
	switch {
	case need.slowest <= few:
		return 0
	case need.fastest > many:
		return lesser
	}
	return p
}

// turns bounds the number of turns something takes: fastest with the best dice, slowest with the
// worst dice and good play.
type turns struct{ fastest, slowest int }

// A runner is what one side of a race needs.
type runner struct {
	turns                // to bear off everything
	saveGammon     turns // to bear off one checker
	saveBackgammon turns // to leave the opponent's home board
}

// slowestFirstOff is the largest number of turns that a side with all checkers home may need to
// bear off its first one, for 5-4 and the like from a full six point clear no checker. Trying
// everything gives 9, with twelve checkers on the five and three on the three point.
const slowestFirstOff = 9

// newRunner returns the bounds for s, a side without contact.
//
// Fastest: a double moves four checkers, each at most six points nearer. Slowest: while a
// checker is outside, every die moves one at least one pip nearer, two dice at least two; once
// all are home, a turn that bears off none moves three pips at least; see also slowestOff.
func newRunner(s *bg.Side) runner {
	var sum uint64
	for point := 1; point < bg.Bar; point++ {
		sum += uint64(s[point]) * demands[point]
	}
	r := runner{turns: turns{ceil(of(sum, steps, 6), 4), slowestOff(of(sum, pips, 9), of(sum, checkers, 4))}}
	if s[bg.Off] == 0 {
		r.saveGammon = turns{
			ceil(of(sum, stepsHome, 6)+1, 4),
			ceil(of(sum, pipsHome, 9), 2) + min(slowestFirstOff, of(sum, pipsLeft, 7)/3+1),
		}
		r.saveBackgammon = turns{ceil(of(sum, stepsOut, 4), 4), ceil(of(sum, pipsOut, 7), 2)}
	}
	return r
}

// What a checker on a point needs stands in some bits of a number, from the named one on: so one
// multiplication adds up all of it, for up to 15 checkers.
const (
	checkers  = 0  // 4 bits
	pips      = 4  // 9 bits: to bear off everything
	steps     = 13 // 6 bits
	pipsHome  = 19 // 9 bits: to bring everything home
	stepsHome = 28 // 6 bits
	pipsLeft  = 34 // 7 bits: from there to the ace point, at most
	pipsOut   = 41 // 7 bits: to leave the opponent's home board
	stepsOut  = 48 // 4 bits
)

// of returns the number in some bits of sum.
func of(sum uint64, from, bits uint) int { return int(sum >> from & (1<<bits - 1)) }

// demands holds what a checker needs, by its point.
var demands = func() (table [bg.Bar]uint64) {
	for point := 1; point < bg.Bar; point++ {
		set := func(from uint, n int) { table[point] |= uint64(n) << from }
		set(checkers, 1)
		set(pips, point)
		set(steps, (point+5)/6)
		set(pipsLeft, min(point, 6)-1)
		if point > 6 {
			set(pipsHome, point-6)
			set(stepsHome, (point-1)/6)
		}
		if point > 18 {
			set(pipsOut, point-18)
			set(stepsOut, 1)
		}
	}
	return table
}()

// slowestOff bounds the turns that checkers with so many pips need. Two dice of which one is at
// least 2 take off three pips, for a die larger than needed bears off the highest checker, which
// takes off its pips; unless all checkers stand on the ace point, where they take off two
// checkers. So the worst is 2-1 for all pips but the aces at the end.
func slowestOff(pips, checkers int) int {
	aces := min(pips, checkers)
	return ceil(pips-aces, 3) + ceil(aces, 2) + 1
}

// ceil returns a/b rounded up.
func ceil(a, b int) int { return (a + b - 1) / b }
