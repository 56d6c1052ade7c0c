package cli

import (
	"context"

	"kotra"
	"kotra/analysis"
	"kotra/bg"
	"kotra/cube"
	"kotra/internal/protocol"
	"kotra/record"
	"kotra/rollout"
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
	answer, err := d.AnswerBeaver(ctx, s)
	return answers[answer.Action], err
}

// Accepts implements [protocol.Engine].
func (d decider) Accepts(ctx context.Context, s bg.State) (bool, error) {
	r, err := d.AcceptResignation(ctx, s)
	return r.Accept, err
}

// Resigns implements [protocol.Engine].
func (d decider) Resigns(ctx context.Context, s bg.State) (bg.Result, error) { return d.Resign(ctx, s) }

// Evaluate implements [protocol.Engine].
func (d decider) Evaluate(ctx context.Context, s bg.State, ply int, cubeful bool) (bg.Probs, float64, error) {
	v, err := d.Value(ctx, s, ply, true)
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

// Rank implements [protocol.Analyst].
func (d decider) Rank(ctx context.Context, s bg.State, ply int, cubeful bool) ([]search.Candidate, error) {
	searcher, err := d.SearcherFor(ctx, &s)
	if err != nil {
		return nil, err
	}
	return searcher.Rank(ctx, &s.Position, s.Dice, d.info(&s, cubeful), ply)
}

// Decide implements [protocol.Analyst].
func (d decider) Decide(ctx context.Context, s bg.State, ply int) (cube.Decision, search.Value, error) {
	searcher, err := d.SearcherFor(ctx, &s)
	if err != nil {
		return cube.Decision{}, search.Value{}, err
	}
	return searcher.Cube(ctx, &s.Position, d.Info(&s), ply)
}

// Value implements [protocol.Analyst].
func (d decider) Value(ctx context.Context, s bg.State, ply int, cubeful bool) (search.Value, error) {
	searcher, err := d.SearcherFor(ctx, &s)
	if err != nil {
		return search.Value{}, err
	}
	return searcher.Evaluate(ctx, &s.Position, d.info(&s, cubeful), ply)
}

// info is Info without the cube, if it does not count.
func (d decider) info(s *bg.State, cubeful bool) cube.Info {
	info := d.Info(s)
	info.Rules.NoCube = info.Rules.NoCube || !cubeful
	return info
}

// An analyst is what the text commands of GNU Backgammon need of an engine.
type analyst struct{ decider }

// Static implements [protocol.Analyst].
func (a analyst) Static(pos *bg.Position) bg.Probs { return a.Evaluator().Evaluate(pos) }

// Analyze implements [protocol.Analyst].
func (a analyst) Analyze(ctx context.Context, m *record.Match, ply, cubePly int) (*analysis.Match, error) {
	o := a.Options()
	single := search.New(a.Evaluator(), search.Options{Threads: 1, Filter: o.Filter, Pruner: a.Pruner(), Cubeless: o.Cubeless})
	judge := analysis.Analyzer{
		Searcher: single, MET: o.MET, Ply: ply, CubePly: cubePly, Threads: o.Threads,
		SearcherFor: func(ctx context.Context, s *bg.State) (*search.Searcher, error) {
			searcher, err := a.SearcherFor(ctx, s)
			if searcher == a.Searcher() {
				return single, err // no table is of use
			}
			return searcher, err
		},
	}
	return judge.Match(ctx, m)
}

// RollOut implements [protocol.Analyst].
func (a analyst) RollOut(ctx context.Context, s bg.State, settings rollout.Settings, n int) (rollout.Result, error) {
	config, err := a.NewRollout(ctx, s, settings)
	if err != nil {
		return rollout.Result{}, err
	}
	config.Info = a.info(&s, !settings.Cubeless)
	if !s.Dice.Rolled() {
		config.Candidates = rollout.CubeActions(s.Position, cube.New(config.Info).State().CanDouble())
		return rollout.Run(ctx, config)
	}
	if config.Candidates, err = a.RolloutPlays(ctx, s, n); err != nil {
		return rollout.Result{}, err
	}
	result, err := rollout.Run(ctx, config)
	ranked := make([]rollout.Estimate, 0, len(result.Estimates))
	for _, i := range result.Ranking() {
		ranked = append(ranked, result.Estimates[i])
	}
	result.Estimates = ranked
	return result, err
}
