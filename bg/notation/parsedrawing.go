package notation

import (
	"fmt"
	"strconv"
	"strings"

	"kotra/bg"
)

// A Drawing is what [ParseDrawing] has read.
type Drawing struct {
	State bg.State
	Names [2]string // of the players 0 and 1; empty if not drawn
}

// ParseDrawing reads the first board in text that is drawn as [Draw] does, in either
// orientation; rules give the variant and what is not drawn.
//
// Text before and after the board, more to the left of it, and blanks that are missing at the
// ends of lines do not matter, nor does a first line that has lost its blanks at the left. If
// the IDs stand above the board they give what is not drawn, and it is an error if they contradict what
// is. Without them, and with nothing beside the board, the position is that of a money game,
// not rolled, with a centered cube. While a double is offered, a drawing tells neither the
// match length, which is then 0, nor the owner of a cube above 1, which is then the doubler.
func ParseDrawing(text string, rules bg.Rules) (Drawing, error) {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r\x00")
	}
	r, err := findBoard(lines)
	if err != nil {
		return Drawing{}, err
	}
	r.state = bg.State{Cube: bg.Cube{Value: 1}, Rules: rules, Seat: r.seat}
	board := r.board()
	r.readInfo()
	if r.err != nil {
		return Drawing{}, r.err
	}
	s, err := finish(r.state, board)
	if err != nil {
		return Drawing{}, err
	}
	r.state = s
	if err := r.checkTrays(&s); err != nil {
		return Drawing{}, err
	}
	if s, err = r.completeByIDs(lines[:r.top], s); err != nil {
		return Drawing{}, err
	}
	return Drawing{State: s, Names: r.names}, nil
}

// looksDrawn reports whether text has a border of a drawn board.
func looksDrawn(text string) bool {
	for _, b := range [...]string{borderHigh, borderLow, borderHighClockwise, borderLowClockwise} {
		if strings.Contains(text, b) {
			return true
		}
	}
	return false
}

type drawingReader struct {
	lines     []string // from the top border to the bottom border
	top       int      // the number of the first of them in the text
	frame     int      // column of the frame's left side
	clockwise bool
	seat      int // of the player on roll

	state    bg.State
	names    [2]string
	informed bool // something stands beside the board
	err      error
}

// findBoard finds the first pair of borders that fit each other.
func findBoard(lines []string) (*drawingReader, error) {
	for i, line := range lines {
		for _, b := range [...]struct {
			top, bottom string
			clockwise   bool
			seat        int
		}{
			{borderHigh, borderLow, false, 1},
			{borderLow, borderHigh, false, 0},
			{borderHighClockwise, borderLowClockwise, true, 1},
			{borderLowClockwise, borderHighClockwise, true, 0},
		} {
			if !strings.Contains(line, b.top) {
				continue
			}
			last := i + boardRows + 1
			if last >= len(lines) {
				return nil, &bg.SyntaxError{Text: line, Reason: fmt.Sprintf("a drawn board has %d lines, but only %d are left from this border on", boardRows+2, len(lines)-i)}
			}
			frame := strings.Index(lines[last], b.bottom)
			if frame < 0 {
				return nil, &bg.SyntaxError{Text: lines[last], Reason: "the lower border of the drawn board is wanted here, " + b.bottom}
			}
			r := &drawingReader{lines: lines[i : last+1], top: i, frame: frame, clockwise: b.clockwise, seat: b.seat}
			return r, r.checkFrame()
		}
	}
	return nil, &bg.SyntaxError{Text: strings.Join(lines, "\n"), Reason: "no board is drawn here"}
}

func (r *drawingReader) checkFrame() error {
	for _, line := range r.lines[1 : boardRows+1] {
		for _, column := range [...]int{0, barColumn - 1, barColumn + 3, frameWidth - 1} {
			if at := r.frame + column; at >= len(line) || line[at] != '|' {
				return &bg.SyntaxError{Text: line, Offset: min(at, len(line)), Reason: "the frame of the drawn board is broken, a | is wanted"}
			}
		}
	}
	return nil
}

