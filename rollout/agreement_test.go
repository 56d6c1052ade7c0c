package rollout_test

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/eval/bearoff"
	"kotra/internal/yardstick"
	"kotra/movegen"
	"kotra/rollout"
)

var (
	agreement       = flag.Int("agreement", 0, "roll out the best two candidates of `N` decisions of the yardstick")
	agreementTrials = flag.Int("agreement-trials", 144, "trials of each")
	agreementPly    = flag.Int("agreement-ply", 0, "plies to look ahead")
)

// TestAgreementWithReferenceRollouts reports how far our rollouts are from those of the yardstick, in
// joint standard errors. The reference is another program's play at 0 ply, truncated after 10
// turns, so a part of the difference is real. It takes about a second of processor time for each
// decision:
//
//	go test ./rollout -run Agreement -v -timeout 1h -agreement 325
func TestAgreementWithReferenceRollouts(t *testing.T) {
	if *agreement == 0 {
		t.Skip("needs -agreement")
	}
	exact, err := bearoff.TwoSidedDefault(t.Context(), t.TempDir())
	require.NoError(t, err)
	set := yardstick.Dev().Decisions
	n := min(*agreement, len(set))
	byPhase := map[string][]float64{}
	var all, paired []float64
	for k := range n {
		d := &set[k*len(set)/n]
		plays := min(2, d.Candidates)
		c := shipped(t)
		c.Bearoff.Two = exact
		c.Settings = rollout.Settings{Trials: *agreementTrials, Cubeless: true, Seed: uint64(k), Ply: *agreementPly}
		for _, p := range d.Plays[:plays] {
			c.Candidates = append(c.Candidates, rollout.Plays([]movegen.Play{{Result: p.Result}})...)
		}
		r := rolled(t, c)
		var miss []float64
		for i := range r.Estimates {
			ref, e := &d.Plays[i], &r.Estimates[i]
			diff := float64(e.Equity) - ref.Rollout
			miss = append(miss, diff)
			se := math.Hypot(e.StdErr, ref.StdErr)
			if se < 1e-4 { // both are exact
				assert.InDelta(t, 0, diff, 0.002, "%s", d.ID)
				continue
			}
			all = append(all, diff/se)
			byPhase[d.Phase] = append(byPhase[d.Phase], diff/se)
			if math.Abs(diff/se) > 3 {
				t.Logf("%s (%s, %s): %+.4f ± %.4f, reference %+.4f ± %.4f, %.1f standard errors", d.ID, d.Phase,
					ref.Result.ID(), e.Equity, e.StdErr, ref.Rollout, ref.StdErr, diff/se)
			}
		}
		if len(miss) == 2 {
			se := math.Hypot(r.Estimates[1].DiffStdErr+r.Estimates[0].DiffStdErr, math.Hypot(d.Plays[0].StdErr, d.Plays[1].StdErr))
			if se >= 1e-4 {
				paired = append(paired, (miss[0]-miss[1])/se)
			}
		}
	}
	for phase, z := range byPhase {
		t.Log(distribution(phase, z))
	}
	t.Log(distribution("all", all))
	t.Log(distribution("difference of the two best", paired))
	require.NotEmpty(t, all)
}

// distribution describes differences in standard errors.
func distribution(name string, z []float64) string {
	if len(z) == 0 {
		return name + ": none"
	}
	var sum, squares float64
	var within [4]int
	for _, x := range z {
		sum += x
		squares += x * x
		for i := range within {
			if math.Abs(x) <= float64(i) {
				within[i]++
			}
		}
	}
	slices.Sort(z)
	n := float64(len(z))
	return fmt.Sprintf("%s: %d, mean %+.2f, rms %.2f, median %+.2f; within 1: %.0f%%, 2: %.0f%%, 3: %.0f%%; from %+.1f to %+.1f",
		name, len(z), sum/n, math.Sqrt(squares/n), z[len(z)/2],
		100*float64(within[1])/n, 100*float64(within[2])/n, 100*float64(within[3])/n, z[0], z[len(z)-1])
}

func TestRolloutOfAnExactReferenceIsExact(t *testing.T) {
	exact := 0
	for i := range yardstick.Dev().Decisions {
		d := &yardstick.Dev().Decisions[i]
		p := &d.Plays[0]
		if p.StdErr > 0 || p.Result.Contact() || exact == 8 {
			continue
		}
		exact++
		c := shipped(t)
		c.Settings = rollout.Settings{Trials: 144, Cubeless: true}
		c.Candidates = []rollout.Candidate{{Name: d.ID, Position: p.Result, Kind: rollout.AfterPlay}}
		e := rolled(t, c).Estimates[0]
		assert.InDelta(t, p.Rollout, float64(e.Equity), 4*e.StdErr+0.003, "%s", d.ID)
		assert.Less(t, e.Equity, bg.Equity(3))
	}
	require.Positive(t, exact)
}
