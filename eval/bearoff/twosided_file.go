package bearoff

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"time"

	"kotra/internal/mapped"
)

// ErrIncomplete is wrapped when a two-sided table is still under construction.
var ErrIncomplete = errors.New("bearoff table is not complete")

const (
	twosidedMagic   = "kotra-ts"
	twosidedVersion = 1
	twosidedHeader  = 32
)

// A fileHeader begins a file of a two-sided table:
//
//	offset  size
//	     0     8  "kotra-ts"
//	     8     2  version, 1
//	    10     1  points
//	    11     1  checkers
//	    12     4  shells m that are there, of n for n positions of a side
//	    16     4  CRC-32C of the cells of those shells
//	    20     4  CRC-32C of the bytes before
//	    24     8  zero
//	    32  16*m² cells
//
// A cell has four numbers of 32 bits, in units of 2^-30 points: cubeless, owned, centered and
// opponent as in [Equities]. The pair of position i on roll and j waiting is at i*i+j if i > j, else
// at j*j+j+i; positions are numbered by the combinatorial number system, those with fewer checkers
// first. Numbers are little-endian.
type fileHeader struct {
	points, checkers int
	shells           int
	sum              uint32
}

func (h *fileHeader) encode() []byte {
	data := make([]byte, twosidedHeader)
	copy(data, twosidedMagic)
	binary.LittleEndian.PutUint16(data[8:], twosidedVersion)
	data[10], data[11] = uint8(h.points), uint8(h.checkers)
	binary.LittleEndian.PutUint32(data[12:], uint32(h.shells))
	binary.LittleEndian.PutUint32(data[16:], h.sum)
	binary.LittleEndian.PutUint32(data[20:], crc32.Checksum(data[:20], castagnoli))
	return data
}

func decodeHeader(data []byte) (h fileHeader, err error) {
	if len(data) < twosidedHeader || string(data[:8]) != twosidedMagic {
		return h, fmt.Errorf("%w: it does not begin with %q and a header", ErrFormat, twosidedMagic)
	}
	if v := binary.LittleEndian.Uint16(data[8:]); v != twosidedVersion {
		return h, fmt.Errorf("%w: %d, want %d", ErrVersion, v, twosidedVersion)
	}
	if crc32.Checksum(data[:20], castagnoli) != binary.LittleEndian.Uint32(data[20:]) {
		return h, fmt.Errorf("%w, in its header", ErrChecksum)
	}
	if !bytes.Equal(data[24:twosidedHeader], make([]byte, 8)) {
		return h, fmt.Errorf("%w: reserved bytes are used", ErrFormat)
	}
	h = fileHeader{
		points:   int(data[10]),
		checkers: int(data[11]),
		shells:   int(binary.LittleEndian.Uint32(data[12:])),
		sum:      binary.LittleEndian.Uint32(data[16:]),
	}
	if err := checkTwoSidedSize(h.points, h.checkers); err != nil {
		return h, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if h.shells > h.size() {
		return h, fmt.Errorf("%w: %d shells of %d", ErrFormat, h.shells, h.size())
	}
	return h, nil
}

func (h *fileHeader) size() int { return int(choose(h.points+h.checkers, h.points)) }

// bytes returns the length of the cells that are there.
func (h *fileHeader) bytes() int64 { return cellSize * int64(h.shells) * int64(h.shells) }

// WriteTo writes t as a file, which [OpenTwoSided] and [DecodeTwoSided] read.
func (t *TwoSided) WriteTo(w io.Writer) (int64, error) {
	h := fileHeader{t.points, t.checkers, t.size, t.sum}
	n, err := w.Write(h.encode())
	if err != nil {
		return int64(n), err
	}
	m, err := w.Write(t.cells)
	return int64(n) + int64(m), err
}

// OpenTwoSided opens a complete table file. Where the system can, the file is mapped into memory
// and read as positions are looked up; it must not change while it is open. Only the header and
// the length are checked: see [TwoSided.Verify].
func OpenTwoSided(path string) (*TwoSided, error) {
	data, release, err := mapped.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening bearoff table: %w", err)
	}
	t, err := DecodeTwoSided(data)
	if err != nil {
		return nil, fmt.Errorf("opening bearoff table %s: %w", path, errors.Join(err, release()))
	}
	t.release = release
	return t, nil
}

// DecodeTwoSided returns the table whose file is data, which it keeps. The cells are not checked:
// see [TwoSided.Verify].
func DecodeTwoSided(data []byte) (*TwoSided, error) {
	h, err := decodeHeader(data)
	if err != nil {
		return nil, err
	}
	if h.shells < h.size() {
		return nil, fmt.Errorf("%w: %d of %d positions are done", ErrIncomplete, h.shells, h.size())
	}
	if got := int64(len(data)) - twosidedHeader; got != h.bytes() {
		return nil, fmt.Errorf("%w: %d bytes of cells, want %d", ErrFormat, got, h.bytes())
	}
	return &TwoSided{indexer: newIndexer(h.points, h.checkers), cells: data[twosidedHeader:], sum: h.sum}, nil
}

// Verify reads the whole table and returns an error that wraps [ErrChecksum] if it is damaged.
func (t *TwoSided) Verify() error {
	if crc32.Checksum(t.cells, castagnoli) != t.sum {
		return ErrChecksum
	}
	return nil
}

