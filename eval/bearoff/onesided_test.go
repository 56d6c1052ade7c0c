package bearoff

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
)

// rounding bounds the error of a probability: tails are rounded to 2^-24, before and while
// they are mixed, and a probability is the difference of two of them.
const rounding = 2e-7

func readLines[T any](t testing.TB, name string) []T {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	var all []T
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var v T
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		all = append(all, v)
	}
	require.NoError(t, lines.Err())
	return all
}

type onesidedVector struct {
	Points     []uint8
	Checkers   int
	GnubgIndex uint32    `json:"gnubg_index"`
	ExactRolls []float64 `json:"exact_rolls"`
	ExactMean  float64   `json:"exact_mean"`
	FirstOff   []float64 `json:"gnubg_first_off"`
}

// side returns 15 checkers of which those on the given points are in play.
func side(points ...uint8) (s bg.Side) {
	s[bg.Off] = 15
	for p, c := range points {
		s[p+1] = c
		s[bg.Off] -= c
	}
	return s
}

func TestDefaultEqualsTheExactRecursion(t *testing.T) {
	o := Default()
	for _, v := range readLines[onesidedVector](t, "testdata/onesided.jsonl") {
		s := side(v.Points...)
		i, ok := o.index(&s)
		require.True(t, ok)
		assert.Equal(t, v.GnubgIndex, i)
		assertSame(t, v.ExactRolls, o.Rolls(nil, &s), rounding, v.Points)
		assert.InDelta(t, v.ExactMean, o.Mean(&s), 10*rounding, "%v", v.Points)
		if v.Checkers == 15 {
			const gnubgRounding = 8e-5 // it ends its list at 0.0001 and stores 16 bits
			assertSame(t, v.FirstOff, o.FirstOff(nil, &s), gnubgRounding, v.Points)
		}
	}
}

func assertSame(t *testing.T, want, got []float64, delta float64, name any) {
	t.Helper()
	for k := range max(len(want), len(got)) {
		assert.InDelta(t, at(want, k), at(got, k), delta, "%v after %d rolls", name, k)
	}
}

func at(v []float64, k int) float64 {
	if k < len(v) {
		return v[k]
	}
	return 0
}

func TestEmbeddedTableIsWhatTheBuilderMakes(t *testing.T) {
	var file bytes.Buffer
	n, err := NewOneSided(6).WriteTo(&file)
	require.NoError(t, err)
	assert.Equal(t, int64(file.Len()), n)
	assert.True(t, bytes.Equal(defaultFile, file.Bytes()), "run go generate")
}

func TestOneSidedEqualsASlowRecursionOverLegalMoves(t *testing.T) {
	for _, size := range [][2]int{{6, 5}, {9, 3}, {12, 2}} {
		o, err := BuildOneSided(context.Background(), size[0], size[1], 0, nil)
		require.NoError(t, err)
		slow := racer{}
		rng := rand.New(rand.NewPCG(8, uint64(size[0])))
		for range 100 {
			s := randomPosition(rng, size[0], size[1]).OnRoll
			assert.InDelta(t, slow.mean(s), o.Mean(&s), 10*rounding, "%v", s)
		}
	}
}

