package cube_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/cube"
)

const rounding = 1e-9 // sums in double precision of values in single precision

func leaf(p bg.Probs, info cube.Info) (*cube.Leaf, cube.State, *cube.Game) {
	g := cube.New(info)
	l := new(cube.Leaf)
	l.Set(&p, g.State())
	return l, g.State(), g
}

func TestMoneyWithoutGammonsHasTheKnownPoints(t *testing.T) {
	tests := []struct {
		name             string
		x                float64
		take, cash       float64
		initial, redoubl float64 // where the first double and a redouble become right
	}{
		{"dead cube", 0, .25, .75, .5, .5},
		{"live cube", 1, .2, .8, .8, .8},
		{"two thirds", 2. / 3, 3. / 14, 11. / 14, .6875, 5. / 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, s, _ := leaf(bg.Probs{Win: .5}, cube.Info{Cube: bg.Cube{Value: 1}})
			w := l.Window(s, tt.x)
			assert.InDelta(t, tt.take, w.Take, 1e-6)
			assert.InDelta(t, tt.cash, w.Cash, 1e-6)
			assert.InDelta(t, tt.initial, w.Double, 1e-6)
			assert.Equal(t, 1., w.TooGood)
			l, s, _ = leaf(bg.Probs{Win: .5}, cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}})
			assert.InDelta(t, tt.redoubl, l.Window(s, tt.x).Double, 1e-6)
		})
	}
}

func TestMoneyFollowsJanowski(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		p, x := randomProbs(rng), rng.Float64()
		if p.Win < .01 || p.Win > .99 {
			continue
		}
		pw := float64(p.Win)
		w := 1 + float64(p.WinGammon+p.WinBackgammon)/pw
		ls := 1 + float64(p.LoseGammon+p.LoseBackgammon)/(1-pw)
		l, s, g := leaf(p, cube.Info{Cube: bg.Cube{Value: 4, Owner: bg.OnRoll}})
		if pw < (ls+1)/(w+ls+.5) {
			assert.InDelta(t, pw*(w+ls+x/2)-ls, float64(g.Equity(l.NoDouble(s, x))), 1e-5)
		}
		if pw > (ls-.5)/(w+ls+.5) {
			got := l.NoDouble(s.Double(), x) / 8
			assert.InDelta(t, pw*(w+ls+x/2)-ls-x/2, float64(got), 1e-5)
		}
		win := l.Window(s, x)
		assert.InDelta(t, min((ls+.5+x/2)/(w+ls+x/2), 1), win.Cash, 1e-5)
		l, s, _ = leaf(p, cube.Info{Cube: bg.Cube{Value: 1}})
		assert.InDelta(t, (ls-.5)/(w+ls+x/2), l.Window(s, x).Take, 1e-5)
	}
}

func TestJacobyMakesGammonsCountOnlyAfterADouble(t *testing.T) {
	p := bg.Probs{Win: .7, WinGammon: .4, LoseGammon: .1}
	l, s, g := leaf(p, cube.Info{Cube: bg.Cube{Value: 1}, Rules: bg.Rules{Jacoby: true}})
	assert.InDelta(t, .4, float64(g.Equity(l.NoDouble(s, 0))), 1e-6)
	assert.InDelta(t, 2*.7, float64(g.Equity(l.NoDouble(s.Double(), 0))), 1e-6)
	assert.Equal(t, cube.Value(1), s.Settle(bg.Backgammon, true))
	assert.Equal(t, cube.Value(-6), s.Double().Settle(bg.Backgammon, false))
}

func TestValuesTurnRoundWithThePosition(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 5000 {
		p, info, x := randomProbs(rng), randomInfo(rng), rng.Float64()
		l, s, g := leaf(p, info)
		var f cube.Leaf
		turned := p.Flip()
		f.Set(&turned, s.Flip())
		assert.InDelta(t, float64(l.NoDouble(s, x)), -float64(f.NoDouble(s.Flip(), x)), 1e-6)
		assert.Equal(t, s, s.Flip().Flip())
		assert.InDelta(t, float64(s.Equity(.3)), -float64(s.Flip().Equity(-.3)), rounding)

		// The same through the Info of the other player.
		info.Cube.Owner, info.Score = info.Cube.Owner.Flip(), info.Score.Flip()
		o, os, og := leaf(turned, info)
		assert.InDelta(t, float64(g.Equity(l.NoDouble(s, x))), -float64(og.Equity(o.NoDouble(os, x))), 1e-5)
	}
}

