package protocol

import (
	"context"

	"kotra/bg"
)

// An Engine makes the decisions that a protocol is asked for. It must be safe for use by
// several goroutines.
//
// A state is seen by its player on roll, who has offered a double where s.Doubled is set and
// a resignation where s.Resigned is; the decision is then that of s.Decider.
type Engine interface {
	// BestMove returns what to play with the roll of s. The game of s is not over.
	BestMove(ctx context.Context, s bg.State) (bg.Move, error)
	// Doubles reports whether to offer a double.
	Doubles(ctx context.Context, s bg.State) (bool, error)
	// Answer returns the reply to an offered double.
	Answer(ctx context.Context, s bg.State) (Answer, error)
	// Accepts reports whether to accept an offered resignation.
	Accepts(ctx context.Context, s bg.State) (bool, error)
	// Resigns returns what the player on roll should offer to resign, or bg.Unfinished. Dice and
	// offers of s do not matter.
	Resigns(ctx context.Context, s bg.State) (bg.Result, error)
	// Evaluate returns the chances before the roll of the player on roll of s, looking ply rolls
	// ahead, and what they are worth to him: for money an equity for a cube of 1, in a match the
	// match winning chance, with the use of the cube if cubeful.
	Evaluate(ctx context.Context, s bg.State, ply int, cubeful bool) (bg.Probs, float64, error)
}

// An Answer is a reply to a double.
type Answer uint8

// The answers to a double. Beaver also stands for a raccoon and what may follow.
const (
	Pass Answer = iota
	Take
	Beaver
)

// Identity is what a protocol says about the program.
type Identity struct {
	Name, Author, Version string
}
