package rollout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/bearoff"
)

// A Config is a rollout to be run.
type Config struct {
	Settings
	// Evaluator judges positions; it may not be nil.
	Evaluator eval.Evaluator
	// Pruner, if not nil, is made of the network that evaluates, or of a faster one. It makes a rollout much
	// faster: its network picks the replies of which luck is made.
	Pruner *eval.Linear
	// Bearoff holds the tables that end a trial. Either may be nil.
	Bearoff bearoff.Tables
	// Efficiency is how live the cube is at 0 ply; nil is [cube.Info.Efficiency].
	Efficiency *cube.Efficiency
	// Info is what the game is played for, seen by the player whose decision it is.
	Info cube.Info
	// Candidates are rolled out with the same dice.
	Candidates []Candidate
	// Threads is the number of goroutines; 0 means one for each processor. The result does not
	// depend on it.
	Threads int
	// Progress, if not nil, is called after every 36 trials of all candidates, and more often if they
	// take long, from the goroutine that called Run. The result is the callee's.
	Progress func(Result)
	// Save, if not empty, is the file that keeps what has been done: at the start, every SaveEvery (0
	// means a second), and at the end.
	Save      string
	SaveEvery time.Duration
	// Resume, if not empty, is a file that was saved by a rollout of the same candidates with the
	// same settings, from which this one goes on. The number of trials and the rules for stopping
	// may differ.
	Resume string
}

// A Reason says why a rollout has ended.
type Reason string

// The reasons. A rollout in progress has none.
const (
	Done        Reason = "trials"
	StoppedJSD  Reason = "jsd"
	StoppedSE   Reason = "stderr"
	TimeUp      Reason = "time"
	Interrupted Reason = "interrupted"
)

// A Result is what a rollout has found, seen by the player whose decision it is.
type Result struct {
	Estimates []Estimate // in the order of the candidates
	Trials    int        // of the candidate that has most
	Reason    Reason
	Settings  Settings
	Elapsed   time.Duration // of this run, without those that it resumed
}

// An Estimate is the mean over the trials of a candidate, with standard errors. Equities are for a
// cube of 1 for money and EMG in a match.
type Estimate struct {
	Candidate
	Trials       int
	Probs        bg.Probs
	ProbsStdErr  bg.Probs
	Equity       bg.Equity // cubeless
	StdErr       float64
	Cubeful      bg.Equity // the same as Equity in a cubeless rollout
	CubefulError float64
	// JSD is how many joint standard deviations the candidate is behind the leader, and
	// DiffStdErr is that deviation: the standard error of the difference. Both are 0 for the leader
	// himself.
	JSD        float64
	DiffStdErr float64
	Stopped    bool // a rule has stopped the candidate before the others
}

// round is the number of trials after which rules are looked at.
const round = bg.Outcomes

// often is how long Progress is kept waiting when trials take long.
const often = 250 * time.Millisecond

// Run rolls out the candidates of c. If ctx is done it returns what is known so far with the
// context's error.
//
// It is an error if a setting makes no sense, if a candidate is not a legal unfinished position,
// or if the file to be resumed does not fit. Run panics if there is no evaluator.
func Run(ctx context.Context, c Config) (Result, error) {
	if c.Evaluator == nil {
		panic("rollout: no evaluator")
	}
	if err := c.complete(); err != nil {
		return Result{}, err
	}
	r := newRun(&c)
	if c.Resume != "" {
		if err := r.resume(c.Resume); err != nil {
			return Result{}, err
		}
	}
	if c.Save != "" { // a file that cannot be written is told before the work, not after
		if err := r.save(c.Save); err != nil {
			return Result{}, err
		}
	}
	err := r.work(ctx)
	if err != nil && ctx.Err() != nil {
		r.reason = Interrupted
	}
	if c.Save != "" {
		err = errors.Join(err, r.save(c.Save))
	}
	return r.result(), err
}

// complete checks c and fills in defaults.
func (c *Config) complete() error {
	if err := c.Check(); err != nil {
		return err
	}
	if len(c.Candidates) == 0 {
		return errors.New("rollout: no candidates")
	}
	if c.Info.Rules.NoCube {
		c.Cubeless = true
	}
	for i := range c.Candidates {
		candidate := &c.Candidates[i]
		if err := candidate.Position.Validate(); err != nil {
			return fmt.Errorf("rollout: candidate %q: %w", candidate.Name, err)
		}
		if candidate.Kind == DoubleTake && (c.Cubeless || !cube.New(c.Info).State().CanDouble()) {
			return fmt.Errorf("rollout: candidate %q: the player on roll may not double", candidate.Name)
		}
	}
	if c.Threads <= 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	if c.MinTrials == 0 {
		c.MinTrials = defaultMinTrials
	}
	if c.Efficiency == nil {
		x := c.Info.Efficiency()
		c.Efficiency = &x
	}
	if c.SaveEvery == 0 {
		c.SaveEvery = time.Second
	}
	return nil
}

