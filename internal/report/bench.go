package report

import (
	"fmt"
	"io"

	"kotra/internal/yardstick"
)

// A Bench is what kotra bench has measured.
type Bench struct {
	Machine  string        `json:"machine"`
	Version  string        `json:"version"`
	Weights  string        `json:"weights"`
	Threads  int           `json:"threads"`
	Results  []Measurement `json:"results"`
	Strength []Strength    `json:"strength,omitempty"`

	CubeStrength []CubeStrength `json:"cube_strength,omitempty"`

	Signature int `json:"signature"` // positions that a fixed search evaluates; 0 if not counted
}

// A Measurement is one number of a benchmark.
type Measurement struct {
	Name   string   `json:"name"`
	Value  float64  `json:"value"`
	Unit   string   `json:"unit"`
	CPU    bool     `json:"cpu"` // in processor time, not time on the clock
	StdErr *float64 `json:"stderr,omitempty"`
}

// Strength is the score on the yardstick at one depth.
type Strength struct {
	Ply        int             `json:"ply"`
	Rows       []yardstick.Row `json:"rows"`
	CPUSeconds float64         `json:"cpu_seconds"`
}

// CubeStrength is the score on the cube decisions at one depth.
type CubeStrength struct {
	Ply        int                 `json:"ply"`
	Rows       []yardstick.CubeRow `json:"rows"`
	CPUSeconds float64             `json:"cpu_seconds"`
}

// WriteText writes the measurements and scores as tables.
func (b *Bench) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "machine  %s\nversion  %s\nweights  %s\nthreads  %d\n\n", b.Machine, b.Version, b.Weights, b.Threads)
	for _, s := range b.Strength {
		fmt.Fprintf(w, "%d-ply, thousandths of a point with standard errors (%.1f s of processor time)\n%s\n",
			s.Ply, s.CPUSeconds, yardstick.Report{Rows: s.Rows})
	}
	for _, s := range b.CubeStrength {
		fmt.Fprintf(w, "%d-ply cube actions, thousandths of a point with standard errors (%.1f s of processor time)\n%s\n",
			s.Ply, s.CPUSeconds, yardstick.CubeReport{Rows: s.Rows})
	}
	if len(b.Strength)+len(b.CubeStrength) > 0 {
		return nil
	}
	for _, m := range b.Results {
		line := fmt.Sprintf("%-24s %12s %s", m.Name, number(m.Value), m.Unit)
		if m.StdErr != nil && m.Unit == "s" {
			line += fmt.Sprintf(", standard error of the equity %.4f", *m.StdErr)
		}
		if !m.CPU {
			line += " (on the clock)"
		}
		fmt.Fprintln(w, line)
	}
	if b.Signature != 0 {
		fmt.Fprintf(w, "\nSignature: %d\n", b.Signature)
	}
	return nil
}

// number writes x with about four digits and thousands apart.
func number(x float64) string {
	switch {
	case x < 10:
		return fmt.Sprintf("%.3f", x)
	case x < 1000:
		return fmt.Sprintf("%.1f", x)
	}
	digits := fmt.Sprintf("%.0f", x)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
