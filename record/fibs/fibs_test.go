package fibs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/record"
	"kotra/record/fibs"
)

// The logs are written from memory of the server's texts, not taken from it.
const oldmoves = `Score is 1-0 in a 5 point match.
ann is X - ben is O
X: (6 1) 13-7 8-7
O: (5 2) 1-3 12-17
X: (3 1) 8-5 6-5
O: doubles
X: accepts
O: (6 6) can't move
X: (5 5) 13-8 13-8 8-3 8-3
O: wins 2 points
`

const live = `** You are now playing a 3 point match with ben
Starting a new game with ben.
You rolled 6, ben rolled 1
It's your turn to move.
ben kibitzes: ben rolls well
You roll 6 and 1.
You move 13-7 8-7 .
ben rolls 4 and 2.
ben moves 17-21 19-21 .
You double. Please wait for ben to accept or reject.
ben accepts the double. The cube shows 2.
You roll 3 and 1.
You move 8-5 6-5 .
ben doubles. Type 'accept' or 'reject'.
You give up. ben wins 2 points.
ben wins the game and gets 2 points. Sorry.
Starting a new game with ben.
ben rolls 3 and 1.
ben moves 17-20 19-20 .
`

func TestOldmovesAreRead(t *testing.T) {
	assert.True(t, fibs.Is([]byte(oldmoves)))
	m, err := fibs.Read(strings.NewReader(oldmoves))
	require.NoError(t, err)
	assert.Equal(t, [2]string{"ann", "ben"}, m.Players)
	assert.Equal(t, 5, m.Length)
	require.Len(t, m.Games, 1)
	g := m.Games[0]
	assert.Equal(t, [2]int{1, 0}, g.Score)
	assert.Equal(t, "24/22 13/8", g.Actions[1].Move.String())
	assert.Equal(t, 5, g.Plays())
	assert.Equal(t, [2]int{1, 2}, m.Score())
	require.Len(t, m.Warnings, 1, "66 can be played")
	assert.Equal(t, 8, m.Warnings[0].Line)
}

func TestRunningMatchesAreRead(t *testing.T) {
	assert.True(t, fibs.Is([]byte(live)))
	m, err := fibs.Read(strings.NewReader(live))
	require.NoError(t, err)
	assert.Empty(t, m.Warnings)
	assert.Equal(t, [2]string{"You", "ben"}, m.Players)
	assert.Equal(t, 3, m.Length)
	require.Len(t, m.Games, 2)
	g := m.Games[0]
	assert.Equal(t, "8/4 6/4", g.Actions[1].Move.String())
	assert.Equal(t, record.Passed, g.Outcome.End)
	assert.Equal(t, [2]int{0, 2}, m.Score())
	assert.True(t, m.Games[1].Crawford)
}

func TestOtherTextIsNoLog(t *testing.T) {
	assert.False(t, fibs.Is([]byte(" 5 point match\n\n Game 1\n A : 0   B : 0\n 1) 31: 8/5 6/5\n")))
	_, err := fibs.Read(strings.NewReader("hello\n"))
	assert.ErrorIs(t, err, fibs.ErrNoMatch)
}

func FuzzRead(f *testing.F) {
	f.Add(oldmoves)
	f.Add(live)
	f.Fuzz(func(_ *testing.T, text string) {
		m, err := fibs.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, g := range m.Games {
			m.Replay(g)
		}
	})
}
