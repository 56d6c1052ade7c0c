package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kotra"
	"kotra/bg"
	"kotra/eval"
	"kotra/internal/cputime"
	"kotra/internal/report"
	"kotra/internal/yardstick"
	"kotra/movegen"
	"kotra/search"
)

type benchOptions struct {
	engineOptions
	names    []string // benchmarks to run
	json     bool
	duration time.Duration
	plies    []int // of strength
	file     string
}

// A benchmark is something that kotra bench measures. It runs if it is named, or nothing is, unless
// it is one that must be.
type benchmark struct {
	name, what string
	run        func(context.Context, *bench) error
	named      bool
}

// benchmarks lists what kotra bench measures, in the order in which it does.
var benchmarks = []benchmark{
	{name: "movegen", what: "resulting positions a second, all 21 rolls of each position", run: benchMovegen},
	{name: "eval", what: "static evaluations a second, without cache", run: benchEval},
	{name: "search", what: "milliseconds a decision at 0 to 3 plies, empty cache", run: benchSearch},
	{name: "cube", what: "milliseconds a cube action at 2 plies, empty cache", run: benchCube},
	{
		name: "rollout", what: "seconds for 1296 cubeless trials of an opening 31, 8/5 6/5, and, if this is named,\n" +
			"            the same by gnubg, with how much less time kotra takes for the same error", run: benchRollout,
	},
	{name: "selfplay", what: "games a second of training by TD, learning included", run: benchSelfplay},
	{name: "start", what: "milliseconds to the first answer of a new process", run: benchStart},
	{
		name: "table", what: "medians of five rounds of the above but rollout, beside gnubg in turn where it is\n" +
			"            installed; this runs only when it is named", run: benchTable, named: true,
	},
	{
		name: "scale", what: "times faster on all cores than on one, on the clock: 2-ply decisions, one after the\n" +
			"            other and several at once, evaluations, training; this runs only when it is named", run: benchScale, named: true,
	},
	{
		name: "match", what: "seconds to analyze a 7-point match at 2 plies, and the same by gnubg;\n" +
			"            this runs only when it is named", run: benchMatch, named: true,
	},
}

func benchNames() []string {
	names := []string{}
	for _, b := range benchmarks {
		names = append(names, b.name)
	}
	return append(names, "strength", "cube-strength")
}

func newBenchCommand(e *env) *cobra.Command {
	o := &benchOptions{}
	names := strings.Join(benchNames(), " | ")
	cmd := &cobra.Command{
		Use:       "bench [" + names + "]",
		Short:     "Measure speed and strength on the reference sets",
		GroupID:   groupEngine,
		ValidArgs: benchNames(),
		Long: `Measure how fast the engine is on a fixed mix of positions from its own play, and how strong on
a yardstick of 325 decisions with rollouts. Without a name it runs all speed benchmarks.

` + benchHelp() + `
  strength  loss of the chosen plays and error of the evaluations, by phase, in thousandths
            of a point, at --ply; this runs only when it is named
  cube-strength  errors of doubles and of takes on 190 cube decisions with the evaluations of
            GNU Backgammon at 2 plies, for matches and money apart, in thousandths of a point,
            at --ply; this runs only when it is named

With one thread (the default) speed is measured in processor time, otherwise in time on the
clock. The signature is the number of positions that a fixed search evaluates: it changes only
when the weights or the search do.`,
		Example: `  kotra bench movegen
  kotra bench eval --duration 3s --json
  kotra bench strength --ply 0`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef(cmd, "unexpected argument %q", args[1])
			}
			for _, name := range args {
				if !slices.Contains(benchNames(), name) {
					return usagef(cmd, "unknown benchmark %q, want %s", name, strings.Join(benchNames(), ", "))
				}
			}
			if o.duration <= 0 {
				return usagef(cmd, "--duration: %v is not positive", o.duration)
			}
			o.names = args
			return o.check(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.plies = []int{o.ply}
			if !cmd.Flags().Changed("ply") {
				o.plies = []int{0, 1, 2}
			}
			return runBench(cmd.Context(), e, o)
		},
	}
	fs := cmd.Flags()
	o.addFlags(fs)
	fs.Lookup("threads").DefValue, o.threads = "1", 1
	fs.Lookup("ply").Usage = "plies to look ahead for strength (default: 0, 1 and 2 in turn)"
	fs.Lookup("ply").DefValue = "0"
	fs.BoolVar(&o.json, "json", false, "print one JSON document")
	fs.DurationVar(&o.duration, "duration", time.Second, "how long to measure each speed, at least")
	fs.StringVar(&o.file, "yardstick", "", "decisions to grade on (default: the embedded set)")
	return cmd
}

