package duel

import (
	"context"
	"errors"
	"fmt"

	"kotra/bg"
	"kotra/movegen"
)

// An Answer is what a player replies to a double.
type Answer uint8

// The answers to a double.
const (
	Pass Answer = iota
	Take
	Beaver
)

// A Player decides for one side of a duel. It is used by one goroutine at a time.
//
// An error that wraps [ErrIllegal] is counted and the arbiter decides in the player's place;
// any other error ends the duel.
type Player interface {
	// Move returns what to play with the roll s.Dice. The plays are all that the rules allow,
	// at least one; they must not be kept or changed.
	Move(ctx context.Context, s *bg.State, plays []movegen.Play) (bg.Move, error)
	// Double reports whether to offer a double before rolling.
	Double(ctx context.Context, s *bg.State) (bool, error)
	// Answer returns the reply to the double offered in s. The decision is that of s.Decider,
	// who is the doubler again after a beaver.
	Answer(ctx context.Context, s *bg.State) (Answer, error)
	// Close releases what the player holds.
	Close() error
}

// ErrIllegal is wrapped by the error of a player whose reply the rules do not allow.
var ErrIllegal = errors.New("illegal reply")

// A Side makes the players of one side of a duel.
type Side struct {
	Name string
	// New returns a player. Each worker of a duel asks for its own.
	New func(ctx context.Context) (Player, error)
	// Workers is how many games at a time keep the side busy, if that is more than the number
	// of cores: a player in another process spends its time waiting. 0 stands for one a core.
	Workers int
}

// An Evaluator returns the cubeless probabilities of a position for the player on roll. It
// must be safe for use by several goroutines.
type Evaluator interface {
	Evaluate(pos *bg.Position) bg.Probs
}

// ZeroPly returns a side that plays the move after which e likes its position best, counting
// points without a cube. It never doubles, and takes unless it expects to lose more than half a
// point.
func ZeroPly(name string, e Evaluator) Side {
	return Side{Name: name, New: func(context.Context) (Player, error) {
		return &zeroPly{valuer{e}}, nil
	}}
}

type zeroPly struct{ valuer }

func (p *zeroPly) Move(_ context.Context, _ *bg.State, plays []movegen.Play) (bg.Move, error) {
	return plays[p.best(plays, &cubeless)].Move, nil
}

func (p *zeroPly) Double(context.Context, *bg.State) (bool, error) { return false, nil }

func (p *zeroPly) Answer(_ context.Context, s *bg.State) (Answer, error) {
	probs := p.probs(&s.Position)
	if probs.Equity() <= 0.5 {
		return Take, nil
	}
	return Pass, nil
}

func (p *zeroPly) Close() error { return nil }

// illegal returns the error for a reply that the rules do not allow.
func illegal(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrIllegal, fmt.Sprintf(format, args...))
}
