package analysis_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/analysis"
	"kotra/record/sgf"
)

// gnubgPath returns where GNU Backgammon is, or skips the test.
func gnubgPath(t *testing.T) string {
	t.Helper()
	if path, err := exec.LookPath("gnubg"); err == nil {
		return path
	}
	const usual = "/usr/games/gnubg"
	if _, err := os.Stat(usual); err != nil {
		t.Skip("GNU Backgammon is not installed")
	}
	return usual
}

func TestGNUBackgammonSumsUpOurAnalysisAsWeDo(t *testing.T) {
	if testing.Short() {
		t.Skip("starts another program")
	}
	path := gnubgPath(t)
	dir := t.TempDir()
	a := analysis.Analyzer{Searcher: searcher(t)}
	m, err := a.Match(t.Context(), readMatch(t, "m3a"))
	require.NoError(t, err)
	m.Annotate()
	var b bytes.Buffer
	require.NoError(t, sgf.Write(&b, m.Record))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.sgf"), b.Bytes(), 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-t", "-q")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader("load match m.sgf\nshow statistics match\n")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	text := string(out)
	rates := regexp.MustCompile(`(?m)^Error rate mEMG \(MWC\)\s+(-?[\d.]+) .*?\)\s+(-?[\d.]+)`).FindAllStringSubmatch(text, -1)
	require.Len(t, rates, 3, "of plays, of the cube, of both")
	adjusted := regexp.MustCompile(`(?m)^Luck adjusted result\s+([-+][\d.]+)%`).FindStringSubmatch(text)
	require.NotNil(t, adjusted)
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		return v
	}
	const digit = .06 // it prints one digit behind the point
	for i := range m.Players {
		s := &m.Players[i]
		for j, got := range []float64{s.CheckerRate(), s.CubeRate(), s.ErrorRate()} {
			assert.InDelta(t, -number(rates[j][i+1]), got, digit)
		}
	}
	result, ok := m.LuckAdjusted(0)
	require.True(t, ok)
	assert.InDelta(t, number(adjusted[1]), 100*result, digit)
}
