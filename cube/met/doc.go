// Package met holds match equity tables: the chance of winning a match at every score, and
// what follows from it for one game.
//
// Start from [KazarossXG2], the default [Table], and [Table.Outcomes], which gives the match
// winning chances after each result of a game with a cube of a given value:
//
//	o := met.KazarossXG2().Outcomes(bg.Score{Length: 7, OnRoll: 3, Opponent: 5}, 2, bg.Rules{})
//	o.Win[0]           // chance to win the match after winning 2 points
//	o.Equity(0.5)      // the equity (EMG) that is worth a chance of one half
//	o.GammonPrices()   // what gammons are worth at this score
//
// # Two measures
//
// A match winning chance, [MWC], runs from 0 to 1. The equity of a match game (EMG, normalized
// equity) is the same on the scale of a money game: +1 is a single win and -1 a single loss
// with the cube as it stands, and everything else is linear in between and beyond.
//
// # Beyond a table
//
// A table of n points is extended to [MaxAway] by a recursion that starts from its border. A
// game is even, and its winner gets 1, 2, 4 or 8 points with chances of .49, .25, .22 and .04:
//
//	M(i, j) = 1/2 Σ q(k) [M(i-k, j) + M(i, j-k)]
//
// The four chances were fitted by least squares to Kazaross-XG2 where both players are 8 to 25
// away and one of them at least 18: there the recursion misses no entry by more than 0.0005 and
// on average (rms) by 0.0002. When one player is 1 away there is no cube or the trailer has
// doubled, and the winner's points are 1 or, with a gammon rate of .30 (fitted likewise), 2
// cubes:
//
//	M(i, 1) = 1/2 [.70 P(i-1) + .30 P(i-2)]     the Crawford game
//	P(i)    = 1/2 [.70 P(i-2) + .30 P(i-4)]     after it
package met
