package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"kotra/bg"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/internal/bgtest"
	"kotra/movegen"
	"kotra/nn"
	"kotra/search"
)

// A decision is a position with a roll.
type decision struct {
	pos  bg.Position
	dice bg.Dice
}

// decisions returns n decisions taken at random from games that e plays with itself at 0 ply, one
// from each game.
func decisions(e eval.Evaluator, seed uint64, n int) []decision {
	s := search.New(e, search.Options{Threads: 1})
	rng := rand.New(rand.NewPCG(seed, 2))
	var all []decision
	for range n {
		var game []decision
		pos := bg.Start()
		for {
			if r, _ := pos.Result(); r != bg.Unfinished {
				break
			}
			dice := randomDice(rng)
			game = append(game, decision{pos, dice})
			play, _ := s.Best(context.Background(), &pos, dice, money, 0)
			pos = play.Result
		}
		all = append(all, game[rng.IntN(len(game))])
	}
	return all
}

func randomNetwork() eval.Evaluator {
	net := nn.New(nn.Shape{Width: 512, Hidden: []int{32, 32}, Buckets: 4}, 1)
	return eval.New(eval.NewNetwork(net.Quantize()), eval.WithBearoff(bearoff.Default()))
}

func BenchmarkRank(b *testing.B) {
	net := randomNetwork()
	mix := decisions(bgtest.Pips{}, 1, 100)
	for ply := range 3 {
		b.Run(fmt.Sprintf("%dply", ply), func(b *testing.B) {
			s := search.New(net, search.Options{Threads: 1})
			for b.Loop() {
				for i := range mix {
					s.Reset()
					if _, err := s.Best(context.Background(), &mix[i].pos, mix[i].dice, money, ply); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N*len(mix)), "ms/decision")
		})
	}
}

func BenchmarkStatic(b *testing.B) {
	net := randomNetwork()
	mix := decisions(bgtest.Pips{}, 1, 100)
	for b.Loop() {
		for i := range mix {
			net.Evaluate(&mix[i].pos)
		}
	}
	b.ReportMetric(float64(b.N*len(mix))/b.Elapsed().Seconds(), "positions/s")
}

func BenchmarkPlays(b *testing.B) {
	mix := decisions(bgtest.Pips{}, 1, 100)
	n := 0
	var buf []bg.Position
	for b.Loop() {
		n = 0
		for i := range mix {
			buf = movegen.Results(buf[:0], &mix[i].pos, mix[i].dice)
			n += len(buf)
		}
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "plays/s")
}
