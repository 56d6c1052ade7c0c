package train

import (
	"math/rand/v2"
	"slices"

	"kotra/bg"
	"kotra/eval"
	"kotra/movegen"
)

// stream returns the random numbers of game i of a run. Games are numbered through all of a run,
// so that no two share a stream, whatever the number of threads.
func stream(seed uint64, i int64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(i)*0x9e3779b97f4a7c15+1))
}

// roll returns two dice.
func roll(rng *rand.Rand) bg.Dice {
	return bg.Dice{uint8(1 + rng.IntN(6)), uint8(1 + rng.IntN(6))}
}

// A player chooses moves by the 0-ply cubeless equity, and keeps the scratch for it. It is not
// safe for concurrent use.
type player struct {
	net eval.Evaluator
	// prune, if not nil, is a faster evaluator that picks the replies worth asking net about.
	prune eval.Evaluator

	results []bg.Position
}

// keep is the number of replies that are evaluated in full when there are more and a prune
// network ranks them. For the mean over the rolls this is enough: it comes out lower by 0.0005 than if
// all were evaluated, with a scatter of 0.002.
const keep = 4

// best returns the result of the roll that is best for the player on roll, seen by the opponent,
// with the probabilities there, also seen by the opponent.
func (p *player) best(pos *bg.Position, dice bg.Dice) (bg.Position, bg.Probs) {
	p.results = movegen.Results(p.results[:0], pos, dice)
	results := p.results
	if p.prune != nil && len(results) > keep+2 {
		results = p.pruned(results)
	}
	var (
		best  int
		probs bg.Probs
		least bg.Equity = 4
	)
	for i := range results {
		q := p.net.Evaluate(&results[i])
		if e := q.Equity(); e < least {
			best, probs, least = i, q, e
		}
	}
	return results[best], probs
}

// siblingMargin is how much less than the best a reply may be worth to be close to it.
const siblingMargin = 0.08

// close returns the best reply and up to the given number of others that are close to it, the
// best first.
func (p *player) close(pos *bg.Position, dice bg.Dice, others int) []reply {
	p.results = movegen.Results(p.results[:0], pos, dice)
	results := p.results
	if p.prune != nil && len(results) > keep+2 {
		results = p.pruned(results)
	}
	replies := make([]reply, 0, others+2)
	for i := range results {
		r := reply{results[i], p.net.Evaluate(&results[i])}
		e := r.probs.Equity()
		j := len(replies)
		for ; j > 0 && replies[j-1].probs.Equity() > e; j-- {
		}
		if replies = slices.Insert(replies, j, r); len(replies) > others+1 {
			replies = replies[:others+1]
		}
	}
	best := replies[0].probs.Equity()
	return slices.DeleteFunc(replies, func(r reply) bool { return r.probs.Equity() > best+siblingMargin })
}

// pruned moves the keep results that look best to the prune network to the front, in their old
// order, and returns them.
func (p *player) pruned(results []bg.Position) []bg.Position {
	var chosen [keep]int
	var equities [keep]bg.Equity
	n := 0
	for i := range results {
		q := p.prune.Evaluate(&results[i])
		e := q.Equity()
		if n == keep && e >= equities[n-1] {
			continue
		}
		if n < keep {
			n++
		}
		j := n - 1
		for ; j > 0 && equities[j-1] > e; j-- {
			equities[j], chosen[j] = equities[j-1], chosen[j-1]
		}
		equities[j], chosen[j] = e, i
	}
	// Front to back, so that nothing chosen is overwritten before it is read.
	for k := range n {
		least := k
		for j := k + 1; j < n; j++ {
			if chosen[j] < chosen[least] {
				least = j
			}
		}
		chosen[k], chosen[least] = chosen[least], chosen[k]
		results[k] = results[chosen[k]]
	}
	return results[:n]
}

// random returns any result of the roll, each with the same chance, seen by the opponent.
func (p *player) random(rng *rand.Rand, pos *bg.Position, dice bg.Dice) bg.Position {
	p.results = movegen.Results(p.results[:0], pos, dice)
	return p.results[rng.IntN(len(p.results))]
}

// Starts says where games of training begin: shares of the games that do not begin at the start
// position. They reach what good play hardly reaches: backgames, crunched boards, closeouts.
type Starts struct {
	BothRandom float64 // both sides have played a number of random moves
	OneRandom  float64 // one side has played at random, the other well
	// SentBack is for positions that both sides have played well for a while, of a whole game at most,
	// before up to five checkers of one of them are put on the bar; half of the time others of the same
	// side have been borne off.
	SentBack float64 `json:",omitempty"`
}

// start returns a position to begin a game from.
func (p *player) start(rng *rand.Rand, s Starts) bg.Position {
	for {
		pos := bg.Start()
		x := rng.Float64()
		switch {
		case x < s.BothRandom:
			pos = p.playOn(rng, pos, 1+rng.IntN(24), func(int) bool { return true })
		case x < s.BothRandom+s.OneRandom:
			pos = p.playOn(rng, pos, 2+rng.IntN(48), func(ply int) bool { return ply%2 == 0 })
		case x < s.BothRandom+s.OneRandom+s.SentBack:
			pos = p.playOn(rng, pos, 1+rng.IntN(70), func(int) bool { return false })
			side := &pos.OnRoll
			if rng.IntN(2) == 0 {
				side = &pos.Opponent
			}
			if rng.IntN(2) == 0 {
				moveAny(rng, side, 1+rng.IntN(13), 6, bg.Off)
			}
			moveAny(rng, side, 1+rng.IntN(5), 24, bg.Bar)
		}
		if !ended(&pos) {
			return pos
		}
	}
}

// playOn returns the position after a number of plies, each of them random or the best, or the end of the
// game if that comes first.
func (p *player) playOn(rng *rand.Rand, pos bg.Position, plies int, random func(ply int) bool) bg.Position {
	for ply := 0; ply < plies && !ended(&pos); ply++ {
		if random(ply) {
			pos = p.random(rng, &pos, roll(rng))
		} else {
			pos, _ = p.best(&pos, roll(rng))
		}
	}
	return pos
}

// moveAny moves n checkers of a side, any of those on the points 1 to last, to a place. It stops when one
// checker is left on the points.
func moveAny(rng *rand.Rand, side *bg.Side, n, last, to int) {
	var points []int // of each checker that may move
	others := 0
	for point := 1; point < bg.Bar; point++ {
		for range side[point] {
			if point <= last {
				points = append(points, point)
			} else {
				others++
			}
		}
	}
	rng.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	n = max(min(n, len(points), len(points)+others-1), 0)
	for _, point := range points[:n] {
		side[point]--
		side[to]++
	}
}

// ended reports whether games of training stop at pos: what is left is known exactly.
func ended(pos *bg.Position) bool {
	c := eval.Classify(pos)
	return c == eval.Over || c == eval.Bearoff
}

// openingRoll returns the roll of the first move of a game, never a double.
func openingRoll(rng *rand.Rand) bg.Dice {
	for {
		if d := roll(rng); !d.Double() {
			return d
		}
	}
}

// maxPlies ends games of training that do not end: two weak players can dance for ever.
const maxPlies = 600
