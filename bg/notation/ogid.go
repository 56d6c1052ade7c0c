package notation

import (
	"fmt"
	"strconv"
	"strings"

	"kotra/bg"
)

// ogidFields is the largest number of fields of an OGID.
const ogidFields = 11

// OGID returns s in the notation of OpenGammon, with "OGID=" before it: White is player 1, at
// the bottom, and Black player 0.
//
// Checkers are sorted and the smaller die comes first. Not stored are the rules, beavers and
// an offered resignation; the move number is written as 0. The field of the checkers a side is
// written when they are not 15.
func OGID(s bg.State) string {
	white, black := &s.Position.OnRoll, &s.Position.Opponent
	if s.Seat == 0 {
		white, black = black, white
	}
	var b strings.Builder
	b.WriteString("OGID=")
	for p := range 25 {
		writeRepeated(&b, ogidPlace(p), white[25-p])
	}
	b.WriteByte(':')
	for p := 1; p <= 25; p++ {
		writeRepeated(&b, ogidPlace(p), black[p])
	}
	fmt.Fprintf(&b, ":%s%d%s:", [3]string{"B", "N", "W"}[ownerSign(&s)+1], log2(s.Cube.Value), ogidCubeAction(&s))
	if d := s.Dice.Sorted(); s.Dice.Rolled() {
		fmt.Fprintf(&b, "%d%d", d[1], d[0])
	}
	author := 1 - s.Seat
	if s.Doubled {
		author = s.Seat
	}
	score := [2]int{s.Score.Opponent, s.Score.OnRoll} // by the distance to the seat
	fmt.Fprintf(&b, ":%s:%s:%d:%d:%d%s:0", [2]string{"B", "W"}[author], ogidState(&s),
		score[boolInt(s.Seat == 1)], score[boolInt(s.Seat == 0)], s.Score.Length, ogidCrawford(s.Score))
	if n := s.Rules.Variant.Checkers(); n != 15 {
		fmt.Fprintf(&b, ":%d", n)
	}
	return b.String()
}

func writeRepeated(b *strings.Builder, c byte, n uint8) {
	for range n {
		b.WriteByte(c)
	}
}

func ogidPlace(p int) byte {
	if p < 10 {
		return '0' + byte(p)
	}
	return 'a' + byte(p-10)
}

func ogidCubeAction(s *bg.State) string {
	switch {
	case s.Doubled:
		return "O"
	case s.Status == bg.Dropped:
		return "P"
	}
	return "N"
}

func ogidState(s *bg.State) string {
	matchOver := !s.Score.Money() && (s.Score.OnRoll >= s.Score.Length || s.Score.Opponent >= s.Score.Length)
	switch {
	case s.Status == bg.Dropped:
		return "P"
	case s.Status == bg.Resigned && matchOver:
		return "RM"
	case s.Status == bg.Resigned:
		return "RG"
	case s.Status == bg.Over && matchOver:
		return "M"
	case s.Status == bg.Over:
		return "G"
	case s.Doubled:
		return "D"
	case s.Dice.Rolled():
		return "R"
	}
	return "C"
}

func ogidCrawford(score bg.Score) string {
	switch {
	case score.Crawford:
		return "C"
	case score.PostCrawford() && score.Length > 1:
		return "L"
	}
	return ""
}

// ParseOGID reads the notation of OpenGammon; rules give the variant, if the OGID does not, and
// the rules, of which an OGID stores none.
//
// "OGID=" may be missing, in lower case, or end with a colon; three fields are enough, and then
// White is taken to act, for nobody is named, unless checkers on the bar leave only Black. Checkers
// and dice may be in any order, and a checker off may be listed as q. A dead or unset cube is taken
// as a centered one. What the fields say against each other is an error, and so is a player to act
// whose opponent alone can be on roll.
func ParseOGID(text string, rules bg.Rules) (bg.State, error) {
	r := newFieldReader(text, "OGID")
	if n := len(r.fields); n < 3 || n > ogidFields {
		return bg.State{}, &bg.SyntaxError{Text: text, Offset: len(text), Reason: fmt.Sprintf("an OGID has 3 to 11 fields, not %d", n)}
	}
	for len(r.fields) < ogidFields {
		r.fields = append(r.fields, "")
	}
	o := ogid{fieldReader: r, State: bg.State{Rules: rules, Seat: 1}}
	board := o.readBoard()
	o.readVariant()
	owner, action := o.readCube()
	o.readScore()
	o.readDice()
	author := o.readAuthor(action)
	o.readState(action)
	if r.err != nil {
		return bg.State{}, r.err
	}
	return o.finish(board, owner, author)
}

