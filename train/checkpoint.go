package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"kotra/eval/features"
	"kotra/nn"
)

// ErrCheckpoint is returned for a checkpoint that is damaged.
var ErrCheckpoint = errors.New("train: checkpoint is damaged")

// A checkpoint is all that a stage needs to go on where it was.
type checkpoint struct {
	name string

	Net     *nn.Network // being trained
	Average *nn.Network // its running average
	Adam    nn.AdamState
	Games   int64 // games or samples that are done
}

// openCheckpoint reads the checkpoint of a stage from dir, or begins with a new network.
func openCheckpoint(dir, stage string, begin func() *nn.Network) (*checkpoint, error) {
	c := &checkpoint{name: filepath.Join(dir, stage+".checkpoint")}
	all, err := os.ReadFile(c.name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		c.Net = begin()
		c.Net.Meta = nn.Meta{Features: features.Name}
		c.Average = c.Net.Clone()
		n := len(c.Net.Params)
		c.Adam = nn.AdamState{M: make([]float32, n), V: make([]float32, n)}
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	if err := c.decode(all); err != nil {
		return nil, fmt.Errorf("reading %s: %w", c.name, err)
	}
	return c, nil
}

// beginFrom returns a function that makes the network a stage begins with: a copy of net, or
// random parameters if it is nil.
func beginFrom(net *nn.Network, shape nn.Shape, seed uint64) func() *nn.Network {
	return func() *nn.Network {
		if net != nil {
			return net.Clone()
		}
		return nn.New(shape, seed)
	}
}

// save writes c beside its old file and renames it.
func (c *checkpoint) save() error { return writeBeside(c.name, c.encode()) }

// writeBeside writes a file under another name first, so that a kill leaves the old one whole.
func writeBeside(name string, data []byte) error {
	temporary := name + ".tmp"
	f, err := os.Create(temporary)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		_ = f.Close()
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}

type checkpointHeader struct {
	Shape   nn.Shape `json:"shape"`
	Games   int64    `json:"games"`
	Batches int64    `json:"batches"`
}

// encode returns c as bytes: the size of the header in four, the header as JSON, the parameters,
// averages and moments as float32, and the SHA-256 of all that.
func (c *checkpoint) encode() []byte {
	head, err := json.Marshal(checkpointHeader{c.Net.Shape, c.Games, c.Adam.Batches})
	if err != nil {
		panic("train: " + err.Error())
	}
	b := make([]byte, 0, 4+len(head)+16*len(c.Net.Params)+sha256.Size)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = append(b, head...)
	for _, part := range [][]float32{c.Net.Params, c.Average.Params, c.Adam.M, c.Adam.V} {
		for _, x := range part {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

func (c *checkpoint) decode(b []byte) error {
	end := len(b) - sha256.Size
	if end < 4 {
		return fmt.Errorf("%w: too short", ErrCheckpoint)
	}
	if sum := sha256.Sum256(b[:end]); !bytes.Equal(sum[:], b[end:]) {
		return fmt.Errorf("%w: checksum does not match", ErrCheckpoint)
	}
	size := int(binary.LittleEndian.Uint32(b))
	if 4+size > end {
		return fmt.Errorf("%w: header", ErrCheckpoint)
	}
	var h checkpointHeader
	if err := json.Unmarshal(b[4:4+size], &h); err != nil {
		return fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	if err := h.Shape.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	n := h.Shape.Parameters()
	payload := b[4+size : end]
	if len(payload) != 16*n {
		return fmt.Errorf("%w: size", ErrCheckpoint)
	}
	floats := func() []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = math.Float32frombits(binary.LittleEndian.Uint32(payload[4*i:]))
		}
		payload = payload[4*n:]
		return x
	}
	meta := nn.Meta{Features: features.Name}
	c.Net = &nn.Network{Shape: h.Shape, Params: floats(), Meta: meta}
	c.Average = &nn.Network{Shape: h.Shape, Params: floats(), Meta: meta}
	c.Adam = nn.AdamState{Batches: h.Batches, M: floats(), V: floats()}
	c.Games = h.Games
	return nil
}
