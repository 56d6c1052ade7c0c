package cli

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everyCommand calls f with each command of the program that does something.
func everyCommand(root *cobra.Command, f func(cmd *cobra.Command)) {
	for _, cmd := range root.Commands() {
		if cmd.Runnable() && cmd.Name() != "help" && cmd.Name() != "completion" && cmd.Parent().Name() != "completion" {
			f(cmd)
		}
		everyCommand(cmd, f)
	}
}

func testRoot() *cobra.Command {
	return newRootCommand(&env{in: strings.NewReader(""), out: io.Discard, err: io.Discard, getenv: os.Getenv})
}

func TestEveryCommandHasHelpAndTwoExamples(t *testing.T) {
	everyCommand(testRoot(), func(cmd *cobra.Command) {
		assert.NotEmpty(t, cmd.Short, cmd.CommandPath())
		assert.False(t, strings.HasSuffix(cmd.Short, "."), cmd.CommandPath())
		assert.NotEmpty(t, cmd.Long, cmd.CommandPath())
		assert.GreaterOrEqual(t, len(examples(cmd)), 2, "%s has too few examples", cmd.CommandPath())
		for _, line := range strings.Split(cmd.Long, "\n") {
			assert.LessOrEqual(t, len([]rune(line)), 100, "%s: %q", cmd.CommandPath(), line)
		}
	})
}

// examples returns the calls in the examples of cmd that are not shell programs, as arguments.
func examples(cmd *cobra.Command) [][]string {
	var calls [][]string
	for line := range strings.Lines(cmd.Example) {
		line = strings.TrimSpace(line)
		if i := strings.LastIndex(line, "| kotra "); i >= 0 {
			line = line[i+2:]
		}
		line, _, _ = strings.Cut(line, " > ")
		if rest, ok := strings.CutPrefix(line, "kotra "); ok {
			calls = append(calls, words(rest))
		}
	}
	return calls
}

// words splits a command line as a shell does, as far as examples go.
func words(line string) []string {
	var all []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

func TestExamplesAreRightCalls(t *testing.T) {
	everyCommand(testRoot(), func(owner *cobra.Command) {
		for _, args := range examples(owner) {
			t.Run(strings.Join(args, " "), func(t *testing.T) {
				cmd, rest, err := testRoot().Find(markXGIDs(args))
				require.NoError(t, err)
				require.NoError(t, cmd.ParseFlags(rest))
				require.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()))
			})
		}
	})
}

// slowOrEndless are commands whose examples are not run.
var slowOrEndless = []string{"bench ", "bearoff build ", "train ", "duel ", "engine "}

// fileOnly are parts of examples that write nothing but a file.
var fileOnly = []string{".knn", "board ", ".sgf"}

// shortMatch is a match text with one game.
const shortMatch = ` 3 point match

 Game 1
 Ada : 0                        Bo : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
  2) 66: 24/18 24/18 13/7 13/7   Doubles => 2
  3)  Drops                      Wins 1 point
`

func TestExamplesWorkAsPrinted(t *testing.T) {
	xg, err := os.ReadFile("../../../record/xg/testdata/match3.xg")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("matches", 0o755))
	for name, data := range map[string]string{"match.xg": string(xg), "match.mat": shortMatch, "matches/other.txt": shortMatch} {
		require.NoError(t, os.WriteFile(name, []byte(data), 0o644))
	}
	require.NoError(t, os.WriteFile("positions.txt", []byte(start+" 31\n"+startXGID+"\n"), 0o644))
	require.Equal(t, exitDone, runKotra(t, "", "weights", "export", "default.knn").code)
	everyCommand(testRoot(), func(cmd *cobra.Command) {
		for _, args := range examples(cmd) {
			call := strings.Join(args, " ")
			if slices.ContainsFunc(slowOrEndless, func(start string) bool { return strings.HasPrefix(call+" ", start) }) {
				continue
			}
			t.Run(call, func(t *testing.T) {
				if strings.Contains(call, "*") {
					t.Skip("needs a shell")
				}
				c := runKotra(t, "", args...)
				assert.Equal(t, exitDone, c.code, c.err)
				if !slices.ContainsFunc(fileOnly, func(part string) bool { return strings.Contains(call, part) }) {
					assert.NotEmpty(t, c.out)
				}
			})
		}
	})
}

func TestCompletionKnowsCommandsAndNames(t *testing.T) {
	for call, want := range map[string]string{
		"ana":               "analyze",
		"bench m":           "movegen",
		"convert x o":       "ogid",
		"met r":             "rockwell-kazaross",
		"weights v":         "verify",
		"analyze x --ply ":  "2",
		"analyze x --dice ": "31",
		"eval --met ":       "kazaross-xg2",
	} {
		args := strings.Split(call, " ")
		c := runKotra(t, "", append([]string{"__complete"}, args...)...)
		assert.Contains(t, c.out, want, call)
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		c := runKotra(t, "", "completion", shell)
		assert.Equal(t, exitDone, c.code)
		assert.Contains(t, c.out, "kotra")
	}
}

func TestRootWithoutCommandPrintsHelp(t *testing.T) {
	c := runKotra(t, "")
	assert.Equal(t, exitDone, c.code)
	assert.Contains(t, c.out, "kotra analyze 4HPwATDgc/ABMA --dice 31")
	c = runKotra(t, "", "--version")
	assert.True(t, strings.HasPrefix(c.out, "kotra "), c.out)
}
