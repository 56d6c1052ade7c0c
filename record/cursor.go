package record

import (
	"fmt"

	"kotra/bg"
	"kotra/movegen"
)

// A cursor is the state of a game while its actions are replayed.
type cursor struct {
	match *Match
	game  *Game

	sides  [2]bg.Side
	cube   int
	owner  int // -1 centered
	onRoll int // who is expected to act; -1 at the start
	rolled bg.Dice

	doubled bool
	doubler int
	beavers int
	offered int // value of the cube if the last turn of it is accepted

	over *Outcome
}

func newCursor(m *Match, g *Game) *cursor {
	start := m.Rules.Variant.Start()
	return &cursor{
		match: m, game: g,
		sides: [2]bg.Side{start.OnRoll, start.Opponent},
		cube:  max(1, g.Cube), owner: -1, onRoll: -1,
	}
}

// position returns the board seen by a player.
func (c *cursor) position(player int) bg.Position {
	return bg.Position{OnRoll: c.sides[player], Opponent: c.sides[1-player]}
}

func (c *cursor) setPosition(pos *bg.Position, player int) {
	c.sides[player], c.sides[1-player] = pos.OnRoll, pos.Opponent
}

// state returns the state with the given player on roll.
func (c *cursor) state(player int) bg.State {
	s := bg.State{
		Position: c.position(player),
		Dice:     c.rolled,
		Cube:     bg.Cube{Value: c.cube, Owner: c.ownerFor(c.owner, player)},
		Rules:    c.match.Rules,
		Status:   bg.Playing,
		Seat:     player,
		Score: bg.Score{
			Length: c.match.Length, OnRoll: c.game.Score[player], Opponent: c.game.Score[1-player],
			Crawford: c.game.Crawford && !c.match.Money(),
		},
	}
	if c.doubled && c.doubler == player {
		s.Doubled, s.Dice, s.Beavers = true, bg.Dice{}, c.beavers
		if c.beavers > 0 {
			s.Cube = bg.Cube{Value: c.offered / 2, Owner: bg.Opponent}
		}
	}
	return s
}

func (c *cursor) ownerFor(owner, player int) bg.Owner {
	switch owner {
	case player:
		return bg.OnRoll
	case 1 - player:
		return bg.Opponent
	}
	return bg.Centered
}

// onRollFor returns the player whose roll it is when a acts.
func (c *cursor) onRollFor(a *Action) int {
	switch a.Kind {
	case Take, Pass, Beaver:
		if c.doubled {
			return c.doubler
		}
		return 1 - a.Player
	case Resign:
		if c.onRoll >= 0 {
			return c.onRoll
		}
	}
	return a.Player
}

// apply carries out a, which must have been completed before, and returns what is odd about it.
func (c *cursor) apply(a *Action) (odd []string) {
	note := func(format string, args ...any) { odd = append(odd, fmt.Sprintf(format, args...)) }
	if c.over != nil && a.Kind != Setup {
		note("%s after the game is over", a.Kind)
	}
	switch a.Kind {
	case Play, Unplayed:
		if c.doubled {
			c.accept()
		}
		if c.onRoll == 1-a.Player {
			note("%s rolls twice in a row", c.match.player(a.Player))
		}
		if a.Kind == Unplayed {
			c.rolled, c.onRoll = a.Dice, a.Player
			return odd
		}
		c.rolled = bg.Dice{}
		after := a.after(c.position(a.Player))
		c.setPosition(&after, 1-a.Player)
		c.onRoll = 1 - a.Player
		if r, won := after.Result(); r != bg.Unfinished && !won {
			s := c.state(a.Player)
			c.over = &Outcome{Winner: a.Player, Points: s.Points(r), Kind: r}
		}
	case Double:
		c.double(a, note)
	case Take:
		if !c.doubled {
			note("a take without a double")
			return odd
		}
		c.accept()
	case Beaver:
		if !c.doubled {
			note("a beaver without a double")
			return odd
		}
		c.beavers++
		c.offered *= 2
		if a.Cube != 0 && a.Cube != c.offered {
			note("the file gives the cube %d after the beaver, it is %d", a.Cube, c.offered)
		}
	case Pass:
		points := c.cube
		if c.doubled {
			points = c.offered / 2
		} else {
			note("a pass without a double")
		}
		c.doubled = false
		c.over = &Outcome{Winner: 1 - a.Player, Points: points, Kind: bg.Single, End: Passed}
	case Resign:
		c.doubled = false
		s := c.state(a.Player)
		c.over = &Outcome{Winner: 1 - a.Player, Points: s.Points(a.Amount), Kind: a.Amount, End: Resigned}
	case Setup:
		c.setup(a.Setup)
	}
	return odd
}

