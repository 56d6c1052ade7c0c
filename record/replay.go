package record

import "kotra/bg"

// A Moment is an action with the state before it.
type Moment struct {
	Action *Action
	// State is before the roll of a play, seen by the player on roll. While a double is offered
	// the player on roll is the one who has doubled.
	State bg.State
}

// A Replay is a game with the state before each action.
type Replay struct {
	Moments []Moment
	Final   bg.State // after the last action, seen by the player to act
}

// Replay returns the moments of g, a game of m that has been completed.
func (m *Match) Replay(g *Game) Replay {
	c := newCursor(m, g)
	r := Replay{Moments: make([]Moment, 0, len(g.Actions))}
	for i := range g.Actions {
		a := &g.Actions[i]
		player := c.onRollFor(a)
		if a.Kind == Play || a.Kind == Unplayed {
			if c.doubled {
				c.accept()
			}
			c.rolled = bg.Dice{}
		}
		r.Moments = append(r.Moments, Moment{a, c.state(player)})
		c.apply(a)
	}
	r.Final = c.state(max(0, c.onRoll))
	if c.over != nil {
		r.Final.Status = [...]bg.Status{BorneOff: bg.Over, Passed: bg.Dropped, Resigned: bg.Resigned}[c.over.End]
	}
	return r
}
