package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kotra/eval/features"
	"kotra/nn"
)

// A Recipe says how [Run] makes a network from nothing: it decides the result together with the
// program. It is kept as recipe.json in the folder of a run.
type Recipe struct {
	Seed      uint64   `json:"seed"`
	Shape     nn.Shape `json:"shape"`      // of the network that is wanted
	Prune     nn.Shape `json:"prune"`      // of its fast companion, which picks the replies worth evaluating
	GatePairs int      `json:"gate_pairs"` // pairs of games of the duel between a new network and the best
	Stages    []Stage  `json:"stages"`
}

// A Stage is a step of a [Recipe]: exactly one of its fields is set.
type Stage struct {
	TD         *TDStage    `json:"td,omitempty"`
	Generation *Generation `json:"generation,omitempty"`
}

// A TDStage learns by [TD], from the best network if that has the shape of the stage, and
// otherwise from random parameters.
type TDStage struct {
	Shape   nn.Shape `json:"shape"`
	Games   int64    `json:"games"`
	Batch   int      `json:"batch"`
	Lambda  float64  `json:"lambda"`
	Rate    float64  `json:"rate"`
	EndRate float64  `json:"end_rate"`
	Average float64  `json:"average"`
	Starts  Starts   `json:"starts"`
}

// A Generation is a round of labels by the best network, or by the mean of several, and of fitting to them, from the
// newest network that can grow to the shape that is wanted, and otherwise from random parameters.
type Generation struct {
	Games int64 `json:"games"` // to label; 0: the labels of the generations before are enough
	// Teachers are the stages, all before this one, whose networks label together, by their mean; none: the
	// best network labels.
	Teachers []int   `json:"teachers,omitempty"`
	Lambda   float64 `json:"lambda"`
	Explore  float64 `json:"explore"`
	Starts   Starts  `json:"starts"`
	// Siblings is how many other moves of each decision are labeled, see [LabelOptions].
	Siblings int `json:"siblings,omitempty"`
	// Deepen is how many outcomes are looked at a ply deeper, see [LabelOptions].
	Deepen int `json:"deepen,omitempty"`
	// Shape is that of the network, if it is not the one of the recipe.
	Shape   *nn.Shape `json:"shape,omitempty"`
	Window  int       `json:"window"`   // newest generations whose labels are learned from
	Passes  float64   `json:"passes"`   // over these labels
	Rate    float64   `json:"rate"`     // learning rate at the beginning
	EndRate float64   `json:"end_rate"` // and at the end
	// Differences is the weight of the loss on differences, see [FitOptions].
	Differences float64 `json:"differences,omitempty"`
	// Fresh is for a network that begins from random parameters in any case.
	Fresh bool `json:"fresh,omitempty"`
	// From is the stage, before this one, whose network to begin from, if it is not the newest.
	From int `json:"from,omitempty"`
}

// What a core does in a second, and how many labels a game gives: they size a run for its
// budget. See EXPERIMENTS.md for the measurements.
const (
	smallGamesPerSecond = 1500 // TD of the small network
	gamesPerSecond      = 1100 // TD of the network that is wanted
	labelsPerGame       = 46   // and as many again for its siblings
	labelsPerSecond     = 6500
	samplesPerSecond    = 100_000
	wideSamples         = 40_000 // of the network that is twice as wide
)

