// Package nn holds the networks of kotra: a sparse first layer shared by all positions and
// small dense layers above it, chosen by bucket.
//
// A [Network] has float32 parameters: it is made, trained by a [Trainer], and kept in files.
// [Network.Quantize] turns it into a [Quantized], whose integer inference gives the same bits
// on every processor. The package knows nothing of backgammon: an input is a vector of
// [Slots] small counts, each taken as one of [Levels] values (one-hot), and a bucket.
//
//	net := nn.New(nn.Shape{Width: 128, Buckets: 1}, seed)
//	q := net.Quantize()
//	q.Forward(&probs, &counts, 0)
package nn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"kotra/nn/internal/kernel"
)

// The input of every network: Slots counts below Levels.
const (
	Slots  = kernel.Slots
	Levels = kernel.Levels
)

// Outputs is the number of outputs of every network.
const Outputs = 5

// MaxWidth is the largest width of a first layer.
const MaxWidth = 1024

// MaxHidden is the largest number of units of a dense hidden layer.
const MaxHidden = 64

// A Shape says how many units each layer of a network has.
//
// The first layer has Width units with the activation clip(x, 0, 1)^2. Hidden are the dense
// layers above it with the activation clip(x, 0, 8). The last layer has [Outputs] units with the
// logistic function. Everything above the first layer exists once for each of Buckets.
type Shape struct {
	Width   int   `json:"width"`
	Hidden  []int `json:"hidden"`
	Buckets int   `json:"buckets"`
}

// HiddenLimit is where the activation of a dense hidden layer is cut off.
const HiddenLimit = 4095.0 / hiddenScale

// hiddenScale is the integer that stands for 1 in the activations of dense hidden layers.
const hiddenScale = 512

// String returns s as text, such as "512x32x32x5, 4 buckets".
func (s Shape) String() string {
	text := fmt.Sprint(s.Width)
	for _, n := range s.Hidden {
		text += fmt.Sprintf("x%d", n)
	}
	return fmt.Sprintf("%sx%d, %d buckets", text, Outputs, s.Buckets)
}

// Validate reports which number of s the kernels cannot serve.
func (s Shape) Validate() error {
	if s.Width <= 0 || s.Width > MaxWidth || s.Width%kernel.WidthUnit != 0 {
		return fmt.Errorf("nn: width %d is not a multiple of %d up to %d", s.Width, kernel.WidthUnit, MaxWidth)
	}
	if len(s.Hidden) > 4 {
		return fmt.Errorf("nn: %d hidden layers, at most 4 are allowed", len(s.Hidden))
	}
	for _, n := range s.Hidden {
		if n <= 0 || n > MaxHidden || n%16 != 0 {
			return fmt.Errorf("nn: hidden layer of %d units, want a multiple of 16 up to %d", n, MaxHidden)
		}
	}
	if s.Buckets < 1 || s.Buckets > 64 {
		return fmt.Errorf("nn: %d buckets, want 1 to 64", s.Buckets)
	}
	return nil
}

// layer is the place of a dense layer in the parameters: weights of shape [in, out], row-major,
// then biases.
type layer struct {
	in, out int // out is padded to a multiple of 16
	offset  int
}

func (l layer) weights(params []float32) []float32 { return params[l.offset:][:l.in*l.out] }
func (l layer) biases(params []float32) []float32  { return params[l.offset+l.in*l.out:][:l.out] }

// layers returns the dense layers of one bucket and the number of parameters of the network.
func (s Shape) layers(bucket int) (all []layer, total int) {
	offset := s.firstSize()
	for b := range s.Buckets {
		in := s.Width
		for _, out := range append(append([]int(nil), s.Hidden...), outputWidth) {
			l := layer{in: in, out: out, offset: offset}
			if b == bucket {
				all = append(all, l)
			}
			offset += out * (in + 1)
			in = out
		}
	}
	return all, offset
}

// outputWidth is Outputs padded for the kernels.
const outputWidth = 16

// Parameters returns the number of parameters of a network of shape s, padding included.
func (s Shape) Parameters() int {
	_, n := s.layers(0)
	return n
}

// A Network is a network with float32 parameters. It is not safe for concurrent use while it is
// being trained.
type Network struct {
	Shape  Shape
	Params []float32 // biases and table of the first layer, then each bucket's dense layers
	Meta   Meta

	// Rounded says that the parameters are rounded to what inference uses, see [Network.Round].
	Rounded bool
}

func (n *Network) bias() []float32  { return n.Params[:n.Shape.Width] }
func (n *Network) table() []float32 { return n.Params[n.Shape.Width:][:kernel.Rows*n.Shape.Width] }

// New returns a network with random parameters drawn from seed. It panics if s is not valid.
//
// Neighboring counts of a slot begin with similar rows, as nothing else ties them together.
func New(s Shape, seed uint64) *Network {
	if err := s.Validate(); err != nil {
		panic(err.Error())
	}
	rng := rand.New(rand.NewPCG(seed, 0x6b6f747261))
	n := &Network{Shape: s, Params: make([]float32, s.Parameters())}
	normal := func(dst []float32, deviation float64) {
		for i := range dst {
			dst[i] = float32(rng.NormFloat64() * deviation)
		}
	}
	for i := range n.bias() {
		n.bias()[i] = 0.25
	}
	table := n.table()
	for slot := range Slots {
		for c := 1; c < Levels; c++ {
			row := table[(slot*Levels+c)*s.Width:][:s.Width]
			normal(row, 0.12)
			if c > 1 {
				before := table[(slot*Levels+c-1)*s.Width:][:s.Width]
				for i := range row {
					row[i] = 0.8*before[i] + 0.6*row[i]
				}
			}
		}
	}
	for b := range s.Buckets {
		layers, _ := s.layers(b)
		for i, l := range layers {
			deviation := math.Sqrt(2 / float64(l.in))
			if i == len(layers)-1 {
				deviation /= 4
				copy(l.biases(n.Params), []float32{0, -1.2, -4.5, -1.2, -4.5})
			}
			w := l.weights(n.Params)
			normal(w, deviation)
			if i == len(layers)-1 {
				for j := range w {
					if j%outputWidth >= Outputs {
						w[j] = 0
					}
				}
			}
		}
	}
	return n
}

// Clone returns a copy of n that shares nothing with it.
func (n *Network) Clone() *Network {
	c := *n
	c.Params = append([]float32(nil), n.Params...)
	return &c
}