func benchHelp() string {
	var b strings.Builder
	for _, m := range benchmarks {
		fmt.Fprintf(&b, "  %-9s %s\n", m.name, m.what)
	}
	return strings.TrimRight(b.String(), "\n")
}

// A bench is a run of the benchmarks.
type bench struct {
	env       *env
	o         *benchOptions
	engine    *kotra.Engine
	positions []yardstick.Sample
	report    report.Bench
}

func runBench(ctx context.Context, e *env, o *benchOptions) error {
	b := &bench{env: e, o: o, positions: yardstick.Mix()}
	b.report = report.Bench{
		Machine: machine(), Version: version(), Weights: o.weightsName(e), Threads: o.threads,
		Results: []report.Measurement{},
	}
	if !slices.Equal(o.names, []string{"movegen"}) {
		var err error
		if b.engine, err = o.newEngine(e, o.threads); err != nil {
			return err
		}
	}
	err := b.runAll(ctx)
	if err != nil && (ctx.Err() == nil || len(b.report.Results) == 0) {
		return err
	}
	if o.json {
		return errors.Join(writeJSON(e.out, &b.report), err)
	}
	return errors.Join(b.report.WriteText(e.out), err)
}

func (b *bench) runAll(ctx context.Context) error {
	if slices.Contains(b.o.names, "strength") {
		return b.strength(ctx)
	}
	if slices.Contains(b.o.names, "cube-strength") {
		return b.cubeStrength(ctx)
	}
	for _, m := range benchmarks {
		if !slices.Contains(b.o.names, m.name) && (m.named || len(b.o.names) > 0) {
			continue
		}
		b.env.note("measuring %s", m.name)
		if err := m.run(ctx, b); err != nil {
			return fmt.Errorf("benchmark %s: %w", m.name, err)
		}
	}
	if b.engine == nil {
		return nil
	}
	b.env.note("counting the signature")
	return b.signature(ctx)
}

// rate measures how many units work does a second, calling it until the time is up. A call
// returns the units it has done.
func (b *bench) rate(ctx context.Context, name, unit string, work func() int) error {
	work() // warm up
	units, elapsed, cpu, err := b.measure(ctx, work)
	if err != nil {
		return err
	}
	b.add(name, float64(units)/elapsed.Seconds(), unit, cpu)
	return nil
}

// measure calls work until the time is up and returns the sum of the units done, with the
// processor time if there is one thread, or the time on the clock.
func (b *bench) measure(ctx context.Context, work func() int) (units int, elapsed time.Duration, cpu bool, err error) {
	clock := b.startClock()
	for elapsed < b.o.duration {
		if err := ctx.Err(); err != nil {
			return units, elapsed, clock.CPU(), err
		}
		units += work()
		elapsed = clock.Elapsed()
	}
	return units, elapsed, clock.CPU(), nil
}

// startClock starts to measure processor time if there is one thread, or the time on the clock.
func (b *bench) startClock() cputime.Clock {
	if b.o.threads == 1 {
		return cputime.Start()
	}
	return cputime.StartWall()
}

func (b *bench) add(name string, value float64, unit string, cpu bool) {
	b.report.Results = append(b.report.Results, report.Measurement{Name: name, Value: value, Unit: unit, CPU: cpu})
}

