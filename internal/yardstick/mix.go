package yardstick

import (
	_ "embed"
	"strings"
	"sync"

	"kotra/bg"
)

//go:embed mix.txt
var mixData string

// A Sample is a position with a roll, as met in play.
type Sample struct {
	Position bg.Position
	Dice     bg.Dice
}

// State returns the sample as a money game with a centered cube, the dice rolled.
func (s *Sample) State() bg.State {
	state := bg.NewGame(bg.Rules{Jacoby: true})
	state.Position, state.Dice = s.Position, s.Dice
	return state
}

// Mix returns positions in the proportions in which they come up in play, for measuring speed.
// The slice is shared and must not be changed.
var Mix = sync.OnceValue(func() []Sample {
	var mix []Sample
	for line := range strings.Lines(mixData) {
		id, dice, _ := strings.Cut(strings.TrimSpace(line), " ")
		var s Sample
		var err error
		if s.Position, err = bg.ParsePositionID(id); err == nil {
			s.Dice, err = bg.ParseDice(dice)
		}
		if err != nil {
			panic("yardstick: embedded mix: " + err.Error())
		}
		mix = append(mix, s)
	}
	return mix
})