func (c *cursor) double(a *Action, note func(string, ...any)) {
	switch {
	case c.doubled:
		note("a double while another is offered")
		c.accept()
	case c.owner == 1-a.Player:
		note("%s doubles, but the cube is the opponent's", c.match.player(a.Player))
	case c.game.Crawford && !c.match.Money():
		note("a double in the Crawford game")
	case c.match.Rules.NoCube:
		note("a double in a match without a cube")
	}
	if c.onRoll == 1-a.Player {
		note("%s doubles out of turn", c.match.player(a.Player))
	}
	c.doubled, c.doubler, c.beavers, c.offered = true, a.Player, 0, 2*c.cube
	c.onRoll = a.Player
	if a.Cube != 0 && a.Cube != c.offered {
		note("the file gives the cube %d after the double, it is %d", a.Cube, c.offered)
	}
}

// accept makes the offered cube the opponent's of the player who doubled.
func (c *cursor) accept() {
	c.cube, c.owner, c.doubled, c.onRoll = c.offered, 1-c.doubler, false, c.doubler
}

func (c *cursor) setup(s *State) {
	c.doubled, c.rolled = false, s.Dice
	if s.Sides != nil {
		c.sides = *s.Sides
		c.over = nil
	}
	if s.OnRoll != nil {
		c.onRoll = *s.OnRoll
	}
	if s.Cube > 0 {
		c.cube = s.Cube
	}
	if s.Owner != nil {
		c.owner = *s.Owner
	}
}

// after returns the position after the play a from pos, seen by the opponent.
func (a *Action) after(pos bg.Position) bg.Position {
	if a.Result != nil {
		return *a.Result
	}
	return pos.After(a.Move)
}

// complete gives a play from pos its hits, or flags it as illegal.
func (a *Action) complete(pos bg.Position) {
	if a.Result != nil {
		a.completeIllegal(pos)
		return
	}
	a.Illegal = ""
	if a.Text != "" {
		a.Illegal = "the move cannot be read"
		after := pos.Flip()
		a.Result = &after
		return
	}
	play, err := movegen.Find(&pos, a.Dice, a.Move.Steps())
	if err == nil {
		if m, ok := asWritten(pos, a.Move, play.Result); ok {
			a.Move = m
		} else {
			a.Move = play.Move
		}
		return
	}
	a.Illegal = err.Error()
	m, after, ok := force(pos, a.Move)
	a.Move = m
	if !ok {
		a.Illegal += "; what the board does not allow is left out"
	}
	after = after.Flip()
	a.Result = &after
}

// completeIllegal judges a play whose result the file gives.
func (a *Action) completeIllegal(pos bg.Position) {
	if pos.After(a.Move) != *a.Result {
		a.Move = bg.Move{} // the position counts
	} else if play, err := movegen.Find(&pos, a.Dice, a.Move.Steps()); err == nil && play.Result == *a.Result {
		if m, ok := asWritten(pos, a.Move, play.Result); ok {
			play.Move = m
		}
		a.Move, a.Result, a.Illegal = play.Move, nil, ""
		return
	} else if a.Illegal == "" {
		a.Illegal = fmt.Sprint(err)
		if m, _, ok := force(pos, a.Move); ok {
			a.Move = m
		}
	}
	for _, p := range movegen.Plays(nil, &pos, a.Dice) {
		if p.Result == *a.Result {
			a.Move, a.Result, a.Illegal = p.Move, nil, ""
			return
		}
	}
	if a.Illegal == "" {
		a.Illegal = "no legal move leads to this position"
	}
}

// asWritten returns m with its hits if its steps can be carried out one after the other and
// lead to the result of the legal play.
func asWritten(pos bg.Position, m bg.Move, result bg.Position) (bg.Move, bool) {
	var out bg.Move
	for _, s := range m.Steps() {
		high := pos.OnRoll.Rearmost()
		if s.From > bg.Bar || pos.OnRoll[s.From] == 0 || pos.OnRoll[bg.Bar] > 0 && s.From != bg.Bar ||
			s.To >= s.From || s.From-s.To > 6 || s.To == bg.Off && high > 6 ||
			s.To != bg.Off && pos.Opponent[25-s.To] > 1 {
			return m, false
		}
		out = out.Append(pos.Play(s.From, s.To))
	}
	return out, pos.Flip() == result
}

// force carries out the steps of m that the board allows, whatever the rules say.
func force(pos bg.Position, m bg.Move) (done bg.Move, after bg.Position, all bool) {
	all = true
	for _, s := range m.Steps() {
		if s.From > bg.Bar || s.From == bg.Off || s.To >= bg.Bar || pos.OnRoll[s.From] == 0 ||
			s.To != bg.Off && pos.Opponent[25-s.To] > 1 {
			all = false
			continue
		}
		done = done.Append(pos.Play(s.From, s.To))
	}
	return done, pos, all
}

// player returns the name of a player.
func (m *Match) player(i int) string {
	if m.Players[i] != "" {
		return m.Players[i]
	}
	return fmt.Sprintf("player %d", i+1)
}
