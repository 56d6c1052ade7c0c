package protocol

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"kotra/bg"
)

// GNUBGDecisionTime returns the processor time that an installed GNU Backgammon needs, on one thread,
// for its hints about states, all of them rolled (plays) or none (cube actions). Its cache is
// emptied before each. What starting and setting up the positions takes is measured apart and left
// out; writing the hints is in it. It returns [ErrNoGNUBG] if the program is not there.
func GNUBGDecisionTime(ctx context.Context, states []bg.State, plies int) (time.Duration, error) {
	idle, err := gnubgTime(ctx, nil, gnubgDecisionScript(states, plies, false), "Setting GNUbg ID", len(states))
	if err != nil {
		return 0, err
	}
	proof := "    1. Cubeful "
	if states[0].Dice == (bg.Dice{}) {
		proof = "Proper cube action"
	}
	busy, err := gnubgTime(ctx, nil, gnubgDecisionScript(states, plies, true), proof, len(states))
	return max(busy-idle, 0), err
}

func gnubgDecisionScript(states []bg.State, plies int, hint bool) string {
	var b strings.Builder
	b.WriteString("set threads 1\nset display off\n")
	for _, automatic := range []string{"game", "roll", "move", "bearoff"} {
		fmt.Fprintf(&b, "set automatic %s off\n", automatic)
	}
	b.WriteString("set player 0 human\nset player 1 human\nnew session\n")
	for _, decision := range []string{"chequerplay", "cubedecision"} {
		fmt.Fprintf(&b, "set evaluation %s type evaluation\nset evaluation %s evaluation plies %d\n", decision, decision, plies)
	}
	for i := range states {
		fmt.Fprintf(&b, "set gnubgid %s\nclear cache\n", states[i].GNUID())
		if hint {
			b.WriteString("hint\n")
		}
	}
	b.WriteString("quit\ny\n")
	return b.String()
}

// GNUBGFirstAnswer starts an installed GNU Backgammon, lets it evaluate the opening position at 0 ply,
// and ends it. It returns [ErrNoGNUBG] if the program is not there.
func GNUBGFirstAnswer(ctx context.Context) error {
	start := []bg.State{bg.NewGame(bg.Rules{})}
	_, err := gnubgTime(ctx, nil, gnubgDecisionScript(start, 0, true), "Proper cube action", 1)
	return err
}

// gnubgCalibrated is what GNU Backgammon says at the end of a calibration.
var gnubgCalibrated = regexp.MustCompile(`Calibration result: (\d+) static evaluations/second`)

// GNUBGCalibration returns how many static evaluations a second an installed GNU Backgammon says that it
// does on one thread, by the time on the clock. It returns [ErrNoGNUBG] if the program is not there.
func GNUBGCalibration(ctx context.Context) (float64, error) {
	path, err := findGNUBG()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, path, "-t", "-q", "-r")
	cmd.Stdin = strings.NewReader("set threads 1\ncalibrate 100\nquit\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("gnubg: %w", err)
	}
	match := gnubgCalibrated.FindSubmatch(out)
	if match == nil {
		return 0, errors.New("gnubg: no result of the calibration in its output")
	}
	return strconv.ParseFloat(string(match[1]), 64)
}
