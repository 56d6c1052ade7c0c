package cli

import (
	"context"

	"github.com/spf13/cobra"

	"kotra/bg"
	"kotra/internal/report"
)

type evalOptions struct {
	positionOptions
	engineOptions
}

func newEvalCommand(e *env) *cobra.Command {
	o := &evalOptions{}
	cmd := &cobra.Command{
		Use:     "eval <position>",
		Short:   "Evaluate a position before the roll",
		GroupID: groupPosition,
		Long: `Evaluate a position as it stands, before the roll and without choosing a move: the chances of
the player on roll to win and lose a single game, a gammon and a backgammon (each includes the
greater ones), and his equity without and with the cube. Dice of the position are ignored.

Equities are in points for a cube of 1; at a match score they are rescaled to a money game's
(EMG), and the match winning chance stands beside them.
` + positionHelp,
		Example: `  kotra eval 4HPwATDgc/ABMA
  kotra eval XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10 --ply 1 --json
  kotra eval --input positions.txt --jsonl --ply 0`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			return o.checkPosition(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return runEval(cmd.Context(), e, o) },
	}
	o.positionOptions.addFlags(cmd.Flags())
	o.rules.addFlags(cmd.Flags())
	o.engineOptions.addFlags(cmd.Flags())
	return cmd
}

func runEval(ctx context.Context, e *env, o *evalOptions) error {
	engine, err := o.newEngine(e, o.engineThreads(&o.positionOptions))
	if err != nil {
		return err
	}
	return answerAll(ctx, e, &o.positionOptions, func(ctx context.Context, s bg.State) (answer, error) {
		v, err := engine.Evaluate(ctx, s)
		if err != nil {
			return nil, err
		}
		return report.NewEvaluation(&s, &v, o.cubeless), nil
	})
}
