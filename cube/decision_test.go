package cube_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"kotra/bg"
	"kotra/cube"
	"kotra/cube/met"
)

func TestVerdictsAreGnubgsWhenTheEquitiesAre(t *testing.T) {
	for _, d := range decisions(t) {
		g := cube.New(d.info())
		got := g.Decide(g.Value(bg.Equity(d.NoDouble)), g.Value(bg.Equity(d.DoubleTake)))
		if !d.Allowed {
			assert.Equal(t, cube.NoCube, got.Action)
			continue
		}
		assert.Equal(t, d.Verdict, got.String(), "%+v", d)
		assert.InDelta(t, d.DoublePass, float64(got.DoublePass), 2e-6)
		if d.Length > 0 {
			assert.InDelta(t, d.MWC.NoDouble, float64(got.NoDoubleMWC), 2e-6)
			assert.InDelta(t, d.MWC.DoubleTake, float64(got.DoubleTakeMWC), 2e-6)
			assert.InDelta(t, d.MWC.DoublePass, float64(got.DoublePassMWC), 2e-6)
		}
	}
}

// grade sums up the yardstick of the reference: what the actions lose by its equities.
type grade struct {
	n            int
	double, take float64
	squares      float64
}

func (s *grade) add(ref equities, got cube.Decision) {
	s.n++
	reply := min(ref.DoubleTake, ref.DoublePass)
	best := max(ref.NoDouble, reply)
	if min(got.DoubleTake, got.DoublePass) > got.NoDouble {
		s.double += best - reply
	} else {
		s.double += best - ref.NoDouble
	}
	if got.DoubleTake <= got.DoublePass {
		s.take += ref.DoubleTake - reply
	} else {
		s.take += ref.DoublePass - reply
	}
	s.squares += math.Pow(float64(got.NoDouble)-ref.NoDouble, 2) + math.Pow(float64(got.DoubleTake)-ref.DoubleTake, 2)
}

func (s *grade) String() string {
	n := float64(s.n)
	return fmt.Sprintf("double error %.2f mp, take error %.2f mp, rms of equities %.1f mp",
		1000*s.double/n, 1000*s.take/n, 1000*math.Sqrt(s.squares/2/n))
}

func TestStaticTheoryIsCloserToTwoPliesThanGnubgAtNone(t *testing.T) {
	// From the 2-ply probabilities of the reference, without search. The limits are what gnubg
	// loses at 0 plies, whose probabilities are worse.
	for name, limit := range map[string]struct{ double, take, rms float64 }{
		"money": {1.89, 1.65, 50}, "match": {4, 1.65, 40},
	} {
		t.Run(name, func(t *testing.T) {
			var s grade
			for _, d := range decisions(t) {
				if d.Allowed && (d.Length > 0) == (name == "match") {
					s.add(d.equities, cube.Static(d.probs(), d.info(), d.efficiency()))
				}
			}
			t.Log(s.String())
			assert.Less(t, 1000*s.double/float64(s.n), limit.double)
			assert.Less(t, 1000*s.take/float64(s.n), limit.take)
			assert.Less(t, 1000*math.Sqrt(s.squares/2/float64(s.n)), limit.rms)
		})
	}
}

func TestTooGoodNeedsGammonsThatCount(t *testing.T) {
	// XGID=bBBBCCC----------c-ddb----, probabilities of gnubg at 2 plies.
	p := bg.Probs{Win: .962, WinGammon: .676, WinBackgammon: .006}
	info := cube.Info{Cube: bg.Cube{Value: 1}}
	d := cube.Static(&p, info, .68)
	assert.Equal(t, "Too good to double, pass", d.String())
	assert.Equal(t, "too_good_pass", d.Action.Code())
	info.Rules.Jacoby = true
	d = cube.Static(&p, info, .68)
	assert.Equal(t, "Double, pass", d.String())
	info.Cube = bg.Cube{Value: 2, Owner: bg.OnRoll}
	d = cube.Static(&p, info, .68)
	assert.Equal(t, "Too good to redouble, pass", d.String())
}

