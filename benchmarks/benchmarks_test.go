// Package benchmarks measures what crosses packages: whole decisions on the mix of positions of
// kotra bench, with the embedded weights.
//
//	go test -run '^$' -bench . -count 10 ./benchmarks | tee new.txt
//	go tool -modfile=tools/go.mod benchstat old.txt new.txt
package benchmarks

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"kotra"
	"kotra/bg"
	"kotra/internal/yardstick"
)

// states returns the decisions of the mix as states, every so many.
func states(every int, withDice bool) []bg.State {
	var all []bg.State
	for i, s := range yardstick.Mix() {
		if i%every != 0 {
			continue
		}
		state := bg.NewGame(bg.Rules{})
		state.Position = s.Position
		if withDice {
			state.Dice = s.Dice
		}
		if state.Validate() == nil {
			all = append(all, state)
		}
	}
	return all
}

func BenchmarkCheckerPlay(b *testing.B) {
	for _, ply := range []int{0, 1, 2} {
		b.Run(fmt.Sprintf("%d-ply", ply), func(b *testing.B) {
			engine, err := kotra.New(kotra.Options{Ply: ply, Threads: 1, Cubeless: true})
			require.NoError(b, err)
			all := states(20, true)
			i := 0
			for b.Loop() {
				engine.Searcher().Reset()
				_, err := engine.RankMoves(context.Background(), all[i%len(all)])
				require.NoError(b, err)
				i++
			}
		})
	}
}

func BenchmarkCubeAction(b *testing.B) {
	engine, err := kotra.New(kotra.Options{Ply: 2, CubePly: 2, Threads: 1})
	require.NoError(b, err)
	all := states(20, false)
	i := 0
	for b.Loop() {
		engine.Searcher().Reset()
		_, err := engine.CubeAction(context.Background(), all[i%len(all)])
		require.NoError(b, err)
		i++
	}
}
