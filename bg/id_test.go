package bg_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
)

type idVector struct {
	GNUID       string       `json:"gnubgid"`
	Board       [2][25]uint8 // opponent, player on roll
	OnRoll      int          `json:"on_roll"`
	Turn        int
	Dice        bg.Dice
	Cube        int
	CubeOwner   int `json:"cube_owner"`
	Doubled     int
	Resigned    bg.Result
	GameState   bg.Status `json:"game_state"`
	MatchLength int       `json:"match_length"`
	Score       [2]int
	Crawford    int
	Jacoby      int
	Pips        [2]int
}

func TestIDsAreReadAndWrittenAsByTheReference(t *testing.T) {
	all := vectors[idVector](t, "ids.jsonl.gz")
	assert.Len(t, all, 420)
	for _, v := range all {
		s, err := bg.ParseGNUID(v.GNUID)
		require.NoError(t, err, v.GNUID)
		assert.Equal(t, v.GNUID, s.GNUID())

		assert.Equal(t, v.Board[1][:], s.Position.OnRoll[1:], v.GNUID)
		assert.Equal(t, v.Board[0][:], s.Position.Opponent[1:], v.GNUID)
		assert.Equal(t, v.Pips[v.OnRoll], s.Position.OnRoll.Pips(), v.GNUID)
		assert.Equal(t, v.Pips[1-v.OnRoll], s.Position.Opponent.Pips(), v.GNUID)
		assert.Equal(t, v.OnRoll, s.Seat, v.GNUID)
		assert.Equal(t, v.Turn, s.Decider(), v.GNUID)
		assert.Equal(t, v.Dice, s.Dice, v.GNUID)
		owner := bg.Centered
		switch v.CubeOwner {
		case v.OnRoll:
			owner = bg.OnRoll
		case 1 - v.OnRoll:
			owner = bg.Opponent
		}
		assert.Equal(t, bg.Cube{Value: v.Cube, Owner: owner}, s.Cube, v.GNUID)
		assert.Equal(t, bg.Score{Length: v.MatchLength, OnRoll: v.Score[v.OnRoll], Opponent: v.Score[1-v.OnRoll], Crawford: v.Crawford == 1}, s.Score, v.GNUID)
		assert.Equal(t, v.Doubled == 1, s.Doubled, v.GNUID)
		assert.Equal(t, v.Resigned, s.Resigned, v.GNUID)
		assert.Equal(t, v.GameState, s.Status, v.GNUID)
		if s.Score.Money() {
			assert.Equal(t, v.Jacoby == 1, s.Rules.Jacoby, v.GNUID)
		}
	}
}

func TestPositionIDsOfIllegalPositionsAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, id, reason string }{
		{"sixteen checkers", "4HPwATDg8+ADYA", "16 checkers for the player on roll"},
		{"twenty checkers", "4HPwATD//w8AAA", "20 checkers for the player on roll"},
		{"both sides on one point", "gIMPfDDgc/ABMA", "both sides have checkers on the"},
		{"both sides closed out", "27YBANC2bQAABA", "on the bar against closed boards"},
		{"both sides finished", "AAAAAAAAAAAAAA", "both sides have borne off all checkers"},
		{"checkers beyond the bar", "AAAAAAAAAAAA/w", "beyond the bar"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := bg.ParsePositionID(tt.id)
			require.ErrorIs(t, err, bg.ErrPosition)
			assert.ErrorContains(t, err, tt.reason)
		})
	}
}

func TestTextThatIsNoPositionIDIsRefusedWithItsPlace(t *testing.T) {
	for _, tt := range []struct {
		name, id string
		offset   int
		reason   string
	}{
		{"too short", "4HPwATDgc/ABM", 13, "a Position ID has 14 characters, not 13"},
		{"too long", "4HPwATDgc/ABMAA", 14, "a Position ID has 14 characters, not 15"},
		{"empty", "", 0, "a Position ID has 14 characters, not 0"},
		{"other characters", "4HPw-TDgc/ABMA", 4, "'-' is not a letter, a digit, + or /"},
		{"low bits at the end", "4HPwATDgc/ABMB", 13, "only zeros in its low bits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := bg.ParsePositionID(tt.id)
			var syntax *bg.SyntaxError
			require.ErrorAs(t, err, &syntax)
			assert.Equal(t, tt.id, syntax.Text)
			assert.Equal(t, tt.offset, syntax.Offset)
			assert.ErrorContains(t, err, tt.reason)
		})
	}
}

