package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"kotra/bg"
	"kotra/duel"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/internal/yardstick"
	"kotra/nn"
)

// RunOptions are the settings of [Run]. None of them decides the result; the recipe does.
type RunOptions struct {
	Dir      string // everything a run writes
	Threads  int    // 0: all cores
	Event    func(Event)
	Progress func(Progress)
}

// Progress is how far a stage has come.
type Progress struct {
	Stage       string
	Generation  int
	Done, Total int64
	Unit        string
	Elapsed     time.Duration // since the stage went on in this call
	Rate        float64       // units a second in this call
	Loss        float64
}

// Run makes a network by recipe: TD from random parameters, then generations of labels and
// fitting. A generation's network takes the place of the best one if the gate accepts it.
//
// In the folder, td.knn is the network of TD, gen-NN/net.knn that of a generation, best.knn the
// best so far and prune.knn its fast companion. Run goes on from what is there; a kill at any
// moment loses a minute of work at most.
func Run(ctx context.Context, r Recipe, o RunOptions) (*nn.Network, error) {
	setDefault(&o.Threads, runtime.GOMAXPROCS(0))
	journal, err := openJournal(o.Dir, o.Event)
	if err != nil {
		return nil, err
	}
	run := &run{Recipe: r, options: o, journal: journal}
	if err := run.td(ctx); err != nil {
		return nil, err
	}
	for i := range r.Generations {
		if err := run.generation(ctx, i+1); err != nil {
			return nil, fmt.Errorf("generation %d: %w", i+1, err)
		}
	}
	return run.best, nil
}

// run is a run at work.
type run struct {
	Recipe
	options RunOptions
	journal *journal

	best  *nn.Network
	prune *nn.Network
}

func (r *run) file(parts ...string) string {
	return filepath.Join(append([]string{r.options.Dir}, parts...)...)
}

// folder returns the folder of a generation.
func (r *run) folder(generation int) string { return r.file(fmt.Sprintf("gen-%02d", generation)) }

func (r *run) progress(p Progress) {
	if r.options.Progress != nil {
		r.options.Progress(p)
	}
}

// td makes or reads the network of TD, which is the first best and the first to prune.
func (r *run) td(ctx context.Context) error {
	name := r.file("td.knn")
	net, err := nn.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		net, err = TD(ctx, TDOptions{
			Dir: r.file("td"), Shape: r.TD.Shape, Seed: r.Seed, Games: r.TD.Games, Starts: r.TD.Starts,
			Threads: r.options.Threads,
			Progress: func(p TDProgress) {
				r.progress(Progress{"td", 0, p.Games, p.Total, "games", p.Elapsed, p.GamesPerSecond, p.Loss})
				if p.Net != nil {
					_ = r.journal.add(TDEvent(p))
				}
			},
		})
		if err != nil {
			return err
		}
		net.Meta.Run, net.Meta.Games, net.Meta.Seed = "td", r.TD.Games, r.Seed
		net.Meta.CPUHours = r.journal.cpuHours()
		if err := net.WriteFile(name); err != nil {
			return err
		}
		err = r.journal.add(Event{Stage: "td", Games: r.TD.Games, Yardstick: score(net)})
	}
	r.best, r.prune = net, net
	return err
}

// An Outcome is what the gate found about the network of a generation.
type Outcome struct {
	Accepted  bool             `json:"accepted"`
	Duel      duel.Result      `json:"duel"` // of the new network against the best
	Yardstick yardstick.Report `json:"yardstick"`
}

// generation labels, fits and gates, or reads what was found before.
func (r *run) generation(ctx context.Context, n int) error {
	dir := r.folder(n)
	result := filepath.Join(dir, "outcome.json")
	if b, err := os.ReadFile(result); err == nil {
		var o Outcome
		if err := json.Unmarshal(b, &o); err != nil {
			return fmt.Errorf("reading %s: %w", result, err)
		}
		return r.adopt(n, o.Accepted)
	}
	labels, err := r.label(ctx, n)
	if err != nil {
		return err
	}
	net, err := r.fit(ctx, n, "fit", r.Shape, r.startOf(n), labels)
	if err != nil {
		return err
	}
	if _, err := r.fit(ctx, n, "prune", r.Recipe.Prune, r.prune, labels); err != nil {
		return err
	}
	o, err := r.gate(ctx, net)
	if err != nil {
		return err
	}
	if err := r.journal.add(Event{Stage: "gate", Generation: n, Duel: &o.Duel, Yardstick: &o.Yardstick, Accepted: &o.Accepted}); err != nil {
		return err
	}
	b, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return err
	}
	if err := writeBeside(result, append(b, '\n')); err != nil {
		return err
	}
	return r.adopt(n, o.Accepted)
}

// adopt makes the networks of generation n the ones to go on with.
func (r *run) adopt(n int, accepted bool) error {
	prune, err := nn.ReadFile(filepath.Join(r.folder(n), "prune.knn"))
	if err != nil {
		return err
	}
	r.prune = prune
	if accepted {
		if r.best, err = nn.ReadFile(filepath.Join(r.folder(n), "net.knn")); err != nil {
			return err
		}
		if err := r.best.WriteFile(r.file("best.knn")); err != nil {
			return err
		}
	}
	return prune.WriteFile(r.file("prune.knn"))
}

