package report

import (
	"fmt"
	"html"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// A scene is a drawing made of shapes, which can be written as SVG or as PNG.
type scene struct {
	width, height float64
	shapes        []shape
	fixed         int // leading shapes that are the same in every drawing of the kind
}

type point struct{ x, y float64 }

// A paint is a color with an opacity; 0 is no paint.
type paint struct {
	rgb     uint32
	opacity float64
}

func solid(rgb uint32) paint { return paint{rgb, 1} }

func (p paint) css() string { return fmt.Sprintf("#%06x", p.rgb) }

// A shape is a polygon, a circle (radius > 0) or a text.
type shape struct {
	points []point // corners of the polygon; the center of a circle or of a text
	radius float64
	round  float64 // of the corners of a rectangle
	text   string
	size   float64
	bold   bool
	fill   paint
	stroke paint
	line   float64 // width of the stroke
	// In a page with many drawings, symbol is the id of an element that stands for the shape, and
	// a detail is left out.
	symbol string
	detail bool
}

func (s *scene) polygon(fill, stroke paint, line float64, points ...point) {
	s.shapes = append(s.shapes, shape{points: points, fill: fill, stroke: stroke, line: line})
}

func (s *scene) rect(x, y, w, h, round float64, fill, stroke paint, line float64) {
	s.shapes = append(s.shapes, shape{
		points: []point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}},
		round:  round, fill: fill, stroke: stroke, line: line,
	})
}

func (s *scene) circle(x, y, r float64, fill, stroke paint, line float64) {
	s.shapes = append(s.shapes, shape{points: []point{{x, y}}, radius: r, fill: fill, stroke: stroke, line: line})
}

// label writes a text whose middle is at x, y.
func (s *scene) label(x, y, size float64, bold bool, fill paint, text string) {
	s.shapes = append(s.shapes, shape{points: []point{{x, y}}, text: text, size: size, bold: bold, fill: fill})
}

// arrow draws a line from a to b with a head.
func (s *scene) arrow(a, b point, width float64, fill paint) {
	dx, dy := b.x-a.x, b.y-a.y
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	ux, uy := dx/length, dy/length
	head := math.Min(3*width, length/2)
	at := func(along, across float64) point {
		return point{a.x + ux*along - uy*across, a.y + uy*along + ux*across}
	}
	w := width / 2
	s.polygon(fill, paint{}, 0, at(0, -w), at(length-head, -w), at(length-head, -2.6*w), at(length, 0), at(length-head, 2.6*w), at(length-head, w), at(0, w))
}

// svg returns the scene as an SVG element that describes itself by title.
func (s *scene) svg(title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img" font-family="system-ui,sans-serif">`, num(s.width), num(s.height))
	fmt.Fprintf(&b, "<title>%s</title>", html.EscapeString(title))
	for i := range s.shapes {
		s.shapes[i].svg(&b)
	}
	b.WriteString("</svg>")
	return b.String()
}

// small returns the scene as an SVG element for a page that has the symbols: its fixed part, by
// the given id, and those that shapes name.
func (s *scene) small(id, title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %s %s" role="img"><title>%s</title><use href="#%s"/>`, num(s.width), num(s.height), html.EscapeString(title), id)
	for i := s.fixed; i < len(s.shapes); i++ {
		switch h := &s.shapes[i]; {
		case h.detail:
		case h.symbol != "":
			fmt.Fprintf(&b, `<use href="#%s" x="%s" y="%s"/>`, h.symbol, num(h.points[0].x), num(h.points[0].y))
		default:
			h.svg(&b)
		}
	}
	b.WriteString("</svg>")
	return b.String()
}

// symbolOf returns the fixed part of the scene as a symbol.
func (s *scene) symbolOf(id string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<g id="%s">`, id)
	for i := range s.fixed {
		s.shapes[i].svg(&b)
	}
	b.WriteString("</g>")
	return b.String()
}

func num(v float64) string {
	text := fmt.Sprintf("%.1f", v)
	return strings.TrimSuffix(text, ".0")
}

func (h *shape) svg(b *strings.Builder) {
	p := h.points[0]
	switch {
	case h.text != "":
		weight := ""
		if h.bold {
			weight = ` font-weight="bold"`
		}
		fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s" text-anchor="middle"%s`, num(p.x), num(p.y+.35*h.size), num(h.size), weight)
	case h.radius > 0:
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s"`, num(p.x), num(p.y), num(h.radius))
	case h.round > 0:
		q := h.points[2]
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" rx="%s"`, num(p.x), num(p.y), num(q.x-p.x), num(q.y-p.y), num(h.round))
	default:
		b.WriteString(`<path d="`)
		for i, q := range h.points {
			fmt.Fprintf(b, "%c%s %s", "ML"[min(i, 1)], num(q.x), num(q.y))
		}
		b.WriteString(`Z"`)
	}
	if h.fill.opacity == 0 {
		b.WriteString(` fill="none"`)
	} else {
		fmt.Fprintf(b, ` fill="%s"`, h.fill.css())
		if h.fill.opacity < 1 {
			fmt.Fprintf(b, ` fill-opacity="%.2f"`, h.fill.opacity)
		}
	}
	if h.line > 0 {
		fmt.Fprintf(b, ` stroke="%s" stroke-width="%s"`, h.stroke.css(), num(h.line))
	}
	if h.text != "" {
		fmt.Fprintf(b, ">%s</text>", html.EscapeString(h.text))
		return
	}
	b.WriteString("/>")
}

