//go:build unix

package mapped

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Open maps the named file into memory, read-only. The file must not change before release is called,
// nor data be used after it.
func Open(path string) (data []byte, release func() error, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }() // it was only read, and the mapping stays
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	size := info.Size()
	switch {
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%s is not a regular file", path)
	case size == 0 || size != int64(int(size)):
		return nil, nil, fmt.Errorf("%s: a file of %d bytes cannot be mapped", path, size)
	}
	data, err = unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("mapping %s: %w", path, err)
	}
	return data, func() error { return unix.Munmap(data) }, nil
}