type ogid struct {
	*fieldReader
	bg.State
}

// readBoard returns the checkers as White counts them.
func (o *ogid) readBoard() (board [26]int) {
	for side := range 2 {
		for at, c := range []byte(o.fields[side]) {
			p := 0
			switch {
			case '0' <= c && c <= '9':
				p = int(c - '0')
			case 'a' <= c && c <= 'q':
				p = int(c-'a') + 10
			default:
				o.fail(side, at, "%q is no point, want 0 to 9 or a to p", c)
				return board
			}
			switch {
			case p > bg.Bar: // off
			case side == 0 && p == bg.Bar:
				o.fail(side, at, "White has a checker on 25, which is the bar of Black")
			case side == 1 && p == 0:
				o.fail(side, at, "Black has a checker on 0, which is the bar of White")
			case side == 0 && board[25-p] >= 0:
				board[25-p]++
			case side == 1 && board[25-p] <= 0:
				board[25-p]--
			default:
				o.fail(side, at, "both sides have checkers on %d", p)
			}
		}
	}
	return board
}

func (o *ogid) readVariant() {
	if o.fields[10] == "" {
		return
	}
	n := o.number(10, 1, 15, "the number of checkers a side")
	if n == o.Rules.Variant.Checkers() {
		return
	}
	switch n {
	case bg.Hypergammon.Checkers():
		o.Rules.Variant = bg.Hypergammon
	case bg.Standard.Checkers():
		o.Rules.Variant = bg.Standard
	default:
		o.fail(10, 0, "%d checkers a side, only 15 and 3 are played", n)
	}
}

// looksLikeOGIDCube reports whether f has the shape of an OGID's third field.
func looksLikeOGIDCube(f string) bool {
	if len(f) < 3 || !strings.ContainsRune("NWBD?", rune(f[0])) || !strings.ContainsRune("NOTP", rune(f[len(f)-1])) {
		return false
	}
	return strings.Trim(f[1:len(f)-1], "0123456789") == ""
}

// readCube returns who has the cube, 1 for White, -1 for Black, 0 for nobody, and the action.
func (o *ogid) readCube() (owner int, action byte) {
	f := o.fields[2]
	if !looksLikeOGIDCube(f) {
		o.fail(2, 0, "the cube is %q, want an owner, a logarithm and an action, such as N0N", f)
		return 0, 'N'
	}
	n, err := strconv.Atoi(f[1 : len(f)-1])
	if err != nil || n > maxCubeLog {
		o.fail(2, 1, "the logarithm of the cube is %s, want 0 to %d", f[1:len(f)-1], maxCubeLog)
		n = 0
	}
	o.Cube.Value = 1 << n
	switch f[0] {
	case 'W':
		owner = 1
	case 'B':
		owner = -1
	}
	return owner, f[len(f)-1]
}

func (o *ogid) readDice() {
	f := o.fields[3]
	if f == "" {
		return
	}
	dice, err := bg.ParseDice(f)
	if err != nil {
		o.fail(3, 0, "the dice are %q, want two digits from 1 to 6 or nothing", f)
	}
	o.Dice = dice
}

func (o *ogid) readScore() {
	for i, points := range []*int{&o.Score.OnRoll, &o.Score.Opponent} {
		if o.fields[6+i] != "" {
			*points = o.number(6+i, 0, maxScore, "the score of "+[2]string{"White", "Black"}[i])
		}
	}
	if o.fields[9] != "" {
		o.number(9, 0, maxScore, "the move number")
	}
	f := o.fields[8]
	digits := len(f) - len(strings.TrimLeft(f, "0123456789"))
	if f == "" {
		return
	}
	length, err := strconv.Atoi(f[:digits])
	if err != nil || length > maxScore {
		o.fail(8, 0, "the match length is %q, want a number, and C, L or G and a number of games after it", f)
		return
	}
	o.Score.Length = length
	switch mark := f[digits:]; {
	case mark == "":
	case mark == "C":
		o.Score.Crawford = true
	case mark == "L":
		if !o.Score.PostCrawford() {
			o.fail(8, digits, "the game is marked as post-Crawford, but nobody needs just one point")
		}
	case mark[0] == 'G' && strings.Trim(mark[1:], "0123456789") == "":
	default:
		o.fail(8, digits, "%q after the match length, want C, L or G and a number of games", mark)
	}
}

