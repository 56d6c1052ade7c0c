package bg

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Places of a [Side] other than the points 1 to 24.
const (
	Off = 0  // checkers borne off
	Bar = 25 // checkers waiting to enter
)

// Home is the last point of the home board.
const Home = 6

// A Side holds one player's checkers by place, from that player's own view: index [Off], the
// points 1 to 24, and index [Bar]. The sum over all places is the number of checkers the
// player began with, 15 in most variants.
type Side [26]uint8

// A Position is where all checkers stand, seen by the player on roll, before the roll.
type Position struct {
	OnRoll, Opponent Side
}

// Checkers returns the number of checkers of s, those borne off included.
func (s *Side) Checkers() int {
	n := 0
	for _, c := range s {
		n += int(c)
	}
	return n
}

// Pips returns the pip count of s: the sum of the point numbers of all checkers, 25 for one
// on the bar.
func (s *Side) Pips() int {
	pips := 0
	for point, c := range s {
		pips += point * int(c)
	}
	return pips
}

// Rearmost returns the highest place of s with a checker, [Off] if there is none in play.
func (s *Side) Rearmost() int {
	// Eight places at a time and without a jump, for which side of it is taken cannot be foretold: this
	// stands at the root of every classification of positions. Bit 8*place+i of s is bit i of a count.
	low, middle, high := binary.LittleEndian.Uint64(s[2:10]), binary.LittleEndian.Uint64(s[10:18]), binary.LittleEndian.Uint64(s[18:26])
	last, lastLow, lastMiddle, lastHigh := bits.Len8(s[1])+7, bits.Len64(low)+15, bits.Len64(middle)+79, bits.Len64(high)+143
	if low != 0 {
		last = lastLow
	}
	if middle != 0 {
		last = lastMiddle
	}
	if high != 0 {
		last = lastHigh
	}
	return last / 8
}

// Flip returns the same position seen by the other player.
func (p *Position) Flip() Position {
	return Position{OnRoll: p.Opponent, Opponent: p.OnRoll}
}

// Contact reports whether the two sides still have to pass each other.
func (p *Position) Contact() bool {
	return p.OnRoll.Rearmost()+p.Opponent.Rearmost() > 24
}

// A Result is what a finished game is worth to its winner, before the cube.
type Result uint8

// The results of a game. Their values are the points for a cube of 1.
const (
	Unfinished Result = iota
	Single
	Gammon
	Backgammon
)

// String returns the name of r in lower case.
func (r Result) String() string {
	switch r {
	case Single:
		return "single game"
	case Gammon:
		return "gammon"
	case Backgammon:
		return "backgammon"
	}
	return "unfinished"
}

// Result returns what the game is worth and whether the player on roll has won it. It is
// Unfinished while both sides have checkers in play.
//
// A loser with a checker off loses a single game; one with none off a gammon, and a
// backgammon if a checker stands on the bar or in the winner's home board.
func (p *Position) Result() (r Result, onRollWon bool) {
	if p.OnRoll.Rearmost() == Off {
		return lostBy(&p.Opponent), true
	}
	if p.Opponent.Rearmost() == Off {
		return lostBy(&p.OnRoll), false
	}
	return Unfinished, false
}

func lostBy(loser *Side) Result {
	switch {
	case loser[Off] > 0:
		return Single
	case loser.Rearmost() > 18:
		return Backgammon
	}
	return Gammon
}

// Hash returns a 64-bit hash of p, the same in every process.
func (p *Position) Hash() uint64 {
	const k0, k1, k2 = 0x9e3779b97f4a7c15, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3
	a, b := &p.OnRoll, &p.Opponent
	h := mix(binary.LittleEndian.Uint64(a[0:])^k0, binary.LittleEndian.Uint64(a[8:])^k1)
	h = mix(binary.LittleEndian.Uint64(a[16:])^h, binary.LittleEndian.Uint64(b[0:])^k2)
	h = mix(binary.LittleEndian.Uint64(b[8:])^h, binary.LittleEndian.Uint64(b[16:])^k0)
	tail := uint64(binary.LittleEndian.Uint16(a[24:])) | uint64(binary.LittleEndian.Uint16(b[24:]))<<32
	return mix(tail^h, k1)
}

// mix folds the 128-bit product of a and b, as in wyhash (Wang Yi, public domain).
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// ErrPosition is wrapped by every error of [Position.Validate].
var ErrPosition = errors.New("illegal position")

// Validate reports why p cannot arise in a game, or nil if it can.
func (p *Position) Validate() error {
	for _, side := range []struct {
		name string
		s    *Side
	}{{"the player on roll", &p.OnRoll}, {"the opponent", &p.Opponent}} {
		if n := side.s.Checkers(); n > 15 {
			return fmt.Errorf("%w: %d checkers for %s, at most 15 are allowed", ErrPosition, n, side.name)
		} else if n == 0 {
			return fmt.Errorf("%w: no checkers for %s", ErrPosition, side.name)
		}
	}
	for point := 1; point <= 24; point++ {
		if p.OnRoll[point] > 0 && p.Opponent[25-point] > 0 {
			return fmt.Errorf("%w: both sides have checkers on the %d point of the player on roll", ErrPosition, point)
		}
	}
	if p.OnRoll.Rearmost() == Off && p.Opponent.Rearmost() == Off {
		return fmt.Errorf("%w: both sides have borne off all checkers", ErrPosition)
	}
	if p.OnRoll[Bar] > 0 && p.Opponent[Bar] > 0 && p.OnRoll.closed() && p.Opponent.closed() {
		return fmt.Errorf("%w: both sides are on the bar against closed boards, nobody can ever move", ErrPosition)
	}
	return nil
}

func (s *Side) closed() bool {
	for point := 1; point <= 6; point++ {
		if s[point] < 2 {
			return false
		}
	}
	return true
}

// Board returns p in one array of 26 signed counts: the points 1 to 24 of the player on roll
// hold his checkers as positive and the opponent's as negative numbers, index 25 his bar, and
// index 0 minus the opponent's bar.
func (p *Position) Board() [26]int {
	var b [26]int
	for point := 1; point <= 24; point++ {
		b[point] = int(p.OnRoll[point]) - int(p.Opponent[25-point])
	}
	b[25] = int(p.OnRoll[Bar])
	b[0] = -int(p.Opponent[Bar])
	return b
}

// FromBoard is the inverse of [Position.Board]: checkers missing to make up n a side are taken
// as borne off. It returns an error that wraps [ErrPosition] if the position is illegal.
func FromBoard(b [26]int, n int) (Position, error) {
	var p Position
	var onRoll, opponent int
	for i, c := range b {
		if c > 15 || c < -15 || i == 0 && c > 0 || i == Bar && c < 0 {
			return p, fmt.Errorf("%w: %d checkers at index %d of the board", ErrPosition, c, i)
		}
		if c > 0 {
			p.OnRoll[i] = uint8(c)
			onRoll += c
		} else if c < 0 {
			p.Opponent[25-i] = uint8(-c)
			opponent -= c
		}
	}
	if onRoll > n {
		return p, fmt.Errorf("%w: %d checkers for the player on roll, at most %d are allowed", ErrPosition, onRoll, n)
	}
	if opponent > n {
		return p, fmt.Errorf("%w: %d checkers for the opponent, at most %d are allowed", ErrPosition, opponent, n)
	}
	p.OnRoll[Off], p.Opponent[Off] = uint8(n-onRoll), uint8(n-opponent)
	return p, p.Validate()
}
