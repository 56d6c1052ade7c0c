package cli

import (
	"context"
	"sync"
	"sync/atomic"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/internal/protocol"
	"kotra/movegen"
	"kotra/rollout"
	"kotra/search"
)

// A thinker deepens its searches ply by ply, rolls out if it is told to, and counts what that
// costs.
type thinker struct {
	decider
	mu       sync.Mutex // one search at a time
	counter  *counter
	searcher *search.Searcher // counts
	seed     uint64           // of rollouts
}

// newThinker returns a thinker with the settings of a UBGI client; e and o say the rest.
func newThinker(e *env, o engineOptions, s protocol.Settings) (*thinker, error) {
	o.ply, o.threads, o.seed, o.weights, o.cubeless = s.Ply, s.Threads, s.Seed, s.Weights, s.Cubeless
	engine, err := o.newEngine(e, o.threads)
	if err != nil {
		return nil, err
	}
	t := &thinker{decider: decider{engine}, seed: s.Seed, counter: &counter{Evaluator: engine.Evaluator()}}
	t.searcher = search.New(t.counter, search.Options{
		Threads: o.threads, Cubeless: o.cubeless, Filter: engine.Options().Filter, Pruner: engine.Pruner(),
	})
	return t, nil
}

// A counter counts evaluations and stops at a limit.
type counter struct {
	eval.Evaluator
	n     atomic.Int64
	limit atomic.Int64 // 0 is none
	stop  func()
}

// Evaluate implements [eval.Evaluator].
func (c *counter) Evaluate(pos *bg.Position) bg.Probs {
	if c.n.Add(1) == c.limit.Load() {
		c.stop()
	}
	return c.Evaluator.Evaluate(pos)
}

// searcherFor returns what looks ahead in s: where a two-sided table is of use, the searcher that
// knows it, which evaluates next to nothing and is not counted.
func (t *thinker) searcherFor(ctx context.Context, s *bg.State) (*search.Searcher, error) {
	searcher, err := t.SearcherFor(ctx, s)
	if searcher == t.Searcher() {
		return t.searcher, err
	}
	return searcher, err
}

