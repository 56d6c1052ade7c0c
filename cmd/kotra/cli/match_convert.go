package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kotra/internal/report"
	"kotra/record"
	"kotra/record/formats"
)

// matchOutputs are the endings of files that convert writes matches to.
var matchOutputs = []string{".mat", ".txt", ".sgf", ".json", ".csv"}

// isMatchOutput reports whether the second argument of convert is a file for matches.
func isMatchOutput(name string) bool {
	return slices.Contains(matchOutputs, strings.ToLower(filepath.Ext(name)))
}

// convertMatches reads the matches of one file and writes them in the format that the name of the
// other asks for. Warnings go to standard error.
func convertMatches(e *env, in, out string) error {
	f, label, err := openInput(e, in)
	if err != nil {
		return err
	}
	defer f.Close()
	matches, err := formats.Read(f)
	if err != nil {
		return fmt.Errorf("file %q: %w", label, err)
	}
	for _, m := range matches {
		for _, w := range m.Warnings {
			e.note("%s: %s", label, w)
		}
	}
	if sameFile(in, out) {
		return fmt.Errorf("file %q: it is the file to be converted", out)
	}
	return writeFile(e, out, func(w io.Writer) error { return writeMatches(w, filepath.Ext(out), matches) })
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func writeMatches(w io.Writer, extension string, matches []*record.Match) error {
	switch strings.ToLower(extension) {
	case ".json":
		list := make([]report.RecordedMatch, len(matches))
		for i, m := range matches {
			list[i] = report.NewRecordedMatch(m)
		}
		return writeJSON(w, map[string]any{"matches": list})
	case ".csv":
		return report.WriteRecordCSV(w, matches)
	}
	return formats.Write(w, extension, matches)
}
