//go:build !unix

package train

import "time"

var processStart = time.Now()

// processCPU returns the wall time of the process, where its CPU time is not to be had.
func processCPU() time.Duration { return time.Since(processStart) }
