//go:build !unix

package bearoff

import "os"

// mapFile reads the named file.
func mapFile(path string) (data []byte, release func() error, err error) {
	data, err = os.ReadFile(path)
	return data, func() error { return nil }, err
}
