package protocol

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"kotra/analysis"
	"kotra/bg"
	"kotra/bg/notation"
	"kotra/cube"
	"kotra/cube/met"
	"kotra/record"
	"kotra/rollout"
	"kotra/search"
)

// An Analyst is what the text commands of GNU Backgammon need of an engine. All values are seen
// by the player on roll of the state; plies count as in gnubg.
type Analyst interface {
	// Rank returns the plays of the roll of s, the best first.
	Rank(ctx context.Context, s bg.State, ply int, cubeful bool) ([]search.Candidate, error)
	// Decide returns the cube decision of s, and what it is worth.
	Decide(ctx context.Context, s bg.State, ply int) (cube.Decision, search.Value, error)
	// Value returns what s is worth before the roll.
	Value(ctx context.Context, s bg.State, ply int, cubeful bool) (search.Value, error)
	// Answer returns the reply to an offered double.
	Answer(ctx context.Context, s bg.State) (Answer, error)
	// Accepts reports whether to accept an offered resignation.
	Accepts(ctx context.Context, s bg.State) (bool, error)
	// Resigns returns what the player on roll should offer to resign, or bg.Unfinished.
	Resigns(ctx context.Context, s bg.State) (bg.Result, error)
	// Analyze judges a completed match.
	Analyze(ctx context.Context, m *record.Match, ply, cubePly int) (*analysis.Match, error)
	// Static returns the chances of a position without looking ahead.
	Static(pos *bg.Position) bg.Probs
	// RollOut rolls out the n best plays of the roll of s, or its cube actions if the dice have
	// not been rolled, and returns them with the best first.
	RollOut(ctx context.Context, s bg.State, settings rollout.Settings, n int) (rollout.Result, error)
}

// A Console understands the text commands of GNU Backgammon, one a line, and answers in its
// words, so that programs which drive gnubg can drive kotra.
type Console struct {
	Engine   Analyst
	Table    *met.Table // nil is Kazaross-XG2
	Identity Identity
	Ply      int // of eval and hint to begin with
	MaxPly   int
	NoResign bool           // the computer plays lost games on
	Filter   *search.Filter // of the searches; nil is [search.Normal]
	// About describes the engine in lines for "show engine"; nil says nothing.
	About func() string
	// WithMET returns the engine with another match equity table; nil if it has no other.
	WithMET func(*met.Table) (Analyst, error)
	// Prompt is written before each command is read; empty for input that is no terminal.
	Prompt string
	// Files lets the user read and write files.
	Files bool
	// Line, if not nil, reads a line in place of Serve's input.
	Line func(prompt string) (string, error)
}

