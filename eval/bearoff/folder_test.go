package bearoff_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/eval/bearoff"
	"kotra/internal/bgtest"
)

func TestFolderPicksTheSmallestTable(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	// A table that a user has built, so that nothing larger has to be built here.
	path := filepath.Join(dir, "mine.kts")
	require.NoError(t, bearoff.BuildTwoSidedFile(ctx, path, 6, 2, 1, nil))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "noise.kts"), []byte("noise"), 0o600))
	folder := bearoff.NewFolder(dir)

	small := bgtest.Position(t, "6:1 5:1 | 19:1")
	table, err := folder.TwoSided(ctx, &small)
	require.NoError(t, err)
	assert.Equal(t, 2, table.Checkers())
	_, ok := table.Lookup(&small)
	assert.True(t, ok)

	again, err := folder.TwoSided(ctx, &small)
	require.NoError(t, err)
	assert.Same(t, table, again)
}

func TestTenCheckersOnTheAcePointAreExact(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a table")
	}
	folder := bearoff.NewFolder(t.TempDir())
	pos := bgtest.Position(t, "1:10 | 24:10")
	table, err := folder.TwoSided(context.Background(), &pos)
	require.NoError(t, err)
	eq, ok := table.Lookup(&pos)
	require.True(t, ok)
	// Fractions of an exact solver.
	assert.InDelta(t, 295729./419904, float64(eq.Centered), 1e-6)
	assert.InDelta(t, 305233./419904, float64(eq.DoubleTake()), 1e-6)
	assert.InDelta(t, 158177./209952, float64(eq.Owned), 1e-6)
	assert.InDelta(t, 1205041./1679616, eq.Win(), 1e-6)
	path, err := folder.Path(3, 14)
	require.NoError(t, err)
	assert.FileExists(t, path)
}

func TestCancelledFolderReturnsTheContextsError(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	pos := bgtest.Position(t, "6:5 | 19:5")
	_, err := bearoff.NewFolder(t.TempDir()).TwoSided(ctx, &pos)
	require.ErrorIs(t, err, context.Canceled)
}
