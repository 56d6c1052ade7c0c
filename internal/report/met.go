package report

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"kotra/bg"
	"kotra/cube/met"
)

// A MET is a match equity table. Index 0 of its rows and columns is 1 point away.
type MET struct {
	Name         string      `json:"name"`
	Size         int         `json:"size"`          // points away that the table was made for
	PreCrawford  [][]float64 `json:"pre_crawford"`  // by the points of the player, then of the opponent
	PostCrawford []float64   `json:"post_crawford"` // of the player who trails, the opponent 1 away
}

// NewMET returns the entries of t up to size points away.
func NewMET(t *met.Table, size int) *MET {
	m := &MET{Name: t.Name(), Size: t.Size()}
	for mine := 1; mine <= size; mine++ {
		row := make([]float64, size)
		for theirs := 1; theirs <= size; theirs++ {
			row[theirs-1] = float64(t.PreCrawford(mine, theirs))
		}
		m.PreCrawford = append(m.PreCrawford, row)
		m.PostCrawford = append(m.PostCrawford, float64(t.PostCrawford(mine, 1)))
	}
	return m
}

// Records returns the table as rows of text with a head, the last row after the Crawford game.
func (m *MET) Records() [][]string {
	head := []string{"away"}
	for away := range m.PreCrawford {
		head = append(head, strconv.Itoa(away+1))
	}
	records := [][]string{head}
	add := func(name string, row []float64) {
		record := []string{name}
		for _, x := range row {
			record = append(record, strconv.FormatFloat(x, 'f', 5, 64))
		}
		records = append(records, record)
	}
	for i, row := range m.PreCrawford {
		add(strconv.Itoa(i+1), row)
	}
	add("post-crawford", m.PostCrawford)
	return records
}

// WriteText writes the table in percent.
func (m *MET) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%s: match winning chances in percent\n\n", m.Name)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "away\t")
	for away := range m.PreCrawford {
		fmt.Fprintf(t, "%d\t", away+1)
	}
	fmt.Fprintln(t)
	row := func(name string, chances []float64) {
		fmt.Fprintf(t, "%s\t", name)
		for _, x := range chances {
			fmt.Fprintf(t, "%.1f\t", 100*x)
		}
		fmt.Fprintln(t)
	}
	for i, chances := range m.PreCrawford {
		row(strconv.Itoa(i+1), chances)
	}
	row("post", m.PostCrawford)
	return t.Flush()
}

// A Score explains what a game is worth at a score of a match, for one of the players.
type Score struct {
	Table     string       `json:"table"`
	Away      [2]int       `json:"away"` // the player, the opponent
	Crawford  bool         `json:"crawford"`
	Cube      int          `json:"cube"`
	MWC       float64      `json:"mwc"`        // before the game
	Win       [3]float64   `json:"win"`        // MWC after winning a single game, a gammon, a backgammon
	Lose      [3]float64   `json:"lose"`       // MWC after losing them
	TakePoint *float64     `json:"take_point"` // winning chance to take a double of the cube, dead afterwards; nil in the Crawford game
	CashPoint *float64     `json:"cash_point"` // winning chance from which the opponent passes
	Gammon    GammonPrices `json:"gammon_prices"`
}

// GammonPrices are what gammons and backgammons are worth beyond the next smaller result.
type GammonPrices struct {
	WinGammon  float64 `json:"win_gammon"`
	WinBG      float64 `json:"win_bg"`
	LoseGammon float64 `json:"lose_gammon"`
	LoseBG     float64 `json:"lose_bg"`
}

func newGammonPrices(p met.GammonPrices) GammonPrices {
	return GammonPrices{p.WinGammon, p.WinBackgammon, p.LoseGammon, p.LoseBackgammon}
}

// NewScore explains the score s with the given cube by t.
func NewScore(t *met.Table, s bg.Score, cube int, rules bg.Rules) *Score {
	mine, theirs := s.Away()
	r := &Score{Table: t.Name(), Away: [2]int{mine, theirs}, Crawford: s.Crawford, Cube: cube, MWC: float64(t.MWC(s))}
	o := t.Outcomes(s, cube, rules)
	for i := range o.Win {
		r.Win[i], r.Lose[i] = float64(o.Win[i]), float64(o.Lose[i])
	}
	r.Gammon = newGammonPrices(o.GammonPrices())
	if !s.Crawford {
		take, cash := t.TakePoint(s, cube, rules), t.CashPoint(s, cube, rules)
		r.TakePoint, r.CashPoint = &take, &cash
	}
	return r
}

// WriteText writes the score with its consequences.
func (s *Score) WriteText(w io.Writer) error {
	crawford := ""
	if s.Crawford {
		crawford = ", Crawford game"
	}
	fmt.Fprintf(w, "%s\n%d-away, %d-away%s, cube %d\n\n", s.Table, s.Away[0], s.Away[1], crawford, s.Cube)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "Match winning chance\t%.2f%%\n", 100*s.MWC)
	for i, name := range []string{"single game", "gammon", "backgammon"} {
		fmt.Fprintf(t, "after winning, losing a %s\t%.2f%%\t%.2f%%\n", name, 100*s.Win[i], 100*s.Lose[i])
	}
	if s.TakePoint != nil {
		fmt.Fprintf(t, "Take point, dead cube\t%.2f%%\n", 100**s.TakePoint)
		fmt.Fprintf(t, "Cash point, dead cube\t%.2f%%\n", 100**s.CashPoint)
	}
	fmt.Fprintf(t, "Gammon prices, won, lost\t%.3f\t%.3f\n", s.Gammon.WinGammon, s.Gammon.LoseGammon)
	fmt.Fprintf(t, "Backgammon prices, won, lost\t%.3f\t%.3f\n", s.Gammon.WinBG, s.Gammon.LoseBG)
	return t.Flush()
}
