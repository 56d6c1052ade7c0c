package notation_test

import (
	"fmt"
	"strings"

	"kotra/bg"
	"kotra/bg/notation"
)

func Example() {
	s, format, err := notation.Parse("XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:4:0:7:10")
	if err != nil {
		panic(err)
	}
	fmt.Println(format, s.GNUID())
	fmt.Println(notation.OGID(s))
	// Output:
	// XGID 4HPwATDgc/ABMA:UYnlAEAAEAAE
	// OGID=11ccccchhhjjjjj:66666888dddddoo:W1N:13:B:R:2:4:7:0
}

func ExampleDraw() {
	s, err := notation.ParseXGID("XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:4:0:7:10", bg.Rules{})
	if err != nil {
		panic(err)
	}
	board := notation.Draw(s, notation.DrawOptions{Names: [2]string{"Ann", "Ben"}})
	for line := range strings.Lines(board) {
		fmt.Println(strings.TrimRight(line, " \n"))
	}
	// Output:
	//  GNU Backgammon  Position ID: 4HPwATDgc/ABMA
	//                  Match ID   : UYnlAEAAEAAE
	//  +13-14-15-16-17-18------19-20-21-22-23-24-+     O: Ann
	//  | X           O    |   | O              X |     4 points
	//  | X           O    |   | O              X |
	//  | X           O    |   | O                |
	//  | X                |   | O                |
	//  | X                |   | O                |
	// v|                  |BAR|                  |     7 points match
	//  | O                |   | X                |
	//  | O                |   | X                |
	//  | O           X    |   | X                |
	//  | O           X    |   | X              O |     Rolled 31
	//  | O           X    |   | X              O |     2 points
	//  +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: Ben (Cube: 2)
}

func ExampleParse_errors() {
	for _, text := range []string{
		"XGID=-b----F-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
		"4HPwATDgc/ABM",
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:5:10",
	} {
		_, _, err := notation.Parse(text)
		fmt.Println(err)
	}
	// Output:
	// illegal position: 16 checkers for the player on roll, at most 15 are allowed
	// a Position ID has 14 characters, not 13, at character 14 of "4HPwATDgc/ABM"
	// illegal state: a Crawford game at 0-0 in a match to 5, where nobody needs just one point
}

func ExampleNewFIBS() {
	s := bg.NewGame(bg.Rules{})
	s.Dice = bg.Dice{3, 1}
	fmt.Println(notation.NewFIBS(s, [2]string{"Ann", "Ben"}, notation.FIBSLayout))
	// Output: board:Ben:Ann:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1
}
