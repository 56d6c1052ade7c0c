package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kotra/eval/features"
	"kotra/nn"
	"kotra/train"
	"kotra/weights"
)

func newTrainCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "train",
		Short:   "Train networks from nothing but self-play",
		GroupID: groupEngine,
		Long: `Train networks from nothing but games of the program against itself.

"train run" is the whole recipe from random weights to a network that can be shipped; "td",
"label" and "fit" are its stages one by one. Every stage shows its progress, writes
checkpoints, and goes on from them when it is called again with the same folder, after Ctrl-C
or a kill.`,
		Example: `  kotra train run --out runs/one --budget 4h
  kotra train td --out runs/td --games 1000000`,
		Args: argRange(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTrainRunCommand(e), newTrainTDCommand(e), newTrainLabelCommand(e), newTrainFitCommand(e), newTrainPlotCommand(e), newTrainEfficiencyCommand(e))
	return cmd
}

// trainOptions are the flags that the stages of training share.
type trainOptions struct {
	out     string
	seed    uint64
	threads int
	json    bool
}

func (o *trainOptions) addFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.out, "out", "", "folder `DIR` for everything that is written (required)")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of everything random")
	fs.IntVar(&o.threads, "threads", 0, "threads to use; 0 is one for each core")
	fs.BoolVar(&o.json, "json", false, "print events and the summary as JSON, a line each")
}

func (o *trainOptions) check(cmd *cobra.Command) error {
	switch {
	case o.out == "":
		return usagef(cmd, "missing flag --out DIR")
	case o.threads < 0:
		return usagef(cmd, "--threads: %d is negative", o.threads)
	}
	return nil
}

func (o *trainOptions) cores() int {
	if o.threads > 0 {
		return o.threads
	}
	return runtime.GOMAXPROCS(0)
}

// shapeOptions are the flags for the shape of a new network.
type shapeOptions struct {
	text    string
	buckets int
}

func (o *shapeOptions) addFlags(fs *pflag.FlagSet, fallback string) {
	fs.StringVar(&o.text, "shape", fallback, "units of the layers of a new network, as WIDTH or WIDTHxN or WIDTHxNxN")
	fs.IntVar(&o.buckets, "buckets", features.Buckets,
		fmt.Sprintf("kinds of positions with upper layers of their own in a new network: %d or %d", features.Buckets, features.CoarseBuckets))
}

func (o *shapeOptions) shape(cmd *cobra.Command) (nn.Shape, error) {
	s := nn.Shape{Buckets: o.buckets}
	if features.Name(o.buckets) == "" {
		return s, usagef(cmd, "--buckets: %d is neither %d nor %d", o.buckets, features.Buckets, features.CoarseBuckets)
	}
	for i, part := range strings.Split(o.text, "x") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return s, usagef(cmd, "--shape: %q is not a shape such as 512x32x32", o.text)
		}
		if i == 0 {
			s.Width = n
		} else {
			s.Hidden = append(s.Hidden, n)
		}
	}
	if err := s.Validate(); err != nil {
		return s, usagef(cmd, "--shape: %w", err)
	}
	return s, nil
}

// trainProgress draws the progress of training, one bar for each stage.
type trainProgress struct {
	env   *env
	stage string
	bar   *progressbar.ProgressBar
	told  time.Time
}

func (t *trainProgress) show(p train.Progress) {
	stage := stageName(p.Stage, p.Part)
	if t.env.quiet {
		return
	}
	if !t.env.progress {
		// Not a terminal: a plain line now and then, so that a log tells how far things are.
		if now := t.env.now(); now.Sub(t.told) > 30*time.Second || p.Done == p.Total {
			t.told = now
			left := time.Duration(0)
			if p.Rate > 0 {
				left = time.Duration(float64(p.Total-p.Done) / p.Rate * float64(time.Second)).Round(time.Second)
			}
			fmt.Fprintf(t.env.err, "%s: %d of %d %s, %.0f/s%s, %v left\n", stage, p.Done, p.Total, p.Unit, p.Rate, lossText(p.Loss), left)
		}
		return
	}
	if stage != t.stage {
		t.finish()
		t.stage = stage
		t.bar = progressbar.NewOptions64(p.Total,
			progressbar.OptionSetWriter(t.env.err), progressbar.OptionSetPredictTime(true),
			progressbar.OptionShowCount(), progressbar.OptionFullWidth())
	}
	t.bar.Describe(fmt.Sprintf("%s, %.0f %s/s%s", stage, p.Rate, p.Unit, lossText(p.Loss)))
	_ = t.bar.Set64(p.Done)
}

