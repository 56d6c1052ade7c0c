package movegen

import (
	"encoding/binary"
	"math/bits"

	"kotra/bg"
)

// A set holds places: bit p stands for point p, bit [bg.Bar] for the bar, bit [bg.Off] for off.
type set uint32

const home = set(1<<7 - 2) // points 1 to 6

// has reports whether place is in s.
func (s set) has(place uint8) bool { return s>>place&1 != 0 }

// len returns the number of places in s.
func (s set) len() int { return bits.OnesCount32(uint32(s)) }

// highest returns the highest place of s, which must not be empty.
func (s set) highest() uint8 { return uint8(bits.Len32(uint32(s)) - 1) }

// mirror returns s with point p as 25-p, which is how the other player numbers it.
func (s set) mirror() set { return set(bits.Reverse32(uint32(s)) >> (31 - bg.Bar)) }

// upTo returns the set of all places up to and including place.
func upTo(place uint8) set { return 2<<place - 1 }

// places returns the places where side has at least n checkers, n being 1 or 2. It adds to
// eight counts at a time so that bit 7 tells the answer, and gathers these bits.
func places(side *bg.Side, n uint64) set {
	const ones, gather = 0x0101010101010101, 0x0102040810204080
	add := (128 - n) * ones
	eight := func(x uint64) set { return set((x + add) >> 7 & ones * gather >> 56) }
	return eight(binary.LittleEndian.Uint64(side[0:])) |
		eight(binary.LittleEndian.Uint64(side[8:]))<<8 |
		eight(binary.LittleEndian.Uint64(side[16:]))<<16 |
		eight(uint64(binary.LittleEndian.Uint16(side[24:])))<<24
}
