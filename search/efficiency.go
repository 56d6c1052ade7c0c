package search

import (
	"kotra/bg"
	"kotra/eval"
)

// efficiency returns the cube efficiency, Janowski's x, of a position at the leaves.
func efficiency(pos *bg.Position) float64 {
	switch eval.Classify(pos) {
	case eval.Bearoff:
		return 0.6
	case eval.Race:
		return min(max(0.55+0.00125*float64(pos.OnRoll.Pips()), 0.6), 0.7)
	}
	return 0.68
}
