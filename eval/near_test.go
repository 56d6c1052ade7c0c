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
	net := testNetworks()[1]
	c := eval.New(eval.NewNetwork(net.Quantize()), eval.WithBearoff(bearoff.Default()))
	near := c.Near(eval.NewLinear(net.Quantize()))
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
	assert.Nil(t, eval.New(bgtest.Pips{}).Near(nil), "no network of ours")
}
