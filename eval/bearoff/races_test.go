package bearoff_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/eval/bearoff"
	"kotra/internal/bgtest"
)

func TestFolderBuildsTheTableOfRacesOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a table")
	}
	ctx := context.Background()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "noise.kos"), []byte("noise"), 0o600))
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, err := bearoff.NewFolder(dir).Races(canceled)
	require.ErrorIs(t, err, context.Canceled)

	folder := bearoff.NewFolder(dir)
	built, err := folder.Races(ctx)
	require.NoError(t, err)
	assert.Equal(t, bearoff.RacePoints, built.Points())
	again, err := folder.Races(ctx)
	require.NoError(t, err)
	assert.Same(t, built, again)

	read, err := bearoff.NewFolder(dir).Races(ctx)
	require.NoError(t, err)
	race := bgtest.Position(t, "8:4 7:3 6:3 5:3 4:2 | 24:2 20:5 19:4 18:2 17:2")
	assert.Equal(t, built.Probs(&race), read.Probs(&race))

	// Positions at home are worth what the table of home boards says.
	even := bgtest.Constant{Win: .5}
	judge := bearoff.RaceEvaluator{Table: read, Other: even}
	home := bgtest.Position(t, "6:5 5:5 4:5 | 19:5 20:5 21:5")
	const rounding = 1e-6
	want, got := bearoff.Default().Probs(&home), judge.Evaluate(&home)
	assert.InDelta(t, want.Win, got.Win, rounding)
	assert.InDelta(t, want.WinGammon, got.WinGammon, rounding)
	start := bg.Start()
	assert.Equal(t, bg.Probs(even), judge.Evaluate(&start))
}
