package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kotra/bg"
	"kotra/internal/protocol"
	"kotra/internal/report"
	"kotra/movegen"
	"kotra/nn"
	"kotra/train"
)

// tableRounds is how often benchTable and benchScale measure everything, for the medians.
const tableRounds = 5

// benchTable measures the speeds that benchmarks/README.md tells in turn with those of an installed GNU
// Backgammon, several times, and reports medians.
func benchTable(ctx context.Context, b *bench) error {
	parts := []func(context.Context, *bench) error{
		benchMovegen, benchEval, gnubgEval, benchSearch, gnubgSearch, benchCube, gnubgCube, benchStart, gnubgStart, benchSelfplay,
	}
	return b.medians(tableRounds, func() error {
		for _, part := range parts {
			if err := part(ctx, b); err != nil && !errors.Is(err, protocol.ErrNoGNUBG) {
				return err
			}
		}
		return nil
	})
}

// medians calls measure so often and leaves, of what it has reported, the median under each name.
func (b *bench) medians(rounds int, measure func() error) error {
	var names []string
	all := map[string][]report.Measurement{}
	before := b.report.Results
	for round := range rounds {
		b.env.note("round %d of %d", round+1, rounds)
		b.report.Results = nil
		if err := measure(); err != nil {
			return err
		}
		for _, m := range b.report.Results {
			if all[m.Name] == nil {
				names = append(names, m.Name)
			}
			all[m.Name] = append(all[m.Name], m)
		}
	}
	b.report.Results = before
	for _, name := range names {
		m := all[name]
		slices.SortFunc(m, func(a, b report.Measurement) int {
			switch {
			case a.Value < b.Value:
				return -1
			case a.Value > b.Value:
				return 1
			}
			return 0
		})
		b.report.Results = append(b.report.Results, m[len(m)/2])
	}
	return nil
}

// comparable reports whether GNU Backgammon may be measured beside: one thread, and our own weights.
func (b *bench) comparable() bool { return b.o.threads == 1 && b.env.evaluator == nil }

func gnubgEval(ctx context.Context, b *bench) error {
	if !b.comparable() {
		return nil
	}
	rate, err := protocol.GNUBGCalibration(ctx)
	if err == nil {
		b.add("eval/calibrate-gnubg", rate, "positions/s", false)
	}
	return err
}

// gnubgSearch measures hints about the first decisions of the mix that have a choice.
func gnubgSearch(ctx context.Context, b *bench) error {
	if !b.comparable() {
		return nil
	}
	var states []bg.State
	for i := range b.positions {
		s := b.positions[i].State()
		if len(movegen.Results(nil, &s.Position, s.Dice)) > 1 {
			states = append(states, s)
		}
	}
	for _, depth := range []struct{ ply, decisions int }{{0, 1000}, {2, 100}, {3, 10}} {
		decisions := b.decisions(depth.decisions)
		if depth.ply == 0 {
			decisions = min(depth.decisions, 10*decisions)
		}
		used, err := protocol.GNUBGDecisionTime(ctx, states[:decisions], depth.ply)
		if err != nil {
			return err
		}
		b.add(fmt.Sprintf("search/%dply-gnubg", depth.ply), 1000*used.Seconds()/float64(decisions), "ms", true)
	}
	return nil
}

func gnubgCube(ctx context.Context, b *bench) error {
	if !b.comparable() {
		return nil
	}
	states := make([]bg.State, b.decisions(100))
	for i := range states {
		states[i] = b.positions[i].State()
		states[i].Dice = bg.Dice{}
	}
	used, err := protocol.GNUBGDecisionTime(ctx, states, 2)
	if err == nil {
		b.add("cube/2ply-gnubg", 1000*used.Seconds()/float64(len(states)), "ms", true)
	}
	return err
}

