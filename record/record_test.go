package record_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/record"
)

func play(t *testing.T, player int, dice, move string) record.Action {
	t.Helper()
	d, err := bg.ParseDice(dice)
	require.NoError(t, err)
	steps, err := bg.ParseSteps(move)
	require.NoError(t, err)
	return record.Action{Player: player, Dice: d, Move: bg.NewMove(steps...)}
}

func match(length int, games ...*record.Game) *record.Match {
	for i, g := range games {
		g.Number = i + 1
	}
	m := &record.Match{Length: length, Players: [2]string{"Ada", "Bo"}, Games: games}
	m.Complete()
	return m
}

func TestHitsAreFoundAndStatesFollow(t *testing.T) {
	m := match(5, &record.Game{Actions: []record.Action{
		play(t, 0, "21", "24/23 13/11"), play(t, 1, "64", "24/14"), play(t, 0, "31", "24/23 6/3"),
		{Kind: record.Double, Player: 1},
		{Kind: record.Take, Player: 0},
	}})
	assert.Len(t, m.Warnings, 1)
	g := m.Games[0]
	assert.Equal(t, "24/14*", g.Actions[1].Move.String())
	assert.NotEmpty(t, g.Actions[2].Illegal, "the checker on the bar must enter")
	r := m.Replay(g)
	require.Len(t, r.Moments, 5)
	assert.Equal(t, bg.Cube{Value: 1}, r.Moments[3].State.Cube)
	assert.True(t, r.Moments[4].State.Doubled)
	assert.Equal(t, 1, r.Moments[4].State.Seat)
	assert.Equal(t, bg.Cube{Value: 2, Owner: bg.Opponent}, r.Final.Cube)
}

func TestBeaversTurnTheCube(t *testing.T) {
	m := match(0, &record.Game{Actions: []record.Action{
		play(t, 0, "31", "8/5 6/5"),
		{Kind: record.Double, Player: 1},
		{Kind: record.Beaver, Player: 0},
		{Kind: record.Beaver, Player: 1, Cube: 8},
		play(t, 1, "42", "8/4 6/4"),
	}, Outcome: &record.Outcome{Winner: 0, Points: 16}})
	g := m.Games[0]
	assert.Empty(t, m.Warnings)
	assert.Equal(t, 3, m.Rules.Beavers)
	require.Len(t, g.Actions, 7)
	assert.True(t, g.Actions[4].Implied)
	assert.Equal(t, record.Take, g.Actions[4].Kind)
	assert.Equal(t, 0, g.Actions[4].Player)
	r := m.Replay(g)
	for _, moment := range r.Moments {
		s := moment.State
		require.NoError(t, s.Validate())
	}
	assert.Equal(t, bg.Cube{Value: 8, Owner: bg.Opponent}, r.Moments[5].State.Cube)
	assert.Equal(t, record.Resign, g.Actions[6].Kind)
	assert.Equal(t, bg.Gammon, g.Actions[6].Amount)
}

func TestContradictionsBecomeWarnings(t *testing.T) {
	tests := []struct {
		name  string
		games []*record.Game
		want  string
	}{
		{"score", []*record.Game{{Outcome: &record.Outcome{Winner: 0, Points: 2}}, {Score: [2]int{1, 0}}}, "begins at 1-0"},
		{"after the end", []*record.Game{{Outcome: &record.Outcome{Winner: 0, Points: 3}}, {Score: [2]int{3, 0}}}, "after the match has been won"},
		{"points of a pass", []*record.Game{{
			Actions: []record.Action{play(t, 0, "31", "8/5 6/5"), {Kind: record.Double, Player: 1}, {Kind: record.Pass, Player: 0}},
			Outcome: &record.Outcome{Winner: 1, Points: 2},
		}}, "it is worth 1"},
		{"winner of a pass", []*record.Game{{
			Actions: []record.Action{play(t, 0, "31", "8/5 6/5"), {Kind: record.Double, Player: 1}, {Kind: record.Pass, Player: 0}},
			Outcome: &record.Outcome{Winner: 0, Points: 1},
		}}, "to Ada, but Bo has won"},
		{"two rolls in a row", []*record.Game{{Actions: []record.Action{play(t, 0, "31", "8/5 6/5"), play(t, 0, "42", "8/4 6/4")}}}, "twice in a row"},
		{"take without a double", []*record.Game{{Actions: []record.Action{play(t, 0, "31", "8/5 6/5"), {Kind: record.Take}}}}, "without a double"},
		{"no answer", []*record.Game{{Actions: []record.Action{
			play(t, 0, "31", "8/5 6/5"), {Kind: record.Double, Player: 1}, play(t, 1, "42", "8/4 6/4"),
		}}}, "no answer"},
		{"odd resignation", []*record.Game{{Actions: []record.Action{
			play(t, 0, "31", "8/5 6/5"), {Kind: record.Double, Player: 1}, {Kind: record.Take, Player: 0}, play(t, 1, "42", "8/4 6/4"),
		}, Outcome: &record.Outcome{Winner: 0, Points: 1}}}, "not a single game"},
		{"cube", []*record.Game{{Actions: []record.Action{play(t, 0, "31", "8/5 6/5"), {Kind: record.Double, Player: 1, Cube: 4}}}}, "it is 2"},
		{"Crawford", []*record.Game{{Crawford: true, Score: [2]int{2, 0}, Actions: []record.Action{
			play(t, 0, "31", "8/5 6/5"), {Kind: record.Double, Player: 1},
		}}}, "Crawford"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := match(3, tt.games...)
			require.NotEmpty(t, m.Warnings)
			assert.Contains(t, m.Warnings[0].Text, tt.want)
		})
	}
}

func TestCrawfordGameIsTheFirstAtOneAway(t *testing.T) {
	game := func(a, b int) *record.Game { return &record.Game{Score: [2]int{a, b}} }
	m := &record.Match{Length: 3, Games: []*record.Game{game(0, 0), game(1, 0), game(2, 0), game(2, 1)}}
	m.InferCrawford()
	assert.True(t, m.Games[2].Crawford)
	assert.False(t, m.Games[3].Crawford)
	m = &record.Match{Length: 3, Games: []*record.Game{game(2, 2), game(2, 2)}}
	m.InferCrawford()
	assert.False(t, m.Games[0].Crawford)
	m = &record.Match{Length: 3, Rules: bg.Rules{NoCrawford: true}, Games: []*record.Game{game(2, 0)}}
	m.InferCrawford()
	assert.False(t, m.Games[0].Crawford)
}

func TestMarksFollowTheLoss(t *testing.T) {
	assert.Equal(t, record.Unmarked, record.MarkOf(.0299))
	assert.Equal(t, record.Doubtful, record.MarkOf(.03))
	assert.Equal(t, record.Bad, record.MarkOf(.06))
	assert.Equal(t, "very bad", record.MarkOf(.5).String())
	assert.Equal(t, -2, record.LuckMark(-.7))
	assert.Equal(t, 1, record.LuckMark(.3))
}
