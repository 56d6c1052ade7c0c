package eval

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"kotra/bg"
	"kotra/movegen"
)

// lone is a position of a race in which only the player on roll matters.
func lone(s bg.Side) bg.Position {
	var p bg.Position
	p.OnRoll = s
	p.Opponent[1], p.Opponent[bg.Off] = 1, 14
	return p
}

// exactTurns finds the true bounds by trying everything.
type exactTurns struct {
	done func(s *bg.Side) bool
	memo map[bg.Side]turns
}

func (e *exactTurns) of(s bg.Side) turns {
	if e.done(&s) {
		return turns{}
	}
	if t, ok := e.memo[s]; ok {
		return t
	}
	pos := lone(s)
	result := turns{fastest: 1000}
	for _, roll := range bg.Rolls() {
		slowest := 1000
		for _, next := range movegen.Results(nil, &pos, roll.Dice) {
			t := e.of(next.Opponent)
			result.fastest = min(result.fastest, 1+t.fastest)
			slowest = min(slowest, 1+t.slowest)
		}
		result.slowest = max(result.slowest, slowest)
	}
	e.memo[s] = result
	return result
}

func randomSide(rng *rand.Rand, checkers, highest int) bg.Side {
	var s bg.Side
	for range checkers {
		s[1+rng.IntN(highest)]++
	}
	return s
}

func TestBoundsOfTurnsAreSafe(t *testing.T) {
	const seed = 7
	t.Log("seed", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	off := &exactTurns{func(s *bg.Side) bool { return s.Rearmost() == bg.Off }, map[bg.Side]turns{}}
	first := &exactTurns{func(s *bg.Side) bool { return s[bg.Off] > 0 }, map[bg.Side]turns{}}
	out := &exactTurns{func(s *bg.Side) bool { return s.Rearmost() <= 18 }, map[bg.Side]turns{}}
	for range 300 {
		s := randomSide(rng, 1+rng.IntN(3), 6+rng.IntN(18))
		r := newRunner(&s)
		for _, b := range []struct {
			name        string
			exact, safe turns
		}{
			{"off", off.of(s), r.turns},
			{"first off", first.of(s), r.saveGammon},
			{"out", out.of(s), r.saveBackgammon},
		} {
			assert.LessOrEqual(t, b.safe.fastest, b.exact.fastest, "fastest %s of %v", b.name, s)
			assert.GreaterOrEqual(t, b.safe.slowest, b.exact.slowest, "slowest %s of %v", b.name, s)
		}
	}
}

func TestFirstCheckerIsOffInTimeFromEveryHomeBoard(t *testing.T) {
	checkers := 15
	if testing.Short() {
		checkers = 6
	}
	first := &exactTurns{func(s *bg.Side) bool { return s[bg.Off] > 0 }, map[bg.Side]turns{}}
	slowest := 0
	for n := 1; n <= checkers; n++ {
		var s bg.Side
		s[6] = uint8(n)
		slowest = max(slowest, first.of(s).slowest)
	}
	for s, turns := range first.memo {
		if turns.slowest > slowest {
			slowest = turns.slowest
			t.Log(s, turns)
		}
	}
	t.Log("slowest", slowest)
	assert.LessOrEqual(t, slowest, slowestFirstOff)
}
