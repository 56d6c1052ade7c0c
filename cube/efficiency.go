package cube

// An Efficiency says how much of the difference between a dead and a fully live cube is real,
// from 0 to 1, Janowski's x, by class of position. The zero value is a dead cube everywhere.
type Efficiency struct {
	Contact, Crashed, Bearoff float64
	// A race of n pips for the player on roll has RaceBase + n·RacePerPip, within the bounds.
	RaceBase, RacePerPip, RaceMin, RaceMax float64
}

// MoneyEfficiency returns the efficiencies for money, fitted by "kotra train efficiency": 738 samples of
// 72 cubeful trials at 0 ply gave 0.758 ± 0.012 for contact, 0.46 ± 0.06 for crashed positions, 0.738 ±
// 0.040 for bearoffs, and 0.798 ± 0.017 for races at 70 pips with 0.0019 more for each pip. That long races
// have livelier cubes than short ones is Janowski's observation too, who estimated 0.55 to 0.8.
func MoneyEfficiency() Efficiency {
	return Efficiency{
		Contact: .76, Crashed: .5, Bearoff: .74,
		RaceBase: .667, RacePerPip: .0019, RaceMin: .7, RaceMax: .9,
	}
}

// MatchEfficiency returns the efficiencies for matches. They are lower than the same fit finds at scores
// 3 to 11 away (0.81 for contact, 0.78 for races), because those find takes that are passes where the
// match is short; see docs/cube.md.
func MatchEfficiency() Efficiency {
	return Efficiency{
		Contact: .68, Crashed: .68, Bearoff: .6,
		RaceBase: .55, RacePerPip: .00125, RaceMin: .6, RaceMax: .7,
	}
}

// Efficiency returns [MoneyEfficiency] or [MatchEfficiency], as the game is.
func (i *Info) Efficiency() Efficiency {
	if i.Score.Money() {
		return MoneyEfficiency()
	}
	return MatchEfficiency()
}

// Race returns the efficiency in a race in which the player on roll has the given pip count.
func (e *Efficiency) Race(pips int) float64 {
	return min(max(e.RaceBase+e.RacePerPip*float64(pips), e.RaceMin), e.RaceMax)
}
