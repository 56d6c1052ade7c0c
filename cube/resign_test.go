package cube_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"kotra/bg"
	"kotra/cube"
)

// race returns a position in which the player on roll has checkers at mine, and the opponent
// has borne off all but one.
func nearlyLost(off uint8, mine ...int) bg.Position {
	var p bg.Position
	p.OnRoll[bg.Off] = off
	for _, point := range mine {
		p.OnRoll[point]++
	}
	p.Opponent[bg.Off], p.Opponent[1] = 14, 1
	return p
}

func TestNobodyResignsMoreThanCanBeLost(t *testing.T) {
	back := nearlyLost(0, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24)
	outside := nearlyLost(0, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13)
	one := nearlyLost(1, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24)
	assert.Equal(t, bg.Backgammon, cube.MaxLoss(&back))
	assert.Equal(t, bg.Gammon, cube.MaxLoss(&outside))
	assert.Equal(t, bg.Single, cube.MaxLoss(&one))

	tests := []struct {
		name string
		pos  bg.Position
		info cube.Info
		v    float64 // equity of playing on
		want bg.Result
	}{
		{"a certain single game", one, cube.Info{}, -1, bg.Single},
		{"a certain gammon", outside, cube.Info{}, -2, bg.Gammon},
		{"a certain backgammon", back, cube.Info{}, -3, bg.Backgammon},
		{"a gammon that may be saved", outside, cube.Info{}, -1.5, bg.Unfinished},
		{"a game that may be won", one, cube.Info{}, -.9, bg.Unfinished},
		{"an evaluation that is worse than possible", one, cube.Info{}, -1.2, bg.Single},
		{"gammons do not count yet", outside, cube.Info{Rules: bg.Rules{Jacoby: true}}, -1, bg.Single},
		{"the last game of a match", outside, cube.Info{Score: bg.Score{Length: 1}}, -1, bg.Single},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.info.Cube.Value = 1
			g := cube.New(tt.info)
			v := g.Value(bg.Equity(tt.v))
			got := g.State().Resign(&tt.pos, v)
			assert.Equal(t, tt.want, got)
			if got != bg.Unfinished {
				assert.True(t, g.State().AcceptResignation(&tt.pos, got, v))
				if got > bg.Single {
					assert.False(t, g.State().AcceptResignation(&tt.pos, got-1, v))
				}
			}
		})
	}
}

func TestTooSmallAResignationIsRejected(t *testing.T) {
	g := cube.New(cube.Info{Cube: bg.Cube{Value: 2, Owner: bg.OnRoll}})
	pos := nearlyLost(0, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24)
	v := g.Value(-2.6)
	assert.False(t, g.State().AcceptResignation(&pos, bg.Single, v))
	assert.False(t, g.State().AcceptResignation(&pos, bg.Gammon, v))
	assert.True(t, g.State().AcceptResignation(&pos, bg.Backgammon, v))
}

func TestEfficiencyOfRacesDependsOnThePips(t *testing.T) {
	e := cube.MatchEfficiency()
	assert.InDelta(t, .6, e.Race(10), rounding)
	assert.InDelta(t, .65, e.Race(80), rounding)
	assert.InDelta(t, .7, e.Race(167), rounding)
	money := cube.Info{}
	e = money.Efficiency()
	assert.InDelta(t, .8, e.Race(70), rounding)
}
