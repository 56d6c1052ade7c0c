package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kotra/analysis"
	"kotra/bg"
	"kotra/internal/report"
	"kotra/record"
	"kotra/record/fibs"
	"kotra/record/formats"
	"kotra/record/sgf"
	"kotra/rollout"
	"kotra/weights"
)

// matchHelp is the part of the long help of analyze that is about matches.
const matchHelp = `
With match files (.mat, .txt, .sgf, .xg, .xgp, .bgf), folders of them or patterns, it analyzes whole
matches: the loss of every checker play and cube decision, the luck of every roll, and what
follows for both players. With --rollout close decisions are rolled out. A file that cannot be
read is reported, and the others go on. Only reading and checking is done with --no-evaluation.
With --resume FOLDER what is found out is kept there; the same call, after an interrupt or with
other outputs, goes on from it.`

// matchOptions are the flags of the analysis of matches.
type matchOptions struct {
	files        []string // what to read; nil if positions are analyzed
	noEvaluation bool
	html         string
	output       string
	export       string
	resume       string
	threshold    float64
	worst        int
}

func (o *matchOptions) addFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.noEvaluation, "no-evaluation", false, "matches: read and check only")
	fs.StringVar(&o.html, "html", "", "matches: write a page to `FILE`")
	fs.StringVar(&o.output, "output", "", "matches: write them with the analysis to `FILE`.sgf")
	fs.StringVar(&o.export, "export-positions", "", "matches: write the errors to `FILE`: .txt XGIDs, .csv, .json, or .tsv for Anki")
	fs.StringVar(&o.resume, "resume", "", "matches: keep what is found out in `FOLDER`, and go on from what is there")
	fs.Float64Var(&o.threshold, "threshold", record.DoubtfulLoss, "matches: loss in EMG from which on an error is listed or exported")
	fs.IntVar(&o.worst, "worst", 3, "matches: errors shown with boards")
}

// matchFlags are those that mean nothing for positions.
var matchFlags = []string{"no-evaluation", "html", "output", "export-positions", "resume", "threshold", "worst"}

// check sets o.files if the arguments are match files, and reports whether they are.
func (o *matchOptions) check(cmd *cobra.Command, args []string) (bool, error) {
	matches := 0
	for _, arg := range args {
		if isMatchArg(arg) {
			matches++
		}
	}
	if matches == 0 {
		for _, name := range matchFlags {
			if cmd.Flags().Changed(name) && len(args) > 0 {
				return false, usagef(cmd, "--%s is for match files, and %q is none", name, args[0])
			}
		}
		return false, nil
	}
	for _, name := range []string{"dice", "cube", "top", "input", "jsonl"} {
		if cmd.Flags().Changed(name) {
			return true, usagef(cmd, "--%s is for positions, and %q is a match file", name, args[0])
		}
	}
	switch {
	case o.output != "" && !strings.EqualFold(filepath.Ext(o.output), ".sgf") && o.output != "-":
		return true, usagef(cmd, "--output: %q does not end with .sgf", o.output)
	case o.noEvaluation && o.export+o.html+o.resume != "":
		return true, usagef(cmd, "--no-evaluation leaves nothing for --html, --export-positions and --resume")
	case o.threshold < 0:
		return true, usagef(cmd, "--threshold: %v is negative", o.threshold)
	case o.worst < 0:
		return true, usagef(cmd, "--worst: %d is negative", o.worst)
	}
	o.files = args
	return true, nil
}

// matchText finds the beginning of a match text.
var matchText = regexp.MustCompile(`(?im)^\W*\d+[\s-]*points?[\s-]+match\b|^\s*(unlimited|money)\s+(match|session)\b|^\s*game\s+\d+\s*$`)

// isMatchArg reports whether an argument names match files: a folder, a pattern, a file with a
// match in it, or one that does not exist but is called like a match file.
func isMatchArg(arg string) bool {
	if arg == "-" || len(arg) > 4096 {
		return false
	}
	info, err := os.Stat(arg)
	if err != nil {
		return formats.IsMatchFile(arg) || strings.ContainsAny(arg, "*?[") && len(glob(arg)) > 0
	}
	if info.IsDir() {
		return true
	}
	f, err := os.Open(arg)
	if err != nil {
		return formats.IsMatchFile(arg)
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, 1<<16))
	ext := strings.ToLower(filepath.Ext(arg))
	return bytes.HasPrefix(head, []byte("RGMH")) || bytes.Contains(head, []byte("GM[6]")) || matchText.Match(head) || fibs.Is(head) ||
		ext != ".txt" && formats.IsMatchFile(arg)
}

