package cli

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rollOutObject runs kotra rollout with --json and returns its document without times.
func rollOutObject(t *testing.T, args ...string) map[string]any {
	t.Helper()
	c := runKotra(t, "", append([]string{"rollout", "--json"}, args...)...)
	require.Equal(t, exitDone, c.code, c.err)
	v := object(t, c.out)
	assert.Contains(t, v, "cpu_seconds")
	for _, name := range []string{"cpu_seconds", "seconds", "saved_as", "resumed_from"} {
		delete(v, name)
	}
	return v
}

func TestRolloutRanksMovesWithErrors(t *testing.T) {
	v := rollOutObject(t, start, "--dice", "31", "--candidates", "3", "--trials", "36", "--truncate", "3")
	assert.Equal(t, "checker", v["decision"])
	moves := v["moves"].([]any)
	require.Len(t, moves, 3)
	best, worst := moves[0].(map[string]any), moves[2].(map[string]any)
	for _, name := range []string{"move", "position_id", "equity", "stderr", "cubeful", "cubeful_stderr", "probs", "trials", "jsd", "rank"} {
		assert.Contains(t, best, name)
	}
	assert.Zero(t, best["jsd"])
	assert.Positive(t, worst["jsd"])
	assert.Positive(t, best["stderr"])
	assert.GreaterOrEqual(t, best["cubeful"], worst["cubeful"])
	settings := v["settings"].(map[string]any)
	for name, want := range map[string]any{"trials": 36., "ply": 0., "cube_ply": 0., "truncate": 3., "variance_reduction": true, "seed": 0.} {
		assert.Equal(t, want, settings[name], name)
	}
}

func TestRolloutOfNamedMovesWithoutCube(t *testing.T) {
	v := rollOutObject(t, start, "--dice", "31", "--moves", "24/20; 8/5 6/5", "--trials", "36", "--truncate", "3", "--cubeless")
	for _, m := range v["moves"].([]any) {
		assert.Contains(t, []string{"24/20", "8/5 6/5"}, m.(map[string]any)["move"])
		assert.Nil(t, m.(map[string]any)["cubeful"])
	}
}

func TestRolloutWithoutDiceDecidesTheCube(t *testing.T) {
	v := rollOutObject(t, start, "--trials", "36", "--truncate", "3")
	assert.Equal(t, "cube", v["decision"])
	action := v["cube_action"].(map[string]any)
	states := v["states"].([]any)
	require.Len(t, states, 2)
	assert.Equal(t, "no_double", states[0].(map[string]any)["state"])
	assert.InDelta(t, states[0].(map[string]any)["cubeful"], action["no_double"], 1e-9)
	assert.InDelta(t, states[1].(map[string]any)["cubeful"], action["double_take"], 1e-9)
	assert.Equal(t, "no_double", action["best"])
}

func TestRolloutOfADoubleIsSeenByWhoAnswers(t *testing.T) {
	v := rollOutObject(t, "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "--trials", "36", "--truncate", "3")
	assert.Equal(t, "take", v["decision"])
	action, states := v["cube_action"].(map[string]any), v["states"].([]any)
	assert.Equal(t, "take", action["best"])
	assert.InDelta(t, -1, action["double_pass"], 1e-9)
	assert.InDelta(t, states[1].(map[string]any)["cubeful"], action["double_take"], 1e-9)
}

func TestRolloutAtAMatchScoreHasMatchChances(t *testing.T) {
	v := rollOutObject(t, "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:3:0:7:10", "--candidates", "2", "--trials", "36", "--truncate", "3")
	best := v["moves"].([]any)[0].(map[string]any)
	assert.Positive(t, best["mwc_stderr"])
	assert.InDelta(t, 0.5, best["mwc"], 0.3)
}

func TestRolloutIsTheSameOnAnyNumberOfThreads(t *testing.T) {
	args := []string{start, "--dice", "42", "--candidates", "3", "--trials", "72", "--truncate", "4", "--seed", "9"}
	one := rollOutObject(t, append(args, "--threads", "1")...)
	many := rollOutObject(t, append(args, "--threads", "16")...)
	assert.Equal(t, one, many)
}

func TestRolloutGoesOnFromAFile(t *testing.T) {
	saved := filepath.Join(t.TempDir(), "rollout.json")
	args := []string{start, "--dice", "42", "--candidates", "2", "--truncate", "3"}
	rollOutObject(t, append(args, "--trials", "40", "--save", saved)...)
	resumed := rollOutObject(t, append(args, "--trials", "80", "--resume", saved)...)
	whole := rollOutObject(t, append(args, "--trials", "80")...)
	assert.Equal(t, whole, resumed)

	c := runKotra(t, "", append([]string{"rollout", "--resume", saved, "--seed", "1"}, args...)...)
	assert.Equal(t, exitFailed, c.code)
	assert.Contains(t, c.err, "saved by another rollout")
}

func TestInterruptedRolloutPrintsWhatIsKnownAndSavesIt(t *testing.T) {
	saved := filepath.Join(t.TempDir(), "rollout.json")
	var c call
	// How long the first trials take depends on the machine.
	for patience := 300 * time.Millisecond; c.out == "" && patience < time.Minute; patience *= 2 {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		c = kotraContext(ctx, "", "rollout", start, "--json", "--dice", "31", "--candidates", "2", "--trials", "100000000", "--save", saved)
		cancel()
		assert.NotEqual(t, exitDone, c.code)
	}
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(c.out), &v), c.err)
	assert.Equal(t, "interrupted", v["stopped_by"])
	assert.FileExists(t, saved)
}

func TestAnalysisCanRollOut(t *testing.T) {
	c := runKotra(t, "", "analyze", start, "--dice", "31", "--rollout=roller", "--top", "2", "--json")
	require.Equal(t, exitDone, c.code, c.err)
	moves := object(t, c.out)["moves"].([]any)
	require.Len(t, moves, 2)
	assert.Positive(t, moves[0].(map[string]any)["stderr"])
	c = runKotra(t, "", "analyze", start, "--rollout=huge")
	assert.Equal(t, exitUsage, c.code)
}

func TestRolloutTextHasATable(t *testing.T) {
	c := runKotra(t, "", "rollout", start, "--dice", "31", "--candidates", "2", "--trials", "36", "--truncate", "3")
	require.Equal(t, exitDone, c.code, c.err)
	for _, part := range []string{"Rolled 31", "Equity", "JSD", "Trials", "Cubeful rollout at 0 ply, truncated after 3 turns"} {
		assert.Contains(t, c.out, part)
	}
	assert.Empty(t, c.err)

	c = runKotra(t, "", "rollout", start, "--trials", "36", "--truncate", "3")
	assert.Contains(t, c.out, "Proper cube action: No double, take")
}

func TestWrongRolloutCallsAreUsageErrors(t *testing.T) {
	for _, args := range [][]string{
		{start, "--preset", "huge"},
		{start, "--trials", "0"},
		{start, "--candidates", "0"},
		{start, "--cube-ply", "9"},
		{start, "--filter", "none"},
		{"--input", "-", "--save", "file"},
		{},
	} {
		c := runKotra(t, "", append([]string{"rollout"}, args...)...)
		assert.Equal(t, exitUsage, c.code, "%v: %s", args, c.err)
	}
	c := runKotra(t, "", "rollout", start, "--moves", "8/5 6/5")
	assert.Equal(t, exitFailed, c.code)
	c = runKotra(t, "", "rollout", start, "--dice", "31", "--moves", "8/1")
	assert.Equal(t, exitFailed, c.code)
}
