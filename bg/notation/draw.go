package notation

import (
	"fmt"
	"strings"

	"kotra/bg"
)

// DrawOptions say how [Draw] draws a board. The zero value is the usual drawing of GNU
// Backgammon with players without names.
type DrawOptions struct {
	Clockwise bool      // X bears off at the lower left, not at the lower right
	Names     [2]string // of the players 0, O at the top, and 1, X at the bottom
	NoHeader  bool      // leave out the two lines with the IDs
}

// The borders of the board, by the order of the points. That of the player on roll's high
// points is at the top if he is player 1, at the bottom if he is player 0.
const (
	borderHigh          = "+13-14-15-16-17-18------19-20-21-22-23-24-+"
	borderLow           = "+12-11-10--9--8--7-------6--5--4--3--2--1-+"
	borderHighClockwise = "+24-23-22-21-20-19------18-17-16-15-14-13-+"
	borderLowClockwise  = "+-1--2--3--4--5--6-------7--8--9-10-11-12-+"
)

// Measures of a drawing, in columns from the left side of the frame.
const (
	frameWidth = 43
	barColumn  = 20 // the first of three columns between the halves
)

// The rows between the borders: five of the upper half, the middle, five of the lower half.
const (
	halfRows  = 5
	middleRow = halfRows
	boardRows = 2*halfRows + 1
)

// Draw returns s as a board drawn with letters, as GNU Backgammon draws it: 15 lines and an
// empty one. Player 1 is X and at the bottom; points are numbered for the player on roll.
//
// A fifth checker on a point is drawn as itself; six to nine are written as a number in its
// place and ten to fifteen as A to F.
func Draw(s bg.State, opts DrawOptions) string {
	d := drawing{state: &s, opts: opts}
	var b strings.Builder
	if !opts.NoHeader {
		indent := strings.Repeat(" ", d.frame())
		fmt.Fprintf(&b, "%s%-15s Position ID: %s\n", indent, "GNU Backgammon", s.Position.ID())
		fmt.Fprintf(&b, "%s%-15s Match ID   : %s\n", indent, "", s.MatchID())
	}
	top, bottom := d.borders()
	info := d.info()
	d.border(&b, top, info[0])
	for row := range boardRows {
		d.row(&b, row, info[row+1])
	}
	d.border(&b, bottom, info[boardRows+1])
	b.WriteByte('\n')
	return b.String()
}

type drawing struct {
	state *bg.State
	opts  DrawOptions
}

// frame returns the column of the left side of the frame.
func (d *drawing) frame() int {
	if d.opts.Clockwise {
		return 4
	}
	return 1
}

func (d *drawing) borders() (top, bottom string) {
	top, bottom = borderHigh, borderLow
	if d.opts.Clockwise {
		top, bottom = borderHighClockwise, borderLowClockwise
	}
	if d.state.Seat == 0 {
		return bottom, top
	}
	return top, bottom
}

func (d *drawing) border(b *strings.Builder, border, info string) {
	gap := 5
	if d.opts.Clockwise {
		gap = 2
	}
	fmt.Fprintf(b, "%*s%s%*s%s\n", d.frame(), "", border, gap, "", info)
}

// player returns the checkers of player 0 or 1, from his own view.
func (d *drawing) player(n int) *bg.Side {
	if n == d.state.Seat {
		return &d.state.Position.OnRoll
	}
	return &d.state.Position.Opponent
}

// row writes one row between the borders.
func (d *drawing) row(b *strings.Builder, row int, info string) {
	var cells [12]string
	bar := "BAR"
	tray := "   "
	if row == middleRow {
		for i := range cells {
			cells[i] = "   "
		}
	} else {
		upper := row < middleRow
		height := row + 1 // from the border, 1 to 5
		if !upper {
			height = boardRows - row
		}
		for i := range cells {
			cells[i] = d.pointCell(cellPoint(i, upper, d.opts.Clockwise), height)
		}
		player := boolInt(!upper)
		bar = stackCell(int(d.player(player)[bg.Bar]), height, symbols[player])
		tray = trayRow(int(d.player(player)[bg.Off]), height, symbols[player])
	}
	frame := "|" + strings.Join(cells[:6], "") + "|" + bar + "|" + strings.Join(cells[6:], "") + "|"
	arrow := " "
	if row == middleRow {
		arrow = [2]string{"^", "v"}[d.state.Seat]
	}
	switch inner := row == middleRow-1 || row == middleRow+1; {
	case d.opts.Clockwise:
		fmt.Fprintf(b, "%s %s%s %s\n", reversed(tray), frame, arrow, info)
	case inner:
		fmt.Fprintf(b, " %s %s\n", frame, tray)
	default:
		fmt.Fprintf(b, "%s%s %s %s\n", arrow, frame, tray, info)
	}
}

