package protocol

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
)

// A fakeThinker finds what a fakeEngine does, at every ply, and may take its time.
type fakeThinker struct {
	fakeEngine
	settings Settings
	wait     bool // until it is stopped
}

func (f *fakeThinker) Play(ctx context.Context, s bg.State, l Limits, report func(Finding)) (Finding, error) {
	m, err := f.BestMove(ctx, s)
	found := Finding{Move: m, Equity: f.equity(s.Position)}
	for found.Ply = range f.settings.Ply + 1 {
		report(found)
	}
	if l.Trials > 0 {
		found.Trials, found.StdErr = l.Trials, 0.01
		found.Probs.WinBackgammon = -0.002 // as luck that is taken off may leave it
		report(found)
	}
	if f.wait {
		<-ctx.Done()
	}
	return found, err
}

func (f *fakeThinker) Cube(ctx context.Context, s bg.State, _ Limits, _ func(Finding)) (Finding, error) {
	doubles, err := f.Doubles(ctx, s)
	return Finding{Double: doubles}, err
}

func newUBGI(wait bool) *UBGI {
	return &UBGI{
		New: func(s Settings) (Thinker, error) {
			if s.Weights == "missing.knn" {
				return nil, errors.New("there is no such file")
			}
			return &fakeThinker{settings: s, wait: wait}, nil
		},
		Identity: Identity{Name: "kotra", Author: "kotra developers", Version: "test"},
		MaxPly:   3,
	}
}

// transcript plays the lines of a conversation that start with "> " and compares the rest; it
// leaves info lines out.
func transcript(t *testing.T, u *UBGI, text string) {
	t.Helper()
	var want []string
	in, client := io.Pipe()
	engine, out := io.Pipe()
	done := make(chan error)
	go func() {
		done <- u.Serve(t.Context(), in, out)
		_ = out.Close()
	}()
	lines := newLineReader(engine)
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line = strings.TrimLeft(line, "\t")
		if send, ok := strings.CutPrefix(line, "> "); ok {
			_, err := io.WriteString(client, send+"\n")
			require.NoError(t, err)
			continue
		}
		want = append(want, line)
		got, err := lines.next()
		for err == nil && strings.HasPrefix(got, "info ") {
			got, err = lines.next()
		}
		require.NoError(t, err)
		require.Equal(t, strings.TrimPrefix(line, "< "), got)
	}
	require.NoError(t, client.Close())
	require.NoError(t, <-done)
	assert.NotEmpty(t, want)
}

func TestUBGIVersion1(t *testing.T) {
	transcript(t, newUBGI(false), `
	> ubgi
	< id name kotra
	< id author kotra developers
	< id version test
	< option name Variant type combo default backgammon var backgammon
	< option name Ply type spin default 1 min 1 max 4
	< option name Threads type spin default 1 min 1 max 256
	< option name Seed type spin default 0 min 0 max 9223372036854775807
	< option name Deterministic type check default true
	< option name EvalMode type combo default cubeful var cubeless var cubeful
	< option name Weights type string default 
	< proto 0.2
	< ubgiok
	> isready
	< readyok
	> setoption name Variant value backgammon
	> setoption name Threads value 2
	> setoption name Threads value many
	< error bad_argument Threads want a number from 1 to 256
	> newgame
	> go role chequer
	< error missing_context position
	> position gnubgid 4HPwATDgc/ABMA
	> go role chequer
	< error missing_context dice
	> dice 6 5
	> go role chequer movetime 50 depth 1 nodes 100 trials 36
	< bestmove 24/18 18/13
	> go role cube
	< bestcube nodouble
	> go role turn
	< bestturn cube=nodouble move=24/18 18/13
	> go role dance
	< error bad_argument role dance
	> position gnubgid 4HPwATDgc/ABM
	< error bad_argument invalid_position a Position ID has 14 characters, not 13, at character 14 of "4HPwATDgc/ABM"
	> frobnicate 7
	< error unknown_command frobnicate
	> dice 7 1
	< error bad_argument dice
	`)
}

func TestUBGIVersion2(t *testing.T) {
	transcript(t, newUBGI(false), `
	> keys
	< key game.variant enum backgammon backgammon
	< key engine.ply int 1..4 1
	< key engine.threads int 1..256 1 !
	< key engine.seed int * 0 !
	< key engine.deterministic bool true !
	< key engine.evalmode enum cubeless|cubeful cubeful
	< key engine.weights string *
	> set engine.ply 2
	> get engine.ply
	< value engine.ply 2
	> set engine.ply nine
	< error bad_value engine.ply want a number from 1 to 4
	> get engine.ply
	< value engine.ply 2
	> set engine.weights missing.knn
	< error bad_value engine.weights there is no such file
	> get engine.speed
	< error bad_value unknown key engine.speed
	> position gnubgid 4HPwATDgc/ABMA
	> go chequer
	< error bad_state missing dice
	> dice 6 6
	> go
	< bestmove 24/18 24/18 13/7 13/7
	> frobnicate
	< error bad_command frobnicate
	`)
}

