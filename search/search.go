package search

import (
	"context"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"kotra/bg"
	"kotra/cube"
	"kotra/cube/met"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/eval/hyper"
)

// Options are the settings of a [Searcher].
type Options struct {
	// Filter says which candidates are searched deeper; nil is [Normal].
	Filter *Filter
	// Threads is the number of goroutines of one call; 0 is one for each processor.
	Threads int
	// CacheSize is the size of the caches in bytes; 0 is 4 MiB a thread, for what is worth
	// remembering is what has just been seen, and small caches are fast. Less than 0 is none.
	CacheSize int
	// Pruner, if not nil, picks the replies inside the tree that are evaluated. It should be made of
	// the network that evaluates.
	Pruner *eval.Linear
	// Keep is the number of n replies that Pruner picks for a player who moves depth plies after
	// the root; nil is 2 + log2(n) - depth, rounded down, but at least 2: the more is averaged
	// above, the less a wrong pick matters.
	Keep func(n, depth int) int
	// Cubeless searches as if there were no cube; then Cubeful equities are the cubeless ones.
	Cubeless bool
	// Efficiency is how live the cube is at the leaves; nil is [cube.Info.Efficiency].
	Efficiency *cube.Efficiency
	// TwoSided, if not nil, knows the money equities of bearoffs exactly, so that nothing is
	// searched there. In a match it gives the chances to win at the leaves.
	TwoSided *bearoff.TwoSided
	// Hyper, if not nil, does the same for Hypergammon.
	Hyper *hyper.Table
}

// A Searcher looks ahead. It may be used by several goroutines at once; each call gets the same
// answer as alone, on any number of threads, whatever its caches hold.
type Searcher struct {
	evaluator eval.Evaluator
	pruner    *eval.Linear
	keep      func(n, depth int) int
	filter    Filter
	threads   int
	cubeless  bool
	efficient *cube.Efficiency // nil: that of the game
	exact     *bearoff.TwoSided
	hyper     *hyper.Table
	statics   *cache // 0-ply probabilities
	nodes     *cache // values at 1 ply and more

	mu   sync.Mutex
	idle []*worker

	plansMu sync.Mutex
	plans   map[planID]*plan
	tables  []*met.Table // all that have been used; the index goes into keys
}

// New returns a searcher that judges positions at the leaves by e. It panics if e is nil.
func New(e eval.Evaluator, o Options) *Searcher {
	if e == nil {
		panic("search: no evaluator")
	}
	s := &Searcher{
		evaluator: e, pruner: o.Pruner, keep: o.Keep, filter: Normal(), threads: o.Threads,
		cubeless: o.Cubeless, efficient: o.Efficiency, exact: o.TwoSided, hyper: o.Hyper,
		plans: map[planID]*plan{},
	}
	if o.Filter != nil {
		s.filter = *o.Filter
	}
	if s.keep == nil {
		s.keep = func(n, depth int) int { return max(1+bits.Len(uint(n))-depth, 2) }
	}
	if s.threads <= 0 {
		s.threads = runtime.GOMAXPROCS(0)
	}
	if o.CacheSize == 0 {
		o.CacheSize = min(s.threads, 16) * (4 << 20)
	}
	s.statics, s.nodes = newCache(o.CacheSize/2), newCache(o.CacheSize/2)
	return s
}

// Reset empties the caches. It is for measuring: answers do not depend on what they hold.
func (s *Searcher) Reset() {
	s.statics.clear()
	s.nodes.clear()
}

// acquire returns an idle worker, or a new one.
func (s *Searcher) acquire(ctx context.Context) *worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		w := s.idle[n-1]
		s.idle = s.idle[:n-1]
		w.ctx = ctx
		return w
	}
	w := newWorker(s)
	w.ctx = ctx
	return w
}

func (s *Searcher) release(w *worker) {
	w.ctx = nil
	s.mu.Lock()
	s.idle = append(s.idle, w)
	s.mu.Unlock()
}

// values sets out[i] to the value of positions[i] at ply plies, at the top of pl. After an error out
// is meaningless.
func (s *Searcher) values(ctx context.Context, pl *plan, positions []*bg.Position, ply int, out []value) error {
	sums, err := s.sums(ctx, pl, positions, ply)
	if err != nil {
		return err
	}
	w := s.acquire(ctx)
	defer s.release(w)
	for i, pos := range positions {
		if ply == 0 || s.settled(pl, pos) {
			w.node(pos, pl, 0, 0, &out[i])
		} else {
			sums[i].value(&pl.levels[0], &out[i])
		}
	}
	return ctx.Err()
}

// sums returns the sums over the rolls of each unfinished position at ply plies, zero at 0 ply.
// The work is shared by the rolls of all positions.
func (s *Searcher) sums(ctx context.Context, pl *plan, positions []*bg.Position, ply int) ([]sum, error) {
	sums := make([]sum, len(positions))
	if ply == 0 {
		return sums, nil
	}
	replies := make([][len(rolls)]value, len(positions))
	s.each(ctx, len(positions), len(rolls), func(w *worker, i, roll int) {
		if !s.settled(pl, positions[i]) {
			w.reply(positions[i], pl, 0, ply, rolls[roll].Dice, &replies[i][roll])
		}
	})
	for i := range sums {
		for roll := range rolls {
			sums[i].add(&replies[i][roll], len(pl.levels[1].states), rolls[roll].Weight)
		}
	}
	return sums, ctx.Err()
}

// each calls do for the tasks 0 to n-1 of each group, on as many goroutines as the searcher has threads,
// until ctx is done. A worker stays with a group, for the tasks of one have much in common that it
// remembers, and helps others when no group is left.
func (s *Searcher) each(ctx context.Context, groups, n int, do func(w *worker, group, task int)) {
	var nextGroup atomic.Int64
	next := make([]atomic.Int64, groups)
	work := func() {
		w := s.acquire(ctx)
		defer s.release(w)
		finish := func(group int) {
			for ctx.Err() == nil {
				task := int(next[group].Add(1)) - 1
				if task >= n {
					return
				}
				do(w, group, task)
			}
		}
		for group := int(nextGroup.Add(1)) - 1; group < groups; group = int(nextGroup.Add(1)) - 1 {
			finish(group)
		}
		for group := range groups {
			finish(group)
		}
	}
	var wg sync.WaitGroup
	for range min(s.threads, groups*n) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}
