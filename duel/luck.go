package duel

import (
	"kotra/bg"
	"kotra/movegen"
)

// A valuer turns probabilities into cubeless equities, finished games included.
type valuer struct{ Evaluator }

// value returns the equity of pos for the player on roll.
func (v valuer) value(pos *bg.Position) float64 {
	if r, won := pos.Result(); r != bg.Unfinished {
		if won {
			return float64(r)
		}
		return -float64(r)
	}
	p := v.Evaluate(pos)
	return float64(p.Equity())
}

// best returns the index of the play that is worth most to the player who makes it, the
// earliest among equals, and what it is worth.
func (v valuer) best(plays []movegen.Play) (index int, equity float64) {
	for i := range plays {
		if eq := -v.value(&plays[i].Result); i == 0 || eq > equity {
			index, equity = i, eq
		}
	}
	return index, equity
}

// bestResult returns what the best of results is worth to the player who reached them.
func (v valuer) bestResult(results []bg.Position) float64 {
	equity := -v.value(&results[0])
	for i := 1; i < len(results); i++ {
		equity = max(equity, -v.value(&results[i]))
	}
	return equity
}

// luck returns how much better than the mean of all rolls the roll dice is for the player on
// roll, in points for a cube of 1. The opening roll of a game is never a double.
func (v valuer) luck(pos *bg.Position, dice bg.Dice, opening bool, scratch *[]bg.Position) float64 {
	dice = dice.Sorted()
	var actual, sum float64
	outcomes := 0
	for _, roll := range bg.Rolls() {
		if opening && roll.Dice.Double() {
			continue
		}
		*scratch = movegen.Results((*scratch)[:0], pos, roll.Dice)
		eq := v.bestResult(*scratch)
		sum += float64(roll.Weight) * eq
		outcomes += roll.Weight
		if roll.Dice == dice {
			actual = eq
		}
	}
	return actual - sum/float64(outcomes)
}