// Plan returns a recipe that takes about the given time on the given number of cores: a small
// network learns by TD and labels games for the large one to begin with; the large one goes on
// by TD, and then by generations of its own labels. With time enough, the last generation grows to
// a network twice as wide.
func Plan(budget time.Duration, cores int, seed uint64) Recipe {
	seconds := budget.Seconds() * float64(cores)
	small := nn.Shape{Width: 128, Buckets: features.CoarseBuckets}
	shape := nn.Shape{Width: 512, Hidden: []int{32, 32}, Buckets: features.Buckets}
	r := Recipe{Seed: seed, Shape: shape, Prune: small, GatePairs: 2000}
	ordinary := Starts{BothRandom: 0.05, OneRandom: 0.1}
	wide := Starts{BothRandom: 0.12, OneRandom: 0.15, SentBack: 0.1}
	add := func(s Stage) { r.Stages = append(r.Stages, s) }

	first := min(0.1*seconds, 800)
	add(Stage{TD: &TDStage{
		Shape: small, Games: int64(first * smallGamesPerSecond), Batch: 32, Lambda: 0.6,
		Rate: 2e-3, EndRate: 1e-5, Average: 0.002, Starts: ordinary,
	}})
	begin := Generation{Lambda: 0.5, Explore: 0.05, Starts: wide, Window: 1, Passes: 10, Rate: 1.5e-3, EndRate: 3e-5}
	start := min(0.1*seconds, 400)
	add(begin.sized(start))
	large := min(0.3*seconds, 3000)
	add(Stage{TD: &TDStage{
		Shape: shape, Games: int64(large * gamesPerSecond), Batch: 48, Lambda: 0.6,
		Rate: 1e-3, EndRate: 5e-6, Average: 0.001, Starts: ordinary,
	}})
	left := seconds - first - start - large
	n := max(2, min(24, int(left/900)))
	for i := range n {
		g := Generation{
			Lambda: 0.8, Explore: 0.05, Starts: wide, Siblings: 2,
			Window: 4, Passes: 2, Rate: 1.2e-3, EndRate: 1e-5, Differences: 8,
		}
		if i >= n/2 {
			g.Lambda = 0.6
		}
		if n >= 8 && i == n-1 {
			g.Shape = &nn.Shape{Width: 2 * shape.Width, Hidden: shape.Hidden, Buckets: shape.Buckets}
		}
		add(g.sized(left / float64(n)))
	}
	return r
}

// labels returns about how many labels g makes.
func (g *Generation) labels() float64 {
	n := float64(g.Games) * labelsPerGame
	if g.Siblings > 0 {
		n *= 2
	}
	return n
}

// seconds returns about how long a core takes for g, if the generations before it were as large.
func (g *Generation) seconds() float64 {
	rate := float64(samplesPerSecond)
	if g.Shape != nil {
		rate = wideSamples
	}
	return g.labels() * (1/float64(labelsPerSecond) + g.Passes*float64(g.Window)/rate)
}

// sized returns g as a stage with as many games as take the given seconds of a core, fitting
// included.
func (g Generation) sized(seconds float64) Stage {
	g.Games = 1000
	g.Games = int64(seconds / g.seconds() * float64(g.Games))
	return Stage{Generation: &g}
}

const recipeName = "recipe.json"

// OpenRecipe returns the recipe that the folder holds, or writes r there if it holds none.
func OpenRecipe(dir string, r Recipe) (Recipe, error) {
	name := filepath.Join(dir, recipeName)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return r, err
		}
		b, err = json.MarshalIndent(r, "", "  ")
		if err != nil {
			return r, err
		}
		return r, writeBeside(name, append(b, '\n'))
	}
	if err != nil {
		return r, err
	}
	var old Recipe
	if err := json.Unmarshal(b, &old); err != nil {
		return r, fmt.Errorf("reading %s: %w", name, err)
	}
	return old, old.validate(name)
}

// validate reports what the stages of a recipe lack.
func (r *Recipe) validate(name string) error {
	for _, s := range []nn.Shape{r.Shape, r.Prune} {
		if err := s.Validate(); err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
	}
	for i, s := range r.Stages {
		if (s.TD == nil) == (s.Generation == nil) {
			return fmt.Errorf("reading %s: stage %d is neither td nor generation", name, i+1)
		}
		if s.TD != nil {
			if err := s.TD.Shape.Validate(); err != nil {
				return fmt.Errorf("reading %s: stage %d: %w", name, i+1, err)
			}
		} else if err := s.Generation.validate(i); err != nil {
			return fmt.Errorf("reading %s: stage %d %w", name, i+1, err)
		}
	}
	return nil
}

// validate reports what a generation lacks that comes after the given number of stages.
func (g *Generation) validate(before int) error {
	if g.Window < 1 || g.Games < 0 {
		return errors.New("has no window, or less than no games")
	}
	if g.From < 0 || g.From > before {
		return fmt.Errorf("begins from stage %d, which is not before it", g.From)
	}
	if g.Fresh && g.From > 0 {
		return fmt.Errorf("begins from stage %d and afresh", g.From)
	}
	for _, stage := range g.Teachers {
		if stage < 1 || stage > before {
			return fmt.Errorf("has stage %d as a teacher, which is not before it", stage)
		}
	}
	return nil
}
