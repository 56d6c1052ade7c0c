package protocol

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/analysis"
	"kotra/bg"
	"kotra/cube"
	"kotra/cube/met"
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

func (f fakeAnalyst) Static(pos *bg.Position) bg.Probs { return f.evaluator.Evaluate(pos) }

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

// spaced are commands whose replies have as many blanks as the numbers leave.
var spaced = regexp.MustCompile(`^show (statistics .*|marketwindow)$`)

// otherwise are the commands of the transcripts that kotra answers in another way, by reason.
var otherwise = map[string]*regexp.Regexp{
	"not in kotra":                                     regexp.MustCompile(`^(show (bearoff|onesidedrollout|ratingoffset)|set (met none|priority .*|rollout player .*))$`),
	"about the program":                                regexp.MustCompile(`^(show (evaluation|analysis|rollout|seed|met|matchinfo|confirm|engine|version|buildinfo|lang|prompt)|h)$`),
	"moved in the transcript":                          regexp.MustCompile(`^show (thorp|keith)$`), // its lines stand one command too late
	"by other settings":                                regexp.MustCompile(`^(rollout|hint 2)$`),   // gnubg keeps the result, and evaluates in spite of "type rollout"
	"taken by gnubg, but wrong":                        regexp.MustCompile(`^(set board (=1|0 -2.*|4HPwATDgc/ABM)|set matchid cAkAAAAAAA|eval =1|sh p)$`),
	"after a double resignation, where gnubg is wrong": regexp.MustCompile(`^(resign|resign gammon|agree|decline|resign normal|resign 3|new game|show board|accept|show score)$`),
}

func TestConsoleAnswersLikeGNUBackgammon(t *testing.T) {
	setup := "set defaultnames Alice Bob\nset player 0 name Alice\nset player 1 name Bob\nset player both human\n" +
		"set automatic game off\nset automatic roll off\nset seed 1"
	for _, name := range []string{"01-new-and-show", "02-set-position", "03-set-state", "04-play", "05-hint-eval", "06-rollout", "08-abbrev"} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			s := newConsoleSession(t.Context(), newConsole(), &out)
			setup := setup
			if name == "06-rollout" {
				setup = strings.NewReplacer("Alice", "gnubg", "Bob", "user").Replace(setup)
			}
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
				known := spaced.MatchString(e.command)
				if known {
					assert.Equal(t, strings.Fields(blank(e.reply)), strings.Fields(blank(out.String())))
				}
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
	assert.Equal(t, "kotra does not have the command `latex'.\nkotra does not have the command `isaac'.\n`eval' and `hint' chequerplay will use 0 ply evaluation.\n",
		converse(t, "export match latex x.tex\nset rng isaac\nset evaluation chequerplay evaluation plies 0\n"))
}

func TestConsoleListsGamesWithMarks(t *testing.T) {
	f, err := os.Open("testdata/console/m3b.sgf.gz")
	require.NoError(t, err)
	defer f.Close()
	r, err := gzip.NewReader(f)
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	name := t.TempDir() + "/m3b.sgf"
	require.NoError(t, os.WriteFile(name, data, 0o600))
	want, err := os.ReadFile("testdata/console/m3b.list.txt")
	require.NoError(t, err)
	c := newConsole()
	c.Files = true
	var out strings.Builder
	require.NoError(t, c.Serve(t.Context(), strings.NewReader("load match "+name+"\nshow matchinfo\nlist game\nanalyse match\nlist game\n"), &out))
	assert.Contains(t, out.String(), "Carol (1850 (1200)) vs. Dave (1701.5), 2026-11-30\nEvent: Spring Open\nRound: 2\nPlace: Springfield\nAnnotator: A. Writer\n\nTwo lines of comment\n")
	assert.Equal(t, 1, strings.Count(out.String(), string(want)), "marks of the file at first, then those of the analysis")
}

