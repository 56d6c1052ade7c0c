package duel

import "math"

// An SPRT is a sequential test of two hypotheses about PPG, after Wald ("Sequential Tests of
// Statistical Hypotheses", Annals of Mathematical Statistics 16, 1945), with the mean of the
// pairs taken as normal and its variance as estimated.
type SPRT struct {
	Low, High float64 // the hypotheses, in points per game
	Error     float64 // chance of accepting the wrong one; 0 stands for 0.05
}

// minPairs is how many pairs an estimated variance is trusted from.
const minPairs = 30

// LogRatio returns the logarithm of how much likelier r is under High than under Low.
func (t SPRT) LogRatio(r Result) float64 {
	if r.StdErr == 0 {
		return 0
	}
	return (t.High - t.Low) * (r.PPG - (t.High+t.Low)/2) / (r.StdErr * r.StdErr)
}

// Decide returns 1 if r is enough to accept High, -1 to accept Low, and 0 if it is not enough.
func (t SPRT) Decide(r Result) int {
	wrong := t.Error
	if wrong == 0 {
		wrong = 0.05
	}
	bound := math.Log((1 - wrong) / wrong)
	switch ratio := t.LogRatio(r); {
	case r.Pairs < minPairs:
		return 0
	case ratio >= bound:
		return 1
	case ratio <= -bound:
		return -1
	}
	return 0
}
