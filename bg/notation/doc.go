// Package notation reads and writes positions in the notations of other programs: XGID, OGID,
// the FIBS board line, Snowie's position line, the 26 integers of "set board simple", and the
// board drawn as text.
//
// The IDs of GNU Backgammon belong to the values themselves, see [kotra/bg]. [Parse] reads
// any of them all:
//
//	state, format, err := notation.Parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
//
// Nothing is repaired: text that is not a position, or is one that cannot be in a game, gives an
// error that says what is wrong, a [*bg.SyntaxError] or one that wraps [bg.ErrPosition] or
// [bg.ErrState]. Each function says what it forgives.
//
// In all notations the player drawn at the bottom, X, is number 1 and the one at the top, O,
// number 0, as [bg.State] counts them in its field Seat.
package notation
