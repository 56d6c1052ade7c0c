package nn_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/nn"
)

var nearShapes = []nn.Shape{
	{Width: 512, Hidden: []int{32, 32}, Buckets: 2},
	{Width: 128, Buckets: 1},
	{Width: 256, Hidden: []int{48}, Buckets: 1}, // which no kernel does as a whole
}

// step changes a few counts.
func step(rng *rand.Rand, counts *[nn.Slots]uint8) {
	for range 1 + rng.IntN(4) {
		counts[rng.IntN(nn.Slots)] = uint8(rng.IntN(5))
	}
}

func TestNearIsForwardToTheLastBit(t *testing.T) {
	for _, shape := range nearShapes {
		rng := rand.New(rand.NewPCG(1, 1))
		net := nn.New(shape, 7)
		q := net.Quantize()
		for _, linear := range []*nn.Linear{nil, nn.NewLinear(q)} {
			near := nn.NewNear(q, linear)
			var base, counts [nn.Slots]uint8
			for range 30 {
				step(rng, &base)
				near.Move(&base, &[nn.Outputs]float32{1})
				for range 10 {
					counts = base
					step(rng, &counts)
					bucket := rng.IntN(shape.Buckets)
					var want, got [nn.Outputs]float32
					q.Forward(&want, &counts, bucket)
					near.Forward(&got, &counts, bucket)
					require.Equal(t, want, got, "%v", shape)
				}
			}
		}
	}
}

func TestRatesAreOutputsNearTheBase(t *testing.T) {
	// The rates of single changes go with what the network says, and at the base they are equal.
	want := [nn.Outputs]float32{2, 1, 1, -1, -1}
	worth := func(q *nn.Quantized, counts *[nn.Slots]uint8, bucket int) (sum float64) {
		var out [nn.Outputs]float32
		q.Forward(&out, counts, bucket)
		for i, x := range out {
			sum += float64(want[i] * x)
		}
		return sum
	}
	for _, shape := range nearShapes {
		rng := rand.New(rand.NewPCG(2, 2))
		net := nn.New(shape, 8)
		for i := range net.Params {
			net.Params[i] *= 2 // few hidden units are near the kink of their activation then
		}
		q := net.Quantize()
		near := nn.NewNear(q, nn.NewLinear(q))
		var base [nn.Slots]uint8
		var missed, changed float64
		for range 10 {
			step(rng, &base)
			near.Move(&base, &want)
			counts := make([][nn.Slots]uint8, 40)
			for i := range counts {
				counts[i] = base
				if i > 1 { // and not one of the first two, which are at the base
					counts[i][rng.IntN(nn.Slots)] = uint8(rng.IntN(5))
				}
			}
			bucket := func(i int) int { return i % shape.Buckets }
			rates := make([]float32, len(counts))
			near.Rate(rates, counts, bucket)
			for i := range counts {
				exact := worth(q, &counts[i], bucket(i))
				miss, change := float64(rates[i])-exact, exact-worth(q, &base, bucket(i))
				missed += miss * miss
				changed += change * change
				if i < 2 {
					assert.InDelta(t, exact, rates[i], 0.02, "%v: at the base", shape)
				}
			}
		}
		assert.Less(t, missed, changed/2, "%v: random hidden units are often near the kink of their activation", shape)
	}
}

func TestNearDoesNotAllocate(t *testing.T) {
	net := nn.New(nearShapes[0], 9)
	near := nn.NewNear(net.Quantize(), nn.NewLinear(net.Quantize()))
	counts := make([][nn.Slots]uint8, 8)
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range counts {
		step(rng, &counts[i])
	}
	rates := make([]float32, len(counts))
	i := 0
	once := func() {
		i++
		near.Move(&counts[i%len(counts)], &[nn.Outputs]float32{1})
		near.Rate(rates, counts, func(int) int { return 0 })
		var out [nn.Outputs]float32
		near.Forward(&out, &counts[0], 1)
	}
	for range counts {
		once()
	}
	assert.Zero(t, testing.AllocsPerRun(20, once))
}
