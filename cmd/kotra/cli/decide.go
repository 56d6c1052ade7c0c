package cli

import (
	"context"

	"kotra"
	"kotra/bg"
	"kotra/cube"
	"kotra/internal/report"
)

// decide answers the decision of s about the cube or an offer.
func decide(ctx context.Context, engine *kotra.Engine, s *bg.State, cubeless bool) (answer, error) {
	switch {
	case s.Resigned != bg.Unfinished:
		r, err := engine.AcceptResignation(ctx, *s)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		return report.NewResignation(s, &r, cubeless), err
	case s.Beavers > 0:
		b, err := engine.AnswerBeaver(ctx, *s)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		return report.NewBeaverAnswer(s, &b, cubeless), err
	}
	return decideDouble(ctx, engine, s, cubeless)
}

// decideDouble answers whether to double, or how to answer a double.
func decideDouble(ctx context.Context, engine *kotra.Engine, s *bg.State, cubeless bool) (answer, error) {
	d, v, err := engine.EvaluateCube(ctx, *s)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	var points kotra.CubePoints
	if d.Action != cube.NoCube {
		points = engine.CubePoints(*s, v.Probs)
	}
	a := report.NewCubeDecision(s, &d, &v, &points, cubeless)
	if !s.Doubled && err == nil {
		var r bg.Result
		r, err = engine.Resign(ctx, *s)
		a.SetResign(r)
	}
	return a, err
}