// raced sets up a race, of player 1 on roll, and shows the counts of it.
func raced(t *testing.T, board string) string {
	t.Helper()
	said := converse(t, "set player both human\nset automatic roll off\nset display off\nset seed 1\nnew session\nset turn 1\nset board simple "+board+
		"\nshow thorp\nshow keith\nshow kleinman\nshow isight\nshow 8912\n")
	return said[strings.Index(said, "Thorp"):]
}

// The counts are those that gnubg 1.07.001 prints.
func TestConsoleCountsRaces(t *testing.T) {
	said := raced(t, "0 2 2 2 2 2 2 1 0 0 0 0 0 0 0 0 0 0 -1 -2 -3 -2 -2 -2 -2 0")
	for _, want := range []string{
		"Thorp Count Leader            : 71\nThorp Count Leader(+1/10)    L: 78.1\nThorp Count Trailer          T: 78\n\nRedouble, Take (since L <= T + 1 )\n",
		"Keith Count Leader            : 52\nKeith Count Leader(+1/7)     L: 59.4\nKeith Count Trailer          T: 57\n\nRedouble, Take (since L <= T+3)\n",
		"Leader Pip Count : 49\nTrailer Pip Count: 54\n\nsum              : 103\ndiff             : 5\n\nK = (diff+4)/(2 sqrt(sum-4)) =   0.4523\nCubeless Winning Chance: 0.7388\n",
		"Isight Count Leader          L: 49\nIsight Count Trailer         T: 55\n\nEstimated GWC: 75.7% (80 - L/3 + 2*(L-T))\n\nRedouble, Take (since 70% <= est. GWC <= 76%)\n",
		"Leader is 10.2 percent ahead\n",
	} {
		assert.Contains(t, said, want)
	}
	said = raced(t, "0 0 4 0 0 0 5 0 3 0 0 -3 0 3 0 0 -3 0 -5 0 0 0 -4 0 0 0")
	for _, want := range []string{"L: 141.9\n", "Count Trailer          T: 145\n", "L: 121.1\n", "T: 120\n", " 0.6509\n", "L: 103\n", "T: 123\n", "GWC: 85.7%"} {
		assert.Contains(t, said, want, "crossovers, gaps and stacks")
	}
	said = raced(t, "0 4 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -1 -3 -1 0")
	for _, want := range []string{"L: 18.0\n", "L: 17.1\n", "T: 15\n", "=    1.155\n", "L: 10\n", "T: 11\n"} {
		assert.Contains(t, said, want, "small counts")
	}
}

func TestConsoleShowsTheMarketWindow(t *testing.T) {
	setup := "set player both human\nset automatic roll off\nset display off\nset seed 1\n"
	race := "set turn 1\nset board simple 0 2 2 2 2 2 2 1 0 0 0 0 0 0 0 0 0 0 -1 -2 -3 -2 -2 -2 -2 0\n"
	// No gammons: the points of a dead and a live cube are those of the books.
	said := converse(t, setup+"new session\n"+race+"show marketwindow\n")
	assert.Contains(t, said, "Take Point (TP)               25.000%      20.000%\n"+
		"Beaver Point (BP)             50.000%      40.000%\nRaccoon Point (RP)            50.000%      60.000%\n"+
		"Initial Double Point (IDP)    50.000%      80.000%\nRedouble Point (RDP)          50.000%      80.000%\nCash Point (CP)               75.000%      80.000%\n")
	// gnubg 1.07.001: 50.00% - 74.77% and 79.75%.
	said = converse(t, setup+"new match 7\n"+race+"show marketwindow\nshow gammonvalues\n")
	assert.Contains(t, said, "Player user market window:\n\nDead cube:  50.00% -  74.77%\nLive cube: 50.00% -  79.7")
	assert.Contains(t, said, "gnubg            0.50926         1.09112\n")
}

