package kotra_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layers holds the packages of the module from the values at the bottom to the program at the
// top. A package may import those of the lines before its own only. ARCHITECTURE.md draws it.
var layers = [][]string{
	{"bg", "internal/mapped", "nn/internal/kernel", "internal/cputime", "internal/whole"},
	{"cube/met", "eval/features", "nn", "movegen", "bg/notation", "internal/yardstick", "internal/bgtest"},
	{"eval/bearoff", "eval/hyper", "record", "weights"},
	{"cube", "record/mat", "record/sgf", "record/xg", "record/bgf", "record/fibs"},
	{"eval", "record/formats"},
	{"search"},
	{"rollout", "duel"},
	{"analysis", "train"},
	{""}, // package kotra
	{"internal/report"},
	{"internal/protocol"},
	{"internal/web"},
	{"cmd/kotra/cli", "benchmarks"},
	{"cmd/kotra"},
}

func TestImportsGoDownward(t *testing.T) {
	layer := map[string]int{}
	for i, names := range layers {
		for _, name := range names {
			layer[name] = i
		}
	}
	for _, file := range goFiles(t) {
		dir := path.Dir(file)
		if dir == "." {
			dir = ""
		}
		from, known := layer[dir]
		if !assert.True(t, known, "package %q has no layer", dir) {
			continue
		}
		for _, imported := range imports(t, file) {
			to, known := layer[imported]
			if !assert.True(t, known, "%s imports %q, which has no layer", file, imported) {
				continue
			}
			if strings.HasSuffix(file, "_test.go") {
				continue // a test may look up to what it compares with
			}
			assert.Less(t, to, from, "%s imports %q upward", file, imported)
		}
	}
}

func TestDomainsBelowTheEngineDoNotKnowTheCommandLine(t *testing.T) {
	for _, file := range goFiles(t) {
		if strings.HasPrefix(file, "cmd/") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, name := range allImports(t, file) {
			assert.NotContains(t, name, "spf13/cobra", "%s: only the command line parses flags", file)
			assert.NotEqual(t, "flag", name, "%s: only the command line parses flags", file)
		}
	}
}

// goFiles returns the Go files of the module, without those of nested modules and test data.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() && name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") ||
			base == "testdata" || base == "tools") {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(base, ".go") {
			files = append(files, filepath.ToSlash(name))
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, files)
	slices.Sort(files)
	return files
}

// imports returns the packages of the module that file imports, without the module's name.
func imports(t *testing.T, file string) []string {
	t.Helper()
	var own []string
	for _, name := range allImports(t, file) {
		if name == "kotra" {
			own = append(own, "")
		} else if rest, ok := strings.CutPrefix(name, "kotra/"); ok {
			own = append(own, rest)
		}
	}
	return own
}

func allImports(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	require.NoError(t, err)
	var names []string
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		names = append(names, name)
	}
	return names
}