// lossText is what a line of progress says of a loss: nothing if there is none, as in labeling.
func lossText(loss float64) string {
	if loss == 0 {
		return ""
	}
	return fmt.Sprintf(", loss %.4f", loss)
}

func (t *trainProgress) finish() {
	if t.bar != nil {
		_ = t.bar.Finish()
		fmt.Fprintln(t.env.err)
		t.bar = nil
	}
}

type trainRunOptions struct {
	trainOptions
	budget time.Duration
}

func newTrainRunCommand(e *env) *cobra.Command {
	o := &trainRunOptions{}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "The whole recipe, from random weights to a network to ship",
		Long: `Train a network from random weights: TD self-play, then generations of labels by the best
network so far and of fitting to them. A generation is accepted if it does not lose a
luck-adjusted duel against the best network, nor the yardstick.

--budget is the time that the whole run may take, about, on the cores that it is given; it sizes the
stages. The recipe is written to recipe.json in the folder, which can be edited before the
first call or between two; a folder with a recipe goes on with it whatever the budget.

The folder holds best.knn, the best network so far, prune.knn, its fast companion, and
log.jsonl, which "kotra train plot" draws.`,
		Example: `  kotra train run --out runs/one --budget 4h
  kotra train run --out runs/one --threads 1 --json`,
		Args: argRange(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			if o.budget < time.Minute {
				return usagef(cmd, "--budget: %v is less than a minute", o.budget)
			}
			return runTrainRun(cmd.Context(), e, o)
		},
	}
	o.addFlags(cmd.Flags())
	cmd.Flags().DurationVar(&o.budget, "budget", 4*time.Hour, "about how long the run may take")
	return cmd
}

func runTrainRun(ctx context.Context, e *env, o *trainRunOptions) error {
	recipe, err := train.OpenRecipe(o.out, train.Plan(o.budget, o.cores(), o.seed))
	if err != nil {
		return err
	}
	progress := &trainProgress{env: e}
	net, err := train.Run(ctx, recipe, train.RunOptions{
		Dir: o.out, Threads: o.threads, Progress: progress.show,
		Event: func(event train.Event) {
			progress.finish()
			writeEvent(e.out, event, o.json)
		},
	})
	progress.finish()
	if err != nil {
		return fmt.Errorf("training in %q: %w", o.out, err)
	}
	if !e.quiet {
		fmt.Fprintf(e.err, "best network: %s, %s\n", filepath.Join(o.out, "best.knn"), net.Shape)
	}
	return nil
}

// stageName returns how a part of a stage is called on screen; stage is 0 outside a run.
func stageName(stage int, part string) string {
	if stage == 0 {
		return part
	}
	return fmt.Sprintf("%02d %s", stage, part)
}

