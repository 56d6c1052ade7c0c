package analysis_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/analysis"
	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/internal/bgtest"
	"kotra/record"
	"kotra/record/mat"
	"kotra/rollout"
	"kotra/search"
	"kotra/weights"
)

func readMatch(t testing.TB, name string) *record.Match {
	t.Helper()
	f, err := os.Open("../record/mat/testdata/" + name + ".mat")
	require.NoError(t, err)
	defer f.Close()
	matches, err := mat.Read(f)
	require.NoError(t, err)
	return matches[0]
}

// statistics returns the line of a statistics text that begins with name: for each player its
// first number.
func statistics(t testing.TB, match, name string) (values [2]float64) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + match + ".stats.txt")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + `(?: \(\w+\))?\s+(\S+)(.*)$`).FindStringSubmatch(string(text))
	require.NotNil(t, found, name)
	second := regexp.MustCompile(`\(.*?\)`).ReplaceAllString(found[2], "")
	for i, field := range []string{found[1], strings.Fields(second)[0]} {
		values[i], err = strconv.ParseFloat(strings.Trim(field, "()"), 64)
		require.NoError(t, err)
	}
	return values
}

func TestCountsAreThoseOfGNUBackgammon(t *testing.T) {
	files, err := filepath.Glob("testdata/*.stats.txt")
	require.NoError(t, err)
	require.Len(t, files, 10)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".stats.txt")
		m := analysis.Counts(readMatch(t, name), nil)
		for i, s := range m.Players {
			for line, got := range map[string]int{
				"Total moves": s.Moves, "Unforced moves": s.Unforced, "Total cube decisions": s.CubeDecisions,
				"Doubles": s.Doubles, "Takes": s.Takes, "Passes": s.Passes,
			} {
				assert.EqualValues(t, statistics(t, name, line)[i], got, "%s, %s of player %d", name, line, i)
			}
		}
	}
}

func searcher(t testing.TB) *search.Searcher {
	t.Helper()
	net, err := weights.Load("")
	require.NoError(t, err)
	return search.New(eval.New(eval.NewNetwork(net), eval.WithBearoff(bearoff.Default())), search.Options{Threads: 1})
}

func TestErrorRatesAreCloseToThoseOfGNUBackgammon(t *testing.T) {
	if testing.Short() {
		t.Skip("judges whole matches")
	}
	a := analysis.Analyzer{Searcher: searcher(t)}
	var ours, theirs []float64
	var lucks [2][]float64
	for _, name := range []string{"m1a", "m3b", "m7b", "s_nojacoby"} {
		m, err := a.Match(t.Context(), readMatch(t, name))
		require.NoError(t, err)
		stat := statistics(t, name, "Error rate mEMG")
		luck := statistics(t, name, "Luck rate mEMG")
		for i := range m.Players {
			s := &m.Players[i]
			ours = append(ours, s.CheckerRate())
			theirs = append(theirs, -stat[i])
			lucks[0] = append(lucks[0], 1000*s.Luck/float64(s.Rolls))
			lucks[1] = append(lucks[1], luck[i])
		}
	}
	t.Log(ours, theirs, lucks)
	assert.Greater(t, correlation(lucks[0], lucks[1]), 0.95)
	assert.Greater(t, correlation(ours, theirs), 0.95)
	for i := range ours {
		// Two evaluations at 0 ply differ by some thousandths in a position.
		assert.InDelta(t, theirs[i], ours[i], 10+0.3*theirs[i])
	}
}

func correlation(x, y []float64) float64 {
	var sx, sy, sxx, syy, sxy float64
	n := float64(len(x))
	for i := range x {
		sx += x[i]
		sy += y[i]
		sxx += x[i] * x[i]
		syy += y[i] * y[i]
		sxy += x[i] * y[i]
	}
	return (n*sxy - sx*sy) / math.Sqrt((n*sxx-sx*sx)*(n*syy-sy*sy))
}

