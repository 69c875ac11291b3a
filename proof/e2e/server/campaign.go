//go:build unix

package server

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/query"
)

// A Campaign lets clients complete the tasks of a board while faults happen, and
// checks the answers that they got.
type Campaign struct {
	testing.TB
	Board   string
	Servers []*Server // one, or instances that are one server
	Boss    query.Board
	Ledger  *Ledger
	Workers []*Worker

	filled   int
	troubles []time.Duration // when they came, by the ledger
	over     time.Duration   // when the last of them was
	finished bool
	seed     uint64
	rnd      *rand.Rand
}

// NewCampaign returns a campaign of so many clients, spread over the servers.
func NewCampaign(t testing.TB, board string, clients int, servers ...*Server) *Campaign {
	t.Helper()
	first := servers[0]
	c := &Campaign{TB: t, Board: board, Servers: servers, Ledger: NewLedger(), seed: uint64(time.Now().UnixNano())}
	c.rnd = rand.New(rand.NewPCG(c.seed, 0))
	c.Boss = first.Client(first.Token("boss", "--board", board, "--role", "admin"), board)
	for i := range clients {
		s := servers[i%len(servers)]
		token := first.Token(fmt.Sprint("w", i), "--board", board, "--role", "work", "--agent")
		c.Workers = append(c.Workers, &Worker{Name: token.Name, Board: s.ClientAt(s.Origin, token, board, within), Ledger: c.Ledger})
	}
	return c
}

// Calm lets the clients complete so many tasks.
func (c *Campaign) Calm(tasks int) {
	c.Helper()
	Fill(c.TB, c.Boss, tasks)
	c.filled += tasks
	Crowd(c.TB, c.Workers, c.filled)
}

// Under lets the clients complete tasks, so many at a time, until trouble was called
// so often, each time at a random moment.
func (c *Campaign) Under(times, tasks int, trouble func()) {
	c.Helper()
	var group sync.WaitGroup
	c.Cleanup(group.Wait) // also when trouble ends the test
	for n := 0; n < times; {
		Fill(c.TB, c.Boss, tasks)
		c.filled += tasks
		atWork, over := context.WithCancel(context.Background())
		group.Go(func() {
			defer over()
			Crowd(c.TB, c.Workers, c.filled)
		})
		for n < times && c.during(atWork) {
			c.troubles = append(c.troubles, c.Ledger.Now())
			trouble()
			c.over = c.Ledger.Now()
			n++
		}
		group.Wait()
		if c.Failed() {
			return
		}
	}
}

// during waits until all clients get on after the last trouble, and a moment, and reports
// whether there is still work. If the next trouble came at the first answer, those
// who pause between two tries would wait for many troubles in a row.
func (c *Campaign) during(atWork context.Context) bool {
	pause := time.Duration(20+c.rnd.IntN(150)) * time.Millisecond
	for {
		select {
		case <-atWork.Done():
			return false
		case <-time.After(pause):
		}
		if c.over == 0 || c.Ledger.since(c.over) >= len(c.Workers) {
			return true
		}
		pause = 10 * time.Millisecond
	}
}

// Finish checks that all tasks are completed, and ends the servers.
func (c *Campaign) Finish() {
	c.Helper()
	AllDone(c.TB, c.Boss, c.filled)
	for _, s := range c.Servers {
		s.Stop()
	}
	c.finished = true
}

// Check checks the ledger against the board when all tasks are completed.
func (c *Campaign) Check() {
	c.Helper()
	if !c.finished {
		c.Finish()
	}
	c.Ledger.Check(c.TB, c.Servers[0].Kept(c.Board))
	all, again, unknown := c.Ledger.Acknowledged()
	c.Logf("seed %d: %d clients, %d tasks: %d ops acknowledged, none lost; %d on being repeated, %d not known; the slowest took %.2f s",
		c.seed, len(c.Workers), c.filled, all, again, unknown, c.Ledger.Slowest().Seconds())
	if len(c.troubles) > 0 {
		c.Logf("after each trouble clients were told of nothing done for so long: %v", c.Outages())
		c.Logf("and one of them waited for so long: %v", c.Waits())
	}
	if all < 2*c.filled {
		c.Error("the test did not test what it means to")
	}
}

// Now is the ledger's time.
func (l *Ledger) Now() time.Duration { return time.Duration(l.now()) }

// Outages returns, for each trouble, the longest time, begun before the next one, in which
// a client waited and none got an acknowledgement. While no task is left, nobody waits.
func (c *Campaign) Outages() (each []time.Duration) {
	l := c.Ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	var deeds []*Deed
	for i := range l.deeds {
		if l.deeds[i].Err == nil {
			deeds = append(deeds, &l.deeds[i])
		}
	}
	slices.SortFunc(deeds, func(a, b *Deed) int { return cmp.Compare(a.Return, b.Return) })
	asked := make([]time.Duration, len(deeds)) // the first call of a deed and of those that were told later
	for i := len(deeds) - 1; i >= 0; i-- {
		asked[i] = time.Duration(deeds[i].Call)
		if i+1 < len(deeds) {
			asked[i] = min(asked[i], asked[i+1])
		}
	}
	for i, from := range c.troubles {
		var longest time.Duration
		for j, d := range deeds {
			if at := time.Duration(d.Return); at > from && (i+1 == len(c.troubles) || from < c.troubles[i+1]) {
				longest, from = max(longest, at-max(from, asked[j])), at
			}
		}
		each = append(each, longest.Round(time.Millisecond))
	}
	return each
}

// Goes waits until so many clients get an acknowledgement, and reports whether they did
// before the context ended.
func (l *Ledger) Goes(ctx context.Context, clients int) bool {
	for from := l.Now(); l.since(from) < clients; {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
	return true
}

// Waits returns, for each trouble, the longest that one client waited for an answer
// during or after it: others may have been served all that time.
func (c *Campaign) Waits() (each []time.Duration) {
	l := c.Ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, from := range c.troubles {
		var longest time.Duration
		for j := range l.deeds {
			call, back := time.Duration(l.deeds[j].Call), time.Duration(l.deeds[j].Return)
			if back > from && (i+1 == len(c.troubles) || call < c.troubles[i+1]) {
				longest = max(longest, back-call)
			}
		}
		each = append(each, longest.Round(time.Millisecond))
	}
	return each
}

// since is how many clients were told, after a moment, that something is done.
func (l *Ledger) since(moment time.Duration) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	told := map[string]bool{}
	for i := len(l.deeds) - 1; i >= 0 && time.Duration(l.deeds[i].Return) > moment; i-- {
		if l.deeds[i].Err == nil {
			told[l.deeds[i].Who] = true
		}
	}
	return len(told)
}

// Slowest returns the longest that a client waited for an acknowledgement.
func (l *Ledger) Slowest() (slowest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.deeds {
		if d := &l.deeds[i]; d.Err == nil {
			slowest = max(slowest, time.Duration(d.Return-d.Call))
		}
	}
	return slowest
}
