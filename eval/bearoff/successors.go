package bearoff

import "kotra/bg"

// Successors are the positions that each of the 21 rolls can lead to, for all positions of an
// indexer. Without contact they do not depend on the other side.
type successors struct {
	start []uint32 // list of position i and roll r: to[start[21*i+r]:start[21*i+r+1]]
	to    []uint16
}

// of returns the positions that roll r can lead to from i, each once, in no special order.
func (s *successors) of(i, r int) []uint16 {
	k := 21*i + r
	return s.to[s.start[k]:s.start[k+1]]
}

// newSuccessors lists the successors of all positions of x, of which there are fewer than 65536.
func newSuccessors(x *indexer) *successors {
	f := newFinder(x)
	s := &successors{start: make([]uint32, 1, 21*x.size+1)}
	for i := range x.size {
		for _, roll := range bg.Rolls() {
			s.to = f.plays(s.to, uint16(i), roll.Dice)
			s.start = append(s.start, uint32(len(s.to)))
		}
	}
	return s
}

// A finder finds the plays of a roll from the steps of a die.
type finder struct {
	start [6][]uint32 // steps of die d+1 from i: to[d][start[d][i]:start[d][i+1]]
	to    [6][]uint16
	seen  []uint32 // by position: the last search that met it
	now   uint32
	level [2][]uint16
}

func newFinder(x *indexer) *finder {
	f := &finder{seen: make([]uint32, x.size)}
	m := mover{x: x}
	var steps [maxPoints]uint32
	for d := range 6 {
		f.start[d] = append(f.start[d], 0)
		for i := range uint32(x.size) {
			m.set(i)
			n, _ := m.steps(&steps, d+1)
			for _, j := range steps[:n] {
				f.to[d] = append(f.to[d], uint16(j))
			}
			f.start[d] = append(f.start[d], uint32(len(f.to[d])))
		}
	}
	return f
}

func (f *finder) plays(dst []uint16, i uint16, dice bg.Dice) []uint16 {
	a, b := int(dice[0])-1, int(dice[1])-1
	if a != b {
		f.level[0] = f.step(f.level[0][:0], []uint16{i}, a)
		f.level[1] = f.step(f.level[1][:0], []uint16{i}, b)
		f.now++
		dst = f.more(dst, f.level[0], b)
		return f.more(dst, f.level[1], a)
	}
	f.level[0] = append(f.level[0][:0], i)
	for range 3 {
		f.level[1] = f.step(f.level[1][:0], f.level[0], a)
		f.level[0], f.level[1] = f.level[1], f.level[0]
	}
	return f.step(dst, f.level[0], a)
}

// step appends the positions one step of die d+1 away from any of those given, each once.
func (f *finder) step(dst, from []uint16, d int) []uint16 {
	f.now++
	return f.more(dst, from, d)
}

func (f *finder) more(dst, from []uint16, d int) []uint16 {
	for _, i := range from {
		if i == 0 { // all off: the other dice do not matter
			dst = f.add(dst, 0)
		}
		for _, j := range f.to[d][f.start[d][i]:f.start[d][i+1]] {
			dst = f.add(dst, j)
		}
	}
	return dst
}

func (f *finder) add(dst []uint16, i uint16) []uint16 {
	if f.seen[i] == f.now {
		return dst
	}
	f.seen[i] = f.now
	return append(dst, i)
}