func gnubgStart(ctx context.Context, b *bench) error {
	if !b.comparable() {
		return nil
	}
	var times []float64
	for range 3 {
		begin := time.Now()
		if err := protocol.GNUBGFirstAnswer(ctx); err != nil {
			return err
		}
		times = append(times, 1000*time.Since(begin).Seconds())
	}
	slices.Sort(times)
	b.add("start-gnubg", times[len(times)/2], "ms", false)
	return nil
}

// benchScale measures how many times faster work is on all cores than on one, on the clock.
func benchScale(ctx context.Context, b *bench) error {
	cores := runtime.GOMAXPROCS(0)
	works := []struct {
		name string
		run  func(ctx context.Context, b *bench, threads int) (time.Duration, error)
	}{
		{"search", scaleSearch}, {"decisions", scaleDecisions}, {"eval", scaleEval}, {"selfplay", scaleSelfplay},
	}
	return b.medians(tableRounds, func() error {
		for _, w := range works {
			one, err := w.run(ctx, b, 1)
			if err != nil {
				return err
			}
			all, err := w.run(ctx, b, cores)
			if err != nil {
				return err
			}
			b.add("scale/"+w.name, one.Seconds()/all.Seconds(), fmt.Sprintf("times faster on %d cores", cores), false)
		}
		return nil
	})
}

// share calls do with the numbers below n on so many goroutines.
func share(threads, n int, do func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range threads {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// scaleWarmUp is how many decisions are looked at before the clock starts: what a searcher makes once is not
// what is measured.
const scaleWarmUp = 20

// scaleSearch looks at one decision after the other with all threads.
func scaleSearch(ctx context.Context, b *bench, threads int) (time.Duration, error) {
	engine, err := b.o.newEngine(b.env, threads)
	if err != nil {
		return 0, err
	}
	look := func(decisions int) error {
		engine.Searcher().Reset()
		for i := range decisions {
			s := b.positions[i].State()
			if _, err := engine.Searcher().Best(ctx, &s.Position, s.Dice, engine.Info(&s), 2); err != nil {
				return err
			}
		}
		return nil
	}
	if err := look(scaleWarmUp); err != nil {
		return 0, err
	}
	begin := time.Now()
	err = look(b.decisions(200))
	return time.Since(begin), err
}

// scaleDecisions looks at as many decisions at once as there are threads, as analyses do.
func scaleDecisions(ctx context.Context, b *bench, threads int) (time.Duration, error) {
	engine, err := b.o.newEngine(b.env, 1)
	if err != nil {
		return 0, err
	}
	look := func(decisions int) error {
		engine.Searcher().Reset()
		errs := make([]error, decisions)
		share(threads, len(errs), func(i int) {
			s := b.positions[i].State()
			_, errs[i] = engine.Searcher().Best(ctx, &s.Position, s.Dice, engine.Info(&s), 2)
		})
		return errors.Join(errs...)
	}
	if err := look(scaleWarmUp); err != nil {
		return 0, err
	}
	begin := time.Now()
	err = look(b.decisions(200))
	return time.Since(begin), err
}

// scaleEval evaluates the mix again and again.
func scaleEval(_ context.Context, b *bench, threads int) (time.Duration, error) {
	e := b.engine.Evaluator()
	begin := time.Now()
	share(threads, b.decisions(200)*10, func(int) {
		for i := range b.positions {
			e.Evaluate(&b.positions[i].Position)
		}
	})
	return time.Since(begin), nil
}

// scaleSelfplay trains a small network from nothing.
func scaleSelfplay(ctx context.Context, b *bench, threads int) (time.Duration, error) {
	dir, err := os.MkdirTemp("", "kotra-bench")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	begin := time.Now()
	_, err = train.TD(ctx, train.TDOptions{
		Dir: dir, Shape: nn.Shape{Width: 128, Buckets: 4}, Seed: 1, Threads: threads, Games: int64(b.decisions(200)) * 10,
	})
	return time.Since(begin), err
}