// symbols are the letters of the players 0 and 1.
const symbols = "OX"

// cellPoint returns the point, in the numbering of player 1, that is drawn in the cell i of 12
// from the left.
func cellPoint(i int, upper, clockwise bool) int {
	if clockwise {
		i = 11 - i
	}
	if upper {
		return 13 + i
	}
	return 12 - i
}

// pointCell returns what is drawn on a point at a height from the border.
func (d *drawing) pointCell(point, height int) string {
	if c := int(d.player(1)[point]); c > 0 {
		return stackCell(c, height, symbols[1])
	}
	return stackCell(int(d.player(0)[25-point]), height, symbols[0])
}

func stackCell(n, height int, symbol byte) string {
	switch {
	case n < height:
		return "   "
	case height == halfRows && n > halfRows:
		symbol = countSymbols[n]
	}
	return string([]byte{' ', symbol, ' '})
}

// countSymbols are the letters for numbers of checkers.
const countSymbols = "0123456789ABCDEF"

// trayRow returns a row of the checkers borne off: three columns that hold five each.
func trayRow(n, height int, symbol byte) string {
	row := []byte("   ")
	for i := range row {
		if n >= i*halfRows+height {
			row[i] = symbol
		}
	}
	return string(row)
}

func reversed(row string) string { return string([]byte{row[2], row[1], row[0]}) }

// info returns the texts beside the borders and rows, from the top.
func (d *drawing) info() (lines [boardRows + 2]string) {
	s := d.state
	for player, line := range [2]struct{ name, points, status int }{{0, 1, 2}, {boardRows + 1, boardRows, boardRows - 1}} {
		points, owner := s.Score.Opponent, s.Cube.Owner == bg.Opponent
		if player == s.Seat {
			points, owner = s.Score.OnRoll, s.Cube.Owner == bg.OnRoll
		}
		lines[line.name] = fmt.Sprintf("%c: %s", symbols[player], d.opts.Names[player])
		if owner && !s.Doubled {
			lines[line.name] += fmt.Sprintf(" (Cube: %d)", s.Cube.Value)
		}
		lines[line.points] = countOf(points, "point")
		lines[line.status] = d.status(player)
	}
	lines[1+middleRow] = d.matchInfo()
	return lines
}

func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// status returns what the player has done or has to do.
func (d *drawing) status(player int) string {
	s := d.state
	if s.Doubled {
		if player != s.Decider() {
			return ""
		}
		return fmt.Sprintf("Cube offered at %d", 2*s.Cube.Value)
	}
	if player != s.Seat {
		return ""
	}
	status := "On roll"
	if s.Dice.Rolled() {
		status = "Rolled " + s.Dice.String()
	} else if result, _ := s.Position.Result(); result != bg.Unfinished {
		return ""
	}
	if s.Resigned != bg.Unfinished {
		status += ", resigns " + s.Resigned.String()
	}
	return status
}

// matchInfo returns the match and the centered cube.
func (d *drawing) matchInfo() string {
	s := d.state
	if s.Doubled {
		return ""
	}
	var parts []string
	if !s.Score.Money() {
		parts = append(parts, countOf(s.Score.Length, "point")+" match")
	}
	switch {
	case s.Score.Crawford:
		parts = append(parts, "(Crawford game)")
	case s.Cube.Owner == bg.Centered && s.Score.Length != 1 && !s.Rules.NoCube:
		parts = append(parts, fmt.Sprintf("(Cube: %d)", s.Cube.Value))
	}
	return strings.Join(parts, " ")
}
