package notation

import (
	"fmt"
	"strconv"
	"strings"

	"kotra/bg"
)

// Simple returns p as the 26 integers of "set board simple": the bar of the player on roll, the
// points 1 to 24 with his checkers as positive numbers and the opponent's as negative ones, and
// the opponent's bar as a positive number.
func Simple(p bg.Position) string {
	board := p.Board()
	words := make([]string, 0, len(board))
	words = append(words, strconv.Itoa(board[bg.Bar]))
	for _, c := range board[1:bg.Bar] {
		words = append(words, strconv.Itoa(c))
	}
	return strings.Join(append(words, strconv.Itoa(-board[0])), " ")
}

// ParseSimple reads the 26 integers of "set board simple" in a game of n checkers a side.
// Checkers that are missing have been borne off. The opponent's bar may be written as a negative
// number too.
func ParseSimple(text string, n int) (bg.Position, error) {
	words := strings.Fields(text)
	if len(words) != 26 {
		return bg.Position{}, &bg.SyntaxError{Text: text, Offset: len(text), Reason: fmt.Sprintf("a board is 26 integers, not %d", len(words))}
	}
	var board [26]int
	for i, w := range words {
		c, err := strconv.Atoi(w)
		if err != nil {
			return bg.Position{}, &bg.SyntaxError{Text: text, Offset: strings.Index(text, w), Reason: fmt.Sprintf("%q is not an integer", w)}
		}
		switch i {
		case 0:
			board[bg.Bar] = c
		case 25:
			board[0] = -max(c, -c)
		default:
			board[i] = c
		}
	}
	return bg.FromBoard(board, n)
}