// Serve answers the lines of in on out until in ends, the user quits or ctx is done.
func (c *Console) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s := newConsoleSession(ctx, c, out)
	s.banner()
	lines := newLineReader(in)
	for ctx.Err() == nil {
		var line string
		var err error
		if c.Line != nil {
			if err = s.out.Flush(); err == nil {
				line, err = c.Line(s.prompt)
			}
		} else {
			line, err = lines.next()
		}
		switch {
		case errors.Is(err, errLongLine):
			s.printf("The line is longer than %d bytes.\n", maxLine)
		case errors.Is(err, io.EOF):
			return s.out.Flush()
		case err != nil:
			return err
		case s.execute(line):
			return s.out.Flush()
		}
		if err := s.out.Flush(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// consoleSession is one conversation.
type consoleSession struct {
	*Console
	language *consoleLanguage
	ctx      context.Context // of the session; a command may take long
	out      *bufio.Writer
	prompt   string
	quit     bool
	dice     *mersenne
	seed     uint32
	defaults [2]string // names of the players in new matches
	players  [2]consolePlayer
	options  consoleOptions
	game     consoleGame
	target   int                // the player that "set player" is about
	analysis *analysis.Match    // the last one
	hints    []search.Candidate // of the last hint
	hinted   bg.State           // that it was about
	scope    scope              // whose strength is set
	speed    float64            // static evaluations a second, 0 before it has been measured
}

// consolePlayer is a player of the console. Player 0 is O and at the top.
type consolePlayer struct {
	name     string
	computer bool
	checker  strength
	cube     strength
}

// consoleOptions are the settings of the program.
type consoleOptions struct {
	checker, cube                 strength // of eval and hint
	analysisChecker, analysisCube strength
	rollout                       rollout.Settings
	truncate                      int // turns of a truncated rollout
	limits                        rolloutLimits
	length                        int // of new matches
	rules                         bg.Rules
	autoGame                      bool
	autoRoll                      bool
	autoMove                      bool
	autoBearoff                   bool
	autoCrawford                  bool
	noDisplay                     bool
	clockwise                     bool
	mwc                           bool // show match winning chances
	matchPercent                  bool
	winPercent                    bool
	digits                        int
	plainHints                    bool // no third line in hints
	confirmNew, confirmSave       bool // what the user said; nobody is ever asked
}

// consoleGame is the match and the game in progress.
type consoleGame struct {
	state bg.State
	// match is what has been played, nil before the first game.
	match    *record.Match
	finished int // games
	// declined is the largest resignation that the computer has offered in this game.
	declined bg.Result
	// past holds the moments that "previous" goes back to, the present one last, and future
	// those that "next" returns to, the nearest last.
	past, future []consoleMoment
}

// A consoleMoment is a state with how much of the match had been recorded by then.
type consoleMoment struct {
	state                    bg.State
	finished, games, actions int
}

// started reports whether a match or session has begun.
func (g *consoleGame) started() bool { return g.match != nil }

// last returns the game in progress.
func (g *consoleGame) last() *record.Game {
	if g.match == nil || len(g.match.Games) == 0 {
		return nil
	}
	return g.match.Games[len(g.match.Games)-1]
}

// shown returns the index of the game that the present moment is in, which is not the last one if the
// user has gone back; -1 if there is none.
func (g *consoleGame) shown() int {
	switch {
	case g.match == nil:
		return -1
	case len(g.future) > 0 && len(g.past) > 0:
		return g.past[len(g.past)-1].games - 1
	}
	return len(g.match.Games) - 1
}

// cut forgets what was played after the present moment, if the user has gone back.
func (g *consoleGame) cut() {
	if len(g.future) == 0 {
		return
	}
	g.future = nil
	now := g.past[len(g.past)-1]
	g.finished = now.finished
	g.match.Games = g.match.Games[:now.games]
	if last := g.last(); last != nil {
		last.Actions = last.Actions[:now.actions]
		if now.state.Status == bg.Playing {
			last.Outcome = nil
		}
	}
}

// set makes state the present one, to which the given actions have led.
func (g *consoleGame) set(state bg.State, actions ...record.Action) {
	g.cut()
	g.state = state
	now := consoleMoment{state: state, finished: g.finished}
	if last := g.last(); last != nil {
		last.Actions = append(last.Actions, actions...)
		now.games, now.actions = len(g.match.Games), len(last.Actions)
	}
	g.past = append(g.past, now)
}

// setUp makes state, made by hand, the present one.
func (g *consoleGame) setUp(state bg.State) {
	setup := setupOf(&state)
	g.set(state, record.Action{Kind: record.Setup, Player: state.Seat, Setup: &setup})
}

// setupOf returns what sets a game up to be in state.
func setupOf(state *bg.State) record.State {
	seat := state.Seat
	setup := record.State{Sides: &[2]bg.Side{}, OnRoll: &seat, Dice: state.Dice, Cube: state.Cube.Value}
	setup.Sides[seat], setup.Sides[1-seat] = state.Position.OnRoll, state.Position.Opponent
	owner := map[bg.Owner]int{bg.Centered: -1, bg.OnRoll: seat, bg.Opponent: 1 - seat}[state.Cube.Owner]
	setup.Owner = &owner
	return setup
}

func newConsoleSession(ctx context.Context, c *Console, out io.Writer) *consoleSession {
	s := &consoleSession{
		Console: c, language: newConsoleLanguage(), ctx: ctx, out: newWriter(out), prompt: c.Prompt,
		defaults: [2]string{"gnubg", "user"},
	}
	s.players[0] = consolePlayer{name: "gnubg", computer: true}
	s.players[1] = consolePlayer{name: "user"}
	for i := range s.players {
		s.players[i].checker.ply, s.players[i].cube.ply = c.Ply, c.Ply
	}
	s.options = consoleOptions{
		checker: strength{ply: c.Ply}, cube: strength{ply: c.Ply},
		analysisChecker: strength{ply: c.Ply}, analysisCube: strength{ply: c.Ply},
		rollout: rollout.Settings{Trials: 1296}, truncate: 10,
		limits: rolloutLimits{minimum: 324, maxError: 0.01, minimumJSD: 324, jsd: 2.33, after: 5},
		length: 7, digits: 3, autoCrawford: true, autoGame: true, autoRoll: true, matchPercent: true,
		rules: bg.Rules{Jacoby: true, Beavers: 3}, confirmNew: true, confirmSave: true,
	}
	s.randomSeed()
	s.game.state = bg.NewGame(s.options.rules)
	s.game.state.Status = bg.NotStarted
	return s
}

func newWriter(w io.Writer) *bufio.Writer { return bufio.NewWriter(w) }

func (s *consoleSession) randomSeed() {
	var seed [4]byte
	_, _ = rand.Read(seed[:]) // never fails
	s.seedDice(binary.LittleEndian.Uint32(seed[:]))
}

func (s *consoleSession) seedDice(seed uint32) {
	s.seed, s.dice = seed, newMersenne(seed)
}

func (s *consoleSession) printf(format string, args ...any) {
	fmt.Fprintf(s.out, format, args...)
}

// println writes a sentence.
func (s *consoleSession) println(text string) { s.printf("%s\n", text) }

// banner writes the nine lines with which gnubg begins.
func (s *consoleSession) banner() {
	s.printf("%s\n\n", s.Identity.Name+" "+s.Identity.Version)
	s.printf("Backgammon engine with the text commands of GNU Backgammon.\n")
	s.printf("Free software under the MIT license.\n\n")
	s.printf("For help type `help'.\n\n\n\n")
}

// execute carries out one line and reports whether the session ends.
func (s *consoleSession) execute(line string) (quit bool) {
	line = strings.TrimSpace(strings.Trim(line, "\x00"))
	if line == "" || line[0] == '#' || line[0] == ':' || line[0] == '>' {
		return false
	}
	s.run(s.language.commands, line)
	return s.quit
}

// A consoleCommand is a word of the language, with what it does or the words that follow it.
type consoleCommand struct {
	word string
	help string
	args string // what follows the word, for help
	run  func(s *consoleSession, args string)
	sub  []consoleCommand
	// hidden words are not listed by help.
	hidden bool
}

// run finds the command that a line starts with and carries it out. A word may be cut to a
// prefix: the first command of the list that it fits is meant.
func (s *consoleSession) run(commands []consoleCommand, line string) {
	word, args := cutWord(line)
	if word == "" {
		s.println("Incomplete command.")
		return
	}
	c := findCommand(commands, word)
	switch {
	case c == nil:
		s.printf("Unknown keyword `%s'.\n\n", word)
	case c.sub != nil:
		s.run(c.sub, args)
	case c.run == nil:
		s.printf("kotra does not have the command `%s'.\n", c.word)
	default:
		c.run(s, args)
	}
}

func findCommand(commands []consoleCommand, word string) *consoleCommand {
	for i := range commands {
		if hasPrefixFold(commands[i].word, word) {
			return &commands[i]
		}
	}
	return nil
}

// names returns the names of both players.
func (s *consoleSession) names() [2]string {
	return [2]string{s.players[0].name, s.players[1].name}
}

// showBoard draws the board.
func (s *consoleSession) showBoard() {
	s.printf("%s", notation.Draw(s.game.state, notation.DrawOptions{Clockwise: s.options.clockwise, Names: s.names()}))
}

// switchArg reads "on" or "off" for the named setting.
func (s *consoleSession) switchArg(name, args string) (on, ok bool) {
	word, _ := cutWord(args)
	if word == "" {
		s.printf("You must specify whether to set '%s' on or off.\n", name)
		return false, false
	}
	for _, name := range []string{"on", "off", "yes", "no", "true", "false"} {
		if on, known := parseBool(name); known && hasPrefixFold(name, word) {
			return on, true
		}
	}
	s.printf("Illegal keyword `%s'.\n", word)
	return false, false
}

// player reads a player: a number, "both" (2) or a name.
func (s *consoleSession) player(text string) (player int, ok bool) {
	switch {
	case text == "0":
		return 0, true
	case text == "1":
		return 1, true
	case strings.EqualFold(text, "both"):
		return 2, true
	}
	for i := range s.players {
		if strings.EqualFold(s.players[i].name, text) {
			return i, true
		}
	}
	return 0, false
}

// failed reports an error of the engine.
func (s *consoleSession) failed(err error) bool {
	if err == nil {
		return false
	}
	if errors.Is(err, context.Canceled) {
		s.println("(Interrupted)")
		return true
	}
	s.println(oneLine(err.Error()))
	return true
}
