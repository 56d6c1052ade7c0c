// Package kotra is the engine as one object: it evaluates positions, ranks the plays of a roll
// and decides about the cube.
//
//	engine, err := kotra.New(kotra.Options{Ply: 2})
//	...
//	state := bg.NewGame(bg.Rules{})
//	state.Dice = bg.Dice{3, 1}
//	candidates, err := engine.RankMoves(ctx, state)
//	fmt.Println(candidates[0].Play.Move.String()) // 8/5 6/5
//
// The parts stand in packages of their own: values and notations in kotra/bg, the rules of
// moving in kotra/movegen, probabilities in kotra/eval, the cube in kotra/cube, lookahead in
// kotra/search.
package kotra
