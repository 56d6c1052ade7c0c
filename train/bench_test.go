package train

import (
	"testing"

	"kotra/nn"
)

func BenchmarkSelfPlay(b *testing.B) {
	p := newPlayer(nil, nn.New(nn.Shape{Width: 128, Buckets: 4}, 1))
	o := TDOptions{Lambda: 0.6}
	game, positions := int64(0), 0
	var samples []nn.Sample
	for b.Loop() {
		samples = p.tdGame(samples[:0], stream(1, game), &o)
		positions += len(samples)
		game++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(positions)/float64(b.N), "positions/game")
}

func BenchmarkLabel(b *testing.B) {
	for name, prune := range map[string]*nn.Network{"whole": nil, "pruned": nn.New(nn.Shape{Width: 128, Buckets: 4}, 1)} {
		b.Run(name, func(b *testing.B) {
			p := newPlayer(prune, nn.New(nn.Shape{Width: 512, Hidden: []int{32, 32}, Buckets: 4}, 1))
			o := LabelOptions{Lambda: 0.7, Explore: 0.05}
			game, labels := int64(0), 0
			for b.Loop() {
				labels += len(p.labelGame(stream(1, game), &o))
				game++
			}
			b.ReportMetric(float64(labels)/b.Elapsed().Seconds(), "labels/s")
		})
	}
}
