package notation

import (
	"fmt"
	"math/bits"
	"strings"

	"kotra/bg"
)

// XGID returns s in the notation of eXtreme Gammon, with "XGID=" before it.
//
// An unlimited cube is written as one up to 1024, or up to its value if that is more. Not
// stored are the status, an offered resignation, the variant and the rules other than Jacoby,
// beavers, the largest cube and playing without one. A raccoon is written as R.
func XGID(s bg.State) string {
	var b strings.Builder
	b.WriteString("XGID=")
	for _, c := range bottomBoard(&s) {
		switch {
		case c > 0:
			b.WriteByte('A' - 1 + byte(c))
		case c < 0:
			b.WriteByte('a' - 1 + byte(-c))
		default:
			b.WriteByte('-')
		}
	}
	bottom, top := s.Score.OnRoll, s.Score.Opponent
	if s.Seat == 0 {
		bottom, top = top, bottom
	}
	fmt.Fprintf(&b, ":%d:%d:%d:%s:%d:%d:%d:%d:%d", log2(s.Cube.Value), ownerSign(&s), 2*s.Seat-1,
		xgidDice(&s), bottom, top, xgidRules(&s), s.Score.Length, xgidMaxCube(&s))
	return b.String()
}

func xgidDice(s *bg.State) string {
	switch {
	case s.Doubled && s.Beavers == 0:
		return "D"
	case s.Doubled && s.Beavers%2 == 1:
		return "B"
	case s.Doubled:
		return "R"
	}
	return s.Dice.String()
}

func xgidRules(s *bg.State) int {
	if !s.Score.Money() {
		return boolInt(s.Score.Crawford)
	}
	return boolInt(s.Rules.Jacoby) + 2*boolInt(s.Rules.Beavers > 0)
}

func xgidMaxCube(s *bg.State) int {
	switch {
	case s.Rules.NoCube:
		return 0
	case s.Rules.MaxCube > 0:
		return log2(s.Rules.MaxCube)
	}
	return max(usualMaxCubeLog, log2(s.Cube.Value))
}

// usualMaxCubeLog is what programs write for a cube that nobody has limited: 1024.
const usualMaxCubeLog = 10

// unlimitedBeavers is how an XGID's permission to beaver is kept in [bg.Rules].
const unlimitedBeavers = 3

// ParseXGID reads the notation of eXtreme Gammon; rules give the variant and what an XGID does not store.
//
// "XGID=" may be missing, or in lower case, and so may the last field, the largest cube; if
// that is 0 the game is without a cube. The player on roll may be the one at the top: the
// state then has Seat 0. Of a beavered double (B) or a raccoon (R) both the cube before the
// double and the beaverer's own are understood, for they differ in the owner.
func ParseXGID(text string, rules bg.Rules) (bg.State, error) {
	r := newFieldReader(text, "XGID")
	if n := len(r.fields); n < 9 || n > 10 {
		return bg.State{}, &bg.SyntaxError{Text: text, Offset: len(text), Reason: fmt.Sprintf("an XGID has 10 fields, not %d", n)}
	}
	board := r.xgidBoard()
	s := bg.State{Cube: bg.Cube{Value: 1 << r.number(1, 0, maxCubeLog, "the logarithm of the cube")}, Rules: rules, Seat: 1}
	owner := r.number(2, -1, 1, "the owner of the cube")
	turn := r.number(3, -1, 1, "the turn")
	if turn == 0 {
		r.fail(3, 0, "the turn is 0, want 1 for the player at the bottom or -1")
	}
	s.Score = bg.Score{
		OnRoll:   r.number(5, 0, maxScore, "the score of the player at the bottom"),
		Opponent: r.number(6, 0, maxScore, "the score of the player at the top"),
		Length:   r.number(8, 0, maxScore, "the match length"),
	}
	if s.Score.Money() {
		flags := r.number(7, 0, 3, "the sum of Jacoby (1) and beavers (2)")
		s.Rules.Jacoby = flags&1 != 0
		s.Rules.Beavers = 0
		if flags&2 != 0 {
			s.Rules.Beavers = unlimitedBeavers
		}
	} else {
		s.Score.Crawford = r.number(7, 0, 1, "the mark of the Crawford game") == 1
	}
	if len(r.fields) > 9 {
		s.Rules.MaxCube, s.Rules.NoCube = 0, false
		if n := r.number(9, 0, maxCubeLog, "the logarithm of the largest cube"); n > 0 {
			s.Rules.MaxCube = 1 << n
		} else {
			s.Rules.NoCube = true
		}
	}
	s.Cube.Owner = ownerFromSign(owner * turn)
	r.xgidAction(&s)
	if r.err != nil {
		return bg.State{}, r.err
	}
	if turn < 0 {
		s.Seat = 0
		s.Score = s.Score.Flip()
	}
	return finish(s, board)
}

