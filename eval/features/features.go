// Package features turns positions into what networks take as input.
//
// The input is [Counts], the raw board, one count for each place of each side, and a bucket that
// chooses the upper layers of the network: [Bucket], or the fewer of [CoarseBucket] that smaller
// networks make do with.
package features

import (
	"encoding/binary"
	"unsafe"

	"kotra/bg"
)

// Name returns the name and version of the encoding for networks with the given number of
// buckets, empty if there is none. It stands in network files, and changes whenever Counts or the
// buckets do.
func Name(buckets int) string {
	switch buckets {
	case Buckets:
		return "counts52-bucket20/1"
	case CoarseBuckets:
		return "counts52-bucket4/1"
	}
	return ""
}

// Slots is the number of counts: the 26 places of the player on roll from his view, then those
// of the opponent from his.
const Slots = 52

// The numbers of buckets that there are.
const (
	Buckets       = 20
	CoarseBuckets = 4
)

// The first buckets. From ContactBucket on come the positions with contact and two useful sides: bucket
// ContactBucket + 4*a + b for a checkers of the player on roll and b of the opponent in the other's home
// board and on the bar, where 3 stands for more.
const (
	RaceBucket            = iota // no contact
	CrashedBucket                // the player on roll is crashed
	OpponentCrashedBucket        // the opponent is
	BothCrashedBucket            // both are
	ContactBucket
)

// The coarse buckets.
const (
	CoarseRace    = iota // no contact
	CoarseCrashed        // a side is crashed
	CoarseBack           // a side has three or more checkers back
	CoarseContact        // the rest
)

// Counts returns the counts of pos. The result shares memory with pos: no copy is made.
func Counts(pos *bg.Position) *[Slots]uint8 {
	return (*[Slots]uint8)(unsafe.Pointer(pos))
}

// AllCounts returns the counts of positions. The result shares memory with them.
func AllCounts(positions []bg.Position) [][Slots]uint8 {
	return unsafe.Slice((*[Slots]uint8)(unsafe.Pointer(unsafe.SliceData(positions))), len(positions))
}

// A Position must be exactly its counts.
var _ = [1]struct{}{}[unsafe.Sizeof(bg.Position{})-Slots]

// Bucket returns the bucket of pos, below [Buckets].
func Bucket(pos *bg.Position) int { return bucket(pos, pos.Contact()) }

func bucket(pos *bg.Position, contact bool) int {
	// Assignments in place of jumps, which nobody can foretell.
	b := ContactBucket + 4*min(back(&pos.OnRoll), 3) + min(back(&pos.Opponent), 3)
	mine, theirs := useful(&pos.OnRoll), useful(&pos.Opponent)
	if mine <= usefulWhenCrashed {
		b = CrashedBucket
	}
	if theirs <= usefulWhenCrashed {
		b = OpponentCrashedBucket
	}
	if max(mine, theirs) <= usefulWhenCrashed {
		b = BothCrashedBucket
	}
	if !contact {
		b = RaceBucket
	}
	return b
}

// coarse holds the coarse bucket of each bucket.
var coarse = func() (c [Buckets]uint8) {
	for b := range c {
		back := b - ContactBucket
		switch {
		case b == RaceBucket:
			c[b] = CoarseRace
		case b < ContactBucket:
			c[b] = CoarseCrashed
		case back/4 == 3 || back%4 == 3:
			c[b] = CoarseBack
		default:
			c[b] = CoarseContact
		}
	}
	return c
}()

// CoarseBucket returns the coarse bucket, below [CoarseBuckets], of positions with the given
// bucket.
func CoarseBucket(bucket int) int { return int(coarse[bucket]) }

// BucketOf returns the bucket of pos for networks with the given number of buckets: [Bucket], or
// the coarse one.
func BucketOf(pos *bg.Position, buckets int) int { return BucketGiven(pos, pos.Contact(), buckets) }

// BucketGiven is BucketOf where it is known whether pos has contact.
func BucketGiven(pos *bg.Position, contact bool, buckets int) int {
	b := bucket(pos, contact)
	if buckets == CoarseBuckets {
		return CoarseBucket(b)
	}
	return b
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
