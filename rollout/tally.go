package rollout

import (
	"math"

	"kotra/bg"
)

// The numbers that a trial yields, seen by the player whose decision it is.
const (
	win = iota
	winGammon
	winBackgammon
	loseGammon
	loseBackgammon
	cubeful  // inside a trial a cube.Value, outside an equity
	cubeless // an equity, made of the probabilities when the trial is over
	numbers
)

// A sample is the outcome of one trial.
type sample [numbers]float64

// probs sets the probabilities of s to p, seen by the player whose decision it is or by the other.
func (s *sample) probs(p *bg.Probs, mine bool) {
	if !mine {
		q := p.Flip()
		p = &q
	}
	s[win], s[winGammon], s[winBackgammon] = float64(p.Win), float64(p.WinGammon), float64(p.WinBackgammon)
	s[loseGammon], s[loseBackgammon] = float64(p.LoseGammon), float64(p.LoseBackgammon)
}

// A luck is the difference of two values, seen by the player on roll: the first six numbers of a
// sample.
type luck [cubeful + 1]float64

// subtract takes l off s; mine tells whether the player on roll is the one whose decision it is.
func (s *sample) subtract(l *luck, mine bool) {
	if mine {
		for i, x := range l {
			s[i] -= x
		}
		return
	}
	s[win] += l[win]
	s[winGammon] -= l[loseGammon]
	s[winBackgammon] -= l[loseBackgammon]
	s[loseGammon] -= l[winGammon]
	s[loseBackgammon] -= l[winBackgammon]
	s[cubeful] += l[cubeful]
}

// A tally is the running mean and the sum of squared deviations of the samples of one candidate
// (B. P. Welford, "Note on a method for calculating corrected sums of squares and products",
// 1962). Equal samples have a deviation of exactly 0.
type tally struct {
	N       int              `json:"trials"`
	Mean    [numbers]float64 `json:"mean"`
	Squares [numbers]float64 `json:"squares"`
}

// add adds a sample.
func (t *tally) add(s *sample) {
	t.N++
	n := float64(t.N)
	for i, x := range s {
		d := x - t.Mean[i]
		t.Mean[i] += d / n
		t.Squares[i] += float64(d * (x - t.Mean[i]))
	}
}

// variance returns the variance of one number over the trials, 0 for fewer than two.
func (t *tally) variance(number int) float64 {
	if t.N < 2 {
		return 0
	}
	return t.Squares[number] / float64(t.N-1)
}

// stdErr returns the standard error of the mean of one number.
//
// It takes the trials as independent. Stratified dice make the true error a little smaller.
func (t *tally) stdErr(number int) float64 {
	if t.N < 2 {
		return 0
	}
	return math.Sqrt(t.variance(number) / float64(t.N))
}

// A pair is the running covariance of what two candidates are ranked by, over the trials that
// both have.
type pair struct {
	N       int     `json:"trials"`
	A       float64 `json:"a"` // means
	B       float64 `json:"b"`
	Product float64 `json:"product"` // sum of products of deviations
}

func (p *pair) add(a, b float64) {
	p.N++
	n := float64(p.N)
	d := a - p.A
	p.A += d / n
	p.B += (b - p.B) / n
	p.Product += float64(d * (b - p.B))
}

func (p *pair) covariance() float64 {
	if p.N < 2 {
		return 0
	}
	return p.Product / float64(p.N-1)
}

// jointStdDev returns the standard error of the difference of two candidates' means. The same
// dice make their trials correlated; where one has more trials than the other the rest of its
// trials is independent.
func jointStdDev(a, b *tally, number int, both *pair) float64 {
	if a.N < 2 || b.N < 2 {
		return 0
	}
	v := a.variance(number)/float64(a.N) + b.variance(number)/float64(b.N) -
		2*both.covariance()/float64(max(a.N, b.N))
	return math.Sqrt(max(v, 0))
}
