package xg_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/record"
	"kotra/record/xg"
)

// What the files beside the vectors say; see testdata/README.md.
type (
	expected struct {
		Players        [2]string
		Event          string
		Location       string
		Round          string
		Transcriber    string
		Date           string
		Money          bool
		MatchLength    int `json:"match_length"`
		Jacoby, Beaver bool
		Games          []expectedGame
		FinalScore     [2]int `json:"final_score"`
		Position       *struct {
			PositionID string `json:"position_id"`
			Cube       int
		}
	}
	expectedGame struct {
		Number   int
		Score    [2]int
		Crawford bool
		Actions  []expectedAction
		Result   *struct {
			Winner, Points int
			How            string
		}
	}
	expectedAction struct {
		Player       int
		Type         string
		Dice         [2]uint8
		Steps        [][3]any
		PositionID   string `json:"position_id"`
		Unplayed     bool
		Cube         int
		Kind         string
		Comment      string
		Analysis     *expectedAnalysis
		CubeAnalysis *expectedAnalysis `json:"cube_analysis"`
	}
	expectedAnalysis struct {
		Candidates []struct {
			Steps          [][3]any
			PositionID     string `json:"position_id"`
			Level          int    `json:"level_code"`
			Win            float64
			LoseBackgammon float64 `json:"lose_bg"`
			Equity         float64
		}
		Error, Luck *float64
		NoDouble    float64  `json:"no_double"`
		DoubleTake  float64  `json:"double_take"`
		DoublePass  float64  `json:"double_pass"`
		Cubeless    float64  `json:"cubeless_equity"`
		ErrorCube   *float64 `json:"error_cube"`
	}
)

const tolerance = 2e-6 // of numbers written with six decimals

func TestVectorsAreReadAsExpected(t *testing.T) {
	for _, name := range []string{"match3.xg", "money.xg", "names.xg", "position.xgp"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("testdata/" + name)
			require.NoError(t, err)
			base, _, _ := strings.Cut(name, ".")
			text, err := os.ReadFile("testdata/" + base + ".expect.json")
			require.NoError(t, err)
			var want expected
			require.NoError(t, json.Unmarshal(text, &want))
			m, err := xg.Read(bytes.NewReader(data))
			require.NoError(t, err)
			assert.Empty(t, m.Warnings)
			assert.Equal(t, want.Players, m.Players)
			assert.Equal(t, want.Event, m.Tag("Event"))
			assert.Equal(t, want.Location, m.Tag("Site"))
			assert.Equal(t, want.Round, m.Tag("Round"))
			assert.Equal(t, want.Transcriber, m.Tag("Transcriber"))
			assert.Equal(t, want.Date, m.Tag("EventDate")+"T"+m.Tag("EventTime"))
			assert.Equal(t, want.Money, m.Money())
			assert.Equal(t, want.MatchLength, m.Length)
			assert.Equal(t, want.Jacoby, m.Rules.Jacoby)
			assert.Equal(t, want.Beaver, m.Rules.Beavers > 0)
			assert.Equal(t, want.FinalScore, m.Score())
			require.Len(t, m.Games, len(want.Games))
			for i := range want.Games {
				checkGame(t, m, m.Games[i], &want.Games[i])
			}
			if p := want.Position; p != nil {
				moments := m.Replay(m.Games[0]).Moments
				s := moments[len(moments)-1].State
				assert.Equal(t, p.PositionID, s.Position.ID())
				assert.Equal(t, bg.Cube{Value: p.Cube, Owner: bg.OnRoll}, s.Cube)
			}
		})
	}
}

func checkGame(t *testing.T, m *record.Match, g *record.Game, want *expectedGame) {
	t.Helper()
	assert.Equal(t, want.Number, g.Number)
	assert.Equal(t, want.Score, g.Score)
	assert.Equal(t, want.Crawford, g.Crawford)
	r := m.Replay(g)
	moments := r.Moments
	for len(moments) > 0 && moments[0].Action.Kind == record.Setup {
		moments = moments[1:]
	}
	require.Len(t, moments, len(want.Actions))
	for i := range want.Actions {
		next := r.Final
		if i+1 < len(moments) {
			next = moments[i+1].State
		}
		checkAction(t, moments[i].Action, &moments[i].State, &next, &want.Actions[i])
	}
	if want.Result == nil {
		assert.Nil(t, g.Outcome)
		return
	}
	require.NotNil(t, g.Outcome)
	assert.Equal(t, want.Result.Winner-1, g.Outcome.Winner)
	assert.Equal(t, want.Result.Points, g.Outcome.Points)
	assert.Equal(t, strings.HasPrefix(want.Result.How, "resign"), g.Outcome.End == record.Resigned)
}