func TestTwoAwayTwoAwayLastRoll(t *testing.T) {
	// 19 of 36 rolls win; the game ends with this roll, so the cube is dead.
	p := bg.Probs{Win: 19. / 36}
	e := float64(met.KazarossXG2().PreCrawford(1, 2))
	d := cube.Static(&p, cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 5, OnRoll: 3, Opponent: 3}}, 0)
	assert.InDelta(t, 19./36*e+17./36*(1-e), float64(d.NoDoubleMWC), 1e-7)
	assert.InDelta(t, 19./36, float64(d.DoubleTakeMWC), 1e-7)
	assert.InDelta(t, e, float64(d.DoublePassMWC), 1e-7)
	assert.InDelta(t, .056, float64(d.NoDouble), 5e-4)
	assert.InDelta(t, .157, float64(d.DoubleTake), 5e-4)
	assert.Equal(t, "Double, take", d.String())
}

func TestTrailerAfterTheCrawfordGameLosesNothingByWaiting(t *testing.T) {
	// The start position at 3-away 1-away, probabilities of gnubg at 2 plies.
	p := bg.Probs{Win: .525, WinGammon: .148, WinBackgammon: .007, LoseGammon: .123, LoseBackgammon: .005}
	info := cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 5, OnRoll: 2, Opponent: 4}}
	for _, x := range []float64{0, .5, 1} {
		d := cube.Static(&p, info, x)
		assert.Equal(t, "Optional double, take", d.String())
		assert.Equal(t, "optional_double", d.Action.Code())
		assert.InDelta(t, .38, float64(d.DoubleTake), .02)
		assert.Equal(t, cube.Take, d.Answer())
	}
}

func TestBeaversAndRaccoons(t *testing.T) {
	info := cube.Info{Cube: bg.Cube{Value: 1}, Rules: bg.Rules{Beavers: 3}}
	p := bg.Probs{Win: .521, WinGammon: .154, WinBackgammon: .008, LoseGammon: .130, LoseBackgammon: .008}
	d := cube.Static(&p, info, .68)
	assert.Equal(t, "No double, beaver", d.String())
	assert.Equal(t, cube.Beaver, d.Answer())
	assert.InDelta(t, .231, d.Nerve, .01) // gnubg prints 23.1%
	assert.Equal(t, 2*d.DoubleTake, d.Beaver)
	assert.InDelta(t, -float64(d.DoubleTake), float64(d.TakeLoss(cube.Take)), rounding)
	assert.Zero(t, d.TakeLoss(cube.Beaver))

	// With the Jacoby rule a double can gain although the opponent is the favorite.
	info.Rules.Jacoby = true
	p = bg.Probs{Win: .45, WinGammon: .44, LoseGammon: .001}
	d = cube.Static(&p, info, 0)
	assert.Equal(t, "Double, take", d.String())
	p = bg.Probs{Win: .333, WinGammon: .333, LoseGammon: .001}
	d = cube.Static(&p, info, 0)
	assert.Equal(t, "Double, beaver", d.String())
	assert.True(t, d.Action.Doubles() && d.Action.Takes())

	info.Rules.Beavers = 0
	d = cube.Static(&p, info, 0)
	assert.Equal(t, "Double, take", d.String())

	g := cube.New(cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.Opponent}, Rules: bg.Rules{Beavers: 2}})
	assert.Equal(t, cube.Raccoon, g.AnswerBeaver(1, .1))
	assert.Equal(t, cube.Take, g.AnswerBeaver(2, .1), "two in a row are allowed")
	assert.Equal(t, cube.Take, g.AnswerBeaver(1, -.9))
	assert.Equal(t, cube.Pass, g.AnswerBeaver(1, -1.1))
	match := cube.New(cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 5}, Rules: bg.Rules{Beavers: 3}})
	assert.False(t, match.CanBeaver(0))
}

