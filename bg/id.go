package bg

import (
	"encoding/base64"
	"fmt"
	"math/bits"
	"strings"
)

// Lengths of the IDs of GNU Backgammon, in characters.
const (
	positionIDLen = 14
	matchIDLen    = 12
)

// ID returns the GNU Position ID of p: 14 characters that hold the checkers in play of the
// opponent and of the player on roll.
//
// Written as bits, a place from the ace point to the bar is one 1 for each checker and then a
// 0; the opponent's 25 places come first. Bit i is bit i%8 of byte i/8, and the ten bytes are
// written in base64. Checkers borne off are what is missing. A position with more than 15
// checkers a side has no ID; ID then returns one of another position.
func (p Position) ID() string {
	var key [10]byte
	bit := 0
	for _, side := range [2]*Side{&p.Opponent, &p.OnRoll} {
		for _, c := range side[1:] {
			for range c {
				if bit < 8*len(key) {
					key[bit/8] |= 1 << (bit % 8)
				}
				bit++
			}
			bit++
		}
	}
	return base64.RawStdEncoding.EncodeToString(key[:])
}

// ParsePositionID reads a GNU Position ID of a game with 15 checkers a side.
//
// It wants all 14 characters. An ID of an illegal position gives an error that wraps
// [ErrPosition], other text a [*SyntaxError].
func ParsePositionID(text string) (Position, error) { return ParsePositionIDWith(text, 15) }

// ParsePositionIDWith reads a GNU Position ID of a game with n checkers a side: those that the
// ID does not show have been borne off.
func ParsePositionIDWith(text string, n int) (Position, error) {
	key, err := decodeID(text, "Position ID", positionIDLen)
	if err != nil {
		return Position{}, err
	}
	var places [50]int
	place, ones := 0, 0
	for bit := range 8 * len(key) {
		one := key[bit/8]>>(bit%8)&1 == 1
		switch {
		case one && place == len(places):
			return Position{}, fmt.Errorf("%w: Position ID %q has checkers beyond the bar of the player on roll", ErrPosition, text)
		case one:
			places[place]++
			ones++
		case place < len(places):
			place++
		}
	}
	var p Position
	for side, s := range [2]*Side{&p.Opponent, &p.OnRoll} {
		inPlay := 0
		for i, c := range places[25*side : 25*side+25] {
			s[i+1] = uint8(c)
			inPlay += c
		}
		if inPlay > n {
			return Position{}, fmt.Errorf("%w: Position ID %q has %d checkers for %s, at most %d are allowed",
				ErrPosition, text, inPlay, [2]string{"the opponent", "the player on roll"}[side], n)
		}
		s[Off] = uint8(n - inPlay)
	}
	if err := p.Validate(); err != nil {
		return Position{}, err
	}
	return p, nil
}

// MarshalText returns the Position ID of p. The error is that of [Position.Validate].
func (p Position) MarshalText() ([]byte, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return []byte(p.ID()), nil
}

// UnmarshalText reads a Position ID of a game with 15 checkers a side.
func (p *Position) UnmarshalText(text []byte) error {
	q, err := ParsePositionID(string(text))
	if err == nil {
		*p = q
	}
	return err
}

// Bits of the GNU Match ID: first bit and width of each field.
//
//	bits    field
//	0-3     log2 of the cube
//	4-5     owner of the cube: player 0 or 1, or 3 if centered
//	6       player on roll
//	7       Crawford game
//	8-10    status of the game
//	11      player whose decision it is
//	12      a double is offered
//	13-14   resignation offered: 0 none, 1 single game, 2 gammon, 3 backgammon
//	15-20   dice, the larger first, 0 not rolled
//	21-35   match length, 0 for money
//	36-50   points of player 0
//	51-65   points of player 1
//	66      0 if the Jacoby rule is set, 1 if not (without effect in matches, and usually 1)
var (
	bitsCube     = bitField{0, 4}
	bitsOwner    = bitField{4, 2}
	bitsOnRoll   = bitField{6, 1}
	bitsCrawford = bitField{7, 1}
	bitsStatus   = bitField{8, 3}
	bitsDecider  = bitField{11, 1}
	bitsDoubled  = bitField{12, 1}
	bitsResigned = bitField{13, 2}
	bitsDice     = [2]bitField{{15, 3}, {18, 3}}
	bitsLength   = bitField{21, 15}
	bitsPoints   = [2]bitField{{36, 15}, {51, 15}}
	bitsNoJacoby = bitField{66, 1}
)

type bitField struct{ first, width int }

func (f bitField) get(key []byte) int {
	v := 0
	for i := range f.width {
		bit := f.first + i
		v |= int(key[bit/8]>>(bit%8)&1) << i
	}
	return v
}

func (f bitField) put(key []byte, v int) {
	for i := range f.width {
		bit := f.first + i
		key[bit/8] |= byte(v>>i&1) << (bit % 8)
	}
}

const cubeCentered = 3 // in bitsOwner

// maxMatchLength is the longest match that GNU Backgammon plays and a Match ID may name.
const maxMatchLength = 64

