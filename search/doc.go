// Package search looks ahead: n-ply evaluation of positions, and ranked candidates of a checker
// play.
//
// The value of a position at n plies is the mean over the 21 rolls of the value, at n-1 plies,
// after the best reply; at 0 ply it is the evaluator's. Inside the tree the reply is chosen at 0
// ply; only the root looks at several candidates in full, as many as a [Filter] lets through.
//
// Start from a [Searcher]:
//
//	s := search.New(evaluator, search.Options{})
//	candidates, err := s.Rank(ctx, &pos, bg.Dice{3, 1}, info, 2)
package search
