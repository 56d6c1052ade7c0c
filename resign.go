package kotra

import (
	"context"

	"kotra/bg"
	"kotra/cube"
)

// surelyLost is the winning chance up to which a position is given up. A network cannot tell
// smaller ones from nothing.
const surelyLost = 1e-3

// Resign returns what the player on roll in s should offer to resign: the smallest result that
// his opponent should accept, or [bg.Unfinished] if it is better to play on. Dice and offers are
// ignored. It never offers more than the position can lose, and nothing while the game can be
// won; a gammon that may be saved is played for.
//
// It looks as deep as [Engine.Evaluate], but not where the position is clearly alive. When ctx is
// done it plays on and returns the context's error.
func (e *Engine) Resign(ctx context.Context, s bg.State) (bg.Result, error) {
	if err := checkUnfinished(&s); err != nil {
		return bg.Unfinished, err
	}
	s.Doubled, s.Beavers, s.Resigned, s.Dice = false, 0, bg.Unfinished, bg.Dice{}
	const clearly = 10 * surelyLost
	evaluator, err := e.EvaluatorFor(ctx, &s)
	if err != nil {
		return bg.Unfinished, err
	}
	if p := evaluator.Evaluate(&s.Position); p.Win > clearly {
		return bg.Unfinished, ctx.Err()
	}
	v, err := e.Evaluate(ctx, s)
	if err != nil || v.Probs.Win > surelyLost {
		return bg.Unfinished, err
	}
	game := cube.New(e.Info(&s))
	return game.State().Resign(&s.Position, game.Value(v.Cubeful)), nil
}

// A Resignation is an offered resignation, judged for the player it is offered to. Equities are
// as in [Evaluation].
type Resignation struct {
	Offered  bg.Result
	Accept   bool      // nothing more is to be won by playing on
	Accepted bg.Equity // what accepting is worth to him
	Evaluation
}

// AcceptResignation judges the resignation that is offered in s. The evaluation in the answer is
// that of playing on, seen by the player it is offered to. It is an error if the game is over, and
// it panics if nothing is offered. When ctx is done it returns the answer at 0 ply with the
// context's error.
func (e *Engine) AcceptResignation(ctx context.Context, s bg.State) (Resignation, error) {
	if s.Resigned == bg.Unfinished {
		panic("kotra: no resignation is offered")
	}
	if err := checkUnfinished(&s); err != nil {
		return Resignation{}, err
	}
	plain := s
	plain.Doubled, plain.Beavers = false, 0
	v, err := e.Evaluate(ctx, plain)
	if err != nil && ctx.Err() == nil {
		return Resignation{}, err
	}
	game := cube.New(e.Info(&s))
	state := game.State()
	r := Resignation{
		Offered:    s.Resigned,
		Accept:     state.AcceptResignation(&s.Position, s.Resigned, game.Value(v.Cubeful)),
		Accepted:   -game.Equity(state.Settle(s.Resigned, false)),
		Evaluation: v,
	}
	r.flip()
	return r, err
}

// flip turns the numbers of v round to the other player.
func (v *Evaluation) flip() {
	v.Probs, v.Equity, v.Cubeful = v.Probs.Flip(), -v.Equity, -v.Cubeful
	if v.MWC != nil {
		mwc := 1 - *v.MWC
		v.MWC = &mwc
	}
}
