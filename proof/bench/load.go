package main

import (
	"fmt"
	"strings"
	"time"
)

// A loadPlan is what measureLoad does, and how much of it.
type loadPlan struct {
	parts      []string      // empty: all
	folder     bool          // boards in a folder instead of PostgreSQL
	tls        bool          // between the clients and the server
	boards     []int         // of the boards of "sizes"
	ready      int           // tasks that stay ready while clients claim
	clients    []int         // of "claims"
	watchers   []int         // of "watch"
	last       time.Duration // of one measurement of "claims"
	dependents []int         // of "complete"
	times      int           // how often the single things are done
	most       int           // claims of one measurement: so many tasks have to be there for it
	seen       int           // tasks on the board of "watch"
	tokens     int           // that the clients share: each is good for 1,000 requests a second
	crowd      int           // clients of "memory"
}

// usualLoad is what the figures in the docs are of.
func usualLoad() loadPlan {
	return loadPlan{
		parts:      []string{"claims", "complete", "watch", "memory", "sizes"},
		boards:     []int{1_000, 10_000, 100_000, 1_000_000},
		ready:      100_000,
		clients:    []int{8, 32, 128, 256},
		watchers:   []int{1, 100, 1_000},
		last:       5 * time.Second,
		dependents: []int{10, 100, 1_000},
		times:      200,
		most:       20_000,
		seen:       10_000,
		tokens:     32,
		crowd:      1_000,
	}
}

// A loaded is what was measured of servers with boards in a store.
type loaded struct {
	Machine string
	Tables  []loadTable
}

// A loadTable is one kind of measurement.
type loadTable struct {
	Title, Head string
	Rows        []string
}

// row adds a row, cell by cell.
func (t *loadTable) row(cells ...any) {
	texts := make([]string, len(cells))
	for i, cell := range cells {
		texts[i] = fmt.Sprint(cell)
	}
	t.Rows = append(t.Rows, "| "+strings.Join(texts, " | ")+" |")
}

func (r *loaded) String() string {
	var b strings.Builder
	b.WriteString(r.Machine + "\n")
	for _, t := range r.Tables {
		columns := strings.Count(t.Head, "|") + 1
		fmt.Fprintf(&b, "\n%s\n\n| %s |\n|---|%s\n%s\n", t.Title, t.Head, strings.Repeat("---:|", columns-1), strings.Join(t.Rows, "\n"))
	}
	return b.String()
}

// shares is the processor time of each side.
type shares struct{ serve, database, clients time.Duration }

func (s shares) minus(before shares) shares {
	return shares{s.serve - before.serve, s.database - before.database, s.clients - before.clients}
}

func (s shares) each(n int) shares {
	d := time.Duration(max(1, n))
	return shares{s.serve / d, s.database / d, s.clients / d}
}

func (s shares) String() string {
	return fmt.Sprintf("%d + %d + %d µs", s.serve.Microseconds(), s.database.Microseconds(), s.clients.Microseconds())
}
