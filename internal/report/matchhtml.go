package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"kotra/analysis"
	"kotra/bg"
	"kotra/cube"
	"kotra/record"
)

//go:embed match.html
var matchPage string

// matchTemplate is parsed at first use.
func matchTemplate() *template.Template { return template.Must(template.New("match").Parse(matchPage)) }

// What the template shows.
type (
	htmlPage struct {
		Title   string
		Symbols template.HTML
		Matches []htmlMatch
	}
	htmlMatch struct {
		*MatchReport
		ID     string
		Rows   []row
		Worst  []htmlError
		Plays  []htmlGame
		Points bool // values are points, not match winning chances
	}
	htmlError struct {
		Link, Text, Mark string
	}
	htmlGame struct {
		GameReport
		ID    string
		Text  string
		Graph template.HTML
		Turns []htmlTurn
	}
	htmlTurn struct {
		ID, Number, Player, Action string
		Seat                       int
		Loss, Luck, Mark           string
		LuckMark                   int
		Quiet                      bool // nothing to decide, and nothing lost
		Board                      template.HTML
		XGID                       string
		Moves                      []htmlMove
		Cube                       []htmlMove
		Best, Comment, Illegal     string
		Chances                    string // before a cube decision, of the player on roll
	}
	htmlMove struct {
		Rank, Move, Equity, Diff, Chances string
		Played                            bool
	}
)

// WriteMatchHTML writes matches as one page that needs nothing else: no scripts are needed, and
// no network. matches holds the analyses of the reports.
func WriteMatchHTML(w io.Writer, reports []*MatchReport, matches []*analysis.Match) error {
	start := bg.NewGame(bg.Rules{})
	page := htmlPage{Title: "Matches"}
	page.Symbols = template.HTML(drawBoard(&start, BoardOptions{}).symbolOf("bd") + checkerSymbols()) //nolint:gosec // made here of numbers
	for i, r := range reports {
		page.Matches = append(page.Matches, newHTMLMatch(r, matches[i], fmt.Sprintf("m%d", i+1)))
	}
	if len(page.Matches) == 1 {
		page.Title = page.Matches[0].Title()
	}
	return matchTemplate().Execute(w, page)
}

// shownErrors is how many errors stand in the list of the worst.
const shownErrors = 30

func newHTMLMatch(r *MatchReport, m *analysis.Match, id string) htmlMatch {
	out := htmlMatch{MatchReport: r, ID: id, Rows: append(r.overall(), r.byKind()...), Points: r.Length == 0}
	for i := range r.Errors {
		if i == shownErrors {
			break
		}
		e := &r.Errors[i]
		out.Worst = append(out.Worst, htmlError{
			Link: "#" + anchor(id, e.index, e.Turn, e.Decision),
			Text: fmt.Sprintf("Game %d, turn %d, %s, %s", e.Game, e.Turn, r.Players[e.Player], e.headline()),
			Mark: markClass(e.Mark),
		})
	}
	for i := range m.Games {
		out.Plays = append(out.Plays, newHTMLGame(r, m, i, id))
	}
	return out
}

// gameAnchor returns the ID of a game on the page, where it is the index-th, from 0, of the match id.
func gameAnchor(id string, index int) string { return fmt.Sprintf("%s-g%d", id, index+1) }

// anchor returns the ID of a decision on the page.
func anchor(id string, game, turn int, kind string) string {
	return fmt.Sprintf("%s-t%d%s", gameAnchor(id, game), turn, kind[:1])
}

func markClass(mark string) string { return strings.ReplaceAll(mark, " ", "-") }

func newHTMLGame(r *MatchReport, m *analysis.Match, i int, id string) htmlGame {
	g := &m.Games[i]
	out := htmlGame{GameReport: r.Games[i], ID: gameAnchor(id, i), Text: r.gameText(&r.Games[i])}
	decisions := m.Decisions[g.First : g.First+g.Count]
	for j := range decisions {
		out.Turns = append(out.Turns, newHTMLTurn(r, m, &decisions[j], id))
	}
	out.Graph = template.HTML(graph(m, decisions, id)) //nolint:gosec // made here of numbers and escaped names
	return out
}

