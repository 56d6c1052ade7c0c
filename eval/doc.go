// Package eval judges a position without looking ahead: the 0-ply probabilities of how the game
// ends.
//
// An [Evaluator] gives the probabilities of a position. [Composite] is the one the engine plays
// with: it chooses by [Class] between the rules of the game (a finished game), a bearoff table
// (both sides home) and a network, and keeps the network's answer within what the position
// allows, so that a gammon that cannot happen has the probability 0, exactly.
//
//	net, err := weights.Load("")
//	...
//	e := eval.New(net, eval.WithBearoff(bearoff.NewOneSided(6)))
//	pos := bg.Start()
//	fmt.Println(e.Evaluate(&pos).Equity())
package eval
