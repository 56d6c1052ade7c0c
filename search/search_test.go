package search_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/eval/features"
	"kotra/internal/bgtest"
	"kotra/movegen"
	"kotra/nn"
	"kotra/search"
	"kotra/weights"
)

// rounding is how far sums of float32 may be off after a few plies.
const rounding = 2e-5

var money = cube.Info{Cube: bg.Cube{Value: 1}, Rules: bg.Rules{NoCube: true}}

// randomPositions returns n unfinished positions of games played at random.
func randomPositions(t testing.TB, seed uint64, n int) []bg.Position {
	t.Helper()
	t.Log("seed", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	var all []bg.Position
	for len(all) < n {
		pos := bg.Start()
		for length := rng.IntN(120); length > 0; length-- {
			plays := movegen.Plays(nil, &pos, randomDice(rng))
			pos = plays[rng.IntN(len(plays))].Result
			if r, _ := pos.Result(); r != bg.Unfinished {
				break
			}
		}
		if r, _ := pos.Result(); r == bg.Unfinished {
			all = append(all, pos)
		}
	}
	return all
}

func randomDice(rng *rand.Rand) bg.Dice {
	return bg.Dice{uint8(1 + rng.IntN(6)), uint8(1 + rng.IntN(6))}
}

// oracle is the cubeless definition of a search, without any device to make it fast.
func oracle(e eval.Evaluator, pos bg.Position, ply int) bg.Probs {
	if r, _ := pos.Result(); ply == 0 || r != bg.Unfinished {
		return e.Evaluate(&pos)
	}
	var mean bg.Probs
	for _, roll := range bg.Rolls() {
		plays := movegen.Plays(nil, &pos, roll.Dice)
		best := plays[0].Result
		for _, play := range plays {
			p, q := e.Evaluate(&play.Result), e.Evaluate(&best)
			if p.Equity() < q.Equity()-1e-9 {
				best = play.Result
			}
		}
		p := oracle(e, best, ply-1)
		p = p.Flip()
		mean.AddScaled(&p, float32(roll.Weight)/36)
	}
	return mean
}

func TestSearchEqualsItsDefinition(t *testing.T) {
	s := search.New(bgtest.Pips{}, search.Options{Threads: 2})
	for _, pos := range randomPositions(t, 1, 10) {
		for ply := range 3 {
			got, err := s.Evaluate(context.Background(), &pos, money, ply)
			require.NoError(t, err)
			assertProbs(t, oracle(bgtest.Pips{}, pos, ply), got.Probs)
			assert.Equal(t, ply, got.Ply)
		}
	}
}

func assertProbs(t *testing.T, want, got bg.Probs) {
	t.Helper()
	assert.InDelta(t, want.Win, got.Win, rounding)
	assert.InDelta(t, want.WinGammon, got.WinGammon, rounding)
	assert.InDelta(t, want.WinBackgammon, got.WinBackgammon, rounding)
	assert.InDelta(t, want.LoseGammon, got.LoseGammon, rounding)
	assert.InDelta(t, want.LoseBackgammon, got.LoseBackgammon, rounding)
}

func TestSearchOverEqualLeavesReturnsThem(t *testing.T) {
	// Far from the end, so that no finished game is among the leaves. Both players see the same
	// chances, so they must be those of an even game.
	even := bgtest.Constant{Win: 0.5, WinGammon: 0.2, WinBackgammon: 0.1, LoseGammon: 0.2, LoseBackgammon: 0.1}
	s := search.New(even, search.Options{})
	pos := bg.Start()
	for ply := range 4 {
		v, err := s.Evaluate(context.Background(), &pos, money, ply)
		require.NoError(t, err)
		assertProbs(t, bg.Probs(even), v.Probs)
		assert.InDelta(t, 0, float64(v.Equity), rounding)
	}
}

func TestRankedCandidatesDoNotDependOnThreadsOrCaches(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	settings := []search.Options{
		{Threads: 1}, {Threads: 2}, {Threads: 8}, {Threads: 1, CacheSize: -1}, {Threads: 3, CacheSize: 1 << 12},
	}
	var searchers []*search.Searcher
	for _, o := range settings {
		searchers = append(searchers, search.New(bgtest.Pips{}, o))
	}
	for _, pos := range randomPositions(t, 2, 2) {
		dice := randomDice(rng)
		want, err := searchers[0].Rank(context.Background(), &pos, dice, money, 2)
		require.NoError(t, err)
		for i, s := range searchers {
			for range 2 { // the second time with warm caches
				got, err := s.Rank(context.Background(), &pos, dice, money, 2)
				require.NoError(t, err)
				assert.Equal(t, want, got, "settings %+v", settings[i])
			}
			best, err := s.Best(context.Background(), &pos, dice, money, 2)
			require.NoError(t, err)
			assert.Equal(t, want[0].Play, best)
		}
	}
}

func TestBestIsTheFirstOfTheRanking(t *testing.T) {
	s := search.New(bgtest.Pips{}, search.Options{})
	rng := rand.New(rand.NewPCG(6, 6))
	for _, pos := range randomPositions(t, 6, 20) {
		for ply := range 2 {
			dice := randomDice(rng)
			all, err := s.Rank(context.Background(), &pos, dice, money, ply)
			require.NoError(t, err)
			best, err := s.Best(context.Background(), &pos, dice, money, ply)
			require.NoError(t, err)
			assert.Equal(t, all[0].Play, best)
		}
	}
}

func TestCandidatesAreRankedByPlyAndThenByEquity(t *testing.T) {
	s := search.New(bgtest.Pips{}, search.Options{})
	pos := bg.Start()
	all, err := s.Rank(context.Background(), &pos, bg.Dice{6, 4}, money, 2)
	require.NoError(t, err)
	assert.Len(t, all, len(movegen.Plays(nil, &pos, bg.Dice{6, 4})))
	assert.Equal(t, 2, all[0].Ply)
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		assert.True(t, a.Ply > b.Ply || a.Ply == b.Ply && a.Cubeful >= b.Cubeful, "%d before %d", i-1, i)
	}
}

