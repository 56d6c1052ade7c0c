package bearoff

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"kotra/bg"
)

func TestTablesPreferTheTwoSidedOne(t *testing.T) {
	two := build(t, 3, 3)
	tables := Tables{One: Default(), Two: two}
	inBoth := bg.Position{OnRoll: side(1, 1, 1), Opponent: side(2, 0, 1)}
	inOne := bg.Position{OnRoll: side(1, 1, 1), Opponent: side(2, 0, 2)}
	inNone := bg.Start()

	eq, _ := two.Lookup(&inBoth)
	assert.Equal(t, bg.Probs{Win: float32(eq.Win())}, tables.Probs(&inBoth))
	assert.Equal(t, Default().Probs(&inOne), tables.Probs(&inOne))
	assert.Equal(t, Default().Probs(&inBoth), Tables{One: Default()}.Probs(&inBoth))
	assert.Panics(t, func() { tables.Probs(&inNone) })
	for pos, want := range map[bg.Position]bool{inBoth: true, inOne: true, inNone: false} {
		assert.Equal(t, want, tables.Covers(&pos))
	}
}
