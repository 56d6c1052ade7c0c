// Package cputime measures the processor time of the process, which other programs on the machine
// disturb less than the time on the clock.
package cputime

import "time"

// A Clock measures from when it was started. Its zero value is not of use.
type Clock struct {
	begin    time.Time
	beginCPU time.Duration
	cpu      bool
}

// Start returns a clock of processor time, or, where the system does not tell it, of the time on the
// clock.
func Start() Clock {
	used, known := used()
	return Clock{begin: time.Now(), beginCPU: used, cpu: known}
}

// StartWall returns a clock of the time on the clock.
func StartWall() Clock { return Clock{begin: time.Now()} }

// CPU reports whether c measures processor time.
func (c *Clock) CPU() bool { return c.cpu }

// Elapsed returns the time since the start of c.
func (c *Clock) Elapsed() time.Duration {
	if !c.cpu {
		return time.Since(c.begin)
	}
	now, _ := used()
	return now - c.beginCPU
}

var processBegin = time.Now()

// Process returns the processor time that the process has used, or its time on the clock where the
// system does not tell it.
func Process() time.Duration {
	if used, known := used(); known {
		return used
	}
	return time.Since(processBegin)
}
