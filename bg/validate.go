package bg

import (
	"errors"
	"fmt"
)

// ErrState is wrapped by every error of [State.Validate] that is not about the position.
var ErrState = errors.New("illegal state")

// Validate reports why s cannot arise in a game, or nil if it can. It wraps [ErrPosition] or
// [ErrState].
func (s *State) Validate() error {
	if err := s.Position.Validate(); err != nil {
		return err
	}
	n := s.Rules.Variant.Checkers()
	if c := s.Position.OnRoll.Checkers(); c != n {
		return fmt.Errorf("%w: %d checkers for the player on roll, not %d", ErrPosition, c, n)
	}
	if c := s.Position.Opponent.Checkers(); c != n {
		return fmt.Errorf("%w: %d checkers for the opponent, not %d", ErrPosition, c, n)
	}
	if r, _ := s.Position.Result(); s.Doubled && r != Unfinished {
		return fmt.Errorf("%w: a double is offered, but the game is over", ErrState)
	}
	return s.validateMatch()
}

// validateMatch checks all of s but the position.
func (s *State) validateMatch() error {
	if s.Seat != 0 && s.Seat != 1 {
		return fmt.Errorf("%w: player %d is on roll, there are only 0 and 1", ErrState, s.Seat)
	}
	if s.Dice != (Dice{}) && (s.Dice[0] < 1 || s.Dice[0] > 6 || s.Dice[1] < 1 || s.Dice[1] > 6) {
		return fmt.Errorf("%w: the dice are %d and %d, want two from 1 to 6", ErrState, s.Dice[0], s.Dice[1])
	}
	if s.Status > Dropped {
		return fmt.Errorf("%w: status %d of the game, want 0 to %d", ErrState, s.Status, Dropped)
	}
	if s.Resigned > Backgammon {
		return fmt.Errorf("%w: a resignation of %d points is offered, at most 3 are possible", ErrState, s.Resigned)
	}
	if v := s.Cube.Value; v < 1 || v&(v-1) != 0 {
		return fmt.Errorf("%w: a cube of %d, want 1, 2, 4 and so on", ErrState, v)
	}
	if s.Cube.Owner > Opponent {
		return fmt.Errorf("%w: unknown owner %d of the cube", ErrState, s.Cube.Owner)
	}
	if err := s.Score.validate(s.Status); err != nil {
		return err
	}
	if s.Rules.MaxCube > 0 && s.Cube.Value > s.Rules.MaxCube {
		return fmt.Errorf("%w: a cube of %d, at most %d is allowed", ErrState, s.Cube.Value, s.Rules.MaxCube)
	}
	return s.validateOffers()
}

// validateOffers checks the double and the resignation.
func (s *State) validateOffers() error {
	if s.Beavers < 0 || s.Beavers > 0 && !s.Doubled {
		return fmt.Errorf("%w: %d beavers without an offered double", ErrState, s.Beavers)
	}
	if s.Doubled {
		if s.Status > Playing {
			return fmt.Errorf("%w: a double is offered in a game that is over", ErrState)
		}
		if s.Dice.Rolled() {
			return fmt.Errorf("%w: a double is offered after the dice have been rolled", ErrState)
		}
		if s.Score.Crawford {
			return fmt.Errorf("%w: a double is offered in the Crawford game", ErrState)
		}
		if s.Rules.NoCube {
			return fmt.Errorf("%w: a double is offered in a game without a cube", ErrState)
		}
		if s.Resigned != Unfinished {
			return fmt.Errorf("%w: a double and a resignation are offered at once", ErrState)
		}
		if s.Beavers > 0 && !s.Score.Money() {
			return fmt.Errorf("%w: a beaver in a match", ErrState)
		}
		if s.Cube.Owner == Opponent && s.Beavers == 0 {
			return fmt.Errorf("%w: the player on roll has doubled, but the cube is the opponent's", ErrState)
		}
		if s.Cube.Owner != Opponent && s.Beavers > 0 {
			return fmt.Errorf("%w: the double has been beavered, but the cube is not the opponent's", ErrState)
		}
	}
	return nil
}

func (s Score) validate(status Status) error {
	if s.Length < 0 || s.Length > maxMatchLength {
		return fmt.Errorf("%w: a match to %d points, at most %d are allowed", ErrState, s.Length, maxMatchLength)
	}
	if s.OnRoll < 0 || s.Opponent < 0 || s.OnRoll > maxPoints || s.Opponent > maxPoints {
		return fmt.Errorf("%w: the score %d-%d is out of range", ErrState, s.OnRoll, s.Opponent)
	}
	if s.Money() {
		if s.Crawford {
			return fmt.Errorf("%w: a Crawford game for money", ErrState)
		}
		return nil
	}
	if s.OnRoll >= s.Length || s.Opponent >= s.Length {
		if status == Playing || s.OnRoll > s.Length || s.Opponent > s.Length {
			return fmt.Errorf("%w: the score %d-%d ends a match to %d", ErrState, s.OnRoll, s.Opponent, s.Length)
		}
	}
	if mine, theirs := s.Away(); s.Crawford && mine != 1 && theirs != 1 {
		return fmt.Errorf("%w: a Crawford game at %d-%d in a match to %d, where nobody needs just one point", ErrState, s.OnRoll, s.Opponent, s.Length)
	}
	return nil
}

// maxPoints is the highest score that a Match ID can hold.
const maxPoints = 1<<15 - 1
