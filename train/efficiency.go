package train

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/rollout"
)

// An EfficiencyFit finds the cube efficiency of each class of position, Janowski's x, by cubeful
// rollouts of positions from self-play.
//
// A rollout gives the cubeful value v of a position and its probabilities. These have a value with
// a dead cube and one with a live cube; x is the least-squares slope of v - dead over live - dead
// for all positions of a class, centered cube, own and opponent's cube together. The rollouts
// themselves turn the cube by some efficiency, which hardly matters, and end in values that rest
// on it if they are truncated, which does: fit again with what has been found.
type EfficiencyFit struct {
	// Evaluator plays the games that positions are taken from.
	Evaluator eval.Evaluator
	// Config returns the rollout of a state, without candidates.
	Config func(ctx context.Context, s bg.State) (rollout.Config, error)
	// InUse returns the efficiency in use, for the residuals to compare with.
	InUse func(info *cube.Info, class eval.Class, pips int) float64
	// Positions is the number of positions of each class.
	Positions int
	// Match takes positions at random scores of matches of up to 11 points instead of money.
	Match bool
	Seed  uint64
	// Progress, if not nil, is called after every position.
	Progress func(done, total int)
}

// A CubeSample is what a rollout found for one position and one owner of the cube, seen by the
// player on roll, as equities for a cube of 1 or EMG.
type CubeSample struct {
	State  bg.State
	Class  eval.Class
	Owner  bg.Owner // after the double if there is one
	Probs  bg.Probs
	Value  float64
	StdErr float64
	Dead   float64
	Live   float64
}

// An EfficiencyRow is the fit for a class, and for one owner of the cube or all.
type EfficiencyRow struct {
	Class   string  `json:"class"`
	Owner   string  `json:"owner"`
	Samples int     `json:"samples"`
	X       float64 `json:"x"`
	StdErr  float64 `json:"stderr"`
	PerPip  float64 `json:"per_pip,omitempty"` // races: x is at 70 pips, and rises by so much a pip
	// RMS is the residual of the fit, and Before the one of the efficiency in use, in thousandths of
	// a point, with the noise of the rollouts.
	RMS    float64 `json:"rms"`
	Before float64 `json:"before"`
}

// An EfficiencyReport is the result of a fit.
type EfficiencyReport struct {
	Rows    []EfficiencyRow `json:"rows"`
	Samples []CubeSample    `json:"-"`
}

// WriteSamples writes the samples, one JSON object a line.
func (r *EfficiencyReport) WriteSamples(w io.Writer) error {
	lines := json.NewEncoder(w)
	for i := range r.Samples {
		s := &r.Samples[i]
		err := lines.Encode(map[string]any{
			"position_id": s.State.Position.ID(), "class": s.Class, "pips": s.State.Position.OnRoll.Pips(),
			"length": s.State.Score.Length, "score": []int{s.State.Score.OnRoll, s.State.Score.Opponent},
			"owner": owners[s.Owner], "probs": s.Probs, "value": s.Value, "stderr": s.StdErr, "dead": s.Dead, "live": s.Live,
		})
		if err != nil {
			return fmt.Errorf("writing samples: %w", err)
		}
	}
	return nil
}

var owners = [...]string{"centered", "owned", "opponent"}

// racePips is the pip count for which the efficiency of races is told.
const racePips = 70

// String returns r as an aligned table.
func (r *EfficiencyReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s %-9s %6s %16s %9s %8s %8s\n", "class", "cube", "n", "x", "per pip", "rms", "before")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "%-8s %-9s %6d %7.3f ± %6.3f %9.5f %8.1f %8.1f\n",
			row.Class, row.Owner, row.Samples, row.X, row.StdErr, row.PerPip, row.RMS, row.Before)
	}
	return b.String()
}

// fitted are the classes whose efficiency is fitted.
var fitted = []eval.Class{eval.Contact, eval.Crashed, eval.Race, eval.Bearoff}

// Run rolls the positions out and fits. After an error, of a rollout or of ctx, the report is of
// what had been done.
func (f *EfficiencyFit) Run(ctx context.Context) (*EfficiencyReport, error) {
	positions := f.positions()
	r := &EfficiencyReport{}
	defer func() { r.fit(f.InUse) }()
	for i := range positions {
		samples, err := f.sample(ctx, &positions[i])
		if err != nil {
			return r, err
		}
		r.Samples = append(r.Samples, samples...)
		if f.Progress != nil {
			f.Progress(i+1, len(positions))
		}
	}
	return r, nil
}

// positions returns states from games of the evaluator against itself, at most one of each class
// and game, in which the cube matters: both sides have a fair chance to win.
func (f *EfficiencyFit) positions() []bg.State {
	var all []bg.State
	missing := map[eval.Class]int{}
	for _, class := range fitted {
		missing[class] = f.Positions
	}
	play := player{net: f.Evaluator}
	const most = 400 // games for each position asked for; some classes are rare
	for game := 0; game < most*f.Positions && len(all) < len(fitted)*f.Positions; game++ {
		rng := stream(f.Seed, int64(game))
		found := f.game(&play, rng)
		for _, class := range fitted {
			if n := len(found[class]); n > 0 && missing[class] > 0 {
				missing[class]--
				all = append(all, f.state(found[class][rng.IntN(n)], rng))
			}
		}
	}
	return all
}