func (r *drawingReader) fail(line, offset int, format string, args ...any) {
	if r.err == nil {
		text := r.lines[line]
		r.err = &bg.SyntaxError{Text: text, Offset: min(offset, len(text)), Reason: fmt.Sprintf(format, args...)}
	}
}

// lineAt returns the number of the line at a height from a border.
func lineAt(upper bool, height int) int {
	if upper {
		return height
	}
	return boardRows + 1 - height
}

// board returns the checkers as player 1 counts them.
func (r *drawingReader) board() (board [26]int) {
	for _, upper := range [...]bool{true, false} {
		for i := range 12 {
			column := 1 + 3*i
			if i >= 6 {
				column += 5
			}
			board[cellPoint(i, upper, r.clockwise)] = r.stack(upper, column)
		}
		place, side := 0, -1
		if !upper {
			place, side = bg.Bar, 1
		}
		board[place] = r.stack(upper, barColumn)
		if board[place]*side < 0 {
			r.fail(lineAt(upper, 1), r.frame+barColumn, "the %s half of the bar holds only checkers of %c", [2]string{"lower", "upper"}[boolInt(upper)], symbols[boolInt(!upper)])
		}
	}
	middle := r.lines[1+middleRow][r.frame : r.frame+frameWidth]
	if strings.Trim(strings.Replace(middle, "BAR", "", 1), " |") != "" {
		r.fail(1+middleRow, r.frame, "checkers in the middle row of the board")
	}
	return board
}

// stack returns the checkers in three columns of a half, those of O as a negative number.
func (r *drawingReader) stack(upper bool, column int) int {
	n, symbol := 0, byte(0)
	at := r.frame + column
	for height := 1; height <= halfRows; height++ {
		line := lineAt(upper, height)
		cell := r.lines[line][at : at+3]
		if cell == "   " {
			continue
		}
		c := cell[1]
		if cell[0] != ' ' || cell[2] != ' ' {
			r.fail(line, at, "%q is no cell of a drawn board, want a letter between blanks", cell)
			return 0
		}
		if n != height-1 {
			r.fail(line, at, "a checker hangs in the air")
			return 0
		}
		count := strings.IndexByte(countSymbols, c)
		switch {
		case (c == 'X' || c == 'O') && (symbol == 0 || symbol == c):
			symbol = c
			n++
		case height == halfRows && count > halfRows:
			n = count
		case c == 'X' || c == 'O':
			r.fail(line, at, "both sides have checkers on one point")
			return 0
		default:
			r.fail(line, at, "%q is wanted neither as a checker nor as a count of six or more in the fifth place", c)
			return 0
		}
	}
	if symbol == symbols[0] {
		return -n
	}
	return n
}

// checkTrays compares the checkers drawn beside the board with those that are missing on it.
func (r *drawingReader) checkTrays(s *bg.State) error {
	d := drawing{state: s}
	for _, upper := range [...]bool{true, false} {
		player := boolInt(!upper)
		off := int(d.player(player)[bg.Off])
		for height := 1; height <= halfRows; height++ {
			line := lineAt(upper, height)
			want := trayRow(off, height, symbols[player])
			from := r.frame + frameWidth + 1
			if r.clockwise {
				want = reversed(want)
				from = r.frame - 4
			}
			if got := cut(r.lines[line], from, from+3); got != want {
				return &bg.SyntaxError{
					Text: r.lines[line], Offset: max(0, min(from, len(r.lines[line]))),
					Reason: fmt.Sprintf("beside the board %q is drawn, but %d checkers of %c are off, which is %q here", got, off, symbols[player], want),
				}
			}
		}
	}
	return nil
}

// cut returns the columns from up to to of line, which may be shorter, or begin later.
func cut(line string, from, to int) string {
	b := make([]byte, 0, to-from)
	for i := from; i < to; i++ {
		if i >= 0 && i < len(line) {
			b = append(b, line[i])
		} else {
			b = append(b, ' ')
		}
	}
	return string(b)
}

