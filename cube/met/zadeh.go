package met

import "fmt"

// zadehPost computes the chances of a trailer 1, 2, ... MaxAway away who doubles at once: he
// wins half of the games, a gammon with the rate given, and the leader's free drop at 2-away
// and 4-away costs him what the parameters say.
func (part *xmlPart) zadehPost() ([]MWC, error) {
	var v [3]float64
	for i, name := range []string{"gammon-rate-trailer", "free-drop-2-away", "free-drop-4-away"} {
		var err error
		if v[i], err = part.parameter(name); err != nil {
			return nil, err
		}
	}
	rate, drop2, drop4 := MWC(v[0]), MWC(v[1]), MWC(v[2])
	post := make([]MWC, MaxAway+1)
	at := func(i int) MWC {
		if i <= 0 {
			return 1
		}
		return post[i]
	}
	for i := 1; i <= MaxAway; i++ {
		post[i] = (rate*at(i-4) + (1-rate)*at(i-2)) / 2
		switch i {
		case 2:
			post[i] -= drop2
		case 4:
			post[i] -= drop4
		}
	}
	return post[1:], nil
}

// A zadehModel is the theory of Norman Zadeh, "On Doubling in Tournament Backgammon", Management
// Science 23 (1977), as far as its published outline goes: a game is a continuous random walk of
// the winning chance, begun at 1/2; a player doubles where the opponent may just pass, but the
// walk jumps, so that he really cashes when his chance is higher by delta; a game played out
// ends in a gammon with a fixed rate. GNU Backgammon's own numbers for the same parameters
// differ from ours, by 0.008 on average (rms) and at most 0.036 up to 15 points, mostly because it
// treats the Crawford game in another way.
type zadehModel struct {
	t *Table
	// For the leader and the trailer of the match, the one who doubles or wins.
	gammonRate, delta [2]MWC
}

// setZadeh fills the entries before the Crawford game. Those after it must be complete.
func (t *Table) setZadeh(part *xmlPart) error {
	z := zadehModel{t: t}
	for _, p := range []struct {
		name string
		dst  *MWC
	}{
		{"gammon-rate-leader", &z.gammonRate[0]},
		{"gammon-rate-trailer", &z.gammonRate[1]},
		{"delta", &z.delta[0]},
		{"delta-bar", &z.delta[1]},
	} {
		v, err := part.parameter(p.name)
		if err != nil {
			return fmt.Errorf("pre-crawford-table: %w", err)
		}
		*p.dst = MWC(v)
	}
	t.pre[1][1] = t.postTrailer[1]
	for far := 2; far <= MaxAway; far++ {
		for near := 1; near <= far; near++ {
			m := z.start(near, far)
			t.pre[near][far], t.pre[far][near] = m, 1-m
		}
		t.pre[far][far] = .5
	}
	return nil
}

// start returns the chance of the leader at the start of a game.
func (z *zadehModel) start(leader, trailer int) MWC {
	if leader == 1 { // the Crawford game
		g := z.gammonRate[1]
		return 1 - ((1-g)*z.t.PostCrawford(trailer-1, 1)+g*z.t.PostCrawford(trailer-2, 1))/2
	}
	low, lowValue := z.floor(leader, trailer, 1)
	high, highValue := z.ceiling(leader, trailer, 1)
	if high <= .5 || low >= .5 {
		return (lowValue + highValue) / 2
	}
	return min(max(lowValue+(.5-low)/(high-low)*(highValue-lowValue), lowValue), highValue)
}

// ceiling returns where the game ends upwards for a player mine-away who may turn the cube,
// and what it is then worth to him: where he cashes, or at 1 where the cube is no use.
func (z *zadehModel) ceiling(mine, theirs, cube int) (p, value MWC) {
	side := 0
	if mine > theirs {
		side = 1
	}
	played := z.gammons(side, mine, theirs, cube)
	if cube >= mine {
		return 1, played
	}
	cash := z.t.PreCrawford(mine-cube, theirs)
	// The value after a take runs from the opponent's own redouble up to the end of the game.
	low, lowValue := z.floor(mine, theirs, 2*cube)
	top := z.gammons(side, mine, theirs, 2*cube)
	if top <= lowValue {
		return 1, played
	}
	p = low + (cash-lowValue)/(top-lowValue)*(1-low) + z.delta[side]
	if p >= 1 {
		return 1, played
	}
	return p, cash
}

// floor is the opponent's ceiling, seen by the player who is mine-away.
func (z *zadehModel) floor(mine, theirs, cube int) (p, value MWC) {
	p, value = z.ceiling(theirs, mine, cube)
	return 1 - p, 1 - value
}

// gammons returns the chance after a game won at the given cube, with gammons.
func (z *zadehModel) gammons(side, mine, theirs, cube int) MWC {
	g := z.gammonRate[side]
	return (1-g)*z.t.PreCrawford(mine-cube, theirs) + g*z.t.PreCrawford(mine-2*cube, theirs)
}
