package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"kotra/nn"
)

// Weights describe a network file.
type Weights struct {
	File       string  `json:"file"`
	SHA256     string  `json:"sha256"`
	Bytes      int     `json:"bytes"`
	Shape      string  `json:"shape"`
	Parameters int     `json:"parameters"`
	Meta       nn.Meta `json:"meta"`
}

// NewWeights describes the network n of the named file with the given size.
func NewWeights(name string, n *nn.Network, size int) *Weights {
	return &Weights{
		File:       name,
		SHA256:     n.Checksum(),
		Bytes:      size,
		Shape:      n.Shape.String(),
		Parameters: len(n.Params),
		Meta:       n.Meta,
	}
}

// WriteText writes a line for each property that is known.
func (v *Weights) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, value any, known bool) {
		if known {
			fmt.Fprintf(t, "%s\t"+format+"\n", name, value)
		}
	}
	line("file", "%s", v.File, true)
	line("SHA-256", "%s", v.SHA256, true)
	line("size", "%s bytes", number(float64(v.Bytes)), true)
	line("shape", "%s", v.Shape, true)
	line("parameters", "%s", number(float64(v.Parameters)), true)
	line("features", "%s", v.Meta.Features, true)
	line("run", "%s", v.Meta.Run, v.Meta.Run != "")
	line("date", "%s", v.Meta.Date, v.Meta.Date != "")
	line("games", "%s", number(float64(v.Meta.Games)), v.Meta.Games != 0)
	line("labels", "%s", number(float64(v.Meta.Labels)), v.Meta.Labels != 0)
	line("seed", "%d", v.Meta.Seed, true)
	line("CPU hours", "%.2f", v.Meta.CPUHours, v.Meta.CPUHours != 0)
	line("parent", "%s", v.Meta.Parent, v.Meta.Parent != "")
	return t.Flush()
}
