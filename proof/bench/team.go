package main

import (
	"fmt"
	"strings"
	"time"
)

// Bounds of a server of boards and its clients (docs/benchmarks.md).
const (
	teamTasks       = 10_000
	teamReady       = 8 * time.Millisecond   // that `pawl ready` over https may take above a start
	teamHook        = 50 * time.Millisecond  // of a hook by the clock, whatever is due
	teamClaim       = 20 * time.Millisecond  // of a claim, 99 of 100 times
	teamSeen        = 100 * time.Millisecond // from the beginning of a change until a watcher has it, 99 of 100 times
	teamMemory      = 100 * mebi             // of the server
	teamScreen      = 500 * time.Millisecond // from the start of pawl board to its first frame
	teamClaimers    = 50
	teamWatchers    = 1_000
	teamClaimPause  = 200 * time.Millisecond // between two claims of one client: 250 a second in all
	teamChangePause = 100 * time.Millisecond
)

// A teamed is what was measured of a server of boards, with TLS on loopback.
type teamed struct {
	Machine string
	Rows    []teamRow
	Hooks   *hooked
}

// A teamRow is one measurement.
type teamRow struct {
	Name, Took, Limit string
	Good              bool
}

func (r *teamed) row(name string, took, limit time.Duration) {
	r.Rows = append(r.Rows, teamRow{name, fmt.Sprintf("%v ms", ms(took)), fmt.Sprintf("%v ms", ms(limit)), took <= limit})
}

// most adds a spread that is held to by its 99th percentile.
func (r *teamed) most(name string, s spread, limit time.Duration) {
	r.Rows = append(r.Rows, teamRow{name + ": median / p99 / worst", s.String(), fmt.Sprintf("p99 %v ms", ms(limit)), s.P99 <= limit})
}

func (r *teamed) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n| a board of %s tasks at https:// | measured | limit | |\n|---|---:|---:|---|\n", r.Machine, thousands(teamTasks))
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", row.Name, row.Took, row.Limit, verdict(row.Good))
	}
	b.WriteString("\n" + r.Hooks.String())
	return b.String()
}
