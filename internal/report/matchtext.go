package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"kotra/bg"
	"kotra/bg/notation"
)

func sortErrors(list []DecisionReport) {
	slices.SortStableFunc(list, func(a, b DecisionReport) int { return cmp.Compare(b.Loss, a.Loss) })
}

// WriteText writes the reports one after the other, and then the files that failed.
func (m *Matches) WriteText(w io.Writer) error {
	for i, r := range m.Matches {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := r.WriteText(w); err != nil {
			return err
		}
	}
	for _, f := range m.Failed {
		if _, err := fmt.Fprintf(w, "\n%s: %s\n", f.File, f.Error); err != nil {
			return err
		}
	}
	return nil
}

// Title returns a line that says what match r is about.
func (r *MatchReport) Title() string {
	kind := fmt.Sprintf("%d-point match", r.Length)
	if r.Length == 0 {
		kind = "money session"
	}
	return fmt.Sprintf("%s - %s, %s, %d-%d", r.Players[0], r.Players[1], kind, r.Result.Score[0], r.Result.Score[1])
}

// WriteText writes the match as a table, with the worst errors below it.
func (r *MatchReport) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%s\n%s\n\n", r.Title(), r.File)
	for _, g := range r.Games {
		fmt.Fprintf(w, "  Game %-3d %3d-%-3d  %s\n", g.Number, g.Score[0], g.Score[1], r.gameText(&g))
	}
	write := func(name string, values [2]string) {
		fmt.Fprintf(w, "  %-34s %-24s %s\n", name, values[0], values[1])
	}
	fmt.Fprintln(w)
	write("", [2]string{r.Summary[0].Player, r.Summary[1].Player})
	for _, block := range r.blocks() {
		for _, row := range block {
			if row.Sub {
				row.Name = "  " + row.Name
			}
			write(row.Name, row.Values)
		}
	}
	if r.Left > 0 {
		fmt.Fprintf(w, "\nIncomplete: %s\n", r.Incomplete())
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "\nWarning: %s", warning)
	}
	if len(r.Warnings) > 0 {
		fmt.Fprintln(w)
	}
	return r.writeErrors(w)
}

// blocks returns the rows of the summary.
func (r *MatchReport) blocks() [][]row {
	if r.Ply == nil {
		return [][]row{r.counts()}
	}
	return [][]row{r.byKind(), r.overall()}
}

// Incomplete says how much has not been evaluated.
func (r *MatchReport) Incomplete() string {
	if r.Left == 1 {
		return "1 decision has not been evaluated."
	}
	return fmt.Sprintf("%d decisions have not been evaluated.", r.Left)
}

// gameText returns how a game ended.
func (r *MatchReport) gameText(g *GameReport) string {
	text := "unfinished"
	if g.Winner != nil {
		how := g.Result
		if g.Resigned {
			how = "resigned, " + how
		}
		text = fmt.Sprintf("%s wins %d (%s)", r.Players[*g.Winner], g.Points, how)
	}
	if g.Crawford {
		text += ", Crawford"
	}
	text = fmt.Sprintf("%s, %d moves", text, g.Moves)
	if g.Summary != nil {
		text += fmt.Sprintf(", error rates %.1f and %.1f", *g.Summary[0].ErrorRate, *g.Summary[1].ErrorRate)
	}
	return text
}

// A row is a line of the table of a summary: a name and the values of both players.
type row struct {
	Name   string
	Values [2]string
	Sub    bool // part of the row above
}

// A summaryTable makes the rows of a summary.
type summaryTable struct {
	players *[2]PlayerReport
	rows    []row
}

func (t *summaryTable) add(name string, value func(p *PlayerReport) string) {
	t.rows = append(t.rows, row{Name: name, Values: [2]string{value(&t.players[0]), value(&t.players[1])}})
}

func (t *summaryTable) sub(name string, value func(p *PlayerReport) string) {
	t.add(name, value)
	t.rows[len(t.rows)-1].Sub = true
}

// counts returns the rows of a match that has not been evaluated.
func (r *MatchReport) counts() []row {
	t := summaryTable{players: &r.Summary}
	t.addPlays()
	t.add("Cube decisions", func(p *PlayerReport) string { return fmt.Sprint(p.Cube.Decisions) })
	t.add("Doubles, takes, passes", func(p *PlayerReport) string { return fmt.Sprint(p.Cube.Doubles, p.Cube.Takes, p.Cube.Passes) })
	return t.rows
}

