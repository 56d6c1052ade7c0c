package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"kotra/bg"
	"kotra/bg/notation"
)

// UBGI is the engine's end of the Universal Backgammon Interface, versions 0.1 and 0.2. Both are
// understood at any time; error codes are those of the version whose own commands came last.
type UBGI struct {
	// New returns a thinker with the given settings.
	New      func(Settings) (Thinker, error)
	Settings Settings // to begin with
	Identity Identity
	MaxPly   int
}

// Settings are what a UBGI client can set.
type Settings struct {
	Ply      int // gnubg's number: 0 is the raw network
	Threads  int // 0 is one for each core
	Seed     uint64
	Weights  string // file name, empty for the default
	Cubeless bool
}

// Limits end a search before its depth is reached; zeros are no limits.
type Limits struct {
	Time  time.Duration
	Nodes int64
	// Trials, if not 0, asks for a rollout of the best candidates of the search, with so many
	// trials each. What time and nodes allow of it decides.
	Trials int
}

// A Finding is what a search knows so far.
type Finding struct {
	Ply    int
	Move   bg.Move // of a checker play
	Double bool    // of a cube decision
	Probs  bg.Probs
	Equity float64
	Nodes  int64   // positions evaluated
	Trials int     // of the rollout that says so, 0 for a search
	StdErr float64 // of Equity, in a rollout
}

// A Thinker searches with reports on the way.
type Thinker interface {
	// Play looks for the best move of the roll of s. It calls report after each deeper ply and
	// now and then in a rollout, and returns the last finding. When ctx is done or a limit is reached, that is the best so far.
	Play(ctx context.Context, s bg.State, l Limits, report func(Finding)) (Finding, error)
	// Cube decides whether to double in s, likewise.
	Cube(ctx context.Context, s bg.State, l Limits, report func(Finding)) (Finding, error)
}

// maxThinking is how long a search may take at most.
const maxThinking = 24 * time.Hour

// Serve answers the lines of in on out until in ends, the client quits or ctx is done.
func (u *UBGI) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &ubgiSession{UBGI: u, out: bufio.NewWriter(out), settings: u.Settings}
	defer func() {
		cancel()
		s.wait()
	}()
	s.newGame()
	lines := newLineReader(in)
	for ctx.Err() == nil {
		line, err := lines.next()
		switch {
		case errors.Is(err, errLongLine):
			s.reply("error %s line_too_long", s.code(badCommand))
		case errors.Is(err, io.EOF):
			s.wait()
			return s.failed()
		case err != nil:
			return err
		default:
			if quit := s.handle(ctx, strings.TrimRight(line, " \t")); quit {
				return s.failed()
			}
		}
		if err := s.failed(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// ubgiSession is one conversation.
type ubgiSession struct {
	*UBGI
	mu       sync.Mutex // guards what follows
	out      *bufio.Writer
	err      error // of writing
	settings Settings
	thinker  Thinker // nil when the settings have changed

	version2 bool
	context  ubgiContext
	position *bg.State
	dice     bg.Dice

	stop     context.CancelFunc // of the running search, nil if there is none
	searches sync.WaitGroup
}

// ubgiContext is the match around the position.
type ubgiContext struct {
	rules    bg.Rules
	length   int
	score    [2]int // by player
	crawford int    // 0: nobody was one away yet, 1: this is the Crawford game, 2: after it
	cube     int
	owner    int // player, -1 is centered
	turn     int
}

// Codes of errors in both versions.
type ubgiCode struct{ v1, v2 string }

var (
	badCommand = ubgiCode{"unknown_command", "bad_command"}
	badValue   = ubgiCode{"bad_argument", "bad_value"}
	badState   = ubgiCode{"missing_context", "bad_state"}
	busy       = ubgiCode{"search_in_progress", "bad_state"}
	internal   = ubgiCode{"internal", "internal"}
)

// A ubgiError is an error line.
type ubgiError struct {
	code ubgiCode
	text string
}

func (e *ubgiError) Error() string { return e.text }

func (s *ubgiSession) code(c ubgiCode) string {
	if s.version2 {
		return c.v2
	}
	return c.v1
}

// reply writes a line at once.
func (s *ubgiSession) reply(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(format, args...)
}

func (s *ubgiSession) write(format string, args ...any) {
	if s.err != nil {
		return
	}
	fmt.Fprintf(s.out, format+"\n", args...)
	s.err = s.out.Flush()
}

func (s *ubgiSession) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// wait waits for the running search.
func (s *ubgiSession) wait() { s.searches.Wait() }

func (s *ubgiSession) searching() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stop != nil
}

// handle answers one line.
func (s *ubgiSession) handle(ctx context.Context, line string) (quit bool) {
	word, rest := cutWord(line)
	if word == "" {
		return false
	}
	if word == "quit" {
		s.cancel()
		return true
	}
	err := s.command(ctx, word, rest)
	var e *ubgiError
	switch {
	case errors.As(err, &e):
		s.reply("error %s %s", s.code(e.code), oneLine(e.text))
	case err != nil:
		s.reply("error %s %s", s.code(internal), oneLine(err.Error()))
	}
	return false
}

// cancel ends the running search, whose answer is then what it knows.
func (s *ubgiSession) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		s.stop()
	}
}

