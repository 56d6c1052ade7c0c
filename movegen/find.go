package movegen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kotra/bg"
)

// The rules that a move can break. Errors of [Explain] wrap one of them and name the step.
var (
	ErrDice      = errors.New("dice are not two numbers from 1 to 6")
	ErrOver      = errors.New("the game is over")
	ErrDirection = errors.New("checkers move from higher to lower points")
	ErrNoChecker = errors.New("no checker")
	ErrBarFirst  = errors.New("checkers on the bar must enter first")
	ErrNotRolled = errors.New("no dice for a distance of")
	ErrBlocked   = errors.New("the point is blocked")
	ErrNotHome   = errors.New("bearing off must wait until all checkers are home")
	ErrBehind    = errors.New("a larger die bears off from the highest point only")
	ErrAllDice   = errors.New("as many dice as possible must be played")
	ErrLargerDie = errors.New("the larger die must be played when only one can be")
	ErrTooMany   = errors.New("more steps than dice")
)

// Find returns the legal play that has the given steps, in the mover's own numbering.
//
// The steps may stand in any order, and one may take several dice, as 24/14 does. Their Hit is
// ignored, for the board shows what is hit; a checker that takes several dice in one step goes
// where it hits least on the way. The move of the play has its own order of steps.
//
// If no legal play has the steps, Find returns the error of [Explain].
func Find(pos *bg.Position, dice bg.Dice, steps []bg.Step) (Play, error) {
	if dice[0]-1 > 5 || dice[1]-1 > 5 {
		return Play{}, fmt.Errorf("%w: %v", ErrDice, dice)
	}
	f := finder{dice: dice, legal: Plays(nil, pos, dice), failedAt: -1}
	if result, _ := pos.Result(); result != bg.Unfinished && len(steps) > 0 {
		return Play{}, ErrOver
	}
	steps = slices.Clone(steps)
	// Errors are clearer when the bar, the only place whose number is 1 here, is tried first.
	slices.SortStableFunc(steps, func(a, b bg.Step) int { return int(b.From/bg.Bar) - int(a.From/bg.Bar) })
	left := dice[:]
	if dice.Double() {
		left = []uint8{dice[0], dice[0], dice[0], dice[0]}
	}
	todo := make([]walker, len(steps))
	for i, s := range steps {
		if s.From > bg.Bar || s.To >= s.From {
			return Play{}, fmt.Errorf("%s: %w", stepText(s), ErrDirection)
		}
		todo[i] = walker{bg.Step{From: s.From, To: s.To}, s.From}
		if err := diagnose(pos, todo[i], left); errors.Is(err, ErrNotRolled) {
			return Play{}, err
		}
	}
	f.play(*pos, todo, left, 0)
	if !f.found {
		return Play{}, f.failure
	}
	return f.best, nil
}

// Explain returns nil if the steps are a legal play of the roll, written as [Find] allows it.
// Otherwise it returns an error that wraps the rule which forbids them, such as [ErrBarFirst].
func Explain(pos *bg.Position, dice bg.Dice, steps []bg.Step) error {
	_, err := Find(pos, dice, steps)
	return err
}

// A finder tries the steps of a move in every order and with every die.
type finder struct {
	dice  bg.Dice
	legal []Play

	best  Play
	found bool
	hits  int // by best

	failure  error // of the attempt that came furthest
	failedAt int   // steps it had done
}

// A walker is a checker on its way to do a step, which may take several dice.
type walker struct {
	step bg.Step
	at   uint8
}

// play tries the steps to do with the dice left; done steps have led to board.
func (f *finder) play(board bg.Position, todo []walker, left []uint8, done int) {
	if len(todo) == 0 {
		f.finish(&board, left, done)
		return
	}
	for i, w := range todo {
		if slices.Contains(todo[:i], w) {
			continue
		}
		if !reachable(w.at, w.step.To, left) {
			f.fail(diagnose(&board, w, left), done)
			continue
		}
		moved := false
		for j, die := range left {
			if slices.Contains(left[:j], die) || stepError(&board, w.at, die) != nil {
				continue
			}
			to := target(w.at, die)
			others := slices.Delete(slices.Clone(left), j, j+1)
			if to < w.step.To || !reachable(to, w.step.To, others) {
				continue
			}
			moved = true
			next := board
			next.Play(w.at, to)
			rest := slices.Clone(todo)
			rest[i].at = to
			n := done
			if to == w.step.To {
				rest = slices.Delete(rest, i, i+1)
				n++
			}
			f.play(next, rest, others, n)
		}
		if !moved {
			f.fail(diagnose(&board, w, left), done)
		}
	}
}