func TestAFinishedGameHasAPositionID(t *testing.T) {
	p, err := bg.ParsePositionID("AAAAwAcAAAAAAA")
	require.NoError(t, err)
	r, won := p.Result()
	assert.NotEqual(t, bg.Unfinished, r)
	assert.False(t, won)
	assert.Equal(t, "AAAAwAcAAAAAAA", p.ID())
}

func TestPositionIDsOfHypergammonHaveThreeCheckersASide(t *testing.T) {
	start := bg.Hypergammon.Start()
	p, err := bg.ParsePositionIDWith(start.ID(), 3)
	require.NoError(t, err)
	assert.Equal(t, start, p)
	_, err = bg.ParsePositionIDWith("4HPwATDgc/ABMA", 3)
	require.ErrorIs(t, err, bg.ErrPosition)

	s := bg.NewGame(bg.Rules{Variant: bg.Hypergammon})
	got, err := bg.ParseGNUIDWith(s.GNUID(), s.Rules)
	require.NoError(t, err)
	assert.Equal(t, s, got)
}

// matchID returns the Match ID of s, which need not be legal.
func matchID(change func(*bg.State)) string {
	s := bg.NewGame(bg.Rules{})
	s.Score.Length = 5
	change(&s)
	return s.MatchID()
}

func TestMatchIDsThatContradictThemselvesAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*bg.State)
		reason string
	}{
		{"a seventh side of a die", func(s *bg.State) { s.Dice = bg.Dice{7, 1} }, "the dice are 7 and 1"},
		{"one die alone", func(s *bg.State) { s.Dice = bg.Dice{3, 0} }, "the dice are 3 and 0"},
		{"a long match", func(s *bg.State) { s.Score.Length = 65 }, "a match to 65 points, at most 64"},
		{"a score beyond the match", func(s *bg.State) { s.Score.OnRoll = 6 }, "the score 6-0 ends a match to 5"},
		{"a score that ends the match", func(s *bg.State) { s.Score.Opponent = 5 }, "the score 0-5 ends a match to 5"},
		{"a Crawford game for money", func(s *bg.State) { s.Score = bg.Score{Crawford: true} }, "a Crawford game for money"},
		{"a Crawford game too early", func(s *bg.State) { s.Score.Crawford = true }, "a Crawford game at 0-0 in a match to 5"},
		{"a double in the Crawford game", func(s *bg.State) { s.Score.OnRoll, s.Score.Crawford, s.Doubled = 4, true, true }, "a double is offered in the Crawford game"},
		{"a double after the roll", func(s *bg.State) { s.Doubled, s.Dice = true, bg.Dice{3, 1} }, "after the dice have been rolled"},
		{"a double with the opponent's cube", func(s *bg.State) { s.Doubled, s.Cube = true, bg.Cube{Value: 2, Owner: bg.Opponent} }, "but the cube is the opponent's"},
		{"a double and a resignation", func(s *bg.State) { s.Doubled, s.Resigned = true, bg.Single }, "a double and a resignation"},
		{"an unknown status", func(s *bg.State) { s.Status = 5 }, "status 5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := bg.ParseMatchID(matchID(tt.change))
			require.ErrorIs(t, err, bg.ErrState)
			assert.ErrorContains(t, err, tt.reason)
		})
	}
	_, err := bg.ParseMatchID("YAFgAAAAAAAE") // owner 2
	require.ErrorContains(t, err, "owner of the cube is 2")
	_, err = bg.ParseMatchID("cAEAAAAAAAAI")
	require.ErrorContains(t, err, "zero bits")
	_, err = bg.ParseMatchID("cAkgAAAAAAA")
	assert.ErrorContains(t, err, "a Match ID has 12 characters, not 11")
}

