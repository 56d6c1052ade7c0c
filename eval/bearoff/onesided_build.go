package bearoff

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// NewOneSided builds the table of 15 checkers on the given number of points, on all cores. It
// panics if points is not from 1 to 12. For the usual 6 points [Default] is there at once.
func NewOneSided(points int) *OneSided {
	o, err := BuildOneSided(context.Background(), points, 15, 0, nil)
	if err != nil {
		panic(err)
	}
	return o
}

// BuildOneSided builds the table of the given size with the given number of threads, 0 for one
// for each core. progress, if not nil, is called now and then from one goroutine with the part
// that is done, from 0 to 1. The table does not depend on the number of threads.
//
// Each roll is played so that the expected number of further rolls is smallest.
func BuildOneSided(ctx context.Context, points, checkers, threads int, progress func(done float64)) (*OneSided, error) {
	if err := checkSize(points, checkers); err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(float64) {}
	}
	b := newOneSidedBuilder(points, checkers, threads)
	o := &OneSided{indexer: b.indexer}
	var err error
	if o.all, err = b.run(ctx, false, func(done float64) { progress(done / 2) }); err != nil {
		return nil, err
	}
	if o.first, err = b.run(ctx, true, func(done float64) { progress((1 + done) / 2) }); err != nil {
		return nil, err
	}
	return o, nil
}

func checkSize(points, checkers int) error {
	if points < 1 || points > maxPoints {
		return fmt.Errorf("bearoff: table of %d points, want 1 to %d", points, maxPoints)
	}
	if checkers < 1 || checkers > maxCheckers {
		return fmt.Errorf("bearoff: table of %d checkers, want 1 to %d", checkers, maxCheckers)
	}
	return nil
}

// one is the unit of probabilities while building. Tails are in whole units, so that sums are
// exact and every processor builds the same table.
const one = 1 << 31

// A onesidedBuilder goes through the positions in order of their pip counts. Those of one pip
// count do not depend on each other and are shared out to threads.
type onesidedBuilder struct {
	indexer
	threads int
	order   []uint32 // positions by pip count
	levels  []int    // where each pip count begins in order

	// best[d][i*3+k-1] is the position to go for from i with k steps of die d+1.
	best  [6][]uint32
	mean  []float64
	rows  []row
	tails []uint32
}

func newOneSidedBuilder(points, checkers, threads int) *onesidedBuilder {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	b := &onesidedBuilder{indexer: newIndexer(points, checkers), threads: threads}
	pips := make([]uint8, b.size)
	b.levels = make([]int, points*checkers+2)
	var counts [maxPoints + 1]uint8
	for i := range pips {
		b.counts(&counts, uint32(i))
		for p, c := range counts {
			pips[i] += uint8(p) * c
		}
		b.levels[pips[i]+1]++
	}
	for l := 1; l < len(b.levels); l++ {
		b.levels[l] += b.levels[l-1]
	}
	b.order = make([]uint32, b.size)
	next := append([]int(nil), b.levels...)
	for i, l := range pips {
		b.order[next[l]] = uint32(i)
		next[l]++
	}
	for d := range b.best {
		b.best[d] = make([]uint32, 3*b.size)
	}
	b.mean = make([]float64, b.size)
	b.rows = make([]row, b.size)
	return b
}

// run computes the distributions of the number of rolls until all checkers are off or, if
// first, until one is.
func (b *onesidedBuilder) run(ctx context.Context, first bool, progress func(float64)) (distributions, error) {
	b.tails = b.tails[:0]
	workers := make([]onesidedWorker, b.threads)
	for w := range workers {
		workers[w] = onesidedWorker{b: b, mover: mover{x: &b.indexer}, first: first}
	}
	for l := 1; l+1 < len(b.levels); l++ {
		if err := ctx.Err(); err != nil {
			return distributions{}, err
		}
		level := b.order[b.levels[l]:b.levels[l+1]]
		b.share(workers, level)
		for w := range workers {
			b.collect(&workers[w])
		}
		progress(float64(b.levels[l+1]) / float64(b.size))
	}
	return b.finish(), nil
}

func (b *onesidedBuilder) share(workers []onesidedWorker, level []uint32) {
	const fewest = 64 // positions worth a goroutine
	n := min(len(workers), (len(level)+fewest-1)/fewest)
	for w := range workers {
		workers[w].part = nil
	}
	for w := range n {
		workers[w].part = level[len(level)*w/n : len(level)*(w+1)/n]
	}
	if n == 1 {
		workers[0].run()
		return
	}
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(workers[w].run)
	}
	wg.Wait()
}

