package bearoff

import (
	"encoding/binary"

	"kotra/bg"
)

// A TwoSided is a table of equities for every pair of positions of up to [TwoSided.Checkers]
// checkers a side on the lowest [TwoSided.Points] points, exact for money play.
//
// Each side has borne off a checker, so that the game cannot end in a gammon, and with it the
// Jacoby rule does not matter. Beavers are not counted. A TwoSided is immutable and safe for
// concurrent use until it is closed.
type TwoSided struct {
	indexer
	cells   []byte // see cellAt
	release func() error
	sum     uint32 // CRC-32C that cells should have
}

// Equities are the values of a position for the player on roll, in points on a cube of 1, by
// who owns the cube. After this turn both sides turn the cube and move so that it is best for
// them.
type Equities struct {
	Cubeless bg.Equity // nobody ever doubles
	Owned    bg.Equity // the player on roll owns the cube and does not double this turn
	Centered bg.Equity // the cube is centered and the player on roll does not double this turn
	Opponent bg.Equity // the opponent owns the cube
}

// Win returns the probability that the player on roll wins if nobody doubles.
func (e *Equities) Win() float64 { return float64(1+e.Cubeless) / 2 }

// DoubleTake returns the equity after a double or redouble that is taken, still in units of the
// cube before it. A pass is worth 1.
func (e *Equities) DoubleTake() bg.Equity { return 2 * e.Opponent }

// Best returns the equity under the given owner of the cube when the player on roll doubles if
// that is best.
func (e *Equities) Best(owner bg.Owner) bg.Equity {
	switch owner {
	case bg.OnRoll:
		return max(e.Owned, min(e.DoubleTake(), 1))
	case bg.Opponent:
		return e.Opponent
	}
	return max(e.Centered, min(e.DoubleTake(), 1))
}

// Points returns the number of points of the table.
func (t *TwoSided) Points() int { return t.points }

// Checkers returns the largest number of checkers in play of one side.
func (t *TwoSided) Checkers() int { return t.checkers }

// Positions returns the number of positions of one side, the one without a checker included. The
// table has its square.
func (t *TwoSided) Positions() int { return t.size }

// Lookup returns the equities of pos and whether the table has it: both sides have checkers in
// play and off, and none beyond the points of the table. It does not allocate.
func (t *TwoSided) Lookup(pos *bg.Position) (eq Equities, ok bool) {
	if pos.OnRoll[bg.Off] == 0 || pos.Opponent[bg.Off] == 0 {
		return eq, false
	}
	mine, ok := t.index(&pos.OnRoll)
	if !ok {
		return eq, false
	}
	theirs, ok := t.index(&pos.Opponent)
	if !ok || mine == 0 || theirs == 0 {
		return eq, false
	}
	at := cellSize * cellAt(int(mine), int(theirs))
	c := t.cells[at : at+cellSize]
	return Equities{
		Cubeless: equity(c[0:]),
		Owned:    equity(c[4:]),
		Centered: equity(c[8:]),
		Opponent: equity(c[12:]),
	}, true
}

// Close releases the file of a table that was opened. The table must not be used after it.
func (t *TwoSided) Close() error {
	t.cells = nil
	if t.release == nil {
		return nil
	}
	release := t.release
	t.release = nil
	return release()
}

const (
	cellSize = 16
	// point is the unit of equities: as whole numbers they are the same on every processor, and
	// their rounding error is far below that of float32.
	point = 1 << 30
)

// cellAt returns where the pair of positions is, mine on roll. Pairs are in shells: shell m has
// those where the higher number is m, first those with m on roll, then those with m waiting.
// So a table of fewer checkers is the beginning of a larger one, and one under construction
// grows at its end.
func cellAt(mine, theirs int) int {
	if mine > theirs {
		return mine*mine + theirs
	}
	return theirs*theirs + theirs + mine
}

func equity(b []byte) bg.Equity {
	return bg.Equity(int32(binary.LittleEndian.Uint32(b))) / point
}
