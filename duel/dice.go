package duel

import (
	"math/rand/v2"

	"kotra/bg"
)

// dice is the stream of rolls of one game.
type dice struct{ rng rand.PCG }

// newDice returns the rolls of one game of a pair of matches.
func newDice(seed uint64, pair, game int) *dice {
	d := &dice{}
	d.rng.Seed(scramble(seed), scramble(scramble(uint64(pair))+uint64(game)))
	return d
}

// roll returns one of the 36 outcomes.
func (d *dice) roll() bg.Dice {
	n := d.below(36)
	return bg.Dice{uint8(n/6) + 1, uint8(n%6) + 1}
}

// opening returns the first roll of a game, two different dice: the first that of seat 0. The
// higher one starts. Equal is how often both have rolled the same before.
func (d *dice) opening() (first bg.Dice, equal int) {
	for ; ; equal++ {
		if r := d.roll(); !r.Double() {
			return r, equal
		}
	}
}

// below returns a number less than n without bias.
func (d *dice) below(n uint64) uint64 {
	limit := -n % n // 2^64 mod n
	for {
		if x := d.rng.Uint64(); x >= limit {
			return x % n
		}
	}
}

// scramble spreads neighboring numbers over all 64 bits, by the finalizer of SplitMix64
// (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
