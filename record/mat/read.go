package mat

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kotra/bg"
	"kotra/bg/notation"
	"kotra/record"
)

// ErrNoMatch is returned for a text without a game.
var ErrNoMatch = errors.New("this is not a match text: no game found")

// maxSize is the size of a text above which Read gives up: far more than any archive of matches.
const maxSize = 64 << 20

// Read reads all matches of a text. It returns an error if there is no game in it; what is odd
// within a match becomes a warning of the match.
func Read(r io.Reader) ([]*record.Match, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxSize {
		return nil, fmt.Errorf("the text is longer than %d MiB", maxSize>>20)
	}
	p := &reader{}
	for i, line := range lines(decode(data)) {
		p.number = i + 1
		p.line(expand(line))
	}
	p.endMatch()
	if len(p.matches) == 0 {
		return nil, ErrNoMatch
	}
	return p.matches, nil
}

// A reader turns lines into matches.
type reader struct {
	number  int // of the line, from 1
	matches []*record.Match
	match   *record.Match // nil before the first line that belongs to one
	game    *record.Game
	header  bool // the line with the players of game is still to come
	length  bool // the length of match has been read
	done    bool // the outcome of game has been read
	// What stands between two games may belong to the next match.
	tags    [][]string
	remarks []string
}

var (
	tagLine    = regexp.MustCompile(`^\s*[;#]?\s*\[\s*(\S[^"\]]*?)\s+"(.*)"\s*\]\s*$`)
	matchLine  = regexp.MustCompile(`(?i)^\W*(\d+)[\s-]*(?:points?|pts?\.?)[\s-]+match\b`)
	moneyLine  = regexp.MustCompile(`(?i)^\s*(unlimited|money)\s+(match|game|session)\b`)
	gameLine   = regexp.MustCompile(`(?i)^\s*game\s+(\d+)\b\s*[.:]?\s*$`)
	moveLine   = regexp.MustCompile(`^\s*(\d+)\s*[).](.*)$`)
	outcome    = regexp.MustCompile(`(?i)^\s*(?:\S.*\s)?(wins|won|losses|loses)\s+(?:the\s+match\b|(\d+)\s*points?)`)
	dicePrefix = regexp.MustCompile(`(?:^|[\s)*])([1-6])[ -]?([1-6])\s?:`)
	words      = regexp.MustCompile(`(?i)(?:^|\s)(doubles?|redoubles?|takes?|accepts?|drops?|pass|passes|rejects?|beavers?|raccoons?|racoons?|wins|losses|loses|resigns?|concedes?)\b`)
)

func (p *reader) warn(format string, args ...any) {
	number := 0
	if p.game != nil {
		number = p.game.Number
	}
	p.need().Warn(p.number, number, format, args...)
}

// need returns the current match, made if there is none.
func (p *reader) need() *record.Match {
	if p.match == nil {
		p.match = &record.Match{Format: "mat"}
	}
	return p.match
}

func (p *reader) line(line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
		return
	case p.header && !tagLine.MatchString(line) && isPlayers(line):
		p.players(line)
	case tagLine.MatchString(line):
		p.tag(tagLine.FindStringSubmatch(line))
	case trimmed[0] == ';' || trimmed[0] == '#':
		p.comment(strings.TrimPrefix(trimmed[1:], " "))
	case matchLine.MatchString(line):
		p.begin(matchLine.FindStringSubmatch(line)[1])
	case moneyLine.MatchString(line):
		p.begin("0")
	case gameLine.MatchString(line):
		p.newGame(gameLine.FindStringSubmatch(line)[1])
	case p.game != nil && p.header:
		p.players(line)
	case p.game != nil && moveLine.MatchString(line):
		p.moves(line)
	case p.game != nil && outcome.MatchString(line):
		p.outcome(line, 0)
	case p.game != nil && len(cells(line)) > 0:
		p.moves(line)
	default:
		p.other(trimmed)
	}
}

// begin starts a match of the given length, unless the present one has none yet.
func (p *reader) begin(length string) {
	if p.game != nil || p.length {
		p.endMatch()
	}
	n, err := strconv.Atoi(length)
	if err != nil || n > 9999 {
		p.warn("a match to %s points is too long to be one; read as a money session", length)
		n = 0
	}
	p.need().Length = n
	p.length = true
	p.flush()
}

