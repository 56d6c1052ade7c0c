// Package movegen finds the legal moves of a position and a roll.
//
// [Plays] lists one [Play] for each distinct position that a roll can lead to, [Results] the
// positions alone, which is what a search needs at its leaves. [Find] looks up the play that a
// user has described by its steps, and [Explain] tells him which rule it breaks.
//
//	for _, play := range movegen.Plays(nil, &pos, bg.Dice{3, 1}) {
//		fmt.Println(play.Move.String())
//	}
//
// # No duplicates by construction
//
// The generator does not play out every order of the dice and then drop what it has seen
// before; for most positions it visits each result once. A double is fixed by how many
// checkers leave each point, so checkers are moved from the highest point down. With two
// different dice, a checker p moved by one die and a checker q by the other give a result that
// no other pair gives, except where both are the same checker. Only while checkers are borne
// off can different pairs meet, and there results are compared.
package movegen

import (
	"math/bits"

	"kotra/bg"
)

// A Play is a legal move with the position it leads to.
type Play struct {
	Result bg.Position // seen by the opponent of the player who moved: he is on roll next
	Move   bg.Move     // steps in an order in which they can be played
}

// Plays appends to dst one play for each distinct result of the roll for the player on roll of
// pos, and returns the extended slice. If no die can be played, or the game is over, that is
// one play with an empty move.
//
// It does not allocate while dst has capacity. It panics if dice have not been rolled.
func Plays(dst []Play, pos *bg.Position, dice bg.Dice) []Play {
	g := generator{plays: dst, moves: true}
	g.generate(pos, dice)
	return g.plays
}

// Results appends to dst the results of [Plays], in the same order and seen by the opponent,
// and returns the extended slice. It is faster than Plays, for it keeps no moves.
func Results(dst []bg.Position, pos *bg.Position, dice bg.Dice) []bg.Position {
	g := generator{results: dst}
	g.generate(pos, dice)
	return g.results
}

// Perft returns the number of nodes depth rolls below pos. A node is a distinct result of one
// of the 21 rolls of its parent, each roll counted once; a roll that cannot be played has one,
// a finished game has no children.
func Perft(pos *bg.Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	var buf [128]bg.Position
	return perft(pos, depth, buf[:0])
}

func perft(pos *bg.Position, depth int, results []bg.Position) uint64 {
	if result, _ := pos.Result(); result != bg.Unfinished {
		return 0
	}
	var nodes uint64
	start := len(results)
	for _, roll := range bg.Rolls() {
		results = Results(results[:start], pos, roll.Dice)
		if depth == 1 {
			nodes += uint64(len(results) - start)
			continue
		}
		for i := start; i < len(results); i++ {
			nodes += perft(&results[i], depth-1, results)
		}
	}
	return nodes
}

// A set holds places: bit p stands for point p, bit [bg.Bar] for the bar.
type set uint32

func (s set) has(place uint8) bool { return s>>place&1 != 0 }

// highest returns the highest place of s, which must not be empty.
func (s set) highest() uint8 { return uint8(bits.Len32(uint32(s)) - 1) }

// upTo returns the set of all places up to and including place.
func upTo(place uint8) set { return 2<<place - 1 }

const home = set(1<<7 - 2) // points 1 to 6

// A generator collects the results of one roll.
//
// Its board is a position that is already seen by the opponent: the mover's checkers are
// board.Opponent. So a result needs no flip.
type generator struct {
	board bg.Position
	own   set // places with checkers of the mover
	open  set // points without two or more opposing checkers
	blots set // points with one opposing checker

	moves   bool // collect plays, not results
	plays   []Play
	results []bg.Position
	start   int // length of plays or results at the beginning
}

func (g *generator) generate(pos *bg.Position, dice bg.Dice) {
	if dice[0]-1 > 5 || dice[1]-1 > 5 {
		panic("movegen: dice have not been rolled")
	}
	g.board = pos.Flip()
	g.start = g.count()
	var opponent set
	for place := uint8(1); place <= bg.Bar; place++ {
		if g.board.Opponent[place] > 0 {
			g.own |= 1 << place
		}
		switch g.board.OnRoll[place] {
		case 0:
			g.open |= 1 << (25 - place)
		case 1:
			g.open |= 1 << (25 - place)
			g.blots |= 1 << (25 - place)
			opponent |= 1 << place
		default:
			opponent |= 1 << place
		}
	}
	g.open &^= 1
	g.blots &^= 1
	if g.own != 0 && opponent != 0 {
		if dice.Double() {
			g.double(dice[0])
		} else {
			dice = dice.Sorted()
			g.pair(dice[0], dice[1])
		}
	}
	if g.count() == g.start {
		*g.slot() = g.board
	}
}

// count returns how many results have been collected.
func (g *generator) count() int {
	if g.moves {
		return len(g.plays)
	}
	return len(g.results)
}

// slot adds an uninitialized result and returns it.
func (g *generator) slot() *bg.Position {
	if g.moves {
		n := len(g.plays)
		if n < cap(g.plays) {
			g.plays = g.plays[:n+1]
			g.plays[n].Move = bg.Move{}
		} else {
			g.plays = append(g.plays, Play{})
		}
		return &g.plays[n].Result
	}
	n := len(g.results)
	if n < cap(g.results) {
		g.results = g.results[:n+1]
	} else {
		g.results = append(g.results, bg.Position{})
	}
	return &g.results[n]
}

// truncate drops all results but the first n.
func (g *generator) truncate(n int) {
	if g.moves {
		g.plays = g.plays[:n]
	} else {
		g.results = g.results[:n]
	}
}

