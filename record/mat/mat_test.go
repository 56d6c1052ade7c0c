package mat_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/record"
	"kotra/record/mat"
)

func TestFilesOfGNUBackgammonAreWrittenAsTheyWereRead(t *testing.T) {
	files, err := filepath.Glob("testdata/*.mat")
	require.NoError(t, err)
	require.Len(t, files, 10)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		matches, err := mat.Read(bytes.NewReader(data))
		require.NoError(t, err)
		require.Len(t, matches, 1)
		m := matches[0]
		assert.Empty(t, m.Warnings, file)
		var out bytes.Buffer
		require.NoError(t, mat.Write(&out, m))
		assert.Equal(t, string(data), out.String(), file)
	}
}

func TestJacobyRuleIsInferredFromAGammonThatCountedSingle(t *testing.T) {
	const game = " 0 point match\n\n Game 1\n Ann : 0     Ben : 0\n"
	lines := shutout(t)
	m := readOne(t, game+lines+"      Wins 1 point\n")
	assert.True(t, m.Rules.Jacoby)
	assert.Empty(t, m.Warnings)
	m = readOne(t, game+lines+"      Wins 2 points\n")
	assert.False(t, m.Rules.Jacoby)
	assert.Empty(t, m.Warnings)
	m = readOne(t, game+lines+"      Wins 4 points\n")
	require.Len(t, m.Warnings, 1)
	assert.Contains(t, m.Warnings[0].Text, "4 points")
	assert.Equal(t, 4, m.Games[0].Outcome.Points)
}

// shutout returns the moves of a game that the left player wins by a gammon.
func shutout(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("testdata/m7c.mat")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(data), "Sybil : 0\n")
	require.True(t, ok)
	moves, _, ok := strings.Cut(rest, "      Wins 4 points")
	require.True(t, ok)
	var kept []string
	for _, line := range strings.Split(moves, "\n") {
		if !strings.Contains(line, "Doubles") {
			kept = append(kept, line)
		}
	}
	text := strings.Join(kept, "\n")
	text = strings.ReplaceAll(text, " Takes ", "       ")
	return text
}

func readOne(t *testing.T, text string) *record.Match {
	t.Helper()
	matches, err := mat.Read(strings.NewReader(text))
	require.NoError(t, err)
	require.Len(t, matches, 1)
	return matches[0]
}

// game is the beginning of a match text up to the first line of moves.
const game = " 5 point match\n\n Game 1\n Ada Lind : 0                       Bo Berg : 0\n"

