package eval

import (
	"encoding/binary"
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
	home, homePips := quarter(binary.LittleEndian.Uint64(s[1:9]))
	outer, outerPips := quarter(binary.LittleEndian.Uint64(s[7:15]))
	far, farPips := quarter(binary.LittleEndian.Uint64(s[13:21]))
	back, backPips := quarter(binary.LittleEndian.Uint64(s[18:26]) >> 8)

	// What it takes to bring everything home: points, and steps of at most six of them.
	outside := outer + far + back
	outsidePips, outsideSteps := outerPips+farPips+backPips+6*(far+2*back), outside+far+2*back
	checkers := home + outside
	r := runner{turns: turns{ceil(checkers+outsideSteps, 4), slowestOff(homePips+outsidePips+6*outside, checkers)}}
	if s[bg.Off] == 0 {
		left := homePips - home + 5*outside // points to the ace point, when everything is home
		r.saveGammon = turns{ceil(outsideSteps+1, 4), ceil(outsidePips, 2) + min(slowestFirstOff, left/3+1)}
		r.saveBackgammon = turns{ceil(back, 4), ceil(backPips, 2)}
	}
	return r
}

// quarter returns how many checkers stand on the six points whose counts are the lower bytes of points,
// and their pips: 1 for each on the first of the points to 6 on the last.
func quarter(points uint64) (checkers, pips int) {
	points &= 1<<48 - 1
	// Byte 5 of a product is the sum of the counts times the bytes of the factor, the last first.
	return int(points * 0x010101010101 >> 40 & 0xff), int(points * 0x010203040506 >> 40 & 0xff)
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
