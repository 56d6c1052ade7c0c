package notation

import (
	"strings"

	"kotra/bg"
)

// A Format is one of the notations of a position.
type Format uint8

// The formats that [Parse] knows.
const (
	UnknownFormat Format = iota
	FormatXGID
	FormatOGID
	FormatGNUID      // POSITIONID:MATCHID
	FormatPositionID // a lone Position ID: a money game, the player on roll to act
	FormatFIBS       // a FIBS board line, with names and scores as FIBS means them
	FormatSnowie
	FormatDrawing // a board drawn as text
)

// String returns the name of f as users know it.
func (f Format) String() string {
	switch f {
	case FormatXGID:
		return "XGID"
	case FormatOGID:
		return "OGID"
	case FormatGNUID:
		return "GNUBG ID"
	case FormatPositionID:
		return "Position ID"
	case FormatFIBS:
		return "FIBS board"
	case FormatSnowie:
		return "Snowie position"
	case FormatDrawing:
		return "board drawing"
	}
	return "unknown"
}

// StoresJacoby reports whether a money position in this format says if the Jacoby rule is in
// force. If not, a parser leaves the rule as it was given.
func (f Format) StoresJacoby() bool {
	return f == FormatXGID || f == FormatGNUID || f == FormatSnowie
}

// Parse reads a position in any notation, in a game of 15 checkers a side, and says which it
// was. Rules that the notation does not store are left at their zero value.
//
// Blanks around the text are ignored.
func Parse(text string) (bg.State, Format, error) { return ParseWith(text, bg.Rules{}) }

// ParseWith is like [Parse] for a game by the given rules: its variant says how many checkers
// a side has, and what the notation does not store is taken from them. The Jacoby rule is left
// out of a match, where it has no effect.
func ParseWith(text string, rules bg.Rules) (bg.State, Format, error) {
	text = strings.TrimSpace(text)
	format, err := Detect(text)
	if err != nil {
		return bg.State{}, format, err
	}
	s, err := parsers[format](text, rules)
	if err != nil {
		return bg.State{}, format, err
	}
	return s, format, nil
}

var parsers = [...]func(string, bg.Rules) (bg.State, error){
	FormatXGID:  ParseXGID,
	FormatOGID:  ParseOGID,
	FormatGNUID: bg.ParseGNUIDWith,
	FormatPositionID: func(text string, rules bg.Rules) (bg.State, error) {
		p, err := bg.ParsePositionIDWith(text, rules.Variant.Checkers())
		if err != nil {
			return bg.State{}, err
		}
		s := bg.NewGame(rules)
		s.Position = p
		s.Status = statusOf(&p)
		return s, s.Validate()
	},
	FormatFIBS: func(text string, rules bg.Rules) (bg.State, error) {
		f, err := ParseFIBS(text)
		if err != nil {
			return bg.State{}, err
		}
		return f.State(FIBSLayout, rules)
	},
	FormatSnowie: func(text string, rules bg.Rules) (bg.State, error) {
		s, _, err := ParseSnowie(text, rules)
		return s, err
	},
	FormatDrawing: func(text string, rules bg.Rules) (bg.State, error) {
		d, err := ParseDrawing(text, rules)
		return d.State, err
	},
}

// Detect says which notation text is in, judged by its shape alone: it may still fail to
// parse. Text in no notation gives a [*bg.SyntaxError].
func Detect(text string) (Format, error) {
	text = strings.TrimSpace(text)
	upper := strings.ToUpper(text[:min(len(text), 6)])
	switch {
	case text == "":
		return UnknownFormat, &bg.SyntaxError{Text: text, Reason: "no position given"}
	case strings.HasPrefix(upper, "XGID="), strings.HasPrefix(upper, "XGID:"):
		return FormatXGID, nil
	case strings.HasPrefix(upper, "OGID="), strings.HasPrefix(upper, "OGID:"):
		return FormatOGID, nil
	case strings.HasPrefix(upper, "BOARD:"):
		return FormatFIBS, nil
	case looksDrawn(text):
		return FormatDrawing, nil
	case strings.Count(text, ";") >= snowieFields-1:
		return FormatSnowie, nil
	}
	fields := strings.Split(text, ":")
	switch {
	case len(fields) >= 3 && looksLikeOGIDCube(fields[2]):
		return FormatOGID, nil
	case len(fields) >= 3:
		return FormatXGID, nil
	case len(fields) == 2, len(strings.Fields(text)) == 2 && isID(strings.Fields(text)[0]):
		return FormatGNUID, nil
	case isID(text):
		return FormatPositionID, nil
	}
	return UnknownFormat, &bg.SyntaxError{Text: text, Reason: "this is no XGID, OGID, GNUBG ID, Position ID, FIBS board, Snowie position or board drawing"}
}

// isID reports whether text could be meant as an ID of GNU Backgammon: letters, digits, + and /
// only, and about as many as it takes.
func isID(text string) bool {
	if len(text) < 10 || len(text) > 20 {
		return false
	}
	return strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") == ""
}

// statusOf returns the status of a game with position p, for notations that do not store it.
func statusOf(p *bg.Position) bg.Status {
	if r, _ := p.Result(); r != bg.Unfinished {
		return bg.Over
	}
	return bg.Playing
}
