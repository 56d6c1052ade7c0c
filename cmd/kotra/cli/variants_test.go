package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryVariantIsAnalyzedFromItsStart(t *testing.T) {
	starts := map[string]string{
		"nackgammon": "4Dl4ADbgOXgANg", "hypergammon": "AACgAgAAKgAAAA", "longgammon": "AACA/z8AAID/Pw",
	}
	for variant, id := range starts {
		t.Run(variant, func(t *testing.T) {
			c := runKotra(t, "", "analyze", id, "--variant", variant, "--dice", "31", "--ply", "1", "--json")
			require.Equal(t, exitDone, c.code, c.err)
			moves := object(t, c.out)["moves"].([]any)
			assert.Greater(t, len(moves), 1)

			c = runKotra(t, "", "analyze", id, "--variant", variant, "--ply", "1", "--json")
			require.Equal(t, exitDone, c.code, c.err)
			assert.Equal(t, "no_double", object(t, c.out)["cube_action"].(map[string]any)["best"])

			c = runKotra(t, "", "rollout", id, "--variant", variant, "--trials", "2", "--truncate", "2", "--json")
			require.Equal(t, exitDone, c.code, c.err)
		})
	}
}

func TestRulesChangeTheAnswer(t *testing.T) {
	answer := func(args ...string) map[string]any {
		c := runKotra(t, "", append([]string{"analyze", "--ply", "0", "--json"}, args...)...)
		require.Equal(t, exitDone, c.code, c.err)
		return object(t, c.out)
	}
	best := func(args ...string) any { return answer(args...)["cube_action"].(map[string]any)["best"] }
	score := []string{start, "--match", "5", "--score", "4-2"}
	assert.Equal(t, "no_cube", best(append(score, "--crawford")...))
	assert.Equal(t, "never_double", best(append(score, "--no-crawford")...), "the leader has no use for a cube")

	const backgammons = "XGID=bBBBCCC----------c-ddb----:0:0:1:00:0:0:0:0:10"
	three := answer(backgammons)["equity"].(float64)
	two := answer(backgammons, "--backgammon", "2")["equity"].(float64)
	assert.Greater(t, three, two)
	answer(start, "--automatic-doubles", "1", "--cube-value", "2")

	for _, args := range [][]string{{"--backgammon", "4"}, {"--automatic-doubles", "-1"}, {"--crawford", "--no-crawford"}} {
		c := runKotra(t, "", append([]string{"eval", start}, args...)...)
		assert.Equal(t, exitUsage, c.code, args)
	}
	c := runKotra(t, "", "eval", start, "--match", "65")
	assert.Equal(t, exitFailed, c.code)
}

func TestHypergammonTableIsEstimatedBeforeItIsBuilt(t *testing.T) {
	c := runKotra(t, "", "bearoff", "build", "--hypergammon", "--estimate", "--threads", "1")
	require.Equal(t, exitDone, c.code, c.err)
	assert.Contains(t, c.out, "3276 positions a side; about 193.2 MB of file")
	c = runKotra(t, "", "bearoff", "build", "--hypergammon", "--two-sided")
	assert.Equal(t, exitUsage, c.code)
}
