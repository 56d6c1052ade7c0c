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
	m := make(mean, 0, len(nets))
	for _, net := range nets {
		m = append(m, NewNetwork(net))
	}
	return m
}

// mean is the mean of networks.
type mean []Network

func (m mean) Evaluate(pos *bg.Position) bg.Probs {
	var out [nn.Outputs]float32
	m.forward(&out, pos, pos.Contact())
	return probsOf(&out)
}

func (m mean) forward(out *[nn.Outputs]float32, pos *bg.Position, contact bool) {
	*out = [nn.Outputs]float32{}
	for _, n := range m {
		var one [nn.Outputs]float32
		n.forward(&one, pos, contact)
		addShare(out, &one, len(m))
	}
}

// addShare adds the outputs of one of n networks to their mean.
func addShare(mean, one *[nn.Outputs]float32, n int) {
	share := 1 / float32(n)
	for j, x := range one {
		mean[j] = min(mean[j]+float32(x*share), 1) // for shares are rounded
	}
}

// probsOf returns the outputs of a network by their names.
func probsOf(out *[nn.Outputs]float32) bg.Probs {
	return bg.Probs{
		Win: out[0], WinGammon: out[1], WinBackgammon: out[2],
		LoseGammon: out[3], LoseBackgammon: out[4],
	}
}
