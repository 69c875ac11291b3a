package main

import (
	"slices"
	"time"
)

const (
	startLimit  = 2500 * time.Microsecond // that Pawl may take to start, above any program in Go
	syncLimit   = time.Millisecond        // that a command may take more to make a change durable
	changeLimit = 300 * time.Microsecond
	hookLimit   = time.Millisecond // that a hook may take more than the start, whatever happens on whatever board
	binaryLimit = 28_000_000       // bytes, as in .ci/run
	mebi        = 1 << 20
)

// A class is what holds for boards up to a size.
type class struct {
	size  int
	extra time.Duration // above the start and the look at every file
	peak  int64         // bytes of memory
}

var classes = []class{
	{1_000, 700 * time.Microsecond, 25 * mebi},
	{10_000, 1500 * time.Microsecond, 35 * mebi},
	{100_000, 15 * time.Millisecond, 90 * mebi},
}

// classOf returns the class of a board. Beyond the last one nothing is
// promised, and the last one's limits are what it is measured by.
func classOf(size int) class {
	for _, c := range classes {
		if size <= c.size {
			return c
		}
	}
	return classes[len(classes)-1]
}

// limitOf is the CPU time that a command may take on a board where the start
// takes v and the look at every file s.
func limitOf(size int, v, s time.Duration, durable bool) time.Duration {
	limit := v + s + s/4 + classOf(size).extra
	if durable {
		limit += syncLimit
	}
	return limit
}

// median returns the middle one of some times, and of an even number the lower
// of the two in the middle.
func median(times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[(len(sorted)-1)/2]
}
