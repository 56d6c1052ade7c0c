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

// A MatchGrid is what one number is at every score of a match before the Crawford game. Index 0 of
// its rows and columns is 1 point away; the first row and column are after the Crawford game.
type MatchGrid struct {
	Name   string      `json:"name"`
	What   string      `json:"what"` // take_point or gammon_price
	Cube   int         `json:"cube"`
	Scores [][]float64 `json:"scores"` // by the points of the player, then of the opponent
}

// NewTakePoints returns the take points of t up to size points away: the chance that a player
// needs to take a double from the given cube, without gammons and further turns of the cube.
func NewTakePoints(t *met.Table, size, cube int, rules bg.Rules) *MatchGrid {
	return newGrid(t, "take_point", size, cube, func(s bg.Score) float64 { return t.TakePoint(s, cube, rules) })
}

// NewGammonPriceGrid returns what winning a gammon is worth by t up to size points away, with the
// given cube.
func NewGammonPriceGrid(t *met.Table, size, cube int, rules bg.Rules) *MatchGrid {
	return newGrid(t, "gammon_price", size, cube, func(s bg.Score) float64 {
		o := t.Outcomes(s, cube, rules)
		return o.GammonPrices().WinGammon
	})
}

func newGrid(t *met.Table, what string, size, cube int, at func(bg.Score) float64) *MatchGrid {
	g := &MatchGrid{Name: t.Name(), What: what, Cube: cube}
	for mine := 1; mine <= size; mine++ {
		row := make([]float64, size)
		for theirs := 1; theirs <= size; theirs++ {
			row[theirs-1] = at(bg.Score{Length: size, OnRoll: size - mine, Opponent: size - theirs})
		}
		g.Scores = append(g.Scores, row)
	}
	return g
}

// Records returns the grid as rows of text with a head.
func (g *MatchGrid) Records() [][]string {
	head := []string{"away"}
	for away := range g.Scores {
		head = append(head, strconv.Itoa(away+1))
	}
	records := [][]string{head}
	for i, row := range g.Scores {
		record := []string{strconv.Itoa(i + 1)}
		for _, x := range row {
			record = append(record, strconv.FormatFloat(x, 'f', 5, 64))
		}
		records = append(records, record)
	}
	return records
}

// WriteText writes the grid, take points in percent.
func (g *MatchGrid) WriteText(w io.Writer) error {
	title, format, factor := "gammon prices of the player", "%.3f\t", 1.
	if g.What == "take_point" {
		title, format, factor = "take points of the player in percent", "%.1f\t", 100.
	}
	fmt.Fprintf(w, "%s: %s, cube %d (1 away: after the Crawford game)\n\n", g.Name, title, g.Cube)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "away\t")
	for away := range g.Scores {
		fmt.Fprintf(t, "%d\t", away+1)
	}
	fmt.Fprintln(t)
	for i, row := range g.Scores {
		fmt.Fprintf(t, "%d\t", i+1)
		for _, x := range row {
			fmt.Fprintf(t, format, factor*x)
		}
		fmt.Fprintln(t)
	}
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

// Records returns the score as rows of a name and a number, with a head.
func (s *Score) Records() [][]string {
	records := [][]string{{"name", "value"}}
	add := func(name string, x float64) {
		records = append(records, []string{name, strconv.FormatFloat(x, 'f', 5, 64)})
	}
	add("mwc", s.MWC)
	for i, name := range []string{"single", "gammon", "backgammon"} {
		add("win_"+name, s.Win[i])
		add("lose_"+name, s.Lose[i])
	}
	if s.TakePoint != nil {
		add("take_point", *s.TakePoint)
		add("cash_point", *s.CashPoint)
	}
	add("gammon_price_win", s.Gammon.WinGammon)
	add("gammon_price_lose", s.Gammon.LoseGammon)
	add("backgammon_price_win", s.Gammon.WinBG)
	add("backgammon_price_lose", s.Gammon.LoseBG)
	return records
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
