package protocol

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/bg/notation"
	"kotra/movegen"
)

const openingPoints = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"

// opening returns a board line of the opening position.
func opening(length, first, second, turn, die1, die2 int, rest string) string {
	return fmt.Sprintf("board:Engine:House:%d:%d:%d:%s:%d:%d:%d:%d:%d%s",
		length, first, second, openingPoints, turn, die1, die2, die1, die2, rest)
}

// talk sends text to a session and returns all that it answers.
func talk(t *testing.T, x *External, text string) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, x.Serve(t.Context(), strings.NewReader(text), &out))
	return out.String()
}

func TestCommandsOfTheServer(t *testing.T) {
	const rest = ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"
	tests := []struct{ name, send, want string }{
		{"version", "version", "Interface: 2\nRFBF: 0\nEngine: test\nSoftware: kotra\n"},
		{"any case", "VERSION", "Interface: 2\nRFBF: 0\nEngine: test\nSoftware: kotra\n"},
		{"carriage return", "help\r", "\tNo help information available\n"},
		{"nothing", "", "Error: no command given\n"},
		{"blanks", "  \t", "Error: no command given\n"},
		{"unknown", "bogus", "Error: syntax error, unexpected E_CHARACTER\n"},
		{"debug off", "set debug no", "Debug output OFF\n"},
		{"new interface", "set interface new", "New interface ON\n"},
		{"prompt", `set prompt "x> "`, "Error: set option 'prompt' not supported\n"},
		{"wrong set", "set bogus", "Error: syntax error, unexpected E_CHARACTER, expecting DEBUG or E_INTERFACE or PROMPT\n"},
		{"move", opening(0, 0, 0, 1, 6, 5, rest), "24/18 18/13 \n"},
		{"roll", opening(0, 0, 0, 1, 0, 0, rest), "roll\n"},
		{"accept", opening(0, 0, 0, 1, 0, 0, rest) + " resignation 3", "accept\n"},
		{"take", opening(0, 0, 0, 1, 0, 0, ":1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1") + " beavers off", "take\n"},
		{"both may not double is a double", opening(0, 0, 0, 1, 0, 0, ":1:0:0:0:1:-1:0:25:0:0:0:0:0:0:0:1"), "take\n"},
		{"name with blanks", strings.Replace(opening(0, 0, 0, 1, 6, 5, rest), "House", "My House", 1), "24/18 18/13 \n"},
		{"no turn", opening(0, 0, 0, 0, 3, 1, rest), "Error: illegal state: the turn of the board line is 0, want 1 or -1\n"},
		{"finished match", opening(5, 5, 2, 1, 3, 1, rest), "Error: illegal state: the score 5-2 ends a match to 5\n"},
		{"too many checkers", strings.Replace(opening(0, 0, 0, 1, 3, 1, rest), ":5:0:3", ":9:0:3", 1), "Error: illegal position: 19 checkers for the player on roll, at most 15 are allowed\n"},
		{"plies on a board", opening(0, 0, 0, 1, 3, 1, rest) + " plies 2", "Error: syntax error, unexpected PLIES, expecting EOL\n"},
		{"dice of no die", opening(0, 0, 0, 1, 7, 9, rest), "Error: illegal state: the dice of the board line are 7 and 9, want two from 1 to 6\n"},
		{"negative plies", "evaluation fibsboard " + opening(0, 0, 0, 1, 0, 0, rest) + " plies -1", "Error: -1 is not in the range from 0 to 4\n"},
		{"evaluation of what", "evaluation", "Error: syntax error, unexpected EOL, expecting FIBSBOARD\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, talk(t, newExternal(), tt.send+"\n"))
		})
	}
}

func TestLinesThatAreNoBoardGetAnError(t *testing.T) {
	const rest = ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"
	for _, line := range []string{
		"board:", "board:a:b", "board:a:b:0", "board:a:b:x:0:0",
		opening(0, 0, 0, 1, 3, 1, rest+":7"), opening(0, 0, 0, 1, 3, 1, rest) + "x",
	} {
		got := talk(t, newExternal(), line+"\n")
		assert.Regexp(t, `^Error: .+\n$`, got)
	}
}

