package main

import (
	"fmt"
	"strings"
	"time"
)

// A report is what was measured. Times are medians.
type report struct {
	Machine string  `json:"machine"`
	Runs    int     `json:"runs"`
	Hello   ms      `json:"hello"` // a program in Go that says hello
	Version figure  `json:"version"`
	Binary  bytes   `json:"binary"`
	Boards  []board `json:"boards"`
}

// A board is what was measured on one.
type board struct {
	Size    int      `json:"size"`
	Stat    ms       `json:"stat"` // the look at every file
	Verbs   []figure `json:"verbs"`
	Young   ms       `json:"young"` // ready, right after a change
	Peak    bytes    `json:"peak"`
	Sync    ms       `json:"sync"`    // one write and one fdatasync, by the clock
	Running figure   `json:"running"` // a change in a running process, by the clock
}

// A figure is a time and its limit.
type figure struct {
	Name  string `json:"name"`
	Took  ms     `json:"took"`
	Limit ms     `json:"limit"`
}

// bytes is a size and its limit.
type bytes struct {
	Size  int64 `json:"size"`
	Limit int64 `json:"limit"`
}

// ms is a time that JSON and tables show in milliseconds.
type ms time.Duration

func (t ms) String() string               { return fmt.Sprintf("%.2f", float64(t)/1e6) }
func (t ms) MarshalJSON() ([]byte, error) { return []byte(t.String()), nil }

// String is the report as a table in Markdown, as in docs/benchmarks.md.
func (r *report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s; medians of %d runs\n\n", r.Machine, r.Runs)
	b.WriteString("| board | what | took | limit | of it | |\n|---:|---|---:|---:|---:|---|\n")
	fmt.Fprintf(&b, "| | hello-world in Go | %v ms | | | |\n", r.Hello)
	r.Version.row(&b, "")
	r.Binary.row(&b, "", "the binary", 1e6, "MB")
	for i := range r.Boards {
		board := &r.Boards[i]
		size := thousands(board.Size)
		fmt.Fprintf(&b, "| %s | S, the look at every file | %v ms | | | |\n", size, board.Stat)
		for _, verb := range board.Verbs {
			verb.row(&b, size)
		}
		fmt.Fprintf(&b, "| %s | `ready` right after a change | %v ms | | | |\n", size, board.Young)
		board.Peak.row(&b, size, "peak memory", mebi, "MiB")
		fmt.Fprintf(&b, "| %s | one `fdatasync`, by the clock | %v ms | | | |\n", size, board.Sync)
		board.Running.row(&b, size)
	}
	return b.String()
}

func (f *figure) row(b *strings.Builder, size string) {
	fmt.Fprintf(b, "|%s | %s | %v ms | %v ms | %s |\n", cell(size), f.Name, f.Took, f.Limit, share(int64(f.Took), int64(f.Limit)))
}

func (m *bytes) row(b *strings.Builder, size, name string, unit float64, called string) {
	fmt.Fprintf(b, "|%s | %s | %.1f %s | %.0f %s | %s |\n", cell(size), name,
		float64(m.Size)/unit, called, float64(m.Limit)/unit, called, share(m.Size, m.Limit))
}

// cell is the beginning of a cell that may be empty.
func cell(text string) string {
	if text == "" {
		return ""
	}
	return " " + text
}

// share says which part of its limit something took, and whether that is well.
func share(took, limit int64) string {
	word := "green"
	if took > limit {
		word = "**over**"
	}
	return fmt.Sprintf("%.0f %% | %s", 100*float64(took)/float64(limit), word)
}

// thousands writes 100000 as 100,000.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