func TestConsoleAddsNoise(t *testing.T) {
	setup := "set player both human\nset automatic roll off\nset display off\nset seed 1\nnew session\nset dice 6 5\n"
	plain := converse(t, setup+"hint 5\n")
	noisy := converse(t, setup+"set evaluation chequerplay evaluation noise 0.5\nhint 5\nshow evaluation\n")
	assert.Contains(t, noisy, "`eval' and `hint' chequerplay will use noise with standard deviation 0.500.\n")
	assert.Contains(t, noisy, "0-ply cubeful prune noise 0.500\n")
	assert.Contains(t, noisy, "Noise standard deviation 0.500 (deterministic noise).\n")
	hints := regexp.MustCompile(`(?m)^ +\d+\. .*`)
	assert.NotEqual(t, hints.FindAllString(plain, -1), hints.FindAllString(noisy, -1))
	again := converse(t, setup+"set evaluation chequerplay evaluation noise 0.5\nhint 5\n")
	assert.Equal(t, hints.FindAllString(again, -1), hints.FindAllString(noisy, -1), "deterministic")
	random := setup + "set evaluation chequerplay evaluation noise 0.5\nset evaluation chequerplay evaluation deterministic off\nhint 5\n"
	once, twice := hints.FindAllString(converse(t, random), -1), hints.FindAllString(converse(t, random), -1)
	assert.NotEqual(t, once, twice)
}

func TestNoiseHasItsStandardDeviation(t *testing.T) {
	x := strength{noise: 0.1}
	positions := calibrationPositions()
	sum, squares := 0., 0.
	for i := range positions {
		e := float64(x.noiseOf(&positions[i]))
		sum += e
		squares += e * e
	}
	n := float64(len(positions))
	assert.InDelta(t, 0, sum/n, 0.01)
	assert.InDelta(t, 0.1, math.Sqrt(squares/n), 0.005)
}

func TestConsoleHintsByRollout(t *testing.T) {
	said := converse(t, "set player both human\nset automatic roll off\nset display off\nset seed 1\nnew session\nset board /wEAAOy/BQIAAA\nset dice 6 5\n"+
		"set rollout trials 36\nset rollout truncation plies 3\nset rollout truncation enable on\nset evaluation chequerplay type rollout\nhint\n"+
		"set evaluation cubedecision type rollout\nset turn 1\nhint\n")
	assert.Contains(t, said, "`eval' and `hint' chequerplay will now use Rollout.\n    1. Rollout ")
	assert.Contains(t, said, "36 trials, standard error ")
	assert.Contains(t, said, "\nProper cube action: ")
}

func TestConsoleEndsGames(t *testing.T) {
	said := converse(t, "set player both human\nset automatic game off\nset display off\nset seed 1\nnew session\nend game\nshow score\nend game\n")
	assert.Regexp(t, `wins a (single game|gammon|backgammon) and \d+ points?\.\nThe score \(after 1 game\)`, said)
	assert.True(t, strings.HasSuffix(said, "No game in progress (type `new game' to start one).\n"))
}

func TestConsoleCalibrates(t *testing.T) {
	said := converse(t, "show calibration\ncalibrate 1\nshow calibration\ncalibrate 0\n")
	assert.Regexp(t, "^No evaluation speed has been recorded.\nCalibration result: [1-9]\\d* static evaluations/second.\n"+
		"Evaluation speed has been set to [1-9]\\d* evaluations per second.\nIf you specify", said)
}

func TestConsoleReadsMatchEquityTables(t *testing.T) {
	c := newConsole()
	asked := ""
	c.WithMET = func(table *met.Table) (Analyst, error) {
		asked = table.Name()
		return c.Engine, nil
	}
	var out strings.Builder
	require.NoError(t, c.Serve(t.Context(), strings.NewReader("set met rockwell-kazaross\nshow met\nset met x.xml\n"), &out))
	assert.Contains(t, asked, "Rockwell")
	assert.Contains(t, out.String(), "GNU Backgammon will now use the "+asked+" match equity table.\nMatch equity table: "+asked+"\n")
	assert.True(t, strings.HasSuffix(out.String(), "Files cannot be used in this session.\n"))
	assert.Nil(t, c.Table, "that of other sessions")
}

