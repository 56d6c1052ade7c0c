package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kotra"
	"kotra/bg"
	"kotra/cube"
	"kotra/internal/cputime"
	"kotra/internal/report"
	"kotra/movegen"
	"kotra/rollout"
)

type rolloutOptions struct {
	positionOptions
	engineOptions
	candidates   int
	moves        string
	preset       string
	flags        rollout.Settings // what the flags say
	noReduction  bool
	save, resume string

	settings rollout.Settings // of the preset, changed by the flags
}

func newRolloutCommand(e *env) *cobra.Command {
	o := &rolloutOptions{}
	cmd := &cobra.Command{
		Use:     "rollout <position> [--dice 31]",
		Short:   "Play out moves or cube actions many times, with standard errors",
		GroupID: groupPosition,
		Long: `Play the position out many times and give the mean result of each candidate with its standard
error.

With dice the candidates are the best moves at 2 plies, or those of --moves; without, they are no
double and double, take. Equities are in points for the cube in play, at a match score rescaled to
a money game's (EMG), and seen by the player whose decision it is. JSD is how many joint standard
deviations a candidate is behind the leader. A star marks a candidate that has been stopped.

The luck of the dice is taken off every trial, the first three rolls are stratified, and all
candidates meet the same dice. The same seed and settings give the same result on any number of
threads. A trial ends early where a bearoff table knows the rest.

Presets are, from fast to slow (turns are those of both players):
  roller    42 trials of 5 turns at 0 ply
  quick     324 trials of 11 turns at 0 ply
  roller+   360 trials of 7 turns at 1 ply, from the third turn on at 0 ply
  standard  1296 trials at 0 ply to the end (the default)
  roller++  360 trials of 5 turns at 2 ply, from the third turn on at 1 ply
  thorough  1296 trials at 2 ply, from the third turn on at 0 ply, to the end
  world     1296 trials at 2 ply to the end
Those at 1 ply and more stop candidates that are 2.33 joint standard deviations behind. Any other
flag changes the preset.

Ctrl-C prints what is known so far. With --save FILE the trials are kept, also if the program is
killed; the same call with --resume FILE goes on from there, and --trials may be larger.
` + positionHelp,
		Example: `  kotra rollout 4HPwATDgc/ABMA --dice 31 --candidates 2 --preset roller
  kotra rollout 4HPwATDgc/ABMA --dice 21 --moves "13/11 6/5; 24/23 13/11" --trials 72 --truncate 5
  kotra rollout XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10 --preset roller --json`,
		Args: func(cmd *cobra.Command, args []string) error { return o.checkRollout(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return runRollout(cmd.Context(), e, o) },
	}
	o.addRolloutFlags(cmd)
	return cmd
}

func (o *rolloutOptions) addRolloutFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	o.positionOptions.addFlags(fs)
	o.rules.addFlags(fs)
	o.addDiceFlag(fs)
	o.engineOptions.addFlags(fs)
	fs.Lookup("ply").DefValue, o.ply = "0", 0
	fs.Lookup("ply").Usage = "plies to look ahead for checker plays; 0 is the raw network"
	fs.IntVar(&o.candidates, "candidates", 5, "roll out the best `N` moves")
	fs.StringVar(&o.moves, "moves", "", "roll out these moves, with semicolons between them")
	fs.StringVar(&o.preset, "preset", "standard", "settings to start from: "+strings.Join(rollout.Presets(), ", "))
	fs.IntVar(&o.flags.Trials, "trials", 0, "play `N` trials of each candidate at most")
	fs.IntVar(&o.flags.CubePly, "cube-ply", 0, "plies to look ahead for cube actions (default: --ply)")
	fs.IntVar(&o.flags.LateAfter, "late-after", 0, "after `N` turns --late-ply and --late-cube-ply hold")
	fs.IntVar(&o.flags.LatePly, "late-ply", 0, "plies to look ahead for late checker plays")
	fs.IntVar(&o.flags.LateCubePly, "late-cube-ply", 0, "plies to look ahead for late cube actions (default: --late-ply)")
	fs.IntVar(&o.flags.Truncate, "truncate", 0, "evaluate the position after `N` turns; 0 plays to the end")
	fs.IntVar(&o.flags.TruncatePly, "truncate-ply", 0, "plies to look ahead where a trial is truncated")
	fs.BoolVar(&o.flags.PlayBearoffs, "play-bearoffs", false, "play on where a bearoff table knows the rest")
	fs.BoolVar(&o.noReduction, "no-variance-reduction", false, "leave the luck of the dice in")
	fs.BoolVar(&o.flags.PlainDice, "plain-dice", false, "roll all dice independently, not stratified")
	fs.StringVar(&o.flags.Filter, "filter", "", "moves searched at 1 ply and more: narrow, normal, wide or all")
	fs.IntVar(&o.flags.MinTrials, "min-trials", 0, "trials before anything may be stopped (default 324)")
	fs.Float64Var(&o.flags.StopJSD, "stop-jsd", 0, "stop candidates `X` joint standard deviations behind; 0 is never")
	fs.Float64Var(&o.flags.StopStdErr, "stop-se", 0, "stop when all standard errors are at most `X`; 0 is never")
	fs.DurationVar(&o.flags.TimeLimit, "time", 0, "stop after this time, such as `90s`")
	fs.StringVar(&o.save, "save", "", "keep the trials in `FILE`, every second and at the end")
	fs.StringVar(&o.resume, "resume", "", "go on with the trials in `FILE`, and save them there unless --save says otherwise")
}

