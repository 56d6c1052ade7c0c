package search

import (
	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
)

var efficiencies = cube.DefaultEfficiency()

// efficiency returns the cube efficiency, Janowski's x, of a position at the leaves.
func efficiency(pos *bg.Position) float64 {
	switch eval.Classify(pos) {
	case eval.Bearoff:
		return efficiencies.Bearoff
	case eval.Race:
		return efficiencies.Race(pos.OnRoll.Pips())
	case eval.Crashed:
		return efficiencies.Crashed
	}
	return efficiencies.Contact
}
