package hyper

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"kotra/bg"
	"kotra/internal/mapped"
)

var (
	// ErrFormat is returned for what is not a table of Hypergammon.
	ErrFormat = errors.New("not a hypergammon table")
	// ErrChecksum is returned for a table that is damaged.
	ErrChecksum = errors.New("hypergammon table is damaged: its checksum does not match")
)

// FileName is the name of a table file in the folder of tables, see [kotra/eval/bearoff.Folder].
//
// A table file begins with a header, followed by a cell for each pair of positions of the two sides:
//
//	offset  size
//	     0     8  "kotra-hg"
//	     8     4  version, 1
//	    12     4  CRC-32C of the cells
//	    16        cells of 18 bytes: position i on roll and j waiting is number 3276*i + j
//
// A cell has nine numbers of 16 bits: the chances to win, win a gammon, win a backgammon, lose a
// gammon and lose a backgammon, without sign, in units of 1/65535; and the equities with the cube
// owned, centered, centered with the Jacoby rule, and at the opponent, with sign, in units of 3/32767
// points, as in [Values]. Positions of a side are numbered by pip count, those of the same count by
// the highest checker and so on. Numbers are little-endian; pairs that cannot be are zero.
const FileName = "hypergammon-v1.khg"

// FileSize is the length of a table file in bytes.
const FileSize = headerSize + sides*sides*cellSize

const (
	magic      = "kotra-hg"
	version    = 1
	headerSize = 16
	cellSize   = 18
)

const (
	chanceUnit = 1. / 65535
	equityUnit = 3. / 32767
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Table has the values of all positions of Hypergammon. It is immutable and safe for concurrent use
// until it is closed.
type Table struct {
	data    []byte
	release func() error
}

// Values are the values of a position for the player on roll, who has not rolled, within 0.00005.
type Values struct {
	// Probs are the chances if nobody doubles and both play for the best cubeless equity for money.
	Probs bg.Probs
	// Equities for a cube of 1 if the player on roll does not double on this turn, by who owns the
	// cube. Jacoby is for a centered cube with the Jacoby rule. Beavers are not counted.
	Owned, Centered, Jacoby, Opponent bg.Equity
}

// NoDouble returns the equity if the player on roll does not double on this turn.
func (v *Values) NoDouble(owner bg.Owner, jacoby bool) bg.Equity {
	switch {
	case owner == bg.OnRoll:
		return v.Owned
	case owner == bg.Opponent:
		return v.Opponent
	case jacoby:
		return v.Jacoby
	}
	return v.Centered
}

// DoubleTake returns the equity after a double or redouble that is taken, still in units of the cube
// before it. A pass is worth 1.
func (v *Values) DoubleTake() bg.Equity { return 2 * v.Opponent }

// Best returns the equity when the player on roll doubles if that is best.
func (v *Values) Best(owner bg.Owner, jacoby bool) bg.Equity {
	if owner == bg.Opponent {
		return v.Opponent
	}
	return max(v.NoDouble(owner, jacoby), min(v.DoubleTake(), 1))
}

// Lookup returns the values of pos and whether the table has it: both sides have three checkers in
// all, and the game is not over. It does not allocate.
func (t *Table) Lookup(pos *bg.Position) (v Values, ok bool) {
	mine, ok := numberOf(&pos.OnRoll)
	if !ok || mine == 0 {
		return v, false
	}
	theirs, ok := numberOf(&pos.Opponent)
	if !ok || theirs == 0 {
		return v, false
	}
	c := t.data[headerSize+cellSize*(sides*mine+theirs):][:cellSize]
	chance := func(i int) float32 { return float32(binary.LittleEndian.Uint16(c[2*i:])) * chanceUnit }
	equity := func(i int) bg.Equity { return bg.Equity(int16(binary.LittleEndian.Uint16(c[2*i:]))) * equityUnit }
	v.Probs = bg.Probs{
		Win: chance(0), WinGammon: chance(1), WinBackgammon: chance(2),
		LoseGammon: chance(3), LoseBackgammon: chance(4),
	}
	v.Owned, v.Centered, v.Jacoby, v.Opponent = equity(5), equity(6), equity(7), equity(8)
	return v, true
}

// encode writes a cell of a file.
func encode(dst []byte, c *cell, g *gammons) {
	win := (c.equity + 1 - g.winGammon - g.winBackgammon + g.loseGammon + g.loseBackgammon) / 2
	for i, x := range [...]float32{win, g.winGammon, g.winBackgammon, g.loseGammon, g.loseBackgammon} {
		n := math.Round(float64(min(max(x, 0), 1)) / chanceUnit)
		binary.LittleEndian.PutUint16(dst[2*i:], uint16(n))
	}
	for i, x := range [...]float32{c.owned, c.centered, c.jacoby, c.opponent} {
		n := math.Round(float64(x) / equityUnit)
		binary.LittleEndian.PutUint16(dst[2*(5+i):], uint16(int16(n)))
	}
}

// header writes the header of a complete file.
func header(data []byte) {
	copy(data, magic)
	binary.LittleEndian.PutUint32(data[8:], version)
	binary.LittleEndian.PutUint32(data[12:], crc32.Checksum(data[headerSize:], castagnoli))
}

// WriteTo writes t as a file, which [Open] reads.
func (t *Table) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(t.data)
	return int64(n), err
}

// Open opens a table file, which must not change while it is open. Where the system can, it is
// mapped into memory and read as positions are looked up. The cells are not checked: see
// [Table.Verify].
func Open(path string) (*Table, error) {
	data, release, err := mapped.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening hypergammon table: %w", err)
	}
	if len(data) != FileSize || !bytes.HasPrefix(data, []byte(magic)) ||
		binary.LittleEndian.Uint32(data[8:]) != version {
		return nil, errors.Join(fmt.Errorf("opening hypergammon table %s: %w", path, ErrFormat), release())
	}
	return &Table{data: data, release: release}, nil
}

// Verify reads the whole table and returns [ErrChecksum] if it is damaged.
func (t *Table) Verify() error {
	if crc32.Checksum(t.data[headerSize:], castagnoli) != binary.LittleEndian.Uint32(t.data[12:]) {
		return ErrChecksum
	}
	return nil
}

// Close releases the file of a table that was opened. The table must not be used after it.
func (t *Table) Close() error {
	t.data = nil
	if t.release == nil {
		return nil
	}
	release := t.release
	t.release = nil
	return release()
}

// Evaluator judges positions by the table, and by Other what the table does not have: finished games
// and those of other variants.
type Evaluator struct {
	Table *Table
	Other interface {
		Evaluate(pos *bg.Position) bg.Probs
	}
}

// Evaluate returns the chances of how the game ends from pos, for the player on roll.
func (e Evaluator) Evaluate(pos *bg.Position) bg.Probs {
	if v, ok := e.Table.Lookup(pos); ok {
		return v.Probs
	}
	return e.Other.Evaluate(pos)
}
