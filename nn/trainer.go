package nn

import (
	"math"
	"sync"

	"kotra/nn/internal/kernel"
)

// A Sample is one input with what the outputs should be.
type Sample struct {
	Counts [Slots]uint8
	Bucket uint8
	Target [Outputs]float32
	// Group is the same number for samples whose differences matter, if they follow each other in a
	// batch; see [TrainerOptions].
	Group uint32
}

// TrainerOptions are the settings of a [Trainer]. They decide the result; Threads alone does not.
type TrainerOptions struct {
	Lanes   int // parts of a batch whose gradients are summed apart; 0 is 2
	Threads int // goroutines at work; 0 is one for each lane
	// Rounding trains with the 8-bit weights of the layer above the first that inference will
	// use (the gradient passes the rounding unchanged).
	Rounding bool
	// Differences is the weight of a second loss: the squares of the errors of what the outputs are
	// worth, the outputs weighted by Worth, less their mean over the samples of the same group and
	// bucket that follow each other in a batch. It does not see an error that all of them share.
	Differences float32
	Worth       [Outputs]float32
}

// A Trainer fits a network to samples by mini-batches with Adam. It is not safe for concurrent
// use; it starts goroutines of its own, which end before its methods return.
//
// The loss is the cross-entropy of the outputs, summed over the outputs, mean over the batch, and
// that of the differences within groups, if the options ask for it.
//
// What is trained of the first layer is not its rows but the difference of each row to that of
// the count below, so that what is learned of two checkers in a slot counts for three as well.
type Trainer struct {
	State TrainerState

	shape   Shape
	meta    Meta
	options TrainerOptions
	lanes   []*lane
	forward []float32 // parameters as the forward pass sees them: rows, and rounded weights
	turned  []float32 // transposed weights of the dense layers, at the offsets of the layers
}

// A TrainerState is all that a [Trainer] remembers between batches.
type TrainerState struct {
	Batches int64
	Params  []float32 // as they are trained
	Average []float32 // running average of Params, see [Trainer.Follow]
	M, V    []float32 // moments of Adam
}

// lane holds the gradient of a part of each batch, and scratch.
type lane struct {
	grad   []float32
	loss   float64
	rows   [chunk][]uint16
	sums   []float32   // [chunk, width]
	first  []float32   // [chunk, width]
	units  [][]float32 // of each dense layer: [chunk, out], sums and then activations
	deltas [][]float32 // of each dense layer: [chunk, out]
	delta  []float32   // [chunk, width]
}

// chunk is the number of samples that go through the layers together.
const chunk = 64

// NewTrainer returns a trainer that begins from n, which it does not change.
func NewTrainer(n *Network, o TrainerOptions) *Trainer {
	if o.Lanes == 0 {
		o.Lanes = 2
	}
	if o.Threads == 0 {
		o.Threads = o.Lanes
	}
	size := len(n.Params)
	t := &Trainer{
		shape: n.Shape, meta: n.Meta, options: o,
		forward: make([]float32, size), turned: make([]float32, size),
		State: TrainerState{Params: make([]float32, size), M: make([]float32, size), V: make([]float32, size)},
	}
	copy(t.State.Params, n.Params)
	eachNeighbor(n.Shape, n.Params, func(at int, below []float32) {
		kernel.Axpby(t.State.Params[at:][:len(below)], below, -1, 1)
	})
	t.State.Average = append([]float32(nil), t.State.Params...)
	layers, _ := n.Shape.layers(0)
	for range o.Lanes {
		l := &lane{
			grad:  make([]float32, size),
			sums:  make([]float32, chunk*n.Shape.Width),
			first: make([]float32, chunk*n.Shape.Width),
			delta: make([]float32, chunk*n.Shape.Width),
		}
		for i := range l.rows {
			l.rows[i] = make([]uint16, 0, Slots)
		}
		for _, d := range layers {
			l.units = append(l.units, make([]float32, chunk*d.out))
			l.deltas = append(l.deltas, make([]float32, chunk*d.out))
		}
		t.lanes = append(t.lanes, l)
	}
	return t
}

