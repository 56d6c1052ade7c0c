package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kotra"
	"kotra/bg"
	"kotra/cube/met"
	"kotra/duel"
	"kotra/internal/protocol"
	"kotra/movegen"
	"kotra/record"
)

type duelOptions struct {
	a, b         string
	pairs, games int
	seed         uint64
	threads      int
	noLuck       bool
	length       int
	cube         bool
	jacoby       bool
	rules        ruleOptions
	enough       float64
	sprt         string
	test         *duel.SPRT
	save         string
	judge        string
	json         bool
}

func newDuelCommand(e *env) *cobra.Command {
	o := &duelOptions{}
	cmd := &cobra.Command{
		Use:     "duel <A> <B>",
		Short:   "Let two players compete with duplicate dice",
		GroupID: groupEngine,
		Long: `Let two players compete and say how much A wins per game, with the standard error.

Games come in pairs with the same dice, between which the players change seats. The luck of
the rolls, as kotra judges it, is taken off the result: its mean is the same and its error
much smaller. Replies against the rules are counted, and the arbiter moves in their place.

A player is one of

  kotra                            the engine with its own weights, 0-ply
  kotra:ply=2,weights=FILE         with a lookahead or other weights
  gnubg:ply=0                      an installed GNU Backgammon, which is started
  external:HOST:PORT               a server of GNU Backgammon's external-player protocol
  ubgi:COMMAND                     a program that speaks UBGI, without a cube

Their protocols do not tell other programs of --max-cube, --no-crawford, --backgammon 2 or
Hypergammon, so that only kotra plays kotra by those rules.

Games are for points and without a cube, unless --cube says otherwise. With --length they are
matches with the cube, worth +1 and -1, and a game in the report is a match.
Ctrl-C ends the duel and prints what is known.`,
		Example: `  kotra duel kotra gnubg:ply=0 --pairs 1000
  kotra duel kotra:weights=new.knn kotra --pairs 100000 --until-error 0.003 --json
  kotra duel kotra:weights=new.knn kotra --pairs 100000 --sprt 0,0.01
  kotra duel kotra gnubg --length 5 --pairs 200 --save games.mat
  kotra duel kotra:ply=1 kotra --cube --variant hypergammon --automatic-doubles 1`,
		Args: func(cmd *cobra.Command, args []string) error { return o.check(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return runDuel(cmd.Context(), e, o) },
	}
	fs := cmd.Flags()
	fs.IntVar(&o.pairs, "pairs", 500, "play `N` pairs of games")
	fs.IntVar(&o.games, "games", 0, "play `N` games, rounded up to pairs")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of the dice")
	fs.IntVar(&o.threads, "threads", 0, "games played at a time (0: all cores; other programs choose more)")
	fs.IntVar(&o.length, "length", 0, "play matches to `N` points (0: games for points)")
	fs.BoolVar(&o.cube, "cube", false, "play with the doubling cube (default in matches)")
	fs.BoolVar(&o.jacoby, "jacoby", false, "games for points: with the Jacoby rule")
	o.rules.addGameFlags(fs)
	fs.Float64Var(&o.enough, "until-error", 0, "stop when the standard error is at most `X` (0: play all pairs)")
	fs.StringVar(&o.sprt, "sprt", "", "stop when it is clear, at 5 %, which of two results `LOW,HIGH` in points a game is true")
	fs.BoolVar(&o.noLuck, "no-luck", false, "do not take off the luck of the dice")
	fs.StringVar(&o.judge, "judge", "", "weights `FILE` that judges the luck (default: the embedded weights)")
	fs.StringVar(&o.save, "save", "", "write the games to `FILE`: .mat, or .sgf, .json or .csv by its name")
	fs.BoolVar(&o.json, "json", false, "print one JSON document")
	return cmd
}

func (o *duelOptions) check(cmd *cobra.Command, args []string) error {
	if err := argRange(2, 2, "A", "B")(cmd, args); err != nil {
		return err
	}
	o.a, o.b = args[0], args[1]
	for _, side := range args {
		if _, err := parseSide(side); err != nil {
			return usagef(cmd, "player %q: %w", side, err)
		}
	}
	if cmd.Flags().Changed("games") {
		if cmd.Flags().Changed("pairs") {
			return usagef(cmd, "--games and --pairs exclude each other")
		}
		o.pairs = (o.games + 1) / 2
	}
	if o.length > 0 && !cmd.Flags().Changed("cube") {
		o.cube = true
	}
	if err := o.checkRules(cmd); err != nil {
		return err
	}
	if o.length < 0 || o.length > met.MaxAway {
		return usagef(cmd, "--length: %d is not in the range from 0 to %d", o.length, met.MaxAway)
	}
	if o.sprt != "" {
		low, high, _ := strings.Cut(o.sprt, ",")
		a, err1 := strconv.ParseFloat(low, 64)
		b, err2 := strconv.ParseFloat(high, 64)
		if err1 != nil || err2 != nil || !(a < b) {
			return usagef(cmd, "--sprt: %q is not two numbers LOW,HIGH, the lower first", o.sprt)
		}
		o.test = &duel.SPRT{Low: a, High: b}
	}
	if o.pairs < 1 {
		return usagef(cmd, "nothing to play, want at least one pair")
	}
	return nil
}

// checkRules reports rules that the games cannot have, or that a player cannot be told of.
func (o *duelOptions) checkRules(cmd *cobra.Command) error {
	if err := o.rules.checkGame(cmd); err != nil {
		return err
	}
	r := o.gameRules()
	switch {
	case o.length > 0 && (r.AutomaticDoubles > 0 || r.Beavers > 0 || r.Jacoby):
		return usagef(cmd, "--automatic-doubles, --beavers, --jacoby: only games for points have them, not matches (--length)")
	case o.length == 0 && r.NoCrawford:
		return usagef(cmd, "--no-crawford: only matches (--length) have a Crawford game")
	case !o.cube && (r.AutomaticDoubles > 0 || r.Beavers > 0 || r.MaxCube > 0):
		return usagef(cmd, "--automatic-doubles, --beavers, --max-cube: there is no cube without --cube")
	case o.save != "" && r.AutomaticDoubles > 0 && formatOf(o.save) == ".mat":
		return usagef(cmd, "--save: the .mat format cannot hold automatic doubles; name a file .sgf")
	}
	for _, player := range []string{o.a, o.b} {
		if s, _ := parseSide(player); s.kind != "kotra" {
			if rule := untold(&r); rule != "" {
				return usagef(cmd, "player %q: its protocol cannot tell it of %s; only kotra can play so", player, rule)
			}
		}
	}
	return nil
}

// gameRules returns the rules that the games are played by.
func (o *duelOptions) gameRules() bg.Rules {
	r := bg.Rules{NoCube: !o.cube, Jacoby: o.jacoby, Variant: o.rules.rules().Variant}
	o.rules.set(&r)
	return r
}

// untold names the flag of the first rule of r that neither a board line nor a Position ID says.
func untold(r *bg.Rules) string {
	switch {
	case r.MaxCube > 0:
		return "--max-cube"
	case r.NoCrawford:
		return "--no-crawford"
	case r.DoubleBackgammon:
		return "--backgammon 2"
	case r.Variant == bg.Hypergammon:
		return "--variant hypergammon"
	}
	return ""
}

// A sideSpec is a player as it is written on the command line.
type sideSpec struct {
	kind     string // kotra, gnubg, external, ubgi
	ply      int
	weights  string
	address  string // or command
	cubeful  bool
	workers  int
	original string
}

// parseSide reads KIND[:KEY=VALUE,...] or external:HOST:PORT.
func parseSide(text string) (sideSpec, error) {
	kind, rest, _ := strings.Cut(text, ":")
	s := sideSpec{kind: kind, original: text}
	switch kind {
	case "external":
		if _, port, ok := strings.Cut(rest, ":"); !ok || port == "" {
			return s, errors.New("want external:HOST:PORT")
		}
		s.address = rest
		return s, nil
	case "ubgi":
		if strings.TrimSpace(rest) == "" {
			return s, errors.New("want ubgi:COMMAND")
		}
		s.address = rest
		return s, nil
	case "kotra", "gnubg":
	default:
		return s, errors.New("want kotra, gnubg, external or ubgi")
	}
	if rest == "" {
		return s, nil
	}
	for option := range strings.SplitSeq(rest, ",") {
		key, value, _ := strings.Cut(option, "=")
		if err := s.set(key, value); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *sideSpec) set(key, value string) (err error) {
	switch {
	case key == "ply":
		if s.ply, err = strconv.Atoi(value); err != nil || s.ply < 0 || s.ply > 7 {
			return fmt.Errorf("ply %q is not a number from 0 to 7", value)
		}
	case key == "weights" && s.kind == "kotra":
		s.weights = value
	case key == "cubeful" && s.kind == "gnubg":
		if s.cubeful, err = strconv.ParseBool(value); err != nil {
			return fmt.Errorf("cubeful %q is not true or false", value)
		}
	case key == "workers" && s.kind == "gnubg":
		if s.workers, err = strconv.Atoi(value); err != nil || s.workers < 1 || s.workers > 256 {
			return fmt.Errorf("workers %q is not a number from 1 to 256", value)
		}
	default:
		return fmt.Errorf("unknown option %q of %s", key, s.kind)
	}
	return nil
}

// side returns what plays for s by the given rules, in matches or in games for points.
func (s *sideSpec) side(e *env, rules *bg.Rules, matches bool) (duel.Side, error) {
	cube := !rules.NoCube
	switch s.kind {
	case "external":
		return protocol.ExternalSide(s.address), nil
	case "ubgi":
		if cube {
			return duel.Side{}, errors.New("UBGI has no answer to a double, play without a cube")
		}
		return protocol.UBGISide(s.address), nil
	case "gnubg":
		return protocol.GNUBG(protocol.GNUBGOptions{Ply: s.ply, Cubeful: s.cubeful || cube, Workers: s.workers}), nil
	}
	engine, err := loadEngine(e, s.weights, s.ply, !cube)
	switch {
	case err != nil:
		return duel.Side{}, err
	case s.ply == 0 && !matches && *rules == bg.Rules{NoCube: true, Variant: rules.Variant} && rules.Variant != bg.Hypergammon:
		return duel.ZeroPly(s.original, engine.Evaluator()), nil
	}
	return newEngineSide(s.original, engine), nil
}

// A duelReport is the JSON document of a duel.
type duelReport struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Seed uint64 `json:"seed"`
	duel.Result
	Complete bool        `json:"complete"`
	SPRT     *sprtReport `json:"sprt,omitempty"`
}

// A sprtReport is what became of a sequential test.
type sprtReport struct {
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	LogRatio float64 `json:"log_ratio"`
	Accepted string  `json:"accepted"` // low, high or neither
}

func runDuel(ctx context.Context, e *env, o *duelOptions) error {
	cfg := duel.Config{
		Pairs:   o.pairs,
		Seed:    o.seed,
		Threads: o.threads,
		Length:  o.length,
		Rules:   o.gameRules(),
	}
	if o.enough > 0 || o.test != nil {
		cfg.Enough = func(r duel.Result) bool {
			return o.enough > 0 && r.Pairs >= 30 && r.StdErr <= o.enough || o.test != nil && o.test.Decide(r) != 0
		}
	}
	var sides [2]duel.Side
	for i, text := range []string{o.a, o.b} {
		spec, err := parseSide(text)
		if err != nil {
			return err
		}
		if sides[i], err = spec.side(e, &cfg.Rules, o.length > 0); err != nil {
			return fmt.Errorf("player %q: %w", text, err)
		}
	}
	if !o.noLuck {
		judge, err := loadEngine(e, o.judge, 0, true)
		if err != nil {
			return fmt.Errorf("judge of luck: %w", err)
		}
		cfg.Luck = judge.Evaluator()
	}
	cfg.Progress = duelProgress(e, o.pairs)
	var games duelRecord
	if o.save != "" {
		cfg.Record = games.add
	}
	result, err := duel.Run(ctx, cfg, sides[0], sides[1])
	if o.save != "" {
		err = errors.Join(err, writeFile(e, o.save, func(w io.Writer) error { return writeMatches(w, formatOf(o.save), games.matches) }))
	}
	if e.progress && !e.quiet {
		fmt.Fprint(e.err, "\r\x1b[K")
	}
	if result.Pairs == 0 && err != nil {
		return err
	}
	r := duelReport{A: o.a, B: o.b, Seed: o.seed, Result: result, Complete: err == nil}
	if o.test != nil {
		accepted := map[int]string{-1: "low", 0: "neither", 1: "high"}[o.test.Decide(result)]
		r.SPRT = &sprtReport{o.test.Low, o.test.High, o.test.LogRatio(result), accepted}
	}
	if o.json {
		return errors.Join(writeJSON(e.out, r), err)
	}
	r.writeText(e.out)
	return err
}

// A duelRecord holds the games of a duel: its matches, or all games for points as one session.
type duelRecord struct{ matches []*record.Match }

func (d *duelRecord) add(_ int, games []*record.Match) error {
	for _, m := range games {
		if m.Length > 0 || len(d.matches) == 0 {
			d.matches = append(d.matches, m)
			continue
		}
		session := d.matches[0]
		for _, g := range m.Games {
			g.Number, g.Score = len(session.Games)+1, session.Score()
			session.Games = append(session.Games, g)
		}
	}
	return nil
}

// formatOf returns the ending for the format of a file with games: its own, or .mat.
func formatOf(name string) string {
	if extension := strings.ToLower(filepath.Ext(name)); isMatchOutput(name) && extension != ".txt" {
		return extension
	}
	return ".mat"
}

// duelProgress returns a callback that shows the standing on a terminal, nil elsewhere.
func duelProgress(e *env, pairs int) func(duel.Result) {
	if !e.progress || e.quiet {
		return nil
	}
	var last time.Time
	return func(r duel.Result) {
		if now := e.now(); now.Sub(last) > 200*time.Millisecond {
			last = now
			fmt.Fprintf(e.err, "\r\x1b[Kpair %d of %d: %+.4f ± %.4f points a game", r.Pairs, pairs, r.PPG, r.StdErr)
		}
	}
}

func (r *duelReport) writeText(w io.Writer) {
	unit := "points a game "
	if r.Matches > 0 {
		fmt.Fprintf(w, "%s against %s: %d matches in %d pairs, %d games, seed %d\n", r.A, r.B, r.Matches, r.Pairs, r.Games, r.Seed)
		unit = "points a match"
	} else {
		fmt.Fprintf(w, "%s against %s: %d games in %d pairs, seed %d\n", r.A, r.B, r.Games, r.Pairs, r.Seed)
	}
	fmt.Fprintf(w, "  "+unit+"    %+.4f ± %.4f, luck taken off\n", r.PPG, r.StdErr)
	fmt.Fprintf(w, "                    %+.4f ± %.4f, at the table\n", r.RawPPG, r.RawStdErr)
	if t := r.SPRT; t != nil {
		fmt.Fprintf(w, "  test              %+.4f or %+.4f: %s accepted, log ratio %.2f\n", t.Low, t.High, t.Accepted, t.LogRatio)
	}
	fmt.Fprintf(w, "  won               %.1f %%\n", 100*r.WinRate)
	fmt.Fprintf(w, "  gammons           %d : %d\n", r.Gammons[0], r.Gammons[1])
	fmt.Fprintf(w, "  illegal replies   %d : %d\n", r.Illegal[0], r.Illegal[1])
	if r.FirstIllegal != "" {
		fmt.Fprintf(w, "                    %s\n", r.FirstIllegal)
	}
	fmt.Fprintf(w, "  ms a move         %.3f : %.3f\n", r.MSPerMove[0], r.MSPerMove[1])
}

// loadEngine returns an engine with the weights of the named file, or the default ones if name
// is empty.
func loadEngine(e *env, name string, ply int, cubeless bool) (*kotra.Engine, error) {
	o := engineOptions{weights: name, ply: ply, cubeless: cubeless}
	return o.newEngine(e, 1)
}

// newEngineSide returns a side that asks engine for its moves.
func newEngineSide(name string, engine *kotra.Engine) duel.Side {
	return duel.Side{Name: name, New: func(context.Context) (duel.Player, error) {
		return enginePlayer{decider{engine}}, nil
	}}
}

// An enginePlayer plays the moves and cube actions of an engine.
type enginePlayer struct{ decider }

// Move implements [duel.Player].
func (p enginePlayer) Move(ctx context.Context, s *bg.State, _ []movegen.Play) (bg.Move, error) {
	return p.BestMove(ctx, *s)
}

// Double implements [duel.Player].
func (p enginePlayer) Double(ctx context.Context, s *bg.State) (bool, error) {
	return p.Doubles(ctx, *s)
}

// Answer implements [duel.Player].
func (p enginePlayer) Answer(ctx context.Context, s *bg.State) (duel.Answer, error) {
	answer, err := p.decider.Answer(ctx, *s)
	return map[protocol.Answer]duel.Answer{protocol.Pass: duel.Pass, protocol.Take: duel.Take, protocol.Beaver: duel.Beaver}[answer], err
}

// Close implements [duel.Player].
func (p enginePlayer) Close() error { return nil }
