package rollout

import (
	"math/bits"
	"math/rand/v2"

	"kotra/bg"
)

// stratified is the number of first turns whose rolls are stratified.
const stratified = 3

// A dicer rolls the dice of one trial. All that it rolls follows from the seed and the number of
// the trial.
type dicer struct {
	rng   rand.PCG
	first [stratified]int8
	plain bool
}

// reset makes d roll for the given trial.
//
// The rolls of the first turns come from the digits of the trial's number to base 36. In a block
// of 36^3 trials all triples of rolls fall once, in the parts of 36^2 all pairs of the first two,
// and in those of 36 each of the first three by itself. The roll of the second turn is a
// permutation of the second digit, shifted by a permutation of the first digit, and so on;
// otherwise it would be the same for 36 trials. Each block has permutations of its own.
func (d *dicer) reset(seed uint64, trial int, plain bool) {
	d.plain = plain
	if !plain {
		d.stratify(seed, trial)
	}
	d.rng.Seed(seed, uint64(trial))
}

func (d *dicer) stratify(seed uint64, trial int) {
	block := trial / (bg.Outcomes * bg.Outcomes * bg.Outcomes)
	d.rng.Seed(seed, ^uint64(block)) // far from the streams of trials
	a, b, c := trial%bg.Outcomes, trial/bg.Outcomes%bg.Outcomes, trial/(bg.Outcomes*bg.Outcomes)%bg.Outcomes
	var p [6][bg.Outcomes]int8
	for i := range p {
		d.permute(&p[i])
	}
	d.first[0] = p[0][a]
	d.first[1] = p[1][(b+int(p[2][a]))%bg.Outcomes]
	d.first[2] = p[3][(c+int(p[4][a])+int(p[5][b]))%bg.Outcomes]
}

// permute sets p to a random permutation.
func (d *dicer) permute(p *[bg.Outcomes]int8) {
	for i := range p {
		j := d.below(i + 1)
		p[i] = p[j]
		p[j] = int8(i)
	}
}

// below returns a random number from 0 to n-1, for small n.
func (d *dicer) below(n int) int {
	hi, _ := bits.Mul64(d.rng.Uint64(), uint64(n))
	return int(hi)
}

// roll returns the index in rolls of the roll of a turn, counted from 0. It is to be called once
// for each turn, in order.
func (d *dicer) roll(turn int) int {
	random := d.below(bg.Outcomes)
	if turn < stratified && !d.plain {
		random = int(d.first[turn])
	}
	return int(rollOf[random])
}

// rollOf maps the outcomes to the index of their roll.
var rollOf = func() (index [bg.Outcomes]uint8) {
	i := 0
	for r, roll := range rolls {
		for range roll.Weight {
			index[i] = uint8(r)
			i++
		}
	}
	return index
}()
