package cli

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/eval"
	"kotra/internal/report"
	"kotra/internal/yardstick"
)

func TestBenchReportsItsNames(t *testing.T) {
	c := runKotra(t, "", "bench", "--duration", "1ns", "--json", "--quiet")
	require.Equal(t, exitDone, c.code, c.err)
	assert.Empty(t, c.err)
	v := object(t, c.out)
	names := map[string]bool{}
	for _, result := range v["results"].([]any) {
		r := result.(map[string]any)
		names[r["name"].(string)] = true
		assert.Positive(t, r["value"], r["name"])
		assert.NotEmpty(t, r["unit"])
	}
	for _, name := range []string{
		"movegen/mix", "eval/mix", "eval/contact", "eval/race", "eval/bearoff",
		"search/0ply", "search/1ply", "search/2ply", "search/3ply", "cube/2ply", "rollout/opening31",
	} {
		assert.True(t, names[name], name)
	}
	assert.NotEmpty(t, v["machine"])
	assert.EqualValues(t, 1, v["threads"])
	assert.Positive(t, v["signature"])
}

func TestBenchAnalyzesAMatchOnlyIfItIsNamed(t *testing.T) {
	c := runKotra(t, "", "bench", "match", "--json", "--quiet")
	require.Equal(t, exitDone, c.code, c.err)
	results := object(t, c.out)["results"].([]any)
	require.Len(t, results, 1)
	assert.Equal(t, "match/2ply", results[0].(map[string]any)["name"])
	c = runKotra(t, "", "bench", "--duration", "1ns", "--json", "--quiet")
	assert.NotContains(t, c.out, "match/")
}

func TestTheMatchOfBenchIsThatOfTheVectors(t *testing.T) {
	want, err := os.ReadFile(testMatches + "m7a.mat")
	require.NoError(t, err)
	assert.Equal(t, string(want), string(benchMatchText))
}

func TestSignatureIsTheSameEveryTime(t *testing.T) {
	signature := func() any {
		c := runKotra(t, "", "bench", "eval", "--duration", "1ns", "--json", "--quiet")
		require.Equal(t, exitDone, c.code, c.err)
		return object(t, c.out)["signature"]
	}
	first := signature()
	assert.Equal(t, first, signature())
}

func TestBenchMovegenNeedsNoWeights(t *testing.T) {
	c := runKotra(t, "", "bench", "movegen", "--weights", "no-such.knn", "--duration", "1ns", "--quiet")
	assert.Equal(t, exitDone, c.code, c.err)
	assert.Contains(t, c.out, "movegen/mix")
}

func TestBenchStrengthGradesByPhase(t *testing.T) {
	c := runKotra(t, "", "bench", "strength", "--ply", "0", "--json", "--quiet")
	require.Equal(t, exitDone, c.code, c.err)
	strength := object(t, c.out)["strength"].([]any)
	require.Len(t, strength, 1)
	rows := strength[0].(map[string]any)["rows"].([]any)
	require.Len(t, rows, 6)
	all := rows[5].(map[string]any)
	assert.Equal(t, "all", all["phase"])
	assert.EqualValues(t, 325, all["decisions"])
	assert.Greater(t, all["loss"], 10.0) // the tests' evaluator is no player
	assert.Less(t, all["loss"], 300.0)
	assert.Positive(t, all["evaluations"])
}

func TestMixHasEveryClassInThePartsThatPlayHas(t *testing.T) {
	mix := yardstick.Mix()
	require.Len(t, mix, 2000)
	var n [eval.Classes]int
	for i := range mix {
		n[eval.Classify(&mix[i].Position)]++
	}
	assert.Zero(t, n[eval.Over])
	assert.InDelta(t, 1560, n[eval.Contact]+n[eval.Crashed], 60)
	assert.InDelta(t, 250, n[eval.Race], 40)
	assert.InDelta(t, 190, n[eval.Bearoff], 40)
}

func TestMediansOfRoundsAreReported(t *testing.T) {
	b := &bench{env: &env{quiet: true}}
	b.report.Results = []report.Measurement{{Name: "before"}}
	values := []float64{3, 1, 7, 5, 2}
	round := 0
	err := b.medians(len(values), func() error {
		b.add("a", values[round], "ms", true)
		if round > 0 {
			b.add("b", -values[round], "ms", true)
		}
		round++
		return nil
	})
	require.NoError(t, err)
	require.Len(t, b.report.Results, 3)
	assert.Equal(t, report.Measurement{Name: "a", Value: 3, Unit: "ms", CPU: true}, b.report.Results[1])
	assert.Equal(t, report.Measurement{Name: "b", Value: -2, Unit: "ms", CPU: true}, b.report.Results[2])
}

func TestBenchScaleMeasuresEachKindOfWork(t *testing.T) {
	c := runKotra(t, "", "bench", "scale", "--duration", "1ns", "--json", "--quiet")
	require.Equal(t, exitDone, c.code, c.err)
	results := object(t, c.out)["results"].([]any)
	require.Len(t, results, 4)
	for _, r := range results {
		assert.Positive(t, r.(map[string]any)["value"])
	}
}
