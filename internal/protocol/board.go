package protocol

import (
	"strings"

	"kotra/bg"
	"kotra/bg/notation"
)

// boardState returns what a board line asks about. Its player on roll is the one whose turn it
// is in f, also while a double is offered.
//
// It forgives what other servers do: dice beside an offered double, and a double in a match by
// the player who may not.
func boardState(f notation.FIBS, layout notation.Layout, rules bg.Rules) (bg.State, error) {
	if f.Doubled || !f.MayDouble[0] && !f.MayDouble[1] {
		f.Dice = [2][2]int{}
		money := f.Length == 0 || f.Length == moneyLength
		if !money && f.MayDouble[0] != f.MayDouble[1] {
			mine := f.Turn > 0 == (f.Color > 0) // "you" have doubled
			f.MayDouble = [2]bool{mine, !mine}
		}
	}
	return f.State(layout, rules)
}

// moneyLength is written for the length of a money game besides 0.
const moneyLength = 9999

// maxLength is the longest match that gnubg knows; longer ones are cut to it.
const maxLength = 64

// boardFields returns the names and numbers of a board line.
func boardFields(f *notation.FIBS) []string { return strings.Split(f.String(), ":")[1:] }
