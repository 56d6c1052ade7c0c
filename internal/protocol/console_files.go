package protocol

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"kotra/bg"
	"kotra/internal/whole"
	"kotra/record"
	"kotra/record/formats"
	"kotra/record/sgf"
)

// fileName reads the name of a file, which may be in quotes, and reports whether files may be
// used; ask is what to say if there is no name.
func (s *consoleSession) fileName(args, ask string) (name string, ok bool) {
	name = strings.TrimSpace(args)
	if n := len(name); n >= 2 && (name[0] == '"' || name[0] == '\'') && name[n-1] == name[0] {
		name = name[1 : n-1]
	}
	switch {
	case name == "":
		s.println(ask)
		return "", false
	case !s.Files && name != "-":
		s.println("Files cannot be used in this session.")
		return "", false
	}
	return name, true
}

// fileFailed reports a failure in the words of the operating system.
func (s *consoleSession) fileFailed(name string, err error) {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if errors.Is(err, os.ErrNotExist) {
		err = errors.New("No such file or directory") //nolint:staticcheck // the words of gnubg
	}
	s.printf("%s: %s\n", name, oneLine(err.Error()))
}

func (s *consoleSession) loadFile(args string) {
	if name, ok := s.fileName(args, "You must specify a file to load from (see `help load match')."); ok {
		s.open(name)
	}
}

func (s *consoleSession) importFile(args string) {
	if name, ok := s.fileName(args, "You must specify a match file to import (see `help import mat')."); ok {
		s.open(name)
	}
}

// open reads the first match of a file in any format and goes to its end.
func (s *consoleSession) open(name string) {
	matches, err := formats.ReadFile(name)
	if err == nil && len(matches) == 0 {
		err = errors.New("no match found")
	}
	if err != nil {
		s.fileFailed(name, err)
		return
	}
	m := matches[0]
	for _, warning := range m.Warnings {
		s.println(warning.String())
	}
	s.adoptMatch(m)
	s.showBoard()
}

// adoptMatch makes m the match in progress and goes to its end.
func (s *consoleSession) adoptMatch(m *record.Match) {
	s.game = consoleGame{match: m}
	for i := range s.players {
		s.players[i].name = m.Players[i]
		s.players[i].computer = false
	}
	for i, g := range m.Games {
		replay := m.Replay(g)
		for n := range replay.Moments {
			moment := &replay.Moments[n]
			state := moment.State
			if moment.Action.Kind == record.Play || moment.Action.Kind == record.Unplayed {
				state.Dice = moment.Action.Dice
			}
			s.game.remember(state, i, n)
		}
		final := replay.Final
		if won := g.Outcome; won != nil {
			s.game.finished++
			if won.Winner == final.Seat {
				final.Score.OnRoll += won.Points
			} else {
				final.Score.Opponent += won.Points
			}
			final.Score.Crawford = false
		}
		s.game.remember(final, i, len(g.Actions))
	}
	if len(s.game.past) == 0 {
		s.game.remember(bg.NewGame(m.Rules), -1, 0)
	}
	s.game.state = s.game.past[len(s.game.past)-1].state
}

// remember adds a moment of the game with the given index.
func (g *consoleGame) remember(state bg.State, game, actions int) {
	g.past = append(g.past, consoleMoment{state, g.finished, game + 1, actions})
}

// recorded returns the match as it is saved; with game set, the game that is shown alone.
func (s *consoleSession) recorded(game bool) *record.Match {
	shown := s.game.shown()
	if s.game.match == nil || len(s.game.match.Games) == 0 || game && shown < 0 {
		s.println("No game in progress (type `new game' to start one).")
		return nil
	}
	m := *s.game.match
	m.Players = s.names()
	if game {
		m.Games = m.Games[shown : shown+1 : shown+1]
	}
	return &m
}

// save writes the match, or one game of it, in SGF.
func (s *consoleSession) save(what, args string, game bool) {
	name, ok := s.fileName(args, fmt.Sprintf("You must specify a file to save to (see `help save %s').", what))
	if !ok {
		return
	}
	if m := s.recorded(game); m != nil {
		s.writeFile(name, func(w io.Writer) error { return sgf.Write(w, m) })
	}
}