func TestTheDecisionIsThePlayersWhomTheOffersMakeIt(t *testing.T) {
	_, err := bg.ParseMatchID("cAFgAAAAAAAE") // player 1 on roll, decision of player 0, nothing offered
	require.ErrorIs(t, err, bg.ErrState)
	assert.ErrorContains(t, err, "the decision is given to player 0")
}

// The IDs are those that the reference showed while a cube was doubled, beavered and raccooned.
func TestBeaversAndRaccoonsKeepTheirTurn(t *testing.T) {
	for _, tt := range []struct {
		id      string
		value   int
		owner   bg.Owner
		beavers int
		decider int
	}{
		{"MBkAAAAAAAAA", 1, bg.Centered, 0, 1},
		{"EREAAAAAAAAA", 2, bg.Opponent, 1, 0},
		{"EhkAAAAAAAAA", 4, bg.Opponent, 2, 1},
	} {
		s, err := bg.ParseMatchID(tt.id)
		require.NoError(t, err, tt.id)
		assert.Equal(t, bg.Cube{Value: tt.value, Owner: tt.owner}, s.Cube, tt.id)
		assert.Equal(t, tt.beavers, s.Beavers, tt.id)
		assert.Equal(t, 0, s.Seat, tt.id)
		assert.Equal(t, tt.decider, s.Decider(), tt.id)
		assert.Equal(t, tt.id, s.MatchID())
	}
}

func TestMatchIDsOfOlderProgramsKeepTheirLastBit(t *testing.T) {
	for _, id := range []string{"cAlvAAAAAAAE", "cAlvAAAAAAAA"} {
		s, err := bg.ParseMatchID(id)
		require.NoError(t, err)
		assert.Equal(t, id, s.MatchID())
	}
}

func TestGNUIDsMayComeInEitherOrder(t *testing.T) {
	want, err := bg.ParseGNUID("4HPwATDgc/ABMA:cAlvAAAAAAAE")
	require.NoError(t, err)
	for _, text := range []string{"cAlvAAAAAAAE:4HPwATDgc/ABMA", "4HPwATDgc/ABMA cAlvAAAAAAAE"} {
		got, err := bg.ParseGNUID(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got)
	}
	_, err = bg.ParseGNUID("4HPwATDgc/ABMA")
	assert.ErrorContains(t, err, "a colon and a Match ID")
}

func TestPositionsTravelAsTheirIDs(t *testing.T) {
	text, err := json.Marshal(bg.Start())
	require.NoError(t, err)
	assert.Equal(t, `"4HPwATDgc/ABMA"`, string(text))
	var p bg.Position
	require.NoError(t, json.Unmarshal(text, &p))
	assert.Equal(t, bg.Start(), p)
	require.Error(t, json.Unmarshal([]byte(`"4HPw"`), &p))
	assert.Equal(t, bg.Start(), p, "an error changes nothing")
	_, err = bg.Position{}.MarshalText()
	assert.ErrorIs(t, err, bg.ErrPosition)
}

func FuzzParsePositionID(f *testing.F) {
	for _, id := range []string{"4HPwATDgc/ABMA", "AAAAwAcAAAAAAA", "4HPwATDg8+ADYA", "sOfgAWDg8+ABUA", ""} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := bg.ParsePositionID(text)
		if err != nil {
			return
		}
		require.NoError(t, p.Validate())
		require.Equal(t, 15, p.OnRoll.Checkers())
		require.Equal(t, 15, p.Opponent.Checkers())
		require.Equal(t, text, p.ID())
	})
}

func FuzzParseGNUID(f *testing.F) {
	for _, v := range vectors[idVector](f, "ids.jsonl.gz")[:60] {
		f.Add(v.GNUID)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := bg.ParseGNUID(text)
		if err != nil {
			return
		}
		require.NoError(t, s.Validate())
		again, err := bg.ParseGNUID(s.GNUID())
		require.NoError(t, err)
		s.Dice = s.Dice.Sorted() // the larger die is written first
		require.Equal(t, s, again)
	})
}
