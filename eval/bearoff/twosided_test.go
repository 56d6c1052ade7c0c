package bearoff

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
)

var defaultTwoSided = sync.OnceValue(func() *TwoSided {
	t, err := BuildTwoSided(context.Background(), DefaultPoints, DefaultCheckers, 0, nil)
	if err != nil {
		panic(err)
	}
	return t
})

func build(t *testing.T, points, checkers int) *TwoSided {
	t.Helper()
	table, err := BuildTwoSided(context.Background(), points, checkers, 0, nil)
	require.NoError(t, err)
	return table
}

func assertEquities(t *testing.T, want, got Equities, delta float64, name any) {
	t.Helper()
	assert.InDelta(t, float64(want.Cubeless), float64(got.Cubeless), delta, "cubeless of %v", name)
	assert.InDelta(t, float64(want.Owned), float64(got.Owned), delta, "owned of %v", name)
	assert.InDelta(t, float64(want.Centered), float64(got.Centered), delta, "centered of %v", name)
	assert.InDelta(t, float64(want.Opponent), float64(got.Opponent), delta, "opponent of %v", name)
}

type twosidedVector struct {
	PositionID   string `json:"position_id"`
	Board        [26]int
	Index        [2]uint32 `json:"gnubg_index"`
	Win          float64   `json:"gnubg_win"`
	Gnubg, Exact Equities
}

func TestTwoSidedEqualsTheExactRecursion(t *testing.T) {
	const exactRounding, gnubgRounding = 5e-9, 1.3e-4
	table := defaultTwoSided()
	for _, v := range readLines[twosidedVector](t, "testdata/twosided.jsonl") {
		pos, err := bg.FromBoard(v.Board, 15)
		require.NoError(t, err)
		eq, ok := table.Lookup(&pos)
		require.True(t, ok)
		assertEquities(t, v.Exact, eq, exactRounding, v.PositionID)
		assertEquities(t, v.Gnubg, eq, gnubgRounding, v.PositionID)
		assert.InDelta(t, v.Win, eq.Win(), gnubgRounding, v.PositionID)
		i, _ := table.index(&pos.OnRoll)
		j, _ := table.index(&pos.Opponent)
		assert.Equal(t, [2]uint32{i, j}, v.Index)
	}
}

// The fractions are from the literature: see the README of testdata.
func TestTwoSidedEqualsKnownFractions(t *testing.T) {
	const rounding = 1e-8
	six, ten := defaultTwoSided(), build(t, 1, 10)
	tests := []struct {
		name             string
		table            *TwoSided
		onRoll, opponent bg.Side
		win              float64
		noDouble, double float64
		owner            bg.Owner
	}{
		{"Jacoby paradox", six, side(0, 1, 0, 0, 1), side(1, 0, 0, 1), 1805. / 2916, 155. / 648, 1. / 9, bg.OnRoll},
		{"smallest take", six, side(0, 0, 0, 0, 0, 1), side(0, 0, 0, 0, 0, 1), 13. / 16, 1. / 2, 1, bg.Centered},
		{"three rolls", six, side(6), side(6), 1021. / 1296, 83. / 108, 373. / 324, bg.Centered},
		{"five rolls, centered", ten, side(10), side(10), 1205041. / 1679616, 295729. / 419904, 305233. / 419904, bg.Centered},
		{"five rolls, owned", ten, side(10), side(10), 1205041. / 1679616, 158177. / 209952, 305233. / 419904, bg.OnRoll},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pos := bg.Position{OnRoll: tt.onRoll, Opponent: tt.opponent}
			eq, ok := tt.table.Lookup(&pos)
			require.True(t, ok)
			assert.InDelta(t, tt.win, eq.Win(), rounding)
			noDouble := eq.Centered
			if tt.owner == bg.OnRoll {
				noDouble = eq.Owned
			}
			assert.InDelta(t, tt.noDouble, float64(noDouble), rounding)
			assert.InDelta(t, tt.double, float64(eq.DoubleTake()), rounding)
			assert.InDelta(t, max(tt.noDouble, min(tt.double, 1)), float64(eq.Best(tt.owner)), rounding)
			assert.Equal(t, eq.Opponent, eq.Best(bg.Opponent))
		})
	}
}

