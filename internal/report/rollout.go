package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"kotra"
	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/rollout"
)

// A Rollout is the result of a rollout, seen by the player whose decision it is. Its evaluation is
// that of the best move, or, for a cube decision, of the position if it is decided right.
type Rollout struct {
	Evaluation
	Decision   string          `json:"decision"`               // checker, cube or take
	Moves      []Rolled        `json:"moves,omitzero"`         // the best first
	States     []Rolled        `json:"states,omitzero"`        // of the cube: no double; double, take
	CubeAction *CubeAction     `json:"cube_action,omitempty"`  // in a cube decision
	Settings   RolloutSettings `json:"settings"`               //
	Trials     int             `json:"trials"`                 // of the candidate that has most
	StoppedBy  string          `json:"stopped_by"`             // trials, jsd, stderr, time or interrupted; empty while it goes on
	Seconds    float64         `json:"seconds"`                // on the clock
	CPUSeconds *float64        `json:"cpu_seconds"`            // nil where it is not known
	SavedAs    string          `json:"saved_as,omitempty"`     // file from which the rollout can go on
	Resumed    string          `json:"resumed_from,omitempty"` // file from which it went on

	state bg.State
}

// A Rolled is a candidate that has been rolled out.
type Rolled struct {
	Rank          int      `json:"rank"`
	Move          *string  `json:"move,omitempty"`  // of a checker play; empty if there is no legal move
	State         string   `json:"state,omitempty"` // of a cube decision: no_double or double_take
	PositionID    string   `json:"position_id"`     // of the position that was rolled out
	Equity        float64  `json:"equity"`          // cubeless
	StdErr        float64  `json:"stderr"`
	Cubeful       *float64 `json:"cubeful"` // nil if the cube was left out
	CubefulStdErr *float64 `json:"cubeful_stderr"`
	MWC           *float64 `json:"mwc"` // match winning chance; nil for money
	MWCStdErr     *float64 `json:"mwc_stderr,omitempty"`
	Diff          float64  `json:"diff"`        // to the leader, 0 or negative
	DiffStdErr    float64  `json:"diff_stderr"` // joint standard deviation
	JSD           float64  `json:"jsd"`         // how many joint standard deviations it is behind
	Probs         Probs    `json:"probs"`
	ProbsStdErr   Probs    `json:"probs_stderr"`
	Ply           int      `json:"ply"`
	Trials        int      `json:"trials"`
	Stopped       bool     `json:"stopped,omitempty"` // before the others, far behind
}

// RolloutSettings are the settings of a rollout as far as they change its result.
type RolloutSettings struct {
	Preset            string  `json:"preset,omitempty"`
	Trials            int     `json:"trials"`
	MinTrials         int     `json:"min_trials"`
	Ply               int     `json:"ply"`
	CubePly           int     `json:"cube_ply"`
	LateAfter         int     `json:"late_after"`
	LatePly           int     `json:"late_ply"`
	LateCubePly       int     `json:"late_cube_ply"`
	Truncate          int     `json:"truncate"`
	TruncatePly       int     `json:"truncate_ply"`
	PlayBearoffs      bool    `json:"play_bearoffs"`
	Cubeful           bool    `json:"cubeful"`
	VarianceReduction bool    `json:"variance_reduction"`
	QuasiRandom       bool    `json:"quasi_random"`
	Filter            string  `json:"filter,omitempty"`
	Seed              uint64  `json:"seed"`
	StopJSD           float64 `json:"stop_jsd"`
	StopSE            float64 `json:"stop_se"`
	TimeLimit         float64 `json:"time_limit"` // seconds; 0 is none
}

