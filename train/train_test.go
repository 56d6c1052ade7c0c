package train

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/features"
	"kotra/movegen"
	"kotra/nn"
	"kotra/search"
)

var tiny = nn.Shape{Width: 128, Buckets: features.CoarseBuckets}

// countdown is a context that ends after it has been asked a number of times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestTDIsTheSameOnAnyThreadsAndAfterInterruptions(t *testing.T) {
	options := func(threads int) TDOptions {
		return TDOptions{
			Dir: t.TempDir(), Shape: tiny, Seed: 5, Games: 60, Batch: 16, Threads: threads,
			Starts: Starts{BothRandom: 0.2, OneRandom: 0.2},
		}
	}
	want, err := TD(context.Background(), options(1))
	require.NoError(t, err)
	for _, threads := range []int{2, 3} {
		got, err := TD(context.Background(), options(threads))
		require.NoError(t, err)
		assert.Equal(t, want.Checksum(), got.Checksum(), "%d threads", threads)
	}

	o := options(2)
	for range 3 {
		_, err := TD(&countdown{context.Background(), 1}, o)
		require.ErrorIs(t, err, context.Canceled)
	}
	got, err := TD(context.Background(), o)
	require.NoError(t, err)
	assert.Equal(t, want.Checksum(), got.Checksum(), "interrupted")
}

func TestTDTellsHowItDoesAgainstTheCheckpointBefore(t *testing.T) {
	var nets, duels int
	_, err := TD(context.Background(), TDOptions{
		Dir: t.TempDir(), Shape: tiny, Games: 48, Batch: 16, Every: time.Nanosecond,
		Progress: func(p TDProgress) {
			if p.Net != nil {
				nets++
			}
			if p.Duel != nil {
				duels++
				assert.Equal(t, tdDuelPairs, p.Duel.Pairs)
			}
		},
	})
	require.NoError(t, err)
	assert.Equal(t, 3, nets)
	assert.Equal(t, 2, duels)
}

func TestADamagedCheckpointIsReported(t *testing.T) {
	o := TDOptions{Dir: t.TempDir(), Shape: tiny, Games: 4, Batch: 4}
	_, err := TD(context.Background(), o)
	require.NoError(t, err)
	name := filepath.Join(o.Dir, "td.checkpoint")
	all, err := os.ReadFile(name)
	require.NoError(t, err)
	for _, change := range []func([]byte) []byte{
		func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		func(b []byte) []byte { return b[:len(b)/2] },
		func([]byte) []byte { return nil },
	} {
		require.NoError(t, os.WriteFile(name, change(append([]byte(nil), all...)), 0o600))
		_, err = TD(context.Background(), o)
		assert.ErrorIs(t, err, ErrCheckpoint)
	}
}

func labelOptions(dir string, threads int) LabelOptions {
	return LabelOptions{
		Dir: dir, Nets: []*nn.Network{nn.New(tiny, 3), nn.New(tiny, 5)}, Prune: nn.New(tiny, 4), Seed: 9, Games: 7, Shard: 3, Threads: threads,
		Starts: Starts{BothRandom: 0.4, OneRandom: 0.4}, Explore: 0.2, Siblings: 1, Deepen: 4,
	}
}

func TestLabelsAreTheSameOnAnyThreadsAndGoOn(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	require.NoError(t, Label(context.Background(), labelOptions(one, 1)))
	require.NoError(t, Label(context.Background(), labelOptions(two, 3)))
	names, err := Shards(one)
	require.NoError(t, err)
	require.Len(t, names, 3)
	require.NoError(t, os.Remove(filepath.Join(two, filepath.Base(names[1]))))
	require.NoError(t, Label(context.Background(), labelOptions(two, 2)), "the missing shard is made again")
	for _, name := range names {
		a, err := os.ReadFile(name)
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(two, filepath.Base(name)))
		require.NoError(t, err)
		assert.Equal(t, a, b)
	}

	other := labelOptions(one, 1)
	other.Seed++
	assert.Error(t, Label(context.Background(), other), "a folder of another run")
	other = labelOptions(one, 1)
	other.Nets = other.Nets[:1]
	assert.Error(t, Label(context.Background(), other), "a folder of a run with another teacher as well")
}

func TestSiblingsShareWhatTheGameAdds(t *testing.T) {
	p := newPlayer(nil, nn.New(tiny, 3))
	play := func(o LabelOptions) []Record { return p.labelGame(stream(4, 1), &o) }
	near, far := play(LabelOptions{Lambda: 1e-9, Siblings: 2}), play(LabelOptions{Lambda: 0.3, Siblings: 2})
	require.Len(t, far, len(near), "lambda does not decide the moves")
	shared := 0
	for i := 1; i < len(near); i++ {
		require.Equal(t, near[i].Position, far[i].Position)
		added := func(i int) float64 { return float64(far[i].Target.Win - near[i].Target.Win) }
		if added(i) != 0 && math.Abs(added(i)-added(i-1)) < 1e-6 {
			shared++
		}
	}
	assert.Greater(t, shared, len(near)/4)
}