func TestValuesStayWithinTheResults(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 5000 {
		p, info, x := randomProbs(rng), randomInfo(rng), rng.Float64()
		l, s, g := leaf(p, info)
		v := l.Value(s, x)
		require.False(t, math.IsNaN(float64(v)))
		if g.Money() {
			assert.LessOrEqual(t, math.Abs(float64(v)), 3*float64(info.Cube.Value)+rounding)
		} else {
			assert.True(t, g.MWC(v) >= -rounding && g.MWC(v) <= 1+rounding)
		}
		assert.InDelta(t, float64(v), float64(g.Value(g.Equity(v))), rounding)
	}
}

// withWin returns p with another winning chance and the same shares of gammons.
func withWin(p bg.Probs, win float32) bg.Probs {
	f := win / p.Win
	b := (1 - win) / (1 - p.Win)
	return bg.Probs{
		Win: win, WinGammon: p.WinGammon * f, WinBackgammon: p.WinBackgammon * f,
		LoseGammon: p.LoseGammon * b, LoseBackgammon: p.LoseBackgammon * b,
	}
}

func TestValuesRiseContinuouslyWithTheWinningChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	const steps = 400
	for range 200 {
		p, info, x := randomProbs(rng), randomInfo(rng), rng.Float64()
		if p.Win < .05 || p.Win > .95 {
			continue
		}
		var last cube.Value
		for i := 1; i < steps; i++ {
			l, s, g := leaf(withWin(p, float32(i)/steps), info)
			v := l.Value(s, x)
			if i > 1 {
				step := g.Equity(v) - g.Equity(last)
				assert.Greater(t, float64(step), -1e-4, "%+v %+v at %d", p, info, i)
				// At most 6 points (a backgammon won instead of lost) times the slope of a line
				// that has a fifth of the way for them.
				if g.Money() {
					assert.Less(t, float64(step), 6*5./steps)
				}
			}
			last = v
		}
	}
}

func TestALiveCubeIsWorthSomethingToItsOwnerAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 5000 {
		p, info := randomProbs(rng), randomInfo(rng)
		l, s, _ := leaf(p, info)
		switch s.Cube().Owner {
		case bg.OnRoll:
			assert.GreaterOrEqual(t, float64(l.Live(s)-l.Dead(s)), -1e-6, "%+v %+v", p, info)
		case bg.Opponent:
			assert.LessOrEqual(t, float64(l.Live(s)-l.Dead(s)), 1e-6, "%+v %+v", p, info)
		}
		if s.Live() {
			assert.GreaterOrEqual(t, l.Value(s, .7), l.NoDouble(s, .7))
			assert.LessOrEqual(t, l.NoDouble(s.Double(), 1), max(l.Dead(s.Double()), l.Live(s.Double()))+1e-6)
		}
	}
}

func TestTakingEqualsPassingAtTheLivePoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for range 1000 {
		p, info := randomProbs(rng), randomInfo(rng)
		if p.Win < .05 || p.Win > .95 {
			continue
		}
		l, s, _ := leaf(p, info)
		if !s.Live() {
			continue
		}
		cash := l.Window(s, 1).Cash
		if cash < .01 || cash > .99 {
			continue
		}
		at, _, _ := leaf(withWin(p, float32(cash)), info)
		assert.InDelta(t, float64(s.PassValue()), float64(at.Live(s.Double())), 1e-5*float64(s.Cube().Value))
	}
}