func (s *ubgiSession) command(ctx context.Context, word, rest string) error {
	switch word {
	case "ubgi":
		s.introduce()
		return nil
	case "isready":
		s.reply("readyok")
		return nil
	case "stop":
		s.cancel()
		return nil
	}
	if word == "go" && s.searching() {
		return &ubgiError{busy, word}
	}
	s.wait() // all else would change what the search is about
	switch word {
	case "newgame":
		s.newGame()
	case "setoption":
		s.version2 = false
		return s.setOption(rest)
	case "set", "get", "keys":
		s.version2 = true
		return s.key(word, rest)
	case "newsession", "setscore", "setcube", "setturn":
		s.version2 = false
		return s.setContext(word, strings.Fields(rest))
	case "position":
		return s.setPosition(rest)
	case "dice":
		return s.setDice(strings.Fields(rest))
	case "go":
		return s.start(ctx, strings.Fields(rest))
	default:
		return &ubgiError{badCommand, word}
	}
	return nil
}

func (s *ubgiSession) introduce() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write("id name %s", s.Identity.Name)
	s.write("id author %s", s.Identity.Author)
	s.write("id version %s", s.Identity.Version)
	for i := range ubgiOptions {
		o := &ubgiOptions[i]
		s.write("option name %s type %s default %s%s", o.name, o.kind, o.get(&s.settings), o.domain(s.UBGI))
	}
	s.write("proto 0.2")
	s.write("ubgiok")
}

// newGame forgets position, dice and context.
func (s *ubgiSession) newGame() {
	s.position, s.dice = nil, bg.Dice{}
	s.context = ubgiContext{cube: 1, owner: -1}
}

func (s *ubgiSession) setPosition(text string) error {
	kind, id := cutWord(text)
	var state bg.State
	switch kind {
	case "gnubgid":
		var err error
		if strings.Contains(id, ":") {
			state, err = bg.ParseGNUID(id)
		} else {
			state = bg.NewGame(bg.Rules{})
			state.Position, err = bg.ParsePositionID(id)
		}
		if err != nil {
			return &ubgiError{badValue, "invalid_position " + err.Error()}
		}
		if !strings.Contains(id, ":") {
			s.context.apply(&state)
		}
	case "xgid":
		if !hasPrefixFold(id, "XGID=") {
			id = "XGID=" + id
		}
		var err error
		if state, _, err = notation.Parse(id); err != nil {
			return &ubgiError{badValue, "invalid_position " + err.Error()}
		}
	default:
		return &ubgiError{badValue, "position_kind"}
	}
	if err := state.Validate(); err != nil {
		return &ubgiError{badValue, "invalid_position " + err.Error()}
	}
	s.dice, state.Dice = state.Dice, bg.Dice{}
	s.position = &state
	return nil
}

func (s *ubgiSession) setDice(words []string) error {
	text := strings.Join(words, "")
	dice, err := bg.ParseDice(text)
	if err != nil || len(words) > 2 {
		return &ubgiError{badValue, "dice"}
	}
	s.dice = dice
	return nil
}

// start begins a search.
func (s *ubgiSession) start(ctx context.Context, words []string) error {
	role, limits, settings, err := s.readGo(words)
	if err != nil {
		return err
	}
	switch {
	case s.position == nil:
		return &ubgiError{badState, s.missing("position")}
	case role != "cube" && !s.dice.Rolled():
		return &ubgiError{badState, s.missing("dice")}
	}
	state := *s.position
	if r, _ := state.Position.Result(); r != bg.Unfinished {
		return &ubgiError{badValue, "invalid_position the game is over"}
	}
	thinker, err := s.think(settings)
	if err != nil {
		return err
	}
	if limits.Time == 0 {
		limits.Time = maxThinking
	}
	ctx, stop := context.WithTimeout(ctx, limits.Time)
	s.mu.Lock()
	s.stop = stop
	s.mu.Unlock()
	dice := s.dice
	s.searches.Go(func() {
		defer stop()
		answer, err := s.search(ctx, thinker, role, state, dice, limits)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stop = nil
		if err != nil {
			s.write("error %s %s", s.code(internal), oneLine(err.Error()))
			return
		}
		s.write("%s", answer)
	})
	return nil
}