// writeEvent prints an event of a run as a line of text or JSON.
func writeEvent(w io.Writer, event train.Event, asJSON bool) {
	if asJSON {
		_ = json.NewEncoder(w).Encode(event)
		return
	}
	stage := stageName(event.Stage, event.Part)
	fmt.Fprintf(w, "%-8s", stage)
	if event.CPUHours > 0 {
		fmt.Fprintf(w, " %8.3f CPU h", event.CPUHours)
	}
	if event.Games > 0 {
		fmt.Fprintf(w, "  %d games", event.Games)
	}
	if event.Labels > 0 {
		fmt.Fprintf(w, "  %d labels", event.Labels)
	}
	if event.Loss > 0 {
		fmt.Fprintf(w, "  loss %.4f", event.Loss)
	}
	if event.Validation > 0 {
		fmt.Fprintf(w, "  validation %.4f", event.Validation)
	}
	if event.Yardstick != nil {
		all := event.Yardstick.All()
		fmt.Fprintf(w, "  yardstick %.2f ± %.2f", all.Loss, all.LossStdErr)
	}
	if event.Duel != nil {
		fmt.Fprintf(w, "  duel %+.4f ± %.4f", event.Duel.PPG, event.Duel.StdErr)
	}
	if event.Accepted != nil {
		fmt.Fprintf(w, "  %s", map[bool]string{true: "accepted", false: "refused"}[*event.Accepted])
	}
	fmt.Fprintln(w)
}

type trainTDOptions struct {
	trainOptions
	shapeOptions
	games, batch          int64
	lambda, rate, endRate float64
	starts                train.Starts
}

func newTrainTDCommand(e *env) *cobra.Command {
	o := &trainTDOptions{}
	cmd := &cobra.Command{
		Use:   "td",
		Short: "Learn from random weights by TD(lambda) self-play",
		Long: `Play games of the network against itself and learn from each by TD(lambda), beginning with
random weights. The result is the running average of the weights, td.knn in the folder.`,
		Example: `  kotra train td --out runs/td --games 1000000
  kotra train td --out runs/td256 --shape 256x32x32 --games 200000 --seed 7`,
		Args: argRange(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			shape, err := o.shape(cmd)
			if err != nil {
				return err
			}
			return runTrainTD(cmd.Context(), e, o, shape)
		},
	}
	fs := cmd.Flags()
	o.trainOptions.addFlags(fs)
	o.shapeOptions.addFlags(fs, "128")
	fs.Int64Var(&o.games, "games", 1_000_000, "games to play in all")
	fs.Int64Var(&o.batch, "batch", 32, "games between two updates of the weights")
	fs.Float64Var(&o.lambda, "lambda", 0.6, "how far the result of the game counts, 0 to 1")
	fs.Float64Var(&o.rate, "rate", 2e-3, "learning rate at the beginning")
	fs.Float64Var(&o.endRate, "end-rate", 1e-5, "learning rate at the end")
	addStartsFlags(fs, &o.starts, train.Starts{BothRandom: 0.05, OneRandom: 0.1})
	return cmd
}

func addStartsFlags(fs *pflag.FlagSet, s *train.Starts, start train.Starts) {
	fs.Float64Var(&s.BothRandom, "both-random", start.BothRandom, "share of games that begin after random moves of both sides")
	fs.Float64Var(&s.OneRandom, "one-random", start.OneRandom, "share of games that begin after random moves of one side")
	fs.Float64Var(&s.SentBack, "sent-back", start.SentBack, "share of games that begin with up to five more checkers of a side on the bar")
}

func runTrainTD(ctx context.Context, e *env, o *trainTDOptions, shape nn.Shape) error {
	progress := &trainProgress{env: e}
	net, err := train.TD(ctx, train.TDOptions{
		Dir: o.out, Shape: shape, Seed: o.seed, Games: o.games, Batch: int(o.batch), Lambda: o.lambda,
		Rate: o.rate, EndRate: o.endRate, Starts: o.starts, Threads: o.threads,
		Progress: func(p train.TDProgress) {
			progress.show(train.Progress{
				Part: "td", Done: p.Games, Total: p.Total, Unit: "games",
				Elapsed: p.Elapsed, Rate: p.GamesPerSecond, Loss: p.Loss,
			})
			if p.Net != nil {
				progress.finish()
				writeEvent(e.out, train.TDEvent(p), o.json)
			}
		},
	})
	progress.finish()
	if err != nil {
		return fmt.Errorf("training in %q: %w", o.out, err)
	}
	net.Meta.Run, net.Meta.Games, net.Meta.Seed = "td", o.games, o.seed
	return writeNetwork(e, net, filepath.Join(o.out, "td.knn"))
}

