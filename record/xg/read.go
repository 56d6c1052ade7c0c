package xg

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"kotra/bg"
	"kotra/record"
)

// Sizes of records.
const (
	recordSize  = 2560
	rolloutSize = 2184
)

// Kinds of records.
const (
	matchHeader = iota
	gameHeader
	cubeRecord
	moveRecord
	gameFooter
	matchFooter
	missingGame
)

// ErrNoMatch is returned for a file whose archive holds no match.
var ErrNoMatch = errors.New("xg: no match in the file")

const maxSize = 512 << 20

// Read reads a match or a position. A position is a match with one unfinished game that begins
// with a setup.
func Read(r io.Reader) (*record.Match, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxSize {
		return nil, fmt.Errorf("xg: the file is longer than %d MiB", maxSize>>20)
	}
	files, err := unpack(data)
	if err != nil {
		return nil, err
	}
	records, ok := files["temp.xg"]
	if !ok {
		return nil, fmt.Errorf("%w: temp.xg is missing", ErrNoMatch)
	}
	x := &reader{rollouts: files["temp.xgr"]}
	if text, ok := files["temp.xgc"]; ok {
		x.comments = comments(text)
	}
	if len(records) < recordSize || records[8] != matchHeader || string(records[556:560]) != "DMLI" {
		return nil, fmt.Errorf("%w: record 0 is not the header of a match", ErrNoMatch)
	}
	x.header(rec(records[:recordSize]))
	for i := 1; (i+1)*recordSize <= len(records); i++ {
		x.number = i
		x.record(rec(records[i*recordSize : (i+1)*recordSize]))
	}
	if rest := len(records) % recordSize; rest != 0 {
		x.match.Warn(0, 0, "%d bytes after the last record are ignored", rest)
	}
	x.endGame()
	if len(x.match.Games) == 0 {
		return nil, ErrNoMatch
	}
	x.match.Complete()
	return x.match, nil
}

// A reader turns records into a match.
type reader struct {
	match    *record.Match
	version  int
	comments []string
	rollouts []byte
	number   int // of the record
	checkers int

	game    *record.Game // nil between games
	stopped bool         // the rest of the game is not read
	sides   [2]bg.Side   // the running board
	fresh   bool         // nothing has happened in the game
	cube    int          // the running cube as the file writes it
	pending *record.Analysis
	remark  string // a comment for the next action
}

func (x *reader) warn(format string, args ...any) {
	number := 0
	if x.game != nil {
		number = x.game.Number
	}
	x.match.Warn(0, number, "record %d: %s", x.number, fmt.Sprintf(format, args...))
}

// money is the length of a match that is none.
const money = 99999

func (x *reader) header(r rec) {
	x.version = r.i32(552)
	m := &record.Match{Format: "xg", Program: fmt.Sprintf("eXtreme Gammon, file version %d", x.version)}
	x.match = m
	text := func(wide, short, size int) string {
		if x.version >= 24 && wide > 0 {
			if s := r.wide(wide); s != "" {
				return s
			}
		}
		if short < 0 {
			return ""
		}
		return r.short(short, size)
	}
	m.Players = [2]string{text(880, 9, 40), text(1138, 50, 40)}
	m.SetTag("Event", text(622, 136, 128))
	m.SetTag("Site", text(1396, 283, 128))
	m.SetTag("Round", text(1654, 417, 128))
	if x.version >= 30 {
		m.SetTag("Transcriber", r.wide(1960))
	}
	for i, at := range []int{104, 112} {
		if v := r.f64(at); v > 0 && v < 1e5 && v != 1600 {
			m.Ratings[i] = fmt.Sprintf("%.2f", v)
		}
	}
	if days := r.f64(128); days > 1 && days < 1e6 {
		date := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Add(time.Duration(math.Round(days*86400)) * time.Second)
		m.SetTag("EventDate", date.Format("2006-01-02"))
		m.SetTag("EventTime", date.Format("15:04:05"))
	}
	m.Length = r.i32(92)
	if m.Length == money {
		m.Length = 0
	}
	if m.Length < 0 || m.Length > 1<<15-1 {
		m.Warn(0, 0, "the length %d is no match; read as a money session", m.Length)
		m.Length = 0
	}
	x.rules(r)
	if x.version > 32 {
		m.Warn(0, 0, "the file version %d is newer than 32; what is new in it is not read", x.version)
	}
	x.comment(r.i32(576), &m.Comment)
	x.comment(r.i32(580), &m.Comment)
}

