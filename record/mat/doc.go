// Package mat reads and writes match texts (.mat, .txt), the format of JellyFish that nearly all
// backgammon programs and servers export.
//
//	5 point match
//
//	Game 1
//	Erin : 0                       Frank : 0
//	 1) 51: 13/8 24/23              52: 24/22 13/8
//	 2)  Doubles => 2                Takes
//	 3) 21: 6/4 4/3                 64: ????
//	     Wins 2 points
//
// # What the reader forgives
//
// A byte order mark, UTF-16, Windows-1252, CR LF and CR; tabs; columns that are shifted or
// separated by one blank; missing or misplaced hit marks; bar and off as words or numbers in any
// case; repeats such as 8/4(2); steps joined by dashes; dances written as nothing, Cannot Move,
// (no play), Fan, Dance or a dash; ???? for a roll that was not played; Illegal play with a Snowie
// position; Passes for Drops and Accepts for Takes; losses beside wins; header lines with and without
// semicolon; several matches in one file. Lines that mean nothing to it become warnings with
// their number.
//
// # What the writer emits
//
// The layout of GNU Backgammon, in UTF-8, with LF. What the format does not hold is lost: the
// Jacoby rule, analyses, set-up positions, and positions after illegal plays.
package mat
