package train

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/internal/bgtest"
	"kotra/rollout"
)

func TestFitFindsTheEfficiencyThatSamplesWereMadeWith(t *testing.T) {
	const x, perPip = .7, .002
	inUse := func(*cube.Info, eval.Class, int) float64 { return x + .1 }
	var samples []CubeSample
	for i := range 20 {
		s := bg.NewGame(bg.Rules{})
		s.Position.OnRoll = bg.Side{6: uint8(i % 15), 12: 1, bg.Off: uint8(14 - i%15)}
		dead := .1 * float64(i%5)
		live := dead + .05*float64(i%7) - .1
		pips := float64(s.Position.OnRoll.Pips() - racePips)
		samples = append(samples, CubeSample{State: s, Dead: dead, Live: live, Value: dead + (live-dead)*(x+perPip*pips)})
	}
	row := fitRow(eval.Race, samples, inUse)
	const rounding = 1e-9
	assert.InDelta(t, x, row.X, rounding)
	assert.InDelta(t, perPip, row.PerPip, rounding)
	assert.InDelta(t, 0, row.RMS, rounding)
	assert.Greater(t, row.Before, 1.)
	assert.Equal(t, len(samples), row.Samples)
}

func TestEfficiencyFitDoesNotDependOnInterruptions(t *testing.T) {
	fit := EfficiencyFit{
		Evaluator: bgtest.Pips{}, Positions: 1, Match: true, Seed: 3,
		Config: func(_ context.Context, s bg.State) (rollout.Config, error) {
			return rollout.Config{
				Settings: rollout.Settings{Trials: 2, Truncate: 2}, Evaluator: bgtest.Pips{}, Info: cube.InfoOf(&s, nil), Threads: 1,
			}, nil
		},
		InUse: func(*cube.Info, eval.Class, int) float64 { return .7 },
	}
	want, err := fit.Run(context.Background())
	require.NoError(t, err)
	require.NotEmpty(t, want.Samples)
	assert.Contains(t, want.String(), "contact")
	var lines bytes.Buffer
	require.NoError(t, want.WriteSamples(&lines))
	assert.Equal(t, len(want.Samples), strings.Count(lines.String(), "\n"))

	got, err := fit.Run(&countdown{context.Background(), 8})
	if err != nil {
		require.ErrorIs(t, err, context.Canceled)
		assert.Less(t, len(got.Samples), len(want.Samples))
	}
	for i := range got.Samples {
		assert.Equal(t, want.Samples[i], got.Samples[i])
	}
}
