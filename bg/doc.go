// Package bg holds the values of backgammon: positions, dice, moves, the cube, scores,
// rules and probabilities, each small, comparable and free of strength.
//
// Start from [Position], the checkers as the player on roll sees them, and [State], a
// position together with everything else that a decision needs.
//
// # View
//
// A Position is always seen by the player on roll, before the roll. Each [Side] is numbered
// from its owner's view: 24 is furthest, 1 the last point before bearing off, [Bar] is 25 and
// [Off] is 0. The opponent's point q is the player's own point 25-q.
package bg
