package protocol

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// GNUBGAnalysisTime returns the processor time that an installed GNU Backgammon needs to analyze a
// match text on one thread, with plies for checker plays and cube decisions and everything else as
// it comes. It returns [ErrNoGNUBG] if the program is not there.
func GNUBGAnalysisTime(ctx context.Context, match []byte, plies int) (time.Duration, error) {
	return gnubgTime(ctx, match, gnubgAnalysisScript(plies), "Chequerplay rating", 1)
}

// matchName is the name of the file with the match that a script of gnubgTime may import.
const matchName = "match.mat"

// gnubgTime returns the processor time that GNU Backgammon needs for a script, whose output must
// contain proof that the work was done, so many times at least.
func gnubgTime(ctx context.Context, match []byte, script, proof string, times int) (time.Duration, error) {
	path, err := findGNUBG()
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "kotra-gnubg")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.WriteFile(filepath.Join(dir, "script"), []byte(script), 0o600); err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(dir, matchName), match, 0o600); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, path, "-t", "-q", "-r", "-c", "script")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil:
		return 0, fmt.Errorf("gnubg: %w", err)
	case strings.Count(string(out), proof) < times:
		return 0, fmt.Errorf("gnubg: %d %q in its output, want %d", strings.Count(string(out), proof), proof, times)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func gnubgAnalysisScript(plies int) string {
	return strings.Join([]string{
		"set threads 1",
		fmt.Sprintf("set analysis chequerplay evaluation plies %d", plies),
		fmt.Sprintf("set analysis cubedecision evaluation plies %d", plies),
		"import mat " + matchName, "analyse match", "show statistics match", "quit", "y", "",
	}, "\n")
}
