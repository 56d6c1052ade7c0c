package rollout

import (
	"kotra/bg"
	"kotra/movegen"
)

// A Candidate is a position that is rolled out: after a play, or before the roll with the cube
// as it may be turned.
type Candidate struct {
	Name string `json:"name"` // for people, such as the text of the move
	// Position is seen by its player on roll.
	Position bg.Position `json:"position"`
	Kind     Kind        `json:"kind"`
}

// A Kind says how a [Candidate] comes from the position of the decision.
type Kind uint8

// The kinds.
const (
	AfterPlay  Kind = iota // the player whose decision it is has played: his opponent is on roll and may double
	Before                 // the player whose decision it is is on roll and may double
	NoDouble               // he is on roll and does not double on this turn
	DoubleTake             // he has doubled and his opponent has taken
)

// String returns k in words.
func (k Kind) String() string {
	switch k {
	case AfterPlay:
		return "after a play"
	case Before:
		return "before the roll"
	case NoDouble:
		return "no double"
	}
	return "double, take"
}

// Plays returns the candidates of a checker play.
func Plays(plays []movegen.Play) []Candidate {
	all := make([]Candidate, len(plays))
	for i := range plays {
		all[i] = Candidate{plays[i].Move.String(), plays[i].Result, AfterPlay}
	}
	return all
}

// CubeActions returns the candidates of a cube decision in the position pos, seen by the player
// on roll: no double, and double and take if he may double.
func CubeActions(pos bg.Position, mayDouble bool) []Candidate {
	all := []Candidate{{"No double", pos, NoDouble}}
	if mayDouble {
		all = append(all, Candidate{"Double, take", pos, DoubleTake})
	}
	return all
}
