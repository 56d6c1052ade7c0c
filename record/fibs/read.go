package fibs

import (
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"kotra/bg"
	"kotra/movegen"
	"kotra/record"
)

// ErrNoMatch is returned for a text that is no log of a match.
var ErrNoMatch = errors.New("fibs: no match in the log")

const maxSize = 64 << 20

var (
	scoreLine  = regexp.MustCompile(`(?i)^\s*score is (\d+)-(\d+) in an? (?:(\d+) point|unlimited) match`)
	sidesLine  = regexp.MustCompile(`^\s*(\S+) is ([XO]) - (\S+) is ([XO])`)
	oldMove    = regexp.MustCompile(`^\s*([XO])\s*:\s*\((\d)[ -](\d)\)\s*(.*)$`)
	oldAction  = regexp.MustCompile(`(?i)^\s*([XO])\s*:\s*(doubles|redoubles|accepts|rejects|beavers|raccoons|wins (\d+) points?|wins)\b`)
	startMatch = regexp.MustCompile(`(?i)(?:playing an? (\d+) point match with|join you for an? (\d+) point match|new (\d+) point match with)\s*(\S+?)[.:]?\s*$`)
	liveScore  = regexp.MustCompile(`(?i)^\W*score in (\d+) point match: (\S+)-(\d+) (\S+)-(\d+)`)
	newGame    = regexp.MustCompile(`(?i)^\W*starting a new game with (\S+?)\.?\s*$`)
	rolls      = regexp.MustCompile(`(?i)^\W*(\S+) rolls? (\d) and (\d)`)
	moves      = regexp.MustCompile(`(?i)^\W*(\S+) moves? ((?:(?:bar|\d+)-(?:off|\d+)\s*)+)\.?`)
	cannot     = regexp.MustCompile(`(?i)^\W*(\S+) can'?t move`)
	doubles    = regexp.MustCompile(`(?i)^\W*(\S+) (?:re)?doubles?\b`)
	accepts    = regexp.MustCompile(`(?i)^\W*(\S+) accepts? the double`)
	givesUp    = regexp.MustCompile(`(?i)^\W*(\S+) gives? up`)
	resigns    = regexp.MustCompile(`(?i)^\W*(\S+) wants? to resign\b.* wins? (\d+) point`)
	winsGame   = regexp.MustCompile(`(?i)^\W*(\S+) wins? the game and gets? (\d+) point`)
	takesWin   = regexp.MustCompile(`(?i)^\W*(\S+) accepts? and wins? (\d+) point`)
	dashes     = regexp.MustCompile(`(?i)(\d|bar)-(\d|off)`)
)

// Is reports whether a text is a log that Read reads.
func Is(text []byte) bool {
	head := string(text[:min(len(text), 1<<16)])
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, "\r\n")
		if scoreLine.MatchString(line) || sidesLine.MatchString(line) || oldMove.MatchString(line) || rolls.MatchString(line) {
			return true
		}
	}
	return false
}

// Read reads the match of a log.
func Read(r io.Reader) (*record.Match, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSize))
	if err != nil {
		return nil, err
	}
	p := &reader{match: &record.Match{Format: "fibs"}, names: map[string]int{}}
	for line := range strings.Lines(string(data)) {
		p.number++
		p.line(strings.TrimRight(line, "\r\n"))
	}
	m := p.match
	plays := 0
	for _, g := range m.Games {
		orient(m, g)
		plays += g.Plays()
	}
	if plays == 0 {
		return nil, ErrNoMatch
	}
	m.InferCrawford()
	m.Complete()
	return m, nil
}

// A reader turns lines into a match.
type reader struct {
	match  *record.Match
	game   *record.Game
	number int            // of the line
	names  map[string]int // players by name, X and O included
	rolled bg.Dice        // by the player who has not moved yet
	roller int
}

// player returns the player of a name, in the order in which names appear.
func (p *reader) player(name string) (int, bool) {
	if i, ok := p.names[name]; ok {
		return i, true
	}
	for i := range p.match.Players {
		if p.match.Players[i] == "" {
			p.match.Players[i] = name
			p.names[name] = i
			return i, true
		}
	}
	return 0, false
}

func (p *reader) begin(score [2]int) {
	p.game = &record.Game{Number: len(p.match.Games) + 1, Cube: 1, Score: score, Line: p.number}
	p.match.Games = append(p.match.Games, p.game)
	p.rolled = bg.Dice{}
}

// current returns the game in progress; after the end of one it begins the next.
func (p *reader) current() *record.Game {
	switch {
	case p.game == nil:
		p.begin([2]int{})
	case p.game.Outcome != nil:
		p.begin(p.game.After())
	}
	return p.game
}

func (p *reader) add(a record.Action) {
	a.Line = p.number
	g := p.current()
	g.Actions = append(g.Actions, a)
}

func (p *reader) line(line string) {
	if p.setting(line) || p.oldLine(line) {
		return
	}
	p.live(line)
}

// setting reads lines about the match.
func (p *reader) setting(line string) bool {
	if f := scoreLine.FindStringSubmatch(line); f != nil {
		a, b, n := atoi(f[1]), atoi(f[2]), atoi(f[3])
		p.match.Length = n
		p.begin([2]int{a, b})
		return true
	}
	if f := sidesLine.FindStringSubmatch(line); f != nil {
		for i, name := range []string{f[1], f[3]} {
			if player, ok := p.player(name); ok {
				p.names[f[2+2*i]] = player
			}
		}
		return true
	}
	if f := startMatch.FindStringSubmatch(line); f != nil {
		p.match.Length = atoi(f[1] + f[2] + f[3])
		p.player("You")
		p.player(f[4])
		return true
	}
	if f := liveScore.FindStringSubmatch(line); f != nil {
		p.match.Length = atoi(f[1])
		return true
	}
	if newGame.MatchString(line) {
		if p.game != nil && len(p.game.Actions) > 0 {
			p.begin(p.game.After())
		}
		return true
	}
	return false
}

