package report

import (
	"fmt"
	"io"
	"strings"

	"kotra/bg"
)

// Probs are the cumulative chances of how the game ends.
type Probs struct {
	Win        float64 `json:"win"`
	WinGammon  float64 `json:"win_gammon"`
	WinBG      float64 `json:"win_bg"`
	LoseGammon float64 `json:"lose_gammon"`
	LoseBG     float64 `json:"lose_bg"`
}

// NewProbs returns p in the form of reports.
func NewProbs(p bg.Probs) Probs {
	return Probs{
		Win:        float64(p.Win),
		WinGammon:  float64(p.WinGammon),
		WinBG:      float64(p.WinBackgammon),
		LoseGammon: float64(p.LoseGammon),
		LoseBG:     float64(p.LoseBackgammon),
	}
}

// String returns the six chances as GNU Backgammon writes them: win, win gammon, win backgammon
// - lose, lose gammon, lose backgammon.
func (p Probs) String() string {
	return fmt.Sprintf("%.3f %.3f %.3f - %.3f %.3f %.3f",
		p.Win, p.WinGammon, p.WinBG, 1-p.Win, p.LoseGammon, p.LoseBG)
}

// An Evaluation is what a position is worth before the roll.
type Evaluation struct {
	Position Position `json:"position"`
	Class    string   `json:"class"` // contact, crashed, race, bearoff or over
	Ply      int      `json:"ply"`
	Probs    Probs    `json:"probs"`
	Equity   float64  `json:"equity"`  // cubeless; EMG at a match score
	Cubeful  *float64 `json:"cubeful"` // nil if the cube was left out
	MWC      *float64 `json:"mwc"`     // match winning chance; nil for money
}

// WriteText writes the evaluation as a small table.
func (v *Evaluation) WriteText(w io.Writer) error {
	depth := "static"
	if v.Ply > 0 {
		depth = fmt.Sprintf("%d-ply", v.Ply)
	}
	fmt.Fprintf(w, "Position ID: %s\nMatch ID:    %s\nClass:       %s\n\n",
		v.Position.PositionID, v.Position.MatchID, v.Class)
	cubeful := "-"
	if v.Cubeful != nil {
		cubeful = fmt.Sprintf("%+.3f", *v.Cubeful)
	}
	head := fmt.Sprintf("        %-8s%-8s%-8s%-8s%-8s%-10s%-10s", "Win", "W(g)", "W(bg)", "L(g)", "L(bg)", "Equity", "Cubeful")
	row := fmt.Sprintf("%-8s%-8.3f%-8.3f%-8.3f%-8.3f%-8.3f%-+10.3f%-10s", depth+":",
		v.Probs.Win, v.Probs.WinGammon, v.Probs.WinBG, v.Probs.LoseGammon, v.Probs.LoseBG, v.Equity, cubeful)
	if v.MWC != nil {
		head += "MWC"
		row += fmt.Sprintf("%.2f%%", 100**v.MWC)
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n", strings.TrimRight(head, " "), strings.TrimRight(row, " "))
	return err
}
