package movegen_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/movegen"
)

// roll returns the sorted Position IDs that a roll leads to, and the number of dice used.
func roll(pos *bg.Position, dice bg.Dice) (ids []string, used int) {
	for _, play := range movegen.Plays(nil, pos, dice) {
		ids = append(ids, play.Result.ID())
		used = max(used, play.Move.Len())
	}
	slices.Sort(ids)
	return ids, used
}

type positionLine struct {
	ID    string `json:"position_id"`
	Kind  string
	Board [26]int
	Rolls map[string]struct {
		N, Used int
		Hash    string
	}
}

func TestResultsOfAllRollsAreThoseOfTwoReferenceGenerators(t *testing.T) {
	lines := readLines[positionLine](t, "positions.jsonl.gz")
	require.Len(t, lines, 460)
	plays := 0
	for _, line := range lines {
		pos := position(t, line.ID)
		require.Equal(t, line.Board, pos.Board())
		require.Len(t, line.Rolls, 21)
		for text, want := range line.Rolls {
			dice, err := bg.ParseDice(text)
			require.NoError(t, err)
			ids, used := roll(&pos, dice)
			hash := sha256.Sum256([]byte(strings.Join(ids, "\n")))
			assert.Len(t, ids, want.N, "%s %s", line.ID, text)
			assert.Equal(t, want.Used, used, "%s %s", line.ID, text)
			assert.Equal(t, want.Hash, hex.EncodeToString(hash[:8]), "%s %s", line.ID, text)
			plays += len(ids)
		}
	}
	assert.Equal(t, 181833, plays)
}

func TestForcedPlaysAreThoseOfTwoReferenceGenerators(t *testing.T) {
	type line struct {
		Category string
		ID       string `json:"position_id"`
		Dice     bg.Dice
		Used     int
		Results  []string
		Why      string
	}
	lines := readLines[line](t, "forced.jsonl.gz")
	require.Len(t, lines, 188)
	for _, line := range lines {
		pos := position(t, line.ID)
		ids, used := roll(&pos, line.Dice)
		assert.Equal(t, line.Results, ids, "%s: %s", line.Category, line.Why)
		assert.Equal(t, line.Used, used, "%s: %s", line.Category, line.Why)
	}
}

func TestPlaysAreThoseOfGNUBackgammon(t *testing.T) {
	type line struct {
		ID    string `json:"position_id"`
		Dice  bg.Dice
		Moves []struct {
			Move  string
			After string `json:"after_position_id"`
		}
	}
	lines := readLines[line](t, "gnubg-plays.jsonl.gz")
	require.Len(t, lines, 90)
	for _, line := range lines {
		pos := position(t, line.ID)
		plays := movegen.Plays(nil, &pos, line.Dice)
		require.Len(t, plays, max(len(line.Moves), 1), line.ID)
		for _, m := range line.Moves {
			play, err := movegen.Find(&pos, line.Dice, steps(t, m.Move))
			require.NoError(t, err, "%s %v %s", line.ID, line.Dice, m.Move)
			if m.After == "" {
				result, onRollWon := play.Result.Result()
				assert.NotEqual(t, bg.Unfinished, result)
				assert.False(t, onRollWon)
			} else {
				assert.Equal(t, m.After, play.Result.ID(), "%s %v %s", line.ID, line.Dice, m.Move)
			}
			assert.Equal(t, m.Move, play.Move.String(), "%s %v", line.ID, line.Dice)
		}
	}
}

func TestPerft(t *testing.T) {
	limit := uint64(5e6)
	if testing.Short() {
		limit = 1e5
	}
	if n, err := strconv.ParseUint(os.Getenv("KOTRA_PERFT_LIMIT"), 10, 64); err == nil {
		limit = n
	}
	f, err := os.Open("testdata/positions.perft")
	require.NoError(t, err)
	defer f.Close()
	for scanner := bufio.NewScanner(f); scanner.Scan(); {
		fields := strings.Fields(scanner.Text())
		if fields[0] == "#" {
			continue
		}
		pos := position(t, fields[0])
		depth, err := strconv.Atoi(fields[1])
		require.NoError(t, err)
		want, err := strconv.ParseUint(fields[2], 10, 64)
		require.NoError(t, err)
		if want <= limit {
			assert.Equal(t, want, movegen.Perft(&pos, depth), scanner.Text())
		}
	}
}

