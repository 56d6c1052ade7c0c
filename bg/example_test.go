package bg_test

import (
	"fmt"

	"kotra/bg"
)

func Example() {
	p := bg.Start()
	m := bg.NewMove(p.Play(8, 5), p.Play(6, 5))
	next := p.Flip()
	fmt.Println(m)
	fmt.Println(next.ID())
	fmt.Println(next.OnRoll.Pips(), next.Opponent.Pips())
	// Output:
	// 8/5 6/5
	// sGfwATDgc/ABMA
	// 167 163
}

func ExampleParsePositionID() {
	p, err := bg.ParsePositionID("4HPwATDgc/ABMA")
	fmt.Println(p.OnRoll[13], err)
	_, err = bg.ParsePositionID("4HPwATDg8+ADYA")
	fmt.Println(err)
	// Output:
	// 5 <nil>
	// illegal position: Position ID "4HPwATDg8+ADYA" has 16 checkers for the player on roll, at most 15 are allowed
}

func ExampleParseGNUID() {
	s, err := bg.ParseGNUID("4HPwATDgc/ABMA:cAlvAAAAAAAE")
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Dice, s.Cube.Value, s.Score.Length, s.Seat)
	// Output: 63 1 3 1
}

func ExampleParseSteps() {
	steps, err := bg.ParseSteps("bar/20*, 13/11(2)")
	fmt.Println(bg.NewMove(steps...).FIBS(), err)
	_, err = bg.ParseSteps("24-20")
	fmt.Println(err)
	// Output:
	// 25/20* 13/11 13/11 <nil>
	// points are joined by a slash, not by a dash, which means off, at character 3 of "24-20"
}

func ExampleMove_String() {
	m := bg.NewMove(bg.Step{From: 25, To: 20, Hit: true}, bg.Step{From: 20, To: 14, Hit: true})
	fmt.Println(m)
	fmt.Println(m.FIBS())
	// Output:
	// bar/20*/14*
	// 25/20* 20/14*
}