func (s *ubgiSession) missing(what string) string {
	if s.version2 {
		return "missing " + what
	}
	return what
}

// readGo reads what follows "go".
func (s *ubgiSession) readGo(words []string) (role string, l Limits, settings Settings, err error) {
	role, settings = "chequer", s.settings
	given := words
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		switch word {
		case "chequer", "checker", "cube", "turn":
			s.version2 = true
			role = word
			continue
		case "role", "movetime", "depth", "nodes", "trials":
		default:
			return role, l, settings, &ubgiError{badValue, "go " + word}
		}
		if len(words) == 0 {
			return role, l, settings, &ubgiError{badValue, word}
		}
		if word == "role" {
			s.version2 = false
			role = words[0]
		} else if err := s.readLimit(word, words[0], &l, &settings); err != nil {
			return role, l, settings, err
		}
		words = words[1:]
	}
	if l.Trials > 0 && !slices.Contains(given, "depth") {
		settings.Ply = s.settings.Ply // the time is for the rollout
	}
	if role == "checker" {
		role = "chequer"
	}
	if role != "chequer" && role != "cube" && role != "turn" {
		return role, l, settings, &ubgiError{badValue, "role " + role}
	}
	return role, l, settings, nil
}

func (s *ubgiSession) readLimit(word, value string, l *Limits, settings *Settings) error {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 || word == "movetime" && n > 1<<40 || word == "trials" && n > 1<<30 {
		return &ubgiError{badValue, word}
	}
	switch word {
	case "movetime":
		l.Time = time.Duration(max(n, 1)) * time.Millisecond
		settings.Ply = s.MaxPly // time decides, unless depth does
	case "depth":
		settings.Ply = min(max(int(n), 1), s.MaxPly+1) - 1
	case "nodes":
		l.Nodes = n
	case "trials":
		l.Trials = int(n)
	}
	return nil
}

// think returns the thinker with the given settings, which is kept until they change.
func (s *ubgiSession) think(settings Settings) (Thinker, error) {
	if settings != s.settings {
		return s.New(settings)
	}
	if s.thinker == nil {
		var err error
		if s.thinker, err = s.New(settings); err != nil {
			return nil, err
		}
	}
	return s.thinker, nil
}

// search returns the answer to "go".
func (s *ubgiSession) search(ctx context.Context, t Thinker, role string, state bg.State, dice bg.Dice, l Limits) (string, error) {
	start := time.Now()
	report := func(f Finding) {
		pv := ""
		if role != "cube" {
			pv = " pv " + ubgiMove(f.Move)
		}
		effort := fmt.Sprintf("depth %d", f.Ply+1)
		if f.Trials > 0 {
			effort = fmt.Sprintf("trials %d stderr %.4f", f.Trials, f.StdErr)
		}
		s.reply("info %s nodes %d time_ms %d score %.4f pwin %.4f pgammon %.4f pbg %.4f%s",
			effort, f.Nodes, time.Since(start).Milliseconds(), f.Equity, chance(f.Probs.Win), chance(f.Probs.WinGammon), chance(f.Probs.WinBackgammon), pv)
	}
	double := false
	if role != "chequer" && mayDouble(&state) {
		f, err := t.Cube(ctx, state, l, report)
		if err != nil {
			return "", err
		}
		double = f.Double
	}
	cube := "nodouble"
	if double {
		cube = "double"
	}
	if role == "cube" {
		return "bestcube " + cube, nil
	}
	state.Dice = dice
	f, err := t.Play(ctx, state, l, report)
	if err != nil {
		return "", err
	}
	if role == "turn" {
		return "bestturn cube=" + cube + " move=" + ubgiMove(f.Move), nil
	}
	return "bestmove " + ubgiMove(f.Move), nil
}

// chance keeps a mean of trials, from which the luck of the dice has been taken off, to what a
// chance can be.
func chance(x float32) float32 { return min(max(x, 0), 1) }

// ubgiMove writes a move in single steps without hits, bar and off as words.
func ubgiMove(m bg.Move) string {
	if m.Len() == 0 {
		return "pass"
	}
	var b strings.Builder
	for i, step := range m.Steps() {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(ubgiPlace(step.From) + "/" + ubgiPlace(step.To))
	}
	return b.String()
}

func ubgiPlace(place uint8) string {
	switch place {
	case bg.Bar:
		return "bar"
	case bg.Off:
		return "off"
	}
	return strconv.Itoa(int(place))
}
