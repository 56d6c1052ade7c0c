package bg_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
)

// textsTo returns the texts of all ways to play the dice that lead to the position with the
// ID after, seen by the next player. It is a slow and obvious generator: it obeys the board, but
// not the rule that as many dice as possible must be used.
func textsTo(p bg.Position, dice bg.Dice, after string) []string {
	orders := [][]uint8{{dice[0], dice[1]}, {dice[1], dice[0]}}
	if dice.Double() {
		orders = [][]uint8{{dice[0], dice[0], dice[0], dice[0]}}
	}
	want, err := bg.ParsePositionID(after)
	if err != nil {
		return nil
	}
	var texts []string
	for _, order := range orders {
		walk(p, order, bg.Move{}, func(end bg.Position, m bg.Move) {
			if end.OnRoll == want.Opponent && end.Opponent == want.OnRoll {
				texts = append(texts, m.String())
			}
		})
	}
	return texts
}

// walk visits p and all positions that any number of the dice, in their order, lead to.
func walk(p bg.Position, dice []uint8, m bg.Move, visit func(bg.Position, bg.Move)) {
	visit(p, m)
	if len(dice) == 0 {
		return
	}
	rear := p.OnRoll.Rearmost()
	for from := bg.Bar; from > bg.Off; from-- {
		if p.OnRoll[from] == 0 || p.OnRoll[bg.Bar] > 0 && from != bg.Bar {
			continue
		}
		to := from - int(dice[0])
		if to <= 0 {
			if rear > 6 || to < 0 && from != rear {
				continue
			}
			to = bg.Off
		} else if p.Opponent[25-to] > 1 {
			continue
		}
		next := p
		step := next.Play(uint8(from), uint8(to))
		walk(next, dice[1:], m.Append(step), visit)
	}
}

func TestMovesAreSpelledAsByTheReference(t *testing.T) {
	type move struct {
		Move  string
		After *string `json:"after_position_id"`
	}
	type position struct {
		ID   string `json:"position_id"`
		Dice bg.Dice
	}
	check := func(t *testing.T, p position, m move) {
		if m.After == nil { // the move ended the game
			return
		}
		pos, err := bg.ParsePositionID(p.ID)
		require.NoError(t, err)
		texts := textsTo(pos, p.Dice, *m.After)
		assert.True(t, slices.Contains(texts, m.Move), "%s %s: want %q among %q", p.ID, p.Dice, m.Move, texts)

		steps, err := bg.ParseSteps(m.Move)
		require.NoError(t, err, m.Move)
		again, err := bg.ParseSteps(bg.NewMove(steps...).String())
		require.NoError(t, err, m.Move)
		assert.ElementsMatch(t, steps, again, "only the order of parts that take several dice may change")
	}
	t.Run("single plays", func(t *testing.T) {
		all := vectors[struct {
			position
			move
		}](t, "notation.jsonl.gz")
		assert.Len(t, all, 2480)
		for _, v := range all {
			check(t, v.position, v.move)
		}
	})
	t.Run("complete lists", func(t *testing.T) {
		n := 0
		for _, v := range vectors[struct {
			position
			Moves []move
		}](t, "legal-moves.jsonl.gz") {
			for _, m := range v.Moves {
				check(t, v.position, m)
				n++
			}
		}
		assert.Equal(t, 1864, n)
	})
}

func TestMovesAreSpelledInTwoWays(t *testing.T) {
	step := func(from, to uint8) bg.Step { return bg.Step{From: from, To: to} }
	hit := func(from, to uint8) bg.Step { return bg.Step{From: from, To: to, Hit: true} }
	for _, tt := range []struct {
		move       bg.Move
		text, fibs string
	}{
		{bg.Move{}, "", ""},
		{bg.NewMove(step(6, 5), step(8, 5)), "8/5 6/5", "6/5 8/5"},
		{bg.NewMove(hit(25, 20), hit(20, 14)), "bar/20*/14*", "25/20* 20/14*"},
		{bg.NewMove(step(24, 21), step(21, 20)), "24/20", "24/21 21/20"},
		{bg.NewMove(step(21, 20), step(24, 21)), "24/20", "21/20 24/21"},
		{bg.NewMove(hit(6, 4), step(6, 4)), "6/4*(2)", "6/4* 6/4"},
		{bg.NewMove(hit(6, 4), step(8, 4)), "8/4* 6/4", "6/4* 8/4"},
		{bg.NewMove(step(4, 0), step(4, 0)), "4/off(2)", "4/0 4/0"},
		{bg.NewMove(hit(13, 7), step(7, 1), step(13, 7), step(7, 1)), "13/7*/1(2)", "13/7* 7/1 13/7 7/1"},
		{bg.NewMove(step(4, 1), step(3, 0), step(2, 0), step(2, 0)), "4/1 3/off 2/off(2)", "4/1 3/0 2/0 2/0"},
	} {
		assert.Equal(t, tt.text, tt.move.String())
		assert.Equal(t, tt.fibs, tt.move.FIBS())
	}
}