// NewRolloutSettings returns the report of s.
func NewRolloutSettings(s *rollout.Settings, preset string) RolloutSettings {
	return RolloutSettings{
		Preset: preset, Trials: s.Trials, MinTrials: s.MinTrials, Ply: s.Ply, CubePly: s.CubePly,
		LateAfter: s.LateAfter, LatePly: s.LatePly, LateCubePly: s.LateCubePly,
		Truncate: s.Truncate, TruncatePly: s.TruncatePly, PlayBearoffs: s.PlayBearoffs,
		Cubeful: !s.Cubeless, VarianceReduction: !s.NoVarianceReduction, QuasiRandom: !s.PlainDice,
		Filter: s.Filter, Seed: s.Seed, StopJSD: s.StopJSD, StopSE: s.StopStdErr, TimeLimit: s.TimeLimit.Seconds(),
	}
}

// NewRollout returns the report of r, a rollout for the state s. mwc converts an equity to a match
// winning chance; it is nil for money.
func NewRollout(s *bg.State, r *rollout.Result, mwc func(bg.Equity) float64) *Rollout {
	out := &Rollout{
		Settings: NewRolloutSettings(&r.Settings, ""), Trials: r.Trials, StoppedBy: string(r.Reason),
		Seconds: r.Elapsed.Seconds(), state: *s,
	}
	best := r.Leader()
	order := r.Ranking()
	rolled := make([]Rolled, len(order))
	for rank, i := range order {
		rolled[rank] = newRolled(r, i, best, mwc)
		rolled[rank].Rank = rank + 1
	}
	lead := &rolled[0]
	out.Evaluation = Evaluation{
		Position: NewPosition(s), Class: eval.Classify(&s.Position).String(), Ply: r.Settings.Ply,
		Probs: lead.Probs, Equity: lead.Equity, Cubeful: lead.Cubeful, MWC: lead.MWC,
	}
	if r.Estimates[0].Kind == rollout.AfterPlay {
		out.Decision, out.Moves = "checker", rolled
		return out
	}
	out.Decision = "cube"
	out.States = make([]Rolled, len(rolled))
	for rank, i := range order {
		out.States[i] = rolled[rank]
	}
	return out
}

// SetCube adds the cube decision d, which follows from the rollout, and the value v of the
// position, with the points at which it would change; all are seen by the player on roll. If a double has been offered the decision is his
// opponent's, and all numbers are turned round to him.
func (r *Rollout) SetCube(d *cube.Decision, v *kotra.Evaluation, points *kotra.CubePoints) {
	a := NewCubeDecision(&r.state, d, v, points, r.Cubeful == nil)
	r.Evaluation, r.Decision, r.CubeAction = a.Evaluation, a.Decision, a.CubeAction
	if r.state.Doubled {
		for i := range r.States {
			r.States[i].flip()
		}
	}
}

// flip turns the numbers of c round to the other player.
func (c *Rolled) flip() {
	c.Equity = -c.Equity
	if c.Cubeful != nil {
		*c.Cubeful = -*c.Cubeful
	}
	if c.MWC != nil {
		*c.MWC = 1 - *c.MWC
	}
	c.Probs = Probs{1 - c.Probs.Win, c.Probs.LoseGammon, c.Probs.LoseBG, c.Probs.WinGammon, c.Probs.WinBG}
	e := &c.ProbsStdErr
	*e = Probs{e.Win, e.LoseGammon, e.LoseBG, e.WinGammon, e.WinBG}
}

func newRolled(r *rollout.Result, i, best int, mwc func(bg.Equity) float64) Rolled {
	e := &r.Estimates[i]
	c := Rolled{
		PositionID: e.Position.ID(), Equity: float64(e.Equity), StdErr: e.StdErr,
		Diff: float64(e.Cubeful - r.Estimates[best].Cubeful), DiffStdErr: e.DiffStdErr, JSD: e.JSD,
		Probs: NewProbs(possible(e.Probs)), ProbsStdErr: NewProbs(e.ProbsStdErr),
		Ply: r.Settings.Ply, Trials: e.Trials, Stopped: e.Stopped,
	}
	switch e.Kind {
	case rollout.AfterPlay:
		c.Move = &e.Name
	case rollout.DoubleTake:
		c.State = "double_take"
	case rollout.NoDouble:
		c.State = "no_double"
	case rollout.Before:
		c.State = "before_roll"
	}
	if !r.Settings.Cubeless {
		cubeful, stdErr := float64(e.Cubeful), e.CubefulError
		c.Cubeful, c.CubefulStdErr = &cubeful, &stdErr
	}
	if mwc != nil {
		chance := mwc(e.Cubeful)
		stdErr := mwc(e.Cubeful+bg.Equity(e.CubefulError)) - chance
		c.MWC, c.MWCStdErr = &chance, &stdErr
	}
	return c
}

