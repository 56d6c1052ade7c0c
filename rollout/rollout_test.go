package rollout_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/eval/features"
	"kotra/internal/bgtest"
	"kotra/movegen"
	"kotra/nn"
	"kotra/rollout"
)

var (
	money = cube.Info{Cube: bg.Cube{Value: 1}}
	match = cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 7, OnRoll: 2, Opponent: 4}}
)

// plain is a config with a fake evaluator and one candidate.
func plain(t testing.TB, position string, s rollout.Settings) rollout.Config {
	t.Helper()
	return rollout.Config{
		Settings: s, Evaluator: bgtest.Pips{}, Info: money,
		Candidates: []rollout.Candidate{{Name: "this", Position: bgtest.Position(t, position), Kind: rollout.Before}},
	}
}

// rolled runs c and fails the test on an error.
func rolled(t testing.TB, c rollout.Config) rollout.Result {
	t.Helper()
	r, err := rollout.Run(context.Background(), c)
	require.NoError(t, err)
	return r
}

// short is a race with contact behind it, over in a few turns.
const short = "6:2 5:2 4:1 2:1 | 19:2 20:2 22:2"

func TestDecidedGameHasNoError(t *testing.T) {
	// Two checkers against many: any roll wins, and the opponent has borne off one.
	c := plain(t, "1:2 | 19:5 20:5 21:4", rollout.Settings{Trials: 100})
	c.Evaluator = eval.New(bgtest.Pips{}) // which sees what no dice can turn
	for _, cubeless := range []bool{false, true} {
		c.Cubeless = cubeless
		r := rolled(t, c)
		e := r.Estimates[0]
		assert.Equal(t, bg.Probs{Win: 1}, e.Probs)
		assert.Equal(t, bg.Probs{}, e.ProbsStdErr)
		assert.Equal(t, bg.Equity(1), e.Equity)
		assert.Equal(t, bg.Equity(1), e.Cubeful)
		assert.Zero(t, e.StdErr)
		assert.Zero(t, e.CubefulError)
		assert.Equal(t, 100, e.Trials)
		assert.Equal(t, rollout.Done, r.Reason)
	}
}

func TestVarianceReductionLeavesTheMeanAlone(t *testing.T) {
	// Over many seeds the mean with the luck taken off and the mean with it differ by no more than
	// their errors. The evaluator is wrong on purpose, so that a biased control would show.
	const seeds = 40
	network := shipped(t) // with replies that are picked near a position
	network.Candidates, network.Settings = opening31(t), rollout.Settings{Trials: 36, Truncate: 7}
	for name, c := range map[string]rollout.Config{
		"network":   network,
		"cubeless":  plain(t, "13:2 8:3 6:4 4:2 3:2 24:2 | 12:3 17:4 19:4 21:2 1:2", rollout.Settings{Trials: 36, Truncate: 6, Cubeless: true}),
		"cubeful":   plain(t, short, rollout.Settings{Trials: 36}),
		"late ply":  plain(t, short, rollout.Settings{Trials: 36, Ply: 1, CubePly: 1, LateAfter: 1, Cubeless: true}),
		"two plies": plain(t, "2:2 1:2 | 23:2 24:1", rollout.Settings{Trials: 36, Ply: 2, Cubeless: true}),
	} {
		t.Run(name, func(t *testing.T) {
			var with, without mean
			for seed := range uint64(seeds) {
				c.Seed = seed
				c.NoVarianceReduction = false
				reduced := rolled(t, c).Estimates[0]
				with.add(float64(reduced.Cubeful))
				c.NoVarianceReduction = true
				raw := rolled(t, c).Estimates[0]
				without.add(float64(raw.Cubeful))
			}
			joint := math.Hypot(with.stdErr(), without.stdErr())
			assert.InDelta(t, without.mean(), with.mean(), 3.5*joint)
			assert.Less(t, with.stdErr(), without.stdErr())
		})
	}
}

// A mean is a running mean with its standard error.
type mean struct{ n, sum, squares float64 }

