package protocol

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"kotra/analysis"
	"kotra/bg"
	"kotra/bg/notation"
	"kotra/cube"
	"kotra/internal/report"
	"kotra/record"
	"kotra/record/mat"
	"kotra/record/sgf"
	"kotra/search"
)

// exportCommands follow "export".
func exportCommands() []consoleCommand {
	withBoth := func(run func(s *consoleSession, args string, game bool), game bool) func(*consoleSession, string) {
		return func(s *consoleSession, args string) { run(s, args, game) }
	}
	formats := func(game bool, rest ...string) []consoleCommand {
		return append([]consoleCommand{
			{word: "html", help: "in HTML format", run: withBoth((*consoleSession).exportHTML, game)},
			{word: "mat", help: "in .mat format", run: withBoth((*consoleSession).exportMat, game), hidden: game},
			{word: "snowietxt", help: "in Snowie .txt format", run: withBoth((*consoleSession).exportSnowie, game)},
			{word: "text", help: "in text format", run: withBoth((*consoleSession).exportText, game)},
		}, missing(rest...)...)
	}
	game := formats(true, "gam", "latex", "pdf", "png", "ps")
	return []consoleCommand{
		{word: "game", help: "Record a log of the game so far to a file", sub: game},
		{word: "htmlimages", help: "Generate images to be used by the HTML export commands"},
		{word: "match", help: "Record a log of the match so far to a file", sub: formats(false, "latex", "pdf", "ps")},
		{word: "position", help: "Write the current position to a file", sub: append([]consoleCommand{
			{word: "html", help: "in HTML format", run: exportPosition(writePositionHTML)},
			{word: "png", help: "in Portable Network Graphics (PNG) format", run: exportPosition(writePositionPNG)},
			{word: "snowietxt", help: "in Snowie .txt format", run: exportPosition(writePositionSnowie)},
			{word: "svg", help: "in SVG format", run: exportPosition(writePositionSVG)},
			{word: "text", help: "in text format", run: exportPosition((*consoleSession).writePositionText)},
		}, missing("bgo2clipboard", "bgonline", "eps", "gammononline", "pdf", "pos", "ps")...)},
		{word: "session", help: "Record a log of the session so far to a file", sub: formats(false, "latex", "pdf", "ps")},
	}
}

// exportName reads the name of a file to write to.
func (s *consoleSession) exportName(args string) (name string, ok bool) {
	return s.fileName(args, "You must specify a file to export to (see `help export match mat').")
}

func (s *consoleSession) exportMat(args string, game bool) {
	name, ok := s.exportName(args)
	if !ok {
		return
	}
	if m := s.recorded(game); m != nil {
		s.writeFile(name, func(w io.Writer) error { return mat.Write(w, m) })
	}
}

// exportSnowie writes the match as gnubg's Snowie format has it: that of .mat files without the
// lines about the match.
func (s *consoleSession) exportSnowie(args string, game bool) {
	name, ok := s.exportName(args)
	if !ok {
		return
	}
	if m := s.recorded(game); m != nil {
		plain := *m
		plain.Tags, plain.Comment = nil, ""
		s.writeFile(name, func(w io.Writer) error { return mat.Write(w, &plain) })
	}
}

// analyzed returns the last analysis of the match, or its counts if there is none that fits; with
// game set, of the game that is shown alone.
func (s *consoleSession) analyzed(game bool) *analysis.Match {
	m := s.recorded(game)
	if m == nil {
		return nil
	}
	if a := s.analysis; a != nil && !game && len(a.Games) == len(m.Games) {
		return a
	}
	m.Complete()
	return analysis.Counts(m, s.Table)
}

func (s *consoleSession) exportHTML(args string, game bool) {
	name, ok := s.exportName(args)
	if !ok {
		return
	}
	if a := s.analyzed(game); a != nil {
		s.writeFile(name, func(w io.Writer) error {
			if !a.Evaluated {
				return writeHTML(w, a.Record.Players[0]+" - "+a.Record.Players[1], "", s.matchText(a))
			}
			r := report.NewMatch(a, report.MatchOptions{Ply: s.options.analysisChecker.ply})
			return report.WriteMatchHTML(w, []*report.MatchReport{r}, []*analysis.Match{a})
		})
	}
}

