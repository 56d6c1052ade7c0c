package sgf

import (
	"fmt"
	"strconv"
	"strings"

	"kotra/bg"
	"kotra/cube/met"
	"kotra/record"
)

// analysisProperties hold analyses and the marks that follow from them.
var analysisProperties = map[string]bool{
	"A": true, "DA": true, "LU": true, "MR": true, "CR": true, "BM": true, "DO": true, "BC": true, "DC": true, "GB": true, "GW": true, "GS": true,
	"IT": true, "TE": true,
}

// StripAnalysis takes away all stored analyses, marks and statistics of m, so that [Write] writes
// those of its actions instead.
func StripAnalysis(m *record.Match) {
	strip := func(list []record.Property) []record.Property {
		var kept []record.Property
		for _, p := range list {
			if !analysisProperties[p.Name] {
				kept = append(kept, p)
			}
		}
		return kept
	}
	for _, g := range m.Games {
		g.Extra = strip(g.Extra)
		for i := range g.Actions {
			g.Actions[i].Extra = strip(g.Actions[i].Extra)
			g.Actions[i].Analysis = nil
		}
	}
}

// readAnalysis reads the analysis of a node, nil if there is none.
func readAnalysis(a *record.Action, n *node) *record.Analysis {
	out := record.Analysis{Played: -1}
	found := false
	if values := n.get("A"); len(values) > 1 {
		for _, value := range values[1:] {
			if c, ok := parseCandidate(value, a.Player); ok {
				out.Candidates = append(out.Candidates, c)
			}
		}
		if i, err := strconv.Atoi(strings.TrimSpace(values[0])); err == nil && i >= 0 && i < len(out.Candidates) {
			out.Played = i
		}
		found = len(out.Candidates) > 0
	}
	if values := n.get("LU"); len(values) > 0 {
		if luck, err := strconv.ParseFloat(values[0], 64); err == nil {
			out.Luck, found = &luck, true
		}
	}
	if values := n.get("DA"); len(values) > 0 {
		if c, ok := parseCube(values[0]); ok {
			out.Cube, found = c, true
		}
	}
	if !found {
		return nil
	}
	return &out
}

