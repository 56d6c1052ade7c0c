// Package duel is the arbiter of games between two players: it throws the dice, enforces the
// rules, keeps the score and says how sure the result is.
//
// # Duplicate dice
//
// Games come in pairs. Both games of a pair use the same dice, and the players change seats
// between them, so that most of what the dice decide cancels. The mean of a pair is one
// observation; standard errors are taken over pairs.
//
// # Luck
//
// With an evaluator V in [Config.Luck] the luck of every roll is taken off the result: what V
// thinks of the best play of the roll, minus the mean of that over all rolls. The mean of this
// correction is zero whatever V believes and however the players play, so that the adjusted
// result estimates the same thing with a much smaller error.
//
// # Reproducibility
//
// The dice of pair i come from the stream (seed, i) and results are summed in the order of the
// pairs, so that a result does not depend on the number of workers.
package duel
