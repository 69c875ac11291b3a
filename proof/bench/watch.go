package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds of a board on a terminal (docs/benchmarks.md).
const (
	seenLimit  = 200 * time.Millisecond // from the beginning of a change elsewhere until it stands on the screen, at worst
	idleLimit  = 1.0                    // percent of a processor while nothing happens
	frameLimit = 50 * time.Millisecond  // for one frame while much happens

	watchRuns  = 20
	watchPause = 700 * time.Millisecond // until all is quiet: the larger a board is, the longer it rests after a look
	watchIdle  = 20 * time.Second
	watchBurst = 1_000 // changes
)

// watchSizes are the tasks on the boards.
var watchSizes = []int{1_000, 10_000}

// A watched is what was measured of a program that shows something.
type watched struct {
	Name  string        // pawl board, 1,000 tasks
	Start time.Duration // from its start to the first frame with something on it
	Seen  []sighting
	Idle  float64 // percent of a processor
	Burst burst
	Peak  int64 // bytes
}

// A sighting is how long it takes until what somebody did is seen.
type sighting struct {
	By            string
	Median, Worst time.Duration
}

// A burst is what many changes cost.
type burst struct {
	Took   time.Duration // of the changes themselves, durable, one after another
	Frames int           // written during the changes
	CPU    float64       // percent of a processor
}

func sightingOf(by string, times []time.Duration) sighting {
	return sighting{by, median(times), slices.Max(times)}
}

func (w *watched) String() string {
	var b strings.Builder
	b.WriteString("| " + w.Name + " | measured | limit | |\n|---|---:|---:|---|\n")
	fmt.Fprintf(&b, "| from its start to the first frame | %v ms | | |\n", ms(w.Start))
	for _, s := range w.Seen {
		fmt.Fprintf(&b, "| %s, until it stands on the screen: median / worst of %d | %.0f / %.0f ms | %.0f ms | %s |\n",
			s.By, watchRuns, inMS(s.Median), inMS(s.Worst), inMS(seenLimit), verdict(s.Worst <= seenLimit))
	}
	fmt.Fprintf(&b, "| processor while nothing happens for %v | %.2f %% | %.0f %% | %s |\n", watchIdle, w.Idle, idleLimit, verdict(w.Idle <= idleLimit))
	if w.Burst.Took > 0 {
		most := int(w.Burst.Took/frameLimit) + 2 // before the first change and after the last
		fmt.Fprintf(&b, "| frames while %s changes come in %.1f s | %d | %d | %s |\n",
			thousands(watchBurst), w.Burst.Took.Seconds(), w.Burst.Frames, most, verdict(w.Burst.Frames <= most))
		fmt.Fprintf(&b, "| processor | %.0f %% | | |\n", w.Burst.CPU)
	}
	fmt.Fprintf(&b, "| peak memory | %.1f MiB | | |\n", float64(w.Peak)/mebi)
	return b.String()
}

func inMS(t time.Duration) float64 { return float64(t) / 1e6 }

func verdict(good bool) string {
	if good {
		return "green"
	}
	return "**over**"
}

// screens is what was measured of all programs that show something.
type screens []*watched

func (s screens) String() string {
	var tables []string
	for _, w := range s {
		tables = append(tables, w.String())
	}
	return strings.Join(tables, "\n")
}

// mark is a text that stands nowhere else on the screen, and differs from the
// one before at each place, so that the terminal gets all of it.
func mark(n int) string {
	const alphabet = "αβγδεζηθικλμνξοπρστυφχψω"
	letters := []rune(alphabet)
	text := make([]rune, 10)
	for i := range text {
		text[i] = letters[(n+i)%len(letters)]
	}
	return string(text)
}

// subject replaces the subject in the text of a task.
func subject(task []byte, to string) ([]byte, error) {
	const key = `"subject": `
	before, after, ok := strings.Cut(string(task), key)
	if !ok {
		return nil, fmt.Errorf("no %s in %s", key, task)
	}
	end := strings.Index(after, ",\n")
	quoted, err := json.Marshal(to)
	if err != nil || end < 0 {
		return nil, fmt.Errorf("no end of the subject in %s, %v", task, err)
	}
	return []byte(before + key + string(quoted) + after[end:]), nil
}
