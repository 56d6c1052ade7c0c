package rollout

import (
	"sync/atomic"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/movegen"
)

// A node is all that does not depend on the roll of a turn: the cube action, and how lucky each
// roll would be. In the first turns many trials meet the same nodes, which are kept.
type node struct {
	state  cube.State // after the cube action
	passed bool       // a double has ended the game
	probs  bg.Probs   // if it has
	luck   [len(rolls)]luck

	plays [len(rolls)]atomic.Pointer[bg.Position] // found so far, in nodes that are kept
	kept  bool
}

// node returns the node of a turn of l. path stands for the rolls that lead to it.
func (w *worker) node(l *line, path int, pos *bg.Position, st cube.State, mine bool, turn int) (*node, error) {
	mayDouble := turn > 0 || l.Kind == AfterPlay || l.Kind == Before
	if turn > 2 { // not one of l.early
		return &w.scratch, w.fill(&w.scratch, pos, st, mine, turn, mayDouble)
	}
	if n := l.early[path].Load(); n != nil {
		return n, nil
	}
	n := &node{kept: true}
	if err := w.fill(n, pos, st, mine, turn, mayDouble); err != nil {
		return nil, err
	}
	l.early[path].Store(n)
	return n, nil
}

func (w *worker) fill(n *node, pos *bg.Position, st cube.State, mine bool, turn int, mayDouble bool) error {
	ply, cubePly := w.plies(turn)
	n.state, n.passed = st, false
	if !w.Cubeless && mayDouble && st.Live() {
		if err := w.double(n, pos, mine, cubePly); err != nil || n.passed {
			return err
		}
	}
	if w.NoVarianceReduction {
		return nil
	}
	return w.expand(n, pos, mine, max(0, ply-1))
}

// double decides whether the player on roll doubles and what his opponent answers.
func (w *worker) double(n *node, pos *bg.Position, mine bool, ply int) error {
	st := n.state
	var doubles, takes bool
	if ply == 0 {
		n.probs = w.Evaluator.Evaluate(pos)
		doubles, takes = w.doubleStatic(pos, &n.probs, st)
	} else {
		d, v, err := w.searcher.Cube(w.ctx, pos, w.info(st, mine), ply)
		if err != nil {
			return err
		}
		n.probs, doubles, takes = v.Probs, d.Action.Doubles(), d.Action.Takes()
	}
	switch {
	case doubles && takes:
		n.state = st.Double()
	case doubles:
		n.passed = true
	}
	return nil
}

// sure is the difference of values below which a double that ends the game is as good as playing
// on: above the noise of single precision.
const sure = 1e-6

func (w *worker) doubleStatic(pos *bg.Position, p *bg.Probs, st cube.State) (doubles, takes bool) {
	w.leaf.Set(p, st)
	x := w.efficiency(pos)
	none, taken, pass := w.leaf.NoDouble(st, x), w.leaf.NoDouble(st.Double(), x), st.PassValue()
	if taken > pass {
		return none < pass+sure, false
	}
	return none < taken, true
}

// replies is the number of replies to each roll that are evaluated for the control variate, of those
// that leave contact. The standard error is 1 % larger than if all were evaluated.
const replies = 4

