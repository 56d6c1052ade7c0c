//go:build unix

package rollout_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/movegen"
	"kotra/rollout"
	"kotra/weights"
)

// cpu returns the processor time that the process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// shipped returns a config with the embedded network and the bearoff table.
func shipped(tb testing.TB) rollout.Config {
	tb.Helper()
	net, err := weights.DefaultNetwork()
	require.NoError(tb, err)
	quantized, err := weights.Default()
	require.NoError(tb, err)
	table := bearoff.Default()
	return rollout.Config{
		Evaluator: eval.New(eval.NewNetwork(quantized), eval.WithBearoff(table)),
		Pruner:    eval.NewLinear(net),
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

func BenchmarkOpening31(b *testing.B) {
	for _, v := range []struct {
		name string
		rollout.Settings
	}{
		{"cubeless", rollout.Settings{Cubeless: true}},
		{"cubeless,plain", rollout.Settings{Cubeless: true, NoVarianceReduction: true}},
		{"cubeful", rollout.Settings{}},
		{"cubeful,truncated", rollout.Settings{Truncate: 11}},
	} {
		b.Run(v.name, func(b *testing.B) {
			c := shipped(b)
			c.Candidates, c.Threads = opening31(b), 1
			c.Settings = v.Settings
			c.Trials = 36
			_, err := rollout.Run(context.Background(), c)
			require.NoError(b, err)
			c.Trials = 1296
			begin := cpu()
			var r rollout.Result
			for b.Loop() {
				c.Seed++
				r, err = rollout.Run(context.Background(), c)
				require.NoError(b, err)
			}
			b.ReportMetric((cpu()-begin).Seconds()/float64(b.N), "cpu-s")
			b.ReportMetric(r.Estimates[0].StdErr, "stderr")
			b.ReportMetric(float64(r.Estimates[0].Equity), "equity")
			b.ReportMetric(float64(r.Estimates[0].Cubeful), "cubeful")
			b.ReportMetric(r.Estimates[0].CubefulError, "cubeful-stderr")
		})
	}
}
