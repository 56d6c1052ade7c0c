package search

import (
	"kotra/bg"
)

// maxStates is the largest number of cube states of a level: none beyond the doubles already
// made, and either owner after each of them.
const maxStates = 2*(MaxPly+2) + 1

// A plan says what a search tells apart besides positions: for each depth of the tree the states
// that the cube can be in, what becomes of them, and what a player there plays for.
type plan struct {
	levels [MaxPly + 2]planLevel
}

// A planLevel is one depth of a plan, seen by the player on roll there.
type planLevel struct {
	states  []cubeState
	utility utility
	key     uint64 // identifies the states and what is below them in caches
}

// A cubeState is a cube that a level of the tree may be played with. Its equities are in points
// for a cube of 1, or for matches in twice the match winning chance minus 1.
type cubeState struct {
	noDouble int // index in the next level if the player on roll does not double
	double   int // index in the next level if he doubles and is taken; -1: he may not double
	scale    float64
	pass     float64 // what he gets if his double is passed
}

// A utility is what results are worth to the player who is not on roll, negated: the linear
// function that the player who just moved wants small.
type utility struct {
	win, winGammon, winBackgammon, loseGammon, loseBackgammon float32
}

// of returns the value of p for the player on roll, up to a constant.
func (u *utility) of(p *bg.Probs) float32 {
	return float32(u.win*p.Win) + float32(u.winGammon*p.WinGammon) + float32(u.winBackgammon*p.WinBackgammon) +
		float32(u.loseGammon*p.LoseGammon) + float32(u.loseBackgammon*p.LoseBackgammon)
}

// moneyUtility plays for the cubeless money equity.
var moneyUtility = utility{win: 2, winGammon: 1, winBackgammon: 1, loseGammon: -1, loseBackgammon: -1}

// leaf sets the equities of v, whose probabilities are known, in the states of a level.
func (pl *plan) leaf(depth int, pos *bg.Position, v *value) {}
