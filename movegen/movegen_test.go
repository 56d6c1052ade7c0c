package movegen_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/movegen"
)

// check compares the plays of a position with those of the slow generator.
func check(t *testing.T, pos bg.Position) {
	t.Helper()
	for _, roll := range bg.Rolls() {
		for _, dice := range []bg.Dice{roll.Dice, {roll.Dice[1], roll.Dice[0]}} {
			moves, _ := slowMoves(&pos, dice)
			want := results(&pos, moves)
			plays := movegen.Plays(nil, &pos, dice)
			onlyResults := movegen.Results(nil, &pos, dice)
			got := map[bg.Position]bool{}
			require.Len(t, onlyResults, len(plays), "%v %v", pos, dice)
			for i, play := range plays {
				require.False(t, got[play.Result], "%v %v: %v twice", pos, dice, play)
				got[play.Result] = true
				require.True(t, play.Result == pos.After(play.Move), "%v %v: %v", pos, dice, play.Move)
				require.True(t, play.Result == onlyResults[i], "%v %v: %v", pos, dice, play.Move)
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
	t.Run("random positions", func(t *testing.T) {
		for range 200 {
			check(t, randomPosition(rng, 15))
		}
	})
	t.Run("few checkers", func(t *testing.T) {
		for range 500 {
			check(t, randomPosition(rng, 1+rng.IntN(5)))
		}
	})
	for variant := bg.Standard; variant <= bg.LongGammon; variant++ {
		t.Run(variant.String(), func(t *testing.T) {
			for _, pos := range randomGame(rng, variant.Start()) {
				check(t, pos)
			}
		})
	}
}