func (t *summaryTable) addPlays() {
	t.add("Checker plays (unforced)", func(p *PlayerReport) string { return fmt.Sprintf("%d (%d)", p.Checker.Decisions, p.Checker.Unforced) })
	if t.players[0].Checker.Illegal+t.players[1].Checker.Illegal > 0 {
		t.add("Illegal plays", func(p *PlayerReport) string { return fmt.Sprint(p.Checker.Illegal) })
	}
}

// unit returns what beside EMG a loss is given in.
func (r *MatchReport) unit() string {
	if r.Length == 0 {
		return "points"
	}
	return "MWC"
}

// loss returns a loss in both units.
func (r *MatchReport) loss(emg, mwc *float64) string {
	if r.Length == 0 {
		return fmt.Sprintf("%.3f (%.3f)", *emg, *mwc)
	}
	return fmt.Sprintf("%.3f (%.2f%%)", *emg, 100**mwc)
}

// byKind returns the rows about the kinds of decisions and about luck.
func (r *MatchReport) byKind() []row {
	t := summaryTable{players: &r.Summary}
	t.addPlays()
	t.sub("doubtful, bad, very bad", func(p *PlayerReport) string {
		return fmt.Sprintf("%d, %d, %d", p.Checker.Doubtful, p.Checker.Bad, p.Checker.VeryBad)
	})
	t.sub("error, EMG ("+r.unit()+")", func(p *PlayerReport) string { return r.loss(p.Checker.Error, p.Checker.MWCError) })
	t.sub("error rate, mEMG", func(p *PlayerReport) string { return fmt.Sprintf("%.1f", *p.Checker.ErrorRate) })
	t.add("Cube decisions (close or actual)", func(p *PlayerReport) string { return fmt.Sprintf("%d (%d)", p.Cube.Decisions, *p.Cube.Close) })
	t.sub("doubtful, bad, very bad", func(p *PlayerReport) string {
		return fmt.Sprintf("%d, %d, %d", p.Cube.Doubtful, p.Cube.Bad, p.Cube.VeryBad)
	})
	for _, kind := range cubeErrors {
		if kind.rare && kind.tally(&r.Summary[0].Cube).N+kind.tally(&r.Summary[1].Cube).N == 0 {
			continue
		}
		t.sub(kind.name, func(p *PlayerReport) string {
			t := kind.tally(&p.Cube)
			if t.N == 0 {
				return "0"
			}
			return fmt.Sprintf("%d (%.3f)", t.N, t.Error)
		})
	}
	t.sub("error, EMG ("+r.unit()+")", func(p *PlayerReport) string { return r.loss(p.Cube.Error, p.Cube.MWCError) })
	t.sub("error rate, mEMG", func(p *PlayerReport) string { return fmt.Sprintf("%.1f", *p.Cube.ErrorRate) })
	t.add("Luck, EMG ("+r.unit()+")", func(p *PlayerReport) string {
		if r.Length == 0 {
			return fmt.Sprintf("%+.3f (%+.3f)", *p.Luck, *p.LuckMWC)
		}
		return fmt.Sprintf("%+.3f (%s)", *p.Luck, percent(*p.LuckMWC))
	})
	t.sub("very lucky (jokers), lucky", func(p *PlayerReport) string { return fmt.Sprintf("%d, %d", p.LuckMarks.VeryLucky, p.LuckMarks.Lucky) })
	t.sub("unlucky, very unlucky", func(p *PlayerReport) string {
		return fmt.Sprintf("%d, %d", p.LuckMarks.Unlucky, p.LuckMarks.VeryUnlucky)
	})
	return t.rows
}