func (o *rolloutOptions) checkRollout(cmd *cobra.Command, args []string) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	if err := o.checkPosition(cmd, args); err != nil {
		return err
	}
	if o.candidates < 1 {
		return usagef(cmd, "--candidates: %d is less than one", o.candidates)
	}
	if o.input != "" && (o.save != "" || o.resume != "" || o.moves != "") {
		return usagef(cmd, "--save, --resume and --moves are for one position")
	}
	if err := o.combine(cmd.Flags().Changed); err != nil {
		return usagef(cmd, "%w", err)
	}
	if o.resume != "" && o.save == "" {
		o.save = o.resume
	}
	return nil
}

// combine sets the settings to those of the preset with what the given flags change.
func (o *rolloutOptions) combine(changed func(string) bool) error {
	s, err := rollout.Preset(o.preset)
	if err != nil {
		return fmt.Errorf("--preset: %w", err)
	}
	f := &o.flags
	f.Ply, f.Cubeless, f.NoVarianceReduction, f.Seed = o.ply, o.cubeless, o.noReduction, o.seed
	if !changed("cube-ply") {
		f.CubePly = f.Ply
	}
	if !changed("late-cube-ply") {
		f.LateCubePly = f.LatePly
	}
	for _, c := range []struct {
		names string
		set   func()
	}{
		{"trials", func() { s.Trials = f.Trials }},
		{"ply", func() { s.Ply = f.Ply }},
		{"ply cube-ply", func() { s.CubePly = f.CubePly }},
		{"late-after", func() { s.LateAfter = f.LateAfter }},
		{"late-ply", func() { s.LatePly = f.LatePly }},
		{"late-ply late-cube-ply", func() { s.LateCubePly = f.LateCubePly }},
		{"truncate", func() { s.Truncate = f.Truncate }},
		{"truncate-ply", func() { s.TruncatePly = f.TruncatePly }},
		{"play-bearoffs", func() { s.PlayBearoffs = f.PlayBearoffs }},
		{"cubeless", func() { s.Cubeless = f.Cubeless }},
		{"no-variance-reduction", func() { s.NoVarianceReduction = f.NoVarianceReduction }},
		{"plain-dice", func() { s.PlainDice = f.PlainDice }},
		{"filter", func() { s.Filter = f.Filter }},
		{"seed", func() { s.Seed = f.Seed }},
		{"min-trials", func() { s.MinTrials = f.MinTrials }},
		{"stop-jsd", func() { s.StopJSD = f.StopJSD }},
		{"stop-se", func() { s.StopStdErr = f.StopStdErr }},
		{"time", func() { s.TimeLimit = f.TimeLimit }},
	} {
		for name := range strings.FieldsSeq(c.names) {
			if changed(name) {
				c.set()
				break
			}
		}
	}
	o.settings = s
	return s.Check()
}

func runRollout(ctx context.Context, e *env, o *rolloutOptions) error {
	engine, err := o.newEngine(e, o.threads)
	if err != nil {
		return err
	}
	return answerAll(ctx, e, &o.positionOptions, func(ctx context.Context, s bg.State) (answer, error) {
		r, err := rollOut(ctx, e, engine, &s, o)
		if r == nil {
			return nil, err // not an answer that holds nil
		}
		return r, err
	})
}

// checkRollout reports a preset that does not exist.
func (o *analyzeOptions) checkRollout() error {
	if o.rollout == "" {
		return nil
	}
	_, err := rollout.Preset(o.rollout)
	return err
}

// analyzeByRollout answers the decision of s by a rollout of its best candidates.
func analyzeByRollout(ctx context.Context, e *env, engine *kotra.Engine, s *bg.State, o *analyzeOptions) (answer, error) {
	r := &rolloutOptions{engineOptions: o.engineOptions, candidates: o.top, preset: o.rollout}
	if r.candidates == 0 || r.candidates > 5 {
		r.candidates = 5
	}
	if err := r.combine(func(name string) bool { return name == "cubeless" || name == "seed" }); err != nil {
		return nil, err
	}
	a, err := rollOut(ctx, e, engine, s, r)
	if a == nil {
		return nil, err
	}
	return a, err
}

