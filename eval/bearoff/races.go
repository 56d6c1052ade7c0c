package bearoff

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kotra/bg"
	"kotra/internal/whole"
)

// RacePoints is the number of points of the one-sided table that a [Folder] builds for races.
const RacePoints = 8

// maxCheckers is the number of checkers of a side.
const maxCheckers = 15

// Races returns the one-sided table of 15 checkers in the folder that has most points, at least
// [RacePoints]; the one of those is built if there is none, which takes a second or two, and left
// there. The error is that of ctx.
func (f *Folder) Races(ctx context.Context) (*OneSided, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.races != nil {
		return f.races, nil
	}
	own := filepath.Join(f.dir, fmt.Sprintf("onesided-%dx15-v%d.kos", RacePoints, onesidedVersion))
	names, _ := filepath.Glob(filepath.Join(f.dir, "*.kos")) // a bad name has none
	best, points := own, RacePoints
	for _, name := range names {
		if n := onesidedPoints(name); n > points {
			best, points = name, n
		}
	}
	for _, name := range []string{best, own} {
		if t, err := readOneSidedFile(name); err == nil && t.points >= RacePoints && t.checkers == maxCheckers {
			f.races = t
			return t, nil
		}
	}
	t, err := BuildOneSided(ctx, RacePoints, maxCheckers, 0, nil)
	if err != nil {
		return nil, err
	}
	f.races = t
	if f.dir != "" {
		_ = save(own, t) // the next one builds it again
	}
	return t, nil
}

// onesidedPoints returns the number of points of the table in a file, 0 if that is none of 15
// checkers.
func onesidedPoints(name string) int {
	f, err := os.Open(name)
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }() // it was only read
	var header [onesidedHeader]byte
	if _, err := f.ReadAt(header[:], 0); err != nil || string(header[:8]) != onesidedMagic || header[11] != maxCheckers {
		return 0
	}
	return int(header[10])
}

func readOneSidedFile(name string) (*OneSided, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return decodeOneSided(data)
}

// save writes a table to the named file and makes its folder.
func save(path string, table io.WriterTo) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return whole.File(path, func(w io.Writer) error {
		_, err := table.WriteTo(w)
		return err
	})
}

// A RaceEvaluator judges races and bearoffs by the distributions of both sides in Table, and by Other
// what that does not have.
type RaceEvaluator struct {
	Table *OneSided
	Other interface {
		Evaluate(pos *bg.Position) bg.Probs
	}
}

// Evaluate returns the chances of how the game ends from pos, for the player on roll.
func (e RaceEvaluator) Evaluate(pos *bg.Position) bg.Probs {
	if p, ok := e.Table.Lookup(pos); ok {
		return p
	}
	return e.Other.Evaluate(pos)
}
