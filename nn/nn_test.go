package nn

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func randomSamples(rng *rand.Rand, n, buckets int) []*Sample {
	samples := make([]*Sample, n)
	for i := range samples {
		s := &Sample{Bucket: uint8(rng.IntN(buckets))}
		for range 14 {
			s.Counts[rng.IntN(Slots)] = uint8(1 + rng.IntN(5))
		}
		for j := range s.Target {
			s.Target[j] = rng.Float32()
		}
		samples[i] = s
	}
	return samples
}

func TestGradientsEqualFiniteDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	differences := TrainerOptions{Differences: 3, Worth: [Outputs]float32{2, 1, 1, -1, -1}}
	for _, test := range []struct {
		shape   Shape
		options TrainerOptions
	}{
		{Shape{Width: 128, Buckets: 2}, TrainerOptions{}},
		{Shape{Width: 128, Hidden: []int{32, 16}, Buckets: 2}, TrainerOptions{}},
		{Shape{Width: 128, Hidden: []int{32, 16}, Buckets: 2}, differences},
	} {
		shape := test.shape
		net := New(shape, 7)
		trainer := NewTrainer(net, test.options)
		samples := randomSamples(rng, 70, 2)
		for i, s := range samples {
			s.Group = uint32(i / 3)
		}
		trainer.gradient(samples)
		grad := make([]float32, len(net.Params))
		for i, g := range trainer.collect() {
			grad[i] = g / float32(len(samples))
		}
		params := trainer.State.Params
		// Activations are rounded down to steps and have kinks, so that single differences are
		// stairs. A step along the gradient of a whole layer crosses many of them, and its slope
		// is the squared length of that gradient.
		parts := map[string][]float32{
			"first biases": grad[:shape.Width],
			"first table":  grad[shape.Width:][:Slots*Levels*shape.Width],
		}
		for b := range shape.Buckets {
			layers, _ := shape.layers(b)
			for i, l := range layers {
				parts[fmt.Sprintf("bucket %d layer %d weights", b, i)] = l.weights(grad)
				parts[fmt.Sprintf("bucket %d layer %d biases", b, i)] = l.biases(grad)
			}
		}
		saved := append([]float32(nil), params...)
		for name, part := range parts {
			length := 0.0
			for _, g := range part {
				length += float64(g) * float64(g)
			}
			require.NotZero(t, length)
			only := make([]float32, len(grad))
			for i := range part {
				offset := int(uintptr(unsafe.Pointer(&part[i]))-uintptr(unsafe.Pointer(&grad[0]))) / 4
				only[offset] = part[i]
			}
			move := func(by float64) float64 {
				for i := range params {
					params[i] = saved[i] + float32(by*float64(only[i]))
				}
				return trainer.Loss(samples)
			}
			h := 0.01 / math.Sqrt(length)
			slope := (move(h) - move(-h)) / (2 * h)
			copy(params, saved)
			assert.InEpsilon(t, length, slope, 0.05, "%s, %s", shape, name)
		}
	}
}

func TestTheLossOnDifferencesDoesNotSeeWhatAGroupShares(t *testing.T) {
	net := New(Shape{Width: 128, Buckets: 1}, 7)
	plain := NewTrainer(net, TrainerOptions{})
	trainer := NewTrainer(net, TrainerOptions{Differences: 1, Worth: [Outputs]float32{1}})
	// One input three times: the outputs are the same, so the targets alone differ.
	sample := randomSamples(rand.New(rand.NewPCG(4, 2)), 1, 1)[0]
	excess := func(group []uint32, wins ...float32) float64 {
		var samples []*Sample
		for i, win := range wins {
			s := *sample
			s.Target[0], s.Group = win, group[i]
			samples = append(samples, &s)
		}
		return (trainer.Loss(samples) - plain.Loss(samples)) * float64(len(wins))
	}
	assert.InDelta(t, 0, excess([]uint32{1, 1, 1}, 0.2, 0.2, 0.2), 1e-6, "what all share")
	assert.InDelta(t, 0.06, excess([]uint32{1, 1, 1}, 0.2, 0.5, 0.5), 1e-6, "0.2² + 2 0.1²")
	assert.InDelta(t, 0.045, excess([]uint32{1, 1, 2}, 0.2, 0.5, 0.5), 1e-6, "2 0.15², and one alone")
	assert.InDelta(t, 0, excess([]uint32{1, 2, 3}, 0.2, 0.5, 0.9), 1e-6, "all alone")
}

