package yardstick_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/internal/yardstick"
)

func TestCubeScoresOfGNUBGAreThePublishedOnes(t *testing.T) {
	report := yardstick.GradeCube(yardstick.CubeDev(), yardstick.StaticGNUBG)
	require.Len(t, report.Rows, 3)
	for i, want := range []struct {
		kind              string
		n                 int
		double, take, rms float64
		wrongTakes        int
	}{
		{"all", 185, 8.09, 3.73, 72.3, 8},
		{"match", 117, 11.70, 4.94, 80.3, 5},
		{"money", 68, 1.89, 1.65, 55.8, 3},
	} {
		row := report.Rows[i]
		assert.Equal(t, want.kind, row.Kind)
		assert.Equal(t, want.n, row.Decisions)
		assert.InDelta(t, want.double, row.DoubleError, .01)
		assert.InDelta(t, want.take, row.TakeError, .01)
		assert.InDelta(t, want.rms, row.RMS, .1)
		assert.Equal(t, want.wrongTakes, row.WrongTakes)
	}
	assert.Equal(t, 26, report.All().WrongDoubles)
	assert.Contains(t, report.String(), "money    68")
}

func TestReferenceHasNoCubeErrors(t *testing.T) {
	row := yardstick.GradeCube(yardstick.CubeDev(), func(d *yardstick.CubeDecision) yardstick.CubeAnswer {
		e := d.CubeEquities
		return yardstick.CubeAnswer{Double: min(e.DoubleTake, e.DoublePass) > e.NoDouble, Take: e.DoubleTake <= e.DoublePass, CubeEquities: e}
	}).All()
	assert.Zero(t, row.DoubleError)
	assert.Zero(t, row.TakeError)
	assert.Zero(t, row.RMS)
}

func TestCubeDecisionsThatAreNoneAreErrors(t *testing.T) {
	for _, text := range []string{"x", `{"position_id":"x"}`, `{"position_id":"4HPwATDgc/ABMA","cube":3}`} {
		_, err := yardstick.ReadCube(strings.NewReader(text))
		require.ErrorContains(t, err, "decision 1")
	}
}
