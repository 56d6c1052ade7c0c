package cube_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"kotra/bg"
	"kotra/cube"
	"kotra/movegen"
)

// A solver plays short endings out to the end, with the cube.
type solver struct {
	known map[key]cube.Value
}

type key struct {
	pos   bg.Position
	state cube.State
}

// noDouble returns the value to the player on roll if he rolls now.
func (s *solver) noDouble(pos *bg.Position, state cube.State) cube.Value {
	var sum cube.Value
	for _, roll := range bg.Rolls() {
		best := cube.Value(-1e9)
		for _, play := range movegen.Plays(nil, pos, roll.Dice) {
			best = max(best, -s.value(&play.Result, state.Flip()))
		}
		sum += cube.Value(roll.Weight) * best
	}
	return sum / 36
}

// value returns the value to the player on roll before he decides whether to double.
func (s *solver) value(pos *bg.Position, state cube.State) cube.Value {
	if r, won := pos.Result(); r != bg.Unfinished {
		return state.Settle(r, won)
	}
	k := key{*pos, state}
	if v, ok := s.known[k]; ok {
		return v
	}
	v := s.noDouble(pos, state)
	if state.Live() {
		v = max(v, min(s.noDouble(pos, state.Double()), state.PassValue()))
	}
	s.known[k] = v
	return v
}

// bearoff returns a position of few checkers at home, by point, the others off.
func bearoff(mine, theirs [7]uint8) bg.Position {
	var p bg.Position
	put := func(s *bg.Side, points [7]uint8) {
		s[bg.Off] = 15
		for point, n := range points {
			s[point] += n
			s[bg.Off] -= n
		}
	}
	put(&p.OnRoll, mine)
	put(&p.Opponent, theirs)
	return p
}

func TestShortEndingsAreExact(t *testing.T) {
	money := cube.Info{Cube: bg.Cube{Value: 1}}
	owned := cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}}
	jacobyParadox := bearoff([7]uint8{2: 1, 5: 1}, [7]uint8{1: 1, 4: 1})
	minimumTake := bearoff([7]uint8{6: 1}, [7]uint8{6: 1})
	threeRolls := bearoff([7]uint8{1: 6}, [7]uint8{1: 6})
	fiveRolls := bearoff([7]uint8{1: 10}, [7]uint8{1: 10})
	lastRoll := bearoff([7]uint8{2: 1, 5: 1}, [7]uint8{1: 1})

	type testCase struct {
		name                 string
		pos                  bg.Position
		info                 cube.Info
		noDouble, doubleTake float64
		text                 string // empty: any double
	}
	tests := []testCase{
		{"no redouble although the favorite", jacobyParadox, owned, 155. / 648, 1. / 9, "No redouble, take"},
		{"three rolls", threeRolls, money, 83. / 108, 373. / 324, "Double, pass"},
		{"five rolls, cube in the middle", fiveRolls, money, 295729. / 419904, 305233. / 419904, "Double, take"},
		{"five rolls, own cube", fiveRolls, owned, 158177. / 209952, 305233. / 419904, "No redouble, take"},
		{"take and pass are equal", minimumTake, money, 1. / 2, 1, ""},
		{"last roll for money", lastRoll, money, 1. / 18, 1. / 9, "Double, take"},
	}
	twoAway := cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 5, OnRoll: 3, Opponent: 3}}
	e := .67736 // after a win, at 1-away 2-away Crawford
	stake := 2*e - 1
	tests = append(tests, testCase{
		"last roll at 2-away 2-away", lastRoll, twoAway,
		(2*(19*e+17*(1-e))/36 - 1) / stake, (2*19./36 - 1) / stake, "Double, take",
	})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := cube.New(tt.info)
			s := solver{known: map[key]cube.Value{}}
			state := g.State()
			d := g.Decide(s.noDouble(&tt.pos, state), s.noDouble(&tt.pos, state.Double()))
			assert.InDelta(t, tt.noDouble, float64(d.NoDouble), rounding)
			assert.InDelta(t, tt.doubleTake, float64(d.DoubleTake), rounding)
			assert.True(t, tt.text == "" && d.Action.Doubles() || tt.text == d.String(), d.String())
		})
	}
}
