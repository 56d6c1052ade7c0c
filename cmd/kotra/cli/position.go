package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kotra/bg"
	"kotra/bg/notation"
)

// positionHelp is the part of the long help that all commands with positions share.
const positionHelp = `
A position is an XGID, a GNU Backgammon ID (POSITIONID:MATCHID), an OGID, a lone Position ID
(money game, centered cube), a FIBS board line, or a file with one; "-" is standard input.
With --input FILE there is one position a line, an optional roll after it; blank lines and
lines that start with # pass.`

// An answer is the result of a command for one position. It is marshaled for --json and
// --jsonl, and writes itself as text otherwise.
type answer interface {
	WriteText(w io.Writer) error
}

// positionOptions say where positions come from and in which form answers go out.
type positionOptions struct {
	args        []string // the position, unless input is given
	input       string   // file with a position a line
	dice        string
	rules       ruleOptions
	json, jsonl bool
	dense       bool // no blank line between the answers of a batch as text
	workers     int  // positions of a batch that are worked on at once
}

// addFlags adds the flags of o to fs.
func (o *positionOptions) addFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.input, "input", "", "read one position a line from `FILE` (- is standard input)")
	fs.BoolVar(&o.json, "json", false, "print one JSON document")
	fs.BoolVar(&o.jsonl, "jsonl", false, "print one JSON object a line")
}

// addDiceFlag adds --dice.
func (o *positionOptions) addDiceFlag(fs *pflag.FlagSet) {
	fs.StringVarP(&o.dice, "dice", "d", "", "the roll, two digits such as `31`")
}

// checkPosition checks the arguments of a command that works on one position or on --input.
func (o *positionOptions) checkPosition(cmd *cobra.Command, args []string) error {
	o.args = args
	if o.input != "" && len(args) > 0 {
		return usagef(cmd, "unexpected argument %q beside --input", args[0])
	}
	if o.input == "" {
		if err := argRange(1, 1, "POSITION")(cmd, args); err != nil {
			return err
		}
	}
	if o.json && o.jsonl {
		return usagef(cmd, "--json and --jsonl exclude each other")
	}
	if o.dice != "" {
		if _, err := bg.ParseDice(o.dice); err != nil {
			return usagef(cmd, "--dice: %w", err)
		}
	}
	return o.rules.check(cmd)
}

// answerAll asks for every position of o in turn and prints the answers in order.
//
// A bad line of a batch is reported in its place, and the others are still answered; the
// returned error then says that this has been done.
func answerAll(ctx context.Context, e *env, o *positionOptions, ask func(context.Context, bg.State) (answer, error)) error {
	if o.input == "" {
		state, err := o.read(e, o.args[0])
		if err != nil {
			return err
		}
		a, err := ask(ctx, state)
		if err != nil {
			err = fmt.Errorf("position %q: %w", shorten(o.args[0]), err)
		}
		if a == nil {
			return err
		}
		return errors.Join(print(e.out, o, a), err) // an interrupted answer is what is known so far
	}
	return answerBatch(ctx, e, o, ask)
}

// print writes one answer in the form that o asks for.
func print(w io.Writer, o *positionOptions, a answer) error {
	switch {
	case o.json:
		return writeJSON(w, a)
	case o.jsonl:
		return writeJSONLine(w, a)
	}
	return a.WriteText(w)
}

