package kotra_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra"
	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/internal/bgtest"
)

func newEngine(t testing.TB, o kotra.Options) *kotra.Engine {
	t.Helper()
	e, err := kotra.New(o)
	require.NoError(t, err)
	return e
}

func TestBestOpening31MakesTheFivePoint(t *testing.T) {
	for ply := range 3 {
		e := newEngine(t, kotra.Options{Ply: ply})
		s := bg.NewGame(bg.Rules{Jacoby: true})
		s.Dice = bg.Dice{3, 1}
		candidates, err := e.RankMoves(context.Background(), s)
		require.NoError(t, err)
		require.Len(t, candidates, 16)
		assert.Equal(t, "8/5 6/5", candidates[0].Play.Move.String(), "%d ply", ply)
		best, err := e.BestMove(context.Background(), s)
		require.NoError(t, err)
		assert.Equal(t, candidates[0].Play, best)
	}
}

func TestStartIsNoDoubleAndATake(t *testing.T) {
	e := newEngine(t, kotra.Options{CubePly: 1})
	d, err := e.CubeAction(context.Background(), bg.NewGame(bg.Rules{Jacoby: true}))
	require.NoError(t, err)
	assert.Equal(t, cube.NoDoubleTake, d.Action)
	assert.Equal(t, bg.Equity(1), d.DoublePass)
	assert.Less(t, d.DoubleTake, d.NoDouble)
}

func TestEvaluationIsSeenByThePlayerWhoDecides(t *testing.T) {
	e := newEngine(t, kotra.Options{Evaluator: bgtest.Pips{}, Ply: 1})
	s := bg.NewGame(bg.Rules{})
	s.Score = bg.Score{Length: 7, OnRoll: 2, Opponent: 5}
	mine, err := e.Evaluate(context.Background(), s)
	require.NoError(t, err)
	assert.Equal(t, eval.Contact, mine.Class)
	assert.Equal(t, 1, mine.Ply)
	require.NotNil(t, mine.MWC)
	s.Doubled = true
	theirs, err := e.Evaluate(context.Background(), s)
	require.NoError(t, err)
	assert.Equal(t, mine.Probs.Flip(), theirs.Probs)
	assert.Equal(t, -mine.Cubeful, theirs.Cubeful)
	assert.InDelta(t, 1-*mine.MWC, *theirs.MWC, 1e-12)
}

func TestMoneyHasNoMatchWinningChance(t *testing.T) {
	e := newEngine(t, kotra.Options{Evaluator: bgtest.Pips{}})
	v, err := e.Evaluate(context.Background(), bg.NewGame(bg.Rules{}))
	require.NoError(t, err)
	assert.Nil(t, v.MWC)
}

func TestCubelessEngineHasNoCube(t *testing.T) {
	e := newEngine(t, kotra.Options{Evaluator: bgtest.Pips{}, Cubeless: true, Ply: 1, CubePly: 1})
	s := bg.NewGame(bg.Rules{})
	d, v, err := e.EvaluateCube(context.Background(), s)
	require.NoError(t, err)
	assert.Equal(t, cube.NoCube, d.Action)
	assert.Equal(t, v.Equity, v.Cubeful)
	assert.InDelta(t, float64(v.Equity), float64(d.NoDouble), 1e-9)
}

func TestQuestionsWithoutAnAnswerAreErrors(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, kotra.Options{Evaluator: bgtest.Pips{}})
	s := bg.NewGame(bg.Rules{})
	_, err := e.RankMoves(ctx, s)
	require.ErrorIs(t, err, kotra.ErrNotRolled)
	_, err = e.BestMove(ctx, s)
	require.ErrorIs(t, err, kotra.ErrNotRolled)

	s.Dice = bg.Dice{6, 5}
	_, err = e.CubeAction(ctx, s)
	require.ErrorIs(t, err, kotra.ErrRolled)

	s.Position = bgtest.Position(t, "| 20:3")
	_, err = e.RankMoves(ctx, s)
	require.ErrorIs(t, err, kotra.ErrOver)

	s.Position = bg.Position{}
	_, err = e.RankMoves(ctx, s)
	require.ErrorIs(t, err, bg.ErrPosition)

	_, err = kotra.New(kotra.Options{Ply: 99})
	require.Error(t, err)
	_, err = kotra.New(kotra.Options{Weights: "no such file"})
	require.Error(t, err)
}

