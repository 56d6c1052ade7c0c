package bg

// An Equity is an expected number of points for a cube of 1.
type Equity float64

// Probs are the chances of how a game ends, for the player on roll. They are cumulative: Win
// includes WinGammon, which includes WinBackgammon; LoseGammon includes LoseBackgammon.
type Probs struct {
	Win, WinGammon, WinBackgammon, LoseGammon, LoseBackgammon float32
}

// Equity returns the cubeless money equity of p in points, in [-3, 3], for the player on roll.
func (p *Probs) Equity() Equity {
	return Equity(2*p.Win - 1 + p.WinGammon - p.LoseGammon + p.WinBackgammon - p.LoseBackgammon)
}

// Flip returns p seen by the other player.
func (p *Probs) Flip() Probs {
	return Probs{
		Win:            1 - p.Win,
		WinGammon:      p.LoseGammon,
		WinBackgammon:  p.LoseBackgammon,
		LoseGammon:     p.WinGammon,
		LoseBackgammon: p.WinBackgammon,
	}
}

// AddScaled adds q times weight to p.
func (p *Probs) AddScaled(q *Probs, weight float32) {
	p.Win += float32(q.Win * weight)
	p.WinGammon += float32(q.WinGammon * weight)
	p.WinBackgammon += float32(q.WinBackgammon * weight)
	p.LoseGammon += float32(q.LoseGammon * weight)
	p.LoseBackgammon += float32(q.LoseBackgammon * weight)
}

// Scale multiplies p by weight.
func (p *Probs) Scale(weight float32) {
	var q Probs
	q.AddScaled(p, weight)
	*p = q
}

// Decided returns the probabilities of a finished game, for the player on roll.
func Decided(r Result, onRollWon bool) Probs {
	var p Probs
	if onRollWon {
		p.Win = 1
		if r >= Gammon {
			p.WinGammon = 1
		}
		if r == Backgammon {
			p.WinBackgammon = 1
		}
		return p
	}
	if r >= Gammon {
		p.LoseGammon = 1
	}
	if r == Backgammon {
		p.LoseBackgammon = 1
	}
	return p
}