func checkAction(t *testing.T, a *record.Action, s, next *bg.State, want *expectedAction) {
	t.Helper()
	assert.Equal(t, want.Player-1, a.Player)
	assert.Equal(t, want.Comment, a.Comment)
	switch want.Type {
	case "roll":
		assert.Equal(t, bg.Dice(want.Dice), a.Dice)
		if want.Unplayed {
			assert.Equal(t, record.Unplayed, a.Kind)
			return
		}
		require.Equal(t, record.Play, a.Kind)
		assert.Empty(t, a.Illegal)
		assert.Equal(t, stepsOf(want.Steps), a.Move.Steps())
		pos := s.Position.After(a.Move)
		assert.Equal(t, want.PositionID, pos.ID())
	case "double":
		require.Equal(t, record.Double, a.Kind)
		assert.Equal(t, want.Cube, 2*s.Cube.Value)
	case "take", "accept_beaver":
		require.Equal(t, record.Take, a.Kind)
		assert.Equal(t, bg.Opponent, next.Cube.Owner)
	case "pass":
		require.Equal(t, record.Pass, a.Kind)
	case "beaver":
		require.Equal(t, record.Beaver, a.Kind)
		assert.Equal(t, want.Cube, 2*next.Cube.Value)
	case "resign":
		require.Equal(t, record.Resign, a.Kind)
		assert.Equal(t, map[string]bg.Result{"single": 1, "gammon": 2, "backgammon": 3}[want.Kind], a.Amount)
	default:
		t.Fatalf("unknown type %q", want.Type)
	}
	checkAnalysis(t, a, want)
}

func checkAnalysis(t *testing.T, a *record.Action, want *expectedAction) {
	t.Helper()
	cube := want.CubeAnalysis
	if want.Type == "double" {
		cube = want.Analysis
	}
	if cube != nil {
		require.NotNil(t, a.Analysis)
		c := a.Analysis.Cube
		require.NotNil(t, c)
		assert.InDelta(t, cube.NoDouble, c.NoDouble, tolerance)
		assert.InDelta(t, cube.DoubleTake, c.DoubleTake, tolerance)
		assert.InDelta(t, cube.DoublePass, c.DoublePass, tolerance)
		assert.InDelta(t, cube.Cubeless, c.Cubeless, tolerance)
		if cube.ErrorCube != nil {
			assert.InDelta(t, *cube.ErrorCube, *c.Loss, tolerance)
		}
	}
	if want.Type != "roll" || want.Analysis == nil {
		return
	}
	require.NotNil(t, a.Analysis)
	require.Len(t, a.Analysis.Candidates, len(want.Analysis.Candidates))
	for i, c := range want.Analysis.Candidates {
		got := &a.Analysis.Candidates[i]
		assert.Equal(t, c.PositionID, got.Position.ID())
		assert.Equal(t, len(c.Steps), got.Move.Len())
		assert.InDelta(t, c.Win, got.Probs.Win, tolerance)
		assert.InDelta(t, c.LoseBackgammon, got.Probs.LoseBackgammon, tolerance)
		assert.InDelta(t, c.Equity, got.Equity, tolerance)
		assert.Equal(t, c.Level, got.Ply)
	}
	require.GreaterOrEqual(t, a.Analysis.Played, 0)
	loss := a.Analysis.Candidates[0].Equity - a.Analysis.Candidates[a.Analysis.Played].Equity
	assert.InDelta(t, -*want.Analysis.Error, loss, 2*tolerance)
	assert.InDelta(t, *want.Analysis.Luck, *a.Analysis.Luck, tolerance)
}

func stepsOf(list [][3]any) []bg.Step {
	steps := []bg.Step{}
	for _, s := range list {
		steps = append(steps, bg.Step{From: uint8(s[0].(float64)), To: uint8(s[1].(float64)), Hit: s[2].(bool)})
	}
	return steps
}

func TestDamagedFilesAreErrors(t *testing.T) {
	data, err := os.ReadFile("testdata/match3.xg")
	require.NoError(t, err)
	for _, n := range []int{0, 3, 8231, 8232, 9000, len(data) - 1} {
		_, err := xg.Read(bytes.NewReader(data[:n]))
		assert.Error(t, err, "cut at %d", n)
	}
	for _, at := range []int{len(data) - 30, len(data) - 100, len(data) - 3000} {
		broken := bytes.Clone(data)
		broken[at] ^= 0x55
		_, err := xg.Read(bytes.NewReader(broken))
		assert.Error(t, err, "flipped at %d", at)
	}
	for _, count := range []uint32{0xffffffff, 0x7fffffff} {
		broken := bytes.Clone(data)
		binary.LittleEndian.PutUint32(broken[len(data)-32:], count)
		_, err := xg.Read(bytes.NewReader(broken))
		assert.ErrorIs(t, err, xg.ErrDamaged)
	}
	_, err = xg.Read(strings.NewReader("GIF89a"))
	assert.ErrorIs(t, err, xg.ErrNotXG)
}

// records returns temp.xg of a vector.
func records(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	files, err := xg.Unpack(data)
	require.NoError(t, err)
	return files["temp.xg"]
}

