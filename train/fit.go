package train

import (
	"context"
	"errors"
	"runtime"
	"time"

	"kotra/bg"
	"kotra/nn"
)

// FitOptions are the settings of [Fit]. The zero value of a number means its default. All but
// Threads, Progress, Every and Dir decide the result.
type FitOptions struct {
	Dir        string      // checkpoint
	Shards     []string    // names of the shards to learn from
	Net        *nn.Network // to begin from, grown to Shape if it is smaller; nil: random parameters
	Shape      nn.Shape
	Seed       uint64
	Samples    int64   // how many samples to see in all, repeated ones counted each time
	Batch      int     // 2048
	Rate       float64 // learning rate at the beginning; 1e-3
	EndRate    float64 // and at the end, reached by a quadratic fall; 1e-5
	Average    float64 // share by which the averaged network follows at each update; 0.002
	Validation int     // one record of so many is kept for validation; 100
	// Differences is the weight of the loss on the differences in equity between the moves of a
	// decision, beside that on their probabilities; 0 is none. The labels of a decision share the noise
	// of their game, so that it does not see it.
	Differences float64
	Lanes       int

	Threads  int           // 0: all cores
	Every    time.Duration // time between checkpoints; 1 minute
	Progress func(FitProgress)
}

// FitProgress is what [Fit] tells about its progress, every few seconds.
type FitProgress struct {
	Samples, Total   int64
	SamplesPerSecond float64
	Loss             float64 // running mean of the training loss
	Validation       float64 // loss of the averaged network on the records kept back; 0: not measured now
	Elapsed          time.Duration
	Net              *nn.Network // the averaged network, to be measured or copied; nil if it was not saved now
}

// ErrNoLabels is returned by [Fit] if there is nothing to learn from.
var ErrNoLabels = errors.New("train: no labels to fit to")

// Fit fits a network to labels by mini-batches of Adam, with the learning rate falling
// quadratically, and returns the averaged network. The weights above the first layer are trained
// with the rounding of inference.
//
// Fit goes on from its checkpoint in the folder, if there is one. When ctx ends it writes a
// checkpoint and returns the network so far with ctx's error. The same options give the same
// network on any number of threads, interrupted or not.
func Fit(ctx context.Context, o FitOptions) (*nn.Network, error) {
	setDefault(&o.Batch, 2048)
	setDefault(&o.Rate, 1e-3)
	setDefault(&o.EndRate, 1e-5)
	setDefault(&o.Average, 0.002)
	setDefault(&o.Validation, 100)
	setDefault(&o.Lanes, 2)
	setDefault(&o.Threads, runtime.GOMAXPROCS(0))
	setDefault(&o.Every, time.Minute)

	training, validation, err := loadLabels(o.Shards, o.Validation)
	if err != nil {
		return nil, err
	}
	trainer, c, err := openTrainer(o.Dir, "fit", o.Net, o.Shape, o.Seed,
		nn.TrainerOptions{
			Lanes: o.Lanes, Threads: o.Threads, Rounding: true,
			Differences: float32(o.Differences), Worth: worth,
		})
	if err != nil {
		return nil, err
	}
	samples := make([]nn.Sample, o.Batch)
	batch := make([]*nn.Sample, o.Batch)
	for i := range samples {
		batch[i] = &samples[i]
	}
	order := newShuffle(training, o.Seed)
	o.Batch = int(min(int64(o.Batch), order.total))
	order.prepare(c.Done, o.Batch)
	began, saved, told := time.Now(), time.Now(), time.Now()
	first := c.Done
	loss, batches := 0.0, 0
	save := func() error {
		saved = time.Now()
		return c.save(trainer)
	}
	for c.Done < o.Samples {
		if ctx.Err() != nil {
			return trainer.Averaged(), joinSave(ctx, save)
		}
		n := int(min(int64(o.Batch), o.Samples-c.Done))
		parallel(o.Lanes, o.Threads, func(_, lane int) {
			for i := lane * n / o.Lanes; i < (lane+1)*n/o.Lanes; i++ {
				raw, group := order.at(c.Done + int64(i))
				decodeSample(&samples[i], raw, c.Shape.Buckets)
				samples[i].Group = group
			}
		})
		rate := fallingRate(o.Rate, o.EndRate, float64(c.Done)/float64(o.Samples))
		l := trainer.Batch(batch[:n], float32(rate))
		batches++
		loss += (l - loss) / float64(min(batches, 100))
		trainer.Follow(float32(max(o.Average, 1/float64(trainer.State.Batches))))
		c.Done += int64(n)
		order.prepare(c.Done, o.Batch)

		p := FitProgress{Samples: c.Done, Total: o.Samples, Loss: loss, Elapsed: time.Since(began)}
		p.SamplesPerSecond = float64(c.Done-first) / p.Elapsed.Seconds()
		done := c.Done >= o.Samples
		if time.Since(saved) > o.Every || done {
			if err := save(); err != nil {
				return nil, err
			}
			p.Net = trainer.Averaged()
			p.Validation = validationLoss(p.Net, validation, o.Threads)
		}
		if o.Progress != nil && (time.Since(told) > 2*time.Second || p.Net != nil) {
			told = time.Now()
			o.Progress(p)
		}
	}
	return trainer.Averaged(), nil
}

// loadLabels reads the records of all shards and keeps one of every few apart.
func loadLabels(names []string, every int) (training, validation [][]byte, err error) {
	for _, name := range names {
		_, raw, err := readShard(name)
		if err != nil {
			return nil, nil, err
		}
		// The end of the shard, so that no game is in both parts but for one.
		split := len(raw) / recordSize / every * (every - 1) * recordSize
		if split == 0 {
			split = len(raw)
		}
		training = append(training, raw[:split])
		validation = append(validation, raw[split:])
	}
	if len(training) == 0 || len(training[0]) == 0 {
		return nil, nil, ErrNoLabels
	}
	return training, validation, nil
}

// worth is what the outputs count for in the equity, see [bg.Probs.Equity].
var worth = outputs(bg.Probs{Win: 2, WinGammon: 1, WinBackgammon: 1, LoseGammon: -1, LoseBackgammon: -1})

// validationLoss returns the mean loss of net on the given records.
func validationLoss(net *nn.Network, records [][]byte, threads int) float64 {
	trainer := nn.NewTrainer(net, nn.TrainerOptions{Threads: threads, Rounding: true})
	const part = 4096
	sum, count := 0.0, 0
	var batch []*nn.Sample
	flush := func() {
		if len(batch) > 0 {
			sum += trainer.Loss(batch) * float64(len(batch))
			count += len(batch)
			batch = batch[:0]
		}
	}
	for _, raw := range records {
		for ; len(raw) > 0; raw = raw[recordSize:] {
			s := new(nn.Sample)
			decodeSample(s, raw, net.Shape.Buckets)
			if batch = append(batch, s); len(batch) == part {
				flush()
			}
		}
	}
	flush()
	return sum / float64(max(count, 1))
}
