package yardstick

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"

	"kotra/bg"
)

// An Answer is what a player says to a decision.
type Answer struct {
	Play int // index of the chosen play in Decision.Plays
	// Equities are the player's cubeless money equities of the candidates, in their order and
	// seen by the player who makes the play. Nil means that evaluations are not graded.
	Equities []float64
}

// A Report is the score of one player, by phase and over all decisions.
type Report struct {
	Rows []Row `json:"rows"` // the phases of the set, then "all"
}

// A Row is the score over the decisions of one phase. Losses and errors are in thousandths of a
// point.
type Row struct {
	Phase         string  `json:"phase"`
	Decisions     int     `json:"decisions"`
	Loss          float64 `json:"loss"`
	LossStdErr    float64 `json:"loss_stderr"`
	Against       float64 `json:"against_gnubg_2ply"` // loss minus that of gnubg 2-ply
	AgainstStdErr float64 `json:"against_gnubg_2ply_stderr"`
	Best          float64 `json:"best_play"` // share of decisions without loss
	RMS           float64 `json:"rms"`       // error of the evaluations of all candidates
	RMSDenoised   float64 `json:"rms_noise_removed"`
	RMSWithin     float64 `json:"rms_within"`  // after taking off the mean error of each decision
	Evaluations   int     `json:"evaluations"` // candidates that were evaluated; 0 leaves the rms at 0
}

// All returns the row over all decisions.
func (r Report) All() Row { return r.Rows[len(r.Rows)-1] }

// String returns r as an aligned table, one row a line.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-9s %4s %16s %18s %6s %8s %9s %8s\n",
		"phase", "n", "loss", "v gnubg 2-ply", "best", "rms", "denoised", "within")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "%-9s %4d %8.2f ± %5.2f %+10.2f ± %5.2f %5.0f%% %8.1f %9.1f %8.1f\n",
			row.Phase, row.Decisions, row.Loss, row.LossStdErr, row.Against, row.AgainstStdErr,
			100*row.Best, row.RMS, row.RMSDenoised, row.RMSWithin)
	}
	return b.String()
}

// Score grades a player who takes the play with the best static evaluation, on the embedded
// set. eval returns the probabilities for the player on roll; it is called for every legal
// result, from one goroutine.
func Score(eval func(pos *bg.Position) bg.Probs) Report {
	return Dev().Grade(Static(eval))
}

// Static returns the player who takes the play with the best value of eval, a static
// evaluation for the player on roll. Of equal plays he takes the last one listed, so that the
// order of the set cannot help him.
func Static(eval func(pos *bg.Position) bg.Probs) func(*Decision) Answer {
	return func(d *Decision) Answer {
		equities := make([]float64, len(d.Plays))
		for i := range d.Plays {
			p := eval(&d.Plays[i].Result)
			equities[i] = -float64(p.Equity())
		}
		return Answer{Play: argmax(equities), Equities: equities[:d.Candidates]}
	}
}

// GNUBG returns the answers of GNU Backgammon at 0, 1 or 2 plies, as recorded in the set.
func GNUBG(ply int) func(*Decision) Answer {
	return func(d *Decision) Answer {
		equities := make([]float64, len(d.Plays))
		for i := range d.Plays {
			equities[i] = d.Plays[i].GNUBG[ply]
		}
		return Answer{Play: argmax(equities), Equities: equities[:d.Candidates]}
	}
}

func argmax(equities []float64) int {
	best := 0
	for i, e := range equities {
		if e >= equities[best] {
			best = i
		}
	}
	return best
}

// Grade asks player for every decision of s, one after another, and reports the scores.
// It panics if an answer names no play or has the wrong number of equities.
func (s *Set) Grade(player func(*Decision) Answer) Report {
	var phases []string
	tallies := map[string]*tally{}
	all := &tally{}
	for i := range s.Decisions {
		d := &s.Decisions[i]
		t := tallies[d.Phase]
		if t == nil {
			t = &tally{}
			tallies[d.Phase] = t
			phases = append(phases, d.Phase)
		}
		answer := player(d)
		if answer.Equities != nil && len(answer.Equities) != d.Candidates {
			panic("yardstick: the answer has not one equity for each candidate")
		}
		t.add(d, answer)
		all.add(d, answer)
	}
	var r Report
	for _, phase := range inOrder(phases) {
		r.Rows = append(r.Rows, tallies[phase].row(phase))
	}
	r.Rows = append(r.Rows, all.row("all"))
	return r
}

// inOrder returns the phases in the order of the reference tables, unknown ones last.
func inOrder(phases []string) []string {
	var sorted []string
	known := []string{"opening", "contact", "backgame", "crashed", "race"}
	isIn := map[string]bool{}
	for _, p := range phases {
		isIn[p] = true
	}
	for _, p := range known {
		if isIn[p] {
			sorted = append(sorted, p)
			delete(isIn, p)
		}
	}
	for _, p := range phases {
		if isIn[p] {
			sorted = append(sorted, p)
		}
	}
	return sorted
}

// A tally adds up answers.
type tally struct {
	loss, against             []float64
	best                      int
	evaluations               int
	squares, noise, deviation float64 // sums over candidates
}

func (t *tally) add(d *Decision, a Answer) {
	loss := d.loss(a.Play)
	t.loss = append(t.loss, loss)
	t.against = append(t.against, loss-d.loss(d.gnubg2()))
	if loss == 0 {
		t.best++
	}
	if a.Equities == nil {
		return
	}
	var sum, squares float64
	for i, e := range a.Equities {
		miss := e - d.Plays[i].Rollout
		sum += miss
		squares += miss * miss
		t.noise += d.Plays[i].StdErr * d.Plays[i].StdErr
	}
	n := float64(d.Candidates)
	t.evaluations += d.Candidates
	t.squares += squares
	t.deviation += squares - sum*sum/n
}

func (t *tally) row(phase string) Row {
	row := Row{Phase: phase, Decisions: len(t.loss), Evaluations: t.evaluations}
	row.Loss, row.LossStdErr = meanStdErr(t.loss)
	row.Against, row.AgainstStdErr = meanStdErr(t.against)
	row.Best = float64(t.best) / float64(len(t.loss))
	if n := float64(t.evaluations); n > 0 {
		row.RMS = 1000 * math.Sqrt(t.squares/n)
		row.RMSDenoised = 1000 * math.Sqrt(max(0, t.squares-t.noise)/n)
		row.RMSWithin = 1000 * math.Sqrt(max(0, t.deviation)/n)
	}
	return row
}

// meanStdErr returns the mean of x in thousandths, and its standard error: 0 for fewer than two.
func meanStdErr(x []float64) (mean, stdErr float64) {
	if len(x) < 2 {
		return 1000 * stat.Mean(x, nil), 0
	}
	mean, deviation := stat.MeanStdDev(x, nil)
	return 1000 * mean, 1000 * stat.StdErr(deviation, float64(len(x)))
}
