//go:build unix

package train

import (
	"time"

	"golang.org/x/sys/unix"
)

// processCPU returns the CPU time that the process has used.
func processCPU() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