// eachNeighbor calls f for each row of the first layer with a count of 2 or more, upwards: with
// the place of the row in the parameters, and with the row of the count below.
func eachNeighbor(s Shape, params []float32, f func(at int, below []float32)) {
	for slot := range Slots {
		for c := 2; c < Levels; c++ {
			at := s.Width * (1 + slot*Levels + c)
			f(at, params[at-s.Width:at:at])
		}
	}
}

// sumRows turns the differences of the rows in params into the rows.
func sumRows(s Shape, params []float32) {
	eachNeighbor(s, params, func(at int, below []float32) {
		kernel.Axpby(params[at:][:len(below)], below, 1, 1)
	})
}

// Network returns the network as it is trained so far. It shares nothing with t.
func (t *Trainer) Network() *Network { return t.network(t.State.Params) }

// Averaged returns the network of the running average. It shares nothing with t.
func (t *Trainer) Averaged() *Network { return t.network(t.State.Average) }

func (t *Trainer) network(params []float32) *Network {
	n := &Network{Shape: t.shape, Meta: t.meta, Params: append([]float32(nil), params...)}
	sumRows(t.shape, n.Params)
	return n
}

// Follow moves the running average of the parameters towards them by share.
func (t *Trainer) Follow(share float32) {
	kernel.Axpby(t.State.Average, t.State.Params, share, 1-share)
}

// Batch takes one step of Adam on batch with the given learning rate, and returns the mean loss
// before it.
func (t *Trainer) Batch(batch []*Sample, rate float32) float64 {
	loss := t.gradient(batch)
	t.step(rate, 1/float32(len(batch)))
	return loss
}

// Loss returns the mean loss on the given samples and changes nothing.
func (t *Trainer) Loss(batch []*Sample) float64 {
	loss := t.gradient(batch)
	for _, l := range t.lanes {
		clear(l.grad)
	}
	return loss
}

// gradient leaves the sum over the batch of the gradients in the lanes and returns the mean loss.
func (t *Trainer) gradient(batch []*Sample) float64 {
	t.prepare()
	byBucket := make([][]*Sample, t.shape.Buckets)
	for _, s := range batch {
		byBucket[s.Bucket] = append(byBucket[s.Bucket], s)
	}
	type part struct {
		bucket  int
		samples []*Sample
	}
	parts := make([][]part, len(t.lanes))
	next := 0
	for b, samples := range byBucket {
		for len(samples) > 0 {
			n := min(chunk, len(samples))
			parts[next%len(parts)] = append(parts[next%len(parts)], part{b, samples[:n]})
			samples = samples[n:]
			next++
		}
	}
	t.parallel(len(t.lanes), func(i int) {
		l := t.lanes[i]
		l.loss = 0
		for _, p := range parts[i] {
			t.backpropagate(l, p.bucket, p.samples)
		}
	})
	loss := 0.0
	for _, l := range t.lanes {
		loss += l.loss
	}
	return loss / float64(len(batch))
}

// parallel calls f(0) to f(n-1) from as many goroutines as the options allow.
func (t *Trainer) parallel(n int, f func(i int)) {
	threads := min(t.options.Threads, n)
	if threads <= 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var wg sync.WaitGroup
	for w := range threads {
		wg.Go(func() {
			for i := w; i < n; i += threads {
				f(i)
			}
		})
	}
	wg.Wait()
}

// prepare computes the parameters as the forward pass sees them, and transposes the weights of the
// dense layers for the backward pass.
func (t *Trainer) prepare() {
	first := t.shape.firstSize()
	copy(t.forward[:first], t.State.Params)
	sumRows(t.shape, t.forward)
	type job struct {
		layer layer
		round bool
	}
	var jobs []job
	for b := range t.shape.Buckets {
		layers, _ := t.shape.layers(b)
		for i, l := range layers {
			jobs = append(jobs, job{l, i == 0 && t.options.Rounding})
		}
	}
	t.parallel(len(jobs), func(i int) {
		l := jobs[i].layer
		src, dst := l.weights(t.State.Params), l.weights(t.forward)
		copy(dst, src)
		if jobs[i].round {
			roundWeights(dst, l.out)
		}
		copy(l.biases(t.forward), l.biases(t.State.Params))
		transpose(l.weights(t.turned), dst, l.in, l.out)
	})
}

