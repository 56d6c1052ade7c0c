package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"kotra/bg"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/eval/hyper"
	"kotra/internal/report"
)

func newBearoffCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bearoff {show | build | info}",
		Short:   "Build and inspect bearoff databases",
		GroupID: groupEngine,
		Long: `Build and inspect bearoff databases.

A one-sided database holds, for each way to place up to 15 checkers on the last points, the
chances to bear them off in 1, 2, 3, ... rolls. From both sides' distributions follow the chances
of a race. The one for 6 points is part of the program. One for 8 points is built on first use, in a
second or two, and judges races better than the network; larger ones that are built in the user's
cache folder are used instead.

A two-sided database holds, for each pair of such positions, exact equities for money: cubeless,
and with the cube centered, owned, and at the opponent. The ones for 6 checkers on 6 points, 7 on
5, 10 on 4 and 14 on 3 are built on first use, within seconds, and kept in the user's cache
folder, or in KOTRA_CACHE_DIR. Larger ones that are built there are used too.

Hypergammon can be solved as a whole: "build --hypergammon" takes some minutes of all cores and
leaves a table in the same folder, with which the variant is played exactly.`,
		Example: `  kotra bearoff show 2+4OAADb7gEAAA
  kotra bearoff build onesided-7.kos --points 7`,
		Args: noSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return usagef(cmd, "missing argument show, build or info") },
	}
	cmd.AddCommand(newBearoffShowCommand(e), newBearoffBuildCommand(e), newBearoffInfoCommand(e))
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
		Short: "Show what the databases know of a race",
		Long: `Show the chances of both sides of a race to need a number of rolls, the mean, and what follows
for the player on roll: his chances, and his cubeless equity in points. If a two-sided database
has the position, its exact equities stand there too, for each owner of the cube, before this
turn and without a double on it.
` + positionHelp,
		Example: `  kotra bearoff show 2+4OAADb7gEAAA
  kotra bearoff show IAAAgAAAAAAAAA --json`,
		Args: func(cmd *cobra.Command, args []string) error { return o.checkPosition(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return runBearoffShow(cmd.Context(), e, o) },
	}
	o.addFlags(cmd.Flags())
	cmd.Flags().StringVar(&o.database, "database", "", "database `FILE` (default: the smallest that has the position)")
	return cmd
}

func runBearoffShow(ctx context.Context, e *env, o *bearoffShowOptions) error {
	tables := database{one: bearoff.Default()}
	if o.database != "" {
		file, err := openDatabase(o.database)
		if err != nil {
			return err
		}
		defer file.close()
		if tables.two = file.two; file.one != nil {
			tables.one = file.one
		}
	}
	folder := bearoff.NewFolder(e.getenv("KOTRA_CACHE_DIR"))
	return answerAll(ctx, e, &o.positionOptions, func(ctx context.Context, s bg.State) (answer, error) {
		one, two := tables.one, tables.two
		if class := eval.Classify(&s.Position); o.database == "" && (class == eval.Bearoff || class == eval.Race) {
			var err error
			if two, err = folder.TwoSided(ctx, &s.Position); err != nil {
				return nil, err
			}
			if class == eval.Race {
				if one, err = folder.Races(ctx); err != nil {
					return nil, err
				}
			}
		}
		b, err := report.NewBearoff(&s, one, two)
		if err != nil {
			return nil, err
		}
		return b, nil
	})
}

// A database is an open file: one of the two tables.
type database struct {
	one *bearoff.OneSided
	two *bearoff.TwoSided
}

func (d *database) close() {
	if d.two != nil {
		_ = d.two.Close() // it was only read
	}
}

// openDatabase opens a one- or two-sided database.
func openDatabase(name string) (*database, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fileError(name, err)
	}
	defer f.Close()
	one, err := bearoff.ReadOneSided(f)
	if err == nil {
		return &database{one: one}, nil
	}
	if !errors.Is(err, bearoff.ErrFormat) {
		return nil, fmt.Errorf("database %q: %w", name, err)
	}
	two, err := bearoff.OpenTwoSided(name)
	if err != nil {
		return nil, fmt.Errorf("database %q: %w", name, err)
	}
	return &database{two: two}, nil
}

type bearoffBuildOptions struct {
	file                      string
	points, checkers, threads int
	twoSided, hyper, estimate bool
}

func newBearoffBuildCommand(e *env) *cobra.Command {
	o := &bearoffBuildOptions{}
	cmd := &cobra.Command{
		Use:   "build [file]",
		Short: "Build a one- or two-sided database",
		Long: `Build the database of up to the given number of checkers on the last points and write it to a
file. It says before it starts what this takes; --estimate says it and stops. The file does not
depend on the number of threads. A two-sided build that is interrupted is gone on with when it
is started again.

Without a file a two-sided database goes where the engine finds it: the folder kotra of the
user's caches, or KOTRA_CACHE_DIR. From then on its positions are played exactly. So does the table
of Hypergammon.`,
		Example: `  kotra bearoff build --two-sided --checkers 8 --estimate
  kotra bearoff build onesided-7.kos --points 7`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := argRange(0, 1, "FILE")(cmd, args); err != nil {
				return err
			}
			if o.hyper && (o.twoSided || cmd.Flags().Changed("points") || cmd.Flags().Changed("checkers")) {
				return usagef(cmd, "--hypergammon goes without --two-sided, --points and --checkers")
			}
			if len(args) == 1 {
				o.file = args[0]
			} else if !o.twoSided && !o.hyper {
				return usagef(cmd, "missing argument FILE, which only --two-sided and --hypergammon can do without")
			}
			if !cmd.Flags().Changed("checkers") && o.twoSided {
				o.checkers = bearoff.DefaultCheckers
			}
			if _, err := o.takes(); err != nil {
				return usagef(cmd, "--points, --checkers: %w", err)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.hyper {
				return runBuildHyper(cmd.Context(), e, o)
			}
			return runBearoffBuild(cmd.Context(), e, o)
		},
	}
	cmd.Flags().IntVar(&o.points, "points", bearoff.DefaultPoints, "points that checkers may stand on")
	cmd.Flags().IntVar(&o.checkers, "checkers", 15, "most checkers of a side (two-sided: 6)")
	cmd.Flags().BoolVar(&o.twoSided, "two-sided", false, "exact equities of pairs of positions, with the cube")
	cmd.Flags().BoolVar(&o.hyper, "hypergammon", false, "all of Hypergammon: three checkers a side")
	cmd.Flags().BoolVar(&o.estimate, "estimate", false, "say what it takes and stop")
	cmd.Flags().IntVar(&o.threads, "threads", 0, "threads to use; 0 is one for each core")
	return cmd
}