// xgidBoard reads the first field: the counts of the player at the bottom, from bar to bar.
func (r *fieldReader) xgidBoard() (board [26]int) {
	f := r.fields[0]
	if len(f) != len(board) {
		r.fail(0, min(len(f), len(board)), "the board of an XGID has 26 characters, not %d", len(f))
		return board
	}
	for i, c := range []byte(f) {
		switch {
		case 'A' <= c && c <= 'O' && i != 0:
			board[i] = int(c-'A') + 1
		case 'a' <= c && c <= 'o' && i != bg.Bar:
			board[i] = -int(c-'a') - 1
		case 'A' <= c && c <= 'O':
			r.fail(0, i, "the first character is the bar of the player at the top, who is written in small letters")
		case 'a' <= c && c <= 'o':
			r.fail(0, i, "the last character is the bar of the player at the bottom, who is written in capitals")
		case c != '-':
			r.fail(0, i, "%q is no number of checkers, want -, A to O or a to o", c)
		}
	}
	return board
}

// xgidAction reads the fifth field: the dice or a double.
func (r *fieldReader) xgidAction(s *bg.State) {
	switch f := r.fields[4]; f {
	case "00":
	case "D":
		s.Doubled = true
	case "B", "R":
		s.Doubled, s.Beavers = true, 1
		if s.Cube.Owner != bg.Opponent { // the cube before the double
			s.Cube = bg.Cube{Value: 2 * s.Cube.Value, Owner: bg.Opponent}
			if f == "R" {
				s.Cube.Value *= 2
			}
		}
		if f == "R" {
			s.Beavers = 2
		}
	default:
		dice, err := bg.ParseDice(f)
		if err != nil {
			r.fail(4, 0, "the action is %q, want 00, D, B, R or two dice", f)
		}
		s.Dice = dice
	}
}

// bottomBoard returns the checkers of s as the player at the bottom, number 1, counts them: the
// other's bar at 0, the points, his own bar at 25; his own positive.
func bottomBoard(s *bg.State) [26]int {
	board := s.Position.Board()
	if s.Seat == 1 {
		return board
	}
	return flipBoard(board)
}

func flipBoard(board [26]int) (flipped [26]int) {
	for i, c := range board {
		flipped[25-i] = -c
	}
	return flipped
}

// finish completes s by the checkers as the player at the bottom counts them, and checks it.
func finish(s bg.State, board [26]int) (bg.State, error) {
	if s.Seat == 0 {
		board = flipBoard(board)
	}
	p, err := bg.FromBoard(board, s.Rules.Variant.Checkers())
	if err != nil {
		return bg.State{}, err
	}
	s.Position = p
	s.Status = statusOf(&p)
	s.Rules.Jacoby = s.Rules.Jacoby && s.Score.Money()
	if err := s.Validate(); err != nil {
		return bg.State{}, err
	}
	return s, nil
}

// ownerSign returns who has the cube: 1 the player at the bottom, -1 the one at the top, 0 none.
func ownerSign(s *bg.State) int {
	switch s.Cube.Owner {
	case bg.OnRoll:
		return 2*s.Seat - 1
	case bg.Opponent:
		return 1 - 2*s.Seat
	}
	return 0
}

// ownerFromSign is 1 for the player on roll, -1 for the opponent, 0 for a centered cube.
func ownerFromSign(sign int) bg.Owner {
	switch {
	case sign > 0:
		return bg.OnRoll
	case sign < 0:
		return bg.Opponent
	}
	return bg.Centered
}

func log2(v int) int { return max(0, bits.Len(uint(v))-1) }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