func (m *mean) add(x float64) { m.n++; m.sum += x; m.squares += x * x }

func (m *mean) mean() float64 { return m.sum / m.n }

func (m *mean) stdErr() float64 {
	return math.Sqrt((m.squares - m.sum*m.sum/m.n) / (m.n - 1) / m.n)
}

func TestStandardErrorIsTheSpreadOfTheMean(t *testing.T) {
	// Without stratified dice trials are independent, so the claimed error is the spread over seeds.
	c := plain(t, short, rollout.Settings{Trials: 72, PlainDice: true, Cubeless: true, NoVarianceReduction: true})
	var means, claimed mean
	for seed := range uint64(100) {
		c.Seed = seed
		e := rolled(t, c).Estimates[0]
		means.add(float64(e.Equity))
		claimed.add(e.StdErr)
	}
	spread := means.stdErr() * math.Sqrt(means.n)
	assert.InEpsilon(t, claimed.mean(), spread, 0.25) // a spread of 100 numbers is good to 7 %
}

func TestResultDoesNotDependOnThreads(t *testing.T) {
	shape := nn.Shape{Width: 128, Buckets: features.Buckets}
	lead, other := nn.New(shape, 1).Quantize(), nn.New(shape, 2).Quantize()
	pos := bg.Start()
	c := rollout.Config{
		Settings:  rollout.Settings{Trials: 100, Truncate: 5, MinTrials: 36, StopJSD: 1, Seed: 3},
		Evaluator: eval.New(eval.NewMean(lead, other)), Pruner: eval.NewLinear(lead),
		Candidates: rollout.Plays(movegen.Plays(nil, &pos, bg.Dice{4, 2})[:5]),
	}
	for _, info := range []cube.Info{money, match} {
		c.Info = info
		var want rollout.Result
		for _, threads := range []int{1, 2, 16} {
			c.Threads = threads
			got := rolled(t, c)
			got.Elapsed = 0
			if threads == 1 {
				want = got
			}
			assert.Equal(t, want, got, "%d threads", threads)
		}
	}
}

func TestResumedRolloutEqualsOneWithoutInterruption(t *testing.T) {
	pos := bg.Start()
	c := rollout.Config{
		Settings: rollout.Settings{Trials: 150, Truncate: 3, MinTrials: 36, StopJSD: 4}, Evaluator: bgtest.Pips{}, Info: money,
		Candidates: rollout.Plays(movegen.Plays(nil, &pos, bg.Dice{3, 1})[:4]), Threads: 4,
	}
	want := rolled(t, c)
	require.Greater(t, want.Trials, 72)

	file := filepath.Join(t.TempDir(), "rollout.json")
	ctx, cancel := context.WithCancel(context.Background())
	interrupted := c
	interrupted.Save = file
	interrupted.Progress = func(r rollout.Result) {
		if r.Trials >= 36 {
			cancel()
		}
	}
	r, err := rollout.Run(ctx, interrupted)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, rollout.Interrupted, r.Reason)
	assert.GreaterOrEqual(t, r.Trials, 36)
	assert.Less(t, r.Trials, want.Trials)

	c.Resume, c.Threads = file, 1
	got := rolled(t, c)
	want.Elapsed, got.Elapsed = 0, 0
	assert.Equal(t, want, got)
}

func TestMoreTrialsCanBeAddedToASavedRollout(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rollout.json")
	c := plain(t, short, rollout.Settings{Trials: 50})
	c.Save = file
	rolled(t, c)
	c.Save, c.Resume, c.Trials = "", file, 120
	got := rolled(t, c)
	c.Resume = ""
	want := rolled(t, c)
	want.Elapsed, got.Elapsed = 0, 0
	assert.Equal(t, want, got)
}

func TestSavedRolloutOfOtherSettingsIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rollout.json")
	c := plain(t, short, rollout.Settings{Trials: 36})
	c.Save = file
	rolled(t, c)
	c.Save, c.Resume = "", file
	for name, change := range map[string]func(*rollout.Config){
		"seed":      func(c *rollout.Config) { c.Seed = 1 },
		"cubeless":  func(c *rollout.Config) { c.Cubeless = true },
		"truncate":  func(c *rollout.Config) { c.Truncate = 9 },
		"score":     func(c *rollout.Config) { c.Info = match },
		"weights":   func(c *rollout.Config) { c.Evaluator = bgtest.Constant{Win: .5} },
		"candidate": func(c *rollout.Config) { c.Candidates = rollout.CubeActions(c.Candidates[0].Position, true)[:1] },
	} {
		other := c
		change(&other)
		_, err := rollout.Run(context.Background(), other)
		require.ErrorIs(t, err, rollout.ErrMismatch, name)
		if name == "seed" {
			require.ErrorContains(t, err, "seed is 0, not 1")
		}
	}
}

func TestSaveThatFailsIsToldBeforeTheWork(t *testing.T) {
	c := plain(t, short, rollout.Settings{Trials: 1 << 30})
	c.Save = filepath.Join(t.TempDir(), "missing", "rollout.json")
	_, err := rollout.Run(context.Background(), c)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestTimeLimitStopsARollout(t *testing.T) {
	c := plain(t, "13:2 8:3 6:4 4:2 3:2 24:2 | 12:3 17:4 19:4 21:2 1:2", rollout.Settings{Trials: 1 << 20, TimeLimit: 20 * time.Millisecond})
	r := rolled(t, c)
	assert.Equal(t, rollout.TimeUp, r.Reason)
	assert.Less(t, r.Trials, 1<<20)
	assert.Positive(t, r.Trials)
}

func TestStandardErrorStopsARollout(t *testing.T) {
	c := plain(t, short, rollout.Settings{Trials: 1 << 20, MinTrials: 100, StopStdErr: 0.05, Cubeless: true})
	r := rolled(t, c)
	assert.Equal(t, rollout.StoppedSE, r.Reason)
	assert.GreaterOrEqual(t, r.Trials, 100)
	assert.LessOrEqual(t, r.Estimates[0].StdErr, 0.05)
}

func TestBadConfigsAreErrors(t *testing.T) {
	for name, change := range map[string]func(*rollout.Config){
		"no trials":     func(c *rollout.Config) { c.Trials = 0 },
		"no candidates": func(c *rollout.Config) { c.Candidates = nil },
		"ply":           func(c *rollout.Config) { c.LatePly = 9 },
		"filter":        func(c *rollout.Config) { c.Filter = "huge" },
		"negative":      func(c *rollout.Config) { c.Truncate = -1 },
		"double":        func(c *rollout.Config) { c.Info.Cube.Owner, c.Candidates[0].Kind = bg.Opponent, rollout.DoubleTake },
		"position":      func(c *rollout.Config) { c.Candidates[0].Position = bg.Position{} },
		"no file":       func(c *rollout.Config) { c.Resume = "does-not-exist" },
	} {
		c := plain(t, short, rollout.Settings{Trials: 36})
		change(&c)
		_, err := rollout.Run(context.Background(), c)
		assert.Error(t, err, name)
	}
}

// exactly is the table that endings are compared with.
func exactly(t testing.TB) *bearoff.TwoSided {
	t.Helper()
	table, err := bearoff.BuildTwoSided(context.Background(), 4, 3, 1, nil)
	require.NoError(t, err)
	return table
}

func TestExactEndingsAreWithinTheError(t *testing.T) {
	exact := exactly(t)
	for _, text := range []string{"4:2 3:1 | 22:2 23:1", "4:3 | 21:2 22:1", "3:2 | 21:1 24:2"} {
		pos := bgtest.Position(t, text)
		eq, ok := exact.Lookup(&pos)
		require.True(t, ok)
		// Two plies ahead is a plan good enough for three checkers.
		c := plain(t, text, rollout.Settings{Trials: 1296, Ply: 1, CubePly: 1, PlayBearoffs: true})
		c.Evaluator = eval.New(bgtest.Pips{}, eval.WithBearoff(bearoff.Tables{One: bearoff.Default(), Two: exact}))
		// In the last rolls a cube is less alive than in the average bearoff, for which the default is.
		c.Efficiency = &cube.Efficiency{Bearoff: .6}
		c.Candidates = rollout.CubeActions(pos, true)
		r := rolled(t, c)
		none, take := r.Estimates[0], r.Estimates[1]
		assert.InDelta(t, float64(eq.Centered), float64(none.Cubeful), 4*none.CubefulError+0.005, text)
		assert.InDelta(t, float64(eq.DoubleTake()), float64(take.Cubeful), 4*take.CubefulError+0.005, text)

		c.Cubeless, c.Candidates = true, c.Candidates[:1]
		without := rolled(t, c).Estimates[0]
		assert.InDelta(t, eq.Win(), float64(without.Probs.Win), 4*float64(without.ProbsStdErr.Win)+1e-5, text)
		c.Cubeless = false

		// With the table the rollout ends before it begins.
		c.PlayBearoffs = false
		c.Bearoff.Two = exact
		c.Candidates = []rollout.Candidate{{Name: "before", Position: pos, Kind: rollout.Before}}
		before := rolled(t, c).Estimates[0]
		assert.InDelta(t, float64(eq.Best(bg.Centered)), float64(before.Cubeful), 1e-9, text)
		assert.Zero(t, before.CubefulError)
	}
}

func TestCancelledRolloutReturnsWhatIsKnown(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := rollout.Run(ctx, plain(t, short, rollout.Settings{Trials: 36}))
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, rollout.Interrupted, r.Reason)
	assert.Len(t, r.Estimates, 1)
}

