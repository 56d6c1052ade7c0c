package nn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"kotra/nn/internal/kernel"
)

// Holds reports whether networks of shape t can grow to shape s: both have as many layers, and no
// layer of s has fewer units. Neither has s fewer buckets.
func (s Shape) Holds(t Shape) bool {
	if s.Width < t.Width || len(s.Hidden) != len(t.Hidden) || s.Buckets < t.Buckets {
		return false
	}
	for i, units := range s.Hidden {
		if units < t.Hidden[i] {
			return false
		}
	}
	return true
}

// Grow returns a network of shape s that computes what n does: its new units do not count at
// first, as they have random weights but what they feed has weights 0 for them. Bucket b begins as
// a copy of n's bucket parent(b). It returns an error if s does not hold n's shape.
func (n *Network) Grow(s Shape, parent func(bucket int) int, seed uint64) (*Network, error) {
	if !s.Holds(n.Shape) {
		return nil, fmt.Errorf("nn: %v cannot grow into %v", n.Shape, s)
	}
	big := New(s, seed)
	big.Meta = n.Meta
	copy(big.bias(), n.bias())
	for row := range kernel.Rows {
		copy(big.table()[row*s.Width:][:s.Width], n.table()[row*n.Shape.Width:][:n.Shape.Width])
	}
	rng := rand.New(rand.NewPCG(seed, 0x67726f77))
	for b := range s.Buckets {
		from, _ := n.Shape.layers(parent(b))
		to, _ := s.layers(b)
		for i, l := range to {
			old := from[i]
			w, was := l.weights(big.Params), old.weights(n.Params)
			for in := range l.in {
				for out := range l.out {
					x := float32(0)
					switch {
					case in < old.in && out < old.out:
						x = was[in*old.out+out]
					case out >= old.out: // a new unit
						x = float32(rng.NormFloat64() * math.Sqrt(2/float64(l.in)))
					}
					w[in*l.out+out] = x
				}
			}
			copy(l.biases(big.Params), old.biases(n.Params))
		}
	}
	return big, nil
}
