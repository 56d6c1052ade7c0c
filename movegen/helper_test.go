package movegen_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/movegen"
)

// position reads a Position ID.
func position(t testing.TB, id string) bg.Position {
	t.Helper()
	pos, err := bg.ParsePositionID(id)
	require.NoError(t, err)
	return pos
}

// steps reads a move as players write it.
func steps(t testing.TB, text string) []bg.Step {
	t.Helper()
	s, err := bg.ParseSteps(text)
	require.NoError(t, err)
	return s
}

// readLines decodes a compressed file of one JSON document a line.
func readLines[T any](t testing.TB, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	require.NoError(t, err)
	defer f.Close()
	zr, err := gzip.NewReader(f)
	require.NoError(t, err)
	var lines []T
	for dec := json.NewDecoder(zr); ; {
		var line T
		err := dec.Decode(&line)
		if errors.Is(err, io.EOF) {
			return lines
		}
		require.NoError(t, err)
		lines = append(lines, line)
	}
}

// slowMoves returns all orders in which a roll can be played and their results: it tries every
// sequence of single steps, then keeps the longest ones and obeys the larger die.
func slowMoves(pos *bg.Position, dice bg.Dice) (moves []bg.Move, used int) {
	orders := [][]uint8{{dice[0], dice[1]}, {dice[1], dice[0]}}
	if dice.Double() {
		orders = [][]uint8{{dice[0], dice[0], dice[0], dice[0]}}
	}
	type line struct {
		move  bg.Move
		first uint8 // die of the first step
	}
	var all []line
	for _, order := range orders {
		var try func(pos bg.Position, m bg.Move, rest []uint8)
		try = func(pos bg.Position, m bg.Move, rest []uint8) {
			used = max(used, m.Len())
			if m.Len() > 0 {
				all = append(all, line{m, order[0]})
			}
			if len(rest) == 0 {
				return
			}
			for from := uint8(1); from <= bg.Bar; from++ {
				if to, ok := slowStep(&pos, from, rest[0]); ok {
					next := pos
					try(next, m.Append(next.Play(from, to)), rest[1:])
				}
			}
		}
		if pos.Opponent.Rearmost() != bg.Off {
			try(*pos, bg.Move{}, order)
		}
	}
	var largest uint8
	for _, l := range all {
		if l.move.Len() == used {
			largest = max(largest, l.first)
		}
	}
	for _, l := range all {
		if l.move.Len() == used && (used > 1 || l.first == largest) {
			moves = append(moves, l.move)
		}
	}
	return moves, used
}

// slowStep reports whether a checker can move from a place with a die, as the rules say it.
func slowStep(pos *bg.Position, from, die uint8) (to uint8, ok bool) {
	if pos.OnRoll[from] == 0 {
		return 0, false
	}
	if pos.OnRoll[bg.Bar] > 0 && from != bg.Bar {
		return 0, false
	}
	if from > die {
		return from - die, pos.Opponent[25-(from-die)] < 2
	}
	rear := pos.OnRoll.Rearmost()
	return bg.Off, rear <= 6 && (from == die || from == uint8(rear))
}

// results returns the positions after moves, each once.
func results(pos *bg.Position, moves []bg.Move) map[bg.Position]bool {
	set := map[bg.Position]bool{}
	for _, m := range moves {
		set[pos.After(m)] = true
	}
	if len(moves) == 0 {
		set[pos.Flip()] = true
	}
	return set
}

// randomGame plays one game of random moves and returns its positions.
func randomGame(rng *rand.Rand, start bg.Position) []bg.Position {
	var game []bg.Position
	for pos := start; ; {
		game = append(game, pos)
		if result, _ := pos.Result(); result != bg.Unfinished {
			return game
		}
		dice := bg.Dice{uint8(rng.IntN(6) + 1), uint8(rng.IntN(6) + 1)}
		plays := movegen.Plays(nil, &pos, dice)
		pos = plays[rng.IntN(len(plays))].Result
	}
}

// randomPosition scatters up to n checkers a side.
func randomPosition(rng *rand.Rand, n int) bg.Position {
	for {
		var b [26]int
		low := rng.IntN(12)
		high := [2]int{1 + rng.IntN(25), 1 + rng.IntN(25)}
		for side := range 2 {
			for range n - rng.IntN(low+1)%n {
				place := 1 + rng.IntN(high[side])
				if rng.IntN(4) > 0 {
					place = 1 + rng.IntN(min(high[side], 8))
				}
				switch {
				case side == 0 && b[place] >= 0:
					b[place]++
				case side == 1 && place == 25:
					b[0]--
				case side == 1 && b[25-place] <= 0:
					b[25-place]--
				}
			}
		}
		if pos, err := bg.FromBoard(b, n); err == nil {
			return pos
		}
	}
}