// A run is a rollout in progress. It belongs to the goroutine that called Run.
type run struct {
	*table
	began   time.Time
	shown   time.Time // when Progress was called last
	tallies []tally
	pairs   []pair // of candidates a < b, at a*n+b
	stopped []bool
	trials  int // merged, of the candidates that have not been stopped
	reason  Reason

	rows []row // trials under way or done out of order, from the next one to be merged on
}

// A row holds the samples of one trial, by candidate.
type row struct {
	samples []sample
	done    []bool
}

// number returns the number that candidates are ranked by.
func (r *run) number() int {
	if r.Cubeless {
		return cubeless
	}
	return cubeful
}

func newRun(c *Config) *run {
	n := len(c.Candidates)
	return &run{
		table: newTable(c), began: time.Now(),
		tallies: make([]tally, n), pairs: make([]pair, n*n), stopped: make([]bool, n),
	}
}

// A task is a trial of a candidate.
type task struct{ trial, candidate int }

type answer struct {
	task
	sample
	err error
}

// work plays trials until a rule or the context ends it.
//
// Workers may be ahead of the trials that have been merged, and play some of a candidate that
// will turn out to have been stopped; those are dropped.
func (r *run) work(ctx context.Context) error {
	if r.trials%round == 0 || r.trials >= r.Trials {
		r.rules()
	}
	if r.reason != "" {
		return ctx.Err()
	}
	working, cancel := context.WithCancel(ctx)
	tasks, answers := make(chan task, 2*r.Threads), make(chan answer, 2*r.Threads)
	var workers sync.WaitGroup
	for range r.Threads {
		workers.Go(func() {
			w := newWorker(working, r.table)
			for t := range tasks {
				a := answer{task: t, err: working.Err()}
				if a.err == nil {
					a.sample, a.err = w.trial(r.lines[t.candidate], t.trial)
				}
				answers <- a
			}
		})
	}
	err := r.dispatch(ctx, tasks, answers)
	cancel()
	close(tasks)
	go func() { workers.Wait(); close(answers) }()
	for range answers { // the workers end
	}
	return err
}

// dispatch hands out trials in order and merges what comes back, until the rollout is over.
func (r *run) dispatch(ctx context.Context, tasks chan<- task, answers <-chan answer) error {
	next := task{r.trials, -1}
	r.advance(&next)
	ahead := max(2*round, 8*r.Threads) // trials, beyond those that are merged
	saved := time.Now()
	for r.reason == "" {
		send := tasks
		if next.trial >= r.Trials || next.trial >= r.trials+ahead {
			send = nil
		}
		select {
		case send <- next:
			r.advance(&next)
		case a := <-answers:
			if a.err != nil {
				return a.err
			}
			r.file(&a)
			r.merge()
		case <-ctx.Done():
			return ctx.Err()
		}
		if r.Save != "" && time.Since(saved) > r.SaveEvery {
			if err := r.save(r.Save); err != nil {
				return err
			}
			saved = time.Now()
		}
	}
	return nil
}

// advance moves t to the next candidate that has not been stopped.
func (r *run) advance(t *task) {
	for {
		t.candidate++
		if t.candidate == len(r.lines) {
			t.candidate, t.trial = 0, t.trial+1
		}
		if !r.stopped[t.candidate] {
			return
		}
	}
}

// file keeps an answer until it is its turn to be merged. Late ones of candidates that have been
// stopped are dropped.
func (r *run) file(a *answer) {
	i := a.trial - r.trials
	if i < 0 {
		return
	}
	for len(r.rows) <= i {
		n := len(r.lines)
		r.rows = append(r.rows, row{make([]sample, n), make([]bool, n)})
	}
	r.rows[i].samples[a.candidate], r.rows[i].done[a.candidate] = a.sample, true
}

// merge adds up trials in their order, as far as they are complete.
func (r *run) merge() {
	for r.reason == "" && len(r.rows) > 0 && r.full(&r.rows[0]) {
		r.add(&r.rows[0])
		r.rows = r.rows[1:]
		r.trials++
		if r.trials%round == 0 || r.trials == r.Trials {
			r.rules()
		}
		if r.Progress != nil && (r.trials%round == 0 || r.reason != "" || time.Since(r.shown) >= often) {
			r.shown = time.Now()
			r.Progress(r.result())
		}
		if r.reason == "" && r.TimeLimit > 0 && time.Since(r.began) >= r.TimeLimit {
			r.reason = TimeUp
		}
	}
}

func (r *run) full(row *row) bool {
	for i, done := range row.done {
		if !done && !r.stopped[i] {
			return false
		}
	}
	return true
}

func (r *run) add(row *row) {
	number := r.number()
	n := len(r.lines)
	for a := range row.samples {
		if r.stopped[a] {
			continue
		}
		r.tallies[a].add(&row.samples[a])
		for b := a + 1; b < n; b++ {
			if !r.stopped[b] {
				r.pairs[a*n+b].add(row.samples[a][number], row.samples[b][number])
			}
		}
	}
}

