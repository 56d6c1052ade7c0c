package kotra

import (
	"context"

	"kotra/bg"
	"kotra/cube"
	"kotra/cube/met"
	"kotra/eval"
)

// A BeaverAnswer is the decision about a cube that has been turned on at once, a beaver or a
// raccoon, seen by the player who has to answer. Equities are in units of the cube before it was
// turned last.
type BeaverAnswer struct {
	Action cube.Action // cube.Take, cube.Pass or cube.Raccoon, which stands for any further turn
	Take   bg.Equity
	Pass   bg.Equity
	Turn   *bg.Equity // of turning the cube once more; nil if the rules forbid it
	Evaluation
}

// AnswerBeaver returns the right answer where [bg.State.Beavers] is not 0: to take, to pass, which
// loses the cube before its last turn, or to turn it once more. The evaluation in the answer is
// for the cube after its last turn. It is an error if the dice have been rolled or the game is
// over, and it panics if the cube has not been turned at once. When ctx is done it returns the
// answer at 0 ply with the context's error.
func (e *Engine) AnswerBeaver(ctx context.Context, s bg.State) (BeaverAnswer, error) {
	if s.Beavers == 0 {
		panic("kotra: the cube has not been turned at once")
	}
	if err := checkUnfinished(&s); err != nil {
		return BeaverAnswer{}, err
	}
	if s.Dice.Rolled() {
		return BeaverAnswer{}, ErrRolled
	}
	turned := s
	turned.Doubled, turned.Beavers = false, 0
	turned.Cube.Value *= 2
	searcher, err := e.SearcherFor(ctx, &turned)
	if err != nil {
		return BeaverAnswer{}, err
	}
	v, err := searcher.Evaluate(ctx, &s.Position, e.Info(&turned), e.options.CubePly)
	a := BeaverAnswer{Pass: -1, Evaluation: e.evaluation(&turned, &v)}
	if s.Decider() != s.Seat {
		a.flip()
	}
	a.Take = 2 * a.Cubeful
	game := cube.New(e.Info(&s))
	a.Action = game.AnswerBeaver(s.Beavers, a.Take)
	if game.CanBeaver(s.Beavers) {
		twice := 2 * a.Take
		a.Turn = &twice
	}
	return a, err
}

// CubePoints are the winning chances at which the cube actions of a position change, and what
// gammons are worth with the cube as it is.
type CubePoints struct {
	Efficiency          float64     // of the class of the position
	Dead, Cubeful, Live cube.Window // for an efficiency of 0, that of the class, and 1
	Gammons             met.GammonPrices
}

// CubePoints returns the winning chances, seen by the player on roll in s, at which the cube
// actions would change if gammons kept the shares they have in p, the chances of the position.
func (e *Engine) CubePoints(s bg.State, p bg.Probs) CubePoints {
	game := cube.New(e.Info(&s))
	state := game.State()
	var leaf cube.Leaf
	leaf.Set(&p, state)
	info := e.Info(&s)
	x := e.searcher.Efficiency(&info, eval.Classify(&s.Position), s.Position.OnRoll.Pips())
	return CubePoints{
		Efficiency: x,
		Dead:       leaf.Window(state, 0), Cubeful: leaf.Window(state, x), Live: leaf.Window(state, 1),
		Gammons: game.GammonPrices(),
	}
}
