package bgf

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"kotra/bg"
	"kotra/record"
)

// Errors of files that hold no match.
var (
	ErrNotBGF  = errors.New("bgf: the first line is not the header of a BGBlitz file")
	ErrNoMatch = errors.New("bgf: no match in the document")
)

// Is reports whether data begins like a BGBlitz file: with a JSON object on a line of its own that
// names format and version.
func Is(data []byte) bool {
	line, _, ok := bytes.Cut(data, []byte("\n"))
	if !ok || len(line) > 4096 || !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
		return false
	}
	var header map[string]any
	if json.Unmarshal(line, &header) != nil {
		return false
	}
	_, format := header["format"]
	_, version := header["version"]
	return format || version
}

// Read reads a match.
func Read(r io.Reader) (*record.Match, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxInflate))
	if err != nil {
		return nil, err
	}
	if !Is(data) {
		return nil, ErrNotBGF
	}
	_, body, _ := bytes.Cut(data, []byte("\n"))
	doc, err := document(body)
	if err != nil {
		return nil, err
	}
	m := newReader(doc)
	if m == nil {
		return nil, ErrNoMatch
	}
	return m.read()
}

// document returns the document behind the header.
func document(body []byte) (any, error) {
	if bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("bgf: %w", err)
		}
		if body, err = io.ReadAll(io.LimitReader(z, maxInflate+1)); err != nil {
			return nil, fmt.Errorf("bgf: %w", err)
		}
		if len(body) > maxInflate {
			return nil, fmt.Errorf("bgf: the document is longer than %d MiB", maxInflate>>20)
		}
	}
	if bytes.HasPrefix(body, smileMagic) {
		return decodeSmile(body)
	}
	var doc any
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, fmt.Errorf("bgf: %w", err)
	}
	return doc, nil
}

// An object is a part of the document. Fields that are missing or of another type are zero.
type object map[string]any

func objectOf(v any) object {
	m, _ := v.(map[string]any)
	return m
}

func (o object) list(name string) []any {
	v, _ := o[name].([]any)
	return v
}

func (o object) text(name string) string {
	switch v := o[name].(type) {
	case string:
		return v
	case float64, int64:
		return fmt.Sprint(v)
	}
	return ""
}

func (o object) flag(name string, missing bool) bool {
	if v, ok := o[name].(bool); ok {
		return v
	}
	return missing
}

func (o object) number(name string) (float64, bool) { return number(o[name]) }

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	case int64:
		return float64(v), true
	}
	return 0, false
}

// integer returns a number as an int within limits that no field exceeds.
func (o object) integer(name string) int {
	v, _ := o.number(name)
	return int(max(-1e6, min(1e6, v)))
}

// A reader turns a document into a match.
type reader struct {
	doc   object
	match *record.Match
	game  *record.Game
}

// newReader returns a reader of the match in a document, which may be wrapped in another object.
func newReader(doc any) *reader {
	o := objectOf(doc)
	if o["games"] == nil {
		for _, v := range o {
			if inner := objectOf(v); inner["games"] != nil {
				o = inner
				break
			}
		}
	}
	if len(o.list("games")) == 0 {
		return nil
	}
	return &reader{doc: o}
}

func (r *reader) read() (*record.Match, error) {
	o := r.doc
	m := &record.Match{Format: "bgf", Program: "BGBlitz", Players: [2]string{o.text("nameGreen"), o.text("nameRed")}}
	m.Ratings = [2]string{o.text("ratingGreen"), o.text("ratingRed")}
	m.Length = max(0, min(o.integer("matchlen"), 1<<15-1))
	m.SetTag("Event", o.text("event"))
	m.SetTag("EventDate", o.text("date"))
	m.Rules.NoCube = !o.flag("useCube", true)
	m.Rules.NoCrawford = m.Length > 1 && !o.flag("useCrawford", true)
	if m.Money() {
		m.Rules.Jacoby = o.flag("useJacoby", false)
		if o.flag("useBeaver", false) {
			m.Rules.Beavers = 3
		}
	}
	if v, err := bg.ParseVariant(strings.ToLower(o.text("gameMode"))); err == nil {
		m.Rules.Variant = v
	}
	r.match = m
	for i, v := range o.list("games") {
		r.readGame(i, objectOf(v))
	}
	m.InferCrawford()
	m.Complete()
	return m, nil
}

