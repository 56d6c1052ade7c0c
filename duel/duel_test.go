package duel_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/duel"
	"kotra/movegen"
	"kotra/record"
)

// A racer judges by the pip count and, if careful, by the blots in reach.
type racer struct{ careful float64 }

func (r racer) Evaluate(pos *bg.Position) bg.Probs {
	lead := float64(pos.Opponent.Pips()-pos.OnRoll.Pips()+8) / 20
	lead += r.careful * float64(exposed(&pos.Opponent, pos.OnRoll.Rearmost())-exposed(&pos.OnRoll, pos.Opponent.Rearmost()))
	win := float32(1 / (1 + math.Exp(-lead)))
	return bg.Probs{Win: win, WinGammon: win * win / 4, LoseGammon: (1 - win) * (1 - win) / 4}
}

// exposed counts the blots of s that a checker on rearmost could still hit.
func exposed(s *bg.Side, rearmost int) int {
	n := 0
	for point := 1; point <= 24; point++ {
		if s[point] == 1 && 25-point < rearmost {
			n++
		}
	}
	return n
}

func config(pairs int) duel.Config {
	return duel.Config{Pairs: pairs, Seed: 1, Rules: bg.Rules{NoCube: true}}
}

func judged(pairs int) duel.Config {
	cfg := config(pairs)
	cfg.Luck = racer{0.3}
	return cfg
}

func TestPlayerAgainstItselfIsExactlyEven(t *testing.T) {
	side := duel.ZeroPly("racer", racer{0.2})
	got, err := duel.Run(t.Context(), judged(4), side, side)
	require.NoError(t, err)
	assert.Equal(t, 8, got.Games)
	assert.Zero(t, got.RawPPG)
	assert.Zero(t, got.RawStdErr)
	assert.InDelta(t, 0, got.PPG, 1e-12)
	assert.InDelta(t, 0, got.StdErr, 1e-12)
	assert.Equal(t, 0.5, got.WinRate)
	assert.Equal(t, got.Gammons[0], got.Gammons[1])
}

func TestResultDoesNotDependOnThreads(t *testing.T) {
	a, b := duel.ZeroPly("careful", racer{0.3}), duel.ZeroPly("racer", racer{})
	var results []duel.Result
	for _, threads := range []int{1, 2, 7} {
		cfg := judged(6)
		cfg.Threads = threads
		r, err := duel.Run(t.Context(), cfg, a, b)
		require.NoError(t, err)
		r.MSPerMove = [2]float64{}
		results = append(results, r)
	}
	assert.Equal(t, results[0], results[1])
	assert.Equal(t, results[0], results[2])
}

func TestSwappingTheSidesNegatesTheResult(t *testing.T) {
	a, b := duel.ZeroPly("careful", racer{0.3}), duel.ZeroPly("racer", racer{})
	ab, err := duel.Run(t.Context(), judged(6), a, b)
	require.NoError(t, err)
	ba, err := duel.Run(t.Context(), judged(6), b, a)
	require.NoError(t, err)
	assert.InDelta(t, -ab.PPG, ba.PPG, 1e-12)
	assert.Equal(t, -ab.RawPPG, ba.RawPPG)
	assert.Equal(t, [2]int{ab.Gammons[1], ab.Gammons[0]}, ba.Gammons)
	assert.InDelta(t, 1-ab.WinRate, ba.WinRate, 1e-12)
}

func TestTakingOffTheLuckKeepsTheMean(t *testing.T) {
	a, b := duel.ZeroPly("careful", racer{0.3}), duel.ZeroPly("racer", racer{})
	got, err := duel.Run(t.Context(), judged(60), a, b)
	require.NoError(t, err)
	t.Logf("adjusted %.3f ± %.3f, raw %.3f ± %.3f", got.PPG, got.StdErr, got.RawPPG, got.RawStdErr)
	// Four standard errors of the difference: one seed in ten thousand fails.
	assert.InDelta(t, got.RawPPG, got.PPG, 4*math.Hypot(got.RawStdErr, got.StdErr))
	assert.Greater(t, got.PPG, 0.1, "avoiding shots must pay")
}

