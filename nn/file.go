package nn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"kotra/internal/whole"
)

// Meta tells what a network was made for and how.
type Meta struct {
	Features string  `json:"features"` // name and version of the encoding of positions
	Run      string  `json:"run,omitempty"`
	Date     string  `json:"date,omitempty"`
	Games    int64   `json:"games,omitempty"`
	Labels   int64   `json:"labels,omitempty"`
	Seed     uint64  `json:"seed,omitempty"`
	CPUHours float64 `json:"cpu_hours,omitempty"`
	Parent   string  `json:"parent,omitempty"` // first 12 hex digits of the parent's SHA-256
}

// Errors of Read, in the order in which it checks.
var (
	ErrMagic    = errors.New("nn: not a network file")
	ErrVersion  = errors.New("nn: network file of a version that is not supported")
	ErrHeader   = errors.New("nn: header of the network file is damaged")
	ErrSize     = errors.New("nn: network file is too short or too long")
	ErrChecksum = errors.New("nn: checksum does not match")
	ErrNumber   = errors.New("nn: network has a parameter that is not a finite number")
)

const (
	magic     = "KOTRANN\n"
	maxHeader = 1 << 16
)

// The versions of the format.
const (
	plainVersion   = 1
	roundedVersion = 2
)

type header struct {
	Shape       Shape    `json:"shape"`
	Activations []string `json:"activations"`
	Meta        Meta     `json:"meta"`
}

var activations = []string{"clip(x,0,1)^2", "clip(x,0,8)", "logistic"}

// Write writes n as a network file, little-endian:
//
//	offset  size  content
//	0       8     "KOTRANN\n"
//	8       4     format version: 1, or 2 for a rounded network
//	12      4     size h of the header
//	16      h     header, JSON: shape, activations, meta
//	16+h    4*p   the p parameters, float32
//	...     32    SHA-256 of everything before
//
// In version 2 the parameters of the first layer are int16, in units of 1/2048. Of each bucket's lowest dense
// layer there is a unit for each output, float32, and then the weights, int8, in these units. All others are float32.
func (n *Network) Write(w io.Writer) error {
	head, err := json.Marshal(header{n.Shape, activations, n.Meta})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString(magic)
	version, numbers := uint32(plainVersion), []byte(nil)
	if n.Rounded {
		version, numbers = roundedVersion, n.appendRounded(nil)
	} else {
		numbers = appendFloats(nil, n.Params)
	}
	b.Write(binary.LittleEndian.AppendUint32(nil, version))
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(head))))
	b.Write(head)
	b.Write(numbers)
	sum := sha256.Sum256(b.Bytes())
	b.Write(sum[:])
	_, err = w.Write(b.Bytes())
	return err
}

// Read reads what Write wrote. It checks, in this order, magic, version, header, size, checksum
// and that every parameter is finite, and returns the error named after the first that fails.
func Read(r io.Reader) (*Network, error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return Decode(all)
}

// Decode is Read from memory.
func Decode(all []byte) (*Network, error) {
	if len(all) < 16 || string(all[:8]) != magic {
		return nil, ErrMagic
	}
	version := binary.LittleEndian.Uint32(all[8:])
	if version != plainVersion && version != roundedVersion {
		return nil, fmt.Errorf("%w: %d, want %d or %d", ErrVersion, version, plainVersion, roundedVersion)
	}
	size := int(binary.LittleEndian.Uint32(all[12:]))
	if size > maxHeader || 16+size > len(all) {
		return nil, fmt.Errorf("%w: its size is %d", ErrHeader, size)
	}
	var h header
	if err := json.Unmarshal(all[16:16+size], &h); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrHeader, err)
	}
	if err := h.Shape.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrHeader, err)
	}
	payload := all[16+size:]
	numbers := 4 * h.Shape.Parameters()
	if version == roundedVersion {
		numbers = h.Shape.roundedSize()
	}
	if want := numbers + sha256.Size; len(payload) != want {
		return nil, fmt.Errorf("%w: %d bytes after the header, want %d", ErrSize, len(payload), want)
	}
	end := len(all) - sha256.Size
	sum := make(chan [sha256.Size]byte)
	go func() { sum <- sha256.Sum256(all[:end]) }()
	n := &Network{
		Shape: h.Shape, Meta: h.Meta, Rounded: version == roundedVersion,
		Params: make([]float32, h.Shape.Parameters()),
	}
	var bad int
	if n.Rounded {
		bad = n.decodeRounded(payload)
	} else {
		bad = decodeNumbers(n.Params, payload)
	}
	if s := <-sum; !bytes.Equal(s[:], all[end:]) {
		return nil, ErrChecksum
	}
	if bad >= 0 {
		return nil, fmt.Errorf("%w: number %d", ErrNumber, bad)
	}
	return n, nil
}

// decodeNumbers sets dst to the numbers in data, and returns the index of the first that is not
// finite, or -1.
func decodeNumbers(dst []float32, data []byte) int {
	bad := -1
	data = data[:4*len(dst)]
	for i := range dst {
		x := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		dst[i] = x
		if x-x != 0 && bad < 0 {
			bad = i
		}
	}
	return bad
}

// ReadFile reads the network file with the given name.
func ReadFile(name string) (*Network, error) {
	all, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	n, err := Decode(all)
	if err != nil {
		return nil, fmt.Errorf("reading network %s: %w", name, err)
	}
	return n, nil
}

// WriteFile writes n to the named file, as a whole or not at all.
func (n *Network) WriteFile(name string) error {
	if err := whole.File(name, n.Write); err != nil {
		return fmt.Errorf("writing network %s: %w", name, err)
	}
	return nil
}

// Checksum returns the SHA-256 of n as a file, in hex digits.
func (n *Network) Checksum() string {
	var b bytes.Buffer
	_ = n.Write(&b) // a Buffer does not fail
	all := b.Bytes()
	return fmt.Sprintf("%x", all[len(all)-sha256.Size:])
}
