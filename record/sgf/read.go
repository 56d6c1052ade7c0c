package sgf

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"kotra/bg"
	"kotra/record"
)

// ErrNoMatch is returned for a file without a game of backgammon.
var ErrNoMatch = errors.New("this is not an SGF file of backgammon: no game found")

const maxSize = 256 << 20

// Read reads all matches of a file. Games of one match follow each other; a game with a number
// that is not higher than the last, other players or another length begins a new match. It
// returns the matches before a syntax error together with a [*SyntaxError].
func Read(r io.Reader) ([]*record.Match, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxSize {
		return nil, fmt.Errorf("the file is longer than %d MiB", maxSize>>20)
	}
	trees, err := parse(data)
	var matches []*record.Match
	var match *record.Match
	for i := range trees {
		root := &trees[i].nodes[0]
		if kind := root.text("GM"); kind != "" && strings.TrimSpace(kind) != "6" {
			continue // another game than backgammon
		}
		h := readHeader(root)
		if match == nil || !h.continues(match) {
			match = h.match(root)
			matches = append(matches, match)
		}
		readGame(match, &trees[i], &h)
	}
	for _, m := range matches {
		renumber(m)
		markCrawford(m)
		m.Complete()
		scaleCubes(m)
	}
	if err == nil && len(matches) == 0 {
		err = ErrNoMatch
	}
	return matches, err
}

// renumber corrects the numbers of games where a program counts from 1, as the description of the
// format has it, and not from 0 like GNU Backgammon.
func renumber(m *record.Match) {
	first := m.Games[0]
	if strings.HasPrefix(m.Program, "GNU Backgammon") || strings.HasPrefix(m.Program, "kotra") || first.Number != 2 || first.Score != [2]int{} {
		return
	}
	for _, g := range m.Games {
		g.Number--
	}
}

// A header is what the root of a game says of the match.
type header struct {
	players [2]string
	length  int
	number  int // of the game, from 1; 0 if it is not said
	score   [2]int
	rules   map[string]bool // nil if there is no RU
	bad     []string
}

func readHeader(root *node) header {
	h := header{players: [2]string{root.text("PW"), root.text("PB")}}
	for _, value := range root.get("MI") {
		fields := strings.Split(value, ":")
		for i := 0; i+1 < len(fields); i += 2 {
			n, err := strconv.Atoi(strings.TrimSpace(fields[i+1]))
			if err != nil || n < 0 || n > 1<<15-1 {
				h.bad = append(h.bad, value)
				continue
			}
			switch strings.ToLower(strings.TrimSpace(fields[i])) {
			case "length":
				h.length = n
			case "game":
				h.number = n + 1
			case "ws":
				h.score[0] = n
			case "bs":
				h.score[1] = n
			}
		}
	}
	if values := root.get("RU"); values != nil {
		h.rules = map[string]bool{}
		for _, value := range values {
			for _, rule := range strings.Split(value, ":") {
				h.rules[strings.TrimSpace(rule)] = true
			}
		}
	}
	return h
}

// continues reports whether a game with header h belongs to m.
func (h *header) continues(m *record.Match) bool {
	last := m.Games[len(m.Games)-1]
	return h.players == m.Players && h.length == m.Length && (h.number == 0 || h.number > last.Number)
}

// Properties of a root that become tags, in the order of GNU Backgammon.
var rootTags = []record.Tag{{Name: "DT", Value: "EventDate"}, {Name: "EV", Value: "Event"}, {Name: "RO", Value: "Round"}, {Name: "PC", Value: "Site"}, {Name: "AN", Value: "Transcriber"}}

func (h *header) match(root *node) *record.Match {
	m := &record.Match{Format: "sgf", Program: root.text("AP"), Players: h.players, Length: h.length}
	m.Ratings = [2]string{root.text("WR"), root.text("BR")}
	m.Comment = root.text("GC")
	for _, t := range rootTags {
		m.SetTag(t.Value, root.text(t.Name))
	}
	m.Rules.Jacoby = h.length == 0 && h.rules["Jacoby"]
	m.Rules.NoCube = h.rules["NoCube"]
	m.Rules.NoCrawford = h.length > 1 && !h.rules["Crawford"]
	switch {
	case h.rules["Nackgammon"]:
		m.Rules.Variant = bg.Nackgammon
	case h.rules["Hypergammon3"]:
		m.Rules.Variant = bg.Hypergammon
	case h.rules["Hypergammon1"] || h.rules["Hypergammon2"]:
		m.Warn(0, 0, "Hypergammon with one or two checkers is not known; read as backgammon")
	}
	return m
}

// known are the properties of a root that are read.
var known = map[string]bool{
	"FF": true, "GM": true, "CA": true, "AP": true, "MI": true, "PW": true, "PB": true, "WR": true, "BR": true, "DT": true, "EV": true,
	"RO": true, "PC": true, "AN": true, "GC": true, "RU": true, "RE": true, "C": true, "CV": true,
}

