package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kotra"
	"kotra/bg"
	"kotra/cube/met"
	"kotra/eval/bearoff"
	"kotra/internal/protocol"
	"kotra/search"
)

type engineCommandOptions struct {
	engineOptions
	protocol   string
	listen     string
	timeout    time.Duration
	noJacoby   bool
	noBeavers  bool
	fibsScores bool
	noResign   bool
}

func newEngineCommand(e *env) *cobra.Command {
	o := &engineCommandOptions{}
	cmd := &cobra.Command{
		Use:     "engine [--protocol {gnubg | external | ubgi}] [--listen HOST:PORT]",
		Short:   "Speak a line protocol, for programs that use the engine",
		GroupID: groupEngine,
		Long: `Speak a line protocol on standard input and output, or with --listen to any number of clients
over TCP. A line that is wrong is answered with an error line, and the session goes on.

  gnubg      the text commands of GNU Backgammon; on a terminal with editing and completion
  external   GNU Backgammon's protocol for external players, both ways it is used: gnubg as a
             client ("set player 0 external 127.0.0.1:1234"), and programs that want the server
             of gnubg's command "external"
  ubgi       Universal Backgammon Interface, versions 0.1 and 0.2`,
		Example: `  echo "new session" | kotra engine --ply 0
  kotra engine --protocol external --listen 127.0.0.1:1234
  echo version | kotra engine --protocol external
  kotra engine --protocol ubgi --ply 0`,
		Args: func(cmd *cobra.Command, args []string) error { return o.checkCall(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return runEngine(cmd.Context(), e, o) },
	}
	fs := cmd.Flags()
	o.addFlags(fs)
	fs.StringVar(&o.protocol, "protocol", "gnubg", "gnubg, external or ubgi")
	fs.StringVar(&o.listen, "listen", "", "serve clients at `HOST:PORT` instead of standard input")
	fs.DurationVar(&o.timeout, "idle-timeout", time.Hour, "end a session whose client is silent for so long; 0 is never")
	fs.BoolVar(&o.noJacoby, "no-jacoby", false, "external: games for money are without the Jacoby rule")
	fs.BoolVar(&o.noBeavers, "no-beavers", false, "external: no beavers in games for money")
	fs.BoolVar(&o.fibsScores, "fibs-scores", false, "external: scores stand as FIBS defines, not as gnubg writes them")
	fs.BoolVar(&o.noResign, "no-resign", false, "play lost games on instead of resigning them")
	return cmd
}

func (o *engineCommandOptions) checkCall(cmd *cobra.Command, args []string) error {
	if err := argRange(0, 0)(cmd, args); err != nil {
		return err
	}
	switch o.protocol {
	case "gnubg", "external", "ubgi":
	default:
		return usagef(cmd, "--protocol: unknown protocol %q, want gnubg, external or ubgi", o.protocol)
	}
	return o.check(cmd)
}

func runEngine(ctx context.Context, e *env, o *engineCommandOptions) error {
	identity := protocol.Identity{Name: "kotra", Author: "kotra developers", Version: version()}
	if o.protocol == "ubgi" {
		u := &protocol.UBGI{
			New: func(s protocol.Settings) (protocol.Thinker, error) {
				return newThinker(e, o.engineOptions, s)
			},
			Settings: protocol.Settings{Ply: o.ply, Threads: o.threads, Seed: o.seed, Weights: o.weights, Cubeless: o.cubeless},
			Identity: identity,
			MaxPly:   search.MaxPly,
		}
		if _, err := u.New(u.Settings); err != nil {
			return err
		}
		return serve(ctx, e, o, u.Serve)
	}
	engine, err := o.newEngine(e, o.threads)
	if err != nil {
		return err
	}
	if o.protocol == "gnubg" {
		c := newConsole(e, o, engine)
		c.Identity = identity
		return runConsole(ctx, e, o, c)
	}
	x := &protocol.External{
		Engine:     decider{engine},
		Identity:   identity,
		Rules:      bg.Rules{Jacoby: !o.noJacoby, Beavers: 3},
		FIBSScores: o.fibsScores,
		NoResign:   o.noResign,
		MaxPly:     search.MaxPly,
	}
	if o.noBeavers {
		x.Rules.Beavers = 0
	}
	return serve(ctx, e, o, x.Serve)
}

// newConsole returns a console for engine, made from the flags of o.
func newConsole(e *env, o *engineCommandOptions, engine *kotra.Engine) *protocol.Console {
	return &protocol.Console{
		Engine: analyst{decider{engine}},
		Table:  engine.Options().MET,
		Ply:    o.ply,
		MaxPly: search.MaxPly,
		Filter: engine.Options().Filter,
		About:  func() string { return aboutEngine(e, o) },
		WithMET: func(table *met.Table) (protocol.Analyst, error) {
			options := engine.Options()
			options.MET = table
			other, err := kotra.New(options)
			return analyst{decider{other}}, err
		},
		NoResign: o.noResign,
		Files:    o.listen == "", // clients from elsewhere have no business here
	}
}

// aboutEngine describes what evaluates positions in the form of gnubg's "show engine".
func aboutEngine(e *env, o *engineCommandOptions) string {
	var b strings.Builder
	fmt.Fprintf(&b, " * Neural network evaluator:\n   - weights %s\n\n", o.weightsName(e))
	one := bearoff.Default()
	fmt.Fprintf(&b, " * In memory 1-sided bearoff database evaluator\n   - up to %d chequers on %d points (%d positions) per player\n   - database includes gammon distributions\n\n",
		one.Checkers(), one.Points(), one.Positions())
	b.WriteString(" * 2-sided bearoff database evaluator, made at first use\n   - database includes both cubeful and cubeless equities\n\n")
	return b.String()
}

// serve runs sessions on the standard streams or for the clients of a listener.
func serve(ctx context.Context, e *env, o *engineCommandOptions, session func(context.Context, io.Reader, io.Writer) error) error {
	if o.listen == "" {
		return session(ctx, e.in, e.out)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("listening at %s: %w", o.listen, err)
	}
	if !e.quiet {
		fmt.Fprintf(e.err, "kotra: listening at %s\n", l.Addr())
	}
	s := &protocol.Server{Serve: session, IdleTimeout: o.timeout}
	if !e.quiet {
		s.Report = func(client net.Addr, err error) { fmt.Fprintf(e.err, "kotra: client %s: %v\n", client, err) }
	}
	return s.Listen(ctx, l)
}
