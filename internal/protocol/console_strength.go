package protocol

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"kotra/bg"
	"kotra/cube"
	"kotra/movegen"
	"kotra/rollout"
	"kotra/search"
)

// strength is how well a decision is made.
type strength struct {
	ply      int
	cubeless bool
	rollout  bool    // by a rollout with the settings of "set rollout"
	noise    float64 // standard deviation of what is added to every equity
	// random noise is new every time; otherwise that of a position is always the same.
	random  bool
	noPrune bool // what the user said: kotra's searches always prune
}

// A scope is whose strength is set: a setting and what it is called.
type scope struct {
	who string
	*strength
}

// noiseOf returns the error of x about a position, in points.
func (x *strength) noiseOf(pos *bg.Position) bg.Equity {
	if x.noise == 0 {
		return 0
	}
	if x.random {
		return bg.Equity(x.noise * rand.NormFloat64())
	}
	h := fnv.New64a()
	h.Write(pos.OnRoll[:])
	h.Write(pos.Opponent[:])
	r := rand.New(rand.NewPCG(h.Sum64(), 0))
	return bg.Equity(x.noise * r.NormFloat64())
}

// rank returns the plays of the roll of state as a player of strength x sees them, the best first.
func (s *consoleSession) rank(state bg.State, x *strength) ([]search.Candidate, error) {
	candidates, err := s.Engine.Rank(s.ctx, state, x.ply, !x.cubeless)
	if err != nil || len(candidates) < 2 {
		return candidates, err
	}
	if x.rollout {
		result, err := s.rolledOut(state, x)
		if err != nil {
			return nil, err
		}
		return rolledCandidates(candidates, &result), nil
	}
	if x.noise == 0 {
		return candidates, nil
	}
	candidates = slices.Clone(candidates)
	for i := range candidates {
		noise := x.noiseOf(&candidates[i].Play.Result)
		candidates[i].Equity += noise
		candidates[i].Cubeful += noise
	}
	slices.SortStableFunc(candidates, func(a, b search.Candidate) int {
		return cmp.Compare(value(&b.Value, x.cubeless), value(&a.Value, x.cubeless))
	})
	return candidates, nil
}

// rolledCandidates returns the plays of r in its order with what it found, and behind them those
// that were not rolled out.
func rolledCandidates(candidates []search.Candidate, r *rollout.Result) []search.Candidate {
	ranked := make([]search.Candidate, 0, len(candidates))
	find := func(pos *bg.Position) int {
		return slices.IndexFunc(candidates, func(c search.Candidate) bool { return c.Play.Result == *pos })
	}
	rolled := make([]bool, len(candidates))
	for i := range r.Estimates {
		e := &r.Estimates[i]
		if at := find(&e.Position); at >= 0 {
			rolled[at] = true
			ranked = append(ranked, search.Candidate{
				Play:  candidates[at].Play,
				Value: search.Value{Probs: e.Probs, Equity: e.Equity, Cubeful: e.Cubeful, Ply: r.Settings.Ply},
			})
		}
	}
	for i := range candidates {
		if !rolled[i] {
			ranked = append(ranked, candidates[i])
		}
	}
	return ranked
}

// decide returns the cube decision of state as a player of strength x sees it, and the evaluation
// that it rests on.
func (s *consoleSession) decide(state bg.State, x *strength) (cube.Decision, search.Value, error) {
	if x.rollout {
		return s.decideByRollout(state, x)
	}
	d, v, err := s.Engine.Decide(s.ctx, state, x.ply)
	if err != nil || x.noise == 0 {
		return d, v, err
	}
	noise := x.noiseOf(&state.Position)
	game := cube.New(cube.InfoOf(&state, s.Table))
	v.Equity += noise
	v.Cubeful += noise
	return game.Decide(game.Value(d.NoDouble+noise), game.Value(d.DoubleTake+noise)), v, nil
}