// possible returns p without what is below 0 or above 1 because luck has been taken off.
func possible(p bg.Probs) bg.Probs {
	for _, x := range []*float32{&p.Win, &p.WinGammon, &p.WinBackgammon, &p.LoseGammon, &p.LoseBackgammon} {
		*x = min(max(*x, 0), 1)
	}
	return p
}

// WriteText draws the board and writes the candidates as a table below it, then the cube action.
func (r *Rollout) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%s\n\n%s\n%s\n", Board(&r.state), r.table(), r.how())
	if r.CubeAction == nil {
		return nil
	}
	c := r.CubeAction
	if c.DoubleTake == nil {
		_, err := fmt.Fprintln(w, "You cannot double.")
		return err
	}
	fmt.Fprintln(w, "\nCubeful equities:")
	branches := c.branches()
	for i, b := range branches {
		line := fmt.Sprintf("%d. %-19s %+.3f", i+1, b.name, b.equity)
		if i > 0 {
			line += fmt.Sprintf("  (%+.3f)", b.equity-branches[0].equity)
		}
		fmt.Fprintln(w, line)
	}
	action := c.Text
	if r.Decision == "take" {
		action = c.Offer
	}
	_, err := fmt.Fprintf(w, "Proper cube action: %s\n", action)
	if r.Decision == "take" {
		_, err = fmt.Fprintf(w, "Proper answer to the double: %s\n", c.Text)
	}
	return err
}

// Table returns the candidates as a table that fits a terminal, a line each, with the standard error
// of what they are ranked by.
func (r *Rollout) Table() string {
	rows := r.rolled()
	lines := []table.Row{{"", r.what(), "Equity", "±", "Diff", "JSD", "Win", "W(g)", "L(g)", "Trials"}}
	for i := range rows {
		c := &rows[i]
		p := &c.Probs
		lines = append(lines, append(c.head(r.Moves != nil), four(p.Win), four(p.WinGammon), four(p.LoseGammon), c.trials()))
	}
	return render(lines)
}

// table returns all that is known of the candidates as a table: a line each, and one of standard
// errors below it.
func (r *Rollout) table() string {
	rows := r.rolled()
	header := table.Row{"", r.what(), "Equity", "±", "Diff", "JSD"}
	if r.Settings.Cubeful {
		header = append(header, "Cubeless")
	}
	lines := []table.Row{append(header, "Win", "W(g)", "W(bg)", "L(g)", "L(bg)", "Trials")}
	for i := range rows {
		c := &rows[i]
		line, errors := c.head(r.Moves != nil), table.Row{"", "", "", "", "", ""}
		if r.Settings.Cubeful {
			line, errors = append(line, fmt.Sprintf("%+.4f", c.Equity)), append(errors, "±"+four(c.StdErr))
		}
		p, e := &c.Probs, &c.ProbsStdErr
		lines = append(lines,
			append(line, four(p.Win), four(p.WinGammon), four(p.WinBG), four(p.LoseGammon), four(p.LoseBG), c.trials()),
			append(errors, "±"+four(e.Win), "±"+four(e.WinGammon), "±"+four(e.WinBG), "±"+four(e.LoseGammon), "±"+four(e.LoseBG)))
	}
	return render(lines)
}

