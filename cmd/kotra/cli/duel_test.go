package cli

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/internal/bgtest"
	"kotra/internal/protocol"
	"kotra/record"
	"kotra/record/formats"
	"kotra/record/mat"
)

func TestDuelReportsGamesAndErrors(t *testing.T) {
	c := runKotra(t, "", "duel", "kotra", "kotra:ply=0", "--pairs", "3", "--seed", "7", "--json", "--threads", "1")
	require.Equal(t, exitDone, c.code, c.err)
	v := object(t, c.out)
	assert.Equal(t, 6.0, v["games"])
	assert.Equal(t, 3.0, v["pairs"])
	assert.Equal(t, 7.0, v["seed"])
	assert.Equal(t, 0.0, v["ppg_raw"])
	assert.Equal(t, []any{0.0, 0.0}, v["illegal"])
	for _, name := range []string{"ppg", "stderr", "stderr_raw", "win_rate", "gammons", "ms_per_move"} {
		assert.Contains(t, v, name)
	}
	assert.Empty(t, c.err)
}

func TestDuelOfPliesIsPlayedToTheEnd(t *testing.T) {
	c := runKotra(t, "", "duel", "kotra:ply=1", "kotra", "--games", "3", "--no-luck")
	require.Equal(t, exitDone, c.code, c.err)
	assert.Contains(t, c.out, "kotra:ply=1 against kotra: 4 games in 2 pairs, seed 1\n")
	assert.Contains(t, c.out, "illegal replies   0 : 0\n")
}

func TestDuelReportsASequentialTest(t *testing.T) {
	c := runKotra(t, "", "duel", "kotra", "kotra:ply=0", "--pairs", "2", "--no-luck", "--sprt", "0,0.01", "--json")
	require.Equal(t, exitDone, c.code, c.err)
	assert.Equal(t, map[string]any{"low": 0.0, "high": 0.01, "log_ratio": 0.0, "accepted": "neither"}, object(t, c.out)["sprt"])
}

func TestDuelSavesItsGames(t *testing.T) {
	for _, length := range []string{"0", "1"} {
		name := filepath.Join(t.TempDir(), "duel.mat")
		c := runKotra(t, "", "duel", "kotra", "kotra:ply=0", "--pairs", "2", "--no-luck", "--length", length, "--save", name)
		require.Equal(t, exitDone, c.code, c.err)
		f, err := os.Open(name)
		require.NoError(t, err)
		defer f.Close()
		matches, err := mat.Read(f)
		require.NoError(t, err)
		games := 0
		for _, m := range matches {
			games += len(m.Games)
			assert.Empty(t, m.Warnings)
		}
		assert.Equal(t, 4, games)
	}
}

// savedDuel plays a duel with the given flags and reads the games back.
func savedDuel(t *testing.T, args ...string) []*record.Match {
	t.Helper()
	name := filepath.Join(t.TempDir(), "duel.sgf")
	c := runKotra(t, "", append([]string{"duel", "kotra", "kotra:ply=0", "--pairs", "8", "--no-luck", "--save", name}, args...)...)
	require.Equal(t, exitDone, c.code, c.err)
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	matches, err := formats.Read(f)
	require.NoError(t, err)
	for _, m := range matches {
		assert.Empty(t, m.Warnings)
	}
	return matches
}

func TestDuelIsPlayedByTheRulesThatFlagsName(t *testing.T) {
	most := 0
	session := savedDuel(t, "--cube", "--automatic-doubles", "2", "--max-cube", "2", "--seed", "3")[0]
	assert.Len(t, session.Games, 16)
	for _, g := range session.Games {
		most = max(most, g.Cube)
		assert.LessOrEqual(t, g.Outcome.Points, 3*2)
		for _, a := range g.Actions {
			assert.LessOrEqual(t, a.Cube, 2)
		}
	}
	assert.Equal(t, 2, most)
	session = savedDuel(t, "--variant", "hypergammon")[0]
	assert.Equal(t, bg.Hypergammon, session.Rules.Variant)
	for _, m := range savedDuel(t, "--length", "2", "--no-crawford") {
		assert.True(t, m.Rules.NoCrawford)
		for _, g := range m.Games {
			assert.False(t, g.Crawford)
		}
	}
}

func TestDuelSaysWhichRuleAProgramCannotBeToldOf(t *testing.T) {
	for _, player := range []string{"gnubg", "external:localhost:1", "ubgi:none"} {
		for _, flags := range [][]string{ // the rule, and flags that ask for it
			{"--max-cube", "--cube", "--max-cube", "4"},
			{"--no-crawford", "--no-crawford", "--length", "3"},
			{"--backgammon 2", "--backgammon", "2"},
			{"--variant hypergammon", "--variant", "hypergammon"},
		} {
			c := runKotra(t, "", append([]string{"duel", "kotra", player}, flags[1:]...)...)
			assert.Equal(t, exitUsage, c.code)
			assert.Contains(t, c.err, "player \""+player+"\": its protocol cannot tell it of "+flags[0]+";")
		}
	}
}

