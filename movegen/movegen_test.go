package movegen_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/movegen"
)

// check compares the plays of a position with those of the slow generator.
func check(t *testing.T, pos bg.Position) {
	t.Helper()
	for _, roll := range bg.Rolls() {
		moves, _ := slowMoves(&pos, roll.Dice)
		want := results(&pos, moves)
		for _, dice := range []bg.Dice{roll.Dice, {roll.Dice[1], roll.Dice[0]}} {
			plays := movegen.Plays(nil, &pos, dice)
			onlyResults := movegen.Results(nil, &pos, dice)
			got := map[bg.Position]bool{}
			require.Len(t, onlyResults, len(plays), "%v %v", pos, dice)
			for i, play := range plays {
				require.False(t, got[play.Result], "%v %v: %v twice", pos, dice, play)
				got[play.Result] = true
				// Comparing first is much faster than require.Equal, and there are many.
				if after := pos.After(play.Move); play.Result != after || play.Result != onlyResults[i] {
					require.Equal(t, after, play.Result, "%v %v: %v", pos, dice, play.Move)
					require.Equal(t, onlyResults[i], play.Result, "%v %v: %v", pos, dice, play.Move)
				}
				if len(moves) > 0 && !slices.Contains(moves, play.Move) {
					require.Contains(t, moves, play.Move, "%v %v", pos, dice)
				}
			}
			require.True(t, maps.Equal(want, got), "%v %v: want %v, got %v", pos, dice, want, got)
		}
	}
}

func TestPlaysAgreeWithTheSlowGenerator(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	positions := 150
	if testing.Short() {
		positions = 20
	}
	t.Run("random positions", func(t *testing.T) {
		for range positions {
			check(t, randomPosition(rng, 15))
		}
	})
	t.Run("few checkers", func(t *testing.T) {
		for range 3 * positions {
			check(t, randomPosition(rng, 1+rng.IntN(5)))
		}
	})
	for _, variant := range []bg.Variant{bg.Standard, bg.Nackgammon, bg.Hypergammon, bg.LongGammon} {
		if testing.Short() && variant == bg.LongGammon {
			continue // long
		}
		t.Run(variant.String(), func(t *testing.T) {
			for _, pos := range randomGame(rng, variant.Start()) {
				check(t, pos)
			}
		})
	}
}

func TestResultsDoNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	positions := randomGame(rng, bg.Start())
	results := make([]bg.Position, 0, 2048)
	plays := make([]movegen.Play, 0, 2048)
	// More than one run: the mean is rounded down, and the runtime may allocate something meanwhile.
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		for i := range positions {
			for _, roll := range bg.Rolls() {
				results = movegen.Results(results[:0], &positions[i], roll.Dice)
				plays = movegen.Plays(plays[:0], &positions[i], roll.Dice)
			}
		}
	}))
}

func TestPlaysAppends(t *testing.T) {
	pos := bg.Start()
	first := movegen.Plays(nil, &pos, bg.Dice{3, 1})
	both := movegen.Plays(slices.Clip(first), &pos, bg.Dice{6, 6})
	assert.Len(t, both, 16+11)
	assert.Equal(t, first, both[:16])
	assert.Equal(t, movegen.Plays(nil, &pos, bg.Dice{6, 6}), both[16:])
}

func TestDancesAndFinishedGamesHaveOnePlayWithoutSteps(t *testing.T) {
	closed := position(t, "2+4OAAB43wcAQA")
	won := board(map[int]uint8{3: 1}, nil)
	for _, pos := range []bg.Position{closed, won, won.Flip()} {
		for _, roll := range bg.Rolls() {
			assert.Equal(t, []movegen.Play{{Result: pos.Flip()}}, movegen.Plays(nil, &pos, roll.Dice))
		}
	}
	assert.Zero(t, movegen.Perft(&won, 1))
	assert.EqualValues(t, 21, movegen.Perft(&closed, 1))
}

func TestPlaysPanicsWithoutDice(t *testing.T) {
	pos := bg.Start()
	for _, dice := range []bg.Dice{{}, {7, 1}, {1, 0}} {
		assert.Panics(t, func() { movegen.Plays(nil, &pos, dice) })
	}
}
