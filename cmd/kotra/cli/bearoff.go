package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"kotra/bg"
	"kotra/eval/bearoff"
	"kotra/internal/report"
)

func newBearoffCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bearoff {show | build}",
		Short:   "Inspect and build bearoff databases",
		GroupID: groupEngine,
		Long: `Inspect and build bearoff databases.

A one-sided database holds, for each way to place up to 15 checkers on the last points, the
chances to bear them off in 1, 2, 3, ... rolls. From both sides' distributions follow the chances
of a race. The one for 6 points is part of the program and decides all bearoffs.`,
		Example: `  kotra bearoff show 2+4OAADb7gEAAA
  kotra bearoff build onesided-7.kos --points 7`,
		Args: noSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return usagef(cmd, "missing argument show or build") },
	}
	cmd.AddCommand(newBearoffShowCommand(e), newBearoffBuildCommand(e))
	return cmd
}

// noSubcommand checks the arguments of a command that only groups others.
func noSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return nil
}

type bearoffShowOptions struct {
	positionOptions
	database string
}

func newBearoffShowCommand(e *env) *cobra.Command {
	o := &bearoffShowOptions{}
	cmd := &cobra.Command{
		Use:   "show <position>",
		Short: "Show how many rolls both sides of a race need",
		Long: `Show the chances of both sides of a race to need a number of rolls, the mean, and what follows
for the player on roll: his chances, and his cubeless equity in points.
` + positionHelp,
		Example: `  kotra bearoff show 2+4OAADb7gEAAA
  kotra bearoff show IAAAgAAAAAAAAA --json`,
		Args: func(cmd *cobra.Command, args []string) error { return o.checkPosition(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return runBearoffShow(cmd.Context(), e, o) },
	}
	o.addFlags(cmd.Flags())
	cmd.Flags().StringVar(&o.database, "database", "", "one-sided database `FILE` (default: the embedded one of 6 points)")
	return cmd
}

func runBearoffShow(ctx context.Context, e *env, o *bearoffShowOptions) error {
	table := bearoff.Default()
	if o.database != "" {
		f, err := os.Open(o.database)
		if err != nil {
			return fileError(o.database, err)
		}
		defer f.Close()
		if table, err = bearoff.ReadOneSided(f); err != nil {
			return fmt.Errorf("database %q: %w", o.database, err)
		}
	}
	return answerAll(ctx, e, &o.positionOptions, func(_ context.Context, s bg.State) (answer, error) {
		b, err := report.NewBearoff(&s, table)
		if err != nil {
			return nil, err
		}
		return b, nil
	})
}

type bearoffBuildOptions struct {
	file                      string
	points, checkers, threads int
}

func newBearoffBuildCommand(e *env) *cobra.Command {
	o := &bearoffBuildOptions{}
	cmd := &cobra.Command{
		Use:   "build <file>",
		Short: "Build a one-sided database",
		Long: `Build the one-sided database of up to the given number of checkers on the last points and write
it to a file. The number of positions grows fast with the points: 54,264 for 6, 490,314 for 8,
3,268,760 for 10, each with some tens of bytes. The file does not depend on the number of threads.`,
		Example: `  kotra bearoff build onesided-7.kos --points 7
  kotra bearoff build small.kos --points 6 --checkers 8`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := argRange(1, 1, "FILE")(cmd, args); err != nil {
				return err
			}
			o.file = args[0]
			switch {
			case o.points < 1 || o.points > 12:
				return usagef(cmd, "--points: %d is not in the range from 1 to 12", o.points)
			case o.checkers < 1 || o.checkers > 15:
				return usagef(cmd, "--checkers: %d is not in the range from 1 to 15", o.checkers)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return runBearoffBuild(cmd.Context(), e, o) },
	}
	cmd.Flags().IntVar(&o.points, "points", 6, "points that checkers may stand on")
	cmd.Flags().IntVar(&o.checkers, "checkers", 15, "most checkers of a side")
	cmd.Flags().IntVar(&o.threads, "threads", 0, "threads to use; 0 is one for each core")
	return cmd
}

func runBearoffBuild(ctx context.Context, e *env, o *bearoffBuildOptions) error {
	bar := newProgress(e, "building")
	table, err := bearoff.BuildOneSided(ctx, o.points, o.checkers, o.threads, bar.set)
	bar.close()
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	size := int64(0)
	err = writeFile(e, o.file, func(w io.Writer) error {
		size, err = table.WriteTo(w)
		return err
	})
	if err != nil {
		return err
	}
	e.note("%s: %d positions, %d bytes", o.file, table.Positions(), size)
	return nil
}
