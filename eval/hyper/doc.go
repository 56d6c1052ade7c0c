// Package hyper knows Hypergammon exactly: the game with three checkers a side is solved.
//
// A [Table] has every pair of positions of the two sides, 3276 each: for the player on roll the
// chances of how the game ends if nobody doubles, and the equities for money with the cube. [Build]
// makes it in a few minutes of processor time, and it is kept in a file of 193 MB, which is mapped into
// memory:
//
//	table, err := hyper.Open("hypergammon.khg")
//	values, ok := table.Lookup(&pos)
//
// # How it is solved
//
// Pairs are visited in shells, by the greater pip count of both sides. A move that does not hit leads to
// a pair that has been visited, so what is left to repeat is what comes from hits. Sweeps over all pairs go on until no
// value changes by more than 0.00001.
//
// The chances are those of two players who play for the best cubeless equity for money, gammons
// and backgammons counted.
package hyper