// MatchID returns the GNU Match ID of s: 12 characters that hold all of s but the position,
// the rules other than Jacoby, and a cube above 32768.
func (s State) MatchID() string {
	key := make([]byte, 9)
	bitsCube.put(key, bits.Len(uint(s.Cube.Value))-1)
	switch s.Cube.Owner {
	case OnRoll:
		bitsOwner.put(key, s.Seat)
	case Opponent:
		bitsOwner.put(key, 1-s.Seat)
	default:
		bitsOwner.put(key, cubeCentered)
	}
	bitsOnRoll.put(key, s.Seat)
	bitsCrawford.put(key, boolInt(s.Score.Crawford))
	bitsStatus.put(key, int(s.Status))
	decider := s.Decider()
	if s.Status == Dropped {
		decider = 1 - s.Seat // he who has dropped, as GNU Backgammon leaves it
	}
	bitsDecider.put(key, decider)
	bitsDoubled.put(key, boolInt(s.Doubled))
	bitsResigned.put(key, int(s.Resigned))
	dice := s.Dice.Sorted()
	bitsDice[0].put(key, int(dice[0]))
	bitsDice[1].put(key, int(dice[1]))
	bitsLength.put(key, s.Score.Length)
	bitsPoints[s.Seat].put(key, s.Score.OnRoll)
	bitsPoints[1-s.Seat].put(key, s.Score.Opponent)
	bitsNoJacoby.put(key, boolInt(!s.Rules.Jacoby))
	return base64.RawStdEncoding.EncodeToString(key)
}

// GNUID returns the GNUBG ID of s: POSITIONID:MATCHID.
func (s State) GNUID() string { return s.Position.ID() + ":" + s.MatchID() }

// ParseGNUID reads a GNUBG ID, POSITIONID:MATCHID, of a game with 15 checkers a side.
//
// A blank may stand for the colon, and the IDs may be in the other order. The rules of the
// state are those that the Match ID stores: Jacoby in a money game.
func ParseGNUID(text string) (State, error) { return ParseGNUIDWith(text, Rules{}) }

// ParseGNUIDWith is like [ParseGNUID] for a game by the given rules, of which Jacoby is read
// from the Match ID.
func ParseGNUIDWith(text string, rules Rules) (State, error) {
	position, match, ok := strings.Cut(text, ":")
	if !ok {
		position, match, ok = strings.Cut(text, " ")
	}
	if !ok {
		return State{}, syntaxErrorf(text, len(text), "a GNUBG ID is a Position ID, a colon and a Match ID")
	}
	if len(position) == matchIDLen && len(match) == positionIDLen {
		position, match = match, position
	}
	s, err := ParseMatchID(match)
	if err != nil {
		return State{}, err
	}
	p, err := ParsePositionIDWith(position, rules.Variant.Checkers())
	if err != nil {
		return State{}, err
	}
	rules.Jacoby = s.Rules.Jacoby
	s.Position, s.Rules = p, rules
	return s, s.Validate()
}

// ParseMatchID reads a GNU Match ID. The position of the returned state is empty.
//
// What cannot be in a game is refused: a match longer than 64 points, a score beyond its
// length, a seventh side of a die, one die without the other, a Crawford game that the score
// rules out, or, while the game goes on, a decision that
// is not the player's whom the offers make it. In a match
// the Jacoby bit may be either.
func ParseMatchID(text string) (State, error) {
	key, err := decodeID(text, "Match ID", matchIDLen)
	if err != nil {
		return State{}, err
	}
	for bit := bitsNoJacoby.first + 1; bit < 8*len(key); bit++ {
		if key[bit/8]>>(bit%8)&1 == 1 {
			return State{}, syntaxErrorf(text, bit/6, "a Match ID ends with zero bits")
		}
	}
	seat := bitsOnRoll.get(key)
	s := State{
		Dice:     Dice{uint8(bitsDice[0].get(key)), uint8(bitsDice[1].get(key))},
		Cube:     Cube{Value: 1 << bitsCube.get(key)},
		Score:    Score{Length: bitsLength.get(key), OnRoll: bitsPoints[seat].get(key), Opponent: bitsPoints[1-seat].get(key), Crawford: bitsCrawford.get(key) == 1},
		Status:   Status(bitsStatus.get(key)),
		Doubled:  bitsDoubled.get(key) == 1,
		Resigned: Result(bitsResigned.get(key)),
		Seat:     seat,
	}
	s.Rules.Jacoby = bitsNoJacoby.get(key) == 0
	switch owner := bitsOwner.get(key); {
	case owner == seat:
		s.Cube.Owner = OnRoll
	case owner == 1-seat:
		s.Cube.Owner = Opponent
	case owner != cubeCentered:
		return State{}, syntaxErrorf(text, bitsOwner.first/6, "the owner of the cube is %d, want 0, 1 or 3", owner)
	}
	decider := bitsDecider.get(key)
	if s.Doubled && s.Cube.Owner == Opponent && s.Score.Money() {
		s.Beavers = 1 + boolInt(decider != s.Seat)
	}
	if err := s.validateMatch(); err != nil {
		return State{}, fmt.Errorf("the Match ID %q: %w", text, err)
	}
	if s.Status <= Playing && decider != s.Decider() {
		return State{}, fmt.Errorf("the Match ID %q: %w: the decision is given to player %d, but it is player %d's", text, ErrState, decider, s.Decider())
	}
	return s, nil
}

func decodeID(text, what string, n int) ([]byte, error) {
	for i := range len(text) {
		if c := text[i]; !isBase64(c) {
			return nil, syntaxErrorf(text, i, "%q is not a letter, a digit, + or / as in a %s", c, what)
		}
	}
	if len(text) != n {
		return nil, syntaxErrorf(text, min(n, len(text)), "a %s has %d characters, not %d", what, n, len(text))
	}
	key, err := base64.RawStdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, syntaxErrorf(text, n-1, "the last character of a %s holds only zeros in its low bits", what)
	}
	return key, nil
}

func isBase64(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/'
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
