// Package yardstick grades the checker plays and evaluations of an engine against rollouts.
//
// The embedded set holds 325 money decisions with every legal play; the serious ones, the
// candidates, were rolled out. Where they come from, and what they cannot tell, is written in
// README.md beside the data. The set is for grading only and must not be used in training.
//
// # Definitions
//
// For a decision let R(p) be the rollout equity of play p and R* the largest R among the
// candidates.
//
//   - The loss of a play is R* - R(p). A play outside the candidates loses
//     R* - R(g) + E(g) - E(p), at least 0, where g is the best play of GNU Backgammon at 2 plies
//     and E its 2-ply equity (1-ply where that is missing).
//   - The loss of a player is the mean over decisions. As R* is the largest of several noisy
//     numbers, every player's loss carries a small positive floor, the same for all.
//   - Against gnubg 2-ply is the mean of the player's loss minus the loss of gnubg 2-ply: it has
//     no such floor and a smaller standard error. Negative is better than gnubg 2-ply.
//   - The rms error is the root of the mean square of (equity - R) over all candidates; with the
//     mean squared standard error of the rollouts subtracted for "noise removed"; after taking off
//     the mean error of the decision for "within", which is what matters for choosing a play.
//
// # Cube decisions
//
// [CubeDev] holds 190 cube decisions with what GNU Backgammon says of them at 2 plies. Where a
// double is allowed,
//
//   - the double error is max(no double, min(double and take, double and pass)) minus the value of
//     what the player did;
//   - the take error is the value of his answer to a double minus min(double and take, double and
//     pass);
//   - the rms is the root of the mean square of the differences of his equities of not doubling and
//     of a double that is taken.
//
// Start from [Score], which needs nothing but a static evaluation, or from [Set.Grade] or
// [GradeCube].
package yardstick