// step moves one checker on a flipped board, where the mover is board.Opponent.
//
// It has no branch for a hit: off and the opponent's bar have the same index, which the two
// lines about the hit leave as it was.
func step(board *bg.Position, from, to uint8) bg.Step {
	board.Opponent[from]--
	board.Opponent[to]++
	hit := board.OnRoll[25-to]
	board.OnRoll[25-to] = 0
	board.OnRoll[bg.Bar] += hit
	return bg.Step{From: from, To: to, Hit: hit != 0 && to != bg.Off}
}

// one collects the result of a single step on board.
func (g *generator) one(board *bg.Position, from, to uint8) {
	r := g.slot()
	*r = *board
	s := step(r, from, to)
	if g.moves {
		g.plays[len(g.plays)-1].Move = bg.NewMove(s)
	}
}

// second collects the result of a step on board, which first has led to.
func (g *generator) second(board *bg.Position, first bg.Step, from, to uint8) {
	r := g.slot()
	*r = *board
	s := step(r, from, to)
	if g.moves {
		g.plays[len(g.plays)-1].Move = bg.NewMove(first, s)
	}
}

// movers returns the places of own from which a checker can be moved by die, not off.
func (g *generator) movers(own set, die uint8) set { return own & (g.open << die) }

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
	if g.own&^home == 0 {
		return true
	}
	rear := g.own.highest()
	return rear <= 6+a && g.board.Opponent[rear] == 1 && g.own&^home == 1<<rear
}

// enter collects the results of two different dice with checkers on the bar.
func (g *generator) enter(a, b uint8) {
	onA, onB := uint8(bg.Bar-a), uint8(bg.Bar-b)
	canA, canB := g.open.has(onA), g.open.has(onB)
	if bar := g.board.Opponent[bg.Bar]; bar > 1 && canA && canB {
		board := g.board
		first := step(&board, bg.Bar, onA)
		g.second(&board, first, bg.Bar, onB)
		return
	} else if bar == 1 {
		rest := g.own &^ (1 << bg.Bar)
		if canA {
			board := g.board
			first := step(&board, bg.Bar, onA)
			for from := g.movers(rest|1<<onA, b); from != 0; {
				q := from.highest()
				from &^= 1 << q
				g.second(&board, first, q, q-b)
			}
		}
		if canB {
			from := g.movers(rest|1<<onB, a)
			if canA && g.blots&(1<<onA|1<<onB) == 0 {
				from &^= 1 << onB // entering and running on with the other die is the same
			}
			board := g.board
			first := step(&board, bg.Bar, onB)
			for from != 0 {
				q := from.highest()
				from &^= 1 << q
				g.second(&board, first, q, q-a)
			}
		}
		if g.count() > g.start {
			return
		}
	}
	if canA {
		g.one(&g.board, bg.Bar, onA)
	} else if canB {
		g.one(&g.board, bg.Bar, onB)
	}
}

// move collects the results of two different dice that cannot bear off, nobody on the bar.
func (g *generator) move(a, b uint8) {
	fromA, fromB := g.movers(g.own, a), g.movers(g.own, b)
	for from := fromA; from != 0; {
		p := from.highest()
		from &^= 1 << p
		board := g.board
		first := step(&board, p, p-a)
		others := fromB &^ (1<<(p-a) | 1<<(p+b)) // those are one checker running
		if g.board.Opponent[p] == 1 {
			others &^= 1 << p
		}
		if g.open.has(p-a) && g.movers(1<<(p-a), b) != 0 {
			others |= 1 << (p - a) // ... and played here
		}
		for others != 0 {
			q := others.highest()
			others &^= 1 << q
			g.second(&board, first, q, q-b)
		}
	}
	// One checker playing the smaller die first, where that is not the same again.
	for from := fromB & (g.open << (a + b)); from != 0; {
		p := from.highest()
		from &^= 1 << p
		if fromA.has(p) && !g.blots.has(p-a) && !g.blots.has(p-b) {
			continue
		}
		board := g.board
		first := step(&board, p, p-b)
		g.second(&board, first, p-b, p-a-b)
	}
	if g.count() > g.start {
		return
	}
	die := a
	if fromA == 0 {
		fromA, die = fromB, b
	}
	for fromA != 0 {
		p := fromA.highest()
		fromA &^= 1 << p
		g.one(&g.board, p, p-die)
	}
}

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

// target returns where a checker on from goes with die.
func target(from, die uint8) uint8 {
	if from <= die {
		return bg.Off
	}
	return from - die
}

// without returns own after a checker has left from, where board already shows that.
func without(own set, board *bg.Position, from uint8) set {
	if board.Opponent[from] == 0 {
		return own &^ (1 << from)
	}
	return own
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
			board := g.board
			first := step(&board, p, target(p, dice[0]))
			own := without(g.own, &board, p) | 1<<first.To&^1
			key := stepKey(first)
		next:
			for from := g.playable(own, dice[1]); from != 0; {
				q := from.highest()
				from &^= 1 << q
				to := target(q, dice[1])
				key := key + stepKey(bg.Step{From: q, To: to, Hit: to != bg.Off && board.OnRoll[25-to] != 0})
				for _, k := range keys[:n] {
					if k == key {
						continue next
					}
				}
				keys[n] = key
				n++
				g.second(&board, first, q, to)
			}
		}
	}
	if n > 0 {
		return
	}
	die := a
	from := g.playable(g.own, a)
	if from == 0 {
		from, die = g.playable(g.own, b), b
	}
	for from != 0 {
		p := from.highest()
		from &^= 1 << p
		g.one(&g.board, p, target(p, die))
	}
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
