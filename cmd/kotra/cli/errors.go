package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// A usageError says that the call itself is wrong; its exit code is 2.
type usageError struct {
	cmd *cobra.Command
	err error
}

// Error returns what is wrong, and the command's synopsis on the same line.
func (e *usageError) Error() string {
	return fmt.Sprintf("%s: %v (usage: %s)", name(e.cmd), e.err, e.cmd.UseLine())
}

// Unwrap returns what is wrong.
func (e *usageError) Unwrap() error { return e.err }

// usagef returns an error for a wrong call of cmd.
func usagef(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{cmd, fmt.Errorf(format, args...)}
}

// name returns the path of cmd without the program's name.
func name(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return "call"
	}
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	return path
}

// errReported is returned by a command that has already reported its failures.
var errReported = errors.New("already reported")

// printError prints err as one line on w, as every error of the program: kotra: WHAT: WHY.
func printError(w io.Writer, err error) {
	if errors.Is(err, errReported) {
		return
	}
	fmt.Fprintf(w, "kotra: %s\n", oneLine(err.Error()))
}

// oneLine returns text with line breaks replaced by blanks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// argRange returns a check that a command has from least to most arguments, named in names.
func argRange(least, most int, names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usagef(cmd, "missing argument %s", names[min(len(args), len(names)-1)])
		case len(args) > most:
			return usagef(cmd, "unexpected argument %q", args[most])
		}
		return nil
	}
}
