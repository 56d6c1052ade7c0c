package cli

import (
	"context"
	"fmt"

	"kotra"
	"kotra/internal/cputime"
	"kotra/internal/report"
	"kotra/internal/yardstick"
)

// cubeStrength grades the engine on the cube decisions at each ply asked for.
func (b *bench) cubeStrength(ctx context.Context) error {
	decisions := yardstick.CubeDev()
	for _, ply := range b.o.plies {
		o := b.o.engineOptions
		o.ply = ply
		engine, err := o.newEngine(b.env, b.o.threads)
		if err != nil {
			return err
		}
		b.env.note("grading %d cube decisions at %d-ply", len(decisions), ply)
		clock := cputime.Start()
		graded := yardstick.GradeCube(decisions, func(d *yardstick.CubeDecision) yardstick.CubeAnswer {
			var a yardstick.CubeAnswer
			if err == nil {
				a, err = answerCube(ctx, engine, d)
			}
			return a
		})
		if err != nil {
			return err
		}
		score := report.CubeStrength{Ply: ply, Rows: graded.Rows}
		if clock.CPU() {
			score.CPUSeconds = clock.Elapsed().Seconds()
		}
		b.report.CubeStrength = append(b.report.CubeStrength, score)
		all := graded.All()
		name := fmt.Sprintf("cube-strength/%dply", ply)
		b.report.Results = append(b.report.Results,
			report.Measurement{Name: name + "/double", Value: all.DoubleError, Unit: "mp", StdErr: &all.DoubleErrorStdErr},
			report.Measurement{Name: name + "/take", Value: all.TakeError, Unit: "mp", StdErr: &all.TakeErrorStdErr})
	}
	return nil
}

func answerCube(ctx context.Context, engine *kotra.Engine, d *yardstick.CubeDecision) (yardstick.CubeAnswer, error) {
	c, err := engine.CubeAction(ctx, d.State)
	return yardstick.CubeAnswer{
		Double: c.Action.Doubles(),
		Take:   c.Action.Takes(),
		CubeEquities: yardstick.CubeEquities{
			NoDouble: float64(c.NoDouble), DoubleTake: float64(c.DoubleTake), DoublePass: float64(c.DoublePass),
		},
	}, err
}
