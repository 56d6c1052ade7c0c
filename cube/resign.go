package cube

import "kotra/bg"

// MaxLoss returns the most that the player on roll can still lose: a single game once he has a
// checker off, and at most a gammon once he has passed all opposing checkers and left the
// opponent's home board.
func MaxLoss(pos *bg.Position) bg.Result {
	switch {
	case pos.OnRoll[bg.Off] > 0:
		return bg.Single
	case !pos.Contact() && pos.OnRoll.Rearmost() <= 18:
		return bg.Gammon
	}
	return bg.Backgammon
}

// hopeless is how much equity a player may give away by resigning, in units of the cube of the
// state, and by accepting a resignation that is a shade too small. The chances of a network are
// not better than that.
const hopeless = 5e-4

// Resign returns what the player on roll in s should offer to resign when playing on is worth
// v to him: the smallest result that his opponent should accept, if it costs no more than
// playing on, and [bg.Unfinished] if it is better to play on. It never offers more than the
// position can lose.
func (s State) Resign(pos *bg.Position, v Value) bg.Result {
	for r := bg.Single; r <= MaxLoss(pos); r++ {
		if s.Settle(r, false) < v-s.slack() {
			break
		}
		if s.AcceptResignation(pos, r, v) {
			return r
		}
	}
	return bg.Unfinished
}

// AcceptResignation reports whether the opponent of the player on roll in s should accept his
// offer to lose r, when playing on is worth v to the player on roll.
func (s State) AcceptResignation(pos *bg.Position, r bg.Result, v Value) bool {
	return r >= MaxLoss(pos) || s.Settle(r, false) <= v+s.slack()
}

func (s State) slack() Value {
	return Value(hopeless * (s.pay().win[0] - s.pay().lose[0]) / 2)
}
