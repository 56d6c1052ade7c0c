package search

import (
	"context"
	"slices"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/features"
	"kotra/movegen"
)

// A value is what a search knows of a position: seen by the player on roll, before the roll.
type value struct {
	probs  bg.Probs
	equity [maxStates]float32 // by cube state of the plan's level, in the plan's unit
}

// A worker evaluates positions for one goroutine. It owns the scratch memory of every depth.
type worker struct {
	s      *Searcher
	team   *team
	ctx    context.Context
	levels [MaxPly + 1]level
	cubes  cube.Leaf
	plays  []movegen.Play
}

// A level is the scratch memory of one depth of the tree.
type level struct {
	results []bg.Position // of a roll
	changed []uint64      // by result, see [eval.Changes]
	order   []eval.Choice // of results
	picks   []pick        // of one roll or all
	child   value
	picker  picker
}

// A pick is a result that is worth evaluating.
type pick struct {
	result bg.Position
	index  int32 // among the results of its roll
}

// A picker picks the replies to one position that are worth evaluating, whatever the roll.
type picker struct {
	ready   bool
	pos     bg.Position // before the reply, seen by the player who makes it
	utility eval.Weights

	ref    bg.Position // pos, seen by the opponent
	pruned bool        // some are picked: all other fields hold
	// What results are apart, see [eval.Shortlist], and how many checkers have to move for one.
	apart   func(result *bg.Position) bool
	pass    int
	contact bool // the other results have contact
	extra   int  // how many more than usual are kept
	// By bucket, for plays without and with a hit.
	guides [features.Buckets][2]guide
}

// A guide is a linear approximation that picks replies.
type guide struct {
	tangent *eval.Tangent
	ready   bool
}

func newWorker(t *team) *worker {
	w := &worker{s: t.s, team: t}
	for i := range w.levels {
		w.levels[i].results = make([]bg.Position, 0, 128)
		w.levels[i].order = make([]eval.Choice, 0, 128)
		w.levels[i].picks = make([]pick, 0, 256)
	}
	return w
}

// rolls are the 21 rolls.
var rolls = bg.Rolls()

// static sets p to the 0-ply probabilities of pos.
func (w *worker) static(pos *bg.Position, p *bg.Probs) { w.judge(w.s.evaluator, pos, pos.Hash(), p) }

// judge sets p to what e, one of the searcher's, says of pos, which is in the cache under key if it has
// been asked before.
func (w *worker) judge(e eval.Evaluator, pos *bg.Position, key uint64, p *bg.Probs) {
	c := w.team.statics
	if c == nil {
		w.evaluate(e, pos, p)
		return
	}
	if c.probs(key, p) {
		return
	}
	w.evaluate(e, pos, p)
	c.storeProbs(key, p)
}

// evaluate is judge without the cache.
func (w *worker) evaluate(e eval.Evaluator, pos *bg.Position, p *bg.Probs) {
	if w.s.exact != nil {
		if exact, ok := w.s.exact.Lookup(pos); ok {
			*p = bg.Probs{Win: float32(exact.Win())}
			return
		}
	}
	if w.s.hyper != nil {
		if v, ok := w.s.hyper.Lookup(pos); ok {
			*p = v.Probs
			return
		}
	}
	*p = e.Evaluate(pos)
}

// leadKey tells what the lead says of a position from what the evaluator does, in the cache.
const leadKey = 0x6c656164

