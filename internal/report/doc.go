// Package report turns results of the engine into JSON and text, in one form for the command
// line and for every other front.
//
// Its types are marshaled as they stand; the field names are promises to other programs.
// Probabilities are between 0 and 1 and cumulative, equities in points for a cube of 1, and all
// numbers are seen by the player whose decision it is.
package report
