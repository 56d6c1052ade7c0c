package movegen

import "kotra/bg"

// double collects the results of a double.
func (g *generator) double(die uint8) {
	d := doubler{generator: g, die: die}
	board, own := g.board, g.own
	left := 4
	if own.has(bg.Bar) {
		if !g.open.has(bg.Bar - die) {
			return
		}
		for ; left > 0 && board.Opponent[bg.Bar] > 0; left-- {
			d.steps[4-left] = step(&board, bg.Bar, bg.Bar-die)
		}
		own = without(own, &board, bg.Bar) | 1<<(bg.Bar-die)
		if own.has(bg.Bar) || left == 0 {
			d.collect(&board, 4-left)
			return
		}
	}
	d.entered = 4 - left
	d.play(&board, own, 4-left, bg.Bar)
}

// A doubler plays one double. Every vector of the numbers of checkers that leave each point
// has another result, so checkers leave from the highest point down.
type doubler struct {
	*generator
	die     uint8
	steps   [4]bg.Step
	entered int // steps from the bar
	best    int // steps of the collected results
}

// play collects the results of the position after the first n steps, moving no checker from
// above the place last.
func (d *doubler) play(board *bg.Position, own set, n int, last uint8) {
	from := d.playable(own, d.die) & upTo(last)
	if n == 4 || from == 0 {
		if n > 0 {
			d.collect(board, n)
		}
		return
	}
	for from != 0 {
		p := from.highest()
		from &^= 1 << p
		next := *board
		to := target(p, d.die)
		d.steps[n] = step(&next, p, to)
		d.play(&next, without(own, &next, p)|1<<to&^1, n+1, p)
	}
}

// collect keeps a result of n steps if none of the results has more.
func (d *doubler) collect(board *bg.Position, n int) {
	if n < d.best {
		return
	}
	if n > d.best {
		d.best = n
		d.truncate(d.start)
	}
	*d.slot() = *board
	if d.moves {
		d.plays[len(d.plays)-1].Move = bg.NewMove(d.steps[:n]...)
	}
}
