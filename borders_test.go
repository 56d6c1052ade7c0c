package kotra_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra"
	"kotra/bg"
	"kotra/eval"
	"kotra/eval/features"
	"kotra/movegen"
)

// Where the network's upper layers change from one bucket to another, or from the network to a
// table, the value must not jump: the mean over all rolls of the value of the best reply is as close
// to the value of a position when many of the replies are across a border as when none are.
func TestValuesDoNotJumpAtTheBordersOfClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("plays for some seconds")
	}
	engine, err := kotra.New(kotra.Options{})
	require.NoError(t, err)
	evaluator := engine.Evaluator()
	best := func(results []bg.Position) (bg.Position, float64) {
		least, at := math.Inf(1), 0
		for i := range results {
			p := evaluator.Evaluate(&results[i])
			if e := float64(p.Equity()); e < least {
				least, at = e, i
			}
		}
		return results[at], -least
	}
	class := func(pos *bg.Position) int {
		if c := eval.Classify(pos); c == eval.Bearoff || c == eval.Over {
			return -1
		}
		return features.BucketOf(pos, features.CoarseBuckets)
	}
	type group struct{ n, sum, squares float64 }
	groups := map[[2]int]*group{}
	rng := rand.New(rand.NewPCG(1, 2))
	pos := bg.Start()
	for range 2000 {
		from := class(&pos)
		if from < 0 {
			pos = bg.Start()
			continue
		}
		look := 0.0
		across := map[int]float64{} // share of the rolls by class of the reply
		var replies []bg.Position
		for _, r := range bg.Rolls() {
			reply, value := best(movegen.Results(nil, &pos, r.Dice))
			look += value * float64(r.Weight) / 36
			across[class(&reply)] += float64(r.Weight) / 36
			for range r.Weight {
				replies = append(replies, reply)
			}
		}
		p := evaluator.Evaluate(&pos)
		diff := look - float64(p.Equity())
		for to, share := range across {
			if to == from && share > 0.999 || to != from && share > 0.25 {
				g := groups[[2]int{from, to}]
				if g == nil {
					g = &group{}
					groups[[2]int{from, to}] = g
				}
				g.n++
				g.sum += diff
				g.squares += diff * diff
			}
		}
		pos = replies[rng.IntN(len(replies))]
	}
	names := map[int]string{
		-1: "exact", features.CoarseRace: "race", features.CoarseCrashed: "crashed",
		features.CoarseBack: "back", features.CoarseContact: "contact",
	}
	for pair, g := range groups {
		mean, rms := g.sum/g.n, math.Sqrt(g.squares/g.n)
		t.Logf("%-7s to %-7s %5.0f positions: mean %+.4f, rms %.4f", names[pair[0]], names[pair[1]], g.n, mean, rms)
		if g.n >= 40 {
			assert.Less(t, math.Abs(mean), 0.03, "%s to %s: mean", names[pair[0]], names[pair[1]])
			assert.Less(t, rms, 0.09, "%s to %s: rms", names[pair[0]], names[pair[1]])
		}
	}
}
