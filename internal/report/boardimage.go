package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"kotra/bg"
)

// BoardOptions say how a board is drawn as a picture. The player on roll is at the bottom.
type BoardOptions struct {
	Clockwise bool      // he bears off at the lower left, not at the lower right
	Names     [2]string // of the players 0 and 1; empty names are left out
	Move      *bg.Move  // arrows for a move of the player on roll
	Opponent  bool      // the opponent's view: he is at the bottom
}

// Measures of the picture: a point is one unit wide.
const (
	unit       = 40.
	tray       = 1.3 * unit
	boardTop   = 46.
	boardH     = 11 * unit
	boardW     = 13 * unit
	imageW     = boardW + 2*tray + 20
	imageH     = boardH + 2*boardTop
	radius     = .46 * unit
	pointsLen  = 4.7 * unit
	stackShown = 5
)

// Colors of the picture.
var (
	boardColor  = solid(0xe9dcc3)
	frameColor  = solid(0x5b4636)
	barColor    = solid(0x8a7260)
	darkPoint   = solid(0x9c6b4a)
	lightPoint  = solid(0xcdb490)
	whiteFill   = solid(0xfdfaf2)
	blackFill   = solid(0x2f3a4a)
	outline     = solid(0x1d1d1d)
	textColor   = solid(0x3a2d22)
	onFrame     = solid(0xf3eadb)
	arrowColor  = paint{0x1f8a4c, .8}
	paperColor  = solid(0xf7f2e8)
	cubeColor   = solid(0xffffff)
	numberWhite = solid(0xfdfaf2)
	numberBlack = solid(0x2f3a4a)
)

// BoardSVG returns the state s drawn as an SVG element.
func BoardSVG(s *bg.State, o BoardOptions) string {
	scene := drawBoard(s, o)
	return scene.svg("Backgammon board " + s.GNUID())
}

// BoardPNG writes the state s as a picture of the given width in pixels.
func BoardPNG(w io.Writer, s *bg.State, o BoardOptions, width int) error {
	scene := drawBoard(s, o)
	return scene.png(w, width)
}

// checkerSymbols returns the elements that small boards use for checkers.
func checkerSymbols() string {
	var b strings.Builder
	for i, id := range []string{"cw", "cb"} {
		fill := [2]paint{whiteFill, blackFill}[i]
		b.WriteString(`<g id="` + id + `">`)
		(&shape{points: []point{{0, 0}}, radius: radius, fill: fill, stroke: outline, line: 1.2}).svg(&b)
		b.WriteString("</g>")
	}
	return b.String()
}

// A boardDrawer draws a state.
type boardDrawer struct {
	scene
	s   *bg.State
	o   BoardOptions
	own int // the seat at the bottom
	x0  float64
}

func drawBoard(s *bg.State, o BoardOptions) *scene {
	d := &boardDrawer{s: s, o: o, own: s.Seat, x0: 10 + tray}
	if o.Opponent {
		d.own = 1 - s.Seat
	}
	d.width, d.height = imageW, imageH
	d.rect(0, 0, imageW, imageH, 10, paperColor, paint{}, 0)
	d.rect(10-3, boardTop-3, imageW-20+6, boardH+6, 6, frameColor, paint{}, 0)
	d.rect(d.x0, boardTop, boardW, boardH, 0, boardColor, paint{}, 0)
	d.rect(d.x0+6*unit, boardTop, unit, boardH, 0, barColor, paint{}, 0)
	d.points()
	d.fixed = len(d.shapes)
	sides := d.sides()
	for seat := range sides {
		d.checkers(seat, &sides[seat])
		d.off(seat, int(sides[seat][bg.Off]))
		d.info(seat, &sides[seat])
	}
	d.cube()
	d.dice()
	d.arrows()
	return &d.scene
}

// sides returns the checkers by seat.
func (d *boardDrawer) sides() (sides [2]bg.Side) {
	sides[d.s.Seat], sides[1-d.s.Seat] = d.s.Position.OnRoll, d.s.Position.Opponent
	return sides
}

