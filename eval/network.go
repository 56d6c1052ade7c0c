package eval

import (
	"kotra/bg"
	"kotra/eval/features"
	"kotra/nn"
)

// A Network evaluates positions by a neural network and nothing else. It is immutable and safe
// for concurrent use. Evaluate does not allocate.
type Network struct{ net *nn.Quantized }

// NewNetwork returns an evaluator that asks net, whose features must be those of package
// features.
func NewNetwork(net *nn.Quantized) Network { return Network{net} }

// Evaluate returns the outputs of the network for pos as they are: nothing makes sure that they
// are ordered or possible.
func (n Network) Evaluate(pos *bg.Position) bg.Probs {
	var out [nn.Outputs]float32
	n.forward(&out, pos, pos.Contact())
	return probsOf(&out)
}

// forward computes the outputs of the network where it is known whether pos has contact.
func (n Network) forward(out *[nn.Outputs]float32, pos *bg.Position, contact bool) {
	n.net.Forward(out, features.Counts(pos), features.BucketGiven(pos, contact, n.net.Shape.Buckets))
}

// NewMean returns an evaluator that asks all nets and returns the mean of what they say, or that of
// [NewNetwork] for a single one. Networks that were trained apart err apart, so that their mean errs less.
func NewMean(nets ...*nn.Quantized) Evaluator {
	if len(nets) == 1 {
		return NewNetwork(nets[0])
	}
	var m mean
	for _, net := range nets {
		m = append(m, NewNetwork(net))
	}
	return m
}

// mean is the mean of networks.
type mean []Network

func (m mean) Evaluate(pos *bg.Position) (p bg.Probs) {
	contact := pos.Contact()
	for _, n := range m {
		var out [nn.Outputs]float32
		n.forward(&out, pos, contact)
		q := probsOf(&out)
		p.AddScaled(&q, 1/float32(len(m)))
	}
	return p
}

// probsOf returns the outputs of a network by their names.
func probsOf(out *[nn.Outputs]float32) bg.Probs {
	return bg.Probs{
		Win: out[0], WinGammon: out[1], WinBackgammon: out[2],
		LoseGammon: out[3], LoseBackgammon: out[4],
	}
}