func readGame(m *record.Match, t *tree, h *header) {
	root := &t.nodes[0]
	g := &record.Game{Number: h.number, Score: h.score, Cube: 1, Crawford: h.rules["CrawfordGame"], Comment: root.text("C"), Line: t.line}
	if g.Number == 0 {
		g.Number = len(m.Games) + 1
	}
	for _, value := range h.bad {
		m.Warn(root.line, g.Number, "the match information %q cannot be read", value)
	}
	m.Games = append(m.Games, g)
	for _, p := range root.properties {
		if !known[p.Name] && !isAction(p.Name) {
			g.Extra = append(g.Extra, p)
		}
	}
	if n, err := strconv.Atoi(root.text("CV")); err == nil && validCube(n) {
		g.Cube = n
	}
	if t.variations > 0 {
		m.Warn(t.line, g.Number, "game %d has %d variations; only the main line is kept", g.Number, t.variations)
	}
	r := gameReader{match: m, game: g}
	rootAction := node{line: root.line}
	for _, p := range root.properties {
		if isAction(p.Name) {
			rootAction.properties = append(rootAction.properties, p)
		}
	}
	if len(rootAction.properties) > 0 {
		r.node(&rootAction)
	}
	for i := 1; i < len(t.nodes); i++ {
		r.node(&t.nodes[i])
	}
	r.trailingDice()
	g.Outcome = readOutcome(m, g, root)
	g.OutcomeLine = root.line
}

func validCube(n int) bool { return n >= 1 && n <= 1<<20 && n&(n-1) == 0 }

func isAction(name string) bool {
	switch name {
	case "W", "B", "PL", "DI", "AE", "AW", "AB", "CP", "CO":
		return true
	}
	return false
}

// readOutcome reads a result such as W+2 or B+1R.
func readOutcome(m *record.Match, g *record.Game, root *node) *record.Outcome {
	text := strings.TrimSpace(root.text("RE"))
	if text == "" || text == "?" || text == "0" || strings.EqualFold(text, "void") || strings.EqualFold(text, "draw") {
		return nil
	}
	rest := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(text, "Resign"), "R"), "T")
	if len(rest) < 3 || rest[1] != '+' || rest[0] != 'W' && rest[0] != 'B' {
		m.Warn(root.line, g.Number, "the result %q cannot be read", text)
		return nil
	}
	n, err := strconv.Atoi(rest[2:])
	if err != nil || n < 1 || n > 1<<24 {
		m.Warn(root.line, g.Number, "the result %q cannot be read", text)
		return nil
	}
	o := &record.Outcome{Points: n}
	if rest[0] == 'B' {
		o.Winner = 1
	}
	return o
}

// A gameReader turns nodes into actions.
type gameReader struct {
	match *record.Match
	game  *record.Game
}

func (r *gameReader) warn(n *node, format string, args ...any) {
	r.match.Warn(n.line, r.game.Number, format, args...)
}

func (r *gameReader) node(n *node) {
	a := record.Action{Line: n.line, Comment: n.text("C")}
	var setup record.State
	isSetup, played := false, false
	for _, p := range n.properties {
		switch p.Name {
		case "W", "B":
			played = true
			a.Player = strings.Index("WB", p.Name)
			r.act(&a, n, unescape(p.Values[0]))
		case "PL":
			isSetup = true
			player := 0
			if strings.HasPrefix(strings.ToUpper(p.Values[0]), "B") {
				player = 1
			}
			setup.OnRoll = &player
		case "DI":
			isSetup = true
			dice, err := bg.ParseDice(strings.TrimSpace(p.Values[0]))
			if err != nil {
				r.warn(n, "DI: %v", err)
			}
			setup.Dice = dice
		case "CV":
			isSetup = true
			if v, err := strconv.Atoi(p.Values[0]); err == nil && validCube(v) {
				setup.Cube = v
			} else {
				r.warn(n, "the cube %q is not 1, 2, 4 and so on", p.Values[0])
			}
		case "CP":
			isSetup = true
			owner := strings.Index("wb", strings.ToLower(p.Values[0] + " ")[:1])
			setup.Owner = &owner
		case "AE", "AW", "AB":
			isSetup = true
		case "C":
		default:
			a.Extra = append(a.Extra, p)
		}
	}
	if !played && !isSetup {
		r.attach(&a)
		return
	}
	if !played {
		a.Kind, a.Setup = record.Setup, &setup
		setup.Sides = r.sides(n)
		if setup.OnRoll != nil {
			a.Player = *setup.OnRoll
		}
	}
	a.Analysis = readAnalysis(&a, n)
	r.game.Actions = append(r.game.Actions, a)
}

// attach gives the properties of a node without an action to the action before it.
func (r *gameReader) attach(a *record.Action) {
	if len(r.game.Actions) == 0 {
		r.game.Extra = append(r.game.Extra, a.Extra...)
		r.game.Comment = strings.TrimSpace(r.game.Comment + "\n" + a.Comment)
		return
	}
	last := &r.game.Actions[len(r.game.Actions)-1]
	last.Extra = append(last.Extra, a.Extra...)
	last.Comment = strings.TrimSpace(last.Comment + "\n" + a.Comment)
}

