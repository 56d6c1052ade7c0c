package duel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kotra/bg"
	"kotra/movegen"
)

// maxTurns ends a game that two players never finish.
const maxTurns = 10000

// A table is where one worker plays its games. Side 0 is A and side 1 is B.
type table struct {
	cfg     *Config
	players [2]Player
	luck    valuer
	plays   []movegen.Play
	scratch []bg.Position
}

// tally is what games add up to, seen by side A.
type tally struct {
	games          int
	wins           int
	points         float64 // what A won, less what it lost
	luck           float64 // how much of that the dice gave
	gammons        [2]int
	backgammons    [2]int
	illegal        [2]int
	moves          [2]int
	thinking       [2]time.Duration
	firstViolation string
}

func (t *tally) add(u *tally) {
	t.games += u.games
	t.wins += u.wins
	t.points += u.points
	t.luck += u.luck
	for i := range 2 {
		t.gammons[i] += u.gammons[i]
		t.backgammons[i] += u.backgammons[i]
		t.illegal[i] += u.illegal[i]
		t.moves[i] += u.moves[i]
		t.thinking[i] += u.thinking[i]
	}
	if t.firstViolation == "" {
		t.firstViolation = u.firstViolation
	}
}

// pair plays both games of a pair.
func (t *table) pair(ctx context.Context, index int) (tally, error) {
	var sum tally
	for swap := range 2 {
		if err := t.game(ctx, newDice(t.cfg.Seed, index, 0), swap, &sum); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// game plays one game and adds its result to sum. A has the seat swap.
func (t *table) game(ctx context.Context, d *dice, swap int, sum *tally) error {
	s := bg.NewGame(t.cfg.Rules)
	s.Dice = d.opening()
	s.Seat = 0
	if s.Dice[1] > s.Dice[0] {
		s.Seat = 1
	}
	var luck [2]float64 // by side
	for turn := range maxTurns {
		if err := ctx.Err(); err != nil {
			return err
		}
		side := s.Seat ^ swap
		if turn > 0 {
			if over, err := t.double(ctx, &s, swap, sum); err != nil {
				return err
			} else if over {
				t.finish(sum, side, bg.Single, s.Cube.Value, luck)
				return nil
			}
			s.Dice = d.roll()
		}
		if t.luck.Evaluator != nil {
			luck[side] += float64(s.Cube.Value) * t.luck.luck(&s.Position, s.Dice, turn == 0, &t.scratch)
		}
		next, err := t.move(ctx, &s, side, sum)
		if err != nil {
			return err
		}
		if r, won := next.Result(); r != bg.Unfinished {
			if won {
				panic("duel: a move lost its own game")
			}
			t.finish(sum, side, t.cfg.worth(r, s.Cube), s.Cube.Value, luck)
			return nil
		}
		s.Position = next
		s.Dice = bg.Dice{}
		s.Seat = 1 - s.Seat
		s.Cube.Owner = s.Cube.Owner.Flip()
		s.Score = s.Score.Flip()
	}
	return fmt.Errorf("no winner after %d turns", maxTurns)
}

// finish adds a game won by side to sum.
func (t *table) finish(sum *tally, side int, r bg.Result, cube int, luck [2]float64) {
	sum.games++
	points := float64(int(r) * cube)
	if side == 0 {
		sum.wins++
		sum.points += points
	} else {
		sum.points -= points
	}
	sum.luck += luck[0] - luck[1]
	if r >= bg.Gammon {
		sum.gammons[side]++
	}
	if r == bg.Backgammon {
		sum.backgammons[side]++
	}
}

// move has side play the roll of s and returns the position for its opponent.
func (t *table) move(ctx context.Context, s *bg.State, side int, sum *tally) (bg.Position, error) {
	t.plays = movegen.Plays(t.plays[:0], &s.Position, s.Dice)
	start := time.Now()
	m, err := t.players[side].Move(ctx, s, t.plays)
	sum.thinking[side] += time.Since(start)
	sum.moves[side]++
	if err == nil {
		result := s.Position.After(m)
		for i := range t.plays {
			if t.plays[i].Result == result {
				return result, nil
			}
		}
		err = illegal("move for %s", s.Dice)
	}
	if !errors.Is(err, ErrIllegal) {
		return bg.Position{}, err
	}
	t.violation(side, err, sum)
	return t.plays[0].Result, nil
}

// double offers the player on roll the cube. It reports whether the game ended by a pass.
func (t *table) double(ctx context.Context, s *bg.State, swap int, sum *tally) (over bool, err error) {
	if s.Rules.NoCube || s.Cube.Owner == bg.Opponent || s.Rules.MaxCube > 0 && s.Cube.Value >= s.Rules.MaxCube {
		return false, nil
	}
	side := s.Seat ^ swap
	offered, err := t.players[side].Double(ctx, s)
	if err != nil {
		if !errors.Is(err, ErrIllegal) {
			return false, err
		}
		t.violation(side, err, sum)
	}
	if !offered {
		return false, nil
	}
	s.Doubled = true
	answer, err := t.players[1-side].Answer(ctx, s)
	s.Doubled = false
	if err != nil {
		if !errors.Is(err, ErrIllegal) {
			return false, err
		}
		t.violation(1-side, err, sum)
	}
	if answer == Pass {
		return true, nil
	}
	s.Cube.Value *= 2
	s.Cube.Owner = bg.Opponent
	return false, nil
}

func (t *table) violation(side int, err error, sum *tally) {
	sum.illegal[side]++
	if sum.firstViolation == "" {
		sum.firstViolation = err.Error()
	}
}
