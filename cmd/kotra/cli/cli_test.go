package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/internal/bgtest"
)

var update = flag.Bool("update", false, "write the golden files")

const (
	start     = "4HPwATDgc/ABMA"
	startXGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
)

// cacheDir is where the tests keep bearoff databases.
var cacheDir string

func TestMain(m *testing.M) {
	var err error
	if cacheDir, err = os.MkdirTemp("", "kotra-test"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(cacheDir)
	os.Exit(code)
}

// testEnvironment has the environment variables of the tests.
func testEnvironment(name string) string {
	if name == "KOTRA_CACHE_DIR" {
		return cacheDir
	}
	return ""
}

// A call is what became of a run of the program.
type call struct {
	code     int
	out, err string
}

// runKotra runs the program on the given standard input.
func runKotra(t *testing.T, stdin string, args ...string) call {
	t.Helper()
	return kotraContext(t.Context(), stdin, args...)
}

func kotraContext(ctx context.Context, stdin string, args ...string) call {
	var out, err bytes.Buffer
	e := &env{
		in: strings.NewReader(stdin), out: &out, err: &err, now: time.Now, width: 80,
		getenv:    testEnvironment,
		evaluator: bgtest.Pips{},
	}
	code := run(ctx, e, args)
	return call{code, out.String(), err.String()}
}

// golden compares got with the named file, or writes the file with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, name)
}

// file writes a file for the test and returns its name.
func file(t *testing.T, name, content string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
	return name
}

// object decodes one JSON object.
func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &v), text)
	return v
}

