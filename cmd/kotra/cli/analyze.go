package cli

import (
	"context"

	"github.com/spf13/cobra"

	"kotra"
	"kotra/bg"
	"kotra/eval"
	"kotra/internal/report"
)

type analyzeOptions struct {
	positionOptions
	engineOptions
	matchOptions
	top  int
	cube bool

	rollout string // preset, empty for a search
}

func newAnalyzeCommand(e *env) *cobra.Command {
	o := &analyzeOptions{}
	cmd := &cobra.Command{
		Use:     "analyze {<position> [--dice 31] | <file>...}",
		Aliases: []string{"analyse"}, //nolint:misspell // the British name is meant
		Short:   "Rank the moves of a roll, decide about the cube, or judge whole matches",
		GroupID: groupPosition,
		Long: `Draw the position and answer its decision.

With dice, from --dice or the position itself, it ranks the moves: equity and difference to the
best, then the chances to win, win a gammon and a backgammon - to lose, lose a gammon and a
backgammon. Without dice it gives the cube action with the equities of not doubling and of a
double that is taken or passed, for the player on roll; if a double has been offered, the
decision is his opponent's and all numbers are seen by him.

Equities are in points for the cube in play; at a match score they are rescaled to a money
game's (EMG), and match winning chances stand beside them.
` + positionHelp + "\n" + matchHelp,
		Example: `  kotra analyze 4HPwATDgc/ABMA --dice 31
  kotra analyze 4HPwATDgc/ABMA --match 5 --score 3-2 --cube-owner player --cube-value 2
  kotra analyze XGID=-b----E-C---eE---c-e----B-:0:0:1:63:0:0:0:0:10 --top 3 --json
  kotra analyze match.mat matches/ --ply 1 --html matches.html`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := o.engineOptions.check(cmd); err != nil {
				return err
			}
			if err := o.checkRollout(); err != nil {
				return usagef(cmd, "--rollout: %w", err)
			}
			if isMatch, err := o.matchOptions.check(cmd, args); isMatch || err != nil {
				return err
			}
			if o.top < 0 {
				return usagef(cmd, "--top: %d is negative", o.top)
			}
			if o.cube && o.dice != "" {
				return usagef(cmd, "--cube and --dice exclude each other")
			}
			if !cmd.Flags().Changed("top") && (o.json || o.jsonl) {
				o.top = 0
			}
			return o.checkPosition(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return runAnalyze(cmd.Context(), e, o) },
	}
	o.positionOptions.addFlags(cmd.Flags())
	o.rules.addFlags(cmd.Flags())
	o.addDiceFlag(cmd.Flags())
	o.engineOptions.addFlags(cmd.Flags())
	o.matchOptions.addFlags(cmd.Flags())
	cmd.Flags().IntVar(&o.top, "top", 10, "moves to show; 0 is all of them (the default with --json)")
	cmd.Flags().StringVar(&o.rollout, "rollout", "", "roll the candidates out instead, with the settings of a `PRESET` (see kotra rollout)")
	cmd.Flags().Lookup("rollout").NoOptDefVal = "standard"
	cmd.Flags().BoolVar(&o.cube, "cube", false, "give the cube action even if the position has dice")
	return cmd
}

func runAnalyze(ctx context.Context, e *env, o *analyzeOptions) error {
	if o.files != nil {
		return runAnalyzeMatches(ctx, e, o)
	}
	engine, err := o.newEngine(e, o.engineThreads(&o.positionOptions))
	if err != nil {
		return err
	}
	return answerAll(ctx, e, &o.positionOptions, func(ctx context.Context, s bg.State) (answer, error) {
		if o.cube {
			s.Dice = bg.Dice{}
		}
		if o.rollout != "" && s.Resigned == bg.Unfinished && s.Beavers == 0 {
			return analyzeByRollout(ctx, e, engine, &s, o)
		}
		if s.Dice.Rolled() && s.Resigned == bg.Unfinished {
			return rankMoves(ctx, engine, &s, o)
		}
		return decide(ctx, engine, &s, o.cubeless)
	})
}

func rankMoves(ctx context.Context, engine *kotra.Engine, s *bg.State, o *analyzeOptions) (answer, error) {
	candidates, err := engine.RankMoves(ctx, *s)
	if err != nil && len(candidates) == 0 {
		return nil, err
	}
	a := report.NewRanking(s, eval.Classify(&s.Position), candidates, o.cubeless, matchChance(engine, s), o.top)
	return a, err
}

// matchChance returns what converts an equity at the score of s to a match winning chance, nil
// for money.
func matchChance(engine *kotra.Engine, s *bg.State) func(bg.Equity) float64 {
	if s.Score.Money() {
		return nil
	}
	outcomes := engine.Options().MET.Outcomes(s.Score, s.Cube.Value, s.Rules)
	return func(eq bg.Equity) float64 { return float64(outcomes.MWC(eq)) }
}
