package kotra

import (
	"context"
	"errors"
	"fmt"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval/bearoff"
	"kotra/movegen"
	"kotra/rollout"
	"kotra/search"
)

// NewRollout returns the config of a rollout for s with the engine's weights, tables, rules and
// threads; its candidates are to be added, see [Engine.RolloutPlays] and [rollout.CubeActions].
// The engine's plies are not used.
//
// It opens the two-sided bearoff table as [Options.TwoSided] tells.
func (e *Engine) NewRollout(ctx context.Context, s bg.State, settings rollout.Settings) (rollout.Config, error) {
	if err := checkUnfinished(&s); err != nil {
		return rollout.Config{}, err
	}
	evaluator, err := e.EvaluatorFor(ctx, &s)
	if err != nil {
		return rollout.Config{}, err
	}
	c := rollout.Config{
		Settings: settings, Evaluator: evaluator, Pruner: e.Pruner(),
		Efficiency: e.settings.Efficiency, Info: e.Info(&s), Threads: e.options.Threads,
		Bearoff: bearoff.Tables{Two: e.options.TwoSided},
	}
	if e.options.Evaluator != nil {
		return c, nil
	}
	c.Bearoff.One = bearoff.Default()
	if c.Bearoff.Two == nil {
		var err error
		if c.Bearoff.Two, err = bearoff.TwoSidedDefault(ctx, e.options.CacheDir); err != nil {
			return c, err
		}
	}
	return c, nil
}

// rankPly is how deep candidates are ranked before they are rolled out.
const rankPly = 2

// RolloutPlays returns the n plays of the roll of s that are best at 2 plies, as candidates of a
// rollout, the best first.
func (e *Engine) RolloutPlays(ctx context.Context, s bg.State, n int) ([]rollout.Candidate, error) {
	if err := checkPlay(&s); err != nil {
		return nil, err
	}
	searcher, err := e.SearcherFor(ctx, &s)
	if err != nil {
		return nil, err
	}
	ranked, err := searcher.Rank(ctx, &s.Position, s.Dice, e.Info(&s), rankPly)
	if err != nil {
		return nil, err
	}
	plays := make([]movegen.Play, 0, n)
	for i := range ranked[:min(n, len(ranked))] {
		plays = append(plays, ranked[i].Play)
	}
	return rollout.Plays(plays), nil
}

// RolledCube returns the cube decision that follows from a rollout of [rollout.CubeActions] for s, and
// the value of the position if it is decided right; both are seen by the player on roll.
func (e *Engine) RolledCube(s bg.State, r *rollout.Result) (cube.Decision, Evaluation, error) {
	if len(r.Estimates) == 0 || r.Estimates[0].Kind != rollout.NoDouble {
		return cube.Decision{}, Evaluation{}, errors.New("the rollout is not one of a cube decision")
	}
	info := e.Info(&s)
	if r.Settings.Cubeless {
		info.Rules.NoCube = true
	}
	game := cube.New(info)
	none := &r.Estimates[0]
	var take cube.Value
	if len(r.Estimates) > 1 {
		take = game.Value(r.Estimates[1].Cubeful)
	} else if game.State().CanDouble() {
		return cube.Decision{}, Evaluation{}, fmt.Errorf("the rollout has no candidate %q", rollout.DoubleTake)
	}
	d := game.Decide(game.Value(none.Cubeful), take)
	v := search.Value{Probs: none.Probs, Equity: none.Equity, Cubeful: d.Optimal(), Ply: r.Settings.Ply}
	return d, e.evaluation(&s, &v), nil
}
