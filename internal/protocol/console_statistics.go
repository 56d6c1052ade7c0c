package protocol

import (
	"fmt"
	"math"

	"kotra/analysis"
	"kotra/record/sgf"
)

// analyze judges the match in progress.
func (s *consoleSession) analyze(string) {
	m := s.recorded(false)
	if m == nil {
		return
	}
	m.Complete()
	a, err := s.Engine.Analyze(s.ctx, m, s.options.analysisChecker.ply, s.options.analysisCube.ply)
	if s.failed(err) {
		return
	}
	sgf.StripAnalysis(m) // what the file says
	a.Annotate()
	s.analysis = a
}

// statistics writes the statistics of the match, or of the game that is shown alone: of the last
// analysis if there is one, otherwise counts alone.
func (s *consoleSession) statistics(game bool) {
	switch a := s.analyzed(false); {
	case a == nil:
	case game:
		s.statisticsOf(a, s.game.shown())
	default:
		s.statisticsOf(a, -1)
	}
}

// statisticsOf writes the statistics of the game of a with that index, or of all if it is -1.
func (s *consoleSession) statisticsOf(a *analysis.Match, game int) {
	players := &a.Players
	if game >= 0 {
		players = &a.Games[game].Players
	}
	t := statistics{a: a, players: [2]*analysis.Summary{&players[0], &players[1]}, names: s.names(), money: a.Record.Money()}
	t.write(s, game >= 0)
}

// statistics is a table of two columns.
type statistics struct {
	a       *analysis.Match
	players [2]*analysis.Summary
	names   [2]string
	money   bool
}

// row writes a line of the table; the cells begin under the names.
func (t *statistics) row(s *consoleSession, label string, cell func(p *analysis.Summary) string) {
	s.printf("%-41s%-24s%-23s\n", label, cell(t.players[0]), cell(t.players[1]))
}

