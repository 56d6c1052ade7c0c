package eval_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/eval"
	"kotra/internal/bgtest"
	"kotra/movegen"
)

func TestClassIsTheOneOfThePosition(t *testing.T) {
	tests := []struct {
		name, position string
		want           eval.Class
	}{
		{"start", "24:2 13:5 8:3 6:5 | 1:2 12:5 17:3 19:5", eval.Contact},
		{"won", "| 20:3", eval.Over},
		{"both home", "6:3 1:2 | 19:4 24:1", eval.Bearoff},
		{"one checker outside", "7:1 1:2 | 19:4 24:1", eval.Race},
		{"past each other outside", "10:3 6:2 | 15:2 19:3", eval.Race},
		{"last contact", "16:1 8:14 | 15:7 24:8", eval.Contact},
		{"on the bar against an empty board", "bar:1 | 24:1", eval.Crashed},
		{"nine checkers on the ace point", "24:2 6:4 1:9 | 19:6 20:4 21:4 3:1", eval.Crashed},
		{"seven useful checkers", "24:2 6:5 1:8 | 19:6 20:4 21:4 3:1", eval.Contact},
		{"the other side crashed", "22:2 13:5 8:3 6:5 | 1:2 12:4 24:5 23:4", eval.Crashed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pos := bgtest.Position(t, tt.position)
			assert.Equal(t, tt.want, eval.Classify(&pos), "%v", tt.want)
			flip := pos.Flip()
			assert.Equal(t, tt.want, eval.Classify(&flip), "flipped: %v", tt.want)
		})
	}
}

func TestClassNamesAreThoseOfTheInterface(t *testing.T) {
	for c, want := range map[eval.Class]string{
		eval.Over: "over", eval.Bearoff: "bearoff", eval.Race: "race", eval.Crashed: "crashed", eval.Contact: "contact",
	} {
		assert.Equal(t, want, c.String())
		text, err := c.MarshalText()
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
	}
}

// wild is a network that answers whatever comes to its mind.
type wild struct{ rng *rand.Rand }

func (w wild) Evaluate(*bg.Position) bg.Probs {
	x := func() float32 {
		switch w.rng.IntN(20) {
		case 0:
			return float32(math.NaN())
		case 1:
			return float32(math.Inf(w.rng.IntN(2)*2 - 1))
		}
		return w.rng.Float32()*1.4 - 0.2
	}
	return bg.Probs{Win: x(), WinGammon: x(), WinBackgammon: x(), LoseGammon: x(), LoseBackgammon: x()}
}

func TestProbabilitiesAreOrderedAndPossibleWhateverTheNetworkSays(t *testing.T) {
	const seed = 11
	t.Log("seed", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	e := eval.New(wild{rng})
	var classes [eval.Classes]int
	for range 300 {
		pos := bg.Start()
		for {
			p := e.Evaluate(&pos)
			class := eval.Classify(&pos)
			classes[class]++
			assert.True(t, 0 <= p.WinBackgammon && p.WinBackgammon <= p.WinGammon && p.WinGammon <= p.Win && p.Win <= 1 &&
				0 <= p.LoseBackgammon && p.LoseBackgammon <= p.LoseGammon && p.LoseGammon <= 1-p.Win, "%v: %+v", pos.Board(), p)
			if pos.Opponent[bg.Off] > 0 {
				assert.Zero(t, p.WinGammon)
			}
			if pos.OnRoll[bg.Off] > 0 {
				assert.Zero(t, p.LoseGammon)
			}
			if class == eval.Race || class == eval.Bearoff {
				if pos.Opponent.Rearmost() <= 18 {
					assert.Zero(t, p.WinBackgammon)
				}
				if pos.OnRoll.Rearmost() <= 18 {
					assert.Zero(t, p.LoseBackgammon)
				}
			}
			if class == eval.Over {
				assert.Equal(t, bg.Decided(pos.Result()), p)
				break
			}
			plays := movegen.Plays(nil, &pos, bg.Dice{uint8(1 + rng.IntN(6)), uint8(1 + rng.IntN(6))})
			pos = plays[rng.IntN(len(plays))].Result
		}
	}
	for class, n := range classes {
		assert.Positive(t, n, "no position of class %v", eval.Class(class))
	}
}

// hidden is an evaluator of which nobody can tell that it is a network of ours.
type hidden struct{ eval.Evaluator }

func TestNetworksOfOursAreCorrectedAsOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	for _, net := range testNetworks() {
		network := eval.NewNetwork(net.Quantize())
		ours, other := eval.New(network), eval.New(hidden{network})
		pos := bg.Start()
		for range 1000 {
			require.Equal(t, other.Evaluate(&pos), ours.Evaluate(&pos), pos.ID())
			results := movegen.Results(nil, &pos, bg.Dice{uint8(1 + rng.IntN(6)), uint8(1 + rng.IntN(6))})
			pos = results[rng.IntN(len(results))]
			if r, _ := pos.Result(); r != bg.Unfinished {
				pos = bg.Start()
			}
		}
	}
}

func TestDecidedRacesAreExact(t *testing.T) {
	half := bg.Probs{Win: 0.5, WinGammon: 0.3, WinBackgammon: 0.2, LoseGammon: 0.3, LoseBackgammon: 0.2}
	tests := []struct {
		name, position string
		want           bg.Probs
	}{
		{"opponent cannot catch up", "1:2 | 9:1 19:5 20:5", bg.Probs{Win: 1}},
		{"player on roll cannot catch up", "16:1 6:5 5:5 | 24:2", bg.Probs{}},
		{"a gammon for certain", "1:2 | 12:15", bg.Probs{Win: 1, WinGammon: 1}},
		{"a backgammon for certain", "1:2 | 5:5 12:10", bg.Probs{Win: 1, WinGammon: 1, WinBackgammon: 1}},
		{"no gammon, the loser gets home in time", "9:1 6:14 | 24:14 18:1", bg.Probs{Win: 0.5, LoseGammon: 0.3}},
		{"nothing is certain", "9:5 8:10 | 13:5 14:10", bg.Probs{Win: 0.5, WinGammon: 0.3, LoseGammon: 0.3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pos := bgtest.Position(t, tt.position)
			p := half
			eval.Clamp(&pos, &p)
			assert.Equal(t, tt.want, p)
		})
	}
}

type table struct{ p bg.Probs }

func (x table) Probs(*bg.Position) bg.Probs { return x.p }

func TestBearoffsAreLeftToTheTable(t *testing.T) {
	exact := bg.Probs{Win: 0.123}
	e := eval.New(bgtest.NewEvaluator(t, nil), eval.WithBearoff(table{exact}))
	pos := bgtest.Position(t, "6:3 1:2 | 19:4 24:1")
	assert.Equal(t, exact, e.Evaluate(&pos))
}

func TestEvaluateDoesNotAllocate(t *testing.T) {
	nets := testNetworks()
	two := eval.New(eval.NewMean(nets[0].Quantize(), nets[1].Quantize()))
	positions := []bg.Position{bg.Start(), bgtest.Position(t, "10:3 6:2 | 15:2 19:3"), bgtest.Position(t, "| 20:3")}
	for name, e := range map[string]eval.Evaluator{
		"pips": eval.New(bgtest.Pips{}), "one network": eval.New(eval.NewNetwork(nets[0].Quantize())),
		"two networks": two, "near two networks": two.Near(nil),
	} {
		assert.Zero(t, testing.AllocsPerRun(10, func() {
			for i := range positions {
				e.Evaluate(&positions[i])
			}
		}), name)
	}
}
