package storetest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// A trial is a test that may fail without failing anything.
type trial struct {
	mu       sync.Mutex
	failures []string
	cleanups []func()
}

func (r *trial) Helper()                  {}
func (r *trial) Logf(string, ...any)      {}
func (r *trial) Context() context.Context { return context.Background() }
func (r *trial) Cleanup(f func())         { r.cleanups = append(r.cleanups, f) }

func (r *trial) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *trial) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *trial) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.failures) > 0
}

// try runs fn to its clean-up, and returns how it failed. A panic is a failure too.
func try(fn func(tb TB)) []string {
	r := &trial{}
	guarded := func(f func()) {
		defer func() {
			if p := recover(); p != nil {
				r.Errorf("panic: %v", p)
			}
		}()
		f()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for _, f := range slices.Backward(r.cleanups) {
				guarded(f)
			}
		}()
		guarded(func() { fn(r) })
	}()
	<-done
	return r.failures
}

// A player is a board, or several, on which moves are made and checked.
type player interface {
	next(g *writer) move
	play(m move)
	end()
}

// fromSeed makes n random moves. When they fail, it looks for few of them that fail too.
func fromSeed(tb TB, start func(tb TB) player, seed uint64, n int) {
	tb.Helper()
	var made []move
	failures := try(func(tb TB) {
		p, g := start(tb), newWriter(seed)
		for range n {
			made = append(made, p.next(g))
			p.play(made[len(made)-1])
		}
		p.end()
	})
	if failures == nil {
		return
	}
	size := (len(made) + 1) / 2
	if _, inside := tb.(*trial); inside { // nobody reads it
		size = 0
	}
	for ; size > 0; size /= 2 {
		for i := 0; i+size <= len(made); {
			fewer := slices.Delete(slices.Clone(made), i, i+size)
			again := try(func(tb TB) {
				p := start(tb)
				for _, m := range fewer {
					p.play(m)
				}
				p.end()
			})
			if again == nil {
				i += size
			} else {
				made, failures = fewer, again
			}
		}
	}
	lines := make([]string, len(made))
	for i, m := range made {
		lines[i] = m.String()
	}
	tb.Errorf("%s\nafter these moves, of those from seed %d:\n%s", failures[0], seed, cut(strings.Join(lines, "\n")))
}

var randomTime = flag.Duration("storetest.time", time.Second/2, "how long the random moves on one store take, or five sequences of them")

// atRandom makes moves from random seeds, for as long as the flag says: some stores wait for
// a disk after each.
func atRandom(tb TB, start func(tb TB) player) {
	tb.Helper()
	const least = 5
	begun, ran := time.Now(), 0
	for ; !tb.Failed() && (ran < least || time.Since(begun) < *randomTime); ran++ {
		fromSeed(tb, start, rand.Uint64(), 30)
	}
	tb.Logf("%d sequences of random moves", ran)
}
