// Package features turns positions into what networks take as input.
//
// The only encoding so far is [Counts] with [Bucket]: the raw board, one count for each place of
// each side, and a bucket that chooses the upper layers of the network.
package features

import (
	"encoding/binary"
	"unsafe"

	"kotra/bg"
)

// Name is the name and version of the encoding. It stands in network files, and changes whenever
// Counts or Bucket do.
const Name = "counts52-bucket4/1"

// Slots is the number of counts: the 26 places of the player on roll from his view, then those
// of the opponent from his.
const Slots = 52

// Buckets is the number of buckets.
const Buckets = 4

// The buckets.
const (
	RaceBucket    = iota // no contact
	CrashedBucket        // a side has at most six useful checkers
	BackBucket           // a side has three or more checkers back
	ContactBucket        // the rest
)

// Counts returns the counts of pos. The result shares memory with pos: no copy is made.
func Counts(pos *bg.Position) *[Slots]uint8 {
	return (*[Slots]uint8)(unsafe.Pointer(pos))
}

// A Position must be exactly its counts.
var _ = [1]struct{}{}[unsafe.Sizeof(bg.Position{})-Slots]

// Bucket returns the bucket of pos, below [Buckets].
func Bucket(pos *bg.Position) int {
	switch {
	case !pos.Contact():
		return RaceBucket
	case Crashed(pos):
		return CrashedBucket
	case back(&pos.OnRoll) >= 3 || back(&pos.Opponent) >= 3:
		return BackBucket
	}
	return ContactBucket
}

// usefulWhenCrashed is the largest number of useful checkers of a crashed side. The number is
// that of GNU Backgammon's class of the same name; which checkers count is our own rule.
const usefulWhenCrashed = 6

// Crashed reports whether one of the sides has at most six useful checkers: checkers that are
// neither borne off nor buried on its ace and deuce points. Such a side cannot hold a board or
// wait for a shot any longer. Every position of Hypergammon is crashed by this rule.
func Crashed(pos *bg.Position) bool {
	return useful(&pos.OnRoll) <= usefulWhenCrashed || useful(&pos.Opponent) <= usefulWhenCrashed
}

// useful counts the checkers of s on the points above the deuce point and on the bar.
func useful(s *bg.Side) int {
	// Each place holds at most 15 checkers, and all together no more: no byte overflows.
	w := binary.LittleEndian.Uint64(s[18:26])
	w += binary.LittleEndian.Uint64(s[10:18])
	w += binary.LittleEndian.Uint64(s[2:10]) &^ 0xff
	return sumBytes(w)
}

// back counts the checkers of s in the opponent's home board and on the bar.
func back(s *bg.Side) int {
	return sumBytes(binary.LittleEndian.Uint64(s[18:26]) &^ 0xff)
}

// sumBytes returns the sum of the bytes of w, below 256.
func sumBytes(w uint64) int { return int(w * 0x0101010101010101 >> 56) }
