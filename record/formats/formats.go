// Package formats reads a match file of any format, which it finds out from the content.
package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kotra/record"
	"kotra/record/bgf"
	"kotra/record/fibs"
	"kotra/record/mat"
	"kotra/record/sgf"
	"kotra/record/xg"
)

// ErrUnknown is returned for content of no known format.
var ErrUnknown = errors.New("no match: the content is of no known format")

const maxSize = 512 << 20

// Read reads all matches of a file. Matches before a fault are returned with the error.
func Read(r io.Reader) ([]*record.Match, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxSize {
		return nil, fmt.Errorf("the file is longer than %d MiB", maxSize>>20)
	}
	switch {
	case len(data) == 0:
		return nil, errors.New("the file is empty")
	case bytes.HasPrefix(data, []byte("RGMH")):
		return one(xg.Read(bytes.NewReader(data)))
	case isSGF(data):
		return sgf.Read(bytes.NewReader(data))
	case bgf.Is(data):
		return one(bgf.Read(bytes.NewReader(data)))
	}
	matches, err := mat.Read(bytes.NewReader(data))
	if !errors.Is(err, mat.ErrNoMatch) {
		return matches, err
	}
	if fibs.Is(data) {
		return one(fibs.Read(bytes.NewReader(data)))
	}
	return nil, ErrUnknown
}

func one(m *record.Match, err error) ([]*record.Match, error) {
	if err != nil {
		return nil, err
	}
	return []*record.Match{m}, nil
}

// isSGF reports whether data begins like a game tree.
func isSGF(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	if !bytes.HasPrefix(data, []byte("(")) {
		return false
	}
	return bytes.HasPrefix(bytes.TrimLeft(data[1:], " \t\r\n"), []byte(";"))
}

// ReadFile reads all matches of the named file.
func ReadFile(name string) ([]*record.Match, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f)
}

// Extensions returns the endings of names of match files, in lower case, with the dot.
func Extensions() []string { return slices.Clone(extensions) }

var extensions = []string{".mat", ".txt", ".sgf", ".xg", ".xgp", ".bgf"}

// IsMatchFile reports whether a name ends like that of a match file.
func IsMatchFile(name string) bool {
	return slices.Contains(extensions, strings.ToLower(filepath.Ext(name)))
}

// Write writes matches in the format of the given ending, .mat, .txt or .sgf.
func Write(w io.Writer, extension string, matches []*record.Match) error {
	write := mat.Write
	switch strings.ToLower(extension) {
	case ".mat", ".txt":
	case ".sgf":
		write = sgf.Write
	default:
		return fmt.Errorf("matches cannot be written as %q, want .mat, .txt or .sgf", extension)
	}
	for _, m := range matches {
		if err := write(w, m); err != nil {
			return err
		}
	}
	return nil
}
