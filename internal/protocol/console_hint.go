package protocol

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"kotra/bg"
	"kotra/cube"
	"kotra/cube/met"
	"kotra/eval"
	"kotra/search"
)

// hint gives advice on what the player who has to act should do.
func (s *consoleSession) hint(args string) {
	state := s.game.state
	switch {
	case state.Status != bg.Playing:
		s.println("No game in progress (type `new game' to start one).")
	case state.Resigned != bg.Unfinished:
		s.hintResignation()
	case state.Doubled:
		s.hintCube()
	case state.Dice.Rolled():
		n := 10
		if word, _ := cutWord(args); word != "" {
			if v, err := strconv.Atoi(word); err == nil && v > 0 {
				n = v
			}
		}
		s.hintMoves(n)
	case !mayDouble(&state):
		s.println("You cannot double.")
	default:
		s.hintCube()
	}
}

func (s *consoleSession) hintMoves(n int) {
	state := s.game.state
	if r, _ := state.Position.Result(); r != bg.Unfinished {
		s.println("There are no legal moves.")
		return
	}
	depth := s.options.checker
	if depth.rollout {
		s.hintRollout()
		return
	}
	candidates, err := s.rank(state, &depth)
	if s.failed(err) {
		return
	}
	if candidates[0].Play.Move.Len() == 0 {
		s.println("There are no legal moves.")
		return
	}
	kind := "Cubeful"
	if depth.cubeless {
		kind = "Cubeless"
	}
	s.hints, s.hinted = candidates, state
	best := s.shown(&state, value(&candidates[0].Value, depth.cubeless))
	for i := range candidates[:min(n, len(candidates))] {
		c := &candidates[i]
		equity := value(&c.Value, depth.cubeless)
		s.printf("%5d. %-17s%-28s %s %s", i+1, fmt.Sprintf("%s %d-ply", kind, c.Ply), c.Play.Move.String(), s.unit(&state), s.equity(&state, equity))
		if i > 0 {
			s.printf(" (%s)", s.difference(&state, s.shown(&state, equity)-best))
		}
		s.printf("\n       %s\n", s.probs(&c.Probs))
		if !s.options.plainHints {
			s.printf("        %s\n", settings(c.Ply, &depth))
		}
	}
}

// position reads a Position ID, or =N for the position after the move number N of the last hint.
func (s *consoleSession) position(word string) (bg.Position, bool) {
	if number, ok := strings.CutPrefix(word, "="); ok {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(s.hints) {
			return bg.Position{}, false
		}
		return s.hints[n-1].Play.Result.Flip(), true
	}
	if key, ok := keyOfLetters(word); ok {
		word = key
	}
	pos, err := bg.ParsePositionID(word)
	return pos, err == nil
}

// keyOfLetters returns the Position ID for a text of 20 letters from A to P, which are the
// hexadecimal digits of its ten bytes.
func keyOfLetters(text string) (id string, ok bool) {
	if len(text) != 20 || strings.Trim(text, "ABCDEFGHIJKLMNOP") != "" {
		return "", false
	}
	var key [10]byte
	for i := range key {
		key[i] = (text[2*i]-'A')<<4 | (text[2*i+1] - 'A')
	}
	return base64.RawStdEncoding.EncodeToString(key[:]), true
}

// value returns the equity of v that counts.
func value(v *search.Value, cubeless bool) bg.Equity {
	if cubeless {
		return v.Equity
	}
	return v.Cubeful
}

// settings names how an evaluation was made.
func settings(ply int, x *strength) string {
	text := fmt.Sprintf("%d-ply cubeful", ply)
	if x.cubeless {
		text = fmt.Sprintf("%d-ply cubeless", ply)
	}
	if !x.noPrune {
		text += " prune"
	}
	if x.noise > 0 {
		return text + fmt.Sprintf(" noise %.3f", x.noise)
	}
	if level := map[int]string{0: "expert", 2: "world class", 3: "grandmaster"}[ply]; level != "" && !x.cubeless && !x.noPrune {
		text += " [" + level + "]"
	}
	return text
}

// shown returns eq as the user wants to see it: as a match winning chance if the match and the
// settings say so.
func (s *consoleSession) shown(state *bg.State, eq bg.Equity) float64 {
	if !s.options.mwc || state.Score.Money() {
		return float64(eq)
	}
	game := cube.New(cube.InfoOf(state, s.Table))
	return float64(game.MWC(game.Value(eq)))
}

