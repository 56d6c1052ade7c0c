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
	return duel.Config{Pairs: pairs, Seed: 1, Luck: racer{0.3}, Rules: bg.Rules{NoCube: true}}
}

func TestPlayerAgainstItselfIsExactlyEven(t *testing.T) {
	side := duel.ZeroPly("racer", racer{0.2})
	got, err := duel.Run(t.Context(), config(20), side, side)
	require.NoError(t, err)
	assert.Equal(t, 40, got.Games)
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
		cfg := config(30)
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
	ab, err := duel.Run(t.Context(), config(30), a, b)
	require.NoError(t, err)
	ba, err := duel.Run(t.Context(), config(30), b, a)
	require.NoError(t, err)
	assert.InDelta(t, -ab.PPG, ba.PPG, 1e-12)
	assert.Equal(t, -ab.RawPPG, ba.RawPPG)
	assert.Equal(t, [2]int{ab.Gammons[1], ab.Gammons[0]}, ba.Gammons)
	assert.InDelta(t, 1-ab.WinRate, ba.WinRate, 1e-12)
}

func TestTakingOffTheLuckKeepsTheMean(t *testing.T) {
	a, b := duel.ZeroPly("careful", racer{0.3}), duel.ZeroPly("racer", racer{})
	got, err := duel.Run(t.Context(), config(150), a, b)
	require.NoError(t, err)
	t.Logf("adjusted %.3f ± %.3f, raw %.3f ± %.3f", got.PPG, got.StdErr, got.RawPPG, got.RawStdErr)
	// Four standard errors of the difference: one seed in ten thousand fails.
	assert.InDelta(t, got.RawPPG, got.PPG, 4*math.Hypot(got.RawStdErr, got.StdErr))
	assert.Greater(t, got.PPG, 0.1, "avoiding shots must pay")
}

func TestWithoutAJudgeOfLuckTheResultIsRaw(t *testing.T) {
	cfg := config(5)
	cfg.Luck = nil
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
	cfg.Luck = nil
	// The second player doubles at once, whoever that is.
	got, err := duel.Run(t.Context(), cfg, side(scripted{double: true}), side(scripted{double: true}))
	require.NoError(t, err)
	assert.Equal(t, 8, got.Games)
	assert.Zero(t, got.RawPPG)
	assert.Equal(t, [2]int{}, got.Gammons)
}