// expand sets the luck of every roll: the value at ply plies of the reply that seems best, less
// its mean over the rolls.
func (w *worker) expand(n *node, pos *bg.Position, mine bool, ply int) error {
	st := n.state.Flip()
	u := utility(st)
	judge, near := w.judge(pos, &u, mine)
	chooser, led := judge, false
	if near != nil {
		chooser, led = near.Lead(), near.Lead() != near
	}
	if w.Pruner == nil || !eval.Prunable(pos) {
		near = nil
	}
	var sum luck
	for r := range rolls {
		w.results = movegen.Results(w.results[:0], pos, rolls[r].Dice)
		if near != nil && len(w.results) > replies {
			w.prune(near)
		} else {
			w.all()
		}
		best, p, v := w.best(chooser, st, &u)
		if ply == 0 && led {
			p = judge.Evaluate(&w.results[best])
			v = w.static(&w.results[best], &p, st)
		}
		if ply > 0 {
			var err error
			if p, v, err = w.evaluate(&w.results[best], st, !mine, ply); err != nil {
				return err
			}
		}
		l := &n.luck[r]
		*l = luck{
			1 - float64(p.Win), float64(p.LoseGammon), float64(p.LoseBackgammon),
			float64(p.WinGammon), float64(p.WinBackgammon), -float64(v),
		}
		weight := float64(rolls[r].Weight)
		for i := range sum {
			sum[i] += float64(l[i] * weight)
		}
	}
	for r := range n.luck {
		for i := range sum {
			n.luck[r][i] -= sum[i] / bg.Outcomes
		}
	}
	return nil
}

// all fills w.order with all results.
func (w *worker) all() {
	w.order = w.order[:0]
	for i := range w.results {
		w.order = append(w.order, eval.Choice{Index: int32(i)})
	}
}

// best returns the best of the results in w.order, seen by the opponent in st, with its
// probabilities and its cubeful value. Where the cube makes replies equal, as those that all win by
// a double next turn, it takes the one with the best cubeless equity, and of equals the first.
func (w *worker) best(judge eval.Evaluator, st cube.State, u *eval.Weights) (index int, p bg.Probs, v cube.Value) {
	var least float32
	for i, r := range w.order {
		q := judge.Evaluate(&w.results[r.Index])
		value := w.static(&w.results[r.Index], &q, st)
		cost := worth(u, &q)
		if i == 0 || value < v || value == v && cost < least {
			index, least, p, v = int(r.Index), cost, q, value
		}
	}
	return index, p, v
}

// judge returns what evaluates the positions that a move from pos may lead to, seen by the opponent.
// It is near if the evaluator offers that. Each player has his own, for from one of his turns to the
// next few places change.
func (w *worker) judge(pos *bg.Position, u *eval.Weights, mine bool) (judge eval.Evaluator, near *eval.Near) {
	near = w.near[0]
	if mine {
		near = w.near[1]
	}
	if near == nil {
		return w.Evaluator, nil
	}
	from := pos.Flip()
	near.Move(&from, *u)
	return near, near
}

// prune fills w.order with the results that are worth evaluating by the rates of near.
func (w *worker) prune(near *eval.Near) {
	if n := len(w.results); n > len(w.costs) {
		w.costs = make([]float32, 2*n)
	}
	near.Rate(w.costs, w.results)
	w.order = eval.Shortlist(w.order, w.results, eval.EndsContact, replies, func(i int) float32 { return w.costs[i] })
}

// play returns the position after the best play of a roll, seen by the opponent.
func (w *worker) play(n *node, pos *bg.Position, roll int, mine bool, turn int) (bg.Position, error) {
	if n.kept {
		if known := n.plays[roll].Load(); known != nil {
			return *known, nil
		}
	}
	next, err := w.choose(n.state, pos, rolls[roll].Dice, mine, turn)
	if n.kept && err == nil {
		n.plays[roll].Store(&next)
	}
	return next, err
}

func (w *worker) choose(st cube.State, pos *bg.Position, dice bg.Dice, mine bool, turn int) (bg.Position, error) {
	if ply, _ := w.plies(turn); ply > 0 {
		play, err := w.searcher.Best(w.ctx, pos, dice, w.info(st, mine), ply)
		return play.Result, err
	}
	w.results = movegen.Results(w.results[:0], pos, dice)
	if len(w.results) == 1 {
		return w.results[0], nil
	}
	u := utility(st.Flip())
	w.all()
	judge, _ := w.judge(pos, &u, mine)
	best, _, _ := w.best(judge, st.Flip(), &u)
	return w.results[best], nil
}
