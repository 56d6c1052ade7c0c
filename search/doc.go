// Package search looks ahead: n-ply evaluation of positions, ranked candidates of a checker play,
// and cube decisions.
//
// The value of a position at n plies is the mean over the 21 rolls of the value, at n-1 plies,
// after the best reply; at 0 ply it is the evaluator's. Inside the tree the reply is chosen at 0
// ply; only the root looks at several candidates in full, as many as a [Filter] lets through.
//
// Start from a [Searcher]:
//
//	s := search.New(evaluator, search.Options{})
//	info := cube.Info{Cube: bg.Cube{Value: 1}}
//	candidates, err := s.Rank(ctx, &pos, bg.Dice{3, 1}, info, 2)
//
// # The cube
//
// The tree carries every state the cube can be in: for money the three owners, for a match also
// each value up to the last double that is of use. At a leaf package cube gives the value of each
// state; at a node a player who may double has the better of not doubling and of what his
// opponent leaves him, the lesser of a take and a pass.
//
// # Speed
//
// Most of the work is the choice of replies. A linear approximation of the network near the position
// ([eval.Linear]) puts them in order for all 21 rolls; the network looks at the first few alone, and
// at those that end the contact. It may be a smaller network than that which evaluates: who chooses the
// replies matters less than who judges the leaves. In contact decisions of the development set the equities at 2 plies
// are off by 0.0017, root mean square, from those of the full search; in races, where a few more are
// looked at, by 0.0003. Races in which the player to move is likely to lose a gammon are searched in full.
//
// Evaluations are kept in caches that the goroutines of a call share without locks; calls at the same
// time have caches of their own. What is kept depends on nothing but its key, so answers depend neither on
// the caches nor on the number of threads. The goroutines that help in a call watch for work instead of
// sleeping, for 50 µs at most, and end as long after the last call.
package search
