package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kotra/bg"
	"kotra/internal/report"
)

type convertOptions struct {
	positionOptions
	to      string
	matches bool // the arguments are files of matches
}

func newConvertCommand(e *env) *cobra.Command {
	o := &convertOptions{}
	names := strings.Join(report.Notations(), " | ")
	cmd := &cobra.Command{
		Use:     "convert {<position> {" + names + "} | <in> <out>}",
		Short:   "Write a position in another notation, or matches in another format",
		GroupID: groupPosition,
		Long: `Write a position in another notation:

  xgid        XGID=... of eXtreme Gammon
  ogid        OGID of OpenGammon
  gnuid       POSITIONID:MATCHID of GNU Backgammon
  positionid  GNU Backgammon's Position ID alone: the checkers and who is on roll
  matchid     GNU Backgammon's Match ID alone: everything else
  fibs        a FIBS board line
  snowie      a Snowie position line
  simple      26 numbers: own bar, points 1 to 24, the opponent's bar
  board       the board drawn as text

What a notation cannot hold is lost.

Of two files, the first is read as matches, whatever its format, and the second written in the one
that its name asks for: .mat or .txt, .sgf, .json or .csv.
` + positionHelp,
		Example: `  kotra convert 4HPwATDgc/ABMA xgid
  kotra convert XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10 board
  kotra convert --input positions.txt gnuid
  kotra convert match.xg match.sgf`,
		Args: func(cmd *cobra.Command, args []string) error {
			least, wanted := 2, []string{"POSITION", "OUT"}
			if o.input != "" {
				least, wanted = 1, wanted[1:]
			}
			if err := argRange(least, least, wanted...)(cmd, args); err != nil {
				return err
			}
			if o.input == "" && isMatchOutput(args[1]) {
				o.matches, o.args = true, args
				return nil
			}
			o.to = strings.ToLower(args[least-1])
			if !slices.Contains(report.Notations(), o.to) {
				return usagef(cmd, "unknown notation %q, want %s", args[least-1], names)
			}
			return o.checkPosition(cmd, args[:least-1])
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 && o.input == "" {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return report.Notations(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return runConvert(cmd.Context(), e, o) },
	}
	o.addFlags(cmd.Flags())
	o.rules.addFlags(cmd.Flags())
	o.addDiceFlag(cmd.Flags())
	return cmd
}

func runConvert(ctx context.Context, e *env, o *convertOptions) error {
	if o.matches {
		return convertMatches(e, o.args[0], o.args[1])
	}
	o.dense = o.to != "board"
	return answerAll(ctx, e, &o.positionOptions, func(_ context.Context, s bg.State) (answer, error) {
		n, err := report.NewNotation(&s, o.to)
		if err != nil {
			return nil, fmt.Errorf("converting: %w", err)
		}
		return n, nil
	})
}