// pack returns an .xg file whose temp.xg has the given records.
func pack(t testing.TB, records []byte) []byte {
	t.Helper()
	deflate := func(content []byte) []byte {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		_, err := w.Write(content)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return b.Bytes()
	}
	content := deflate(records)
	entry := make([]byte, 532)
	entry[0] = byte(copy(entry[1:], "temp.xg"))
	binary.LittleEndian.PutUint32(entry[512:], uint32(len(records)))
	binary.LittleEndian.PutUint32(entry[516:], uint32(len(content)))
	binary.LittleEndian.PutUint32(entry[524:], crc32.ChecksumIEEE(records))
	registry := deflate(entry)
	file := make([]byte, 8232)
	copy(file, "RGMH")
	body := append(content, registry...)
	trailer := make([]byte, 36)
	for i, v := range []int{int(crc32.ChecksumIEEE(body)), 1, 1, len(registry), len(content), 1} {
		binary.LittleEndian.PutUint32(trailer[4*i:], uint32(v))
	}
	return append(append(file, body...), trailer...)
}

func TestOddRecordsBecomeWarnings(t *testing.T) {
	const size = 2560
	// Record 3 of match3.xg is the first play; its fields are in the description of the format.
	tests := []struct {
		name   string
		change func(data []byte) []byte
		want   string
	}{
		{"nothing", func(d []byte) []byte { return d }, ""},
		{"last record missing", func(d []byte) []byte { return d[:len(d)-size] }, ""},
		{"unknown kind", func(d []byte) []byte { d[2*size+8] = 9; return d }, "kind 9"},
		{"from beyond the bar", func(d []byte) []byte { binary.LittleEndian.PutUint32(d[3*size+68:], 100); return d }, ""},
		{"from -100", func(d []byte) []byte { binary.LittleEndian.PutUint32(d[3*size+68:], 0xffffff9c); return d }, ""},
		{"too many candidates", func(d []byte) []byte { binary.LittleEndian.PutUint32(d[3*size+124+64:], 33); return d }, ""},
		{"less than no candidates", func(d []byte) []byte { binary.LittleEndian.PutUint32(d[3*size+124+64:], 0xfffffffb); return d }, ""},
		{"another position after", func(d []byte) []byte { d[3*size+35+8]++; d[3*size+35+13]--; return d }, "illegal play"},
		{"impossible position after", func(d []byte) []byte { d[3*size+35+8] = 15; return d }, "not read"},
		{"newer version", func(d []byte) []byte { binary.LittleEndian.PutUint32(d[552:], 99); return d }, "newer"},
		{"dice", func(d []byte) []byte { d[3*size+100] = 7; return d }, "dice"},
		{"half a record more", func(d []byte) []byte { return append(d, 1, 2, 3) }, "3 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := tt.change(bytes.Clone(records(t, "match3.xg")))
			m, err := xg.Read(bytes.NewReader(pack(t, data)))
			require.NoError(t, err)
			var all []string
			for _, w := range m.Warnings {
				if !strings.Contains(w.Text, "there is no comment") && !strings.Contains(w.Text, "there is no rollout") {
					all = append(all, w.Text)
				}
			}
			if tt.want == "" {
				assert.Empty(t, all)
				return
			}
			assert.Contains(t, strings.Join(all, "\n"), tt.want)
		})
	}
}

func TestOldVersionsHaveShortTexts(t *testing.T) {
	data := bytes.Clone(records(t, "names.xg"))
	binary.LittleEndian.PutUint32(data[552:], 7)
	m, err := xg.Read(bytes.NewReader(pack(t, data)))
	require.NoError(t, err)
	assert.NotContains(t, m.Players[1], "北")
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"position.xgp", "money.xg"} {
		data := records(f, name)
		f.Add(data[:min(len(data), 5*2560)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := xg.Read(bytes.NewReader(pack(t, data)))
		if err != nil {
			return
		}
		for _, g := range m.Games {
			m.Replay(g)
		}
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add(pack(f, []byte("abc")))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := xg.Unpack(data)
		if err == nil && !bytes.HasPrefix(data, []byte("RGMH")) {
			t.Fatal(errors.New("no header"))
		}
	})
}

func TestCommentsLoseTheirMarkup(t *testing.T) {
	text := `{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0 Arial;}}{\*\generator x;}\pard\fs20 caf\'e9 \u1082?\u1086? \{x\}\\ {\b bold}\par two\line three\tab x}` + "\r\nplain \x93text\x94\r\n"
	assert.Equal(t, []string{"café ко {x}\\ bold\ntwo\nthree\tx", "plain “text”", ""}, xg.Comments([]byte(text)))
}

func FuzzComments(f *testing.F) {
	f.Add([]byte(`{\rtf1 a\'e9\u-3913?\uc2 b{\pict abc}\par}`))
	f.Fuzz(func(_ *testing.T, data []byte) { xg.Comments(data) })
}