func TestWrongDuelsAreUsageErrors(t *testing.T) {
	for _, args := range [][]string{
		{"kotra"},
		{"kotra", "xg"},
		{"kotra:ply=9", "kotra"},
		{"kotra:level=3", "kotra"},
		{"kotra", "external:7000"},
		{"kotra", "kotra", "--pairs", "0"},
		{"kotra", "kotra", "--sprt", "1,0"},
		{"kotra", "kotra", "--length", "-1"},
		{"kotra", "kotra", "--pairs", "1", "--games", "2"},
		{"kotra", "kotra", "--backgammon", "1"},
		{"kotra", "kotra", "--variant", "chess"},
		{"kotra", "kotra", "--no-crawford"},
		{"kotra", "kotra", "--max-cube", "4"},
		{"kotra", "kotra", "--automatic-doubles", "1"},
		{"kotra", "kotra", "--automatic-doubles", "1", "--length", "3"},
		{"kotra", "kotra", "--automatic-doubles", "1", "--cube", "--save", "games.mat"},
	} {
		c := runKotra(t, "", append([]string{"duel"}, args...)...)
		assert.Equal(t, exitUsage, c.code, args)
		assert.Equal(t, 1, strings.Count(c.err, "\n"), c.err)
	}
}

// writeFunc is a writer that calls itself.
type writeFunc func(text string)

func (f writeFunc) Write(p []byte) (int, error) {
	f(string(p))
	return len(p), nil
}

func TestInterruptedDuelPrintsWhatIsKnown(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var out strings.Builder
	e := &env{
		in: strings.NewReader(""), out: &out, now: time.Now, width: 80, progress: true,
		err: writeFunc(func(text string) {
			if strings.Contains(text, "pair ") {
				cancel()
			}
		}),
		getenv:    func(string) string { return "" },
		evaluator: bgtest.Pips{},
	}
	code := run(ctx, e, []string{"duel", "kotra", "kotra", "--pairs", "1000000", "--json", "--no-luck"})
	assert.Equal(t, exitInterrupted, code)
	v := object(t, out.String())
	assert.Equal(t, false, v["complete"])
	assert.Positive(t, v["pairs"])
}

func TestEngineAnswersBoardsOnStandardInput(t *testing.T) {
	const board = "board:a:b:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:%:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1\n"
	input := "version\n" + strings.ReplaceAll(board, "%", "6:6:6:6") + strings.ReplaceAll(board, "%", "0:0:0:0") +
		"evaluation fibsboard " + strings.ReplaceAll(board, "%", "0:0:0:0") + "quit\n"
	c := runKotra(t, input, "engine", "--protocol", "external", "--ply", "0")
	require.Equal(t, exitDone, c.code, c.err)
	lines := strings.Split(c.out, "\n")
	require.Len(t, lines, 4+3+1)
	assert.Equal(t, "Interface: 2", lines[0])
	assert.Regexp(t, `^(\d+/\d+ ?){4}$`, lines[4])
	assert.Contains(t, []string{"roll", "double"}, lines[5])
	assert.Len(t, strings.Fields(lines[6]), 6)
}

func TestEngineServesClientsUntilInterrupted(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := l.Addr().String()
	require.NoError(t, l.Close())
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan call)
	go func() {
		done <- kotraContext(ctx, "", "engine", "--protocol", "external", "--listen", address, "--ply", "0")
	}()
	var conn net.Conn
	require.Eventually(t, func() bool {
		conn, err = net.Dial("tcp", address)
		return err == nil
	}, 10*time.Second, 10*time.Millisecond)
	_, err = io.WriteString(conn, "help\nquit\n")
	require.NoError(t, err)
	reply, err := io.ReadAll(conn)
	require.NoError(t, err)
	assert.Equal(t, "\tNo help information available\n", string(reply))
	cancel()
	c := <-done
	assert.Equal(t, exitDone, c.code)
	assert.Contains(t, c.err, "listening at "+address)
}

func TestUnknownProtocolIsAUsageError(t *testing.T) {
	c := runKotra(t, "", "engine", "--protocol", "uci")
	assert.Equal(t, exitUsage, c.code)
	assert.Contains(t, c.err, `"uci"`)
}

func TestEngineUnderstandsTheTextCommandsByDefault(t *testing.T) {
	c := runKotra(t, "set player both human\nset seed 1\nnew match 3\nset dice 3 1\nhint 2\nset board =1\nshow pipcount\nbogus\nexit\nshow turn\n", "engine", "--ply", "0")
	require.Equal(t, exitDone, c.code, c.err)
	assert.Contains(t, c.out, "gnubg rolls 3, user rolls 6.\n")
	assert.Regexp(t, `\n    1\. Cubeful 0-ply    \S+ \S+ +Eq\.: [+-]\d\.\d{3}\n`, c.out)
	assert.Contains(t, c.out, "The pip counts are: user 163, gnubg 1")
	assert.True(t, strings.HasSuffix(c.out, "Unknown keyword `bogus'.\n\n"), c.out)
}

func TestCompletionAddsWhatTheWordsHaveInCommon(t *testing.T) {
	assert.Equal(t, "set cube ", complete("set cube", []string{"cube"}))
	assert.Equal(t, "set cube", complete("set c", []string{"cube", "cubed"}))
	assert.Equal(t, "x", complete("x", nil))
	c := &protocol.Console{}
	assert.Equal(t, []string{"calibrate", "clear", "cmark", "copy"}, c.Complete("c"))
	assert.Equal(t, []string{"owner"}, c.Complete("set cube o"))
	assert.Contains(t, c.Complete(""), "hint")
	assert.Empty(t, c.Complete("nothing at all"))
}
