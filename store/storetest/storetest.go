// Package storetest is the contract of [pawl.Store] as executable checks. A
// type that passes [Run] is a store.
//
//	func TestContract(t *testing.T) {
//		storetest.Run(t, func(t *testing.T, clock func() time.Time) pawl.Store {
//			return memory.New(memory.WithClock(clock))
//		})
//	}
//
// Checks on hand-made commits hold a store to the numbered promises of the contract. Random
// requests to a [pawl.Board] on it are compared, move by move, with what package memory does,
// which is the model: this package's own tests hold it to the rules. [CheckInvariants] runs on
// every board when its check ends.
//
// A check that fails says the first difference only, in some lines. The flag -storetest.time
// says how long the random requests to a store take.
package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// TB is what a check needs of a test: *testing.T has it, and so can a recorder that wants
// to see a check fail.
type TB interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Cleanup(func())
	Context() context.Context
}

// An Option tells Run what else a store can do, and adds the checks that need it.
type Option func(*opener)

// Reopen lets the suite close a store and open the same board again. again is
// given the store after its Close.
func Reopen(again func(t *testing.T, closed pawl.Store, clock func() time.Time) pawl.Store) Option {
	return func(o *opener) { o.again = again }
}

// Bounded lets the suite check trimmed history: open makes an empty board that
// drops its first change set after sets more of them.
func Bounded(sets int, open func(t *testing.T, clock func() time.Time) pawl.Store) Option {
	return func(o *opener) { o.bounded, o.sets = open, sets }
}

// Shared lets the suite open the same board twice: again is given a store that
// stays open.
func Shared(again func(t *testing.T, open pawl.Store, clock func() time.Time) pawl.Store) Option {
	return func(o *opener) { o.share = again }
}

// An opener makes the stores under test.
type opener struct {
	t       *testing.T
	open    func(t *testing.T, clock func() time.Time) pawl.Store
	again   func(t *testing.T, closed pawl.Store, clock func() time.Time) pawl.Store
	share   func(t *testing.T, open pawl.Store, clock func() time.Time) pawl.Store
	bounded func(t *testing.T, clock func() time.Time) pawl.Store
	sets    int
}

// Run holds the stores that open makes, each with an empty board and told the
// time by clock, to the contract. The suite closes them.
func Run(t *testing.T, open func(t *testing.T, clock func() time.Time) pawl.Store, opts ...Option) {
	runChecks(t, allChecks(), open, opts)
}

func runChecks(t *testing.T, checks []check, open func(t *testing.T, clock func() time.Time) pawl.Store, opts []Option) {
	o := &opener{open: open}
	for _, opt := range opts {
		opt(o)
	}
	for _, c := range checks {
		if c.needs != nil && !c.needs(o) {
			t.Logf("not checked, for want of an option: %s", c.name)
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			at := *o
			at.t = t
			c.run(newWorld(t, &at))
		})
	}
}

// A check is one thing that a store promises. Its name begins with the number
// of the promise in the comment of [pawl.Store].
type check struct {
	name  string
	run   func(w *world)
	needs func(o *opener) bool // nil: nothing
}

func allChecks() []check {
	return slices.Concat(updateChecks(), viewChecks(), copyChecks(), changeChecks(), hintChecks(), glanceChecks(), readChecks(), moveChecks())
}
