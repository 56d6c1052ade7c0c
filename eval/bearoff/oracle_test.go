package bearoff

import (
	"encoding/binary"
	"hash/crc32"

	"kotra/bg"
	"kotra/movegen"
)

// An oracle computes equities by the definition, over legal moves, remembering them by position.
type oracle map[bg.Position]Equities

func (o oracle) equities(pos bg.Position) Equities {
	if pos.Opponent.Rearmost() == bg.Off {
		return Equities{-1, -1, -1, -1}
	}
	if eq, ok := o[pos]; ok {
		return eq
	}
	var eq Equities
	for _, roll := range bg.Rolls() {
		best := Equities{-9, -9, -9, -9}
		for _, play := range movegen.Plays(nil, &pos, roll.Dice) {
			next := o.equities(play.Result)
			best.Cubeless = max(best.Cubeless, -next.Cubeless)
			best.Owned = max(best.Owned, -next.Opponent)
			best.Centered = max(best.Centered, -next.Best(bg.Centered))
			best.Opponent = max(best.Opponent, -next.Best(bg.OnRoll))
		}
		weight := bg.Equity(roll.Weight) / 36
		eq.Cubeless += weight * best.Cubeless
		eq.Owned += weight * best.Owned
		eq.Centered += weight * best.Centered
		eq.Opponent += weight * best.Opponent
	}
	o[pos] = eq
	return eq
}

// A racer computes mean numbers of rolls by the definition, over legal moves.
type racer map[bg.Side]float64

func (r racer) mean(s bg.Side) float64 {
	if s.Rearmost() == bg.Off {
		return 0
	}
	if mean, ok := r[s]; ok {
		return mean
	}
	mean := 1.0
	pos := bg.Position{OnRoll: s, Opponent: side(1)}
	for _, roll := range bg.Rolls() {
		best := 1e9
		for _, play := range movegen.Plays(nil, &pos, roll.Dice) {
			best = min(best, r.mean(play.Result.Opponent))
		}
		mean += best * float64(roll.Weight) / 36
	}
	r[s] = mean
	return mean
}

func putChecksum(data []byte) {
	binary.LittleEndian.PutUint32(data[20:], onesidedChecksum(data))
}

func putHeaderChecksum(data []byte) {
	binary.LittleEndian.PutUint32(data[20:], crc32.Checksum(data[:20], castagnoli))
}
