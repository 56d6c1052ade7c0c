package notation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/bg/notation"
)

func TestOGIDsMeanWhatTheirDescriptionSays(t *testing.T) {
	for _, tt := range []struct {
		text, xgid, written string
	}{
		{ // start, White to act, 1-point match
			"11ccccchhhjjjjj:66666888dddddoo:N0N::B:IW:0:0:1:0",
			"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:1:10",
			"11ccccchhhjjjjj:66666888dddddoo:N0N::B:C:0:0:1:0",
		},
		{ // White to play 61, leads 2-1 in the Crawford game of a match to 3
			"99cchhiijjjkkmm:223334455666ddo:N0N:16:B:R:2:1:3C:13",
			"XGID=-a-B-BCBB---bB--B--cbbcb--:0:0:1:16:2:1:1:3:10",
			"99cchhiijjjkkmm:223334455666ddo:N0N:16:B:R:2:1:3C:0",
		},
		{ // Black to play 33, White has one on the bar
			"03cccchhhhjjjjj:16666888dddddoo:N0N:33:W:R:0:1:3:3",
			"XGID=-b----E-D---eD---c-d--A-aA:0:0:-1:33:0:1:0:3:10",
			"03cccchhhhjjjjj:16666888dddddoo:N0N:33:W:R:0:1:3:0",
		},
		{ // Black has doubled, White to answer
			"cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11",
			"",
			"cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:0",
		},
		{ // money, White to act, 2 White and 3 Black on the bar, the rest off
			"00jjj:66ppp:N0N::B:C:0:0:0:0",
			"XGID=c-----C------------b-----B:0:0:1:00:0:0:0:0:10",
			"00jjj:66ppp:N0N::B:C:0:0:0:0",
		},
		{ // board and cube alone: White owns a 2-cube; no player to act given
			"11jjjjjhhhccccc:ooddddd88866666:W1N",
			"XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10",
			"11ccccchhhjjjjj:66666888dddddoo:W1N::B:C:0:0:0:0",
		},
		{ // nobody named, but Black on the bar would have entered with any dice, so he is on roll
			"66:p:N0N",
			"XGID=a------------------B------:0:0:-1:00:0:0:0:0:10",
			"66:p:N0N::W:C:0:0:0:0",
		},
		{ // one of each side on the bar: no player can have just moved, which is no reason to doubt who is named
			"0:p:B0N::B:C:0:0:0:0",
			"XGID=a------------------------A:0:-1:1:00:0:0:0:0:10",
			"0:p:B0N::B:C:0:0:0:0",
		},
	} {
		s, err := notation.ParseOGID(tt.text, bg.Rules{})
		require.NoError(t, err, tt.text)
		if tt.xgid != "" {
			assert.Equal(t, mustParse(t, tt.xgid), s, tt.text)
		}
		assert.Equal(t, "OGID="+tt.written, notation.OGID(s))
		for _, tag := range []string{"OGID=", "ogid=", "OGID:", ""} {
			got, format, err := notation.Parse(tag + tt.text)
			require.NoError(t, err, tag+tt.text)
			assert.Equal(t, notation.FormatOGID, format)
			assert.Equal(t, s, got)
		}
	}
}

// mustParse reads an XGID without its limit of the cube.
func mustParse(t *testing.T, xgid string) bg.State {
	t.Helper()
	s, err := notation.ParseXGID(xgid, bg.Rules{})
	require.NoError(t, err)
	s.Rules.MaxCube = 0
	return s
}

func TestOGIDOfADoubleNamesTheDoubler(t *testing.T) {
	s, err := notation.ParseOGID("cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11", bg.Rules{})
	require.NoError(t, err)
	assert.True(t, s.Doubled)
	assert.Equal(t, 0, s.Seat)
	assert.Equal(t, 1, s.Decider())
}

