package protocol

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/analysis"
	"kotra/bg"
	"kotra/cube"
	"kotra/internal/bgtest"
	"kotra/movegen"
	"kotra/record"
	"kotra/rollout"
	"kotra/search"
)

// A fakeAnalyst searches with a weak evaluator.
type fakeAnalyst struct {
	fakeEngine
	searcher *search.Searcher
}

func newConsole() *Console {
	return &Console{
		Engine:   fakeAnalyst{searcher: search.New(bgtest.Pips{}, search.Options{Threads: 1, CacheSize: 1 << 20})},
		Identity: Identity{Name: "kotra", Version: "test"},
		MaxPly:   3,
	}
}

func (f fakeAnalyst) info(s *bg.State, cubeful bool) cube.Info {
	info := cube.InfoOf(s, nil)
	info.Rules.NoCube = info.Rules.NoCube || !cubeful
	return info
}

func (f fakeAnalyst) Rank(ctx context.Context, s bg.State, ply int, cubeful bool) ([]search.Candidate, error) {
	return f.searcher.Rank(ctx, &s.Position, s.Dice, f.info(&s, cubeful), ply)
}

func (f fakeAnalyst) Decide(ctx context.Context, s bg.State, ply int) (cube.Decision, search.Value, error) {
	return f.searcher.Cube(ctx, &s.Position, f.info(&s, true), ply)
}

func (f fakeAnalyst) Value(ctx context.Context, s bg.State, ply int, cubeful bool) (search.Value, error) {
	return f.searcher.Evaluate(ctx, &s.Position, f.info(&s, cubeful), ply)
}

func (f fakeAnalyst) Analyze(ctx context.Context, m *record.Match, ply, cubePly int) (*analysis.Match, error) {
	a := analysis.Analyzer{Searcher: f.searcher, Ply: ply, CubePly: cubePly, Threads: 1}
	return a.Match(ctx, m)
}

func (f fakeAnalyst) RollOut(ctx context.Context, s bg.State, settings rollout.Settings, n int) (rollout.Result, error) {
	candidates := rollout.CubeActions(s.Position, true)
	if s.Dice.Rolled() {
		candidates = rollout.Plays(movegen.Plays(nil, &s.Position, s.Dice))
	}
	return rollout.Run(ctx, rollout.Config{
		Settings: settings, Evaluator: bgtest.Pips{}, Info: f.info(&s, true), Candidates: candidates[:min(n, len(candidates))], Threads: 1,
	})
}

// converse sends the lines of text to a console and returns what it says after its banner.
func converse(t *testing.T, text string) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, newConsole().Serve(t.Context(), strings.NewReader(text), &out))
	_, said, ok := strings.Cut(out.String(), "For help type `help'.\n\n\n\n")
	require.True(t, ok)
	return said
}

// An exchange is a command of a transcript and what gnubg answers.
type exchange struct{ command, reply string }

func readTranscript(t *testing.T, name string) (all []exchange) {
	t.Helper()
	f, err := os.Open("testdata/console/" + name + ".txt.gz")
	require.NoError(t, err)
	defer f.Close()
	r, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	for _, part := range strings.Split("\n"+string(text), "\n> ")[1:] {
		command, reply, _ := strings.Cut(part, "\n")
		all = append(all, exchange{command, reply})
	}
	return all
}

var (
	numbers = regexp.MustCompile(`[-+]?\d+(\.\d+)?%?`)
	// moves are ranked otherwise by another engine.
	moves = regexp.MustCompile(`(?m)^( *\d+\. Cube(ful|less) \d-ply) .* Eq\.: .*$`)
	// verdicts too.
	verdict = regexp.MustCompile(`No double, (take|beaver) \([0-9.]+%\)`)
)

// blank replaces what depends on the strength of the engine.
func blank(text string) string {
	text = moves.ReplaceAllString(text, "$1 MOVE")
	text = verdict.ReplaceAllString(text, "VERDICT")
	return strings.TrimRight(numbers.ReplaceAllString(text, "#"), "\n ")
}

// otherwise are the commands of the transcripts that kotra answers in another way, by reason.
var otherwise = map[string]*regexp.Regexp{
	"not in kotra": regexp.MustCompile(`^(show (thorp|keith|marketwindow|statistics .*|analysis|bearoff|onesidedrollout|ratingoffset)|` +
		`set (met none|priority .*|.* noise 0.05|evaluation chequerplay type rollout))$`),
	"about the program":                                regexp.MustCompile(`^(show (evaluation|rollout|seed|met|matchinfo|confirm|display|engine|version|buildinfo|lang|prompt)|h)$`),
	"taken by gnubg, but wrong":                        regexp.MustCompile(`^(set board (=1|0 -2.*|4HPwATDgc/ABM)|set matchid cAkAAAAAAA|eval =1|sh p)$`),
	"after a double resignation, where gnubg is wrong": regexp.MustCompile(`^(resign|resign gammon|agree|decline|resign normal|resign 3|new game|show board|accept|show score)$`),
}

