package hyper

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/eval/bearoff"
	"kotra/movegen"
)

func (t trio) side() (s bg.Side) {
	for _, place := range t {
		s[place]++
	}
	return s
}

func TestPositionsOfASideAreNumberedByPips(t *testing.T) {
	for i, trio := range trios {
		side := trio.side()
		n, ok := numberOf(&side)
		require.True(t, ok)
		require.Equal(t, i, n)
		if i > 0 {
			assert.LessOrEqual(t, trios[i-1].pips(), trio.pips())
		}
	}
	four := bg.Side{bg.Off: 1, 3: 3}
	_, ok := numberOf(&four)
	assert.False(t, ok)
}

// fake fills the cell of a pair with values that no other pair has.
func fake(b *builder, mine, theirs int) {
	rng := rand.New(rand.NewPCG(uint64(mine), uint64(theirs)))
	at := sides*mine + theirs
	c, g := &b.cells[at], &b.gammons[at]
	for _, x := range []*float32{&c.equity, &c.opponent, &c.owned, &c.centered, &c.jacoby, &g.winGammon, &g.loseGammon} {
		*x = rng.Float32()*2 - 1
	}
}

func TestValuesOfARollAreThoseOfItsLegalMoves(t *testing.T) {
	b := newBuilder(1)
	rng := rand.New(rand.NewPCG(1, 1))
	checked := 0
	for range 3000 {
		mine, theirs := 1+rng.IntN(sides-1), 1+rng.IntN(sides-1)
		if rng.IntN(2) == 0 { // the interesting ones: bearing off
			mine = 1 + rng.IntN(200)
		}
		if !possible(trios[mine], trios[theirs]) {
			continue
		}
		checked++
		pos := bg.Position{OnRoll: trios[mine].side(), Opponent: trios[theirs].side()}
		for i, r := range rolls {
			var chances gammons
			best := cell{equity: -9, opponent: -9, owned: -9, centered: -9, jacoby: -9}
			for _, play := range movegen.Plays(nil, &pos, r.Dice) {
				to, _ := numberOf(&play.Result.Opponent)
				other, _ := numberOf(&play.Result.OnRoll)
				if to > 0 {
					fake(b, other, to)
				}
				v := b.cells[sides*other+to].flip()
				if v.equity > best.equity {
					best.equity, chances = v.equity, b.gammons[sides*other+to].flip()
				}
				best.opponent, best.owned = max(best.opponent, v.opponent), max(best.owned, v.owned)
				best.centered, best.jacoby = max(best.centered, v.centered), max(best.jacoby, v.jacoby)
			}
			got, gotChances := b.best(mine, theirs, i, &b.obstacles[theirs])
			require.Equal(t, best, got, "%v %v", pos.ID(), r.Dice)
			require.Equal(t, chances, gotChances, "%v %v", pos.ID(), r.Dice)
		}
	}
	assert.Greater(t, checked, 1500)
}

func TestRacesWithoutGammonsAreThoseOfTheBearoffTable(t *testing.T) {
	b := newBuilder(3)
	const pips = 12
	top := 0
	for trios[top].pips() <= pips {
		top++
	}
	b.sweeps = 1
	_, err := b.sweep(context.Background(), pips, func(float64) {})
	require.NoError(t, err)
	exact, err := bearoff.BuildTwoSided(context.Background(), 6, 2, 1, nil)
	require.NoError(t, err)
	// The bearoff table counts 15 checkers.
	home := func(n int) bg.Side {
		s := trios[n].side()
		s[bg.Off] += 15 - Checkers
		return s
	}
	const rounding = 2e-7 // of sums in single precision
	compared := 0
	for mine := 1; mine < top; mine++ {
		for theirs := 1; theirs < top; theirs++ {
			pos := bg.Position{OnRoll: home(mine), Opponent: home(theirs)}
			want, ok := exact.Lookup(&pos)
			if !ok || trios[mine][2] != bg.Off || trios[theirs][2] != bg.Off {
				continue
			}
			compared++
			got, _ := b.rolled(mine, theirs)
			assert.InDelta(t, float64(want.Cubeless), float64(got.equity), 5*rounding)
			assert.InDelta(t, float64(want.Owned), float64(got.owned), 5*rounding)
			assert.InDelta(t, float64(want.Centered), float64(got.centered), 5*rounding)
			assert.InDelta(t, float64(want.Centered), float64(got.jacoby), 5*rounding)
			assert.InDelta(t, float64(want.Opponent), float64(got.opponent), 5*rounding)
		}
	}
	assert.Equal(t, 27*27, compared)
}

func TestGammonsCountIfTheLoserHasNothingOff(t *testing.T) {
	c, g := lost(trio{3, 2, 0})
	assert.Equal(t, float32(-1), c.equity)
	assert.Equal(t, gammons{}, g)
	c, g = lost(trio{18, 2, 1})
	assert.Equal(t, cell{equity: -2, opponent: -2, owned: -2, centered: -2, jacoby: -1}, c)
	assert.Equal(t, gammons{loseGammon: 1}, g)
	for _, far := range []uint8{19, bg.Bar} {
		c, g = lost(trio{far, 2, 1})
		assert.Equal(t, float32(-3), c.equity)
		assert.Equal(t, gammons{loseGammon: 1, loseBackgammon: 1}, g)
	}
}