// readAuthor sets the player on roll, and returns the seat of the player who brought the
// position about, or -1 if that is not told.
func (o *ogid) readAuthor(action byte) int {
	author := -1
	switch o.fields[4] {
	case "W":
		author = 1
	case "B":
		author = 0
	case "":
	default:
		o.fail(4, 0, "the player who brought the position about is %q, want W or B", o.fields[4])
	}
	o.Doubled = action == 'O'
	starts := !o.Dice.Rolled() && !o.Doubled
	switch {
	case starts && o.fields[5] == "IW":
		o.Seat = 1
	case starts && o.fields[5] == "IB":
		o.Seat = 0
	case author < 0 && o.Doubled:
		o.fail(4, 0, "a double is offered, but it is not told by whom")
	case author < 0: // White, or Black if finish finds that only he can be
		o.Seat = 1
	case o.Doubled:
		o.Seat = author
	default:
		o.Seat = 1 - author
	}
	return author
}

func (o *ogid) readState(action byte) {
	o.Status = bg.Playing
	state := o.fields[5]
	switch state {
	case "", "IW", "IB", "A":
	case "R":
		if !o.Dice.Rolled() {
			o.fail(5, 0, "the state is R, rolled, but there are no dice")
		}
	case "C":
		if o.Dice.Rolled() {
			o.fail(5, 0, "the state is C, to roll or double, but the dice have been rolled")
		}
	case "D":
		if action != 'O' {
			o.fail(5, 0, "the state is D, double offered, but the cube is not offered")
		}
	case "P":
		o.Status = bg.Dropped
	case "G", "M":
		o.Status = bg.Over
	case "RG", "RM":
		o.Status = bg.Resigned
	default:
		o.fail(5, 0, "the state is %q, want IW, IB, R, C, D, A, P, G, M, RG or RM", state)
	}
	if action == 'O' && state != "" && state != "D" {
		o.fail(5, 0, "the cube is offered, but the state is %s", state)
	}
}

func (o *ogid) finish(board [26]int, owner, author int) (bg.State, error) {
	s := o.State
	if s.Seat == 0 {
		s.Score = s.Score.Flip()
		board = flipBoard(board)
	}
	p, err := bg.FromBoard(board, s.Rules.Variant.Checkers())
	if err != nil {
		return bg.State{}, err
	}
	s.Position = p
	if s.Status == bg.Playing {
		s.Status = statusOf(&p)
	}
	if s.Status == bg.Playing && !s.Doubled && mustHaveEntered(&p) {
		switch flipped := p.Flip(); {
		case mustHaveEntered(&flipped): // neither can have just moved
		case author < 0 && o.fields[5] != "IW" && o.fields[5] != "IB":
			s.Seat, s.Position, s.Score = 1-s.Seat, flipped, s.Score.Flip()
		default:
			return bg.State{}, fmt.Errorf("%w: %s is said to have just moved, but has checkers on the bar that no dice could have kept there",
				bg.ErrState, [2]string{"Black", "White"}[1-s.Seat])
		}
	}
	s.Cube.Owner = ownerFromSign(owner * (2*s.Seat - 1))
	s.Rules.Jacoby = s.Rules.Jacoby && s.Score.Money()
	if err := s.Validate(); err != nil {
		return bg.State{}, err
	}
	return s, nil
}

// mustHaveEntered reports whether the opponent cannot have just moved: he is on the bar, and
// no point of the home board before him is held.
func mustHaveEntered(p *bg.Position) bool {
	if n := p.Opponent[bg.Bar]; n == 0 || n > 2 {
		return false
	}
	for point := 1; point <= 6; point++ {
		if p.OnRoll[point] > 1 {
			return false
		}
	}
	return true
}
