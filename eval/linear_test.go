package eval_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"kotra/bg"
	"kotra/eval"
	"kotra/eval/features"
	"kotra/movegen"
	"kotra/nn"
)

var equityWeights = eval.Weights{Win: 2, WinGammon: 1, WinBackgammon: 1, LoseGammon: -1, LoseBackgammon: -1}

func testNetworks() []*nn.Network {
	return []*nn.Network{
		nn.New(nn.Shape{Width: 128, Buckets: features.Buckets}, 1),
		nn.New(nn.Shape{Width: 256, Hidden: []int{32, 32}, Buckets: features.Buckets}, 2),
	}
}

// forward is the equity of a network without any rounding.
func forward(net *nn.Network, pos *bg.Position) float64 {
	width := net.Shape.Width
	in := make([]float64, width)
	for i := range in {
		in[i] = float64(net.Params[i])
		for slot, c := range features.Counts(pos) {
			if c > 0 {
				in[i] += float64(net.Params[width*(1+slot*nn.Levels+int(c))+i])
			}
		}
		in[i] = math.Pow(min(max(in[i], 0), 1), 2)
	}
	params := net.Params[width*(1+nn.Slots*nn.Levels):]
	sizes := append(append([]int(nil), net.Shape.Hidden...), 16)
	skip := len(params) / net.Shape.Buckets * features.Bucket(pos)
	params = params[skip:]
	for n, size := range sizes {
		out := make([]float64, size)
		for j := range out {
			for i, x := range in {
				out[j] += x * float64(params[i*size+j])
			}
			out[j] += float64(params[len(in)*size+j])
			if n < len(sizes)-1 {
				out[j] = min(max(out[j], 0), nn.HiddenLimit)
			} else {
				out[j] = 1 / (1 + math.Exp(-out[j]))
			}
		}
		params, in = params[(len(in)+1)*size:], out
	}
	return 2*in[0] - 1 + in[1] + in[2] - in[3] - in[4]
}

// awaken moves all hidden units up.
func awaken(net *nn.Network) {
	params := net.Params[net.Shape.Width*(1+nn.Slots*nn.Levels):]
	for range net.Shape.Buckets {
		in := net.Shape.Width
		for _, out := range net.Shape.Hidden {
			for j := range out {
				params[in*out+j] += 4
			}
			params, in = params[(in+1)*out:], out
		}
		params = params[(in+1)*16:]
	}
}

// cost is what t says of pos, against the ref that it was moved to.
func cost(t *eval.Tangent, pos, ref *bg.Position) float32 {
	var changed [1]uint64
	eval.Changes(changed[:], []bg.Position{*pos}, ref)
	return t.Cost(pos, changed[0])
}

func TestTangentIsTheNetworkNearItsBase(t *testing.T) {
	// With a small first layer, whose activations stay near where they are, and no unit near a kink
	// of its activation, hardly anything may be left of what a move changes.
	rng := rand.New(rand.NewPCG(3, 3))
	for _, net := range testNetworks() {
		width := net.Shape.Width
		for i := range net.Params[width : width*(1+nn.Slots*nn.Levels)] {
			net.Params[width+i] *= 0.02
		}
		awaken(net)
		tangent := eval.NewLinear(net.Quantize()).NewTangent()
		pos := bg.Start()
		var errors, changes float64
		for range 10 {
			results := movegen.Results(nil, &pos, bg.Dice{uint8(1 + rng.IntN(6)), uint8(1 + rng.IntN(6))})
			base := pos.Flip()
			before := forward(net, &base)
			tangent.Move(&base, &base, features.Bucket(&base), equityWeights)
			atBase := float64(cost(tangent, &base, &base))
			assert.InDelta(t, before+1, atBase, 0.02, "for each win counts 2")
			for i := range results {
				if features.Bucket(&results[i]) != features.Bucket(&base) {
					continue
				}
				change := forward(net, &results[i]) - before
				miss := float64(cost(tangent, &results[i], &base)) - atBase - change
				errors += miss * miss
				changes += change * change
			}
			pos = results[rng.IntN(len(results))]
		}
		assert.Less(t, errors/changes, 0.05, "%v: share of the variance that is left", net.Shape)
	}
}

func TestTangentDoesNotDependOnTheWayThere(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, net := range testNetworks() {
		linear := eval.NewLinear(net.Quantize())
		traveled := linear.NewTangent()
		pos := bg.Start()
		for range 20 {
			results := movegen.Results(nil, &pos, bg.Dice{uint8(1 + rng.IntN(6)), uint8(1 + rng.IntN(6))})
			fresh := linear.NewTangent()
			start := bg.Start()
			fresh.Move(&pos, &start, features.Bucket(&pos), equityWeights)
			traveled.Move(&pos, &start, features.Bucket(&pos), equityWeights)
			pos = results[rng.IntN(len(results))]
			flip := pos.Flip()
			assert.Equal(t, cost(fresh, &flip, &start), cost(traveled, &flip, &start))
			assert.Equal(t, cost(fresh, &start, &start), cost(traveled, &start, &start))
		}
	}
}

func TestTangentDoesNotAllocate(t *testing.T) {
	tangent := eval.NewLinear(testNetworks()[1].Quantize()).NewTangent()
	positions := []bg.Position{bg.Start(), movegen.Results(nil, new(bg.Start()), bg.Dice{6, 5})[0]}
	changed, i := make([]uint64, 2), 0
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		tangent.Move(&positions[i&1], &positions[0], i&1, equityWeights)
		eval.Changes(changed, positions, &positions[0])
		tangent.Cost(&positions[1], changed[1])
		i++
	}))
}

func BenchmarkTangent(b *testing.B) {
	net := nn.New(nn.Shape{Width: 512, Hidden: []int{32, 32}, Buckets: features.Buckets}, 2)
	tangent := eval.NewLinear(net.Quantize()).NewTangent()
	pos := bg.Start()
	var results []bg.Position
	for _, roll := range bg.Rolls() {
		results = movegen.Results(results, &pos, roll.Dice)
	}
	b.Run("move", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			base := &results[i%len(results)]
			tangent.Move(base, base, features.ContactBucket, equityWeights)
		}
	})
	b.Run("cost", func(b *testing.B) {
		ref := pos.Flip()
		tangent.Move(&ref, &ref, features.ContactBucket, equityWeights)
		changed := make([]uint64, len(results))
		eval.Changes(changed, results, &ref)
		for i := 0; b.Loop(); i++ {
			tangent.Cost(&results[i%len(results)], changed[i%len(results)])
		}
	})
}
