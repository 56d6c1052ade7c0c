package protocol

import (
	"fmt"
	"strconv"
	"strings"

	"kotra/rollout"
)

// rolledOut is how many plays a rollout compares.
const rolledOut = 5

// rollOut rolls out the plays of the roll, or the cube actions before it, and lists them.
func (s *consoleSession) rollOut(args string) {
	state := s.game.state
	switch {
	case args != "":
		s.println("The rollout command takes no arguments and only rollouts the current position")
		return
	case !s.playing():
		return
	}
	result, err := s.Engine.RollOut(s.ctx, state, s.options.rollout, rolledOut)
	if s.failed(err) {
		return
	}
	s.printf("\nRollout done. Printing final results.\n")
	for i := range result.Estimates {
		e := &result.Estimates[i]
		equity, stdErr := e.Cubeful, e.CubefulError
		if s.options.rollout.Cubeless {
			equity, stdErr = e.Equity, e.StdErr
		}
		s.printf("%5d. %-17s%-28s %s %s", i+1, "Rollout", e.Name, s.unit(&state), s.equity(&state, equity))
		if i > 0 {
			first := &result.Estimates[0]
			best := first.Cubeful
			if s.options.rollout.Cubeless {
				best = first.Equity
			}
			s.printf(" (%s)", s.difference(&state, s.shown(&state, equity)-s.shown(&state, best)))
		}
		s.printf("\n       %s\n        %d trials, standard error %.*f\n", s.probs(&e.Probs), e.Trials, s.options.digits, stdErr)
	}
}

func (s *consoleSession) rolloutNumber(args, ask, done string, low int, target *int) {
	n, err := strconv.Atoi(strings.TrimSpace(args))
	if err != nil || n < low || n > 1<<30 {
		s.println(ask)
		return
	}
	*target = n
	s.println(fmt.Sprintf(done, n))
}