func TestReaderForgives(t *testing.T) {
	tests := []struct {
		name, text string
		check      func(t *testing.T, m *record.Match)
	}{
		{"spellings of a dance", game + "  1) 31: 8/5 6/5                    66: 24/18 24/18 13/7 13/7\n" +
			"  2) 66: Cannot Move                 11: 8/7 8/7 6/5 6/5\n", func(t *testing.T, m *record.Match) {
			require.Len(t, m.Warnings, 1, "66 can be played") // so it is flagged
			assert.Equal(t, 5, m.Warnings[0].Line-1)
			assert.NotEmpty(t, m.Games[0].Actions[2].Illegal)
			assert.Equal(t, 4, m.Games[0].Plays())
		}},
		{"dashes, words, repeats and no stars", game + "  1) 31: 8-5 6-5                     66: 24-18(2) 13-7(2)\n", func(t *testing.T, m *record.Match) {
			assert.Empty(t, m.Warnings)
			assert.Equal(t, "24/18(2) 13/7(2)", m.Games[0].Actions[1].Move.String())
		}},
		{"dashes between the dice and commas between steps", game + "  1) 3-1: 8-5, 6-5               6-6: 24-18(2), 13-7(2)\n", func(t *testing.T, m *record.Match) {
			assert.Empty(t, m.Warnings)
			require.Len(t, m.Games[0].Actions, 2)
			assert.Equal(t, "8/5 6/5", m.Games[0].Actions[0].Move.String())
			assert.Equal(t, bg.Dice{6, 6}, m.Games[0].Actions[1].Dice)
		}},
		{"tabs", " 5 point match\n\nGame 1\nAda Lind : 0\t\tBo Berg : 0\n  1)\t\t\t\t31: 8/5 6/5\n  2) 42: 8/4 6/4\t\t52: 13/8 13/11\n", func(t *testing.T, m *record.Match) {
			require.Len(t, m.Games[0].Actions, 3)
			assert.Equal(t, 1, m.Games[0].Actions[0].Player)
			assert.Empty(t, m.Warnings)
		}},
		{"Windows-1252 and CR LF", strings.ReplaceAll(strings.Replace(game, "Ada Lind", "J\xfcrgen \x8a", 1), "\n", "\r\n"), func(t *testing.T, m *record.Match) {
			assert.Equal(t, "Jürgen Š", m.Players[0])
		}},
		{"a rating after the name", strings.Replace(game, "Ada Lind", "Ada Lind, 1532.21", 1), func(t *testing.T, m *record.Match) {
			assert.Equal(t, "Ada Lind", m.Players[0])
			assert.Equal(t, "1532.21", m.Ratings[0])
		}},
		{"the winner of the match", game + "  1) 31: 8/5 6/5                     Doubles => 2\n  2)  Drops                         Wins 1 point and the match\n", func(t *testing.T, m *record.Match) {
			assert.Equal(t, record.Passed, m.Games[0].Outcome.End)
			assert.Equal(t, 1, m.Games[0].Outcome.Winner)
			assert.Empty(t, m.Warnings)
		}},
		{"a double answered by the outcome alone", game + "  1) 31: 8/5 6/5                     Doubles => 2\n                                  Wins 1 point\n", func(t *testing.T, m *record.Match) {
			a := m.Games[0].Actions[2]
			assert.Equal(t, record.Pass, a.Kind)
			assert.True(t, a.Implied)
		}},
		{"an unfinished game", game + "  1) 31: 8/5 6/5                    42: 8/4 6/4\n", func(t *testing.T, m *record.Match) {
			assert.Nil(t, m.Games[0].Outcome)
			assert.Equal(t, [2]int{}, m.Score())
		}},
		{"an illegal play with its position", game + "  1) 31: Illegal play (5;0;0;0;1;Bo Berg;Ada Lind;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-2;-1;-5;0;0;0;0;2;0;0;0;)    42: 8/4 6/4\n", func(t *testing.T, m *record.Match) {
			a := &m.Games[0].Actions[0]
			assert.NotEmpty(t, a.Illegal)
			require.NotNil(t, a.Result)
			assert.EqualValues(t, 1, a.Result.Opponent[7])
			assert.Equal(t, 2, m.Games[0].Plays())
			assert.Len(t, m.Warnings, 1)
		}},
		{"a play against the rules", game + "  1) 31: 8/5 8/5                    42: 8/4 6/4\n", func(t *testing.T, m *record.Match) {
			a := &m.Games[0].Actions[0]
			assert.Contains(t, a.Illegal, "no dice")
			assert.EqualValues(t, 2, a.Result.Opponent[5])
			require.Len(t, m.Warnings, 1)
			assert.Equal(t, 5, m.Warnings[0].Line)
		}},
		{"scores that do not add up", game + "      Wins 1 point\n\n Game 2\n Ada Lind : 2      Bo Berg : 0\n  1) 31: 8/5 6/5\n", func(t *testing.T, m *record.Match) {
			require.Len(t, m.Warnings, 1)
			assert.Equal(t, 7, m.Warnings[0].Line)
			assert.Contains(t, m.Warnings[0].Text, "2-0")
			assert.Equal(t, [2]int{2, 0}, m.Score())
		}},
		{"a resignation without an outcome", game + "  1) 31: 8/5 6/5                    Resigns a gammon\n", func(t *testing.T, m *record.Match) {
			require.NotNil(t, m.Games[0].Outcome)
			assert.Equal(t, record.Outcome{Winner: 0, Points: 2, Kind: 2, End: record.Resigned}, *m.Games[0].Outcome)
		}},
		{"a resignation with an outcome", game + "  1) 31: 8/5 6/5                    Resigns\n      Wins 3 points\n", func(t *testing.T, m *record.Match) {
			assert.Empty(t, m.Warnings)
			assert.Equal(t, record.Outcome{Winner: 0, Points: 3, Kind: 3, End: record.Resigned}, *m.Games[0].Outcome)
		}},
		{"words in other forms", game + "  1) 31: 8/5 6/5                     double => 2\n  2)  Take                           42: 8/4 6/4\n  3)  Redouble => 4                  Pass\n", func(t *testing.T, m *record.Match) {
			assert.Empty(t, m.Warnings)
			assert.Equal(t, 2, m.Games[0].Outcome.Points)
		}},
		{"UTF-16", "\xff\xfe" + utf16Text(game), func(t *testing.T, m *record.Match) {
			assert.Equal(t, "Ada Lind", m.Players[0])
		}},
		{"words for a dance", game + "  1) 31: 8/5 6/5                    66: (no play)\n  2) 31: Fan                         42: ????\n", func(t *testing.T, m *record.Match) {
			require.Len(t, m.Warnings, 2)
			assert.Equal(t, 3, m.Games[0].Plays())
		}},
		{"a match without header", "Game 1\nAda : 0   Bo : 0\n 1) 31: 8/5 6/5\n", func(t *testing.T, m *record.Match) {
			assert.True(t, m.Money())
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.check(t, readOne(t, tt.text)) })
	}
}

