// Package cube knows the theory of the doubling cube: what a position is worth with the cube
// when its probabilities are known, for money and at every score of a match, and what follows
// for doubling, taking and resigning. It does no search.
//
// Start from [Info], everything about the game that is not on the board, and [Static], which
// turns the probabilities of a position into a [Decision]:
//
//	info := cube.Info{Cube: bg.Cube{Value: 1}, Rules: bg.Rules{Jacoby: true}}
//	d := cube.Static(&p, info, cube.MoneyEfficiency().Contact)
//	fmt.Println(d) // "Double, take"
//
// A search carries the cube through its tree. It makes a [Game] of the Info once, takes the
// [State] of the cube along (its methods [State.Flip] after a move and [State.Double] after a
// take), fills a [Leaf] at each leaf and asks it for the value of every state it needs. Inside
// the tree a position is worth the mean over rolls of the best move, and
//
//	max(no double, min(double and take, double and pass))
//
// to a player on roll who may double. Values are in one unit throughout, see [Value]. At the
// root [Game.Decide] makes a Decision of the values found.
//
// # The theory
//
// A position of a game is its winning chance p with mean payoffs W of games won and L of games
// lost, made of the shares of gammons and backgammons, which are held fixed. If the cube is
// dead, the value is linear in p. If it is fully live, players double at the very point where
// the opponent may just take or pass; the value is linear between these points. Real cubes are
// between: the value is x live + (1 - x) dead with an efficiency x. That is the general model of
// Rick Janowski, "Take-Points in Money Games", 1993,
// https://bkgm.com/articles/Janowski/cubeformulae.pdf. With W and L positive and a cube of 1
// his points and equities for money are
//
//	take point  (L - 1/2) / (W + L + x/2)      cash point  (L + 1/2 + x/2) / (W + L + x/2)
//	own cube    p (W + L + x/2) - L            opponent's  p (W + L + x/2) - L - x/2
//
// For a match the same construction is carried out in match winning chances. Let S(n) and s(n)
// be the values of a single win and loss with the cube at level n, W(n) and L(n) the means with
// gammons, t(n) the winning chance at which we may just take the opponent's double from level n
// and c(n) the one at which he may just take ours:
//
//	c(n) is where the line from (t(n+1), s(n+1)) to (1, W(n+1)) reaches S(n)
//	t(n) is where the line from (0, L(n+1)) to (c(n+1), S(n+1)) reaches s(n)
//
// from the highest useful cube down. A cube that is enough to win the match is dead for its
// owner: the opponent's line then begins at (0, L), his at (1, W). The live value at level n
// runs from (0, L(n)) through (t(n), s(n)) if the opponent may double, through (c(n), S(n)) if
// the player on roll may, to (1, W(n)); so beyond the cash point a position is too good to
// double as far as its gammons are worth it. A double that would give away more than it wins at
// its own point, because gammons already win the match, is left out of the line.
//
// Three rules change this. With the Jacoby rule and a centered cube W and L of that level are
// those of single games. A cap on the cube ends the recursion. And where a lost game costs a
// player the same at the doubled cube however it is lost, he doubles at his first turn, in the
// dead model as well: this makes a trailer's cube after the Crawford game, and the recube of a
// player whose opponent is within the cube's value of the match, come out right; see
// [Leaf.Dead]. Without it a leader's doubles at 2-away are overrated by far.
package cube
