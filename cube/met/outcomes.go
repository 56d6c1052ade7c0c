package met

import "kotra/bg"

// Outcomes are the match winning chances of the player on roll after each result of a game, by
// [bg.Result] minus 1: index 0 is a single game, 1 a gammon, 2 a backgammon.
type Outcomes struct {
	Win, Lose [3]MWC
}

// Outcomes returns the chances of the player on roll after a game at score s with a cube of
// the given value. The rules decide whether there is a Crawford game and whether a backgammon
// counts 2 or 3. It panics for a money game.
func (t *Table) Outcomes(s bg.Score, cube int, rules bg.Rules) Outcomes {
	var o Outcomes
	for i := range o.Win {
		factor := i + 1
		if factor == 3 && rules.DoubleBackgammon {
			factor = 2
		}
		o.Win[i] = t.After(s, rules, factor*cube, true)
		o.Lose[i] = t.After(s, rules, factor*cube, false)
	}
	return o
}

// Flip returns o seen by the other player.
func (o *Outcomes) Flip() Outcomes {
	var f Outcomes
	for i := range o.Win {
		f.Win[i], f.Lose[i] = 1-o.Lose[i], 1-o.Win[i]
	}
	return f
}

// Mean returns the match winning chance of the player on roll if the game is played to its end
// with the cube as it is and ends as p says.
func (o *Outcomes) Mean(p *bg.Probs) MWC {
	win, lose := MWC(p.Win), 1-MWC(p.Win)
	return o.Lose[0]*lose + o.Win[0]*win +
		MWC(p.WinGammon)*(o.Win[1]-o.Win[0]) + MWC(p.WinBackgammon)*(o.Win[2]-o.Win[1]) -
		MWC(p.LoseGammon)*(o.Lose[0]-o.Lose[1]) - MWC(p.LoseBackgammon)*(o.Lose[1]-o.Lose[2])
}

// MWC returns the match winning chance that is worth the equity eq: linear, with a single win
// at +1 and a single loss at -1. It may lie outside [0, 1].
func (o *Outcomes) MWC(eq bg.Equity) MWC {
	return (o.Win[0]+o.Lose[0])/2 + MWC(eq)*(o.Win[0]-o.Lose[0])/2
}

// Equity returns the equity (EMG) that a match winning chance is worth, the inverse of
// [Outcomes.MWC]. It is 0 if winning and losing the game come to the same, which no table of
// real matches has.
func (o *Outcomes) Equity(m MWC) bg.Equity {
	stake := o.Win[0] - o.Lose[0]
	if stake == 0 {
		return 0
	}
	return bg.Equity((2*m - o.Win[0] - o.Lose[0]) / stake)
}

// GammonPrices are what a gammon is worth beyond a single game, and a backgammon beyond a
// gammon, relative to the difference between winning and losing a single game. For money each
// is 1/2; 0 means that it is worth nothing.
type GammonPrices struct {
	WinGammon, WinBackgammon, LoseGammon, LoseBackgammon float64
}

// GammonPrices returns the gammon prices of o for the player on roll and, for losses, his
// opponent.
func (o *Outcomes) GammonPrices() GammonPrices {
	stake := float64(o.Win[0] - o.Lose[0])
	if stake == 0 {
		return GammonPrices{}
	}
	return GammonPrices{
		WinGammon:      float64(o.Win[1]-o.Win[0]) / stake,
		WinBackgammon:  float64(o.Win[2]-o.Win[1]) / stake,
		LoseGammon:     float64(o.Lose[0]-o.Lose[1]) / stake,
		LoseBackgammon: float64(o.Lose[1]-o.Lose[2]) / stake,
	}
}

// TakePoint returns the winning chance, without gammons, at which the player on roll may just
// take a double from the given cube to twice its value if nobody ever doubles again. It is 0
// if a take can cost nothing.
func (t *Table) TakePoint(s bg.Score, cube int, rules bg.Rules) float64 {
	single, doubled := t.Outcomes(s, cube, rules), t.Outcomes(s, 2*cube, rules)
	stake := doubled.Win[0] - doubled.Lose[0]
	if stake == 0 {
		return 0
	}
	return float64((single.Lose[0] - doubled.Lose[0]) / stake)
}

// CashPoint is the [Table.TakePoint] of the opponent seen by the player on roll: the winning
// chance above which a double from the given cube is a pass.
func (t *Table) CashPoint(s bg.Score, cube int, rules bg.Rules) float64 {
	return 1 - t.Flip().TakePoint(s.Flip(), cube, rules)
}
