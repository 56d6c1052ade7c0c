package movegen

import "kotra/bg"

// pair collects the results of two different dice, a being the larger.
func (g *generator) pair(a, b uint8) {
	switch {
	case g.own.has(bg.Bar):
		g.enter(a, b)
	case g.mayBearOff(a):
		g.bearOff(a, b)
	default:
		g.move(a, b)
	}
}

// mayBearOff reports whether a checker can be borne off with two different dice, a being the
// larger: at most one checker is outside the home board, and a brings it home.
func (g *generator) mayBearOff(a uint8) bool {
	outside := g.own &^ home
	if outside == 0 {
		return true
	}
	rear := outside.highest()
	return rear <= 6+a && outside == 1<<rear && g.boards[0].Opponent[rear] == 1
}

// enter collects the results of two different dice with checkers on the bar.
func (g *generator) enter(a, b uint8) {
	onA, onB := bg.Bar-a, bg.Bar-b
	canA, canB := g.open.has(onA), g.open.has(onB)
	if bar := g.boards[0].Opponent[bg.Bar]; bar > 1 && canA && canB {
		g.advance(0, g.own, bg.Bar, onA)
		g.fan(1, 1<<bg.Bar, b)
		return
	} else if bar == 1 {
		if canA {
			own := g.advance(0, g.own, bg.Bar, onA)
			g.fan(1, g.movers(own, b), b)
		}
		if canB {
			own := g.advance(0, g.own, bg.Bar, onB)
			from := g.movers(own, a)
			if canA && g.blots&(1<<onA|1<<onB) == 0 {
				from &^= 1 << onB // entering and running on with the other die is the same
			}
			g.fan(1, from, a)
		}
		if g.count() > g.start {
			return
		}
	}
	if canA {
		g.fan(0, 1<<bg.Bar, a)
	} else if canB {
		g.fan(0, 1<<bg.Bar, b)
	}
}

// move collects the results of two different dice that cannot bear off, nobody on the bar.
func (g *generator) move(a, b uint8) {
	fromA, fromB := g.movers(g.own, a), g.movers(g.own, b)
	for from := fromA; from != 0; {
		p := from.highest()
		from &^= 1 << p
		g.advance(0, g.own, p, p-a)
		// q = p-a and q = p+b are one checker running, which is played here if a comes first.
		others := fromB&^(1<<(p+b)) | g.movers(1<<(p-a), b)
		if g.boards[1].Opponent[p] == 0 {
			others &^= 1 << p
		}
		g.fan(1, others, b)
	}
	// One checker playing the smaller die first, where that is not the same again.
	for from := fromB & (g.open << (a + b)); from != 0; {
		p := from.highest()
		from &^= 1 << p
		if fromA.has(p) && !g.blots.has(p-a) && !g.blots.has(p-b) {
			continue
		}
		g.advance(0, g.own, p, p-b)
		g.fan(1, 1<<(p-b), a)
	}
	if g.count() > g.start {
		return
	}
	if fromA != 0 {
		g.fan(0, fromA, a)
	} else {
		g.fan(0, fromB, b)
	}
}

// bearOff collects the results of two different dice when checkers may be borne off, nobody
// on the bar. Only points up to 12 matter here, since at most one checker is still outside.
func (g *generator) bearOff(a, b uint8) {
	var keys [128]uint64 // of the results so far
	n := 0
	for _, dice := range [2]bg.Dice{{a, b}, {b, a}} {
		for from := g.playable(g.own, dice[0]); from != 0; {
			p := from.highest()
			from &^= 1 << p
			own := g.advance(0, g.own, p, target(p, dice[0]))
			seconds := g.playable(own, dice[1])
			for left := seconds; left != 0; {
				q := left.highest()
				left &^= 1 << q
				key := stepKey(g.steps[0]) + stepKey(bg.Step{From: q, To: target(q, dice[1]), Hit: g.hits(q, dice[1])})
				if contains(keys[:n], key) {
					seconds &^= 1 << q
				} else {
					keys[n] = key
					n++
				}
			}
			g.fan(1, seconds, dice[1])
		}
	}
	if n > 0 {
		return
	}
	if from := g.playable(g.own, a); from != 0 {
		g.fan(0, from, a)
	} else {
		g.fan(0, g.playable(g.own, b), b)
	}
}

// hits reports whether a checker hits on boards[1] when it leaves from with die.
func (g *generator) hits(from, die uint8) bool {
	to := target(from, die)
	return to != bg.Off && g.boards[1].OnRoll[25-to] > 0
}

// stepKey returns a number whose sum over the steps of a move tells its result, for moves
// below the 13 point: four bits for the checkers that each point gains or loses, and one for a
// hit. Sums of two moves of one board differ whenever their results do.
func stepKey(s bg.Step) uint64 {
	key := uint64(1)<<(4*s.To)&^1 - uint64(1)<<(4*s.From)
	if s.Hit {
		key += 1 << (51 + s.To)
	}
	return key
}

func contains(keys []uint64, key uint64) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}
