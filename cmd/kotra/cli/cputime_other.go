//go:build !unix

package cli

import "time"

// cpuTime returns the processor time that the process has used, and whether it is known.
func cpuTime() (time.Duration, bool) { return 0, false }