// reachable reports whether some of the dice left sum up to the distance, or to more when
// bearing off.
func reachable(from, to uint8, left []uint8) bool {
	distance := from - to
	for chosen := range 1 << len(left) {
		sum := uint8(0)
		for i, die := range left {
			sum += die * uint8(chosen>>i&1)
		}
		if sum == distance || to == bg.Off && sum > distance {
			return true
		}
	}
	return false
}

// finish looks for the position among the legal results.
func (f *finder) finish(board *bg.Position, left []uint8, done int) {
	result := board.Flip()
	i := slices.IndexFunc(f.legal, func(p Play) bool { return p.Result == result })
	if i < 0 {
		f.fail(f.diceError(left), done)
		return
	}
	hits := int(board.Opponent[bg.Bar])
	if !f.found || hits < f.hits {
		f.best, f.found, f.hits = f.legal[i], true, hits
	}
}

func (f *finder) fail(err error, done int) {
	if done > f.failedAt {
		f.failure, f.failedAt = err, done
	}
}

// diceError returns the rule that forbids to stop with the dice left.
func (f *finder) diceError(left []uint8) error {
	all := 2
	if f.dice.Double() {
		all = 4
	}
	used := all - len(left)
	possible := f.legal[0].Move.Len()
	if used >= possible {
		return fmt.Errorf("%w: that is the %d", ErrLargerDie, f.dice.Sorted()[0])
	}
	return fmt.Errorf("%w: %d can be, here are %d", ErrAllDice, possible, used)
}

// stepError returns the rule that forbids to move a checker by a die, not wrapped in text.
func stepError(board *bg.Position, from, die uint8) error {
	switch to := target(from, die); {
	case board.OnRoll[from] == 0:
		return ErrNoChecker
	case from != bg.Bar && board.OnRoll[bg.Bar] > 0:
		return ErrBarFirst
	case to != bg.Off && board.Opponent[25-to] > 1:
		return ErrBlocked
	case to != bg.Off:
		return nil
	case board.OnRoll.Rearmost() > 6:
		return ErrNotHome
	case from < die && board.OnRoll.Rearmost() > int(from):
		return ErrBehind
	}
	return nil
}

// diagnose says why none of the dice left can move w towards its end.
func diagnose(board *bg.Position, w walker, left []uint8) error {
	text, to := stepText(w.step), w.step.To
	if len(left) == 0 {
		return fmt.Errorf("%s: %w", text, ErrTooMany)
	}
	rear := board.OnRoll.Rearmost()
	switch {
	case board.OnRoll[w.at] == 0 && w.at == bg.Bar:
		return fmt.Errorf("%s: %w on the bar", text, ErrNoChecker)
	case board.OnRoll[w.at] == 0:
		return fmt.Errorf("%s: %w on the %d point", text, ErrNoChecker, w.at)
	case w.at != bg.Bar && rear == bg.Bar:
		return fmt.Errorf("%s: %w", text, ErrBarFirst)
	case to != bg.Off && board.Opponent[25-to] > 1:
		return fmt.Errorf("%s: %w: the opponent has %d checkers on the %d point", text, ErrBlocked, board.Opponent[25-to], to)
	case !reachable(w.at, to, left):
		return fmt.Errorf("%s: %w %d: %s", text, ErrNotRolled, w.at-to, diceLeft(left))
	}
	var blocked []string
	for i, die := range left {
		stop := target(w.at, die)
		if stop > to && !slices.Contains(left[:i], die) && board.Opponent[25-stop] > 1 {
			blocked = append(blocked, fmt.Sprint(stop))
		}
	}
	switch {
	case len(blocked) > 0:
		return fmt.Errorf("%s: %w on the way, at %s", text, ErrBlocked, strings.Join(blocked, " and "))
	case rear > 6:
		return fmt.Errorf("%s: %w: one is on the %d point", text, ErrNotHome, rear)
	}
	return fmt.Errorf("%s: %w: one is on the %d point", text, ErrBehind, rear)
}

// diceLeft says which dice have not been played.
func diceLeft(left []uint8) string {
	text := make([]string, len(left))
	for i, die := range left {
		text[i] = fmt.Sprint(die)
	}
	return "there is " + strings.Join(text, ", ")
}

// stepText returns s as the step of a move is written.
func stepText(s bg.Step) string {
	name := func(place uint8) string {
		switch place {
		case bg.Bar:
			return "bar"
		case bg.Off:
			return "off"
		}
		return fmt.Sprint(place)
	}
	return name(s.From) + "/" + name(s.To)
}
