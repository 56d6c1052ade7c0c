package bg

import "fmt"

// Dice are the two dice of a roll, in the order they are written. The zero value means that
// they have not been rolled.
type Dice [2]uint8

// Rolled reports whether d has been rolled.
func (d Dice) Rolled() bool { return d[0] != 0 }

// Double reports whether both dice are equal.
func (d Dice) Double() bool { return d[0] == d[1] && d[0] != 0 }

// Sorted returns d with the larger die first.
func (d Dice) Sorted() Dice {
	if d[0] < d[1] {
		return Dice{d[1], d[0]}
	}
	return d
}

// String returns the two digits, such as "31", in the order they are held.
func (d Dice) String() string { return fmt.Sprintf("%d%d", d[0], d[1]) }

// ParseDice reads two digits from 1 to 6, such as "31".
func ParseDice(text string) (Dice, error) {
	if len(text) != 2 || text[0] < '1' || text[0] > '6' || text[1] < '1' || text[1] > '6' {
		return Dice{}, fmt.Errorf("dice %q are not two digits from 1 to 6, such as 31", text)
	}
	return Dice{text[0] - '0', text[1] - '0'}, nil
}

// Outcomes is the number of outcomes of a roll: two dice that can be told apart.
const Outcomes = 36

// A Roll is one of the 21 distinct rolls with the number of [Outcomes] that show it.
type Roll struct {
	Dice   Dice
	Weight int // 1 for a double, 2 otherwise
}

// Rolls returns the 21 distinct rolls, the larger die first: 11, 21, 22, 31, ... 66.
func Rolls() [21]Roll { return rolls }

var rolls = func() (all [21]Roll) {
	i := 0
	for a := uint8(1); a <= 6; a++ {
		for b := uint8(1); b <= a; b++ {
			all[i] = Roll{Dice{a, b}, 2}
			if a == b {
				all[i].Weight = 1
			}
			i++
		}
	}
	return all
}()