func benchMovegen(ctx context.Context, b *bench) error {
	results := make([]bg.Position, 0, 1024)
	rolls := bg.Rolls()
	next := 0
	return b.rate(ctx, "movegen/mix", "positions/s", func() int {
		units := 0
		for range 50 {
			pos := &b.positions[next%len(b.positions)].Position
			next++
			for _, roll := range rolls {
				results = movegen.Results(results[:0], pos, roll.Dice)
				units += len(results)
			}
		}
		return units
	})
}

func benchEval(ctx context.Context, b *bench) error {
	e := b.engine.Evaluator()
	groups := []struct {
		name string
		is   func(eval.Class) bool
	}{
		{"mix", func(eval.Class) bool { return true }},
		{"contact", func(c eval.Class) bool { return c == eval.Contact || c == eval.Crashed }},
		{"race", func(c eval.Class) bool { return c == eval.Race }},
		{"bearoff", func(c eval.Class) bool { return c == eval.Bearoff }},
	}
	for _, g := range groups {
		var positions []bg.Position
		for i := range b.positions {
			if pos := &b.positions[i].Position; g.is(eval.Classify(pos)) {
				positions = append(positions, *pos)
			}
		}
		if len(positions) == 0 {
			continue
		}
		err := b.rate(ctx, "eval/"+g.name, "positions/s", func() int {
			for i := range positions {
				e.Evaluate(&positions[i])
			}
			return len(positions)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// decisions returns how many decisions of the mix to measure at least: n, or less if the user
// wants to be quick.
func (b *bench) decisions(n int) int {
	return min(n, 1+int(b.o.duration/(5*time.Millisecond)))
}

// searchPlies are the depths that benchSearch measures, and how many decisions of the mix each
// needs at least.
var searchPlies = []struct{ ply, decisions int }{{0, 100}, {1, 100}, {2, 100}, {3, 10}}

func benchSearch(ctx context.Context, b *bench) error {
	searcher := b.engine.Searcher()
	for _, depth := range searchPlies {
		next, decisions := 0, b.decisions(depth.decisions)
		decide := func() int {
			for range decisions {
				s := b.positions[next%len(b.positions)].State()
				next++
				searcher.Reset()
				_, err := searcher.Best(ctx, &s.Position, s.Dice, b.engine.Info(&s), depth.ply)
				if err != nil {
					return 0
				}
			}
			return decisions
		}
		if depth.ply == 0 {
			decide()
		}
		n, elapsed, cpu, err := b.measure(ctx, decide)
		if err != nil {
			return err
		}
		b.add(fmt.Sprintf("search/%dply", depth.ply), 1000*elapsed.Seconds()/float64(n), "ms", cpu)
	}
	return nil
}

func benchCube(ctx context.Context, b *bench) error {
	o := b.o.engineOptions
	o.ply = 2
	engine, err := o.newEngine(b.env, b.o.threads)
	if err != nil {
		return err
	}
	next, decisions := 0, b.decisions(20)
	n, elapsed, cpu, err := b.measure(ctx, func() int {
		for range decisions {
			s := b.positions[next%len(b.positions)].State()
			s.Dice = bg.Dice{}
			next++
			engine.Searcher().Reset()
			if _, err := engine.CubeAction(ctx, s); err != nil {
				return 0
			}
		}
		return decisions
	})
	if err != nil {
		return err
	}
	b.add("cube/2ply", 1000*elapsed.Seconds()/float64(n), "ms", cpu)
	return nil
}

// benchStart runs the program itself until its first answer.
func benchStart(ctx context.Context, b *bench) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if strings.HasSuffix(strings.TrimSuffix(program, ".exe"), ".test") {
		return nil // a test binary is not the program
	}
	var times []float64
	for range 10 {
		args := []string{"eval", "4HPwATDgc/ABMA", "--ply", "0"}
		if file := b.o.weightsFile(b.env); file != "" {
			args = append(args, "--weights", file)
		}
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
		begin := time.Now()
		if err := cmd.Run(); err != nil {
			return err
		}
		times = append(times, 1000*time.Since(begin).Seconds())
	}
	slices.Sort(times)
	b.add("start", times[len(times)/2], "ms", false)
	return nil
}

// A countingEvaluator counts its calls. It is for one thread.
type countingEvaluator struct {
	eval.Evaluator
	n int
}

func (c *countingEvaluator) Evaluate(pos *bg.Position) bg.Probs {
	c.n++
	return c.Evaluator.Evaluate(pos)
}

// signature counts the positions that 2-ply searches of some decisions evaluate.
func (b *bench) signature(ctx context.Context) error {
	const every = 100
	counter := &countingEvaluator{Evaluator: b.engine.Evaluator()}
	searcher := search.New(counter, search.Options{Threads: 1, Pruner: b.engine.Pruner()})
	for i := 0; i < len(b.positions); i += every {
		s := b.positions[i].State()
		if _, err := searcher.Rank(ctx, &s.Position, s.Dice, b.engine.Info(&s), 2); err != nil {
			return err
		}
	}
	b.report.Signature = counter.n
	return nil
}

// machine describes the computer in a few words.
func machine() string {
	return fmt.Sprintf("%s/%s, %d cores%s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor())
}

// processor returns the name of the processor where the system tells it, after a comma.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return ", " + strings.TrimSpace(value)
		}
	}
	return ""
}

// strength grades the engine on the yardstick at each ply asked for.
func (b *bench) strength(ctx context.Context) error {
	set := yardstick.Dev()
	if b.o.file != "" {
		f, err := os.Open(b.o.file)
		if err != nil {
			return fileError(b.o.file, err)
		}
		defer f.Close()
		if set, err = yardstick.Read(f); err != nil {
			return fmt.Errorf("file %q: %w", b.o.file, err)
		}
	}
	for _, ply := range b.o.plies {
		o := b.o.engineOptions
		o.ply, o.cubeless = ply, true
		engine, err := o.newEngine(b.env, b.o.threads)
		if err != nil {
			return err
		}
		b.env.note("grading %d decisions at %d-ply", len(set.Decisions), ply)
		clock := cputime.Start()
		graded := set.Grade(func(d *yardstick.Decision) yardstick.Answer {
			var a yardstick.Answer
			if err == nil {
				a, err = answerDecision(ctx, engine, d)
			}
			return a
		})
		if err != nil {
			return err
		}
		score := report.Strength{Ply: ply, Rows: graded.Rows}
		if clock.CPU() {
			score.CPUSeconds = clock.Elapsed().Seconds()
		}
		b.report.Strength = append(b.report.Strength, score)
		all := graded.All()
		b.report.Results = append(b.report.Results, report.Measurement{
			Name: fmt.Sprintf("strength/%dply", ply), Value: all.Loss, Unit: "mp", StdErr: &all.LossStdErr,
		})
	}
	return nil
}

// answerDecision returns the engine's play, and its evaluations of the candidates.
func answerDecision(ctx context.Context, engine *kotra.Engine, d *yardstick.Decision) (yardstick.Answer, error) {
	s := bg.NewGame(bg.Rules{NoCube: true})
	s.Position, s.Dice = d.Position, d.Dice
	candidates, err := engine.RankMoves(ctx, s)
	if err != nil {
		return yardstick.Answer{}, err
	}
	a := yardstick.Answer{
		Play:     d.Find(&candidates[0].Play.Result),
		Equities: make([]float64, d.Candidates),
	}
	if a.Play < 0 {
		return a, fmt.Errorf("decision %s: the engine's play is not in the set", d.ID)
	}
	ply := engine.Options().Ply
	evaluated := make([]bool, d.Candidates)
	for i := range candidates {
		c := &candidates[i]
		if j := d.Find(&c.Play.Result); j < d.Candidates && c.Ply == ply {
			a.Equities[j], evaluated[j] = float64(c.Equity), true
		}
	}
	for j, done := range evaluated { // those that the filter kept at a lower ply
		if done {
			continue
		}
		v, err := engine.Searcher().Evaluate(ctx, &d.Plays[j].Result, engine.Info(&s), ply)
		if err != nil {
			return a, err
		}
		a.Equities[j] = -float64(v.Equity)
	}
	return a, nil
}
