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

// GNUBGRolloutTime returns the processor time that an installed GNU Backgammon needs to roll out a
// position: so many cubeless money games at 0 ply to the end, on one thread, with variance reduction
// and quasi-random dice. It returns [ErrNoGNUBG] if the program is not there.
func GNUBGRolloutTime(ctx context.Context, positionID string, trials int, seed uint32) (time.Duration, error) {
	return gnubgTime(ctx, nil, gnubgRolloutScript(positionID, trials, seed), "Rollout done")
}

// GNUBGAnalysisTime returns the processor time that an installed GNU Backgammon needs to analyze a
// match text on one thread, with plies for checker plays and cube decisions and everything else as
// it comes. It returns [ErrNoGNUBG] if the program is not there.
func GNUBGAnalysisTime(ctx context.Context, match []byte, plies int) (time.Duration, error) {
	return gnubgTime(ctx, match, gnubgAnalysisScript(plies), "Chequerplay rating")
}

// matchName is the name of the file with the match that a script of gnubgTime may import.
const matchName = "match.mat"

// gnubgTime returns the processor time that GNU Backgammon needs for a script, whose output must
// contain proof that the work was done.
func gnubgTime(ctx context.Context, match []byte, script, proof string) (time.Duration, error) {
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
	case !strings.Contains(string(out), proof):
		return 0, fmt.Errorf("gnubg: no %q in its output", proof)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func gnubgRolloutScript(positionID string, trials int, seed uint32) string {
	return strings.Join([]string{
		"set player 0 human", "set player 1 human", "new session", "set jacoby off",
		"set board " + positionID, "set threads 1",
		fmt.Sprintf("set rollout seed %d", seed), fmt.Sprintf("set rollout trials %d", trials),
		"set rollout cubeful off", "set rollout varredn on", "set rollout quasirandom on",
		"set rollout truncation enable off", "set rollout late enable off",
		"set rollout chequerplay plies 0", "set rollout chequerplay cubeful off",
		"set rollout limit enable off", "set rollout jsd stop off",
		"rollout", "quit", "y", "",
	}, "\n")
}

func gnubgAnalysisScript(plies int) string {
	return strings.Join([]string{
		"set threads 1",
		fmt.Sprintf("set analysis chequerplay evaluation plies %d", plies),
		fmt.Sprintf("set analysis cubedecision evaluation plies %d", plies),
		"import mat " + matchName, "analyse match", "show statistics match", "quit", "y", "",
	}, "\n")
}