// flush gives the present match the lines that were held back.
func (p *reader) flush() {
	tags, remarks := p.tags, p.remarks
	p.tags, p.remarks = nil, nil
	game := p.game
	p.game = nil
	for _, t := range tags {
		p.tag(t)
	}
	for _, text := range remarks {
		p.comment(text)
	}
	p.game = game
}

func (p *reader) endMatch() {
	if m := p.match; m != nil && len(m.Games) > 0 {
		if v, err := bg.ParseVariant(strings.ToLower(m.Tag("Variation"))); err == nil {
			m.Rules.Variant = v
		} else if m.Tag("Variation") != "" {
			m.Warn(0, 0, "the variation %q is not known; read as backgammon", m.Tag("Variation"))
		}
		m.InferCrawford()
		m.Complete()
		p.matches = append(p.matches, m)
	}
	p.match, p.game, p.header, p.length, p.done = nil, nil, false, false, false
}

// tag reads a header line such as [Site "Springfield"].
func (p *reader) tag(found []string) {
	name, value := found[1], strings.ReplaceAll(found[2], `\"`, `"`)
	if p.game != nil {
		p.tags = append(p.tags, found)
		return
	}
	m := p.need()
	m.SetTag(name, value)
	off := strings.EqualFold(value, "off") || strings.EqualFold(value, "no") || value == "0" || strings.EqualFold(value, "false")
	switch strings.ToLower(name) {
	case "cubelimit":
		if n, err := strconv.Atoi(value); err == nil && n == 1 {
			m.Rules.NoCube = true
		} else if err == nil && n > 1 && n&(n-1) == 0 && n < 1<<15 && n != 1024 {
			m.Rules.MaxCube = n
		}
	case "crawford":
		m.Rules.NoCrawford = off
	case "jacoby":
		m.Rules.Jacoby = !off
	case "beaver", "beavers":
		if !off {
			m.Rules.Beavers = 3
		}
	}
}

func (p *reader) comment(text string) {
	if p.done {
		p.remarks = append(p.remarks, text)
		return
	}
	m := p.need()
	dst := &m.Comment
	if g := p.game; g != nil {
		dst = &g.Comment
		if n := len(g.Actions); n > 0 {
			dst = &g.Actions[n-1].Comment
		}
	}
	if *dst != "" {
		*dst += "\n"
	}
	*dst += text
}

func (p *reader) newGame(number string) {
	n, err := strconv.Atoi(number)
	m := p.need()
	if err != nil || n > 1e6 {
		n = len(m.Games) + 1
	}
	if n == 1 && len(m.Games) > 0 {
		length := m.Length
		p.endMatch()
		m = p.need()
		m.Length = length
	}
	p.done = false
	p.flush()
	p.game = &record.Game{Number: n, Cube: 1, Line: p.number}
	p.header = true
	m.Games = append(m.Games, p.game)
}

var (
	rating     = regexp.MustCompile(`^(.*\S)\s*,\s*(\d{3,4}(?:\.\d+)?)$`)
	firstScore = regexp.MustCompile(`\s*:\s*(-?\d+)\s`)
	lastScore  = regexp.MustCompile(`^(.*?)\s*:\s*(-?\d+)\s*$`)
)

// players reads the line with the names and scores of a game.
func (p *reader) players(line string) {
	p.header = false
	names, scores, ok := splitPlayers(line)
	if !ok {
		p.warn("the line with the players of game %d cannot be read: %q", p.game.Number, strings.TrimSpace(line))
		if moveLine.MatchString(line) {
			p.moves(line)
		}
		return
	}
	m := p.match
	for i, name := range names {
		ratingText := ""
		if found := rating.FindStringSubmatch(name); found != nil {
			name, ratingText = found[1], found[2]
		}
		if len(m.Games) == 1 {
			m.Players[i], m.Ratings[i] = name, ratingText
		} else if m.Players[i] != name {
			p.warn("the player %q is called %q in game %d", m.Players[i], name, p.game.Number)
		}
	}
	p.game.Score = scores
	for _, s := range scores {
		if s < 0 || s > 1<<15-1 {
			p.warn("the score %d-%d is out of range; read as 0-0", scores[0], scores[1])
			p.game.Score = [2]int{}
			break
		}
	}
}

func isPlayers(line string) bool {
	_, _, ok := splitPlayers(line)
	return ok
}

