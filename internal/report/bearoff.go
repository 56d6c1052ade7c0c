package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"kotra/bg"
	"kotra/eval/bearoff"
)

// A Bearoff is what the bearoff databases know of a race, for both sides.
type Bearoff struct {
	Position Position         `json:"position"`
	Probs    *Probs           `json:"probs"`  // of the player on roll, before the roll; nil if no one-sided table has it
	Equity   *float64         `json:"equity"` // cubeless, for money, one-sided
	Player   *BearoffRolls    `json:"player"`
	Opponent *BearoffRolls    `json:"opponent"`
	Exact    *BearoffEquities `json:"exact"` // nil if no two-sided table has it
}

// BearoffRolls are the rolls that one side needs to bear off.
type BearoffRolls struct {
	Pips  int       `json:"pips"`
	Mean  float64   `json:"mean"`  // expected number of rolls
	Rolls []float64 `json:"rolls"` // chance to need exactly that many, from 0
	First []float64 `json:"first"` // the same for the first checker, playing for it alone; null once one is off
}

// BearoffEquities are exact money equities of the player on roll in points on a cube of 1, if he
// does not double on this turn, by who owns the cube.
type BearoffEquities struct {
	Cubeless   float64 `json:"cubeless"`
	Centered   float64 `json:"centered"`
	Owned      float64 `json:"owned"`
	Opponent   float64 `json:"opponent"`
	DoubleTake float64 `json:"double_take"` // after a double that is taken
}

// NewBearoff looks s up in the tables, of which two may be nil. It is an error if none has it.
func NewBearoff(s *bg.State, one *bearoff.OneSided, two *bearoff.TwoSided) (*Bearoff, error) {
	b := &Bearoff{Position: NewPosition(s)}
	if two != nil {
		if eq, ok := two.Lookup(&s.Position); ok {
			b.Exact = &BearoffEquities{
				Cubeless: float64(eq.Cubeless), Centered: float64(eq.Centered), Owned: float64(eq.Owned),
				Opponent: float64(eq.Opponent), DoubleTake: float64(eq.DoubleTake()),
			}
		}
	}
	if p, ok := one.Lookup(&s.Position); ok {
		probs, equity := NewProbs(p), float64(p.Equity())
		b.Probs, b.Equity = &probs, &equity
		b.Player, b.Opponent = rollsOf(one, &s.Position.OnRoll), rollsOf(one, &s.Position.Opponent)
	}
	if b.Exact == nil && b.Probs == nil {
		return nil, fmt.Errorf("not a race with all checkers within the last %d points", one.Points())
	}
	return b, nil
}

func rollsOf(table *bearoff.OneSided, side *bg.Side) *BearoffRolls {
	r := &BearoffRolls{Pips: side.Pips(), Mean: table.Mean(side), Rolls: table.Rolls(nil, side)}
	if side[bg.Off] == 0 {
		r.First = table.FirstOff(nil, side)
	}
	return r
}

// WriteText writes the distributions of both sides beside each other, and the exact equities.
func (b *Bearoff) WriteText(w io.Writer) error {
	if b.Probs != nil {
		fmt.Fprintf(w, "%s, cubeless equity %+.4f\n\n", b.Probs, *b.Equity)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(t, "rolls\tplayer\topponent\t\n")
		for n := range max(len(b.Player.Rolls), len(b.Opponent.Rolls)) {
			if mine, theirs := at(b.Player.Rolls, n), at(b.Opponent.Rolls, n); mine+theirs > 0 {
				fmt.Fprintf(t, "%d\t%.3f%%\t%.3f%%\t\n", n, 100*mine, 100*theirs)
			}
		}
		fmt.Fprintf(t, "mean\t%.4f\t%.4f\t\n", b.Player.Mean, b.Opponent.Mean)
		fmt.Fprintf(t, "pips\t%d\t%d\t\n", b.Player.Pips, b.Opponent.Pips)
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if b.Exact == nil {
		return nil
	}
	if b.Probs != nil {
		fmt.Fprintln(w)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "Exact equities\tcubeless\t%+.6f\n", b.Exact.Cubeless)
	fmt.Fprintf(t, "\tno double, centered cube\t%+.6f\n", b.Exact.Centered)
	fmt.Fprintf(t, "\tno redouble, own cube\t%+.6f\n", b.Exact.Owned)
	fmt.Fprintf(t, "\topponent's cube\t%+.6f\n", b.Exact.Opponent)
	fmt.Fprintf(t, "\tdouble, take\t%+.6f\n", b.Exact.DoubleTake)
	return t.Flush()
}

func at(x []float64, i int) float64 {
	if i < len(x) {
		return x[i]
	}
	return 0
}

// A BearoffInfo describes a bearoff database.
type BearoffInfo struct {
	File      string `json:"file"`
	Kind      string `json:"kind"` // one-sided or two-sided
	Points    int    `json:"points"`
	Checkers  int    `json:"checkers"`
	Positions int    `json:"positions"` // of one side
}

// NewBearoffInfo describes the table that is not nil.
func NewBearoffInfo(name string, one *bearoff.OneSided, two *bearoff.TwoSided) *BearoffInfo {
	if two != nil {
		return &BearoffInfo{name, "two-sided", two.Points(), two.Checkers(), two.Positions()}
	}
	return &BearoffInfo{name, "one-sided", one.Points(), one.Checkers(), one.Positions()}
}

// WriteText writes the description as a sentence.
func (b *BearoffInfo) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s, up to %d checkers on %d points, %s positions a side\n",
		b.File, b.Kind, b.Checkers, b.Points, number(float64(b.Positions)))
	return err
}
