package cli

import (
	"context"
	"errors"

	"kotra/bg"
	"kotra/internal/protocol"
	"kotra/internal/report"
	"kotra/movegen"
	"kotra/rollout"
)

// benchTrials is the size of the rollout that is measured; of gnubg, which takes long, a part of it
// is measured and scaled up.
const (
	benchTrials      = 1296
	benchTrialsGNUBG = benchTrials / 9
)

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
	clock := b.startClock()
	r, err := rollout.Run(ctx, c)
	if err != nil {
		return err
	}
	elapsed, cpu := clock.Elapsed(), clock.CPU()
	stdErr := r.Estimates[0].StdErr
	b.report.Results = append(b.report.Results, report.Measurement{
		Name: "rollout/opening31", Value: elapsed.Seconds(), Unit: "s", CPU: cpu, StdErr: &stdErr,
	})
	return b.rolloutByGNUBG(ctx, &play.Result)
}

// rolloutByGNUBG measures the same on an installed GNU Backgammon. Its standard error is 0.005.
func (b *bench) rolloutByGNUBG(ctx context.Context, pos *bg.Position) error {
	if b.o.threads != 1 || b.env.evaluator != nil {
		return nil
	}
	used, err := protocol.GNUBGRolloutTime(ctx, pos.ID(), benchTrialsGNUBG, 1)
	if errors.Is(err, protocol.ErrNoGNUBG) {
		return nil
	}
	if err != nil {
		return err
	}
	b.add("rollout/opening31-gnubg", used.Seconds()*benchTrials/benchTrialsGNUBG, "s", true)
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
