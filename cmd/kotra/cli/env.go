package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"

	"kotra/eval"
)

// An env is what a command touches outside its own options, so that tests own it.
type env struct {
	in       io.Reader
	out, err io.Writer
	now      func() time.Time
	getenv   func(name string) string
	// evaluator, if not nil, judges positions instead of the weights.
	evaluator eval.Evaluator
	// progress reports whether err is a terminal, the only place for progress bars.
	progress bool
	// width is the number of columns of the terminal, 80 if there is none.
	width int
	// quiet leaves out the notes on err; set by --quiet.
	quiet bool
}

// Exit codes of the program.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// Main runs the program with the process's arguments and streams and returns its exit code.
// An interrupt cancels the running command, which prints what is known so far; a second one
// ends the program at once.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop()
	}()
	e := &env{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, now: time.Now, getenv: os.Getenv,
		progress: term.IsTerminal(int(os.Stderr.Fd())), width: 80,
	}
	if width, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && width > 0 {
		e.width = width
	}
	return run(ctx, e, os.Args[1:])
}

// run executes the command line args and returns the exit code.
func run(ctx context.Context, e *env, args []string) int {
	root := newRootCommand(e)
	root.SetArgs(markXGIDs(args))
	root.SetIn(e.in)
	root.SetOut(e.out)
	root.SetErr(e.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		fmt.Fprintln(e.err, "kotra: interrupted")
		return exitInterrupted
	}
	printError(e.err, err)
	var usage *usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

// bareXGID matches the start of an XGID without XGID= whose first place is empty, which looks like
// a row of short flags.
var bareXGID = regexp.MustCompile(`^-[-A-Oa-o]{25}:`)

// markXGIDs returns args with XGID= before each XGID that could be taken for a flag.
func markXGIDs(args []string) []string {
	marked := append([]string{}, args...) // not nil, for cobra takes nil to mean os.Args
	for i, arg := range marked {
		if bareXGID.MatchString(arg) {
			marked[i] = "XGID=" + arg
		}
	}
	return marked
}

// version returns the version of the module and the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	return v + " " + runtime.Version()
}
