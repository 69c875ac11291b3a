package storetest

import (
	"sync"
	"time"
)

// A Clock stands still until it is moved. It shows a time with nanoseconds, in
// a zone of its own, because that is what a store must not keep.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock at a fixed moment.
func NewClock() *Clock {
	zone := time.FixedZone("two hours east", 2*60*60)
	return &Clock{now: time.Date(2026, time.March, 1, 9, 0, 0, 123_456_789, zone)}
}

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock, back when d is negative.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// stored is the time as a store keeps it.
func (c *Clock) stored() time.Time { return c.Now().UTC().Truncate(time.Millisecond) }