func TestOneSidedDoesNotDependOnThreads(t *testing.T) {
	want, err := BuildOneSided(context.Background(), 7, 8, 1, nil)
	require.NoError(t, err)
	for _, threads := range []int{2, 3, 7} {
		got, err := BuildOneSided(context.Background(), 7, 8, threads, nil)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

func TestLargerTableAgreesWithTheDefault(t *testing.T) {
	large, err := BuildOneSided(context.Background(), 8, 6, 0, nil)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		pos := randomPosition(rng, 6, 6)
		want, got := Default().Probs(&pos), large.Probs(&pos)
		assert.InDelta(t, want.Win, got.Win, rounding, "%v", pos)
		assert.Equal(t, want.WinGammon, got.WinGammon)
	}
}

func TestIndexIsAPerfectHash(t *testing.T) {
	x := newIndexer(8, 5)
	var counts [maxPoints + 1]uint8
	for i := range uint32(x.size) {
		x.counts(&counts, i)
		got, ok := x.index((*bg.Side)(append(counts[:], make([]uint8, 13)...)))
		require.True(t, ok)
		require.Equal(t, i, got)
	}
}

func randomPosition(rng *rand.Rand, points, checkers int) bg.Position {
	random := func() (s bg.Side) {
		n := 1 + rng.IntN(checkers)
		for range n {
			s[1+rng.IntN(points)]++
		}
		s[bg.Off] = uint8(15 - n)
		return s
	}
	return bg.Position{OnRoll: random(), Opponent: random()}
}

// convolve is the obvious way to the chance that a, who rolls first, needs no more rolls than b
// less the given head start.
func convolve(a, b []float64, headStart int) float64 {
	sum := 0.0
	for i, p := range a {
		for j, q := range b {
			if i <= j-headStart {
				sum += p * q
			}
		}
	}
	return sum
}

func TestProbsAreTheConvolutionOfBothSides(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	o := Default()
	for range 3000 {
		pos := randomPosition(rng, 1+rng.IntN(6), 15)
		p := o.Probs(&pos)
		mine, theirs := o.Rolls(nil, &pos.OnRoll), o.Rolls(nil, &pos.Opponent)
		assert.InDelta(t, convolve(mine, theirs, 0), p.Win, rounding, "%v", pos)
		gammon, lost := 0.0, 0.0
		if pos.Opponent[bg.Off] == 0 {
			gammon = convolve(mine, o.FirstOff(nil, &pos.Opponent), 0)
		}
		if pos.OnRoll[bg.Off] == 0 {
			lost = convolve(theirs, o.FirstOff(nil, &pos.OnRoll), 1)
		}
		assert.InDelta(t, gammon, p.WinGammon, rounding, "%v", pos)
		assert.InDelta(t, lost, p.LoseGammon, rounding, "%v", pos)
		assert.LessOrEqual(t, p.WinGammon, p.Win)
		assert.LessOrEqual(t, p.Win+p.LoseGammon, float32(1))
		assert.Zero(t, p.WinBackgammon+p.LoseBackgammon)
	}
}

func TestBothSidesOnRollWinTogetherOnceAndTheTies(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	o := Default()
	for range 3000 {
		pos := randomPosition(rng, 6, 15)
		flipped := pos.Flip()
		mine, theirs := o.Rolls(nil, &pos.OnRoll), o.Rolls(nil, &pos.Opponent)
		ties := 0.0
		for k := range min(len(mine), len(theirs)) {
			ties += mine[k] * theirs[k]
		}
		assert.InDelta(t, 1+ties, o.Probs(&pos).Win+o.Probs(&flipped).Win, 2*rounding, "%v", pos)
	}
}

func TestGammonsAreCountedOnlyWithNoCheckerOff(t *testing.T) {
	tests := []struct {
		name             string
		onRoll, opponent bg.Side
		want             bg.Probs
	}{
		{"one checker against fifteen", side(1), side(0, 0, 0, 0, 0, 15), bg.Probs{Win: 1, WinGammon: 1}},
		{"one checker against fourteen", side(1), side(0, 0, 0, 0, 0, 14), bg.Probs{Win: 1}},
		{"fifteen checkers on the six point get one roll", side(0, 0, 0, 0, 0, 15), side(1), bg.Probs{LoseGammon: 19. / 36}},
		{"fifteen checkers on the ace point get one off", side(15), side(1), bg.Probs{}},
		{"three checkers to go against fifteen", side(3), side(0, 0, 0, 0, 0, 15), bg.Probs{Win: 1, WinGammon: 1./6 + 5./6*19/36}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Default().Probs(&bg.Position{OnRoll: tt.onRoll, Opponent: tt.opponent})
			got := []float32{p.Win, p.WinGammon, p.WinBackgammon, p.LoseGammon, p.LoseBackgammon}
			want := []float32{tt.want.Win, tt.want.WinGammon, tt.want.WinBackgammon, tt.want.LoseGammon, tt.want.LoseBackgammon}
			assert.InDeltaSlice(t, want, got, rounding)
		})
	}
}

