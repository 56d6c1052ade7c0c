package notation_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/bg/notation"
)

func TestXGIDWithBothSidesOnTheBar(t *testing.T) {
	s, err := notation.ParseXGID("XGID=b-----E-D---dD---c-db---AA:0:0:1:63:0:0:0:0:10", bg.Rules{})
	require.NoError(t, err)
	assert.Equal(t, "sOfgAWDg8+ABUA", s.Position.ID())
	assert.Equal(t, 163, s.Position.OnRoll.Pips())
	assert.Equal(t, 160, s.Position.Opponent.Pips())
	assert.Equal(t, bg.Dice{6, 3}, s.Dice)
}

func TestXGIDWithALargeCube(t *testing.T) {
	const id = "XGID=-b----E-C---eE---c-e----B-:6:1:1:00:0:0:0:0:10"
	s, err := notation.ParseXGID(id, bg.Rules{})
	require.NoError(t, err)
	assert.Equal(t, bg.Cube{Value: 64, Owner: bg.OnRoll}, s.Cube)
	assert.Equal(t, 1024, s.Rules.MaxCube)
	assert.Equal(t, id, notation.XGID(s))
}

func TestXGIDStoresTheRulesOfMoneyGames(t *testing.T) {
	for _, tt := range []struct {
		tail  string
		rules bg.Rules
	}{
		{"0:0:10", bg.Rules{MaxCube: 1024}},
		{"1:0:10", bg.Rules{MaxCube: 1024, Jacoby: true}},
		{"2:0:6", bg.Rules{MaxCube: 64, Beavers: 3}},
		{"3:0:0", bg.Rules{NoCube: true, Jacoby: true, Beavers: 3}},
	} {
		id := "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:1:" + tt.tail
		s, err := notation.ParseXGID(id, bg.Rules{Beavers: 1, MaxCube: 2})
		require.NoError(t, err, id)
		assert.Equal(t, tt.rules, s.Rules, id)
		assert.Equal(t, id, notation.XGID(s))
	}
	s := bg.NewGame(bg.Rules{})
	assert.Equal(t, "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", notation.XGID(s))
	s.Cube = bg.Cube{Value: 1 << 12, Owner: bg.Opponent}
	assert.Equal(t, "XGID=-b----E-C---eE---c-e----B-:12:-1:1:00:0:0:0:0:12", notation.XGID(s))
}

func TestXGIDOfABeaverIsReadWithEitherCube(t *testing.T) {
	const board = "XGID=-b----E-C---eE---c-e----B-:"
	for _, tt := range []struct {
		fields  string
		cube    int
		beavers int
		decider int
		want    string
	}{
		{"1:-1:1:B:0:0:2:0:10", 2, 1, 1, "1:-1:1:B:0:0:2:0:10"},
		{"0:0:1:B:0:0:2:0:10", 2, 1, 1, "1:-1:1:B:0:0:2:0:10"},
		{"2:-1:1:R:0:0:2:0:10", 4, 2, 0, "2:-1:1:R:0:0:2:0:10"},
		{"0:0:1:R:0:0:2:0:10", 4, 2, 0, "2:-1:1:R:0:0:2:0:10"},
		{"0:0:1:D:0:0:2:0:10", 1, 0, 0, "0:0:1:D:0:0:2:0:10"},
	} {
		s, err := notation.ParseXGID(board+tt.fields, bg.Rules{})
		require.NoError(t, err, tt.fields)
		assert.True(t, s.Doubled)
		assert.Equal(t, tt.beavers, s.Beavers, tt.fields)
		assert.Equal(t, tt.cube, s.Cube.Value, tt.fields)
		assert.Equal(t, tt.decider, s.Decider(), tt.fields)
		assert.Equal(t, board+tt.want, notation.XGID(s))
	}
}

