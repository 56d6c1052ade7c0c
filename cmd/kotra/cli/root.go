// Package cli is the command line of kotra: one file for each command, with its flags, its help
// and its output.
//
// A command is built by newXCommand(env), which parses and checks, and works in runX(ctx, env,
// options). To add one, write its file and name it in newRootCommand.
package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"kotra/bg"
)

// newRootCommand returns the program with all its commands.
func newRootCommand(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:   "kotra",
		Short: "Backgammon engine: analyzes positions, plays and trains itself",
		Long: `kotra analyzes backgammon positions, plays and trains itself.

Start with "kotra analyze POSITION --dice 31". A position is an XGID, a GNU Backgammon ID
(POSITIONID:MATCHID), an OGID, a lone Position ID (money game, centered cube), a FIBS board
line, or a file with one; "-" is standard input.`,
		Example: `  kotra analyze 4HPwATDgc/ABMA --dice 31
  kotra eval XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10
  kotra moves 4HPwATDgc/ABMA --all --count`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usagef(cmd, "%w", err) })
	root.SetVersionTemplate("kotra {{.Version}}\n")
	root.PersistentFlags().BoolVarP(&e.quiet, "quiet", "q", false, "no notes on standard error")
	root.AddGroup(
		&cobra.Group{ID: groupPosition, Title: "Positions:"},
		&cobra.Group{ID: groupEngine, Title: "The engine:"},
	)
	root.AddCommand(
		newAnalyzeCommand(e),
		newEvalCommand(e),
		newMovesCommand(e),
		newRolloutCommand(e),
		newConvertCommand(e),
		newBoardCommand(e),
		newBenchCommand(e),
		newMETCommand(e),
		newBearoffCommand(e),
		newWeightsCommand(e),
		newDuelCommand(e),
		newTrainCommand(e),
		newEngineCommand(e),
		newEnvironmentTopic(),
	)
	completeFlags(root)
	return root
}

// completeFlags registers what the shell offers for the flags that have fixed values.
func completeFlags(cmd *cobra.Command) {
	values := map[string][]string{
		"ply":  {"0", "1", "2", "3"},
		"dice": {},
		"met":  {"kazaross-xg2", "rockwell-kazaross"},

		"cube-owner": {"center", "player", "opponent"},
		"variant":    {"backgammon", "nackgammon", "hypergammon", "longgammon"},
	}
	for _, roll := range bg.Rolls() {
		values["dice"] = append(values["dice"], roll.Dice.String())
	}
	for name, choices := range values {
		if cmd.Flags().Lookup(name) != nil {
			// It fails only for flags that do not exist.
			_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveKeepOrder))
		}
	}
	for _, child := range cmd.Commands() {
		completeFlags(child)
	}
}

// Groups of commands in the help of the root.
const (
	groupPosition = "position"
	groupEngine   = "engine"
)

// unknownCommand returns the error for a command that cmd does not have, with what is near.
func unknownCommand(cmd *cobra.Command, given string) error {
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(given); len(near) > 0 {
		return usagef(cmd, "unknown command %q, did you mean %s?", given, strings.Join(near, " or "))
	}
	return usagef(cmd, "unknown command %q", given)
}

// newEnvironmentTopic returns the help topic that lists the environment variables.
func newEnvironmentTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "environment",
		Short: "Environment variables that kotra reads",
		Long: `Environment variables that kotra reads.

  KOTRA_WEIGHTS    weights file to use where --weights is not given
  KOTRA_CACHE_DIR  folder for bearoff databases (default: kotra in the user's cache folder)
  NO_COLOR         if set, tables and progress bars have no color
  GOMAXPROCS       number of processors to use for --threads 0 (default: all)`,
	}
}
