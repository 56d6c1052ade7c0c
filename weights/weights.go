// Package weights holds the network files that kotra ships with, and chooses one, or several whose mean
// judges: their names with plus signs between, as in large+second or a.knn+b.knn.
package weights

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"kotra/eval/features"
	"kotra/nn"
)

// The names of the embedded networks.
const (
	Small  = "small"  // the default
	Large  = "large"  // twice as wide: stronger ply by ply, and slower
	Second = "second" // of the same shape, from a beginning of its own
	Third  = "third"  // second, trained further
	Fourth = "fourth" // the last of the line of large, trained further
	Pair   = "pair"   // large+second, which err apart: stronger, half as many evaluations a second
	Quad   = "quad"   // large+second+third+fourth: the strongest, half as many again
)

//go:embed default.knn
var smallFile []byte

//go:embed large.knn
var largeFile []byte

//go:embed second.knn
var secondFile []byte

//go:embed third.knn
var thirdFile []byte

//go:embed fourth.knn
var fourthFile []byte

// An embedded network is decoded, and made ready for inference, once and when it is asked for.
type embedded struct {
	file      []byte
	network   func() (*nn.Network, error)
	quantized func() (*nn.Quantized, error)
}

func embed(file []byte) *embedded {
	e := &embedded{file: file}
	e.network = sync.OnceValues(func() (*nn.Network, error) {
		n, err := nn.Decode(file)
		if err != nil {
			return nil, err
		}
		return n, check(n)
	})
	e.quantized = sync.OnceValues(func() (*nn.Quantized, error) {
		n, err := e.network()
		if err != nil {
			return nil, err
		}
		return n.Quantize(), nil
	})
	return e
}

var small = embed(smallFile)

// networks are the embedded networks by name; the default has two.
var networks = map[string]*embedded{
	"": small, Small: small, Large: embed(largeFile),
	Second: embed(secondFile), Third: embed(thirdFile), Fourth: embed(fourthFile),
}

// means are the names that stand for several embedded networks.
var means = map[string][]string{
	Pair: {Large, Second},
	Quad: {Large, Second, Third, Fourth},
}

// errSeveral is for what works on one network.
var errSeveral = errors.New("several networks where there must be one")

// Embedded reports whether name is that of embedded networks: empty, or made of the names above.
// Everything else names files.
func Embedded(name string) bool {
	return !slices.ContainsFunc(Parts(name), func(part string) bool { return networks[part] == nil })
}

// File returns the bytes of the network file with the given name, of several one after the other. Those of an
// embedded one are shared.
func File(name string) ([]byte, error) {
	if parts := Parts(name); len(parts) > 1 {
		var all []byte
		for _, part := range parts {
			file, err := File(part)
			if err != nil {
				return nil, err
			}
			all = append(all, file...)
		}
		return all, nil
	}
	if e := networks[name]; e != nil {
		return e.file, nil
	}
	return os.ReadFile(name)
}

// Read returns the network of the given name with its float32 parameters and metadata, and checks
// that its inputs are those that this program makes. An embedded one is shared: it must not be changed.
func Read(name string) (*nn.Network, error) {
	if len(Parts(name)) > 1 {
		return nil, fmt.Errorf("weights %q: %w", name, errSeveral)
	}
	if e := networks[name]; e != nil {
		return e.network()
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
	if e := networks[name]; e != nil {
		return e.quantized()
	}
	n, err := Read(name)
	if err != nil {
		return nil, err
	}
	return n.Quantize(), nil
}

// Parts returns the names of the networks that name stands for: those between plus signs, unless there is a file
// of the whole name, with [Pair] and [Quad] taken apart.
func Parts(name string) []string {
	if strings.Contains(name, "+") {
		if _, err := os.Stat(name); err == nil {
			return []string{name}
		}
	}
	var parts []string
	for part := range strings.SplitSeq(name, "+") {
		if several := means[part]; several != nil {
			parts = append(parts, several...)
		} else {
			parts = append(parts, part)
		}
	}
	return parts
}

// Networks returns what [Load] does, for each of the [Parts]: an evaluation is the mean of theirs. Lead is the
// network that picks the replies in a search: the small one, which is the fastest, if all are embedded, and
// otherwise the first of them.
func Networks(name string) (all []*nn.Quantized, lead *nn.Quantized, err error) {
	parts := Parts(name)
	all, errs := make([]*nn.Quantized, len(parts)), make([]error, len(parts))
	var wg sync.WaitGroup
	for i, part := range parts {
		wg.Go(func() { all[i], errs[i] = Load(part) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, nil, err
		}
	}
	lead = all[0]
	if Embedded(name) {
		lead, err = Load(Small)
	}
	return all, lead, err
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