// startOf returns the network that generation n starts to fit from, nil for random parameters.
func (r *run) startOf(n int) *nn.Network {
	if n == 1 || r.best.Shape.String() != r.Shape.String() {
		return nil
	}
	return r.best
}

// label makes the labels of generation n and returns all shards to learn from.
func (r *run) label(ctx context.Context, n int) ([]string, error) {
	g := r.Generations[n-1]
	o := LabelOptions{
		Dir: filepath.Join(r.folder(n), "labels"), Net: r.best, Seed: r.Seed + uint64(n)<<32,
		Games: g.Games, Lambda: r.Lambda, Explore: r.Explore, Starts: r.Recipe.Starts,
		Threads: r.options.Threads,
	}
	if n > 1 {
		o.Prune = r.prune
	}
	var records int64
	o.Progress = func(p LabelProgress) {
		records = p.Records
		r.progress(Progress{"label", n, p.Games, p.Total, "games", p.Elapsed, p.GamesPerSecond, 0})
	}
	if err := Label(ctx, o); err != nil {
		return nil, err
	}
	if err := r.journal.add(Event{Stage: "label", Generation: n, Games: g.Games, Labels: records}); err != nil {
		return nil, err
	}
	var dirs []string
	for k := max(1, n-g.Window+1); k <= n; k++ {
		dirs = append(dirs, filepath.Join(r.folder(k), "labels"))
	}
	return Shards(dirs...)
}

// fit makes the network of a stage of generation n, or reads it if it is there.
func (r *run) fit(ctx context.Context, n int, stage string, shape nn.Shape, from *nn.Network, shards []string) (*nn.Network, error) {
	g := r.Generations[n-1]
	dir := r.folder(n)
	name := filepath.Join(dir, map[string]string{"fit": "net.knn", "prune": "prune.knn"}[stage])
	if net, err := nn.ReadFile(name); err == nil {
		return net, nil
	}
	records, err := countRecords(shards)
	if err != nil {
		return nil, err
	}
	if from != nil && from.Shape.String() != shape.String() {
		from = nil
	}
	samples := int64(g.Passes * float64(records))
	last := Event{Stage: stage, Generation: n, Samples: samples}
	net, err := Fit(ctx, FitOptions{
		Dir: filepath.Join(dir, stage), Shards: shards, Net: from, Shape: shape, Seed: r.Seed + uint64(n),
		Samples: samples, Rate: g.Rate, EndRate: g.EndRate, Threads: r.options.Threads,
		Progress: func(p FitProgress) {
			r.progress(Progress{stage, n, p.Samples, p.Total, "samples", p.Elapsed, p.SamplesPerSecond, p.Loss})
			last.Loss = p.Loss
			if p.Validation != 0 {
				last.Validation = p.Validation
			}
		},
	})
	if err != nil {
		return nil, err
	}
	net.Meta.Run, net.Meta.Labels, net.Meta.Seed = fmt.Sprintf("%s of generation %d", stage, n), records, r.Seed
	net.Meta.Date = time.Now().UTC().Format(time.DateOnly)
	net.Meta.CPUHours = r.journal.cpuHours()
	net.Meta.Parent = r.best.Checksum()[:12]
	if err := net.WriteFile(name); err != nil {
		return nil, err
	}
	last.Yardstick = score(net)
	return net, r.journal.add(last)
}

// gate lets net compete with the best network. It is accepted if it does not lose the
// luck-adjusted duel by more than a standard error, nor the yardstick by more than one.
func (r *run) gate(ctx context.Context, net *nn.Network) (Outcome, error) {
	mine, best := evaluator(net), evaluator(r.best)
	result, err := duel.Run(ctx, duel.Config{
		Pairs: r.GatePairs, Seed: r.Seed, Threads: r.options.Threads, Luck: mine, Rules: bg.Rules{NoCube: true},
	}, duel.ZeroPly("new", mine), duel.ZeroPly("best", best))
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{Duel: result, Yardstick: *score(net)}
	now, before := o.Yardstick.All(), score(r.best).All()
	o.Accepted = result.PPG > -result.StdErr && now.Loss < before.Loss+before.LossStdErr
	return o, nil
}

// evaluator returns net with what the rules and the bearoff table know better.
func evaluator(net *nn.Network) *eval.Composite {
	return eval.New(eval.NewNetwork(net.Quantize()), eval.WithBearoff(bearoff.Default()))
}

// score grades net at 0-ply on the yardstick.
func score(net *nn.Network) *yardstick.Report {
	report := yardstick.Score(evaluator(net).Evaluate)
	return &report
}

// countRecords returns the number of records in the named shards.
func countRecords(names []string) (n int64, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		n += info.Size() / recordSize
	}
	return n, nil
}