// node sets v to the value of pos at ply plies. depth is the level of the plan that holds its
// cube states. Once the context is done the value is meaningless.
func (w *worker) node(pos *bg.Position, pl *plan, depth, ply int, v *value) {
	lv := &pl.levels[depth]
	if ply == 0 || w.s.settled(pl, pos) {
		w.static(pos, &v.probs)
		w.leaf(pl, depth, pos, v)
		return
	}
	var key uint64
	c := w.team.nodes
	if len(lv.states) > nodeStates {
		c = nil
	}
	if c != nil {
		key = mix(pos.Hash(), lv.key+uint64(ply))
		if w.s.pruner != nil {
			key = mix(key, uint64(depth)) // the number of replies that are picked depends on it
		}
		if c.node(key, v, len(lv.states)) {
			return
		}
	}
	if ply > 1 && w.ctx.Err() != nil {
		return
	}
	var sum sum
	child := &w.levels[depth].child
	if ply == 1 {
		w.replies(pos, pl, depth, &sum)
	} else {
		for i := range rolls {
			w.reply(pos, pl, depth, ply, rolls[i].Dice, child)
			sum.add(child, len(pl.levels[depth+1].states), rolls[i].Weight)
		}
	}
	sum.value(lv, v)
	if c != nil && (ply == 1 || w.ctx.Err() == nil) {
		c.storeNode(key, v, len(lv.states))
	}
}

// leaf sets the equities of v, whose probabilities are those of pos, in the states of a level.
func (w *worker) leaf(pl *plan, depth int, pos *bg.Position, v *value) {
	l := &pl.levels[depth]
	exact, ok := w.s.lookup(pl, pos)
	if len(l.states) == 0 {
		return
	}
	if r, won := pos.Result(); r != bg.Unfinished {
		for i := range l.states {
			v.equity[i] = float32(l.states[i].Settle(r, won))
		}
		return
	}
	if ok {
		for i := range l.states {
			c := l.states[i].Cube()
			v.equity[i] = float32(float64(c.Value) * float64(exact.Best(c.Owner)))
		}
		return
	}
	w.cubes.Set(&v.probs, l.states[0].State)
	x := pl.efficiency(pos)
	for i := range l.states {
		v.equity[i] = float32(w.cubes.Value(l.states[i].State, x))
	}
}

// reply sets v to the value, at ply-1 plies and seen by the opponent, of the position after the
// best reply of the player on roll of pos. The reply is chosen at 0 ply.
func (w *worker) reply(pos *bg.Position, pl *plan, depth, ply int, dice bg.Dice, v *value) {
	lv := &w.levels[depth]
	lv.picks = lv.picks[:0]
	w.pick(pos, pl, depth, dice)
	best := &lv.picks[0].result
	if ply == 1 || len(lv.picks) > 1 {
		best = w.choose(lv.picks, &pl.levels[depth].utility, &v.probs)
	}
	if ply == 1 {
		w.leaf(pl, depth+1, best, v)
		return
	}
	w.node(best, pl, depth+1, ply-1, v)
}

// replies adds the values of the best replies to all rolls to sum, as reply finds them at 1 ply. First all
// are picked, then all evaluated: what both take stays near the processor.
func (w *worker) replies(pos *bg.Position, pl *plan, depth int, sum *sum) {
	lv := &w.levels[depth]
	lv.picks = lv.picks[:0]
	var ends [len(rolls)]int
	for i := range rolls {
		w.pick(pos, pl, depth, rolls[i].Dice)
		ends[i] = len(lv.picks)
	}
	from, v := 0, &lv.child
	for i, to := range ends {
		best := w.choose(lv.picks[from:to], &pl.levels[depth].utility, &v.probs)
		w.leaf(pl, depth+1, best, v)
		sum.add(v, len(pl.levels[depth+1].states), rolls[i].Weight)
		from = to
	}
}

// pick adds the results of dice that are worth evaluating to the picks of a level.
func (w *worker) pick(pos *bg.Position, pl *plan, depth int, dice bg.Dice) {
	lv := &w.levels[depth]
	lv.results = movegen.Results(lv.results[:0], pos, dice)
	if n := len(lv.results); n > 1 {
		keep := w.s.keep(n, depth)
		if keep < n {
			p := w.picker(lv, pos, &pl.levels[depth].utility)
			keep += p.extra
			if !p.pruned {
				keep = n
			}
		}
		if keep < n {
			w.shortlist(lv, dice, keep)
			for _, r := range lv.order {
				lv.picks = append(lv.picks, pick{lv.results[r.Index], r.Index})
			}
			return
		}
	}
	for i := range lv.results {
		lv.picks = append(lv.picks, pick{lv.results[i], int32(i)})
	}
}

