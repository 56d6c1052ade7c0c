//go:build unix

package search_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"kotra/bg"
	"kotra/cube"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/eval/features"
	"kotra/internal/yardstick"
	"kotra/nn"
	"kotra/search"
	"kotra/weights"
)

// engine returns the embedded network as an evaluator and as a pruner.
func engine(b *testing.B) (eval.Evaluator, *eval.Linear) {
	b.Helper()
	net, err := weights.Load("")
	if err != nil {
		b.Fatal(err)
	}
	return eval.New(eval.NewNetwork(net), eval.WithBearoff(bearoff.Default())), eval.NewLinear(net)
}

// large returns a random network of the shape that is to be shipped.
func large(*testing.B) (eval.Evaluator, *eval.Linear) {
	net := nn.New(nn.Shape{Width: 512, Hidden: []int{32, 32}, Buckets: features.Buckets}, 1).Quantize()
	return eval.New(eval.NewNetwork(net), eval.WithBearoff(bearoff.Default())), eval.NewLinear(net)
}

// cpu returns the processor time that the process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var benchInfo = cube.Info{Cube: bg.Cube{Value: 1}, Rules: bg.Rules{Jacoby: true}}

func BenchmarkRank(b *testing.B) {
	mix := yardstick.Mix()[:100]
	for _, net := range []struct {
		name string
		make func(*testing.B) (eval.Evaluator, *eval.Linear)
	}{{"default", engine}, {"512-32-32", large}} {
		e, pruner := net.make(b)
		for _, o := range []struct {
			name string
			search.Options
		}{
			{"full", search.Options{Threads: 1}},
			{"pruned", search.Options{Threads: 1, Pruner: pruner}},
		} {
			for ply := range 3 {
				b.Run(fmt.Sprintf("%s/%s/%dply", net.name, o.name, ply), func(b *testing.B) {
					s := search.New(e, o.Options)
					start := cpu()
					for b.Loop() {
						for i := range mix {
							s.Reset()
							if _, err := s.Best(context.Background(), &mix[i].Position, mix[i].Dice, benchInfo, ply); err != nil {
								b.Fatal(err)
							}
						}
					}
					b.ReportMetric((cpu()-start).Seconds()*1000/float64(b.N*len(mix)), "cpu-ms/decision")
				})
			}
		}
	}
}

// BenchmarkCube is to be compared with BenchmarkRank/default/pruned: a cube action takes less than twice
// the time of a checker play.
func BenchmarkCube(b *testing.B) {
	e, pruner := engine(b)
	mix := yardstick.Mix()[:100]
	match := cube.Info{Cube: bg.Cube{Value: 1}, Score: bg.Score{Length: 11}}
	for _, game := range []struct {
		name string
		info cube.Info
	}{{"money", benchInfo}, {"match", match}} {
		for ply := range 3 {
			b.Run(fmt.Sprintf("%s/%dply", game.name, ply), func(b *testing.B) {
				s := search.New(e, search.Options{Threads: 1, Pruner: pruner})
				start := cpu()
				for b.Loop() {
					for i := range mix {
						s.Reset()
						if _, _, err := s.Cube(context.Background(), &mix[i].Position, game.info, ply); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric((cpu()-start).Seconds()*1000/float64(b.N*len(mix)), "cpu-ms/decision")
			})
		}
	}
}