func numbers(fields []string) ([]float64, bool) {
	out := make([]float64, len(fields))
	for i, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

func probs(v []float64) bg.Probs {
	return bg.Probs{
		Win: float32(v[0]), WinGammon: float32(v[1]), WinBackgammon: float32(v[2]),
		LoseGammon: float32(v[3]), LoseBackgammon: float32(v[4]),
	}
}

// ply reads a depth such as 2C.
func ply(text string) int {
	n, _ := strconv.Atoi(strings.TrimRight(text, "Cc"))
	return n
}

// parseCandidate reads MOVE E ver 3 WIN WG WBG LG LBG SCORE PLY ..., with the word Score, the
// form of a rollout, a different list.
func parseCandidate(value string, player int) (c record.Candidate, ok bool) {
	f := strings.Fields(value)
	if len(f) > 0 && (f[0] == "E" || f[0] == "X") {
		f = append([]string{""}, f...) // cannot move
	}
	if len(f) < 5 {
		return c, false
	}
	if c.Move, ok = parseMove(f[0], player); !ok {
		return c, false
	}
	if f[1] == "X" {
		return parseRollout(c, f)
	}
	if len(f) < 11 || f[1] != "E" {
		return c, false
	}
	v, ok := numbers(f[4:10])
	if !ok {
		return c, false
	}
	c.Probs, c.Equity, c.Ply = probs(v), v[5], ply(f[10])
	return c, true
}

func parseRollout(c record.Candidate, f []string) (record.Candidate, bool) {
	c.Level = "rollout"
	for i, word := range f {
		switch {
		case word == "Score" && i+1 < len(f):
			c.Equity, _ = strconv.ParseFloat(f[i+1], 64)
		case word == "Trials" && i+1 < len(f):
			c.Level = "rollout of " + f[i+1]
		case word == "Output" && i+7 < len(f):
			if v, ok := numbers(f[i+1 : i+8]); ok {
				c.Probs = probs(v)
			}
		}
	}
	return c, true
}

// parseCube reads E ver 3 PLY DET NOISE PRUNE and two rows of seven numbers. Of a match, its
// cubeful values are match winning chances, which [scaleCubes] turns into equities once the score
// is known.
func parseCube(value string) (*record.Cube, bool) {
	f := strings.Fields(value)
	if len(f) < 7+14 || f[0] != "E" {
		return nil, false
	}
	v, ok := numbers(f[7 : 7+14])
	if !ok {
		return nil, false
	}
	return &record.Cube{
		Probs: probs(v), TakeProbs: probs(v[7:]), Cubeless: v[5], TakeCubeless: v[12],
		NoDouble: v[6], DoubleTake: v[13], DoublePass: 1, Ply: ply(f[3]),
	}, true
}

// scaleCubes fills in both units of all cube decisions of a match that has been completed: the
// file holds match winning chances, its equities are those by the table that GNU Backgammon uses
// unless it is told otherwise.
func scaleCubes(m *record.Match) {
	if m.Money() {
		return
	}
	for _, g := range m.Games {
		r := m.Replay(g)
		for i := range r.Moments {
			a := r.Moments[i].Action
			if a.Analysis == nil || a.Analysis.Cube == nil {
				continue
			}
			c, o := a.Analysis.Cube, outcomes(&r.Moments[i].State)
			c.NoDoubleMWC, c.DoubleTakeMWC = c.NoDouble, c.DoubleTake
			c.NoDouble, c.DoubleTake = float64(o.Equity(met.MWC(c.NoDoubleMWC))), float64(o.Equity(met.MWC(c.DoubleTakeMWC)))
		}
	}
}

// outcomes returns what the game is worth, with the cube as it is, in a match at state s.
func outcomes(s *bg.State) met.Outcomes {
	return met.KazarossXG2().Outcomes(s.Score, s.Cube.Value, s.Rules)
}

// writeAnalysis appends the properties of an analysis.
func writeAnalysis(b *strings.Builder, m *record.Match, a *record.Action, s *bg.State) {
	if a.Analysis == nil {
		return
	}
	for _, p := range a.Extra {
		if p.Name == "A" || p.Name == "DA" || p.Name == "LU" {
			return // they are written as they were
		}
	}
	if c := a.Analysis.Cube; c != nil {
		writeCube(b, m, c, s)
	}
	if list := a.Analysis.Candidates; len(list) > 0 {
		fmt.Fprintf(b, "A[%d]", max(0, a.Analysis.Played))
		for i := range list {
			c := &list[i]
			fmt.Fprintf(b, "[%s E ver 3 %s %.6f %dC 0 1 0.000000 1]", moveText(c.Move, a.Player), probsText(&c.Probs), c.Equity, c.Ply)
		}
		b.WriteString("MR[]")
	}
	writeMarks(b, a)
}

func probsText(p *bg.Probs) string {
	return fmt.Sprintf("%.6f %.6f %.6f %.6f %.6f", p.Win, p.WinGammon, p.WinBackgammon, p.LoseGammon, p.LoseBackgammon)
}

// writeCube writes a cube decision before which the state was s. Its cubeful equities are match
// winning chances in a match.
func writeCube(b *strings.Builder, m *record.Match, c *record.Cube, s *bg.State) {
	noDouble, take := c.NoDouble, c.DoubleTake
	switch {
	case m.Money():
	case c.NoDoubleMWC != 0 || c.DoubleTakeMWC != 0:
		noDouble, take = c.NoDoubleMWC, c.DoubleTakeMWC
	default:
		o := outcomes(s)
		noDouble, take = float64(o.MWC(bg.Equity(noDouble))), float64(o.MWC(bg.Equity(take)))
	}
	fmt.Fprintf(b, "DA[E ver 3 %dC 1 0.000000 1 %s %.6f %.6f %s %.6f %.6f]", c.Ply,
		probsText(&c.Probs), c.Cubeless, noDouble, probsText(&c.TakeProbs), c.TakeCubeless, take)
}

func writeMarks(b *strings.Builder, a *record.Action) {
	an := a.Analysis
	if an.Luck != nil {
		fmt.Fprintf(b, "LU[%.5f]", *an.Luck)
		if mark := record.LuckMark(*an.Luck); mark != 0 {
			lucky := a.Player
			if mark < 0 {
				lucky, mark = 1-lucky, -mark
			}
			fmt.Fprintf(b, "G%c[%d]", "WB"[lucky], mark)
		}
	}
	mark := func(loss float64, bad, doubtful string) {
		switch record.MarkOf(loss) {
		case record.Doubtful:
			b.WriteString(doubtful + "[]")
		case record.Bad:
			b.WriteString(bad + "[1]")
		case record.VeryBad:
			b.WriteString(bad + "[2]")
		}
	}
	if n := an.Played; n >= 0 && n < len(an.Candidates) {
		mark(an.Candidates[0].Equity-an.Candidates[n].Equity, "BM", "DO")
	}
	if an.Cube == nil {
		return
	}
	switch loss := an.Cube.Loss; {
	case loss != nil && a.Kind == record.Play:
		mark(*loss, "BC", "DC")
	case loss != nil && a.Kind == record.Double:
		mark(*loss, "BM", "DO")
	}
	if loss := an.Cube.AnswerLoss; loss != nil && (a.Kind == record.Take || a.Kind == record.Pass || a.Kind == record.Beaver) {
		mark(*loss, "BM", "DO")
	}
}
