package cputime_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"kotra/internal/cputime"
)

func TestWaitingTakesNoProcessorTime(t *testing.T) {
	cpu, wall := cputime.Start(), cputime.StartWall()
	if !cpu.CPU() {
		t.Skip("the system does not tell processor time")
	}
	before := cputime.Process()
	time.Sleep(200 * time.Millisecond)
	assert.GreaterOrEqual(t, wall.Elapsed(), 200*time.Millisecond)
	assert.Less(t, cpu.Elapsed(), 150*time.Millisecond)
	for begin := cpu.Elapsed(); cpu.Elapsed() < begin+20*time.Millisecond; {
		continue
	}
	assert.GreaterOrEqual(t, cputime.Process()-before, 20*time.Millisecond)
}
