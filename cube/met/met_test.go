package met_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/cube/met"
)

type vector struct {
	Table        string
	Length       int
	Me, Opp      int
	Cube         int
	Owner        string
	Crawford     bool
	MWCWin       [3]float64 `json:"mwc_win"`
	MWCLose      [3]float64 `json:"mwc_lose"`
	AtZero       float64    `json:"mwc_at_equity_0"`
	AtHalf       float64    `json:"equity_at_mwc_half"`
	MyTakePoint  *float64   `json:"my_take_point"`
	OppTakePoint *float64   `json:"opp_take_point"`
	GammonValues struct {
		MeGammon      float64 `json:"me_gammon"`
		MeBackgammon  float64 `json:"me_backgammon"`
		OppGammon     float64 `json:"opp_gammon"`
		OppBackgammon float64 `json:"opp_backgammon"`
	} `json:"gammon_values"`
	Gnubg struct {
		MWCAtEquity map[string]float64 `json:"mwc_at_equity"`
		AtHalf      float64            `json:"equity_at_mwc_half"`
	}
}

func vectors(t *testing.T) (all []vector) {
	t.Helper()
	f, err := os.Open("testdata/cases.jsonl.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	for lines := bufio.NewScanner(z); lines.Scan(); {
		var v vector
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		all = append(all, v)
	}
	require.Len(t, all, 100)
	return all
}

func tables() map[string]*met.Table {
	return map[string]*met.Table{"Kazaross-XG2": met.KazarossXG2(), "Rockwell-Kazaross": met.RockwellKazaross()}
}

// The tolerances of the reference: chances are exact sums of table entries; gnubg's own numbers
// and its equities are in single precision.
const (
	exact  = 1e-7
	single = 2.2e-5
)

func TestOutcomesEqualTheReference(t *testing.T) {
	for i, v := range vectors(t) {
		t.Run(strconv.Itoa(i+1), func(t *testing.T) {
			score := bg.Score{Length: v.Length, OnRoll: v.Me, Opponent: v.Opp, Crawford: v.Crawford}
			o := tables()[v.Table].Outcomes(score, v.Cube, bg.Rules{})
			for k := range o.Win {
				assert.InDelta(t, v.MWCWin[k], float64(o.Win[k]), exact)
				assert.InDelta(t, v.MWCLose[k], float64(o.Lose[k]), exact)
			}
			assert.InDelta(t, v.AtZero, float64(o.MWC(0)), exact)
			assert.InDelta(t, v.AtHalf, float64(o.Equity(.5)), 2*exact)
			for eq, want := range v.Gnubg.MWCAtEquity {
				x, err := strconv.ParseFloat(eq, 64)
				require.NoError(t, err)
				assert.InDelta(t, want, float64(o.MWC(bg.Equity(x))), 2e-7)
			}
			prices := o.GammonPrices()
			assert.InDelta(t, v.GammonValues.MeGammon, prices.WinGammon, exact)
			assert.InDelta(t, v.GammonValues.MeBackgammon, prices.WinBackgammon, exact)
			assert.InDelta(t, v.GammonValues.OppGammon, prices.LoseGammon, exact)
			assert.InDelta(t, v.GammonValues.OppBackgammon, prices.LoseBackgammon, exact)
		})
	}
}

func TestTakePointsEqualTheReference(t *testing.T) {
	for i, v := range vectors(t) {
		t.Run(strconv.Itoa(i+1), func(t *testing.T) {
			score := bg.Score{Length: v.Length, OnRoll: v.Me, Opponent: v.Opp, Crawford: v.Crawford}
			table := tables()[v.Table]
			if v.MyTakePoint != nil {
				assert.InDelta(t, *v.MyTakePoint, table.TakePoint(score, v.Cube, bg.Rules{}), exact)
			}
			if v.OppTakePoint != nil {
				assert.InDelta(t, *v.OppTakePoint, 1-table.CashPoint(score, v.Cube, bg.Rules{}), exact)
			}
		})
	}
}

func TestTablesAreAntisymmetricMonotoneAndBounded(t *testing.T) {
	for name, table := range tables() {
		t.Run(name, func(t *testing.T) {
			assert.Same(t, table, table.Flip())
			for i := 1; i <= met.MaxAway; i++ {
				for j := 1; j <= met.MaxAway; j++ {
					m := table.PreCrawford(i, j)
					assert.InDelta(t, 1, float64(m+table.PreCrawford(j, i)), 1e-12)
					assert.True(t, m > 0 && m < 1)
					assert.Less(t, m, table.PreCrawford(i-1, j), "%d-away %d-away", i, j)
					assert.Greater(t, m, table.PreCrawford(i, j-1), "%d-away %d-away", i, j)
				}
				assert.InDelta(t, .5, float64(table.PreCrawford(i, i)), 1e-12)
				assert.Less(t, table.PostCrawford(i, 1), table.PostCrawford(i-1, 1))
				assert.InDelta(t, 1, float64(table.PostCrawford(i, 1)+table.PostCrawford(1, i)), 1e-12)
			}
		})
	}
}

func TestExtensionReproducesTheTableWhereItIsKnown(t *testing.T) {
	// A table cut down to 18 points and extended again comes back within 2.5 thousandths.
	table := met.KazarossXG2()
	cut := met.CutForTest(table, 18)
	worst := 0.
	for i := 1; i <= 25; i++ {
		for j := 1; j <= 25; j++ {
			worst = max(worst, math.Abs(float64(table.PreCrawford(i, j)-cut.PreCrawford(i, j))))
		}
	}
	assert.Less(t, worst, .0025)
}

