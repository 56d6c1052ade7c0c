package train

import (
	"math/rand/v2"

	"kotra/bg"
)

// shuffle puts records in an order that visits each once before any is visited again, and those of a
// decision one after the other.
type shuffle struct {
	records [][]byte
	seed    uint64

	starts []int64 // number of the first record of each shard
	total  int64
	groups []uint32    // number of the first record of each decision
	epochs [2]struct { // orders of the epochs at hand, by epoch modulo 2
		number int64
		order  []uint32 // numbers of records
		group  []uint32 // of the same records: number of the decision
	}
}

// at returns record number i of the endless sequence and a number that it shares with those of its
// decision. The epoch of i must be prepared.
func (s *shuffle) at(i int64) (record []byte, group uint32) {
	e := &s.epochs[i/s.total%2]
	n := int64(e.order[i%s.total])
	group = e.group[i%s.total]
	lo, hi := 0, len(s.starts)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; s.starts[mid] <= n {
			lo = mid
		} else {
			hi = mid
		}
	}
	offset := (n - s.starts[lo]) * recordSize
	return s.records[lo][offset:][:recordSize], group
}

func newShuffle(records [][]byte, seed uint64) *shuffle {
	s := &shuffle{records: records, seed: seed}
	for _, r := range s.records {
		s.starts = append(s.starts, s.total)
		var last bg.Position
		for at := 0; at < len(r); at += recordSize {
			pos := decodeRecord(r[at:]).Position
			if at == 0 || !sameDecision(&last, &pos) {
				s.groups = append(s.groups, uint32(s.total))
			}
			last = pos
			s.total++
		}
	}
	s.epochs[0].number, s.epochs[1].number = -1, -1
	return s
}

// prepare makes the orders of the epochs that records i to i+n belong to.
func (s *shuffle) prepare(i int64, n int) {
	for number := i / s.total; number <= (i+int64(n))/s.total; number++ {
		e := &s.epochs[number%2]
		if e.number == number {
			continue
		}
		e.number = number
		e.order, e.group = e.order[:0], e.group[:0]
		order := make([]uint32, len(s.groups))
		for k := range order {
			order[k] = uint32(k)
		}
		rng := rand.New(rand.NewPCG(s.seed, uint64(number)+0x5348))
		rng.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		for _, group := range order {
			end := uint32(s.total)
			if int(group)+1 < len(s.groups) {
				end = s.groups[group+1]
			}
			for n := s.groups[group]; n < end; n++ {
				e.order, e.group = append(e.order, n), append(e.group, group)
			}
		}
	}
}

// sameDecision reports whether two positions can be results of the same decision: the checkers of the
// player on roll, who did not move, are where they were, but for blots that were hit and wait on the bar.
func sameDecision(a, b *bg.Position) bool {
	hitA, hitB := a.OnRoll[bg.Bar], b.OnRoll[bg.Bar]
	for i := range a.OnRoll[:bg.Bar] {
		switch m, n := a.OnRoll[i], b.OnRoll[i]; {
		case m == n:
		case m == 0 && n == 1 && hitA > 0:
			hitA--
		case m == 1 && n == 0 && hitB > 0:
			hitB--
		default:
			return false
		}
	}
	return true
}