// game plays a game and returns its positions by class.
func (f *EfficiencyFit) game(play *player, rng *rand.Rand) (found [eval.Classes][]bg.Position) {
	const open = .15 // the least chance to win
	pos := bg.Start()
	for {
		if r, _ := pos.Result(); r != bg.Unfinished {
			return found
		}
		if p := f.Evaluator.Evaluate(&pos); p.Win > open && p.Win < 1-open {
			class := eval.Classify(&pos)
			found[class] = append(found[class], pos)
		}
		pos, _ = play.best(&pos, roll(rng))
	}
}

// state returns a state with pos: for money, or at a score at which both players can use the cube.
func (f *EfficiencyFit) state(pos bg.Position, rng *rand.Rand) bg.State {
	s := bg.NewGame(bg.Rules{})
	s.Position = pos
	if f.Match {
		const longest, least = 11, 3
		away := func() int { return least + rng.IntN(longest-least+1) }
		s.Score = bg.Score{Length: longest, OnRoll: longest - away(), Opponent: longest - away()}
	}
	return s
}

// sample rolls out a state with the cube centered, doubled, and owned by the player on roll.
func (f *EfficiencyFit) sample(ctx context.Context, s *bg.State) ([]CubeSample, error) {
	var all []CubeSample
	for _, owner := range []bg.Owner{bg.Centered, bg.OnRoll} {
		at := *s
		at.Cube.Owner = owner
		if owner == bg.OnRoll && f.Match {
			at.Cube.Value = 2
		}
		c, err := f.Config(ctx, at)
		if err != nil {
			return nil, err
		}
		game := cube.New(c.Info)
		c.Candidates = rollout.CubeActions(s.Position, owner == bg.Centered)
		result, err := rollout.Run(ctx, c)
		if err != nil {
			return nil, err
		}
		for i := range result.Estimates {
			all = append(all, newCubeSample(&at, game, &result.Estimates[i]))
		}
	}
	return all, nil
}

func newCubeSample(s *bg.State, game *cube.Game, e *rollout.Estimate) CubeSample {
	state := game.State()
	if e.Kind == rollout.DoubleTake {
		state = state.Double()
	}
	var leaf cube.Leaf
	leaf.Set(&e.Probs, state)
	return CubeSample{
		State: *s, Class: eval.Classify(&s.Position), Owner: state.Cube().Owner, Probs: e.Probs,
		Value: float64(e.Cubeful), StdErr: e.CubefulError,
		Dead: float64(game.Equity(leaf.NoDouble(state, 0))), Live: float64(game.Equity(leaf.NoDouble(state, 1))),
	}
}

// fit fills in the rows from the samples.
func (r *EfficiencyReport) fit(inUse func(*cube.Info, eval.Class, int) float64) {
	r.Rows = nil
	for _, class := range fitted {
		of := map[string][]CubeSample{}
		for _, s := range r.Samples {
			if s.Class == class {
				of[""] = append(of[""], s)
				of[owners[s.Owner]] = append(of[owners[s.Owner]], s)
			}
		}
		names := make([]string, 0, len(of))
		for name := range of {
			names = append(names, name)
		}
		slices.SortFunc(names, cmp.Compare[string])
		for _, name := range names {
			row := fitRow(class, of[name], inUse)
			row.Owner = cmp.Or(name, "all")
			r.Rows = append(r.Rows, row)
		}
	}
}

// fitRow fits x, and for races x + slope·(pips - racePips).
func fitRow(class eval.Class, samples []CubeSample, inUse func(*cube.Info, eval.Class, int) float64) EfficiencyRow {
	row := EfficiencyRow{Class: class.String(), Samples: len(samples)}
	var zz, zzp, zzpp, zy, zyp float64
	for i := range samples {
		z, y, pips := samples[i].terms()
		zz += z * z
		zzp += z * z * pips
		zzpp += z * z * pips * pips
		zy += z * y
		zyp += z * y * pips
	}
	row.X = zy / zz
	if det := zz*zzpp - zzp*zzp; class == eval.Race && det > 0 {
		row.X = (zy*zzpp - zyp*zzp) / det
		row.PerPip = (zyp*zz - zy*zzp) / det
	}
	var squares, squaresBefore, spread float64
	for i := range samples {
		z, y, pips := samples[i].terms()
		left := y - z*(row.X+row.PerPip*pips)
		squares += left * left
		spread += z * z * left * left
		info := cube.InfoOf(&samples[i].State, nil)
		x := inUse(&info, class, samples[i].State.Position.OnRoll.Pips())
		squaresBefore += (y - z*x) * (y - z*x)
	}
	n := float64(len(samples))
	row.StdErr = math.Sqrt(spread) / zz
	row.RMS, row.Before = 1000*math.Sqrt(squares/n), 1000*math.Sqrt(squaresBefore/n)
	return row
}

// terms returns the terms of the regression: y = x z, and the pip count beyond racePips.
func (s *CubeSample) terms() (z, y, pips float64) {
	return s.Live - s.Dead, s.Value - s.Dead, float64(s.State.Position.OnRoll.Pips() - racePips)
}