func TestEqualCandidatesAreRankedByPosition(t *testing.T) {
	even := bgtest.Constant{Win: 0.5}
	s := search.New(even, search.Options{})
	pos := bg.Start()
	all, err := s.Rank(context.Background(), &pos, bg.Dice{2, 1}, money, 0)
	require.NoError(t, err)
	for i := 1; i < len(all); i++ {
		a, b := all[i-1].Play.Result, all[i].Play.Result
		assert.Less(t, string(a.OnRoll[:])+string(a.Opponent[:]), string(b.OnRoll[:])+string(b.Opponent[:]))
	}
}

func TestPlaysThatAllLoseToADoubleAreRankedWithoutTheCube(t *testing.T) {
	s := search.New(bgtest.Pips{}, search.Options{})
	pos := bgtest.Position(t, "13:2 8:3 6:5 5:3 | 24:5 20:5 16:4")
	all, err := s.Rank(context.Background(), &pos, bg.Dice{2, 1}, cube.Info{Cube: bg.Cube{Value: 1}}, 0)
	require.NoError(t, err)
	ties := 0
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		if a.Cubeful == b.Cubeful {
			assert.GreaterOrEqual(t, a.Equity, b.Equity, "%d before %d", i-1, i)
			ties++
		}
	}
	assert.Greater(t, ties, 2, "the position is no example")
}

func TestWinningMoveIsFoundAndExact(t *testing.T) {
	// One checker left on each side's ace point: whoever is on roll wins.
	pos := bgtest.Position(t, "1:1 | 24:1")
	s := search.New(bgtest.Pips{}, search.Options{})
	for ply := range 4 {
		all, err := s.Rank(context.Background(), &pos, bg.Dice{2, 1}, money, ply)
		require.NoError(t, err)
		assert.Equal(t, bg.Probs{Win: 1}, all[0].Probs)
		assert.Equal(t, bg.Equity(1), all[0].Equity)
	}
}

func TestDanceIsACandidateWithoutSteps(t *testing.T) {
	pos := bgtest.Position(t, "bar:1 6:3 | 24:2 23:2 22:2 21:2 20:2 19:2")
	s := search.New(bgtest.Pips{}, search.Options{})
	all, err := s.Rank(context.Background(), &pos, bg.Dice{3, 1}, money, 1)
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Zero(t, all[0].Play.Move.Len())
}