func (r *reader) readGame(index int, o object) {
	g := &record.Game{Number: index + 1, Cube: 1, Score: [2]int{max(0, o.integer("scoreGreen")), max(0, o.integer("scoreRed"))}}
	r.game = g
	r.match.Games = append(r.match.Games, g)
	for i, v := range o.list("moves") {
		r.readMove(i, objectOf(v))
	}
	points := o.integer("wonPoints")
	if points == 0 {
		return
	}
	// The sign of the points tells the winner; where it does not, the score of the next game does.
	winner := 0
	if points < 0 {
		winner, points = 1, -points
	} else if next := r.doc.list("games"); index+1 < len(next) {
		after := objectOf(next[index+1])
		if after.integer("scoreRed") > g.Score[1] {
			winner = 1
		}
	} else if r.doc.integer("finalRed") > g.Score[1] {
		winner = 1
	}
	g.Outcome = &record.Outcome{Winner: winner, Points: points}
}

// cubeWords are parts of the types of cube actions. What they are called is not known for sure.
var cubeWords = []struct {
	part string
	kind record.Kind
}{
	{"beaver", record.Beaver},
	{"redouble", record.Double},
	{"double", record.Double},
	{"take", record.Take},
	{"accept", record.Take},
	{"pass", record.Pass},
	{"drop", record.Pass},
	{"reject", record.Pass},
}

func (r *reader) readMove(index int, o object) {
	player := 0
	if o.integer("player") < 0 {
		player = 1
	}
	a := record.Action{Player: player, Comment: o.text("comment")}
	kind := strings.ToLower(o.text("type"))
	d0, d1 := o.integer("red"), o.integer("green")
	if d0 < 1 || d0 > 6 || d1 < 1 || d1 > 6 {
		for _, w := range cubeWords {
			if strings.Contains(kind, w.part) {
				a.Kind = w.kind
				r.game.Actions = append(r.game.Actions, a)
				return
			}
		}
		r.match.Warn(0, r.game.Number, "move %d: the type %q is not known; it is left out", index+1, o.text("type"))
		return
	}
	a.Dice = bg.Dice{uint8(max(d0, d1)), uint8(min(d0, d1))}
	m, ok := steps(o.list("from"), o.list("to"))
	if !ok {
		a.Text = fmt.Sprint(o["from"], " to ", o["to"])
	}
	a.Move = m
	a.Analysis = readAnalysis(o)
	r.game.Actions = append(r.game.Actions, a)
}

// steps reads the lists of points left and reached: 25 the bar, 0 off, -1 unused.
func steps(from, to []any) (m bg.Move, ok bool) {
	for i := range min(len(from), len(to), 4) {
		f, ok1 := number(from[i])
		t, ok2 := number(to[i])
		if !ok1 || !ok2 || f > bg.Bar || t > 24 || t >= f && f >= 0 {
			return bg.Move{}, false
		}
		if f < 0 || t < 0 {
			continue
		}
		m = m.Append(bg.Step{From: uint8(f), To: uint8(t)})
	}
	return m, true
}

// readAnalysis reads the candidates of a move, nil if there are none.
func readAnalysis(o object) *record.Analysis {
	a := &record.Analysis{Played: -1}
	if luck, ok := o.number("luck"); ok {
		a.Luck = &luck
	}
	for _, v := range o.list("moveAnalysis") {
		entry := objectOf(v)
		move := objectOf(entry["move"])
		m, ok := steps(move.list("from"), move.list("to"))
		if !ok {
			continue
		}
		eq := objectOf(entry["eq"])
		c := record.Candidate{Move: m, Ply: max(0, entry.integer("ply"))}
		c.Equity, _ = eq.number("equity")
		chance := func(name string) float32 {
			v, _ := eq.number(name)
			return float32(max(0, min(1, v)))
		}
		c.Probs = bg.Probs{
			Win: chance("myWins"), WinGammon: chance("myGammon"), WinBackgammon: chance("myBackGammon"),
			LoseGammon: chance("oppGammon"), LoseBackgammon: chance("oppBackGammon"),
		}
		if entry.flag("played", false) {
			a.Played = len(a.Candidates)
		}
		a.Candidates = append(a.Candidates, c)
	}
	if len(a.Candidates) == 0 {
		return nil
	}
	return a
}
