package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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

// Progress is how far a part of a stage has come.
type Progress struct {
	Stage       int
	Part        string // td, label, fit, prune
	Done, Total int64
	Unit        string
	Elapsed     time.Duration // since the part went on in this call
	Rate        float64       // units a second in this call
	Loss        float64
}

// Run makes networks by recipe. The network of a stage that the gate accepts takes the place of the
// one before it of its shape, and that of the best one, which labels, unless it is only a smaller
// companion.
//
// Stage NN keeps in the folder NN its network, net.knn, its labels, and outcome.json, what the
// gate found. best.knn is the best network so far and prune.knn its fast companion. Run goes on
// from what is there; a kill at any moment loses a minute of work at most.
func Run(ctx context.Context, r Recipe, o RunOptions) (*nn.Network, error) {
	setDefault(&o.Threads, runtime.GOMAXPROCS(0))
	journal, err := openJournal(o.Dir, o.Event)
	if err != nil {
		return nil, err
	}
	run := &run{Recipe: r, options: o, journal: journal}
	for i, s := range r.Stages {
		if err := run.stage(ctx, i+1, s); err != nil {
			return nil, fmt.Errorf("stage %d: %w", i+1, err)
		}
	}
	return run.best, nil
}

// run is a run at work.
type run struct {
	Recipe
	options RunOptions
	journal *journal

	accepted []*nn.Network // the newest last
	best     *nn.Network   // of those: the newest that is not a smaller companion; nil before the first stage is done
	prune    *nn.Network   // nil before there is one of the right shape
	labels   []string      // folders of the labels of the generations so far
}

// folder returns the folder of a stage.
func (r *run) folder(stage int) string {
	return filepath.Join(r.options.Dir, fmt.Sprintf("%02d", stage))
}

// read returns the network of a stage.
func (r *run) read(stage int) (*nn.Network, error) {
	return nn.ReadFile(filepath.Join(r.folder(stage), "net.knn"))
}

func (r *run) progress(p Progress) {
	if r.options.Progress != nil {
		r.options.Progress(p)
	}
}

// seed returns the seed of a stage, far from those of the others.
func (r *run) seed(stage int) uint64 { return r.Seed + uint64(stage)<<32 }

// An Outcome is what the gate found about the network of a stage.
type Outcome struct {
	Accepted  bool             `json:"accepted"`
	Duel      *duel.Result     `json:"duel,omitempty"` // of the new network against the best, if there was one
	Yardstick yardstick.Report `json:"yardstick"`
}