func TestUBGIWritesBarOffAndPass(t *testing.T) {
	transcript(t, newUBGI(false), `
	> position gnubgid Np7BQSCYZ/AAWA
	> dice 5 3
	> go chequer
	< bestmove bar/20 13/10
	> position gnubgid /z0AADDeaxsAAA
	> dice 5 5
	> go chequer
	< bestmove 7/2 7/2 5/off 5/off
	> position gnubgid 2+4OAAB43wcAQA
	> dice 6 1
	> go role chequer
	< bestmove pass
	`)
}

func TestUBGIReadsXGIDWithItsDice(t *testing.T) {
	transcript(t, newUBGI(false), `
	> position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:65:0:0:0:0:10
	> go role chequer
	< bestmove 24/18 18/13
	> position xgid -b----E-C---eE---c-e----B-:0:0:1:65:0:0:0:0:10
	> go role chequer
	< bestmove 24/18 18/13
	`)
}

func TestUBGIContextOfAMatch(t *testing.T) {
	c := ubgiContext{cube: 1, owner: -1}
	require.NoError(t, c.readSession(strings.Fields("type match length 5 crawford on")))
	require.NoError(t, c.readScore([]string{"4", "2"}))
	require.NoError(t, c.readCube(strings.Fields("value 2 owner p1")))
	c.turn = 1
	s := bg.NewGame(bg.Rules{})
	c.apply(&s)
	assert.Equal(t, bg.Score{Length: 5, OnRoll: 2, Opponent: 4, Crawford: true}, s.Score)
	assert.Equal(t, bg.Cube{Value: 2, Owner: bg.OnRoll}, s.Cube)
	require.NoError(t, c.readScore([]string{"4", "3"}))
	c.apply(&s)
	assert.False(t, s.Score.Crawford, "the game after it")
	for _, wrong := range []string{"type match", "type match length", "length x", "type chouette"} {
		assert.Error(t, (&ubgiContext{}).readSession(strings.Fields(wrong)), wrong)
	}
	assert.Error(t, c.readScore([]string{"5", "0"}))
	assert.Error(t, c.readCube(strings.Fields("value 3 owner p0")))
}

func TestUBGITrialsAskForARollout(t *testing.T) {
	var out strings.Builder
	u := newUBGI(false)
	u.Settings.Ply = 1
	require.NoError(t, u.Serve(t.Context(), strings.NewReader("position gnubgid 4HPwATDgc/ABMA\ndice 6 5\ngo role chequer movetime 1000 trials 36\n"), &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 4)
	assert.Contains(t, lines[1], "info depth 2 ", "the time is for the rollout")
	assert.Regexp(t, `^info trials 36 stderr 0\.0100 nodes .* pbg 0\.0000 pv 24/18 18/13$`, lines[2])
	assert.Equal(t, "bestmove 24/18 18/13", lines[3])
	out.Reset()
	require.NoError(t, u.Serve(t.Context(), strings.NewReader("position gnubgid 4HPwATDgc/ABMA\ndice 6 5\ngo trials x\n"), &out))
	assert.Equal(t, "error bad_argument trials\n", out.String())
}

func TestUBGIStopsASearch(t *testing.T) {
	in, client := io.Pipe()
	engine, out := io.Pipe()
	done := make(chan error)
	go func() { done <- newUBGI(true).Serve(t.Context(), in, out) }()
	lines := newLineReader(engine)
	send := func(text string) {
		t.Helper()
		_, err := io.WriteString(client, text)
		require.NoError(t, err)
	}
	expect := func(want string) {
		t.Helper()
		got, err := lines.next()
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(got, want), got)
	}
	send("position gnubgid 4HPwATDgc/ABMA\ndice 6 5\ngo role chequer\n")
	expect("info depth 1")
	send("isready\n")
	expect("readyok")
	send("go role chequer\n")
	expect("error search_in_progress")
	send("stop\n")
	expect("bestmove 24/18 18/13")
	send("go role chequer movetime 20\n")
	expect("info depth 1")
	expect("info depth 2")
	expect("info depth 3")
	expect("info depth 4")
	expect("bestmove")
	_ = client.Close()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(5 * time.Second):
		t.Fatal("the session does not end")
	}
}

func TestUBGIQuitEndsARunningSearchWithItsAnswer(t *testing.T) {
	var out strings.Builder
	err := newUBGI(true).Serve(t.Context(), strings.NewReader("position gnubgid 4HPwATDgc/ABMA\ndice 6 5\ngo\nquit\n"), &out)
	require.NoError(t, err)
	assert.Contains(t, out.String(), "bestmove 24/18 18/13\n")
}

func FuzzUBGI(f *testing.F) {
	f.Add("ubgi\nkeys\nposition gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo role turn depth 1\nstop\n")
	f.Add("newsession type match length 7 jacoby off\nsetscore 6 5\nsetcube value 2 owner p0\nsetturn p1\ngo cube\n")
	f.Add("position xgid -b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\nset engine.ply 2\nsetoption name Seed value 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		var out strings.Builder
		if err := newUBGI(false).Serve(t.Context(), strings.NewReader(text), &out); err != nil {
			t.Fatal(err)
		}
	})
}
