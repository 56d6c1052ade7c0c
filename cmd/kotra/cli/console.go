package cli

import (
	"context"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"kotra/internal/protocol"
)

// runConsole runs the text commands, with editing, history and completion on a terminal.
func runConsole(ctx context.Context, e *env, o *engineCommandOptions, c *protocol.Console) error {
	in, isFile := e.in.(*os.File)
	if o.listen != "" || !isFile || !term.IsTerminal(int(in.Fd())) {
		return serve(ctx, e, o, c.Serve)
	}
	old, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return serve(ctx, e, o, c.Serve)
	}
	defer func() { _ = term.Restore(int(in.Fd()), old) }()
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, e.out}, "")
	t.AutoCompleteCallback = func(line string, at int, key rune) (string, int, bool) {
		if key != '\t' || at != len(line) {
			return "", 0, false
		}
		completed := complete(line, c.Complete(line))
		return completed, len(completed), completed != line
	}
	c.Prompt = "(kotra) "
	c.Line = func(prompt string) (string, error) {
		t.SetPrompt(prompt)
		return t.ReadLine()
	}
	return c.Serve(ctx, in, t)
}

// complete returns line with its last word replaced by what all words have in common, and a
// blank if there is only one.
func complete(line string, words []string) string {
	if len(words) == 0 {
		return line
	}
	common := words[0]
	for _, word := range words[1:] {
		for !strings.HasPrefix(word, common) {
			common = common[:len(common)-1]
		}
	}
	if len(words) == 1 {
		common += " "
	}
	return line[:strings.LastIndexAny(line, " \t")+1] + common
}