func TestOGIDsSurviveStates(t *testing.T) {
	for _, v := range idVectors(t) {
		s, err := bg.ParseGNUID(v.GNUID)
		require.NoError(t, err)
		s.Resigned = bg.Unfinished // not stored
		s.Rules.Jacoby = s.Rules.Jacoby && s.Score.Money()
		got, err := notation.ParseOGID(notation.OGID(s), s.Rules)
		require.NoError(t, err, notation.OGID(s))
		got.Dice = got.Dice.Sorted()
		assert.Equal(t, s, got, notation.OGID(s))
	}
}

func TestOGIDOfHypergammonTellsTheCheckers(t *testing.T) {
	s := bg.NewGame(bg.Rules{Variant: bg.Hypergammon})
	id := notation.OGID(s)
	assert.True(t, strings.HasSuffix(id, ":0:3"), id)
	got, err := notation.ParseOGID(id, bg.Rules{})
	require.NoError(t, err)
	assert.Equal(t, s, got)
}

func TestOGIDsThatAreWrongAreRefused(t *testing.T) {
	const start = "11ccccchhhjjjjj:66666888dddddoo:"
	for _, tt := range []struct{ text, reason string }{
		{"11ccccchhhjjjjp:66666888dddddoo:N0N", "White has a checker on 25"},
		{"11ccccchhhjjjjj:06666888dddddoo:N0N", "Black has a checker on 0"},
		{"11ccccchhhjjjjj:16666888dddddoo:N0N", "both sides have checkers on 1"},
		{"11cccccchhhjjjjj:66666888dddddoo:N0N", "16 checkers"},
		{"11ccccchhhjjjjj:66666888ddd-doo:N0N", "'-' is no point"},
		{start + "X0N", "the cube is"},
		{start + "N0N:61:B:R:0:0:0:x", "the move number"},
		{start + "N0N:67:B:R", "the dice are"},
		{start + "N0N::X:C", "want W or B"},
		{start + "N0N::B:Q", "the state is \"Q\""},
		{start + "N0N::B:R", "but there are no dice"},
		{start + "N0N:61:B:C", "but the dice have been rolled"},
		{start + "N0N::B:D", "but the cube is not offered"},
		{start + "N0O::B:C", "the cube is offered, but the state is C"},
		{start + "N0O:61:B:D", "after the dice have been rolled"},
		{start + "W1O::B:D:0:0:3:0", "but the cube is the opponent's"},
		{start + "N0O", "it is not told by whom"},
		{start + "N0N::B:C:0:0:3L:0", "nobody needs just one point"},
		{start + "N0N::B:C:0:0:3X:0", "want C, L or G"},
		{start + "N0N::B:C:0:0:3:0:10", "10 checkers a side"},
		{start + "N0N::B:C:0:0:3:0:15:9", "an OGID has 3 to 11 fields, not 12"},
		{"66:p:N0N::B:C", "Black is said to have just moved, but has checkers on the bar that no dice could have kept there"},
		{"0:jj:N0N::W:C", "White is said to have just moved"},
		{"66:p:N0N:::IW", "Black is said to have just moved"},
	} {
		_, err := notation.ParseOGID(tt.text, bg.Rules{})
		require.Error(t, err, tt.text)
		assert.ErrorContains(t, err, tt.reason, tt.text)
	}
}

func FuzzParseOGID(f *testing.F) {
	for _, text := range []string{
		"11ccccchhhjjjjj:66666888dddddoo:N0N::B:IW:0:0:1:0", "99cchhiijjjkkmm:223334455666ddo:N0N:16:B:R:2:1:3C:13",
		"cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11", "11jjjjjhhhccccc:ooddddd88866666:W1N", "00jjj:66ppp:N0N::B:C:0:0:0:0:3",
		"0:p:B0N", "OGID=0:p:B0N::B:C:0:0:0:0", "66:p:N0N", "66:p:N0N:::IW",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := notation.ParseOGID(text, bg.Rules{})
		if err != nil {
			return
		}
		require.NoError(t, s.Validate())
		again, err := notation.ParseOGID(notation.OGID(s), s.Rules)
		require.NoError(t, err, notation.OGID(s))
		s.Dice, again.Dice = s.Dice.Sorted(), again.Dice.Sorted()
		require.Equal(t, s, again, notation.OGID(s))
	})
}
