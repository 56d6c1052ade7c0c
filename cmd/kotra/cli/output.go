package cli

import (
	"fmt"
	"io"

	"github.com/schollz/progressbar/v3"

	"kotra/internal/whole"
)

// note prints a line on standard error, unless the user wants none.
func (e *env) note(format string, args ...any) {
	if !e.quiet {
		fmt.Fprintf(e.err, format+"\n", args...)
	}
}

// writeFile writes the named file, as a whole or not at all; "-" is standard output.
func writeFile(e *env, name string, write func(w io.Writer) error) error {
	if name == "-" {
		return write(e.out)
	}
	if err := whole.File(name, write); err != nil {
		return fileError(name, err)
	}
	return nil
}

// A progress is a bar on a terminal, and nothing elsewhere.
type progress struct{ bar *progressbar.ProgressBar }

const progressSteps = 1000

func newProgress(e *env, what string) *progress {
	if !e.progress || e.quiet {
		return &progress{}
	}
	return &progress{progressbar.NewOptions(progressSteps,
		progressbar.OptionSetWriter(e.err),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(min(40, e.width/2)),
		progressbar.OptionEnableColorCodes(false),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
	)}
}

// set shows the part that is done, from 0 to 1.
func (p *progress) set(done float64) {
	if p.bar != nil {
		_ = p.bar.Set(int(done * progressSteps))
	}
}

func (p *progress) close() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