func TestWithoutAJudgeOfLuckTheResultIsRaw(t *testing.T) {
	cfg := config(5)
	got, err := duel.Run(t.Context(), cfg, duel.ZeroPly("a", racer{0.3}), duel.ZeroPly("b", racer{}))
	require.NoError(t, err)
	assert.Equal(t, got.RawPPG, got.PPG)
	assert.Equal(t, got.RawStdErr, got.StdErr)
}

// A scripted player does what its functions say.
type scripted struct {
	move   func(*bg.State, []movegen.Play) (bg.Move, error)
	double bool
	answer duel.Answer
}

func (p scripted) Move(_ context.Context, s *bg.State, plays []movegen.Play) (bg.Move, error) {
	if p.move == nil {
		return plays[0].Move, nil
	}
	return p.move(s, plays)
}
func (p scripted) Double(context.Context, *bg.State) (bool, error) { return p.double, nil }
func (p scripted) Answer(context.Context, *bg.State) (duel.Answer, error) {
	return p.answer, nil
}
func (p scripted) Close() error { return nil }

func side(p duel.Player) duel.Side {
	return duel.Side{Name: "scripted", New: func(context.Context) (duel.Player, error) { return p, nil }}
}

func TestIllegalMovesAreCountedAndReplaced(t *testing.T) {
	cheat := scripted{move: func(*bg.State, []movegen.Play) (bg.Move, error) {
		return bg.NewMove(bg.Step{From: 24, To: 0}), nil
	}}
	got, err := duel.Run(t.Context(), config(2), side(cheat), duel.ZeroPly("racer", racer{}))
	require.NoError(t, err)
	assert.Equal(t, 4, got.Games)
	assert.Positive(t, got.Illegal[0])
	assert.Zero(t, got.Illegal[1])
	assert.Contains(t, got.FirstIllegal, "illegal reply")
}

func TestFailingPlayerEndsTheDuelWithItsError(t *testing.T) {
	broken := errors.New("no answer")
	bad := scripted{move: func(*bg.State, []movegen.Play) (bg.Move, error) { return bg.Move{}, broken }}
	got, err := duel.Run(t.Context(), config(3), side(bad), duel.ZeroPly("racer", racer{}))
	require.ErrorIs(t, err, broken)
	assert.Zero(t, got.Pairs)
}

func TestCancelledDuelReturnsWhatIsKnown(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cfg := config(1_000_000)
	cfg.Progress = func(r duel.Result) {
		if r.Pairs >= 3 {
			cancel()
		}
	}
	got, err := duel.Run(ctx, cfg, duel.ZeroPly("a", racer{}), duel.ZeroPly("b", racer{0.1}))
	require.ErrorIs(t, err, context.Canceled)
	assert.GreaterOrEqual(t, got.Pairs, 3)
	assert.Equal(t, 2*got.Pairs, got.Games)
}

func TestPassedDoubleEndsTheGame(t *testing.T) {
	cfg := config(4)
	cfg.Rules.NoCube = false
	// The second player doubles at once, whoever that is.
	got, err := duel.Run(t.Context(), cfg, side(scripted{double: true}), side(scripted{double: true}))
	require.NoError(t, err)
	assert.Equal(t, 8, got.Games)
	assert.Zero(t, got.RawPPG)
	assert.Equal(t, [2]int{}, got.Gammons)
}

// A cuber plays like a racer and uses the cube by its equity.
type cuber struct {
	duel.Player
	racer
}

func (c cuber) equity(s *bg.State) float64 {
	p := c.Evaluate(&s.Position)
	if s.Decider() != s.Seat {
		p = p.Flip()
	}
	return float64(p.Equity())
}

