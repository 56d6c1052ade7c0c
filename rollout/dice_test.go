package rollout

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"kotra/bg"
)

// outcomesOf returns the outcomes of the first turns of a trial, 0 to 35.
func outcomesOf(seed uint64, trial int) [stratified]int8 {
	var d dicer
	d.reset(seed, trial, false)
	return d.first
}

func TestFirstRollFallsOnceInEach36Trials(t *testing.T) {
	for begin := 0; begin < 4*bg.Outcomes; begin += bg.Outcomes {
		for turn := range stratified {
			seen := map[int8]bool{}
			for trial := range bg.Outcomes {
				seen[outcomesOf(5, begin+trial)[turn]] = true
			}
			assert.Len(t, seen, bg.Outcomes, "turn %d from trial %d", turn, begin)
		}
	}
}

func TestFirstTwoRollsFallOnceIn1296Trials(t *testing.T) {
	for begin := 0; begin < 3*1296; begin += 1296 {
		seen := map[[2]int8]bool{}
		for trial := range 1296 {
			o := outcomesOf(5, begin+trial)
			seen[[2]int8{o[0], o[1]}] = true
		}
		assert.Len(t, seen, 1296)
	}
}

func TestFirstThreeRollsFallOnceIn46656Trials(t *testing.T) {
	seen := map[[stratified]int8]bool{}
	for trial := range 46656 {
		seen[outcomesOf(6, 46656+trial)] = true
	}
	assert.Len(t, seen, 46656)
}

func TestRollsHaveTheirWeights(t *testing.T) {
	var count [len(rolls)]int
	for _, r := range rollOf {
		count[r]++
	}
	for i, n := range count {
		assert.Equal(t, rolls[i].Weight, n)
	}
}

func TestLaterRollsAreUniform(t *testing.T) {
	var d dicer
	var count [bg.Outcomes]float64
	const trials, turns = 2000, 18
	for trial := range trials {
		d.reset(7, trial, false)
		for range turns {
			count[d.below(bg.Outcomes)]++
		}
	}
	var chi float64
	for _, n := range count {
		const want = trials * turns / bg.Outcomes
		chi += (n - want) * (n - want) / want
	}
	assert.Less(t, chi, 70.) // 35 degrees of freedom: above it once in 2,500 seeds
}

func TestDiceDependOnSeedAndTrialAlone(t *testing.T) {
	var a, b dicer
	a.reset(1, 10, true)
	a.roll(0)
	a.reset(1, 11, false)
	b.reset(1, 11, false)
	for turn := range 20 {
		assert.Equal(t, b.roll(turn), a.roll(turn))
	}
}
