package rollout

import (
	"context"
	"sync/atomic"

	"kotra/bg"
	"kotra/cube"
	"kotra/cube/met"
	"kotra/eval"
	"kotra/search"
)

// rolls are the 21 rolls.
var rolls = bg.Rolls()

// A table is what all trials of a rollout share. It is immutable but for caches that do not
// change any result.
type table struct {
	*Config
	game     *cube.Game
	infos    [2]cube.Info     // 0 the player's whose decision it is, 1 his opponent's; the cube to be filled in
	searcher *search.Searcher // nil if everything is played at 0 ply
	weights  [6]float64       // the cubeless equity: a constant, and what each probability counts for
	lines    []*line
}

// A line is a candidate on the table.
type line struct {
	Candidate
	state cube.State
	mine  bool // the player whose decision it is is on roll
	early [1 + 21 + 21*21]atomic.Pointer[node]
}

// newTable prepares a rollout. The config must have been completed.
func newTable(c *Config) *table {
	t := &table{Config: c}
	info := c.Info
	if info.Table == nil {
		info.Table = met.KazarossXG2()
	}
	info.Rules.Beavers = 0 // nobody doubles as wrongly as that
	if c.Cubeless {
		info.Rules.NoCube = true
	}
	if info.Rules.NoCube {
		info.Rules.Jacoby = false // gammons count where no cube can make them count
	}
	t.game = cube.New(info)
	t.infos = [2]cube.Info{info, info}
	t.infos[1].Score, t.infos[1].Table = info.Score.Flip(), info.Table.Flip()
	t.weights = t.cubelessWeights()
	if c.maxPly() > 0 {
		t.searcher = c.newSearcher()
	}
	for _, candidate := range c.Candidates {
		l := &line{Candidate: candidate, state: t.game.State(), mine: candidate.Kind != AfterPlay}
		switch candidate.Kind {
		case AfterPlay:
			l.state = l.state.Flip()
		case DoubleTake:
			l.state = l.state.Double()
		}
		t.lines = append(t.lines, l)
	}
	return t
}

// newSearcher returns what looks ahead. Trials keep all threads busy, so each search has one.
func (c *Config) newSearcher() *search.Searcher {
	o := search.Options{Threads: 1, Pruner: c.Pruner, Cubeless: c.Cubeless, Efficiency: c.Efficiency, TwoSided: c.Bearoff.Two}
	if c.Filter != "" {
		f, err := search.ParseFilter(c.Filter)
		if err != nil {
			panic("rollout: " + err.Error()) // settings have been checked
		}
		o.Filter = &f
	}
	return search.New(c.Evaluator, o)
}

// cubelessWeights returns the weights of the cubeless equity. For money gammons count, Jacoby rule
// or not.
func (t *table) cubelessWeights() [6]float64 {
	info := t.game.Info()
	if info.Score.Money() {
		if info.Rules.DoubleBackgammon {
			return [6]float64{-1, 2, 1, 0, -1, 0}
		}
		return [6]float64{-1, 2, 1, 1, -1, -1}
	}
	st := t.game.State()
	at := func(r bg.Result, won bool) float64 { return float64(t.game.Equity(st.Settle(r, won))) }
	return [6]float64{
		at(bg.Single, false), at(bg.Single, true) - at(bg.Single, false),
		at(bg.Gammon, true) - at(bg.Single, true), at(bg.Backgammon, true) - at(bg.Gammon, true),
		at(bg.Gammon, false) - at(bg.Single, false), at(bg.Backgammon, false) - at(bg.Gammon, false),
	}
}

// finish turns the cubeful value of s to an equity and adds the cubeless equity.
func (t *table) finish(s *sample) {
	s[cubeless] = t.weights[0]
	for i, w := range t.weights[1:] {
		s[cubeless] += float64(w * s[i])
	}
	if t.Cubeless {
		s[cubeful] = s[cubeless]
	} else {
		s[cubeful] = float64(t.game.Equity(cube.Value(s[cubeful])))
	}
}

// info returns what the game is played for in st, seen by the player on roll.
func (t *table) info(st cube.State, mine bool) cube.Info {
	info := t.infos[0]
	if !mine {
		info = t.infos[1]
	}
	info.Cube = st.Cube()
	return info
}

// valueOf returns an equity, as the search gives it for the cube of st, as a value.
func valueOf(st cube.State, eq bg.Equity) cube.Value {
	w, l := st.Settle(bg.Single, true), st.Settle(bg.Single, false)
	return (w+l)/2 + cube.Value(eq)*(w-l)/2
}

// linear returns the value of p if the cube is not turned any more.
func linear(st cube.State, p *bg.Probs) cube.Value {
	u := utility(st)
	return st.Settle(bg.Single, false) + cube.Value(worth(&u, p))
}

// utility returns what the results of a game are worth to the player on roll in st, beyond a single
// loss.
func utility(st cube.State) eval.Weights {
	at := func(r bg.Result, won bool) float32 { return float32(st.Settle(r, won)) }
	return eval.Weights{
		Win:            at(bg.Single, true) - at(bg.Single, false),
		WinGammon:      at(bg.Gammon, true) - at(bg.Single, true),
		WinBackgammon:  at(bg.Backgammon, true) - at(bg.Gammon, true),
		LoseGammon:     at(bg.Gammon, false) - at(bg.Single, false),
		LoseBackgammon: at(bg.Backgammon, false) - at(bg.Gammon, false),
	}
}

// worth returns what p is worth to the player on roll, up to a constant.
func worth(u *eval.Weights, p *bg.Probs) float32 {
	return float32(u.Win*p.Win) + float32(u.WinGammon*p.WinGammon) + float32(u.WinBackgammon*p.WinBackgammon) +
		float32(u.LoseGammon*p.LoseGammon) + float32(u.LoseBackgammon*p.LoseBackgammon)
}

