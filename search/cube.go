package search

import (
	"context"

	"kotra/bg"
	"kotra/cube"
)

// Cube returns the cube decision of the player on roll of pos at ply plies, and the value of the
// position to him if he decides right. Whoever is to answer a double asks for the decision of
// the player who offers it.
//
// If ctx is done it returns the decision at 0 ply with the context's error. It panics if ply is
// not in [0, MaxPly].
func (s *Searcher) Cube(ctx context.Context, pos *bg.Position, info cube.Info, ply int) (cube.Decision, Value, error) {
	checkPly(ply)
	pl := s.plan(&info, ply, deciding)
	team := s.team(ctx, tasks(1, ply))
	defer team.dismiss()
	sums, err := team.sums(pl, []*bg.Position{pos}, ply)
	if err != nil {
		ply = 0
	}
	v := value{}
	w := team.workers[0]
	var noDouble, doubleTake cube.Value
	if ply == 0 || s.settled(pl, pos) {
		w.node(pos, pl, 0, 0, &v)
		noDouble, doubleTake = w.choices(pl, pos, &v.probs)
	} else {
		sum := &sums[0]
		sum.value(&pl.levels[0], &v)
		if states := pl.levels[0].states; len(states) > 0 {
			noDouble = cube.Value(sum.branch(states[0].noDouble))
			if states[0].double.index >= 0 {
				doubleTake = cube.Value(sum.branch(states[0].double))
			}
		}
	}
	out := pl.value(&v, deciding, ply)
	if s.cubeless {
		noDouble = pl.game.Value(out.Equity)
	}
	return pl.game.Decide(noDouble, doubleTake), out, err
}

// choices returns the values of both choices at 0 ply.
func (w *worker) choices(pl *plan, pos *bg.Position, p *bg.Probs) (noDouble, doubleTake cube.Value) {
	st := pl.root
	if r, won := pos.Result(); r != bg.Unfinished {
		noDouble = st.Settle(r, won)
		if st.CanDouble() {
			doubleTake = st.Double().Settle(r, won)
		}
		return noDouble, doubleTake
	}
	if exact, ok := w.s.lookup(pl, pos); ok {
		switch st.Cube().Owner {
		case bg.Centered:
			noDouble = cube.Value(exact.Centered)
		case bg.OnRoll:
			noDouble = cube.Value(exact.Owned)
		case bg.Opponent:
			noDouble = cube.Value(exact.Opponent)
		}
		return noDouble, cube.Value(exact.DoubleTake())
	}
	w.cubes.Set(p, st)
	x := pl.efficiency(pos)
	noDouble = w.cubes.NoDouble(st, x)
	if st.CanDouble() {
		doubleTake = w.cubes.NoDouble(st.Double(), x)
	}
	return noDouble, doubleTake
}
