package kotra_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra"
	"kotra/bg"
	"kotra/cube"
	"kotra/eval/bearoff"
	"kotra/internal/bgtest"
)

// exactEngine returns an engine that knows small bearoffs exactly.
func exactEngine(t *testing.T) *kotra.Engine {
	t.Helper()
	table, err := bearoff.BuildTwoSided(context.Background(), 6, 2, 1, nil)
	require.NoError(t, err)
	return newEngine(t, kotra.Options{Evaluator: bgtest.Pips{}, TwoSided: table, CubePly: 1})
}

func TestBeaversAreAnsweredByTheSignOfTheEquity(t *testing.T) {
	ctx := context.Background()
	e := exactEngine(t)
	// One checker against one: 27 of 36 rolls win on the spot, or only 4 for two.
	tests := []struct {
		name, position string
		beavers        int
		rule           int
		take           float64
		want           cube.Action
	}{
		{"raccoon", "6:1 | 24:1", 1, 3, 2 * .5, cube.Raccoon},
		{"raccoons are not allowed", "6:1 | 24:1", 1, 1, 2 * .5, cube.Take},
		{"a raccoon against nine rolls in ten is passed", "2:1 | 24:1", 2, 3, -2, cube.Pass},
		{"the player who doubled passes", "6:1 6:1 | 24:1", 1, 3, 2 * (2*4./36 - 1), cube.Pass},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := bg.NewGame(bg.Rules{Beavers: tt.rule})
			s.Position = bgtest.Position(t, tt.position)
			s.Cube = bg.Cube{Value: 2, Owner: bg.Opponent}
			s.Doubled, s.Beavers = true, tt.beavers
			require.NoError(t, s.Validate())
			a, err := e.AnswerBeaver(ctx, s)
			require.NoError(t, err)
			assert.InDelta(t, tt.take, float64(a.Take), 1e-6)
			assert.Equal(t, tt.want, a.Action)
			assert.Equal(t, bg.Equity(-1), a.Pass)
			if tt.rule > tt.beavers {
				require.NotNil(t, a.Turn)
				assert.InDelta(t, 2*tt.take, float64(*a.Turn), 1e-6)
			} else {
				assert.Nil(t, a.Turn)
			}
		})
	}
}

func TestLostGamesAreResigned(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, kotra.Options{Evaluator: bgtest.Pips{}})
	tests := []struct {
		name, position string
		jacoby         bool
		want           bg.Result
	}{
		{"a checker is off", "1:14 | 24:2", false, bg.Single},
		{"gammon", "13:15 | 24:2", false, bg.Gammon},
		{"backgammon", "23:10 13:5 | 24:2", false, bg.Backgammon},
		{"gammons do not count", "13:15 | 24:2", true, bg.Single},
		{"alive", "6:1 | 19:1", false, bg.Unfinished},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := bg.NewGame(bg.Rules{Jacoby: tt.jacoby})
			s.Position = bgtest.Position(t, tt.position)
			got, err := newEngine(t, kotra.Options{Evaluator: lost{}}).Resign(ctx, s)
			require.NoError(t, err)
			if tt.want == bg.Unfinished {
				got, err = e.Resign(ctx, s)
				require.NoError(t, err)
			}
			assert.Equal(t, tt.want, got)
			assert.LessOrEqual(t, got, cube.MaxLoss(&s.Position))
		})
	}
}

// lost thinks that everything is lost in the worst way.
type lost struct{}

func (lost) Evaluate(pos *bg.Position) bg.Probs {
	if r, won := pos.Result(); r != bg.Unfinished {
		return bg.Decided(r, won)
	}
	p := bg.Probs{}
	if most := cube.MaxLoss(pos); most >= bg.Gammon {
		p.LoseGammon = 1
		if most == bg.Backgammon {
			p.LoseBackgammon = 1
		}
	}
	return p
}

func TestResignationsAreAcceptedIfNothingMoreIsToBeWon(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, kotra.Options{Evaluator: lost{}})
	s := bg.NewGame(bg.Rules{})
	s.Position = bgtest.Position(t, "13:15 | 24:2")
	for offered, want := range map[bg.Result]bool{bg.Single: false, bg.Gammon: true, bg.Backgammon: true} {
		s.Resigned = offered
		r, err := e.AcceptResignation(ctx, s)
		require.NoError(t, err)
		assert.Equal(t, want, r.Accept, "%v", offered)
		assert.Equal(t, bg.Equity(offered), r.Accepted)
		assert.Equal(t, bg.Equity(2), r.Cubeful, "playing on, seen by the one who may accept")
		assert.InDelta(t, 1, r.Probs.Win, 1e-6)
	}
	s.Score = bg.Score{Length: 3, OnRoll: 1, Opponent: 2} // a single game is enough
	s.Resigned = bg.Single
	r, err := e.AcceptResignation(ctx, s)
	require.NoError(t, err)
	assert.True(t, r.Accept)
	require.NotNil(t, r.MWC)
	assert.InDelta(t, 1, *r.MWC, 1e-9)
}

func TestCubePointsForMoneyWithoutGammonsAreTheKnownOnes(t *testing.T) {
	e := newEngine(t, kotra.Options{Evaluator: bgtest.Pips{}})
	s := bg.NewGame(bg.Rules{})
	p := e.CubePoints(s, bg.Probs{Win: .6})
	assert.InDelta(t, .75, p.Dead.Cash, 1e-6)
	assert.InDelta(t, .5, p.Dead.Double, 1e-6)
	assert.InDelta(t, .8, p.Live.Cash, 1e-6)
	assert.InDelta(t, 1, p.Live.TooGood, 1e-6)
	assert.InDelta(t, .5, p.Gammons.WinGammon, 1e-12)
	assert.Less(t, p.Dead.Cash, p.Cubeful.Cash)
	assert.Less(t, p.Cubeful.Cash, p.Live.Cash)
}