// splitPlayers splits the line at the first colon with a number that leaves a second one. Of
// several, it prefers one with two blanks or more behind it.
func splitPlayers(line string) (names [2]string, scores [2]int, ok bool) {
	wide := false
	for _, at := range firstScore.FindAllStringSubmatchIndex(line+" ", -1) {
		rest := lastScore.FindStringSubmatch(line[min(at[3], len(line)):])
		if rest == nil {
			continue
		}
		blanks := strings.HasPrefix(line[min(at[3], len(line)):], "  ")
		if ok && (wide || !blanks) {
			continue
		}
		ok, wide = true, blanks
		names = [2]string{strings.TrimSpace(line[:at[0]]), strings.TrimSpace(rest[1])}
		scores[0], _ = strconv.Atoi(line[at[2]:at[3]])
		scores[1], _ = strconv.Atoi(rest[2])
	}
	return names, scores, ok
}

// A cell is one half of a line of moves: where it begins and its text.
type cell struct {
	column int
	text   string
}

// cells splits a line at the dice and at the words of cube actions.
func cells(line string) []cell {
	var starts []int
	for _, at := range dicePrefix.FindAllStringSubmatchIndex(line, -1) {
		starts = append(starts, at[2])
	}
	for _, at := range words.FindAllStringSubmatchIndex(line, -1) {
		starts = append(starts, at[2])
	}
	slices.Sort(starts)
	var out []cell
	for i, start := range starts {
		end := len(line)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		out = append(out, cell{len([]rune(line[:start])), strings.TrimSpace(line[start:end])})
	}
	return out
}

// rightColumn is the column, from 0, at which the right half of a line begins at the latest.
const rightColumn = 20

// moves reads a numbered line of moves.
func (p *reader) moves(line string) {
	text := line
	if found := moveLine.FindStringSubmatchIndex(line); found != nil {
		text = strings.Repeat(" ", found[4]) + line[found[4]:]
	}
	all := cells(text)
	if len(all) == 0 {
		if strings.TrimSpace(text) != "" {
			p.warn("no roll and no cube action in %q", strings.TrimSpace(line))
		}
		return
	}
	if head := strings.TrimSpace(string([]rune(text)[:all[0].column])); head != "" {
		p.warn("%q is not read", head)
	}
	first := 0
	if len(all) == 1 {
		first = p.side(all[0].column)
	}
	for i, c := range all {
		player := min(first+i, 1)
		if outcome.MatchString(c.text) {
			p.outcome(c.text, c.column)
			continue
		}
		if len(all) > 2 && c.column >= rightColumn {
			player = 1
		}
		p.cell(c.text, player)
	}
}

// side returns the player of a cell that is alone in its line: by its column, and where that says
// little, by whose turn it is.
func (p *reader) side(column int) int {
	n := len(p.game.Actions)
	switch {
	case column >= rightColumn+4 || column >= rightColumn && n == 0:
		return 1
	case column <= rightColumn-8 || n == 0:
		return 0
	}
	return 1 - p.game.Actions[n-1].Player
}

// cell reads what one player did.
func (p *reader) cell(text string, player int) {
	if p.done {
		p.warn("%q after the end of game %d", text, p.game.Number)
	}
	if at := dicePrefix.FindStringSubmatchIndex(text); at != nil && at[0] == 0 {
		dice := bg.Dice{text[at[2]] - '0', text[at[4]] - '0'}
		p.play(player, dice, strings.TrimSpace(text[at[1]:]))
		return
	}
	a := record.Action{Player: player, Line: p.number}
	word, rest, _ := strings.Cut(strings.ToLower(text), " ")
	switch strings.TrimSuffix(word, "s") {
	case "double", "redouble", "beaver", "raccoon", "racoon":
		a.Kind = record.Double
		if word[0] == 'b' || strings.HasPrefix(word, "rac") {
			a.Kind = record.Beaver
		}
		if digits := strings.Trim(rest, " =>to"); digits != "" {
			n, err := strconv.Atoi(digits)
			if err != nil {
				p.warn("%q has no value of the cube", text)
			}
			a.Cube = n
		}
		if a.Kind == record.Double && p.answersDouble(player) {
			a.Kind = record.Beaver // some programs write a beaver as a double
		}
	case "take", "accept":
		a.Kind = record.Take
	case "drop", "pas", "passe", "reject":
		a.Kind = record.Pass
	case "resign", "concede":
		a.Kind, a.Amount = record.Resign, bg.Single
		switch {
		case strings.Contains(rest, "backgammon"):
			a.Amount = bg.Backgammon
		case strings.Contains(rest, "gammon"):
			a.Amount = bg.Gammon
		}
	}
	p.game.Actions = append(p.game.Actions, a)
}

