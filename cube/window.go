package cube

// A Window holds the winning chances at which the cube actions of a position change, seen by
// the player on roll, with its gammon shares held fixed.
type Window struct {
	// Take is the chance from which on he may take a double by the opponent: 0 if a take is
	// always right or the opponent has no double.
	Take float64
	// Double, Cash and TooGood are where a double becomes right, where the opponent has to pass,
	// and where it is better to play on for a gammon. Each is 1 if that never happens. The
	// doubling window is from Take to Cash.
	Double, Cash, TooGood float64
}

// Window returns the window of the position in l for the cube of s and an efficiency x: 0 for a
// dead cube, 1 for a live one.
func (l *Leaf) Window(s State, x float64) Window {
	w := Window{Take: 0, Double: 1, Cash: 1, TooGood: 1}
	at := *l // its winning chance is varied
	if f := s.Flip(); f.Live() {
		taken, pass := f.Double().Flip(), -f.PassValue()
		w.Take = at.first(1, func() bool { return at.NoDouble(taken, x) >= pass })
	}
	if !s.Live() {
		return w
	}
	taken, pass := s.Double(), s.PassValue()
	w.Cash = at.first(1, func() bool { return at.NoDouble(taken, x) >= pass })
	w.TooGood = at.first(1, func() bool { return at.NoDouble(s, x) > pass+noise })
	w.Double = at.first(w.Cash, func() bool { return at.NoDouble(taken, x) >= at.NoDouble(s, x)-noise })
	return w
}

// noise is above the rounding of sums in double precision.
const noise = 1e-9

// first returns the lowest winning chance up to limit at which ok holds, which must hold from
// there on, or 1 if it does not hold at the limit.
func (l *Leaf) first(limit float64, ok func() bool) float64 {
	l.p = limit
	if !ok() {
		return 1
	}
	low, high := 0., limit
	for range 40 {
		l.p = (low + high) / 2
		if ok() {
			high = l.p
		} else {
			low = l.p
		}
	}
	return high
}
