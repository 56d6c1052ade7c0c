package train

import (
	"errors"
	"fmt"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ErrNoEvents is returned by [Plot] if the log has nothing to draw.
var ErrNoEvents = errors.New("train: the log has nothing to draw yet")

// Plot draws the log of a run into the folder dir: loss.svg and loss.png with the losses, and
// strength.svg and strength.png with the yardstick and the duels, all against the cost in CPU
// hours. It returns the names of the files.
func Plot(events []Event, dir string) ([]string, error) {
	var names []string
	for name, draw := range map[string]func([]Event) (*plot.Plot, error){"loss": plotLoss, "strength": plotStrength} {
		p, err := draw(events)
		if errors.Is(err, ErrNoEvents) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p.X.Label.Text = "CPU hours"
		p.Add(plotter.NewGrid())
		p.Legend.Top = true
		for _, ext := range []string{"svg", "png"} {
			file := filepath.Join(dir, name+"."+ext)
			if err := p.Save(18*vg.Centimeter, 11*vg.Centimeter, file); err != nil {
				return nil, err
			}
			names = append(names, file)
		}
	}
	if len(names) == 0 {
		return nil, ErrNoEvents
	}
	return names, nil
}

func plotLoss(events []Event) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "Loss"
	p.Y.Label.Text = "cross-entropy"
	return p, addSeries(p, events, []series{
		{"TD", func(e Event) (float64, bool) { return e.Loss, e.Part == "td" && e.Loss > 0 }},
		{"fit, training", func(e Event) (float64, bool) { return e.Loss, e.Part == "net" && e.Loss > 0 }},
		{"fit, validation", func(e Event) (float64, bool) { return e.Validation, e.Part == "net" && e.Validation > 0 }},
	})
}

func plotStrength(events []Event) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "Strength at 0-ply"
	p.Y.Label.Text = "loss a decision on the yardstick, thousandths"
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: 2}
	all := []series{{"all", yardstickLoss("all")}}
	for _, phase := range []string{"contact", "backgame", "crashed", "race"} {
		all = append(all, series{phase, yardstickLoss(phase)})
	}
	return p, addSeries(p, events, all)
}

// yardstickLoss returns the loss in one phase of the networks of TD and fit.
func yardstickLoss(phase string) func(Event) (float64, bool) {
	return func(e Event) (float64, bool) {
		if e.Yardstick == nil || e.Part != "td" && e.Part != "net" {
			return 0, false
		}
		for _, row := range e.Yardstick.Rows {
			if row.Phase == phase && row.Loss > 0 {
				return row.Loss, true
			}
		}
		return 0, false
	}
}

// series is a line of a plot: its value at an event, if the event has one.
type series struct {
	name  string
	value func(Event) (float64, bool)
}

func addSeries(p *plot.Plot, events []Event, all []series) error {
	empty := true
	for i, s := range all {
		var points plotter.XYs
		for _, e := range events {
			if y, ok := s.value(e); ok {
				points = append(points, plotter.XY{X: e.CPUHours, Y: y})
			}
		}
		if len(points) == 0 {
			continue
		}
		empty = false
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return fmt.Errorf("train: drawing %s: %w", s.name, err)
		}
		line.Color = plotutil.Color(i)
		dots.Shape, dots.Radius = draw.CircleGlyph{}, vg.Points(1.5)
		dots.Color = plotutil.Color(i)
		p.Add(line, dots)
		p.Legend.Add(s.name, line)
	}
	if empty {
		return ErrNoEvents
	}
	return nil
}