// TestTwoCheckersAreSolved solves the part of the game in which both sides have borne off a checker,
// which is closed and has no gammons, and checks that all values follow from those after the best move.
func TestTwoCheckersAreSolved(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	b := newBuilder(2)
	b.checkers = 2
	var changes []float64
	require.NoError(t, b.solve(context.Background(), func(_ int, done, change float64) {
		if done == 1 {
			changes = append(changes, change)
		}
	}))
	t.Logf("changes by sweep: %.6f", changes)
	assert.Less(t, b.sweeps, most)

	rng := rand.New(rand.NewPCG(2, 1))
	contacts := 0
	for range 400 {
		mine, theirs := 1+rng.IntN(sides-1), 1+rng.IntN(sides-1)
		for trios[mine][2] > 0 {
			mine = 1 + rng.IntN(sides-1)
		}
		for trios[theirs][2] > 0 {
			theirs = 1 + rng.IntN(sides-1)
		}
		if !possible(trios[mine], trios[theirs]) {
			continue
		}
		if contact(mine, theirs) {
			contacts++
		}
		pos := bg.Position{OnRoll: trios[mine].side(), Opponent: trios[theirs].side()}
		var equity, owned, centered, opponent float64
		for _, r := range rolls {
			best := cell{equity: -9, opponent: -9, owned: -9, centered: -9}
			for _, play := range movegen.Plays(nil, &pos, r.Dice) {
				to, _ := numberOf(&play.Result.Opponent)
				other, _ := numberOf(&play.Result.OnRoll)
				v := b.cells[sides*other+to].flip()
				best.equity, best.opponent = max(best.equity, v.equity), max(best.opponent, v.opponent)
				best.owned, best.centered = max(best.owned, v.owned), max(best.centered, v.centered)
			}
			w := float64(r.Weight) / 36
			equity += w * float64(best.equity)
			owned += w * float64(best.owned)
			centered += w * float64(best.centered)
			opponent += w * float64(best.opponent)
		}
		double := min(2*opponent, 1)
		c := b.cells[sides*mine+theirs]
		const tolerance = 2 * settled
		assert.InDelta(t, equity, float64(c.equity), tolerance)
		assert.InDelta(t, opponent, float64(c.opponent), tolerance)
		assert.InDelta(t, max(owned, double), float64(c.owned), tolerance)
		assert.InDelta(t, max(centered, double), float64(c.centered), tolerance)
		assert.Equal(t, c.centered, c.jacoby, "no gammons")
		assert.Zero(t, b.gammons[sides*mine+theirs])
	}
	assert.Greater(t, contacts, 100)
}

func TestSweepsDoNotDependOnThreads(t *testing.T) {
	const top, pips = 300, 20
	var cells [][]cell
	for _, threads := range []int{1, 3} {
		b := newBuilder(threads)
		for b.sweeps = 1; b.sweeps <= 2; b.sweeps++ {
			_, err := b.sweep(context.Background(), pips, func(float64) {})
			require.NoError(t, err)
		}
		var some []cell
		for mine := range top {
			some = append(some, b.cells[sides*mine:sides*mine+top]...)
		}
		cells = append(cells, some)
	}
	assert.Equal(t, cells[0], cells[1])
}

func TestTableFileIsReadAsWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 193 MB")
	}
	start := bg.Hypergammon.Start()
	n, _ := numberOf(&start.OnRoll)
	c := cell{equity: .1, opponent: -.3, owned: .4, centered: .25, jacoby: .2}
	g := gammons{winGammon: .2, winBackgammon: .05, loseGammon: .15, loseBackgammon: .01}
	data := make([]byte, FileSize)
	encode(data[headerSize+cellSize*(sides*n+n):], &c, &g)
	header(data)
	name := filepath.Join(t.TempDir(), FileName)
	var file bytes.Buffer
	_, err := (&Table{data: data}).WriteTo(&file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, file.Bytes(), 0o600))
	table, err := Open(name)
	require.NoError(t, err)
	require.NoError(t, table.Verify())
	v, ok := table.Lookup(&start)
	require.True(t, ok)
	const precision = 5e-5
	assert.InDelta(t, .1, float64(v.Probs.Equity()), 3*precision)
	assert.InDelta(t, .2, v.Probs.WinGammon, precision)
	assert.InDelta(t, .01, v.Probs.LoseBackgammon, precision)
	assert.InDelta(t, -.3, float64(v.Opponent), precision)
	assert.InDelta(t, .4, float64(v.Best(bg.OnRoll, false)), precision)
	assert.InDelta(t, .2, float64(v.NoDouble(bg.Centered, true)), precision)
	assert.InDelta(t, -.6, float64(v.DoubleTake()), 2*precision)
	standard := bg.Start()
	_, ok = table.Lookup(&standard)
	assert.False(t, ok)
	require.NoError(t, table.Close())

	require.NoError(t, os.WriteFile(name, file.Bytes()[:FileSize-1], 0o600))
	_, err = Open(name)
	require.ErrorIs(t, err, ErrFormat)
	file.Bytes()[FileSize/2] ^= 1
	require.ErrorIs(t, (&Table{data: file.Bytes()}).Verify(), ErrChecksum)
}