func TestLookingDeeperIsOnAverageASearchOfTwoPlies(t *testing.T) {
	net := nn.New(tiny, 3)
	p := newPlayer(nil, net)
	s := search.New(evaluator(net), search.Options{Cubeless: true})
	rng := stream(4, 2)
	for range 4 {
		pos := p.start(rng, Starts{BothRandom: 1})
		want, err := s.Evaluate(context.Background(), &pos, cube.Info{Cube: bg.Cube{Value: 1}}, 2)
		require.NoError(t, err)
		all, _ := p.lookAhead(&pos, bg.Dice{}, 0, drawShares(rng, 36))
		assertProbs(t, want.Probs, all)

		const outcomes, draws = 9, 4 // there are four different draws
		var mean bg.Probs
		seen := map[shares]bool{}
		for len(seen) < draws {
			drawn := drawShares(rng, outcomes)
			if seen[*drawn] {
				continue
			}
			seen[*drawn] = true
			some, _ := p.lookAhead(&pos, bg.Dice{}, 0, drawn)
			mean.AddScaled(&some, 1./draws)
		}
		assertProbs(t, want.Probs, mean)
	}
}

func assertProbs(t *testing.T, want, got bg.Probs) {
	t.Helper()
	for i, x := range outputs(want) {
		assert.InDelta(t, x, outputs(got)[i], 1e-5, "output %d of %v and %v", i, want, got)
	}
}

func TestOutcomesToLookAtDeeperDivideAll(t *testing.T) {
	o := labelOptions(t.TempDir(), 1)
	o.Deepen = 5
	assert.ErrorContains(t, Label(context.Background(), o), "36")
}

func TestLabelsArePossibleProbabilitiesOfUnfinishedPositions(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Label(context.Background(), labelOptions(dir, 2)))
	names, err := Shards(dir)
	require.NoError(t, err)
	for _, name := range names {
		_, records, err := ReadShard(name)
		require.NoError(t, err)
		require.NotEmpty(t, records)
		for _, r := range records {
			require.NoError(t, r.Position.Validate())
			require.False(t, ended(&r.Position))
			p := r.Target
			eval.Clamp(&r.Position, &p)
			const rounding = 1.0 / 65535
			assert.InDelta(t, p.Win, r.Target.Win, rounding)
			assert.InDelta(t, p.WinGammon, r.Target.WinGammon, rounding)
			assert.InDelta(t, p.LoseBackgammon, r.Target.LoseBackgammon, rounding)
		}
	}
}

func TestRecordsSurviveARoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	p := &player{net: eval.NewNetwork(nn.New(tiny, 1).Quantize())}
	for range 200 {
		r := Record{Position: p.start(rng, Starts{BothRandom: 1})}
		r.Target = bg.Probs{Win: rng.Float32(), WinGammon: rng.Float32(), LoseGammon: 1}
		b := appendRecord(nil, &r)
		require.Len(t, b, recordSize)
		got := decodeRecord(b)
		assert.Equal(t, r.Position, got.Position)
		assert.InDelta(t, r.Target.Win, got.Target.Win, 1.0/65535)
		assert.EqualValues(t, 1, got.Target.LoseGammon)
	}
}

func TestADamagedShardIsReported(t *testing.T) {
	whole := encodeShard(ShardHeader{Games: 1}, make([]byte, 5*recordSize))
	_, _, err := decodeShard(whole)
	require.NoError(t, err)
	for i := range whole {
		bad := append([]byte(nil), whole...)
		bad[i] ^= 0x10
		_, _, err := decodeShard(bad)
		require.Error(t, err, "byte %d", i)
	}
	_, _, err = decodeShard(whole[:20])
	assert.ErrorIs(t, err, ErrShard)
}

func FuzzDecodeShard(f *testing.F) {
	f.Add(encodeShard(ShardHeader{Games: 1}, make([]byte, recordSize)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, raw, err := decodeShard(b); err == nil {
			require.Zero(t, len(raw)%recordSize)
		}
	})
}

