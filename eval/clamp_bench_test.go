package eval_test

import (
	"testing"

	"kotra/bg"
	"kotra/eval"
	"kotra/internal/bgtest"
)

func BenchmarkClamp(b *testing.B) {
	for name, text := range map[string]string{
		"contact": "24:2 13:5 8:3 6:5 | 1:2 12:5 17:3 19:5",
		"race":    "10:3 9:2 6:5 4:3 3:2 | 15:3 17:4 19:5 20:3",
	} {
		b.Run(name, func(b *testing.B) {
			pos := bgtest.Position(b, text)
			half := bg.Probs{Win: .5, WinGammon: .1, LoseGammon: .1}
			for b.Loop() {
				p := half
				eval.Clamp(&pos, &p)
			}
		})
	}
}