func TestLossesAreThoseOfTheWrongAction(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 3000 {
		p, info := randomProbs(rng), randomInfo(rng)
		d := cube.Static(&p, info, rng.Float64())
		assert.InDelta(t, 0, float64(d.DoubleLoss(d.Action.Doubles())), 2e-5)
		assert.GreaterOrEqual(t, d.DoubleLoss(true), bg.Equity(0))
		assert.GreaterOrEqual(t, d.DoubleLoss(false), bg.Equity(0))
		if d.Action != cube.NoCube {
			assert.InDelta(t, 0, float64(d.TakeLoss(d.Answer())), rounding)
			assert.GreaterOrEqual(t, d.TakeLoss(cube.Take), bg.Equity(0))
			assert.GreaterOrEqual(t, d.TakeLoss(cube.Pass), bg.Equity(0))
			assert.InDelta(t, float64(d.Optimal()), float64(d.NoDouble+d.DoubleLoss(false)), rounding)
		}
		assert.True(t, d.Nerve >= 0 && d.Nerve <= 1, "%+v", d)
		assert.NotEmpty(t, d.Action.Code())
	}
}

func TestWindowAgreesWithDecisions(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 2000 {
		p, info, x := randomProbs(rng), randomInfo(rng), rng.Float64()
		if p.Win < .01 || p.Win > .99 {
			continue
		}
		l, s, _ := leaf(p, info)
		w := l.Window(s, x)
		d := cube.Static(&p, info, x)
		win := float64(p.Win)
		near := func(point float64) bool { return math.Abs(win-point) < 1e-4 }
		if !s.Live() || near(w.Cash) || near(w.Double) || near(w.TooGood) || d.Action == cube.OptionalDoubleTake {
			continue
		}
		assert.Equal(t, d.Action.Takes(), win < w.Cash, "%+v %+v", info, d)
		if w.Double < w.Cash && w.TooGood >= w.Cash {
			assert.Equal(t, d.Action.Doubles(), win > w.Double && win < w.TooGood, "%+v %+v %+v %+v", info, p, d, w)
		}
	}
}

func TestGammonPricesAreThoseOfTheCube(t *testing.T) {
	g := cube.New(cube.Info{Cube: bg.Cube{Value: 1}})
	assert.Equal(t, met.GammonPrices{WinGammon: .5, WinBackgammon: .5, LoseGammon: .5, LoseBackgammon: .5}, g.GammonPrices())
	g = cube.New(cube.Info{Cube: bg.Cube{Value: 1}, Rules: bg.Rules{Jacoby: true}})
	assert.Zero(t, g.GammonPrices())
	g = cube.New(cube.Info{Cube: bg.Cube{Value: 2}, Score: bg.Score{Length: 5, OnRoll: 3}})
	assert.Zero(t, g.GammonPrices().WinGammon)
	assert.Positive(t, g.GammonPrices().LoseGammon)
}

func TestInfoOfAStateSeesTheRightSideOfAHandicapTable(t *testing.T) {
	s := bg.NewGame(bg.Rules{})
	s.Score = bg.Score{Length: 7}
	info := cube.InfoOf(&s, nil)
	assert.Same(t, met.KazarossXG2(), info.Table)
	assert.Equal(t, s.Cube, info.Cube)
	assert.Equal(t, s.Score, info.Score)
}

func ExampleStatic() {
	// The start position, for money with the Jacoby rule.
	p := bg.Probs{Win: .521, WinGammon: .154, WinBackgammon: .008, LoseGammon: .130, LoseBackgammon: .008}
	info := cube.Info{Cube: bg.Cube{Value: 1}, Rules: bg.Rules{Jacoby: true}}
	e := info.Efficiency()
	d := cube.Static(&p, info, e.Contact)
	fmt.Printf("%s (%.1f%%): %+.3f %+.3f %+.3f\n", &d, 100*d.Nerve, d.NoDouble, d.DoubleTake, d.DoublePass)
	// Output:
	// No double, take (25.9%): +0.088 -0.232 +1.000
}

func ExampleLeaf() {
	// The same position at 4-away 2-away, seen by the trailer, whose cube wins the match: he
	// doubles and takes with less than at money.
	p := bg.Probs{Win: .521, WinGammon: .154, WinBackgammon: .008, LoseGammon: .130, LoseBackgammon: .008}
	g := cube.New(cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 7, OnRoll: 3, Opponent: 5}})
	var l cube.Leaf
	l.Set(&p, g.State())
	w := l.Window(g.State(), .68)
	fmt.Printf("value %+.3f, take %.3f, double %.3f, cash %.3f\n", g.Equity(l.Value(g.State(), .68)), w.Take, w.Double, w.Cash)
	// Output:
	// value +0.413, take 0.186, double 0.497, cash 0.618
}
