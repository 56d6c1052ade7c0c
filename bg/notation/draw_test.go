package notation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/bg/notation"
)

// A board that was drawn without IDs, in the middle of other text.
const pastedBoard = `What would you play here?
>  +13-14-15-16-17-18------19-20-21-22-23-24-+
>  | X           O    |   | O              X |
>  | X           O    |   | O              X |
>  | X           O    |   | O                |
>  | X                |   | O                |
>  | X                |   | O                |
> v|                  |BAR|                  |
>  | O                |   | X                |
>  | O                |   | X                |
>  | O           X    |   | X                |
>  | O           X    |   | X              O |
>  | O           X    |   | X              O |
>  +12-11-10--9--8--7-------6--5--4--3--2--1-+
I think 8/5 6/5.`

func TestAPastedBoardIsRead(t *testing.T) {
	s, format, err := notation.Parse(pastedBoard)
	require.NoError(t, err)
	assert.Equal(t, notation.FormatDrawing, format)
	assert.Equal(t, bg.NewGame(bg.Rules{}), s)
}

func TestDrawingsThatAreWrongAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, old, changed, reason string }{
		{"frame", "| O           X    |   | X              O |", "| O           X    |   | X              O  ", "the frame of the drawn board is broken"},
		{"lower border", "+12-11", "+11-12", "the lower border of the drawn board is wanted here"},
		{"hanging checker", ">  | O           X    |   | X              O |\n>  +12", ">  | O                |   | X              O |\n>  +12", "a checker hangs in the air"},
		{"mixed point", ">  | O           X    |   | X              O |\n>  +12", ">  | X           X    |   | X              O |\n>  +12", "both sides have checkers on one point"},
		{"unknown letter", "| X           O    |   | O                |", "| X           Q    |   | O                |", "'Q' is wanted neither as a checker"},
		{"no cell", "| X           O    |   | O                |", "| X          O     |   | O                |", "is no cell of a drawn board"},
		{"tray", "| X           O    |   | O                |", "| X                |   | O                |", "beside the board \"   \" is drawn, but 1 checkers of O are off"},
		{"middle row", "v|                  |BAR|", "v| X                |BAR|", "checkers in the middle row"},
		{"wrong half of the bar", "| X                |   | O                |\n> v", "| X                | X | O                |\n> v", "a checker hangs in the air"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Contains(t, pastedBoard, tt.old)
			_, err := notation.ParseDrawing(strings.Replace(pastedBoard, tt.old, tt.changed, 1), bg.Rules{})
			require.Error(t, err)
			assert.ErrorContains(t, err, tt.reason)
		})
	}
	_, err := notation.ParseDrawing("nothing", bg.Rules{})
	require.ErrorContains(t, err, "no board is drawn here")
	_, err = notation.ParseDrawing(pastedBoard[:200], bg.Rules{})
	assert.ErrorContains(t, err, "a drawn board has 13 lines")
}

func TestDrawingsThatContradictTheirIDsAreRefused(t *testing.T) {
	s, err := bg.ParseGNUID("4HPwATDgc/ABMA:cAlvAAAAAAAE")
	require.NoError(t, err)
	drawing := notation.Draw(s, notation.DrawOptions{Names: [2]string{"Ann", "Ben (Cube: x)"}})
	d, err := notation.ParseDrawing(drawing, bg.Rules{})
	require.NoError(t, err)
	assert.Equal(t, s, d.State)
	assert.Equal(t, [2]string{"Ann", "Ben (Cube: x)"}, d.Names)
	for _, tt := range []struct{ old, changed, reason string }{
		{"Position ID: 4HPwATDgc/ABMA", "Position ID: sGfwATDgc/ABMA", "another board than the one drawn"},
		{"Match ID   : cAlvAAAAAAAE", "Match ID   : cAlqAAAAAAAE", "the Match ID and the drawing differ"},
		{"Match ID   : cAlvAAAAAAAE", "Match ID   : MAFvAAAAAAAE", "differ in the player on roll"},
		{"Match ID   : cAlvAAAAAAAE", "Match ID   : cAlv", "a Match ID has 12 characters, not 4"},
		{"Rolled 63", "Rolled 97", "want On roll or Rolled and the dice"},
		{"Rolled 63", "Rolled 63, resigns all", "want On roll or Rolled and the dice"},
		{"3 points match", "three points match", "want the length of the match"},
		{"(Cube: 1)", "(Cube: one)", "want the cube or the Crawford game"},
		{"0 points\n", "no points\n", "want the points of O"},
		{"O: Ann", "A: Ann", "want the name of O"},
		{"O: Ann", "O: Ann (Cube: 2)", "a cube"},
	} {
		require.Contains(t, drawing, tt.old)
		_, err := notation.ParseDrawing(strings.Replace(drawing, tt.old, tt.changed, 1), bg.Rules{})
		if assert.Error(t, err, tt.changed) && tt.reason != "a cube" {
			assert.ErrorContains(t, err, tt.reason, tt.changed)
		}
	}
}

func TestEveryHeightOfAStackIsDrawn(t *testing.T) {
	for n := 1; n <= 15; n++ {
		for _, clockwise := range []bool{false, true} {
			s := bg.NewGame(bg.Rules{})
			s.Position = bg.Position{OnRoll: bg.Side{bg.Off: uint8(15 - n), 6: uint8(n)}, Opponent: bg.Side{bg.Bar: uint8(n), 3: uint8(15 - n)}}
			d, err := notation.ParseDrawing(notation.Draw(s, notation.DrawOptions{Clockwise: clockwise, NoHeader: true}), bg.Rules{})
			require.NoError(t, err)
			assert.Equal(t, s, d.State)
		}
	}
}

func TestHypergammonIsDrawn(t *testing.T) {
	s := bg.NewGame(bg.Rules{Variant: bg.Hypergammon})
	d, err := notation.ParseDrawing(notation.Draw(s, notation.DrawOptions{}), s.Rules)
	require.NoError(t, err)
	assert.Equal(t, s, d.State)
}

func TestBeaversAndRaccoonsAreDrawn(t *testing.T) {
	for _, id := range []string{"EREAAAAAAAAA", "EhkAAAAAAAAA", "MBkAAAAAAAAA"} {
		s, err := bg.ParseGNUID("4HPwATDgc/ABMA:" + id)
		require.NoError(t, err)
		d, err := notation.ParseDrawing(notation.Draw(s, notation.DrawOptions{}), bg.Rules{})
		require.NoError(t, err, id)
		assert.Equal(t, s, d.State)
	}
}

func FuzzParseDrawing(f *testing.F) {
	f.Add(pastedBoard)
	for _, v := range lines[boardVector](f, "testdata/boards.jsonl.gz")[:30] {
		f.Add(v.Drawing)
		f.Add(v.Clockwise)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := notation.ParseDrawing(text, bg.Rules{})
		if err != nil {
			return
		}
		require.NoError(t, d.State.Validate())
		drawing := notation.Draw(d.State, notation.DrawOptions{Names: d.Names})
		again, err := notation.ParseDrawing(drawing, d.State.Rules)
		require.NoError(t, err, drawing)
		require.Equal(t, d.State.Position, again.State.Position)
		require.Equal(t, drawing, notation.Draw(again.State, notation.DrawOptions{Names: again.Names}))
	})
}
