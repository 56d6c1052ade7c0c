package report

import (
	"fmt"
	"io"
	"math"
	"strings"

	"kotra"
	"kotra/bg"
	"kotra/cube"
)

// A CubeAction is the answer to a cube decision, seen by the player whose decision it is: the
// one who may double, or the one who has been doubled.
type CubeAction struct {
	NoDouble   float64  `json:"no_double"`
	DoubleTake *float64 `json:"double_take"`     // nil if the cube is not available
	DoublePass *float64 `json:"double_pass"`     // likewise
	Best       string   `json:"best"`            // such as no_double, double_take, too_good_pass; take, pass or beaver
	Text       string   `json:"text"`            // such as "No double, take"; "Take", "Pass" or "Beaver"
	Offer      string   `json:"offer,omitempty"` // what the double was worth, if it has been offered
	MWC        *CubeMWC `json:"mwc,omitempty"`   // left out for money

	Points *CubePoints   `json:"points,omitempty"`        // left out if the cube is not available
	Gammon *GammonPrices `json:"gammon_prices,omitempty"` // likewise

	action  cube.Action
	percent float64 // share of wrong answers that would make a double right, 0 if none
}

// CubeMWC are the match winning chances of the three branches.
type CubeMWC struct {
	NoDouble   float64  `json:"no_double"`
	DoubleTake *float64 `json:"double_take"`
	DoublePass *float64 `json:"double_pass"`
}

// NewCubeDecision returns the report of the cube decision d for the state s, whose evaluation is
// v, with the points at which it would change; all are seen by the player on roll. The cube is
// left out if cubeless.
func NewCubeDecision(s *bg.State, d *cube.Decision, v *kotra.Evaluation, points *kotra.CubePoints, cubeless bool) *Analysis {
	seen := *v
	c := &CubeAction{NoDouble: float64(d.NoDouble), Best: d.Action.Code(), Text: d.String(), action: d.Action, percent: d.Nerve}
	if d.Action != cube.NoCube {
		take, pass := float64(d.DoubleTake), float64(d.DoublePass)
		c.DoubleTake, c.DoublePass = &take, &pass
		c.Points = newCubePoints(points)
		prices := newGammonPrices(points.Gammons)
		c.Gammon = &prices
	}
	if !s.Score.Money() {
		c.MWC = &CubeMWC{NoDouble: float64(d.NoDoubleMWC)}
		if c.DoubleTake != nil {
			take, pass := float64(d.DoubleTakeMWC), float64(d.DoublePassMWC)
			c.MWC.DoubleTake, c.MWC.DoublePass = &take, &pass
		}
	}
	a := &Analysis{Decision: "cube", CubeAction: c, state: *s}
	if s.Doubled {
		a.Decision = "take"
		seen.Probs, seen.Equity, seen.Cubeful = v.Probs.Flip(), -v.Equity, -v.Cubeful
		if v.MWC != nil {
			mwc := 1 - *v.MWC
			seen.MWC = &mwc
		}
		c.flip()
		answer := d.Answer()
		c.Offer, c.Best, c.Text = c.Text, answer.Code(), answer.String()
	}
	a.Evaluation = *NewEvaluation(s, &seen, cubeless)
	return a
}

// CubePoints are the winning chances at which the cube action of a position would change if its
// gammons kept their share, for a dead cube, the efficiency of its class, and a live cube.
type CubePoints struct {
	Efficiency float64    `json:"efficiency"`
	Dead       CubeWindow `json:"dead"`
	Cubeful    CubeWindow `json:"cubeful"`
	Live       CubeWindow `json:"live"`
}

// A CubeWindow is the doubling window. Chances are those of the player who may double, but for
// Take; nil means never.
type CubeWindow struct {
	Double  *float64 `json:"double"`   // from here on a double is right
	Cash    *float64 `json:"cash"`     // from here on the opponent passes
	TooGood *float64 `json:"too_good"` // from here on he plays on for a gammon
	Take    float64  `json:"take"`     // the least with which the opponent may take
}

func newCubePoints(p *kotra.CubePoints) *CubePoints {
	return &CubePoints{p.Efficiency, newCubeWindow(&p.Dead), newCubeWindow(&p.Cubeful), newCubeWindow(&p.Live)}
}

func newCubeWindow(w *cube.Window) CubeWindow {
	round := func(x float64) float64 { return math.Round(x*1e6) / 1e6 } // to what they are found
	chance := func(x float64) *float64 {
		if x >= 1 {
			return nil
		}
		x = round(x)
		return &x
	}
	return CubeWindow{chance(w.Double), chance(w.Cash), chance(w.TooGood), round(1 - w.Cash)}
}