func TestFitIsTheSameOnAnyThreadsAndAfterInterruptions(t *testing.T) {
	labels := t.TempDir()
	require.NoError(t, Label(context.Background(), labelOptions(labels, 2)))
	shards, err := Shards(labels)
	require.NoError(t, err)
	options := func(threads int) FitOptions {
		return FitOptions{
			Dir: t.TempDir(), Shards: shards, Shape: tiny, Seed: 2, Samples: 3000, Batch: 100,
			Validation: 10, Threads: threads, Every: time.Hour,
		}
	}
	want, err := Fit(context.Background(), options(1))
	require.NoError(t, err)
	got, err := Fit(context.Background(), options(4))
	require.NoError(t, err)
	assert.Equal(t, want.Checksum(), got.Checksum())

	o := options(2)
	for range 3 {
		_, err := Fit(&countdown{context.Background(), 4}, o)
		require.ErrorIs(t, err, context.Canceled)
	}
	got, err = Fit(context.Background(), o)
	require.NoError(t, err)
	assert.Equal(t, want.Checksum(), got.Checksum(), "interrupted")
}

func TestFitWithoutLabelsSaysSo(t *testing.T) {
	_, err := Fit(context.Background(), FitOptions{Dir: t.TempDir(), Shape: tiny, Samples: 1})
	assert.ErrorIs(t, err, ErrNoLabels)
}

func TestShuffleVisitsEachRecordOnceAnEpoch(t *testing.T) {
	var records [][]byte
	n := 0
	for _, size := range []int{3, 1, 7} {
		raw := make([]byte, size*recordSize)
		for i := range size {
			raw[i*recordSize] = byte(n)
			n++
		}
		records = append(records, raw)
	}
	s := newShuffle(records, 1)
	var epochs []string
	for epoch := range 3 {
		seen := map[byte]int{}
		order := ""
		for i := range n {
			at := int64(epoch*n + i)
			s.prepare(at, 1)
			record, _ := s.at(at)
			b := record[0]
			seen[b]++
			order += string('a' + rune(b))
		}
		assert.Len(t, seen, n)
		epochs = append(epochs, order)
	}
	assert.NotEqual(t, epochs[0], epochs[1])
}

func TestShuffleKeepsTheRecordsOfADecisionTogether(t *testing.T) {
	rng := stream(5, 1)
	var raw []byte
	decision := map[int]int{} // of each record
	for pos, plies := bg.Start(), 0; !ended(&pos); plies++ {
		results := movegen.Results(nil, &pos, roll(rng))
		for i := range results[:min(len(results), 5)] {
			decision[len(raw)/recordSize] = plies
			raw = appendRecord(raw, &Record{Position: results[i]})
		}
		pos = results[rng.IntN(len(results))]
	}
	s := newShuffle([][]byte{raw}, 1)
	assert.Len(t, s.groups, decision[len(decision)-1]+1)
	s.prepare(0, 1)
	first := map[uint32]int64{}
	for i := range s.total {
		_, group := s.at(i)
		if _, ok := first[group]; !ok {
			first[group] = i
		}
		n := int(s.epochs[0].order[i])
		assert.Equal(t, decision[int(s.groups[group])], decision[n])
		assert.EqualValues(t, n-int(s.groups[group]), i-first[group], "in their order, without others between")
	}
}

func TestStartsSendCheckersBack(t *testing.T) {
	p := newPlayer(nil, nn.New(tiny, 3))
	one, off := 0, 0
	most := uint8(0)
	for game := range int64(200) {
		pos := p.start(stream(9, game), Starts{SentBack: 1})
		require.NoError(t, pos.Validate())
		require.False(t, ended(&pos))
		mine, theirs := pos.OnRoll[bg.Bar], pos.Opponent[bg.Bar]
		if (mine == 0) != (theirs == 0) {
			one++
		}
		if pos.OnRoll[bg.Off]+pos.Opponent[bg.Off] > 0 {
			off++
		}
		most = max(most, mine, theirs)
	}
	assert.Greater(t, one, 140, "the other side has some there only by chance")
	assert.GreaterOrEqual(t, most, uint8(5))
	assert.InDelta(t, 100, off, 50)
}

func TestPruningKeepsTheOrderAndTheBest(t *testing.T) {
	p := newPlayer(nn.New(tiny, 1), nn.New(tiny, 1))
	whole := newPlayer(nil, nn.New(tiny, 1))
	rng := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		pos := p.start(rng, Starts{BothRandom: 1})
		d := roll(rng)
		got, _ := p.best(&pos, d)
		want, _ := whole.best(&pos, d)
		require.Equal(t, want, got, "pruning by the same network changes nothing")
	}
}

