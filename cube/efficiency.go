package cube

// An Efficiency says how much of the difference between a dead and a fully live cube is real,
// from 0 to 1, Janowski's x, by class of position. The zero value is a dead cube everywhere.
type Efficiency struct {
	Contact, Crashed, Bearoff float64
	// A race of n pips for the player on roll has RaceBase + n·RacePerPip, within the bounds.
	RaceBase, RacePerPip, RaceMin, RaceMax float64
}

// DefaultEfficiency returns starting values, which are to be fitted to cubeful rollouts: 0.68
// for contact and crashed positions, 0.6 for bearoffs, and 0.55 + 0.00125 a pip between 0.6 and
// 0.7 for races. Janowski estimated 0.55 to 0.8, on average about 2/3; that long races
// have livelier cubes than short ones is his observation too.
func DefaultEfficiency() Efficiency {
	return Efficiency{
		Contact: .68, Crashed: .68, Bearoff: .6,
		RaceBase: .55, RacePerPip: .00125, RaceMin: .6, RaceMax: .7,
	}
}

// Race returns the efficiency in a race in which the player on roll has the given pip count.
func (e *Efficiency) Race(pips int) float64 {
	return min(max(e.RaceBase+e.RacePerPip*float64(pips), e.RaceMin), e.RaceMax)
}
