package whole_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/internal/whole"
)

func TestAFailedWriteLeavesTheOldFileAlone(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	text := func(text string, err error) error {
		return whole.File(name, func(w io.Writer) error {
			_, werr := io.WriteString(w, text)
			return errors.Join(werr, err)
		})
	}
	require.NoError(t, text("one", nil))
	failure := errors.New("no more")
	require.ErrorIs(t, text("tw", failure), failure)
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "one", string(got))
	require.NoError(t, text("three", nil))
	got, err = os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "three", string(got))

	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing is left beside it")
	assert.Error(t, whole.File(filepath.Join(dir, "none", "file"), func(io.Writer) error { return nil }))
}