// overall returns the rows about all decisions together.
func (r *MatchReport) overall() []row {
	t := summaryTable{players: &r.Summary}
	t.add("Error, EMG ("+r.unit()+")", func(p *PlayerReport) string { return r.loss(p.Error, p.MWCError) })
	t.add("Error rate, mEMG", func(p *PlayerReport) string { return fmt.Sprintf("%.1f  %s", *p.ErrorRate, p.Rating) })
	t.add("PR", func(p *PlayerReport) string { return fmt.Sprintf("%.2f", *p.PR) })
	t.add("Snowie error rate", func(p *PlayerReport) string { return fmt.Sprintf("%.1f", *p.SnowieRate) })
	if r.Summary[0].LuckAdjusted != nil {
		t.add("Luck-adjusted result", func(p *PlayerReport) string {
			if r.Length == 0 {
				return fmt.Sprintf("%+.3f points", *p.LuckAdjusted)
			}
			return percent(*p.LuckAdjusted)
		})
	}
	return t.rows
}

// cubeErrors are the kinds of errors with the cube; rare ones are not shown where there are none.
var cubeErrors = []struct {
	name  string
	tally func(c *CubeReport) *TallyReport
	rare  bool
}{
	{name: "missed doubles, a take", tally: func(c *CubeReport) *TallyReport { return c.MissedDoubles }},
	{name: "missed doubles, a pass", tally: func(c *CubeReport) *TallyReport { return c.MissedCashes }},
	{name: "wrong doubles, too early", tally: func(c *CubeReport) *TallyReport { return c.WrongDoubles }},
	{name: "wrong doubles, too good", tally: func(c *CubeReport) *TallyReport { return c.TooGood }},
	{name: "wrong takes", tally: func(c *CubeReport) *TallyReport { return c.WrongTakes }},
	{name: "wrong passes", tally: func(c *CubeReport) *TallyReport { return c.WrongPasses }},
	{name: "beavers, not in the rates", tally: func(c *CubeReport) *TallyReport { return c.WrongBeavers }, rare: true},
}

// writeErrors writes the worst errors with their boards.
func (r *MatchReport) writeErrors(w io.Writer) error {
	shown := r.Errors
	if len(shown) > r.worst {
		shown = shown[:r.worst]
	}
	for i := range shown {
		e := &shown[i]
		fmt.Fprintf(w, "\n%d. Game %d, turn %d, %s: %s\n", i+1, e.Game, e.Turn, r.Players[e.Player], e.headline())
		fmt.Fprintf(w, "%s\n", e.XGID)
		state, err := parseState(e.XGID)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, boardOf(&state, r.Players)); err != nil {
			return err
		}
		for _, line := range e.details() {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
	if rest := len(r.Errors) - len(shown); rest > 0 && r.worst > 0 {
		fmt.Fprintf(w, "\n(%d more errors)\n", rest)
	}
	return nil
}

// headline returns what was done and what it lost.
func (e *DecisionReport) headline() string {
	text := e.Played
	if e.Dice != nil {
		text = fmt.Sprintf("%d%d: %s", e.Dice[0], e.Dice[1], e.Played)
	}
	mark := ""
	if e.Mark != "none" {
		mark = ", " + e.Mark
	}
	return fmt.Sprintf("%s loses %.3f%s", text, e.Loss, mark)
}

// details returns the candidates of a play, or the equities of a cube decision.
func (e *DecisionReport) details() (lines []string) {
	if e.Decision != "checker" {
		lines = append(lines, fmt.Sprintf("No double    %+.3f", e.NoDouble), fmt.Sprintf("Double, take %+.3f", e.DoubleTake),
			fmt.Sprintf("Double, pass %+.3f", e.DoublePass))
		if e.Best != "" {
			lines = append(lines, "Right: "+e.Best)
		}
		return lines
	}
	for _, m := range e.Moves {
		star := " "
		if m.Move == e.Played {
			star = "*"
		}
		diff := ""
		if m.Rank > 1 {
			diff = fmt.Sprintf(" (%+.3f)", m.Diff)
		}
		depth := fmt.Sprintf("%d-ply", m.Ply)
		if m.StdErr != nil {
			depth = "rollout"
			diff += fmt.Sprintf(" ±%.3f", *m.StdErr)
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%s%2d. %-26s %s %+.3f%s", star, m.Rank, m.Move, depth, m.Equity, diff), " "))
	}
	return lines
}

// parseState returns the state of an XGID.
func parseState(xgid string) (bg.State, error) { return notation.ParseXGID(xgid, bg.Rules{}) }
