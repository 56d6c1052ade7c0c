package eval_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"kotra/bg"
	"kotra/eval"
	"kotra/internal/bgtest"
)

func TestShortlistHoldsThoseApartAndTheCheapest(t *testing.T) {
	contact := bg.Start()
	race := bgtest.Position(t, "6:15 | 19:15")
	results := []bg.Position{contact, race, contact, contact, race, contact}
	costs := []float32{3, -9, 1, 2, -9, 1}
	var asked []int
	cost := func(i int) float32 {
		asked = append(asked, i)
		return costs[i]
	}
	list := eval.Shortlist(nil, results, eval.EndsContact, 3, cost)
	assert.Equal(t, []eval.Choice{{0, 1}, {0, 4}, {1, 2}, {1, 5}, {2, 3}}, list)
	assert.Equal(t, []int{0, 2, 3, 5}, asked, "races are not asked about")
	assert.Equal(t, []eval.Choice{{-9, 1}, {-9, 4}}, eval.Shortlist(nil, results, nil, 2, cost))
	assert.Len(t, eval.Shortlist(list, results[:1], eval.EndsContact, 3, func(int) float32 { return 0 }), 1)
}

func TestWhatEndsContactAndRaces(t *testing.T) {
	for text, want := range map[string]struct{ contact, race bool }{
		"24:2 13:5 8:3 6:5 | 1:2 12:5 17:3 19:5": {false, false},
		"7:1 6:14 | 19:15":                       {true, false},
		"6:15 | 19:15":                           {true, true},
		" | 18:1":                                {true, true},
	} {
		pos := bgtest.Position(t, text)
		assert.Equal(t, want.contact, eval.EndsContact(&pos), text)
		assert.Equal(t, want.race, eval.EndsRace(&pos), text)
	}
}

func TestOnlyContactIsPrunable(t *testing.T) {
	for text, want := range map[string]bool{
		"24:2 13:5 8:3 6:5 | 1:2 12:5 17:3 19:5": true,
		"6:15 | 19:15":                           false,
		"20:4 | 1:2 12:5 17:3 19:5":              false,
	} {
		pos := bgtest.Position(t, text)
		assert.Equal(t, want, eval.Prunable(&pos), text)
	}
}