// Play implements [protocol.Thinker].
func (t *thinker) Play(ctx context.Context, s bg.State, l protocol.Limits, report func(protocol.Finding)) (protocol.Finding, error) {
	searcher, err := t.searcherFor(context.WithoutCancel(ctx), &s)
	if err != nil {
		return protocol.Finding{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var plays []movegen.Play // the best, at the depth reached
	best, err := t.deepen(ctx, l, t.Options().Ply, report, func(ctx context.Context, ply int) (protocol.Finding, error) {
		candidates, err := searcher.Rank(ctx, &s.Position, s.Dice, t.Info(&s), ply)
		if err != nil {
			return protocol.Finding{}, err
		}
		plays = plays[:0]
		for i := range candidates[:min(rolledOut, len(candidates))] {
			plays = append(plays, candidates[i].Play)
		}
		first := &candidates[0]
		return protocol.Finding{Move: first.Play.Move, Probs: first.Probs, Equity: float64(first.Cubeful)}, nil
	})
	if err != nil || l.Trials == 0 || len(plays) < 2 {
		return best, err
	}
	return t.rollOut(ctx, s, l, rollout.Plays(plays), best, report, func(r *rollout.Result) (protocol.Finding, error) {
		leader := r.Leader()
		e := &r.Estimates[leader]
		return protocol.Finding{Move: plays[leader].Move, Probs: e.Probs, Equity: float64(e.Cubeful), StdErr: e.CubefulError}, nil
	})
}

// Cube implements [protocol.Thinker].
func (t *thinker) Cube(ctx context.Context, s bg.State, l protocol.Limits, report func(protocol.Finding)) (protocol.Finding, error) {
	searcher, err := t.searcherFor(context.WithoutCancel(ctx), &s)
	if err != nil {
		return protocol.Finding{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	best, err := t.deepen(ctx, l, t.Options().CubePly, report, func(ctx context.Context, ply int) (protocol.Finding, error) {
		decision, v, err := searcher.Cube(ctx, &s.Position, t.Info(&s), ply)
		return protocol.Finding{Double: decision.Action.Doubles(), Probs: v.Probs, Equity: float64(decision.Optimal())}, err
	})
	actions := rollout.CubeActions(s.Position, cube.New(t.Info(&s)).State().CanDouble())
	if err != nil || l.Trials == 0 || len(actions) < 2 {
		return best, err
	}
	return t.rollOut(ctx, s, l, actions, best, report, func(r *rollout.Result) (protocol.Finding, error) {
		decision, v, err := t.RolledCube(s, r)
		return protocol.Finding{Double: decision.Action.Doubles(), Probs: v.Probs, Equity: float64(v.Cubeful), StdErr: r.Estimates[0].CubefulError}, err
	})
}

// rolledOut is how many plays a rollout compares at most.
const rolledOut = 5

// rollOut makes l.Trials trials of the candidates for the decision of s, as far as the limits
// allow, and returns what it finds, or best if there are no trials to judge by.
func (t *thinker) rollOut(ctx context.Context, s bg.State, l protocol.Limits, candidates []rollout.Candidate, best protocol.Finding,
	report func(protocol.Finding), find func(*rollout.Result) (protocol.Finding, error),
) (protocol.Finding, error) {
	limited, stop := t.limit(ctx, l, best.Nodes)
	defer stop()
	if limited.Err() != nil {
		return best, nil
	}
	c, err := t.NewRollout(limited, s, rollout.Settings{Trials: l.Trials, Seed: t.seed, Cubeless: t.Options().Cubeless})
	if err != nil {
		return best, nil //nolint:nilerr // stopped
	}
	c.Evaluator, c.Candidates = t.counter, candidates
	// No trials is no finding, and too few of them are worse than the search.
	done := func(r *rollout.Result) error {
		if r.Trials < min(36, l.Trials) {
			return nil
		}
		found, err := find(r)
		if err == nil {
			best = found
			best.Trials, best.Nodes = r.Trials, t.counter.n.Load()
			report(best)
		}
		return err
	}
	c.Progress = func(r rollout.Result) {
		if r.Trials < l.Trials {
			_ = done(&r)
		}
	}
	result, err := rollout.Run(limited, c)
	if limited.Err() != nil {
		return best, nil
	}
	if err == nil {
		err = done(&result)
	}
	return best, err
}

// limit returns a context that ends with ctx or at the limit of evaluations of l, of which some
// have been used. Nothing else may be counted meanwhile.
func (t *thinker) limit(ctx context.Context, l protocol.Limits, used int64) (context.Context, context.CancelFunc) {
	limited, stop := context.WithCancel(ctx)
	t.counter.stop = stop
	t.counter.n.Store(used)
	t.counter.limit.Store(l.Nodes)
	if l.Nodes > 0 && used >= l.Nodes {
		stop()
	}
	return limited, stop
}

// deepen searches at 0 ply, whatever the limits, and then deeper as far as they allow.
func (t *thinker) deepen(ctx context.Context, l protocol.Limits, plies int, report func(protocol.Finding),
	search func(ctx context.Context, ply int) (protocol.Finding, error),
) (protocol.Finding, error) {
	limited, stop := t.limit(ctx, l, 0)
	defer stop()
	var best protocol.Finding
	for ply := range plies + 1 {
		within := limited
		if ply == 0 {
			within = context.WithoutCancel(ctx)
		}
		found, err := search(within, ply)
		if ply > 0 && limited.Err() != nil {
			break
		}
		if err != nil {
			return best, err
		}
		best = found
		best.Ply, best.Nodes = ply, t.counter.n.Load()
		report(best)
	}
	return best, nil
}
