package notation

import (
	"fmt"
	"strconv"
	"strings"

	"kotra/bg"
)

// A Layout says whose names and scores stand first in a FIBS board line.
type Layout uint8

// The layouts of a board line.
const (
	// FIBSLayout is what FIBS means: "you", who owns the color, stands first.
	FIBSLayout Layout = iota
	// GNUBGLayout is what GNU Backgammon 1.07 sends to an external player: player 0, who has the
	// negative checkers, stands first, except when the player to decide is not the one on roll, as
	// when a double is offered; then player 1 does.
	GNUBGLayout
)

// FIBS is a FIBS board line: "board:" and 52 fields, as they are on the wire. "You" is the
// player that the line is meant for, at index 0 of the pairs, his opponent is at index 1.
type FIBS struct {
	Names       [2]string
	Length      int // of the match; 0 or 9999 is a money game
	Score       [2]int
	Board       [26]int   // signed checkers: 1 to 24 points, 0 and 25 bars
	Turn        int       // sign of the player on roll, who keeps it while his double is offered
	Dice        [2][2]int // your dice, the opponent's; 0 is not rolled
	Cube        int       // value, the old one while a double is offered
	MayDouble   [2]bool
	Doubled     bool // a double is offered
	Color       int  // sign of your checkers
	Direction   int  // -1 if your checkers move to lower points, 1 if to higher ones
	Home, Bar   int  // indexes in Board of your home and bar
	OnHome      [2]int
	OnBar       [2]int // GNU Backgammon sends 0 always
	CanMove     int
	ForcedMove  int
	DidCrawford int // GNU Backgammon: 1 after the Crawford game
	Redoubles   int // GNU Backgammon: 0 in the Crawford game, otherwise 1
}

// FIBSFields is the number of fields of a board line after "board:".
const FIBSFields = 52

// fibsMoney is the match length that FIBS sends for unlimited matches.
const fibsMoney = 9999

// ints returns the numbers of f, the fields 3 to 52, in the order of the wire.
func (f *FIBS) ints() []int {
	n := append(make([]int, 0, FIBSFields-2), f.Length, f.Score[0], f.Score[1])
	n = append(n, f.Board[:]...)
	return append(n, f.Turn, f.Dice[0][0], f.Dice[0][1], f.Dice[1][0], f.Dice[1][1], f.Cube,
		boolInt(f.MayDouble[0]), boolInt(f.MayDouble[1]), boolInt(f.Doubled), f.Color, f.Direction, f.Home, f.Bar,
		f.OnHome[0], f.OnHome[1], f.OnBar[0], f.OnBar[1], f.CanMove, f.ForcedMove, f.DidCrawford, f.Redoubles)
}