func (s *consoleSession) unit(state *bg.State) string {
	if s.options.mwc && !state.Score.Money() {
		return "MWC:"
	}
	return "Eq.:"
}

func (s *consoleSession) equity(state *bg.State, eq bg.Equity) string {
	return s.number(state, s.shown(state, eq), false)
}

func (s *consoleSession) difference(state *bg.State, x float64) string {
	return s.number(state, x, true)
}

// number writes an equity or a match winning chance.
func (s *consoleSession) number(state *bg.State, x float64, difference bool) string {
	digits := s.options.digits
	if !s.options.mwc || state.Score.Money() {
		return fmt.Sprintf("%+.*f", digits, x)
	}
	format := "%.*f"
	if difference {
		format = "%+.*f"
	}
	if s.options.matchPercent {
		return fmt.Sprintf(format+"%%", max(digits-1, 0), 100*x)
	}
	return fmt.Sprintf(format, digits, x)
}

// probs writes the six chances of a game.
func (s *consoleSession) probs(p *bg.Probs) string {
	one := func(x float32) string {
		if s.options.winPercent {
			return fmt.Sprintf("%.*f", max(s.options.digits-2, 0), 100*x)
		}
		return fmt.Sprintf("%.*f", s.options.digits, x)
	}
	return fmt.Sprintf("%s %s %s - %s %s %s", one(p.Win), one(p.WinGammon), one(p.WinBackgammon),
		one(1-p.Win), one(p.LoseGammon), one(p.LoseBackgammon))
}

// hintCube writes the analysis of the cube decision.
func (s *consoleSession) hintCube() {
	state := s.game.state
	d, v, err := s.decide(state, &s.options.cube)
	if s.failed(err) {
		return
	}
	s.cubeAnalysis(&state, &d, &v)
}

// cubeAnalysis writes d, seen by the player who has to act.
func (s *consoleSession) cubeAnalysis(state *bg.State, d *cube.Decision, v *search.Value) {
	probs, equity, sign := v.Probs, v.Equity, bg.Equity(1)
	if state.Doubled && state.Decider() != state.Seat {
		probs, equity, sign = v.Probs.Flip(), -v.Equity, -1
	}
	money := ""
	if !state.Score.Money() {
		money = fmt.Sprintf(" (Money: %+.*f)", s.options.digits, probs.Equity())
	}
	s.printf("\nCube analysis\n%d-ply cubeless equity %s%s\n  %s\nCubeful equities:\n",
		v.Ply, s.seen(state, equity, sign), money, s.probs(&probs))
	if d.Action == cube.NoCube {
		s.println("You cannot double.")
		return
	}
	branches := cubeBranches(d)
	for i, b := range branches {
		s.printf("%d. %-20s%s", i+1, b.name, s.seen(state, sign*b.equity, sign))
		if i > 0 {
			mine, best := s.shown(state, b.equity), s.shown(state, branches[0].equity)
			s.printf("  (%s)", s.difference(state, float64(sign)*(mine-best)))
		}
		s.printf("\n")
	}
	s.printf("Proper cube action: %s", d)
	if d.Nerve > 0 {
		s.printf(" (%.1f%%)", 100*d.Nerve)
	}
	s.printf("\n\n")
}

// seen writes an equity of the player who has to act; sign is -1 if he is not on roll.
func (s *consoleSession) seen(state *bg.State, eq, sign bg.Equity) string {
	if !s.options.mwc || state.Score.Money() {
		return fmt.Sprintf("%+.*f", s.options.digits, eq)
	}
	x := s.shown(state, sign*eq)
	if sign < 0 {
		x = 1 - x
	}
	return s.number(state, x, false)
}

// A cubeBranch is one way a cube decision may go.
type cubeBranch struct {
	name   string
	equity bg.Equity
}

// cubeBranches returns the ways that d may go, the proper one first.
func cubeBranches(d *cube.Decision) []cubeBranch {
	none, double := "No double", "Double"
	if d.Redouble {
		none, double = "No redouble", "Redouble"
	}
	stay := cubeBranch{none, d.NoDouble}
	take, pass := cubeBranch{double + ", take", d.DoubleTake}, cubeBranch{double + ", pass", d.DoublePass}
	switch {
	case d.Action.Doubles() && d.Action.Takes():
		return []cubeBranch{take, pass, stay}
	case d.Action.Doubles():
		return []cubeBranch{pass, take, stay}
	case d.Action == cube.TooGoodTake:
		return []cubeBranch{stay, take, pass}
	}
	return []cubeBranch{stay, pass, take}
}