func (b *onesidedBuilder) collect(w *onesidedWorker) {
	base := uint32(len(b.tails))
	for _, i := range w.part {
		b.rows[i].start += base
	}
	b.tails = append(b.tails, w.tails...)
}

// finish rounds the tails to the unit of a table and lays them out by position.
func (b *onesidedBuilder) finish() distributions {
	d := distributions{rows: make([]row, b.size), tails: make([]float32, 0, len(b.tails))}
	for i, r := range b.rows {
		out := row{start: uint32(len(d.tails)), certain: r.certain}
		for _, t := range b.tails[r.start : r.start+uint32(r.n)] {
			const unit = one / fraction
			q := (t + unit/2) / unit
			if q == fraction {
				out.certain++
				continue
			}
			if q == 0 {
				break
			}
			d.tails = append(d.tails, float32(q)/fraction)
			out.n++
		}
		d.rows[i] = out
	}
	return d
}

// A onesidedWorker computes its part of the positions of one pip count.
type onesidedWorker struct {
	b     *onesidedBuilder
	mover mover
	first bool
	part  []uint32
	tails []uint32
}

func (w *onesidedWorker) run() {
	w.tails = w.tails[:0]
	for _, i := range w.part {
		w.mix(i, w.plays(i))
	}
}

// plays returns the position to go for from i with each of the 21 rolls, the double of d at
// [d][d] and the roll of d and e < d at [d][e], and notes the best runs of steps.
func (w *onesidedWorker) plays(i uint32) (roll [6][6]uint32) {
	w.mover.set(i)
	b := w.b
	const none = ^uint32(0)
	for d := range roll {
		for e := range d + 1 {
			roll[d][e] = none
		}
	}
	var steps [maxPoints]uint32
	for d := range 6 {
		n, off := w.mover.steps(&steps, d+1)
		if off && w.first {
			steps[n-1] = 0
		}
		one, two, three := none, none, none
		for _, j := range steps[:n] {
			b.prefer(&one, j)
			b.prefer(&two, b.best[d][3*j])
			b.prefer(&three, b.best[d][3*j+1])
			b.prefer(&roll[d][d], b.best[d][3*j+2])
			for e := range 6 {
				if e != d {
					b.prefer(&roll[max(d, e)][min(d, e)], b.best[e][3*j])
				}
			}
		}
		best := b.best[d][3*i : 3*i+3]
		best[0], best[1], best[2] = one, two, three
	}
	return roll
}

// prefer replaces best by i if i has the smaller mean. Of equal ones, up to rounding, the lower
// number wins.
func (b *onesidedBuilder) prefer(best *uint32, i uint32) {
	if *best == i {
		return
	}
	const tie = 1e-12
	if *best == ^uint32(0) || b.mean[i] < b.mean[*best]-tie || b.mean[i] <= b.mean[*best]+tie && i < *best {
		*best = i
	}
}

// mix makes the distribution of position i out of those it comes to with each roll.
func (w *onesidedWorker) mix(i uint32, roll [6][6]uint32) {
	b := w.b
	var sums [512]uint64  // of the weighted tails at k
	var known [512]uint64 // weight of the rolls after which k are needed in any case
	var mean float64
	least, most := 255, 0
	for d := range 6 {
		for e := range d + 1 {
			j, weight := roll[d][e], uint64(2)
			if d == e {
				weight = 1
			}
			mean += float64(float64(weight) * b.mean[j])
			if j == 0 {
				least = 0
				continue
			}
			r := b.rows[j]
			from := int(r.certain) + 1
			known[from] += weight
			least, most = min(least, from), max(most, from+int(r.n))
			into := sums[from+1 : from+1+int(r.n)]
			for k, t := range b.tails[r.start : r.start+uint32(r.n)] {
				into[k] += weight * uint64(t)
			}
		}
	}
	b.mean[i] = 1 + mean/36
	w.start(i, least)
	var certain uint64
	for k := most; k > least; k-- {
		certain += known[k]
		sums[k] += certain * one
	}
	for k := least + 1; k <= most; k++ {
		t := uint32((sums[k] + 18) / 36)
		if t == 0 {
			break
		}
		w.tails = append(w.tails, t)
		b.rows[i].n++
	}
}

func (w *onesidedWorker) start(i uint32, certain int) {
	w.b.rows[i] = row{start: uint32(len(w.tails)), certain: uint8(certain)}
}
