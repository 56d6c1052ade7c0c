package yardstick

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"kotra/bg"
)

//go:embed dev.jsonl.gz
var devData []byte

// A Set is a list of graded decisions. It is immutable after reading.
type Set struct {
	Decisions []Decision
}

// A Decision is a position and a roll with every legal play.
type Decision struct {
	ID         string
	Phase      string // opening, contact, backgame, crashed or race
	Position   bg.Position
	Dice       bg.Dice
	Plays      []Play // every distinct result: the candidates first, best rollout first
	Candidates int    // how many of Plays were rolled out
}

// A Play is one result of a roll with what the reference says of it, seen by the player who
// makes the play.
type Play struct {
	Result  bg.Position // seen by the opponent, who is on roll next
	Rollout float64     // cubeless money equity; candidates only
	StdErr  float64     // standard error of Rollout; 0 if it is exact
	// GNUBG holds the equities of GNU Backgammon at 0, 1 and 2 plies, NaN where it has none.
	GNUBG [3]float64
}

// Find returns the index in d.Plays of the play that leads to result, which is seen by the
// opponent, or -1.
func (d *Decision) Find(result *bg.Position) int {
	return slices.IndexFunc(d.Plays, func(p Play) bool { return p.Result == *result })
}

// Dev returns the embedded set. The error of reading it is a damaged build and panics.
var Dev = sync.OnceValue(func() *Set {
	unzipped, err := gzip.NewReader(bytes.NewReader(devData))
	if err != nil {
		panic("yardstick: embedded set: " + err.Error())
	}
	set, err := Read(unzipped)
	if err != nil {
		panic("yardstick: embedded set: " + err.Error())
	}
	return set
})

// Read reads a set in the form of README.md, one JSON object a line.
func Read(r io.Reader) (*Set, error) {
	set := &Set{}
	lines := json.NewDecoder(r)
	for n := 1; ; n++ {
		var line decisionJSON
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("reading decision %d: %w", n, err)
		}
		d, err := line.decision()
		if err != nil {
			return nil, fmt.Errorf("reading decision %d (%s): %w", n, line.ID, err)
		}
		set.Decisions = append(set.Decisions, d)
	}
	if len(set.Decisions) == 0 {
		return nil, errors.New("no decisions found")
	}
	return set, nil
}

type decisionJSON struct {
	ID         string   `json:"id"`
	Phase      string   `json:"phase"`
	PositionID string   `json:"position_id"`
	Dice       [2]uint8 `json:"dice"`
	Candidates []struct {
		PositionID string `json:"position_id"`
		Rollout    struct {
			Equity float64 `json:"equity"`
			StdErr float64 `json:"se"`
		} `json:"rollout"`
		GNUBG0 equityJSON `json:"gnubg0"`
		GNUBG1 equityJSON `json:"gnubg1"`
		GNUBG2 equityJSON `json:"gnubg2"`
	} `json:"candidates"`
	Others []struct {
		PositionID string   `json:"position_id"`
		GNUBG0     *float64 `json:"gnubg0"`
		GNUBG1     *float64 `json:"gnubg1"`
		GNUBG2     *float64 `json:"gnubg2"`
	} `json:"others"`
}

type equityJSON struct {
	Equity float64 `json:"equity"`
}

func (line *decisionJSON) decision() (Decision, error) {
	d := Decision{ID: line.ID, Phase: line.Phase, Dice: line.Dice, Candidates: len(line.Candidates)}
	var err error
	if d.Position, err = bg.ParsePositionID(line.PositionID); err != nil {
		return d, err
	}
	for _, c := range line.Candidates {
		d.Plays = append(d.Plays, Play{
			Rollout: c.Rollout.Equity,
			StdErr:  c.Rollout.StdErr,
			GNUBG:   [3]float64{c.GNUBG0.Equity, c.GNUBG1.Equity, c.GNUBG2.Equity},
		})
		if d.Plays[len(d.Plays)-1].Result, err = bg.ParsePositionID(c.PositionID); err != nil {
			return d, fmt.Errorf("candidate: %w", err)
		}
	}
	if len(d.Plays) == 0 {
		return d, errors.New("no candidates")
	}
	slices.SortStableFunc(d.Plays, func(a, b Play) int { return cmp.Compare(b.Rollout, a.Rollout) })
	for _, o := range line.Others {
		p := Play{GNUBG: [3]float64{orNaN(o.GNUBG0), orNaN(o.GNUBG1), orNaN(o.GNUBG2)}}
		if p.Result, err = bg.ParsePositionID(o.PositionID); err != nil {
			return d, fmt.Errorf("other play: %w", err)
		}
		d.Plays = append(d.Plays, p)
	}
	return d, nil
}

func orNaN(f *float64) float64 {
	if f == nil {
		return math.NaN()
	}
	return *f
}

// loss returns what playing d.Plays[i] costs, in points.
func (d *Decision) loss(i int) float64 {
	best := d.Plays[0].Rollout
	p := &d.Plays[i]
	if i < d.Candidates {
		return best - p.Rollout
	}
	e := p.GNUBG[2]
	if math.IsNaN(e) {
		e = p.GNUBG[1]
	}
	g := &d.Plays[d.gnubg2()]
	return max(0, best-g.Rollout+g.GNUBG[2]-e)
}

// gnubg2 returns the index of gnubg's best candidate at 2 plies.
func (d *Decision) gnubg2() int {
	best := 0
	for i := range d.Plays[:d.Candidates] {
		if d.Plays[i].GNUBG[2] > d.Plays[best].GNUBG[2] {
			best = i
		}
	}
	return best
}