// answersDouble reports whether the last action is a double or beaver by the other player.
func (p *reader) answersDouble(player int) bool {
	n := len(p.game.Actions)
	if n == 0 {
		return false
	}
	last := &p.game.Actions[n-1]
	return last.Player != player && (last.Kind == record.Double || last.Kind == record.Beaver)
}

var (
	dance    = regexp.MustCompile(`(?i)^[([]?\s*(cannot move|can['’]?t move|can not move|no play|no moves?|no legal moves?|fan|fans|dance|dances|-+|none|forfeit)\s*[)\]]?\.?$`)
	unplayed = regexp.MustCompile(`^\?+$`)
	illegal  = regexp.MustCompile(`(?i)^illegal\s+(?:play|move)\s*(?:\((.*)\)?)?\s*$`)
	dashes   = regexp.MustCompile(`(?i)(\d|bar|b)-(\d|off|bear)`)
)

// play reads the roll of a player and what was played with it.
func (p *reader) play(player int, dice bg.Dice, text string) {
	a := record.Action{Player: player, Dice: dice, Line: p.number}
	switch {
	case text == "" || dance.MatchString(text):
	case unplayed.MatchString(text):
		a.Kind = record.Unplayed
	case illegal.MatchString(text):
		p.illegal(&a, illegal.FindStringSubmatch(text)[1])
	default:
		steps, err := bg.ParseSteps(dashes.ReplaceAllString(text, "$1/$2"))
		if err != nil {
			a.Text = text
			p.warn("the move %q cannot be read: %v", text, err)
			break
		}
		a.Move = bg.NewMove(steps...)
	}
	p.game.Actions = append(p.game.Actions, a)
}

// illegal reads the position after an illegal play.
func (p *reader) illegal(a *record.Action, position string) {
	a.Illegal = "the file marks it as illegal"
	position = strings.TrimSuffix(strings.TrimSpace(position), ")")
	s, _, err := notation.ParseSnowie(position, p.match.Rules)
	if err != nil {
		a.Text = "Illegal play (" + position + ")"
		p.warn("the position after the illegal play cannot be read: %v", err)
		return
	}
	after := s.Position
	if s.Seat == a.Player {
		after = after.Flip()
	}
	a.Result = &after
}

// outcome reads a line or cell such as "Wins 2 points". A cell that is not alone in its line has
// its column given, a line finds it itself.
func (p *reader) outcome(text string, column int) {
	found := outcome.FindStringSubmatchIndex(text)
	word := strings.ToLower(text[found[2]:found[3]])
	if word[0] == 'l' {
		return // of the loser, beside the winner's
	}
	if p.done {
		p.warn("a second outcome of game %d: %q", p.game.Number, strings.TrimSpace(text))
		return
	}
	if column == 0 {
		column = len([]rune(text[:found[2]]))
	}
	o := &record.Outcome{Points: 1}
	before := strings.TrimSpace(text[:found[2]])
	switch m := p.match; {
	case before != "" && before == m.Players[0]:
	case column >= rightColumn, before != "" && before == m.Players[1]:
		o.Winner = 1
	}
	if found[4] < 0 {
		return
	}
	n, err := strconv.Atoi(text[found[4]:found[5]])
	if err != nil || n > 1<<20 {
		p.warn("%q has no number of points", strings.TrimSpace(text))
		n = 1
	}
	o.Points = n
	p.game.Outcome, p.game.OutcomeLine, p.done = o, p.number, true
	if n := len(p.game.Actions); n > 0 && p.game.Actions[n-1].Kind == record.Resign {
		p.game.Actions = p.game.Actions[:n-1] // the points tell for how much, in case the cell does not
	}
}

// other handles a line that is none of the known ones.
func (p *reader) other(text string) {
	if p.game == nil {
		p.comment(text)
		return
	}
	p.warn("%q is not read", text)
}
