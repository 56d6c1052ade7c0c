package movegen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/movegen"
)

// board returns the position with the given checkers of the player on roll and the opponent,
// each on his own points; what is missing to 15 has been borne off.
func board(onRoll, opponent map[int]uint8) bg.Position {
	var pos bg.Position
	for point, n := range onRoll {
		pos.OnRoll[point] = n
	}
	for point, n := range opponent {
		pos.Opponent[point] = n
	}
	pos.OnRoll[bg.Off] = uint8(15 - pos.OnRoll.Checkers())
	pos.Opponent[bg.Off] = uint8(15 - pos.Opponent.Checkers())
	return pos
}

func TestExplainNamesTheRule(t *testing.T) {
	start := bg.Start()
	bar := board(map[int]uint8{bg.Bar: 1, 13: 2, 6: 5}, map[int]uint8{6: 2, 5: 2, 3: 1, 2: 2})
	bothOnBar := board(map[int]uint8{bg.Bar: 2, 13: 2}, map[int]uint8{6: 2})
	bearoff := board(map[int]uint8{6: 1, 4: 2, 2: 1}, map[int]uint8{1: 2})
	oneOutside := board(map[int]uint8{7: 1, 6: 2, 1: 2}, map[int]uint8{1: 2})
	larger := position(t, "4AM+AON5d4AAAA") // 13:1 5:3 4:3 3:4 1:4, 6-5 can be played once
	tests := []struct {
		name string
		pos  bg.Position
		dice bg.Dice
		move string
		rule error
		text string
	}{
		{"legal", start, bg.Dice{3, 1}, "8/5 6/5", nil, ""},
		{"legal in the other order", start, bg.Dice{3, 1}, "6/5 8/5", nil, ""},
		{"legal at once", start, bg.Dice{6, 5}, "24/13", nil, ""},
		{"legal, second half first", start, bg.Dice{6, 5}, "18/13 24/18", nil, ""},
		{"two checkers, each with two dice of a double", board(map[int]uint8{bg.Bar: 2, 1: 3}, map[int]uint8{1: 5}), bg.Dice{6, 6}, "bar/13(2)", nil, ""},
		{"no checker", start, bg.Dice{3, 1}, "7/4 6/5", movegen.ErrNoChecker, "7/4: no checker on the 7 point"},
		{"no checker on the bar", start, bg.Dice{3, 1}, "bar/22", movegen.ErrNoChecker, "bar/22: no checker on the bar"},
		{"blocked", start, bg.Dice{5, 1}, "24/19", movegen.ErrBlocked, "24/19: the point is blocked: the opponent has 5 checkers on the 19 point"},
		{"blocked with the second die", start, bg.Dice{5, 1}, "13/12 6/1", movegen.ErrBlocked, "13/12: the point is blocked: the opponent has 5 checkers on the 12 point"},
		{"blocked on the way", position(t, "sDn4AAAAADAAAA"), bg.Dice{5, 4}, "24/15", movegen.ErrBlocked, "24/15: the point is blocked on the way, at 19 and 20"},
		{"not rolled", start, bg.Dice{3, 1}, "13/11 6/5", movegen.ErrNotRolled, "13/11: no dice for a distance of 2: there is 3, 1"},
		{"die used up", start, bg.Dice{3, 1}, "8/5 6/3", movegen.ErrNotRolled, "6/3: no dice for a distance of 3: there is 1"},
		{"too many steps", start, bg.Dice{3, 1}, "8/5 6/5 6/5", movegen.ErrTooMany, "6/5: more steps than dice"},
		{"one die only", start, bg.Dice{3, 1}, "8/5", movegen.ErrAllDice, "as many dice as possible must be played: 2 can be, here are 1"},
		{"three of four", start, bg.Dice{1, 1}, "8/7(2) 6/5", movegen.ErrAllDice, "as many dice as possible must be played: 4 can be, here are 3"},
		{"passing", start, bg.Dice{3, 1}, "", movegen.ErrAllDice, "as many dice as possible must be played: 2 can be, here are 0"},
		{"a first step that strands the other die", position(t, "APABMGy+AAAAAA"), bg.Dice{6, 2}, "6/4", movegen.ErrAllDice, "as many dice as possible must be played: 2 can be, here are 1"},
		{"smaller die", larger, bg.Dice{6, 5}, "13/8", movegen.ErrLargerDie, "the larger die must be played when only one can be: that is the 6"},
		{"bar first", bar, bg.Dice{3, 1}, "13/10 6/5", movegen.ErrBarFirst, "13/10: checkers on the bar must enter first"},
		{"blocked on the bar", bar, bg.Dice{5, 1}, "13/8 bar/20", movegen.ErrBlocked, "bar/20: the point is blocked: the opponent has 2 checkers on the 20 point"},
		{"second one on the bar first", bothOnBar, bg.Dice{5, 1}, "bar/20 13/12", movegen.ErrBarFirst, "13/12: checkers on the bar must enter first"},
		{"dance", position(t, "2+4OAAB43wcAQA"), bg.Dice{6, 1}, "", nil, ""},
		{"not home", oneOutside, bg.Dice{6, 2}, "6/off 1/off", movegen.ErrNotHome, "6/off: bearing off must wait until all checkers are home: one is on the 7 point"},
		{"home with the first die", oneOutside, bg.Dice{6, 1}, "6/off 7/6", nil, ""},
		{"checker behind comes down first", bearoff, bg.Dice{5, 2}, "4/off 6/4", nil, ""},
		{"checker still behind", bearoff, bg.Dice{5, 1}, "4/off 2/1", movegen.ErrBehind, "4/off: a larger die bears off from the highest point only: one is on the 6 point"},
		{"larger die from the highest point", board(map[int]uint8{4: 2, 2: 1}, map[int]uint8{1: 2}), bg.Dice{6, 5}, "4/off(2)", nil, ""},
		{"smaller die does not bear off", bearoff, bg.Dice{3, 1}, "6/off 2/1", movegen.ErrNotRolled, "6/off: no dice for a distance of 6: there is 3, 1"},
		{"backwards", start, bg.Dice{3, 1}, "5/8", movegen.ErrDirection, "5/8: checkers move from higher to lower points"},
		{"won with one die", board(map[int]uint8{2: 1}, map[int]uint8{1: 1}), bg.Dice{6, 1}, "2/off", nil, ""},
		{"game over", board(nil, map[int]uint8{1: 1}), bg.Dice{6, 1}, "2/off", movegen.ErrOver, "the game is over"},
		{"not rolled at all", start, bg.Dice{}, "8/5", movegen.ErrDice, "dice are not two numbers from 1 to 6: 00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := movegen.Explain(&tt.pos, tt.dice, steps(t, tt.move))
			require.ErrorIs(t, err, tt.rule)
			if tt.rule != nil {
				assert.EqualError(t, err, tt.text)
			}
		})
	}
}