func (c cuber) Double(_ context.Context, s *bg.State) (bool, error) { return c.equity(s) > 0.4, nil }

func (c cuber) Answer(_ context.Context, s *bg.State) (duel.Answer, error) {
	switch eq := c.equity(s); {
	case eq > 0.1 && s.Score.Money() && s.Beavers < s.Rules.Beavers:
		return duel.Beaver, nil
	case eq > -0.6:
		return duel.Take, nil
	}
	return duel.Pass, nil
}

func newCuber(careful float64) duel.Side {
	r := racer{careful}
	return duel.Side{Name: "cuber", New: func(ctx context.Context) (duel.Player, error) {
		p, err := duel.ZeroPly("", r).New(ctx)
		return cuber{p, r}, err
	}}
}

func TestMatchesAreWonByReachingTheirLength(t *testing.T) {
	cfg := config(20)
	cfg.Rules.NoCube = false
	cfg.Length = 5
	got, err := duel.Run(t.Context(), cfg, newCuber(0.3), newCuber(0))
	require.NoError(t, err)
	assert.Equal(t, 40, got.Matches)
	assert.Greater(t, got.Games, 40)
	assert.Zero(t, got.Illegal)
	assert.InDelta(t, 2*got.WinRate-1, got.RawPPG, 1e-12)
	assert.Greater(t, got.RawPPG, 0.0)
}

func TestPlayerIsEvenWithItselfInMatchesAndWithBeavers(t *testing.T) {
	for _, length := range []int{0, 1, 3} {
		cfg := judged(3)
		cfg.Rules = bg.Rules{Jacoby: true, Beavers: 1}
		cfg.Length = length
		got, err := duel.Run(t.Context(), cfg, newCuber(0.3), newCuber(0.3))
		require.NoError(t, err)
		assert.Zero(t, got.RawPPG)
		assert.InDelta(t, 0, got.PPG, 1e-12)
		assert.Zero(t, got.Illegal)
	}
}

func TestLuckOfAMatchIsTakenOffItsChance(t *testing.T) {
	cfg := judged(40)
	cfg.Rules.NoCube = false
	cfg.Length = 3
	got, err := duel.Run(t.Context(), cfg, newCuber(0.3), newCuber(0))
	require.NoError(t, err)
	t.Logf("adjusted %.3f ± %.3f, raw %.3f ± %.3f", got.PPG, got.StdErr, got.RawPPG, got.RawStdErr)
	// Four standard errors of the difference: one seed in ten thousand fails.
	assert.InDelta(t, got.RawPPG, got.PPG, 4*math.Hypot(got.RawStdErr, got.StdErr))
}

func TestDuelStopsWhereItIsToldThatItHasEnough(t *testing.T) {
	for _, threads := range []int{1, 4} {
		cfg := config(1000)
		cfg.Threads = threads
		cfg.Enough = func(r duel.Result) bool { return r.Pairs == 7 }
		got, err := duel.Run(t.Context(), cfg, duel.ZeroPly("a", racer{}), duel.ZeroPly("b", racer{0.1}))
		require.NoError(t, err)
		assert.Equal(t, 7, got.Pairs)
	}
}

func TestGamesAreRecordedInTheOrderOfPairs(t *testing.T) {
	for _, length := range []int{0, 3} {
		cfg := config(5)
		cfg.Rules = bg.Rules{Beavers: 1}
		cfg.Length = length
		next, games, points := 0, 0, 0
		cfg.Record = func(pair int, matches []*record.Match) error {
			assert.Equal(t, next, pair)
			next++
			require.Len(t, matches, 2)
			for _, m := range matches {
				games += len(m.Games)
				points += m.Score()[0] - m.Score()[1]
				m.Complete()
				assert.Empty(t, m.Warnings)
				assert.Equal(t, [2]string{"cuber", "careful"}, m.Players)
			}
			return nil
		}
		b := newCuber(0.3)
		b.Name = "careful"
		got, err := duel.Run(t.Context(), cfg, newCuber(0), b)
		require.NoError(t, err)
		assert.Equal(t, 5, next)
		assert.Equal(t, got.Games, games)
		if length == 0 {
			assert.InDelta(t, got.RawPPG, float64(points)/float64(games), 1e-9)
		}
	}
}