func TestTwoSidedEqualsASlowRecursionOverLegalMoves(t *testing.T) {
	for _, size := range [][2]int{{2, 5}, {7, 2}, {9, 1}} {
		points, checkers := size[0], size[1]
		table := build(t, points, checkers)
		slow := oracle{}
		rng := rand.New(rand.NewPCG(4, uint64(points)))
		for range 40 {
			pos := randomPosition(rng, points, checkers)
			got, ok := table.Lookup(&pos)
			require.True(t, ok)
			assertEquities(t, slow.equities(pos), got, 1e-8, pos)
		}
	}
}

func TestTwoSidedIsTheSameForAnyNumberOfThreads(t *testing.T) {
	want := build(t, 4, 5)
	for _, threads := range []int{1, 3} {
		got, err := BuildTwoSided(context.Background(), 4, 5, threads, nil)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want.cells, got.cells))
	}
}

func TestSmallerTableIsTheBeginningOfALargerOne(t *testing.T) {
	small, large := build(t, 4, 3), build(t, 4, 5)
	assert.True(t, bytes.HasPrefix(large.cells, small.cells))
}

func TestEquitiesAreOrderedByWhoMayDouble(t *testing.T) {
	table := defaultTwoSided()
	rng := rand.New(rand.NewPCG(5, 5))
	for range 20000 {
		pos := randomPosition(rng, 6, 6)
		eq, ok := table.Lookup(&pos)
		require.True(t, ok)
		require.LessOrEqual(t, eq.Opponent, eq.Cubeless, "%v", pos)
		require.LessOrEqual(t, eq.Cubeless, eq.Owned, "%v", pos)
		require.LessOrEqual(t, eq.Centered, eq.Best(bg.OnRoll), "%v", pos)
		require.LessOrEqual(t, eq.Opponent, eq.Best(bg.Centered), "%v", pos)
		for _, e := range []bg.Equity{eq.Cubeless, eq.Owned, eq.Centered, eq.Opponent} {
			require.LessOrEqual(t, max(e, -e), bg.Equity(1), "%v", pos)
		}
	}
}

// Playing for the smallest number of rolls is nearly always best for winning too.
func TestOneSidedIsCloseToTwoSided(t *testing.T) {
	two, one := defaultTwoSided(), Default()
	rng := rand.New(rand.NewPCG(6, 6))
	worst, sum := 0.0, 0.0
	const n = 20000
	for range n {
		pos := randomPosition(rng, 6, 6)
		eq, _ := two.Lookup(&pos)
		p := one.Probs(&pos)
		diff := abs(eq.Win() - float64(p.Win))
		worst, sum = max(worst, diff), sum+diff
	}
	t.Logf("one-sided against exact winning chances: mean %.6f, largest %.4f", sum/n, worst)
	assert.Less(t, sum/n, 1e-3)
	assert.Less(t, worst, 0.03)
}

func abs(x float64) float64 { return max(x, -x) }

func TestTwoSidedCoversOnlySidesWithACheckerOff(t *testing.T) {
	table := build(t, 4, 3)
	fifteen := side(2)
	fifteen[bg.Off] = 0 // as if the game had begun with two checkers
	tests := []struct {
		name string
		pos  bg.Position
		want bool
	}{
		{"in the table", bg.Position{OnRoll: side(1, 2), Opponent: side(0, 0, 0, 3)}, true},
		{"too many checkers", bg.Position{OnRoll: side(1, 3), Opponent: side(1)}, false},
		{"too far", bg.Position{OnRoll: side(1), Opponent: side(0, 0, 0, 0, 1)}, false},
		{"over", bg.Position{OnRoll: side(), Opponent: side(1)}, false},
		{"a gammon is possible", bg.Position{OnRoll: fifteen, Opponent: side(1)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, ok := table.Lookup(&tt.pos)
			assert.Equal(t, tt.want, ok)
		})
	}
}

