package train

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"kotra/bg"
	"kotra/eval"
	"kotra/nn"
)

// LabelOptions are the settings of [Label]. The zero value of a number means its default. All but
// Threads, Progress and Dir decide the result.
type LabelOptions struct {
	Dir     string        // shards
	Nets    []*nn.Network // one or more: their mean plays and labels
	Prune   *nn.Network   // picks the replies that Nets are asked about; nil: all of them
	Seed    uint64
	Games   int64   // how many games to play in all
	Shard   int     // games in a shard; 1000
	Lambda  float64 // 0.7
	Explore float64 // share of moves that are not the best; 0.05
	Starts  Starts
	// Siblings is how many other moves of each decision are labeled, if they are close to the best.
	Siblings int
	// Deepen is how many of the 36 outcomes of the next roll are looked at a ply deeper where moves are
	// close, a divisor of 36: all of them make a search of two plies. 0 is a look ahead of one ply.
	Deepen int

	Threads  int // 0: all cores
	Progress func(LabelProgress)
}

// LabelProgress is what [Label] tells about its progress, after every shard.
type LabelProgress struct {
	Games, Total   int64
	Records        int64
	GamesPerSecond float64 // of wall time, of this call
	Elapsed        time.Duration
}

// Label plays games of a network, or of the mean of several, against itself and writes a label for each of
// their positions.
//
// With E the mean over the 21 rolls of the value of the best reply, and V the network's value of
// the position that was reached, the label of position t is
//
//	G(t) = E(t) + lambda * (G(t+1) - V(t+1)),
//
// all from the same player's view. The luck of the roll is not in it, as V is what E expected of
// that roll. Where the move was not the best the sum is cut: G(t) = E(t).
//
// With Siblings, the moves of the games are the best by E among the few best by V, and the other ones of
// these are labeled too: as they share the luck of the game with the one that was played, so do
// they share what it adds to E, and the difference between two labels of a decision is that of E.
//
// With Deepen, E of a position that is one of several close moves has in place of V the values a ply deeper:
// for all 36 outcomes, or for so many of them, drawn evenly spread and the same for all moves of the decision,
// what they are on average off by. V of the position that was reached is then a ply deeper, too.
//
// Shards that are there already are left alone, so that Label goes on where it was; a shard is
// written whole or not at all. The same options give the same shards on any number of threads.
func Label(ctx context.Context, o LabelOptions) error {
	setDefault(&o.Shard, 1000)
	setDefault(&o.Lambda, 0.7)
	setDefault(&o.Explore, 0.05)
	setDefault(&o.Threads, runtime.GOMAXPROCS(0))
	if o.Deepen < 0 || o.Deepen > 0 && bg.Outcomes%o.Deepen != 0 {
		return fmt.Errorf("train: %d outcomes to look at deeper do not divide %d", o.Deepen, bg.Outcomes)
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return err
	}
	header := ShardHeader{Seed: o.Seed, Lambda: o.Lambda, Network: checksums(o.Nets)}
	players := make([]*player, o.Threads)
	for i := range players {
		players[i] = newPlayer(o.Prune, o.Nets...)
	}
	began := time.Now()
	fresh := 0
	p := LabelProgress{Total: o.Games}
	for i := 0; int64(i)*int64(o.Shard) < o.Games; i++ {
		name := shardName(o.Dir, i)
		header.FirstGame = int64(i) * int64(o.Shard)
		header.Games = int(min(int64(o.Shard), o.Games-header.FirstGame))
		old, _, err := readShard(name)
		switch {
		case err == nil:
			if old.Network != header.Network || old.Games != header.Games || old.Seed != header.Seed {
				return fmt.Errorf("train: %s is of another run: remove it or choose another folder", name)
			}
			p.Records += int64(old.Records)
		case errors.Is(err, fs.ErrNotExist):
			n, err := labelShard(ctx, name, header, players, &o)
			if err != nil {
				return err
			}
			p.Records += int64(n)
			fresh += header.Games
		default:
			return err
		}
		p.Games = header.FirstGame + int64(header.Games)
		p.Elapsed = time.Since(began)
		p.GamesPerSecond = float64(fresh) / p.Elapsed.Seconds()
		if o.Progress != nil {
			o.Progress(p)
		}
	}
	return ctx.Err()
}

// checksums names networks in the header of a shard.
func checksums(nets []*nn.Network) string {
	var sums []string
	for _, net := range nets {
		sums = append(sums, net.Checksum())
	}
	return strings.Join(sums, " ")
}

// newPlayer returns a player with the mean of nets and prune as its evaluators, exact in bearoffs.
func newPlayer(prune *nn.Network, nets ...*nn.Network) *player {
	p := &player{net: evaluator(nets...)}
	if prune != nil {
		p.prune = evaluator(prune)
	}
	return p
}

// labelShard plays the games of one shard and writes it.
func labelShard(ctx context.Context, name string, h ShardHeader, players []*player, o *LabelOptions) (records int, err error) {
	games := make([][]Record, h.Games)
	parallel(h.Games, o.Threads, func(worker, i int) {
		if ctx.Err() == nil {
			games[i] = players[worker].labelGame(stream(o.Seed, h.FirstGame+int64(i)), o)
		}
	})
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	var raw []byte
	for _, game := range games {
		for i := range game {
			raw = appendRecord(raw, &game[i])
		}
	}
	return len(raw) / recordSize, writeBeside(name, encodeShard(h, raw))
}

