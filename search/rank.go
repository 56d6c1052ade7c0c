package search

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"kotra/bg"
	"kotra/cube"
	"kotra/movegen"
)

// A Value is what is known of a position after a search, seen by one player.
type Value struct {
	Probs   bg.Probs
	Equity  bg.Equity // cubeless; at a match score EMG
	Cubeful bg.Equity // with the cube's use; the same as Equity where there is no cube
	Ply     int       // how deep the search was
}

// A Candidate is a play with its value for the player who makes it.
type Candidate struct {
	Play movegen.Play
	Value
}

// compare orders candidates from the best to the worst: deeper before shallower, then by cubeful
// equity. Where the cube makes plays equal, as those that all win by a double next turn, the one
// with the better cubeless equity is first, and of equals that too the positions they lead to decide.
func compare(a, b *Candidate) int {
	return cmp.Or(
		cmp.Compare(b.Ply, a.Ply),
		cmp.Compare(b.Cubeful, a.Cubeful),
		cmp.Compare(b.Equity, a.Equity),
		bytes.Compare(a.Play.Result.OnRoll[:], b.Play.Result.OnRoll[:]),
		bytes.Compare(a.Play.Result.Opponent[:], b.Play.Result.Opponent[:]),
	)
}

// Rank evaluates the plays of dice at ply plies, as far as the filter lets them come, and
// returns all of them, the best first. Candidates that stopped at a lower ply come after all
// that went deeper. A dance is one candidate with an empty move.
//
// If ctx is done it returns what is ranked so far, at lower plies, with the context's error. It
// panics if ply is not in [0, MaxPly] or dice have not been rolled.
func (s *Searcher) Rank(ctx context.Context, pos *bg.Position, dice bg.Dice, info cube.Info, ply int) ([]Candidate, error) {
	checkPly(ply)
	return s.rank(ctx, pos, dice, &info, ply, false)
}

// Best returns the first of [Searcher.Rank] and spends no time on what does not change it.
func (s *Searcher) Best(ctx context.Context, pos *bg.Position, dice bg.Dice, info cube.Info, ply int) (movegen.Play, error) {
	checkPly(ply)
	if ply == 0 {
		return s.best(ctx, pos, dice, &info), ctx.Err()
	}
	c, err := s.rank(ctx, pos, dice, &info, ply, true)
	return c[0].Play, err
}

// best is Best at 0 ply.
func (s *Searcher) best(ctx context.Context, pos *bg.Position, dice bg.Dice, info *cube.Info) movegen.Play {
	team := s.team(ctx, 0)
	defer team.dismiss()
	w := team.workers[0]
	w.plays = movegen.Plays(w.plays[:0], pos, dice)
	if len(w.plays) == 1 {
		return w.plays[0]
	}
	pl := s.plan(info, 0, after)
	best := Candidate{Play: w.plays[0]}
	v := &w.levels[0].child
	for i := range w.plays {
		c := Candidate{Play: w.plays[i]}
		w.node(&w.plays[i].Result, pl, 0, 0, v)
		c.Value = pl.value(v, after, 0)
		if i == 0 || compare(&c, &best) < 0 {
			best = c
		}
	}
	return best.Play
}

func (s *Searcher) rank(ctx context.Context, pos *bg.Position, dice bg.Dice, info *cube.Info, ply int, bestOnly bool) ([]Candidate, error) {
	plays := movegen.Plays(nil, pos, dice)
	all := make([]Candidate, len(plays))
	for i := range plays {
		all[i].Play = plays[i]
	}
	if bestOnly && len(all) == 1 {
		return all, ctx.Err()
	}
	pl := s.plan(info, ply, after)
	team := s.team(ctx, tasks(len(all), ply))
	defer team.dismiss()
	live := all // the candidates still in the running, a prefix of all
	deepen := func(ply int) error {
		err := team.deepen(pl, live, ply)
		slices.SortFunc(live, func(a, b Candidate) int { return compare(&a, &b) }) // the others stay behind
		return err
	}
	if err := deepen(0); err != nil || ply == 0 {
		return all, err
	}
	done := 0
	for _, cut := range s.filter[ply] {
		if cut.Ply > done && len(live) > 1 {
			if err := deepen(cut.Ply); err != nil {
				return all, err
			}
			done = cut.Ply
		}
		live = live[:cut.keep(live)]
	}
	if bestOnly && len(live) == 1 {
		return all, ctx.Err()
	}
	return all, deepen(ply)
}

// keep returns how many of the sorted candidates pass the cut.
func (c *Cut) keep(sorted []Candidate) int {
	n := min(len(sorted), max(c.Keep, 1))
	for n > 1 && sorted[0].Cubeful-sorted[n-1].Cubeful > c.Within {
		n--
	}
	return n
}

// deepen sets the values of candidates to those at ply plies. After an error
// they are as before.
func (t *team) deepen(pl *plan, candidates []Candidate, ply int) error {
	positions := make([]*bg.Position, len(candidates))
	for i := range candidates {
		positions[i] = &candidates[i].Play.Result
	}
	values := make([]value, len(candidates))
	if err := t.values(pl, positions, ply, values); err != nil {
		return err
	}
	for i := range candidates {
		candidates[i].Value = pl.value(&values[i], after, ply)
	}
	return nil
}

func checkPly(ply int) {
	if ply < 0 || ply > MaxPly {
		panic("search: ply is not in the range from 0 to MaxPly")
	}
}

// Evaluate returns the value of pos at ply plies for the player on roll, before the roll. If ctx
// is done it returns the value at 0 ply with the context's error. It panics if ply is not in [0,
// MaxPly].
func (s *Searcher) Evaluate(ctx context.Context, pos *bg.Position, info cube.Info, ply int) (Value, error) {
	checkPly(ply)
	pl := s.plan(&info, ply, waiting)
	out := make([]value, 1)
	team := s.team(ctx, tasks(1, ply))
	defer team.dismiss()
	err := team.values(pl, []*bg.Position{pos}, ply, out)
	if err != nil {
		ply = 0
		team.workers[0].node(pos, pl, 0, 0, &out[0])
	}
	return pl.value(&out[0], waiting, ply), err
}
