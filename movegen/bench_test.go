package movegen_test

import (
	"math/rand/v2"
	"testing"

	"kotra/bg"
	"kotra/movegen"
)

// benchPositions returns sets of positions to measure: all positions of random games from the
// start, and the reference positions, of which many are about the bar and bearing off.
func benchPositions(b *testing.B) map[string][]bg.Position {
	rng := rand.New(rand.NewPCG(1, 2))
	var games, reference []bg.Position
	for len(games) < 2000 {
		game := randomGame(rng, bg.Start())
		games = append(games, game[:len(game)-1]...)
	}
	for _, line := range readLines[positionLine](b, "positions.jsonl.gz") {
		reference = append(reference, position(b, line.ID))
	}
	return map[string][]bg.Position{"games": games, "reference": reference}
}

func BenchmarkResults(b *testing.B) {
	results := make([]bg.Position, 0, 2048)
	benchmark(b, func(pos *bg.Position, dice bg.Dice) int {
		results = movegen.Results(results[:0], pos, dice)
		return len(results)
	})
}

func BenchmarkPlays(b *testing.B) {
	plays := make([]movegen.Play, 0, 2048)
	benchmark(b, func(pos *bg.Position, dice bg.Dice) int {
		plays = movegen.Plays(plays[:0], pos, dice)
		return len(plays)
	})
}

// benchmark calls generate with all rolls of all positions, and reports distinct results per
// second. Rolls come in the order of a search, all 21 of one position.
func benchmark(b *testing.B, generate func(*bg.Position, bg.Dice) int) {
	for name, positions := range benchPositions(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for i := 0; b.Loop(); i++ {
				pos := &positions[i%len(positions)]
				for _, roll := range bg.Rolls() {
					n += generate(pos, roll.Dice)
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mpositions/s")
			b.ReportMetric(float64(n)/float64(b.N)/21, "positions/roll")
		})
	}
}