// takes says what the build takes, or why it is not possible.
func (o *bearoffBuildOptions) takes() (bearoff.Estimate, error) {
	if o.twoSided {
		return bearoff.EstimateTwoSided(o.points, o.checkers, o.threads)
	}
	return bearoff.EstimateOneSided(o.points, o.checkers, o.threads)
}

func runBearoffBuild(ctx context.Context, e *env, o *bearoffBuildOptions) error {
	takes, err := o.takes()
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%d positions a side; about %s of file, %s of memory, %v",
		takes.Positions, size(takes.FileSize), size(takes.Memory), takes.Time.Round(time.Second/10))
	if o.estimate {
		_, err := fmt.Fprintln(e.out, text)
		return err
	}
	e.note("%s", text)
	if o.twoSided && o.file == "" {
		if o.file, err = cachedTable(e, o.points, o.checkers); err != nil {
			return err
		}
		e.note("building %s", o.file)
	}
	bar := newProgress(e, "building")
	if o.twoSided {
		err = bearoff.BuildTwoSidedFile(ctx, o.file, o.points, o.checkers, o.threads, bar.set)
	} else {
		err = o.buildOneSided(ctx, e, bar)
	}
	bar.close()
	return err
}

// cachedTable returns where a table of this size belongs in the folder of the user's caches, which
// it makes.
func cachedTable(e *env, points, checkers int) (string, error) {
	path, err := bearoff.NewFolder(e.getenv("KOTRA_CACHE_DIR")).Path(points, checkers)
	if err != nil {
		return "", err
	}
	return path, os.MkdirAll(filepath.Dir(path), 0o755)
}

func (o *bearoffBuildOptions) buildOneSided(ctx context.Context, e *env, bar *progress) error {
	table, err := bearoff.BuildOneSided(ctx, o.points, o.checkers, o.threads, bar.set)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	return writeFile(e, o.file, func(w io.Writer) error {
		_, err := table.WriteTo(w)
		return err
	})
}

// What building the table of Hypergammon takes: the mean time of a sweep on one core of a busy machine, about
// so many of them, and so much memory.
const (
	sweepTime  = 42 * time.Second
	sweeps     = 20
	hyperBytes = 600e6
)

// runBuildHyper builds the table of Hypergammon.
func runBuildHyper(ctx context.Context, e *env, o *bearoffBuildOptions) error {
	threads := o.threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	text := fmt.Sprintf("%d positions a side; about %s of file, %s of memory, %v", hyper.Positions,
		size(hyper.FileSize), size(hyperBytes), (sweeps * sweepTime / time.Duration(threads)).Round(time.Second))
	if o.estimate {
		_, err := fmt.Fprintln(e.out, text)
		return err
	}
	e.note("%s", text)
	if o.file == "" {
		dir := bearoff.NewFolder(e.getenv("KOTRA_CACHE_DIR")).Dir()
		if dir == "" {
			return errors.New("the user has no folder for caches")
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		o.file = filepath.Join(dir, hyper.FileName)
		e.note("building %s", o.file)
	}
	bar := newProgress(e, "building")
	table, err := hyper.Build(ctx, threads, func(sweep int, done, _ float64) {
		bar.set(min((float64(sweep-1)+done)/sweeps, 1))
	})
	bar.close()
	if err != nil {
		return err
	}
	return writeFile(e, o.file, func(w io.Writer) error {
		_, err := table.WriteTo(w)
		return err
	})
}

// size writes a number of bytes for people.
func size(bytes int64) string {
	for _, unit := range []struct {
		name  string
		bytes int64
	}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if bytes >= unit.bytes {
			return fmt.Sprintf("%.1f %s", float64(bytes)/float64(unit.bytes), unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", bytes)
}

func newBearoffInfoCommand(e *env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info [file]",
		Short: "Show the kind and size of a database, and check it",
		Long: `Show the kind and size of a database, and check all of it against its checksum. Without a file
it is the embedded one-sided one.`,
		Example: `  kotra bearoff info
  kotra bearoff info --json`,
		Args: argRange(0, 1, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			info, err := readBearoffInfo(args)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(e.out, info)
			}
			return info.WriteText(e.out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func readBearoffInfo(args []string) (*report.BearoffInfo, error) {
	if len(args) == 0 {
		return report.NewBearoffInfo("embedded", bearoff.Default(), nil), nil
	}
	file, err := openDatabase(args[0])
	if err != nil {
		return nil, err
	}
	defer file.close()
	if file.two != nil {
		if err := file.two.Verify(); err != nil {
			return nil, fmt.Errorf("database %q: %w", args[0], err)
		}
	}
	return report.NewBearoffInfo(args[0], file.one, file.two), nil
}
