package search_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/cube"
	"kotra/cube/met"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/internal/bgtest"
	"kotra/movegen"
	"kotra/search"
)

// games are what the cube is turned for in tests.
var games = []struct {
	name string
	info cube.Info
}{
	{"money", cube.Info{Cube: bg.Cube{Value: 1}}},
	{"money, Jacoby", cube.Info{Cube: bg.Cube{Value: 1}, Rules: bg.Rules{Jacoby: true}}},
	{"money, own cube", cube.Info{Cube: bg.Cube{Value: 4, Owner: bg.OnRoll}}},
	{"money, opponent's cube", cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.Opponent}}},
	{"money, cube limit 4", cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}, Rules: bg.Rules{MaxCube: 4}}},
	{"match", cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 9, OnRoll: 2, Opponent: 4}}},
	{"match, own cube", cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}, Score: bg.Score{Length: 7, OnRoll: 1, Opponent: 4}}},
	{"2-away, 4-away", cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 5, OnRoll: 3, Opponent: 1}}},
	{"post-Crawford", cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 5, OnRoll: 2, Opponent: 4}}},
	{"Crawford", cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 5, OnRoll: 2, Opponent: 4, Crawford: true}}},
}

// efficiency is what the search uses at its leaves.
func efficiency(info cube.Info, pos *bg.Position) float64 {
	x := info.Efficiency()
	switch eval.Classify(pos) {
	case eval.Bearoff:
		return x.Bearoff
	case eval.Race:
		return x.Race(pos.OnRoll.Pips())
	case eval.Crashed:
		return x.Crashed
	}
	return x.Contact
}

// A cubeOracle is the definition of a cubeful search, without any device to make it fast but that it
// remembers the replies to a position.
type cubeOracle struct {
	evaluator eval.Evaluator
	info      cube.Info
	known     map[cubeOracleKey]*[21]bg.Position
}

type cubeOracleKey struct {
	pos  bg.Position
	main cube.State
}

func newCubeOracle(e eval.Evaluator, info cube.Info) *cubeOracle {
	return &cubeOracle{e, info, map[cubeOracleKey]*[21]bg.Position{}}
}

// value returns the value of pos to the player on roll, who may double, in a state of the cube.
// main is the state if nobody doubles, for which replies are chosen.
func (o *cubeOracle) value(pos bg.Position, st, main cube.State, ply int) cube.Value {
	if r, won := pos.Result(); r != bg.Unfinished {
		return st.Settle(r, won)
	}
	if ply == 0 {
		p := o.evaluator.Evaluate(&pos)
		var leaf cube.Leaf
		leaf.Set(&p, st)
		return leaf.Value(st, efficiency(o.info, &pos))
	}
	noDouble := o.rolled(pos, st, main, ply)
	if !st.Live() {
		return noDouble
	}
	return max(noDouble, min(o.rolled(pos, st.Double(), main, ply), st.PassValue()))
}

// rolled is value once the player on roll has made up his mind.
func (o *cubeOracle) rolled(pos bg.Position, st, main cube.State, ply int) cube.Value {
	var mean cube.Value
	replies := o.replies(pos, main)
	for i, roll := range bg.Rolls() {
		mean -= cube.Value(roll.Weight) / 36 * o.value(replies[i], st.Flip(), main.Flip(), ply-1)
	}
	return mean
}

// replies returns the positions after the best play of each roll.
func (o *cubeOracle) replies(pos bg.Position, main cube.State) *[21]bg.Position {
	key := cubeOracleKey{pos, main}
	if known := o.known[key]; known != nil {
		return known
	}
	all := new([21]bg.Position)
	for i, roll := range bg.Rolls() {
		least := 1e9
		for _, play := range movegen.Plays(nil, &pos, roll.Dice) {
			p := o.evaluator.Evaluate(&play.Result)
			if cost := dead(&p, main.Flip()); cost < least-1e-9 {
				all[i], least = play.Result, cost
			}
		}
	}
	o.known[key] = all
	return all
}