// writeNetwork writes a network that a stage has made, and says so.
func writeNetwork(e *env, net *nn.Network, name string) error {
	if err := net.WriteFile(name); err != nil {
		return err
	}
	if !e.quiet {
		fmt.Fprintf(e.err, "wrote %s: %s\n", name, net.Shape)
	}
	return nil
}

type trainLabelOptions struct {
	trainOptions
	nets, prune     string
	games           int64
	siblings        int
	deepen          int
	lambda, explore float64
	starts          train.Starts
}

func newTrainLabelCommand(e *env) *cobra.Command {
	o := &trainLabelOptions{}
	cmd := &cobra.Command{
		Use:   "label",
		Short: "Play games and write what each position is worth",
		Long: `Play games of a network, or of the mean of several, against itself and label every position: the
mean over all rolls of the best reply, corrected by what the rest of the game showed with the luck
of the dice taken out. The labels are written in shards of a thousand games.`,
		Example: `  kotra train label --out runs/labels --weights runs/td/td.knn --games 20000
  kotra train label --out runs/labels2 --weights best.knn --prune prune.knn --games 100000 --seed 2
  kotra train label --out runs/labels3 --weights best.knn+other.knn --prune prune.knn --seed 3`,
		Args: argRange(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			return runTrainLabel(cmd.Context(), e, o)
		},
	}
	fs := cmd.Flags()
	o.addFlags(fs)
	fs.StringVar(&o.nets, "weights", "", "weights `FILE`, or FILE+FILE for their mean, that play and label (default: the embedded weights)")
	fs.StringVar(&o.prune, "prune", "", "weights `FILE` that picks the replies to evaluate (default: all are evaluated)")
	fs.Int64Var(&o.games, "games", 20_000, "games to play in all")
	fs.Float64Var(&o.lambda, "lambda", 0.7, "how far the rest of the game counts, 0 to 1")
	fs.Float64Var(&o.explore, "explore", 0.05, "share of moves that are not the best")
	fs.IntVar(&o.siblings, "siblings", 0, "other close moves of each decision to label too")
	fs.IntVar(&o.deepen, "deepen", 0, "of the 36 outcomes of the next roll, how many are looked at a ply deeper where moves are close: a divisor of 36")
	addStartsFlags(fs, &o.starts, train.Starts{BothRandom: 0.12, OneRandom: 0.15, SentBack: 0.1})
	return cmd
}

func runTrainLabel(ctx context.Context, e *env, o *trainLabelOptions) error {
	options := train.LabelOptions{
		Dir: o.out, Seed: o.seed, Games: o.games, Lambda: o.lambda, Explore: o.explore,
		Starts: o.starts, Siblings: o.siblings, Deepen: o.deepen, Threads: o.threads,
	}
	for _, part := range weights.Parts(o.nets) {
		net, err := weights.Read(part)
		if err != nil {
			return err
		}
		options.Nets = append(options.Nets, net)
	}
	var err error
	if o.prune != "" {
		if options.Prune, err = weights.Read(o.prune); err != nil {
			return err
		}
	}
	progress := &trainProgress{env: e}
	var records int64
	options.Progress = func(p train.LabelProgress) {
		records = p.Records
		progress.show(train.Progress{
			Part: "label", Done: p.Games, Total: p.Total, Unit: "games", Elapsed: p.Elapsed, Rate: p.GamesPerSecond,
		})
	}
	err = train.Label(ctx, options)
	progress.finish()
	if err != nil {
		return fmt.Errorf("labeling in %q: %w", o.out, err)
	}
	writeEvent(e.out, train.Event{Part: "label", Games: o.games, Labels: records}, o.json)
	return nil
}

type trainFitOptions struct {
	trainOptions
	shapeOptions
	labels        []string
	from          string
	samples       int64
	batch         int
	rate, endRate float64
	differences   float64
}