func (p *CubePoints) writeText(w io.Writer) {
	windows := []*CubeWindow{&p.Dead, &p.Cubeful, &p.Live}
	fmt.Fprintf(w, "Winning chances        dead cube    x = %.2f   live cube\n", p.Efficiency)
	row := func(name string, of func(*CubeWindow) *float64) {
		line := fmt.Sprintf("  %-20s", name)
		for _, window := range windows {
			text := "never"
			if x := of(window); x != nil {
				text = fmt.Sprintf("%.1f%%", 100**x)
			}
			line += fmt.Sprintf("%10s  ", text)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	row("double from", func(w *CubeWindow) *float64 { return w.Double })
	row("pass from", func(w *CubeWindow) *float64 { return w.Cash })
	row("too good from", func(w *CubeWindow) *float64 { return w.TooGood })
	row("take point", func(w *CubeWindow) *float64 { return &w.Take })
}

// SetResign notes what the player on roll should resign, if anything.
func (a *Analysis) SetResign(r bg.Result) {
	if r != bg.Unfinished {
		a.Resign = resultName(r)
	}
}

// flip turns the numbers of c round to the other player.
func (c *CubeAction) flip() {
	c.NoDouble = -c.NoDouble
	for _, equity := range []*float64{c.DoubleTake, c.DoublePass} {
		if equity != nil {
			*equity = -*equity
		}
	}
	if c.MWC == nil {
		return
	}
	c.MWC.NoDouble = 1 - c.MWC.NoDouble
	for _, mwc := range []*float64{c.MWC.DoubleTake, c.MWC.DoublePass} {
		if mwc != nil {
			*mwc = 1 - *mwc
		}
	}
}

// A branch is one of the ways a cube decision may go.
type branch struct {
	name   string
	equity float64
	mwc    *float64
}

// branches returns the branches of c that are open: the proper one first, then those that the
// answer to a double decides between, as GNU Backgammon lists them.
func (c *CubeAction) branches() []branch {
	none := branch{"No double", c.NoDouble, nil}
	if c.MWC != nil {
		none.mwc = &c.MWC.NoDouble
	}
	if c.DoubleTake == nil {
		return []branch{none}
	}
	take, pass := branch{"Double, take", *c.DoubleTake, nil}, branch{"Double, pass", *c.DoublePass, nil}
	if c.MWC != nil {
		take.mwc, pass.mwc = c.MWC.DoubleTake, c.MWC.DoublePass
	}
	switch {
	case c.action.Doubles() && c.action.Takes():
		return []branch{take, pass, none}
	case c.action.Doubles():
		return []branch{pass, take, none}
	case c.action == cube.TooGoodTake:
		return []branch{none, take, pass}
	}
	return []branch{none, pass, take}
}

// writeCube writes the cube action of a in the layout of GNU Backgammon: the branches, with the
// difference to the proper one.
func (a *Analysis) writeCube(w io.Writer) error {
	c := a.CubeAction
	fmt.Fprintln(w, "Cube analysis")
	a.writeCubeless(w)
	fmt.Fprintln(w, "Cubeful equities:")
	branches := c.branches()
	for i, b := range branches {
		line := fmt.Sprintf("%d. %-19s %+.3f", i+1, b.name, b.equity)
		if i > 0 {
			line += fmt.Sprintf("  (%+.3f)", b.equity-branches[0].equity)
		}
		if b.mwc != nil {
			line = fmt.Sprintf("%-41s  MWC %.2f%%", line, 100**b.mwc)
		}
		fmt.Fprintln(w, line)
	}
	if a.Resign != "" {
		fmt.Fprintf(w, "The position is lost: resign a %s.\n", a.Resign)
	}
	if c.DoubleTake == nil {
		_, err := fmt.Fprintln(w, "You cannot double.")
		return err
	}
	action := c.Text
	if a.Decision == "take" {
		action = c.Offer
	}
	if c.percent > 0 {
		action += fmt.Sprintf(" (%.1f%%)", 100*c.percent)
	}
	fmt.Fprintf(w, "Proper cube action: %s\n", action)
	if a.Decision == "take" {
		fmt.Fprintf(w, "Proper answer to the double: %s\n", c.Text)
	}
	fmt.Fprintln(w)
	c.Points.writeText(w)
	_, err := fmt.Fprintf(w, "Gammon prices: won %.3f, lost %.3f; backgammons: won %.3f, lost %.3f\n",
		c.Gammon.WinGammon, c.Gammon.LoseGammon, c.Gammon.WinBG, c.Gammon.LoseBG)
	return err
}

// moneyEquity returns a note with the equity that the probabilities have for money, at a match
// score.
func (a *Analysis) moneyEquity() string {
	if a.Position.Match.Length == 0 {
		return ""
	}
	p := &a.Probs
	return fmt.Sprintf(" (Money: %+.3f)", 2*p.Win-1+p.WinGammon-p.LoseGammon+p.WinBG-p.LoseBG)
}
