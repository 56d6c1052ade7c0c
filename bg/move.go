package bg

// A Step is one checker moved by one die, in the mover's own numbering.
type Step struct {
	From, To uint8
	Hit      bool // an opposing blot on To was sent to the bar
}

// A Move is everything played with one roll: up to four steps in playing order. The zero value
// is a dance, the move without a step.
type Move struct {
	steps [4]Step
	n     uint8
}

// NewMove returns the move made of the given steps, in playing order. It panics if there are
// more than four.
func NewMove(steps ...Step) Move {
	if len(steps) > 4 {
		panic("bg: a move has at most four steps")
	}
	m := Move{n: uint8(len(steps))}
	copy(m.steps[:], steps)
	return m
}

// Len returns the number of steps of m.
func (m *Move) Len() int { return int(m.n) }

// Steps returns the steps of m in playing order. The slice shares memory with m.
func (m *Move) Steps() []Step { return m.steps[:m.n] }

// Append returns m with one more step. It panics if m has four already.
func (m Move) Append(s Step) Move {
	if m.n == 4 {
		panic("bg: a move has at most four steps")
	}
	m.steps[m.n] = s
	m.n++
	return m
}

// Play moves one checker of the player on roll and returns the step with its hit noted. It
// obeys the board alone, not the dice: legality is package movegen's.
func (p *Position) Play(from, to uint8) Step {
	p.OnRoll[from]--
	p.OnRoll[to]++
	if to != Off && p.Opponent[25-to] > 0 {
		p.Opponent[25-to]--
		p.Opponent[Bar]++
		return Step{From: from, To: to, Hit: true}
	}
	return Step{From: from, To: to}
}

// After returns the position after m, seen by the opponent, who is on roll next.
func (p *Position) After(m Move) Position {
	q := *p
	for _, s := range m.Steps() {
		q.Play(s.From, s.To)
	}
	return q.Flip()
}
