package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/internal/report"
)

const testMatches = "../../../record/mat/testdata/"

// oddMatch is a match text whose second score is wrong, with an illegal play.
const oddMatch = ` 3 point match

 Game 1
 Ada : 0                        Bo : 0
  1) 31: 8/5 6/1                 42: 8/4 6/4
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ada : 2                        Bo : 0
  1)                             42: 8/4 6/4
`

func readReport(t *testing.T, text string) (r report.Matches) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &r))
	return r
}

func TestMatchesAreReadAndChecked(t *testing.T) {
	dir := t.TempDir()
	odd := filepath.Join(dir, "odd.mat")
	bad := filepath.Join(dir, "bad.sgf")
	require.NoError(t, os.WriteFile(odd, []byte(oddMatch), 0o600))
	require.NoError(t, os.WriteFile(bad, []byte("(;GM[6]\n;W[31"), 0o600))
	c := runKotra(t, "", "analyze", odd, bad, testMatches+"m7c.mat", "--no-evaluation", "--json")
	assert.Equal(t, exitFailed, c.code)
	assert.Contains(t, c.err, "bad.sgf: line 2")
	r := readReport(t, c.out)
	require.Len(t, r.Matches, 2)
	require.Len(t, r.Failed, 1)
	m := r.Matches[0]
	assert.Equal(t, [2]string{"Ada", "Bo"}, m.Players)
	require.Len(t, m.Warnings, 2)
	assert.Equal(t, 5, m.Warnings[0].Line)
	assert.Contains(t, m.Warnings[0].Text, "illegal")
	assert.Equal(t, 9, m.Warnings[1].Line)
	assert.Equal(t, 1, m.Games[0].Illegal)
	assert.False(t, m.Games[1].Finished)
	assert.True(t, m.Games[1].Crawford)
	assert.Nil(t, m.Summary[0].Error)
	m = r.Matches[1]
	assert.Equal(t, 1, *m.Result.Winner)
	assert.Equal(t, [2]int{6, 9}, m.Result.Score)
	assert.Equal(t, 85, m.Games[0].Moves)
	assert.True(t, m.Games[1].Resigned)
	assert.Equal(t, 127, m.Summary[0].Checker.Unforced)
}

func TestMatchesAreAnalyzedIntoFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	c := runKotra(t, "", "analyze", testMatches+"m1a.mat", "--ply", "0", "--html", at("a.html"), "--output", at("a.sgf"),
		"--export-positions", at("a.tsv"), "--worst", "1", "--threshold", "0.05")
	require.Equal(t, exitDone, c.code, c.err)
	assert.Contains(t, c.out, "Olivia - Peggy, 1-point match, 1-0")
	assert.Contains(t, c.out, "Luck-adjusted result")
	assert.Contains(t, c.out, "1. Game 1, turn")
	for name, part := range map[string]string{"a.html": "</html>", "a.sgf": "]LU[", "a.tsv": "<svg"} {
		data, err := os.ReadFile(at(name))
		require.NoError(t, err)
		assert.Contains(t, string(data), part)
	}
	c = runKotra(t, "", "analyze", at("a.sgf"), "--no-evaluation", "--json")
	require.Equal(t, exitDone, c.code, c.err)
	assert.Equal(t, 50, readReport(t, c.out).Matches[0].Games[0].Moves)
}