// png writes the scene as a picture of the given width in pixels.
func (s *scene) png(w io.Writer, width int) error {
	scale := float64(width) / s.width
	c := canvas{img: image.NewRGBA(image.Rect(0, 0, width, int(math.Round(s.height*scale)))), scale: scale}
	draw.Draw(c.img, c.img.Bounds(), image.White, image.Point{}, draw.Src)
	for i := range s.shapes {
		if err := c.draw(&s.shapes[i]); err != nil {
			return err
		}
	}
	return png.Encode(w, c.img)
}

// A canvas draws shapes as pixels.
type canvas struct {
	img   *image.RGBA
	scale float64
}

func (c *canvas) draw(h *shape) error {
	switch {
	case h.text != "":
		return c.text(h)
	case h.radius > 0:
		if h.line > 0 && h.fill.opacity == 0 {
			c.ring(circlePath(h.points[0], h.radius), h)
			return nil
		}
		if h.line > 0 {
			c.fill(circlePath(h.points[0], h.radius+h.line/2), h.stroke)
		}
		c.fill(circlePath(h.points[0], h.radius-h.line/2), h.fill)
		return nil
	}
	path := h.points
	if h.round > 0 {
		path = roundPath(h.points[0], h.points[2], h.round)
	}
	c.fill(path, h.fill)
	if h.line > 0 {
		c.ring(path, h)
	}
	return nil
}

// ring draws the stroke of h along a closed path.
func (c *canvas) ring(path []point, h *shape) {
	for i, a := range path {
		c.fill(linePath(a, path[(i+1)%len(path)], h.line), h.stroke)
	}
}

func circlePath(center point, r float64) (path []point) {
	const n = 48
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		path = append(path, point{center.x + r*cos, center.y + r*sin})
	}
	return path
}

func roundPath(a, b point, r float64) (path []point) {
	const n = 6
	corners := []point{{b.x - r, b.y - r}, {a.x + r, b.y - r}, {a.x + r, a.y + r}, {b.x - r, a.y + r}}
	for i, corner := range corners {
		for j := range n + 1 {
			sin, cos := math.Sincos(math.Pi / 2 * (float64(i) + float64(j)/n))
			path = append(path, point{corner.x + r*cos, corner.y + r*sin})
		}
	}
	return path
}

func linePath(a, b point, width float64) []point {
	dx, dy := b.x-a.x, b.y-a.y
	length := math.Hypot(dx, dy)
	if length == 0 {
		return nil
	}
	x, y := -dy/length*width/2, dx/length*width/2
	return []point{{a.x + x, a.y + y}, {b.x + x, b.y + y}, {b.x - x, b.y - y}, {a.x - x, a.y - y}}
}

func (c *canvas) fill(path []point, p paint) {
	if p.opacity == 0 || len(path) == 0 {
		return
	}
	low, high := path[0], path[0]
	for _, q := range path {
		low = point{math.Min(low.x, q.x), math.Min(low.y, q.y)}
		high = point{math.Max(high.x, q.x), math.Max(high.y, q.y)}
	}
	bounds := image.Rect(int(low.x*c.scale), int(low.y*c.scale), int(high.x*c.scale)+2, int(high.y*c.scale)+2).Intersect(c.img.Bounds())
	if bounds.Empty() {
		return
	}
	r := vector.NewRasterizer(bounds.Dx(), bounds.Dy())
	for i, q := range path {
		x, y := float32(q.x*c.scale)-float32(bounds.Min.X), float32(q.y*c.scale)-float32(bounds.Min.Y)
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
	r.Draw(c.img, bounds, image.NewUniform(p.color()), image.Point{})
}

func (p paint) color() color.Color {
	return color.NRGBA{uint8(p.rgb >> 16), uint8(p.rgb >> 8), uint8(p.rgb), uint8(255 * p.opacity)}
}

// fonts are parsed at first use.
var fonts = sync.OnceValues(func() (parsed [2]*opentype.Font, err error) {
	for i, data := range [][]byte{goregular.TTF, gobold.TTF} {
		if parsed[i], err = opentype.Parse(data); err != nil {
			return parsed, err
		}
	}
	return parsed, nil
})

func (c *canvas) text(h *shape) error {
	parsed, err := fonts()
	if err != nil {
		return err
	}
	f := parsed[0]
	if h.bold {
		f = parsed[1]
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: h.size * c.scale, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return err
	}
	defer face.Close()
	d := font.Drawer{Dst: c.img, Src: image.NewUniform(h.fill.color()), Face: face}
	width := d.MeasureString(h.text)
	at := func(v float64) fixed.Int26_6 { return fixed.Int26_6(v * c.scale * 64) }
	d.Dot = fixed.Point26_6{X: at(h.points[0].x) - width/2, Y: at(h.points[0].y + .35*h.size)}
	d.DrawString(h.text)
	return nil
}
