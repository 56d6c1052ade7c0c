// Package movegen finds the legal moves of a position and a roll.
//
// [Plays] lists one [Play] for each distinct position that a roll can lead to, [Results] the
// positions alone, which is what a search needs at its leaves. [Find] looks up the play that a
// user has described by its steps, and [Explain] tells him which rule it breaks.
//
//	for _, play := range movegen.Plays(nil, &pos, bg.Dice{3, 1}) {
//		fmt.Println(play.Move.String())
//	}
//
// # No duplicates by construction
//
// The generator does not play out every order of the dice and then drop what it has seen
// before; for most positions it visits each result once. A double is fixed by how many
// checkers leave each point, so checkers are moved from the highest point down. With two
// different dice, a checker p moved by one die and a checker q by the other give a result that
// no other pair gives, except where both are the same checker. Only while checkers are borne
// off can different pairs meet, and there results are compared.
package movegen

import (
	"kotra/bg"
)

// A Play is a legal move with the position it leads to.
type Play struct {
	Result bg.Position // seen by the opponent of the player who moved: he is on roll next
	Move   bg.Move     // steps in an order in which they can be played
}

// Plays appends to dst one play for each distinct result of the roll for the player on roll of
// pos, and returns the extended slice. If no die can be played, or the game is over, that is
// one play with an empty move.
//
// It does not allocate while dst has capacity. It panics if dice have not been rolled.
func Plays(dst []Play, pos *bg.Position, dice bg.Dice) []Play {
	g := generator{plays: dst, moves: true}
	g.generate(pos, dice)
	return g.plays
}

// Results appends to dst the results of [Plays], in the same order and seen by the opponent,
// and returns the extended slice. It is faster than Plays, for it keeps no moves.
func Results(dst []bg.Position, pos *bg.Position, dice bg.Dice) []bg.Position {
	g := generator{results: dst}
	g.generate(pos, dice)
	return g.results
}

// Perft returns the number of nodes depth rolls below pos. A node is a distinct result of one
// of the 21 rolls of its parent, each roll counted once; a roll that cannot be played has one,
// a finished game has no children.
func Perft(pos *bg.Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(pos, depth, make([]bg.Position, 0, 1024))
}

func perft(pos *bg.Position, depth int, results []bg.Position) uint64 {
	if result, _ := pos.Result(); result != bg.Unfinished {
		return 0
	}
	var nodes uint64
	start := len(results)
	for _, roll := range bg.Rolls() {
		results = Results(results[:start], pos, roll.Dice)
		if depth == 1 {
			nodes += uint64(len(results) - start)
			continue
		}
		for i := start; i < len(results); i++ {
			nodes += perft(&results[i], depth-1, results)
		}
	}
	return nodes
}