func TestConsoleAnswersLikeGNUBackgammon(t *testing.T) {
	setup := "set defaultnames Alice Bob\nset player 0 name Alice\nset player 1 name Bob\nset player both human\n" +
		"set automatic game off\nset automatic roll off\nset seed 1"
	for _, name := range []string{"01-new-and-show", "02-set-position", "03-set-state", "04-play", "05-hint-eval", "08-abbrev"} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			s := newConsoleSession(t.Context(), newConsole(), &out)
			for line := range strings.SplitSeq(setup, "\n") {
				s.execute(line)
			}
			same, resigned := 0, false
			all := readTranscript(t, name)
			for _, e := range all {
				require.NoError(t, s.out.Flush())
				out.Reset()
				require.False(t, s.execute(e.command))
				require.NoError(t, s.out.Flush())
				if blank(out.String()) == blank(e.reply) {
					same++
					continue
				}
				known := false
				resigned = resigned || name == "04-play" && e.command == "resign"
				for reason, commands := range otherwise {
					if strings.HasPrefix(reason, "after") && !resigned {
						continue
					}
					known = known || commands.MatchString(e.command)
				}
				assert.True(t, known, "> %s\nwant:\n%s\ngot:\n%s", e.command, e.reply, out.String())
			}
			t.Logf("%d of %d replies are the same", same, len(all))
		})
	}
}

func TestConsoleRollsTheDiceOfGNUBackgammon(t *testing.T) {
	// Printed by gnubg 1.07.001 for "set seed N" and "dicerolls 8".
	assert.Equal(t, "Seed set to 1.\n3 6\n5 6\n1 1\n2 6\n1 2\n1 3\n2 3\n3 5\n", converse(t, "set seed 1\ndicerolls 8\n"))
	assert.Equal(t, "Seed set to 12345.\n6 6\n2 1\n2 1\n2 5\n4 4\n4 6\n6 3\n4 6\n", converse(t, "set seed 12345\ndicerolls 8\n"))
}

func TestConsolePlaysWholeMatchesByItself(t *testing.T) {
	said := converse(t, "set seed 3\nset defaultnames Ann Bob\nset player both gnubg\nset display off\nnew match 5\nnew match 1\n")
	assert.Equal(t, 2, strings.Count(said, "has won the match."))
	assert.Contains(t, said, "match to 5 points")
	assert.Contains(t, said, "match to 1 point")
}

func TestConsolePlaysAgainstAHuman(t *testing.T) {
	said := converse(t, "set seed 2\nset player 0 name Robot\nset player 1 name Jo\nset display on\nnew session\nroll\nresign backgammon\nshow score\n")
	assert.Contains(t, said, "Robot moves ")
	assert.Contains(t, said, "Robot accepts and wins a backgammon.\nRobot wins a single game and 1 point.\n", "Jacoby")
}

func TestConsolesComputerResignsLostGamesOnce(t *testing.T) {
	// The computer, player 0, has five checkers on its 6 point, the human one on his ace point.
	setup := "set player 1 name Jo\nset player 0 name Robot\nset seed 3\nset automatic game off\nset automatic roll off\nset player both human\nnew session\n" +
		"set turn 0\nset board AQAAgA8AAAAAAA\nset player 0 gnubg\nplay\n"
	said := converse(t, setup+"accept\nshow score\n")
	assert.Contains(t, said, "Robot offers to resign a single game.\n")
	assert.Contains(t, said, "Jo accepts and wins a single game.\nJo wins a single game and 1 point.\n")
	said = converse(t, setup+"decline\nroll\n")
	assert.Equal(t, 1, strings.Count(said, "offers to resign"))
	assert.Contains(t, said, "Jo declines the single game.\n")
	assert.Contains(t, said, "Robot moves ")
}

func TestConsoleSaysWhatItDoesNotHave(t *testing.T) {
	assert.Equal(t, "kotra does not have the command `calibrate'.\nkotra does not have the command `relational'.\n", converse(t, "calibrate 1\nrelational test\n"))
}

func TestConsoleGoesBackAndForth(t *testing.T) {
	said := converse(t, "set seed 1\nset player both human\nset automatic roll off\nnew match 3\nmove 24/18 13/10\nprevious\nshow turn\nnext\nshow turn\nnext 5\n")
	assert.Contains(t, said, "user in on move.\n")
	assert.True(t, strings.HasSuffix(said, "gnubg in on roll.\n"), said)
}

