package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"kotra/bg"
	"kotra/eval/features"
	"kotra/nn"
)

// A Record is a position with what its probabilities should be, for the player on roll.
type Record struct {
	Position bg.Position
	Target   bg.Probs
}

// recordSize is the size of a record in a shard: 26 bytes hold the counts of the 52 places, two
// in a byte, the first in the low half; then come five probabilities in units of 1/65535.
const recordSize = features.Slots/2 + 2*nn.Outputs

func appendRecord(b []byte, r *Record) []byte {
	counts := features.Counts(&r.Position)
	for i := 0; i < len(counts); i += 2 {
		b = append(b, counts[i]|counts[i+1]<<4)
	}
	for _, x := range outputs(r.Target) {
		b = binary.LittleEndian.AppendUint16(b, uint16(math.RoundToEven(float64(x)*math.MaxUint16)))
	}
	return b
}

func decodeRecord(b []byte) (r Record) {
	counts := features.Counts(&r.Position)
	for i, x := range b[:features.Slots/2] {
		counts[2*i], counts[2*i+1] = x&15, x>>4
	}
	var o [nn.Outputs]float32
	for j := range o {
		o[j] = float32(binary.LittleEndian.Uint16(b[features.Slots/2+2*j:])) / math.MaxUint16
	}
	r.Target = probsOf(o)
	return r
}

// decodeSample reads a record as a sample for a network with the given number of buckets.
func decodeSample(s *nn.Sample, b []byte, buckets int) {
	r := decodeRecord(b)
	s.Counts = *features.Counts(&r.Position)
	s.Bucket = uint8(features.BucketOf(&r.Position, buckets))
	s.Target = outputs(r.Target)
}

// Errors of shards that cannot be read.
var (
	ErrShard         = errors.New("train: not a shard of labels, or one that is damaged")
	ErrShardChecksum = errors.New("train: checksum of the shard does not match")
)

// shardFeatures names what a record holds of a position: the board, whatever the buckets, which
// the names in older shards go on to tell.
const shardFeatures = "counts52"

const (
	shardMagic   = "KOTRADS\n"
	shardVersion = 1
)

// A ShardHeader tells where the records of a shard come from.
type ShardHeader struct {
	Features  string  `json:"features"`
	Records   int     `json:"records"`
	FirstGame int64   `json:"first_game"`
	Games     int     `json:"games"`
	Seed      uint64  `json:"seed"`
	Lambda    float64 `json:"lambda"`
	Network   string  `json:"network"` // SHA-256 of the networks that played and labeled, a space between
}

// encodeShard returns a shard as bytes: magic, version and size of the header in four bytes each,
// the header as JSON, the records, and the SHA-256 of all that.
func encodeShard(h ShardHeader, records []byte) []byte {
	h.Features, h.Records = shardFeatures, len(records)/recordSize
	head, err := json.Marshal(h)
	if err != nil {
		panic("train: " + err.Error())
	}
	b := make([]byte, 0, 16+len(head)+len(records)+sha256.Size)
	b = append(b, shardMagic...)
	b = binary.LittleEndian.AppendUint32(b, shardVersion)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = append(b, head...)
	b = append(b, records...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// decodeShard returns the header and the records of a shard, which share memory with b.
func decodeShard(b []byte) (ShardHeader, []byte, error) {
	var h ShardHeader
	end := len(b) - sha256.Size
	if end < 16 || string(b[:8]) != shardMagic {
		return h, nil, ErrShard
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v != shardVersion {
		return h, nil, fmt.Errorf("%w: version %d, want %d", ErrShard, v, shardVersion)
	}
	if sum := sha256.Sum256(b[:end]); !bytes.Equal(sum[:], b[end:]) {
		return h, nil, ErrShardChecksum
	}
	size := int(binary.LittleEndian.Uint32(b[12:]))
	if size > end-16 {
		return h, nil, fmt.Errorf("%w: header", ErrShard)
	}
	if err := json.Unmarshal(b[16:16+size], &h); err != nil {
		return h, nil, fmt.Errorf("%w: %w", ErrShard, err)
	}
	if !strings.HasPrefix(h.Features, shardFeatures) {
		return h, nil, fmt.Errorf("%w: features %q, want %q", ErrShard, h.Features, shardFeatures)
	}
	records := b[16+size : end]
	if len(records) != h.Records*recordSize {
		return h, nil, fmt.Errorf("%w: size", ErrShard)
	}
	return h, records, nil
}

// shardName returns the name of shard i in dir.
func shardName(dir string, i int) string { return filepath.Join(dir, fmt.Sprintf("%06d.labels", i)) }

// ReadShard reads the records of the named shard.
func ReadShard(name string) (ShardHeader, []Record, error) {
	h, raw, err := readShard(name)
	if err != nil {
		return h, nil, err
	}
	records := make([]Record, 0, h.Records)
	for ; len(raw) > 0; raw = raw[recordSize:] {
		records = append(records, decodeRecord(raw))
	}
	return h, records, nil
}

func readShard(name string) (ShardHeader, []byte, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return ShardHeader{}, nil, err
	}
	h, raw, err := decodeShard(b)
	if err != nil {
		return h, nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return h, raw, nil
}

// Shards returns the names of the shards in the given folders, in order.
func Shards(dirs ...string) ([]string, error) {
	var all []string
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join(dir, "*.labels"))
		if err != nil {
			return nil, err
		}
		sort.Strings(names)
		all = append(all, names...)
	}
	return all, nil
}
