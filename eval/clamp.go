package eval

import "kotra/bg"

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
func Clamp(pos *bg.Position, p *bg.Probs) {
	p.Win = unit(p.Win)
	p.WinGammon, p.WinBackgammon = unit(p.WinGammon), unit(p.WinBackgammon)
	p.LoseGammon, p.LoseBackgammon = unit(p.LoseGammon), unit(p.LoseBackgammon)

	if pos.OnRoll.Rearmost()+pos.Opponent.Rearmost() <= 24 {
		clampRace(pos, p)
	}
	if pos.Opponent[bg.Off] > 0 {
		p.WinGammon = 0
	}
	if pos.OnRoll[bg.Off] > 0 {
		p.LoseGammon = 0
	}
	p.WinGammon = min(p.WinGammon, p.Win)
	p.WinBackgammon = min(p.WinBackgammon, p.WinGammon)
	p.LoseGammon = min(p.LoseGammon, 1-p.Win)
	p.LoseBackgammon = min(p.LoseBackgammon, p.LoseGammon)
}

// unit returns p limited to [0, 1], and 0 for what is not a number.
func unit(p float32) float32 {
	if p > 0 {
		return min(p, 1)
	}
	return 0
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
	var pips, checkers, steps int // to bear off everything
	var pipsHome, stepsHome int   // to bring everything home
	var pipsLeft int              // from there to the ace point, at most
	var pipsOut, stepsOut int     // to leave the opponent's home board
	for point := s.Rearmost(); point > 0; point-- {
		n := int(s[point])
		checkers += n
		pips += n * point
		steps += n * ((point + 5) / 6)
		pipsLeft += n * (min(point, 6) - 1)
		if point > 6 {
			pipsHome += n * (point - 6)
			stepsHome += n * ((point - 1) / 6)
		}
		if point > 18 {
			pipsOut += n * (point - 18)
			stepsOut += n
		}
	}
	r := runner{
		turns:          turns{ceil(steps, 4), slowestOff(pips, checkers)},
		saveGammon:     turns{ceil(stepsHome+1, 4), ceil(pipsHome, 2) + min(slowestFirstOff, pipsLeft/3+1)},
		saveBackgammon: turns{ceil(stepsOut, 4), ceil(pipsOut, 2)},
	}
	if s[bg.Off] > 0 {
		r.saveGammon, r.saveBackgammon = turns{}, turns{}
	}
	return r
}

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