func glob(pattern string) []string {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil
	}
	return names
}

// expandFiles returns the match files that the arguments name, each once, in order.
func expandFiles(args []string) (files []string, failed []report.FailedFile) {
	add := func(name string) {
		if !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil && strings.ContainsAny(arg, "*?[") && len(glob(arg)) > 0:
			for _, name := range glob(arg) {
				add(name)
			}
		case err != nil:
			add(arg) // reading it will say why not
		case info.IsDir():
			err := filepath.WalkDir(arg, func(name string, entry fs.DirEntry, err error) error {
				if err != nil {
					failed = append(failed, report.FailedFile{File: name, Error: oneLine(err.Error())})
					return nil
				}
				if !entry.IsDir() && formats.IsMatchFile(name) {
					add(name)
				}
				return nil
			})
			if err != nil {
				failed = append(failed, report.FailedFile{File: arg, Error: oneLine(err.Error())})
			}
		default:
			add(arg)
		}
	}
	return files, failed
}

// A matchJob analyzes the files of one call.
type matchJob struct {
	e        *env
	o        *analyzeOptions
	analyzer *analysis.Analyzer // nil without an evaluation
	settings string             // what results depend on besides the file
	out      report.Matches
	analyzed []*analysis.Match // parallel to out.Matches
	progress *progress
	done     float64 // files
	total    float64
}

func runAnalyzeMatches(ctx context.Context, e *env, o *analyzeOptions) error {
	files, failed := expandFiles(o.files)
	j := &matchJob{e: e, o: o, total: float64(len(files))}
	j.out.Matches, j.out.Failed = []*report.MatchReport{}, failed
	if j.out.Failed == nil {
		j.out.Failed = []report.FailedFile{}
	}
	if !o.noEvaluation {
		if err := j.start(e); err != nil {
			return err
		}
	}
	j.progress = newProgress(e, "analyzing")
	var err error
	for _, name := range files {
		if err = j.file(ctx, name); err != nil {
			break
		}
		j.done++
	}
	j.progress.close()
	if writeErr := j.write(); writeErr != nil {
		return writeErr
	}
	if err != nil {
		return err
	}
	if len(j.out.Failed) > 0 {
		for _, f := range j.out.Failed {
			fmt.Fprintf(e.err, "kotra: %s: %s\n", f.File, f.Error)
		}
		return errReported
	}
	return nil
}

// start makes the analyzer.
func (j *matchJob) start(e *env) error {
	threads := j.o.threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	engine, err := j.o.newEngine(e, 1)
	if err != nil {
		return err
	}
	j.analyzer = &analysis.Analyzer{
		SearcherFor: engine.SearcherFor, MET: engine.Options().MET, Cubeless: j.o.cubeless,
		Ply: j.o.ply, CubePly: j.o.ply, Threads: threads,
		Progress: func(done, total int) {
			j.progress.set((j.done + float64(done)/float64(total)) / max(1, j.total))
		},
	}
	if j.o.rollout != "" {
		settings, err := rollout.Preset(j.o.rollout)
		if err != nil {
			return err
		}
		settings.Seed, settings.Cubeless = j.o.seed, j.o.cubeless
		j.analyzer.Rollout = &analysis.Rollout{Config: func(ctx context.Context, s bg.State) (rollout.Config, error) {
			return engine.NewRollout(ctx, s, settings)
		}}
	}
	if j.o.resume == "" {
		return nil
	}
	return j.readSettings(e)
}

// readSettings sets what results depend on besides the match: the options, and the content of the
// files that they name.
func (j *matchJob) readSettings(e *env) error {
	network, err := weights.File(j.o.weightsFile(e))
	if err != nil {
		return fileError(j.o.weightsFile(e), err)
	}
	table, err := os.ReadFile(j.o.met)
	if err != nil {
		table = []byte(j.o.met) // the name of a table that is built in
	}
	j.settings = fmt.Sprintf("4 %q %d %d %t %x %x", j.o.rollout, j.o.seed, j.o.ply, j.o.cubeless, sha256.Sum256(network), sha256.Sum256(table))
	return nil
}