func (x *reader) rules(r rec) {
	rules := &x.match.Rules
	switch v := r.i32(96); v {
	case 0, 1, 2, 3:
		rules.Variant = []bg.Variant{bg.Standard, bg.Nackgammon, bg.Hypergammon, bg.LongGammon}[v]
	default:
		x.match.Warn(0, 0, "the variation %d is not known; read as backgammon", v)
	}
	x.checkers = rules.Variant.Checkers()
	if x.match.Money() {
		rules.Jacoby = r.flag(101)
		if r.flag(102) {
			rules.Beavers = 3
		}
		if r.flag(103) && x.version >= 8 {
			rules.AutomaticDoubles = max(1, min(r.i32(616), 10))
		}
	} else {
		rules.NoCrawford = !r.flag(100) && x.match.Length > 1
	}
	if limit := r.i32(612); x.version >= 8 && limit >= 0 && limit < 10 {
		rules.NoCube = limit == 0
		if limit > 0 {
			rules.MaxCube = 1 << limit
		}
	}
}

// comment adds the comment of that index, -1 being none.
func (x *reader) comment(index int, dst *string) {
	if index < 0 {
		return
	}
	if index >= len(x.comments) {
		x.warn("there is no comment %d", index)
		return
	}
	if *dst != "" {
		*dst += "\n"
	}
	*dst += x.comments[index]
}

func (x *reader) record(r rec) {
	switch kind := r[8]; kind {
	case gameHeader:
		x.beginGame(r)
	case cubeRecord, moveRecord:
		switch {
		case x.game == nil:
			x.warn("it belongs to no game")
		case x.stopped:
		case kind == cubeRecord:
			x.cubeAction(r)
		default:
			x.play(r)
		}
	case gameFooter:
		x.footer(r)
	case matchFooter:
		x.endGame()
	case missingGame:
		x.missing(r)
	default:
		x.warn("its kind %d is not known; it is ignored", kind)
	}
}

func (x *reader) beginGame(r rec) {
	x.endGame()
	g := &record.Game{
		Number: r.i32(48), Score: [2]int{r.i32(12), r.i32(16)}, Cube: 1,
		Crawford: r.flag(20) && !x.match.Money(),
	}
	x.game, x.stopped, x.fresh, x.cube = g, false, true, 0
	x.match.Games = append(x.match.Games, g)
	if g.Score[0] < 0 || g.Score[1] < 0 || g.Score[0] > 1<<15-1 || g.Score[1] > 1<<15-1 {
		x.warn("the score %d-%d is out of range; read as 0-0", g.Score[0], g.Score[1])
		g.Score = [2]int{}
	}
	if n := r.i32(64); x.version >= 26 && n > 0 && n <= 10 {
		g.Cube = 1 << n
	}
	x.comment(r.i32(56), &g.Comment)
	x.comment(r.i32(60), &g.Comment)
	start := x.match.Rules.Variant.Start()
	x.sides = [2]bg.Side{start.OnRoll, start.Opponent}
	if b := r.board(21); b != [26]int{} {
		x.moveTo(b, 0, false)
	}
}

// moveTo makes the board, seen by player 0, the running one: by a setup if it differs.
func (x *reader) moveTo(b [26]int, player int, expected bool) bool {
	s, err := sides(b, x.checkers)
	if err != nil {
		x.warn("%v; the rest of the game is not read", err)
		x.stopped = true
		return false
	}
	if s == x.sides {
		return true
	}
	if expected && !x.fresh {
		x.warn("the position was edited here")
	}
	x.sides = s
	setup := &record.State{Sides: &s, OnRoll: &player}
	x.game.Actions = append(x.game.Actions, record.Action{Kind: record.Setup, Player: player, Setup: setup})
	return true
}