func TestXGIDsThatAreWrongAreRefusedWithTheirPlace(t *testing.T) {
	for _, tt := range []struct {
		text   string
		offset int
		reason string
	}{
		{"XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10", 30, "the board of an XGID has 26 characters, not 25"},
		{"XGID=-b----E-C---eE---c-e----B?:0:0:1:00:0:0:0:0:10", 30, "'?' is no number of checkers"},
		{"XGID=-b----P-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", 11, "'P' is no number of checkers"},
		{"XGID=A-----E-D---dD---c-db---A-:0:0:1:63:0:0:0:0:10", 5, "bar of the player at the top"},
		{"XGID=-b----E-C---eE---c-e----Ab:0:0:1:00:0:0:0:0:10", 30, "bar of the player at the bottom"},
		{"-b----E-C---eE---c-e----B-:x:0:1:00:0:0:0:0:10", 27, `the logarithm of the cube is "x", want a number`},
		{"-b----E-C---eE---c-e----B-:0:2:1:00:0:0:0:0:10", 29, "the owner of the cube is 2, want -1 to 1"},
		{"-b----E-C---eE---c-e----B-:0:0:0:00:0:0:0:0:10", 31, "the turn is 0"},
		{"-b----E-C---eE---c-e----B-:0:0:1:70:0:0:0:0:10", 33, `the action is "70"`},
		{"-b----E-C---eE---c-e----B-:0:0:1:3:0:0:0:0:10", 33, `the action is "3"`},
		{"-b----E-C---eE---c-e----B-:0:0:1:00:-1:0:0:0:10", 36, "the score of the player at the bottom is -1"},
		{"-b----E-C---eE---c-e----B-:0:0:1:00:0:0:4:0:10", 40, "the sum of Jacoby (1) and beavers (2) is 4"},
		{"-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:5:10", 40, "the mark of the Crawford game is 2"},
		{"-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0", 41, "an XGID has 10 fields, not 8"},
	} {
		_, err := notation.ParseXGID(tt.text, bg.Rules{})
		var syntax *bg.SyntaxError
		require.ErrorAs(t, err, &syntax, tt.text)
		assert.Equal(t, tt.offset, syntax.Offset, tt.text)
		assert.Contains(t, syntax.Reason, tt.reason, tt.text)
	}
}

func TestXGIDsOfWhatCannotBeAreRefused(t *testing.T) {
	for _, tt := range []struct{ text, reason string }{
		{"-b----F-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "16 checkers for the player on roll"},
		{"-b----F-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10", "16 checkers for the opponent"},
		{"--------------------------:0:0:1:00:0:0:0:0:10", "both sides have borne off"},
		{"cBBBBBB------------bbbbbbC:0:0:1:00:0:0:0:0:10", "nobody can ever move"},
		{"-b----E-C---eE---c-e----B-:0:0:1:00:5:0:0:5:10", "the score 5-0 ends a match to 5"},
		{"-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:5:10", "a Crawford game at 0-0"},
		{"-b----E-C---eE---c-e----B-:0:0:1:D:4:0:1:5:10", "a double is offered in the Crawford game"},
		{"-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:65:10", "a match to 65 points"},
		{"-b----E-C---eE---c-e----B-:3:1:1:00:0:0:0:0:2", "a cube of 8, at most 4"},
		{"-b----E-C---eE---c-e----B-:1:-1:1:D:0:0:0:0:10", "but the cube is the opponent's"},
		{"-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:0", "a game without a cube"},
	} {
		_, err := notation.ParseXGID(tt.text, bg.Rules{})
		require.Error(t, err, tt.text)
		assert.ErrorContains(t, err, tt.reason, tt.text)
	}
}

func TestXGIDOfHypergammonHasThreeCheckersASide(t *testing.T) {
	s := bg.NewGame(bg.Rules{Variant: bg.Hypergammon, MaxCube: 1024})
	got, err := notation.ParseXGID(notation.XGID(s), s.Rules)
	require.NoError(t, err)
	assert.Equal(t, s, got)
}

func FuzzParseXGID(f *testing.F) {
	for _, v := range idVectors(f)[:80] {
		if v.XGID != nil {
			f.Add(*v.XGID)
		}
	}
	f.Add("xgid=-b----E-C---eE---c-e----B-:1:-1:1:B:0:0:2:0:10")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := notation.ParseXGID(text, bg.Rules{})
		if err != nil {
			return
		}
		require.NoError(t, s.Validate())
		again, err := notation.ParseXGID(notation.XGID(s), s.Rules)
		require.NoError(t, err)
		if s.Rules.MaxCube == 0 && !s.Rules.NoCube {
			again.Rules.MaxCube = 0 // the field was missing
		}
		require.Equal(t, s, again)
	})
}