func TestCancelledSearchReturnsTheRankingAtLowerPly(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := search.New(bgtest.Pips{}, search.Options{})
	pos := bg.Start()
	all, err := s.Rank(ctx, &pos, bg.Dice{6, 5}, money, 3)
	require.ErrorIs(t, err, context.Canceled)
	assert.Len(t, all, len(movegen.Plays(nil, &pos, bg.Dice{6, 5})))
	_, err = s.Evaluate(ctx, &pos, money, 2)
	require.ErrorIs(t, err, context.Canceled)
}

func TestPrunerThatDropsOneReplyChangesLittle(t *testing.T) {
	net := nn.New(nn.Shape{Width: 128, Buckets: features.Buckets}, 1).Quantize()
	e := eval.NewNetwork(net)
	full := search.New(e, search.Options{Threads: 1})
	pruned := search.New(e, search.Options{Threads: 1, Pruner: eval.NewLinear(net), Keep: func(n, _ int) int { return n - 1 }})
	for _, pos := range randomPositions(t, 3, 3) {
		want, err := full.Evaluate(context.Background(), &pos, money, 1)
		require.NoError(t, err)
		got, err := pruned.Evaluate(context.Background(), &pos, money, 1)
		require.NoError(t, err)
		assert.InDelta(t, float64(want.Equity), float64(got.Equity), 0.01)
	}
}

func TestTheNetworkOfThePrunerChoosesReplies(t *testing.T) {
	shape := nn.Shape{Width: 128, Buckets: features.Buckets}
	chooser, judge := nn.New(shape, 1).Quantize(), nn.New(shape, 2).Quantize()
	c, j := eval.New(eval.NewNetwork(chooser)), eval.New(eval.NewNetwork(judge))
	all := func(n, _ int) int { return n }
	s := search.New(j, search.Options{Threads: 1, Pruner: eval.NewLinear(chooser), Keep: all})
	for _, pos := range randomPositions(t, 3, 3) {
		want := 0.0
		for _, roll := range bg.Rolls() {
			results := movegen.Results(nil, &pos, roll.Dice)
			best := slices.MinFunc(results, func(a, b bg.Position) int {
				p, q := c.Evaluate(&a), c.Evaluate(&b)
				return cmp.Compare(p.Equity(), q.Equity())
			})
			p := j.Evaluate(&best)
			want -= float64(p.Equity()) * float64(roll.Weight) / bg.Outcomes
		}
		got, err := s.Evaluate(context.Background(), &pos, money, 1)
		require.NoError(t, err)
		assert.InDelta(t, want, float64(got.Equity), 1e-5)
	}
}

func TestPruningByTheShippedNetworkChangesLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("searches without pruning for some seconds")
	}
	for _, name := range []string{weights.Small, weights.Large, weights.Pair} {
		nets, lead, err := weights.Networks(name)
		require.NoError(t, err)
		e := eval.New(eval.NewMean(nets...), eval.WithBearoff(bearoff.Default()))
		full := search.New(e, search.Options{})
		pruned := search.New(e, search.Options{Pruner: eval.NewLinear(lead)})
		squares, n := 0.0, 0
		// Decisions of the yardstick in which replies change the bucket.
		for id, dice := range map[string]bg.Dice{
			"ZnuIwQDUnYPBAA": {5, 3}, "a3WCAQOY89kEAA": {5, 5}, "27oKwADGngcHAA": {2, 2},
		} {
			pos, err := bg.ParsePositionID(id)
			require.NoError(t, err)
			want, err := full.Rank(context.Background(), &pos, dice, money, 2)
			require.NoError(t, err)
			got, err := pruned.Rank(context.Background(), &pos, dice, money, 2)
			require.NoError(t, err)
			deep := map[bg.Position]float64{}
			for i := range want {
				if want[i].Ply == 2 {
					deep[want[i].Play.Result] = float64(want[i].Equity)
				}
			}
			for i := range got {
				if equity, ok := deep[got[i].Play.Result]; ok && got[i].Ply == 2 {
					diff := float64(got[i].Equity) - equity
					squares += diff * diff
					n++
				}
			}
		}
		assert.Greater(t, n, 10, name)
		t.Logf("%s: %.4f", name, math.Sqrt(squares/float64(n)))
		assert.Less(t, math.Sqrt(squares/float64(n)), 0.012, "%s: error of the equities at 2 plies, root mean square", name)
	}
}