// stage makes and gates the network of a stage, or reads what it was.
func (r *run) stage(ctx context.Context, n int, s Stage) error {
	dir := r.folder(n)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if s.Generation != nil && s.Generation.Games > 0 {
		r.labels = append(r.labels, filepath.Join(dir, "labels"))
	}
	result := filepath.Join(dir, "outcome.json")
	b, err := os.ReadFile(result)
	if err == nil {
		var o Outcome
		if err := json.Unmarshal(b, &o); err != nil {
			return fmt.Errorf("reading %s: %w", result, err)
		}
		return r.adopt(n, o.Accepted)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var net *nn.Network
	if s.TD != nil {
		net, err = r.td(ctx, n, s.TD)
	} else {
		net, err = r.generation(ctx, n, s.Generation)
	}
	if err != nil {
		return err
	}
	o, err := r.gate(ctx, net)
	if err != nil {
		return err
	}
	if err := r.journal.add(Event{Part: "gate", Stage: n, Duel: o.Duel, Yardstick: &o.Yardstick, Accepted: &o.Accepted}); err != nil {
		return err
	}
	if b, err = json.MarshalIndent(o, "", "  "); err != nil {
		return err
	}
	if err := writeBeside(result, append(b, '\n')); err != nil {
		return err
	}
	return r.adopt(n, o.Accepted)
}

// adopt makes the networks of a stage the ones to go on with.
func (r *run) adopt(n int, accepted bool) error {
	net, err := r.read(n)
	if err != nil {
		return err
	}
	if accepted {
		r.accepted = append(r.accepted, net)
	}
	if accepted && (r.best == nil || !isSmaller(net.Shape, r.best.Shape)) {
		r.best = net
		if err := net.WriteFile(filepath.Join(r.options.Dir, "best.knn")); err != nil {
			return err
		}
	}
	prune, err := nn.ReadFile(filepath.Join(r.folder(n), "prune.knn"))
	switch {
	case err == nil:
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case sameShape(net, r.Prune):
		prune = net
	default:
		return nil
	}
	r.prune = prune
	return prune.WriteFile(filepath.Join(r.options.Dir, "prune.knn"))
}

// sameShape reports whether net is of shape s.
func sameShape(net *nn.Network, s nn.Shape) bool {
	return net != nil && net.Shape.String() == s.String()
}

// isSmaller reports whether networks of shape s can grow to shape t, another one.
func isSmaller(s, t nn.Shape) bool { return t.Holds(s) && !s.Holds(t) }

// from returns the network that one of shape s begins from: the newest that can grow to it, nil for
// random parameters.
func (r *run) from(s nn.Shape) *nn.Network {
	for _, net := range slices.Backward(r.accepted) {
		if s.Holds(net.Shape) {
			return net
		}
	}
	return nil
}

// finish completes the metadata of a network that was made from begin, or from random parameters, writes it and logs it.
func (r *run) finish(net, begin *nn.Network, name string, e Event) (*nn.Network, error) {
	net.Meta.Run = fmt.Sprintf("%s of stage %d", e.Part, e.Stage)
	net.Meta.Games, net.Meta.Labels, net.Meta.Seed = e.Games, e.Labels, r.Seed
	net.Meta.Date = time.Now().UTC().Format(time.DateOnly)
	net.Meta.CPUHours = r.journal.cpuHours()
	if begin != nil {
		net.Meta.Parent = begin.Checksum()[:12]
	}
	if err := net.WriteFile(name); err != nil {
		return nil, err
	}
	e.Yardstick = score(net)
	return net, r.journal.add(e)
}

// td makes the network of a TD stage, or reads it if it is there.
func (r *run) td(ctx context.Context, n int, s *TDStage) (*nn.Network, error) {
	name := filepath.Join(r.folder(n), "net.knn")
	if net, err := nn.ReadFile(name); err == nil {
		return net, nil
	}
	loss := 0.0
	begin := r.from(s.Shape)
	net, err := TD(ctx, TDOptions{
		Dir: r.folder(n), Net: begin, Shape: s.Shape, Seed: r.seed(n), Games: s.Games,
		Batch: s.Batch, Lambda: s.Lambda, Rate: s.Rate, EndRate: s.EndRate, Average: s.Average,
		Starts: s.Starts, Threads: r.options.Threads,
		Progress: func(p TDProgress) {
			loss = p.Loss
			r.progress(Progress{n, "td", p.Games, p.Total, "games", p.Elapsed, p.GamesPerSecond, p.Loss})
			if p.Net != nil {
				e := TDEvent(p)
				e.Stage = n
				_ = r.journal.add(e) // the next one will tell if the disk is full
			}
		},
	})
	if err != nil {
		return nil, err
	}
	return r.finish(net, begin, name, Event{Part: "td", Stage: n, Games: s.Games, Loss: loss})
}

// generation labels, and fits the network that is wanted and its fast companion.
func (r *run) generation(ctx context.Context, n int, g *Generation) (*nn.Network, error) {
	if r.best == nil {
		return nil, errors.New("train: a generation needs a network of an earlier stage")
	}
	if g.Games > 0 {
		if err := r.label(ctx, n, g); err != nil {
			return nil, err
		}
	}
	shards, err := Shards(r.labels[max(0, len(r.labels)-g.Window):]...)
	if err != nil {
		return nil, err
	}
	if g.Games > 0 {
		if _, err := r.fit(ctx, n, "prune", g, r.prune, r.Prune, shards); err != nil {
			return nil, err
		}
	}
	shape := r.Shape
	if g.Shape != nil {
		shape = *g.Shape
	}
	var begin *nn.Network
	switch {
	case g.Fresh:
	case g.From > 0:
		if begin, err = r.read(g.From); err != nil {
			return nil, err
		}
	default:
		begin = r.from(shape)
	}
	return r.fit(ctx, n, "net", g, begin, shape, shards)
}

// label makes the labels of a generation.
func (r *run) label(ctx context.Context, n int, g *Generation) error {
	teachers, err := r.teachers(g)
	if err != nil {
		return err
	}
	var records int64
	err = Label(ctx, LabelOptions{
		Dir: filepath.Join(r.folder(n), "labels"), Nets: teachers, Prune: r.pruneFor(teachers[0]), Seed: r.seed(n),
		Games: g.Games, Lambda: g.Lambda, Explore: g.Explore, Starts: g.Starts, Siblings: g.Siblings, Deepen: g.Deepen, Threads: r.options.Threads,
		Progress: func(p LabelProgress) {
			records = p.Records
			r.progress(Progress{n, "label", p.Games, p.Total, "games", p.Elapsed, p.GamesPerSecond, 0})
		},
	})
	if err != nil {
		return err
	}
	return r.journal.add(Event{Part: "label", Stage: n, Games: g.Games, Labels: records})
}

// teachers returns the networks whose mean labels for a generation.
func (r *run) teachers(g *Generation) ([]*nn.Network, error) {
	if len(g.Teachers) == 0 {
		return []*nn.Network{r.best}, nil
	}
	var nets []*nn.Network
	for _, stage := range g.Teachers {
		net, err := r.read(stage)
		if err != nil {
			return nil, err
		}
		nets = append(nets, net)
	}
	return nets, nil
}

// pruneFor returns the network that prunes for net: none if net is as fast itself.
func (r *run) pruneFor(net *nn.Network) *nn.Network {
	if sameShape(net, r.Prune) {
		return nil
	}
	return r.prune
}

// fit makes one of the networks of a generation, or reads it if it is there.
func (r *run) fit(ctx context.Context, n int, part string, g *Generation, begin *nn.Network, shape nn.Shape, shards []string) (*nn.Network, error) {
	name := filepath.Join(r.folder(n), part+".knn")
	if net, err := nn.ReadFile(name); err == nil {
		return net, nil
	}
	records, err := countRecords(shards)
	if err != nil {
		return nil, err
	}
	passes := g.Passes
	if begin != nil && part == "prune" {
		passes /= 4 // it only has to follow, and the order of replies is all that matters
	}
	e := Event{Part: part, Stage: n, Labels: records, Samples: int64(passes * float64(records))}
	net, err := Fit(ctx, FitOptions{
		Dir: filepath.Join(r.folder(n), part), Shards: shards, Net: begin, Shape: shape, Seed: r.seed(n),
		Samples: e.Samples, Rate: g.Rate, EndRate: g.EndRate, Differences: g.Differences, Threads: r.options.Threads,
		Progress: func(p FitProgress) {
			r.progress(Progress{n, part, p.Samples, p.Total, "samples", p.Elapsed, p.SamplesPerSecond, p.Loss})
			e.Loss = p.Loss
			if p.Validation != 0 {
				e.Validation = p.Validation
			}
		},
	})
	if err != nil {
		return nil, err
	}
	return r.finish(net, begin, name, e)
}

// gate lets net compete with the newest that it could begin from, or with the best if there is none. It is
// accepted if it does not lose the luck-adjusted duel by more than a standard error, nor the
// yardstick by more than one of the difference. One that began from random parameters is accepted
// whatever it is: those before it are only a way to begin.
func (r *run) gate(ctx context.Context, net *nn.Network) (Outcome, error) {
	o := Outcome{Accepted: true, Yardstick: *score(net)}
	if r.best == nil {
		return o, nil
	}
	rival := r.from(net.Shape)
	fresh := rival == nil
	if fresh {
		rival = r.best
	}
	var err error
	if o.Duel, err = compete(ctx, net, rival, r.GatePairs, r.Seed, r.options.Threads); err != nil {
		return o, err
	}
	now, before := o.Yardstick.All(), score(rival).All()
	o.Accepted = o.Duel.PPG > -o.Duel.StdErr && now.Loss-before.Loss < math.Hypot(now.LossStdErr, before.LossStdErr) || fresh
	return o, nil
}

// compete returns the luck-adjusted result of net at 0-ply against other, in cubeless money games.
func compete(ctx context.Context, net, other *nn.Network, pairs int, seed uint64, threads int) (*duel.Result, error) {
	a, b := evaluator(net), evaluator(other)
	result, err := duel.Run(ctx, duel.Config{
		Pairs: pairs, Seed: seed, Threads: threads, Luck: a, Rules: bg.Rules{NoCube: true},
	}, duel.ZeroPly("new", a), duel.ZeroPly("old", b))
	if err != nil {
		return nil, err
	}
	return &result, nil
}

// evaluator returns the mean of nets with what the rules and the bearoff table know better.
func evaluator(nets ...*nn.Network) *eval.Composite {
	var quantized []*nn.Quantized
	for _, net := range nets {
		quantized = append(quantized, net.Quantize())
	}
	return eval.New(eval.NewMean(quantized...), eval.WithBearoff(bearoff.Default()))
}

// score grades net at 0-ply on the yardstick.
func score(net *nn.Network) *yardstick.Report {
	report := yardstick.Score(evaluator(net).Evaluate)
	return &report
}

// countRecords returns the number of records in the named shards, about.
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