func newTrainFitCommand(e *env) *cobra.Command {
	o := &trainFitOptions{}
	cmd := &cobra.Command{
		Use:   "fit",
		Short: "Fit a network to labels",
		Long: `Fit a network to the labels in one or more folders by mini-batches of Adam, with the rounding of
inference. The result is the running average of the weights, net.knn in the folder.`,
		Example: `  kotra train fit --out runs/fit --labels runs/labels --samples 20000000
  kotra train fit --out runs/fit2 --labels runs/labels,runs/labels2 --from runs/fit/net.knn --rate 5e-4`,
		Args: argRange(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			if len(o.labels) == 0 {
				return usagef(cmd, "missing flag --labels DIR")
			}
			shape, err := o.shape(cmd)
			if err != nil {
				return err
			}
			return runTrainFit(cmd.Context(), e, o, shape)
		},
	}
	fs := cmd.Flags()
	o.trainOptions.addFlags(fs)
	o.shapeOptions.addFlags(fs, "512x32x32")
	fs.StringSliceVar(&o.labels, "labels", nil, "folders `DIR,...` of labels (required)")
	fs.StringVar(&o.from, "from", "", "weights `FILE` to begin from, grown to --shape if it is smaller (default: random weights)")
	fs.Int64Var(&o.samples, "samples", 20_000_000, "samples to see in all, repeated ones counted each time")
	fs.IntVar(&o.batch, "batch", 2048, "samples in a batch")
	fs.Float64Var(&o.rate, "rate", 1e-3, "learning rate at the beginning")
	fs.Float64Var(&o.endRate, "end-rate", 1e-5, "learning rate at the end")
	fs.Float64Var(&o.differences, "differences", 8, "weight of the loss on differences in equity between the moves of a decision, beside that on their probabilities")
	return cmd
}

func runTrainFit(ctx context.Context, e *env, o *trainFitOptions, shape nn.Shape) error {
	shards, err := train.Shards(o.labels...)
	if err != nil {
		return err
	}
	options := train.FitOptions{
		Dir: o.out, Shards: shards, Shape: shape, Seed: o.seed, Samples: o.samples, Batch: o.batch,
		Rate: o.rate, EndRate: o.endRate, Differences: o.differences, Threads: o.threads,
	}
	if o.from != "" {
		if options.Net, err = weights.Read(o.from); err != nil {
			return err
		}
	}
	progress := &trainProgress{env: e}
	options.Progress = func(p train.FitProgress) {
		progress.show(train.Progress{
			Part: "fit", Done: p.Samples, Total: p.Total, Unit: "samples",
			Elapsed: p.Elapsed, Rate: p.SamplesPerSecond, Loss: p.Loss,
		})
		if p.Net != nil {
			progress.finish()
			writeEvent(e.out, train.FitEvent(p), o.json)
		}
	}
	net, err := train.Fit(ctx, options)
	progress.finish()
	if err != nil {
		return fmt.Errorf("fitting in %q: %w", o.out, err)
	}
	net.Meta.Run, net.Meta.Seed = "fit", o.seed
	return writeNetwork(e, net, filepath.Join(o.out, "net.knn"))
}

func newTrainPlotCommand(e *env) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "plot <DIR>",
		Short: "Draw the log of a run",
		Long: `Draw the log of "train run" in folder DIR: the losses and the strength on the yardstick against
the cost in CPU hours, as loss.svg, loss.png, strength.svg and strength.png.`,
		Example: `  kotra train plot runs/one
  kotra train plot runs/one --output /tmp`,
		Args: argRange(1, 1, "DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			events, err := train.ReadLog(args[0])
			if err != nil {
				return err
			}
			if out == "" {
				out = args[0]
			}
			names, err := train.Plot(events, out)
			if err != nil {
				return fmt.Errorf("drawing the log of %q: %w", args[0], err)
			}
			for _, name := range names {
				fmt.Fprintln(e.out, name)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "output", "", "folder for the drawings (default: DIR)")
	return cmd
}