func (t *statistics) write(s *consoleSession, game bool) {
	unit := "(MWC)"
	if t.money {
		unit = "(Points)"
	}
	count := func(label string, n func(p *analysis.Summary) int) {
		t.row(s, label, func(p *analysis.Summary) string { return fmt.Sprintf("%3d", n(p)) })
	}
	amount := func(label string, x func(p *analysis.Summary) (emg, other float64)) {
		t.row(s, label+" EMG "+unit, func(p *analysis.Summary) string {
			emg, other := x(p)
			return fmt.Sprintf("%+11.3f (%s)", emg, t.other(other))
		})
	}
	rate := func(label string, known func(p *analysis.Summary) bool, x func(p *analysis.Summary) (emg, other float64)) {
		t.row(s, label, func(p *analysis.Summary) string {
			if !known(p) {
				return "n/a"
			}
			emg, other := x(p)
			return fmt.Sprintf("%+9.1f   (%s)", emg, t.other(other))
		})
	}
	always := func(*analysis.Summary) bool { return true }
	rating := func(label string, known func(p *analysis.Summary) bool, x func(p *analysis.Summary) float64) {
		t.row(s, label, func(p *analysis.Summary) string {
			if !known(p) || !t.a.Evaluated {
				return "n/a"
			}
			return analysis.Rating(x(p))
		})
	}
	s.printf("%-41s%-24s%-23s\n\nChequerplay statistics\n\n", "Player", t.names[0], t.names[1])
	count("Total moves", func(p *analysis.Summary) int { return p.Moves })
	count("Unforced moves", func(p *analysis.Summary) int { return p.Unforced })
	for i, label := range []string{"Unmarked moves", "Moves marked doubtful", "Moves marked bad", "Moves marked very bad"} {
		count(label, func(p *analysis.Summary) int { return p.CheckerMarks[i] })
	}
	amount("Error total", func(p *analysis.Summary) (float64, float64) { return -p.Checker.Loss, -p.Checker.LossMWC })
	rate("Error rate mEMG "+unit, always, func(p *analysis.Summary) (float64, float64) {
		return -p.CheckerRate(), -per(p.Checker.LossMWC, p.Unforced)
	})
	rating("Chequerplay rating", func(p *analysis.Summary) bool { return p.Unforced > 0 }, (*analysis.Summary).CheckerRate)

	s.printf("\n\nLuck statistics\n\n")
	for i, label := range []string{"Rolls marked very lucky", "Rolls marked lucky", "Rolls unmarked", "Rolls marked unlucky", "Rolls marked very unlucky"} {
		count(label, func(p *analysis.Summary) int { return p.LuckMarks[4-i] })
	}
	rolled := func(p *analysis.Summary) bool { return p.Rolls > 0 }
	amount("Luck total", func(p *analysis.Summary) (float64, float64) { return p.Luck, p.LuckMWC })
	rate("Luck rate mEMG "+unit, rolled, func(p *analysis.Summary) (float64, float64) {
		return 1000 * per(p.Luck, p.Rolls), per(p.LuckMWC, p.Rolls)
	})
	t.row(s, "Luck rating", func(p *analysis.Summary) string {
		if !rolled(p) {
			return "n/a"
		}
		return luckRating(per(p.Luck, p.Rolls))
	})

	s.printf("\n\nCube statistics\n\n")
	count("Total cube decisions", func(p *analysis.Summary) int { return p.CubeDecisions })
	count("Close or actual cube decisions", func(p *analysis.Summary) int { return p.Cube.N })
	count("Doubles", func(p *analysis.Summary) int { return p.Doubles })
	count("Takes", func(p *analysis.Summary) int { return p.Takes })
	count("Passes", func(p *analysis.Summary) int { return p.Passes })
	for _, kind := range []struct {
		label string
		tally func(p *analysis.Summary) *analysis.Tally
	}{
		{"Missed doubles below CP", func(p *analysis.Summary) *analysis.Tally { return &p.MissedDoubles }},
		{"Missed doubles above CP", func(p *analysis.Summary) *analysis.Tally { return &p.MissedCashes }},
		{"Wrong doubles below DP", func(p *analysis.Summary) *analysis.Tally { return &p.WrongDoubles }},
		{"Wrong doubles above TG", func(p *analysis.Summary) *analysis.Tally { return &p.WrongTooGood }},
		{"Wrong takes", func(p *analysis.Summary) *analysis.Tally { return &p.WrongTakes }},
		{"Wrong passes", func(p *analysis.Summary) *analysis.Tally { return &p.WrongPasses }},
	} {
		t.row(s, kind.label+" (EMG "+unit+")", func(p *analysis.Summary) string {
			c := kind.tally(p)
			if c.N == 0 {
				return fmt.Sprintf("%3d", 0)
			}
			return fmt.Sprintf("%3d (%+6.3f (%s))", c.N, -c.Loss, t.other(-c.LossMWC))
		})
	}
	amount("Error total", func(p *analysis.Summary) (float64, float64) { return -p.Cube.Loss, -p.Cube.LossMWC })
	rate("Error rate mEMG "+unit, always, func(p *analysis.Summary) (float64, float64) {
		return -p.CubeRate(), -per(p.Cube.LossMWC, p.Cube.N)
	})
	rating("Cube decision rating", func(p *analysis.Summary) bool { return p.Cube.N > 0 }, (*analysis.Summary).CubeRate)

	s.printf("\n\nOverall statistics\n\n")
	decided := func(p *analysis.Summary) bool { return p.Unforced+p.Cube.N > 0 }
	amount("Error total", func(p *analysis.Summary) (float64, float64) { return -p.Loss(), -p.LossMWC() })
	rate("Error rate mEMG "+unit, always, func(p *analysis.Summary) (float64, float64) {
		return -p.ErrorRate(), -p.ErrorRateMWC() / 1000
	})
	rate("Snowie error rate", func(p *analysis.Summary) bool { return decided(p) && t.a.Evaluated }, func(p *analysis.Summary) (float64, float64) { return -p.SnowieRate(), 0 })
	rating("Overall rating", decided, (*analysis.Summary).ErrorRate)
	if !game {
		t.results(s)
	}
	// gnubg's estimates of ratings are on a scale of its own.
	for _, label := range []string{"Error based abs. FIBS rating", "Chequerplay errors rating loss", "Cube errors rating loss"} {
		t.row(s, label, func(*analysis.Summary) string { return "n/a" })
	}
	s.printf("\n\n\n")
}

// other writes a number in match winning chances or points.
func (t *statistics) other(x float64) string {
	if t.money {
		return fmt.Sprintf("%+7.3f", x)
	}
	return fmt.Sprintf("%+7.3f%%", 100*x)
}

// results writes the result of the match with and without luck.
func (t *statistics) results(s *consoleSession) {
	write := func(label string, result func(player int) (float64, bool)) {
		var cells [2]string
		for player := range cells {
			x, ok := result(player)
			if !ok {
				return
			}
			if cells[player] = fmt.Sprintf("%+7.2f%%", 100*x); t.money {
				cells[player] = fmt.Sprintf("%+8.3f", x)
			}
		}
		s.printf("%-41s%-24s%-23s\n", label, cells[0], cells[1])
	}
	write("Actual result", t.a.Result)
	if !t.a.Evaluated {
		return
	}
	write("Luck adjusted result", t.a.LuckAdjusted)
	if x, ok := t.a.LuckAdjusted(0); ok && !t.money {
		// The FIBS formula for the chance of the better player, turned round.
		p, text := 0.5+x, "n/a"
		if p > 0 && p < 1 {
			text = fmt.Sprintf("%+7.2f", -2000/math.Sqrt(float64(t.a.Record.Length))*math.Log10(1/p-1))
		}
		s.printf("%-41s%-24s%-23s\n", "Luck based FIBS rating diff.", text, "")
	}
}

func per(x float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return x / float64(n)
}

// luckRating names the mean luck of a roll, in EMG, in words of gnubg.
func luckRating(luck float64) string {
	switch {
	case luck > 0.10:
		return "Cheater :-)"
	case luck > 0.06:
		return "Good dice, man!"
	case luck < -0.10:
		return "Go to bed"
	case luck < -0.06:
		return "Bad dice, man!"
	}
	return "None"
}
