package train

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"time"

	"kotra/bg"
	"kotra/eval"
	"kotra/nn"
)

// LabelOptions are the settings of [Label]. The zero value of a number means its default. All but
// Threads, Progress and Dir decide the result.
type LabelOptions struct {
	Dir     string      // shards
	Net     *nn.Network // plays and labels
	Prune   *nn.Network // picks the replies that Net is asked about; nil: all of them
	Seed    uint64
	Games   int64   // how many games to play in all
	Shard   int     // games in a shard; 1000
	Lambda  float64 // 0.7
	Explore float64 // share of moves that are not the best; 0.05
	Starts  Starts

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

// Label plays games of a network against itself and writes a label for each of their positions.
//
// With E the mean over the 21 rolls of the value of the best reply, and V the network's value of
// the position that was reached, the label of position t is
//
//	G(t) = E(t) + lambda * (G(t+1) - V(t+1)),
//
// all from the same player's view. The luck of the roll is not in it, as V is what E expected of
// that roll. Where the move was not the best the sum is cut: G(t) = E(t).
//
// Shards that are there already are left alone, so that Label goes on where it was; a shard is
// written whole or not at all. The same options give the same shards on any number of threads.
func Label(ctx context.Context, o LabelOptions) error {
	setDefault(&o.Shard, 1000)
	setDefault(&o.Lambda, 0.7)
	setDefault(&o.Explore, 0.05)
	setDefault(&o.Threads, runtime.GOMAXPROCS(0))
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return err
	}
	header := ShardHeader{Seed: o.Seed, Lambda: o.Lambda, Network: o.Net.Checksum()}
	players := make([]*player, o.Threads)
	for i := range players {
		players[i] = newPlayer(o.Net, o.Prune)
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

// newPlayer returns a player with nets as its evaluators, exact in bearoffs.
func newPlayer(net, prune *nn.Network) *player {
	p := &player{net: evaluator(net)}
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

// labelGame plays a game and returns the labels of its positions.
func (p *player) labelGame(rng *rand.Rand, o *LabelOptions) []Record {
	type step struct {
		reached bg.Probs // value of the position that was reached, from the mover's view
		cut     bool
	}
	var game []Record
	var steps []step
	pos := p.start(rng, o.Starts)
	dice := roll(rng)
	if pos == bg.Start() {
		dice = openingRoll(rng)
	}
	for range maxPlies {
		mean, next, reached := p.lookAhead(&pos, dice.Sorted())
		s := step{reached: reached.Flip()}
		if rng.Float64() < o.Explore {
			if other, ok := p.explore(rng, &pos, dice, reached.Equity()); ok {
				next, s.cut = other, true
			}
		}
		game = append(game, Record{Position: pos, Target: mean})
		steps = append(steps, s)
		if ended(&next) {
			break
		}
		pos, dice = next, roll(rng)
	}
	for i := len(game) - 2; i >= 0; i-- {
		if !steps[i].cut {
			surprise := game[i+1].Target.Flip()
			surprise.AddScaled(&steps[i].reached, -1)
			game[i].Target.AddScaled(&surprise, float32(o.Lambda))
		}
		eval.Clamp(&game[i].Position, &game[i].Target)
	}
	if n := len(game); n > 0 {
		eval.Clamp(&game[n-1].Position, &game[n-1].Target)
	}
	return game
}

// lookAhead returns the mean over all rolls of the value of the best reply, for the player on
// roll, and for the roll dice (the larger die first) that reply with its value, both seen by the
// opponent.
func (p *player) lookAhead(pos *bg.Position, dice bg.Dice) (mean bg.Probs, next bg.Position, value bg.Probs) {
	for _, r := range bg.Rolls() {
		reply, probs := p.best(pos, r.Dice)
		if r.Dice == dice {
			next, value = reply, probs
		}
		probs = probs.Flip()
		mean.AddScaled(&probs, float32(r.Weight)/36)
	}
	return mean, next, value
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