// writeJSON writes v as one indented document.
func writeJSON(w io.Writer, v any) error {
	text, err := indentJSON(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// flatArray matches an indented array without arrays, objects and brackets in it.
var flatArray = regexp.MustCompile(`\[\n[^][{}]*\n *\]`)

// indentJSON returns v as an indented document, with arrays of numbers on one line.
func indentJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	text := flatArray.ReplaceAllFunc(bytes.TrimSpace(b.Bytes()), func(array []byte) []byte {
		elements := bytes.Fields(array[1 : len(array)-1])
		return append(append([]byte{'['}, bytes.Join(elements, []byte{' '})...), ']')
	})
	return text, nil
}

// writeJSONLine writes v as one object on a line.
func writeJSONLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// A badLine stands in the place of the answer to a line of a batch that has none.
type badLine struct {
	Line  int    `json:"line"`
	Input string `json:"input"`
	Error string `json:"error"`
}

// A lineResult is what came of one line of a batch.
type lineResult struct {
	answer answer
	bad    *badLine
	err    error // ends the batch: the context's
}

// answerBatch works on the lines of o.input with o.workers goroutines and prints the results
// in order, each as soon as those before it are done.
func answerBatch(ctx context.Context, e *env, o *positionOptions, ask func(context.Context, bg.State) (answer, error)) error {
	in, label, err := openInput(e, o.input)
	if err != nil {
		return err
	}
	defer in.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	workers := max(1, o.workers)
	queue := make(chan chan lineResult, 4*workers) // in the order of the input
	free := make(chan struct{}, workers)
	readErr := make(chan error, 1)
	go func() {
		defer close(queue)
		readErr <- eachLine(in, func(n int, line string) error {
			result := make(chan lineResult, 1)
			select {
			case queue <- result:
			case <-ctx.Done():
				return ctx.Err()
			}
			free <- struct{}{}
			go func() {
				defer func() { <-free }()
				result <- answerLine(ctx, o, n, line, ask)
			}()
			return nil
		})
	}()

	out := newBatchPrinter(e, o, label)
	for result := range queue {
		r := <-result
		if r.err == nil {
			r.err = out.print(r)
		}
		if r.err != nil {
			cancel()
			_ = out.close()
			return r.err
		}
	}
	if err := out.close(); err != nil {
		return err
	}
	if err := <-readErr; err != nil {
		return fmt.Errorf("%s: %w", label, err)
	}
	if out.failed {
		return errReported
	}
	return nil
}

func answerLine(ctx context.Context, o *positionOptions, n int, line string, ask func(context.Context, bg.State) (answer, error)) lineResult {
	state, err := o.parse(line)
	if err == nil {
		var a answer
		if a, err = ask(ctx, state); err == nil {
			return lineResult{answer: a}
		}
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return lineResult{err: err}
	}
	return lineResult{bad: &badLine{Line: n, Input: line, Error: oneLine(err.Error())}}
}

// A batchPrinter prints the results of a batch: objects a line, the elements of one array, or
// text with the errors on standard error.
type batchPrinter struct {
	env    *env
	o      *positionOptions
	label  string
	out    *bufio.Writer
	n      int
	failed bool
}

func newBatchPrinter(e *env, o *positionOptions, label string) *batchPrinter {
	return &batchPrinter{env: e, o: o, label: label, out: bufio.NewWriter(e.out)}
}

func (b *batchPrinter) print(r lineResult) error {
	b.n++
	if r.bad != nil {
		b.failed = true
		fmt.Fprintf(b.env.err, "kotra: %s:%d: %s\n", b.label, r.bad.Line, r.bad.Error)
	}
	var v any = r.answer
	if r.bad != nil {
		v = r.bad
	}
	var err error
	switch {
	case b.o.jsonl:
		err = writeJSONLine(b.out, v)
	case b.o.json:
		err = b.element(v)
	case r.bad == nil:
		if b.n > 1 && !b.o.dense {
			fmt.Fprintln(b.out)
		}
		err = r.answer.WriteText(b.out)
	}
	return errors.Join(err, b.out.Flush())
}

func (b *batchPrinter) element(v any) error {
	text, err := indentJSON(v)
	if err != nil {
		return err
	}
	start := ","
	if b.n == 1 {
		start = "["
	}
	_, err = fmt.Fprintf(b.out, "%s\n%s", start, text)
	return err
}

func (b *batchPrinter) close() error {
	if b.o.json {
		if b.n == 0 {
			fmt.Fprint(b.out, "[")
		}
		fmt.Fprint(b.out, "]\n")
	}
	return b.out.Flush()
}

// eachLine calls f with every line of r that holds something, numbered from 1, until f fails.
func eachLine(r io.Reader, f func(n int, line string) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\uFEFF"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := f(n, line); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}

// openInput opens the named file, standard input for "-", and returns what to call it.
func openInput(e *env, name string) (io.ReadCloser, string, error) {
	if name == "-" {
		return io.NopCloser(e.in), "standard input", nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, "", fileError(name, err)
	}
	return f, name, nil
}

// fileError returns err, which names the file and the operation, as WHAT: WHY.
func fileError(name string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("file %q: %w", name, err)
}

// read returns the state that a position argument stands for: a notation, "-", or the path of a
// file that holds one position.
func (o *positionOptions) read(e *env, arg string) (bg.State, error) {
	if arg != "-" {
		state, err := o.parse(arg)
		if err == nil {
			return state, nil
		}
		if info, statErr := os.Stat(arg); statErr != nil || info.IsDir() {
			return state, fmt.Errorf("position %q: %w", shorten(arg), err)
		}
	}
	in, label, err := openInput(e, arg)
	if err != nil {
		return bg.State{}, err
	}
	defer in.Close()
	content, err := io.ReadAll(io.LimitReader(in, maxPositionFile))
	if err != nil {
		return bg.State{}, fmt.Errorf("%s: %w", label, err)
	}
	text := strings.TrimPrefix(string(content), "\uFEFF")
	if format, _ := notation.Detect(text); format == notation.FormatDrawing {
		state, err := o.parse(text)
		if err != nil {
			err = fmt.Errorf("%s: %w", label, err)
		}
		return state, err
	}
	var found []string
	var at int
	err = eachLine(strings.NewReader(text), func(n int, line string) error {
		if found = append(found, line); len(found) == 1 {
			at = n
		}
		return nil
	})
	switch {
	case err != nil:
		return bg.State{}, fmt.Errorf("%s: %w", label, err)
	case len(found) == 0:
		return bg.State{}, fmt.Errorf("%s: no position found", label)
	case len(found) > 1:
		positions := 0
		for _, line := range found[:min(len(found), 100)] {
			if _, err := o.parse(line); err == nil {
				positions++
			}
		}
		if id, ok := notation.Find(text); ok && positions <= 1 { // a text that another program has exported
			state, err := o.parse(id)
			if err != nil {
				err = fmt.Errorf("%s: %w", label, err)
			}
			return state, err
		}
		return bg.State{}, fmt.Errorf("%s: %d lines where one position is wanted; use --input for many", label, len(found))
	}
	state, err := o.parse(found[0])
	if err != nil {
		return state, fmt.Errorf("%s:%d: %w", label, at, err)
	}
	return state, nil
}

// maxPositionFile is how much of a file that holds one position is read.
const maxPositionFile = 1 << 20

// parse reads a position in any notation with an optional roll after it, which goes before
// --dice, which goes before the roll of the position itself. The flags for rules are applied.
func (o *positionOptions) parse(text string) (bg.State, error) {
	text, dice := strings.TrimSpace(text), o.dice
	rules := o.rules.rules()
	state, _, err := notation.ParseWith(text, rules)
	if err != nil {
		if i := strings.LastIndexAny(text, " \t"); i > 0 {
			roll := text[i+1:]
			if _, diceErr := bg.ParseDice(roll); diceErr == nil {
				if state, _, err = notation.ParseWith(strings.TrimSpace(text[:i]), rules); err == nil {
					dice = roll
				}
			}
		}
	}
	if err != nil {
		return state, err
	}
	if err := o.rules.apply(&state); err != nil {
		return state, err
	}
	if dice == "" {
		return state, nil
	}
	if state.Dice, err = bg.ParseDice(dice); err != nil {
		return state, err
	}
	state.Dice = state.Dice.Sorted()
	switch {
	case state.Doubled:
		return state, errors.New("dice are given while a double is offered")
	case state.Resigned != bg.Unfinished:
		return state, errors.New("dice are given while a resignation is offered")
	}
	return state, nil
}

// shorten returns text cut to a length that fits into an error message.
func shorten(text string) string {
	const most = 60
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
