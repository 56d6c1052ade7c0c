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
	"kotra/eval"
	"kotra/internal/yardstick"
)

// groups are the parts of the mix that are measured apart.
var groups = []struct {
	name string
	has  func(eval.Class) bool
}{
	{"mix", func(eval.Class) bool { return true }},
	{"contact", func(c eval.Class) bool { return c == eval.Contact || c == eval.Crashed }},
	{"race", func(c eval.Class) bool { return c == eval.Race }},
	{"bearoff", func(c eval.Class) bool { return c == eval.Bearoff }},
}

// states returns 100 decisions of a group of the mix as states.
func states(has func(eval.Class) bool, withDice bool) []bg.State {
	var of []yardstick.Sample
	for _, s := range yardstick.Mix() {
		if has(eval.Classify(&s.Position)) {
			of = append(of, s)
		}
	}
	var all []bg.State
	for i := 0; i < len(of); i += max(1, len(of)/100) {
		s := of[i]
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

// BenchmarkCheckerPlay has names such as 2-ply/race, so that a profile can be taken of one group with
// -bench CheckerPlay/2-ply/race -cpuprofile cpu.out.
func BenchmarkCheckerPlay(b *testing.B) {
	for _, ply := range []int{0, 1, 2} {
		for _, g := range groups {
			b.Run(fmt.Sprintf("%d-ply/%s", ply, g.name), func(b *testing.B) {
				engine, err := kotra.New(kotra.Options{Ply: ply, Threads: 1, Cubeless: true})
				require.NoError(b, err)
				all := states(g.has, true)
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
}

func BenchmarkEvaluate(b *testing.B) {
	for _, g := range groups {
		b.Run(g.name, func(b *testing.B) {
			engine, err := kotra.New(kotra.Options{Threads: 1})
			require.NoError(b, err)
			e, all := engine.Evaluator(), states(g.has, false)
			i := 0
			for b.Loop() {
				e.Evaluate(&all[i%len(all)].Position)
				i++
			}
		})
	}
}

func BenchmarkCubeAction(b *testing.B) {
	engine, err := kotra.New(kotra.Options{Ply: 2, CubePly: 2, Threads: 1})
	require.NoError(b, err)
	all := states(groups[0].has, false)
	i := 0
	for b.Loop() {
		engine.Searcher().Reset()
		_, err := engine.CubeAction(context.Background(), all[i%len(all)])
		require.NoError(b, err)
		i++
	}
}