// trailingDice turns dice that nobody played at the end of a game into an unplayed roll.
func (r *gameReader) trailingDice() {
	n := len(r.game.Actions)
	if n == 0 {
		return
	}
	a := &r.game.Actions[n-1]
	if a.Kind == record.Setup && a.Setup.OnRoll != nil && a.Setup.Dice.Rolled() && a.Setup.Sides == nil && a.Setup.Cube == 0 && a.Setup.Owner == nil {
		a.Kind, a.Player, a.Dice, a.Setup = record.Unplayed, *a.Setup.OnRoll, a.Setup.Dice, nil
	}
}

// act reads the value of W or B.
func (r *gameReader) act(a *record.Action, n *node, value string) {
	value = strings.TrimSpace(value)
	switch strings.ToLower(value) {
	case "double", "redouble", "beaver", "raccoon":
		a.Kind = record.Double
		if last := len(r.game.Actions) - 1; last >= 0 {
			before := &r.game.Actions[last]
			if before.Player != a.Player && (before.Kind == record.Double || before.Kind == record.Beaver) {
				a.Kind = record.Beaver
			}
		}
		return
	case "take":
		a.Kind = record.Take
		return
	case "drop", "pass":
		a.Kind = record.Pass
		return
	}
	if len(value) < 2 {
		a.Text = value
		r.warn(n, "the move %q has no dice", value)
		return
	}
	a.Dice = bg.Dice{value[0] - '0', value[1] - '0'}
	m, ok := parseMove(value[2:], a.Player)
	if !ok {
		a.Text = value[2:]
		r.warn(n, "the move %q cannot be read", value)
	}
	a.Move = m
}

// parseMove reads pairs of letters.
func parseMove(text string, player int) (m bg.Move, ok bool) {
	if len(text)%2 != 0 || len(text) > 8 {
		return m, false
	}
	for i := 0; i < len(text); i += 2 {
		from, ok1 := place(text[i], player)
		to, ok2 := place(text[i+1], player)
		if !ok1 || !ok2 {
			return bg.Move{}, false
		}
		m = m.Append(bg.Step{From: from, To: to})
	}
	return m, true
}

// place returns the place that a letter names, in the numbering of a player.
func place(letter byte, player int) (uint8, bool) {
	switch {
	case letter == 'y':
		return bg.Bar, true
	case letter == 'z':
		return bg.Off, true
	case letter < 'a' || letter > 'x':
		return 0, false
	case player == 0:
		return letter - 'a' + 1, true
	}
	return 24 - (letter - 'a'), true
}

// letter is the inverse of place.
func letter(place uint8, player int) byte {
	switch {
	case place == bg.Bar:
		return 'y'
	case place == bg.Off:
		return 'z'
	case player == 0:
		return 'a' + place - 1
	}
	return 'a' + 24 - place
}

// sides returns the position that a node sets up, nil if there is none or it is illegal.
func (r *gameReader) sides(n *node) *[2]bg.Side {
	if n.get("AE") == nil && n.get("AW") == nil && n.get("AB") == nil {
		return nil
	}
	if n.get("AE") == nil {
		r.warn(n, "checkers are added to a board that is not cleared; read as the whole position")
	}
	var sides [2]bg.Side
	checkers := r.match.Rules.Variant.Checkers()
	for player, name := range []string{"AW", "AB"} {
		total := 0
		for _, value := range n.get(name) {
			for _, l := range expandPoints(value) {
				at, ok := place(l, player)
				if !ok {
					r.warn(n, "%s[%s] is not a point", name, value)
					return nil
				}
				sides[player][at]++
				total++
			}
		}
		off := total - int(sides[player][bg.Off])
		if total > checkers {
			r.warn(n, "%d checkers are set up for one side, at most %d are possible; left as it was", total, checkers)
			return nil
		}
		sides[player][bg.Off] = uint8(checkers - off)
	}
	pos := bg.Position{OnRoll: sides[0], Opponent: sides[1]}
	if err := pos.Validate(); err != nil {
		r.warn(n, "the position that is set up: %v; left as it was", err)
		return nil
	}
	return &sides
}

// expandPoints returns the letters of a value such as f or a:c.
func expandPoints(value string) []byte {
	if len(value) == 3 && value[1] == ':' && value[0] <= value[2] {
		var all []byte
		for l := value[0]; l <= value[2]; l++ {
			all = append(all, l)
			if l == 255 {
				break
			}
		}
		return all
	}
	return []byte(value)
}

// markCrawford marks the Crawford game where a program other than GNU Backgammon, which always
// says, has not.
func markCrawford(m *record.Match) {
	for _, g := range m.Games {
		if g.Crawford {
			return
		}
	}
	if !strings.HasPrefix(m.Program, "GNU Backgammon") {
		m.InferCrawford()
		for _, g := range m.Games {
			if g.Crawford {
				m.Warn(g.Line, g.Number, "the file does not say which is the Crawford game; by the score it is game %d", g.Number)
			}
		}
	}
}
