package bg

// An Owner says who may turn the cube, from the view of the player on roll.
type Owner uint8

// The owners of a cube.
const (
	Centered Owner = iota
	OnRoll
	Opponent
)

// Flip returns o seen by the other player.
func (o Owner) Flip() Owner {
	switch o {
	case OnRoll:
		return Opponent
	case Opponent:
		return OnRoll
	}
	return Centered
}

// A Cube is the doubling cube. A centered cube has the value 1, or more after automatic doubles.
type Cube struct {
	Value int // 1, 2, 4, ...
	Owner Owner
}

// A Score is the standing of a match, from the view of the player on roll. The zero value is
// a money game.
type Score struct {
	Length           int // points needed to win the match; 0 is a money game
	OnRoll, Opponent int // points won so far
	Crawford         bool
}

// Money reports whether s is a money game.
func (s Score) Money() bool { return s.Length == 0 }

// Away returns the points that each player still needs, 0 or less when he has won.
func (s Score) Away() (onRoll, opponent int) { return s.Length - s.OnRoll, s.Length - s.Opponent }

// PostCrawford reports whether the Crawford game of the match has been played.
func (s Score) PostCrawford() bool {
	mine, theirs := s.Away()
	return !s.Money() && !s.Crawford && (mine == 1 || theirs == 1)
}

// Flip returns s seen by the other player.
func (s Score) Flip() Score {
	s.OnRoll, s.Opponent = s.Opponent, s.OnRoll
	return s
}

// Rules are the options of the game. The zero value is a game for money with an unlimited
// cube, without the Jacoby rule and without beavers.
type Rules struct {
	Jacoby           bool // money: gammons count only once the cube has been turned
	Beavers          int  // money: how often in a row a cube may be redoubled at once; 3 or more is no limit
	AutomaticDoubles int  // money: how many equal opening rolls double the cube
	MaxCube          int  // highest value of the cube; 0 is no limit
	NoCube           bool // play without a cube
	NoCrawford       bool // matches without the Crawford rule
	DoubleBackgammon bool // a backgammon counts 2, not 3
	Variant          Variant
}

// A Status says how far a game has come.
type Status uint8

// The statuses of a game, numbered as in the GNU Match ID.
const (
	NotStarted Status = iota
	Playing
	Over
	Resigned
	Dropped
)

// A State is a position with everything else that a decision needs.
//
// Position, Cube and Score are seen by the player on roll, who keeps the roll while he has
// offered a double or a resignation; then the decision is his opponent's.
type State struct {
	Position Position
	Dice     Dice // zero: not rolled
	Cube     Cube // still with the old value and owner while a double is offered
	Score    Score
	Rules    Rules
	Status   Status
	Doubled  bool // the player on roll has offered a double
	// Beavers is how often the offered double has been turned on at once: 1 by the opponent's
	// beaver, 2 by the raccoon of the player on roll, and so on. The cube is then the
	// opponent's and has the value before the last turn of it.
	Beavers  int
	Resigned Result // the player on roll has offered to resign that much
	// Seat is the number of the player on roll, 0 or 1: 1 is drawn at the bottom and as X.
	Seat int
}

// Decider returns the number of the player whose decision it is.
func (s *State) Decider() int {
	if s.Doubled && s.Beavers%2 == 0 || s.Resigned != Unfinished {
		return 1 - s.Seat
	}
	return s.Seat
}

// NewGame returns the state at the start of a money game, nothing rolled, with the player at
// the bottom to act.
func NewGame(rules Rules) State {
	return State{
		Position: rules.Variant.Start(),
		Cube:     Cube{Value: 1},
		Rules:    rules,
		Status:   Playing,
		Seat:     1,
	}
}

// Points returns what a game that ends with r is worth to its winner by the cube and the rules
// of s. Points beyond the length of a match are counted too.
func (s *State) Points(r Result) int {
	n := int(r)
	switch {
	case r > Single && s.Score.Money() && s.Rules.Jacoby && s.Cube.Owner == Centered:
		n = int(Single)
	case r == Backgammon && s.Rules.DoubleBackgammon:
		n = int(Gammon)
	}
	return n * s.Cube.Value
}
