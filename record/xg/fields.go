package xg

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf16"

	"kotra/bg"
)

// A rec is a record, whose fields are read by their offset.
type rec []byte

func (r rec) i8(at int) int    { return int(int8(r[at])) }
func (r rec) i16(at int) int   { return int(int16(binary.LittleEndian.Uint16(r[at:]))) }
func (r rec) i32(at int) int   { return int(int32(binary.LittleEndian.Uint32(r[at:]))) }
func (r rec) flag(at int) bool { return r[at] != 0 }
func (r rec) f32(at int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(r[at:])))
}
func (r rec) f64(at int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(r[at:])) }

// short returns a text of at most n bytes behind its length, in Windows-1252.
func (r rec) short(at, n int) string {
	n = min(n, int(r[at]))
	return latin(r[at+1 : at+1+n])
}

// wide returns a text of 129 UTF-16 units that a zero ends.
func (r rec) wide(at int) string {
	var units []uint16
	for i := range 129 {
		u := binary.LittleEndian.Uint16(r[at+2*i:])
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	return string(utf16.Decode(units))
}

// latin returns bytes in Windows-1252 as text.
func latin(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		if 0x80 <= c && c < 0xa0 {
			b.WriteRune(windows1252[c-0x80])
		} else {
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// windows1252 holds the characters 0x80 to 0x9f of Windows-1252.
var windows1252 = [32]rune{
	'€', '\u0081', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u008d', 'Ž', '\u008f',
	'\u0090', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u009d', 'ž', 'Ÿ',
}

// board returns a position of 26 counts. It may be an illegal one.
func (r rec) board(at int) (b [26]int) {
	for i := range b {
		b[i] = r.i8(at + i)
	}
	return b
}

// sides returns a board that is seen by player 0 by player.
func sides(b [26]int, checkers int) ([2]bg.Side, error) {
	pos, err := bg.FromBoard(b, checkers)
	return [2]bg.Side{pos.OnRoll, pos.Opponent}, err
}

// probs returns the probabilities of the seven numbers at an offset, and the equity.
func (r rec) probs(at int) (bg.Probs, float64) {
	v := func(i int) float32 {
		x := float32(r.f32(at + 4*i))
		if !(x >= 0) { // NaN too
			return 0
		}
		return min(x, 1)
	}
	p := bg.Probs{Win: v(3), WinGammon: v(4), WinBackgammon: v(5), LoseGammon: v(1), LoseBackgammon: v(0)}
	p.WinGammon = min(p.WinGammon, p.Win)
	p.WinBackgammon = min(p.WinBackgammon, p.WinGammon)
	p.LoseGammon = min(p.LoseGammon, 1-p.Win)
	p.LoseBackgammon = min(p.LoseBackgammon, p.LoseGammon)
	return p, r.f32(at + 24)
}

// steps returns the move of n pairs of numbers, which get gives: from 0, the bar 24, off below 0.
func steps(get func(i int) int) (m bg.Move, ok bool) {
	for i := 0; i < 8; i += 2 {
		from, to := get(i), get(i+1)
		if from == -1 {
			break
		}
		if from < -1 || from > 24 || to >= from {
			return bg.Move{}, false
		}
		m = m.Append(bg.Step{From: uint8(from + 1), To: uint8(max(to, -1) + 1)})
	}
	return m, true
}