func TestAnalysesGoOnFromWhatWasKept(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept")
	at := func(name string) string { return filepath.Join(dir, name) }
	call := func(page string, more ...string) []string {
		return append([]string{
			"analyze", testMatches + "m1a.mat", "--ply", "0", "--resume", kept,
			"--html", at(page + ".html"), "--output", at(page + ".sgf"),
		}, more...)
	}
	first := runKotra(t, "", call("a")...)
	require.Equal(t, exitDone, first.code, first.err)
	files, err := os.ReadDir(kept)
	require.NoError(t, err)
	require.Len(t, files, 1)
	name := filepath.Join(kept, files[0].Name())
	before, err := os.Stat(name)
	require.NoError(t, err)

	second := runKotra(t, "", call("b")...)
	assert.Equal(t, first.out, second.out)
	for _, ext := range []string{".html", ".sgf"} {
		a, err := os.ReadFile(at("a" + ext))
		require.NoError(t, err)
		b, err := os.ReadFile(at("b" + ext))
		require.NoError(t, err)
		assert.Equal(t, string(a), string(b), "the %s of results that were kept", ext)
	}
	after, err := os.Stat(name)
	require.NoError(t, err)
	assert.Equal(t, before.ModTime(), after.ModTime(), "nothing was left to do")

	// Other settings have results of their own; what cannot be used is made anew.
	require.Equal(t, exitDone, runKotra(t, "", call("c", "--cubeless")...).code)
	files, err = os.ReadDir(kept)
	require.NoError(t, err)
	assert.Len(t, files, 2)
	require.NoError(t, os.WriteFile(name, []byte("broken"), 0o600))
	third := runKotra(t, "", call("d")...)
	assert.Contains(t, third.err, "made anew")
	assert.Equal(t, first.out, third.out)
}

func TestWrongCallsAboutMatchesAreUsageErrors(t *testing.T) {
	for _, args := range [][]string{
		{testMatches + "m1a.mat", "--dice", "31"},
		{testMatches + "m1a.mat", "--threshold", "-1"},
		{testMatches + "m1a.mat", "--output", "x.mat"},
		{testMatches + "m1a.mat", "--no-evaluation", "--html", "x.html"},
		{start, "--html", "x.html"},
	} {
		c := runKotra(t, "", append([]string{"analyze"}, args...)...)
		assert.Equal(t, exitUsage, c.code, "%v: %s", args, c.err)
	}
	c := runKotra(t, "", "analyze", "missing.mat")
	assert.Equal(t, exitFailed, c.code)
	assert.Contains(t, c.err, "missing.mat: no such file")
}

func TestMatchesAreConverted(t *testing.T) {
	dir := t.TempDir()
	in := testMatches + "s_jacoby.mat"
	for _, name := range []string{"a.sgf", "b.mat", "c.json", "d.csv"} {
		out := filepath.Join(dir, name)
		c := runKotra(t, "", "convert", in, out)
		require.Equal(t, exitDone, c.code, c.err)
		if name < "c" {
			in = out
		}
	}
	want, err := os.ReadFile(testMatches + "s_jacoby.mat")
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(dir, "b.mat"))
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
	var r struct{ Matches []report.RecordedMatch }
	data, err := os.ReadFile(filepath.Join(dir, "c.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &r))
	require.Len(t, r.Matches[0].Games, 6)
	assert.Equal(t, "24/15", *r.Matches[0].Games[0].Actions[0].Move)
	c := runKotra(t, "", "convert", in, in)
	assert.Equal(t, exitFailed, c.code)
}

func TestBoardsAreDrawn(t *testing.T) {
	dir := t.TempDir()
	svg, png := filepath.Join(dir, "a.svg"), filepath.Join(dir, "a.png")
	c := runKotra(t, "", "board", start, "--dice", "31", "--move", "8/5 6/5", "--svg", svg, "--png", png, "--width", "300", "--names", "Ada,Bo")
	require.Equal(t, exitDone, c.code, c.err)
	data, err := os.ReadFile(svg)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(data), "<svg"))
	assert.Contains(t, string(data), "Ada")
	data, err = os.ReadFile(png)
	require.NoError(t, err)
	assert.Equal(t, "\x89PNG", string(data[:4]))
	assert.Equal(t, exitFailed, runKotra(t, "", "board", start, "--dice", "31", "--move", "8/2", "--svg", svg).code)
	assert.Contains(t, runKotra(t, "", "board", start).out, "BAR")
}