func (s *consoleSession) hintResignation() {
	state := s.game.state
	plain := state
	plain.Resigned = bg.Unfinished
	v, err := s.Engine.Value(s.ctx, plain, s.options.cube.ply, true)
	if s.failed(err) {
		return
	}
	accepts, err := s.Engine.Accepts(s.ctx, state)
	if s.failed(err) {
		return
	}
	worth := bg.Equity(state.Resigned)
	if state.Rules.Jacoby && state.Score.Money() && state.Cube.Owner == bg.Centered {
		worth = 1
	}
	verdict := "Reject"
	if accepts {
		verdict = "Accept"
	}
	digits := s.options.digits
	s.printf("Equity before resignation : %+.*f\nEquity after resignation : %+.*f (%+.*f)\n\nCorrect resign decision : %s\n\n",
		digits, -v.Cubeful, digits, worth, digits, worth+v.Cubeful, verdict)
}

// evaluators are the names of position classes in gnubg.
var evaluators = map[eval.Class]string{
	eval.Over: "Over", eval.Bearoff: "Bearoff", eval.Race: "Race", eval.Crashed: "Crashed", eval.Contact: "Contact",
}

// eval writes the evaluation of the position by depth.
func (s *consoleSession) eval(args string) {
	state := s.game.state
	if state.Status == bg.NotStarted && args == "" {
		s.println("No position specified and no game in progress.")
		return
	}
	if args != "" {
		pos, ok := s.position(strings.Fields(args)[0])
		if !ok {
			s.println("Illegal position.")
			return
		}
		state.Position = pos
	}
	s.printf("Position ID:\t%s\nMatch ID:\t%s\n\nEvaluator: \t%s\n\n", state.Position.ID(), state.MatchID(), evaluators[eval.Classify(&state.Position)])
	s.printf("\n        Win     W(g)    W(bg)   L(g)    L(bg)   Equity    Cubeful  \n")
	state.Doubled, state.Resigned = false, bg.Unfinished
	for ply := range s.options.checker.ply + 1 {
		v, err := s.Engine.Value(s.ctx, state, ply, true)
		if s.failed(err) {
			return
		}
		label := "static"
		if ply > 0 {
			label = fmt.Sprintf("%d ply", ply)
		}
		p := &v.Probs
		s.printf("%6s: %-7.3f %-7.3f %-7.3f %-7.3f %-7.3f %-8s  %-9s \n", label, p.Win, p.WinGammon, p.WinBackgammon,
			p.LoseGammon, p.LoseBackgammon, s.equity(&state, v.Equity), s.equity(&state, v.Cubeful))
	}
	s.printf("\n")
	state.Dice = bg.Dice{}
	if r, _ := state.Position.Result(); r == bg.Unfinished && mayDouble(&state) {
		s.printf("\n")
		d, v, err := s.decide(state, &s.options.cube)
		if !s.failed(err) {
			s.cubeAnalysis(&state, &d, &v)
		}
	}
	s.printf("\n")
}

// convert answers eq2mwc and mwc2eq.
func (s *consoleSession) convert(args string, toChance bool) {
	state := s.game.state
	if state.Score.Money() {
		s.println("Command only valid in match play")
		return
	}
	word, _ := cutWord(args)
	x, err := strconv.ParseFloat(strings.TrimSuffix(word, "%"), 64)
	if err != nil {
		s.println("You must specify a number.")
		return
	}
	game := cube.New(cube.InfoOf(&state, s.Table))
	if toChance {
		s.printf("Equity %+.*f = match winning chance %.2f%%\n", s.options.digits, x, 100*game.MWC(game.Value(bg.Equity(x))))
		return
	}
	if x > 1 {
		x /= 100
	}
	outcomes := s.table().Outcomes(state.Score, state.Cube.Value, state.Rules)
	s.printf("Match winning chance %.2f%% = equity %+.*f\n", 100*x, s.options.digits, outcomes.Equity(met.MWC(x)))
}

func (s *consoleSession) table() *met.Table {
	if s.Table == nil {
		return met.KazarossXG2()
	}
	return s.Table
}
