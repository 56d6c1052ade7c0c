package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"kotra/bg"
	"kotra/duel"
	"kotra/movegen"
)

// UBGISide returns a side of a duel that starts a UBGI program and asks it for its moves. The
// interface has no way to ask for the answer to a double, so that it can play without a cube
// alone.
func UBGISide(command string) duel.Side {
	return duel.Side{
		Name: "ubgi:" + command,
		New: func(ctx context.Context) (duel.Player, error) {
			return startUBGI(ctx, command)
		},
	}
}

// A ubgiPlayer asks a UBGI program for its moves.
type ubgiPlayer struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan string // closed when the program ends
	goes  string      // the form of "go" that the program knows
}

// startUBGI starts the program and greets it.
func startUBGI(ctx context.Context, command string) (*ubgiPlayer, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("no command")
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &ubgiPlayer{cmd: cmd, stdin: stdin, lines: make(chan string, 64), goes: "go role chequer"}
	go p.read(stdout)
	if err := p.greet(ctx); err != nil {
		_ = p.Close()
		return nil, fmt.Errorf("starting %s: %w", command, err)
	}
	return p, nil
}

func (p *ubgiPlayer) read(r io.Reader) {
	defer close(p.lines)
	scanner := bufio.NewScanner(r)
	for scanner.Scan() {
		p.lines <- strings.TrimRight(scanner.Text(), "\r ")
	}
}

func (p *ubgiPlayer) greet(ctx context.Context) error {
	if err := p.send("ubgi"); err != nil {
		return err
	}
	for {
		line, err := p.receive(ctx)
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(line, "error"):
			return errors.New(line)
		case strings.HasPrefix(line, "proto "):
			p.goes = "go chequer"
		case line == "ubgiok" || line == "readyok":
			return p.ready(ctx, "newgame")
		}
	}
}

// ready sends a command and waits until the program has seen to it.
func (p *ubgiPlayer) ready(ctx context.Context, command string) error {
	if err := p.send(command, "isready"); err != nil {
		return err
	}
	for {
		line, err := p.receive(ctx)
		if err != nil || line == "readyok" {
			return err
		}
		if strings.HasPrefix(line, "error") {
			return errors.New(line)
		}
	}
}

func (p *ubgiPlayer) send(lines ...string) error {
	_, err := io.WriteString(p.stdin, strings.Join(lines, "\n")+"\n")
	return err
}

func (p *ubgiPlayer) receive(ctx context.Context) (string, error) {
	timeout := time.NewTimer(replyTimeout)
	defer timeout.Stop()
	select {
	case line, ok := <-p.lines:
		if !ok {
			return "", io.ErrUnexpectedEOF
		}
		return line, nil
	case <-timeout.C:
		return "", errors.New("no reply")
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Move implements [duel.Player].
func (p *ubgiPlayer) Move(ctx context.Context, s *bg.State, _ []movegen.Play) (bg.Move, error) {
	dice := s.Dice.Sorted()
	err := p.send("position gnubgid "+s.Position.ID(), fmt.Sprintf("dice %d %d", dice[0], dice[1]), p.goes)
	if err != nil {
		return bg.Move{}, err
	}
	for {
		line, err := p.receive(ctx)
		if err != nil {
			return bg.Move{}, err
		}
		text, found := strings.CutPrefix(line, "bestmove")
		switch {
		case found:
			return p.find(s, strings.TrimSpace(text))
		case strings.HasPrefix(line, "error unknown_command"), strings.HasPrefix(line, "error bad_command"):
		case strings.HasPrefix(line, "error"):
			return bg.Move{}, fmt.Errorf("%w: %s", duel.ErrIllegal, line)
		}
	}
}

// find reads the move of an answer.
func (p *ubgiPlayer) find(s *bg.State, text string) (bg.Move, error) {
	if text == "pass" {
		text = ""
	}
	steps, err := bg.ParseSteps(text)
	if err != nil {
		return bg.Move{}, fmt.Errorf("%w: %q: %w", duel.ErrIllegal, text, err)
	}
	play, err := movegen.Find(&s.Position, s.Dice, steps)
	if err != nil {
		return bg.Move{}, fmt.Errorf("%w: %q for %s in %s: %w", duel.ErrIllegal, text, s.Dice, s.Position.ID(), err)
	}
	return play.Move, nil
}

// Double implements [duel.Player]: it never doubles.
func (p *ubgiPlayer) Double(context.Context, *bg.State) (bool, error) { return false, nil }

// Answer implements [duel.Player]: it takes everything.
func (p *ubgiPlayer) Answer(context.Context, *bg.State) (duel.Answer, error) { return duel.Take, nil }

// Close implements [duel.Player].
func (p *ubgiPlayer) Close() error {
	_ = p.send("quit")
	_ = p.stdin.Close()
	stop := time.AfterFunc(2*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer stop.Stop()
	for range p.lines { // what it still says
	}
	return p.cmd.Wait()
}
