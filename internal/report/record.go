package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"kotra/bg/notation"
	"kotra/record"
)

// A RecordedMatch is a match as it was played, action by action.
type RecordedMatch struct {
	Format   string            `json:"format"`
	Program  string            `json:"program,omitempty"`
	Players  [2]string         `json:"players"`
	Ratings  [2]string         `json:"ratings,omitzero"`
	Length   int               `json:"length"`
	Rules    MatchRules        `json:"rules"`
	Tags     map[string]string `json:"tags,omitempty"`
	Comment  string            `json:"comment,omitempty"`
	Score    [2]int            `json:"score"`
	Games    []RecordedGame    `json:"games"`
	Warnings []record.Warning  `json:"warnings"`
}

// A RecordedGame is one game of a recorded match.
type RecordedGame struct {
	Number   int              `json:"number"`
	Score    [2]int           `json:"score"`
	Crawford bool             `json:"crawford"`
	Winner   *int             `json:"winner"`
	Points   int              `json:"points"`
	Result   string           `json:"result"`
	Comment  string           `json:"comment,omitempty"`
	Actions  []RecordedAction `json:"actions"`
}

// A RecordedAction is one action of a recorded game with the position before it.
type RecordedAction struct {
	Player  int     `json:"player"`
	Action  string  `json:"action"` // play, unplayed, double, take, pass, beaver, resign, setup
	Dice    *[2]int `json:"dice,omitempty"`
	Move    *string `json:"move,omitempty"`   // empty if there was no legal move
	Amount  int     `json:"amount,omitempty"` // of a resignation: 1 to 3
	Cube    int     `json:"cube"`             // before it
	XGID    string  `json:"xgid"`             // before it
	After   string  `json:"position_id"`      // after it, the player to act on roll
	Illegal string  `json:"illegal,omitempty"`
	Implied bool    `json:"implied,omitempty"`
	Comment string  `json:"comment,omitempty"`
	Line    int     `json:"line,omitempty"`
}

// NewRecordedMatch returns m in the form of reports.
func NewRecordedMatch(m *record.Match) RecordedMatch {
	out := RecordedMatch{
		Format: m.Format, Program: m.Program, Players: m.Players, Ratings: m.Ratings, Length: m.Length, Comment: m.Comment,
		Rules: rulesOf(m), Tags: tagsOf(m), Warnings: warningsOf(m), Score: m.Score(),
	}
	for _, g := range m.Games {
		out.Games = append(out.Games, newRecordedGame(m, g))
	}
	return out
}

func newRecordedGame(m *record.Match, g *record.Game) RecordedGame {
	out := RecordedGame{Number: g.Number, Score: g.Score, Crawford: g.Crawford, Result: "unfinished", Comment: g.Comment, Actions: []RecordedAction{}}
	if o := g.Outcome; o != nil {
		winner := o.Winner
		out.Winner, out.Points, out.Result = &winner, o.Points, o.Kind.String()
		if o.End == record.Passed {
			out.Result = "pass"
		}
	}
	r := m.Replay(g)
	for i, moment := range r.Moments {
		a := moment.Action
		next := &r.Final
		if i+1 < len(r.Moments) {
			next = &r.Moments[i+1].State
		}
		state := moment.State
		ra := RecordedAction{
			Player: a.Player, Action: a.Kind.String(), Amount: int(a.Amount), Cube: state.Cube.Value,
			After: next.Position.ID(), Illegal: a.Illegal, Implied: a.Implied, Comment: a.Comment, Line: a.Line,
		}
		if a.Kind == record.Play || a.Kind == record.Unplayed {
			ra.Dice = &[2]int{int(a.Dice[0]), int(a.Dice[1])}
			state.Dice = a.Dice
		}
		if a.Kind == record.Play {
			move := a.Move.String()
			if a.Text != "" {
				move = a.Text
			}
			ra.Move = &move
		}
		ra.XGID = notation.XGID(state)
		out.Actions = append(out.Actions, ra)
	}
	return out
}

// WriteRecordCSV writes the actions of matches as a table with a header.
func WriteRecordCSV(w io.Writer, matches []*record.Match) error {
	c := csv.NewWriter(w)
	_ = c.Write([]string{
		"match", "player_0", "player_1", "length", "game", "score_0", "score_1", "turn", "player", "action", "dice", "move", "cube", "xgid", "illegal", "comment",
	})
	for i, m := range matches {
		r := NewRecordedMatch(m)
		for _, g := range r.Games {
			for j, a := range g.Actions {
				dice, move := "", ""
				if a.Dice != nil {
					dice = fmt.Sprintf("%d%d", a.Dice[0], a.Dice[1])
				}
				if a.Move != nil {
					move = *a.Move
				}
				_ = c.Write([]string{
					strconv.Itoa(i + 1), r.Players[0], r.Players[1], strconv.Itoa(r.Length), strconv.Itoa(g.Number), strconv.Itoa(g.Score[0]),
					strconv.Itoa(g.Score[1]), strconv.Itoa(j + 1), strconv.Itoa(a.Player), a.Action, dice, move, strconv.Itoa(a.Cube), a.XGID, a.Illegal, a.Comment,
				})
			}
		}
	}
	c.Flush()
	return c.Error()
}