func TestDeadCubes(t *testing.T) {
	// 2-away with a cube of 2: the player on roll has no use for it, his opponent would.
	info := cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}, Score: bg.Score{Length: 7, OnRoll: 5, Opponent: 2}}
	_, s, _ := leaf(bg.Probs{Win: .5}, info)
	assert.True(t, s.CanDouble())
	assert.False(t, s.Live())
	info.Cube.Owner = bg.Opponent
	_, s, _ = leaf(bg.Probs{Win: .5}, info)
	assert.False(t, s.CanDouble())
	assert.True(t, s.Flip().Live())

	for name, info := range map[string]cube.Info{
		"Crawford game": {Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 5, OnRoll: 1, Opponent: 4, Crawford: true}},
		"no cube":       {Cube: bg.Cube{Value: 1}, Rules: bg.Rules{NoCube: true}},
		"at the cap":    {Cube: bg.Cube{Value: 64, Owner: bg.OnRoll}, Rules: bg.Rules{MaxCube: 64}},
	} {
		p := bg.Probs{Win: .7, WinGammon: .2}
		l, s, _ := leaf(p, info)
		assert.False(t, s.CanDouble(), name)
		assert.InDelta(t, float64(l.Dead(s)), float64(l.Live(s)), rounding, name)
		assert.Panics(t, func() { s.Double() }, name)
	}
}

func TestACapMattersOnlyNearIt(t *testing.T) {
	p := bg.Probs{Win: .6, WinGammon: .2, LoseGammon: .1}
	far, s, g := leaf(p, cube.Info{Cube: bg.Cube{Value: 1}, Rules: bg.Rules{MaxCube: 1024}})
	free, fs, fg := leaf(p, cube.Info{Cube: bg.Cube{Value: 1}})
	assert.InDelta(t, float64(fg.Equity(free.Live(fs))), float64(g.Equity(far.Live(s))), 1e-3)
	near, ns, ng := leaf(p, cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}, Rules: bg.Rules{MaxCube: 4}})
	owned, os, og := leaf(p, cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}})
	// The opponent could not redouble, so doubling is cheaper.
	assert.Greater(t, ng.Equity(near.NoDouble(ns.Double(), .7)), og.Equity(owned.NoDouble(os.Double(), .7)))
}

func TestFreeRedoubleIsMadeAtOnce(t *testing.T) {
	// The leader, 2-away, has doubled to 2; his opponent, 7-away, loses the match with the game
	// anyway and turns the cube to 4 at once, so the take is worth what it is at 4.
	info := cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 9, OnRoll: 7, Opponent: 2}}
	l, s, _ := leaf(bg.Probs{Win: .673}, info)
	redoubled, rs, _ := leaf(bg.Probs{Win: .673}, cube.Info{Cube: bg.Cube{Value: 4, Owner: bg.OnRoll}, Score: info.Score})
	for _, x := range []float64{0, .3, .68, 1} {
		assert.InDelta(t, float64(redoubled.NoDouble(rs, x)), float64(l.NoDouble(s.Double(), x)), 1e-6)
	}
}

func TestLeavesDoNotAllocate(t *testing.T) {
	g := cube.New(cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 15, OnRoll: 2, Opponent: 5}})
	p := bg.Probs{Win: .6, WinGammon: .2, LoseGammon: .1}
	var l cube.Leaf
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		s := g.State()
		l.Set(&p, s)
		sink = l.Value(s, .68) + l.NoDouble(s.Double(), .68)
	}))
}

var sink cube.Value

func BenchmarkLeaf(b *testing.B) {
	p := bg.Probs{Win: .6, WinGammon: .2, LoseGammon: .1}
	for name, score := range map[string]bg.Score{"money": {}, "match": {Length: 15, OnRoll: 2, Opponent: 5}} {
		b.Run(name, func(b *testing.B) {
			g := cube.New(cube.Info{Cube: bg.Cube{Value: 1}, Score: score})
			var l cube.Leaf
			for b.Loop() {
				s := g.State()
				l.Set(&p, s)
				sink = l.Value(s, .68)
			}
		})
	}
}

func TestLimitFarAwayIsNone(t *testing.T) {
	p := &bg.Probs{Win: .7, WinGammon: .2, LoseGammon: .1}
	limited := func(most int) bg.Equity {
		return cube.Cubeful(p, cube.Info{Cube: bg.Cube{Value: 2}, Rules: bg.Rules{MaxCube: most}}, .68)
	}
	assert.Equal(t, limited(0), limited(1024))
	assert.InDelta(t, float64(limited(0)), float64(limited(512)), 1e-3)
	assert.NotEqual(t, limited(0), limited(4))
}