// column returns the middle of a point of the player at the bottom, and whether it is in the upper
// half.
func (d *boardDrawer) column(p int) (x float64, top bool) {
	i := p - 1 // from the right in the lower half
	if top = p > 12; top {
		i = 24 - p
	}
	x = float64(12-i) * unit // the bar is the seventh column
	if i >= 6 {
		x -= unit
	}
	x += d.x0 + unit/2
	if d.o.Clockwise {
		x = imageW - x
	}
	return x, top
}

func (d *boardDrawer) points() {
	for p := 1; p <= 24; p++ {
		x, top := d.column(p)
		base, tip, label := boardTop+boardH, boardTop+boardH-pointsLen, boardTop+boardH+11
		if top {
			base, tip, label = boardTop, boardTop+pointsLen, boardTop-11
		}
		fill := darkPoint
		if p%2 == 0 {
			fill = lightPoint
		}
		d.polygon(fill, paint{}, 0, point{x - unit/2, base}, point{x + unit/2, base}, point{x, tip})
		d.label(x, label, 12, false, textColor, strconv.Itoa(p))
	}
}

func (d *boardDrawer) colors(seat int) (fill, text paint) {
	if seat == 0 {
		return whiteFill, numberBlack
	}
	return blackFill, numberWhite
}

// place returns where the n-th checker, from 0, of a seat on one of its own places is.
func (d *boardDrawer) place(seat, at, n int) point {
	n = min(n, stackShown-1)
	if at == bg.Bar {
		// Checkers on the bar wait at the half in which they will enter.
		y := boardTop + boardH/2 - unit*(.9+float64(min(n, 3)))
		if seat != d.own {
			y = 2*boardTop + boardH - y
		}
		return point{d.barX(), y}
	}
	if at == bg.Off {
		y := boardTop + boardH - 20
		if seat != d.own {
			y = boardTop + 20
		}
		return point{d.trayX(true), y}
	}
	if seat != d.own {
		at = 25 - at
	}
	x, top := d.column(at)
	y := boardTop + boardH - unit*(.5+float64(n))*.94
	if top {
		y = boardTop + unit*(.5+float64(n))*.94
	}
	return point{x, y}
}

func (d *boardDrawer) barX() float64 { return imageW / 2 }

// trayX returns the middle of the tray for checkers borne off, or of the other one.
func (d *boardDrawer) trayX(off bool) float64 {
	if off != d.o.Clockwise {
		return imageW - 10 - tray/2
	}
	return 10 + tray/2
}

func (d *boardDrawer) checkers(seat int, side *bg.Side) {
	fill, text := d.colors(seat)
	for at := 1; at <= bg.Bar; at++ {
		n := int(side[at])
		shown := stackShown
		if at == bg.Bar {
			shown = 4
		}
		for i := range min(n, shown) {
			p := d.place(seat, at, i)
			d.circle(p.x, p.y, radius, fill, outline, 1.2)
			d.shapes[len(d.shapes)-1].symbol = [2]string{"cw", "cb"}[seat]
			d.circle(p.x, p.y, .68*radius, paint{}, paint{text.rgb, 1}, .5)
			d.shapes[len(d.shapes)-1].detail = true
		}
		if n > shown {
			p := d.place(seat, at, shown-1)
			d.circle(p.x, p.y, .67*radius, fill, paint{}, 0)
			d.label(p.x, p.y, 17, true, text, strconv.Itoa(n))
		}
	}
}

func (d *boardDrawer) off(seat, n int) {
	fill, _ := d.colors(seat)
	x := d.trayX(true)
	const h, gap = 9., 11.
	for i := range min(n, 15) {
		y := boardTop + boardH - 5 - float64(i+1)*gap
		if seat != d.own {
			y = boardTop + 5 + float64(i)*gap + (gap - h)
		}
		d.rect(x-.45*tray, y, .9*tray, h, 2, fill, outline, .8)
	}
	if n > 0 {
		y := boardTop + boardH - 5 - 15*gap - 12
		if seat != d.own {
			y = boardTop + 5 + 15*gap + 12
		}
		d.label(x, y, 14, true, onFrame, strconv.Itoa(n))
	}
}

