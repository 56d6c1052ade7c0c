package analysis

import (
	"math"

	"kotra/cube"
	"kotra/record"
)

// A Tally counts decisions and what they lost.
type Tally struct {
	N       int
	Loss    float64 // EMG
	LossMWC float64 // match winning chances; for money points
}

func (t *Tally) add(d *Decision) {
	t.N++
	t.Loss += float64(d.Loss)
	t.LossMWC += d.LossMWC
}

func (t *Tally) merge(u *Tally) {
	t.N += u.N
	t.Loss += u.Loss
	t.LossMWC += u.LossMWC
}

// A Summary sums up the decisions and the rolls of a player.
type Summary struct {
	Moves, Unforced int
	Illegal         int
	Checker         Tally  // N is the number of unforced plays
	CheckerMarks    [4]int // by record.Mark; forced plays are unmarked

	CubeDecisions int
	Cube          Tally // N is the number of close or actual decisions
	CubeMarks     [4]int
	Doubles       int
	Takes         int
	Passes        int
	// Errors of the cube by their kind; N counts those that lost something.
	MissedDoubles      Tally // the opponent would have taken
	MissedCashes       Tally // he would have passed
	WrongDoubles       Tally // too early
	WrongTooGood       Tally // too late: too good to double
	WrongTakes         Tally
	WrongPasses        Tally
	Beavers            Tally // wrong beavers, and wrong answers to them: not in Cube
	Luck, LuckMWC      float64
	LuckMarks          [5]int // very unlucky, unlucky, none, lucky, very lucky
	Rolls              int    // whose luck is known
	Significant        int    // decisions that count for the PR
	OpponentMoves      int    // for the Snowie error rate
	EvaluatedDecisions int
}

func (m *Match) sum() {
	m.Games = make([]Game, len(m.Record.Games))
	for i := range m.Games {
		m.Games[i].Record = m.Record.Games[i]
		m.Games[i].First = len(m.Decisions)
	}
	for i := range m.Decisions {
		d := &m.Decisions[i]
		g := &m.Games[d.Game]
		g.First = min(g.First, i)
		g.Count++
		g.Players[d.Player].add(d)
	}
	m.Players = [2]Summary{}
	for i := range m.Games {
		p := &m.Games[i].Players
		p[0].OpponentMoves, p[1].OpponentMoves = p[1].Moves, p[0].Moves
		for j := range p {
			m.Players[j].merge(&p[j])
		}
	}
}

// EvaluatedDecisions returns how many decisions of m have been evaluated.
func (m *Match) EvaluatedDecisions() int {
	return m.Players[0].EvaluatedDecisions + m.Players[1].EvaluatedDecisions
}

func (s *Summary) add(d *Decision) {
	if d.Evaluated {
		s.EvaluatedDecisions++
	}
	if d.Kind == CheckerPlay {
		s.addPlay(d)
		return
	}
	s.addCube(d)
}

// noDifference is the loss below which the choice between plays does not count for the PR.
const noDifference = 0.001

func (s *Summary) addPlay(d *Decision) {
	s.Moves++
	if d.Record.Illegal != "" {
		s.Illegal++
	}
	if d.Unforced() {
		s.Unforced++
		s.Checker.add(d)
		if n := len(d.Candidates); n > 0 {
			worst := d.Best
			for i := range d.Candidates {
				worst = min(worst, d.Candidates[i].Cubeful)
			}
			if d.Best-worst >= noDifference {
				s.Significant++
			}
		}
	}
	s.CheckerMarks[d.Mark()]++
	if d.HasLuck {
		s.Rolls++
		s.Luck += float64(d.Luck)
		s.LuckMWC += d.LuckMWC
		s.LuckMarks[2+record.LuckMark(float64(d.Luck))]++
	}
}

func (s *Summary) addCube(d *Decision) {
	if d.Counted {
		s.CubeDecisions++
	}
	switch d.Record.Kind {
	case record.Double:
		s.Doubles++
	case record.Take:
		s.Takes++
	case record.Pass:
		s.Passes++
	}
	if !d.Evaluated {
		return
	}
	switch {
	case d.beaver():
	case d.Close:
		s.Cube.add(d)
		s.Significant++
	default:
		s.Cube.Loss += float64(d.Loss)
		s.Cube.LossMWC += d.LossMWC
	}
	s.CubeMarks[d.Mark()]++
	if d.Loss <= 0 {
		return
	}
	s.cubeError(d).add(d)
}

// cubeError returns the tally of the kind of error that d is.
func (s *Summary) cubeError(d *Decision) *Tally {
	passes := !d.Cube.Action.Takes()
	switch {
	case d.Kind == Answering && d.Record.Kind == record.Pass:
		return &s.WrongPasses
	case d.beaver():
		return &s.Beavers
	case d.Kind == Answering:
		return &s.WrongTakes
	case d.Doubled && (d.Cube.Action == cube.TooGoodPass || d.Cube.Action == cube.TooGoodTake):
		return &s.WrongTooGood
	case d.Doubled:
		return &s.WrongDoubles
	case passes:
		return &s.MissedCashes
	}
	return &s.MissedDoubles
}

