//go:build unix

package fleet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
)

// A Campaign lets clients work off a board while trouble comes, and checks what they
// were told.
type Campaign struct {
	testing.TB
	Board   string
	Servers []*Server // one, or instances that are one server
	Boss    ask.Board
	Ledger  *Ledger
	Workers []*Worker

	filled int
	seed   uint64
	rnd    *rand.Rand
}

// NewCampaign has so many clients, spread over the servers.
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

// Under lets the clients work off tasks, so many at a time, until trouble has come so
// often, each time at a moment that nothing decides.
func (c *Campaign) Under(times, tasks int, trouble func()) {
	c.Helper()
	for n := 0; n < times; {
		Fill(c.TB, c.Boss, tasks)
		c.filled += tasks
		var group sync.WaitGroup
		atWork, over := context.WithCancel(context.Background())
		group.Go(func() {
			defer over()
			Crowd(c.TB, c.Workers, c.filled)
		})
		for n < times && c.during(atWork) {
			trouble()
			n++
		}
		group.Wait()
		if c.Failed() {
			return
		}
	}
}

// during waits a moment, and reports whether there is still work.
func (c *Campaign) during(atWork context.Context) bool {
	select {
	case <-atWork.Done():
		return false
	case <-time.After(time.Duration(20+c.rnd.IntN(150)) * time.Millisecond):
		return true
	}
}

// Check checks when all is worked off that what clients were told is so.
func (c *Campaign) Check() {
	c.Helper()
	AllDone(c.TB, c.Boss, c.filled)
	for _, s := range c.Servers {
		s.Stop()
	}
	c.Ledger.Check(c.TB, c.Servers[0].Kept(c.Board))
	all, again, unknown := c.Ledger.Acknowledged()
	c.Logf("seed %d: %d clients, %d tasks: %d ops acknowledged, none lost; %d on being repeated, %d not known; the slowest took %.2f s",
		c.seed, len(c.Workers), c.filled, all, again, unknown, c.Ledger.Slowest().Seconds())
	if all < 2*c.filled {
		c.Error("the test did not test what it means to")
	}
}

// Now is the ledger's time.
func (l *Ledger) Now() time.Duration { return time.Duration(l.now()) }

// Outage is the longest time from a moment on in which no client was told that
// something is done.
func (l *Ledger) Outage(from time.Duration) (longest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var told []time.Duration
	for i := range l.deeds {
		if d := &l.deeds[i]; d.Err == nil && time.Duration(d.Return) > from {
			told = append(told, time.Duration(d.Return))
		}
	}
	slices.Sort(told)
	for _, at := range told {
		longest, from = max(longest, at-from), at
	}
	return longest
}

// Slowest is the longest that a client waited to be told that something is done.
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

// Losses are what clients were told and a board does not have.
func (l *Ledger) Losses(board *pawl.Board) (lost []Deed, err error) {
	sets := map[pawl.Revision]pawl.ChangeSet{}
	for set, err := range board.Changes(context.Background(), pawl.Span{}) {
		if err != nil {
			return nil, err
		}
		sets[set.Revision] = set
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.deeds {
		if set := sets[d.Revision]; d.Err == nil && d.Revision != 0 && !d.is(&set) {
			lost = append(lost, d)
		}
	}
	return lost, nil
}