// info writes who a side is, his score and his pips.
func (d *boardDrawer) info(seat int, side *bg.Side) {
	y := imageH - 13.
	if seat != d.own {
		y = 13
	}
	fill, _ := d.colors(seat)
	score := d.s.Score.OnRoll
	if seat != d.s.Seat {
		score = d.s.Score.Opponent
	}
	text := fmt.Sprintf("pips %d", side.Pips())
	if d.o.Names[seat] != "" {
		text = d.o.Names[seat] + ", " + text
	}
	if d.s.Score.Money() {
		if score != 0 || d.s.Score.OnRoll+d.s.Score.Opponent != 0 {
			text += fmt.Sprintf(", score %d", score)
		}
	} else {
		text += fmt.Sprintf(", score %d of %d", score, d.s.Score.Length)
		if d.s.Score.Crawford {
			text += ", Crawford"
		}
	}
	if seat == d.s.Seat {
		text += ", on roll"
	}
	d.label(imageW/2, y, 15, seat == d.s.Seat, textColor, text)
	d.circle(d.x0-20, y, 8, fill, outline, 1)
}

func (d *boardDrawer) cube() {
	if d.s.Rules.NoCube || d.s.Score.Crawford {
		return
	}
	value, y, x := d.s.Cube.Value, boardTop+boardH/2, d.trayX(false)
	owner := -1
	switch d.s.Cube.Owner {
	case bg.OnRoll:
		owner = d.s.Seat
	case bg.Opponent:
		owner = 1 - d.s.Seat
	}
	if owner == d.own {
		y = boardTop + boardH - 30
	} else if owner >= 0 {
		y = boardTop + 30
	}
	if d.s.Doubled {
		value *= 2
		y = boardTop + boardH/2
		x = d.x0 + 3*unit
		if d.o.Clockwise {
			x = imageW - x
		}
	}
	text := strconv.Itoa(value)
	if value == 1 {
		text = "64"
	}
	d.rect(x-19, y-19, 38, 38, 5, cubeColor, outline, 1.5)
	d.label(x, y, 20-2*float64(max(0, len(text)-2)), true, outline, text)
}

// pips are the places of the pips of a die, in a square from -1 to 1.
var pips = [7][]point{
	1: {{0, 0}},
	2: {{-1, -1}, {1, 1}},
	3: {{-1, -1}, {0, 0}, {1, 1}},
	4: {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}},
	5: {{-1, -1}, {-1, 1}, {0, 0}, {1, -1}, {1, 1}},
	6: {{-1, -1}, {-1, 0}, {-1, 1}, {1, -1}, {1, 0}, {1, 1}},
}

func (d *boardDrawer) dice() {
	if !d.s.Dice.Rolled() {
		return
	}
	fill, dot := d.colors(d.s.Seat)
	right := d.s.Seat == d.own != d.o.Clockwise
	for i, die := range d.s.Dice {
		x := d.x0 + 3*unit + (float64(i)-.5)*44
		if right {
			x += 7 * unit
		}
		y := boardTop + boardH/2
		d.rect(x-17, y-17, 34, 34, 6, fill, outline, 1.2)
		if die <= 6 {
			for _, p := range pips[die] {
				d.circle(x+9*p.x, y+9*p.y, 3.4, dot, paint{}, 0)
			}
		}
	}
}

// arrows shows the move: from the uppermost checkers to where they come to lie.
func (d *boardDrawer) arrows() {
	if d.o.Move == nil {
		return
	}
	side := d.s.Position.OnRoll
	for _, step := range d.o.Move.Steps() {
		from := d.place(d.s.Seat, int(step.From), max(0, int(side[step.From])-1))
		if side[step.From] > 0 {
			side[step.From]--
		}
		to := d.place(d.s.Seat, int(step.To), int(side[step.To]))
		side[step.To]++
		d.arrow(from, to, 6, arrowColor)
	}
}