// infoAt returns what stands beside the board in a line, and where it begins. frame is that of
// the line, which is another one if the line has lost its blanks.
func (r *drawingReader) infoAt(line, frame int) (info string, at int) {
	at = frame + frameWidth + 5
	if r.clockwise {
		at = frame + frameWidth + 2
	}
	if at >= len(r.lines[line]) {
		return "", len(r.lines[line])
	}
	return r.lines[line][at:], at
}

// readInfo reads what stands beside the board.
func (r *drawingReader) readInfo() {
	s := &r.state
	for player, line := range [2]struct{ name, points, status int }{{0, 1, 2}, {boardRows + 1, boardRows, boardRows - 1}} {
		frame := r.frame
		if player == 0 {
			frame = strings.IndexByte(r.lines[0], '+')
		}
		r.readName(player, line.name, frame)
		r.readPoints(player, line.points)
		r.readStatus(player, line.status)
	}
	r.readMatch()
	if s.Doubled && s.Beavers == 0 && s.Cube.Value > 1 {
		s.Cube.Owner = bg.OnRoll
	}
}

func (r *drawingReader) readName(player, line, frame int) {
	info, at := r.infoAt(line, frame)
	if info == "" {
		return
	}
	prefix := string([]byte{symbols[player], ':'})
	name, ok := strings.CutPrefix(info, prefix)
	if !ok {
		r.fail(line, at, "%q beside the border, want the name of %c", info, symbols[player])
		return
	}
	name = strings.TrimPrefix(name, " ")
	if i := strings.LastIndex(name, "(Cube: "); i >= 0 && (i == 0 || name[i-1] == ' ') {
		if value, ok := cubeOf(name[i:]); ok {
			name = strings.TrimSuffix(name[:i], " ")
			r.setCube(line, at, value, ownerFromSign(2*boolInt(player == r.seat)-1))
		}
	}
	r.names[player] = name
}

// cubeOf reads the text of a cube, such as "(Cube: 2)".
func cubeOf(text string) (value int, ok bool) {
	digits, ok := strings.CutPrefix(text, "(Cube: ")
	if !ok {
		return 0, false
	}
	digits, ok = strings.CutSuffix(digits, ")")
	if !ok {
		return 0, false
	}
	value, err := strconv.Atoi(digits)
	return value, err == nil && value <= 1<<maxCubeLog
}

func (r *drawingReader) setCube(line, at, value int, owner bg.Owner) {
	if r.state.Cube != (bg.Cube{Value: 1}) {
		r.fail(line, at, "a second cube")
	}
	r.state.Cube = bg.Cube{Value: value, Owner: owner}
}

func (r *drawingReader) readPoints(player, line int) {
	info, at := r.infoAt(line, r.frame)
	if info == "" {
		return
	}
	n, ok := counted(info, "point")
	if !ok {
		r.fail(line, at, "%q beside the board, want the points of %c", info, symbols[player])
		return
	}
	r.informed = true
	if player == r.seat {
		r.state.Score.OnRoll = n
	} else {
		r.state.Score.Opponent = n
	}
}

// counted reads a number and a word, in the plural unless the number is 1.
func counted(text, word string) (int, bool) {
	digits, rest, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0 && n <= maxScore && (rest == word || rest == word+"s")
}

func (r *drawingReader) readStatus(player, line int) {
	info, at := r.infoAt(line, r.frame)
	if info == "" {
		return
	}
	r.informed = true
	s := &r.state
	if value, ok := strings.CutPrefix(info, "Cube offered at "); ok {
		n, err := strconv.Atoi(value)
		if err != nil || n < 2 || n > 1<<maxCubeLog || n%2 != 0 {
			r.fail(line, at, "the cube cannot be offered at %s", value)
			return
		}
		s.Doubled = true
		r.setCube(line, at, n/2, bg.Centered)
		if player == r.seat {
			s.Beavers, s.Cube.Owner = 1, bg.Opponent
		}
		return
	}
	if player != r.seat {
		r.fail(line, at, "%q beside the board, but %c is not on roll", info, symbols[player])
		return
	}
	action, resigns, offered := strings.Cut(info, ", resigns ")
	if offered {
		for result := bg.Single; result <= bg.Backgammon; result++ {
			if resigns == result.String() {
				s.Resigned = result
			}
		}
	}
	dice, rolled := strings.CutPrefix(action, "Rolled ")
	if rolled {
		var err error
		if s.Dice, err = bg.ParseDice(dice); err != nil {
			rolled = false
		}
	}
	if !rolled && action != "On roll" || offered && s.Resigned == bg.Unfinished {
		r.fail(line, at, "%q beside the board, want On roll or Rolled and the dice, and perhaps a resignation", info)
	}
}