// A step is a position of a game that is being labeled, and what its label is made of.
type step struct {
	records int // number of its records: the position, then its siblings
	// reached is what the mean over the rolls expected of the roll that came, from the view of the
	// player on roll.
	reached bg.Probs
	cut     bool // the move was not the best, so what comes after says nothing
}

// labelGame plays a game and returns the labels of its positions, each followed by those of its
// siblings.
func (p *player) labelGame(rng *rand.Rand, o *LabelOptions) []Record {
	var records []Record
	var steps []step
	pos := p.start(rng, o.Starts)
	dice := roll(rng)
	if pos == bg.Start() {
		dice = openingRoll(rng)
	}
	mean, replies := p.lookAhead(&pos, dice.Sorted(), o.Siblings, nil)
	var siblings []Record
	deep := false // mean is a ply deeper
	for range maxPlies {
		records = append(append(records, Record{Position: pos, Target: mean}), siblings...)
		best := replies[0]
		s := step{records: 1 + len(siblings), reached: best.probs.Flip()}
		if rng.Float64() < o.Explore {
			if other, ok := p.explore(rng, &pos, dice, best.probs.Equity()); ok {
				replies, s.cut = append(replies[:0], reply{pos: other}), true
			}
		}
		if deep && !s.cut && !ended(&best.pos) {
			value, _ := p.lookAhead(&best.pos, bg.Dice{}, 0, nil)
			s.reached = value.Flip()
		}
		steps = append(steps, s)
		dice = roll(rng)
		var deeper *shares
		if deep = o.Deepen > 0 && len(replies) > 1; deep {
			deeper = drawShares(rng, o.Deepen)
		}
		if pos, mean, replies, siblings = p.choose(replies, dice.Sorted(), o.Siblings, deeper); ended(&pos) {
			break
		}
	}
	end := len(records)
	var after bg.Probs // label of the position after, from the view of the player on roll here
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		group := records[end-s.records : end]
		end -= s.records
		if i < len(steps)-1 && !s.cut {
			surprise := after
			surprise.AddScaled(&s.reached, -1)
			for j := range group {
				group[j].Target.AddScaled(&surprise, float32(o.Lambda))
			}
		}
		after = group[0].Target.Flip()
		for j := range group {
			eval.Clamp(&group[j].Position, &group[j].Target)
		}
	}
	return records
}

// A reply is a result of a roll with its probabilities, both seen by the opponent of the player
// who rolled.
type reply struct {
	pos   bg.Position
	probs bg.Probs
}

// choose returns the best of the replies by a look ahead, with what lookAhead says of it, and
// the others that it looked at as records. A reply that ends the game is what it is worth.
func (p *player) choose(replies []reply, dice bg.Dice, siblings int, deeper *shares) (next bg.Position, mean bg.Probs, after []reply, others []Record) {
	chosen := -1
	for i := range replies {
		r := &replies[i]
		value, then := r.probs, []reply(nil)
		if !ended(&r.pos) {
			value, then = p.lookAhead(&r.pos, dice, siblings, deeper)
			others = append(others, Record{Position: r.pos, Target: value})
		}
		if chosen < 0 || value.Equity() < mean.Equity() {
			chosen, next, mean, after = i, r.pos, value, then
		}
	}
	for i := range others {
		if others[i].Position == next {
			return next, mean, after, append(others[:i], others[i+1:]...)
		}
	}
	return next, mean, after, others
}

// lookAhead returns the mean over all rolls of the value of the best reply, for the player on
// roll, and the replies to the roll dice (the larger die first): the best, and up to the given number of
// others that are close to it. If deeper is not nil, the replies to the rolls that have a share in it are
// looked at a ply deeper.
func (p *player) lookAhead(pos *bg.Position, dice bg.Dice, others int, deeper *shares) (mean bg.Probs, replies []reply) {
	for i, r := range bg.Rolls() {
		var best reply
		if r.Dice == dice {
			replies = p.close(pos, dice, others)
			best = replies[0]
		} else {
			best.pos, best.probs = p.best(pos, r.Dice)
		}
		probs := best.probs.Flip()
		mean.AddScaled(&probs, float32(r.Weight)/bg.Outcomes)
		if deeper != nil && deeper[i] > 0 && !ended(&best.pos) {
			value, _ := p.lookAhead(&best.pos, bg.Dice{}, 0, nil)
			value = value.Flip()
			value.AddScaled(&probs, -1)
			mean.AddScaled(&value, deeper[i])
		}
	}
	return mean, replies
}

// shares are the parts that a choice of outcomes gives to each of the 21 rolls. They add up to 1.
type shares [21]float32

// drawShares draws n outcomes, evenly spread over all.
func drawShares(rng *rand.Rand, n int) *shares {
	var s shares
	outcome := rng.IntN(bg.Outcomes / n) // the next one that is drawn
	end := 0
	for i, r := range bg.Rolls() {
		for end += r.Weight; outcome < end; outcome += bg.Outcomes / n {
			s[i] += 1 / float32(n)
		}
	}
	return &s
}

// explore returns a result of the roll that is not much worse than the best, whose equity for
// the opponent is given. It reports false if the few it tried were all much worse.
func (p *player) explore(rng *rand.Rand, pos *bg.Position, dice bg.Dice, best bg.Equity) (bg.Position, bool) {
	const tries, worse = 4, 0.12
	for range tries {
		next := p.random(rng, pos, dice)
		q := p.net.Evaluate(&next)
		if q.Equity() < best+worse {
			return next, true
		}
	}
	return bg.Position{}, false
}
