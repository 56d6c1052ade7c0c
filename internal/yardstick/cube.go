package yardstick

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"

	"kotra/bg"
)

//go:embed cube-dev.jsonl.gz
var cubeData []byte

// CubeEquities are the equities of the player on roll, for a cube of 1 as it was before a double
// at money play, and EMG in a match.
type CubeEquities struct {
	NoDouble   float64 `json:"no_double"`
	DoubleTake float64 `json:"double_take"`
	DoublePass float64 `json:"double_pass"`
}

// A CubeDecision is a state before the roll with its reference equities.
type CubeDecision struct {
	State   bg.State
	Phase   string
	Allowed bool // whether a double is allowed
	CubeEquities
	GNUBG0 CubeEquities // what GNU Backgammon says at 0 plies
}

// A CubeAnswer is what a player says to a cube decision.
type CubeAnswer struct {
	Double, Take bool
	CubeEquities
}

// A CubeReport is the score of one player over all decisions in which a double is allowed, and
// apart for matches and for money.
type CubeReport struct {
	Rows []CubeRow `json:"rows"` // all, match, money
}

// A CubeRow is the score over some decisions. Errors are in thousandths of a point, means over the
// decisions.
type CubeRow struct {
	Kind              string  `json:"kind"` // all, match or money
	Decisions         int     `json:"decisions"`
	DoubleError       float64 `json:"double_error"`
	DoubleErrorStdErr float64 `json:"double_error_stderr"`
	WrongDoubles      int     `json:"wrong_doubles"`
	TakeError         float64 `json:"take_error"`
	TakeErrorStdErr   float64 `json:"take_error_stderr"`
	WrongTakes        int     `json:"wrong_takes"`
	RMS               float64 `json:"rms"`
}

// String returns r as an aligned table, one row a line.
func (r CubeReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-6s %4s %16s %6s %16s %6s %8s\n", "kind", "n", "double error", "wrong", "take error", "wrong", "rms")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "%-6s %4d %8.2f ± %5.2f %6d %8.2f ± %5.2f %6d %8.1f\n", row.Kind, row.Decisions,
			row.DoubleError, row.DoubleErrorStdErr, row.WrongDoubles, row.TakeError, row.TakeErrorStdErr, row.WrongTakes, row.RMS)
	}
	return b.String()
}

// All returns the row over all decisions.
func (r CubeReport) All() CubeRow { return r.Rows[0] }

// CubeDev returns the embedded cube decisions. The slice is shared and must not be changed.
var CubeDev = sync.OnceValue(func() []CubeDecision {
	unzipped, err := gzip.NewReader(bytes.NewReader(cubeData))
	if err != nil {
		panic("yardstick: embedded cube decisions: " + err.Error())
	}
	all, err := ReadCube(unzipped)
	if err != nil {
		panic("yardstick: embedded cube decisions: " + err.Error())
	}
	return all
})

// ReadCube reads cube decisions in the form of README.md, one JSON object a line.
func ReadCube(r io.Reader) ([]CubeDecision, error) {
	var all []CubeDecision
	lines := json.NewDecoder(r)
	for n := 1; ; n++ {
		var line cubeJSON
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading cube decision %d: %w", n, err)
		}
		d, err := line.decision()
		if err != nil {
			return nil, fmt.Errorf("reading cube decision %d: %w", n, err)
		}
		all = append(all, d)
	}
}

type cubeJSON struct {
	PositionID string `json:"position_id"`
	Phase      string `json:"phase"`
	Length     int    `json:"length"`
	Me         int    `json:"me"`
	Opp        int    `json:"opp"`
	Cube       int    `json:"cube"`
	Owner      string `json:"owner"`
	Crawford   bool   `json:"crawford"`
	Jacoby     bool   `json:"jacoby"`
	Allowed    bool   `json:"double_allowed"`
	CubeEquities
	GNUBG0 CubeEquities `json:"gnubg0"`
}

func (line *cubeJSON) decision() (CubeDecision, error) {
	s := bg.NewGame(bg.Rules{Jacoby: line.Jacoby})
	var err error
	if s.Position, err = bg.ParsePositionID(line.PositionID); err != nil {
		return CubeDecision{}, err
	}
	s.Cube.Value = line.Cube
	if line.Owner == "me" {
		s.Cube.Owner = bg.OnRoll
	}
	s.Score = bg.Score{Length: line.Length, OnRoll: line.Me, Opponent: line.Opp, Crawford: line.Crawford}
	d := CubeDecision{State: s, Phase: line.Phase, Allowed: line.Allowed, CubeEquities: line.CubeEquities, GNUBG0: line.GNUBG0}
	return d, s.Validate()
}

// StaticGNUBG returns the answers of GNU Backgammon at 0 plies, as recorded.
func StaticGNUBG(d *CubeDecision) CubeAnswer { return d.GNUBG0.answer() }

// answer returns the decisions that follow from e.
func (e CubeEquities) answer() CubeAnswer {
	return CubeAnswer{
		Double: min(e.DoubleTake, e.DoublePass) > e.NoDouble,
		Take:   e.DoubleTake <= e.DoublePass, CubeEquities: e,
	}
}

// GradeCube asks player for every decision in which a double is allowed, one after another, and
// reports the scores.
func GradeCube(decisions []CubeDecision, player func(*CubeDecision) CubeAnswer) CubeReport {
	tallies := map[string]*cubeTally{"all": {}, "match": {}, "money": {}}
	for i := range decisions {
		d := &decisions[i]
		if !d.Allowed {
			continue
		}
		kind := "match"
		if d.State.Score.Money() {
			kind = "money"
		}
		a := player(d)
		tallies["all"].add(d, &a)
		tallies[kind].add(d, &a)
	}
	var r CubeReport
	for _, kind := range []string{"all", "match", "money"} {
		r.Rows = append(r.Rows, tallies[kind].row(kind))
	}
	return r
}

// Losses returns what the player on roll loses by his answer to the question whether to double,
// and his opponent by his answer to a double, in points.
func (d *CubeDecision) Losses(a *CubeAnswer) (double, take float64) {
	doubled := min(d.DoubleTake, d.DoublePass)
	did := d.NoDouble
	if a.Double {
		did = doubled
	}
	answered := d.DoublePass
	if a.Take {
		answered = d.DoubleTake
	}
	return max(d.NoDouble, doubled) - did, answered - doubled
}

type cubeTally struct {
	double, take             []float64 // losses, in points
	wrongDoubles, wrongTakes int
	squares                  float64
}

func (t *cubeTally) add(d *CubeDecision, a *CubeAnswer) {
	double, take := d.Losses(a)
	t.double = append(t.double, double)
	t.take = append(t.take, take)
	if double > 0 {
		t.wrongDoubles++
	}
	if take > 0 {
		t.wrongTakes++
	}
	hold, offer := a.NoDouble-d.NoDouble, a.DoubleTake-d.DoubleTake
	t.squares += hold*hold + offer*offer
}

func (t *cubeTally) row(kind string) CubeRow {
	row := CubeRow{Kind: kind, Decisions: len(t.double), WrongDoubles: t.wrongDoubles, WrongTakes: t.wrongTakes}
	if row.Decisions == 0 {
		return row
	}
	row.DoubleError, row.DoubleErrorStdErr = meanStdErr(t.double)
	row.TakeError, row.TakeErrorStdErr = meanStdErr(t.take)
	row.RMS = 1000 * math.Sqrt(t.squares/float64(2*row.Decisions))
	return row
}
