package bg

import "fmt"

// A Variant is a way to set up the board; the movement rules are the same in all of them.
type Variant uint8

// The variants.
const (
	Standard Variant = iota
	Nackgammon
	Hypergammon
	LongGammon
)

var variants = [...]struct {
	name  string
	setup map[int]uint8
}{
	Standard:    {"backgammon", map[int]uint8{24: 2, 13: 5, 8: 3, 6: 5}},
	Nackgammon:  {"nackgammon", map[int]uint8{24: 2, 23: 2, 13: 4, 8: 3, 6: 4}},
	Hypergammon: {"hypergammon", map[int]uint8{24: 1, 23: 1, 22: 1}},
	LongGammon:  {"longgammon", map[int]uint8{24: 15}},
}

// String returns the name of v in lower case.
func (v Variant) String() string { return variants[v].name }

// Checkers returns the number of checkers a side has in v.
func (v Variant) Checkers() int {
	if v == Hypergammon {
		return 3
	}
	return 15
}

// Start returns the position at the start of a game of v.
func (v Variant) Start() Position {
	var s Side
	for point, n := range variants[v].setup {
		s[point] = n
	}
	return Position{OnRoll: s, Opponent: s}
}

// Start returns the position at the start of a game of backgammon.
func Start() Position { return Standard.Start() }

// ParseVariant returns the variant with the given name.
func ParseVariant(name string) (Variant, error) {
	for v, def := range variants {
		if def.name == name {
			return Variant(v), nil
		}
	}
	return 0, fmt.Errorf("unknown variant %q, want backgammon, nackgammon, hypergammon or longgammon", name)
}
