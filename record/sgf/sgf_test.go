package sgf_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/cube/met"
	"kotra/record"
	"kotra/record/mat"
	"kotra/record/sgf"
)

func unzip(t testing.TB, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	data, err := io.ReadAll(z)
	require.NoError(t, err)
	return data
}

func readOne(t *testing.T, text string) *record.Match {
	t.Helper()
	matches, err := sgf.Read(strings.NewReader(text))
	require.NoError(t, err)
	require.Len(t, matches, 1)
	return matches[0]
}

func TestFilesOfGNUBackgammonAreWrittenAsTheyWereRead(t *testing.T) {
	files, err := filepath.Glob("testdata/*.sgf.gz")
	require.NoError(t, err)
	require.Len(t, files, 4)
	for _, file := range files {
		data := unzip(t, file)
		m := readOne(t, string(data))
		assert.Empty(t, m.Warnings, file)
		var out bytes.Buffer
		require.NoError(t, sgf.Write(&out, m))
		assert.Equal(t, string(data), out.String(), file)
	}
}

func TestSGFAndTextOfAMatchHoldTheSame(t *testing.T) {
	for _, name := range []string{"m1a", "m3a", "m7b", "s_jacoby"} {
		m := readOne(t, string(unzip(t, "testdata/"+name+".sgf.gz")))
		var out bytes.Buffer
		require.NoError(t, mat.Write(&out, m))
		want, err := os.ReadFile("../mat/testdata/" + name + ".mat")
		require.NoError(t, err)
		assert.Equal(t, string(want), out.String())
	}
}

func TestAnalysesBecomeTheSameAgain(t *testing.T) {
	data := string(unzip(t, "testdata/m3a.sgf.gz"))
	m := readOne(t, data)
	a := m.Games[0].Actions[0]
	require.NotNil(t, a.Analysis)
	assert.Equal(t, 1, a.Analysis.Played)
	assert.InDelta(t, 0.037223, a.Analysis.Candidates[0].Equity, 1e-9)
	assert.InDelta(t, 0.03722, *a.Analysis.Luck, 1e-9)
	var analyses []*record.Analysis
	for _, g := range m.Games {
		for i := range g.Actions {
			analyses = append(analyses, g.Actions[i].Analysis)
		}
	}
	sgf.StripAnalysis(m)
	i := 0
	for _, g := range m.Games {
		for j := range g.Actions {
			g.Actions[j].Analysis = analyses[i]
			i++
		}
	}
	var out bytes.Buffer
	require.NoError(t, sgf.Write(&out, m))
	nodes := func(text string) []string { return strings.Split(text, "\n;") }
	want, got := nodes(data), nodes(out.String())
	require.Len(t, got, len(want))
	for i := range want {
		if i > 0 && !strings.Contains(want[i], "GM[6]") && !strings.Contains(want[i], "BC[") && !strings.Contains(want[i], "DC[") {
			w, _, _ := strings.Cut(want[i], ")\n")
			g, _, _ := strings.Cut(got[i], ")\n")
			if strings.HasPrefix(w, "W[double]") || strings.HasPrefix(w, "B[take]") {
				w, g = w[:9], g[:9] // the marks of cube actions need the loss
			}
			require.Equal(t, w, g)
		}
	}
}

// cubes returns all analyzed cube decisions of m with the actions and the states before them.
func cubes(m *record.Match) (cubes []*record.Cube, moments []record.Moment) {
	for _, g := range m.Games {
		for _, moment := range m.Replay(g).Moments {
			if a := moment.Action.Analysis; a != nil && a.Cube != nil {
				cubes, moments = append(cubes, a.Cube), append(moments, moment)
			}
		}
	}
	return cubes, moments
}

func TestCubesOfAMatchHaveTheEquitiesThatGNUBackgammonShows(t *testing.T) {
	m := readOne(t, string(unzip(t, "testdata/m7b.sgf.gz")))
	data, err := os.ReadFile("testdata/m7b.cubes.txt")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(data), "\n")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	got, moments := cubes(m)
	require.Len(t, got, len(lines))
	values := map[int]bool{}
	passed := false
	for i, c := range got {
		var game int
		var noDouble, take float64
		_, err := fmt.Sscan(lines[i], &game, &noDouble, &take)
		require.NoError(t, err)
		if kind := moments[i].Action.Kind; kind == record.Take || kind == record.Pass {
			noDouble, take = -noDouble, -take // it shows them to the player who answers
		}
		assert.InDelta(t, noDouble, c.NoDouble, 6e-4, "decision %d, game %d", i, game)
		assert.InDelta(t, take, c.DoubleTake, 6e-4, "decision %d, game %d", i, game)
		assert.EqualValues(t, 1, c.DoublePass)
		s := &moments[i].State
		values[s.Cube.Value] = true
		o := met.KazarossXG2().Outcomes(s.Score, s.Cube.Value, s.Rules)
		assert.InDelta(t, float64(o.Equity(o.Mean(&c.Probs))), c.Cubeless, 5e-5, "decision %d, game %d", i, game)
		if lines[i] == "1 +0.998 +2.007" {
			passed = true
			assert.Equal(t, [2]float64{0.562514, 0.625650}, [2]float64{c.NoDoubleMWC, c.DoubleTakeMWC}, "as the file has them")
		}
	}
	assert.Greater(t, len(values), 1, "there are redoubles")
	assert.True(t, passed)
}