// rolloutCommands follow "set rollout".
func rolloutCommands() []consoleCommand {
	plies := func(who string, target func(*rollout.Settings) *int) func(*consoleSession, string) {
		return func(s *consoleSession, args string) {
			x := strength{ply: *target(&s.options.rollout)}
			s.scope = scope{who, &x}
			s.setPlies(args)
			*target(&s.options.rollout) = x.ply
		}
	}
	return []consoleCommand{
		{word: "bearofftruncation", sub: []consoleCommand{
			{word: "exact", run: choose("bearofftruncation exact", nil, "Will truncate *cubeless* rollouts when reaching exact bearoff database", "Will not truncate *cubeless* rollouts when reaching exact bearoff database")},
			{word: "onesided", run: choose("bearofftruncation onesided", nil, "Will truncate *cubeless* rollouts when reaching one-sided bearoff database", "Will not truncate *cubeless* rollouts when reaching one-sided bearoff database")},
		}},
		{word: "chequerplay", sub: []consoleCommand{
			{word: "plies", run: plies("Chequer play in rollouts", func(x *rollout.Settings) *int { return &x.Ply })},
		}},
		{word: "cubedecision", sub: []consoleCommand{
			{word: "plies", run: plies("Cube decisions in rollouts", func(x *rollout.Settings) *int { return &x.CubePly })},
		}},
		{word: "cubeful", run: func(s *consoleSession, args string) {
			on := !s.options.rollout.Cubeless
			choose("cubeful", func(*consoleSession) *bool { return &on }, "Cubeful rollouts will be performed.", "Cubeless rollouts will be performed.")(s, args)
			s.options.rollout.Cubeless = !on
		}},
		{word: "initial", run: choose("initial", nil, "Rollouts will be made as the initial position of a game.", "Rollouts will be made for normal (non-opening) positions.")},
		{word: "jsd", sub: []consoleCommand{
			{word: "limit"},
			{word: "stop", run: func(s *consoleSession, args string) {
				on := s.options.rollout.StopJSD > 0
				choose("stop", func(*consoleSession) *bool { return &on }, "Stop rollout of moves choices with high JSDs", "Do not stop rollout of moves choices on JSDs")(s, args)
				s.options.rollout.StopJSD = 0
				if on {
					s.options.rollout.StopJSD = 2.33
				}
			}},
		}},
		{word: "later", sub: []consoleCommand{
			{word: "enable", run: choose("enable", nil, "Change evaluations during rollout is not supported.", "Do not change evaluations during rollout.")},
		}},
		{word: "limit", sub: []consoleCommand{
			{word: "enable", run: choose("enable", nil, "Stop rollouts based on STDs is not supported", "Do not stop rollout based on STDs")},
		}},
		{word: "quasirandom", run: quasiRandom},
		{word: "rng", run: say("You are already using the Mersenne Twister generator.")},
		{word: "rotate", run: quasiRandom},
		{word: "seed", run: func(s *consoleSession, args string) {
			n, err := strconv.ParseUint(strings.TrimSpace(args), 10, 64)
			if err != nil {
				s.println("You must specify a valid seed (see `help set seed').")
				return
			}
			s.options.rollout.Seed = n
			s.printf("Rollout seed set to %d.\n", n)
		}},
		{word: "trials", run: func(s *consoleSession, args string) {
			s.rolloutNumber(args, "You must specify a valid number of trials to make (see `help set rollout trials').",
				"%d games will be played per rollout.", 1, &s.options.rollout.Trials)
		}},
		{word: "truncation", sub: []consoleCommand{
			{word: "enable", run: func(s *consoleSession, args string) {
				on := s.options.truncate > 0
				choose("enable", func(*consoleSession) *bool { return &on }, "Games in rollouts will be stopped after a fixed number of moves.", "Games in rollouts will be played out until the end.")(s, args)
				s.options.rollout.Truncate = 0
				if on {
					s.options.rollout.Truncate = s.options.truncate
				}
			}},
			{word: "plies", run: func(s *consoleSession, args string) {
				s.rolloutNumber(args, "You must specify a valid ply to truncate at.", "Rollouts will be truncated after %d plies.", 0, &s.options.truncate)
				if s.options.rollout.Truncate > 0 {
					s.options.rollout.Truncate = s.options.truncate
				}
			}},
		}},
		{word: "varredn", run: func(s *consoleSession, args string) {
			on := !s.options.rollout.NoVarianceReduction
			choose("varredn", func(*consoleSession) *bool { return &on }, "Will use lookahead during rollouts to reduce variance.", "Will not use lookahead variance reduction during rollouts.")(s, args)
			s.options.rollout.NoVarianceReduction = !on
		}},
	}
}

func quasiRandom(s *consoleSession, args string) {
	on := !s.options.rollout.PlainDice
	choose("quasirandom", func(*consoleSession) *bool { return &on }, "Use quasi-random dice in rollouts", "Use pseudo-random dice in rollouts")(s, args)
	s.options.rollout.PlainDice = !on
}

// showRollout writes how rollouts are made.
func (s *consoleSession) showRollout(string) {
	r := &s.options.rollout
	s.printf("`rollout' will use:\n%d games will be played per rollout.\n", r.Trials)
	if r.Truncate > 0 {
		s.printf("Truncation after %d plies.\n", r.Truncate)
	} else {
		s.printf("No truncation.\n")
	}
	either := func(on bool, yes, no string) {
		if on {
			s.println(yes)
		} else {
			s.println(no)
		}
	}
	either(!r.NoVarianceReduction, "Lookahead variance reduction is enabled.", "Lookahead variance reduction is disabled.")
	either(!r.PlainDice, "Quasi-random dice are enabled.", "Quasi-random dice are disabled.")
	either(!r.Cubeless, "Cubeful rollout.", "Cubeless rollout.")
	s.printf("Dice generator with seed %d.\nChequer play parameters:\n%sCube decision parameters:\n%s", r.Seed,
		s.strengthText(strength{ply: r.Ply, cubeless: r.Cubeless}), s.strengthText(strength{ply: r.CubePly, cubeless: r.Cubeless}))
}