func TestPresetsCanBeRun(t *testing.T) {
	for _, name := range rollout.Presets() {
		s, err := rollout.Preset(name)
		require.NoError(t, err)
		c := plain(t, "2:2 1:2 | 23:2 24:1", s)
		c.Trials = 2
		assert.Equal(t, 2, rolled(t, c).Trials, name)
	}
	_, err := rollout.Preset("huge")
	assert.ErrorContains(t, err, "quick")
}

func TestCandidatesThatAreEqualHaveNoJointDeviation(t *testing.T) {
	// The same dice: what is the same position is the same to the last bit.
	c := plain(t, short, rollout.Settings{Trials: 100})
	c.Candidates = append(c.Candidates, c.Candidates[0])
	r := rolled(t, c)
	assert.Equal(t, r.Estimates[0].Cubeful, r.Estimates[1].Cubeful)
	assert.InDelta(t, 0, r.Estimates[1].DiffStdErr, 1e-9)
	assert.Zero(t, r.Estimates[1].JSD)
}

func TestPassedDoubleIsWorthThePass(t *testing.T) {
	// The opponent has no chance, the player on roll doubles at once and wins one point.
	c := plain(t, "6:3 5:3 4:3 | 19:3 20:3 21:3 22:3 23:2", rollout.Settings{Trials: 36})
	c.Evaluator = bgtest.Constant{Win: .95}
	r := rolled(t, c)
	assert.Equal(t, bg.Equity(1), r.Estimates[0].Cubeful)
	assert.Zero(t, r.Estimates[0].CubefulError)
	c.Candidates[0].Kind = rollout.NoDouble // not on this turn
	assert.NotEqual(t, bg.Equity(1), rolled(t, c).Estimates[0].Cubeful)
}

func TestErrorsOfSavedFilesAreTold(t *testing.T) {
	require.ErrorIs(t, rollout.DecodeSaved([]byte("{}")), rollout.ErrFormat)
	require.ErrorIs(t, rollout.DecodeSaved([]byte(`{"format":"kotra rollout","version":2}`)), rollout.ErrFormat)
	require.ErrorIs(t, rollout.DecodeSaved([]byte(`{"format":"kotra rollout","version":1,"contents":{}}`)), rollout.ErrChecksum)
}

func FuzzDecodeSaved(f *testing.F) {
	f.Add([]byte(`{"format":"kotra rollout","version":1,"sha256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","contents":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) { _ = rollout.DecodeSaved(text) })
}