func TestCubesOfMoneyGamesHaveNoMatchWinningChances(t *testing.T) {
	got, _ := cubes(readOne(t, string(unzip(t, "testdata/s_jacoby.sgf.gz"))))
	found := false
	for _, c := range got {
		assert.Zero(t, c.NoDoubleMWC)
		assert.Zero(t, c.DoubleTakeMWC)
		found = found || c.NoDouble == 0.799926 && c.DoubleTake == 1.157404
	}
	assert.True(t, found, "equities are as the file has them")
}

func TestCubesOfMatchesAreWrittenAsMatchWinningChances(t *testing.T) {
	for _, equitiesOnly := range []bool{false, true} { // as readers of other formats leave them
		m := readOne(t, string(unzip(t, "testdata/m7b.sgf.gz")))
		given, _ := cubes(m)
		want := make([]record.Cube, len(given))
		for i, c := range given {
			want[i] = *c
			if equitiesOnly {
				c.NoDoubleMWC, c.DoubleTakeMWC = 0, 0
			}
		}
		for _, g := range m.Games {
			for i := range g.Actions {
				g.Actions[i].Extra = nil // else the properties are written as they were
			}
		}
		var out bytes.Buffer
		require.NoError(t, sgf.Write(&out, m))
		got, _ := cubes(readOne(t, out.String()))
		require.Len(t, got, len(want))
		for i, w := range want {
			assert.InDelta(t, w.NoDouble, got[i].NoDouble, 5e-5, "decision %d", i)
			assert.InDelta(t, w.DoubleTake, got[i].DoubleTake, 5e-5, "decision %d", i)
			assert.InDelta(t, w.NoDoubleMWC, got[i].NoDoubleMWC, 1.1e-6, "decision %d", i)
			assert.InDelta(t, w.DoubleTakeMWC, got[i].DoubleTakeMWC, 1.1e-6, "decision %d", i)
			assert.InDelta(t, w.Cubeless, got[i].Cubeless, 1.1e-6, "decision %d", i)
		}
	}
}

func TestSetUpStatesAreReadAndWritten(t *testing.T) {
	data, err := os.ReadFile("testdata/edit.sgf")
	require.NoError(t, err)
	m := readOne(t, string(data))
	r := m.Replay(m.Games[0])
	last := r.Moments[len(r.Moments)-1]
	assert.Equal(t, record.Unplayed, last.Action.Kind)
	assert.Equal(t, "4PPgASTgc/ABMA", last.State.Position.ID())
	assert.Equal(t, 4, last.State.Cube.Value)
	var out bytes.Buffer
	require.NoError(t, sgf.Write(&out, m))
	again := readOne(t, out.String())
	assert.Equal(t, r.Final, again.Replay(again.Games[0]).Final)
}

func TestAllValuesOfTheMatchInformationAreRead(t *testing.T) {
	m := readOne(t, "(;FF[4]GM[6]MI[length:5][game:0][ws:4][bs:2]PW[Ada Lind]PB[Bo Berg]RU[Crawford]\n;W[31hefe]\n;B[62qslr]\n)")
	assert.Equal(t, [2]int{4, 2}, m.Games[0].Score)
	assert.Equal(t, 5, m.Length)
	assert.True(t, m.Games[0].Crawford, "it is the first game at 1-away")
	assert.Len(t, m.Warnings, 1)
	assert.Nil(t, m.Games[0].Outcome)
}

func TestUnknownPropertiesAndCommentsSurvive(t *testing.T) {
	const text = "(;FF[4]GM[6]CA[UTF-8]AP[x:1]MI[length:0][game:0][ws:0][bs:0]PW[A\\]b\\\\c]PB[é]XX[1][2]C[root \\] c]\n;W[31hefe]KO[]ZZ[a:b]C[a\\]\nb])\n"
	m := readOne(t, text)
	assert.Equal(t, `A]b\c`, m.Players[0])
	assert.Equal(t, "a]\nb", m.Games[0].Actions[0].Comment)
	var out bytes.Buffer
	require.NoError(t, sgf.Write(&out, m))
	assert.Equal(t, text, out.String())
}