func TestRacesArePrunedWhereTheNetworkHasSlopes(t *testing.T) {
	net, err := weights.Load("")
	require.NoError(t, err)
	e := eval.New(eval.NewNetwork(net), eval.WithBearoff(bearoff.Default()))
	counter := &counting{Evaluator: e}
	full := search.New(counter, search.Options{Threads: 1, CacheSize: -1})
	pruned := search.New(counter, search.Options{Threads: 1, CacheSize: -1, Pruner: eval.NewLinear(net)})
	for _, c := range []struct {
		text string
		most float64 // error of the equity at 1 ply
		part float64 // of the evaluations of a full search
	}{
		// Many plays that differ by what the network thinks of gaps.
		{"13:2 11:1 10:1 9:1 8:1 7:2 6:4 5:2 4:1 | 22:2 21:1 20:2 19:4 18:1 17:3 16:2", 0.005, 0.15},
		{"8:2 7:3 6:4 5:2 4:4 | 24:5 23:4 22:3 21:1 11:1 10:1", 0.001, 0.5},
		// Sure to lose a gammon, and perhaps more.
		{"23:1 18:1 16:1 14:1 6:2 5:3 4:2 3:2 1:2 | 24:2", 0, 1},
		{"19:1 18:1 10:1 6:4 5:2 3:6 | 24:2 23:1 22:1", 0, 1},
	} {
		pos := bgtest.Position(t, c.text)
		require.Equal(t, eval.Race, eval.Classify(&pos), c.text)
		counter.n = 0
		want, err := full.Evaluate(context.Background(), &pos, money, 1)
		require.NoError(t, err)
		all := counter.n
		counter.n = 0
		got, err := pruned.Evaluate(context.Background(), &pos, money, 1)
		require.NoError(t, err)
		assert.InDelta(t, float64(want.Equity), float64(got.Equity), c.most, c.text)
		assert.LessOrEqual(t, float64(counter.n), c.part*float64(all)+21, c.text)
	}
}

// A counting evaluator counts its calls. It is for one goroutine.
type counting struct {
	eval.Evaluator
	n int
}

func (c *counting) Evaluate(pos *bg.Position) bg.Probs {
	c.n++
	return c.Evaluator.Evaluate(pos)
}

func TestPrunedSearchDoesNotDependOnThreadsOrCaches(t *testing.T) {
	shape := nn.Shape{Width: 128, Buckets: features.Buckets}
	net, other := nn.New(shape, 1).Quantize(), nn.New(shape, 2).Quantize()
	e := eval.New(eval.NewNetwork(net))
	for name, network := range map[string]*nn.Quantized{"its own network": net, "another": other} {
		pruner := eval.NewLinear(network)
		one := search.New(e, search.Options{Threads: 1, Pruner: pruner, CacheSize: -1})
		many := search.New(e, search.Options{Threads: 8, Pruner: pruner})
		rng := rand.New(rand.NewPCG(9, 9))
		for _, pos := range randomPositions(t, 4, 3) {
			dice := randomDice(rng)
			want, err := one.Rank(context.Background(), &pos, dice, money, 2)
			require.NoError(t, err)
			for range 2 {
				got, err := many.Rank(context.Background(), &pos, dice, money, 2)
				require.NoError(t, err)
				assert.Equal(t, want, got, name)
			}
		}
	}
}

func TestCallsAtOnceAreAnsweredAsAlone(t *testing.T) {
	positions := randomPositions(t, 7, 6)
	want := make([]search.Value, len(positions))
	for i := range positions {
		v, err := search.New(bgtest.Pips{}, search.Options{Threads: 1}).Evaluate(context.Background(), &positions[i], money, 2)
		require.NoError(t, err)
		want[i] = v
	}
	before := runtime.NumGoroutine()
	s := search.New(bgtest.Pips{}, search.Options{Threads: 3, CacheSize: 1 << 16})
	for round := range 3 {
		var wg sync.WaitGroup
		for i := range positions {
			wg.Go(func() {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if i%3 == round { // some are given up on the way
					time.AfterFunc(50*time.Microsecond, cancel)
				}
				v, err := s.Evaluate(ctx, &positions[i], money, 2)
				if err != nil {
					assert.ErrorIs(t, err, context.Canceled)
					assert.Equal(t, 0, v.Ply)
					return
				}
				assert.Equal(t, want[i], v)
			})
		}
		wg.Wait()
		s.Reset()
	}
	for begin := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		require.Less(t, time.Since(begin), 5*time.Second, "goroutines of calls that are over")
	}
}