// raceExtra is how many more replies are picked in a race than where there is contact, for in a race
// many differ by little. Equities at 2 plies are off by 0.0003, root mean square; by 0.001 for 2.
const raceExtra = 5

// picker returns the picker of lv for the replies to pos.
func (w *worker) picker(lv *level, pos *bg.Position, u *eval.Weights) *picker {
	p := &lv.picker
	if p.ready && p.pos == *pos && p.utility == *u {
		return p
	}
	p.ready, p.pos, p.utility, p.pruned = true, *pos, *u, false
	switch {
	case w.s.pruner == nil:
		return p
	case eval.Prunable(pos):
		p.apart, p.extra = eval.EndsContact, 0
		p.contact, p.pass = true, above(&pos.OnRoll, 24-pos.Opponent.Rearmost())
	case eval.Classify(pos) == eval.Race:
		var probs bg.Probs
		if w.static(pos, &probs); !eval.PrunableRace(&probs) {
			return p
		}
		p.apart, p.extra = eval.EndsRace, raceExtra
		p.contact, p.pass = false, above(&pos.OnRoll, bg.Off)
		if pos.Opponent.Rearmost() <= bg.Home {
			p.pass = above(&pos.OnRoll, bg.Home)
		}
	default:
		return p
	}
	p.pruned, p.ref = true, pos.Flip()
	for b := range p.guides {
		p.guides[b][0].ready, p.guides[b][1].ready = false, false
	}
	return p
}

// above returns the number of checkers of s above a place.
func above(s *bg.Side, place int) (n int) {
	for _, checkers := range s[place+1:] {
		n += int(checkers)
	}
	return n
}

// shortlist fills the order of lv with the results of dice that are worth evaluating: keep of them, and those
// that are judged by others or in another way. They are estimated near the position before the roll, each
// by the upper layers of its own bucket. A hit changes too much for that, so results of hits are
// estimated near a position with one.
func (w *worker) shortlist(lv *level, dice bg.Dice, keep int) {
	p := &lv.picker
	apart := p.apart
	if p.pass > 4 || p.pass > 2 && !dice.Double() {
		apart = nil
	}
	lv.changed = slices.Grow(lv.changed[:0], len(lv.results))[:len(lv.results)]
	eval.Changes(lv.changed, lv.results, &p.ref)
	lv.order = eval.Shortlist(lv.order, lv.results, apart, keep, func(i int) float32 {
		r, changed := &lv.results[i], lv.changed[i]
		hit := changed >> bg.Bar & 1 // the opponent, who is on roll then, has another checker on his bar
		bucket := w.s.pruner.Bucket(r, p.contact)
		g := &p.guides[bucket][hit]
		if !g.ready {
			w.lead(p, g, bucket, hit == 1)
		}
		return g.tangent.Cost(r, changed)
	})
}

// lead makes g ready for the results of a bucket, with or without a hit.
func (w *worker) lead(p *picker, g *guide, bucket int, hit bool) {
	if g.tangent == nil {
		g.tangent = w.s.pruner.NewTangent()
	}
	base := p.ref
	if hit {
		base = hitSomewhere(base)
	}
	g.tangent.Move(&base, &p.ref, bucket, p.utility)
	g.ready = true
}

// hitSomewhere returns pos with a checker of the player on roll sent to the bar: his most
// advanced blot, or one from his highest stack.
func hitSomewhere(pos bg.Position) bg.Position {
	from := 0
	for point := 24; point > 0; point-- {
		n := pos.OnRoll[point]
		if n == 1 || n > 1 && pos.OnRoll[from] != 1 && (from == 0 || n >= pos.OnRoll[from]) {
			from = point
		}
	}
	if from > 0 {
		pos.OnRoll[from]--
		pos.OnRoll[bg.Bar]++
	}
	return pos
}