func TestBadFilesNameTheLine(t *testing.T) {
	tests := []struct {
		name, text string
		line       int
	}{
		{"value without end", "(;GM[6]\n;W[31hefe", 2},
		{"tree without end", "(;GM[6]\n;W[31hefe]\n", 3},
		{"property without value", "(;GM[6]\n\n;W ;B[31])", 3},
		{"garbage", "(;GM[6]\n?)", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := sgf.Read(strings.NewReader(tt.text))
			var syntax *sgf.SyntaxError
			require.ErrorAs(t, err, &syntax)
			assert.Equal(t, tt.line, syntax.Line)
		})
	}
	_, err := sgf.Read(strings.NewReader("(;GM[1]SZ[19];B[pd])"))
	assert.ErrorIs(t, err, sgf.ErrNoMatch)
}

func TestResignationsAndUnplayedRolls(t *testing.T) {
	m := readOne(t, "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford]RE[W+2R]\n;W[31hefe]\n;PL[B]DI[64])")
	g := m.Games[0]
	require.Len(t, g.Actions, 3)
	assert.Equal(t, record.Unplayed, g.Actions[1].Kind)
	assert.Equal(t, record.Resign, g.Actions[2].Kind)
	assert.Equal(t, 1, g.Actions[2].Player)
	assert.EqualValues(t, 2, g.Outcome.Kind)
	assert.Equal(t, 1, g.Plays())
}

// gnubg runs GNU Backgammon on commands in a folder of its own.
func gnubg(t *testing.T, dir string, commands ...string) {
	t.Helper()
	path, err := exec.LookPath("gnubg")
	if errors.Is(err, exec.ErrNotFound) {
		path = "/usr/games/gnubg"
		if _, err := os.Stat(path); err != nil {
			t.Skip("GNU Backgammon is not installed")
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-t", "-q")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(strings.Join(commands, "\n") + "\n")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestGNUBackgammonReadsWhatIsWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("starts another program")
	}
	dir := t.TempDir()
	files, err := filepath.Glob("../mat/testdata/*.mat")
	require.NoError(t, err)
	var commands []string
	want := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		matches, err := mat.Read(bytes.NewReader(data))
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".mat")
		var text, tree bytes.Buffer
		require.NoError(t, mat.Write(&text, matches[0]))
		require.NoError(t, sgf.Write(&tree, matches[0]))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+"-in.mat"), text.Bytes(), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+"-in.sgf"), tree.Bytes(), 0o600))
		commands = append(commands,
			"import mat "+name+"-in.mat", "export match mat "+name+"-a.mat",
			"load match "+name+"-in.sgf", "export match mat "+name+"-b.mat")
		want[name+"-a.mat"], want[name+"-b.mat"] = string(data), string(data)
	}
	gnubg(t, dir, commands...)
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err, name)
		assert.Equal(t, summary(t, []byte(text)), summary(t, got), name)
	}
}

// summary returns what a match text says, whatever the order of steps in a move.
func summary(t *testing.T, text []byte) (lines []string) {
	t.Helper()
	matches, err := mat.Read(bytes.NewReader(text))
	require.NoError(t, err)
	for _, m := range matches {
		lines = append(lines, fmt.Sprint(m.Players, m.Length, m.Warnings))
		for _, g := range m.Games {
			lines = append(lines, fmt.Sprint(g.Number, g.Score, g.Crawford, *g.Outcome))
			r := m.Replay(g)
			for _, moment := range r.Moments {
				a := moment.Action
				lines = append(lines, fmt.Sprint(a.Kind, a.Player, a.Dice, moment.State.GNUID()))
			}
			lines = append(lines, r.Final.GNUID())
		}
	}
	return lines
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1]MI[length:5][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]CV[2]RE[W+2R]\n;PL[W]AE[a:y]AW[f][f][x:x]AB[s][y]\n;CP[b]CV[2];DI[31]PL[B]\n;W[31hefe]A[0][hefe E ver 3 0.5 0.1 0 0.1 0 0.1 2C 0 1 0 1]DA[E ver 3 0C 1 0.000000 1 1 2 3 4 5 6 7 8 9 10 11 12 13 14]LU[0.3]\n;B[double]\n;W[double];B[take]\n;B[64]C[\\]])"))
	data, err := os.ReadFile("testdata/edit.sgf")
	require.NoError(f, err)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		matches, err := sgf.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, m := range matches {
			var out bytes.Buffer
			require.NoError(t, sgf.Write(&out, m))
			_, err := sgf.Read(&out)
			require.NoError(t, err)
		}
	})
}
