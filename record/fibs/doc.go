// Package fibs reads logs of matches on FIBS, the First Internet Backgammon Server: what its
// command oldmoves prints, and what a client without an interface of its own shows of a running
// match.
//
//	Score is 0-0 in a 5 point match.
//	ann is X - ben is O
//	X: (6 1) 13-7 8-7
//	O: (5 2) 24-22 13-8
//	X: doubles
//	O: accepts
//
//	ann rolls 6 and 1.
//	ann moves 13-7 8-7 .
//	ben doubles. Type 'accept' or 'reject'.
//	You accept the double. The cube shows 2.
//
// FIBS numbers the points of one player from the other side in some messages; the reader finds out
// which numbering makes the plays of a player legal. Lines that are not about the match, such as
// talk, are passed over. The texts were not checked against a server.
package fibs
