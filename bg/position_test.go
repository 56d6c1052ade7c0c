package bg_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
)

// randomPosition returns a legal position with checkers anywhere.
func randomPosition(rng *rand.Rand) bg.Position {
	for {
		var p bg.Position
		for _, s := range []*bg.Side{&p.OnRoll, &p.Opponent} {
			other := &p.Opponent
			if s == other {
				other = &p.OnRoll
			}
			for n := 0; n < 15; {
				place := rng.IntN(26)
				if place == bg.Off || place == bg.Bar || other[25-place] == 0 {
					s[place]++
					n++
				}
			}
		}
		if p.Validate() == nil {
			return p
		}
	}
}

// forRandomPositions runs check for many positions and shows the seed of one that fails.
func forRandomPositions(t *testing.T, check func(t *testing.T, p bg.Position)) {
	for seed := range uint64(2000) {
		p := randomPosition(rand.New(rand.NewPCG(seed, 0)))
		check(t, p)
		if t.Failed() {
			t.Fatalf("seed %d: %+v", seed, p)
		}
	}
}

func TestFlippingTwiceIsTheIdentity(t *testing.T) {
	forRandomPositions(t, func(t *testing.T, p bg.Position) {
		flipped := p.Flip()
		assert.Equal(t, p, flipped.Flip())
		assert.Equal(t, p.Contact(), flipped.Contact())
		assert.Equal(t, p.OnRoll.Pips(), flipped.Opponent.Pips())
		r, won := p.Result()
		flippedR, flippedWon := flipped.Result()
		assert.Equal(t, r, flippedR)
		if r != bg.Unfinished {
			assert.NotEqual(t, won, flippedWon)
		}
	})
}

func TestAPositionSurvivesItsIDAndItsBoard(t *testing.T) {
	forRandomPositions(t, func(t *testing.T, p bg.Position) {
		q, err := bg.ParsePositionID(p.ID())
		require.NoError(t, err)
		assert.Equal(t, p, q)
		q, err = bg.FromBoard(p.Board(), 15)
		require.NoError(t, err)
		assert.Equal(t, p, q)
	})
}

func TestPositionsHashApart(t *testing.T) {
	seen := map[uint64]bg.Position{}
	forRandomPositions(t, func(t *testing.T, p bg.Position) {
		for _, q := range []bg.Position{p, p.Flip()} {
			other, dup := seen[q.Hash()]
			assert.True(t, !dup || other == q)
			seen[q.Hash()] = q
			same := q
			assert.Equal(t, q.Hash(), same.Hash())
		}
	})
	start := bg.Start()
	assert.Equal(t, uint64(0x209fd5b0b1576dbb), start.Hash(), "the same in every process")
}

func TestRearmostIsTheHighestPlaceWithACheckerInPlay(t *testing.T) {
	var none bg.Side
	assert.Equal(t, bg.Off, none.Rearmost())
	for place := range bg.Bar + 1 {
		for n := uint8(1); n <= 15; n++ {
			for lower := range place + 1 {
				var s bg.Side
				s[lower] = 15 - n
				s[place] = n
				assert.Equal(t, place, s.Rearmost(), "%v", s)
			}
		}
	}
}

func TestAMoveLosesNoChecker(t *testing.T) {
	forRandomPositions(t, func(t *testing.T, p bg.Position) {
		if p.OnRoll.Rearmost() == bg.Off {
			return
		}
		walk(p, []uint8{6, 5}, bg.Move{}, func(end bg.Position, m bg.Move) {
			after := p.After(m)
			if end.OnRoll.Checkers() != 15 || end.Opponent.Checkers() != 15 || after.Flip() != end {
				t.Errorf("%s leads to %+v", m, end)
			}
		})
	})
}

func TestTheStartHas167PipsASide(t *testing.T) {
	p := bg.Start()
	assert.Equal(t, 167, p.OnRoll.Pips())
	assert.Equal(t, 167, p.Opponent.Pips())
	assert.Equal(t, "4HPwATDgc/ABMA", p.ID())
	assert.True(t, p.Contact())
}

