package report

import (
	"fmt"
	"io"

	"kotra"
	"kotra/bg"
	"kotra/cube"
)

// A BeaverAnswer is the answer to a cube that has been turned on at once, seen by the player who
// has to give it. Equities are in units of the cube before it was turned last.
type BeaverAnswer struct {
	Take float64  `json:"take"`
	Pass float64  `json:"pass"`
	Turn *float64 `json:"turn"` // turning the cube once more; nil if the rules forbid it
	Best string   `json:"best"` // take, pass or raccoon
	Text string   `json:"text"`
}

// NewBeaverAnswer returns the report of the answer b to the offer in s. The cube is left out if
// cubeless.
func NewBeaverAnswer(s *bg.State, b *kotra.BeaverAnswer, cubeless bool) *Analysis {
	a := &Analysis{Evaluation: *NewEvaluation(s, &b.Evaluation, cubeless), Decision: "beaver", state: *s}
	a.BeaverAnswer = &BeaverAnswer{Take: float64(b.Take), Pass: float64(b.Pass), Best: b.Action.Code(), Text: b.Action.String()}
	if b.Action == cube.Raccoon && s.Beavers > 1 {
		a.BeaverAnswer.Text = "Turn the cube again"
	}
	if b.Turn != nil {
		turn := float64(*b.Turn)
		a.BeaverAnswer.Turn = &turn
	}
	return a
}

func (a *Analysis) writeBeaver(w io.Writer) error {
	b := a.BeaverAnswer
	a.writeCubeless(w)
	fmt.Fprintf(w, "Equities, for the cube before it was turned last:\n  Take  %+.3f\n  Pass  %+.3f\n", b.Take, b.Pass)
	if b.Turn != nil {
		fmt.Fprintf(w, "  Turn  %+.3f\n", *b.Turn)
	}
	_, err := fmt.Fprintf(w, "Proper answer: %s\n", b.Text)
	return err
}

// A Resignation is the answer to an offered resignation, seen by the player it is offered to.
type Resignation struct {
	Offered  string  `json:"offered"`  // single, gammon or backgammon
	Accepted float64 `json:"accepted"` // equity of accepting
	PlayOn   float64 `json:"play_on"`  // equity of playing on
	Accept   bool    `json:"accept"`
}

// NewResignation returns the report of the judgment r of the resignation offered in s. The cube
// is left out if cubeless.
func NewResignation(s *bg.State, r *kotra.Resignation, cubeless bool) *Analysis {
	a := &Analysis{Evaluation: *NewEvaluation(s, &r.Evaluation, cubeless), Decision: "resignation", state: *s}
	a.Resignation = &Resignation{
		Offered: resultName(r.Offered), Accepted: float64(r.Accepted), PlayOn: float64(r.Cubeful), Accept: r.Accept,
	}
	return a
}

func (a *Analysis) writeResignation(w io.Writer) error {
	r := a.Resignation
	a.writeCubeless(w)
	verdict := "Play on"
	if r.Accept {
		verdict = "Accept"
	}
	_, err := fmt.Fprintf(w, "Resignation of a %s: %+.3f, playing on: %+.3f\nProper answer: %s\n",
		r.Offered, r.Accepted, r.PlayOn, verdict)
	return err
}

// writeCubeless writes the chances without the cube.
func (a *Analysis) writeCubeless(w io.Writer) {
	fmt.Fprintf(w, "%d-ply cubeless equity %+.3f%s\n  %s\n", a.Ply, a.Equity, a.moneyEquity(), a.Probs)
}

// resultName returns r in words.
func resultName(r bg.Result) string {
	switch r {
	case bg.Single:
		return "single game"
	case bg.Gammon:
		return "gammon"
	case bg.Backgammon:
		return "backgammon"
	}
	return "none"
}
