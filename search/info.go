package search

import (
	"kotra/bg"
	"kotra/cube/met"
)

// An Info is what a game is played for, seen by the player on roll.
type Info struct {
	Cube  bg.Cube
	Score bg.Score
	Rules bg.Rules
	MET   *met.Table
}

// Flip returns i seen by the other player.
func (i Info) Flip() Info {
	i.Cube.Owner, i.Score = i.Cube.Owner.Flip(), i.Score.Flip()
	if i.MET != nil {
		i.MET = i.MET.Flip()
	}
	return i
}

func newPlan(i *Info, ply int) *plan {
	pl := &plan{}
	for i := range pl.levels {
		pl.levels[i].utility = moneyUtility
	}
	return pl
}

// mover returns v, the value of a position after a play, for the player who made it.
func (pl *plan) mover(v *value, ply int) Value {
	p := v.probs.Flip()
	return Value{Probs: p, Equity: p.Equity(), Cubeful: p.Equity(), Ply: ply}
}

// onRoll returns v for the player on roll.
func (pl *plan) onRoll(v *value, ply int) Value {
	return Value{Probs: v.probs, Equity: v.probs.Equity(), Cubeful: v.probs.Equity(), Ply: ply}
}