func (s *consoleSession) exportText(args string, game bool) {
	name, ok := s.exportName(args)
	if !ok {
		return
	}
	if a := s.analyzed(game); a != nil {
		s.writeFile(name, func(w io.Writer) error {
			_, err := io.WriteString(w, s.matchText(a))
			return err
		})
	}
}

// exportPosition returns a command that writes the position.
func exportPosition(write func(*consoleSession, io.Writer) error) func(*consoleSession, string) {
	return func(s *consoleSession, args string) {
		name, ok := s.fileName(args, "You must specify a file to export to (see `help export position').")
		if !ok {
			return
		}
		if s.game.state.Status == bg.NotStarted {
			s.println("No game in progress (type `new game' to start one).")
			return
		}
		s.writeFile(name, func(w io.Writer) error { return write(s, w) })
	}
}

func writePositionSnowie(s *consoleSession, w io.Writer) error {
	_, err := fmt.Fprintln(w, notation.Snowie(s.game.state, s.names()))
	return err
}

func (s *consoleSession) pictureOptions() report.BoardOptions {
	return report.BoardOptions{Clockwise: s.options.clockwise, Names: s.names(), Opponent: s.game.state.Seat == 0}
}

func writePositionSVG(s *consoleSession, w io.Writer) error {
	_, err := fmt.Fprintln(w, report.BoardSVG(&s.game.state, s.pictureOptions()))
	return err
}

// pictureWidth is the width of a picture in pixels.
const pictureWidth = 864

func writePositionPNG(s *consoleSession, w io.Writer) error {
	return report.BoardPNG(w, &s.game.state, s.pictureOptions(), pictureWidth)
}

func writePositionHTML(s *consoleSession, w io.Writer) error {
	var text bytes.Buffer
	if err := s.writePositionText(&text); err != nil {
		return err
	}
	return writeHTML(w, s.game.state.Position.ID(), report.BoardSVG(&s.game.state, s.pictureOptions()), text.String())
}

// writeHTML writes a page with a picture and a text.
func writeHTML(w io.Writer, title, svg, text string) error {
	_, err := fmt.Fprintf(w, "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>%s</title></head>\n<body>\n%s\n<pre>%s</pre>\n</body>\n</html>\n",
		htmlText.Replace(title), svg, htmlText.Replace(text))
	return err
}

var htmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// A textExport writes positions and matches as gnubg's text export does.
type textExport struct {
	*consoleSession
	b strings.Builder
}

func (s *consoleSession) writePositionText(w io.Writer) error {
	x := textExport{consoleSession: s}
	points := s.points()
	state := s.game.state
	x.score(state.Score, points, s.game.finished)
	x.information(s.game.match)
	number := 1
	if past := s.game.past; len(past) > 0 {
		number += past[len(past)-1].actions
	}
	x.heading(number, &state)
	x.board(&state)
	x.advice(&state)
	x.footer()
	_, err := io.WriteString(w, x.b.String())
	return err
}

func (x *textExport) printf(format string, args ...any) { fmt.Fprintf(&x.b, format, args...) }

func (x *textExport) score(score bg.Score, points [2]int, games int) {
	x.printf("The score (after %s) is: %s %d, %s %d", plural(games, "game"), x.players[0].name, points[0], x.players[1].name, points[1])
	if !score.Money() {
		x.printf("%s", matchLength(score))
	}
	x.printf("\n\n")
}

func (x *textExport) information(m *record.Match) {
	if m == nil {
		return
	}
	x.printf("Match Information:\n")
	for i, rating := range m.Ratings {
		if rating != "" {
			x.printf("%s's rating: %s\n", x.players[i].name, rating)
		}
	}
	if day, err := time.Parse("2006.01.02", m.Tag("EventDate")); err == nil {
		x.printf("Date: %s\n", day.Format("01/02/06"))
	}
	for _, tag := range matchTags {
		if value := m.Tag(tag.name); value != "" {
			x.printf("%s: %s\n", tag.label, value)
		}
	}
	if m.Comment != "" {
		x.printf("Comments: %s\n", m.Comment)
	}
}

