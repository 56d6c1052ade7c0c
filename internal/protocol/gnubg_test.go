package protocol

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/duel"
)

// A racer judges by the pip count.
type racer struct{}

func (racer) Evaluate(pos *bg.Position) bg.Probs {
	lead := float32(pos.Opponent.Pips()-pos.OnRoll.Pips()+8) / 200
	return bg.Probs{Win: min(max(0.5+lead, 0), 1)}
}

func needGNUBG(t *testing.T) {
	t.Helper()
	if _, err := findGNUBG(); err != nil {
		t.Skip(err)
	}
	if testing.Short() {
		t.Skip("starts gnubg")
	}
}

func TestGNUBGPlaysADuelWithoutIllegalReplies(t *testing.T) {
	needGNUBG(t)
	got, err := duel.Run(t.Context(), duel.Config{
		Pairs: 16,
		Seed:  1,
		Rules: bg.Rules{NoCube: true},
	}, duel.ZeroPly("racer", racer{}), GNUBG(GNUBGOptions{}))
	require.NoError(t, err)
	assert.Equal(t, 32, got.Games)
	assert.Equal(t, [2]int{}, got.Illegal, got.FirstIllegal)
	assert.Less(t, got.PPG, 0.0)
	t.Logf("%+v", got)
}
