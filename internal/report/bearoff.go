package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"kotra/bg"
	"kotra/eval/bearoff"
)

// A Bearoff is what a one-sided database knows of a race, for both sides.
type Bearoff struct {
	Position Position     `json:"position"`
	Points   int          `json:"points"`   // of the database
	Checkers int          `json:"checkers"` // of the database
	Probs    Probs        `json:"probs"`    // of the player on roll, before the roll
	Equity   float64      `json:"equity"`   // cubeless, for money
	Player   BearoffRolls `json:"player"`
	Opponent BearoffRolls `json:"opponent"`
}

// BearoffRolls are the rolls that one side needs to bear off.
type BearoffRolls struct {
	Pips  int       `json:"pips"`
	Mean  float64   `json:"mean"`  // expected number of rolls
	Rolls []float64 `json:"rolls"` // chance to need exactly that many, from 0
	First []float64 `json:"first"` // the same for the first checker, playing for it alone; null once one is off
}

// NewBearoff looks s up in the table. It is an error if the table does not have it.
func NewBearoff(s *bg.State, table *bearoff.OneSided) (*Bearoff, error) {
	if !table.Covers(&s.Position) {
		return nil, fmt.Errorf("not a race with all checkers within the last %d points", table.Points())
	}
	p := table.Probs(&s.Position)
	side := func(side *bg.Side) BearoffRolls {
		r := BearoffRolls{Pips: side.Pips(), Mean: table.Mean(side), Rolls: table.Rolls(nil, side)}
		if side[bg.Off] == 0 {
			r.First = table.FirstOff(nil, side)
		}
		return r
	}
	return &Bearoff{
		Position: NewPosition(s),
		Points:   table.Points(),
		Checkers: table.Checkers(),
		Probs:    NewProbs(p),
		Equity:   float64(p.Equity()),
		Player:   side(&s.Position.OnRoll),
		Opponent: side(&s.Position.Opponent),
	}, nil
}

// WriteText writes the distributions of both sides beside each other.
func (b *Bearoff) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%s, cubeless equity %+.4f\n\n", b.Probs, b.Equity)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "rolls\tplayer\topponent\t\n")
	for n := range max(len(b.Player.Rolls), len(b.Opponent.Rolls)) {
		if at(b.Player.Rolls, n)+at(b.Opponent.Rolls, n) > 0 {
			fmt.Fprintf(t, "%d\t%.3f%%\t%.3f%%\t\n", n, 100*at(b.Player.Rolls, n), 100*at(b.Opponent.Rolls, n))
		}
	}
	fmt.Fprintf(t, "mean\t%.4f\t%.4f\t\n", b.Player.Mean, b.Opponent.Mean)
	fmt.Fprintf(t, "pips\t%d\t%d\t\n", b.Player.Pips, b.Opponent.Pips)
	return t.Flush()
}

func at(x []float64, i int) float64 {
	if i < len(x) {
		return x[i]
	}
	return 0
}