// heading says who is to do what in state.
func (x *textExport) heading(number int, state *bg.State) {
	name := x.players[state.Seat].name
	switch {
	case state.Doubled:
		x.printf("Move number %d:  %s doubles to %d\n\n", number, name, 2*state.Cube.Value)
	case state.Dice.Rolled():
		x.printf("Move number %d:  %s to play %s\n\n", number, name, state.Dice)
	default:
		x.printf("Move number %d:  %s on roll, cube decision?\n\n", number, name)
	}
}

func (x *textExport) board(state *bg.State) {
	x.b.WriteString(strings.TrimRight(notation.Draw(*state, notation.DrawOptions{Clockwise: x.options.clockwise, Names: x.names()}), "\n"))
	pips := [2]int{}
	pips[state.Seat], pips[1-state.Seat] = state.Position.OnRoll.Pips(), state.Position.Opponent.Pips()
	x.printf("\nPip counts: O %d, X %d\n\n", pips[0], pips[1])
}

// advice writes what the last hint said, if it was about this position.
func (x *textExport) advice(state *bg.State) {
	x.printf("\n\n")
	if !state.Dice.Rolled() || x.hinted != *state || len(x.hints) == 0 {
		return
	}
	x.printf("Rolled %s:\n", state.Dice)
	x.candidates(state, x.hints, -1)
	x.printf("\n")
}

// exportedCandidates is how many candidates of a play are written.
const exportedCandidates = 5

// candidates writes the best candidates, and the one that was played with a star.
func (x *textExport) candidates(state *bg.State, list []search.Candidate, played int) {
	best := x.shown(state, list[0].Cubeful)
	for i := range list {
		if i >= exportedCandidates && i != played {
			continue
		}
		c := &list[i]
		star := ' '
		if i == played {
			star = '*'
		}
		x.printf("%c%5d. %-17s%-28s %s %s", star, i+1, fmt.Sprintf("Cubeful %d-ply", c.Ply), c.Play.Move.String(), x.unit(state), x.equity(state, c.Cubeful))
		if i > 0 {
			x.printf(" (%s)", x.difference(state, x.shown(state, c.Cubeful)-best))
		}
		x.printf("\n       %s\n", x.probs(&c.Probs))
	}
}

func (x *textExport) footer() {
	x.printf("Output generated %s\n by %s %s (Text Export)\n\n", time.Now().Format("Mon Jan _2 15:04:05 2006"), x.Identity.Name, x.Identity.Version)
}

// matchText returns the games of a with the decisions and what is known of them.
func (s *consoleSession) matchText(a *analysis.Match) string {
	x := textExport{consoleSession: s}
	for i := range a.Games {
		x.game(a, i)
	}
	x.footer()
	return x.b.String()
}

func (x *textExport) game(a *analysis.Match, index int) {
	g := a.Record.Games[index]
	x.score(bg.Score{Length: a.Record.Length, OnRoll: g.Score[0], Opponent: g.Score[1], Crawford: g.Crawford}, g.Score, index)
	if index == 0 {
		x.information(a.Record)
		x.printf("\n")
	}
	decisions := map[int][]*analysis.Decision{} // by action
	for i := range a.Decisions {
		if d := &a.Decisions[i]; d.Game == index {
			decisions[d.Action] = append(decisions[d.Action], d)
		}
	}
	replay := a.Record.Replay(g)
	number := 1
	for i := range replay.Moments {
		moment := &replay.Moments[i]
		state := moment.State
		if kind := moment.Action.Kind; kind == record.Play || kind == record.Unplayed {
			state.Dice = moment.Action.Dice
		}
		did := x.action(moment.Action)
		if did == "" {
			continue
		}
		x.heading(number, &state)
		number++
		x.board(&state)
		x.printf("* %s %s\n", x.players[moment.Action.Player].name, did)
		for _, d := range decisions[i] {
			x.decision(d)
		}
		x.printf("\n\n")
	}
	if won := g.Outcome; won != nil {
		x.printf("%s wins %s\n\n", x.players[won.Winner].name, plural(won.Points, "point"))
	}
	if a.Evaluated {
		x.printf("Game statistics for game %d\n\n%s", index+1, x.said(func() { x.statisticsOf(a, index) }))
	}
}

