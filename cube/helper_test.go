package cube_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/cube"
)

// equities are those of a decision, from gnubg.
type equities struct {
	NoDouble   float64 `json:"no_double"`
	DoubleTake float64 `json:"double_take"`
	DoublePass float64 `json:"double_pass"`
}

// A decision is a line of testdata/decisions.jsonl.gz.
type decision struct {
	PositionID      string `json:"position_id"`
	Phase           string
	Pips            int
	Length, Me, Opp int
	Cube            int
	Owner           string
	Crawford        bool
	Jacoby          bool
	Probs           [5]float32
	Allowed         bool `json:"double_allowed"`
	equities
	Verdict string
	Gnubg0  equities
	MWC     equities
}

func decisions(t *testing.T) (all []decision) {
	t.Helper()
	f, err := os.Open("testdata/decisions.jsonl.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	for lines := bufio.NewScanner(z); lines.Scan(); {
		var d decision
		require.NoError(t, json.Unmarshal(lines.Bytes(), &d))
		all = append(all, d)
	}
	require.Len(t, all, 190)
	return all
}

func (d *decision) info() cube.Info {
	info := cube.Info{
		Cube:  bg.Cube{Value: d.Cube},
		Score: bg.Score{Length: d.Length, OnRoll: d.Me, Opponent: d.Opp, Crawford: d.Crawford},
		Rules: bg.Rules{Jacoby: d.Jacoby},
	}
	if d.Owner == "me" {
		info.Cube.Owner = bg.OnRoll
	}
	return info
}

func (d *decision) probs() *bg.Probs {
	p := d.Probs
	return &bg.Probs{Win: p[0], WinGammon: p[1], WinBackgammon: p[2], LoseGammon: p[3], LoseBackgammon: p[4]}
}

func (d *decision) efficiency() float64 {
	info := d.info()
	e := info.Efficiency()
	switch d.Phase {
	case "race":
		return e.Race(d.Pips)
	case "crashed":
		return e.Crashed
	}
	return e.Contact
}

// randomProbs returns a possible evaluation.
func randomProbs(rng *rand.Rand) bg.Probs {
	p := bg.Probs{Win: rng.Float32()}
	if rng.IntN(4) > 0 { // else no gammons
		p.WinGammon = p.Win * rng.Float32()
		p.WinBackgammon = p.WinGammon * rng.Float32() * .3
		p.LoseGammon = (1 - p.Win) * rng.Float32()
		p.LoseBackgammon = p.LoseGammon * rng.Float32() * .3
	}
	return p
}

// randomInfo returns a game for money or at a score, under any rules.
func randomInfo(rng *rand.Rand) cube.Info {
	info := cube.Info{Cube: bg.Cube{Value: 1 << rng.IntN(4), Owner: bg.Owner(rng.IntN(3))}}
	if info.Cube.Owner == bg.Centered {
		info.Cube.Value = 1
	}
	switch rng.IntN(3) {
	case 0:
		info.Rules.Jacoby = rng.IntN(2) == 0
		if rng.IntN(2) == 0 {
			info.Rules.MaxCube = 8 << rng.IntN(4)
		}
		info.Rules.DoubleBackgammon = rng.IntN(4) == 0
	default:
		n := 1 + rng.IntN(25)
		info.Score = bg.Score{Length: n, OnRoll: rng.IntN(n), Opponent: rng.IntN(n)}
		mine, theirs := info.Score.Away()
		if mine == 1 || theirs == 1 {
			info.Score.Crawford = info.Cube.Value == 1 && rng.IntN(2) == 0
		}
	}
	return info
}
