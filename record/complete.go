package record

import (
	"errors"
	"fmt"
	"slices"

	"kotra/bg"
	"kotra/movegen"
)

// Complete replays all games of m: it notes hits, flags illegal plays, adds a pass or resignation
// that the outcome of a game implies, derives the outcome where the file has none, and adds a
// warning for everything that does not fit.
//
// Readers call it once when all games are there. It infers the Jacoby rule for a money session
// whose file does not store it, from a gammon that counted as a single game.
func (m *Match) Complete() {
	m.inferJacoby()
	m.inferBeavers()
	for i, g := range m.Games {
		if i > 0 {
			m.checkScore(m.Games[i-1], g)
		}
		m.completeGame(g)
	}
}

// checkScore compares the score before a game with that after the one before it.
func (m *Match) checkScore(before, g *Game) {
	want := before.After()
	if want != g.Score && !(m.clip(want) == m.clip(g.Score)) {
		m.Warn(g.Line, g.Number, "game %d begins at %d-%d, but the score after game %d is %d-%d; the former is kept",
			g.Number, g.Score[0], g.Score[1], before.Number, want[0], want[1])
	}
	if !m.Money() && (want[0] >= m.Length || want[1] >= m.Length) {
		m.Warn(g.Line, g.Number, "game %d begins after the match has been won", g.Number)
	}
}

// clip returns score with points beyond the length of the match left out.
func (m *Match) clip(score [2]int) [2]int {
	if !m.Money() {
		score[0], score[1] = min(score[0], m.Length), min(score[1], m.Length)
	}
	return score
}

func (m *Match) completeGame(g *Game) {
	c := newCursor(m, g)
	for i := 0; i < len(g.Actions); i++ {
		if c.doubled && (g.Actions[i].Kind == Play || g.Actions[i].Kind == Unplayed) {
			// A beaver that is accepted, or a double without an answer.
			m.implyTake(c, g, i)
		}
		a := &g.Actions[i]
		if a.Kind == Play && !validDice(a.Dice) {
			m.Warn(a.Line, g.Number, "the dice %v are not two numbers from 1 to 6; the game ends here", a.Dice)
			g.Actions = g.Actions[:i]
			break
		}
		if a.Kind == Play {
			m.completePlay(c, g, i)
		}
		for _, text := range c.apply(a) {
			m.Warn(a.Line, g.Number, "%s", text)
		}
	}
	m.completeOutcome(c, g)
}

// implyTake adds a take before the i-th action, a roll.
func (m *Match) implyTake(c *cursor, g *Game, i int) {
	taker := (1 - c.doubler + c.beavers) % 2
	line := g.Actions[i].Line
	g.Actions = slices.Insert(g.Actions, i, Action{Kind: Take, Player: taker, Implied: true, Line: line})
	if c.beavers == 0 {
		m.Warn(line, g.Number, "the double before this roll has no answer; read as a take")
	}
}

func validDice(d bg.Dice) bool { return d[0] >= 1 && d[0] <= 6 && d[1] >= 1 && d[1] <= 6 }

// completePlay judges the i-th action, a play.
func (m *Match) completePlay(c *cursor, g *Game, i int) {
	a := &g.Actions[i]
	pos := c.position(a.Player)
	last := i == len(g.Actions)-1
	if last && a.Move.Len() == 0 && a.Text == "" && a.Result == nil && !dances(&pos, a.Dice) {
		a.Kind = Unplayed // rolled, then resigned or not gone on with
		return
	}
	a.complete(pos)
	if a.Illegal == "" {
		return
	}
	what := a.Text
	if what == "" {
		what = a.Move.String()
	}
	if what == "" && a.Result != nil && a.Move.Len() == 0 {
		what = "no move"
	}
	m.Warn(a.Line, g.Number, "illegal play by %s, %v: %s: %s", m.player(a.Player), a.Dice, what, a.Illegal)
}

func dances(pos *bg.Position, dice bg.Dice) bool {
	plays := movegen.Plays(nil, pos, dice)
	return len(plays) == 1 && plays[0].Move.Len() == 0
}

