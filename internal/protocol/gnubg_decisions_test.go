package protocol_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/internal/protocol"
)

func TestDecisionsTakeGNUBGLongerTheDeeperItLooks(t *testing.T) {
	if testing.Short() {
		t.Skip("starts gnubg six times")
	}
	states := make([]bg.State, 4)
	for i := range states {
		states[i] = bg.NewGame(bg.Rules{})
		states[i].Dice = bg.Dice{uint8(3 + i%2), 1}
	}
	measure := func(plies int) time.Duration {
		used, err := protocol.GNUBGDecisionTime(context.Background(), states, plies)
		if errors.Is(err, protocol.ErrNoGNUBG) {
			t.Skip("gnubg is not installed")
		}
		require.NoError(t, err)
		return used
	}
	assert.Greater(t, measure(2), measure(0))
	for i := range states {
		states[i].Dice = bg.Dice{}
	}
	assert.Positive(t, measure(2))
}
