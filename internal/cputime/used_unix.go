//go:build unix

package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// used returns the processor time that the process has used, and whether it is known.
func used() (time.Duration, bool) {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