// readMatch reads the match and the centered cube beside the middle.
func (r *drawingReader) readMatch() {
	line := 1 + middleRow
	info, at := r.infoAt(line, r.frame)
	if info == "" {
		return
	}
	r.informed = true
	match, extra := info, ""
	if i := strings.IndexByte(info, '('); i >= 0 {
		match, extra = strings.TrimSuffix(info[:i], " "), info[i:]
	}
	if match != "" {
		points, _ := strings.CutSuffix(match, " match")
		n, ok := counted(points, "point")
		if !ok || points == match {
			r.fail(line, at, "%q beside the board, want the length of the match", match)
		}
		r.state.Score.Length = n
	}
	if value, ok := cubeOf(extra); ok {
		r.setCube(line, at, value, bg.Centered)
	} else if extra == "(Crawford game)" {
		r.state.Score.Crawford = true
	} else if extra != "" {
		r.fail(line, at, "%q beside the board, want the cube or the Crawford game", extra)
	}
}

// completeByIDs returns s with what the IDs above the board tell more than the drawing.
func (r *drawingReader) completeByIDs(above []string, s bg.State) (bg.State, error) {
	if id, line, ok := labeled(above, "Position ID: "); ok {
		p, err := bg.ParsePositionIDWith(id, s.Rules.Variant.Checkers())
		if err != nil {
			return bg.State{}, err
		}
		if p != s.Position {
			return bg.State{}, &bg.SyntaxError{Text: line, Offset: strings.Index(line, id), Reason: "this is the Position ID of another board than the one drawn, which has " + s.Position.ID()}
		}
	}
	id, line, ok := labeled(above, "Match ID   : ")
	if !ok {
		return s, nil
	}
	m, err := bg.ParseMatchID(id)
	if err != nil {
		return bg.State{}, err
	}
	if m.Dice == s.Dice.Sorted() {
		m.Dice = s.Dice // in the order drawn
	}
	full := s
	full.Dice, full.Cube, full.Score, full.Status, full.Seat = m.Dice, m.Cube, m.Score, m.Status, m.Seat
	full.Doubled, full.Beavers, full.Resigned = m.Doubled, m.Beavers, m.Resigned
	full.Rules.Jacoby = m.Rules.Jacoby
	if err := full.Validate(); err != nil {
		return bg.State{}, err
	}
	if what := r.contradiction(&full); what != "" {
		return bg.State{}, &bg.SyntaxError{Text: line, Offset: strings.Index(line, id), Reason: "the Match ID and the drawing differ in " + what}
	}
	return full, nil
}

// contradiction says in what full differs from what is drawn, or "".
func (r *drawingReader) contradiction(full *bg.State) string {
	drawn := &r.state
	if full.Seat != r.seat {
		return "the player on roll"
	}
	if !r.informed {
		return ""
	}
	drawn.Status = full.Status
	bySeat := drawing{state: full, opts: DrawOptions{Names: r.names}}
	want := bySeat.info()
	byDrawing := drawing{state: drawn, opts: bySeat.opts}
	for i, got := range byDrawing.info() {
		if got != want[i] && full.Status == bg.Playing {
			return fmt.Sprintf("%q against %q", got, want[i])
		}
	}
	return ""
}

// labeled returns the word behind a label in the last line that has it, and that line.
func labeled(lines []string, label string) (word, line string, ok bool) {
	for i := len(lines) - 1; i >= 0; i-- {
		if _, rest, found := strings.Cut(lines[i], label); found {
			word, _, _ = strings.Cut(rest, " ")
			return word, lines[i], true
		}
	}
	return "", "", false
}
