package hyper

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"kotra/bg"
)

// A cell is what is known of a pair of positions, seen by the player on roll, while a table is built:
// the cubeless equity, and equities for a cube of 1 before he may double, by who owns the cube: the
// opponent, he himself, nobody, and nobody with the Jacoby rule.
type cell struct{ equity, opponent, owned, centered, jacoby float32 }

// A gammons holds the chances of more than a single game with cubeless play.
type gammons struct{ winGammon, winBackgammon, loseGammon, loseBackgammon float32 }

// settled is the change of a value below which a sweep is the last: what then remains is less than the
// precision of a file.
const settled = 1e-5

// most is a number of sweeps that is never reached.
const most = 500

// A builder builds a table.
type builder struct {
	threads   int
	checkers  int       // in play, of a side; pairs with more are left alone
	cells     []cell    // by sides*mine + theirs
	gammons   []gammons // likewise, apart because they are only needed for the best play
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
	if err := b.solve(ctx, progress); err != nil {
		return nil, err
	}
	return b.table(), nil
}

// solve sweeps until nothing changes.
func (b *builder) solve(ctx context.Context, progress func(sweep int, done, change float64)) (err error) {
	change := math.Inf(1)
	for b.sweeps = 1; change > settled && b.sweeps < most; b.sweeps++ {
		change, err = b.sweep(ctx, Checkers*bg.Bar, func(done float64) {
			if progress != nil {
				progress(b.sweeps, done, change)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func newBuilder(threads int) *builder {
	b := &builder{threads: threads, checkers: Checkers, cells: make([]cell, sides*sides), gammons: make([]gammons, sides*sides)}
	for i, t := range trios {
		b.paths[i] = pathsOf(t)
		b.obstacles[i] = obstacleOf(t)
		// The opponent of a player who has just borne off everything is on roll, and has lost.
		b.cells[sides*i], b.gammons[sides*i] = lost(t)
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
	var cells []cell
	var chances []gammons
	for from := 1; from < sides && trios[from].pips() <= pips; {
		to := from // the shell is [from, to)
		for to < sides && trios[to].pips() == trios[from].pips() {
			to++
		}
		// With the shell on roll pairs depend on lower shells, or, after a hit, on what the sweep before
		// knew: so none of them may be overwritten meanwhile. One row of cells serves all of the shell.
		cells = append(cells[:0], make([]cell, (to-from)*from)...)
		chances = append(chances[:0], make([]gammons, (to-from)*from)...)
		b.each(1, from, func(theirs int) {
			if !b.member(theirs) {
				return
			}
			for mine := from; mine < to; mine++ {
				at := (mine-from)*from + theirs
				raise(b.visit(mine, theirs, &cells[at], &chances[at]))
			}
		})
		for mine := from; mine < to; mine++ {
			row := sides * mine
			copy(b.cells[row+1:row+from], cells[(mine-from)*from+1:])
			copy(b.gammons[row+1:row+from], chances[(mine-from)*from+1:])
		}
		// Those within the shell, and with the shell waiting, depend on these.
		b.each(from, to, func(shell int) {
			if !b.member(shell) {
				return
			}
			for other := from; other < to; other++ {
				raise(b.renew(other, shell))
			}
			for mine := 1; mine < from; mine++ {
				raise(b.renew(mine, shell))
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

// renew visits a pair and keeps what it finds.
func (b *builder) renew(mine, theirs int) float32 {
	at := sides*mine + theirs
	return b.visit(mine, theirs, &b.cells[at], &b.gammons[at])
}

// visit sets dst and chances to the new values of a pair and returns how much they differ from the old
// ones. Pairs that cannot be, or are known, stay as they are.
func (b *builder) visit(mine, theirs int, dst *cell, chances *gammons) float32 {
	at := sides*mine + theirs
	c, g := b.cells[at], b.gammons[at]
	if !b.solvable(mine, theirs) || b.sweeps > 1 && !contact(mine, theirs) {
		*dst, *chances = c, g
		return 0
	}
	next, newG := b.rolled(mine, theirs)
	double := min(2*next.opponent, 1)
	next.owned = max(next.owned, double)
	next.centered = max(next.centered, double)
	next.jacoby = max(next.jacoby, double)
	*dst, *chances = next, newG
	return max(
		abs(next.equity-c.equity), abs(next.opponent-c.opponent), abs(next.owned-c.owned),
		abs(next.centered-c.centered), abs(next.jacoby-c.jacoby),
		abs(newG.winGammon-g.winGammon), abs(newG.loseGammon-g.loseGammon),
	)
}

// solvable reports whether a pair can be and is one of those to be solved.
func (b *builder) solvable(mine, theirs int) bool {
	return b.member(mine) && b.member(theirs) && possible(trios[mine], trios[theirs])
}

// member reports whether a side has no more checkers in play than are to be solved.
func (b *builder) member(side int) bool {
	return b.checkers == Checkers || trios[side][b.checkers] == bg.Off
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
func (b *builder) rolled(mine, theirs int) (sum cell, chances gammons) {
	o := &b.obstacles[theirs]
	for i := range rolls {
		c, g := b.best(mine, theirs, i, o)
		w := float32(rolls[i].Weight) * (1. / 36)
		sum.equity += w * c.equity
		sum.opponent += w * c.opponent
		sum.owned += w * c.owned
		sum.centered += w * c.centered
		sum.jacoby += w * c.jacoby
		chances.winGammon += w * g.winGammon
		chances.winBackgammon += w * g.winBackgammon
		chances.loseGammon += w * g.loseGammon
		chances.loseBackgammon += w * g.loseBackgammon
	}
	return sum, chances
}

// best returns the values of the best plays of a roll, each for its own way of counting. This is where
// all the time goes.
func (b *builder) best(mine, theirs, roll int, o *obstacle) (cell, gammons) {
	for _, choice := range b.paths[mine][roll] {
		cubeless := -1 // where the best cubeless play leads to
		var least cell // for the opponent, who is on roll after the play
		for _, p := range choice {
			if p.land&o.blocked != 0 {
				continue
			}
			other := theirs
			if p.land&o.blots != 0 {
				other = o.afterHit(p.land)
			}
			at := sides*other + int(p.to)
			c := &b.cells[at]
			if cubeless < 0 {
				cubeless, least = at, *c
				continue
			}
			if c.equity < least.equity {
				cubeless, least.equity = at, c.equity
			}
			if c.owned < least.owned {
				least.owned = c.owned
			}
			if c.opponent < least.opponent {
				least.opponent = c.opponent
			}
			if c.centered < least.centered {
				least.centered = c.centered
			}
			if c.jacoby < least.jacoby {
				least.jacoby = c.jacoby
			}
		}
		if cubeless >= 0 {
			return least.flip(), b.gammons[cubeless].flip()
		}
	}
	at := sides*theirs + mine
	return b.cells[at].flip(), b.gammons[at].flip()
}

// flip returns c seen by the other player.
func (c cell) flip() cell {
	return cell{equity: -c.equity, opponent: -c.owned, owned: -c.opponent, centered: -c.centered, jacoby: -c.jacoby}
}

// flip returns g seen by the other player.
func (g gammons) flip() gammons {
	return gammons{g.loseGammon, g.loseBackgammon, g.winGammon, g.winBackgammon}
}

// lost returns the values of a lost game to the loser, who stands at t and is on roll.
func lost(t trio) (c cell, g gammons) {
	points := float32(1)
	if t[Checkers-1] != bg.Off {
		points = 2
		g.loseGammon = 1
		if t[0] > 18 {
			points = 3
			g.loseBackgammon = 1
		}
	}
	return cell{equity: -points, opponent: -points, owned: -points, centered: -points, jacoby: -1}, g
}

// table returns what has been found, with the values of the player on roll if he does not double.
func (b *builder) table() *Table {
	data := make([]byte, FileSize)
	b.each(1, sides, func(theirs int) { // one row of cells after the other
		for mine := 1; mine < sides; mine++ {
			if possible(trios[mine], trios[theirs]) {
				c, g := b.rolled(mine, theirs)
				encode(data[headerSize+cellSize*(sides*mine+theirs):], &c, &g)
			}
		}
	})
	header(data)
	return &Table{data: data}
}