func utf16Text(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteByte(byte(r))
		b.WriteByte(byte(r >> 8))
	}
	return b.String()
}

func TestSeveralMatchesInOneFileAreKeptApart(t *testing.T) {
	text := "; [Event \"One\"]\n" + game + "      Wins 5 points\n\n; [Event \"Two\"]\n" + strings.Replace(game, "5 point", "7 point", 1) + "  1) 31: 8/5 6/5\n"
	matches, err := mat.Read(strings.NewReader(text))
	require.NoError(t, err)
	require.Len(t, matches, 2)
	assert.Equal(t, "One", matches[0].Tag("Event"))
	assert.Equal(t, "Two", matches[1].Tag("Event"))
	assert.Equal(t, 5, matches[0].Length)
	assert.Equal(t, 7, matches[1].Length)
}

func TestTextWithoutAGameIsAnError(t *testing.T) {
	for _, text := range []string{"", "hello\n", "\x00\x01\x02", " 5 point match\n"} {
		_, err := mat.Read(strings.NewReader(text))
		assert.ErrorIs(t, err, mat.ErrNoMatch)
	}
}

func TestSetUpPositionsCannotBeWritten(t *testing.T) {
	m := &record.Match{Games: []*record.Game{{Actions: []record.Action{{Kind: record.Setup, Setup: &record.State{}}}}}}
	assert.ErrorIs(t, mat.Write(&bytes.Buffer{}, m), mat.ErrSetup)
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.mat")
	require.NoError(f, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(data[:min(len(data), 700)]) // whole matches make the search slow
	}
	f.Add([]byte(game + "  1) 31: Illegal play (5;0)   33: ????\n  2)  Beavers => 4   Takes\n 3) Doubles => 99999999999999999999  Wins 3 points\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		matches, err := mat.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, m := range matches {
			var out bytes.Buffer
			require.NoError(t, mat.Write(&out, m))
			for _, g := range m.Games {
				for _, moment := range m.Replay(g).Moments {
					_ = moment.State.Validate()
				}
			}
		}
	})
}

func TestEveryActionBecomesTheSameAgain(t *testing.T) {
	files, err := filepath.Glob("testdata/*.mat")
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		m := readOne(t, string(data))
		var out bytes.Buffer
		require.NoError(t, mat.Write(&out, m))
		again := readOne(t, out.String())
		for i, g := range m.Games {
			require.Equal(t, g.Actions, again.Games[i].Actions)
			for _, moment := range m.Replay(g).Moments {
				if moment.Action.Kind == record.Play {
					require.Empty(t, moment.Action.Illegal)
					require.NoError(t, moment.State.Validate())
				}
			}
		}
	}
}