func TestConsoleSavesAndLoadsMatches(t *testing.T) {
	dir := t.TempDir()
	c := newConsole()
	c.Files = true
	var out strings.Builder
	run := func(lines string) string {
		t.Helper()
		out.Reset()
		require.NoError(t, c.Serve(t.Context(), strings.NewReader(strings.ReplaceAll(lines, "DIR", dir)), &out))
		_, said, _ := strings.Cut(out.String(), "For help type `help'.\n\n\n\n")
		return said
	}
	said := run("set seed 5\nset defaultnames Ann Bob\nset player both gnubg\nset display off\nnew match 3\nset matchinfo event Open\nshow score\n" +
		"save match \"DIR/a b.sgf\"\nexport match mat DIR/m.mat\nsave match\nsave match DIR/none/x.sgf\n")
	assert.Contains(t, said, "has won the match.")
	assert.Contains(t, said, "You must specify a file to save to (see `help save match').\n")
	assert.Contains(t, said, "none/x.sgf: No such file or directory\n")
	score := regexp.MustCompile(`The score .* points\)`).FindString(said[strings.LastIndex(said, "The score"):] + "points)")
	for _, load := range []string{"load match \"DIR/a b.sgf\"", "import mat DIR/m.mat", "import auto DIR/m.mat"} {
		said := run(load + "\nshow score\nshow matchinfo\nfirst game\nnext game\nprevious 2\nlist game\nexport match mat -\n")
		assert.Contains(t, said, score, load)
		assert.Contains(t, said, "Ann (unknown rating) vs. Bob (unknown rating)")
		assert.Contains(t, said, " 3 point match")
	}
	assert.Equal(t, "nosuch.sgf: No such file or directory\n", run("load match nosuch.sgf\n"))
	c.Files = false
	assert.Equal(t, "Files cannot be used in this session.\n", run("load match DIR/m.mat\n"))
}

func TestConsoleForgetsWhatWasPlayedAfterGoingBack(t *testing.T) {
	s := newConsoleSession(t.Context(), newConsole(), io.Discard)
	run := func(lines ...string) {
		for _, line := range lines {
			s.execute(line)
		}
	}
	run("set player both human", "set automatic roll off", "set seed 1", "new match 3", "move 24/18 13/10", "set dice 3 1", "move 8/5 6/5")
	assert.Len(t, s.game.last().Actions, 2)
	run("previous 3")
	assert.Len(t, s.game.last().Actions, 2, "nothing is lost by looking back")
	run("move 13/10 13/7")
	require.Len(t, s.game.last().Actions, 1)
	assert.Equal(t, "13/10 13/7", s.game.last().Actions[0].Move.String())
	m := *s.game.match
	m.Complete()
	assert.Empty(t, m.Warnings)
}

func TestConsoleWritesTheStatisticsOfGNUBackgammon(t *testing.T) {
	c := newConsole()
	c.Files = true
	var out strings.Builder
	script := "import mat testdata/console/m3b.mat\nanalyse match\nshow statistics match\n"
	require.NoError(t, c.Serve(t.Context(), strings.NewReader(script), &out))
	want, err := os.ReadFile("testdata/console/m3b.stats.txt")
	require.NoError(t, err)
	got := strings.Split(out.String()[strings.LastIndex(out.String(), "\nPlayer ")+1:], "\n")
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(string(want)), "\n") {
		if !strings.HasPrefix(line, "Error based") && !strings.Contains(line, "errors rating loss") { // gnubg's own scale
			lines = append(lines, line)
		}
	}
	require.GreaterOrEqual(t, len(got), len(lines))
	counted := regexp.MustCompile(`^(Player|Total|Unforced moves|Doubles|Takes|Passes|Actual result)`)
	for i, line := range lines {
		if counted.MatchString(line) && !strings.Contains(line, "EMG") {
			assert.Equal(t, line, got[i])
			continue
		}
		label := func(line string) string { return line[:min(len(line), 40)] }
		assert.Equal(t, label(line), label(got[i]))
		assert.Len(t, got[i], len(line))
	}
}

func TestConsoleRollsOut(t *testing.T) {
	said := converse(t, "set player both human\nset seed 1\nset automatic roll off\nnew session\nset board /wEAAOy/BQIAAA\nset dice 6 5\n"+
		"set rollout trials 36\nset rollout truncation plies 3\nset rollout truncation enable on\nset rollout cubeful off\nrollout\nrollout now\n")
	assert.Contains(t, said, "\nRollout done. Printing final results.\n    1. Rollout ")
	assert.Contains(t, said, "36 trials, standard error ")
	assert.True(t, strings.HasSuffix(said, "The rollout command takes no arguments and only rollouts the current position\n"))
}

func FuzzConsole(f *testing.F) {
	f.Add("new match 3\nset board 4HPwATDgc/ABMA\nset dice 31\nhint\nmove 8/5 6/5\nroll\nshow board\n")
	f.Add("new session\nset turn 1\ndouble\nredouble\ntake\nresign 2\nagree\nnew game\n")
	f.Add("set xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:10\neval =1\nset score -1 -2\nset crawford on\nswap players\n")
	f.Add("set player both human\nset automatic game off\nset output mwc on\nhelp set cube\nprevious 99\nnext roll\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "\n") > 20 {
			return
		}
		// Deep searches and matches of the computer against itself take too long.
		text = "set player both human\n" + regexp.MustCompile(`(?i)p\w*\s+[1-9]|gn\w*|com\w*|rollo\w*`).ReplaceAllString(text, "")
		s := newConsoleSession(t.Context(), newConsole(), io.Discard)
		for line := range strings.SplitSeq(text, "\n") {
			s.execute(line)
			if s.game.started() {
				if r, _ := s.game.state.Position.Result(); r == bg.Unfinished && s.game.state.Position.Validate() != nil {
					t.Fatalf("illegal position after %q", line)
				}
			}
		}
	})
}