// transpose sets dst, of shape [out, in], to the transpose of src, of shape [in, out].
func transpose(dst, src []float32, in, out int) {
	const block = 16 // floats of a line of the cache
	for from := 0; from < in; from += block {
		to := min(from+block, in)
		for j := range out {
			for k, at := from, from*out+j; k < to; k, at = k+1, at+out {
				dst[j*in+k] = src[at]
			}
		}
	}
}

// roundWeights rounds w, of shape [in, out], to what 8 bits and a scale for each output hold.
func roundWeights(w []float32, out int) {
	units := make([]float32, out)
	setUnits(units, w, out, kernel.MaxWeight8)
	for ; len(w) > 0; w = w[out:] {
		for j, x := range w[:out] {
			w[j] = round(x/units[j]) * units[j]
		}
	}
}

// backpropagate adds the gradient of the given samples of one bucket to the lane.
func (t *Trainer) backpropagate(l *lane, bucket int, samples []*Sample) {
	width := t.shape.Width
	n := len(samples)
	padded := (n + 3) &^ 3
	bias, table := t.forward[:width], t.forward[width:][:kernel.Rows*width]
	for i := range padded {
		rows := l.rows[i][:0]
		if i < n {
			for slot, c := range samples[i].Counts {
				if c > 0 {
					rows = append(rows, uint16(slot*Levels+int(c)))
				}
			}
		}
		l.rows[i] = rows
		kernel.SumRows(l.sums[i*width:][:width], bias, table, rows)
	}
	kernel.SquareClip(l.first[:padded*width], l.sums[:padded*width])

	layers, _ := t.shape.layers(bucket)
	input := l.first
	for d, layer := range layers {
		units := l.units[d][:padded*layer.out]
		biases := layer.biases(t.forward)
		for i := range padded {
			copy(units[i*layer.out:], biases)
		}
		kernel.Gemm(units, input, layer.weights(t.forward), padded, layer.out, layer.in, layer.in, 1, layer.out, layer.out)
		if d < len(layers)-1 {
			for i, x := range units {
				units[i] = min(max(x, 0), HiddenLimit)
			}
		}
		input = units
	}

	l.outputDeltas(samples, padded)
	if t.options.Differences > 0 {
		l.differenceDeltas(samples, t.options.Differences, &t.options.Worth)
	}

	for d := len(layers) - 1; d >= 0; d-- {
		layer := layers[d]
		delta := l.deltas[d][:padded*layer.out]
		before := l.first
		if d > 0 {
			before = l.units[d-1]
		}
		kernel.Gemm(layer.weights(l.grad), before, delta, layer.in, layer.out, padded, 1, layer.in, layer.out, layer.out)
		biases := layer.biases(l.grad)
		for i := range padded {
			for j, x := range delta[i*layer.out:][:layer.out] {
				biases[j] += x
			}
		}
		below := l.delta
		if d > 0 {
			below = l.deltas[d-1]
		}
		below = below[:padded*layer.in]
		clear(below)
		kernel.Gemm(below, delta, layer.weights(t.turned), padded, layer.in, layer.out, layer.out, 1, layer.in, layer.in)
		if d > 0 {
			for i, x := range before[:padded*layer.in] {
				if x <= 0 || x >= HiddenLimit {
					below[i] = 0
				}
			}
		}
	}
	kernel.SquareClipGrad(l.delta[:padded*width], l.sums[:padded*width])
	gradTable := l.grad[width:][:kernel.Rows*width]
	for i := range n {
		d := l.delta[i*width:][:width]
		kernel.Axpby(l.grad[:width], d, 1, 1)
		kernel.AddRows(gradTable, d, l.rows[i])
	}
}

