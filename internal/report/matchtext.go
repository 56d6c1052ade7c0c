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
	fmt.Fprintln(w)
	for _, row := range r.rows() {
		fmt.Fprintf(w, "  %-34s %-24s %s\n", row[0], row[1], row[2])
	}
	if r.Left > 0 {
		fmt.Fprintf(w, "\nIncomplete: %s\n", r.incomplete())
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "\nWarning: %s", warning)
	}
	if len(r.Warnings) > 0 {
		fmt.Fprintln(w)
	}
	return r.writeErrors(w)
}

// incomplete says how much is missing.
func (r *MatchReport) incomplete() string {
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
	return fmt.Sprintf("%s, %d moves", text, g.Moves)
}

// rows returns the table of the summary: a name and the values of both players.
func (r *MatchReport) rows() [][3]string {
	var rows [][3]string
	add := func(name string, value func(p *PlayerReport) string) {
		rows = append(rows, [3]string{name, value(&r.Summary[0]), value(&r.Summary[1])})
	}
	number := func(n int) string { return fmt.Sprint(n) }
	blank := func(*PlayerReport) string { return "" }
	add("", func(p *PlayerReport) string { return p.Player })
	add("Checker plays (unforced)", func(p *PlayerReport) string { return fmt.Sprintf("%d (%d)", p.Checker.Decisions, p.Checker.Unforced) })
	if r.Summary[0].Checker.Illegal+r.Summary[1].Checker.Illegal > 0 {
		add("Illegal plays", func(p *PlayerReport) string { return number(p.Checker.Illegal) })
	}
	if r.Ply == nil {
		add("Cube decisions", func(p *PlayerReport) string { return number(p.Cube.Decisions) })
		add("Doubles, takes, passes", func(p *PlayerReport) string { return fmt.Sprint(p.Cube.Doubles, p.Cube.Takes, p.Cube.Passes) })
		return rows
	}
	unit := "MWC"
	loss := func(emg, mwc *float64) string { return fmt.Sprintf("%.3f (%.2f%%)", *emg, 100**mwc) }
	if r.Length == 0 {
		unit = "points"
		loss = func(emg, points *float64) string { return fmt.Sprintf("%.3f (%.3f)", *emg, *points) }
	}
	add("  doubtful, bad, very bad", func(p *PlayerReport) string {
		return fmt.Sprintf("%d, %d, %d", p.Checker.Doubtful, p.Checker.Bad, p.Checker.VeryBad)
	})
	add("  error, EMG ("+unit+")", func(p *PlayerReport) string { return loss(p.Checker.Error, p.Checker.MWCError) })
	add("  error rate, mEMG", func(p *PlayerReport) string { return fmt.Sprintf("%.1f", *p.Checker.ErrorRate) })
	add("Cube decisions (close or actual)", func(p *PlayerReport) string { return fmt.Sprintf("%d (%d)", p.Cube.Decisions, *p.Cube.Close) })
	for _, kind := range cubeErrors {
		add("  "+kind.name, func(p *PlayerReport) string {
			t := kind.tally(&p.Cube)
			if t.N == 0 {
				return "0"
			}
			return fmt.Sprintf("%d (%.3f)", t.N, t.Error)
		})
	}
	add("  error, EMG ("+unit+")", func(p *PlayerReport) string { return loss(p.Cube.Error, p.Cube.MWCError) })
	add("  error rate, mEMG", func(p *PlayerReport) string { return fmt.Sprintf("%.1f", *p.Cube.ErrorRate) })
	add("Luck, EMG ("+unit+")", func(p *PlayerReport) string {
		if r.Length == 0 {
			return fmt.Sprintf("%+.3f (%+.3f)", *p.Luck, *p.LuckMWC)
		}
		return fmt.Sprintf("%+.3f (%s)", *p.Luck, percent(*p.LuckMWC))
	})
	add("  very lucky, lucky", func(p *PlayerReport) string { return fmt.Sprintf("%d, %d", p.LuckMarks.VeryLucky, p.LuckMarks.Lucky) })
	add("  unlucky, very unlucky", func(p *PlayerReport) string {
		return fmt.Sprintf("%d, %d", p.LuckMarks.Unlucky, p.LuckMarks.VeryUnlucky)
	})
	add("", blank)
	add("Error, EMG ("+unit+")", func(p *PlayerReport) string { return loss(p.Error, p.MWCError) })
	add("Error rate, mEMG", func(p *PlayerReport) string { return fmt.Sprintf("%.1f  %s", *p.ErrorRate, p.Rating) })
	add("PR", func(p *PlayerReport) string { return fmt.Sprintf("%.2f", *p.PR) })
	add("Snowie error rate", func(p *PlayerReport) string { return fmt.Sprintf("%.1f", *p.SnowieRate) })
	if r.Summary[0].LuckAdjusted != nil {
		add("Luck-adjusted result", func(p *PlayerReport) string {
			if r.Length == 0 {
				return fmt.Sprintf("%+.3f points", *p.LuckAdjusted)
			}
			return percent(*p.LuckAdjusted)
		})
	}
	return rows
}

// cubeErrors are the kinds of errors with the cube.
var cubeErrors = []struct {
	name  string
	tally func(c *CubeReport) *TallyReport
}{
	{"missed doubles, a take", func(c *CubeReport) *TallyReport { return c.MissedDoubles }},
	{"missed doubles, a pass", func(c *CubeReport) *TallyReport { return c.MissedCashes }},
	{"wrong doubles, too early", func(c *CubeReport) *TallyReport { return c.WrongDoubles }},
	{"wrong doubles, too good", func(c *CubeReport) *TallyReport { return c.TooGood }},
	{"wrong takes", func(c *CubeReport) *TallyReport { return c.WrongTakes }},
	{"wrong passes", func(c *CubeReport) *TallyReport { return c.WrongPasses }},
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
		if _, err := fmt.Fprintln(w, Board(&state)); err != nil {
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