// efficiency returns the cube efficiency, Janowski's x, of a position, as the search has it at its
// leaves.
func (w *worker) efficiency(pos *bg.Position) float64 {
	x := w.Efficiency
	switch eval.Classify(pos) {
	case eval.Bearoff:
		return x.Bearoff
	case eval.Race:
		return x.Race(pos.OnRoll.Pips())
	case eval.Crashed:
		return x.Crashed
	}
	return x.Contact
}

// A worker plays trials for one goroutine.
type worker struct {
	*table
	ctx     context.Context
	dice    dicer
	leaf    cube.Leaf
	scratch node
	results []bg.Position
	costs   []float32
	order   []eval.Choice
	near    [2]*eval.Near // one for each player, or nil
}

func newWorker(ctx context.Context, t *table) *worker {
	w := &worker{table: t, ctx: ctx, results: make([]bg.Position, 0, 256), order: make([]eval.Choice, 0, 256)}
	if c, ok := t.Evaluator.(*eval.Composite); ok {
		w.near = [2]*eval.Near{c.Near(t.Pruner), c.Near(t.Pruner)}
	}
	return w
}

// trial plays a trial of l.
func (w *worker) trial(l *line, number int) (sample, error) {
	var out, end sample
	w.dice.reset(w.Seed, number, w.PlainDice)
	pos, st, mine := l.Position, l.state, l.mine
	path := 0 // of the rolls so far, an index of l.early
	for turn := 0; ; turn++ {
		if over, err := w.over(&pos, st, mine, turn, &end); err != nil {
			return out, err
		} else if over {
			break
		}
		n, err := w.node(l, path, &pos, st, mine, turn)
		if err != nil {
			return out, err
		}
		if n.passed {
			end.probs(&n.probs, mine)
			end.value(st.PassValue(), mine)
			break
		}
		st = n.state
		roll := w.dice.roll(turn)
		if !w.NoVarianceReduction {
			out.subtract(&n.luck[roll], mine)
		}
		next, err := w.play(n, &pos, roll, mine, turn)
		if err != nil {
			return out, err
		}
		pos, st, mine = next, st.Flip(), !mine
		path = len(rolls)*path + 1 + roll
	}
	for i := range luck(end[:cubeful+1]) {
		out[i] += end[i]
	}
	w.finish(&out)
	return out, nil
}

// value sets the cubeful value of s to v, seen by the player on roll.
func (s *sample) value(v cube.Value, mine bool) {
	if !mine {
		v = -v
	}
	s[cubeful] = float64(v)
}

// longest is the number of turns after which a trial is evaluated in any case.
const longest = 2000

// over reports whether a trial ends here, and sets end to what it ends with.
func (w *worker) over(pos *bg.Position, st cube.State, mine bool, turn int, end *sample) (bool, error) {
	if r, won := pos.Result(); r != bg.Unfinished {
		p := bg.Decided(r, won)
		end.probs(&p, mine)
		end.value(st.Settle(r, won), mine)
		return true, nil
	}
	if !w.PlayBearoffs && eval.Classify(pos) <= eval.Race && w.known(pos, st, mine, end) {
		return true, nil
	}
	if turn != longest && (w.Truncate == 0 || turn != w.Truncate) {
		return false, nil
	}
	p, v, err := w.evaluate(pos, st, mine, w.TruncatePly)
	end.probs(&p, mine)
	end.value(v, mine)
	return true, err
}

// known looks for pos in the bearoff tables: the two-sided one is exact, for money with the cube
// and for everything without; the one-sided one is nearly so without a cube.
func (w *worker) known(pos *bg.Position, st cube.State, mine bool, end *sample) bool {
	dead := w.Cubeless || !st.Live() && !st.Flip().Live()
	if w.Bearoff.Two != nil {
		if eq, ok := w.Bearoff.Two.Lookup(pos); ok {
			info := &w.infos[0]
			unlimited := info.Score.Money() && info.Rules.MaxCube == 0 && !info.Rules.NoCube
			if unlimited || dead {
				p := bg.Probs{Win: float32(eq.Win())}
				v := linear(st, &p)
				if unlimited {
					v = cube.Value(eq.Best(st.Cube().Owner)) * cube.Value(st.Cube().Value)
				}
				end.probs(&p, mine)
				end.value(v, mine)
				end[win] = eq.Win()
				if !mine {
					end[win] = 1 - end[win]
				}
				return true
			}
		}
	}
	if !dead || w.Bearoff.One == nil {
		return false
	}
	p, ok := w.Bearoff.One.Lookup(pos)
	if ok {
		end.probs(&p, mine)
		end.value(linear(st, &p), mine)
	}
	return ok
}

// evaluate returns what pos is worth to the player on roll, who may double.
func (w *worker) evaluate(pos *bg.Position, st cube.State, mine bool, ply int) (bg.Probs, cube.Value, error) {
	if ply > 0 {
		v, err := w.searcher.Evaluate(w.ctx, pos, w.info(st, mine), ply)
		return v.Probs, valueOf(st, v.Cubeful), err
	}
	p := w.Evaluator.Evaluate(pos)
	return p, w.static(pos, &p, st), nil
}

// static returns the cubeful value at 0 ply of pos, whose probabilities are p. It is 0 without a
// cube.
func (w *worker) static(pos *bg.Position, p *bg.Probs, st cube.State) cube.Value {
	if w.Cubeless {
		return 0
	}
	if r, won := pos.Result(); r != bg.Unfinished {
		return st.Settle(r, won)
	}
	w.leaf.Set(p, st)
	return w.leaf.Value(st, w.efficiency(pos))
}
