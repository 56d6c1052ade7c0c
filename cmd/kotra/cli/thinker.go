package cli

import (
	"context"
	"sync"
	"sync/atomic"

	"kotra"
	"kotra/bg"
	"kotra/eval"
	"kotra/internal/protocol"
	"kotra/search"
	"kotra/weights"
)

// A thinker deepens its searches ply by ply, and counts what they cost.
type thinker struct {
	decider
	mu       sync.Mutex // one search at a time
	counter  *counter
	searcher *search.Searcher
}

// newThinker returns a thinker with the settings of a UBGI client; e and o say the rest.
func newThinker(e *env, o engineOptions, s protocol.Settings) (*thinker, error) {
	o.ply, o.threads, o.seed, o.weights, o.cubeless = s.Ply, s.Threads, s.Seed, s.Weights, s.Cubeless
	engine, err := o.newEngine(e, o.threads)
	if err != nil {
		return nil, err
	}
	t := &thinker{decider: decider{engine}, counter: &counter{Evaluator: engine.Evaluator()}}
	settings := search.Options{Threads: o.threads, Cubeless: o.cubeless, Filter: engine.Options().Filter}
	if settings.Pruner, err = newPruner(engine); err != nil {
		return nil, err
	}
	t.searcher = search.New(t.counter, settings)
	return t, nil
}

// newPruner returns what picks replies in searches of the network of engine, nil if it evaluates
// by something else.
func newPruner(engine *kotra.Engine) (*eval.Linear, error) {
	o := engine.Options()
	if o.Evaluator != nil {
		return nil, nil
	}
	net, err := weights.Read(o.Weights)
	if err != nil {
		return nil, err
	}
	return eval.NewLinear(net), nil
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

// Play implements [protocol.Thinker].
func (t *thinker) Play(ctx context.Context, s bg.State, l protocol.Limits, report func(protocol.Finding)) (protocol.Finding, error) {
	return t.deepen(ctx, l, t.Options().Ply, report, func(ctx context.Context, ply int) (protocol.Finding, error) {
		candidates, err := t.searcher.Rank(ctx, &s.Position, s.Dice, t.Info(&s), ply)
		if err != nil {
			return protocol.Finding{}, err
		}
		best := &candidates[0]
		return protocol.Finding{Move: best.Play.Move, Probs: best.Probs, Equity: float64(best.Cubeful)}, nil
	})
}

// Cube implements [protocol.Thinker].
func (t *thinker) Cube(ctx context.Context, s bg.State, l protocol.Limits, report func(protocol.Finding)) (protocol.Finding, error) {
	return t.deepen(ctx, l, t.Options().CubePly, report, func(ctx context.Context, ply int) (protocol.Finding, error) {
		decision, v, err := t.searcher.Cube(ctx, &s.Position, t.Info(&s), ply)
		return protocol.Finding{Double: decision.Action.Doubles(), Probs: v.Probs, Equity: float64(decision.Optimal())}, err
	})
}

// deepen searches at 0 ply, whatever the limits, and then deeper as far as they allow.
func (t *thinker) deepen(ctx context.Context, l protocol.Limits, plies int, report func(protocol.Finding),
	search func(ctx context.Context, ply int) (protocol.Finding, error),
) (protocol.Finding, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	limited, stop := context.WithCancel(ctx)
	defer stop()
	t.counter.stop = stop
	t.counter.n.Store(0)
	t.counter.limit.Store(l.Nodes)
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
