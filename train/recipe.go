package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kotra/nn"
)

// A Recipe says how [Run] makes a network from nothing: it decides the result together with the
// program. It is kept as recipe.json in the folder of a run.
type Recipe struct {
	Seed        uint64       `json:"seed"`
	TD          TDPlan       `json:"td"`
	Shape       nn.Shape     `json:"shape"` // of the network that is wanted
	Prune       nn.Shape     `json:"prune"` // of the network that picks replies worth evaluating
	Lambda      float64      `json:"lambda"`
	Explore     float64      `json:"explore"`
	Starts      Starts       `json:"starts"` // of the games that are labeled
	Generations []Generation `json:"generations"`
	GatePairs   int          `json:"gate_pairs"` // pairs of games of the duel between a new network and the best
}

// A TDPlan is the part of a [Recipe] for [TD].
type TDPlan struct {
	Shape  nn.Shape `json:"shape"`
	Games  int64    `json:"games"`
	Starts Starts   `json:"starts"`
}

// A Generation is a round of labels by the best network and of fitting to them.
type Generation struct {
	Games   int64   `json:"games"`    // to label
	Window  int     `json:"window"`   // newest generations whose labels are learned from
	Passes  float64 `json:"passes"`   // over these labels
	Rate    float64 `json:"rate"`     // learning rate at the beginning
	EndRate float64 `json:"end_rate"` // and at the end
}

// labelsPerGame is about how many labels a game of training gives, and labelsPerSecond and
// samplesPerSecond how fast a core makes and learns them; they size a run for its budget. See
// EXPERIMENTS.md for the measurements.
const (
	tdGamesPerSecond = 1300
	labelsPerGame    = 45
	labelsPerSecond  = 7000
	samplesPerSecond = 180_000
)

// Plan returns a recipe that takes about the given time on the given number of cores.
func Plan(budget time.Duration, cores int, seed uint64) Recipe {
	seconds := budget.Seconds() * float64(cores)
	r := Recipe{
		Seed:      seed,
		TD:        TDPlan{Shape: nn.Shape{Width: 128, Buckets: 4}, Starts: Starts{BothRandom: 0.05, OneRandom: 0.1}},
		Shape:     nn.Shape{Width: 512, Hidden: []int{32, 32}, Buckets: 4},
		Prune:     nn.Shape{Width: 128, Buckets: 4},
		Lambda:    0.7,
		Explore:   0.05,
		Starts:    Starts{BothRandom: 0.15, OneRandom: 0.2},
		GatePairs: 4000,
	}
	td := min(0.08*seconds, 900)
	r.TD.Games = int64(td * tdGamesPerSecond)
	left := seconds - td
	// Labels cost about four times what learning from them does. Generations grow, since later
	// networks need more and cleaner labels for the same gain.
	const passes, window = 2, 3
	perGame := labelsPerGame * (1/float64(labelsPerSecond) + passes*window/float64(samplesPerSecond))
	n := max(2, min(24, int(left/600)))
	weights := 0.0
	for i := range n {
		weights += growth(i, n)
	}
	for i := range n {
		g := Generation{
			Games:  int64(left * growth(i, n) / weights / perGame),
			Window: window, Passes: passes, Rate: 5e-4, EndRate: 2e-5,
		}
		if i == 0 {
			// From random parameters.
			g.Passes, g.Rate = 10, 1e-3
		}
		r.Generations = append(r.Generations, g)
	}
	return r
}

// growth is the relative size of generation i of n: the last is three times the first.
func growth(i, n int) float64 { return 1 + 2*float64(i)/float64(max(n-1, 1)) }

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
	return old, nil
}