func TestStepsAreReadAsPlayersTypeThem(t *testing.T) {
	for _, tt := range []struct{ text, want string }{ // want is in FIBS's spelling
		{"", ""},
		{" \t", ""},
		{"8/5 6/5", "8/5 6/5"},
		{"24/20*/14*", "24/20* 20/14*"},
		{"24/14", "24/14"},
		{"bar/20 6/5", "25/20 6/5"},
		{"25/20, 6/5", "25/20 6/5"},
		{"6/off(2)", "6/0 6/0"},
		{"8/4(2)", "8/4 8/4"},
		{"6/4*(2)", "6/4* 6/4"},
		{"6/4(2)*", "6/4 6/4"},
		{"13/7*/1(2)", "13/7* 7/1 13/7 7/1"},
		{"b/20 6/o", "25/20 6/0"},
		{"BAR/20 6/Off 5/-", "25/20 6/0 5/0"},
		{"8 5 6 5", "8/5 6/5"},
		{"25 20 6 -", "25/20 6/0"},
		{"8 5(2)", "8/5 8/5"},
		{"8 / 5 (2)", "8/5 8/5"},
		{"24/20/16/12/8", "24/20 20/16 16/12 12/8"},
	} {
		steps, err := bg.ParseSteps(tt.text)
		require.NoError(t, err, tt.text)
		assert.Equal(t, tt.want, bg.NewMove(steps...).FIBS(), tt.text)
	}
}

func TestTextThatIsNoMoveIsRefusedWithItsPlace(t *testing.T) {
	for _, tt := range []struct {
		text   string
		offset int
		reason string
	}{
		{"24-20", 2, "joined by a slash, not by a dash"},
		{"8/5 6", 5, "the point to move to is missing"},
		{"8/", 2, "the point to move to is missing"},
		{"/5", 0, "a point is wanted here"},
		{"8//5", 2, "a point is wanted here"},
		{"8/5/", 4, "the point to move to is missing"},
		{"26/20", 0, "there is no point 26"},
		{"8/5 off/3", 4, "cannot move from off"},
		{"8/bar", 2, "cannot move to the bar"},
		{"6/off/3", 5, "cannot move on from off"},
		{"8/5(5)", 3, "at most four steps"},
		{"8/5(0)", 3, "a count in parentheses"},
		{"8/7 7/6 6/5 5/4 4/3", 18, "at most four steps"},
		{"8 5/3", 3, "with and without slashes are mixed"},
		{"hello world", 0, `"hello" is not a point`},
		{"8/5x", 3, `"x" is not a point`},
		{"99999999999999999999/5", 0, "there is no point"},
	} {
		_, err := bg.ParseSteps(tt.text)
		var syntax *bg.SyntaxError
		require.ErrorAs(t, err, &syntax, tt.text)
		assert.Equal(t, tt.offset, syntax.Offset, tt.text)
		assert.Contains(t, syntax.Reason, tt.reason, tt.text)
	}
}

func FuzzParseSteps(f *testing.F) {
	for _, text := range []string{"8/5 6/5", "bar/20*/14*", "6/4*(2)", "8 5 6 -", "24-20", "13/1*(2)", "4/1 3/off 2/off(2)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := bg.ParseSteps(text)
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(steps), 4)
		m := bg.NewMove(steps...)
		again, err := bg.ParseSteps(m.FIBS())
		require.NoError(t, err)
		require.Equal(t, steps, again)
		_, err = bg.ParseSteps(m.String())
		require.NoError(t, err, m.String())
	})
}
