package analysis

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"kotra/bg"
	"kotra/cube"
	"kotra/cube/met"
	"kotra/record"
	"kotra/search"
)

// An Analyzer judges decisions.
type Analyzer struct {
	// Searcher is required; it should use one thread if Threads is not 1.
	Searcher *search.Searcher
	// SearcherFor, if not nil, returns what to use in a state instead, such as one with a bearoff
	// table. It is called from several goroutines.
	SearcherFor func(ctx context.Context, s *bg.State) (*search.Searcher, error)
	MET         *met.Table // seen by player 0; nil is Kazaross-XG2
	Ply         int        // of checker plays
	CubePly     int
	Cubeless    bool     // judges plays as if there were no cube, and no cube decisions
	Threads     int      // decisions judged at once; 0 is one for each processor
	Rollout     *Rollout // nil rolls nothing out
	// Progress, if not nil, is told how many decisions of how many are done, from one goroutine at a
	// time.
	Progress func(done, total int)
}

// A Match is an analyzed match.
type Match struct {
	Record    *record.Match
	Decisions []Decision
	Games     []Game
	Players   [2]Summary // over all games
	Evaluated bool
}

// A Game is the part of a match that belongs to one game.
type Game struct {
	Record  *record.Game
	First   int // index of its first decision
	Count   int // of decisions
	Players [2]Summary
}

// Counts returns m with its decisions counted but not judged.
func Counts(m *record.Match, table *met.Table) *Match {
	out := &Match{Record: m, Decisions: Decisions(m, table)}
	out.sum()
	return out
}

// Match judges all decisions of m, which has been completed. When ctx is done it returns what has
// been judged so far with the context's error.
func (a *Analyzer) Match(ctx context.Context, m *record.Match) (*Match, error) {
	out := &Match{Record: m, Decisions: Decisions(m, a.MET)}
	return out, a.Evaluate(ctx, out)
}

