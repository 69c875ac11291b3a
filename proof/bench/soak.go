package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// Bounds of a server for browsers while many listen (docs/benchmarks.md).
const (
	soakTasks = 1_000
	soakLimit = 100 * time.Millisecond // from when a change is durable until, 99 of 100 times, it is at a page
	soakFlat  = 4.0                    // MiB by which memory may differ between the second quarter of the time and the last
)

// A soak is how much is done to a server.
type soak struct {
	streams int
	rate    int // changes a second
	last    time.Duration
}

// A soaked is what was measured of `pawl serve`.
type soaked struct {
	soak
	Machine string
	Took    time.Duration
	Changes []madeBy
	Missed  int // events that did not come to a stream
	Twice   int // that came more than once, or out of order
	CPU     float64
	Memory  []int64 // of the server, in bytes, once a second
}

// madeBy is how long changes took that were made in one way, over all streams.
type madeBy struct {
	By      string
	Changes int
	Made    spread // the change itself, until its author knew that it is durable
	Begun   spread // from its beginning until it came to a stream
	Known   spread // from when it was known to be durable; what came before that took no time
}

// A spread is the middle of some times, what 99 of 100 are below, and the worst.
type spread struct{ Median, P99, Worst time.Duration }

// spreadOf sorts the times.
func spreadOf(times []time.Duration) spread {
	if len(times) == 0 {
		return spread{}
	}
	slices.Sort(times)
	return spread{times[(len(times)-1)/2], times[(len(times)-1)*99/100], times[len(times)-1]}
}

func (s spread) String() string {
	return fmt.Sprintf("%.1f / %.1f / %.1f ms", inMS(s.Median), inMS(s.P99), inMS(s.Worst))
}

// lost is an error where an event did not come to each stream once: however busy
// the machine is, that must not be.
func (s *soaked) lost() error {
	if s.Missed+s.Twice > 0 {
		return fmt.Errorf("%d events were missed, and %d came twice or out of order", s.Missed, s.Twice)
	}
	return nil
}

// growth is by how many MiB the memory of the last quarter of the time is above
// that of the second one: in the first a program finds its size.
func (s *soaked) growth() float64 {
	n := len(s.Memory) / 4
	if n == 0 {
		return 0
	}
	return (mean(s.Memory[len(s.Memory)-n:]) - mean(s.Memory[n:2*n])) / mebi
}

func mean(sizes []int64) float64 {
	sum := int64(0)
	for _, size := range sizes {
		sum += size
	}
	return float64(sum) / float64(len(sizes))
}

func (s *soaked) String() string {
	var b strings.Builder
	made := 0
	for _, m := range s.Changes {
		made += m.Changes
	}
	fmt.Fprintf(&b, "%s\n\n| `pawl serve`, %s tasks, %d streams, %.0f changes/s for %.0f s | measured | limit | |\n|---|---:|---:|---|\n",
		s.Machine, thousands(soakTasks), s.streams, float64(made)/s.Took.Seconds(), s.Took.Seconds())
	fmt.Fprintf(&b, "| events that should have come: %s for each stream | %s | | |\n", thousands(made), thousands(made*s.streams))
	fmt.Fprintf(&b, "| missed | %d | 0 | %s |\n", s.Missed, verdict(s.Missed == 0))
	fmt.Fprintf(&b, "| twice or out of order | %d | 0 | %s |\n", s.Twice, verdict(s.Twice == 0))
	for _, m := range s.Changes {
		fmt.Fprintf(&b, "| %s, from its beginning until it is known to be durable: median / 99 %% / worst | %v | | |\n", m.By, m.Made)
		fmt.Fprintf(&b, "| from then until it is at a page | %v | 99 %%: %.0f ms | %s |\n", m.Known, inMS(soakLimit), verdict(m.Known.P99 <= soakLimit))
		fmt.Fprintf(&b, "| both together | %v | | |\n", m.Begun)
	}
	if len(s.Memory) > 0 {
		fmt.Fprintf(&b, "| memory at the beginning / at the end | %.1f / %.1f MiB | | |\n",
			float64(s.Memory[0])/mebi, float64(s.Memory[len(s.Memory)-1])/mebi)
		fmt.Fprintf(&b, "| memory of the last quarter of the time above that of the second | %.1f MiB | %.0f MiB | %s |\n",
			s.growth(), soakFlat, verdict(s.growth() <= soakFlat))
	}
	fmt.Fprintf(&b, "| processor of the server | %.0f %% | | |\n", s.CPU)
	return b.String()
}

// A made is a change: its revision, and when it was begun and known to be done.
type made struct {
	rev          pawl.Revision
	begun, known time.Duration
}

// A writer is all that was changed in one way.
type writer struct {
	by  string
	all []made
}

// count compares what was made with what came.
func (s *soaked) count(streams []*listener, ways []*writer) {
	for _, l := range streams {
		s.Twice += l.twice
	}
	for _, w := range ways {
		by := madeBy{By: w.by, Changes: len(w.all)}
		var self, begun, known []time.Duration
		for _, m := range w.all {
			self = append(self, m.known-m.begun)
			for _, l := range streams {
				came := time.Duration(l.came[m.rev-l.first-1])
				if came == 0 {
					s.Missed++
					continue
				}
				begun, known = append(begun, came-m.begun), append(known, max(0, came-m.known))
			}
		}
		by.Made, by.Begun, by.Known = spreadOf(self), spreadOf(begun), spreadOf(known)
		s.Changes = append(s.Changes, by)
	}
}
