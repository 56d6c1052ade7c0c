package protocol

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"kotra/bg"
	"kotra/bg/notation"
	"kotra/duel"
	"kotra/movegen"
)

// ExternalSide returns a side of a duel that asks the server of GNU Backgammon's
// external-player protocol at the given address.
func ExternalSide(address string) duel.Side {
	return duel.Side{
		Name: "external:" + address,
		New: func(ctx context.Context) (duel.Player, error) {
			return dialExternal(ctx, address)
		},
	}
}

// An externalPlayer asks a server of the external-player protocol what to do.
type externalPlayer struct {
	conn    net.Conn
	replies *bufio.Reader
	close   func() error // more to do on Close, may be nil
}

func dialExternal(ctx context.Context, address string) (*externalPlayer, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &externalPlayer{conn: conn, replies: bufio.NewReader(conn)}, nil
}

// replyTimeout is how long a server may think.
const replyTimeout = 5 * time.Minute

// ask sends the board line of s, followed by options, and returns the reply.
func (p *externalPlayer) ask(ctx context.Context, s *bg.State) (string, error) {
	stop := context.AfterFunc(ctx, func() { _ = p.conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := p.conn.SetDeadline(time.Now().Add(replyTimeout)); err != nil {
		return "", err
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	line := notation.NewFIBS(*s, [2]string{"player0", "player1"}, notation.GNUBGLayout).String()
	if s.Score.Money() {
		line += " jacobyrule " + onOff(s.Rules.Jacoby)
	}
	if _, err := io.WriteString(p.conn, line+"\n"); err != nil {
		return "", err
	}
	reply, err := p.replies.ReadString('\n')
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return "", fmt.Errorf("no reply to %q: %w", line, err)
	}
	reply = strings.Trim(reply, "\x00\r\n ")
	if strings.HasPrefix(reply, "Error") {
		return "", fmt.Errorf("reply to %q: %s", line, reply)
	}
	return reply, nil
}

// Move implements [duel.Player].
func (p *externalPlayer) Move(ctx context.Context, s *bg.State, _ []movegen.Play) (bg.Move, error) {
	reply, err := p.ask(ctx, s)
	if err != nil {
		return bg.Move{}, err
	}
	steps, err := bg.ParseSteps(reply)
	if err != nil {
		return bg.Move{}, fmt.Errorf("%w: %q: %w", duel.ErrIllegal, reply, err)
	}
	play, err := movegen.Find(&s.Position, s.Dice, steps)
	if err != nil {
		return bg.Move{}, fmt.Errorf("%w: %q for %s in %s: %w", duel.ErrIllegal, reply, s.Dice, s.Position.ID(), err)
	}
	return play.Move, nil
}

// Double implements [duel.Player].
func (p *externalPlayer) Double(ctx context.Context, s *bg.State) (bool, error) {
	reply, err := p.ask(ctx, s)
	if err != nil {
		return false, err
	}
	switch {
	case strings.HasPrefix(reply, "d"):
		return true, nil
	case strings.HasPrefix(reply, "r"):
		return false, nil
	}
	return false, fmt.Errorf("%w: %q to roll or double", duel.ErrIllegal, reply)
}

// Answer implements [duel.Player].
func (p *externalPlayer) Answer(ctx context.Context, s *bg.State) (duel.Answer, error) {
	reply, err := p.ask(ctx, s)
	if err != nil {
		return duel.Pass, err
	}
	switch {
	case strings.HasPrefix(reply, "t"), strings.HasPrefix(reply, "a"):
		return duel.Take, nil
	case strings.HasPrefix(reply, "d"), strings.HasPrefix(reply, "p"), strings.HasPrefix(reply, "rej"):
		return duel.Pass, nil
	case strings.HasPrefix(reply, "b"), strings.HasPrefix(reply, "red"):
		return duel.Beaver, nil
	}
	return duel.Pass, fmt.Errorf("%w: %q to take or drop", duel.ErrIllegal, reply)
}

// Close implements [duel.Player].
func (p *externalPlayer) Close() error {
	err := p.conn.Close()
	if p.close != nil {
		if err2 := p.close(); err == nil {
			err = err2
		}
	}
	return err
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}