func TestLookupDoesNotAllocate(t *testing.T) {
	table := build(t, 3, 3)
	pos := bg.Position{OnRoll: side(1, 1, 1), Opponent: side(2)}
	assert.Zero(t, testing.AllocsPerRun(100, func() { table.Lookup(&pos) }))
}

func TestBuildTwoSidedRefusesOtherSizes(t *testing.T) {
	for _, size := range [][2]int{{0, 6}, {13, 3}, {6, 0}, {6, 15}, {12, 14}} {
		_, err := BuildTwoSided(context.Background(), size[0], size[1], 1, nil)
		require.Error(t, err, "%v", size)
		_, err = EstimateTwoSided(size[0], size[1], 1)
		require.Error(t, err, "%v", size)
	}
}

func TestEstimateKnowsTheFileSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	require.NoError(t, BuildTwoSidedFile(context.Background(), path, 4, 4, 0, nil))
	info, err := os.Stat(path)
	require.NoError(t, err)
	e, err := EstimateTwoSided(4, 4, 0)
	require.NoError(t, err)
	assert.Equal(t, info.Size(), e.FileSize)
	assert.Equal(t, 70, e.Positions)

	one, err := EstimateOneSided(6, 15, 1)
	require.NoError(t, err)
	assert.Equal(t, Default().Positions(), one.Positions)
	assert.InEpsilon(t, len(defaultFile), one.FileSize, 1)
}

func TestStoppedBuildGoesOnWhereItWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	want := build(t, 4, 6)

	ctx, cancel := context.WithCancel(context.Background())
	b, err := newTwoSidedBuilder(4, 6, 1)
	require.NoError(t, err)
	f, err := b.openPartial(path + ".partial")
	require.NoError(t, err)
	err = b.run(ctx, nil, func(shell []byte) error {
		if b.done == 200 {
			cancel()
		}
		return f.append(shell)
	})
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, f.checkpoint(b.done))
	_, err = f.file.WriteAt([]byte("half a shell"), twosidedHeader+f.header.bytes())
	require.NoError(t, err)
	require.NoError(t, f.file.Close())

	_, err = OpenTwoSided(path + ".partial")
	require.ErrorIs(t, err, ErrIncomplete)
	again, err := newTwoSidedBuilder(4, 6, 2)
	require.NoError(t, err)
	f, err = again.openPartial(path + ".partial")
	require.NoError(t, err)
	assert.Equal(t, 201, again.done)
	require.NoError(t, f.file.Close())

	require.NoError(t, BuildTwoSidedFile(context.Background(), path, 4, 6, 0, nil))
	got, err := OpenTwoSided(path)
	require.NoError(t, err)
	require.NoError(t, got.Verify())
	assert.True(t, bytes.Equal(want.cells, got.cells))
	require.NoError(t, got.Close())
	assert.NoFileExists(t, path+".partial")
}

func TestCanceledBuildLeavesOnlyAPartialFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, BuildTwoSidedFile(ctx, path, 4, 4, 0, nil), context.Canceled)
	assert.NoFileExists(t, path)
	assert.FileExists(t, path+".partial")
}

func TestDamagedPartialFileIsNotUsed(t *testing.T) {
	want := build(t, 4, 4)
	var file bytes.Buffer
	_, err := want.WriteTo(&file)
	require.NoError(t, err)
	damaged := bytes.Clone(file.Bytes())
	damaged[len(damaged)/2] ^= 1
	for name, data := range map[string][]byte{
		"damaged": damaged, "cut off": file.Bytes()[:1000], "text": []byte("table"), "empty": {},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "table")
			require.NoError(t, os.WriteFile(path+".partial", data, 0o644))
			require.NoError(t, BuildTwoSidedFile(context.Background(), path, 4, 4, 0, nil))
			got, err := OpenTwoSided(path)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(want.cells, got.cells))
			require.NoError(t, got.Close())
		})
	}
}

