package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/creack/pty"
)

// A GNUBGRolloutResult is what GNU Backgammon has found by a rollout, and what that took.
type GNUBGRolloutResult struct {
	Equity, StdErr float64       // cubeless, of the player on roll
	CPU            time.Duration // of the whole process
}

// GNUBGRollout lets an installed GNU Backgammon roll out a position, given by its Position ID: so many
// cubeless money games at 0 ply to the end, on one thread, with variance reduction and quasi-random
// dice. It returns [ErrNoGNUBG] if the program is not there, or if there are no pseudo-terminals, without
// which it does not tell its results.
func GNUBGRollout(ctx context.Context, positionID string, trials int, seed uint32) (GNUBGRolloutResult, error) {
	path, err := findGNUBG()
	if err != nil {
		return GNUBGRolloutResult{}, err
	}
	dir, err := os.MkdirTemp("", "kotra-gnubg")
	if err != nil {
		return GNUBGRolloutResult{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte(gnubgRolloutScript(positionID, trials, seed)), 0o600); err != nil {
		return GNUBGRolloutResult{}, err
	}
	cmd := exec.CommandContext(ctx, path, "-t", "-q", "-r", "-c", script)
	terminal, err := pty.Start(cmd)
	if errors.Is(err, pty.ErrUnsupported) {
		return GNUBGRolloutResult{}, ErrNoGNUBG
	}
	if err != nil {
		return GNUBGRolloutResult{}, fmt.Errorf("gnubg: %w", err)
	}
	defer func() { _ = terminal.Close() }()
	var out bytes.Buffer
	_, _ = io.Copy(&out, terminal) // ends with an error when the other side is closed
	if err := cmd.Wait(); err != nil {
		return GNUBGRolloutResult{}, errors.Join(ctx.Err(), fmt.Errorf("gnubg: %w", err))
	}
	r, err := parseGNUBGRollout(out.String())
	r.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return r, err
}

// gnubgRolled are the two lines of a result: chances and cubeless equity, then standard errors.
var gnubgRolled = regexp.MustCompile(`CL ([-+ ]?\d+\.\d+)\s+\[[^]]*CL\s+(\d+\.\d+)\]`)

// parseGNUBGRollout returns the last result in what GNU Backgammon prints on a terminal.
func parseGNUBGRollout(out string) (r GNUBGRolloutResult, err error) {
	found := gnubgRolled.FindAllStringSubmatch(out, -1)
	if len(found) == 0 || !strings.Contains(out, "Rollout done") {
		return r, errors.New("gnubg: no result of a rollout in its output")
	}
	last := found[len(found)-1]
	var errEquity, errStdErr error
	r.Equity, errEquity = strconv.ParseFloat(strings.TrimSpace(last[1]), 64)
	r.StdErr, errStdErr = strconv.ParseFloat(last[2], 64)
	return r, errors.Join(errEquity, errStdErr)
}

func gnubgRolloutScript(positionID string, trials int, seed uint32) string {
	return strings.Join([]string{
		"set player 0 human", "set player 1 human", "new session", "set jacoby off",
		"set board " + positionID, "set threads 1", "set output digits 6",
		fmt.Sprintf("set rollout seed %d", seed), fmt.Sprintf("set rollout trials %d", trials),
		"set rollout cubeful off", "set rollout varredn on", "set rollout quasirandom on",
		"set rollout truncation enable off", "set rollout late enable off",
		"set rollout chequerplay plies 0", "set rollout chequerplay cubeful off",
		"set rollout limit enable off", "set rollout jsd stop off",
		"rollout", "quit", "y", "",
	}, "\n")
}
