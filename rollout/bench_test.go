//go:build unix

package rollout_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"kotra/rollout"
)

// cpu returns the processor time that the process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
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