// rules stops candidates, or everything.
func (r *run) rules() {
	if r.trials >= r.Trials {
		r.reason = Done
		return
	}
	if r.trials < max(r.MinTrials, 2) {
		return
	}
	if r.StopJSD > 0 && len(r.lines) > 1 {
		r.stopBehind()
	}
	if r.reason == "" && r.StopStdErr > 0 && r.precise() {
		r.reason = StoppedSE
	}
}

// precise reports whether the standard errors of all candidates that are left are small enough.
func (r *run) precise() bool {
	for i := range r.tallies {
		if !r.stopped[i] && r.tallies[i].stdErr(r.number()) > r.StopStdErr {
			return false
		}
	}
	return true
}

// stopBehind stops the candidates that are far behind the leader, and everything when only he is
// left. Of a cube decision both candidates are needed to the end: it stops when double and no
// double, and take and pass, are far apart.
func (r *run) stopBehind() {
	number := r.number()
	if r.lines[0].Kind != AfterPlay {
		if r.decided(number) {
			r.reason = StoppedJSD
		}
		return
	}
	leader := r.leader()
	left := 0
	for i := range r.tallies {
		if r.stopped[i] {
			continue
		}
		gap := r.tallies[leader].Mean[number] - r.tallies[i].Mean[number]
		if i != leader && gap > 0 && gap >= r.StopJSD*r.joint(leader, i) {
			r.stopped[i] = true
			continue
		}
		left++
	}
	if left == 1 {
		r.reason = StoppedJSD
	}
}

// decided reports whether a cube decision is clear.
func (r *run) decided(number int) bool {
	if len(r.tallies) != 2 {
		return false
	}
	none, take := &r.tallies[0], &r.tallies[1]
	pass := float64(r.game.Equity(r.game.State().PassValue()))
	gap := none.Mean[number] - take.Mean[number]
	deviation := r.joint(0, 1)
	if take.Mean[number] > pass {
		gap, deviation = none.Mean[number]-pass, none.stdErr(number)
	}
	return max(gap, -gap) >= r.StopJSD*deviation &&
		max(take.Mean[number]-pass, pass-take.Mean[number]) >= r.StopJSD*take.stdErr(number)
}

// leader returns the candidate that is best so far of those that have not been stopped; of equals
// the first.
func (r *run) leader() int {
	number, best := r.number(), -1
	for i := range r.tallies {
		if !r.stopped[i] && (best < 0 || r.tallies[i].Mean[number] > r.tallies[best].Mean[number]) {
			best = i
		}
	}
	return best
}

func (r *run) joint(a, b int) float64 {
	if a > b {
		a, b = b, a
	}
	return jointStdDev(&r.tallies[a], &r.tallies[b], r.number(), &r.pairs[a*len(r.lines)+b])
}

// result returns what is known so far.
func (r *run) result() Result {
	out := Result{Reason: r.reason, Settings: r.Settings, Elapsed: time.Since(r.began), Estimates: make([]Estimate, len(r.lines))}
	leader, number := r.leader(), r.number()
	for i := range r.lines {
		t := &r.tallies[i]
		e := &out.Estimates[i]
		*e = Estimate{
			Candidate: r.lines[i].Candidate, Trials: t.N, Stopped: r.stopped[i],
			Equity: bg.Equity(t.Mean[cubeless]), StdErr: t.stdErr(cubeless),
			Cubeful: bg.Equity(t.Mean[cubeful]), CubefulError: t.stdErr(cubeful),
			Probs: probs(func(n int) float64 { return t.Mean[n] }), ProbsStdErr: probs(t.stdErr),
		}
		if i != leader {
			e.DiffStdErr = r.joint(leader, i)
			if gap := r.tallies[leader].Mean[number] - t.Mean[number]; e.DiffStdErr > 0 {
				e.JSD = gap / e.DiffStdErr
			}
		}
		out.Trials = max(out.Trials, t.N)
	}
	return out
}

func probs(of func(number int) float64) bg.Probs {
	return bg.Probs{
		Win: float32(of(win)), WinGammon: float32(of(winGammon)), WinBackgammon: float32(of(winBackgammon)),
		LoseGammon: float32(of(loseGammon)), LoseBackgammon: float32(of(loseBackgammon)),
	}
}

// Leader returns the index of the estimate that is best; of equals the first.
func (r *Result) Leader() int { return r.Ranking()[0] }

// Ranking returns the indices of the estimates, the best first; those that a rule has stopped come
// last, whatever they seem to be worth.
func (r *Result) Ranking() []int {
	order := make([]int, len(r.Estimates))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &r.Estimates[a], &r.Estimates[b]
		if x.Stopped != y.Stopped {
			if x.Stopped {
				return 1
			}
			return -1
		}
		return cmp.Compare(y.Cubeful, x.Cubeful)
	})
	return order
}
