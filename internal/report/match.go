package report

import (
	"fmt"

	"kotra/analysis"
	"kotra/bg"
	"kotra/bg/notation"
	"kotra/cube"
	"kotra/record"
)

// Matches is the report about match files.
type Matches struct {
	Matches []*MatchReport `json:"matches"`
	Failed  []FailedFile   `json:"failed"`
}

// A FailedFile is a file that could not be read.
type FailedFile struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// A MatchReport is the report about one match. Player 0 is the one named first in the file.
type MatchReport struct {
	File     string            `json:"file"`
	Format   string            `json:"format"`
	Length   int               `json:"length"` // 0 is a money session
	Players  [2]string         `json:"players"`
	Tags     map[string]string `json:"tags,omitempty"`
	Rules    MatchRules        `json:"rules"`
	Ply      *int              `json:"ply"`            // nil without an evaluation
	Left     int               `json:"left,omitempty"` // decisions not evaluated, after an interrupt
	Result   MatchResult       `json:"result"`
	Games    []GameReport      `json:"games"`
	Summary  [2]PlayerReport   `json:"summary"`
	Errors   []DecisionReport  `json:"errors,omitzero"` // decisions that lost at least the threshold, the worst first
	Warnings []record.Warning  `json:"warnings"`

	worst int // errors shown as text
}

// MatchRules are the rules of a match.
type MatchRules struct {
	Crawford bool   `json:"crawford"`
	Jacoby   bool   `json:"jacoby"`
	Beavers  int    `json:"beavers"`
	Cube     bool   `json:"cube"`
	Variant  string `json:"variant"`
}

// A MatchResult is how a match ended.
type MatchResult struct {
	Winner       *int     `json:"winner"` // nil if the match is not over, or for money
	Score        [2]int   `json:"score"`  // points beyond the end are counted
	LuckAdjusted *float64 `json:"luck_adjusted"`
}

// A GameReport is the report about one game.
type GameReport struct {
	Number     int              `json:"number"`
	Score      [2]int           `json:"score"` // before it
	Crawford   bool             `json:"crawford"`
	Winner     *int             `json:"winner"`
	Points     int              `json:"points"`
	Result     string           `json:"result"` // single game, gammon, backgammon; pass; unfinished
	Moves      int              `json:"moves"`  // turns of checker play of both players, dances included
	Resigned   bool             `json:"resigned"`
	Finished   bool             `json:"finished"`
	Illegal    int              `json:"illegal"`            // plays against the rules
	PositionID string           `json:"position_id"`        // after the last action
	Summary    *[2]PlayerReport `json:"summary,omitempty"`  // if evaluated
	Decisions  []TurnReport     `json:"decisions,omitzero"` // if evaluated: all of them, in order
}

// A TurnReport tells in short what a decision lost and how lucky its roll was.
type TurnReport struct {
	Turn     int      `json:"turn"` // action of the game, from 1
	Line     int      `json:"line,omitempty"`
	Player   int      `json:"player"`
	Decision string   `json:"decision"` // checker, double or take
	Dice     *[2]int  `json:"dice"`
	Played   string   `json:"played"`
	Illegal  string   `json:"illegal,omitempty"`
	Close    bool     `json:"close,omitempty"` // of a cube decision that counts for error rates
	Loss     float64  `json:"loss"`
	LossMWC  float64  `json:"loss_mwc"`
	Mark     string   `json:"mark"` // none, doubtful, bad, very bad
	Luck     *float64 `json:"luck"` // nil if there was no roll, or it cannot be told
	LuckMWC  *float64 `json:"luck_mwc"`
	LuckMark string   `json:"luck_mark,omitempty"` // very unlucky, unlucky, lucky, very lucky
}

// newTurn returns the short report about a decision.
func newTurn(d *analysis.Decision) TurnReport {
	t := TurnReport{
		Turn: d.Action + 1, Line: d.Record.Line, Player: d.Player, Decision: d.Kind.String(), Illegal: d.Record.Illegal,
		Close: d.Close, Loss: float64(d.Loss), LossMWC: d.LossMWC, Mark: d.Mark().String(),
	}
	if d.Kind != analysis.CheckerPlay {
		t.Played, _ = cubeTexts(d)
		return t
	}
	t.Dice, t.Played = diceOf(d.State.Dice), playText(d.Record)
	if d.HasLuck {
		luck := float64(d.Luck)
		t.Luck, t.LuckMWC, t.LuckMark = &luck, &d.LuckMWC, luckMarks[2+record.LuckMark(luck)]
	}
	return t
}

