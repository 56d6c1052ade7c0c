package report

import (
	"fmt"
	"io"
	"strings"

	"kotra"
	"kotra/bg"
)

// An Analysis is the answer to a decision: the moves of a roll, ranked, a cube action, or the
// answer to an offer.
//
// Its evaluation is that of the position before the roll, or, with dice, that of the best move.
type Analysis struct {
	Evaluation
	Decision     string        `json:"decision"` // checker, cube, take, beaver or resignation
	Moves        []Move        `json:"moves,omitzero"`
	CubeAction   *CubeAction   `json:"cube_action,omitempty"`
	BeaverAnswer *BeaverAnswer `json:"beaver_answer,omitempty"`
	Resignation  *Resignation  `json:"resignation,omitempty"`
	// Resign is what the player who may double should rather resign: single game, gammon or
	// backgammon. It is left out if he should play on.
	Resign string `json:"resign,omitempty"`

	state bg.State
	rest  int // of the moves, not shown
}

// A Move is a ranked candidate, seen by the player who makes it.
type Move struct {
	Rank       int      `json:"rank"`
	Move       string   `json:"move"`        // empty if there is no legal move
	PositionID string   `json:"position_id"` // of the result, the opponent on roll
	Equity     float64  `json:"equity"`      // what moves are ranked by: cubeful, unless the cube is left out
	Diff       float64  `json:"diff"`        // to the best move, 0 or negative
	Cubeless   float64  `json:"cubeless"`    // equity without the cube
	Cubeful    *float64 `json:"cubeful"`     // nil if the cube was left out
	MWC        *float64 `json:"mwc"`         // match winning chance; nil for money
	Probs      Probs    `json:"probs"`
	Ply        int      `json:"ply"`
	StdErr     *float64 `json:"stderr"` // nil where nothing was rolled out
}

// NewEvaluation returns the report of v for the state s. The cube is left out if cubeless.
func NewEvaluation(s *bg.State, v *kotra.Evaluation, cubeless bool) *Evaluation {
	r := &Evaluation{
		Position: NewPosition(s),
		Class:    v.Class.String(),
		Ply:      v.Ply,
		Probs:    NewProbs(v.Probs),
		Equity:   float64(v.Equity),
		MWC:      v.MWC,
	}
	if !cubeless {
		cubeful := float64(v.Cubeful)
		r.Cubeful = &cubeful
	}
	return r
}

// NewRanking returns the report of the moves of s, the best first, of which top are shown
// (all of them if top is 0). mwc converts an equity to a match winning chance; it is nil
// for money.
func NewRanking(s *bg.State, class fmt.Stringer, candidates []kotra.Candidate, cubeless bool, mwc func(bg.Equity) float64, top int) *Analysis {
	a := &Analysis{Decision: "checker", state: *s}
	if top > 0 && len(candidates) > top {
		a.rest = len(candidates) - top
		candidates = candidates[:top]
	}
	a.Moves = make([]Move, len(candidates))
	value := func(c *kotra.Candidate) bg.Equity {
		if cubeless {
			return c.Equity
		}
		return c.Cubeful
	}
	for i := range candidates {
		c := &candidates[i]
		m := Move{
			Rank:       i + 1,
			Move:       c.Play.Move.String(),
			PositionID: c.Play.Result.ID(),
			Equity:     float64(value(c)),
			Diff:       float64(value(c) - value(&candidates[0])),
			Cubeless:   float64(c.Equity),
			Probs:      NewProbs(c.Probs),
			Ply:        c.Ply,
		}
		if !cubeless {
			cubeful := float64(c.Cubeful)
			m.Cubeful = &cubeful
		}
		if mwc != nil {
			chance := mwc(value(c))
			m.MWC = &chance
		}
		a.Moves[i] = m
	}
	best := &a.Moves[0]
	a.Evaluation = Evaluation{
		Position: NewPosition(s),
		Class:    class.String(),
		Ply:      best.Ply,
		Probs:    best.Probs,
		Equity:   best.Cubeless,
		Cubeful:  best.Cubeful,
		MWC:      best.MWC,
	}
	return a
}

// WriteText draws the board and writes the moves or the cube action below it, both in the
// layout of GNU Backgammon.
func (a *Analysis) WriteText(w io.Writer) error {
	fmt.Fprintln(w, Board(&a.state))
	fmt.Fprintln(w)
	switch {
	case a.CubeAction != nil:
		return a.writeCube(w)
	case a.BeaverAnswer != nil:
		return a.writeBeaver(w)
	case a.Resignation != nil:
		return a.writeResignation(w)
	}
	if len(a.Moves) == 1 && a.rest == 0 && a.Moves[0].Move == "" {
		_, err := fmt.Fprintln(w, "There are no legal moves.")
		return err
	}
	for i := range a.Moves {
		if err := a.Moves[i].writeText(w); err != nil {
			return err
		}
	}
	if a.rest > 0 {
		fmt.Fprintf(w, "(%d more; --top 0 shows all)\n", a.rest)
	}
	return nil
}

func (m *Move) writeText(w io.Writer) error {
	kind := "Cubeful"
	if m.Cubeful == nil {
		kind = "Cubeless"
	}
	diff := ""
	if m.Rank > 1 {
		diff = fmt.Sprintf(" (%+.3f)", m.Diff)
	}
	depth := fmt.Sprintf("%s %d-ply", kind, m.Ply)
	fmt.Fprintf(w, "%5d. %-17s%-28s Eq.: %+.3f%s\n", m.Rank, depth, m.Move, m.Equity, diff)
	fmt.Fprintf(w, "       %s\n", m.Probs)
	settings := fmt.Sprintf("%d-ply %s", m.Ply, strings.ToLower(kind))
	if m.MWC != nil {
		settings += fmt.Sprintf(", match winning chance %.2f%%", 100**m.MWC)
	}
	_, err := fmt.Fprintf(w, "        %s\n", settings)
	return err
}
