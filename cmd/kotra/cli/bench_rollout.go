package cli

import (
	"context"
	"errors"
	"slices"
	"time"

	"kotra/bg"
	"kotra/internal/protocol"
	"kotra/internal/report"
	"kotra/movegen"
	"kotra/rollout"
)

// benchTrials is the size of the rollout that is measured.
const benchTrials = 1296

// benchRollout rolls out the opening 31, 8/5 6/5: cubeless, at 0 ply to the end.
func benchRollout(ctx context.Context, b *bench) error {
	play, err := opening31()
	if err != nil {
		return err
	}
	trials := benchTrials
	if b.env.evaluator != nil { // not ours: nothing to compare with others
		trials = 1
	}
	c, err := b.engine.NewRollout(ctx, bg.NewGame(bg.Rules{NoCube: true}), rollout.Settings{Trials: trials, Cubeless: true, Seed: 1})
	if err != nil {
		return err
	}
	c.Candidates, c.Threads = rollout.Plays([]movegen.Play{play}), b.o.threads
	measure := func(name string) (time.Duration, error) {
		clock := b.startClock()
		r, err := rollout.Run(ctx, c)
		if err != nil {
			return 0, err
		}
		elapsed, stdErr := clock.Elapsed(), r.Estimates[0].StdErr
		b.report.Results = append(b.report.Results, report.Measurement{
			Name: name, Value: elapsed.Seconds(), Unit: "s", CPU: clock.CPU(), StdErr: &stdErr,
		})
		return elapsed, nil
	}
	if _, err := measure("rollout/opening31"); err != nil {
		return err
	}
	if err := b.varianceReduction(ctx, c); err != nil {
		return err
	}
	if b.o.threads != 1 || b.env.evaluator != nil || !slices.Contains(b.o.names, "rollout") {
		return nil
	}
	b.env.note("measuring gnubg, which takes a minute or two")
	theirs, err := protocol.GNUBGRollout(ctx, play.Result.ID(), trials, 1)
	if errors.Is(err, protocol.ErrNoGNUBG) {
		return nil
	}
	if err != nil {
		return err
	}
	b.report.Results = append(b.report.Results, report.Measurement{
		Name: "rollout/opening31-gnubg", Value: theirs.CPU.Seconds(), Unit: "s", CPU: true, StdErr: &theirs.StdErr,
	})
	c.Trials, c.StopStdErr = 100*trials, theirs.StdErr
	mine, err := measure("rollout/same-error")
	if err != nil {
		return err
	}
	b.add("rollout/ratio", theirs.CPU.Seconds()/mine.Seconds(), "times less processor time for the same error", true)
	return nil
}

// varianceReduction measures how many times more trials are needed for the standard error of the
// rollout c, which is the last result, if the luck of the dice is left in.
func (b *bench) varianceReduction(ctx context.Context, c rollout.Config) error {
	reduced := *b.report.Results[len(b.report.Results)-1].StdErr
	c.NoVarianceReduction = true
	r, err := rollout.Run(ctx, c)
	if err != nil {
		return err
	}
	plain := r.Estimates[0].StdErr
	if reduced > 0 {
		b.add("rollout/reduction", plain*plain/(reduced*reduced), "times fewer trials by variance reduction", true)
	}
	return nil
}

// opening31 returns the usual play of an opening 31.
func opening31() (movegen.Play, error) {
	steps, err := bg.ParseSteps("8/5 6/5")
	if err != nil {
		return movegen.Play{}, err
	}
	pos := bg.Start()
	return movegen.Find(&pos, bg.Dice{3, 1}, steps)
}