// luckMarks are the words for the marks of record.LuckMark.
var luckMarks = [5]string{"very unlucky", "unlucky", "", "lucky", "very lucky"}

// A PlayerReport sums up what a player did. Errors are nil without an evaluation.
type PlayerReport struct {
	Player       string        `json:"player"`
	Checker      CheckerReport `json:"checker"`
	Cube         CubeReport    `json:"cube"`
	Luck         *float64      `json:"luck"`       // EMG
	LuckMWC      *float64      `json:"luck_mwc"`   // match winning chances; points for money
	LuckMarks    *LuckMarks    `json:"luck_marks"` // rolls by their luck
	Error        *float64      `json:"error"`      // EMG
	ErrorRate    *float64      `json:"error_rate"` // thousandths per decision
	SnowieRate   *float64      `json:"snowie_rate"`
	PR           *float64      `json:"pr"`
	MWCError     *float64      `json:"mwc_error"` // match winning chances; points for money
	Rating       string        `json:"rating,omitempty"`
	LuckAdjusted *float64      `json:"luck_adjusted,omitempty"` // result without luck, of the match
}

// A CheckerReport sums up checker plays.
type CheckerReport struct {
	Decisions int      `json:"decisions"`
	Unforced  int      `json:"unforced"`
	Illegal   int      `json:"illegal"`
	Error     *float64 `json:"error"`
	MWCError  *float64 `json:"mwc_error"`
	ErrorRate *float64 `json:"error_rate"`
	Marks
}

// Marks are the numbers of decisions with a mark.
type Marks struct {
	Doubtful int `json:"doubtful"`
	Bad      int `json:"bad"`
	VeryBad  int `json:"very_bad"`
}

// LuckMarks are the numbers of rolls by their luck.
type LuckMarks struct {
	VeryUnlucky int `json:"very_unlucky"`
	Unlucky     int `json:"unlucky"`
	Lucky       int `json:"lucky"`
	VeryLucky   int `json:"very_lucky"`
}

// A CubeReport sums up cube decisions.
type CubeReport struct {
	Decisions int      `json:"decisions"`
	Close     *int     `json:"close"` // close or actual ones
	Doubles   int      `json:"doubles"`
	Takes     int      `json:"takes"`
	Passes    int      `json:"passes"`
	Error     *float64 `json:"error"`
	MWCError  *float64 `json:"mwc_error"`
	ErrorRate *float64 `json:"error_rate"`
	Marks
	MissedDoubles *TallyReport `json:"missed_doubles,omitempty"` // the opponent would have taken
	MissedCashes  *TallyReport `json:"missed_cashes,omitempty"`  // he would have passed
	WrongDoubles  *TallyReport `json:"wrong_doubles,omitempty"`  // too early
	TooGood       *TallyReport `json:"wrong_too_good,omitempty"` // doubled although too good
	WrongTakes    *TallyReport `json:"wrong_takes,omitempty"`
	WrongPasses   *TallyReport `json:"wrong_passes,omitempty"`
	WrongBeavers  *TallyReport `json:"wrong_beavers,omitempty"` // and answers to beavers; not in error
}

// A TallyReport is a number of errors and what they lost.
type TallyReport struct {
	N        int     `json:"n"`
	Error    float64 `json:"error"`
	MWCError float64 `json:"mwc_error"`
}

// A DecisionReport is a decision with what it lost.
type DecisionReport struct {
	index      int     // of the game in its match, where numbers may occur twice
	Game       int     `json:"game"` // number
	Turn       int     `json:"turn"` // action of the game, from 1
	Line       int     `json:"line,omitempty"`
	Player     int     `json:"player"`
	Decision   string  `json:"decision"` // checker, double or take
	XGID       string  `json:"xgid"`
	GNUID      string  `json:"gnuid"`
	Dice       *[2]int `json:"dice"`
	Played     string  `json:"played"`
	Best       string  `json:"best"`
	Loss       float64 `json:"loss"`
	LossMWC    float64 `json:"loss_mwc"`
	Mark       string  `json:"mark"`             // none, doubtful, bad, very bad
	Trials     int     `json:"trials,omitempty"` // of a rollout
	Moves      []Move  `json:"moves,omitempty"`
	NoDouble   float64 `json:"no_double,omitzero"`
	DoubleTake float64 `json:"double_take,omitzero"`
	DoublePass float64 `json:"double_pass,omitzero"`
}

