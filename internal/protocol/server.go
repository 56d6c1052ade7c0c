package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// A Server lets clients talk to an engine over connections, each in a session of its own.
type Server struct {
	// Serve runs a session until the client leaves or the context is done.
	Serve func(ctx context.Context, in io.Reader, out io.Writer) error
	// IdleTimeout ends a session whose client has not sent a whole line for so long; 0 means never.
	IdleTimeout time.Duration
	// MaxSessions limits the connections at a time; more get an error line. 0 means 256.
	MaxSessions int
	// Report, if not nil, is told how a session ended that did not end well.
	Report func(client net.Addr, err error)
}

// writeTimeout is how long a client may take to read a reply.
const writeTimeout = 10 * time.Second

// Listen serves the clients of l until ctx is done, then closes l and all connections and
// returns when the sessions have ended.
func (s *Server) Listen(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	limit := s.MaxSessions
	if limit == 0 {
		limit = 256
	}
	slots := make(chan struct{}, limit)
	var sessions sync.WaitGroup
	defer sessions.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			var temporary net.Error
			if errors.As(err, &temporary) && temporary.Timeout() {
				continue
			}
			return err
		}
		select {
		case slots <- struct{}{}:
		default:
			_ = conn.SetWriteDeadline(time.Now().Add(writeTimeout))
			_, _ = fmt.Fprintf(conn, "Error: there are %d sessions already\n", limit)
			_ = conn.Close()
			continue
		}
		sessions.Go(func() {
			defer func() { <-slots }()
			s.session(ctx, conn)
		})
	}
}

func (s *Server) session(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	timed := &timedConn{conn: conn, idle: s.IdleTimeout}
	timed.restart()
	if err := s.Serve(ctx, timed, timed); err != nil && ctx.Err() == nil && s.Report != nil {
		s.Report(conn.RemoteAddr(), err)
	}
}

// A timedConn ends a session whose client is silent, or so slow that no line is complete, for the
// idle time after its last line or the last reply. Replies have a deadline too.
type timedConn struct {
	conn  net.Conn
	idle  time.Duration // 0 is for ever
	since atomic.Int64  // Unix time in ns of the last line or reply
}

func (c *timedConn) restart() { c.since.Store(time.Now().UnixNano()) }

func (c *timedConn) Read(p []byte) (int, error) {
	for {
		end := time.Time{}
		if c.idle > 0 {
			end = time.Unix(0, c.since.Load()).Add(c.idle)
		}
		if err := c.conn.SetReadDeadline(end); err != nil {
			return 0, err
		}
		n, err := c.conn.Read(p)
		if bytes.IndexByte(p[:n], '\n') >= 0 {
			c.restart()
		}
		if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && time.Unix(0, c.since.Load()).Add(c.idle).After(end) {
			continue // there has been a reply meanwhile
		}
		return n, err
	}
}

func (c *timedConn) Write(p []byte) (int, error) {
	if err := c.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return 0, err
	}
	n, err := c.conn.Write(p)
	c.restart()
	return n, err
}
