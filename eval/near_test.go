package eval_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/internal/bgtest"
	"kotra/movegen"
)

func TestNearEvaluatesAsTheComposite(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	nets := testNetworks()
	one, two := nets[1].Quantize(), nets[0].Quantize()
	for name, network := range map[string]eval.Evaluator{"one": eval.NewMean(one), "two": eval.NewMean(one, two)} {
		t.Run(name, func(t *testing.T) {
			testNear(t, rng, eval.New(network, eval.WithBearoff(bearoff.Default())), eval.NewLinear(one))
		})
	}
	assert.Nil(t, eval.New(bgtest.Pips{}).Near(nil), "no network of ours")
}

func TestNearRanksByTheNetworkOfItsLinear(t *testing.T) {
	nets := testNetworks()
	one, two := nets[0].Quantize(), nets[1].Quantize()
	linear := eval.NewLinear(two)
	var rates [3][]float32
	pos := bg.Start()
	results := movegen.Results(nil, &pos, bg.Dice{6, 4})
	for i, network := range []eval.Evaluator{eval.NewMean(two), eval.NewMean(one), eval.NewMean(one, two)} {
		near := eval.New(network).Near(linear)
		from := pos.Flip()
		near.Move(&from, equityWeights)
		rates[i] = make([]float32, len(results))
		near.Rate(rates[i], results)
	}
	assert.Equal(t, rates[0], rates[1])
	assert.Equal(t, rates[0], rates[2])

	alone, mean := eval.New(eval.NewMean(two)), eval.New(eval.NewMean(one, two))
	near := alone.Near(linear)
	assert.Same(t, near, near.Lead())
	near = mean.Near(linear)
	from := pos.Flip()
	near.Move(&from, equityWeights)
	for i := range results {
		assert.Equal(t, alone.Evaluate(&results[i]), near.Lead().Evaluate(&results[i]))
		assert.Equal(t, mean.Evaluate(&results[i]), near.Evaluate(&results[i]))
	}
}

func testNear(t *testing.T, rng *rand.Rand, c *eval.Composite, linear *eval.Linear) {
	near := c.Near(linear)
	for range 3 {
		pos := bg.Start()
		for range 150 {
			if r, _ := pos.Result(); r != bg.Unfinished {
				break
			}
			from := pos.Flip()
			near.Move(&from, equityWeights)
			results := movegen.Results(nil, &pos, bg.Dice{uint8(1 + rng.IntN(6)), uint8(1 + rng.IntN(6))})
			for i := range results {
				require.Equal(t, c.Evaluate(&results[i]), near.Evaluate(&results[i]), results[i].ID())
			}
			pos = results[rng.IntN(len(results))]
		}
	}
}
