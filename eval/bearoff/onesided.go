package bearoff

import (
	"encoding/binary"
	"fmt"

	"kotra/bg"
)

// fraction is the unit of the probabilities of a OneSided: they are multiples of 1/fraction,
// which float32 represents exactly.
const fraction = 1 << 24

// A OneSided is a table of how many rolls a side needs to bear off all its checkers, and to
// bear off its first one, for every position of up to [OneSided.Checkers] checkers on the
// lowest [OneSided.Points] points.
//
// It is immutable and safe for concurrent use.
type OneSided struct {
	indexer
	all   distributions // rolls until all checkers are off
	first distributions // rolls until one checker more is off
}

// distributions holds one distribution of a number of rolls for each position.
type distributions struct {
	rows  []row
	tails []float32
}

// A row says where the distribution of a position is. At least certain+1 rolls are needed; the
// probabilities of needing at least certain+2, certain+3, ... are tails[start : start+n].
type row struct {
	start      uint32
	certain, n uint8
}

// of returns the tails of position i.
func (d *distributions) of(i uint32) []float32 {
	r := d.rows[i]
	return d.tails[r.start : r.start+uint32(r.n)]
}

// Points returns the number of points of the table.
func (o *OneSided) Points() int { return o.points }

// Checkers returns the largest number of checkers in play of one side.
func (o *OneSided) Checkers() int { return o.checkers }

// Positions returns the number of positions of a side, the one without a checker included.
func (o *OneSided) Positions() int { return o.size }

// Covers reports whether the table has pos: both sides have checkers in play, none of them
// beyond the points of the table, so that they cannot be in contact.
func (o *OneSided) Covers(pos *bg.Position) bool {
	_, _, ok := o.indices(pos)
	return ok
}

// Probs returns the chances of the player on roll, who has not rolled yet. It panics if the
// table does not cover pos. It does not allocate.
//
// Each side is taken to play for the smallest expected number of rolls whatever the other does.
// That costs little: over random positions of up to 6 checkers a side the chance to win is off by
// 0.0004 on average and by 0.013 at most, and a [TwoSided] has the exact one. Gammons are counted when the loser has no checker off; he is
// taken to play for bearing off his first checker, as if he did not try to win. There are no
// backgammons, for no checker is that far back.
func (o *OneSided) Probs(pos *bg.Position) bg.Probs {
	p, ok := o.Lookup(pos)
	if !ok {
		panic("bearoff: position is not in the table")
	}
	return p
}

// Lookup is Covers and Probs in one.
func (o *OneSided) Lookup(pos *bg.Position) (p bg.Probs, ok bool) {
	mine, theirs, ok := o.indices(pos)
	if !ok {
		return p, false
	}
	me, opp := o.all.rows[mine], o.all.rows[theirs]
	// The player on roll wins at his k-th roll if the opponent needs k or more, and loses at
	// the opponent's k-th roll if he needs k+1 or more himself.
	p.Win = min(o.all.before(me, &o.all, opp, 0), 1)
	if pos.Opponent[bg.Off] == 0 {
		p.WinGammon = min(o.all.before(me, &o.first, o.first.rows[theirs], 0), p.Win)
	}
	if pos.OnRoll[bg.Off] == 0 {
		p.LoseGammon = min(o.all.before(opp, &o.first, o.first.rows[mine], 1), 1-p.Win)
	}
	return p, true
}

func (o *OneSided) indices(pos *bg.Position) (mine, theirs uint32, ok bool) {
	if o.points == homePoints && (!home(&pos.OnRoll) || !home(&pos.Opponent)) {
		return 0, 0, false
	}
	mine, ok = o.index(&pos.OnRoll)
	if !ok {
		return 0, 0, false
	}
	theirs, ok = o.index(&pos.Opponent)
	return mine, theirs, ok && mine != 0 && theirs != 0
}

// home reports whether no checker of s is outside its home board.
func home(s *bg.Side) bool {
	return binary.LittleEndian.Uint64(s[7:])|binary.LittleEndian.Uint64(s[15:])|
		binary.LittleEndian.Uint64(s[18:]) == 0
}

// before returns the sum over k of the probability that the number of rolls is k in row a of d,
// and at least k+delay in row b of e.
func (d *distributions) before(a row, e *distributions, b row, delay int) float32 {
	// With T(k) the probability that b is at least k, sum T(k+delay) * P(a = k). T is 1 up to
	// known, given by tails for the next b.n numbers, and 0 from there.
	at, known := d.tails[a.start:a.start+uint32(a.n)], int(b.certain)+1-delay
	bt := e.tails[b.start : b.start+uint32(b.n)]
	k, i := int(a.certain)+1, 0
	reach := float32(1) // probability that a is at least k
	var sum float32
	if known >= k { // all k up to known at once
		i = known - k + 1
		if i > len(at) {
			return 1
		}
		reach = at[i-1]
		sum = 1 - reach
		k = known + 1
	}
	for j := k - known - 1; j < len(bt); i, j = i+1, j+1 {
		if i == len(at) {
			return sum + float32(reach*bt[j])
		}
		sum += float32((reach - at[i]) * bt[j])
		reach = at[i]
	}
	return sum
}

// Rolls appends to dst the probability of bearing off all checkers of s in exactly 0, 1, 2, ...
// rolls, up to the last number that can happen. It panics if the table does not have s.
func (o *OneSided) Rolls(dst []float64, s *bg.Side) []float64 {
	return o.all.appendTo(dst, o.mustIndex(s))
}

// FirstOff appends to dst the probability of bearing off the first checker of s, or the next one,
// in exactly 0, 1, 2, ... rolls, playing for that alone. It panics if the table does not have s.
func (o *OneSided) FirstOff(dst []float64, s *bg.Side) []float64 {
	return o.first.appendTo(dst, o.mustIndex(s))
}

// Mean returns the expected number of rolls to bear off all checkers of s. It panics if the
// table does not have s.
func (o *OneSided) Mean(s *bg.Side) float64 {
	i := o.mustIndex(s)
	if i == 0 {
		return 0
	}
	mean := float64(o.all.rows[i].certain) + 1
	for _, t := range o.all.of(i) {
		mean += float64(t)
	}
	return mean
}

func (o *OneSided) mustIndex(s *bg.Side) uint32 {
	i, ok := o.index(s)
	if !ok {
		panic(fmt.Sprintf("bearoff: side is not in the table of %d checkers on %d points", o.checkers, o.points))
	}
	return i
}

func (d *distributions) appendTo(dst []float64, i uint32) []float64 {
	if i == 0 {
		return append(dst, 1)
	}
	for range int(d.rows[i].certain) + 1 {
		dst = append(dst, 0)
	}
	reach := 1.0
	for _, t := range d.of(i) {
		dst = append(dst, reach-float64(t))
		reach = float64(t)
	}
	return append(dst, reach)
}