func (s *consoleSession) decideByRollout(state bg.State, x *strength) (cube.Decision, search.Value, error) {
	result, err := s.rolledOut(state, x)
	if err != nil {
		return cube.Decision{}, search.Value{}, err
	}
	game := cube.New(cube.InfoOf(&state, s.Table))
	none := &result.Estimates[0]
	take := game.Value(none.Cubeful) // ignored where there is no double
	if len(result.Estimates) > 1 {
		take = game.Value(result.Estimates[1].Cubeful)
	}
	v := search.Value{Probs: none.Probs, Equity: none.Equity, Cubeful: none.Cubeful, Ply: result.Settings.Ply}
	return game.Decide(game.Value(none.Cubeful), take), v, nil
}

// rolledOut rolls out the decision of state for a player of strength x.
func (s *consoleSession) rolledOut(state bg.State, x *strength) (rollout.Result, error) {
	settings := s.options.rolloutSettings()
	settings.Cubeless = settings.Cubeless || x.cubeless
	state.Doubled, state.Resigned = false, bg.Unfinished
	return s.Engine.RollOut(s.ctx, state, settings, rolledOut)
}

// answer returns the reply to the offered double of state by a player of strength x.
func (s *consoleSession) answer(state bg.State, x *strength) (Answer, error) {
	if state.Beavers > 0 {
		return s.Engine.Answer(s.ctx, state)
	}
	d, _, err := s.decide(state, x)
	switch d.Answer() {
	case cube.Pass:
		return Pass, err
	case cube.Beaver, cube.Raccoon:
		return Beaver, err
	}
	return Take, err
}

// strengthCommands are the words that follow whose strength is set.
func strengthCommands() []consoleCommand {
	return []consoleCommand{
		{word: "evaluation", help: "Specify parameters for neural net evaluation", sub: strengthLeaves()},
		{word: "rollout", help: "Specify parameters for rollout"},
		{word: "type", help: "Specify type (evaluation or rollout)", run: (*consoleSession).setType},
	}
}

// strengthLeaves are the settings of an evaluation.
func strengthLeaves() []consoleCommand {
	return []consoleCommand{
		{word: "cubeful", help: "Cubeful evaluations", run: (*consoleSession).setCubeful},
		{word: "deterministic", help: "Specify whether added noise is determined by position", run: (*consoleSession).setDeterministic},
		{word: "noise", help: "Distort evaluations with noise", run: (*consoleSession).setNoise},
		{word: "plies", help: "Choose how many plies to look ahead", run: (*consoleSession).setPlies},
		{word: "prune", help: "use fast pruning networks", run: func(s *consoleSession, args string) {
			if on, ok := s.switchArg("prune", args); ok {
				s.scope.noPrune = !on
				s.printf("%s will %suse pruning.\n\n", s.scope.who, map[bool]string{false: "not "}[on])
			}
		}},
	}
}

// setStrength reads "evaluation plies 2" and the like.
func (s *consoleSession) setStrength(who string, target *strength, args string) {
	s.scope = scope{who, target}
	s.run(s.language.strength, args)
}

func (s *consoleSession) setPlies(args string) {
	n, err := strconv.Atoi(strings.TrimSpace(args))
	switch {
	case err != nil || n < 0 || n > 7:
		s.println("Valid numbers of plies to look ahead are 0 to 7.")
	case n > s.MaxPly:
		s.printf("kotra looks ahead %d plies at most.\n", s.MaxPly)
	default:
		s.scope.ply = n
	}
	s.printf("%s will use %d ply evaluation.\n", s.scope.who, s.scope.ply)
}

func (s *consoleSession) setCubeful(args string) {
	on, ok := s.switchArg("cubeful", args)
	if !ok {
		return
	}
	s.scope.cubeless = !on
	kind := "cubeless"
	if on {
		kind = "cubeful"
	}
	s.printf("%s will use %s evaluation.\n\n", s.scope.who, kind)
}

