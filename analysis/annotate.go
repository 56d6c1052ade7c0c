package analysis

import (
	"kotra/cube"
	"kotra/record"
)

// maxCandidates is how many candidates Annotate stores for a play, the play made always among them.
const maxCandidates = 32

// Annotate stores what has been found out in the actions of the match, for formats that hold
// analyses. It replaces those that are there.
func (m *Match) Annotate() {
	for i := range m.Decisions {
		m.Decisions[i].Record.Analysis = nil
	}
	for i := range m.Decisions {
		if d := &m.Decisions[i]; d.Evaluated {
			d.annotate()
		}
	}
}

func (d *Decision) annotate() {
	a := d.Record.Analysis
	if a == nil {
		a = &record.Analysis{Played: -1}
		d.Record.Analysis = a
	}
	if d.Kind != CheckerPlay {
		a.Cube = d.cubeRecord()
		return
	}
	if d.HasLuck {
		luck := float64(d.Luck)
		a.Luck = &luck
	}
	for i := range d.Candidates {
		if len(a.Candidates) >= maxCandidates && i != d.Played {
			continue
		}
		if i == d.Played {
			a.Played = len(a.Candidates)
		}
		c := &d.Candidates[i]
		a.Candidates = append(a.Candidates, record.Candidate{
			Move: c.Play.Move, Position: c.Play.Result, Probs: c.Probs, Equity: float64(c.Cubeful), Ply: c.Ply,
		})
	}
}

// cubeRecord returns the analysis of a cube decision, nil if there was no cube.
func (d *Decision) cubeRecord() *record.Cube {
	if d.Cube.Action == cube.NoCube {
		return nil
	}
	c := &record.Cube{
		Probs: d.Value.Probs, TakeProbs: d.Value.Probs,
		Cubeless: float64(d.Value.Equity), TakeCubeless: float64(d.Value.Equity),
		NoDouble: float64(d.Cube.NoDouble), DoubleTake: float64(d.Cube.DoubleTake), DoublePass: float64(d.Cube.DoublePass),
		NoDoubleMWC: float64(d.Cube.NoDoubleMWC), DoubleTakeMWC: float64(d.Cube.DoubleTakeMWC),
		Ply: d.Value.Ply,
	}
	loss := float64(d.Loss)
	if d.Kind == Doubling {
		c.Loss = &loss
	} else {
		c.AnswerLoss = &loss
	}
	return c
}
