package movegen

import (
	"slices"

	"kotra/bg"
)

// A generator collects the results of one roll.
//
// Its boards are positions that are already seen by the opponent: the mover's checkers are
// Opponent. So a result needs no flip.
type generator struct {
	own  set // places with checkers of the mover
	open set // points without two or more opposing checkers
	// blots are the points with one opposing checker.
	blots set

	// boards[n] is the board after the first n steps, which are steps[:n].
	boards [4]bg.Position
	steps  [4]bg.Step

	moves   bool // collect plays, not results
	plays   []Play
	results []bg.Position
	start   int // length of plays or results at the beginning
}

func (g *generator) generate(pos *bg.Position, dice bg.Dice) {
	if dice[0]-1 > 5 || dice[1]-1 > 5 {
		panic("movegen: dice have not been rolled")
	}
	g.boards[0] = pos.Flip()
	g.start = g.count()
	var opponent set
	g.own = places(&pos.OnRoll, 1) &^ 1
	opponent = places(&pos.Opponent, 1) &^ 1
	points := places(&pos.Opponent, 2) &^ 1
	g.open = ^points.mirror() & (1<<25 - 2)
	g.blots = (opponent &^ points).mirror() & (1<<25 - 2)
	if g.own != 0 && opponent != 0 {
		if dice.Double() {
			g.double(dice[0])
		} else {
			dice = dice.Sorted()
			g.pair(dice[0], dice[1])
		}
	}
	if g.count() == g.start {
		g.collect(&g.boards[0], 0)
	}
}

// count returns how many results have been collected.
func (g *generator) count() int {
	if g.moves {
		return len(g.plays)
	}
	return len(g.results)
}

// truncate drops all results but the first n.
func (g *generator) truncate(n int) {
	if g.moves {
		g.plays = g.plays[:n]
	} else {
		g.results = g.results[:n]
	}
}

// collect adds the result board of the first n steps.
func (g *generator) collect(board *bg.Position, n int) {
	if g.moves {
		g.plays = append(g.plays, Play{Result: *board, Move: bg.NewMove(g.steps[:n]...)})
	} else {
		g.results = append(g.results, *board)
	}
}

// advance makes step n on the next board, and returns the places with checkers on it.
func (g *generator) advance(n int, own set, from, to uint8) set {
	board := &g.boards[n+1]
	*board = g.boards[n]
	g.steps[n] = step(board, from, to)
	if board.Opponent[from] == 0 {
		own &^= 1 << from
	}
	return own | 1<<to&^1
}

// fan collects the results of n steps and then one more by die, from each place of a set.
func (g *generator) fan(n int, from set, die uint8) {
	board := &g.boards[n]
	if g.moves {
		g.fanPlays(n, from, die)
		return
	}
	results := grow(g.results, from.len())
	g.results = results
	for i := len(results) - 1; from != 0; i-- {
		p := from.highest()
		from &^= 1 << p
		r := &results[i]
		*r = *board
		step(r, p, target(p, die))
	}
}

// fanPlays is fan with moves.
func (g *generator) fanPlays(n int, from set, die uint8) {
	board := &g.boards[n]
	plays := grow(g.plays, from.len())
	g.plays = plays
	begin := bg.NewMove(g.steps[:n]...)
	for i := len(plays) - 1; from != 0; i-- {
		p := from.highest()
		from &^= 1 << p
		play := &plays[i]
		play.Result = *board
		play.Move = begin.Append(step(&play.Result, p, target(p, die)))
	}
}

// grow returns s with n more elements, whose content is undefined.
func grow[E any](s []E, n int) []E {
	if n > cap(s)-len(s) {
		s = slices.Grow(s, n)
	}
	return s[:len(s)+n]
}

// step moves one checker on a flipped board, where the mover is board.Opponent.
//
// It has no branch for a hit: off and the opponent's bar have the same index, which the three
// lines about the hit leave as it was.
func step(board *bg.Position, from, to uint8) bg.Step {
	board.Opponent[from]--
	board.Opponent[to]++
	hit := board.OnRoll[25-to]
	board.OnRoll[25-to] = 0
	board.OnRoll[bg.Bar] += hit
	return bg.Step{From: from, To: to, Hit: hit != 0 && to != bg.Off}
}

// target returns where a checker on from goes with die.
func target(from, die uint8) uint8 { return max(from, die) - die }

// movers returns the places of own from which a checker can be moved by die, not off.
func (g *generator) movers(own set, die uint8) set { return own & (g.open << die) }

// playable returns the places of own from which a checker can be moved by die, or borne off.
func (g *generator) playable(own set, die uint8) set {
	from := g.movers(own, die)
	if own&^home == 0 {
		if own.has(die) {
			from |= 1 << die
		} else if own != 0 && own&^upTo(die) == 0 {
			from |= 1 << own.highest()
		}
	}
	return from
}