// said returns what the session says in f.
func (x *textExport) said(f func()) string {
	var b strings.Builder
	out := x.out
	defer func() { x.out = out }()
	x.out = newWriter(&b)
	f()
	_ = x.out.Flush() // to memory
	return b.String()
}

// action says what was done, nothing for an action that is no decision of a player.
func (x *textExport) action(a *record.Action) string {
	switch a.Kind {
	case record.Play:
		if a.Move.Len() == 0 {
			return "cannot move"
		}
		return "moves " + a.Move.String()
	case record.Double:
		return "doubles"
	case record.Take:
		return "accepts"
	case record.Pass:
		return "rejects"
	case record.Beaver:
		return "beavers"
	case record.Resign:
		return "resigns a " + resultNames[a.Amount]
	}
	return ""
}

// decision writes what is known of d.
func (x *textExport) decision(d *analysis.Decision) {
	if !d.Evaluated {
		return
	}
	alert := func(what string) {
		x.printf("Alert: %s (%s)!\n", what, x.difference(&d.State, float64(-d.Loss)))
		if d.Mark() != record.Unmarked {
			x.printf(" [%s]\n", d.Mark())
		}
	}
	if d.Kind != analysis.CheckerPlay {
		if d.Loss > 0 {
			switch {
			case d.Kind == analysis.Doubling && d.Doubled:
				alert("wrong double")
			case d.Kind == analysis.Doubling:
				alert("missed double")
			case d.Record.Kind == record.Pass:
				alert("wrong pass")
			default:
				alert("wrong take")
			}
		}
		if d.Cube.Action != cube.NoCube {
			state := d.State
			x.b.WriteString(strings.TrimRight(x.said(func() { x.cubeAnalysis(&state, &d.Cube, &d.Value) }), "\n") + "\n")
		}
		return
	}
	if mark := d.Mark(); mark != record.Unmarked {
		x.printf("Alert: %s move ( %s)\n", mark, x.difference(&d.State, float64(-d.Loss)))
	}
	if mark := record.LuckMark(float64(d.Luck)); d.HasLuck && mark != 0 {
		x.printf("Alert: %s roll! ( %+.3f)\n", [...]string{"very unlucky", "unlucky", "", "lucky", "very lucky"}[mark+2], d.Luck)
	}
	x.printf("\nRolled %s (%+.3f):\n", d.State.Dice, d.Luck)
	if len(d.Candidates) == 0 || d.Candidates[0].Play.Move.Len() == 0 {
		x.printf("*    Cannot move\n")
		return
	}
	x.candidates(&d.State, d.Candidates, d.Played)
}

// savePosition writes the position as a game that begins with it, in SGF.
func (s *consoleSession) savePosition(args string) {
	name, ok := s.fileName(args, "You must specify a file to save to (see `help save position').")
	if !ok {
		return
	}
	state := s.game.state
	if state.Status == bg.NotStarted {
		s.println("No game in progress (type `new game' to start one).")
		return
	}
	m := &record.Match{Program: s.Identity.Name, Players: s.names(), Length: state.Score.Length, Rules: state.Rules}
	if old := s.game.match; old != nil {
		m.Ratings, m.Tags = old.Ratings, old.Tags
	}
	setup := setupOf(&state)
	m.Games = []*record.Game{{
		Number: 1, Score: seatScore(&state), Crawford: state.Score.Crawford, Cube: 1,
		Actions: []record.Action{{Kind: record.Setup, Player: state.Seat, Setup: &setup}},
	}}
	s.writeFile(name, func(w io.Writer) error { return sgf.Write(w, m) })
}