// MatchOptions say what a report of a match holds.
type MatchOptions struct {
	File      string
	Ply       int
	Threshold float64 // loss from which on a decision is listed
	Worst     int     // errors shown as text
}

// NewMatch returns the report about an analyzed match.
func NewMatch(m *analysis.Match, o MatchOptions) *MatchReport {
	r := m.Record
	out := &MatchReport{
		File: o.File, Format: r.Format, Length: r.Length, Players: r.Players, worst: o.Worst,
		Tags: tagsOf(r), Rules: rulesOf(r), Warnings: warningsOf(r),
		Result: MatchResult{Score: r.Score()},
	}
	if w := r.Winner(); w >= 0 {
		out.Result.Winner = &w
	}
	for i := range m.Games {
		out.Games = append(out.Games, newGame(m, &m.Games[i]))
	}
	for i := range out.Summary {
		out.Summary[i] = newPlayer(r.Players[i], &m.Players[i], m.Evaluated)
		if v, ok := m.LuckAdjusted(i); ok && m.Evaluated {
			out.Summary[i].LuckAdjusted = &v
			if i == 0 {
				out.Result.LuckAdjusted = &v
			}
		}
	}
	if m.Evaluated {
		out.Ply = &o.Ply
		out.Left = len(m.Decisions) - m.EvaluatedDecisions()
		out.Errors = Errors(m, o.Threshold)
	}
	return out
}

func rulesOf(m *record.Match) MatchRules {
	return MatchRules{
		Crawford: !m.Money() && !m.Rules.NoCrawford, Jacoby: m.Money() && m.Rules.Jacoby, Beavers: m.Rules.Beavers,
		Cube: !m.Rules.NoCube, Variant: m.Rules.Variant.String(),
	}
}

// tagsOf returns the tags of m by name, nil if there are none.
func tagsOf(m *record.Match) map[string]string {
	if len(m.Tags) == 0 {
		return nil
	}
	tags := map[string]string{}
	for _, t := range m.Tags {
		tags[t.Name] = t.Value
	}
	return tags
}

// warningsOf returns the warnings of m, not nil, so that JSON has a list.
func warningsOf(m *record.Match) []record.Warning {
	if m.Warnings == nil {
		return []record.Warning{}
	}
	return m.Warnings
}

func newGame(m *analysis.Match, g *analysis.Game) GameReport {
	r := g.Record
	final := m.Record.Replay(r).Final
	out := GameReport{
		Number: r.Number, Score: r.Score, Crawford: r.Crawford, Result: "unfinished", Moves: r.Plays(),
		Illegal: g.Players[0].Illegal + g.Players[1].Illegal, PositionID: final.Position.ID(),
	}
	if o := r.Outcome; o != nil {
		winner := o.Winner
		out.Winner, out.Points, out.Finished, out.Resigned = &winner, o.Points, true, o.End == record.Resigned
		out.Result = o.Kind.String()
		if o.End == record.Passed {
			out.Result = "pass"
		}
	}
	if m.Evaluated {
		out.Summary = &[2]PlayerReport{
			newPlayer(m.Record.Players[0], &g.Players[0], true), newPlayer(m.Record.Players[1], &g.Players[1], true),
		}
		for i := range m.Decisions[g.First : g.First+g.Count] {
			out.Decisions = append(out.Decisions, newTurn(&m.Decisions[g.First+i]))
		}
	}
	return out
}

