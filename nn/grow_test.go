package nn_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/nn"
)

func TestAGrownNetworkComputesWhatItDidBefore(t *testing.T) {
	small := nn.New(nn.Shape{Width: 128, Hidden: []int{16, 32}, Buckets: 2}, 1)
	parent := func(bucket int) int { return bucket % 2 }
	for _, s := range []nn.Shape{
		{Width: 128, Hidden: []int{16, 32}, Buckets: 3},
		{Width: 256, Hidden: []int{16, 32}, Buckets: 2},
		{Width: 256, Hidden: []int{32, 32}, Buckets: 5},
		{Width: 384, Hidden: []int{48, 64}, Buckets: 2},
	} {
		require.True(t, s.Holds(small.Shape), "%v", s)
		big, err := small.Grow(s, parent, 7)
		require.NoError(t, err)
		before, after := small.Quantize(), big.Quantize()
		rng := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			var counts [nn.Slots]uint8
			for range 26 {
				counts[rng.IntN(len(counts))]++
			}
			bucket := rng.IntN(s.Buckets)
			var want, got [nn.Outputs]float32
			before.Forward(&want, &counts, parent(bucket))
			after.Forward(&got, &counts, bucket)
			assert.Equal(t, want, got, "%v, bucket %d", s, bucket)
		}
	}
}

func TestANetworkDoesNotShrink(t *testing.T) {
	n := nn.New(nn.Shape{Width: 256, Hidden: []int{32}, Buckets: 2}, 1)
	for _, s := range []nn.Shape{
		{Width: 128, Hidden: []int{32}, Buckets: 2},
		{Width: 256, Hidden: []int{16}, Buckets: 2},
		{Width: 256, Hidden: []int{32}, Buckets: 1},
		{Width: 256, Hidden: []int{32, 32}, Buckets: 2},
	} {
		_, err := n.Grow(s, func(int) int { return 0 }, 1)
		assert.Error(t, err, "%v", s)
	}
}
