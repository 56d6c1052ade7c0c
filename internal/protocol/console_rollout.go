package protocol

import (
	"fmt"
	"strconv"
	"strings"

	"kotra/bg"
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
	result, err := s.rolledOut(state, &strength{})
	if s.failed(err) {
		return
	}
	s.printf("\nRollout done. Printing final results.\n")
	s.listRollout(&state, &result)
}

// hintRollout answers a hint about a checker play by a rollout.
func (s *consoleSession) hintRollout() {
	state := s.game.state
	x := &s.options.checker
	candidates, err := s.Engine.Rank(s.ctx, state, x.ply, !x.cubeless)
	if s.failed(err) {
		return
	}
	if candidates[0].Play.Move.Len() == 0 {
		s.println("There are no legal moves.")
		return
	}
	result, err := s.rolledOut(state, x)
	if s.failed(err) {
		return
	}
	s.hints, s.hinted = rolledCandidates(candidates, &result), state
	s.listRollout(&state, &result)
}

// listRollout writes the estimates of r, the best first.
func (s *consoleSession) listRollout(state *bg.State, result *rollout.Result) {
	for i := range result.Estimates {
		e := &result.Estimates[i]
		equity, stdErr := e.Cubeful, e.CubefulError
		if result.Settings.Cubeless {
			equity, stdErr = e.Equity, e.StdErr
		}
		s.printf("%5d. %-17s%-28s %s %s", i+1, "Rollout", e.Name, s.unit(state), s.equity(state, equity))
		if i > 0 {
			first := &result.Estimates[0]
			best := first.Cubeful
			if result.Settings.Cubeless {
				best = first.Equity
			}
			s.printf(" (%s)", s.difference(state, s.shown(state, equity)-s.shown(state, best)))
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
	plies := func(who string, target func(*consoleSession) *int) func(*consoleSession, string) {
		return func(s *consoleSession, args string) {
			x := strength{ply: *target(s)}
			s.scope = scope{who, &x}
			s.setPlies(args)
			*target(s) = x.ply
		}
	}
	return []consoleCommand{
		{word: "bearofftruncation", sub: []consoleCommand{
			{word: "exact", run: choose("bearofftruncation exact", nil, "Will truncate *cubeless* rollouts when reaching exact bearoff database", "Will not truncate *cubeless* rollouts when reaching exact bearoff database")},
			{word: "onesided", run: choose("bearofftruncation onesided", nil, "Will truncate *cubeless* rollouts when reaching one-sided bearoff database", "Will not truncate *cubeless* rollouts when reaching one-sided bearoff database")},
		}},
		{word: "chequerplay", sub: []consoleCommand{
			{word: "plies", run: plies("Chequer play in rollouts", func(s *consoleSession) *int { return &s.options.rollout.Ply })},
		}},
		{word: "cubedecision", sub: []consoleCommand{
			{word: "plies", run: plies("Cube decisions in rollouts", func(s *consoleSession) *int { return &s.options.rollout.CubePly })},
		}},
		{word: "cubeful", run: func(s *consoleSession, args string) {
			on := !s.options.rollout.Cubeless
			choose("cubeful", func(*consoleSession) *bool { return &on }, "Cubeful rollouts will be performed.", "Cubeless rollouts will be performed.")(s, args)
			s.options.rollout.Cubeless = !on
		}},
		{word: "initial", run: choose("initial", nil, "Rollouts will be made as the initial position of a game.", "Rollouts will be made for normal (non-opening) positions.")},
		{word: "jsd", sub: []consoleCommand{
			{word: "limit", run: func(s *consoleSession, args string) {
				s.rolloutFloat(args, "You must specify a number of joint standard deviations for stopping rollouts.",
					"Rollouts (or rollouts of moves) may stop when the equity is more than %.3f joint standard deviations from the best move being rolled out",
					&s.options.limits.jsd)
			}},
			{word: "minimumgames", run: func(s *consoleSession, args string) {
				s.rolloutNumber(args, "You must specify a valid minimum number of games to rollout.",
					"After %d games, rollouts will stop if the JSDs are large enough.", 1, &s.options.limits.minimumJSD)
			}},
			{word: "stop", run: choose("stop", func(s *consoleSession) *bool { return &s.options.limits.stopJSD },
				"Stop rollout of choices based on JSDs", "Do not stop rollout of moves choices on JSDs")},
		}},
		{word: "later", sub: []consoleCommand{
			{word: "chequerplay", sub: []consoleCommand{
				{word: "plies", run: plies("Chequer play for later moves in rollouts", func(s *consoleSession) *int { return &s.options.limits.ply })},
			}},
			{word: "cubedecision", sub: []consoleCommand{
				{word: "plies", run: plies("Cube decisions for later moves in rollouts", func(s *consoleSession) *int { return &s.options.limits.cubePly })},
			}},
			{word: "enable", run: choose("enable", func(s *consoleSession) *bool { return &s.options.limits.late },
				"Use different evaluation for later moves of rollout.", "Do not change evaluations during rollout.")},
			{word: "movefilter"},
			{word: "player"},
			{word: "plies", run: func(s *consoleSession, args string) {
				s.rolloutNumber(args, "You must specify a valid ply to change evaluations at.", "Evaluations will change after %d plies in rollouts.", 1, &s.options.limits.after)
			}},
		}},
		{word: "limit", sub: []consoleCommand{
			{word: "enable", run: choose("enable", func(s *consoleSession) *bool { return &s.options.limits.stop },
				"Stop rollout when STD's are small enough", "Do not stop rollout based on STDs")},
			{word: "maxerror", run: func(s *consoleSession, args string) {
				s.rolloutFloat(args, "You must specify a valid fraction for the ratio.", "Rollouts can stop when the estimated equities' STD are less than %.4f)", &s.options.limits.maxError)
			}},
			{word: "minimumgames", run: func(s *consoleSession, args string) {
				s.rolloutNumber(args, "You must specify a valid minimum number of games to rollout.",
					"After %d games, rollouts will stop if the STDs are small enough.", 1, &s.options.limits.minimum)
			}},
		}},
		{word: "log"},
		{word: "logfile"},
		{word: "movefilter"},
		{word: "player"},
		{word: "players-are-same"},
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

// rolloutLimits are the settings of rollouts that count only when they are switched on.
type rolloutLimits struct {
	stop     bool    // by standard errors
	minimum  int     // trials before that
	maxError float64 // standard error

	stopJSD    bool
	minimumJSD int
	jsd        float64

	late         bool // other plies later on
	after        int  // turns
	ply, cubePly int
}

// rolloutSettings returns how rollouts are made.
func (o *consoleOptions) rolloutSettings() rollout.Settings {
	r, l := o.rollout, &o.limits
	if l.stop {
		r.StopStdErr, r.MinTrials = l.maxError, l.minimum
	}
	if l.stopJSD {
		r.StopJSD, r.MinTrials = l.jsd, max(r.MinTrials, l.minimumJSD)
	}
	if l.late {
		r.LateAfter, r.LatePly, r.LateCubePly = l.after, l.ply, l.cubePly
	}
	return r
}

// showRollout writes how rollouts are made.
func (s *consoleSession) showRollout(string) {
	s.printf("`rollout' will use:\n%s", s.rolloutText())
}

func (s *consoleSession) rolloutText() string {
	r := s.options.rolloutSettings()
	var b strings.Builder
	line := func(on bool, yes, no string) {
		if on {
			b.WriteString(yes + "\n")
		} else {
			b.WriteString(no + "\n")
		}
	}
	fmt.Fprintf(&b, "%d games will be played per rollout.\n", r.Trials)
	line(r.Truncate > 0, fmt.Sprintf("Truncation after %d plies.", r.Truncate), "No truncation.")
	if !r.PlayBearoffs {
		b.WriteString("Will truncate cubeful money game rollouts when reaching exact bearoff database.\n" +
			"Will truncate money game rollouts when reaching exact bearoff database.\n" +
			"Will truncate *cubeless* rollouts when reaching one-sided bearoff database.\n")
	}
	line(!r.NoVarianceReduction, "Lookahead variance reduction is enabled.", "Lookahead variance reduction is disabled.")
	line(!r.PlainDice, "Quasi-random dice are enabled.", "Quasi-random dice are disabled.")
	line(!r.Cubeless, "Cubeful rollout.", "Cubeless rollout.")
	fmt.Fprintf(&b, "Rollout as opening move disabled.\nDice generator with seed %d.\n", r.Seed)
	when, then := "", ""
	if r.LateAfter > 0 {
		when, then = fmt.Sprintf(" for first %d plies:", r.LateAfter), fmt.Sprintf(" after %d plies:", r.LateAfter)
	}
	for _, part := range []struct {
		name        string
		early, late int
	}{{"Chequer play parameters:", r.Ply, r.LatePly}, {"Cube decision parameters:", r.CubePly, r.LateCubePly}} {
		b.WriteString(part.name + when + "\n" + strengthText(&strength{ply: part.early, cubeless: r.Cubeless}))
		if r.LateAfter > 0 {
			b.WriteString(part.name + then + "\n" + strengthText(&strength{ply: part.late, cubeless: r.Cubeless}))
		}
	}
	b.WriteString("Move filter:\n" + s.filterText())
	if r.Truncate > 0 {
		b.WriteString("\nTruncation point Chequer play evaluation:\n" + strengthText(&strength{ply: r.TruncatePly, cubeless: r.Cubeless}) +
			"Truncation point Cube evaluation:\n" + strengthText(&strength{ply: r.TruncatePly, cubeless: r.Cubeless}))
	}
	if r.StopStdErr > 0 {
		fmt.Fprintf(&b, "Rollouts may stop after %d games if both equities STD\n\t(cubeful and cubeless) are less than %.4f\n", r.MinTrials, r.StopStdErr)
	}
	if r.StopJSD > 0 {
		fmt.Fprintf(&b, "Rollouts of candidates may stop after %d games if they are %.2f JSDs behind\n", r.MinTrials, r.StopJSD)
	}
	return b.String()
}

func (s *consoleSession) rolloutFloat(args, ask, done string, target *float64) {
	x, err := strconv.ParseFloat(strings.TrimSpace(args), 64)
	if err != nil || !(x > 0) || x > 1e6 {
		s.println(ask)
		return
	}
	*target = x
	s.printf(done+"\n", x)
}
