package search

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A team is what one call at a time has: its goroutines, which are the one that calls and helpers, and
// their caches. Calls that run at once have teams of their own, for what one processor has written is far
// from the others, see [newTeam] about their number.
//
// Waking a goroutine takes up to 50 µs, and a decision has a job for each cut of its filter. So helpers
// begin with the call and watch for jobs a while before they sleep, and after it for another call before
// they end.
type team struct {
	s       *Searcher
	statics *cache    // 0-ply probabilities
	nodes   *cache    // values at 1 ply and more
	workers []*worker // the first is that of the goroutine that calls
	ctx     context.Context
	replies [][len(rolls)]value // scratch, by position of a job and roll

	job    atomic.Pointer[job] // the last; rest between calls
	mu     sync.Mutex          // for all below, and for changes of job
	posted sync.Cond           // a job
	helps  []bool              // by worker: it has a goroutine
}

// A job is tasks in groups. A worker stays with a group, for the tasks of one have much in common that
// it remembers, and helps others when no group is left.
type job struct {
	ctx    context.Context
	do     func(w *worker, group, task int)
	n      int // tasks of a group
	group  atomic.Int64
	next   []atomic.Int64 // task, by group
	active atomic.Int64   // helpers at work
	idle   chan struct{}  // holds something after active has become 0
}

// What is posted between jobs: rest between calls, ready in a call before its first job. Helpers end in
// a rest alone, so that a call that has found some keeps them.
var rest, ready = &job{}, &job{}

// newTeam makes a team and adds it to those of s. The first has a cache for all threads of a call, and others
// what is one thread's part of it, for when many calls run at once each has but a part of the processors;
// those beyond the number of processors share the caches of others. The caller holds s.mu.
func newTeam(s *Searcher) *team {
	t := &team{s: s}
	n, processors := len(s.teams), runtime.GOMAXPROCS(0)
	if n > processors {
		t.statics, t.nodes = s.teams[n%processors].statics, s.teams[n%processors].nodes
	} else {
		size := s.cacheSize
		if n > 0 {
			size /= s.threads
		}
		t.statics, t.nodes = newCache(size/2), newCache(size/2)
	}
	t.posted.L = &t.mu
	t.job.Store(rest)
	t.workers = append(t.workers, newWorker(t))
	s.teams = append(s.teams, t)
	return t
}

// team returns a team for a call that has at most so many tasks at a time. It must be dismissed.
func (s *Searcher) team(ctx context.Context, tasks int) *team {
	s.mu.Lock()
	var t *team
	if n := len(s.idle); n > 0 {
		t = s.idle[n-1]
		s.idle = s.idle[:n-1]
	} else {
		t = newTeam(s)
	}
	s.mu.Unlock()
	t.ctx, t.workers[0].ctx = ctx, ctx
	if n := min(s.threads, tasks); n > 1 {
		t.enlist(n)
	}
	return t
}

// enlist gives n workers, but for the first, a goroutine, where they have none.
func (t *team) enlist(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.job.Store(ready)
	for len(t.helps) < n {
		t.helps = append(t.helps, false)
	}
	for len(t.workers) < n {
		t.workers = append(t.workers, newWorker(t))
	}
	for i := 1; i < n; i++ {
		if !t.helps[i] {
			t.helps[i] = true
			go t.help(i, t.workers[i])
		}
	}
}

// dismiss ends the call.
func (t *team) dismiss() {
	if t.job.Load() != rest {
		t.post(rest)
	}
	t.ctx, t.workers[0].ctx = nil, nil
	t.s.mu.Lock()
	t.s.idle = append(t.s.idle, t)
	t.s.mu.Unlock()
}

func (t *team) post(j *job) {
	t.mu.Lock()
	t.job.Store(j)
	t.mu.Unlock()
	t.posted.Broadcast()
}

// each calls do for the tasks 0 to n-1 of each group, on all goroutines of the team, until the context
// is done.
func (t *team) each(groups, n int, do func(w *worker, group, task int)) {
	j := &job{ctx: t.ctx, do: do, n: n, next: make([]atomic.Int64, groups), idle: make(chan struct{}, 1)}
	if t.s.threads > 1 {
		t.post(j)
	}
	j.work(t.workers[0])
	// No helper begins a task from here on: none is left, or the context is done.
	for !t.s.watch(func() bool { return j.active.Load() == 0 }) {
		<-j.idle
	}
}

// help does jobs of t as long as there are any, by worker i.
func (t *team) help(i int, w *worker) {
	for j := t.await(i, rest); j != nil; j = t.await(i, j) {
		if j == rest || j == ready {
			continue
		}
		j.active.Add(1)
		w.ctx = j.ctx
		j.work(w)
		w.ctx = nil
		if j.active.Add(-1) == 0 {
			select {
			case j.idle <- struct{}{}:
			default:
			}
		}
	}
}

// await returns the job after last for the goroutine of worker i, or nil if that is to end.
func (t *team) await(i int, last *job) *job {
	if t.s.watch(func() bool { return t.job.Load() != last }) {
		return t.job.Load()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.job.Load() == last {
		if last == rest {
			t.helps[i] = false
			return nil
		}
		t.posted.Wait()
	}
	return t.job.Load()
}

// work does tasks of j until none is left or the context is done.
func (j *job) work(w *worker) {
	finish := func(group int) {
		for j.ctx.Err() == nil {
			task := int(j.next[group].Add(1)) - 1
			if task >= j.n {
				return
			}
			j.do(w, group, task)
		}
	}
	for group := int(j.group.Add(1)) - 1; group < len(j.next); group = int(j.group.Add(1)) - 1 {
		finish(group)
	}
	for group := range j.next {
		finish(group)
	}
}

// patience is how long a goroutine watches for what it waits for, before it sleeps: longer than a call takes
// from its beginning to its first job and from one to the next, for to be woken then takes as long again.
const patience = 200 * time.Microsecond

// watch returns true as soon as done does, and false when it has lost patience.
func (s *Searcher) watch(done func() bool) bool {
	if done() {
		return true
	}
	if !s.watches {
		return false
	}
	for begin := time.Now(); time.Since(begin) < patience; {
		for range 32 {
			if done() {
				return true
			}
		}
	}
	return false
}

// tasks returns the number of tasks of the largest job of a call that looks ply plies ahead from so many
// positions.
func tasks(positions, ply int) int {
	if ply == 0 {
		return 0
	}
	return positions * len(rolls)
}