// rolled returns the candidates of any decision.
func (r *Rollout) rolled() []Rolled {
	if r.Moves != nil {
		return r.Moves
	}
	return r.States
}

// render returns a table, of which the first line is the header and all columns but two are numbers.
func render(lines []table.Row) string {
	t := table.NewWriter()
	t.SetStyle(plainTable)
	t.AppendHeader(lines[0])
	t.AppendRows(lines[1:])
	var columns []table.ColumnConfig
	for n := 3; n <= len(lines[0]); n++ {
		columns = append(columns, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(columns)
	drawn := strings.Split(t.Render(), "\n")
	for i := range drawn {
		drawn[i] = strings.TrimRight(drawn[i], " ")
	}
	return strings.Join(drawn, "\n")
}

func four(x float64) string { return fmt.Sprintf("%.4f", x) }

// plainTable has blanks between columns and a line below the header.
var plainTable = func() table.Style {
	s := table.StyleDefault
	s.Box = table.BoxStyle{MiddleHorizontal: "-", MiddleSeparator: "-", PaddingRight: " ", UnfinishedRow: "~"}
	s.Options = table.Options{SeparateHeader: true}
	s.Format = table.FormatOptions{}
	return s
}()

func (r *Rollout) what() string {
	if r.Moves != nil {
		return "Move"
	}
	return "Cube"
}

var stateNames = map[string]string{"no_double": "No double", "double_take": "Double, take", "before_roll": "Before the roll"}

// head returns the cells that come first: rank, name, and what the candidate is ranked by.
func (c *Rolled) head(ranked bool) table.Row {
	equity, stdErr := c.Equity, c.StdErr
	if c.Cubeful != nil {
		equity, stdErr = *c.Cubeful, *c.CubefulStdErr
	}
	name, rank := stateNames[c.State], ""
	if c.Move != nil {
		if name = *c.Move; name == "" {
			name = "(no move)"
		}
	}
	if ranked {
		rank = fmt.Sprintf("%d.", c.Rank)
	}
	diff, jsd := "", ""
	if c.DiffStdErr > 0 || c.Diff != 0 {
		diff, jsd = fmt.Sprintf("%+.4f", c.Diff), fmt.Sprintf("%.1f", c.JSD)
	}
	return table.Row{rank, name, fmt.Sprintf("%+.4f", equity), four(stdErr), diff, jsd}
}

// trials returns the number of trials, with a star if a rule has stopped the candidate.
func (c *Rolled) trials() string {
	if c.Stopped {
		return fmt.Sprintf("%d*", c.Trials)
	}
	return fmt.Sprint(c.Trials)
}

// how returns a line that says how the rollout was made.
func (r *Rollout) how() string {
	s := &r.Settings
	text := "Cubeful"
	if !s.Cubeful {
		text = "Cubeless"
	}
	text += fmt.Sprintf(" rollout at %d ply", s.Ply)
	if s.Cubeful && s.CubePly != s.Ply {
		text += fmt.Sprintf(", cube actions at %d", s.CubePly)
	}
	if s.LateAfter > 0 {
		text += fmt.Sprintf(", after %d turns at %d ply", s.LateAfter, s.LatePly)
	}
	if s.Truncate > 0 {
		text += fmt.Sprintf(", truncated after %d turns", s.Truncate)
	}
	if s.VarianceReduction {
		text += ", variance reduction"
	}
	if s.QuasiRandom {
		text += ", stratified dice"
	}
	text += fmt.Sprintf(", seed %d", s.Seed)
	if r.StoppedBy != "" && r.StoppedBy != string(rollout.Done) {
		text += fmt.Sprintf("; stopped by %s", r.StoppedBy)
	}
	text += fmt.Sprintf("; %.1f s", r.Seconds)
	if r.CPUSeconds != nil {
		text += fmt.Sprintf(", %.1f s of processor time", *r.CPUSeconds)
	}
	return text
}