func TestBearoffsForMoneyAreExact(t *testing.T) {
	// Fractions of an exact solver.
	tests := []struct {
		name, position      string
		owner               bg.Owner
		noDouble, take, win float64
		want                cube.Action
	}{
		{"Jacoby's paradox", "2:1 5:1 | 21:1 24:1", bg.OnRoll, 155. / 648, 1. / 9, 1805. / 2916, cube.NoDoubleTake},
		{"the least that may be taken", "6:1 | 19:1", bg.Centered, 1. / 2, 1, 13. / 16, cube.DoubleTake},
	}
	table, err := bearoff.BuildTwoSided(context.Background(), 6, 2, 1, nil)
	require.NoError(t, err)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := newEngine(t, kotra.Options{Evaluator: bgtest.Pips{}, TwoSided: table, CubePly: 2})
			s := bg.NewGame(bg.Rules{})
			s.Position = bgtest.Position(t, tt.position)
			s.Cube = bg.Cube{Value: 2, Owner: tt.owner}
			d, v, err := e.EvaluateCube(context.Background(), s)
			require.NoError(t, err)
			assert.InDelta(t, tt.noDouble, float64(d.NoDouble), 1e-6)
			assert.InDelta(t, tt.take, float64(d.DoubleTake), 1e-6)
			assert.InDelta(t, tt.win, float64(v.Probs.Win), 1e-6)
			assert.Equal(t, tt.want, d.Action)
		})
	}
}

func TestTableForBearoffsIsMadeWhenNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the default tables")
	}
	e := newEngine(t, kotra.Options{Evaluator: bgtest.Pips{}, CacheDir: t.TempDir(), CubePly: 1})
	// Fractions of an exact solver.
	tests := []struct {
		name, position       string
		owner                bg.Owner
		noDouble, doubleTake float64
		want                 string
	}{
		{"three rolls", "1:6 | 24:6", bg.Centered, 83. / 108, 373. / 324, "Double, pass"},
		{"five rolls, cube in the middle", "1:10 | 24:10", bg.Centered, 295729. / 419904, 305233. / 419904, "Double, take"},
		{"five rolls, own cube", "1:10 | 24:10", bg.OnRoll, 158177. / 209952, 305233. / 419904, "No redouble, take"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := bg.NewGame(bg.Rules{})
			s.Position = bgtest.Position(t, tt.position)
			if tt.owner == bg.OnRoll {
				s.Cube = bg.Cube{Value: 2, Owner: bg.OnRoll}
			}
			d, err := e.CubeAction(context.Background(), s)
			require.NoError(t, err)
			assert.InDelta(t, tt.noDouble, float64(d.NoDouble), 1e-6)
			assert.InDelta(t, tt.doubleTake, float64(d.DoubleTake), 1e-6)
			assert.Equal(t, tt.want, d.String())
		})
	}
}

func TestLastRollAtTwoAwayIsExact(t *testing.T) {
	s := bg.NewGame(bg.Rules{})
	s.Score = bg.Score{Length: 5, OnRoll: 3, Opponent: 3}
	s.Position = bgtest.Position(t, "2:1 5:1 | 24:1")
	d, err := exactEngine(t).CubeAction(context.Background(), s)
	require.NoError(t, err)
	const crawford = .67736 // at 1-away 2-away in Kazaross-XG2
	assert.InDelta(t, 19./36, float64(d.DoubleTakeMWC), 1e-6)
	assert.InDelta(t, (19*crawford+17*(1-crawford))/36, float64(d.NoDoubleMWC), 1e-5)
	assert.Equal(t, "Double, take", d.String())
}

func TestJacobyRuleAllowsNothingTooGood(t *testing.T) {
	for jacoby, want := range map[bool]string{true: "Double, pass", false: "Too good to double, pass"} {
		s := bg.NewGame(bg.Rules{Jacoby: jacoby})
		var err error
		s.Position, err = bg.ParsePositionID("2HsOAGDb7g4AAA")
		require.NoError(t, err)
		gammonish := bgtest.Constant{Win: .99, WinGammon: .9, LoseGammon: 0}
		d, err := newEngine(t, kotra.Options{Evaluator: gammonish}).CubeAction(context.Background(), s)
		require.NoError(t, err)
		assert.Equal(t, want, d.String())
		if jacoby {
			assert.LessOrEqual(t, d.NoDouble, d.DoublePass)
		}
	}
}

func TestTrailerDoublesAtOnceAfterTheCrawfordGame(t *testing.T) {
	s := bg.NewGame(bg.Rules{})
	s.Score = bg.Score{Length: 5, OnRoll: 2, Opponent: 4}
	for ply := range 2 {
		d, err := newEngine(t, kotra.Options{Evaluator: bgtest.Pips{}, CubePly: ply}).CubeAction(context.Background(), s)
		require.NoError(t, err)
		assert.True(t, d.Action.Doubles(), d.String())
		assert.True(t, d.Action.Takes(), d.String())
		assert.InDelta(t, 1, float64(d.DoublePass), 1e-6)
		assert.InDelta(t, float64(d.DoubleTake), float64(d.NoDouble), .02)
	}
}

func ExampleEngine_RankMoves() {
	engine, err := kotra.New(kotra.Options{Ply: 1})
	if err != nil {
		panic(err)
	}
	state := bg.NewGame(bg.Rules{Jacoby: true})
	state.Dice = bg.Dice{3, 1}
	candidates, err := engine.RankMoves(context.Background(), state)
	if err != nil {
		panic(err)
	}
	fmt.Println(candidates[0].Play.Move.String())
	// Output: 8/5 6/5
}