func TestFindHitsOnlyWhereTheStepsStop(t *testing.T) {
	pos := board(map[int]uint8{24: 1, 13: 2}, map[int]uint8{5: 1, 7: 1, 1: 2}) // blots on 20 and 18
	dice := bg.Dice{6, 4}
	for text, want := range map[string]string{
		"24/14": "24/18*/14", "24/20/14": "24/20*/14", "24/18/14": "24/18*/14", "24/18* 18/14": "24/18*/14", "24/20* 13/7": "24/20* 13/7",
	} {
		play, err := movegen.Find(&pos, dice, steps(t, text))
		require.NoError(t, err, text)
		assert.Equal(t, want, play.Move.String(), text)
	}
	pos.Opponent[7] = 0 // no blot on 18
	for text, want := range map[string]string{"24/14": "24/14", "24/20/14": "24/20*/14", "24/14*": "24/14"} {
		play, err := movegen.Find(&pos, dice, steps(t, text))
		require.NoError(t, err, text)
		assert.Equal(t, want, play.Move.String(), text)
	}
}

func TestFindAcceptsExactlyTheSequencesOfTheSlowGenerator(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 100 {
		pos := randomPosition(rng, 1+rng.IntN(15))
		dice := bg.Rolls()[rng.IntN(21)].Dice
		moves, used := slowMoves(&pos, dice)
		legal := results(&pos, moves)
		for _, m := range moves {
			shuffled := bg.NewMove(m.Steps()...)
			rng.Shuffle(shuffled.Len(), func(i, j int) {
				s := shuffled.Steps()
				s[i], s[j] = s[j], s[i]
			})
			play, err := movegen.Find(&pos, dice, shuffled.Steps())
			require.NoError(t, err, "%v %v %v", pos, dice, m)
			require.Equal(t, pos.After(m), play.Result, "%v %v %v", pos, dice, m)
		}
		// Steps that nobody checked: only what leads to a legal result is accepted.
		for range 50 {
			var m bg.Move
			next := pos
			for range 1 + rng.IntN(used+1) {
				from := uint8(1 + rng.IntN(bg.Bar))
				to := from - min(from, dice[rng.IntN(2)])
				if next.OnRoll[from] > 0 && (to == bg.Off || next.Opponent[25-to] < 2) {
					m = m.Append(next.Play(from, to))
				}
				if m.Len() == 4 {
					break
				}
			}
			_, err := movegen.Find(&pos, dice, m.Steps())
			if err == nil {
				assert.True(t, legal[pos.After(m)], "%v %v %v", pos, dice, m)
			}
		}
	}
}

func ExampleFind() {
	pos := bg.Start()
	dice := bg.Dice{3, 1}
	steps, _ := bg.ParseSteps("6/5 8/5")
	play, _ := movegen.Find(&pos, dice, steps)
	fmt.Println(play.Move)
	steps, _ = bg.ParseSteps("13/12 8/5")
	fmt.Println(movegen.Explain(&pos, dice, steps))
	// Output:
	// 8/5 6/5
	// 13/12: the point is blocked: the opponent has 5 checkers on the 12 point
}

func ExamplePlays() {
	pos := bg.Start()
	for _, play := range movegen.Plays(nil, &pos, bg.Dice{6, 5}) {
		fmt.Println(play.Move)
	}
	// Unordered output:
	// 24/13
	// 24/18 13/8
	// 24/18 8/3
	// 13/2
	// 13/8 13/7
	// 13/7 8/3
	// 8/3 8/2
}