func TestFailureToRecordEndsTheDuel(t *testing.T) {
	full := errors.New("disk full")
	cfg := config(50)
	cfg.Record = func(int, []*record.Match) error { return full }
	_, err := duel.Run(t.Context(), cfg, duel.ZeroPly("a", racer{}), duel.ZeroPly("b", racer{0.1}))
	assert.ErrorIs(t, err, full)
}

func TestSequentialTestAcceptsTheLikelierHypothesis(t *testing.T) {
	test := duel.SPRT{Low: 0, High: 0.02}
	sure := duel.Result{Pairs: 1000, PPG: 0.03, StdErr: 0.01}
	assert.InDelta(t, 0.02*0.02/0.0001, test.LogRatio(sure), 1e-9)
	assert.Equal(t, 1, test.Decide(sure))
	assert.Equal(t, -1, test.Decide(duel.Result{Pairs: 1000, PPG: -0.01, StdErr: 0.01}))
	assert.Equal(t, 0, test.Decide(duel.Result{Pairs: 1000, PPG: 0.01, StdErr: 0.01}))
	assert.Equal(t, 0, test.Decide(duel.Result{Pairs: 29, PPG: 1, StdErr: 0.01}), "too few pairs")
	assert.Equal(t, 0, test.Decide(duel.Result{Pairs: 1000}), "equal players")
}

func TestBeaversBeyondTheRulesAreIllegal(t *testing.T) {
	cfg := config(2)
	cfg.Rules = bg.Rules{Beavers: 1}
	eager := side(scripted{double: true, answer: duel.Beaver})
	got, err := duel.Run(t.Context(), cfg, eager, eager)
	require.NoError(t, err)
	assert.Positive(t, got.Illegal[0])
	assert.Contains(t, got.FirstIllegal, "beaver")
}

func TestEqualOpeningRollsDoubleTheCube(t *testing.T) {
	const pairs = 400
	values := func(rules bg.Rules, length int) map[int]int {
		cfg := duel.Config{Pairs: pairs, Seed: 1, Rules: rules, Length: length}
		cubes := map[int]int{} // pairs by the cube of their first games
		cfg.Record = func(pair int, matches []*record.Match) error {
			first, second := matches[0].Games[0], matches[1].Games[0]
			assert.Equal(t, first.Cube, second.Cube, "pair %d", pair)
			if length == 0 {
				assert.Equal(t, int(first.Outcome.Kind)*first.Cube, first.Outcome.Points, "pair %d", pair)
			}
			cubes[first.Cube]++
			return nil
		}
		side := duel.ZeroPly("racer", racer{0.2}) // it never doubles
		result, err := duel.Run(t.Context(), cfg, side, side)
		require.NoError(t, err)
		assert.Zero(t, result.RawPPG)
		return cubes
	}
	// The first rolls are equal once in 6, twice in 36 games, and are not seen more often than twice.
	all := values(bg.Rules{AutomaticDoubles: 2}, 0)
	assert.InDelta(t, pairs*5./36, all[2], 25)
	assert.InDelta(t, pairs/36., all[4], 12)
	assert.Equal(t, pairs, all[1]+all[2]+all[4])
	assert.Equal(t, map[int]int{1: all[1], 2: all[2] + all[4]}, values(bg.Rules{AutomaticDoubles: 2, MaxCube: 2}, 0))
	assert.Equal(t, map[int]int{1: pairs}, values(bg.Rules{AutomaticDoubles: 2, NoCube: true}, 0))
	assert.Equal(t, map[int]int{1: pairs}, values(bg.Rules{AutomaticDoubles: 2}, 1))
}
