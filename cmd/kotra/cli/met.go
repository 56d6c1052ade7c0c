package cli

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kotra/bg"
	"kotra/cube/met"
	"kotra/internal/report"
)

type metOptions struct {
	table        string
	show         string
	size         int
	away         string
	cube         int
	postCrawford bool
	noCrawford   bool
	json, csv    bool
}

func newMETCommand(e *env) *cobra.Command {
	o := &metOptions{}
	cmd := &cobra.Command{
		Use:       "met [kazaross-xg2 | rockwell-kazaross | <file.xml>]",
		Short:     "Print a match equity table, or explain a score",
		GroupID:   groupEngine,
		ValidArgs: []string{"kazaross-xg2", "rockwell-kazaross"},
		Long: `Print a match equity table: the chance of the player who needs the points of the row to win the
match against one who needs those of the column, before the Crawford game (a 1 is the Crawford
game about to be played). Below it stand the chances after the Crawford game of the player who
trails, needing that many points.

With --away it explains one score instead, for a given cube: match winning chances after each
result, the take point without further cube turns, and gammon prices (what a gammon is worth
beyond a single win, relative to the difference between winning and losing; 0.5 for money).
With --show take-points or gammon-prices it prints one of them for all scores: a 1 is then a
player 1 away after the Crawford game.

The table is Kazaross-XG2 unless another or an XML file of GNU Backgammon's form is named.
Beyond its own size a table is extended, as the documentation of kotra/cube/met tells.`,
		Example: `  kotra met --size 9
  kotra met --away 4,2 --cube 2
  kotra met --show take-points --size 7
  kotra met rockwell-kazaross --csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef(cmd, "unexpected argument %q", args[1])
			}
			if len(args) == 1 {
				o.table = args[0]
			}
			return o.check(cmd)
		},
		RunE: func(_ *cobra.Command, _ []string) error { return runMET(e, o) },
	}
	fs := cmd.Flags()
	fs.IntVar(&o.size, "size", 15, "points away to print")
	fs.StringVar(&o.away, "away", "", "explain the score `MINE,THEIRS`, points needed by the player and his opponent")
	fs.StringVar(&o.show, "show", "mwc", "what to print of all scores: mwc, take-points or gammon-prices")
	fs.IntVar(&o.cube, "cube", 1, "value of the cube for --away and --show")
	fs.BoolVar(&o.postCrawford, "post-crawford", false, "the Crawford game of --away has been played")
	fs.BoolVar(&o.noCrawford, "no-crawford", false, "play without the Crawford rule for --away")
	fs.BoolVar(&o.json, "json", false, "print one JSON document")
	fs.BoolVar(&o.csv, "csv", false, "print CSV")
	return cmd
}

func (o *metOptions) check(cmd *cobra.Command) error {
	switch {
	case o.size < 1 || o.size > met.MaxAway:
		return usagef(cmd, "--size: %d is not in the range from 1 to %d", o.size, met.MaxAway)
	case o.cube < 1 || o.cube&(o.cube-1) != 0:
		return usagef(cmd, "--cube: %d is not a power of two", o.cube)
	case o.csv && o.json:
		return usagef(cmd, "--csv and --json exclude each other")
	case !slices.Contains([]string{"mwc", "take-points", "gammon-prices"}, o.show):
		return usagef(cmd, "--show: %q is not mwc, take-points or gammon-prices", o.show)
	case o.away != "" && o.show != "mwc":
		return usagef(cmd, "--show is for all scores, --away for one")
	}
	if o.away == "" {
		return nil
	}
	if _, err := o.score(); err != nil {
		return usagef(cmd, "--away: %w", err)
	}
	return nil
}

// score returns the score that --away stands for.
func (o *metOptions) score() (bg.Score, error) {
	first, second, ok := strings.Cut(o.away, ",")
	mine, err := strconv.Atoi(strings.TrimSpace(first))
	theirs, err2 := strconv.Atoi(strings.TrimSpace(second))
	if !ok || err != nil || err2 != nil || min(mine, theirs) < 1 || max(mine, theirs) > met.MaxAway {
		return bg.Score{}, fmt.Errorf("%q is not two numbers from 1 to %d, such as 4,2", o.away, met.MaxAway)
	}
	length := max(mine, theirs)
	s := bg.Score{Length: length, OnRoll: length - mine, Opponent: length - theirs}
	one := min(mine, theirs) == 1 && length > 1
	if o.postCrawford && !one {
		return s, fmt.Errorf("%q has no player who needs 1 point, as after the Crawford game", o.away)
	}
	s.Crawford = one && !o.postCrawford && !o.noCrawford
	return s, nil
}

func runMET(e *env, o *metOptions) error {
	table, err := readMET(o.table)
	if err != nil {
		return err
	}
	r, err := o.report(table)
	switch {
	case err != nil:
		return err
	case o.json:
		return writeJSON(e.out, r)
	case o.csv:
		return csv.NewWriter(e.out).WriteAll(r.Records())
	}
	return r.WriteText(e.out)
}

// A metReport is one of the things that are told of a table.
type metReport interface {
	Records() [][]string
	WriteText(w io.Writer) error
}

func (o *metOptions) report(table *met.Table) (metReport, error) {
	rules := bg.Rules{NoCrawford: o.noCrawford}
	if o.away != "" {
		score, err := o.score()
		return report.NewScore(table, score, o.cube, rules), err
	}
	switch o.show {
	case "take-points":
		return report.NewTakePoints(table, o.size, o.cube, rules), nil
	case "gammon-prices":
		return report.NewGammonPriceGrid(table, o.size, o.cube, rules), nil
	}
	return report.NewMET(table, o.size), nil
}
