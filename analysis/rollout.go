package analysis

import (
	"cmp"
	"context"
	"slices"

	"kotra/bg"
	"kotra/cube"
	"kotra/movegen"
	"kotra/rollout"
	"kotra/search"
)

// A Rollout says which decisions are rolled out, and how: those in which the choice was close.
type Rollout struct {
	// Config returns the config of a rollout for a state, without candidates. It is called from
	// several goroutines.
	Config func(ctx context.Context, s bg.State) (rollout.Config, error)
	// Within is how much behind the best, in EMG, candidates may be to be rolled out; 0 is 0.04. A cube
	// decision is rolled out if its choices differ by less.
	Within bg.Equity
	// Most is how many candidates of a play are rolled out; 0 is five.
	Most int
}

func (r *Rollout) within() bg.Equity { return cmp.Or(r.Within, 0.04) }
func (r *Rollout) most() int         { return cmp.Or(r.Most, 5) }

// run rolls out candidates for s on one thread.
func (r *Rollout) run(ctx context.Context, s bg.State, candidates []rollout.Candidate) (rollout.Result, error) {
	c, err := r.Config(ctx, s)
	if err != nil {
		return rollout.Result{}, err
	}
	c.Candidates, c.Threads = candidates, 1
	return rollout.Run(ctx, c)
}

// rollPlays replaces the values of the best candidates of d by those of a rollout, if several are
// close and the play made is among them. It changes nothing if the rollout fails.
func (a *Analyzer) rollPlays(ctx context.Context, d *Decision) {
	r := a.Rollout
	n := 0
	for n < len(d.Candidates) && n < r.most() && d.Candidates[0].Cubeful-d.Candidates[n].Cubeful <= r.within() {
		n++
	}
	if n < 2 || d.Played < 0 || d.Played >= n {
		return
	}
	plays := make([]movegen.Play, n)
	for i := range plays {
		plays[i] = d.Candidates[i].Play
	}
	result, err := r.run(ctx, d.State, rollout.Plays(plays))
	if err != nil {
		return
	}
	type rolled struct {
		search.Candidate
		stdErr float64
		played bool
	}
	list := make([]rolled, n)
	for i := range list {
		e := &result.Estimates[i]
		list[i] = rolled{d.Candidates[i], e.CubefulError, i == d.Played}
		list[i].Probs, list[i].Equity, list[i].Cubeful = e.Probs, e.Equity, e.Cubeful
	}
	slices.SortStableFunc(list, func(x, y rolled) int { return cmp.Compare(y.Cubeful, x.Cubeful) })
	d.StdErrs = make([]float64, n)
	for i := range list {
		d.Candidates[i], d.StdErrs[i] = list[i].Candidate, list[i].stdErr
		if list[i].played {
			d.Played = i
		}
	}
	d.Trials = result.Trials
	d.Best = d.Candidates[0].Cubeful
	d.Loss = d.Best - d.Candidates[d.Played].Cubeful
}

// rollCube replaces the cube decision of d by that of a rollout, if it is close.
func (a *Analyzer) rollCube(ctx context.Context, d *Decision) {
	c := &d.Cube
	within := a.Rollout.within()
	gain := min(c.Beaver, c.DoublePass) - c.NoDouble
	if d.Kind == Answering {
		gain = c.DoublePass - c.DoubleTake
	}
	if c.Action == cube.NoCube || gain > within || gain < -within {
		return
	}
	s := d.base
	s.Dice = bg.Dice{}
	result, err := a.Rollout.run(ctx, s, rollout.CubeActions(s.Position, true))
	if err != nil {
		return
	}
	game := cube.New(a.info(&s))
	none, take := &result.Estimates[0], &result.Estimates[1]
	d.Cube = game.Decide(game.Value(none.Cubeful), game.Value(take.Cubeful))
	d.Value.Probs, d.Value.Equity, d.Value.Cubeful = none.Probs, none.Equity, d.Cube.Optimal()
	d.Trials, d.StdErrs = result.Trials, []float64{none.CubefulError, take.CubefulError}
}
