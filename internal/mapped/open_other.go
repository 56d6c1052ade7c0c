//go:build !unix

package mapped

import "os"

// Open reads the named file into memory. release does nothing.
func Open(path string) (data []byte, release func() error, err error) {
	data, err = os.ReadFile(path)
	return data, func() error { return nil }, err
}