func newHTMLTurn(r *MatchReport, m *analysis.Match, d *analysis.Decision, id string) htmlTurn {
	e := NewDecision(m, d)
	t := htmlTurn{
		ID:     anchor(id, d.Game, e.Turn, e.Decision),
		Number: fmt.Sprint(e.Turn), Player: r.Players[d.Player], Seat: d.Player, XGID: e.XGID, Mark: markClass(e.Mark), Best: e.Best,
		Comment: d.Record.Comment, Illegal: d.Record.Illegal, Action: e.Played,
	}
	if d.Kind == analysis.CheckerPlay {
		t.Action = fmt.Sprintf("%d%d: %s", d.State.Dice[0], d.State.Dice[1], e.Played)
	}
	t.Quiet = d.Kind == analysis.Doubling && !d.Close && t.Comment == ""
	if d.Loss > 0.0005 {
		t.Quiet = false
		t.Loss = fmt.Sprintf("%.3f", d.Loss)
	}
	if d.HasLuck {
		t.Luck = fmt.Sprintf("%+.3f", d.Luck)
		t.LuckMark = record.LuckMark(float64(d.Luck))
	}
	o := BoardOptions{Names: m.Record.Players}
	if d.Kind == analysis.CheckerPlay && d.Record.Illegal == "" {
		o.Move = &d.Record.Move
	}
	board := drawBoard(&d.State, o)
	t.Board = template.HTML(board.small("bd", "Position before: "+t.Action)) //nolint:gosec // texts are escaped
	for _, c := range e.Moves {
		if c.StdErr != nil {
			c.Move += fmt.Sprintf(", rolled out, ±%.3f", *c.StdErr)
		}
		t.Moves = append(t.Moves, htmlMove{
			Rank: fmt.Sprint(c.Rank), Move: c.Move, Equity: fmt.Sprintf("%+.3f", c.Equity), Diff: difference(c.Rank, c.Diff),
			Chances: c.Probs.String(), Played: d.Played == c.Rank-1,
		})
	}
	if d.Kind != analysis.CheckerPlay && d.Cube.Action != cube.NoCube {
		for _, c := range []struct {
			name string
			eq   float64
		}{{"No double", e.NoDouble}, {"Double, take", e.DoubleTake}, {"Double, pass", e.DoublePass}} {
			t.Cube = append(t.Cube, htmlMove{Move: c.name, Equity: fmt.Sprintf("%+.3f", c.eq)})
		}
		t.Chances = NewProbs(d.Value.Probs).String()
	}
	return t
}

func difference(rank int, diff float64) string {
	if rank == 1 {
		return ""
	}
	return fmt.Sprintf("%+.3f", diff)
}

// Measures of a graph.
const (
	graphW, graphH = 640., 170.
	graphLeft      = 44.
)

// graph draws how the chances of player 0 went: match winning chances, or equities for money.
func graph(m *analysis.Match, decisions []analysis.Decision, id string) string {
	money := m.Record.Money()
	low, high := 0., 1.
	if money {
		low, high = -1.5, 1.5
	}
	type mark struct {
		at   point
		d    *analysis.Decision
		loss float64
	}
	var line []point
	var marks []mark
	step := (graphW - graphLeft - 10) / float64(max(1, len(decisions)-1))
	for i := range decisions {
		d := &decisions[i]
		if !d.Evaluated {
			continue
		}
		v := chance(d, money)
		v = min(max(v, low), high)
		p := point{graphLeft + step*float64(i), 10 + (graphH-20)*(high-v)/(high-low)}
		line = append(line, p)
		if d.Mark() != record.Unmarked {
			marks = append(marks, mark{p, d, float64(d.Loss)})
		}
	}
	if len(line) < 2 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="graph" viewBox="0 0 %s %s" role="img"><title>Chances of %s</title>`, num(graphW), num(graphH), template.HTMLEscapeString(m.Record.Players[0]))
	for _, tick := range []float64{high, (high + low) / 2, low} {
		y := 10 + (graphH-20)*(high-tick)/(high-low)
		text := fmt.Sprintf("%.0f%%", 100*tick)
		if money {
			text = fmt.Sprintf("%+.1f", tick)
		}
		fmt.Fprintf(&b, `<path class="tick" d="M%s %sH%s"/><text x="%s" y="%s" text-anchor="end">%s</text>`,
			num(graphLeft), num(y), num(graphW-10), num(graphLeft-5), num(y+4), text)
	}
	b.WriteString(`<path class="line" d="`)
	for i, p := range line {
		fmt.Fprintf(&b, "%c%s %s", "ML"[min(i, 1)], num(p.x), num(p.y))
	}
	b.WriteString(`"/>`)
	for _, k := range marks {
		fmt.Fprintf(&b, `<a href="#%s"><circle class="%s" cx="%s" cy="%s" r="5"><title>%s loses %.3f</title></circle></a>`,
			anchor(id, k.d.Game, k.d.Action+1, k.d.Kind.String()), markClass(k.d.Mark().String()), num(k.at.x), num(k.at.y), template.HTMLEscapeString(m.Record.Players[k.d.Player]), k.loss)
	}
	b.WriteString("</svg>")
	return b.String()
}

// chance returns what a decision left player 0 with: a match winning chance, or an equity.
func chance(d *analysis.Decision, money bool) float64 {
	eq := d.Best - d.Loss
	if money {
		if d.Player == 1 {
			eq = -eq
		}
		return float64(eq)
	}
	s := d.State
	if s.Seat != d.Player { // an answer
		eq = -eq
	}
	s.Doubled = false
	game := cube.New(cube.InfoOf(&s, nil))
	mwc := float64(game.MWC(game.Value(eq)))
	if s.Seat == 1 {
		mwc = 1 - mwc
	}
	return mwc
}
