package yardstick_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/internal/yardstick"
)

// The scores of GNU Backgammon that came with the set, computed by another program.
var published = map[string]string{
	"gnubg0 opening":  "4.6 1.9 +4.5 1.9 73 22.0 20.8 16.7",
	"gnubg0 contact":  "3.8 0.8 +2.7 0.9 76 37.3 36.4 21.0",
	"gnubg0 backgame": "9.2 3.0 +5.8 2.5 67 73.8 72.9 26.5",
	"gnubg0 crashed":  "4.8 3.0 +2.6 1.8 76 22.7 20.5 13.5",
	"gnubg0 race":     "0.6 0.4 +0.3 0.2 89 6.6 6.2 3.6",
	"gnubg0 all":      "4.3 0.8 +2.8 0.6 77 38.2 37.3 18.5",
	"gnubg1 opening":  "0.5 0.4 +0.4 0.4 93 14.1 12.2 11.1",
	"gnubg1 contact":  "3.2 0.7 +2.0 0.7 77 27.3 26.0 15.7",
	"gnubg1 backgame": "9.1 5.4 +5.6 3.8 73 142.1 141.6 22.4",
	"gnubg1 crashed":  "3.3 1.5 +1.1 0.8 67 20.5 18.1 14.0",
	"gnubg1 race":     "0.5 0.4 +0.2 0.1 87 6.4 6.0 5.7",
	"gnubg1 all":      "3.3 0.9 +1.9 0.6 78 55.9 55.2 14.9",
	"gnubg2 opening":  "0.1 0.1 +0.0 0.0 97 9.8 6.7 7.8",
	"gnubg2 contact":  "1.1 0.3 +0.0 0.0 86 21.0 19.3 10.6",
	"gnubg2 backgame": "3.4 1.8 +0.0 0.0 80 47.1 45.6 15.8",
	"gnubg2 crashed":  "2.1 1.4 +0.0 0.0 76 23.3 21.2 8.6",
	"gnubg2 race":     "0.4 0.3 +0.0 0.0 93 5.4 4.9 2.5",
	"gnubg2 all":      "1.4 0.4 +0.0 0.0 86 24.2 22.7 10.1",
}

func TestScoresOfGNUBGAreThePublishedOnes(t *testing.T) {
	for ply := range 3 {
		report := yardstick.Dev().Grade(yardstick.GNUBG(ply))
		require.Len(t, report.Rows, 6)
		for _, r := range report.Rows {
			name := fmt.Sprintf("gnubg%d %s", ply, r.Phase)
			got := fmt.Sprintf("%.1f %.1f %+.1f %.1f %.0f %.1f %.1f %.1f", r.Loss, r.LossStdErr,
				r.Against, r.AgainstStdErr, 100*r.Best, r.RMS, r.RMSDenoised, r.RMSWithin)
			assert.Equal(t, published[name], got, name)
		}
	}
}

func TestSetHoldsEveryLegalPlayOfEachDecision(t *testing.T) {
	set := yardstick.Dev()
	assert.Len(t, set.Decisions, 325)
	for i := range set.Decisions {
		d := &set.Decisions[i]
		require.GreaterOrEqual(t, d.Candidates, 2, d.ID)
		seen := map[bg.Position]bool{}
		for j := range d.Plays {
			require.False(t, seen[d.Plays[j].Result], d.ID)
			seen[d.Plays[j].Result] = true
			require.Equal(t, j, d.Find(&d.Plays[j].Result))
		}
	}
	assert.Equal(t, -1, set.Decisions[0].Find(&bg.Position{}))
}

func TestPerfectPlayerLosesNothing(t *testing.T) {
	report := yardstick.Dev().Grade(func(d *yardstick.Decision) yardstick.Answer {
		equities := make([]float64, d.Candidates)
		for i := range equities {
			equities[i] = d.Plays[i].Rollout
		}
		return yardstick.Answer{Equities: equities}
	})
	all := report.All()
	assert.Zero(t, all.Loss)
	assert.Negative(t, all.Against)
	assert.InDelta(t, 1, all.Best, 0)
	assert.Zero(t, all.RMS)
}

func TestStaticEvaluationIsAskedForThePlayerOnRoll(t *testing.T) {
	// Fewer pips for the opponent of the player on roll is good for the one who has just moved.
	race := func(pos *bg.Position) bg.Probs {
		win := 0.5 + float32(pos.Opponent.Pips()-pos.OnRoll.Pips())/400
		return bg.Probs{Win: win}
	}
	turned := func(pos *bg.Position) bg.Probs {
		p := race(pos)
		return p.Flip()
	}
	assert.Less(t, yardstick.Score(race).All().RMS, yardstick.Score(turned).All().RMS)
}

func TestGradeWithoutEvaluationsLeavesTheRMSAtZero(t *testing.T) {
	report := yardstick.Dev().Grade(func(*yardstick.Decision) yardstick.Answer {
		return yardstick.Answer{}
	})
	assert.Zero(t, report.All().Evaluations)
	assert.Zero(t, report.All().RMS)
	assert.Contains(t, report.String(), "backgame")
}

func TestReadNamesTheBadDecision(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":       "{",
		"bad position":  `{"id":"x","position_id":"!","dice":[3,1]}`,
		"no candidates": `{"id":"x","position_id":"4HPwATDgc/ABMA","dice":[3,1]}`,
		"bad candidate": `{"id":"x","position_id":"4HPwATDgc/ABMA","candidates":[{"position_id":"?"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := yardstick.Read(strings.NewReader(text))
			assert.ErrorContains(t, err, "decision 1")
		})
	}
	_, err := yardstick.Read(strings.NewReader(""))
	assert.ErrorContains(t, err, "no decisions")
}