func newPlayer(name string, s *analysis.Summary, evaluated bool) PlayerReport {
	p := PlayerReport{
		Player:  name,
		Checker: CheckerReport{Decisions: s.Moves, Unforced: s.Unforced, Illegal: s.Illegal},
		Cube:    CubeReport{Decisions: s.CubeDecisions, Doubles: s.Doubles, Takes: s.Takes, Passes: s.Passes},
	}
	if !evaluated {
		return p
	}
	number := func(v float64) *float64 { return &v }
	tally := func(t *analysis.Tally) *TallyReport { return &TallyReport{t.N, t.Loss, t.LossMWC} }
	marks := func(m [4]int) Marks { return Marks{m[record.Doubtful], m[record.Bad], m[record.VeryBad]} }
	c := &p.Checker
	c.Error, c.MWCError, c.ErrorRate = &s.Checker.Loss, &s.Checker.LossMWC, number(s.CheckerRate())
	c.Marks = marks(s.CheckerMarks)
	b := &p.Cube
	b.Close, b.Error, b.MWCError, b.ErrorRate = &s.Cube.N, &s.Cube.Loss, &s.Cube.LossMWC, number(s.CubeRate())
	b.Marks = marks(s.CubeMarks)
	b.MissedDoubles, b.MissedCashes = tally(&s.MissedDoubles), tally(&s.MissedCashes)
	b.WrongDoubles, b.TooGood = tally(&s.WrongDoubles), tally(&s.WrongTooGood)
	b.WrongTakes, b.WrongPasses, b.WrongBeavers = tally(&s.WrongTakes), tally(&s.WrongPasses), tally(&s.Beavers)
	p.Luck, p.LuckMWC = &s.Luck, &s.LuckMWC
	p.LuckMarks = &LuckMarks{s.LuckMarks[0], s.LuckMarks[1], s.LuckMarks[3], s.LuckMarks[4]}
	p.Error, p.ErrorRate, p.MWCError = number(s.Loss()), number(s.ErrorRate()), number(s.LossMWC())
	p.SnowieRate, p.PR = number(s.SnowieRate()), number(s.PR())
	p.Rating = analysis.Rating(s.ErrorRate())
	return p
}

// Errors returns the decisions of m that lost at least threshold, the worst first.
func Errors(m *analysis.Match, threshold float64) []DecisionReport {
	list := []DecisionReport{}
	for i := range m.Decisions {
		if d := &m.Decisions[i]; d.Evaluated && d.Loss > 0 && float64(d.Loss) >= threshold {
			list = append(list, NewDecision(m, d))
		}
	}
	sortErrors(list)
	return list
}

// topMoves is how many candidates the report of a decision holds, besides the play made.
const topMoves = 5

// NewDecision returns the report about a decision of m.
func NewDecision(m *analysis.Match, d *analysis.Decision) DecisionReport {
	out := DecisionReport{
		index: d.Game, Game: m.Record.Games[d.Game].Number, Turn: d.Action + 1, Line: d.Record.Line, Player: d.Player,
		Decision: d.Kind.String(), XGID: notation.XGID(d.State), GNUID: d.State.GNUID(),
		Loss: float64(d.Loss), LossMWC: d.LossMWC, Trials: d.Trials, Mark: d.Mark().String(),
	}
	if d.Kind != analysis.CheckerPlay {
		out.Played, out.Best = cubeTexts(d)
		out.NoDouble, out.DoubleTake, out.DoublePass = float64(d.Cube.NoDouble), float64(d.Cube.DoubleTake), float64(d.Cube.DoublePass)
		return out
	}
	out.Dice = diceOf(d.State.Dice)
	out.Played = playText(d.Record)
	for i := range d.Candidates {
		if i >= topMoves && i != d.Played {
			continue
		}
		c := &d.Candidates[i]
		cubeful := float64(c.Cubeful)
		m := Move{
			Rank: i + 1, Move: moveText(c.Play.Move), PositionID: c.Play.Result.ID(), Equity: cubeful,
			Diff: cubeful - float64(d.Candidates[0].Cubeful), Cubeless: float64(c.Equity), Cubeful: &cubeful,
			Probs: NewProbs(c.Probs), Ply: c.Ply,
		}
		if i < len(d.StdErrs) {
			m.StdErr = &d.StdErrs[i]
		}
		out.Moves = append(out.Moves, m)
	}
	if len(out.Moves) > 0 {
		out.Best = out.Moves[0].Move
	}
	return out
}

// playText returns what was played as text.
func playText(a *record.Action) string {
	if a.Illegal != "" {
		if a.Text != "" {
			return a.Text + " (illegal)"
		}
		return moveText(a.Move) + " (illegal)"
	}
	return moveText(a.Move)
}

func moveText(m bg.Move) string {
	if m.Len() == 0 {
		return "cannot move"
	}
	return m.String()
}

// cubeTexts returns what was done in a cube decision, and what would have been right.
func cubeTexts(d *analysis.Decision) (played, best string) {
	if d.Kind == analysis.Doubling {
		played = "No double"
		if d.Doubled {
			played = "Double"
		}
		return played, d.Cube.String()
	}
	played = map[record.Kind]string{record.Take: "Take", record.Pass: "Pass", record.Beaver: "Beaver"}[d.Record.Kind]
	if d.Cube.Action == cube.NoCube {
		return played, ""
	}
	return played, d.Answer.String()
}

func percent(v float64) string { return fmt.Sprintf("%+.2f%%", 100*v) }
