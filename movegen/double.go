package movegen

import "kotra/bg"

// double collects the results of a double.
//
// Every vector of the numbers of checkers that leave each point has another result, so
// checkers leave from the highest point down.
func (g *generator) double(die uint8) {
	own, n := g.own, 0
	if own.has(bg.Bar) {
		if !g.open.has(bg.Bar - die) {
			return
		}
		bar := int(g.boards[0].Opponent[bg.Bar])
		for ; n < 3 && n < bar; n++ {
			own = g.advance(n, own, bg.Bar, bg.Bar-die)
		}
		if n < bar {
			g.fan(3, 1<<bg.Bar, die)
			return
		}
	}
	switch {
	case n == 0 && g.mayBearOffDouble(die):
		best := 1
		g.bearOffDouble(own, die, 0, bg.Bar, &best)
	case g.stepsLeft(own, die, n) == 4-n:
		g.moveDouble(own, die, n, bg.Bar)
	default:
		g.moveAll(own, die, n)
	}
}

// mayBearOffDouble reports whether less than four steps bring all checkers home.
func (g *generator) mayBearOffDouble(die uint8) bool {
	need := 0
	for outside := g.own &^ home; outside != 0 && need < 4; {
		p := outside.highest()
		outside &^= 1 << p
		need += int(g.boards[0].Opponent[p]) * int((p-7)/die+1)
	}
	return need < 4
}

// stepsLeft returns how many steps can follow the first n, without bearing off, 4-n at most.
// Checkers do not stand in each other's way: each goes as far as the open points let it.
func (g *generator) stepsLeft(own set, die uint8, n int) int {
	left := 4 - n
	steps := 0
	for from := g.movers(own, die); from != 0 && steps < left; {
		p := from.highest()
		from &^= 1 << p
		for q := p; q > die && g.open.has(q-die); q -= die {
			steps += int(g.boards[n].Opponent[p])
		}
	}
	return min(steps, left)
}

// moveDouble collects the results of four steps, of which n are made, without bearing off. No
// checker leaves from above last.
func (g *generator) moveDouble(own set, die uint8, n int, last uint8) {
	from := g.movers(own, die) & upTo(last)
	if n == 3 {
		g.fan(3, from, die)
		return
	}
	for from != 0 {
		p := from.highest()
		from &^= 1 << p
		g.moveDouble(g.advance(n, own, p, p-die), die, n+1, p)
	}
}

// moveAll collects the one result of playing on after n steps as long as anything moves, which
// is for less than four steps.
func (g *generator) moveAll(own set, die uint8, n int) {
	for from := g.movers(own, die); from != 0; from = g.movers(own, die) {
		p := from.highest()
		own = g.advance(n, own, p, p-die)
		n++
	}
	if n > 0 {
		g.collect(&g.boards[n], n)
	}
}

// bearOffDouble collects the results of up to four steps, of which n are made, when checkers
// may be borne off. No checker leaves from above last. Results with less than best steps, the
// most so far, are dropped.
func (g *generator) bearOffDouble(own set, die uint8, n int, last uint8, best *int) {
	from := g.playable(own, die) & upTo(last)
	if (from == 0 || n == 3) && n+min(from.len(), 1) > *best {
		*best = n + min(from.len(), 1)
		g.truncate(g.start)
	}
	switch {
	case from == 0 && n == *best:
		g.collect(&g.boards[n], n)
	case n == 3:
		g.fan(3, from, die)
	}
	for n < 3 && from != 0 {
		p := from.highest()
		from &^= 1 << p
		g.bearOffDouble(g.advance(n, own, p, target(p, die)), die, n+1, p, best)
	}
}