func TestCoversOnlyRacesWithinItsPoints(t *testing.T) {
	six := Default()
	eight, err := BuildOneSided(context.Background(), 8, 2, 0, nil)
	require.NoError(t, err)
	far, out := side(0, 0, 0, 0, 0, 0, 0, 1), side(2)
	out[bg.Bar] = 1
	tests := []struct {
		name       string
		pos        bg.Position
		six, eight bool
	}{
		{"both at home", bg.Position{OnRoll: side(1), Opponent: side(0, 2)}, true, true},
		{"on the eight point", bg.Position{OnRoll: far, Opponent: side(1)}, false, true},
		{"opponent on the eight point", bg.Position{OnRoll: side(1), Opponent: far}, false, true},
		{"on the bar", bg.Position{OnRoll: side(1), Opponent: out}, false, false},
		{"over", bg.Position{OnRoll: side(), Opponent: side(1)}, false, false},
		{"start", bg.Start(), false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.six, six.Covers(&tt.pos))
			assert.Equal(t, tt.eight, eight.Covers(&tt.pos))
		})
	}
}

func TestProbabilitiesSumToOne(t *testing.T) {
	o := Default()
	var s bg.Side
	var counts [maxPoints + 1]uint8
	for i := range uint32(o.size) {
		o.counts(&counts, i)
		copy(s[:], counts[:])
		for _, d := range [][]float64{o.Rolls(nil, &s), o.FirstOff(nil, &s)} {
			sum := 0.0
			for _, p := range d {
				if p < 0 {
					require.GreaterOrEqual(t, p, 0.0, "%v", counts)
				}
				sum += p
			}
			if sum != 1 { // sums of multiples of 2^-24 are exact
				require.Equal(t, 1.0, sum, "%v", counts)
			}
		}
	}
}

// Moving a checker closer is another matter: checkers on 6, 2 and 1 need fewer rolls than those
// on 6, 1 and 1, for the former bear off two with 21.
func TestACheckerMoreIsNeverFaster(t *testing.T) {
	o := Default()
	m := mover{x: &o.indexer}
	for i := uint32(1); i < uint32(o.size); i++ {
		m.set(i)
		var s bg.Side
		copy(s[:], m.counts[:])
		mean := o.Mean(&s)
		for p := 1; p <= 6; p++ {
			if s[p] > 0 {
				s[p]--
				if fewer := o.Mean(&s); fewer > mean+10*rounding {
					require.Failf(t, "slower without a checker", "%v less one on %d: %v, %v", m.counts, p, fewer, mean)
				}
				s[p]++
			}
		}
	}
}

func TestRollsOfAnEmptySideAreZero(t *testing.T) {
	s := side()
	assert.Equal(t, []float64{1}, Default().Rolls(nil, &s))
	assert.Zero(t, Default().Mean(&s))
}

func TestBuildOneSidedStopsWhenCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := BuildOneSided(ctx, 9, 15, 1, func(done float64) {
		if done > 0.001 {
			cancel()
		}
	})
	assert.ErrorIs(t, err, context.Canceled)
}

func TestBuildOneSidedRefusesOtherSizes(t *testing.T) {
	for _, size := range [][2]int{{0, 15}, {13, 15}, {6, 0}, {6, 16}} {
		_, err := BuildOneSided(context.Background(), size[0], size[1], 1, nil)
		assert.Error(t, err, "%v", size)
	}
}

func TestProbsDoNotAllocate(t *testing.T) {
	pos := bg.Position{OnRoll: side(2, 2, 3, 2, 2, 2), Opponent: side(3, 2, 3, 3, 2, 2)}
	o := Default()
	assert.Zero(t, testing.AllocsPerRun(100, func() { o.Probs(&pos) }))
}

func ExampleOneSided_Probs() {
	var pos bg.Position
	pos.OnRoll[1], pos.OnRoll[bg.Off] = 6, 9
	pos.Opponent[1], pos.Opponent[bg.Off] = 6, 9
	p := Default().Probs(&pos)
	fmt.Printf("%.4f\n", p.Win)
	// Output: 0.7878
}

func BenchmarkOneSidedProbs(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	positions := make([]bg.Position, 4096)
	for i := range positions {
		positions[i] = randomPosition(rng, 6, 15)
	}
	o := Default()
	i := 0
	for b.Loop() {
		o.Lookup(&positions[i&4095])
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}

func BenchmarkOneSidedUnpack(b *testing.B) {
	for b.Loop() {
		if _, err := decodeOneSided(defaultFile); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOneSidedBuild(b *testing.B) {
	for b.Loop() {
		NewOneSided(6)
	}
}
