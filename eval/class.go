package eval

import (
	"kotra/bg"
	"kotra/eval/features"
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

// Classify returns the class of pos.
//
// A position with contact is crashed by the rule of [features.Crashed].
func Classify(pos *bg.Position) Class {
	mine, theirs := pos.OnRoll.Rearmost(), pos.Opponent.Rearmost()
	switch {
	case mine == bg.Off || theirs == bg.Off:
		return Over
	case mine+theirs > 24:
		if features.Crashed(pos) {
			return Crashed
		}
		return Contact
	case mine <= bg.Home && theirs <= bg.Home:
		return Bearoff
	}
	return Race
}