func TestConsoleTakesPositionsAsLetters(t *testing.T) {
	// gnubg 1.07.001 makes /28AEAD33QAAAA of it.
	said := converse(t, "set player both human\nset automatic roll off\nset seed 1\nnew session\nset board PPGPAABAAAPHNNAAAAAA\nset board PPGPAABAAAPHNNAAAAAZ\n")
	assert.Contains(t, said, "Position ID: /28AEAD33QAAAA\n")
	assert.True(t, strings.HasSuffix(said, "Illegal position.\n"))
}

// consoleWithFiles returns a console that may use files, a folder, and a function that runs commands,
// in which DIR stands for the folder, and returns what the console says.
func consoleWithFiles(t *testing.T) (c *Console, dir string, run func(lines string) string) {
	t.Helper()
	dir = t.TempDir()
	c = newConsole()
	c.Files = true
	return c, dir, func(lines string) string {
		t.Helper()
		var out strings.Builder
		require.NoError(t, c.Serve(t.Context(), strings.NewReader(strings.ReplaceAll(lines, "DIR", dir)), &out))
		_, said, _ := strings.Cut(out.String(), "For help type `help'.\n\n\n\n")
		return said
	}
}

func TestConsoleExports(t *testing.T) {
	_, dir, run := consoleWithFiles(t)
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(dir + "/" + name)
		require.NoError(t, err)
		return string(data)
	}
	said := run("import mat testdata/console/m3b.mat\nexport match text DIR/plain.txt\nexport match html DIR/plain.html\nanalyse match\nexport match text DIR/m.txt\nexport match html DIR/m.html\n" +
		"export match snowietxt DIR/m.sno\nexport game text DIR/g.txt\nexport session mat DIR/s.mat\n")
	assert.NotContains(t, said, "keyword")
	assert.NotContains(t, said, "DIR")
	plain, text := read("plain.txt"), read("m.txt")
	assert.Regexp(t, `^The score \(after 0 games\) is: \w+ 0, \w+ 0 \(match to 3 points\)\n\nMatch Information:\n`, text)
	info, err := os.Stat(dir + "/m.txt")
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o644), info.Mode(), "as other programs leave files")
	assert.Contains(t, text, "Move number 1:  ")
	assert.Equal(t, strings.Count(plain, "Move number"), strings.Count(text, "Move number"))
	assert.Equal(t, strings.Count(plain, "\n* "), strings.Count(text, "Move number"))
	assert.Equal(t, 0, strings.Count(plain, "Rolled 21 ("), "not analyzed")
	assert.Contains(t, text, "\nRolled 21 (")
	assert.Contains(t, text, "\nCube analysis\n0-ply cubeless equity ")
	assert.Contains(t, text, "\nPip counts: O 167, X 167\n")
	assert.Contains(t, text, "\nGame statistics for game 1\n\nPlayer ")
	assert.Contains(t, read("m.html"), "<html")
	assert.Contains(t, read("plain.html"), "Move number 1:  ")
	assert.Regexp(t, `^ 3 point match\n`, read("m.sno"))
	assert.Contains(t, read("g.txt"), "Move number 1:  ")
	assert.Contains(t, read("s.mat"), " 3 point match")

	const setup = "set player both human\nset automatic roll off\nset display off\nset seed 1\nnew match 3\nset board 4HPwATDgc/ABMA\nset turn 1\nset dice 3 1\nset cube value 2\nset cube owner 1\n"
	run(setup + "hint\nexport position text DIR/p.txt\nexport position snowietxt DIR/p.sno\nexport position svg DIR/p.svg\nexport position png DIR/p.png\nexport position html DIR/p.html\nsave position DIR/p.sgf\n")
	assert.Contains(t, read("p.txt"), "user to play 31\n\n GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n")
	assert.Contains(t, read("p.txt"), "\nRolled 31:\n     1. Cubeful 0-ply ")
	assert.Equal(t, "3;0;0;0;1;user;gnubg;0;0;0;2;1;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;\n", read("p.sno"))
	assert.Contains(t, read("p.svg"), "<svg")
	assert.True(t, strings.HasPrefix(read("p.png"), "\x89PNG"))
	assert.Contains(t, read("p.html"), "<pre>")
	said = run("load position DIR/p.sgf\nshow turn\nshow cube\n")
	assert.Contains(t, said, "Position ID: 4HPwATDgc/ABMA\n")
	assert.Contains(t, said, "The cube is at 2, and is owned by user.")
	assert.Contains(t, said, "user in on move.\n", "with the dice")
}

