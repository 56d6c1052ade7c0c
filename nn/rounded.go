package nn

import (
	"encoding/binary"
	"math"

	"kotra/nn/internal/kernel"
)

// Round returns a copy of n with the parameters that inference makes of it. A file keeps them in less than
// half of the bytes.
func (n *Network) Round() *Network {
	c := n.Clone()
	c.Rounded = true
	c.decodeRounded(n.appendRounded(nil))
	return c
}

// firstSize is the number of parameters of the first layer.
func (s Shape) firstSize() int { return s.Width * (1 + kernel.Rows) }

// roundedSize returns the number of bytes of what appendRounded appends.
func (s Shape) roundedSize() int {
	layers, total := s.layers(0)
	lowest := layers[0]
	return 4*total - 2*s.firstSize() + s.Buckets*(4*lowest.out-3*lowest.in*lowest.out)
}

// appendRounded appends the rounded parameters of n in their form in files, see [Network.Write].
func (n *Network) appendRounded(b []byte) []byte {
	first := make([]int16, n.Shape.firstSize())
	roundAll(first, n.Params[:len(first)])
	for _, x := range first {
		b = binary.LittleEndian.AppendUint16(b, uint16(x))
	}
	for bucket := range n.Shape.Buckets {
		layers, _ := n.Shape.layers(bucket)
		for i, l := range layers {
			weights := l.weights(n.Params)
			if i == 0 {
				b = appendRounded8(b, weights, l.out)
			} else {
				b = appendFloats(b, weights)
			}
			b = appendFloats(b, l.biases(n.Params))
		}
	}
	return b
}

// appendRounded8 appends the units of the columns of w, of shape [in, out], and w in these units, 8 bits each.
func appendRounded8(b []byte, w []float32, out int) []byte {
	units := make([]float32, out)
	integers := inUnits[int8](units, w, out, kernel.MaxWeight8)
	b = appendFloats(b, units)
	for _, x := range integers {
		b = append(b, byte(x))
	}
	return b
}

func appendFloats(b []byte, all []float32) []byte {
	for _, x := range all {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// decodeRounded sets the parameters of n to those in data, of roundedSize, and returns the index of the first
// that is not finite, or -1.
func (n *Network) decodeRounded(data []byte) int {
	bad := -1
	floats := func(at int, dst []float32) {
		if i := decodeNumbers(dst, data); i >= 0 && bad < 0 {
			bad = at + i
		}
		data = data[4*len(dst):]
	}
	first := n.Params[:n.Shape.firstSize()]
	for i := range first {
		first[i] = float32(int16(binary.LittleEndian.Uint16(data[2*i:]))) / kernel.One
	}
	data = data[2*len(first):]
	for bucket := range n.Shape.Buckets {
		layers, _ := n.Shape.layers(bucket)
		for i, l := range layers {
			weights := l.weights(n.Params)
			if i == 0 {
				units := make([]float32, l.out)
				floats(l.offset, units)
				for row := range l.in {
					for j, unit := range units {
						weights[row*l.out+j] = float32(int8(data[j])) * unit
					}
					data = data[l.out:]
				}
			} else {
				floats(l.offset, weights)
			}
			floats(l.offset+len(weights), l.biases(n.Params))
		}
	}
	return bad
}
