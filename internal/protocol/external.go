package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"kotra/bg"
	"kotra/bg/notation"
)

// External is the engine's end of GNU Backgammon's external-player protocol. It answers both
// ways that protocol is used: gnubg that has connected as a client and sends a board for each
// decision, and programs that expect the server of gnubg's command "external".
//
// Every line gets one reply. A line that is wrong gets one that starts with "Error: ", and the
// session goes on.
type External struct {
	Engine   Engine
	Identity Identity
	// Rules of games for money, which a board does not tell: Jacoby, and Beavers.
	Rules bg.Rules
	// FIBSScores says that boards hold names and scores as FIBS defines it. GNU Backgammon
	// 1.07 swaps them in all boards but those for the answer to a double.
	FIBSScores bool
	// NoResign plays lost games on. Otherwise they are given up, but only to clients that gnubg
	// is: they are known by the NUL behind their lines. Its server has no such answer.
	NoResign bool
	// MaxPly is the deepest lookahead a client may ask for.
	MaxPly int
}

// maxLine is the longest line that is read, in bytes.
const maxLine = 4096

// Serve answers the lines of in on out until in ends, a client quits or ctx is done.
func (x *External) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s := externalSession{External: x}
	lines := newLineReader(in)
	w := bufio.NewWriter(out)
	for ctx.Err() == nil {
		line, err := lines.next()
		switch {
		case errors.Is(err, errLongLine):
			fmt.Fprintf(w, "Error: the line is longer than %d bytes\n", maxLine)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		default:
			reply, quit := s.answer(ctx, line)
			if quit {
				return nil
			}
			_, _ = w.WriteString(reply)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// externalSession is the state of one connection.
type externalSession struct {
	*External
	debug bool
	gnubg bool // the client is gnubg
	last  offer
	// What has been offered to resign in the game that began at the given score. Whoever is asked
	// again after that has been declined.
	resigned bg.Result
	score    [3]int
}

// An offer is a double that has been answered with a beaver. When the opponent turns the cube
// again, the board of the next request does not tell how often that has happened.
type offer struct {
	position bg.Position
	beavers  int // after the answer; 0 is no offer
}

// answer returns the reply to a line, ending in a newline.
func (s *externalSession) answer(ctx context.Context, line string) (reply string, quit bool) {
	s.gnubg = s.gnubg || strings.HasPrefix(line, "\x00") || strings.HasSuffix(line, "\x00")
	reply, err := s.dispatch(ctx, strings.Trim(line, " \t\r\x00"))
	switch {
	case errors.Is(err, errQuit):
		return "", true
	case err != nil:
		return "Error: " + oneLine(err.Error()) + "\n", false
	}
	return reply + "\n", false
}

// errQuit ends a session.
var errQuit = errors.New("quit")

func (s *externalSession) dispatch(ctx context.Context, line string) (string, error) {
	if line == "" {
		return "", errors.New("no command given")
	}
	if hasPrefixFold(line, "board:") {
		return s.bestAction(ctx, line)
	}
	word, rest := cutWord(line)
	switch strings.ToLower(word) {
	case "version", "help", "quit", "exit":
		if rest != "" {
			return "", syntaxError(token(rest), "EOL")
		}
		return s.simple(strings.ToLower(word))
	case "set":
		return s.set(rest)
	case "evaluation":
		return s.evaluation(ctx, rest)
	case "fibsboard":
		return "", syntaxError(token(rest), "E_STRING")
	}
	return "", syntaxError(token(line), "")
}

func (s *externalSession) simple(word string) (string, error) {
	switch word {
	case "version":
		return fmt.Sprintf("Interface: 2\nRFBF: 0\nEngine: %s\nSoftware: %s", s.Identity.Version, s.Identity.Name), nil
	case "help":
		return "\tNo help information available", nil
	}
	return "", errQuit
}

func (s *externalSession) set(text string) (string, error) {
	option, value := cutWord(text)
	switch strings.ToLower(option) {
	case "debug":
		on, ok := parseBool(value)
		if !ok {
			return "", syntaxError(token(value), "E_BOOLEAN")
		}
		s.debug = on
		return "Debug output " + strings.ToUpper(onOff(on)), nil
	case "interface":
		switch strings.ToLower(value) {
		case "new":
			return "New interface ON", nil
		case "old":
			return "New interface OFF", nil
		}
		return "", syntaxError(token(value), "NEW or OLD")
	case "prompt":
		if value == "" {
			return "", syntaxError("EOL", "E_STRING")
		}
		return "", errors.New("set option 'prompt' not supported")
	}
	return "", syntaxError(token(text), "DEBUG or E_INTERFACE or PROMPT")
}

// bestAction answers a board line with what to do.
func (s *externalSession) bestAction(ctx context.Context, line string) (string, error) {
	b, rest, err := notation.CutFIBS(line)
	if err != nil {
		return "", err
	}
	opts, err := s.readOptions(rest, false)
	if err != nil {
		return "", err
	}
	state, err := opts.state(b)
	if err != nil {
		return "", err
	}
	if r, _ := state.Position.Result(); r != bg.Unfinished {
		return "", errors.New("the game is over")
	}
	if state.Beavers > 0 && s.last.beavers > 0 && s.last.position == state.Position {
		state.Beavers = s.last.beavers + 1
	}
	s.last = offer{}
	action, err := s.resign(ctx, &b, state)
	if action == "" && err == nil {
		action, err = s.decide(ctx, state)
	}
	if err != nil {
		return "", err
	}
	if action == "beaver" {
		s.last = offer{state.Position, state.Beavers + 1}
	}
	if s.debug {
		return debugText(&b, &state, &opts) + action, nil
	}
	return action, nil
}

// resign returns the offer to resign the game of b, or nothing. What the client has declined is
// not offered again.
func (s *externalSession) resign(ctx context.Context, b *notation.FIBS, state bg.State) (string, error) {
	if !s.gnubg || s.NoResign || state.Doubled || state.Resigned != bg.Unfinished {
		return "", nil
	}
	if score := [3]int{b.Length, b.Score[0], b.Score[1]}; score != s.score {
		s.score, s.resigned = score, bg.Unfinished
	}
	r, err := s.Engine.Resigns(ctx, state)
	if err != nil || r <= s.resigned {
		return "", err
	}
	s.resigned = r
	return [...]string{bg.Single: "resign normal", bg.Gammon: "resign gammon", bg.Backgammon: "resign backgammon"}[r], nil
}

// decide returns the action for s in the words of the protocol.
func (s *externalSession) decide(ctx context.Context, state bg.State) (string, error) {
	switch {
	case state.Doubled:
		answer, err := s.Engine.Answer(ctx, state)
		if answer == Beaver && (!state.Score.Money() || state.Beavers >= state.Rules.Beavers) {
			answer = Take
		}
		return [...]string{Pass: "drop", Take: "take", Beaver: "beaver"}[answer], err
	case state.Resigned != bg.Unfinished:
		accepts, err := s.Engine.Accepts(ctx, state)
		if accepts {
			return "accept", err
		}
		return "reject", err
	case state.Dice.Rolled():
		m, err := s.Engine.BestMove(ctx, state)
		return wireMove(m, state.Position, state.Dice), err
	}
	if !mayDouble(&state) {
		return "roll", nil
	}
	doubles, err := s.Engine.Doubles(ctx, state)
	if doubles {
		return "double", err
	}
	return "roll", err
}

// mayDouble reports whether the rules let the player on roll double.
func mayDouble(s *bg.State) bool {
	if s.Rules.NoCube || s.Score.Crawford || s.Cube.Owner == bg.Opponent {
		return false
	}
	return s.Rules.MaxCube == 0 || s.Cube.Value < s.Rules.MaxCube
}

// wireMove writes a move as the server of gnubg does: single steps in the order of the dice as
// far as their order does not matter, numbers for bar and off, a blank behind fewer than four.
func wireMove(m bg.Move, pos bg.Position, dice bg.Dice) string {
	if m.Len() == 2 && int(m.Steps()[0].From)-int(m.Steps()[0].To) != int(dice[0]) {
		a, b := m.Steps()[0], m.Steps()[1]
		swapped := bg.NewMove(b, a)
		if a.To != b.From && a.From != bg.Bar && b.To != bg.Off && a.To != b.To && pos.After(swapped) == pos.After(m) {
			m = swapped
		}
	}
	text := m.FIBS()
	if n := m.Len(); n > 0 && n < 4 {
		text += " "
	}
	return text
}

// evaluation answers "evaluation fibsboard".
func (s *externalSession) evaluation(ctx context.Context, text string) (string, error) {
	word, rest := cutWord(text)
	if !strings.EqualFold(word, "fibsboard") {
		return "", syntaxError(token(text), "FIBSBOARD")
	}
	if !hasPrefixFold(rest, "board:") {
		return "", syntaxError(token(rest), "E_STRING")
	}
	b, rest, err := notation.CutFIBS(rest)
	if err != nil {
		return "", err
	}
	opts, err := s.readOptions(rest, true)
	if err != nil {
		return "", err
	}
	state, err := opts.state(b)
	if err != nil {
		return "", err
	}
	p, value, err := s.Engine.Evaluate(ctx, state, opts.ply, opts.cubeful)
	if err != nil {
		return "", err
	}
	reply := fmt.Sprintf("%f %f %f %f %f %f", p.Win, p.WinGammon, p.WinBackgammon, p.LoseGammon, p.LoseBackgammon, value)
	if s.debug {
		return debugText(&b, &state, &opts) + reply, nil
	}
	return reply, nil
}

// sessionOptions are what may follow a board line.
type sessionOptions struct {
	layout      notation.Layout
	rules       bg.Rules
	resignation int
	ply         int
	cubeful     bool
}

// state returns the state of b under the options.
func (o *sessionOptions) state(b notation.FIBS) (bg.State, error) {
	s, err := boardState(b, o.layout, o.rules)
	if err == nil && o.resignation > 0 && !s.Doubled {
		s.Resigned = bg.Result(o.resignation)
	}
	return s, err
}

// readOptions reads the options behind a board line; later ones win.
func (s *externalSession) readOptions(text string, evaluation bool) (o sessionOptions, err error) {
	o.layout, o.rules = notation.GNUBGLayout, s.Rules
	if s.FIBSScores {
		o.layout = notation.FIBSLayout
	}
	words := strings.Fields(text)
	for len(words) > 0 && err == nil {
		word := strings.ToLower(words[0])
		words = words[1:]
		switch word {
		case "jacobyrule", "crawfordrule", "beavers":
			var on bool
			if on, words, err = takeBool(words); err == nil {
				o.setRule(word, on)
			}
		case "resignation":
			o.resignation, words, err = takeInt(words, 0, 3)
		default:
			if !evaluation {
				return o, syntaxError(token(word), "EOL")
			}
			words, err = o.readEvaluationOption(s.MaxPly, word, words)
		}
	}
	return o, err
}

func (o *sessionOptions) setRule(word string, on bool) {
	switch word {
	case "jacobyrule":
		o.rules.Jacoby = on
	case "crawfordrule":
		o.rules.NoCrawford = !on
	case "beavers":
		o.rules.Beavers = 0
		if on {
			o.rules.Beavers = 3
		}
	}
}

// readEvaluationOption reads an option of an evaluation and what belongs to it from words.
func (o *sessionOptions) readEvaluationOption(maxPly int, word string, words []string) (rest []string, err error) {
	switch word {
	case "plies":
		o.ply, words, err = takeInt(words, 0, maxPly)
	case "cubeful":
		o.cubeful = true
	case "cubeless":
		o.cubeful = false
	case "cube":
		o.cubeful, words, err = takeBool(words)
	case "prune", "deterministic": // kotra always prunes and is always deterministic
		if len(words) > 0 {
			if _, ok := parseBool(words[0]); ok {
				words = words[1:]
			}
		}
	case "noise":
		if len(words) == 0 {
			return words, syntaxError("EOL", "E_INTEGER or E_FLOAT")
		}
		noise, err := strconv.ParseFloat(words[0], 64)
		if err != nil || noise < 0 {
			return words, syntaxError(token(words[0]), "E_INTEGER or E_FLOAT")
		}
		if noise != 0 {
			return words, errors.New("noise is not supported")
		}
		words = words[1:]
	default:
		return words, syntaxError(token(word), "EOL")
	}
	return words, err
}

func takeBool(words []string) (on bool, rest []string, err error) {
	if len(words) == 0 {
		return false, words, syntaxError("EOL", "E_BOOLEAN")
	}
	on, ok := parseBool(words[0])
	if !ok {
		return false, words, syntaxError(token(words[0]), "E_BOOLEAN")
	}
	return on, words[1:], nil
}

func takeInt(words []string, low, high int) (v int, rest []string, err error) {
	if len(words) == 0 {
		return 0, words, syntaxError("EOL", "E_INTEGER")
	}
	v, err = strconv.Atoi(words[0])
	if err != nil {
		return 0, words, syntaxError(token(words[0]), "E_INTEGER")
	}
	if v < low || v > high {
		return 0, words, fmt.Errorf("%d is not in the range from %d to %d", v, low, high)
	}
	return v, words[1:], nil
}