// String returns f as one line, without a line end. Colons and line ends in names become
// underscores, as GNU Backgammon writes colons.
func (f FIBS) String() string {
	var b strings.Builder
	b.WriteString("board")
	for _, name := range f.Names {
		b.WriteByte(':')
		b.WriteString(fibsName.Replace(name))
	}
	for _, n := range f.ints() {
		b.WriteByte(':')
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

var fibsName = strings.NewReplacer(":", "_", "\n", "_", "\r", "_", "\x00", "_")

// ParseFIBS reads a board line with all its 52 fields and nothing after it; see [CutFIBS].
func ParseFIBS(text string) (FIBS, error) {
	f, rest, err := CutFIBS(text)
	if err == nil && rest != "" {
		return f, &bg.SyntaxError{Text: text, Offset: len(text) - len(rest), Reason: fmt.Sprintf("a board line has %d fields, there is more after them", FIBSFields)}
	}
	return f, err
}

// CutFIBS reads a board line, and returns what follows its last field after blanks, such as the
// session options that a server takes.
//
// NUL bytes and blanks around the text and the case of "board:" do not matter. Numbers are only
// checked for being numbers: what they mean together is checked by [FIBS.State].
func CutFIBS(text string) (f FIBS, rest string, err error) {
	body := strings.Trim(text, " \t\r\n\x00")
	start := strings.Index(text, body)
	const prefix = "board:"
	if len(body) < len(prefix) || !strings.EqualFold(body[:len(prefix)], prefix) {
		return f, "", &bg.SyntaxError{Text: text, Offset: start, Reason: "a board line begins with board:"}
	}
	fields := strings.SplitN(body[len(prefix):], ":", FIBSFields)
	if len(fields) < FIBSFields {
		return f, "", &bg.SyntaxError{Text: text, Offset: start + len(body), Reason: fmt.Sprintf("a board line has %d fields, not %d", FIBSFields, len(fields))}
	}
	last := &fields[FIBSFields-1]
	digits := len(*last) - len(strings.TrimLeft(*last, "-0123456789"))
	if tail := (*last)[digits:]; tail != "" {
		if tail[0] != ' ' && tail[0] != '\t' {
			return f, "", &bg.SyntaxError{Text: text, Offset: start + len(body) - len(tail), Reason: fmt.Sprintf("a board line has %d numbered fields, and blanks before anything else", FIBSFields)}
		}
		rest = strings.TrimLeft(tail, " \t")
		*last = (*last)[:digits]
	}
	f.Names = [2]string{fields[0], fields[1]}
	var n [FIBSFields - 2]int
	at := start + len(prefix) + len(fields[0]) + len(fields[1]) + 2
	for i, field := range fields[2:] {
		if n[i], err = strconv.Atoi(field); err != nil || n[i] > maxFIBS || n[i] < -maxFIBS {
			return FIBS{}, "", &bg.SyntaxError{Text: text, Offset: at, Reason: fmt.Sprintf("field %d of the board line is %q, want a number", i+3, field)}
		}
		at += len(field) + 1
	}
	f.Length, f.Score = n[0], [2]int(n[1:3])
	f.Board = [26]int(n[3:29])
	f.Turn = n[29]
	f.Dice = [2][2]int{{n[30], n[31]}, {n[32], n[33]}}
	f.Cube = n[34]
	f.MayDouble = [2]bool{n[35] != 0, n[36] != 0}
	f.Doubled = n[37] != 0
	f.Color, f.Direction, f.Home, f.Bar = n[38], n[39], n[40], n[41]
	f.OnHome, f.OnBar = [2]int(n[42:44]), [2]int(n[44:46])
	f.CanMove, f.ForcedMove, f.DidCrawford, f.Redoubles = n[46], n[47], n[48], n[49]
	return f, rest, nil
}

// maxFIBS bounds the numbers of a board line, so that they are an int everywhere.
const maxFIBS = 1 << 30

// NewFIBS returns the board line that GNU Backgammon would send for s: the board of player 1,
// with his checkers positive, and names and scores in the given layout. names are those of the
// players 0 and 1.
//
// Not stored are an offered resignation, which is never sent, the status, and the rules.
func NewFIBS(s bg.State, names [2]string, layout Layout) FIBS {
	score := [2]int{s.Score.OnRoll, s.Score.Opponent} // by player
	onRoll, opponent := &s.Position.OnRoll, &s.Position.Opponent
	if s.Seat == 1 {
		score = [2]int{s.Score.Opponent, s.Score.OnRoll}
		onRoll, opponent = opponent, onRoll
	}
	f := FIBS{
		Length:      s.Score.Length,
		Turn:        2*s.Seat - 1,
		Cube:        s.Cube.Value,
		Doubled:     s.Doubled,
		MayDouble:   [2]bool{ownerSign(&s) != -1, ownerSign(&s) != 1},
		Board:       bottomBoard(&s),
		Color:       1,
		Direction:   -1,
		Bar:         bg.Bar,
		OnHome:      [2]int{int(opponent[bg.Off]), int(onRoll[bg.Off])},
		DidCrawford: boolInt(s.Score.PostCrawford()),
		Redoubles:   boolInt(!s.Score.Crawford),
	}
	f.Dice[0] = [2]int{int(s.Dice[0]), int(s.Dice[1])}
	f.Dice[1] = f.Dice[0]
	first := 1
	if layout == GNUBGLayout && s.Decider() == s.Seat {
		first = 0
	}
	f.Names = [2]string{names[first], names[1-first]}
	f.Score = [2]int{score[first], score[1-first]}
	return f
}

// offers reports whether f asks to answer a double. Both players being forbidden to double
// means so too.
func (f *FIBS) offers() bool { return f.Doubled || !f.MayDouble[0] && !f.MayDouble[1] }

// firstSign returns the sign of the checkers of the player whose name and score stand first.
func (f *FIBS) firstSign(layout Layout) int {
	if layout == FIBSLayout || f.offers() && !f.beavered() {
		return f.Color
	}
	return -f.Color
}

// beavered reports whether the offered double has been beavered: the cube is not the doubler's.
func (f *FIBS) beavered() bool { return f.Doubled && f.ownerSign()*f.Turn < 0 }

// ownerSign returns the sign of the checkers of the owner of the cube, 0 if it is centered.
func (f *FIBS) ownerSign() int {
	switch {
	case f.MayDouble[0] == f.MayDouble[1]:
		return 0
	case f.MayDouble[0]:
		return sign(f.Color)
	}
	return -sign(f.Color)
}

// Players returns the names of the players 0 and 1, of whom 1 has the positive checkers.
func (f FIBS) Players(layout Layout) [2]string {
	if f.firstSign(layout) > 0 {
		return [2]string{f.Names[1], f.Names[0]}
	}
	return f.Names
}

// State returns what f means; rules give the variant and what the line does not store. Player 1
// has the positive checkers.
//
// A match longer than 64 points is cut to 64 with the same points to go. The game is the
// Crawford game if a player needs one point, both DidCrawford and Redoubles are 0, and no double
// is offered; with rules.NoCrawford it never is. Your dice are used, or the opponent's if you have none. The cube
// belongs to the player who alone may double; a double offered against that is a beaver, of
// which a raccoon cannot be told. Home, Bar, OnHome, OnBar, CanMove and ForcedMove are ignored.
func (f FIBS) State(layout Layout, rules bg.Rules) (bg.State, error) {
	turn := sign(f.Turn)
	for _, field := range []struct {
		value int
		name  string
	}{{f.Turn, "turn"}, {f.Color, "color"}, {f.Direction, "direction"}} {
		if field.value == 0 {
			return bg.State{}, fmt.Errorf("%w: the %s of the board line is 0, want 1 or -1", bg.ErrState, field.name)
		}
	}
	s := bg.State{Cube: bg.Cube{Value: f.Cube}, Rules: rules, Doubled: f.offers(), Seat: boolInt(turn > 0)}
	var err error
	if s.Score, err = f.score(turn == sign(f.firstSign(layout)), rules); err != nil {
		return bg.State{}, err
	}
	if s.Dice, err = f.dice(); err != nil {
		return bg.State{}, err
	}
	s.Cube.Owner = ownerFromSign(f.ownerSign() * turn)
	if f.beavered() {
		s.Beavers = 1
	}
	if s.Position, err = f.position(turn, rules.Variant.Checkers()); err != nil {
		return bg.State{}, err
	}
	s.Status = statusOf(&s.Position)
	s.Rules.Jacoby = s.Rules.Jacoby && s.Score.Money()
	if err := s.Validate(); err != nil {
		return bg.State{}, err
	}
	return s, nil
}

// score returns the score for the player on roll, who may stand first or second.
func (f *FIBS) score(first bool, rules bg.Rules) (bg.Score, error) {
	if f.Length < 0 || f.Score[0] < 0 || f.Score[1] < 0 {
		return bg.Score{}, fmt.Errorf("%w: negative match length or score in the board line", bg.ErrState)
	}
	score := bg.Score{Length: f.Length, OnRoll: f.Score[0], Opponent: f.Score[1]}
	if !first {
		score = score.Flip()
	}
	if f.Length == 0 || f.Length == fibsMoney {
		score.Length = 0
		return score, nil
	}
	if score.OnRoll >= score.Length || score.Opponent >= score.Length {
		return bg.Score{}, fmt.Errorf("%w: the score %d-%d ends a match to %d", bg.ErrState, f.Score[0], f.Score[1], f.Length)
	}
	if cut := score.Length - maxLength; cut > 0 {
		score.Length = maxLength
		score.OnRoll = max(0, score.OnRoll-cut)
		score.Opponent = max(0, score.Opponent-cut)
	}
	mine, theirs := score.Away()
	score.Crawford = (mine == 1 || theirs == 1) && f.DidCrawford == 0 && f.Redoubles == 0 && !f.offers() && !rules.NoCrawford
	return score, nil
}

// maxLength is the longest match of GNU Backgammon.
const maxLength = 64

func (f *FIBS) dice() (bg.Dice, error) {
	dice := f.Dice[0]
	if dice[0] == 0 {
		dice = f.Dice[1]
	}
	if dice[0] == 0 {
		return bg.Dice{}, nil
	}
	for _, d := range dice {
		if d < 1 || d > 6 {
			return bg.Dice{}, fmt.Errorf("%w: the dice of the board line are %d and %d, want two from 1 to 6", bg.ErrState, dice[0], dice[1])
		}
	}
	return bg.Dice{uint8(dice[0]), uint8(dice[1])}, nil
}

// position returns the checkers as the player with the sign turn sees them.
func (f *FIBS) position(turn, n int) (bg.Position, error) {
	board := f.Board
	if turn < 0 {
		for i := range board {
			board[i] = -board[i]
		}
	}
	if f.Direction*turn*sign(f.Color) > 0 { // he moves to higher indexes
		for i := range 13 {
			board[i], board[25-i] = board[25-i], board[i]
		}
	}
	return bg.FromBoard(board, n)
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
