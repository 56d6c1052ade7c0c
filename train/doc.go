// Package train makes networks from nothing but games of the program against itself.
//
// Three stages follow each other, each resumable after a kill at any moment:
//
//   - [TD] learns from random parameters by TD(lambda): games are played by the current
//     network, and every position is moved towards what came after it.
//   - [Label] plays games with the best network so far and writes, for every position, the mean
//     over all rolls of the best reply, corrected by what the rest of the game showed with the
//     luck of the dice taken out. Labels are kept in shards, see [Record].
//   - [Fit] fits a network to shards by mini-batches: to the probabilities, and to what the moves of
//     a decision differ in.
//
// [Run] is the whole recipe: TD, then generations of Label and Fit, each new network accepted by
// a gate.
package train