func TestARunGoesOnWhereItWas(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for some seconds")
	}
	generation := Generation{Games: 6, Lambda: 0.5, Explore: 0.05, Window: 2, Passes: 3, Rate: 1e-3, EndRate: 1e-4}
	wider := generation
	wider.Siblings, wider.Shape = 1, &nn.Shape{Width: 256, Hidden: []int{16}, Buckets: features.Buckets}
	fresh := generation
	fresh.Fresh, fresh.Teachers = true, []int{2, 4}
	again := generation
	again.Games, again.From = 0, 2
	recipe := Recipe{
		Seed: 1, Shape: nn.Shape{Width: 128, Hidden: []int{16}, Buckets: 4}, Prune: tiny, GatePairs: 10,
		Stages: []Stage{
			{TD: &TDStage{Shape: tiny, Games: 100, Batch: 16, Lambda: 0.6, Rate: 1e-3, EndRate: 1e-4}},
			{Generation: &generation},
			{TD: &TDStage{Shape: nn.Shape{Width: 128, Hidden: []int{16}, Buckets: 4}, Games: 40, Batch: 16, Rate: 1e-3, EndRate: 1e-4}},
			{Generation: &wider},
			{Generation: &fresh},
			{Generation: &again},
		},
	}
	dir := t.TempDir()
	got, err := OpenRecipe(dir, recipe)
	require.NoError(t, err)
	require.Equal(t, recipe, got)
	_, err = OpenRecipe(dir, Plan(time.Hour, 2, 3))
	require.NoError(t, err)

	var runErr error
	var net *nn.Network
	tries := 0
	for ; tries < 50; tries++ {
		net, runErr = Run(&countdown{context.Background(), 12}, recipe, RunOptions{Dir: dir, Threads: 1})
		if runErr == nil {
			break
		}
		require.ErrorIs(t, runErr, context.Canceled)
	}
	require.NoError(t, runErr)
	assert.Positive(t, tries, "it was interrupted at least once")

	straight, err := Run(context.Background(), recipe, RunOptions{Dir: t.TempDir(), Threads: 2})
	require.NoError(t, err)
	assert.Equal(t, straight.Params, net.Params)
	assert.Equal(t, *wider.Shape, net.Shape, "the smaller network of the last stage is a companion")

	stage := func(n int) *nn.Network {
		net, err := nn.ReadFile(filepath.Join(dir, fmt.Sprintf("%02d", n), "net.knn"))
		require.NoError(t, err)
		return net
	}
	assert.Less(t, apart(stage(2).Params, stage(3).Params), 0.1, "a stage begins from the one before of its shape")
	assert.Greater(t, apart(stage(2).Params, stage(5).Params), 0.1, "but not a fresh one")
	assert.Equal(t, stage(2).Checksum()[:12], stage(6).Meta.Parent, "and one begins from the stage that was asked for")
	assert.Empty(t, stage(5).Meta.Parent)
	shards, err := Shards(filepath.Join(dir, "05", "labels"))
	require.NoError(t, err)
	header, _, err := readShard(shards[0])
	require.NoError(t, err)
	assert.Equal(t, stage(2).Checksum()+" "+stage(4).Checksum(), header.Network, "teachers are the stages that were asked for")

	events, err := ReadLog(dir)
	require.NoError(t, err)
	names, err := Plot(events, dir)
	require.NoError(t, err)
	assert.Len(t, names, 4)
}

// apart returns the root mean square of the differences between two networks.
func apart(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += math.Pow(float64(a[i]-b[i]), 2)
	}
	return math.Sqrt(sum / float64(len(a)))
}

func TestAStageBuildsOnEarlierOnes(t *testing.T) {
	for want, g := range map[string]Generation{
		"stage 2 has stage 2 as a teacher": {Window: 1, Teachers: []int{1, 2}},
		"stage 2 begins from stage 3":      {Window: 1, From: 3},
		"stage 2 begins from stage 1 and":  {Window: 1, From: 1, Fresh: true},
		"stage 2 has no window":            {},
	} {
		recipe := Recipe{Shape: tiny, Prune: tiny, Stages: []Stage{{TD: &TDStage{Shape: tiny, Games: 1}}, {Generation: &g}}}
		dir := t.TempDir()
		_, err := OpenRecipe(dir, recipe)
		require.NoError(t, err)
		_, err = OpenRecipe(dir, recipe)
		assert.ErrorContains(t, err, want)
	}
}

func TestAPlanFitsItsBudget(t *testing.T) {
	for _, budget := range []time.Duration{10 * time.Minute, 4 * time.Hour, 40 * time.Hour} {
		r := Plan(budget, 2, 1)
		seconds := 0.0
		for _, s := range r.Stages {
			switch {
			case s.Generation != nil:
				seconds += s.Generation.seconds()
			case s.TD.Shape.Width == r.Shape.Width:
				seconds += float64(s.TD.Games) / gamesPerSecond
			default:
				seconds += float64(s.TD.Games) / smallGamesPerSecond
			}
		}
		assert.InEpsilon(t, 2*budget.Seconds(), seconds, 0.02)
	}
}
