package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"kotra/duel"
)

// GNUBGOptions are the settings of an installed GNU Backgammon that plays a duel.
type GNUBGOptions struct {
	Ply     int  // of its lookahead; 0 is its raw network
	Cubeful bool // choose moves by cubeful equity
	Noise   float64
	Workers int // processes; 0 stands for 16, for one answers only about 100 times a second
}

// GNUBG returns a side of a duel that starts processes of an installed GNU Backgammon and asks
// them by its external-player protocol.
func GNUBG(opts GNUBGOptions) duel.Side {
	workers := opts.Workers
	if workers == 0 {
		workers = 16
	}
	return duel.Side{
		Name:    fmt.Sprintf("gnubg:ply=%d", opts.Ply),
		Workers: workers,
		New: func(ctx context.Context) (duel.Player, error) {
			return startGNUBG(ctx, opts)
		},
	}
}

// ErrNoGNUBG is returned when GNU Backgammon is not installed.
var ErrNoGNUBG = errors.New("gnubg is not installed")

// findGNUBG returns the path of the program.
func findGNUBG() (string, error) {
	if path, err := exec.LookPath("gnubg"); err == nil {
		return path, nil
	}
	const debian = "/usr/games/gnubg" // not on everybody's path
	if _, err := os.Stat(debian); err != nil {
		return "", ErrNoGNUBG
	}
	return debian, nil
}

// startGNUBG starts a process and connects to its server.
func startGNUBG(ctx context.Context, opts GNUBGOptions) (*externalPlayer, error) {
	path, err := findGNUBG()
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		address, err := freeAddress(ctx)
		if err != nil {
			return nil, err
		}
		p, err := serveGNUBG(ctx, path, address, opts)
		if err == nil || try == 3 || ctx.Err() != nil {
			return p, err
		}
	}
}

// startTimeout is how long gnubg may take to start.
const startTimeout = time.Minute

// serveGNUBG starts the program at path as a server at address and connects to it. It is an error
// if something else listens there, for that may be another gnubg: it serves one client at a time,
// and leaves the next one waiting.
func serveGNUBG(ctx context.Context, path, address string, opts GNUBGOptions) (*externalPlayer, error) {
	cmd := exec.Command(path, "-t", "-q")
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdin = strings.NewReader(gnubgSettings(opts) + "external " + address + "\n")
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := func() error {
		_ = cmd.Process.Kill() // it would listen for ever
		_ = cmd.Wait()
		return nil
	}
	starting, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	started := context.AfterFunc(starting, func() { _ = cmd.Process.Kill() })
	err = waitForServer(output, address)
	started()
	if err == nil {
		go func() { _, _ = io.Copy(io.Discard, output) }()
		var p *externalPlayer
		if p, err = dialExternal(ctx, address); err == nil {
			p.close = stop
			return p, nil
		}
	}
	_ = stop()
	return nil, fmt.Errorf("connecting to gnubg: %w", err)
}

// waitForServer reads what gnubg prints until it listens at address. If it does not, the input
// ends after the command that failed, and so does gnubg: the error is the last that it printed.
func waitForServer(output io.Reader, address string) error {
	last := "no output"
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		switch line := strings.TrimSpace(lines.Text()); {
		case strings.HasPrefix(line, "Waiting for a connection from "+address):
			return nil
		case line != "":
			last = line
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return errors.New(last)
}

// gnubgSettings returns the commands that set the strength of gnubg's external server.
func gnubgSettings(opts GNUBGOptions) string {
	var b strings.Builder
	b.WriteString("set threads 1\nset jacoby off\n")
	for _, decision := range []string{"chequerplay", "cubedecision"} {
		set := "set evaluation " + decision + " evaluation "
		fmt.Fprintf(&b, "set evaluation %s type evaluation\n", decision)
		fmt.Fprintf(&b, "%splies %d\n", set, opts.Ply)
		fmt.Fprintf(&b, "%sprune on\n", set)
		fmt.Fprintf(&b, "%snoise %g\n", set, opts.Noise)
		fmt.Fprintf(&b, "%sdeterministic on\n", set)
		fmt.Fprintf(&b, "%scubeful %s\n", set, onOff(opts.Cubeful || decision == "cubedecision"))
	}
	return b.String()
}

// freeAddress returns a local address that nobody listened on a moment ago.
func freeAddress(ctx context.Context) (string, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