// file reads and analyzes one file. It returns an error only if the work is to end.
func (j *matchJob) file(ctx context.Context, name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		j.fail(name, err)
		return nil
	}
	matches, err := formats.Read(bytes.NewReader(data))
	if err != nil {
		j.fail(name, err)
	}
	for i, m := range matches {
		a, err := j.match(ctx, m, j.keptName(data, i))
		j.out.Matches = append(j.out.Matches,
			report.NewMatch(a, report.MatchOptions{File: name, Ply: j.o.ply, Threshold: j.o.threshold, Worst: j.o.worst}))
		j.analyzed = append(j.analyzed, a)
		if err != nil {
			return err
		}
	}
	return nil
}

func (j *matchJob) fail(name string, err error) {
	j.out.Failed = append(j.out.Failed, report.FailedFile{File: name, Error: oneLine(err.Error())})
}

// match analyzes a match, or what is left to do of it by the file of the name kept, which holds in
// the end what has been found out, also after an interrupt.
func (j *matchJob) match(ctx context.Context, m *record.Match, kept string) (*analysis.Match, error) {
	if j.analyzer == nil {
		return analysis.Counts(m, nil), nil
	}
	a := analysis.Counts(m, j.analyzer.MET)
	if kept == "" {
		return a, j.analyzer.Evaluate(ctx, a)
	}
	before := 0
	if data, err := os.ReadFile(kept); err == nil {
		if err := a.Restore(bytes.NewReader(data)); err != nil {
			j.e.note("%s cannot be used, and is made anew: %v", kept, err)
		}
		before = a.EvaluatedDecisions()
	}
	err := j.analyzer.Evaluate(ctx, a)
	if a.EvaluatedDecisions() == before {
		return a, err
	}
	keepErr := os.MkdirAll(j.o.resume, 0o755)
	if keepErr != nil {
		keepErr = fileError(j.o.resume, keepErr)
	} else {
		keepErr = writeFile(j.e, kept, a.Keep)
	}
	return a, errors.Join(err, keepErr)
}

// keptName returns the name of the file for what is found out about the i-th match of a file,
// empty if nothing is kept.
func (j *matchJob) keptName(data []byte, i int) string {
	if j.o.resume == "" {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %d\n", j.settings, i)
	h.Write(data)
	return filepath.Join(j.o.resume, hex.EncodeToString(h.Sum(nil)[:16])+".kept")
}

// write writes all that was asked for.
func (j *matchJob) write() error {
	o := j.o
	var err error
	if o.html != "" {
		err = errors.Join(err, writeFile(j.e, o.html, func(w io.Writer) error { return report.WriteMatchHTML(w, j.out.Matches, j.analyzed) }))
	}
	if o.output != "" {
		err = errors.Join(err, writeFile(j.e, o.output, j.writeSGF))
	}
	if o.export != "" {
		err = errors.Join(err, writeFile(j.e, o.export, func(w io.Writer) error {
			if strings.EqualFold(filepath.Ext(o.export), ".json") {
				return writeJSON(w, j.errors())
			}
			return report.WriteStudy(w, filepath.Ext(o.export), j.out.Matches)
		}))
	}
	if err != nil || o.html == "-" || o.output == "-" || o.export == "-" {
		return err
	}
	if o.json {
		return writeJSON(j.e.out, &j.out)
	}
	text := report.Matches{Matches: j.out.Matches} // failures go to standard error
	return text.WriteText(j.e.out)
}

// errors returns the errors of all matches.
func (j *matchJob) errors() []report.DecisionReport {
	all := []report.DecisionReport{}
	for _, m := range j.out.Matches {
		all = append(all, m.Errors...)
	}
	return all
}

func (j *matchJob) writeSGF(w io.Writer) error {
	for _, a := range j.analyzed {
		if a.Evaluated {
			sgf.StripAnalysis(a.Record)
			a.Annotate()
		}
		if err := sgf.Write(w, a.Record); err != nil {
			return err
		}
	}
	return nil
}