// BuildTwoSidedFile builds a table as [BuildTwoSided] does and leaves it in the named file. While
// it works the file has ".partial" added to its name; if such a file of the same size is there,
// left by a build that was stopped, it goes on from that. A finished file at path is replaced
// only in the end, all at once.
func BuildTwoSidedFile(ctx context.Context, path string, points, checkers, threads int, progress func(done float64)) error {
	b, err := newTwoSidedBuilder(points, checkers, threads)
	if err != nil {
		return err
	}
	if err := b.runFile(ctx, path, progress); err != nil {
		return fmt.Errorf("building bearoff table %s: %w", path, err)
	}
	return nil
}

func (b *twosidedBuilder) runFile(ctx context.Context, path string, progress func(float64)) error {
	f, err := b.openPartial(path + ".partial")
	if err != nil {
		return err
	}
	runErr := b.run(ctx, progress, f.append)
	if err := errors.Join(runErr, f.checkpoint(b.done), f.file.Close()); err != nil {
		return err
	}
	return os.Rename(path+".partial", path)
}

// A partialFile is a table under construction. Its header tells of the shells up to the last
// checkpoint; what follows those is ignored.
type partialFile struct {
	file   *os.File
	out    *bufio.Writer
	header fileHeader
	sum    uint32 // of the cells written so far
	saved  time.Time
}

// openPartial opens or creates the file and takes over the shells that are in it.
func (b *twosidedBuilder) openPartial(path string) (*partialFile, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	f := &partialFile{file: file, header: fileHeader{points: b.points, checkers: b.checkers}, saved: time.Now()}
	if h, cells, err := readPartial(file); err == nil && h.points == b.points && h.checkers == b.checkers {
		b.resume(cells)
		f.header, f.sum = h, h.sum
	}
	start := twosidedHeader + f.header.bytes()
	if err := errors.Join(file.Truncate(start), f.writeHeader()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f.out = bufio.NewWriterSize(io.NewOffsetWriter(file, start), 1<<20)
	return f, nil
}

// readPartial returns the shells up to the last checkpoint, or an error if they are not as they
// were then.
func readPartial(file *os.File) (h fileHeader, cells []byte, err error) {
	head := make([]byte, twosidedHeader)
	if _, err := file.ReadAt(head, 0); err != nil {
		return h, nil, err
	}
	if h, err = decodeHeader(head); err != nil {
		return h, nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return h, nil, err
	}
	if info.Size() < twosidedHeader+h.bytes() {
		return h, nil, ErrFormat
	}
	cells = make([]byte, h.bytes())
	if _, err := file.ReadAt(cells, twosidedHeader); err != nil {
		return h, nil, err
	}
	if crc32.Checksum(cells, castagnoli) != h.sum {
		return h, nil, ErrChecksum
	}
	return h, cells, nil
}

// append writes the next shell, and now and then a checkpoint.
func (f *partialFile) append(shell []byte) error {
	if _, err := f.out.Write(shell); err != nil {
		return err
	}
	f.sum = crc32.Update(f.sum, castagnoli, shell)
	const interval = 10 * time.Second
	if time.Since(f.saved) < interval {
		return nil
	}
	shells := len(shell)/cellSize/2 + 1 // shell m has 2m+1 cells
	return f.checkpoint(shells)
}

// checkpoint makes the shells written so far safe.
func (f *partialFile) checkpoint(shells int) error {
	if err := errors.Join(f.out.Flush(), f.file.Sync()); err != nil {
		return err
	}
	f.header.shells, f.header.sum = shells, f.sum
	f.saved = time.Now()
	return errors.Join(f.writeHeader(), f.file.Sync())
}

func (f *partialFile) writeHeader() error {
	_, err := f.file.WriteAt(f.header.encode(), 0)
	return err
}

// Sizes of the default two-sided table.
const (
	DefaultPoints   = 6
	DefaultCheckers = 6
)

// TwoSidedDefault returns the table of 6 checkers on 6 points. It opens its file in dir, or, if
// dir is empty, in the folder kotra of [os.UserCacheDir]. If there is none or it is damaged,
// the table is built, which takes a second or two, and left there; if that is not possible it
// stays in memory only. The error is that of ctx.
func TwoSidedDefault(ctx context.Context, dir string) (*TwoSided, error) {
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return BuildTwoSided(ctx, DefaultPoints, DefaultCheckers, 0, nil)
		}
		dir = filepath.Join(cache, "kotra")
	}
	return twosidedIn(ctx, dir, DefaultPoints, DefaultCheckers)
}

func twosidedIn(ctx context.Context, dir string, points, checkers int) (*TwoSided, error) {
	path := filepath.Join(dir, fileName(points, checkers))
	if t, err := openVerified(path); err == nil && t.points == points && t.checkers == checkers {
		return t, nil
	} else if err == nil {
		_ = t.Close() // it is replaced
	}
	t, err := BuildTwoSided(ctx, points, checkers, 0, nil)
	if err != nil {
		return nil, err
	}
	_ = save(path, t) // the next one builds it again
	return t, nil
}

func openVerified(path string) (*TwoSided, error) {
	t, err := OpenTwoSided(path)
	if err != nil {
		return nil, err
	}
	if err := t.Verify(); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}
