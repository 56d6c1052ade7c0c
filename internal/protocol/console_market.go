package protocol

import (
	"kotra/bg"
	"kotra/cube"
)

// seenBy returns the state before the roll with the given player on roll.
func seenBy(state bg.State, player int) bg.State {
	state.Doubled, state.Beavers, state.Resigned = false, 0, bg.Unfinished
	if state.Seat != player {
		passTurn(&state)
	}
	state.Dice = bg.Dice{}
	return state
}

// showMarketWindow writes between which chances of winning doubles are right, for both players,
// with gammons at the shares that they have in the position.
func (s *consoleSession) showMarketWindow(string) {
	if s.game.state.Status == bg.NotStarted {
		s.println("No game in progress (type `new game' to start one).")
		return
	}
	var states [2]bg.State
	var probs [2]bg.Probs
	probs[s.game.state.Seat] = s.Engine.Static(&s.game.state.Position)
	probs[1-s.game.state.Seat] = probs[s.game.state.Seat].Flip()
	for i := range states {
		states[i] = seenBy(s.game.state, i)
		p := &probs[i]
		s.printf("Player %-25s: gammon rate %6.2f%%, bg rate %6.2f%%\n", s.players[i].name, percentOf(p.WinGammon, p.Win), percentOf(p.WinBackgammon, p.Win))
	}
	s.printf("\n\n")
	for i := range states {
		if i > 0 {
			s.printf("\n")
		}
		if states[i].Score.Money() {
			s.marketMoney(i, states[i], &probs[i])
		} else {
			s.marketMatch(i, states[i], &probs[i])
		}
	}
}

func percentOf(part, whole float32) float64 {
	if whole <= 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// window returns the points of the cube decision of state if the cube is dead or live.
func (s *consoleSession) window(state *bg.State, p *bg.Probs, live float64) cube.Window {
	game := cube.New(cube.InfoOf(state, s.Table))
	var leaf cube.Leaf
	leaf.Set(p, game.State())
	return leaf.Window(game.State(), live)
}

func (s *consoleSession) marketMatch(player int, state bg.State, p *bg.Probs) {
	dead, live := s.window(&state, p, 0), s.window(&state, p, 1)
	s.printf("Player %s market window:\n\n", s.players[player].name)
	s.printf("Dead cube: %6.2f%% - %6.2f%%\nLive cube: %5.2f%% - %6.2f%%\n", 100*dead.Double, 100*dead.Cash, 100*dead.Double, 100*live.Cash)
}

func (s *consoleSession) marketMoney(player int, state bg.State, p *bg.Probs) {
	s.printf("Player %s cube parameters:\n\nCube parameter               Dead Cube      Live Cube\n", s.players[player].name)
	centered, owned, theirs := state, state, state
	centered.Cube.Owner, owned.Cube.Owner, theirs.Cube.Owner = bg.Centered, bg.OnRoll, bg.Opponent
	row := func(label string, at func(live float64) float64) {
		s.printf("%-29s%7.3f%%      %6.3f%%\n", label, 100*at(0), 100*at(1))
	}
	row("Take Point (TP)", func(x float64) float64 { return s.window(&centered, p, x).Take })
	row("Beaver Point (BP)", func(x float64) float64 { return s.evenPoint(&owned, p, x) })
	row("Raccoon Point (RP)", func(x float64) float64 { return s.evenPoint(&theirs, p, x) })
	row("Initial Double Point (IDP)", func(x float64) float64 { return s.window(&centered, p, x).Double })
	row("Redouble Point (RDP)", func(x float64) float64 { return s.window(&owned, p, x).Double })
	row("Cash Point (CP)", func(x float64) float64 { return s.window(&owned, p, x).Cash })
	row("Too good Point (TGP)", func(x float64) float64 { return s.window(&owned, p, x).TooGood })
}

// evenPoint returns the chance of winning from which on state is worth more than nothing, with
// gammons at the shares of p.
func (s *consoleSession) evenPoint(state *bg.State, p *bg.Probs, live float64) float64 {
	game := cube.New(cube.InfoOf(state, s.Table))
	share := func(part, whole float32) float32 {
		if whole <= 0 {
			return 0
		}
		return part / whole
	}
	wg, wbg := share(p.WinGammon, p.Win), share(p.WinBackgammon, p.Win)
	lg, lbg := share(p.LoseGammon, 1-p.Win), share(p.LoseBackgammon, 1-p.Win)
	low, high := float32(0), float32(1)
	for range 30 {
		x := (low + high) / 2
		var leaf cube.Leaf
		leaf.Set(&bg.Probs{Win: x, WinGammon: x * wg, WinBackgammon: x * wbg, LoseGammon: (1 - x) * lg, LoseBackgammon: (1 - x) * lbg}, game.State())
		if leaf.NoDouble(game.State(), live) >= 0 {
			high = x
		} else {
			low = x
		}
	}
	return float64(high)
}

// showGammonValues writes what gammons and backgammons are worth to both players beyond a single
// win, in units of half the difference between a win and a loss.
func (s *consoleSession) showGammonValues(string) {
	if s.game.state.Status == bg.NotStarted {
		s.println("No game in progress (type `new game' to start one).")
		return
	}
	s.printf("Player           Gammon value    Backgammon value\n")
	for i := range s.players {
		state := seenBy(s.game.state, i)
		game := cube.New(cube.InfoOf(&state, s.Table))
		prices := game.GammonPrices()
		s.printf("%-17s%-16.5f%.5f\n", s.players[i].name, prices.WinGammon, prices.WinGammon+prices.WinBackgammon)
	}
}