// setCube makes the cube, as the file writes it, the running one.
func (x *reader) setCube(cube int, player int) {
	if cube == x.cube || cube < -15 || cube > 15 {
		return
	}
	if !x.fresh {
		x.warn("the cube has changed without an action")
	}
	x.cube = cube
	owner, n := -1, cube
	switch {
	case cube > 0:
		owner = 0
	case cube < 0:
		owner, n = 1, -cube
	}
	value := 1 << n
	if cube == 0 {
		value = x.game.Cube
	}
	setup := &record.State{Cube: value, Owner: &owner, OnRoll: &player}
	x.game.Actions = append(x.game.Actions, record.Action{Kind: record.Setup, Player: player, Setup: setup})
}

// playerOf returns the player that 1 or -1 names.
func playerOf(n int) int {
	if n < 0 {
		return 1
	}
	return 0
}

func (x *reader) cubeAction(r rec) {
	player := playerOf(r.i32(12))
	if !x.moveTo(r.board(36), player, true) {
		return
	}
	x.setCube(r.i32(32), player)
	analysis := x.cubeAnalysis(r)
	var comment string
	x.comment(r.i32(292), &comment)
	if r.i32(16) != 1 {
		x.pending, x.remark = analysis, comment
		return
	}
	x.fresh = false
	add := func(kind record.Kind, by int) {
		a := record.Action{Kind: kind, Player: by}
		if kind == record.Double {
			a.Comment, a.Analysis = comment, analysis
		} else if analysis != nil {
			answer := *analysis
			a.Analysis = &answer
		}
		x.game.Actions = append(x.game.Actions, a)
	}
	add(record.Double, player)
	level, accepted := 1, true
	answers := []int{r.i32(20), r.i32(24), r.i32(28)}
loop:
	for i, answer := range answers {
		by := (player + 1 + i) % 2
		switch answer {
		case 1:
			add(record.Take, by)
			break loop
		case 0:
			add(record.Pass, by)
			accepted = false
			break loop
		case 2:
			add(record.Beaver, by)
			level++
		default:
			break loop
		}
	}
	if accepted {
		n := max(x.cube, -x.cube)
		if x.cube == 0 {
			for 1<<n < x.game.Cube {
				n++
			}
		}
		x.cube = (n + level) * (2*player - 1) // the opponent's
	}
}

// cubeAnalysis returns the analysis of a cube record, nil if there is none.
func (x *reader) cubeAnalysis(r rec) *record.Analysis {
	b := r[64 : 64+132]
	level := b.i32(28)
	if level == 0 && b.i16(56) == -100 {
		return nil
	}
	c := &record.Cube{NoDouble: b.f32(88), DoubleTake: b.f32(92), DoublePass: b.f32(96)}
	c.Probs, c.Cubeless = b.probs(60)
	c.TakeProbs, c.TakeCubeless = b.probs(104)
	c.Ply, c.Level = levelOf(level)
	if v := r.f64(200); v > -999 && !math.IsNaN(v) {
		loss := math.Abs(v)
		c.Loss = &loss
	}
	if v := r.f64(216); v > -999 && !math.IsNaN(v) {
		loss := math.Abs(v)
		c.AnswerLoss = &loss
	}
	if index := r.i32(224); index >= 0 && level == 100 {
		if roll, ok := x.rollout(index); ok {
			c.Level = fmt.Sprintf("rollout of %d games", roll.i32(84))
		}
	}
	return &record.Analysis{Cube: c, Played: -1}
}

func (x *reader) rollout(index int) (rec, bool) {
	if index < 0 || (index+1)*rolloutSize > len(x.rollouts) {
		x.warn("there is no rollout %d", index)
		return nil, false
	}
	return rec(x.rollouts[index*rolloutSize : (index+1)*rolloutSize]), true
}

// levelOf returns our ply of a level and its name if it is not a plain search.
func levelOf(level int) (ply int, name string) {
	switch level {
	case 0, 1, 2, 3, 4, 5, 6:
		return level, ""
	case 12:
		return 2, "3-ply reduced"
	case 100:
		return 0, "rollout"
	case 998, 999:
		return 0, "opening book"
	case 1000, 1001, 1002:
		return 2, []string{"XG Roller", "XG Roller+", "XG Roller++"}[level-1000]
	}
	return 0, fmt.Sprintf("level %d", level)
}

