//go:build !unix

package cputime

import "time"

// used returns the processor time that the process has used, and whether it is known.
func used() (time.Duration, bool) { return 0, false }