func (s *Summary) merge(o *Summary) {
	s.Moves += o.Moves
	s.Unforced += o.Unforced
	s.Illegal += o.Illegal
	s.CubeDecisions += o.CubeDecisions
	s.Doubles += o.Doubles
	s.Takes += o.Takes
	s.Passes += o.Passes
	s.Luck += o.Luck
	s.LuckMWC += o.LuckMWC
	s.Rolls += o.Rolls
	s.Significant += o.Significant
	s.OpponentMoves += o.OpponentMoves
	s.EvaluatedDecisions += o.EvaluatedDecisions
	for i := range s.CheckerMarks {
		s.CheckerMarks[i] += o.CheckerMarks[i]
		s.CubeMarks[i] += o.CubeMarks[i]
	}
	for i := range s.LuckMarks {
		s.LuckMarks[i] += o.LuckMarks[i]
	}
	tallies := func(s *Summary) []*Tally {
		return []*Tally{
			&s.Checker, &s.Cube, &s.MissedDoubles, &s.MissedCashes, &s.WrongDoubles,
			&s.WrongTooGood, &s.WrongTakes, &s.WrongPasses, &s.Beavers,
		}
	}
	from := tallies(o)
	for i, t := range tallies(s) {
		t.merge(from[i])
	}
}

// perMille returns loss per decision in thousandths, 0 without decisions.
func perMille(loss float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return 1000 * loss / float64(n)
}

// CheckerRate returns the error rate of checker plays in mEMG.
func (s *Summary) CheckerRate() float64 { return perMille(s.Checker.Loss, s.Unforced) }

// CubeRate returns the error rate of cube decisions in mEMG.
func (s *Summary) CubeRate() float64 { return perMille(s.Cube.Loss, s.Cube.N) }

// Loss returns what all decisions lost, in EMG.
func (s *Summary) Loss() float64 { return s.Checker.Loss + s.Cube.Loss }

// LossMWC returns what all decisions lost in match winning chances, or points for money.
func (s *Summary) LossMWC() float64 { return s.Checker.LossMWC + s.Cube.LossMWC }

// ErrorRate returns the overall error rate in mEMG.
func (s *Summary) ErrorRate() float64 { return perMille(s.Loss(), s.Unforced+s.Cube.N) }

// ErrorRateMWC returns the overall error rate in thousandths of match winning chance, or points.
func (s *Summary) ErrorRateMWC() float64 { return perMille(s.LossMWC(), s.Unforced+s.Cube.N) }

// SnowieRate returns the Snowie error rate.
func (s *Summary) SnowieRate() float64 { return perMille(s.Loss(), s.Moves+s.OpponentMoves) }

// PR returns the performance rating as eXtreme Gammon defines it: 500 times the mean loss.
func (s *Summary) PR() float64 { return perMille(s.Loss(), s.Significant) / 2 }

// A band is a rating with the error rate in mEMG below which it is given.
type band struct {
	below float64
	name  string
}

var bands = []band{
	{2, "Supernatural"},
	{5, "World class"},
	{8, "Expert"},
	{12, "Advanced"},
	{18, "Intermediate"},
	{26, "Casual player"},
	{35, "Beginner"},
	{math.Inf(1), "Awful!"},
}

// Rating returns the rating of an overall error rate in mEMG, in the words and by the limits of GNU
// Backgammon's manual: supernatural below 2, world class below 5, expert below 8, advanced below
// 12, intermediate below 18, casual player below 26, beginner below 35.
func Rating(errorRate float64) string {
	for _, b := range bands {
		if errorRate < b.below {
			return b.name
		}
	}
	return bands[len(bands)-1].name
}

// Result returns the result of the match for a player: 0.5 for a won and -0.5 for a lost match, or
// points for money. ok is false if a match is not over.
func (m *Match) Result(player int) (result float64, ok bool) {
	if m.Record.Money() {
		score := m.Record.Score()
		start := [2]int{}
		if len(m.Record.Games) > 0 {
			start = m.Record.Games[0].Score
		}
		return float64(score[player] - start[player] - score[1-player] + start[1-player]), true
	}
	switch m.Record.Winner() {
	case player:
		return 0.5, true
	case 1 - player:
		return -0.5, true
	}
	return 0, false
}

// LuckAdjusted returns the result without luck: that of the match minus the player's luck plus his
// opponent's.
func (m *Match) LuckAdjusted(player int) (result float64, ok bool) {
	result, ok = m.Result(player)
	return result - m.Players[player].LuckMWC + m.Players[1-player].LuckMWC, ok
}