// choose returns the result that is best for the player who moved, and its probabilities, seen by the
// opponent. Of equals it takes the first.
func (w *worker) choose(picks []pick, u *eval.Weights, p *bg.Probs) *bg.Position {
	if w.s.lead == nil || len(picks) == 1 {
		return w.chooseBy(w.s.evaluator, 0, picks, u, p)
	}
	best := w.chooseBy(w.s.lead, leadKey, picks, u, p)
	w.static(best, p)
	return best
}

// chooseBy is choose by what e says, which is in the cache under the hashes of positions xor salt.
func (w *worker) chooseBy(e eval.Evaluator, salt uint64, picks []pick, u *eval.Weights, p *bg.Probs) *bg.Position {
	if c := w.team.statics; c != nil {
		for i := range picks {
			c.touch(picks[i].result.Hash() ^ salt)
		}
	}
	var best *pick
	least := float32(0)
	var q bg.Probs
	for i := range picks {
		r := &picks[i]
		w.judge(e, &r.result, r.result.Hash()^salt, &q)
		if cost := utility(u, &q); best == nil || cost < least || cost == least && r.index < best.index {
			best, least, *p = r, cost, q
		}
	}
	return &best.result
}

// utility returns what p is worth to the player on roll, up to a constant.
func utility(u *eval.Weights, p *bg.Probs) float32 {
	return float32(u.Win*p.Win) + float32(u.WinGammon*p.WinGammon) + float32(u.WinBackgammon*p.WinBackgammon) +
		float32(u.LoseGammon*p.LoseGammon) + float32(u.LoseBackgammon*p.LoseBackgammon)
}

// A sum adds up the values of the positions after the 21 rolls, seen by the opponent.
type sum struct {
	win, winGammon, winBackgammon, loseGammon, loseBackgammon float64
	equity                                                    [maxStates]float64
}

// add adds v, seen by the opponent, with the weight of its roll.
func (s *sum) add(v *value, states, weight int) {
	f := float64(weight)
	s.win += f * float64(1-v.probs.Win)
	s.winGammon += f * float64(v.probs.LoseGammon)
	s.winBackgammon += f * float64(v.probs.LoseBackgammon)
	s.loseGammon += f * float64(v.probs.WinGammon)
	s.loseBackgammon += f * float64(v.probs.WinBackgammon)
	for i := range states {
		s.equity[i] -= f * float64(v.equity[i])
	}
}

// probs returns the mean of the probabilities.
func (s *sum) probs() bg.Probs {
	return bg.Probs{
		Win:            float32(s.win / bg.Outcomes),
		WinGammon:      float32(s.winGammon / bg.Outcomes),
		WinBackgammon:  float32(s.winBackgammon / bg.Outcomes),
		LoseGammon:     float32(s.loseGammon / bg.Outcomes),
		LoseBackgammon: float32(s.loseBackgammon / bg.Outcomes),
	}
}

// branch returns the mean equity of a branch.
func (s *sum) branch(b branch) float64 { return b.scale * s.equity[b.index] / bg.Outcomes }

// value sets v to the mean, with the best cube action in each state of lv.
func (s *sum) value(lv *planLevel, v *value) {
	v.probs = s.probs()
	for i := range lv.states {
		st := &lv.states[i]
		equity := s.branch(st.noDouble)
		if st.double.index >= 0 {
			equity = max(equity, min(s.branch(st.double), st.pass))
		}
		v.equity[i] = float32(equity)
	}
}

// mix joins two hashes.
func mix(a, b uint64) uint64 {
	h := (a ^ b*0x9e3779b97f4a7c15) * 0xe7037ed1a0b428db
	return h ^ h>>29
}