func (s *consoleSession) setDeterministic(args string) {
	on, ok := s.switchArg("deterministic", args)
	if !ok {
		return
	}
	s.scope.random = !on
	kind := "pseudo-random"
	if on {
		kind = "deterministic"
	}
	s.printf("%s will use %s noise.\n\n", s.scope.who, kind)
}

func (s *consoleSession) setNoise(args string) {
	x, err := strconv.ParseFloat(strings.TrimSpace(args), 64)
	switch {
	case err != nil || x < 0 || x > 10 || math.IsNaN(x):
		s.println("You must specify a valid amount of noise to use (see `help set evaluation noise').")
		return
	case x > 0:
		s.printf("%s will use noise with standard deviation %5.3f.\n", s.scope.who, x)
	default:
		s.printf("%s will use noiseless evaluations.\n", s.scope.who)
	}
	s.scope.noise = x
}

func (s *consoleSession) setType(args string) {
	word, _ := cutWord(args)
	switch {
	case word != "" && hasPrefixFold("evaluation", word):
		s.scope.rollout = false
		s.printf("%s will now use Neural net evaluation.\n", s.scope.who)
	case word != "" && hasPrefixFold("rollout", word):
		s.scope.rollout = true
		s.printf("%s will now use Rollout.\n", s.scope.who)
	default:
		s.printf("Unknown keyword `%s'.\n\n", word)
	}
}

// strengthText describes an evaluation.
func strengthText(x *strength) string {
	var b strings.Builder
	b.WriteString("        " + strconv.Itoa(x.ply) + "-ply evaluation.\n        ")
	if x.noPrune {
		b.WriteString("Not using pruning neural nets.        ")
	} else {
		b.WriteString("Using pruning neural nets.        ")
	}
	if x.cubeless {
		b.WriteString("Cubeless evaluations.\n")
	} else {
		b.WriteString("Cubeful evaluations.\n")
	}
	switch {
	case x.noise == 0:
		b.WriteString("        Noiseless evaluations.\n")
	case x.random:
		b.WriteString("        Noise standard deviation " + strconv.FormatFloat(x.noise, 'f', 3, 64) + " (pseudo-random noise).\n\n")
	default:
		b.WriteString("        Noise standard deviation " + strconv.FormatFloat(x.noise, 'f', 3, 64) + " (deterministic noise).\n\n")
	}
	return b.String()
}

// calibrate measures how many positions a second are evaluated, in as many rounds as args say.
func (s *consoleSession) calibrate(args string) {
	word, _ := cutWord(args)
	rounds := 10
	if word != "" {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > 1000 {
			s.println("If you specify a parameter to `calibrate', it must be a number of iterations to run.")
			return
		}
		rounds = n
	}
	positions := calibrationPositions()
	evaluated, begin := 0, time.Now()
	for range rounds {
		for i := range positions {
			s.Engine.Static(&positions[i])
		}
		evaluated += len(positions)
		if s.ctx.Err() != nil {
			break
		}
	}
	s.speed = float64(evaluated) / max(time.Since(begin).Seconds(), 1e-9)
	s.printf("Calibration result: %.0f static evaluations/second.\n", s.speed)
}

func (s *consoleSession) showCalibration(string) {
	if s.speed == 0 {
		s.println("No evaluation speed has been recorded.")
		return
	}
	s.printf("Evaluation speed has been set to %.0f evaluations per second.\n", s.speed)
}

// calibrationPositions returns positions of a game that is played at random.
func calibrationPositions() []bg.Position {
	const n = 2000
	r := rand.New(rand.NewPCG(1, 2))
	positions := make([]bg.Position, 0, n)
	pos := bg.Start()
	var plays []movegen.Play
	for len(positions) < n {
		dice := bg.Dice{uint8(1 + r.IntN(6)), uint8(1 + r.IntN(6))}
		plays = movegen.Plays(plays[:0], &pos, dice)
		pos = plays[r.IntN(len(plays))].Result
		if result, _ := pos.Result(); result != bg.Unfinished {
			pos = bg.Start()
			continue
		}
		positions = append(positions, pos)
	}
	return positions
}