func TestQuantizedOutputsAreNearThoseOfTheNetwork(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, shape := range []Shape{{Width: 256, Buckets: 1}, {Width: 256, Hidden: []int{32, 32}, Buckets: 3}} {
		net := New(shape, 5)
		q := net.Quantize()
		trainer := NewTrainer(net, TrainerOptions{Rounding: true, Lanes: 1})
		for _, s := range randomSamples(rng, 100, shape.Buckets) {
			trainer.Loss([]*Sample{s})
			logits := trainer.lanes[0].units[len(shape.Hidden)]
			var got [Outputs]float32
			q.Forward(&got, &s.Counts, int(s.Bucket))
			for j, p := range got {
				want := 1 / (1 + math.Exp(-float64(logits[j])))
				require.InDelta(t, want, p, 0.004, "rounding of activations and 16-bit weights")
			}
		}
	}
}

func TestComputingAllLayersAtOnceChangesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	stacked := false
	for _, shape := range []Shape{
		{Width: 128, Buckets: 2},
		{Width: 256, Hidden: []int{16, 32}, Buckets: 2},
		{Width: 512, Hidden: []int{32, 32}, Buckets: 2},
		{Width: 1024, Hidden: []int{32, 32}, Buckets: 2},
		{Width: 128, Hidden: []int{64}, Buckets: 2},
	} {
		net := New(shape, 5)
		for i := range net.Params {
			net.Params[i] *= 3 // reach the ends of all ranges
		}
		q := net.Quantize()
		stacked = stacked || q.heads[0].stacked
		for _, s := range randomSamples(rng, 300, shape.Buckets) {
			var want, got [Outputs]float32
			q.forwardByLayer(&want, &s.Counts, &q.heads[s.Bucket])
			q.Forward(&got, &s.Counts, int(s.Bucket))
			require.Equal(t, want, got, "%s", shape)
		}
	}
	if !stacked {
		t.Skip("no kernel for all layers on this processor")
	}
}

func TestTheResultDoesNotDependOnThreads(t *testing.T) {
	var sums []string
	for _, threads := range []int{1, 2, 5} {
		rng := rand.New(rand.NewPCG(8, 8))
		net := New(Shape{Width: 128, Hidden: []int{32}, Buckets: 3}, 1)
		trainer := NewTrainer(net, TrainerOptions{Lanes: 3, Threads: threads, Rounding: true})
		for range 10 {
			trainer.Batch(randomSamples(rng, 300, 3), 1e-3)
		}
		sums = append(sums, trainer.Network().Checksum())
	}
	assert.Equal(t, sums[0], sums[1])
	assert.Equal(t, sums[0], sums[2])
}

func TestATinyNetworkLearnsATinyTask(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	net := New(Shape{Width: 128, Hidden: []int{16}, Buckets: 1}, 2)
	trainer := NewTrainer(net, TrainerOptions{Rounding: true})
	batch := func() []*Sample {
		samples := randomSamples(rng, 256, 1)
		for _, s := range samples {
			target := float32(0)
			if s.Counts[3] > 0 != (s.Counts[9] > 0) {
				target = 1
			}
			s.Target = [Outputs]float32{target, target, 1 - target, 0, 1}
		}
		return samples
	}
	for range 800 {
		trainer.Batch(batch(), 2e-3)
	}
	q := trainer.Network().Quantize()
	right := 0
	test := batch()
	for _, s := range test {
		var got [Outputs]float32
		q.Forward(&got, &s.Counts, 0)
		if (got[0] > 0.5) == (s.Target[0] > 0.5) {
			right++
		}
	}
	assert.Greater(t, right, len(test)*95/100)
}