func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1<<15-1 {
		return 0
	}
	return n
}

// oldLine reads a line of oldmoves.
func (p *reader) oldLine(line string) bool {
	if f := oldMove.FindStringSubmatch(line); f != nil {
		if player, ok := p.player(f[1]); ok {
			p.play(player, bg.Dice{f[2][0] - '0', f[3][0] - '0'}, f[4])
		}
		return true
	}
	f := oldAction.FindStringSubmatch(line)
	if f == nil {
		return false
	}
	player, ok := p.player(f[1])
	if !ok {
		return true
	}
	switch word := strings.ToLower(strings.Fields(f[2])[0]); word {
	case "doubles", "redoubles":
		p.add(record.Action{Kind: record.Double, Player: player})
	case "accepts":
		p.add(record.Action{Kind: record.Take, Player: player})
	case "rejects":
		p.add(record.Action{Kind: record.Pass, Player: player})
	case "beavers", "raccoons":
		p.add(record.Action{Kind: record.Beaver, Player: player})
	case "wins":
		p.outcome(player, atoi(f[3]))
	}
	return true
}

// live reads a line of a running match.
func (p *reader) live(line string) {
	who := func(f []string) int {
		if f == nil {
			return -1
		}
		if player, ok := p.player(f[1]); ok {
			return player
		}
		return -1
	}
	if f := rolls.FindStringSubmatch(line); who(f) >= 0 {
		p.roller, p.rolled = who(f), bg.Dice{f[2][0] - '0', f[3][0] - '0'}
		return
	}
	if f := cannot.FindStringSubmatch(line); f != nil && p.rolled.Rolled() {
		p.play(p.roller, p.rolled, "")
		return
	}
	if f := moves.FindStringSubmatch(line); f != nil && p.rolled.Rolled() {
		p.play(p.roller, p.rolled, f[2])
		return
	}
	if p.game == nil && !p.rolled.Rolled() {
		return // talk before the match
	}
	for _, e := range []struct {
		line *regexp.Regexp
		do   func(player int, f []string)
	}{
		{accepts, func(player int, _ []string) { p.add(record.Action{Kind: record.Take, Player: player}) }},
		{resigns, func(int, []string) {}},
		{givesUp, func(player int, _ []string) { p.add(record.Action{Kind: record.Pass, Player: player}) }},
		{winsGame, func(player int, f []string) { p.outcome(player, atoi(f[2])) }},
		{takesWin, func(player int, f []string) { p.outcome(player, atoi(f[2])) }},
		{doubles, func(player int, _ []string) { p.add(record.Action{Kind: record.Double, Player: player}) }},
	} {
		if f := e.line.FindStringSubmatch(line); f != nil {
			if player, ok := p.names[f[1]]; ok {
				e.do(player, f)
			}
			return
		}
	}
}

// play adds a roll and its play.
func (p *reader) play(player int, dice bg.Dice, text string) {
	p.rolled = bg.Dice{}
	a := record.Action{Player: player, Dice: dice}
	text = strings.Trim(text, " .\t")
	if !strings.Contains(strings.ToLower(text), "move") && text != "" {
		steps, err := bg.ParseSteps(dashes.ReplaceAllString(text, "$1/$2"))
		if err != nil {
			a.Text = text
		} else {
			a.Move = bg.NewMove(steps...)
		}
	}
	p.add(a)
}

func (p *reader) outcome(player, points int) {
	if p.game == nil || p.game.Outcome != nil || points == 0 {
		return
	}
	p.game.Outcome, p.game.OutcomeLine = &record.Outcome{Winner: player, Points: points}, p.number
}

// orient turns the numbering of a player's plays round if that makes more of them legal.
func orient(m *record.Match, g *record.Game) {
	start := m.Rules.Variant.Start()
	best, bestLegal := 0, -1
	for turn := range 4 { // bit i: player i's points are numbered from the other side
		pos, onRoll, legal := start, 0, 0
		for i := range g.Actions {
			a := &g.Actions[i]
			if a.Kind != record.Play {
				continue
			}
			if a.Player != onRoll {
				pos = pos.Flip()
			}
			move := turned(a.Move, turn>>a.Player&1 == 1)
			play, err := movegen.Find(&pos, a.Dice, move.Steps())
			if err != nil {
				break
			}
			legal++
			pos, onRoll = play.Result, 1-a.Player
		}
		if legal > bestLegal {
			best, bestLegal = turn, legal
		}
	}
	for i := range g.Actions {
		a := &g.Actions[i]
		a.Move = turned(a.Move, best>>a.Player&1 == 1)
	}
}

// turned returns m with its points numbered from the other side, if that is wanted. The bar and
// off stay what they are.
func turned(m bg.Move, other bool) bg.Move {
	if !other {
		return m
	}
	var out bg.Move
	for _, s := range m.Steps() {
		if s.From != bg.Bar {
			s.From = 25 - s.From
		}
		if s.To != bg.Off {
			s.To = 25 - s.To
		}
		out = out.Append(s)
	}
	return out
}