// withoutJacoby returns the state for which replies are chosen.
func withoutJacoby(info cube.Info) cube.State {
	info.Rules.Jacoby = false
	return cube.New(info).State()
}

// dead returns the value of p if the cube is not turned any more.
func dead(p *bg.Probs, st cube.State) float64 {
	at := func(r bg.Result, won bool) float64 { return float64(st.Settle(r, won)) }
	return float64(p.Win-p.WinGammon)*at(bg.Single, true) + float64(p.WinGammon-p.WinBackgammon)*at(bg.Gammon, true) +
		float64(p.WinBackgammon)*at(bg.Backgammon, true) +
		float64(1-p.Win-p.LoseGammon)*at(bg.Single, false) + float64(p.LoseGammon-p.LoseBackgammon)*at(bg.Gammon, false) +
		float64(p.LoseBackgammon)*at(bg.Backgammon, false)
}

func TestCubefulSearchEqualsItsDefinition(t *testing.T) {
	s := search.New(bgtest.Pips{}, search.Options{Threads: 1})
	positions := randomPositions(t, 21, 3)
	for _, g := range games {
		t.Run(g.name, func(t *testing.T) {
			game := cube.New(g.info)
			st := game.State()
			main := withoutJacoby(g.info)
			for i, pos := range positions {
				oracle := newCubeOracle(bgtest.Pips{}, g.info)
				for ply := range 3 {
					if ply == 2 && i > 0 {
						break // one position is enough for what takes long
					}
					got, err := s.Evaluate(context.Background(), &pos, g.info, ply)
					require.NoError(t, err)
					want := game.Equity(oracle.value(pos, st, main, ply))
					assert.InDelta(t, float64(want), float64(got.Cubeful), rounding, "%d ply", ply)

					d, v, err := s.Cube(context.Background(), &pos, g.info, ply)
					require.NoError(t, err)
					assert.InDelta(t, float64(want), float64(v.Cubeful), rounding)
					assert.Equal(t, got.Probs, v.Probs)
					if ply > 0 {
						want := game.Equity(oracle.rolled(pos, st, main, ply))
						assert.InDelta(t, float64(want), float64(d.NoDouble), rounding, "no double, %d ply", ply)
						if st.CanDouble() {
							want := game.Equity(oracle.rolled(pos, st.Double(), main, ply))
							assert.InDelta(t, float64(want), float64(d.DoubleTake), rounding, "double, %d ply", ply)
						}
					}
				}
			}
		})
	}
}

func TestCandidatesAreWorthTheNegativeOfWhatTheOpponentGets(t *testing.T) {
	s := search.New(bgtest.Pips{}, search.Options{Threads: 1})
	pos := randomPositions(t, 22, 1)[0]
	for _, g := range games {
		all, err := s.Rank(context.Background(), &pos, bg.Dice{4, 2}, g.info, 1)
		require.NoError(t, err)
		game := cube.New(g.info)
		st := game.State().Flip()
		for _, c := range all[:1] {
			want := game.Equity(-newCubeOracle(bgtest.Pips{}, g.info).value(c.Play.Result, st, withoutJacoby(g.info).Flip(), 1))
			assert.InDelta(t, float64(want), float64(c.Cubeful), rounding, g.name)
		}
	}
}

func TestCubeDecisionsDoNotDependOnThreadsOrCaches(t *testing.T) {
	one := search.New(bgtest.Pips{}, search.Options{Threads: 1, CacheSize: -1})
	many := search.New(bgtest.Pips{}, search.Options{Threads: 8, CacheSize: 1 << 14})
	for _, pos := range randomPositions(t, 23, 2) {
		for _, g := range games {
			want, _, err := one.Cube(context.Background(), &pos, g.info, 2)
			require.NoError(t, err)
			got, _, err := many.Cube(context.Background(), &pos, g.info, 2)
			require.NoError(t, err)
			assert.Equal(t, want, got, g.name)
		}
	}
}