func TestAFileSurvivesARoundTrip(t *testing.T) {
	net := New(Shape{Width: 128, Hidden: []int{16}, Buckets: 2}, 3)
	net.Meta = Meta{Features: "test/1", Games: 12}
	var b bytes.Buffer
	require.NoError(t, net.Write(&b))
	got, err := Read(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	assert.Equal(t, net, got)

	for name, tt := range map[string]struct {
		change func(all []byte) []byte
		want   error
	}{
		"empty":        {func([]byte) []byte { return nil }, ErrMagic},
		"magic":        {func(a []byte) []byte { a[0] = 'X'; return a }, ErrMagic},
		"version":      {func(a []byte) []byte { a[8] = 9; return a }, ErrVersion},
		"header size":  {func(a []byte) []byte { a[14] = 255; return a }, ErrHeader},
		"header":       {func(a []byte) []byte { a[16] = '['; return a }, ErrHeader},
		"short":        {func(a []byte) []byte { return a[:len(a)-5] }, ErrSize},
		"long":         {func(a []byte) []byte { return append(a, 0) }, ErrSize},
		"flipped bit":  {func(a []byte) []byte { a[len(a)/2] ^= 1; return a }, ErrChecksum},
		"flipped sum ": {func(a []byte) []byte { a[len(a)-1] ^= 1; return a }, ErrChecksum},
	} {
		_, err := Decode(tt.change(append([]byte(nil), b.Bytes()...)))
		assert.ErrorIs(t, err, tt.want, name)
	}
	net.Params[len(net.Params)-5] = float32(math.NaN())
	b.Reset()
	require.NoError(t, net.Write(&b))
	_, err = Read(&b)
	assert.ErrorIs(t, err, ErrNumber)
}

func TestARoundedNetworkInfersTheSameFromAFileOfHalfTheSize(t *testing.T) {
	for _, shape := range []Shape{{Width: 128, Buckets: 2}, {Width: 256, Hidden: []int{32, 32}, Buckets: 3}} {
		net := New(shape, 3)
		net.Meta = Meta{Features: "test/1"}
		rounded := net.Round()
		var plain, b bytes.Buffer
		require.NoError(t, net.Write(&plain))
		require.NoError(t, rounded.Write(&b))
		assert.Less(t, b.Len(), plain.Len()*6/10)
		got, err := Read(bytes.NewReader(b.Bytes()))
		require.NoError(t, err)
		assert.Equal(t, rounded, got)
		assert.Equal(t, rounded, got.Round(), "rounding again changes nothing")

		want, have := net.Quantize(), got.Quantize()
		assert.True(t, slices.Equal(want.table, have.table))
		for i, h := range want.heads {
			assert.True(t, slices.Equal(h.first, have.heads[i].first), "bucket %d", i)
			assert.Equal(t, h.scales, have.heads[i].scales)
		}

		rounded.Params[len(rounded.Params)-5] = float32(math.Inf(1))
		b.Reset()
		require.NoError(t, rounded.Write(&b))
		_, err = Read(&b)
		assert.ErrorIs(t, err, ErrNumber)
	}
}

func FuzzDecode(f *testing.F) {
	net := New(Shape{Width: 128, Buckets: 1}, 3)
	var b bytes.Buffer
	require.NoError(f, net.Write(&b))
	f.Add(b.Bytes()[:400])
	b.Reset()
	require.NoError(f, net.Round().Write(&b))
	f.Add(b.Bytes())
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Decode(data)
		if err == nil {
			require.NoError(t, n.Write(&bytes.Buffer{}))
		}
	})
}

func BenchmarkForward(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, shape := range []Shape{
		{Width: 128, Buckets: 1},
		{Width: 256, Hidden: []int{32, 32}, Buckets: 4},
		{Width: 512, Hidden: []int{32, 32}, Buckets: 4},
	} {
		q := New(shape, 1).Quantize()
		samples := randomSamples(rng, 256, shape.Buckets)
		b.Run(shape.String(), func(b *testing.B) {
			var dst [Outputs]float32
			i := 0
			for b.Loop() {
				s := samples[i%len(samples)]
				q.Forward(&dst, &s.Counts, int(s.Bucket))
				i++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

func BenchmarkBatch(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, shape := range []Shape{{Width: 128, Buckets: 4}, {Width: 512, Hidden: []int{32, 32}, Buckets: 4}} {
		trainer := NewTrainer(New(shape, 1), TrainerOptions{Rounding: true, Threads: 1})
		samples := randomSamples(rng, 2048, shape.Buckets)
		b.Run(shape.String(), func(b *testing.B) {
			for b.Loop() {
				trainer.Batch(samples, 1e-4)
			}
			b.ReportMetric(float64(b.N*len(samples))/b.Elapsed().Seconds(), "samples/s")
		})
	}
}
