// Package weights holds the network files that kotra ships with, and chooses one.
package weights

import (
	_ "embed"
	"fmt"
	"sync"

	"kotra/eval/features"
	"kotra/nn"
)

//go:embed default.knn
var defaultFile []byte

var defaultNetwork = sync.OnceValues(func() (*nn.Network, error) {
	n, err := nn.Decode(defaultFile)
	if err != nil {
		return nil, fmt.Errorf("embedded weights: %w", err)
	}
	return n, check(n)
})

var defaultQuantized = sync.OnceValues(func() (*nn.Quantized, error) {
	n, err := defaultNetwork()
	if err != nil {
		return nil, err
	}
	return n.Quantize(), nil
})

// Default returns the embedded network, ready for inference. It is decoded once.
func Default() (*nn.Quantized, error) { return defaultQuantized() }

// DefaultNetwork returns the embedded network with its float32 parameters and metadata. It is
// shared: it must not be changed.
func DefaultNetwork() (*nn.Network, error) { return defaultNetwork() }

// DefaultFile returns the bytes of the embedded network file. They are shared.
func DefaultFile() []byte { return defaultFile }

// Read reads the network file with the given name and checks that its inputs are those that this
// program makes; an empty name means the embedded network.
func Read(name string) (*nn.Network, error) {
	if name == "" {
		return defaultNetwork()
	}
	n, err := nn.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if err := check(n); err != nil {
		return nil, fmt.Errorf("reading network %s: %w", name, err)
	}
	return n, nil
}

// Load is Read, ready for inference.
func Load(name string) (*nn.Quantized, error) {
	if name == "" {
		return Default()
	}
	n, err := Read(name)
	if err != nil {
		return nil, err
	}
	return n.Quantize(), nil
}

// A FeaturesError is returned for a network whose inputs this program does not make.
type FeaturesError struct{ Have, Want string }

// Error says which features the network wants.
func (e FeaturesError) Error() string {
	return fmt.Sprintf("weights: network is for features %q, this program has %q", e.Have, e.Want)
}

func check(n *nn.Network) error {
	want := features.Name(n.Shape.Buckets)
	if want == "" {
		return FeaturesError{fmt.Sprintf("%s with %d buckets", n.Meta.Features, n.Shape.Buckets), features.Name(features.Buckets)}
	}
	if n.Meta.Features != want {
		return FeaturesError{n.Meta.Features, want}
	}
	return nil
}
