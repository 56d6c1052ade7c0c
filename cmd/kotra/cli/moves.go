package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"kotra/bg"
	"kotra/internal/report"
)

type movesOptions struct {
	positionOptions
	all, count bool
	explain    string
}

func newMovesCommand(e *env) *cobra.Command {
	o := &movesOptions{}
	cmd := &cobra.Command{
		Use:     "moves <position> [--dice 31 | --all]",
		Short:   "List the legal moves of a roll, or say why a move is not legal",
		GroupID: groupPosition,
		Long: `List the legal moves of the player on roll: one for each distinct resulting position, with the
Position ID of the result, which is seen by the player who moves next. A roll that cannot be
played has no move.

With --explain it judges one move instead and names the rule that forbids it.
` + positionHelp,
		Example: `  kotra moves 4HPwATDgc/ABMA --dice 31
  kotra moves 4HPwATDgc/ABMA --all --count
  kotra moves XGID=-DDD---b----------A-----a-:0:0:1:00:0:0:0:0:10 --dice 65 --explain "18/13"`,
		Args: func(cmd *cobra.Command, args []string) error { return o.check(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return runMoves(cmd.Context(), e, o) },
	}
	o.addFlags(cmd.Flags())
	o.rules.addFlags(cmd.Flags())
	o.addDiceFlag(cmd.Flags())
	cmd.Flags().BoolVar(&o.all, "all", false, "all 21 rolls")
	cmd.Flags().BoolVar(&o.count, "count", false, "numbers alone")
	cmd.Flags().StringVar(&o.explain, "explain", "", "say whether `MOVE` is legal, and which rule forbids it if not")
	return cmd
}

func (o *movesOptions) check(cmd *cobra.Command, args []string) error {
	switch {
	case o.all && o.dice != "":
		return usagef(cmd, "--all and --dice exclude each other")
	case o.explain != "" && (o.all || o.count):
		return usagef(cmd, "--explain wants one roll and shows no numbers")
	}
	if o.explain != "" {
		if _, err := bg.ParseSteps(o.explain); err != nil {
			return usagef(cmd, "--explain: %w", err)
		}
	}
	return o.checkPosition(cmd, args)
}

func runMoves(ctx context.Context, e *env, o *movesOptions) error {
	return answerAll(ctx, e, &o.positionOptions, func(_ context.Context, s bg.State) (answer, error) {
		if result, _ := s.Position.Result(); result != bg.Unfinished {
			return nil, errors.New("the game is over, there is no move to make")
		}
		rolls := []bg.Dice{s.Dice}
		switch {
		case o.all:
			rolls = rolls[:0]
			for _, r := range bg.Rolls() {
				rolls = append(rolls, r.Dice)
			}
			s.Dice = bg.Dice{}
		case !s.Dice.Rolled():
			return nil, errors.New("no dice: give a roll with --dice, or --all")
		}
		if o.explain != "" {
			steps, err := bg.ParseSteps(o.explain)
			if err != nil {
				return nil, err
			}
			return report.NewLegality(&s, s.Dice, o.explain, steps), nil
		}
		return report.NewMoves(&s, rolls, o.count), nil
	})
}