// outputDeltas sets the deltas of the last layer and adds to the loss.
func (l *lane) outputDeltas(samples []*Sample, padded int) {
	last := len(l.units) - 1
	logits, delta := l.units[last], l.deltas[last]
	clear(delta[:padded*outputWidth])
	for i, s := range samples {
		for j, target := range s.Target {
			x := float64(logits[i*outputWidth+j])
			e := math.Exp(-math.Abs(x))
			p := 1 / (1 + e)
			if x < 0 {
				p = e / (1 + e)
			}
			// Cross-entropy in the form that does not overflow.
			l.loss += max(x, 0) - x*float64(target) + math.Log1p(e)
			delta[i*outputWidth+j] = float32(p) - target
		}
	}
}

// differenceDeltas adds to the deltas of the last layer and to the loss what the differences within
// groups add.
func (l *lane) differenceDeltas(samples []*Sample, weight float32, worth *[Outputs]float32) {
	delta := l.deltas[len(l.units)-1]
	for from := 0; from < len(samples); {
		to := from + 1
		for to < len(samples) && samples[to].Group == samples[from].Group {
			to++
		}
		if to-from > 1 {
			l.pullTogether(samples[from:to], delta[from*outputWidth:to*outputWidth], weight, worth)
		}
		from = to
	}
}

// pullTogether does the work of differenceDeltas for the samples of a group, whose deltas are those of
// the cross-entropy: outputs less targets.
func (l *lane) pullTogether(group []*Sample, delta []float32, weight float32, worth *[Outputs]float32) {
	var errors [chunk]float32
	mean := float32(0)
	for i := range group {
		for j, w := range worth {
			errors[i] += float32(w * delta[i*outputWidth+j])
		}
		mean += errors[i] / float32(len(group))
	}
	for i, s := range group {
		e := errors[i] - mean
		l.loss += float64(float32(weight * float32(e*e)))
		for j, w := range worth {
			p := delta[i*outputWidth+j] + s.Target[j]
			delta[i*outputWidth+j] += float32(float32(2*weight*e) * float32(w*float32(p*(1-p))))
		}
	}
}

// gradientPart is how the parameters are cut for work in parallel.
const gradientPart = 1 << 14

// eachPart calls f for parts of the parameters, in parallel.
func (t *Trainer) eachPart(f func(from, to int)) {
	size := len(t.State.Params)
	t.parallel((size+gradientPart-1)/gradientPart, func(i int) {
		f(i*gradientPart, min((i+1)*gradientPart, size))
	})
}

// collect returns the sum of the gradients in the lanes, by the parameters as they are trained,
// and clears all lanes but the first, which holds it.
func (t *Trainer) collect() []float32 {
	grad, width := t.lanes[0].grad, t.shape.Width
	t.eachPart(func(from, to int) {
		for _, l := range t.lanes[1:] {
			kernel.Axpby(grad[from:to], l.grad[from:to], 1, 1)
			clear(l.grad[from:to])
		}
	})
	// A difference is part of its own row and of all rows above it.
	for slot := range Slots {
		for c := Levels - 1; c > 1; c-- {
			at := width * (1 + slot*Levels + c)
			kernel.Axpby(grad[at-width:at], grad[at:][:width], 1, 1)
		}
	}
	return grad
}

// step updates all parameters with the gradients in the lanes, times scale, and clears them.
func (t *Trainer) step(rate, scale float32) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-7
	t.State.Batches++
	n := float64(t.State.Batches)
	correct1, correct2 := 1-math.Pow(beta1, n), math.Sqrt(1-math.Pow(beta2, n))
	p := kernel.AdamStep{
		Scale: scale, Beta1: beta1, Beta2: beta2,
		Rate:    float32(float64(rate) * correct2 / correct1),
		Epsilon: float32(epsilon * correct2),
	}
	grad := t.collect()
	t.eachPart(func(from, to int) {
		kernel.Adam(t.State.Params[from:to], t.State.M[from:to], t.State.V[from:to], grad[from:to], p)
	})
}
