package protocol

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
)

func TestRolloutsOfGNUBackgammonAreRead(t *testing.T) {
	// What GNU Backgammon 1.07.001 writes, with the first and the last result only.
	const text = "Current Position:\r\n" +
		"  0.446200 0.118700 0.005100 - 0.553800 0.171200 0.007200 CL -0.162100\r\n" +
		" [0.003700 0.002200 0.000500 - 0.003700 0.002600 0.001400 CL  0.010800] 1r\r\n" +
		"Rollout done. Printing final results.\r\n\r\nCurrent Position:\r\n\r\n" +
		"  0.449817 0.115076 0.005643 - 0.550183 0.163311 0.007270 CL -0.150227\r\n\r\n" +
		" [0.001989 0.001455 0.000389 - 0.001989 0.001614 0.000959 CL  0.005167] 1r\r\n"
	r, err := parseGNUBGRollout(text)
	require.NoError(t, err)
	assert.Equal(t, GNUBGRolloutResult{Equity: -0.150227, StdErr: 0.005167}, r)
	_, err = parseGNUBGRollout("Rollout done. Printing final results.")
	assert.Error(t, err)
}

func TestGNUBackgammonRollsOut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	start := bg.Start()
	r, err := GNUBGRollout(t.Context(), start.ID(), 6, 1)
	if err != nil {
		require.ErrorIs(t, err, ErrNoGNUBG)
		t.Skip(err)
	}
	assert.InDelta(t, 0.07, r.Equity, 5*r.StdErr+0.01) // the player on roll has a small advantage
	assert.Positive(t, r.StdErr)
	assert.Positive(t, r.CPU)
}