// writeFile writes a file, as a whole or not at all; "-" is the output of the session.
func (s *consoleSession) writeFile(name string, write func(w io.Writer) error) {
	var err error
	if name == "-" {
		err = write(s.out)
	} else {
		err = whole.File(name, write)
	}
	if err != nil {
		s.fileFailed(name, err)
	}
}

// setTag sets a property of the match, or its comment if name is empty.
func (s *consoleSession) setTag(name, value string) {
	m := s.game.match
	switch {
	case m == nil:
		s.println("No match in progress (type `new match n' to start one).")
	case name == "":
		m.Comment = value
	default:
		m.SetTag(name, value)
	}
}

// matchTags are the tags of a match with what they are called in texts.
var matchTags = []struct{ label, name string }{
	{"Event", "Event"}, {"Round", "Round"}, {"Place", "Site"}, {"Annotator", "Annotator"}, {"Annotator", "Transcriber"},
}

// listGame writes the actions of the game that is shown in two columns, player 0 on the left.
func (s *consoleSession) listGame(string) {
	m := s.recorded(true)
	if m == nil {
		return
	}
	g := m.Games[0]
	left, cube := true, max(1, g.Cube)
	for i := range g.Actions {
		a := &g.Actions[i]
		switch {
		case a.Kind == record.Double || a.Kind == record.Beaver:
			cube *= 2
		case a.Setup != nil && a.Setup.Cube > 0:
			cube = a.Setup.Cube
		}
		text := actionText(a, cube)
		if text == "" {
			continue
		}
		switch {
		case a.Player == 0 && left:
			s.printf("%-44s", text)
		case a.Player == 0:
			s.printf("\n%-44s", text)
		case left:
			s.printf("%44s%s", "", text)
		default:
			s.printf("%s", text)
		}
		if a.Player == 1 {
			s.printf("\n")
		}
		left = a.Player == 1
	}
	if !left {
		s.printf("\n")
	}
}

// actionText returns an action, after which the cube is or would be at the given value, as it is
// listed: with marks of luck behind the roll, and of errors of the play and the cube in columns
// behind the move.
func actionText(a *record.Action, cube int) string {
	switch a.Kind {
	case record.Play:
		luck, play, double := marksOf(a)
		return fmt.Sprintf("%-7s: %-19s%-8s%-8s", a.Dice.String()+luck, a.Move.String(), play, double)
	case record.Unplayed:
		return fmt.Sprintf("%-7s:", a.Dice)
	case record.Double, record.Beaver:
		return fmt.Sprintf("Doubles to %4d%30s", cube, "") // as wide as gnubg writes it
	case record.Take:
		return "Takes"
	case record.Pass:
		return "Drops"
	case record.Resign:
		return "Resigns"
	}
	return ""
}

// marksOf returns the marks of a play as gnubg writes them.
func marksOf(a *record.Action) (luck, play, double string) {
	an := a.Analysis
	if an == nil {
		return "", "", ""
	}
	if an.Luck != nil {
		luck = [...]string{"--", "-", "", "+", "++"}[record.LuckMark(*an.Luck)+2]
	}
	marks := [...]string{record.Unmarked: "", record.Doubtful: "?!", record.Bad: "?", record.VeryBad: "??"}
	if n := an.Played; n >= 0 && n < len(an.Candidates) {
		play = marks[record.MarkOf(an.Candidates[0].Equity-an.Candidates[n].Equity)]
	}
	if an.Cube != nil && an.Cube.Loss != nil {
		double = marks[record.MarkOf(*an.Cube.Loss)]
	}
	for _, p := range a.Extra { // an SGF file has the mark instead of the loss
		switch {
		case p.Name == "DC":
			double = marks[record.Doubtful]
		case p.Name == "BC" && slices.Equal(p.Values, []string{"2"}):
			double = marks[record.VeryBad]
		case p.Name == "BC":
			double = marks[record.Bad]
		}
	}
	return luck, play, double
}
