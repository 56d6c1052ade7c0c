package bg_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// vectors decodes a compressed file of testdata with one JSON object a line.
func vectors[T any](t testing.TB, name string) []T {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer f.Close()
	r, err := gzip.NewReader(f)
	require.NoError(t, err)
	var all []T
	for scanner := bufio.NewScanner(r); scanner.Scan(); {
		var v T
		require.NoError(t, json.Unmarshal(scanner.Bytes(), &v))
		all = append(all, v)
	}
	require.NotEmpty(t, all)
	return all
}