func TestDefaultTwoSidedIsBuiltOnceAndRepaired(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kotra")
	want := build(t, 4, 4)
	use := func() string {
		table, err := twosidedIn(context.Background(), dir, 4, 4)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want.cells, table.cells))
		require.NoError(t, table.Close())
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		require.NoError(t, err)
		require.Len(t, files, 1)
		return files[0]
	}
	path := use()
	built, err := os.Stat(path)
	require.NoError(t, err)
	use()
	again, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, built.ModTime(), again.ModTime())

	data, err := os.ReadFile(path)
	require.NoError(t, err)
	data[5000] ^= 1
	require.NoError(t, os.WriteFile(path, data, 0o644))
	use()
}

func TestDefaultTwoSidedWorksWithoutAPlaceForItsFile(t *testing.T) {
	notAFolder := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(notAFolder, nil, 0o644))
	table, err := twosidedIn(context.Background(), notAFolder, 4, 4)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(build(t, 4, 4).cells, table.cells))
	require.NoError(t, table.Close())
}

func TestDefaultTwoSidedIsInTheUsersCacheFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, dir)
	}
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	require.NoError(t, save(filepath.Join(cache, "kotra", "twosided-6x6-v1.kts"), defaultTwoSided()))
	table, err := TwoSidedDefault(context.Background(), "")
	require.NoError(t, err)
	assert.NotNil(t, table.release, "the file is used")
	assert.Equal(t, 924, table.Positions())
	require.NoError(t, table.Close())
}

