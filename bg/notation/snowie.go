package notation

import (
	"fmt"
	"strconv"
	"strings"

	"kotra/bg"
)

// snowieFields is the number of fields of a Snowie position line.
const snowieFields = 40

// Snowie returns s as a Snowie position line. names are those of the players 0 and 1.
//
// Not stored are an offered double or resignation, the status and the rules other than Jacoby.
func Snowie(s bg.State, names [2]string) string {
	money := s.Score.Money()
	var b strings.Builder
	fmt.Fprintf(&b, "%d;%d;0;%d;%d;%s;%s;%d;%d;%d;%d;%d;", s.Score.Length, boolInt(money && s.Rules.Jacoby),
		boolInt(money), s.Seat, names[s.Seat], names[1-s.Seat], boolInt(s.Score.Crawford),
		s.Score.OnRoll, s.Score.Opponent, s.Cube.Value, [3]int{0, 1, -1}[s.Cube.Owner])
	for _, c := range s.Position.Board() {
		fmt.Fprintf(&b, "%d;", c)
	}
	fmt.Fprintf(&b, "%d;%d;", s.Dice[0], s.Dice[1])
	return b.String()
}

// ParseSnowie reads a Snowie position line and returns the names of the players 0 and 1 too.
// Rules give the variant and what the line does not store.
//
// The last semicolon may be missing, the opponent's bar may have either sign, and a name may have
// semicolons if the other has none: they are taken as the first name's.
func ParseSnowie(text string, rules bg.Rules) (s bg.State, names [2]string, err error) {
	all := strings.Split(strings.TrimSuffix(strings.TrimSpace(text), ";"), ";")
	extra := len(all) - snowieFields
	if extra < 0 {
		return s, names, &bg.SyntaxError{Text: text, Offset: len(text), Reason: fmt.Sprintf("a Snowie position has %d fields, not %d", snowieFields, len(all))}
	}
	first := strings.Join(all[5:6+extra], ";")
	fields := append(append(append([]string{}, all[:5]...), first), all[6+extra:]...)
	var n [snowieFields]int
	at := 0
	for i, f := range fields {
		if i != 5 && i != 6 {
			if n[i], err = strconv.Atoi(strings.TrimSpace(f)); err != nil {
				return s, names, &bg.SyntaxError{Text: text, Offset: at, Reason: fmt.Sprintf("field %d is %q, want a number", i, f)}
			}
		}
		at += len(f) + 1
	}
	for _, limit := range []struct {
		field, low, high int
		what             string
	}{
		{0, 0, maxScore, "match length"},
		{1, 0, 1, "Jacoby rule"},
		{4, 0, 1, "player on roll"},
		{7, 0, 1, "Crawford game"},
		{8, 0, maxScore, "score"},
		{9, 0, maxScore, "score"},
		{10, 1, 1 << maxCubeLog, "cube"},
		{11, -1, 1, "owner of the cube"},
		{38, 0, 6, "first die"},
		{39, 0, 6, "second die"},
	} {
		if v := n[limit.field]; v < limit.low || v > limit.high {
			return s, names, &bg.SyntaxError{Text: text, Reason: fmt.Sprintf("the %s in field %d is %d, want %d to %d", limit.what, limit.field, v, limit.low, limit.high)}
		}
	}
	s = bg.State{
		Dice:  bg.Dice{uint8(n[38]), uint8(n[39])},
		Cube:  bg.Cube{Value: n[10], Owner: ownerFromSign(n[11])},
		Score: bg.Score{Length: n[0], OnRoll: n[8], Opponent: n[9], Crawford: n[7] == 1},
		Rules: rules,
		Seat:  n[4],
	}
	s.Rules.Jacoby = n[1] == 1
	board := [26]int(n[12:38])
	board[0] = -max(board[0], -board[0])
	names[s.Seat], names[1-s.Seat] = fields[5], fields[6]
	if s.Seat == 0 {
		board = flipBoard(board) // finish wants the view of the bottom
	}
	s, err = finish(s, board)
	return s, names, err
}
