//go:build unix

package bearoff

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps the named file into memory, read-only.
func mapFile(path string) (data []byte, release func() error, err error) {
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
	if size < twosidedHeader || size != int64(int(size)) || !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%w: %s", ErrFormat, path)
	}
	data, err = unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("mapping %s: %w", path, err)
	}
	return data, func() error { return unix.Munmap(data) }, nil
}
