package report

import (
	"kotra/bg"
	"kotra/bg/notation"
)

// A Position describes a state, seen by the player on roll: the one who has offered it while
// a double or a resignation is open.
type Position struct {
	PositionID string  `json:"position_id"`
	MatchID    string  `json:"match_id"`
	XGID       string  `json:"xgid"`
	Board      [26]int `json:"board"` // as bg.Position.Board
	Pips       [2]int  `json:"pips"`  // player on roll, opponent
	Dice       *[2]int `json:"dice"`  // the larger first; nil if not rolled
	Cube       Cube    `json:"cube"`
	Match      Match   `json:"match"`
	Doubled    bool    `json:"doubled,omitempty"`  // the player on roll has offered a double
	Resigned   int     `json:"resigned,omitempty"` // points he has offered to resign
	Variant    string  `json:"variant,omitempty"`  // left out for backgammon
}

// A Cube is the doubling cube.
type Cube struct {
	Value int    `json:"value"`
	Owner string `json:"owner"` // center, player (on roll) or opponent
}

// A Match is the standing of a match and its rules.
type Match struct {
	Length   int    `json:"length"` // 0 is a money game
	Score    [2]int `json:"score"`  // player on roll, opponent
	Crawford bool   `json:"crawford"`
	Jacoby   bool   `json:"jacoby"`
	Beavers  int    `json:"beavers,omitempty"`
}

// NewPosition returns the description of s.
func NewPosition(s *bg.State) Position {
	p := Position{
		PositionID: s.Position.ID(),
		MatchID:    s.MatchID(),
		XGID:       notation.XGID(*s),
		Board:      s.Position.Board(),
		Pips:       [2]int{s.Position.OnRoll.Pips(), s.Position.Opponent.Pips()},
		Cube:       Cube{s.Cube.Value, ownerName(s.Cube.Owner)},
		Match: Match{
			Length:   s.Score.Length,
			Score:    [2]int{s.Score.OnRoll, s.Score.Opponent},
			Crawford: s.Score.Crawford,
			Jacoby:   s.Score.Money() && s.Rules.Jacoby,
			Beavers:  s.Rules.Beavers,
		},
		Doubled:  s.Doubled,
		Resigned: int(s.Resigned),
	}
	if s.Dice.Rolled() {
		p.Dice = diceOf(s.Dice)
	}
	if s.Rules.Variant != bg.Standard {
		p.Variant = s.Rules.Variant.String()
	}
	return p
}

func diceOf(d bg.Dice) *[2]int {
	d = d.Sorted()
	return &[2]int{int(d[0]), int(d[1])}
}

func ownerName(o bg.Owner) string {
	switch o {
	case bg.OnRoll:
		return "player"
	case bg.Opponent:
		return "opponent"
	}
	return "center"
}
