// Package whole writes files that are complete or not there: an interrupted write leaves no half
// file, and the old one as it was.
package whole

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// File writes the named file by calling write: beside it first, under a name of its own, for several
// processes may do so at once, and then renamed. Everybody may read it.
func File(name string, write func(w io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // gone already when all went well
	err = write(f)
	if err == nil {
		err = errors.Join(f.Chmod(0o644), f.Sync())
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
