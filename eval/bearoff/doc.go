// Package bearoff holds tables of endings without contact, computed exactly.
//
// A [OneSided] knows for each position of one side how many rolls it takes to bear off all its
// checkers, and the first one. Two of those distributions give the chances of a race. The table
// of 15 checkers on 6 points, every position of a home board, is embedded: [Default].
//
//	p, ok := bearoff.Default().Lookup(&pos)
//
// A [TwoSided] knows for each pair of positions the equity with and without the cube, for money.
// It needs no assumption about how the other side plays, but grows with the square of the number
// of positions: 6 checkers on 6 points are the usual size.
//
// Both are built by this package for any size, from the rules alone.
package bearoff