func TestKnownPlays(t *testing.T) {
	tests := []struct {
		name, id string
		dice     bg.Dice
		want     []string
	}{
		{"two dice, one checker, both blocked", "sDn4AAAAADAAAA", bg.Dice{5, 4}, nil},
		{"the bar enters first", "bOzBBwDgc/ABUA", bg.Dice{6, 4}, []string{"bar/19 13/9", "bar/15", "bar/19 24/20", "bar/19 6/2", "bar/19 8/4"}},
		{"both dice are compulsory", "APABMGy+AAAAAA", bg.Dice{6, 2}, []string{"7/5 6/off"}},
		{"the larger die is compulsory", "4AM+AON5d4AAAA", bg.Dice{6, 5}, []string{"13/7"}},
		{"bearing off is a choice", "AwAAIAEAAAAAAA", bg.Dice{6, 4}, []string{"5/off 3/off", "5/1 3/off"}},
		{"a six takes a checker off the six point", "/38AAADb7g4AAA", bg.Dice{6, 4}, []string{"6/off 4/off", "6/off 6/2", "6/off 5/1"}},
		{"hitting in passing", "4HPwQSDgc/ABMA", bg.Dice{5, 1}, []string{
			"13/8 24/23", "13/8 6/5", "13/7*", "24/18", "6/1* 24/23", "6/1* 6/5", "8/7* 6/1*", "8/3 24/23", "8/2", "8/3 6/5", "8/7* 8/3", "8/7*/2",
		}},
		{"closed board", "2+4OAAB43wcAQA", bg.Dice{6, 1}, nil},
		{"half a move is a trap", "zD0GADPg/yMAIA", bg.Dice{5, 3}, []string{"24/21 9/4"}},
		{"four aces off", "AwAAeAEAAAAAAA", bg.Dice{1, 1}, []string{"1/off(4)", "2/1 1/off(3)"}},
		{"four and two in the bearoff", "AwAAEAEAAAAAAA", bg.Dice{4, 2}, []string{"5/1 2/off", "5/3/off"}},
		{"larger die when only one can be played", "AQAM8N4DAAIAAA", bg.Dice{6, 5}, []string{"18/12"}},
		{"three of four fives", "BwAAjO8DABAAAA", bg.Dice{5, 5}, []string{"21/6"}},
		{"one of two enters", "tjkHBwDg8+ABYA", bg.Dice{5, 4}, []string{"bar/20"}},
		{"dance in the bearoff", "BwAAxp/HAAAAAA", bg.Dice{4, 4}, nil},
		{"double hit from the bar", "0HPkAyDgc/ABUA", bg.Dice{6, 5}, []string{"bar/20* 13/7", "bar/20*/14*", "bar/20* 24/18", "bar/20* 8/2"}},
		{"fewer checkers than steps", "AwAAAAMAAAAAAA", bg.Dice{5, 5}, []string{"6/off(2)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pos := position(t, tt.id)
			want := map[string]bool{}
			for _, text := range tt.want {
				play, err := movegen.Find(&pos, tt.dice, steps(t, text))
				require.NoError(t, err, text)
				want[play.Result.ID()] = true
			}
			plays := movegen.Plays(nil, &pos, tt.dice)
			assert.Len(t, plays, max(len(tt.want), 1))
			assert.Len(t, want, len(tt.want))
			for _, play := range plays {
				assert.Equal(t, len(tt.want) > 0, want[play.Result.ID()], play.Move)
			}
		})
	}
}

func TestHitsAreMarkedOnEachStep(t *testing.T) {
	pos := position(t, "0HPkAyDgc/ABUA")
	play, err := movegen.Find(&pos, bg.Dice{6, 5}, steps(t, "bar/14"))
	require.NoError(t, err)
	assert.Equal(t, []bg.Step{{From: bg.Bar, To: 20, Hit: true}, {From: 20, To: 14, Hit: true}}, play.Move.Steps())
}

func TestStartHasTheKnownNumbers(t *testing.T) {
	pos := bg.Start()
	assert.EqualValues(t, 447, movegen.Perft(&pos, 1))
	opening, union := 0, map[bg.Position]bool{}
	for _, roll := range bg.Rolls() {
		results := movegen.Results(nil, &pos, roll.Dice)
		if !roll.Dice.Double() {
			opening += len(results)
		}
		for _, r := range results {
			union[r] = true
		}
	}
	assert.Equal(t, 190, opening)
	assert.Len(t, union, 406)

	// The opening 3-1: 31 sequences of steps with 7 first steps lead to 16 positions.
	sequences, _ := slowMoves(&pos, bg.Dice{3, 1})
	assert.Len(t, sequences, 31)
	first := map[bg.Step]bool{}
	for _, m := range sequences {
		first[m.Steps()[0]] = true
	}
	assert.Len(t, first, 7)
	assert.Len(t, movegen.Plays(nil, &pos, bg.Dice{3, 1}), 16)
}

func TestBlotsAreHitByTheKnownNumberOfRolls(t *testing.T) {
	known := [...]int{1: 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1}
	for distance := 1; distance <= 24; distance++ {
		var pos bg.Position
		hitter := min(distance+6, bg.Bar)
		if hitter == bg.Bar {
			hitter = 24 // the bar would have to enter
		}
		if distance == 24 {
			hitter = bg.Bar
		}
		pos.OnRoll[hitter] = 1
		pos.Opponent[25-(hitter-distance)] = 1
		hits := 0
		for _, roll := range bg.Rolls() {
			for _, r := range movegen.Results(nil, &pos, roll.Dice) {
				if r.OnRoll[bg.Bar] > 0 {
					hits += roll.Weight
					break
				}
			}
		}
		assert.Equal(t, known[distance], hits, "distance %d", distance)
	}
}