func TestSameScoreFromBothSidesIsOneGame(t *testing.T) {
	// What a player sees before his roll is what his opponent saw after his play.
	s := search.New(bgtest.Pips{}, search.Options{Threads: 1, CacheSize: -1})
	mine := cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}, Score: bg.Score{Length: 7, OnRoll: 1, Opponent: 4}, Table: met.KazarossXG2()}
	theirs := mine
	theirs.Cube.Owner, theirs.Score = bg.Opponent, mine.Score.Flip()
	pos := bgtest.Position(t, "bar:1 6:5 8:3 13:4 24:2 | 19:5 17:3 12:5 1:2")
	all, err := s.Rank(context.Background(), &pos, bg.Dice{3, 1}, mine, 1)
	require.NoError(t, err)
	v, err := s.Evaluate(context.Background(), &all[0].Play.Result, theirs, 1)
	require.NoError(t, err)
	assert.InDelta(t, -float64(v.Cubeful), float64(all[0].Cubeful), rounding)
}

func TestCubelessSearchIgnoresTheCube(t *testing.T) {
	s := search.New(bgtest.Pips{}, search.Options{Threads: 1, Cubeless: true})
	pos := bg.Start()
	v, err := s.Evaluate(context.Background(), &pos, cube.Info{Cube: bg.Cube{Value: 1}}, 1)
	require.NoError(t, err)
	assert.Equal(t, v.Equity, v.Cubeful)
	assert.Equal(t, v.Probs.Equity(), v.Equity)
}

func TestLastRollDecisionsAreExact(t *testing.T) {
	// One checker on the six point against one on the ace point: 27 of 36 rolls win.
	pos := bgtest.Position(t, "6:1 | 24:1")
	s := search.New(eval.New(bgtest.Pips{}, eval.WithBearoff(bearoff.Default())), search.Options{})
	d, v, err := s.Cube(context.Background(), &pos, cube.Info{Cube: bg.Cube{Value: 1}}, 1)
	require.NoError(t, err)
	assert.InDelta(t, 0.5, float64(d.NoDouble), 1e-6)
	assert.InDelta(t, 1, float64(d.DoubleTake), 1e-6)
	assert.InDelta(t, 27./36, v.Probs.Win, 1e-6)
	assert.True(t, d.Action.Doubles())
}

func TestBearoffsOfTheTableAreExactAtEveryPly(t *testing.T) {
	table, err := bearoff.BuildTwoSided(context.Background(), 6, 2, 1, nil)
	require.NoError(t, err)
	e := eval.New(bgtest.Pips{}, eval.WithBearoff(bearoff.Default()))
	s := search.New(e, search.Options{TwoSided: table})
	deep := search.New(e, search.Options{}) // two checkers are off after two rolls
	pos := bgtest.Position(t, "6:1 3:1 | 21:1 22:1")
	want, ok := table.Lookup(&pos)
	require.True(t, ok)
	for ply := range 3 {
		d, v, err := s.Cube(context.Background(), &pos, cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}}, ply)
		require.NoError(t, err)
		assert.InDelta(t, float64(want.Owned), float64(d.NoDouble), 1e-6)
		assert.InDelta(t, float64(want.DoubleTake()), float64(d.DoubleTake), 1e-6)
		assert.InDelta(t, float64(want.Best(bg.OnRoll)), float64(v.Cubeful), 1e-6)
		assert.InDelta(t, want.Win(), float64(v.Probs.Win), 1e-6)
	}
	d, _, err := deep.Cube(context.Background(), &pos, cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}}, 5)
	require.NoError(t, err)
	assert.InDelta(t, float64(want.Owned), float64(d.NoDouble), 0.001)

	// In a match the table's equities do not hold.
	score := cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}, Score: bg.Score{Length: 5, OnRoll: 3, Opponent: 1}}
	d, _, err = s.Cube(context.Background(), &pos, score, 1)
	require.NoError(t, err)
	assert.Equal(t, cube.NeverDouble, d.Action)
}
