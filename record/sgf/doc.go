// Package sgf reads and writes matches in the Smart Game Format as GNU Backgammon uses it: one
// game tree for each game, White being player 0.
//
// Nodes hold one action each:
//
//	W[51mhxw], B[...]      dice, then pairs of letters from, to: a is White's ace point, x his 24
//	                       point, y the bar and z off; for Black a is his 24 point
//	W[double] W[take] W[drop]  a double while one is offered is a beaver
//	PL[W] DI[31]           dice without a move
//	AE[a:y] AW[f] AB[s]    a position set up by hand
//	CV[2] CP[c]            the cube set up by hand; also CO
//	A, DA, LU              analyses, which become the analysis of the action
//	C                      comment
//
// # What the reader forgives
//
// A byte order mark, text that is not UTF-8 (read as Latin-1), missing properties, variations, of
// which the first is taken, games of several matches in one file.
//
// # What the writer emits
//
// Properties that the reader does not know, and all analyses as they were, survive a round trip;
// [StripAnalysis] takes the latter away, so that new ones are written.
package sgf
