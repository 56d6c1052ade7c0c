package protocol

import (
	"errors"
	"fmt"
	"strings"

	"kotra/bg"
)

// Fields of a board line, counted from 0 behind the two names.
const (
	fieldLength       = 0
	fieldScore1       = 1
	fieldScore2       = 2
	fieldPoints       = 3 // the bar of the negative side, points 1 to 24, the other bar
	fieldTurn         = 29
	fieldDice         = 30 // of "you"; those of the opponent follow
	fieldCube         = 34
	fieldMay1         = 35 // "you" may double
	fieldMay2         = 36
	fieldDoubled      = 37
	fieldColor        = 38
	fieldDirection    = 39
	fieldPostCrawford = 48
	fieldNoCrawford   = 49 // 0 in the Crawford game
	fieldCount        = 50
)

// moneyLength is written for the length of a money game besides 0.
const moneyLength = 9999

// maxLength is the longest match that gnubg knows; longer ones are cut to it.
const maxLength = 64

// A board is a board line as it was read.
type board struct {
	names  [2]string
	values [fieldCount]int
	n      int // fields that the line had
}

// errBoard is the answer to a line that has the form of a board and makes no sense.
var errBoard = errors.New("badly formed board")

// readBoard reads a line that starts with "board:" and returns what follows the last number.
// Missing fields are zero. A name may hold blanks, and colons if it is in quotes.
func readBoard(line string) (b board, rest string, err error) {
	rest = line[len("board:"):]
	for i := range b.names {
		if b.names[i], rest, err = readName(rest); err != nil {
			return b, rest, err
		}
	}
	for {
		var v int
		if v, rest, err = readNumber(rest); err != nil {
			return b, rest, err
		}
		if b.n == fieldCount {
			return b, rest, fmt.Errorf("Invalid board. Maximum number of elements is %d", fieldCount+2) //nolint:staticcheck // the reply of gnubg
		}
		b.values[b.n] = v
		b.n++
		if !strings.HasPrefix(rest, ":") {
			break
		}
		rest = rest[1:]
	}
	if rest != "" && !isBlank(rest[0]) {
		return b, rest, syntaxError("E_CHARACTER", "EOL")
	}
	return b, rest, nil
}

// readName reads a name and the colon behind it.
func readName(text string) (name, rest string, err error) {
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		if end := strings.IndexByte(text[1:], text[0]); end >= 0 && strings.HasPrefix(text[end+2:], ":") {
			return text[1 : end+1], text[end+3:], nil
		}
	}
	name, rest, ok := strings.Cut(text, ":")
	if !ok {
		if name == "" {
			return "", "", syntaxError("FIBSBOARDEND", "E_STRING")
		}
		return "", "", syntaxError("FIBSBOARDEND", "':'")
	}
	return name, rest, nil
}

// readNumber reads a number of at most six digits with its sign.
func readNumber(text string) (v int, rest string, err error) {
	rest = strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-")
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		v = 10*v + int(rest[digits]-'0')
		if digits++; digits > 6 {
			return 0, "", errBoard
		}
	}
	if digits == 0 {
		found := "E_CHARACTER"
		if rest == "" {
			found = "FIBSBOARDEND"
		}
		return 0, "", syntaxError(found, "E_INTEGER")
	}
	if strings.HasPrefix(text, "-") {
		v = -v
	}
	return v, rest[digits:], nil
}

// A dialect says how the words and numbers of a board line are to be understood.
type dialect struct {
	fibsScores bool // the scores stand where FIBS puts them; see state
	rules      bg.Rules
}

// state returns what b describes. Its player on roll is the one whose turn it is in b, also
// while a double is offered.
//
// Points, turn and cube belong to "you", the side of the given color, and to the opponent.
// FIBS gives the score of "you" first. GNU Backgammon 1.07 writes and reads it so for the
// answer to a double alone, and the other way round for all other decisions.
func (b *board) state(d dialect) (bg.State, error) {
	s := bg.State{Rules: d.rules, Status: bg.Playing}
	v := &b.values
	turn, color, direction := sign(v[fieldTurn]), sign(v[fieldColor]), sign(v[fieldDirection])
	if turn == 0 || color == 0 || direction == 0 {
		return s, errBoard
	}
	mine := turn == color // "you" are on roll
	if !mine {
		direction = -direction
	}
	if turn > 0 {
		s.Seat = 1
	}
	var points [26]int
	for i := range points {
		at := i
		if direction > 0 {
			at = 25 - i
		}
		points[i] = turn * v[fieldPoints+at]
	}
	var err error
	if s.Position, err = bg.FromBoard(points, 15); err != nil {
		return s, err
	}
	for i := fieldDice; i < fieldDice+4; i += 2 {
		if v[i] != 0 {
			if !isDie(v[i]) || !isDie(v[i+1]) {
				return s, fmt.Errorf("the dice are %d and %d, want two from 1 to 6", v[i], v[i+1])
			}
			s.Dice = bg.Dice{uint8(v[i]), uint8(v[i+1])}
			break
		}
	}
	s.Cube.Value = v[fieldCube]
	if may1, may2 := v[fieldMay1] != 0, v[fieldMay2] != 0; may1 != may2 {
		s.Cube.Owner = bg.Opponent
		if may1 == mine {
			s.Cube.Owner = bg.OnRoll
		}
	} else if !may1 {
		s.Doubled = true
	}
	if v[fieldDoubled] != 0 {
		s.Doubled = true
	}
	if s.Doubled {
		s.Dice = bg.Dice{}
	}
	firstIsMine := mine
	if !d.fibsScores && !s.Doubled {
		firstIsMine = !mine
	}
	if s.Score, err = b.score(firstIsMine); err != nil {
		return s, err
	}
	if s.Rules.NoCrawford {
		s.Score.Crawford = false
	}
	if s.Doubled && s.Cube.Owner == bg.Opponent {
		if s.Score.Money() {
			s.Beavers = 1 // and the player on roll is asked again
		} else {
			s.Cube.Owner = bg.OnRoll // who else could have doubled
		}
	}
	return s, nil
}

// score returns the score for the player on roll, whose points are the first ones of the line
// if firstIsMine.
func (b *board) score(firstIsMine bool) (bg.Score, error) {
	v := &b.values
	length, first, second := v[fieldLength], v[fieldScore1], v[fieldScore2]
	if length == 0 || length == moneyLength {
		return bg.Score{}, nil
	}
	if length < 0 || first < 0 || second < 0 || first >= length || second >= length {
		return bg.Score{}, errBoard
	}
	if cut := length - maxLength; cut > 0 {
		length, first, second = maxLength, max(first-cut, 0), max(second-cut, 0)
	}
	s := bg.Score{Length: length, OnRoll: first, Opponent: second}
	if !firstIsMine {
		s = s.Flip()
	}
	if away1, away2 := s.Away(); (away1 == 1 || away2 == 1) && v[fieldPostCrawford] == 0 && v[fieldNoCrawford] == 0 {
		s.Crawford = true
	}
	return s, nil
}

func sign(v int) int {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}

func isDie(v int) bool { return v >= 1 && v <= 6 }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
