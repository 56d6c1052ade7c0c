package record

import (
	"fmt"
	"strings"

	"kotra/bg"
)

// A Match is a match or a money session.
type Match struct {
	Format   string    // of the file: mat, sgf, xg, ...
	Program  string    // that wrote the file, as far as it says so
	Players  [2]string // as written
	Ratings  [2]string // as written, empty if unknown
	Length   int       // points to win, 0 for money
	Rules    bg.Rules
	Tags     []Tag // event, site, date and so on, in the order of the file
	Comment  string
	Games    []*Game
	Warnings []Warning
}

// A Tag is a piece of information about a match. The names Site, Event, Round, EventDate,
// Transcriber and Annotator are the same in all formats; others are as in the file.
type Tag struct{ Name, Value string }

// Tag returns the value of the named tag, empty if there is none. Case does not matter.
func (m *Match) Tag(name string) string {
	for _, t := range m.Tags {
		if strings.EqualFold(t.Name, name) {
			return t.Value
		}
	}
	return ""
}

// SetTag sets the value of a tag, or adds it. An empty value adds nothing.
func (m *Match) SetTag(name, value string) {
	if value == "" {
		return
	}
	for i := range m.Tags {
		if strings.EqualFold(m.Tags[i].Name, name) {
			m.Tags[i].Value = value
			return
		}
	}
	m.Tags = append(m.Tags, Tag{name, value})
}

// A Warning says where a file contradicts itself or the rules, and what was done about it.
type Warning struct {
	Line int    `json:"line"`           // in a text file, from 1; 0 if there is none
	Game int    `json:"game,omitempty"` // number of the game; 0 if it is about the match
	Text string `json:"text"`
}

// String returns the warning as a line of text.
func (w Warning) String() string {
	switch {
	case w.Line > 0:
		return fmt.Sprintf("line %d: %s", w.Line, w.Text)
	case w.Game > 0:
		return fmt.Sprintf("game %d: %s", w.Game, w.Text)
	}
	return w.Text
}

// Warn adds a warning.
func (m *Match) Warn(line, game int, format string, args ...any) {
	m.Warnings = append(m.Warnings, Warning{line, game, fmt.Sprintf(format, args...)})
}

// Money reports whether m is a money session.
func (m *Match) Money() bool { return m.Length == 0 }

// Score returns the score after the last game: that before the first one and all points won
// since. Points beyond the length of the match are counted.
func (m *Match) Score() (score [2]int) {
	if len(m.Games) == 0 {
		return score
	}
	last := m.Games[len(m.Games)-1]
	return last.After()
}

// Winner returns the player who has won the match, or -1 if it is not over or for money.
func (m *Match) Winner() int {
	if m.Money() {
		return -1
	}
	score := m.Score()
	for player, points := range score {
		if points >= m.Length {
			return player
		}
	}
	return -1
}

// A Game is one game of a match.
type Game struct {
	Number   int    // from 1
	Score    [2]int // before the game, as the file says
	Crawford bool
	Cube     int // at the start; more than 1 after automatic doubles
	Actions  []Action
	// Outcome is how the game ended, nil if it did not. Its points are those of the file.
	Outcome *Outcome
	Comment string
	Extra   []Property // what the format stores and this package does not know
	Line    int        // of the file, 0 if there is none
	// OutcomeLine is where the file states the outcome.
	OutcomeLine int
}

// After returns the score after g.
func (g *Game) After() [2]int {
	score := g.Score
	if g.Outcome != nil {
		score[g.Outcome.Winner] += g.Outcome.Points
	}
	return score
}

// Plays returns the number of turns of checker play, dances included. A roll that was not played
// does not count.
func (g *Game) Plays() int {
	n := 0
	for i := range g.Actions {
		if g.Actions[i].Kind == Play {
			n++
		}
	}
	return n
}

// An End is a way in which a game ends.
type End uint8

// The ends of a game.
const (
	BorneOff End = iota
	Passed
	Resigned
)

// An Outcome is how a game ended.
type Outcome struct {
	Winner int
	Points int       // the cube and the rules included
	Kind   bg.Result // Single for a pass
	End    End
}

// A Kind says what an action is.
type Kind uint8

// The kinds of actions.
const (
	Play     Kind = iota // a roll and what was played with it
	Unplayed             // a roll whose play is not recorded, usually because the player resigned
	Double
	Take // also of a beaver
	Pass
	Beaver // turning the cube at once after being doubled; by the player who doubled, a raccoon
	Resign
	Setup // the state of the game is set by hand
)

var kindNames = [...]string{"play", "unplayed", "double", "take", "pass", "beaver", "resign", "setup"}

// String returns the name of k in lower case.
func (k Kind) String() string { return kindNames[k] }

// An Action is something that a player did.
type Action struct {
	Kind   Kind
	Player int
	Dice   bg.Dice // of Play and Unplayed, in the order of the file
	// Move is what was played. Its steps are single dice, in an order that can be carried out,
	// unless the play is illegal.
	Move bg.Move
	// Illegal says which rule the play breaks; empty if it is legal.
	Illegal string
	// Result is the position after an illegal play, seen by the opponent of Player.
	Result *bg.Position
	Text   string    // of the file, where it could not be read as a move
	Cube   int       // value that the file gives to a double or beaver; 0 if it does not say
	Amount bg.Result // of Resign
	Setup  *State    // of Setup
	// Implied is set where the file does not have the action but what it has requires it.
	Implied bool

	Comment  string
	Extra    []Property // what the format stores and this package does not know
	Analysis *Analysis  // nil if there is none
	Line     int        // of the file, 0 if there is none
}

// A Property is a named piece of data that a format stores, with its values.
type Property struct {
	Name   string
	Values []string
}

// A State is a set-up state of a game; what is nil stays as it was.
type State struct {
	Sides  *[2]bg.Side // by player
	OnRoll *int        // player
	Dice   bg.Dice     // zero: not rolled
	Cube   int         // value; 0 stays as it was
	Owner  *int        // player who owns the cube; -1 centered
}

// An Analysis is what a program thought of an action, seen by the player whose decision it was.
type Analysis struct {
	Candidates []Candidate // of a play, the best first
	Played     int         // index of the play in Candidates, -1 if it is not there
	Luck       *float64    // of the roll, in EMG
	Cube       *Cube       // whether to double before the roll, or the offered double
}

// A Candidate is an analyzed play.
type Candidate struct {
	Move     bg.Move
	Position bg.Position // after it, seen by the opponent
	Probs    bg.Probs
	Equity   float64 // cubeful, EMG
	Ply      int
	Level    string // as the format names it, empty for a plain search
}

// A Cube is an analyzed cube decision, seen by the player who may double.
type Cube struct {
	Probs                            bg.Probs // without a double
	TakeProbs                        bg.Probs // after a double and a take
	Cubeless, TakeCubeless           float64  // EMG, with the cube before a double
	NoDouble, DoubleTake, DoublePass float64  // EMG, with the cube before a double
	NoDoubleMWC, DoubleTakeMWC       float64  // 0 for money
	Ply                              int
	Level                            string
	Loss, AnswerLoss                 *float64 // as stored, at least 0
}
