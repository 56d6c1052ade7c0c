// Package rollout estimates what a position is worth by playing it out many times.
//
// A trial is one game from the position on. Its result is corrected by the luck of its dice: on
// every turn the search's own evaluation of what the roll is worth, less the mean over the 21
// rolls, is taken off. The mean of what is taken off is zero whatever the evaluation is worth, so
// an estimate is as right as without it, but its standard error is several times smaller. The
// first three rolls are stratified: over 36 trials each first roll falls once, over 1296 each
// pair, over 46,656 each triple. All candidates meet the same dice.
//
// Start from [Run]:
//
//	candidates := rollout.Plays(plays)
//	result, err := rollout.Run(ctx, rollout.Config{
//		Settings:   rollout.Settings{Trials: 1296, Seed: 1},
//		Evaluator:  evaluator,
//		Info:       cube.InfoOf(&state, nil),
//		Candidates: candidates,
//	})
//
// # Luck
//
// Let f(position, roll) be a value of what a roll leads to, here the evaluation of the reply that
// looks best. With the roll r that falls, f(position, r) - mean f(position, .) has the mean zero,
// for any f that does not know which roll falls. So f may be cheap. Ours rates the replies to each
// roll by [eval.Near], which takes the upper layers of the network as linear near the position, and
// evaluates only the best few of them, and those that end contact. Where a smaller network rates, it
// also chooses among these, and the larger ones evaluate its choice; the move that is played they choose
// among all replies of the roll that falls. Where the game is played at n plies, the replies are
// evaluated at n-1 plies.
//
// The same is done for each of the five probabilities and for the cubeful value, where f counts
// what the opponent's cube is worth to him after the roll.
//
// # Endings
//
// A trial ends when the game is over, when a double is passed, when a bearoff table knows the
// rest, or at a given number of turns, where the position is evaluated.
package rollout
