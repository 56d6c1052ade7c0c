package notation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/bg/notation"
)

func TestAnyNotationIsRecognized(t *testing.T) {
	for _, tt := range []struct {
		text   string
		format notation.Format
	}{
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", notation.FormatXGID},
		{"xgid=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", notation.FormatXGID},
		{" -b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n", notation.FormatXGID},
		{"OGID=11ccccchhhjjjjj:66666888dddddoo:N0N::B:C:0:0:0:0", notation.FormatOGID},
		{"11ccccchhhjjjjj:66666888dddddoo:N0N::B:C:0:0:0:0", notation.FormatOGID},
		{"4HPwATDgc/ABMA:cAkAAAAAAAAE", notation.FormatGNUID},
		{"4HPwATDgc/ABMA cAkAAAAAAAAE", notation.FormatGNUID},
		{"4HPwATDgc/ABMA", notation.FormatPositionID},
		{"board:You:Opp:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1", notation.FormatFIBS},
		{"0;0;0;1;1;Ann;Ben;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;", notation.FormatSnowie},
	} {
		s, format, err := notation.Parse(tt.text)
		require.NoError(t, err, tt.text)
		assert.Equal(t, tt.format, format)
		s.Rules.MaxCube = 0
		assert.Equal(t, bg.NewGame(bg.Rules{}), s, tt.text)
	}
}

func TestTextInNoNotationIsRefused(t *testing.T) {
	for _, tt := range []struct{ text, reason string }{
		{"", "no position given"},
		{"  \n", "no position given"},
		{"hello", "this is no XGID, OGID, GNUBG ID, Position ID, FIBS board, Snowie position or board drawing"},
		{"4HPwATDgc/ABM", "a Position ID has 14 characters, not 13"},
		{"4HPwATDgc/ABMA:cAkAAAAAAAA", "a Match ID has 12 characters, not 11"},
		{"a:b:c:d", "an XGID has 10 fields, not 4"},
		{"XGID=", "an XGID has 10 fields, not 1"},
		{"OGID=1", "an OGID has 3 to 11 fields, not 1"},
		{"board:", "a board line has 52 fields, not 1"},
	} {
		_, _, err := notation.Parse(tt.text)
		require.Error(t, err, tt.text)
		assert.ErrorContains(t, err, tt.reason, tt.text)
	}
}

func TestFormatsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for f := notation.UnknownFormat; f <= notation.FormatDrawing; f++ {
		assert.False(t, seen[f.String()], f.String())
		seen[f.String()] = true
	}
}

func TestRulesThatANotationDoesNotStoreAreGiven(t *testing.T) {
	rules := bg.Rules{Jacoby: true, Beavers: 2, MaxCube: 64}
	for _, text := range []string{"4HPwATDgc/ABMA", "11ccccchhhjjjjj:66666888dddddoo:N0N::B:C:0:0:0:0"} {
		s, format, err := notation.ParseWith(text, rules)
		require.NoError(t, err)
		assert.False(t, format.StoresJacoby())
		assert.Equal(t, rules, s.Rules)
	}
	s, _, err := notation.ParseWith("11ccccchhhjjjjj:66666888dddddoo:N0N::B:C:0:0:3:0", rules)
	require.NoError(t, err)
	assert.False(t, s.Rules.Jacoby, "no Jacoby rule in a match")
	s, format, err := notation.ParseWith("4HPwATDgc/ABMA:cAkAAAAAAAAE", rules)
	require.NoError(t, err)
	assert.True(t, format.StoresJacoby())
	assert.Equal(t, bg.Rules{Beavers: 2, MaxCube: 64}, s.Rules)
}

func TestSnowiePositionsAreReadAndWritten(t *testing.T) {
	const line = "7;0;0;0;1;Ann;Ben;0;2;3;2;1;-1;-2;0;0;0;0;4;0;3;0;0;0;-4;4;0;0;0;-3;0;-5;0;0;0;0;2;2;5;2;"
	s, names, err := notation.ParseSnowie(line, bg.Rules{})
	require.NoError(t, err)
	assert.Equal(t, [2]string{"Ben", "Ann"}, names)
	assert.Equal(t, bg.Score{Length: 7, OnRoll: 2, Opponent: 3}, s.Score)
	assert.Equal(t, bg.Cube{Value: 2, Owner: bg.OnRoll}, s.Cube)
	assert.Equal(t, bg.Dice{5, 2}, s.Dice)
	assert.Equal(t, uint8(2), s.Position.OnRoll[bg.Bar])
	assert.Equal(t, uint8(1), s.Position.Opponent[bg.Bar])
	assert.Equal(t, line, notation.Snowie(s, names))

	for _, v := range idVectors(t) {
		want, err := bg.ParseGNUID(v.GNUID)
		require.NoError(t, err)
		want.Doubled, want.Resigned = false, bg.Unfinished // not stored
		want.Rules.Jacoby = want.Rules.Jacoby && want.Score.Money()
		got, names, err := notation.ParseSnowie(notation.Snowie(want, [2]string{"A", "B"}), bg.Rules{})
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Equal(t, [2]string{"A", "B"}, names)
	}
}

