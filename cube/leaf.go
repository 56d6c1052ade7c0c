package cube

import "kotra/bg"

// A Leaf is the evaluation of a position made ready for the values of every [State] a [Game]
// can be in there. Fill it by [Leaf.Set]; the zero value is useless. It may be filled again and
// again, by one goroutine at a time. Nothing here allocates.
type Leaf struct {
	game   *Game
	player uint8
	// The chance to win and, of games won and lost, the shares of gammons and backgammons.
	p, winGammon, winBackgammon, loseGammon, loseBackgammon float64

	// Live-cube points, as winning chances of the player on roll, by level: take[n] where the
	// opponent's double from level n may just be taken, cash[n] where his own just makes the
	// opponent pass. For an unlimited cube only index 0 is filled, all levels being equal.
	take, cash [maxLevels]float64
}

// Set fills l with the evaluation p of a position, seen by its player on roll, who must be the
// one on roll in s. It then answers for every state of the same game with that player on roll.
func (l *Leaf) Set(p *bg.Probs, s State) {
	l.game, l.player = s.game, s.player
	l.p = min(max(float64(p.Win), 0), 1)
	l.winGammon = share(float64(p.WinGammon), l.p)
	l.winBackgammon = share(float64(p.WinBackgammon), l.p)
	l.loseGammon = share(float64(p.LoseGammon), 1-l.p)
	l.loseBackgammon = share(float64(p.LoseBackgammon), 1-l.p)
	if l.game.unlimited {
		l.setUnlimited()
	} else {
		l.setLevels()
	}
}

func share(part, of float64) float64 {
	if part <= 0 || of <= 0 {
		return 0
	}
	return min(part/of, 1)
}

// means returns the mean values of games won and lost at a level with all gammons counted.
func (l *Leaf) means(level uint8) (win, lose float64) {
	pay := &l.game.pay[l.player][level]
	win = pay.win[0] + l.winGammon*(pay.win[1]-pay.win[0]) + l.winBackgammon*(pay.win[2]-pay.win[1])
	lose = pay.lose[0] + l.loseGammon*(pay.lose[1]-pay.lose[0]) + l.loseBackgammon*(pay.lose[2]-pay.lose[1])
	return win, lose
}

// setUnlimited finds the live take and cash points for money, where they are the same at every
// level: Janowski's (L - 1/2) / (W + L + 1/2) and (L + 1) / (W + L + 1/2).
func (l *Leaf) setUnlimited() {
	win, lose := l.means(0)
	unit := l.game.pay[l.player][0].win[0]
	w, ls := win/unit, -lose/unit
	l.take[0] = (ls - .5) / (w + ls + .5)
	l.cash[0] = (ls + 1) / (w + ls + .5)
}

// setLevels finds the live take and cash points from the highest cube down. At the top, where
// the cube is of no use to either, the game is played out.
func (l *Leaf) setLevels() {
	pay := &l.game.pay[l.player]
	for n := l.game.top - 1; n >= 0; n-- {
		up := uint8(n + 1)
		win, lose := l.means(up)
		// After our double the opponent owns the cube, after his we do.
		low, _ := l.knots(up, win, lose, true, false)
		l.cash[n] = cross(low, knot{1, win}, pay[n].win[0])
		_, high := l.knots(up, win, lose, false, true)
		l.take[n] = cross(knot{0, lose}, high, pay[n].lose[0])
	}
}

// A knot is a point of the line of live values: a winning chance and what it is worth.
type knot struct{ p, value float64 }

// knots returns the ends of the line of live values at a level where the opponent and the
// player on roll may double as told. They are the double that may just be taken, by either; or
// the mean result of the game where there is no double, or where it is so good to play on for a
// gammon that the double is useless.
func (l *Leaf) knots(level uint8, win, lose float64, opponent, onRoll bool) (low, high knot) {
	pay := &l.game.pay[l.player][level]
	low, high = knot{0, lose}, knot{1, win}
	index := level
	if l.game.unlimited {
		index = 0
	}
	opponent = opponent && l.game.live[l.player^1][level]
	onRoll = onRoll && l.game.live[l.player][level]
	take, cash := low, high
	if opponent {
		take = knot{l.take[index], pay.lose[0]}
	}
	if onRoll {
		cash = knot{l.cash[index], pay.win[0]}
	}
	if opponent && take.value <= lineAt(low, cash, take.p) {
		low = take
	}
	if onRoll && cash.value >= lineAt(take, high, cash.p) {
		high = cash
	}
	return low, high
}

// lineAt returns the value at p of the line through two knots.
func lineAt(a, b knot, p float64) float64 {
	if b.p <= a.p {
		return (a.value + b.value) / 2
	}
	return a.value + (b.value-a.value)*(p-a.p)/(b.p-a.p)
}

// cross returns where the line between two knots reaches a value, or the nearer knot.
func cross(a, b knot, value float64) float64 {
	switch {
	case value <= a.value:
		return a.p
	case value >= b.value:
		return b.p
	}
	return a.p + (b.p-a.p)*(value-a.value)/(b.value-a.value)
}

// ends returns the mean values of games won and lost with the cube of s as it is.
func (l *Leaf) ends(s State) (win, lose float64) {
	if s.gammonsOff() {
		return s.pay().win[0], s.pay().lose[0]
	}
	return l.means(s.level)
}

// Dead returns the value to the player on roll if the cube of s is not turned again, except
// where that costs nothing: a player whom a lost game costs the same with a doubled cube, as
// the trailer after the Crawford game, doubles at once.
func (l *Leaf) Dead(s State) Value {
	win, lose := l.ends(s)
	v := Value(l.p*win + (1-l.p)*lose)
	if s.owner != bg.Opponent && s.game.free[s.player][s.level] {
		v = max(v, min(s.PassValue(), l.Dead(s.Double())))
	}
	if s.owner != bg.OnRoll && s.game.free[s.player^1][s.level] {
		f := s.Flip()
		v = min(v, max(-f.PassValue(), l.Dead(f.Double().Flip())))
	}
	return v
}

// Live returns the value to the player on roll if both players can turn the cube at the very
// moment when the other is indifferent between a take and a pass.
//
// It is linear in the winning chance between those points, with the gammon shares of the
// position held fixed, and from them to the mean loss at 0 and the mean win at 1.
func (l *Leaf) Live(s State) Value {
	win, lose := l.ends(s)
	low, high := l.knots(s.level, win, lose, s.owner != bg.OnRoll, s.owner != bg.Opponent)
	switch {
	case l.p < low.p:
		return Value(lineAt(knot{0, lose}, low, l.p))
	case l.p > high.p:
		return Value(lineAt(high, knot{1, win}, l.p))
	}
	return Value(lineAt(low, high, l.p))
}

// NoDouble returns the value to the player on roll if he does not double on this turn: between
// [Leaf.Dead] for an efficiency x of 0 and [Leaf.Live] for 1. See [Efficiency].
func (l *Leaf) NoDouble(s State, x float64) Value {
	return Value(x)*l.Live(s) + Value(1-x)*l.Dead(s)
}

// Value returns the value to the player on roll before he decides whether to double: the better
// of no double and of a double that the opponent answers to his own best.
func (l *Leaf) Value(s State, x float64) Value {
	v := l.NoDouble(s, x)
	if !s.Live() {
		return v
	}
	return max(v, min(l.NoDouble(s.Double(), x), s.PassValue()))
}
