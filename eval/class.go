package eval

import (
	"encoding/binary"
	"math/bits"

	"kotra/bg"
)

// A Class says what kind of position it is, and so who evaluates it.
type Class uint8

// The position classes, in the order in which a game usually leaves them, backwards.
const (
	Over    Class = iota // one side has borne off all its checkers
	Bearoff              // no contact, and both sides have all checkers home
	Race                 // no contact, and a side has a checker outside its home board
	Crashed              // contact, and a side has at most six useful checkers
	Contact              // every other position
)

// Classes is the number of position classes.
const Classes = 5

var classNames = [Classes]string{"over", "bearoff", "race", "crashed", "contact"}

// String returns the name of c in lower case.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return "unknown"
}

// MarshalText returns the name of c.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// usefulWhenCrashed is the largest number of useful checkers of a crashed side. The number is
// that of GNU Backgammon's class of the same name; which checkers count is our own rule.
const usefulWhenCrashed = 6

// Classify returns the class of pos.
//
// A position with contact is crashed if one of the sides has at most six useful checkers:
// checkers that are neither borne off nor buried on its ace and deuce points. Such a side cannot
// hold a board or wait for a shot any longer. All of Hypergammon's contact is crashed by this
// rule.
func Classify(pos *bg.Position) Class {
	mine, theirs := rearmost(&pos.OnRoll), rearmost(&pos.Opponent)
	switch {
	case mine == bg.Off || theirs == bg.Off:
		return Over
	case mine+theirs > 24:
		if useful(&pos.OnRoll) <= usefulWhenCrashed || useful(&pos.Opponent) <= usefulWhenCrashed {
			return Crashed
		}
		return Contact
	case mine <= 6 && theirs <= 6:
		return Bearoff
	}
	return Race
}

// rearmost is [bg.Side.Rearmost], eight places at a time.
func rearmost(s *bg.Side) int {
	if w := binary.LittleEndian.Uint64(s[18:26]); w != 0 {
		return 18 + (bits.Len64(w)-1)/8
	}
	if w := binary.LittleEndian.Uint64(s[10:18]); w != 0 {
		return 10 + (bits.Len64(w)-1)/8
	}
	if w := binary.LittleEndian.Uint64(s[2:10]); w != 0 {
		return 2 + (bits.Len64(w)-1)/8
	}
	if s[1] != 0 {
		return 1
	}
	return bg.Off
}

// useful counts the checkers of s on the points above the deuce point and on the bar.
func useful(s *bg.Side) int {
	// Each place holds at most 15 checkers and 23 places are added in bytes, 15 checkers in all,
	// so no byte overflows.
	w := binary.LittleEndian.Uint64(s[18:26])
	w += binary.LittleEndian.Uint64(s[10:18])
	w += binary.LittleEndian.Uint64(s[2:10]) &^ 0xff
	return int(w * 0x0101010101010101 >> 56)
}
