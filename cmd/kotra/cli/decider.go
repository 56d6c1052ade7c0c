package cli

import (
	"context"

	"kotra"
	"kotra/bg"
	"kotra/cube"
	"kotra/internal/protocol"
	"kotra/search"
)

// A decider lets the protocols ask an engine.
type decider struct{ *kotra.Engine }

// BestMove implements [protocol.Engine].
func (d decider) BestMove(ctx context.Context, s bg.State) (bg.Move, error) {
	play, err := d.Engine.BestMove(ctx, s)
	return play.Move, err
}

// Doubles implements [protocol.Engine].
func (d decider) Doubles(ctx context.Context, s bg.State) (bool, error) {
	decision, err := d.CubeAction(ctx, s)
	return decision.Action.Doubles(), err
}

// Answer implements [protocol.Engine].
func (d decider) Answer(ctx context.Context, s bg.State) (protocol.Answer, error) {
	if s.Beavers > 0 {
		return d.answerBeaver(ctx, s)
	}
	decision, err := d.CubeAction(ctx, s)
	return answers[decision.Answer()], err
}

var answers = map[cube.Action]protocol.Answer{
	cube.Pass:    protocol.Pass,
	cube.Take:    protocol.Take,
	cube.Beaver:  protocol.Beaver,
	cube.Raccoon: protocol.Beaver,
}

// answerBeaver returns the answer to a double that has been turned on at once.
func (d decider) answerBeaver(ctx context.Context, s bg.State) (protocol.Answer, error) {
	game := cube.New(d.Info(&s))
	n, turned := s.Beavers, s
	turned.Doubled, turned.Beavers = false, 0
	turned.Cube.Value *= 2
	v, err := d.value(ctx, &turned, d.Options().CubePly)
	accepted := 2 * v.Cubeful
	if s.Decider() != s.Seat {
		accepted = -accepted
	}
	return answers[game.AnswerBeaver(n, accepted)], err
}

// Accepts implements [protocol.Engine].
func (d decider) Accepts(ctx context.Context, s bg.State) (bool, error) {
	game := cube.New(d.Info(&s))
	v, err := d.value(ctx, &s, d.Options().Ply)
	return game.State().AcceptResignation(&s.Position, s.Resigned, game.Value(v.Cubeful)), err
}

// Evaluate implements [protocol.Engine].
func (d decider) Evaluate(ctx context.Context, s bg.State, ply int, cubeful bool) (bg.Probs, float64, error) {
	v, err := d.value(ctx, &s, ply)
	eq := v.Equity
	if cubeful {
		eq = v.Cubeful
	}
	if s.Score.Money() {
		return v.Probs, float64(eq), err
	}
	game := cube.New(d.Info(&s))
	return v.Probs, float64(game.MWC(game.Value(eq))), err
}

// value returns what the position of s is worth to its player on roll.
func (d decider) value(ctx context.Context, s *bg.State, ply int) (search.Value, error) {
	return d.Searcher().Evaluate(ctx, &s.Position, d.Info(s), ply)
}

// Rank implements [protocol.Analyst].
func (d decider) Rank(ctx context.Context, s bg.State, ply int, cubeful bool) ([]search.Candidate, error) {
	return d.Searcher().Rank(ctx, &s.Position, s.Dice, d.info(&s, cubeful), ply)
}

// Decide implements [protocol.Analyst].
func (d decider) Decide(ctx context.Context, s bg.State, ply int) (cube.Decision, search.Value, error) {
	return d.Searcher().Cube(ctx, &s.Position, d.Info(&s), ply)
}

// Value implements [protocol.Analyst].
func (d decider) Value(ctx context.Context, s bg.State, ply int, cubeful bool) (search.Value, error) {
	return d.Searcher().Evaluate(ctx, &s.Position, d.info(&s, cubeful), ply)
}

// info is Info without the cube, if it does not count.
func (d decider) info(s *bg.State, cubeful bool) cube.Info {
	info := d.Info(s)
	info.Rules.NoCube = info.Rules.NoCube || !cubeful
	return info
}