func TestReadersSayWhatIsWrong(t *testing.T) {
	var one, two bytes.Buffer
	small, err := BuildOneSided(context.Background(), 3, 3, 1, nil)
	require.NoError(t, err)
	_, err = small.WriteTo(&one)
	require.NoError(t, err)
	_, err = build(t, 3, 3).WriteTo(&two)
	require.NoError(t, err)
	changed := func(data []byte, at int) []byte {
		data = bytes.Clone(data)
		data[at] ^= 0x40
		return data
	}
	readOne := func(data []byte) error { _, err := ReadOneSided(bytes.NewReader(data)); return err }
	readTwo := func(data []byte) error { _, err := DecodeTwoSided(data); return err }
	tests := []struct {
		name string
		read func([]byte) error
		data []byte
		want error
	}{
		{"one-sided", readOne, one.Bytes(), nil},
		{"one-sided, empty", readOne, nil, ErrFormat},
		{"one-sided, cut off", readOne, one.Bytes()[:one.Len()-1], ErrFormat},
		{"one-sided, too long", readOne, append(bytes.Clone(one.Bytes()), 0), ErrFormat},
		{"one-sided, other magic", readOne, changed(one.Bytes(), 0), ErrFormat},
		{"one-sided, other version", readOne, changed(one.Bytes(), 8), ErrVersion},
		{"one-sided, other points", readOne, changed(one.Bytes(), 10), ErrFormat},
		{"one-sided, damaged", readOne, changed(one.Bytes(), one.Len()-1), ErrChecksum},
		{"two-sided", readTwo, two.Bytes(), nil},
		{"two-sided, empty", readTwo, nil, ErrFormat},
		{"two-sided, cut off", readTwo, two.Bytes()[:two.Len()-1], ErrFormat},
		{"two-sided, too long", readTwo, append(bytes.Clone(two.Bytes()), 0), ErrFormat},
		{"two-sided, other magic", readTwo, changed(two.Bytes(), 0), ErrFormat},
		{"two-sided, other version", readTwo, changed(two.Bytes(), 8), ErrVersion},
		{"two-sided, damaged header", readTwo, changed(two.Bytes(), 12), ErrChecksum},
		{"two-sided, reserved bytes", readTwo, changed(two.Bytes(), 24), ErrFormat},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.ErrorIs(t, tt.read(tt.data), tt.want)
		})
	}
	damaged, err := DecodeTwoSided(changed(two.Bytes(), two.Len()-1))
	require.NoError(t, err)
	assert.ErrorIs(t, damaged.Verify(), ErrChecksum)
	_, err = OpenTwoSided(filepath.Join(t.TempDir(), "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestReadOneSidedReturnsWhatWasWritten(t *testing.T) {
	want, err := BuildOneSided(context.Background(), 8, 4, 0, nil)
	require.NoError(t, err)
	var file bytes.Buffer
	_, err = want.WriteTo(&file)
	require.NoError(t, err)
	got, err := ReadOneSided(&file)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func FuzzReadOneSided(f *testing.F) {
	small, err := BuildOneSided(context.Background(), 2, 2, 1, nil)
	require.NoError(f, err)
	var file bytes.Buffer
	_, err = small.WriteTo(&file)
	require.NoError(f, err)
	f.Add(file.Bytes())
	f.Add([]byte(onesidedMagic))
	f.Add([]byte(onesidedMagic + "\x01\x00\x0c\x0f" + strings.Repeat("\xff", 12)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= onesidedHeader { // let it past the checksum
			data = bytes.Clone(data)
			putChecksum(data)
		}
		o, err := ReadOneSided(bytes.NewReader(data))
		if err != nil {
			return
		}
		var again bytes.Buffer
		_, err = o.WriteTo(&again)
		require.NoError(t, err)
		require.Equal(t, data, again.Bytes())
		if o.size > 100 {
			return
		}
		var counts [maxPoints + 1]uint8
		for i := range uint32(o.size) {
			o.counts(&counts, i)
			var s bg.Side
			copy(s[:], counts[:])
			o.Rolls(nil, &s)
			pos := bg.Position{OnRoll: s, Opponent: s}
			o.Lookup(&pos)
		}
	})
}

func FuzzDecodeTwoSided(f *testing.F) {
	small, err := BuildTwoSided(context.Background(), 2, 2, 1, nil)
	require.NoError(f, err)
	var file bytes.Buffer
	_, err = small.WriteTo(&file)
	require.NoError(f, err)
	f.Add(file.Bytes())
	f.Add([]byte(twosidedMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= twosidedHeader {
			data = bytes.Clone(data)
			putHeaderChecksum(data)
		}
		table, err := DecodeTwoSided(data)
		if err != nil {
			return
		}
		for i := range table.Points() {
			var points [maxPoints]uint8
			points[i] = 1
			pos := bg.Position{OnRoll: side(points[:]...), Opponent: side(1)}
			_, ok := table.Lookup(&pos)
			require.True(t, ok)
		}
		var again bytes.Buffer
		_, err = table.WriteTo(&again)
		require.NoError(t, err)
		require.Equal(t, data, again.Bytes())
	})
}

func BenchmarkTwoSidedLookup(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 7))
	positions := make([]bg.Position, 4096)
	for i := range positions {
		positions[i] = randomPosition(rng, 6, 6)
	}
	table := defaultTwoSided()
	i := 0
	for b.Loop() {
		table.Lookup(&positions[i&4095])
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}

func BenchmarkTwoSidedBuild(b *testing.B) {
	for b.Loop() {
		_, err := BuildTwoSided(context.Background(), DefaultPoints, DefaultCheckers, 0, nil)
		require.NoError(b, err)
	}
}

func BenchmarkTwoSidedOpen(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		table, err := TwoSidedDefault(context.Background(), dir)
		require.NoError(b, err)
		require.NoError(b, table.Close())
	}
}