// rollOut rolls out the candidates of s. If it is interrupted it returns what is known so far.
func rollOut(ctx context.Context, e *env, engine *kotra.Engine, s *bg.State, o *rolloutOptions) (*report.Rollout, error) {
	if s.Resigned != bg.Unfinished || s.Beavers > 0 {
		return nil, errors.New("a resignation or a beaver is offered; only checker plays and doubles are rolled out")
	}
	c, err := engine.NewRollout(ctx, *s, o.settings)
	if err != nil {
		return nil, err
	}
	if c.Candidates, err = o.candidatesOf(ctx, engine, s); err != nil {
		return nil, err
	}
	live := newLiveRollout(e, s, matchChance(engine, s))
	c.Save, c.Resume, c.Progress = o.save, o.resume, live.show
	clock := cputime.Start()
	result, err := rollout.Run(ctx, c)
	live.clear()
	if len(result.Estimates) == 0 || result.Trials == 0 {
		return nil, err
	}
	r := report.NewRollout(s, &result, matchChance(engine, s))
	r.Settings.Preset, r.SavedAs, r.Resumed = o.preset, o.save, o.resume
	if clock.CPU() {
		seconds := clock.Elapsed().Seconds()
		r.CPUSeconds = &seconds
	}
	if s.Dice.Rolled() || o.settings.Cubeless {
		return r, err
	}
	return r, errors.Join(err, addCube(engine, s, &result, r))
}

// addCube adds the cube decision that follows from the result.
func addCube(engine *kotra.Engine, s *bg.State, result *rollout.Result, r *report.Rollout) error {
	d, v, err := engine.RolledCube(*s, result)
	if err != nil {
		return err
	}
	var points kotra.CubePoints
	if d.Action != cube.NoCube {
		points = engine.CubePoints(*s, v.Probs)
	}
	r.SetCube(&d, &v, &points)
	return nil
}

// candidatesOf returns what is to be rolled out in s.
func (o *rolloutOptions) candidatesOf(ctx context.Context, engine *kotra.Engine, s *bg.State) ([]rollout.Candidate, error) {
	switch {
	case o.moves != "" && !s.Dice.Rolled():
		return nil, errors.New("--moves needs a roll, give --dice")
	case o.moves != "":
		return namedMoves(s, o.moves)
	case s.Dice.Rolled():
		return engine.RolloutPlays(ctx, *s, o.candidates)
	case o.settings.Cubeless || s.Rules.NoCube:
		return rollout.CubeActions(s.Position, false), nil
	}
	return rollout.CubeActions(s.Position, cube.New(engine.Info(s)).State().CanDouble()), nil
}

// namedMoves returns the moves of a text with semicolons between them.
func namedMoves(s *bg.State, text string) ([]rollout.Candidate, error) {
	var plays []movegen.Play
	for move := range strings.SplitSeq(text, ";") {
		move = strings.TrimSpace(move)
		steps, err := bg.ParseSteps(move)
		if err != nil {
			return nil, fmt.Errorf("--moves: %q: %w", move, err)
		}
		play, err := movegen.Find(&s.Position, s.Dice, steps)
		if err != nil {
			return nil, fmt.Errorf("--moves: %q: %w", move, err)
		}
		for i := range plays {
			if plays[i].Result == play.Result {
				return nil, fmt.Errorf("--moves: %q leads to the same position as %q", move, plays[i].Move)
			}
		}
		plays = append(plays, play)
	}
	return rollout.Plays(plays), nil
}

// A liveRollout shows a rollout in progress on standard error: a table that is drawn again and
// again on a terminal, and elsewhere a line now and then.
type liveRollout struct {
	env   *env
	state *bg.State
	mwc   func(bg.Equity) float64
	last  time.Time
	lines int // of the table on the screen
}

func newLiveRollout(e *env, s *bg.State, mwc func(bg.Equity) float64) *liveRollout {
	return &liveRollout{env: e, state: s, mwc: mwc, last: e.now()}
}

func (l *liveRollout) show(r rollout.Result) {
	every := 10 * time.Second
	if l.env.progress {
		every = 250 * time.Millisecond
	}
	now := l.env.now()
	if l.env.quiet || now.Sub(l.last) < every {
		return
	}
	l.last = now
	if !l.env.progress {
		lead := &r.Estimates[r.Leader()]
		l.env.note("%d of %d trials in %.0f s: %s %+.4f ± %.4f", r.Trials, r.Settings.Trials,
			r.Elapsed.Seconds(), lead.Name, lead.Cubeful, lead.CubefulError)
		return
	}
	text := report.NewRollout(l.state, &r, l.mwc).Table() +
		fmt.Sprintf("\n%d of %d trials in %.0f s\n", r.Trials, r.Settings.Trials, r.Elapsed.Seconds())
	l.clear()
	io.WriteString(l.env.err, text) //nolint:errcheck // as any note
	l.lines = strings.Count(text, "\n")
}

// clear takes the table off the screen.
func (l *liveRollout) clear() {
	if l.lines > 0 {
		fmt.Fprintf(l.env.err, "\x1b[%dA\x1b[J", l.lines)
		l.lines = 0
	}
}