func TestSeveralCommandsInOnePacketAreAllAnswered(t *testing.T) {
	got := talk(t, newExternal(), "help\nset debug off\nbogus\nhelp\n")
	assert.Equal(t, 4, strings.Count(got, "\n"))
}

func TestLongLineIsRefusedAndTheSessionGoesOn(t *testing.T) {
	got := talk(t, newExternal(), strings.Repeat("A", 100_000)+"\nhelp\n")
	assert.Equal(t, "Error: the line is longer than 4096 bytes\n\tNo help information available\n", got)
}

func TestQuitEndsTheSessionWithoutAReply(t *testing.T) {
	assert.Equal(t, "Debug output OFF\n", talk(t, newExternal(), "set debug off\nquit\nhelp\n"))
}

func TestClientsNULIsIgnored(t *testing.T) {
	line := opening(0, 0, 0, 1, 6, 5, ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1")
	assert.Equal(t, "24/18 18/13 \n24/18 18/13 \n", talk(t, newExternal(), line+"\n\x00"+line+"\n\x00"))
}

func TestLostGamesAreResignedToGNUBackgammonOnce(t *testing.T) {
	// Black, to move upward, has five checkers on his 6 point, White one on his ace point.
	const lost = "0:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-5:0:0:0:0:0:0"
	line := func(points string) string {
		return "board:Engine:House:7:" + points + ":" + lost + ":-1:2:1:2:1:1:1:1:0:1:-1:0:25:14:10:0:0:0:0:0:1\n"
	}
	const plays = "6/4 4/3 \n"
	assert.Equal(t, plays+plays, talk(t, newExternal(), line("0:0")+line("0:0")), "no other client knows the reply")
	assert.Equal(t, plays+"resign normal\n"+plays+plays+"resign normal\n",
		talk(t, newExternal(), line("0:0")+"\x00"+line("0:0")+"\x00"+line("0:0")+"\x00"+line("0:0")+"\x00"+line("0:1")+"\x00"))
	x := newExternal()
	x.NoResign = true
	assert.Equal(t, plays+plays, talk(t, x, line("0:0")+"\x00"+line("0:0")+"\x00"))
}

func TestScoresFollowGNUBackgammonUnlessToldOtherwise(t *testing.T) {
	// Fields 4 and 5 of a match to 7 points are 6 and 5.
	tests := []struct {
		name        string
		turn        int
		doubled     int
		layout      notation.Layout
		wantOnRoll  int
		wantDecider int
	}{
		{"positive side to move", 1, 0, notation.GNUBGLayout, 5, 1},
		{"negative side to move", -1, 0, notation.GNUBGLayout, 6, 0},
		{"negative side has doubled", -1, 1, notation.GNUBGLayout, 5, 1},
		{"positive side has doubled", 1, 1, notation.GNUBGLayout, 6, 0},
		{"FIBS, positive side to move", 1, 0, notation.FIBSLayout, 6, 1},
		{"FIBS, negative side to move", -1, 0, notation.FIBSLayout, 5, 0},
		{"FIBS, negative side has doubled", -1, 1, notation.FIBSLayout, 5, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line := opening(7, 6, 5, tt.turn, 0, 0, fmt.Sprintf(":1:1:1:%d:1:-1:0:25:0:0:0:0:0:0:1:1", tt.doubled))
			b, _, err := notation.CutFIBS(line)
			require.NoError(t, err)
			s, err := boardState(b, tt.layout, bg.Rules{})
			require.NoError(t, err)
			assert.Equal(t, bg.Score{Length: 7, OnRoll: tt.wantOnRoll, Opponent: 11 - tt.wantOnRoll}, s.Score)
			assert.Equal(t, tt.wantDecider, s.Decider())
		})
	}
}

