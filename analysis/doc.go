// Package analysis finds out what the decisions and the rolls of a match were worth.
//
// [Decisions] lists the decisions of a recorded match without judging them; [Analyzer.Match]
// judges them with a searcher and sums them up.
//
// # Definitions
//
//   - The loss of a checker play is the equity of the best play minus that of the play made, both
//     at the same depth. The loss of a cube decision is the equity with the right action minus that
//     with the action taken, the opponent answering rightly. Losses are in EMG, the equity of a money
//     game for a cube of 1, and beside that in match winning chances (MWC), or for money in points.
//   - A checker play is unforced if the roll has several plays with different results.
//   - A cube decision is counted wherever a player had a cube that was of use to him before his
//     roll, except before the first roll of a game, and wherever he had to answer a double. It is
//     close if doubling would lose less than 0.16; what counts for error rates are close decisions
//     and actual doubles and answers, as in GNU Backgammon. (That the counts are the same was
//     checked on ten matches with its statistics.) Beavers and answers to them are judged, in units
//     of the cube before its last turn, but stand apart from the error rates.
//   - Marks: doubtful from a loss of 0.03 on, bad from 0.06, very bad from 0.12; a roll is lucky
//     from 0.3 on and very lucky from 0.6. These are the defaults of GNU Backgammon 1.07.
//   - The error rate of checker plays is their loss divided by the unforced plays, that of cube
//     decisions their loss divided by the close or actual ones, and the overall one the sum of
//     losses divided by the sum of both; in thousandths (mEMG), as in GNU Backgammon.
//   - The Snowie error rate is the sum of losses divided by all checker plays of both players, in
//     thousandths.
//   - The PR, performance rating of eXtreme Gammon, is the sum of losses divided by the decisions
//     that could matter, times 500: unforced plays whose worst candidate loses at least 0.001, and
//     close or actual cube decisions.
//   - The luck of a roll is the equity of the best play with it minus the mean over all 21 rolls by
//     their weights, at 0 ply. Before the first roll of a game the mean is over the 15 rolls that
//     are no doubles, by either player.
//   - The luck-adjusted result is the result minus a player's luck plus his opponent's.
//   - Rating bands are those of GNU Backgammon's manual for the overall error rate; see [Rating].
package analysis
