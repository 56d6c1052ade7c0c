package hyper

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"kotra/bg"
)

// A cell is what is known of a pair of positions, seen by the player on roll, while a table is built.
type cell struct {
	// The cubeless equity, and the chances of greater wins and losses.
	equity, winGammon, winBackgammon, loseGammon, loseBackgammon float32
	// Equities for a cube of 1 before he may double: the opponent owns the cube, he owns it, it is
	// centered, and centered with the Jacoby rule.
	opponent, owned, centered, jacoby float32
}

// settled is the change of a value below which a sweep is the last: what then remains is less than the
// precision of a file.
const settled = 1e-5

// most is a number of sweeps that is never reached.
const most = 500

// A builder builds a table.
type builder struct {
	threads   int
	cells     []cell // by sides*mine + theirs
	paths     [sides][len(rolls)]rollPaths
	obstacles [sides]obstacle
	sweeps    int
}

// Build solves the game, on so many goroutines (0 is one for each processor). The table does not
// depend on their number. progress, if not nil, is told after every shell the part that is done of
// the sweep, the number of the sweep, and the largest change of the one before. The error is that of ctx.
func Build(ctx context.Context, threads int, progress func(sweep int, done, change float64)) (*Table, error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	b := newBuilder(threads)
	change := math.Inf(1)
	for b.sweeps = 1; change > settled && b.sweeps < most; b.sweeps++ {
		var err error
		change, err = b.sweep(ctx, Checkers*bg.Bar, func(done float64) {
			if progress != nil {
				progress(b.sweeps, done, change)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return b.table(), nil
}

func newBuilder(threads int) *builder {
	b := &builder{threads: threads, cells: make([]cell, sides*sides)}
	for i, t := range trios {
		b.paths[i] = pathsOf(t)
		b.obstacles[i] = obstacleOf(t)
		// The opponent of a player who has just borne off everything is on roll, and has lost.
		over := won(t)
		*b.at(i, 0) = over.flip()
	}
	return b
}

// sweep visits all pairs of positions with up to so many pips and returns the largest change.
func (b *builder) sweep(ctx context.Context, pips int, progress func(done float64)) (change float64, err error) {
	var largest atomic.Uint64 // bits of a float64 that is not negative
	raise := func(x float32) {
		for {
			old := largest.Load()
			if float64(x) <= math.Float64frombits(old) || largest.CompareAndSwap(old, math.Float64bits(float64(x))) {
				return
			}
		}
	}
	var buffer []cell
	for from := 1; from < sides && trios[from].pips() <= pips; {
		to := from // the shell is [from, to)
		for to < sides && trios[to].pips() == trios[from].pips() {
			to++
		}
		// With the shell on roll pairs depend on lower shells, or, after a hit, on what the sweep before
		// knew: so none of them may be overwritten meanwhile. One row of cells serves all of the shell.
		buffer = append(buffer[:0], make([]cell, (to-from)*from)...)
		b.each(1, from, func(theirs int) {
			for mine := from; mine < to; mine++ {
				raise(b.visit(mine, theirs, &buffer[(mine-from)*from+theirs]))
			}
		})
		for mine := from; mine < to; mine++ {
			copy(b.cells[sides*mine+1:sides*mine+from], buffer[(mine-from)*from+1:])
		}
		// Those within the shell, and with the shell waiting, depend on these.
		b.each(from, to, func(shell int) {
			for other := from; other < to; other++ {
				raise(b.visit(other, shell, b.at(other, shell)))
			}
			for mine := 1; mine < from; mine++ {
				raise(b.visit(mine, shell, b.at(mine, shell)))
			}
		})
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		progress(float64(to*to) / (sides * sides))
		from = to
	}
	return math.Float64frombits(largest.Load()), nil
}

// each calls do for the numbers in [from, to), on as many goroutines as b has.
func (b *builder) each(from, to int, do func(i int)) {
	next := atomic.Int64{}
	next.Store(int64(from))
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= to {
				return
			}
			do(i)
		}
	}
	var wg sync.WaitGroup
	for range min(b.threads, to-from) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}

// at returns the cell of a pair.
func (b *builder) at(mine, theirs int) *cell { return &b.cells[sides*mine+theirs] }

// visit sets dst to the new cell of a pair and returns how much it differs from the old one. Pairs
// that cannot be, or are known, stay as they are.
func (b *builder) visit(mine, theirs int, dst *cell) float32 {
	c := b.at(mine, theirs)
	if !possible(trios[mine], trios[theirs]) || b.sweeps > 1 && !contact(mine, theirs) {
		*dst = *c
		return 0
	}
	next := b.rolled(mine, theirs)
	raw := next
	next.owned = max(raw.owned, min(2*raw.opponent, 1))
	next.centered = max(raw.centered, min(2*raw.opponent, 1))
	next.jacoby = max(raw.jacoby, min(2*raw.opponent, 1))
	change := max(
		abs(next.equity-c.equity), abs(next.opponent-c.opponent), abs(next.owned-c.owned),
		abs(next.centered-c.centered), abs(next.jacoby-c.jacoby),
		abs(next.winGammon-c.winGammon), abs(next.loseGammon-c.loseGammon),
	)
	*dst = next
	return change
}

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }

// possible reports whether the two sides have no point in common.
func possible(mine, theirs trio) bool {
	for _, a := range mine {
		for _, b := range theirs {
			if a != bg.Off && a != bg.Bar && a+b == 25 {
				return false
			}
		}
	}
	return true
}

func contact(mine, theirs int) bool { return trios[mine][0]+trios[theirs][0] > 24 }

// rolled returns the values of a pair if the player on roll does not double.
func (b *builder) rolled(mine, theirs int) cell {
	var sum cell
	o := &b.obstacles[theirs]
	for i := range rolls {
		roll := b.best(mine, theirs, i, o)
		w := float32(rolls[i].Weight)
		sum.equity += w * roll.equity
		sum.winGammon += w * roll.winGammon
		sum.winBackgammon += w * roll.winBackgammon
		sum.loseGammon += w * roll.loseGammon
		sum.loseBackgammon += w * roll.loseBackgammon
		sum.opponent += w * roll.opponent
		sum.owned += w * roll.owned
		sum.centered += w * roll.centered
		sum.jacoby += w * roll.jacoby
	}
	const f = 1. / 36
	return cell{
		equity:    f * sum.equity,
		winGammon: f * sum.winGammon, winBackgammon: f * sum.winBackgammon,
		loseGammon: f * sum.loseGammon, loseBackgammon: f * sum.loseBackgammon,
		opponent: f * sum.opponent, owned: f * sum.owned, centered: f * sum.centered, jacoby: f * sum.jacoby,
	}
}

// best returns the values of the best plays of a roll, each for its own way of counting. This is where
// all the time goes.
func (b *builder) best(mine, theirs, roll int, o *obstacle) cell {
	for _, choice := range b.paths[mine][roll] {
		var cubeless *cell // the least for the opponent, who is on roll after the play
		var owned, opponent, centered, jacoby float32
		for _, p := range choice {
			if p.land&o.blocked != 0 {
				continue
			}
			other := theirs
			if p.land&o.blots != 0 {
				other = o.afterHit(p.land)
			}
			c := b.at(other, int(p.to))
			if cubeless == nil {
				cubeless, owned, opponent, centered, jacoby = c, c.owned, c.opponent, c.centered, c.jacoby
				continue
			}
			if c.equity < cubeless.equity {
				cubeless = c
			}
			if c.owned < owned {
				owned = c.owned
			}
			if c.opponent < opponent {
				opponent = c.opponent
			}
			if c.centered < centered {
				centered = c.centered
			}
			if c.jacoby < jacoby {
				jacoby = c.jacoby
			}
		}
		if cubeless != nil {
			v := cubeless.flip()
			v.opponent, v.owned, v.centered, v.jacoby = -owned, -opponent, -centered, -jacoby
			return v
		}
	}
	return b.at(theirs, mine).flip()
}

// flip returns c seen by the other player.
func (c *cell) flip() cell {
	return cell{
		equity:    -c.equity,
		winGammon: c.loseGammon, winBackgammon: c.loseBackgammon,
		loseGammon: c.winGammon, loseBackgammon: c.winBackgammon,
		opponent: -c.owned, owned: -c.opponent, centered: -c.centered, jacoby: -c.jacoby,
	}
}

// won returns the values of a won game whose loser stands at t.
func won(t trio) cell {
	v := cell{equity: 1, opponent: 1, owned: 1, centered: 1, jacoby: 1}
	if t[Checkers-1] == bg.Off {
		return v
	}
	points := float32(2)
	v.winGammon = 1
	if t[0] > 18 {
		v.winBackgammon = 1
		points = 3
	}
	v.equity, v.opponent, v.owned, v.centered = points, points, points, points
	return v
}

// table returns what has been found, with the values of the player on roll if he does not double.
func (b *builder) table() *Table {
	data := make([]byte, FileSize)
	b.each(1, sides, func(theirs int) { // one row of cells after the other
		for mine := 1; mine < sides; mine++ {
			if possible(trios[mine], trios[theirs]) {
				c := b.rolled(mine, theirs)
				c.encode(data[headerSize+cellSize*(sides*mine+theirs):])
			}
		}
	})
	header(data)
	return &Table{data: data}
}