func TestCrawfordGameIsOnePointAwayWithBothFlagsZero(t *testing.T) {
	for flags, want := range map[string]bool{":0:0": true, ":1:0": false, ":0:1": false, ":1:1": false} {
		b, _, err := notation.CutFIBS(opening(5, 4, 2, 1, 3, 1, ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0"+flags))
		require.NoError(t, err)
		s, err := boardState(b, notation.GNUBGLayout, bg.Rules{})
		require.NoError(t, err)
		assert.Equal(t, want, s.Score.Crawford, flags)
		s, err = boardState(b, notation.GNUBGLayout, bg.Rules{NoCrawford: true})
		require.NoError(t, err)
		assert.False(t, s.Score.Crawford)
	}
}

func TestLongMatchesAreCutToWhatGNUBackgammonKnows(t *testing.T) {
	b, _, err := notation.CutFIBS(opening(100, 90, 10, -1, 3, 1, ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"))
	require.NoError(t, err)
	s, err := boardState(b, notation.GNUBGLayout, bg.Rules{})
	require.NoError(t, err)
	assert.Equal(t, bg.Score{Length: 64, OnRoll: 54}, s.Score)
}

func TestOriginalDoublerIsAskedAgainAfterABeaver(t *testing.T) {
	b, _, err := notation.CutFIBS(opening(0, 0, 0, -1, 0, 0, ":2:1:0:1:1:-1:0:25:0:0:0:0:0:0:0:1"))
	require.NoError(t, err)
	s, err := boardState(b, notation.GNUBGLayout, bg.Rules{Beavers: 3})
	require.NoError(t, err)
	assert.Equal(t, 1, s.Beavers)
	assert.Equal(t, 0, s.Decider())
	assert.Equal(t, bg.Cube{Value: 2, Owner: bg.Opponent}, s.Cube)
	require.NoError(t, s.Validate())
}

func TestTurnsOfTheCubeAtOnceAreCountedAndLimited(t *testing.T) {
	x := newExternal()
	x.Engine = eager{}
	line := func(cube, may1, may2 int) string {
		return opening(0, 0, 0, 1, 0, 0, fmt.Sprintf(":%d:%d:%d:1:1:-1:0:25:0:0:0:0:0:0:0:1\n", cube, may1, may2))
	}
	doubled, beavered, again := line(1, 1, 1), line(2, 0, 1), line(8, 0, 1)
	assert.Equal(t, "beaver\nbeaver\n", talk(t, x, doubled+beavered))
	assert.Equal(t, "beaver\ntake\n", talk(t, x, beavered+again), "the fourth beaver")
	other := strings.Replace(again, "-5:5", "-5:4:1", 1)
	other = strings.Replace(other, ":0:0:0:-3", ":0:0:-3", 1)
	assert.Equal(t, "beaver\nbeaver\n", talk(t, x, beavered+other), "another game")
	assert.Equal(t, "take\n", talk(t, x, opening(7, 0, 0, 1, 0, 0, ":1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1\n")), "a match")
}

// An eager engine beavers whatever it is offered.
type eager struct{ fakeEngine }

func (eager) Answer(context.Context, bg.State) (Answer, error) { return Beaver, nil }

func TestEveryRequestOfClientsGetsALegalReply(t *testing.T) {
	type vector struct {
		Kind, Line string
		Seat       int
		Answer     string `json:"gnubg_0ply_answer"`
	}
	x := newExternal()
	n := 0
	readVectors(t, "client.jsonl", func(v vector) {
		n++
		reply := strings.TrimRight(talk(t, x, v.Line+"\n\x00"), " \n")
		checkReply(t, v.Kind, v.Line, reply)
		checkReply(t, v.Kind, v.Line, v.Answer)
		b, _, err := notation.CutFIBS(v.Line)
		require.NoError(t, err)
		s, err := boardState(b, notation.GNUBGLayout, bg.Rules{})
		require.NoError(t, err)
		assert.Equal(t, v.Seat, s.Decider(), v.Line)
	})
	assert.Equal(t, 97, n)
}

// checkReply checks the form of a reply, and that a move is legal.
func checkReply(t *testing.T, kind, line, reply string) {
	t.Helper()
	switch kind {
	case "cube", "roll-or-double":
		assert.Contains(t, []string{"roll", "double"}, reply, line)
	case "take", "take-or-drop":
		assert.Contains(t, []string{"take", "drop", "beaver"}, reply, line)
	case "resignation":
		assert.Contains(t, []string{"accept", "reject"}, reply, line)
	case "evaluation":
		assert.Regexp(t, `^([01]\.\d{6} ){5}-?\d\.\d{6}$`, reply, line)
	case "move":
		b, _, err := notation.CutFIBS(line)
		require.NoError(t, err)
		s, err := boardState(b, notation.GNUBGLayout, bg.Rules{})
		require.NoError(t, err)
		steps, err := bg.ParseSteps(reply)
		require.NoError(t, err, line)
		_, err = movegen.Find(&s.Position, s.Dice, steps)
		assert.NoError(t, err, "%s to %s", reply, line)
	default:
		t.Fatalf("unknown kind %q", kind)
	}
}

func TestEveryRequestToServersIsAnsweredInTheirForm(t *testing.T) {
	type vector struct {
		ID         int
		Kind, Send string
		Position   string `json:"mover_position_id"`
		Reply      string
	}
	x := newExternal()
	n := 0
	readVectors(t, "server.jsonl.gz", func(v vector) {
		n++
		reply := talk(t, x, v.Send+"\n")
		require.False(t, strings.HasPrefix(reply, "Error"), "%d: %s to %s", v.ID, reply, v.Send)
		require.Equal(t, 1, strings.Count(reply, "\n"))
		board := v.Send[strings.Index(v.Send, "board:"):]
		checkReply(t, v.Kind, board, strings.TrimRight(reply, "\n"))
		if v.Kind == "move" {
			checkReply(t, v.Kind, board, v.Reply)
			assert.Equal(t, strings.Count(reply, "/") > 0 && strings.Count(reply, "/") < 4, strings.HasSuffix(reply, " \n"), reply)
		}
		b, _, err := notation.CutFIBS(board)
		require.NoError(t, err)
		s, err := boardState(b, notation.GNUBGLayout, bg.Rules{})
		require.NoError(t, err)
		assert.Equal(t, v.Position, s.Position.ID(), "%d", v.ID)
	})
	assert.Equal(t, 700, n)
}

func TestRecordedSessionIsAnsweredLikeByTheServer(t *testing.T) {
	type vector struct{ Send, Recv string }
	x := newExternal()
	same := regexp.MustCompile(`^(Error: syntax error|Error: no command|Error: set option|Debug|New interface|\tNo help)`)
	readVectors(t, "commands.jsonl", func(v vector) {
		if !same.MatchString(v.Recv) || strings.Contains(v.Send, "E-n") || strings.Contains(v.Send, "É") || strings.Contains(v.Send, "En gine") {
			return // evaluations, and names that kotra reads and gnubg does not
		}
		reply := talk(t, x, v.Send)
		if strings.HasPrefix(v.Recv, "Error") {
			assert.True(t, strings.HasPrefix(reply, "Error: "), "%q to %q", reply, v.Send)
			return
		}
		assert.Equal(t, v.Recv, reply, v.Send)
	})
}

func TestDebugModePutsPrefixedLinesBeforeTheReply(t *testing.T) {
	got := talk(t, newExternal(), "set debug on\n"+opening(5, 4, 2, 1, 6, 5, ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0")+"\n")
	lines := strings.Split(strings.TrimRight(got, "\n"), "\n")
	assert.Equal(t, "Debug output ON", lines[0])
	for _, line := range lines[1 : len(lines)-1] {
		assert.True(t, strings.HasPrefix(line, "DBG: "), line)
	}
	assert.Contains(t, got, "DBG: Score: 2-4/5*, Roll: 65\n")
	assert.Equal(t, "24/18 18/13 ", lines[len(lines)-1])
}

func TestServerServesManyClientsAndEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	x := newExternal()
	s := &Server{Serve: x.Serve, IdleTimeout: 10 * time.Second, MaxSessions: 8}
	done := make(chan error)
	go func() { done <- s.Listen(ctx, l) }()

	var conns []net.Conn
	for range 8 {
		conn, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		conns = append(conns, conn)
	}
	for _, conn := range conns {
		_, err := io.WriteString(conn, "help\n")
		require.NoError(t, err)
		reply := make([]byte, 64)
		n, err := conn.Read(reply)
		require.NoError(t, err)
		assert.Equal(t, "\tNo help information available\n", string(reply[:n]))
	}
	extra, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	reply, err := io.ReadAll(extra)
	require.NoError(t, err)
	assert.Equal(t, "Error: there are 8 sessions already\n", string(reply))
	cancel()
	require.NoError(t, <-done)
	for _, conn := range conns {
		_, err := conn.Read(make([]byte, 1))
		assert.Error(t, err)
		conn.Close()
	}
}

// dialServer returns a connection to a server that lets clients be silent for so long.
func dialServer(t *testing.T, idle time.Duration) net.Conn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &Server{Serve: newExternal().Serve, IdleTimeout: idle}
	go func() { _ = s.Listen(t.Context(), l) }()
	conn, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestSilentClientsAreDisconnected(t *testing.T) {
	conn := dialServer(t, 50*time.Millisecond)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(5*time.Second)))
	_, err := conn.Read(make([]byte, 1))
	assert.ErrorIs(t, err, io.EOF)
}

func TestClientsThatNeverFinishALineAreDisconnected(t *testing.T) {
	conn := dialServer(t, 200*time.Millisecond)
	for range 500 {
		if _, err := io.WriteString(conn, "x"); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("the client is still connected")
}

func FuzzExternal(f *testing.F) {
	f.Add("version\nset debug on\nhelp\n")
	f.Add(opening(7, 2, 3, 1, 3, 1, ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1") + " jacobyrule off\n\x00")
	f.Add("evaluation fibsboard " + opening(0, 0, 0, -1, 0, 0, ":2:1:0:1:1:1:0:25:0:0:0:0:0:0:0:1") + " plies 0 cubeful noise 0.0\n")
	f.Fuzz(func(t *testing.T, text string) {
		var out strings.Builder
		if err := newExternal().Serve(t.Context(), strings.NewReader(text), &out); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.SplitAfter(out.String(), "\n") {
			if line != "" && !strings.HasSuffix(line, "\n") {
				t.Fatalf("unfinished reply %q", line)
			}
		}
	})
}

func TestManyClientsLeaveNothingBehind(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 requests")
	}
	const clients, requests = 50, 200
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	before := runtime.NumGoroutine()
	go func() { done <- (&Server{Serve: newExternal().Serve}).Listen(ctx, l) }()
	line := opening(0, 0, 0, 1, 6, 5, ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1") + "\n"
	round := func() {
		var all sync.WaitGroup
		for range clients {
			all.Go(func() {
				conn, err := net.Dial("tcp", l.Addr().String())
				if !assert.NoError(t, err) {
					return
				}
				defer conn.Close()
				replies := bufio.NewReader(conn)
				for range requests / 2 {
					_, err := io.WriteString(conn, line)
					assert.NoError(t, err)
					reply, err := replies.ReadString('\n')
					assert.NoError(t, err)
					assert.Equal(t, "24/18 18/13 \n", reply)
				}
			})
		}
		all.Wait()
	}
	var first, second runtime.MemStats
	round()
	runtime.GC()
	runtime.ReadMemStats(&first)
	round()
	cancel()
	require.NoError(t, <-done)
	runtime.GC()
	runtime.ReadMemStats(&second)
	assert.Less(t, second.HeapAlloc, first.HeapAlloc+1<<20)
	for range 500 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}