func TestGamesAreWorthWhatTheRulesSay(t *testing.T) {
	for _, tt := range []struct {
		name   string
		loser  bg.Side
		state  bg.State
		result bg.Result
		points int
	}{
		{"a checker off", bg.Side{0: 1, 6: 14}, bg.State{Cube: bg.Cube{Value: 1}}, bg.Single, 1},
		{
			"a gammon with a cube of 2",
			bg.Side{6: 8, 5: 4, 13: 3},
			bg.State{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}},
			bg.Gammon, 4,
		},
		{
			"a backgammon with a cube of 4",
			bg.Side{24: 1, 6: 14},
			bg.State{Cube: bg.Cube{Value: 4, Owner: bg.OnRoll}},
			bg.Backgammon, 12,
		},
		{"a backgammon from the bar", bg.Side{bg.Bar: 1, 6: 14}, bg.State{Cube: bg.Cube{Value: 1}}, bg.Backgammon, 3},
		{"the 18 point is no backgammon", bg.Side{18: 1, 6: 14}, bg.State{Cube: bg.Cube{Value: 1}}, bg.Gammon, 2},
		{
			"one off saves the gammon wherever the others are",
			bg.Side{0: 1, bg.Bar: 1, 24: 2, 6: 11},
			bg.State{Cube: bg.Cube{Value: 4, Owner: bg.OnRoll}},
			bg.Single, 4,
		},
		{"one off and one in the winner's home board", bg.Side{0: 1, 24: 1, 6: 13}, bg.State{Cube: bg.Cube{Value: 1}}, bg.Single, 1},
		{
			"Jacoby with a centered cube",
			bg.Side{6: 10, 13: 5},
			bg.State{Cube: bg.Cube{Value: 1}, Rules: bg.Rules{Jacoby: true}},
			bg.Gammon, 1,
		},
		{
			"Jacoby with a turned cube",
			bg.Side{6: 10, 13: 5},
			bg.State{Cube: bg.Cube{Value: 2, Owner: bg.Opponent}, Rules: bg.Rules{Jacoby: true}},
			bg.Gammon, 4,
		},
		{
			"Jacoby has no effect in a match",
			bg.Side{6: 10, 13: 5},
			bg.State{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 1}, Rules: bg.Rules{Jacoby: true}},
			bg.Gammon, 2,
		},
		{
			"backgammons that count 2",
			bg.Side{24: 1, 6: 14},
			bg.State{Cube: bg.Cube{Value: 1}, Rules: bg.Rules{DoubleBackgammon: true}},
			bg.Backgammon, 2,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := bg.Position{OnRoll: bg.Side{bg.Off: 15}, Opponent: tt.loser}
			require.NoError(t, p.Validate())
			r, won := p.Result()
			assert.Equal(t, tt.result, r)
			assert.True(t, won)
			assert.Equal(t, tt.points, tt.state.Points(r))
			flipped := p.Flip()
			r, won = flipped.Result()
			assert.Equal(t, tt.result, r)
			assert.False(t, won)
		})
	}
}

func TestIllegalPositionsAreNamed(t *testing.T) {
	closed := bg.Side{1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, bg.Bar: 3}
	for _, tt := range []struct {
		name   string
		p      bg.Position
		reason string
	}{
		{"too many", bg.Position{OnRoll: bg.Side{6: 16}, Opponent: bg.Side{6: 15}}, "16 checkers for the player on roll, at most 15"},
		{"too many", bg.Position{OnRoll: bg.Side{6: 15}, Opponent: bg.Side{6: 17}}, "17 checkers for the opponent, at most 15"},
		{"none", bg.Position{OnRoll: bg.Side{6: 15}}, "no checkers for the opponent"},
		{"shared point", bg.Position{OnRoll: bg.Side{6: 15}, Opponent: bg.Side{19: 15}}, "both sides have checkers on the 6 point"},
		{"both finished", bg.Position{OnRoll: bg.Side{0: 15}, Opponent: bg.Side{0: 15}}, "both sides have borne off all checkers"},
		{"both closed out", bg.Position{OnRoll: closed, Opponent: closed}, "nobody can ever move"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.p.Validate()
			require.ErrorIs(t, err, bg.ErrPosition)
			assert.ErrorContains(t, err, tt.reason)
		})
	}
}
