package bearoff

import (
	"bytes"
	_ "embed" // the default table
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
)

//go:generate go run ./_gen

//go:embed onesided-6x15.kos
var defaultFile []byte

var defaultTable = sync.OnceValue(func() *OneSided {
	o, err := decodeOneSided(defaultFile)
	if err != nil {
		panic(err)
	}
	return o
})

// Default returns the table of 15 checkers on 6 points. It is embedded in the program and
// unpacked by the first call, in a few milliseconds.
func Default() *OneSided { return defaultTable() }

// Errors of the table readers, for one-sided and two-sided files alike.
var (
	// ErrFormat is wrapped when the data is not a table, is cut off or has bytes too many.
	ErrFormat = errors.New("not a bearoff table")
	// ErrVersion is wrapped when the table was written by a newer version of the format.
	ErrVersion = errors.New("unknown version of the bearoff table")
	// ErrChecksum is wrapped when the table does not match its checksum.
	ErrChecksum = errors.New("checksum of the bearoff table does not match")
)

const (
	onesidedMagic   = "kotra-os"
	onesidedVersion = 1
	onesidedHeader  = 24
	tailSize        = 3
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WriteTo writes o as a file:
//
//	offset  size
//	     0     8  "kotra-os"
//	     8     2  version, 1
//	    10     1  points
//	    11     1  checkers
//	    12     4  number of tails a of the distributions of rolls until all checkers are off
//	    16     4  number of tails b of those of rolls until one checker is off
//	    20     4  CRC-32C of everything else
//	    24   2*n  for each of n positions: rolls needed in any case less one; number of tails
//	         3*a  tails, in units of 2^-24: probability of needing more rolls than that, one
//	              more than that, ..., for the positions one after the other
//	         2*n  the same two parts
//	         3*b  for the rolls until one checker is off
//
// Numbers are little-endian.
func (o *OneSided) WriteTo(w io.Writer) (int64, error) {
	data := make([]byte, onesidedHeader, o.fileSize())
	copy(data, onesidedMagic)
	binary.LittleEndian.PutUint16(data[8:], onesidedVersion)
	data[10], data[11] = uint8(o.points), uint8(o.checkers)
	binary.LittleEndian.PutUint32(data[12:], uint32(len(o.all.tails)))
	binary.LittleEndian.PutUint32(data[16:], uint32(len(o.first.tails)))
	data = o.all.encode(data)
	data = o.first.encode(data)
	binary.LittleEndian.PutUint32(data[20:], onesidedChecksum(data))
	n, err := w.Write(data)
	return int64(n), err
}

func (o *OneSided) fileSize() int {
	return onesidedHeader + 4*o.size + tailSize*(len(o.all.tails)+len(o.first.tails))
}

func onesidedChecksum(data []byte) uint32 {
	return crc32.Update(crc32.Checksum(data[:20], castagnoli), castagnoli, data[onesidedHeader:])
}

func (d *distributions) encode(data []byte) []byte {
	for _, r := range d.rows {
		data = append(data, r.certain, r.n)
	}
	for _, t := range d.tails {
		q := uint32(t * fraction)
		data = append(data, byte(q), byte(q>>8), byte(q>>16))
	}
	return data
}

// ReadOneSided reads a table written by [OneSided.WriteTo], to the end of r.
func ReadOneSided(r io.Reader) (*OneSided, error) {
	var head [onesidedHeader]byte
	n, err := io.ReadFull(r, head[:])
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: %d bytes", ErrFormat, n)
	}
	if err != nil {
		return nil, fmt.Errorf("reading bearoff table: %w", err)
	}
	want, err := checkOneSidedHeader(head[:])
	if err != nil {
		return nil, err
	}
	data := bytes.NewBuffer(head[:])
	if _, err := io.Copy(data, io.LimitReader(r, int64(want)-onesidedHeader+1)); err != nil {
		return nil, fmt.Errorf("reading bearoff table: %w", err)
	}
	return decodeOneSided(data.Bytes())
}

// checkOneSidedHeader returns the length of the file that the header announces.
func checkOneSidedHeader(data []byte) (size int, err error) {
	if len(data) < onesidedHeader || string(data[:8]) != onesidedMagic {
		return 0, fmt.Errorf("%w: it does not begin with %q and a header", ErrFormat, onesidedMagic)
	}
	if v := binary.LittleEndian.Uint16(data[8:]); v != onesidedVersion {
		return 0, fmt.Errorf("%w: %d, want %d", ErrVersion, v, onesidedVersion)
	}
	points, checkers := int(data[10]), int(data[11])
	if err := checkSize(points, checkers); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	tails := int(binary.LittleEndian.Uint32(data[12:])) + int(binary.LittleEndian.Uint32(data[16:]))
	return onesidedHeader + 4*int(choose(points+checkers, points)) + tailSize*tails, nil
}

func decodeOneSided(data []byte) (*OneSided, error) {
	want, err := checkOneSidedHeader(data)
	if err != nil {
		return nil, err
	}
	if len(data) != want {
		return nil, fmt.Errorf("%w: %d bytes, want %d", ErrFormat, len(data), want)
	}
	if onesidedChecksum(data) != binary.LittleEndian.Uint32(data[20:]) {
		return nil, ErrChecksum
	}
	o := &OneSided{indexer: newIndexer(int(data[10]), int(data[11]))}
	rest := data[onesidedHeader:]
	if rest, err = o.all.decode(rest, o.size, int(binary.LittleEndian.Uint32(data[12:]))); err != nil {
		return nil, err
	}
	if _, err = o.first.decode(rest, o.size, int(binary.LittleEndian.Uint32(data[16:]))); err != nil {
		return nil, err
	}
	return o, nil
}

// decode reads the distributions of size positions with n tails in all and returns what is left.
func (d *distributions) decode(data []byte, size, n int) (rest []byte, err error) {
	d.rows = make([]row, size)
	at := 0
	for i := range d.rows {
		d.rows[i] = row{start: uint32(at), certain: data[2*i], n: data[2*i+1]}
		at += int(data[2*i+1])
	}
	if at != n {
		return nil, fmt.Errorf("%w: %d tails for the positions, want %d", ErrFormat, at, n)
	}
	d.tails = unpack(data[2*size : 2*size+tailSize*n])
	for i := range d.rows {
		above := float32(1)
		for _, t := range d.of(uint32(i)) {
			if t == 0 || t > above {
				return nil, fmt.Errorf("%w: probabilities of position %d do not fall", ErrFormat, i)
			}
			above = t
		}
	}
	return data[2*size+tailSize*n:], nil
}

func unpack(packed []byte) []float32 {
	tails := make([]float32, len(packed)/tailSize)
	n := 0
	for ; len(packed) > tailSize; n++ { // reading one byte too many is faster
		tails[n] = float32(binary.LittleEndian.Uint32(packed)&(fraction-1)) / fraction
		packed = packed[tailSize:]
	}
	if len(packed) == tailSize {
		last := [4]byte{packed[0], packed[1], packed[2]}
		tails[n] = float32(binary.LittleEndian.Uint32(last[:])) / fraction
	}
	return tails
}