func TestConsoleSwapsPlayersInTheRecord(t *testing.T) {
	s := newConsoleSession(t.Context(), newConsole(), io.Discard)
	for _, line := range []string{
		"set player both human", "set automatic roll off", "set automatic game off", "set seed 1", "new match 3", "move 24/18 13/10", "double", "drop", "swap players",
	} {
		s.execute(line)
	}
	g := s.game.last()
	require.NotNil(t, g.Outcome)
	assert.Equal(t, 1, g.Outcome.Winner, "who was player 0")
	assert.Equal(t, [2]int{0, 1}, s.points())
	assert.Equal(t, 0, g.Actions[0].Player)
	m := *s.game.match
	m.Complete()
	assert.Empty(t, m.Warnings)
	s.execute("previous 99")
	assert.Equal(t, 0, s.game.state.Seat)
}

func TestConsoleGoesBackAndForth(t *testing.T) {
	said := converse(t, "set seed 1\nset player both human\nset automatic roll off\nnew match 3\nmove 24/18 13/10\nprevious\nshow turn\nnext\nshow turn\nnext 5\n")
	assert.Contains(t, said, "user in on move.\n")
	assert.True(t, strings.HasSuffix(said, "gnubg in on roll.\n"), said)
}

func TestConsoleSavesAndLoadsMatches(t *testing.T) {
	c, _, run := consoleWithFiles(t)
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

// What GNU Backgammon says of the same file.
func TestConsoleTellsOfTheGameThatIsShown(t *testing.T) {
	packed, err := os.Open("../../record/sgf/testdata/m7b.sgf.gz")
	require.NoError(t, err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	require.NoError(t, err)
	data, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "m7b.sgf")
	require.NoError(t, os.WriteFile(name, data, 0o600))
	said := func(commands string) string {
		var out bytes.Buffer
		c := newConsole()
		c.Files = true
		require.NoError(t, c.Serve(t.Context(), strings.NewReader("load match "+name+"\n"+commands+"show statistics game\nlist game\nexport game mat -\n"), &out))
		return out.String()
	}
	first, second, last := said("first game\n"), said("first game\nnext game\n"), said("")
	assert.Regexp(t, `(?m)^Total moves +12 +13 *$`, first)
	assert.Regexp(t, `(?m)^Doubles to    2 {30}Drops$`, first)
	assert.Contains(t, first, " Game 1\n")
	assert.Regexp(t, `(?m)^Total moves +35 +34 *$`, second)
	assert.Regexp(t, `(?m)^32     : 13/11 13/10 {24}Doubles to    2 *$`, second)
	assert.Regexp(t, `(?m)^Takes {39}54\+    : 24/15\* *$`, second)
	assert.Contains(t, second, " Game 2\n")
	assert.Regexp(t, `(?m)^Total moves +20 +21 *$`, last)
	assert.Contains(t, last, " Game 6\n")
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
	f.Add("new session\nset dice 31\nset evaluation chequerplay evaluation noise 0.1\nhint\nexport position text -\nexport game html -\nshow marketwindow\nend game\n")
	f.Add("new match 5\nshow thorp\nshow isight\nset board PPGPAABAAAPHNNAAAAAA\nsave position -\nswap players\nexport match text -\nshow commands\n")
	f.Add("set player both human\nset automatic game off\nset output mwc on\nhelp set cube\nprevious 99\nnext roll\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "\n") > 20 {
			return
		}
		// Deep searches and matches of the computer against itself take too long.
		text = "set player both human\n" + regexp.MustCompile(`(?i)p\w*\s+[1-9]|gn\w*|com\w*|rollo\w*|ty\w*\s+r|cal\w*`).ReplaceAllString(text, "")
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