func TestSnowiePositionsThatAreWrongAreRefused(t *testing.T) {
	const line = "7;0;0;0;1;Ann;Ben;0;2;3;2;1;-1;-2;0;0;0;0;4;0;3;0;0;0;-4;4;0;0;0;-3;0;-5;0;0;0;0;2;2;5;2;"
	for _, tt := range []struct{ old, changed, reason string }{
		{"7;0;0;0;1;", "7;0;0;1;", "a Snowie position has 40 fields, not 39"},
		{"7;0;", "7;x;", `field 1 is "x", want a number`},
		{"7;0;0;0;1;", "7;0;0;0;2;", "the player on roll in field 4 is 2"},
		{";5;2;", ";5;7;", "the second die in field 39 is 7"},
		{";-1;-2;", ";-9;-2;", "23 checkers for the opponent"},
		{";2;2;5;2;", ";2;-2;5;2;", "at index 25"},
		{";2;3;2;1;", ";2;3;3;1;", "a cube of 3"},
	} {
		_, _, err := notation.ParseSnowie(strings.Replace(line, tt.old, tt.changed, 1), bg.Rules{})
		require.Error(t, err, tt.changed)
		require.ErrorContains(t, err, tt.reason)
	}
	s, names, err := notation.ParseSnowie(strings.Replace(line, "Ann", "A;n;n", 1), bg.Rules{})
	require.NoError(t, err)
	assert.Equal(t, [2]string{"Ben", "A;n;n"}, names)
	assert.Equal(t, 1, s.Seat)
}

func TestSimpleBoardsAreReadAndWritten(t *testing.T) {
	start := bg.Start()
	const text = "0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0"
	assert.Equal(t, text, notation.Simple(start))
	p, err := notation.ParseSimple(text, 15)
	require.NoError(t, err)
	assert.Equal(t, start, p)
	for _, v := range idVectors(t) {
		p, err := bg.ParsePositionID(v.PositionID)
		require.NoError(t, err)
		got, err := notation.ParseSimple(notation.Simple(p), 15)
		require.NoError(t, err)
		assert.Equal(t, p, got)
	}
	_, err = notation.ParseSimple("1 2 3 4", 15)
	require.ErrorContains(t, err, "a board is 26 integers, not 4")
	_, err = notation.ParseSimple(strings.Replace(text, "-5", "x", 1), 15)
	require.ErrorContains(t, err, `"x" is not an integer`)
	_, err = notation.ParseSimple(strings.Replace(text, "-5", "-9", 1), 15)
	assert.ErrorIs(t, err, bg.ErrPosition)
}

func FuzzParseSnowie(f *testing.F) {
	f.Add("7;0;0;0;1;Ann;Ben;0;2;3;2;1;-1;-2;0;0;0;0;4;0;3;0;0;0;-4;4;0;0;0;-3;0;-5;0;0;0;0;2;2;5;2;")
	f.Add("0;1;0;1;0;Ann;B;n;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;")
	f.Fuzz(func(t *testing.T, text string) {
		s, names, err := notation.ParseSnowie(text, bg.Rules{})
		if err != nil {
			return
		}
		require.NoError(t, s.Validate())
		again, sameNames, err := notation.ParseSnowie(notation.Snowie(s, names), s.Rules)
		require.NoError(t, err)
		require.Equal(t, s, again)
		require.Equal(t, names, sameNames)
	})
}

func FuzzParseSimple(f *testing.F) {
	f.Add("0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := notation.ParseSimple(text, 15)
		if err != nil {
			return
		}
		again, err := notation.ParseSimple(notation.Simple(p), 15)
		require.NoError(t, err)
		require.Equal(t, p, again)
	})
}

func FuzzParse(f *testing.F) {
	for _, v := range lines[boardVector](f, "testdata/boards.jsonl.gz")[:10] {
		f.Add(v.Drawing)
		f.Add(v.Clockwise)
	}
	for _, v := range idVectors(f)[:20] {
		f.Add(v.GNUID)
		f.Add(v.PositionID)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, format, err := notation.Parse(text)
		if err != nil {
			return
		}
		require.NoError(t, s.Validate())
		require.NotEqual(t, notation.UnknownFormat, format)
	})
}