func TestCandidatesAreWorthWhatTheirPositionsAre(t *testing.T) {
	s := searcher(t)
	pos := bg.Start()
	info := cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}, Score: bg.Score{Length: 7, OnRoll: 2, Opponent: 4}}
	list, err := s.Rank(t.Context(), &pos, bg.Dice{3, 1}, info, 1)
	require.NoError(t, err)
	flipped := info
	flipped.Cube.Owner, flipped.Score = bg.Opponent, info.Score.Flip()
	v, err := s.Evaluate(t.Context(), &list[0].Play.Result, flipped, list[0].Ply)
	require.NoError(t, err)
	assert.InDelta(t, float64(list[0].Cubeful), -float64(v.Cubeful), 1e-6)
}

func TestLossesAndLuckOfAllDecisionsAddUp(t *testing.T) {
	a := analysis.Analyzer{Searcher: search.New(bgtest.Pips{}, search.Options{Threads: 1}), Threads: 2}
	m, err := a.Match(t.Context(), readMatch(t, "m3a"))
	require.NoError(t, err)
	var losses [2]float64
	for i := range m.Decisions {
		d := &m.Decisions[i]
		require.True(t, d.Evaluated)
		assert.GreaterOrEqual(t, d.Loss, bg.Equity(0))
		if d.Kind == analysis.CheckerPlay {
			require.GreaterOrEqual(t, d.Played, 0)
			require.True(t, d.HasLuck)
			assert.InDelta(t, float64(d.Best-d.Loss), float64(d.Candidates[d.Played].Cubeful), 1e-9)
		}
		losses[d.Player] += float64(d.Loss)
	}
	for i := range losses {
		assert.InDelta(t, losses[i], m.Players[i].Loss(), 1e-9)
		assert.InDelta(t, losses[i], m.Games[0].Players[i].Loss()+m.Games[1].Players[i].Loss(), 1e-9)
	}
	won, ok := m.LuckAdjusted(0)
	lost, _ := m.LuckAdjusted(1)
	assert.True(t, ok)
	assert.InDelta(t, 0, won+lost, 1e-12)
}

func TestAnswersDoNotDependOnThreads(t *testing.T) {
	var results []string
	for _, threads := range []int{1, 4} {
		a := analysis.Analyzer{Searcher: search.New(bgtest.Pips{}, search.Options{Threads: 1}), Threads: threads}
		m, err := a.Match(t.Context(), readMatch(t, "m1a"))
		require.NoError(t, err)
		results = append(results, fmt.Sprint(m.Players, m.Games[0].Players))
	}
	assert.Equal(t, results[0], results[1])
}

func TestAnAnalysisGoesOnFromWhatWasKept(t *testing.T) {
	a := analysis.Analyzer{Searcher: search.New(bgtest.Pips{}, search.Options{Threads: 1}), Threads: 1}
	whole, err := a.Match(t.Context(), readMatch(t, "m1a"))
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(t.Context())
	judged := 0
	a.Progress = func(int, int) {
		if judged++; judged == 20 {
			cancel()
		}
	}
	part, err := a.Match(ctx, readMatch(t, "m1a"))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 20, part.EvaluatedDecisions())
	var b bytes.Buffer
	require.NoError(t, part.Keep(&b))

	rest := analysis.Counts(readMatch(t, "m1a"), nil)
	require.NoError(t, rest.Restore(bytes.NewReader(b.Bytes())))
	assert.Equal(t, part.Players, rest.Players)
	judged = 100 // not canceled again
	require.NoError(t, a.Evaluate(t.Context(), rest))
	assert.Equal(t, 100+len(whole.Decisions)-20, judged, "only what was left is judged")
	assert.Equal(t, whole, rest)

	other := analysis.Counts(readMatch(t, "m3a"), nil)
	require.ErrorIs(t, other.Restore(bytes.NewReader(b.Bytes())), analysis.ErrOtherMatch)
	require.Error(t, other.Restore(strings.NewReader("nonsense")))
	assert.Zero(t, other.EvaluatedDecisions())
}

func TestWithoutACubeNoCubeDecisionIsJudged(t *testing.T) {
	a := analysis.Analyzer{Searcher: search.New(bgtest.Pips{}, search.Options{Threads: 1}), Cubeless: true}
	m, err := a.Match(t.Context(), readMatch(t, "m3a"))
	require.NoError(t, err)
	for _, s := range m.Players {
		assert.Zero(t, s.Cube.Loss)
		assert.Positive(t, s.Checker.Loss)
	}
	for i := range m.Decisions {
		for _, c := range m.Decisions[i].Candidates {
			assert.InDelta(t, float64(c.Equity), float64(c.Cubeful), 1e-6)
		}
	}
}

