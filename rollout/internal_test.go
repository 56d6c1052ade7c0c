package rollout

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/movegen"
	"kotra/weights"
)

func TestPruningLosesHardlyAnything(t *testing.T) {
	// Over games of the shipped network: what the best of the few replies is worth less than the best
	// of all of them, in points.
	quantized, err := weights.Load("")
	require.NoError(t, err)
	c := Config{
		Evaluator: eval.New(eval.NewNetwork(quantized), eval.WithBearoff(bearoff.Default())), Pruner: eval.NewLinear(quantized),
		Info: cube.Info{Cube: bg.Cube{Value: 1}}, Candidates: CubeActions(bg.Start(), false),
		Settings: Settings{Trials: 1, Cubeless: true},
	}
	require.NoError(t, c.complete())
	w := newWorker(t.Context(), newTable(&c))
	st := w.lines[0].state
	u := utility(st)
	rng := rand.New(rand.NewPCG(1, 1))
	var decisions, misses, squares float64
	for range 8 {
		pos := bg.Start()
		for eval.Prunable(&pos) {
			dice := bg.Dice{uint8(1 + rng.IntN(6)), uint8(1 + rng.IntN(6))}
			w.results = movegen.Results(w.results[:0], &pos, dice)
			judge, near := w.judge(&pos, &u, true)
			w.all()
			best, p, _ := w.best(judge, st, &u)
			if len(w.results) > replies {
				w.prune(near)
				require.LessOrEqual(t, len(w.order), len(w.results))
				_, q, _ := w.best(judge, st, &u)
				loss := float64(worth(&u, &q) - worth(&u, &p))
				decisions++
				squares += loss * loss
				if loss > 0 {
					misses++
				}
			}
			pos = w.results[best]
		}
	}
	require.Greater(t, decisions, 150.)
	assert.Less(t, misses/decisions, 0.05)
	assert.Less(t, squares/decisions, 0.02*0.02)
}
