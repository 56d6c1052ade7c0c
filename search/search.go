package search

import (
	"math/bits"
	"runtime"
	"sync"

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
	// CacheSize is the size of the caches of one call in bytes; 0 is 4 MiB a thread, for what is worth
	// remembering is what has just been seen, and small caches are fast. Less than 0 is none. Calls at the
	// same time have further caches, of one thread's part of it for each processor at most.
	CacheSize int
	// Pruner, if not nil, picks the replies inside the tree that are evaluated. If it is made of another
	// network than that which evaluates, a faster one, that one chooses among them too: then what evaluates
	// sees the leaves alone.
	Pruner *eval.Linear
	// Keep is the number of n replies that Pruner picks for a player who moves depth plies after
	// the root; nil is 3 + log2(n) - depth, rounded down, but at least 2: the more is averaged
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
	lead      eval.Evaluator // chooses replies; nil: the evaluator
	pruner    *eval.Linear
	keep      func(n, depth int) int
	filter    Filter
	threads   int
	watches   bool // there is a processor for each goroutine of a call, so that one may watch others
	cubeless  bool
	efficient *cube.Efficiency // nil: that of the game
	exact     *bearoff.TwoSided
	hyper     *hyper.Table
	cacheSize int

	mu    sync.Mutex
	teams []*team // all that have been needed
	idle  []*team

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
	if o.Pruner != nil {
		s.lead = o.Pruner.Lead(e)
	}
	if o.Filter != nil {
		s.filter = *o.Filter
	}
	if s.keep == nil {
		s.keep = func(n, depth int) int { return max(2+bits.Len(uint(n))-depth, 2) }
	}
	if s.threads <= 0 {
		s.threads = runtime.GOMAXPROCS(0)
	}
	s.watches = s.threads <= runtime.GOMAXPROCS(0)
	s.cacheSize = o.CacheSize
	if s.cacheSize == 0 {
		s.cacheSize = min(s.threads, 16) * (4 << 20)
	}
	return s
}

// Reset empties the caches. It is for measuring: answers do not depend on what they hold.
func (s *Searcher) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.teams {
		t.statics.clear()
		t.nodes.clear()
	}
}

// values sets out[i] to the value of positions[i] at ply plies, at the top of pl. After an error out
// is meaningless.
func (t *team) values(pl *plan, positions []*bg.Position, ply int, out []value) error {
	sums, err := t.sums(pl, positions, ply)
	if err != nil {
		return err
	}
	t.each(len(positions), 1, func(w *worker, i, _ int) {
		if ply == 0 || t.s.settled(pl, positions[i]) {
			w.node(positions[i], pl, 0, 0, &out[i])
		} else {
			sums[i].value(&pl.levels[0], &out[i])
		}
	})
	return t.ctx.Err()
}

// sums returns the sums over the rolls of each unfinished position at ply plies, zero at 0 ply.
// The work is shared by the rolls of all positions.
func (t *team) sums(pl *plan, positions []*bg.Position, ply int) ([]sum, error) {
	sums := make([]sum, len(positions))
	if ply == 0 {
		return sums, nil
	}
	for len(t.replies) < len(positions) {
		t.replies = append(t.replies, [len(rolls)]value{})
	}
	replies := t.replies[:len(positions)]
	t.each(len(positions), len(rolls), func(w *worker, i, roll int) {
		if !t.s.settled(pl, positions[i]) {
			w.reply(positions[i], pl, 0, ply, rolls[roll].Dice, &replies[i][roll])
		}
	})
	for i := range sums {
		for roll := range rolls {
			sums[i].add(&replies[i][roll], len(pl.levels[1].states), rolls[roll].Weight)
		}
	}
	return sums, t.ctx.Err()
}