func TestEachDecisionHasTheSearcherOfItsState(t *testing.T) {
	plain := search.New(bgtest.Pips{}, search.Options{Threads: 1})
	var asked atomic.Int64
	a := analysis.Analyzer{SearcherFor: func(_ context.Context, s *bg.State) (*search.Searcher, error) {
		asked.Add(1)
		require.NoError(t, s.Position.Validate())
		return plain, nil
	}}
	m, err := a.Match(t.Context(), readMatch(t, "m1a"))
	require.NoError(t, err)
	assert.EqualValues(t, len(m.Decisions), asked.Load())
}

func TestRatingsFollowTheErrorRate(t *testing.T) {
	assert.Equal(t, "Supernatural", analysis.Rating(0))
	assert.Equal(t, "World class", analysis.Rating(4.9))
	assert.Equal(t, "Awful!", analysis.Rating(400))
}

func TestCloseDecisionsAreRolledOut(t *testing.T) {
	evaluator := bgtest.Pips{}
	a := analysis.Analyzer{Searcher: search.New(evaluator, search.Options{Threads: 1})}
	a.Rollout = &analysis.Rollout{
		Within: .02, Most: 2,
		Config: func(_ context.Context, s bg.State) (rollout.Config, error) {
			return rollout.Config{
				Settings: rollout.Settings{Trials: 36, Truncate: 2, Seed: 1}, Evaluator: evaluator, Info: cube.InfoOf(&s, nil),
			}, nil
		},
	}
	r := readMatch(t, "m3a")
	r.Games = r.Games[:1]
	r.Games[0].Actions = r.Games[0].Actions[:12]
	m, err := a.Match(t.Context(), r)
	require.NoError(t, err)
	n := 0
	for i := range m.Decisions {
		d := &m.Decisions[i]
		assert.GreaterOrEqual(t, d.Loss, bg.Equity(0))
		if d.Trials == 0 {
			continue
		}
		n++
		assert.Equal(t, 36, d.Trials)
		require.NotEmpty(t, d.StdErrs)
		if d.Kind == analysis.CheckerPlay {
			assert.Len(t, d.StdErrs, 2)
			assert.GreaterOrEqual(t, d.Candidates[0].Cubeful, d.Candidates[1].Cubeful)
			assert.LessOrEqual(t, d.Played, 1)
		}
	}
	assert.Positive(t, n)
}

func TestAnswersToBeaversAreJudgedByTheCubeTheyAreAbout(t *testing.T) {
	a := analysis.Analyzer{Searcher: searcher(t)}
	r := readMatch(t, "s_jacoby")
	r.Games = r.Games[1:2] // double, beaver, raccoon, beaver again, take
	m, err := a.Match(t.Context(), r)
	require.NoError(t, err)
	cubes := []float64{1, 2, 4, 8} // before the last turn
	answers := 0
	for i := range m.Decisions {
		d := &m.Decisions[i]
		if d.Kind != analysis.Answering {
			continue
		}
		require.Equal(t, answers, d.State.Beavers)
		assert.InDelta(t, float64(d.Loss)*cubes[answers], d.LossMWC, 1e-6)
		chosen := map[record.Kind]cube.Action{record.Take: cube.Take, record.Beaver: cube.Beaver}[d.Record.Kind]
		if answers > 0 && chosen == cube.Beaver {
			chosen = cube.Raccoon
		}
		assert.Equal(t, chosen == d.Answer, d.Loss == 0, "answer %d", answers)
		answers++
	}
	assert.Equal(t, 4, answers)
	// The player who was doubled is far behind: both of his beavers are wrong, and worth the same in
	// units of the cube before them; the raccoon between them is right.
	assert.Equal(t, 2, m.Players[1].Beavers.N)
	assert.Equal(t, 1, m.Players[0].Beavers.N, "the take at the end")
	assert.Zero(t, m.Players[0].WrongTakes.N)
}
