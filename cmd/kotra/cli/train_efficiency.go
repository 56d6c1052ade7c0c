package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kotra/bg"
	"kotra/rollout"
	"kotra/train"
)

type efficiencyOptions struct {
	engineOptions
	settings  rollout.Settings
	positions int
	match     bool
	json      bool
	samples   string
}

func newTrainEfficiencyCommand(e *env) *cobra.Command {
	o := &efficiencyOptions{}
	cmd := &cobra.Command{
		Use:   "efficiency",
		Short: "Fit the cube efficiency of each class of position to rollouts",
		Long: `Fit the cube efficiency of each class of position, Janowski's x, to cubeful rollouts of positions
from the network's games against itself, in which both sides win 15% at least. x is the
least-squares slope of the rolled value, less that of a dead cube, over the difference of a live
and a dead cube, with the chances that the rollout found; for races it is that at 70 pips, with
its rise per pip. The residuals are in thousandths of a point, noise included: those of the fit,
and of the efficiencies in use. An interrupted fit tells what it has so far.

A truncated rollout ends in values that rest on the efficiencies in use. So it has to be
repeated with what has been found, until nothing changes.`,
		Example: `  kotra train efficiency --positions 2 --trials 1 --truncate 3
  kotra train efficiency --positions 2 --trials 1 --truncate 3 --match --json`,
		Args: argRange(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.positions < 1 {
				return usagef(cmd, "--positions: %d is not a positive number", o.positions)
			}
			if err := o.settings.Check(); err != nil {
				return usagef(cmd, "%w", err)
			}
			return runTrainEfficiency(cmd.Context(), e, o)
		},
	}
	fs := cmd.Flags()
	fs.IntVar(&o.positions, "positions", 200, "positions of each class")
	fs.IntVar(&o.settings.Trials, "trials", 144, "trials of each position and owner of the cube")
	fs.IntVar(&o.settings.Truncate, "truncate", 0, "turns after which a trial is evaluated; 0 plays to the end")
	fs.BoolVar(&o.match, "match", false, "at random scores of an 11-point match, both players 3 away at least, instead of money")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of the games and the dice")
	fs.StringVar(&o.samples, "samples", "", "write what was found for each position to `FILE`, a JSON object a line")
	fs.BoolVar(&o.json, "json", false, "print one JSON document")
	o.addThreadsFlag(fs)
	o.addWeightsFlag(fs)
	return cmd
}

func runTrainEfficiency(ctx context.Context, e *env, o *efficiencyOptions) error {
	engine, err := o.newEngine(e, o.threads)
	if err != nil {
		return err
	}
	o.settings.Seed = o.seed
	fit := train.EfficiencyFit{
		Evaluator: engine.Evaluator(),
		Config: func(ctx context.Context, s bg.State) (rollout.Config, error) {
			return engine.NewRollout(ctx, s, o.settings)
		},
		InUse:     engine.Searcher().Efficiency,
		Positions: o.positions, Match: o.match, Seed: o.seed,
	}
	bar := newProgress(e, "rolling out")
	defer bar.close()
	fit.Progress = func(done, total int) { bar.set(float64(done) / float64(total)) }
	report, err := fit.Run(ctx)
	if o.samples != "" {
		err = errors.Join(err, writeFile(e, o.samples, report.WriteSamples))
	}
	if err != nil && len(report.Samples) == 0 {
		return err
	}
	if o.json {
		return errors.Join(err, json.NewEncoder(e.out).Encode(report))
	}
	fmt.Fprint(e.out, report)
	return err
}
