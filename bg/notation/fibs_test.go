package notation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/bg/notation"
)

// A line that the reference sent when Engine, player 0, leads 2-0 and has to play 43.
const engineLeads = "board:Engine:House:3:2:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:4:3:4:3:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"

func TestScoresDependOnTheLayout(t *testing.T) {
	f, err := notation.ParseFIBS(engineLeads)
	require.NoError(t, err)

	s, err := f.State(notation.GNUBGLayout, bg.Rules{})
	require.NoError(t, err)
	assert.Equal(t, bg.Score{Length: 3, OnRoll: 2, Opponent: 0, Crawford: true}, s.Score)
	assert.Equal(t, [2]string{"Engine", "House"}, f.Players(notation.GNUBGLayout))

	s, err = f.State(notation.FIBSLayout, bg.Rules{})
	require.NoError(t, err)
	assert.Equal(t, bg.Score{Length: 3, OnRoll: 0, Opponent: 2, Crawford: true}, s.Score)
	assert.Equal(t, [2]string{"House", "Engine"}, f.Players(notation.FIBSLayout))
	assert.Equal(t, 0, s.Seat)
}

func TestBoardLinesMayHaveMoreAroundThem(t *testing.T) {
	want, err := notation.ParseFIBS(engineLeads)
	require.NoError(t, err)
	f, rest, err := notation.CutFIBS("\x00" + strings.Replace(engineLeads, "board", "Board", 1) + "  jacobyrule on plies 2\r\n\x00")
	require.NoError(t, err)
	assert.Equal(t, "jacobyrule on plies 2", rest)
	assert.Equal(t, want, f)
	_, err = notation.ParseFIBS(engineLeads + " jacobyrule on")
	assert.ErrorContains(t, err, "there is more after them")
}

func TestBoardLinesAreWrittenForAnyState(t *testing.T) {
	for _, v := range idVectors(t) {
		want, err := bg.ParseGNUID(v.GNUID)
		require.NoError(t, err)
		want.Resigned = bg.Unfinished // never sent
		want.Rules.Jacoby = want.Rules.Jacoby && want.Score.Money()
		for _, layout := range []notation.Layout{notation.FIBSLayout, notation.GNUBGLayout} {
			f := notation.NewFIBS(want, [2]string{"Alice", "Bob"}, layout)
			f, err := notation.ParseFIBS(f.String())
			require.NoError(t, err)
			got, err := f.State(layout, want.Rules)
			require.NoError(t, err, f.String())
			assert.Equal(t, want, got, f.String())
			assert.Equal(t, [2]string{"Alice", "Bob"}, f.Players(layout))
		}
	}
}

func TestNamesCannotBreakABoardLine(t *testing.T) {
	f := notation.NewFIBS(bg.NewGame(bg.Rules{}), [2]string{"A:B\n", `"Ann Lee"`}, notation.FIBSLayout)
	f, err := notation.ParseFIBS(f.String())
	require.NoError(t, err)
	assert.Equal(t, [2]string{`"Ann Lee"`, "A_B_"}, f.Names)
}

func TestLongMatchesAreCut(t *testing.T) {
	f, err := notation.ParseFIBS(engineLeads)
	require.NoError(t, err)
	f.Length, f.Score = 100, [2]int{98, 90}
	s, err := f.State(notation.GNUBGLayout, bg.Rules{})
	require.NoError(t, err)
	assert.Equal(t, bg.Score{Length: 64, OnRoll: 62, Opponent: 54}, s.Score)
}

func TestBoardLinesThatAreWrongAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*notation.FIBS)
		reason string
	}{
		{"turn", func(f *notation.FIBS) { f.Turn = 0 }, "the turn of the board line is 0"},
		{"color", func(f *notation.FIBS) { f.Color = 0 }, "the color of the board line is 0"},
		{"direction", func(f *notation.FIBS) { f.Direction = 0 }, "the direction of the board line is 0"},
		{"score", func(f *notation.FIBS) { f.Score[0] = 3 }, "the score 3-0 ends a match to 3"},
		{"negative score", func(f *notation.FIBS) { f.Score[0] = -3 }, "negative match length or score"},
		{"dice", func(f *notation.FIBS) { f.Dice[0] = [2]int{7, 9} }, "the dice of the board line are 7 and 9"},
		{"one die", func(f *notation.FIBS) { f.Dice[0] = [2]int{6, 0} }, "the dice of the board line are 6 and 0"},
		{"cube", func(f *notation.FIBS) { f.Cube = 3 }, "a cube of 3"},
		{"checkers", func(f *notation.FIBS) { f.Board[6] = 15 }, "25 checkers"},
		{"bar", func(f *notation.FIBS) { f.Board[0] = 1 }, "at index"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := notation.ParseFIBS(engineLeads)
			require.NoError(t, err)
			tt.change(&f)
			_, err = f.State(notation.GNUBGLayout, bg.Rules{})
			require.Error(t, err)
			assert.ErrorContains(t, err, tt.reason)
		})
	}
	for _, tt := range []struct{ text, reason string }{
		{"board:a:b:0", "a board line has 52 fields, not 3"},
		{engineLeads + ":1", "52 numbered fields"},
		{strings.Replace(engineLeads, ":3:2:", ":x:2:", 1), `field 3 of the board line is "x"`},
		{"bored" + engineLeads, "a board line begins with board:"},
	} {
		_, err := notation.ParseFIBS(tt.text)
		require.Error(t, err, tt.text)
		assert.ErrorContains(t, err, tt.reason)
	}
}

func FuzzParseFIBS(f *testing.F) {
	for _, v := range lines[fibsVector](f, "testdata/fibsboards.jsonl.gz")[:60] {
		f.Add(v.Send)
	}
	f.Add(engineLeads)
	f.Fuzz(func(t *testing.T, text string) {
		line, _, err := notation.CutFIBS(text)
		if err != nil {
			return
		}
		again, err := notation.ParseFIBS(line.String())
		require.NoError(t, err)
		for i := range line.Names {
			line.Names[i] = again.Names[i] // line ends in names have been replaced
		}
		require.Equal(t, line, again)
		for _, layout := range []notation.Layout{notation.FIBSLayout, notation.GNUBGLayout} {
			s, err := line.State(layout, bg.Rules{})
			if err != nil {
				continue
			}
			require.NoError(t, s.Validate())
			f := notation.NewFIBS(s, line.Players(layout), layout)
			written, err := f.State(layout, s.Rules)
			require.NoError(t, err)
			require.Equal(t, s, written)
		}
	})
}