func TestOutputIsGolden(t *testing.T) {
	for name, args := range map[string][]string{
		"moves-31.txt":            {"moves", start, "--dice", "31"},
		"moves-31.json":           {"moves", start, "--dice", "13", "--json"},
		"moves-all-count.txt":     {"moves", start, "--all", "--count"},
		"moves-dance.json":        {"moves", "2+4OAAB43wcAQA", "--dice", "61", "--json"},
		"moves-explain-legal.txt": {"moves", start, "--dice", "31", "--explain", "8/5 6/5"},
		"moves-explain-die.txt":   {"moves", "XGID=-DDD---b----------A-----a-:0:0:1:65:0:0:0:0:10", "--explain", "18/13"},
		"moves-explain.json":      {"moves", start, "--dice", "62", "--explain", "7/1 6/4", "--json"},
		"eval-start.txt":          {"eval", start, "--ply", "0"},
		"eval-start.json":         {"eval", start, "--ply", "0", "--json"},
		"eval-cubeless.json":      {"eval", start, "--ply", "0", "--cubeless", "--json"},
		"eval-match.json":         {"eval", "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:2:3:0:7:10", "--ply", "0", "--json"},
		"eval-over.json":          {"eval", "AAAAwAcAAAAAAA", "--json"},
		"analyze-31.txt":          {"analyze", start, "--dice", "31", "--ply", "0"},
		"analyze-31-top.json":     {"analyze", start, "--dice", "31", "--ply", "1", "--top", "3", "--json"},
		"analyze-dance.txt":       {"analyze", "2+4OAAB43wcAQA", "--dice", "61", "--ply", "1"},
		"analyze-cube.txt":        {"analyze", start, "--ply", "0"},
		"analyze-cube.json":       {"analyze", start, "--ply", "0", "--json"},
		"analyze-cube-match.txt":  {"analyze", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:3:0:7:10", "--ply", "0"},
		"analyze-take.txt":        {"analyze", "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "--ply", "0"},
		"analyze-take.json":       {"analyze", "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "--ply", "0", "--json"},
		"analyze-beaver.txt":      {"analyze", "XGID=-b----E-C---eE---c-e----B-:1:1:1:B:0:0:2:0:10", "--ply", "0"},
		"analyze-beaver.json":     {"analyze", "XGID=-b----E-C---eE---c-e----B-:1:1:1:B:0:0:2:0:10", "--ply", "0", "--json"},
		"analyze-no-cube.txt":     {"analyze", "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10", "--ply", "0"},
		"convert-ogid.txt":        {"convert", startXGID, "ogid"},
		"convert-board.txt":       {"convert", startXGID, "board"},
		"convert-fibs.json":       {"convert", startXGID, "fibs", "--json"},
		"met.txt":                 {"met", "--size", "5"},
		"met.csv":                 {"met", "rockwell-kazaross", "--size", "3", "--csv"},
		"met-score.txt":           {"met", "--away", "4,2", "--cube", "2"},
		"met-score.json":          {"met", "--away", "1,3", "--json"},
		"met-score.csv":           {"met", "--away", "4,2", "--csv"},
		"met-take-points.txt":     {"met", "--show", "take-points", "--size", "5"},
		"met-gammon-prices.csv":   {"met", "--show", "gammon-prices", "--size", "3", "--cube", "2", "--csv"},
		"bearoff-show.txt":        {"bearoff", "show", "2+4OAADb7gEAAA"},
		"bearoff-show.json":       {"bearoff", "show", "IAAAgAAAAAAAAA", "--json"},
		"help-environment.txt":    {"help", "environment"},
	} {
		t.Run(name, func(t *testing.T) {
			c := runKotra(t, "", args...)
			require.Equal(t, exitDone, c.code, c.err)
			assert.Empty(t, c.err)
			golden(t, name, c.out)
			if filepath.Ext(name) == ".json" {
				object(t, c.out)
			}
		})
	}
}

func TestWrongCallsExitWithTwoAndOneLine(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"unknown command":     {[]string{"analize"}, "did you mean analyze?"},
		"far command":         {[]string{"quux"}, `unknown command "quux"`},
		"unknown flag":        {[]string{"moves", start, "--frob"}, "unknown flag: --frob"},
		"missing argument":    {[]string{"eval"}, "missing argument POSITION"},
		"surplus argument":    {[]string{"eval", start, start}, "unexpected argument"},
		"argument and input":  {[]string{"eval", start, "--input", "-"}, "beside --input"},
		"bad dice":            {[]string{"moves", start, "--dice", "70"}, "two digits from 1 to 6"},
		"dice and all":        {[]string{"moves", start, "--dice", "31", "--all"}, "exclude each other"},
		"json and jsonl":      {[]string{"eval", start, "--json", "--jsonl"}, "exclude each other"},
		"negative ply":        {[]string{"eval", start, "--ply", "-1"}, "--ply: -1"},
		"ply too deep":        {[]string{"eval", start, "--ply", "9"}, "--ply: 9"},
		"ply is no number":    {[]string{"eval", start, "--ply", "two"}, "--ply"},
		"negative threads":    {[]string{"eval", start, "--threads", "-2"}, "--threads: -2"},
		"unreadable move":     {[]string{"moves", start, "--dice", "31", "--explain", "x/y"}, "--explain"},
		"unknown notation":    {[]string{"convert", start, "morse"}, `unknown notation "morse"`},
		"convert without out": {[]string{"convert", start}, "missing argument OUT"},
		"unknown benchmark":   {[]string{"bench", "coffee"}, `unknown benchmark "coffee"`},
		"bearoff alone":       {[]string{"bearoff"}, "missing argument"},
		"unknown subcommand":  {[]string{"bearoff", "sho"}, "did you mean show?"},
		"bad points":          {[]string{"bearoff", "build", "x", "--points", "13"}, "13 points"},
		"bad score":           {[]string{"met", "--away", "4"}, "--away"},
		"bad cube":            {[]string{"met", "--away", "4,4", "--cube", "3"}, "power of two"},
		"negative top":        {[]string{"analyze", start, "--top", "-1"}, "--top: -1"},
	} {
		t.Run(name, func(t *testing.T) {
			c := runKotra(t, "", tt.args...)
			assert.Equal(t, exitUsage, c.code)
			assert.Empty(t, c.out)
			assert.Contains(t, c.err, tt.says)
			assert.Contains(t, c.err, "usage: kotra")
			assertOneLine(t, c.err)
		})
	}
}

func assertOneLine(t *testing.T, text string) {
	t.Helper()
	assert.True(t, strings.HasPrefix(text, "kotra: "), text)
	assert.Equal(t, 1, strings.Count(text, "\n"), text)
	assert.True(t, strings.HasSuffix(text, "\n"), text)
}

func TestFailuresExitWithOneAndOneLine(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"no position":              {[]string{"eval", "hello"}, `position "hello"`},
		"sixteen checkers":         {[]string{"eval", "4HPwATDg8+ADYA"}, "16 checkers"},
		"both hold a point":        {[]string{"eval", "gIMPfDDgc/ABMA"}, "both"},
		"both closed out":          {[]string{"eval", "27YBANC2bQAABA"}, "closed"},
		"nothing on the board":     {[]string{"eval", "AAAAAAAAAAAAAA"}, "AAAAAAAAAAAAAA"},
		"missing file":             {[]string{"eval", "--input", "no-such-file"}, `file "no-such-file"`},
		"missing weights":          {[]string{"weights", "info", "no-such.knn"}, `no-such.knn`},
		"missing table":            {[]string{"met", "no-such.xml"}, `file "no-such.xml"`},
		"moves without dice":       {[]string{"moves", start}, "no dice"},
		"moves of a finished game": {[]string{"moves", "AAAAwAcAAAAAAA", "--dice", "31"}, "over"},
		"no bearoff":               {[]string{"bearoff", "show", start}, "not a race"},
		"dice after a double":      {[]string{"analyze", "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "--dice", "31"}, "double is offered"},
	} {
		t.Run(name, func(t *testing.T) {
			c := runKotra(t, "", tt.args...)
			assert.Equal(t, exitFailed, c.code)
			assert.Empty(t, c.out)
			assert.Contains(t, c.err, tt.says)
			assertOneLine(t, c.err)
		})
	}
}

func TestPositionIsTheSameFromEverywhere(t *testing.T) {
	want := runKotra(t, "", "moves", startXGID, "--dice", "31", "--json")
	require.Equal(t, exitDone, want.code, want.err)
	board := runKotra(t, "", "convert", startXGID, "board").out
	for name, tt := range map[string]struct {
		stdin, arg string
	}{
		"standard input":            {startXGID + "\n", "-"},
		"standard input with notes": {"# note\r\n\r\n" + startXGID + "\r\n", "-"},
		"file":                      {"", file(t, "one.txt", startXGID)},
		"file with a BOM":           {"", file(t, "bom.txt", "\uFEFF"+startXGID+"\r\n")},
		"roll in the file":          {"", file(t, "roll.txt", startXGID+" 31\n")},
		"without XGID=":             {"", strings.TrimPrefix(startXGID, "XGID=")},
		"OGID":                      {"", strings.TrimSpace(runKotra(t, "", "convert", startXGID, "ogid").out)},
		"FIBS board":                {"", strings.TrimSpace(runKotra(t, "", "convert", startXGID, "fibs").out)},
		"drawing":                   {board, "-"},
	} {
		t.Run(name, func(t *testing.T) {
			c := runKotra(t, tt.stdin, "moves", tt.arg, "--dice", "31", "--json")
			require.Equal(t, exitDone, c.code, c.err)
			got, expected := object(t, c.out), object(t, want.out)
			assert.Equal(t, expected["rolls"], got["rolls"])
		})
	}
}

func TestFileWithSeveralPositionsNeedsInput(t *testing.T) {
	c := runKotra(t, "", "eval", file(t, "two.txt", start+"\n"+startXGID+"\n"))
	assert.Equal(t, exitFailed, c.code)
	assert.Contains(t, c.err, "use --input for many")
}

func TestBatchAnswersEveryLineInOrder(t *testing.T) {
	input := "# positions\n" + start + " 31\n\nnonsense\n" + startXGID + "\n" + start + " 13\n"
	c := runKotra(t, input, "moves", "--input", "-", "--jsonl", "--dice", "66")
	assert.Equal(t, exitFailed, c.code)
	lines := strings.Split(strings.TrimSpace(c.out), "\n")
	require.Len(t, lines, 4)
	counts := []any{}
	for i, line := range lines {
		v := object(t, line)
		if i == 1 {
			assert.EqualValues(t, 4, v["line"])
			assert.Equal(t, "nonsense", v["input"])
			assert.NotEmpty(t, v["error"])
			continue
		}
		counts = append(counts, v["rolls"].([]any)[0].(map[string]any)["count"])
	}
	assert.Equal(t, []any{16.0, 11.0, 16.0}, counts) // 31, the 66 of --dice, 31
	assert.Contains(t, c.err, "kotra: standard input:4: ")
}

func TestBatchIsTheSameOnAnyNumberOfThreads(t *testing.T) {
	var input strings.Builder
	for _, roll := range bg.Rolls() {
		input.WriteString(start + " " + roll.Dice.String() + "\n")
	}
	name := file(t, "rolls.txt", input.String())
	one := runKotra(t, "", "analyze", "--input", name, "--jsonl", "--ply", "1", "--threads", "1")
	require.Equal(t, exitDone, one.code, one.err)
	assert.Equal(t, 21, strings.Count(one.out, "\n"))
	for _, threads := range []string{"2", "7"} {
		many := runKotra(t, "", "analyze", "--input", name, "--jsonl", "--ply", "1", "--threads", threads)
		assert.Equal(t, one, many)
	}
}

func TestBatchAsOneDocumentIsAnArray(t *testing.T) {
	for input, n := range map[string]int{"": 0, start + "\n": 1, start + "\nbad\n" + start + "\n": 3} {
		c := runKotra(t, input, "eval", "--input", "-", "--json", "--ply", "0")
		var v []map[string]any
		require.NoError(t, json.Unmarshal([]byte(c.out), &v), c.out)
		assert.Len(t, v, n)
	}
}

func TestInterruptedCommandExitsWith130(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := kotraContext(ctx, "", "analyze", start, "--dice", "31", "--ply", "2")
	assert.Equal(t, exitInterrupted, c.code)
	assert.Equal(t, "kotra: interrupted\n", c.err)
	assert.Contains(t, c.out, "Cubeful 0-ply", "what is known by then is printed")
	c = kotraContext(ctx, start+"\n", "eval", "--input", "-", "--jsonl", "--ply", "2")
	assert.Equal(t, exitInterrupted, c.code)
}

func TestTopLimitsTheTextAndCountsTheRest(t *testing.T) {
	c := runKotra(t, "", "analyze", start, "--dice", "31", "--ply", "0", "--top", "2")
	assert.Contains(t, c.out, "(14 more; --top 0 shows all)")
	c = runKotra(t, "", "analyze", start, "--dice", "31", "--ply", "0", "--json")
	assert.Len(t, object(t, c.out)["moves"], 16)
}

func TestCubeFlagIgnoresTheDice(t *testing.T) {
	c := runKotra(t, "", "analyze", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "--cube", "--ply", "0", "--json")
	require.Equal(t, exitDone, c.code, c.err)
	assert.Equal(t, "cube", object(t, c.out)["decision"])
}

func TestRuleFlagsReplaceWhatThePositionSays(t *testing.T) {
	position := func(args ...string) map[string]any {
		c := runKotra(t, "", append([]string{"convert", start, "xgid", "--json"}, args...)...)
		require.Equal(t, exitDone, c.code, c.err)
		return object(t, c.out)["position"].(map[string]any)
	}
	match := position("--match", "5", "--score", "4-2", "--crawford")["match"].(map[string]any)
	assert.EqualValues(t, 5, match["length"])
	assert.Equal(t, []any{4.0, 2.0}, match["score"])
	assert.Equal(t, true, match["crawford"])
	assert.Equal(t, false, match["jacoby"])

	cube := position("--cube-value", "4", "--cube-owner", "opponent")["cube"].(map[string]any)
	assert.EqualValues(t, 4, cube["value"])
	assert.Equal(t, "opponent", cube["owner"])

	money := position("--jacoby=false", "--beavers", "3")["match"].(map[string]any)
	assert.Equal(t, false, money["jacoby"])
	assert.EqualValues(t, 3, money["beavers"])

	for _, args := range [][]string{{"--match", "5", "--score", "6-0"}, {"--crawford"}, {"--cube-value", "3"}} {
		c := runKotra(t, "", append([]string{"eval", start, "--ply", "0"}, args...)...)
		assert.Equal(t, exitFailed, c.code, args)
		assertOneLine(t, c.err)
	}
	for _, args := range [][]string{{"--score", "x"}, {"--cube-owner", "me"}, {"--variant", "chess"}, {"--match", "-1"}} {
		c := runKotra(t, "", append([]string{"eval", start}, args...)...)
		assert.Equal(t, exitUsage, c.code, args)
	}
}

func TestVariantSaysHowManyCheckersASideHas(t *testing.T) {
	c := runKotra(t, "", "moves", "AACgAgAAVAAAAA", "--variant", "hypergammon", "--dice", "65", "--json")
	require.Equal(t, exitDone, c.code, c.err)
	assert.Equal(t, "hypergammon", object(t, c.out)["position"].(map[string]any)["variant"])
}

func TestOfAMeanEachNetworkIsShownAndChecked(t *testing.T) {
	c := runKotra(t, "", "weights", "info", "quad", "--json")
	require.Equal(t, exitDone, c.code, c.err)
	var all []map[string]any
	require.NoError(t, json.Unmarshal([]byte(c.out), &all))
	require.Len(t, all, 4)
	assert.Equal(t, "embedded fourth", all[3]["file"])
	text := runKotra(t, "", "weights", "info", "quad").out
	assert.Equal(t, 3, strings.Count(text, "\n\n"))
	verified := runKotra(t, "", "weights", "verify", "quad").out
	for _, network := range all {
		assert.Contains(t, text, network["sha256"])
		assert.Contains(t, verified, network["file"].(string)+": ok, "+network["sha256"].(string)+"\n")
	}
	assert.Contains(t, runKotra(t, "", "weights", "export", "--weights", "quad", "-").err, "several")
}

func TestRoundedWeightsAreSmallAndGiveTheSameAnswers(t *testing.T) {
	name := filepath.Join(t.TempDir(), "small.knn")
	require.Equal(t, exitDone, runKotra(t, "", "weights", "export", "--round", name).code)
	info, err := os.Stat(name)
	require.NoError(t, err)
	assert.Less(t, info.Size(), int64(1_500_000))
	assert.Equal(t, exitDone, runKotra(t, "", "weights", "verify", name).code)
	want := runKotra(t, "", "eval", startXGID, "--json")
	got := runKotra(t, "", "eval", startXGID, "--json", "--weights", name)
	require.Equal(t, exitDone, got.code, got.err)
	assert.Equal(t, want.out, got.out)

	c := runKotra(t, "", "weights", "export", "--weights", "no-such.knn", name)
	assert.NotEqual(t, exitDone, c.code)
	assert.Contains(t, c.err, "no-such.knn")
}
