package search

import (
	"math"
	"math/bits"
	"sync/atomic"

	"kotra/bg"
)

// A cache keeps values of positions, in lines of eight words that fit the processor's cache
// lines. Any number of goroutines may use it at once, without a lock: the word that identifies
// an entry is the key xor all the other words, so an entry torn by two writers identifies
// nothing (R. Hyatt and T. Mann, "A lock-less transposition table implementation for parallel
// search", 2002). Everything kept is a function of its key alone, so it never matters who wrote
// first.
//
// Two kinds of entries live in caches of their own: probabilities at 0 ply take half a line, and
// values of nodes a whole one.
type cache struct {
	lines []line
	mask  uint64
	salt  atomic.Uint64 // goes into every key; a new one makes all entries unknown
}

type line [8]uint64

// newCache returns a cache of at most size bytes, a power of two, or nil for less than a line.
func newCache(size int) *cache {
	const lineSize = 64
	if size < lineSize {
		return nil
	}
	n := 1 << (bits.Len(uint(size/lineSize)) - 1)
	return &cache{lines: make([]line, n), mask: uint64(n - 1)}
}

// clear forgets all entries.
func (c *cache) clear() {
	if c != nil {
		c.salt.Add(0x9e3779b97f4a7c15)
	}
}

// probs looks up the 0-ply probabilities stored under key.
func (c *cache) probs(key uint64, p *bg.Probs) bool {
	key ^= c.salt.Load()
	l := &c.lines[key&c.mask]
	for half := 0; half < 8; half += 4 {
		w0 := atomic.LoadUint64(&l[half])
		w1 := atomic.LoadUint64(&l[half+1])
		w2 := atomic.LoadUint64(&l[half+2])
		w3 := atomic.LoadUint64(&l[half+3])
		if w0^w1^w2^w3 == key && w3>>32 == mark {
			unpackProbs(p, w1, w2, w3)
			return true
		}
	}
	return false
}

// touch has the processor fetch the line of key. Several at once take hardly longer than one.
func (c *cache) touch(key uint64) {
	atomic.LoadUint64(&c.lines[(key^c.salt.Load())&c.mask][0])
}

// storeProbs keeps p under key. It replaces the half of the line that a bit of the key names,
// for lack of a better reason.
func (c *cache) storeProbs(key uint64, p *bg.Probs) {
	key ^= c.salt.Load()
	l := &c.lines[key&c.mask]
	half := int(key>>61) & 4
	w1, w2, w3 := packProbs(p)
	w3 |= mark << 32
	store4((*[4]uint64)(l[half:]), key^w1^w2^w3, w1, w2, w3)
}

// mark tells an entry from an empty line, whose key would be 0.
const mark = 1

// nodeStates is the number of cube states an entry of a node holds.
const nodeStates = 8

// node looks up the value of a node with so many cube states.
func (c *cache) node(key uint64, v *value, states int) bool {
	key ^= c.salt.Load()
	l := &c.lines[key&c.mask]
	var w line
	check := uint64(0)
	for i := range w {
		w[i] = atomic.LoadUint64(&l[i])
		check ^= w[i]
	}
	if check != key || w[3]>>32 != mark {
		return false
	}
	unpackProbs(&v.probs, w[1], w[2], w[3])
	for i := range states {
		v.equity[i] = math.Float32frombits(uint32(w[4+i/2] >> (32 * (i & 1))))
	}
	return true
}

// storeNode keeps the value of a node with so many cube states.
func (c *cache) storeNode(key uint64, v *value, states int) {
	key ^= c.salt.Load()
	var w line
	w[1], w[2], w[3] = packProbs(&v.probs)
	w[3] |= mark << 32
	for i := range states {
		w[4+i/2] |= uint64(math.Float32bits(v.equity[i])) << (32 * (i & 1))
	}
	w[0] = key
	for _, word := range w[1:] {
		w[0] ^= word
	}
	store8(&c.lines[key&c.mask], &w)
}

func packProbs(p *bg.Probs) (w1, w2, w3 uint64) {
	return uint64(math.Float32bits(p.Win)) | uint64(math.Float32bits(p.WinGammon))<<32,
		uint64(math.Float32bits(p.WinBackgammon)) | uint64(math.Float32bits(p.LoseGammon))<<32,
		uint64(math.Float32bits(p.LoseBackgammon))
}

func unpackProbs(p *bg.Probs, w1, w2, w3 uint64) {
	p.Win, p.WinGammon = math.Float32frombits(uint32(w1)), math.Float32frombits(uint32(w1>>32))
	p.WinBackgammon, p.LoseGammon = math.Float32frombits(uint32(w2)), math.Float32frombits(uint32(w2>>32))
	p.LoseBackgammon = math.Float32frombits(uint32(w3))
}
