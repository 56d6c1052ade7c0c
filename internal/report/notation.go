package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"kotra/bg"
	"kotra/bg/notation"
)

// A Notation is a position written in one notation.
type Notation struct {
	Position Position `json:"position"`
	Format   string   `json:"format"`
	Text     string   `json:"text"`
}

// writers writes a state in each notation by name.
var writers = map[string]func(s *bg.State) string{
	"xgid":       func(s *bg.State) string { return notation.XGID(*s) },
	"ogid":       func(s *bg.State) string { return notation.OGID(*s) },
	"gnuid":      func(s *bg.State) string { return s.GNUID() },
	"positionid": func(s *bg.State) string { return s.Position.ID() },
	"matchid":    func(s *bg.State) string { return s.MatchID() },
	"simple":     func(s *bg.State) string { return notation.Simple(s.Position) },
	"snowie":     func(s *bg.State) string { return notation.Snowie(*s, playerNames) },
	"fibs":       func(s *bg.State) string { return notation.NewFIBS(*s, playerNames, notation.FIBSLayout).String() },
	"board":      func(s *bg.State) string { return Board(s) },
}

// playerNames are the names of the players 0 and 1 where a notation wants some.
var playerNames = [2]string{"opponent", "player"}

// Notations returns the names of the notations that NewNotation writes, sorted.
func Notations() []string {
	var names []string
	for name := range writers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// NewNotation writes s in the notation of the given name.
func NewNotation(s *bg.State, name string) (*Notation, error) {
	write, ok := writers[name]
	if !ok {
		return nil, fmt.Errorf("unknown notation %q, want %s", name, strings.Join(Notations(), ", "))
	}
	return &Notation{Position: NewPosition(s), Format: name, Text: write(s)}, nil
}

// WriteText writes the position alone.
func (n *Notation) WriteText(w io.Writer) error {
	_, err := fmt.Fprintln(w, n.Text)
	return err
}

// Board draws s in the layout of GNU Backgammon, without a line end.
func Board(s *bg.State) string {
	names := playerNames
	if s.Seat == 0 {
		names[0], names[1] = names[1], names[0]
	}
	return boardOf(s, names)
}

// boardOf returns the board as text with the names of the players.
func boardOf(s *bg.State, names [2]string) string {
	return strings.TrimRight(notation.Draw(*s, notation.DrawOptions{Names: names}), "\n")
}
