package bearoff

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"runtime"
	"sync"
	"time"

	"kotra/bg"
)

// BuildTwoSided builds the table of the given size in memory, with the given number of threads,
// 0 for one for each core. progress, if not nil, is called now and then from one goroutine with
// the part that is done, from 0 to 1. The table does not depend on the number of threads. See
// [EstimateTwoSided] for what it takes.
func BuildTwoSided(ctx context.Context, points, checkers, threads int, progress func(done float64)) (*TwoSided, error) {
	b, err := newTwoSidedBuilder(points, checkers, threads)
	if err != nil {
		return nil, err
	}
	t := &TwoSided{indexer: b.indexer, cells: make([]byte, 0, cellSize*b.size*b.size)}
	err = b.run(ctx, progress, func(shell []byte) error {
		t.cells = append(t.cells, shell...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.sum = crc32.Checksum(t.cells, castagnoli)
	return t, nil
}

// maxPositions is the number of positions of one side that fit the lists of successors.
const maxPositions = 1 << 16

func checkTwoSidedSize(points, checkers int) error {
	if err := checkSize(points, checkers); err != nil {
		return err
	}
	if checkers > 14 {
		return fmt.Errorf("bearoff: two-sided table of %d checkers, want 1 to 14: with 15 a gammon is possible", checkers)
	}
	if n := choose(points+checkers, points); n > maxPositions {
		return fmt.Errorf("bearoff: two-sided table of %d positions a side, at most %d are possible", n, maxPositions)
	}
	return nil
}

// A cell has the equities of a pair of positions for the player on roll, as in [Equities].
type cell struct{ cubeless, owned, centered, opponent int32 }

// A turn is a cell as the player before sees it, who has to choose between several: the values
// for the player on roll, who may double, by the owner of the cube.
type turn struct{ cubeless, opponent, centered, owned int32 }

func (c *cell) turn() turn {
	double := int32(min(2*int64(c.opponent), point))
	return turn{c.cubeless, c.opponent, max(c.centered, double), max(c.owned, double)}
}

// lowest makes each value of t the lower one of t and u.
func (t *turn) lowest(u *turn) {
	t.cubeless = min(t.cubeless, u.cubeless)
	t.opponent = min(t.opponent, u.opponent)
	t.centered = min(t.centered, u.centered)
	t.owned = min(t.owned, u.owned)
}

var worst = turn{point, point, point, point}

// A total adds up turns weighted by the number of outcomes of their rolls.
type total struct{ cubeless, opponent, centered, owned int64 }

func (s *total) add(t *turn, weight int64) {
	s.cubeless += weight * int64(t.cubeless)
	s.opponent += weight * int64(t.opponent)
	s.centered += weight * int64(t.centered)
	s.owned += weight * int64(t.owned)
}

// cell returns the values of a position for the player whose 36 rolls led to the sum s of turns
// of the other player.
func (s *total) cell() cell {
	return cell{
		cubeless: mean(-s.cubeless),
		owned:    mean(-s.opponent),
		centered: mean(-s.centered),
		opponent: mean(-s.owned),
	}
}

func mean(sum int64) int32 {
	if sum < 0 {
		return int32((sum - 18) / 36)
	}
	return int32((sum + 18) / 36)
}

// A twosidedBuilder goes through the shells of [cellAt]. A step lowers the number of a position,
// so the pairs of shell m with m on roll depend on earlier shells only, and those with m waiting
// on them and earlier ones. Each of the two halves is shared out to threads.
type twosidedBuilder struct {
	indexer
	*successors
	threads int
	weights [21]int64
	// cells[theirs*size+mine] has mine on roll: what is read together stands together.
	cells []cell
	done  int    // shells
	turns []turn // of the present shell m: turns[j] has m on roll and j waiting
}

func newTwoSidedBuilder(points, checkers, threads int) (*twosidedBuilder, error) {
	if err := checkTwoSidedSize(points, checkers); err != nil {
		return nil, err
	}
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	b := &twosidedBuilder{indexer: newIndexer(points, checkers), threads: threads}
	b.successors = newSuccessors(&b.indexer)
	for r, roll := range bg.Rolls() {
		b.weights[r] = int64(roll.Weight)
	}
	b.cells = make([]cell, b.size*b.size)
	b.turns = make([]turn, b.size)
	return b, nil
}

// run builds the shells that are not done and hands each to sink.
func (b *twosidedBuilder) run(ctx context.Context, progress func(float64), sink func(shell []byte) error) error {
	workers := make([]twosidedWorker, b.threads)
	for w := range workers {
		workers[w].twosidedBuilder = b
	}
	var shell []byte
	reported := time.Now()
	for ; b.done < b.size; b.done++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		m := b.done
		b.share(workers, m, (*twosidedWorker).onRoll)
		b.share(workers, m+1, (*twosidedWorker).waiting)
		shell = b.encode(shell[:0], m)
		if err := sink(shell); err != nil {
			return err
		}
		if progress != nil && time.Since(reported) > 50*time.Millisecond {
			reported = time.Now()
			progress(float64(m) * float64(m) / (float64(b.size) * float64(b.size)))
		}
	}
	if progress != nil {
		progress(1)
	}
	return nil
}

// share calls do for the numbers below n, a range for each thread.
func (b *twosidedBuilder) share(workers []twosidedWorker, n int, do func(w *twosidedWorker, from, to int)) {
	const fewest = 64 // pairs worth a goroutine
	parts := max(1, min(len(workers), n/fewest))
	if parts == 1 {
		do(&workers[0], 0, n)
		return
	}
	var wg sync.WaitGroup
	for w := range parts {
		wg.Go(func() { do(&workers[w], n*w/parts, n*(w+1)/parts) })
	}
	wg.Wait()
}

// encode appends shell m in the form of a file.
func (b *twosidedBuilder) encode(dst []byte, m int) []byte {
	for j := range m {
		dst = b.cells[j*b.size+m].append(dst)
	}
	for i := range m + 1 {
		dst = b.cells[m*b.size+i].append(dst)
	}
	return dst
}

func (c *cell) append(dst []byte) []byte {
	for _, v := range [4]int32{c.cubeless, c.owned, c.centered, c.opponent} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return dst
}

// resume takes the shells at the beginning of cells, in the form of a file, as done.
func (b *twosidedBuilder) resume(cells []byte) {
	for ; cellSize*(b.done+1)*(b.done+1) <= len(cells); b.done++ {
		m := b.done
		rest := cells[cellSize*m*m:]
		for j := range m {
			rest = b.cells[j*b.size+m].decode(rest)
		}
		for i := range m + 1 {
			rest = b.cells[m*b.size+i].decode(rest)
		}
	}
}

func (c *cell) decode(src []byte) (rest []byte) {
	for i, v := range [4]*int32{&c.cubeless, &c.owned, &c.centered, &c.opponent} {
		*v = int32(binary.LittleEndian.Uint32(src[4*i:]))
	}
	return src[cellSize:]
}

// A twosidedWorker computes a part of a shell.
type twosidedWorker struct {
	*twosidedBuilder
	distinct []uint16         // successors of m, each once
	slot     map[uint16]int32 // where in distinct
	slots    [21][]int32      // the same for each roll
	after    []turn           // of the other player, block of them for each of distinct
}

// block is how many pairs are taken together, so that their turns stay in the cache.
const block = 32

// onRoll computes the pairs with m on roll and j waiting, for from <= j < to.
func (w *twosidedWorker) onRoll(from, to int) {
	m := w.done
	w.list(m)
	for ; from < to; from += block {
		w.onRollBlock(m, from, min(to, from+block))
	}
}

// list prepares the successors of m.
func (w *twosidedWorker) list(m int) {
	w.distinct = w.distinct[:0]
	if w.slot == nil {
		w.slot = make(map[uint16]int32)
	}
	clear(w.slot)
	for r := range w.slots {
		w.slots[r] = w.slots[r][:0]
		for _, i := range w.of(m, r) {
			k, ok := w.slot[i]
			if !ok {
				k = int32(len(w.distinct))
				w.slot[i] = k
				w.distinct = append(w.distinct, i)
			}
			w.slots[r] = append(w.slots[r], k)
		}
	}
	if need := block * len(w.distinct); need > len(w.after) {
		w.after = make([]turn, need)
	}
}

func (w *twosidedWorker) onRollBlock(m, from, to int) {
	n := to - from
	for k, i := range w.distinct {
		row := w.cells[int(i)*w.size+from:][:n]
		after := w.after[block*k:][:n]
		for j := range row {
			after[j] = row[j].turn()
		}
	}
	var sums [block]total
	var low [block]turn
	for r, slots := range w.slots {
		for j := range low {
			low[j] = worst
		}
		for _, k := range slots {
			after := (*[block]turn)(w.after[block*k:])
			for j := range low {
				low[j].lowest(&after[j])
			}
		}
		for j := range low {
			sums[j].add(&low[j], w.weights[r])
		}
	}
	for j := from; j < to; j++ {
		c := decided(false)
		if j > 0 {
			c = sums[j-from].cell()
		}
		w.cells[j*w.size+m] = c
		w.turns[j] = c.turn()
	}
}

// decided returns the equities of a player on roll who has won or lost.
func decided(won bool) cell {
	if won {
		return cell{point, point, point, point}
	}
	return cell{-point, -point, -point, -point}
}

// waiting computes the pairs with i on roll and m waiting, for from <= i < to.
func (w *twosidedWorker) waiting(from, to int) {
	row := w.cells[w.done*w.size:][:w.size]
	for i := from; i < to; i++ {
		if i == 0 || w.done == 0 {
			row[i] = decided(i == 0)
			continue
		}
		var sum total
		for r, weight := range w.weights {
			low := worst
			for _, j := range w.of(i, r) {
				low.lowest(&w.turns[j])
			}
			sum.add(&low, weight)
		}
		row[i] = sum.cell()
	}
}
