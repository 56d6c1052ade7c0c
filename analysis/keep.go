package analysis

import (
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"io"

	"kotra/bg"
	"kotra/cube"
	"kotra/movegen"
	"kotra/search"
)

// ErrOtherMatch is returned by Restore for what was kept of another match.
var ErrOtherMatch = errors.New("the evaluations are those of another match")

// A kept is what Keep stores of an evaluated decision.
type kept struct {
	Index          int // among the decisions of the match
	Candidates     []keptCandidate
	Played         int
	Cube           cube.Decision
	Value          search.Value
	Answer         cube.Action
	Trials         int
	StdErrs        []float64
	Best, Loss     bg.Equity
	LossMWC        float64
	Close, HasLuck bool
	Luck           bg.Equity
	LuckMWC        float64
}

// A keptCandidate is a candidate known by the position it leads to.
type keptCandidate struct {
	Result bg.Position
	search.Value
}

// Keep writes the evaluations of m, of as many decisions as there are some, in a form for Restore.
func (m *Match) Keep(w io.Writer) error {
	list := []kept{}
	for i := range m.Decisions {
		d := &m.Decisions[i]
		if !d.Evaluated {
			continue
		}
		k := kept{
			Index: i, Played: d.Played, Cube: d.Cube, Value: d.Value, Answer: d.Answer, Trials: d.Trials, StdErrs: d.StdErrs, Best: d.Best,
			Loss: d.Loss, LossMWC: d.LossMWC, Close: d.Close, Luck: d.Luck, LuckMWC: d.LuckMWC, HasLuck: d.HasLuck,
		}
		for _, c := range d.Candidates {
			k.Candidates = append(k.Candidates, keptCandidate{c.Play.Result, c.Value})
		}
		list = append(list, k)
	}
	z := gzip.NewWriter(w)
	if err := gob.NewEncoder(z).Encode(list); err != nil {
		return err
	}
	return z.Close()
}

// Restore reads what Keep has written about the same match into m, whose decisions are not
// evaluated. After an error m is as it was.
func (m *Match) Restore(r io.Reader) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	var list []kept
	if err := gob.NewDecoder(z).Decode(&list); err != nil {
		return err
	}
	decisions := append([]Decision{}, m.Decisions...)
	for i := range list {
		k := &list[i]
		if k.Index < 0 || k.Index >= len(decisions) {
			return ErrOtherMatch
		}
		if err := decisions[k.Index].restore(k); err != nil {
			return fmt.Errorf("decision %d: %w", k.Index+1, err)
		}
	}
	m.Decisions = decisions
	m.Evaluated = true
	m.sum()
	return nil
}

func (d *Decision) restore(k *kept) error {
	d.Candidates = nil
	if d.Kind == CheckerPlay {
		plays := map[bg.Position]movegen.Play{}
		for _, p := range movegen.Plays(nil, &d.State.Position, d.State.Dice) {
			plays[p.Result] = p
		}
		for _, c := range k.Candidates {
			play, legal := plays[c.Result]
			if !legal {
				return ErrOtherMatch
			}
			d.Candidates = append(d.Candidates, search.Candidate{Play: play, Value: c.Value})
		}
	}
	if k.Played >= len(d.Candidates) || len(k.StdErrs) > max(2, len(d.Candidates)) {
		return ErrOtherMatch
	}
	d.Evaluated, d.Played, d.Trials, d.StdErrs = true, k.Played, k.Trials, k.StdErrs
	d.Cube, d.Value, d.Answer = k.Cube, k.Value, k.Answer
	d.Best, d.Loss, d.LossMWC, d.Close = k.Best, k.Loss, k.LossMWC, k.Close
	d.Luck, d.LuckMWC, d.HasLuck = k.Luck, k.LuckMWC, k.HasLuck
	return nil
}
