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

	Shape nn.Shape
	State nn.TrainerState
	Done  int64 // games or samples
}

// parentBucket returns which bucket of a network a bucket of the one that it grows into stands
// for.
func parentBucket(from, to nn.Shape) func(bucket int) int {
	if from.Buckets == features.CoarseBuckets && to.Buckets == features.Buckets {
		return features.CoarseBucket
	}
	return func(bucket int) int { return min(bucket, from.Buckets-1) }
}

// openTrainer returns the trainer of a stage: as its checkpoint in dir has it, or beginning with
// net, grown to shape if it is smaller, or with random parameters if net is nil.
func openTrainer(dir, stage string, net *nn.Network, shape nn.Shape, seed uint64, o nn.TrainerOptions) (*nn.Trainer, *checkpoint, error) {
	c := &checkpoint{name: filepath.Join(dir, stage+".checkpoint")}
	all, err := os.ReadFile(c.name)
	switch {
	case err == nil:
		if err := c.decode(all); err != nil {
			return nil, nil, fmt.Errorf("reading %s: %w", c.name, err)
		}
		net = &nn.Network{Shape: c.Shape, Params: make([]float32, c.Shape.Parameters())}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, nil, err
	default:
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, nil, err
		}
		switch {
		case net == nil:
			net = nn.New(shape, seed)
		case shape.Width == 0 || sameShape(net, shape):
			net = net.Clone()
		default:
			if net, err = net.Grow(shape, parentBucket(net.Shape, shape), seed); err != nil {
				return nil, nil, err
			}
		}
	}
	net.Meta = nn.Meta{Features: features.Name(net.Shape.Buckets)}
	trainer := nn.NewTrainer(net, o)
	if all != nil {
		trainer.State = c.State
	}
	c.Shape = net.Shape
	return trainer, c, nil
}

// save writes what t has come to, beside the old file, and renames it.
func (c *checkpoint) save(t *nn.Trainer) error {
	c.State = t.State
	return writeBeside(c.name, c.encode())
}

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
	Done    int64    `json:"done"`
	Batches int64    `json:"batches"`
}

// encode returns c as bytes: the size of the header in four, the header as JSON, the parameters,
// averages and moments as float32, and the SHA-256 of all that.
func (c *checkpoint) encode() []byte {
	head, err := json.Marshal(checkpointHeader{c.Shape, c.Done, c.State.Batches})
	if err != nil {
		panic("train: " + err.Error())
	}
	b := make([]byte, 0, 4+len(head)+16*len(c.State.Params)+sha256.Size)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = append(b, head...)
	for _, part := range [][]float32{c.State.Params, c.State.Average, c.State.M, c.State.V} {
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
	c.Shape, c.Done = h.Shape, h.Done
	c.State = nn.TrainerState{Batches: h.Batches, Params: floats(), Average: floats(), M: floats(), V: floats()}
	return nil
}
