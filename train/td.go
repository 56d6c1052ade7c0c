package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"kotra/bg"
	"kotra/duel"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/eval/features"
	"kotra/nn"
)

// TDOptions are the settings of [TD]. The zero value of a number means its default. All but
// Threads, Progress, Every and Dir decide the result.
type TDOptions struct {
	Dir     string      // checkpoints and log
	Net     *nn.Network // to begin from, grown to Shape if it is smaller; nil: random parameters
	Shape   nn.Shape
	Seed    uint64
	Games   int64   // how many games to play in all
	Batch   int     // games between two updates; 32
	Lambda  float64 // 0.6
	Rate    float64 // learning rate at the beginning; 2e-3
	EndRate float64 // and at the end, reached by a quadratic fall; 1e-5
	Average float64 // share by which the averaged network follows at each update; 0.002
	Starts  Starts
	Lanes   int

	Threads  int           // 0: all cores
	Every    time.Duration // time between checkpoints; 1 minute
	Progress func(TDProgress)
}

// TDProgress is what [TD] tells about its progress, every few seconds.
type TDProgress struct {
	Games, Total   int64
	GamesPerSecond float64
	Loss           float64
	Elapsed        time.Duration // wall time of this call
	// Net is the averaged network so far, if there is a new checkpoint, and Duel a small
	// luck-adjusted duel of it against the checkpoint before, if there was one in this call.
	Net  *nn.Network
	Duel *duel.Result
}

func (o *TDOptions) defaults() {
	setDefault(&o.Batch, 32)
	setDefault(&o.Lambda, 0.6)
	setDefault(&o.Rate, 2e-3)
	setDefault(&o.EndRate, 1e-5)
	setDefault(&o.Average, 0.002)
	setDefault(&o.Lanes, 2)
	setDefault(&o.Threads, runtime.GOMAXPROCS(0))
	setDefault(&o.Every, time.Minute)
}

func setDefault[T comparable](value *T, fallback T) {
	var zero T
	if *value == zero {
		*value = fallback
	}
}

// TD plays games of the network against itself and learns from them by TD(lambda), in the
// forward view: the target of a position is the lambda-weighted mean of the network's estimates
// of the positions after it and of the result. It returns the averaged network.
//
// TD goes on from the newest checkpoint in the folder, if there is one. When ctx ends it writes a
// checkpoint and returns the network so far with ctx's error. The same options give the same
// network on any number of threads, interrupted or not.
func TD(ctx context.Context, o TDOptions) (*nn.Network, error) {
	o.defaults()
	trainer, c, err := openTrainer(o.Dir, "td", o.Net, o.Shape, o.Seed,
		nn.TrainerOptions{Lanes: o.Lanes, Threads: o.Threads, Rounding: true})
	if err != nil {
		return nil, err
	}
	o.Shape = c.Shape
	quantized := trainer.Network().Quantize()
	exact := bearoff.Default()
	evaluator := eval.New(eval.NewNetwork(quantized), eval.WithBearoff(exact))
	players := make([]*player, o.Threads)
	for i := range players {
		players[i] = &player{net: evaluator}
	}
	games := make([][]nn.Sample, o.Batch)
	var batch []*nn.Sample

	began, saved, told := time.Now(), time.Now(), time.Now()
	first := c.Done
	loss := 0.0
	var previous *nn.Network // of the checkpoint before
	save := func() error {
		saved = time.Now()
		return c.save(trainer)
	}
	for c.Done < o.Games {
		if ctx.Err() != nil {
			return trainer.Averaged(), joinSave(ctx, save)
		}
		n := int(min(int64(o.Batch), o.Games-c.Done))
		parallel(n, o.Threads, func(worker, i int) {
			games[i] = players[worker].tdGame(games[i][:0], stream(o.Seed, c.Done+int64(i)), &o)
		})
		batch = batch[:0]
		for i := range n {
			for j := range games[i] {
				batch = append(batch, &games[i][j])
			}
		}
		rate := fallingRate(o.Rate, o.EndRate, float64(c.Done)/float64(o.Games))
		if len(batch) > 0 {
			l := trainer.Batch(batch, float32(rate))
			loss += (l - loss) * 0.01
		}
		trainer.Follow(float32(max(o.Average, 1/float64(trainer.State.Batches))))
		trainer.Network().QuantizeInto(quantized)
		c.Done += int64(n)

		p := TDProgress{Games: c.Done, Total: o.Games, Loss: loss, Elapsed: time.Since(began)}
		p.GamesPerSecond = float64(c.Done-first) / p.Elapsed.Seconds()
		if time.Since(saved) > o.Every {
			if err := save(); err != nil {
				return nil, err
			}
			p.Net = trainer.Averaged()
			if previous != nil {
				if p.Duel, err = compete(ctx, p.Net, previous, tdDuelPairs, o.Seed, o.Threads); err != nil {
					return p.Net, err
				}
			}
			previous = p.Net
		}
		if o.Progress != nil && (time.Since(told) > 2*time.Second || p.Net != nil) {
			told = time.Now()
			o.Progress(p)
		}
	}
	return trainer.Averaged(), save()
}

// tdDuelPairs is the number of pairs of games between two checkpoints.
const tdDuelPairs = 100

// joinSave saves and returns the error of ctx, or the one of saving.
func joinSave(ctx context.Context, save func() error) error {
	if err := save(); err != nil {
		return fmt.Errorf("saving a checkpoint: %w", err)
	}
	return ctx.Err()
}

// fallingRate falls from first to last as a parabola while done goes from 0 to 1.
func fallingRate(first, last, done float64) float64 {
	return last + (first-last)*(1-done)*(1-done)
}

// parallel calls f for i from 0 to n-1 from the given number of goroutines, which take the next
// number as they become free.
func parallel(n, threads int, f func(worker, i int)) {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		next int
	)
	for w := range min(threads, n) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n {
					return
				}
				f(w, i)
			}
		})
	}
	wg.Wait()
}

// tdGame plays a game and appends its positions with their targets.
func (p *player) tdGame(dst []nn.Sample, rng *rand.Rand, o *TDOptions) []nn.Sample {
	pos := p.start(rng, o.Starts)
	dice := roll(rng)
	if pos == bg.Start() {
		dice = openingRoll(rng)
	}
	first := len(dst)
	for range maxPlies {
		var s nn.Sample
		s.Counts = *features.Counts(&pos)
		s.Bucket = uint8(features.BucketOf(&pos, o.Shape.Buckets))
		next, probs := p.best(&pos, dice)
		s.Target = outputs(probs.Flip()) // the estimate one ply on; the pass below turns it into the return
		dst = append(dst, s)
		if ended(&next) {
			break
		}
		pos, dice = next, roll(rng)
	}
	game := dst[first:]
	lambda := float32(o.Lambda)
	for i := len(game) - 2; i >= 0; i-- {
		after := probsOf(game[i+1].Target)
		after = after.Flip()
		estimate := probsOf(game[i].Target)
		estimate.Scale(1 - lambda)
		estimate.AddScaled(&after, lambda)
		game[i].Target = outputs(estimate)
	}
	return dst
}

func outputs(p bg.Probs) [nn.Outputs]float32 {
	return [nn.Outputs]float32{p.Win, p.WinGammon, p.WinBackgammon, p.LoseGammon, p.LoseBackgammon}
}

func probsOf(o [nn.Outputs]float32) bg.Probs {
	return bg.Probs{Win: o[0], WinGammon: o[1], WinBackgammon: o[2], LoseGammon: o[3], LoseBackgammon: o[4]}
}
