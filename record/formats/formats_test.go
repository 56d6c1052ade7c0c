package formats_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/record/formats"
)

func TestTheContentTellsTheFormat(t *testing.T) {
	for file, format := range map[string]string{
		"../mat/testdata/m3a.mat": "mat", "../sgf/testdata/edit.sgf": "sgf", "../xg/testdata/match3.xg": "xg", "../xg/testdata/position.xgp": "xg",
	} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		matches, err := formats.Read(bytes.NewReader(data))
		require.NoError(t, err)
		require.Len(t, matches, 1)
		assert.Equal(t, format, matches[0].Format)
		assert.True(t, formats.IsMatchFile(file))
	}
	_, err := formats.Read(strings.NewReader("no match\n"))
	assert.ErrorIs(t, err, formats.ErrUnknown)
	_, err = formats.Read(strings.NewReader(""))
	assert.ErrorContains(t, err, "empty")
	_, err = formats.ReadFile(filepath.Join(t.TempDir(), "missing.mat"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestMatchesGoThroughAllFormatsThatAreWritten(t *testing.T) {
	matches, err := formats.ReadFile("../mat/testdata/m7b.mat")
	require.NoError(t, err)
	want := matches[0].Games
	for _, ext := range []string{".sgf", ".mat"} {
		var b bytes.Buffer
		require.NoError(t, formats.Write(&b, ext, matches))
		matches, err = formats.Read(&b)
		require.NoError(t, err)
	}
	for i, g := range matches[0].Games {
		assert.Equal(t, want[i].Actions, g.Actions)
		assert.Equal(t, want[i].Outcome, g.Outcome)
	}
	assert.Error(t, formats.Write(&bytes.Buffer{}, ".xg", matches))
}