func (x *reader) play(r rec) {
	player := playerOf(r.i32(64))
	if !x.moveTo(r.board(9), player, true) {
		return
	}
	x.setCube(r.i32(108), player)
	x.fresh = false
	d0, d1 := r.i32(100), r.i32(104)
	if d0 < 1 || d0 > 6 || d1 < 1 || d1 > 6 {
		x.warn("the dice are %d and %d; the rest of the game is not read", d0, d1)
		x.stopped = true
		return
	}
	a := record.Action{Player: player, Dice: bg.Dice{uint8(d0), uint8(d1)}, Comment: x.remark}
	a.Analysis, x.pending, x.remark = x.pending, nil, ""
	x.comment(r.i32(2524), &a.Comment)
	if !r.flag(2308) {
		a.Kind = record.Unplayed
		x.game.Actions = append(x.game.Actions, a)
		return
	}
	after, err := bg.FromBoard(r.board(35), x.checkers)
	if err != nil {
		x.warn("the position after the play: %v; the rest of the game is not read", err)
		x.stopped = true
		return
	}
	m, ok := steps(func(i int) int { return r.i32(68 + 4*i) })
	if ok {
		a.Move = m
	}
	result := after.Flip()
	a.Result = &result
	x.playAnalysis(r, &a, &result)
	x.sides[player], x.sides[1-player] = after.OnRoll, after.Opponent
	x.game.Actions = append(x.game.Actions, a)
}

// playAnalysis reads the candidates and the luck of a play.
func (x *reader) playAnalysis(r rec, a *record.Action, result *bg.Position) {
	b := r[124 : 124+2184]
	n := max(0, min(32, b.i32(64)))
	out := a.Analysis
	if out == nil {
		out = &record.Analysis{Played: -1}
	}
	for i := range n {
		pos, err := bg.FromBoard(b.board(68+26*i), x.checkers)
		if err != nil {
			continue
		}
		c := record.Candidate{Position: pos.Flip()}
		c.Probs, c.Equity = b.probs(1284 + 28*i)
		c.Ply, c.Level = levelOf(b.i16(1156 + 4*i))
		before := bg.Position{OnRoll: x.sides[a.Player], Opponent: x.sides[1-a.Player]}
		if c.Position != before.Flip() {
			c.Move, _ = steps(func(j int) int { return b.i8(900 + 8*i + j) })
		}
		if index := r.i32(2344 + 4*i); index >= 0 {
			if roll, ok := x.rollout(index); ok {
				c.Level = fmt.Sprintf("rollout of %d games", roll.i32(84))
			}
		}
		if c.Position == *result && out.Played < 0 {
			out.Played = len(out.Candidates)
		}
		out.Candidates = append(out.Candidates, c)
	}
	if v := r.f64(2320); n > 0 && v > -999 && !math.IsNaN(v) {
		out.Luck = &v
	}
	if n > 0 || out.Cube != nil {
		a.Analysis = out
	}
}

func (x *reader) footer(r rec) {
	if x.game == nil {
		x.warn("the end of a game that has not begun")
		return
	}
	g := x.game
	g.Outcome = &record.Outcome{Winner: playerOf(r.i32(24)), Points: r.i32(28)}
	if p := g.Outcome.Points; p < 0 || p > 1<<20 {
		x.warn("%d points are won", p)
		g.Outcome.Points = 1
	}
	if how := r.i32(32); how > 100 && how <= 103 {
		g.Actions = append(g.Actions, record.Action{Kind: record.Resign, Player: 1 - g.Outcome.Winner, Amount: bg.Result(how - 100)})
	}
	x.endGame()
}

func (x *reader) endGame() {
	x.game, x.pending, x.remark = nil, nil, ""
}

func (x *reader) missing(r rec) {
	x.endGame()
	g := &record.Game{Cube: 1, Number: len(x.match.Games) + 1}
	if n := len(x.match.Games); n > 0 {
		g.Score = x.match.Games[n-1].After()
	}
	g.Outcome = &record.Outcome{Winner: playerOf(r.i32(24)), Points: max(0, min(r.i32(28), 1<<20))}
	x.match.Games = append(x.match.Games, g)
	x.match.Warn(0, g.Number, "record %d: the game is missing, only its result is known", x.number)
}