// completeOutcome compares how the game ended with what the file says.
func (m *Match) completeOutcome(c *cursor, g *Game) {
	stated, derived := g.Outcome, c.over
	switch {
	case stated == nil && derived == nil:
		return
	case stated == nil:
		g.Outcome = derived
		return
	case derived == nil:
		m.implyEnd(c, g)
		return
	}
	line := g.OutcomeLine
	if stated.Winner != derived.Winner {
		m.Warn(line, g.Number, "the file gives game %d to %s, but %s has won it; the file's winner is kept",
			g.Number, m.player(stated.Winner), m.player(derived.Winner))
	}
	if stated.Points != derived.Points && !m.samePoints(g, stated, derived) {
		m.Warn(line, g.Number, "the file gives %s for game %d, but it is worth %d; the file's number is kept",
			points(stated.Points), g.Number, derived.Points)
	}
	stated.Kind, stated.End = derived.Kind, derived.End
}

func points(n int) string {
	if n == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%d points", n)
}

// samePoints reports whether the points differ only because one number leaves out what lies
// beyond the end of the match.
func (m *Match) samePoints(g *Game, a, b *Outcome) bool {
	if m.Money() {
		return false
	}
	need := m.Length - g.Score[a.Winner]
	return min(a.Points, need) == min(b.Points, need)
}

// implyEnd adds the action that ends a game of which the file knows only the outcome.
func (m *Match) implyEnd(c *cursor, g *Game) {
	o := g.Outcome
	loser := 1 - o.Winner
	if c.doubled && c.doubler == o.Winner && c.beavers%2 == 0 && o.Points == c.offered/2 {
		g.Actions = append(g.Actions, Action{Kind: Pass, Player: loser, Implied: true, Line: g.OutcomeLine})
		o.Kind, o.End = bg.Single, Passed
		return
	}
	if c.doubled {
		c.accept()
	}
	amount, err := resignation(o.Points, c.cube)
	if err != nil && !m.Money() && o.Points == m.Length-g.Score[o.Winner] {
		amount, err = bg.Result(min(3, (o.Points+c.cube-1)/c.cube)), nil // points beyond the end left out
	}
	if err != nil {
		m.Warn(g.OutcomeLine, g.Number, "game %d ends with %s on a cube of %d, which is not a single game, a gammon or a backgammon",
			g.Number, points(o.Points), c.cube)
		amount = bg.Result(max(1, min(3, o.Points/c.cube)))
	}
	o.Kind, o.End = amount, Resigned
	g.Actions = append(g.Actions, Action{Kind: Resign, Player: loser, Amount: amount, Implied: true, Line: g.OutcomeLine})
}

var errAmount = errors.New("not a result of a game")

func resignation(points, cube int) (bg.Result, error) {
	if points <= 0 || points%cube != 0 || points/cube > 3 {
		return 0, errAmount
	}
	return bg.Result(points / cube), nil
}

// inferJacoby sets the Jacoby rule of a money session from its outcomes: in force if a gammon
// with a centered cube counted as a single game.
func (m *Match) inferJacoby() {
	if !m.Money() || m.Rules.Jacoby || m.Format != "mat" {
		return
	}
	for _, g := range m.Games {
		if g.Outcome == nil || g.Outcome.Points != max(1, g.Cube) {
			continue
		}
		c := newCursor(m, g)
		for _, a := range g.Actions {
			if a.Kind == Play {
				a.complete(c.position(a.Player))
			}
			c.apply(&a)
		}
		if c.over != nil && c.over.End == BorneOff && c.over.Kind > bg.Single && c.owner < 0 {
			m.Rules.Jacoby = true
			return
		}
	}
}

// inferBeavers sets the rule of a money session in which somebody beavers.
func (m *Match) inferBeavers() {
	if !m.Money() || m.Rules.Beavers > 0 {
		return
	}
	for _, g := range m.Games {
		for i := range g.Actions {
			if g.Actions[i].Kind == Beaver {
				m.Rules.Beavers = 3
				return
			}
		}
	}
}

// InferCrawford marks the Crawford game of a match whose file does not say which it is: the first
// game at whose start exactly one player is one point away. A game with a double in it, and with
// none before it in the file, is taken for one after the Crawford game.
func (m *Match) InferCrawford() {
	if m.Money() || m.Rules.NoCrawford || m.Length == 1 {
		return
	}
	for i, g := range m.Games {
		if (m.Length-g.Score[0] == 1) == (m.Length-g.Score[1] == 1) {
			if m.Length-g.Score[0] == 1 {
				return
			}
			continue
		}
		for j := range g.Actions {
			if i == 0 && g.Actions[j].Kind == Double {
				return
			}
		}
		g.Crawford = true
		return
	}
}
