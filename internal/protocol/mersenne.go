package protocol

import "kotra/bg"

// A mersenne is the Mersenne Twister MT19937 (Matsumoto and Nishimura, ACM Transactions on
// Modeling and Computer Simulation 8, 1998), from which the dice of a seed are the same as
// those of GNU Backgammon.
type mersenne struct {
	state [624]uint32
	next  int
}

func newMersenne(seed uint32) *mersenne {
	m := &mersenne{next: 624}
	m.state[0] = seed
	for i := uint32(1); i < 624; i++ {
		before := m.state[i-1]
		m.state[i] = 1812433253*(before^before>>30) + i
	}
	return m
}

func (m *mersenne) refill() {
	const upper, lower = 0x80000000, 0x7fffffff
	for i := range m.state {
		y := m.state[i]&upper | m.state[(i+1)%624]&lower
		x := m.state[(i+397)%624] ^ y>>1
		if y&1 != 0 {
			x ^= 0x9908b0df
		}
		m.state[i] = x
	}
	m.next = 0
}

func (m *mersenne) uint32() uint32 {
	if m.next == len(m.state) {
		m.refill()
	}
	y := m.state[m.next]
	m.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// die returns a number from 1 to 6.
func (m *mersenne) die() uint8 {
	const slice = 1 << 32 / 6
	for {
		if d := m.uint32() / slice; d < 6 {
			return uint8(d) + 1
		}
	}
}

func (m *mersenne) roll() bg.Dice { return bg.Dice{m.die(), m.die()} }
