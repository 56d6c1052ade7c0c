package duel

import (
	"kotra/bg"
	"kotra/cube/met"
	"kotra/movegen"
)

// A valuer judges positions, finished games included.
type valuer struct{ Evaluator }

// probs returns how the game of pos ends, for the player on roll.
func (v valuer) probs(pos *bg.Position) bg.Probs {
	if r, won := pos.Result(); r != bg.Unfinished {
		return bg.Decided(r, won)
	}
	return v.Evaluate(pos)
}

// A payoff is what probabilities are worth to one player: linear in them, without regard to
// later use of the cube.
type payoff struct{ base, win, winGammon, winBackgammon, loseGammon, loseBackgammon float64 }

// value returns what the chances p are worth to the player who owns the payoff and has just
// moved; p is seen by his opponent.
func (y *payoff) value(p *bg.Probs) float64 {
	return y.base + y.win*float64(1-p.Win) +
		y.winGammon*float64(p.LoseGammon) + y.winBackgammon*float64(p.LoseBackgammon) +
		y.loseGammon*float64(p.WinGammon) + y.loseBackgammon*float64(p.WinBackgammon)
}

// cubeless is the payoff of a game for points with a cube of 1.
var cubeless = payoff{-1, 2, 1, 1, -1, -1}

// payoff returns what the game of s is played for: points for money, and in a match the
// winning chance, doubled to be on the scale of -1 to 1.
func (c *Config) payoff(s *bg.State) payoff {
	if s.Score.Money() {
		v := float64(s.Cube.Value)
		y := payoff{-v, 2 * v, v, v, -v, -v}
		if c.Rules.Jacoby && s.Cube.Owner == bg.Centered {
			y = payoff{-v, 2 * v, 0, 0, 0, 0}
		}
		if c.Rules.DoubleBackgammon {
			y.winBackgammon, y.loseBackgammon = 0, 0
		}
		return y
	}
	o := met.KazarossXG2().Outcomes(s.Score, s.Cube.Value, c.Rules)
	step := func(from, to met.MWC) float64 { return 2 * float64(to-from) }
	return payoff{
		base: step(0.5, o.Lose[0]), win: step(o.Lose[0], o.Win[0]),
		winGammon: step(o.Win[0], o.Win[1]), winBackgammon: step(o.Win[1], o.Win[2]),
		loseGammon: step(o.Lose[0], o.Lose[1]), loseBackgammon: step(o.Lose[1], o.Lose[2]),
	}
}

// best returns the index of the play whose result is worth most to the player who makes it,
// the earliest among equals.
func (v valuer) best(plays []movegen.Play, y *payoff) int {
	index, most := 0, 0.0
	for i := range plays {
		p := v.probs(&plays[i].Result)
		if worth := y.value(&p); i == 0 || worth > most {
			index, most = i, worth
		}
	}
	return index
}

// bestResult returns what the best of results is worth to the player who reached them.
func (v valuer) bestResult(results []bg.Position, y *payoff) float64 {
	most := 0.0
	for i := range results {
		p := v.probs(&results[i])
		if worth := y.value(&p); i == 0 || worth > most {
			most = worth
		}
	}
	return most
}

// luck returns how much better than the mean of all rolls the roll dice is for the player on
// roll, in units of y. The opening roll of a game is never a double.
func (v valuer) luck(pos *bg.Position, dice bg.Dice, opening bool, y *payoff, scratch *[]bg.Position) float64 {
	dice = dice.Sorted()
	var actual, sum float64
	outcomes := 0
	for _, roll := range bg.Rolls() {
		if opening && roll.Dice.Double() {
			continue
		}
		*scratch = movegen.Results((*scratch)[:0], pos, roll.Dice)
		worth := v.bestResult(*scratch, y)
		sum += float64(roll.Weight) * worth
		outcomes += roll.Weight
		if roll.Dice == dice {
			actual = worth
		}
	}
	return actual - sum/float64(outcomes)
}
