package eval_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"kotra/bg"
	"kotra/eval"
	"kotra/eval/features"
	"kotra/internal/yardstick"
	"kotra/nn"
)

func TestTheMeanOfNetworksIsTheMeanOfWhatTheySay(t *testing.T) {
	shape := nn.Shape{Width: 128, Buckets: features.CoarseBuckets}
	a, b := nn.New(shape, 1).Quantize(), nn.New(shape, 2).Quantize()
	assert.Equal(t, eval.Evaluator(eval.NewNetwork(a)), eval.NewMean(a))
	mean := eval.NewMean(a, b)
	for _, s := range yardstick.Mix()[:100] {
		p, q := eval.NewNetwork(a).Evaluate(&s.Position), eval.NewNetwork(b).Evaluate(&s.Position)
		var want bg.Probs
		want.AddScaled(&p, 0.5)
		want.AddScaled(&q, 0.5)
		assert.Equal(t, want, mean.Evaluate(&s.Position))
	}
}