// Evaluate judges the decisions of m that have not been evaluated yet: all of them, or what an
// interrupted analysis has left. When ctx is done it returns the context's error.
func (a *Analyzer) Evaluate(ctx context.Context, m *Match) error {
	m.Evaluated = true
	var left []int
	for i := range m.Decisions {
		if !m.Decisions[i].Evaluated {
			left = append(left, i)
		}
	}
	threads := a.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var next, done atomic.Int64
	var mu sync.Mutex // around Progress
	var wg sync.WaitGroup
	n := len(m.Decisions)
	done.Store(int64(n - len(left)))
	for range min(threads, len(left)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(left) {
					return
				}
				a.judge(ctx, &m.Decisions[left[i]], opening(m.Decisions, left[i]))
				k := int(done.Add(1))
				if a.Progress != nil {
					mu.Lock()
					a.Progress(k, n)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	m.sum()
	return ctx.Err()
}

// searcher returns what looks ahead in s.
func (a *Analyzer) searcher(ctx context.Context, s *bg.State) (*search.Searcher, error) {
	if a.SearcherFor == nil {
		return a.Searcher, nil
	}
	return a.SearcherFor(ctx, s)
}

// info returns what the game of s is played for, seen by the player on roll.
func (a *Analyzer) info(s *bg.State) cube.Info {
	info := cube.InfoOf(s, a.MET)
	if a.Cubeless {
		info.Rules.NoCube = true
	}
	return info
}

// opening reports whether the i-th decision is the first of its game, a roll from the start.
func opening(all []Decision, i int) bool {
	d := &all[i]
	return d.Kind == CheckerPlay && (i == 0 || all[i-1].Game != d.Game) &&
		d.State.Position == d.State.Rules.Variant.Start()
}

// judge evaluates d.
func (a *Analyzer) judge(ctx context.Context, d *Decision, opening bool) {
	s := d.State
	if s.Position.Validate() != nil {
		return
	}
	if r, _ := s.Position.Result(); r != bg.Unfinished {
		return
	}
	if d.Kind != CheckerPlay {
		s = d.base
	}
	searcher, err := a.searcher(ctx, &s)
	if err != nil {
		return
	}
	info := a.info(&s)
	switch d.Kind {
	case CheckerPlay:
		a.judgePlay(ctx, searcher, d, info)
		if a.Rollout != nil && ctx.Err() == nil {
			a.rollPlays(ctx, d)
		}
		if ctx.Err() == nil {
			a.judgeLuck(ctx, searcher, d, info, opening)
		}
	default:
		a.judgeCube(ctx, searcher, d, info)
	}
	d.Evaluated = ctx.Err() == nil
	game := cube.New(info)
	d.LossMWC = math.Ldexp(scaled(game, d.Loss), d.turned())
	d.LuckMWC = scaled(game, d.Luck)
}

// turned returns how often the cube has been turned before the last turn that d is about, since the
// base of a cube decision.
func (d *Decision) turned() int {
	if d.Kind == Answering {
		return min(d.State.Beavers, 20)
	}
	return 0
}

// scaled returns a difference of equities as match winning chances, or as points for money.
func scaled(g *cube.Game, eq bg.Equity) float64 {
	v := float64(g.Value(eq) - g.Value(0))
	if !g.Money() {
		v /= 2
	}
	return v
}

func (a *Analyzer) judgePlay(ctx context.Context, searcher *search.Searcher, d *Decision, info cube.Info) {
	pos := &d.State.Position
	list, err := searcher.Rank(ctx, pos, d.State.Dice, info, a.Ply)
	if err != nil {
		return
	}
	after := pos.After(d.Record.Move)
	if d.Record.Result != nil {
		after = *d.Record.Result
	}
	for i := range list {
		if list[i].Play.Result == after {
			d.Played = i
			break
		}
	}
	if p := d.Played; p > 0 && list[p].Ply < list[0].Ply {
		// The play made is judged as deeply as the best one.
		v, err := searcher.Evaluate(ctx, &list[p].Play.Result, flip(info), list[0].Ply)
		if err != nil {
			return
		}
		c := search.Candidate{Play: list[p].Play, Value: search.Value{
			Probs: v.Probs.Flip(), Equity: -v.Equity, Cubeful: -v.Cubeful, Ply: v.Ply,
		}}
		list, d.Played = insert(list, p, c)
	}
	d.Candidates = list
	d.Best = list[0].Cubeful
	if d.Played >= 0 {
		d.Loss = max(0, d.Best-list[d.Played].Cubeful)
	}
}

// insert moves the p-th candidate, with new values, up to its place among those as deep.
func insert(list []search.Candidate, p int, c search.Candidate) ([]search.Candidate, int) {
	to := 0
	for to < p && list[to].Ply >= c.Ply && list[to].Cubeful >= c.Cubeful {
		to++
	}
	copy(list[to+1:p+1], list[to:p])
	list[to] = c
	return list, to
}

// flip returns info seen by the other player.
func flip(info cube.Info) cube.Info {
	info.Cube.Owner = info.Cube.Owner.Flip()
	info.Score = info.Score.Flip()
	if info.Table != nil {
		info.Table = info.Table.Flip()
	}
	return info
}

// judgeLuck compares the roll with all that could have been.
func (a *Analyzer) judgeLuck(ctx context.Context, searcher *search.Searcher, d *Decision, info cube.Info, opening bool) {
	pos := &d.State.Position
	best := func(pos *bg.Position, dice bg.Dice, info cube.Info) float64 {
		list, err := searcher.Rank(ctx, pos, dice, info, 0)
		if err != nil {
			return math.NaN()
		}
		return float64(list[0].Cubeful)
	}
	var sum, weights, rolled float64
	other := pos.Flip()
	for _, roll := range bg.Rolls() {
		if opening && roll.Dice.Double() {
			continue
		}
		eq := best(pos, roll.Dice, info)
		if roll.Dice == d.State.Dice.Sorted() {
			rolled = eq
		}
		sum += float64(roll.Weight) * eq
		weights += float64(roll.Weight)
		if opening {
			sum -= float64(roll.Weight) * best(&other, roll.Dice, flip(info))
			weights += float64(roll.Weight)
		}
	}
	if opening && d.State.Dice.Double() {
		return // no opening roll
	}
	luck := rolled - sum/weights
	if math.IsNaN(luck) {
		return
	}
	d.Luck, d.HasLuck = bg.Equity(luck), true
}

func (a *Analyzer) judgeCube(ctx context.Context, searcher *search.Searcher, d *Decision, info cube.Info) {
	c, v, err := searcher.Cube(ctx, &d.base.Position, info, a.CubePly)
	if err != nil {
		return
	}
	d.Cube, d.Value = c, v
	if a.Rollout != nil {
		a.rollCube(ctx, d)
		c = d.Cube
	}
	d.Close = d.Doubled || d.Kind == Answering
	if c.Action == cube.NoCube {
		return
	}
	switch {
	case d.Kind == Doubling:
		d.Best = c.Optimal()
		d.Loss = c.DoubleLoss(d.Doubled)
		d.Close = d.Close || float64(c.Optimal()-min(c.DoubleTake, c.DoublePass)) < closeCube
	case d.State.Beavers == 0:
		answer := map[record.Kind]cube.Action{record.Take: cube.Take, record.Pass: cube.Pass, record.Beaver: cube.Beaver}[d.Record.Kind]
		d.Best, d.Answer = -min(c.Beaver, c.DoublePass), c.Answer()
		d.Loss = c.TakeLoss(answer)
	default:
		d.answerBeaver(cube.New(info))
	}
	d.Loss = max(0, d.Loss)
}

// closeCube is the loss of a double, in EMG, below which the decision counts as close.
const closeCube = 0.16

// answerBeaver judges the answer to a beaver or raccoon, in units of the cube before it was turned
// last.
func (d *Decision) answerBeaver(game *cube.Game) {
	take := d.Cube.DoubleTake // of the player who doubled; his opponent keeps the cube
	if d.State.Beavers%2 == 0 {
		take = -take
	}
	const pass = -1
	d.Answer = game.AnswerBeaver(d.State.Beavers, take)
	worth := map[cube.Action]bg.Equity{cube.Take: take, cube.Pass: pass, cube.Raccoon: 2 * take}
	d.Best = worth[d.Answer]
	switch d.Record.Kind {
	case record.Pass:
		d.Loss = d.Best - pass
	case record.Beaver:
		d.Loss = d.Best - 2*take
	default:
		d.Loss = d.Best - take
	}
}
