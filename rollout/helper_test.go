package rollout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/movegen"
	"kotra/rollout"
	"kotra/weights"
)

// shipped returns a config with the embedded network and the bearoff table.
func shipped(tb testing.TB) rollout.Config {
	tb.Helper()
	quantized, err := weights.Load("")
	require.NoError(tb, err)
	table := bearoff.Default()
	return rollout.Config{
		Evaluator: eval.New(eval.NewNetwork(quantized), eval.WithBearoff(table)),
		Pruner:    eval.NewLinear(quantized),
		Bearoff:   bearoff.Tables{One: table},
		Info:      cube.Info{Cube: bg.Cube{Value: 1}},
	}
}

// opening31 returns the position after 8/5 6/5 as a candidate.
func opening31(tb testing.TB) []rollout.Candidate {
	tb.Helper()
	pos := bg.Start()
	steps, err := bg.ParseSteps("8/5 6/5")
	require.NoError(tb, err)
	play, err := movegen.Find(&pos, bg.Dice{3, 1}, steps)
	require.NoError(tb, err)
	return rollout.Plays([]movegen.Play{play})
}
