// Package bgtest holds what the tests of all packages share: positions in one short line,
// scripted dice and fake evaluators. It imports bg alone.
package bgtest

import (
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	"kotra/bg"
)

// Position reads a position like "13:2 6:5 bar:1 | 20:3 bar:1": point:count of the player on
// roll, a bar, and point:count of the opponent, both seen by the player on roll. What is missing
// to 15 checkers a side is borne off. It fails the test if the position is illegal.
func Position(t testing.TB, text string) bg.Position {
	t.Helper()
	mine, theirs, ok := strings.Cut(text, "|")
	if !ok {
		t.Fatalf("bgtest: position %q has no bar between the sides", text)
	}
	var p bg.Position
	p.OnRoll = side(t, mine, func(point int) int { return point })
	p.Opponent = side(t, theirs, func(point int) int { return 25 - point })
	if err := p.Validate(); err != nil {
		t.Fatalf("bgtest: position %q: %v", text, err)
	}
	return p
}

func side(t testing.TB, text string, own func(point int) int) bg.Side {
	t.Helper()
	var s bg.Side
	off := 15
	for _, field := range strings.Fields(text) {
		place, count, _ := strings.Cut(field, ":")
		n, err := strconv.Atoi(count)
		point, err2 := strconv.Atoi(place)
		switch {
		case place == "bar":
			point = bg.Bar
		case err2 != nil || point < 1 || point > 24:
			t.Fatalf("bgtest: %q is not a point", field)
		default:
			point = own(point)
		}
		if err != nil || n < 1 {
			t.Fatalf("bgtest: %q has no count", field)
		}
		s[point] += uint8(n)
		off -= n
	}
	if off < 0 {
		t.Fatalf("bgtest: %q has more than 15 checkers", text)
	}
	s[bg.Off] = uint8(off)
	return s
}

// Dice returns a function that gives the rolls of text, such as "31 66", one after the other. It
// fails the test when they are used up, and at its end when they are not.
func Dice(t testing.TB, text string) func() bg.Dice {
	t.Helper()
	rest := strings.Fields(text)
	t.Cleanup(func() {
		if len(rest) > 0 && !t.Failed() {
			t.Errorf("bgtest: the rolls %v have not been used", rest)
		}
	})
	return func() bg.Dice {
		t.Helper()
		if len(rest) == 0 {
			t.Fatal("bgtest: no rolls left")
		}
		dice, err := bg.ParseDice(rest[0])
		if err != nil {
			t.Fatal(err)
		}
		rest = rest[1:]
		return dice
	}
}

// An Evaluator knows the positions it was told of, and fails the test on any other. It is safe
// for concurrent use.
type Evaluator struct {
	t     testing.TB
	known map[bg.Position]bg.Probs
	mu    sync.Mutex
	asked map[bg.Position]int
}

// NewEvaluator returns an evaluator of the given positions.
func NewEvaluator(t testing.TB, known map[bg.Position]bg.Probs) *Evaluator {
	return &Evaluator{t: t, known: known, asked: map[bg.Position]int{}}
}

// Evaluate returns the probabilities of pos.
func (e *Evaluator) Evaluate(pos *bg.Position) bg.Probs {
	p, ok := e.known[*pos]
	if !ok {
		e.t.Errorf("bgtest: evaluator asked for an unknown position: %v", pos.Board())
	}
	e.mu.Lock()
	e.asked[*pos]++
	e.mu.Unlock()
	return p
}

// Asked returns how often pos has been evaluated.
func (e *Evaluator) Asked(pos bg.Position) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.asked[pos]
}

// Constant evaluates every position alike, for the player on roll.
type Constant bg.Probs

// Evaluate returns c.
func (c Constant) Evaluate(*bg.Position) bg.Probs { return bg.Probs(c) }

// Pips evaluates unfinished positions by pip counts, blots and the number of checkers off; it is a
// weak player, but no two ordinary positions look alike to it. It knows the rules of gammons and
// finished games.
type Pips struct{}

// Evaluate returns probabilities that are ordered and between 0 and 1.
func (Pips) Evaluate(pos *bg.Position) bg.Probs {
	if r, won := pos.Result(); r != bg.Unfinished {
		return bg.Decided(r, won)
	}
	logistic := func(x float64) float32 { return float32(1 / (1 + math.Exp(-x))) }
	lead := worth(&pos.OnRoll) - worth(&pos.Opponent) + 8
	p := bg.Probs{Win: logistic(lead / 25)}
	if pos.Opponent[bg.Off] == 0 {
		p.WinGammon = p.Win * logistic(lead/25-2)
		p.WinBackgammon = p.WinGammon * logistic(lead/25-4)
	}
	if pos.OnRoll[bg.Off] == 0 {
		p.LoseGammon = (1 - p.Win) * logistic(-lead/25-2)
		p.LoseBackgammon = p.LoseGammon * logistic(-lead/25-4)
	}
	return p
}

func worth(s *bg.Side) float64 {
	x := -float64(s.Pips())
	for point := 1; point <= 24; point++ {
		switch {
		case s[point] == 1:
			x -= 1 + float64(25-point)/10
		case s[point] >= 2 && point <= 8:
			x += 2 + float64(point)/13
		}
		x -= float64(s[point]) * float64(s[point]) / 50
	}
	return x
}
