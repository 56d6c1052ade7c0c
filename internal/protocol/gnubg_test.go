package protocol

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/duel"
	"kotra/internal/bgtest"
)

func needGNUBG(t *testing.T) {
	t.Helper()
	if _, err := findGNUBG(); err != nil {
		t.Skip(err)
	}
	if testing.Short() {
		t.Skip("starts gnubg")
	}
}

func TestGNUBGPlaysADuelWithoutIllegalReplies(t *testing.T) {
	needGNUBG(t)
	got, err := duel.Run(t.Context(), duel.Config{
		Pairs: 16,
		Seed:  1,
		Rules: bg.Rules{NoCube: true},
	}, duel.ZeroPly("pips", bgtest.Pips{}), GNUBG(GNUBGOptions{}))
	require.NoError(t, err)
	assert.Equal(t, 32, got.Games)
	assert.Equal(t, [2]int{}, got.Illegal, got.FirstIllegal)
	assert.Less(t, got.PPG, 0.0)
	t.Logf("%+v", got)
}

// Two processes may be given the same free address; the one that comes late must not become the
// second client of the other.
func TestGNUBGIsNotMistakenForAnother(t *testing.T) {
	needGNUBG(t)
	path, err := findGNUBG()
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, err = serveGNUBG(t.Context(), path, l.Addr().String(), GNUBGOptions{})
	assert.ErrorContains(t, err, "Address already in use")
}

// A countingEngine counts what it is asked.
type countingEngine struct {
	fakeEngine
	moves, doubles, answers, beavers atomic.Int64
}

func (c *countingEngine) BestMove(ctx context.Context, s bg.State) (bg.Move, error) {
	c.moves.Add(1)
	return c.fakeEngine.BestMove(ctx, s)
}

func (c *countingEngine) Doubles(ctx context.Context, s bg.State) (bool, error) {
	c.doubles.Add(1)
	return c.fakeEngine.Doubles(ctx, s)
}

func (c *countingEngine) Answer(ctx context.Context, s bg.State) (Answer, error) {
	c.answers.Add(1)
	a, err := c.fakeEngine.Answer(ctx, s)
	if a == Beaver {
		c.beavers.Add(1)
	}
	return a, err
}

// playGNUBG starts gnubg with commands, %s in them being the address of a server of e, and
// returns what it prints.
func playGNUBG(t *testing.T, e Engine, commands string) string {
	t.Helper()
	needGNUBG(t)
	path, err := findGNUBG()
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	x := newExternal()
	x.Engine = e
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	served := make(chan error)
	go func() { served <- (&Server{Serve: x.Serve}).Listen(ctx, l) }()
	defer func() {
		cancel()
		assert.NoError(t, <-served)
	}()
	cmd := exec.CommandContext(ctx, path, "-t", "-q")
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(commands, "%s", l.Addr().String()))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	return string(out)
}

const gnubgSetup = `set confirm new off
set confirm save off
set display off
set automatic roll on
set automatic move on
set automatic bearoff off
set defaultnames kotra House
set player 1 gnubg
set player 1 chequerplay evaluation plies 0
set player 1 cubedecision evaluation plies 0
set player 0 external %s
`

// trouble is what gnubg prints when a reply is not what it wants.
var trouble = regexp.MustCompile(`(?i)badly formed|illegal|unknown keyword|connection closed|permitted|error`)

func TestGNUBGPlaysWholeMatchesAgainstUs(t *testing.T) {
	for seed, length := range []int{1, 3, 5, 5, 5} {
		t.Run(fmt.Sprintf("match %d to %d", seed, length), func(t *testing.T) {
			t.Parallel()
			e := &countingEngine{}
			out := playGNUBG(t, e, gnubgSetup+fmt.Sprintf("set automatic game on\nset seed %d\nnew match %d\n", seed+1, length))
			assert.Contains(t, out, "has won the match")
			assert.NotRegexp(t, trouble, out)
			assert.Positive(t, e.moves.Load())
			t.Logf("%d moves, %d doubles considered, %d answered", e.moves.Load(), e.doubles.Load(), e.answers.Load())
		})
	}
}

func TestGNUBGPlaysMoneyGamesAgainstUs(t *testing.T) {
	for _, seat := range []string{"0", "1"} {
		t.Run("player "+seat, func(t *testing.T) {
			t.Parallel()
			e := &countingEngine{}
			setup := gnubgSetup
			if seat == "1" {
				setup = strings.NewReplacer("player 1", "player 0", "player 0", "player 1").Replace(setup)
			}
			// gnubg 1.07 stops at its prompt when the doubler has accepted a beaver; play goes on.
			games := strings.Repeat("play\nplay\nnew game\n", 9) + "play\nplay\n"
			out := playGNUBG(t, e, setup+"set automatic game off\nset jacoby on\nset beavers 3\nset seed 7\nnew session\n"+games)
			assert.NotRegexp(t, trouble, out)
			results := regexp.MustCompile(`wins a (single game|gammon|backgammon)`).FindAllString(out, -1)
			assert.Len(t, results, 10)
			t.Logf("%d moves, %d doubles considered, %d answered, %d beavers", e.moves.Load(), e.doubles.Load(), e.answers.Load(), e.beavers.Load())
		})
	}
}