func TestNextScoreKnowsTheCrawfordGame(t *testing.T) {
	tests := []struct {
		name     string
		score    bg.Score
		rules    bg.Rules
		points   int
		won      bool
		crawford bool
	}{
		{"reaching 1-away", bg.Score{Length: 5, OnRoll: 3, Opponent: 1}, bg.Rules{}, 1, true, true},
		{"opponent reaches 1-away", bg.Score{Length: 5, OnRoll: 3, Opponent: 2}, bg.Rules{}, 2, false, true},
		{"not near the end", bg.Score{Length: 5}, bg.Rules{}, 2, false, false},
		{"the Crawford game was played", bg.Score{Length: 5, OnRoll: 4, Crawford: true}, bg.Rules{}, 2, false, false},
		{"after the Crawford game", bg.Score{Length: 5, OnRoll: 4}, bg.Rules{}, 1, false, false},
		{"both at 1-away", bg.Score{Length: 5, OnRoll: 4, Opponent: 3}, bg.Rules{}, 1, false, false},
		{"without the rule", bg.Score{Length: 5, OnRoll: 3}, bg.Rules{NoCrawford: true}, 1, true, false},
		{"the match is over", bg.Score{Length: 5, OnRoll: 3}, bg.Rules{}, 2, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.crawford, met.Next(tt.score, tt.rules, tt.points, tt.won).Crawford)
			assert.Equal(t, met.Next(tt.score, tt.rules, tt.points, tt.won).Flip(), met.Next(tt.score.Flip(), tt.rules, tt.points, !tt.won))
		})
	}
}

func TestMatchWithoutCrawfordRuleGoesOnWithTheCube(t *testing.T) {
	table := met.KazarossXG2()
	s := bg.Score{Length: 5, OnRoll: 3, Opponent: 2}
	assert.Equal(t, table.PreCrawford(1, 3), table.After(s, bg.Rules{}, 1, true))
	assert.Equal(t, table.PostCrawford(1, 3), table.After(s, bg.Rules{NoCrawford: true}, 1, true))
}

func TestOutcomesTurnRound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	table := met.KazarossXG2()
	for range 200 {
		s := bg.Score{Length: 1 + rng.IntN(40)}
		s.OnRoll, s.Opponent = rng.IntN(s.Length), rng.IntN(s.Length)
		cube := 1 << rng.IntN(4)
		o, f := table.Outcomes(s, cube, bg.Rules{}), table.Outcomes(s.Flip(), cube, bg.Rules{})
		for k, x := range f.Flip().Win {
			assert.InDelta(t, float64(o.Win[k]), float64(x), 1e-12)
		}
		eq := bg.Equity(4*rng.Float64() - 2)
		assert.InDelta(t, float64(eq), float64(o.Equity(o.MWC(eq))), 1e-9)
		assert.InDelta(t, 1-float64(o.MWC(eq)), float64(f.MWC(-eq)), 1e-12)
	}
}

func TestMeanOfDecidedGamesIsTheirOutcome(t *testing.T) {
	o := met.KazarossXG2().Outcomes(bg.Score{Length: 9, OnRoll: 2, Opponent: 5}, 2, bg.Rules{})
	for i, r := range []bg.Result{bg.Single, bg.Gammon, bg.Backgammon} {
		win, lose := bg.Decided(r, true), bg.Decided(r, false)
		assert.InDelta(t, float64(o.Win[i]), float64(o.Mean(&win)), 1e-12)
		assert.InDelta(t, float64(o.Lose[i]), float64(o.Mean(&lose)), 1e-12)
	}
}

func TestBackgammonMayCountTwo(t *testing.T) {
	o := met.KazarossXG2().Outcomes(bg.Score{Length: 9}, 1, bg.Rules{DoubleBackgammon: true})
	assert.Equal(t, o.Win[1], o.Win[2])
	assert.Equal(t, o.Lose[1], o.Lose[2])
}

func TestLongerMatchesThanTheTableStillHaveAStake(t *testing.T) {
	table := met.KazarossXG2()
	o := table.Outcomes(bg.Score{Length: 200, OnRoll: 3}, 1, bg.Rules{})
	assert.Greater(t, o.Win[0], o.Lose[0])
	assert.InDelta(t, .5, float64(table.PreCrawford(150, 150)), 1e-12)
	assert.Zero(t, table.PreCrawford(150, 0))
}

func Example() {
	table := met.KazarossXG2()
	score := bg.Score{Length: 5, OnRoll: 3, Opponent: 2} // 2-away 3-away
	o := table.Outcomes(score, 1, bg.Rules{})
	fmt.Printf("now %.4f, after a win %.4f, after a loss %.4f\n", table.MWC(score), o.Win[0], o.Lose[0])
	fmt.Printf("a gammon won is worth %.3f, a gammon lost %.3f\n", o.GammonPrices().WinGammon, o.GammonPrices().LoseGammon)
	fmt.Printf("take point of the player on roll %.3f\n", table.TakePoint(score, 1, bg.Rules{}))
	// Output:
	// now 0.5995, after a win 0.7508, after a loss 0.5000
	// a gammon won is worth 0.994, a gammon lost 0.707
	// take point of the player on roll 0.262
}
