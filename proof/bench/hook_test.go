package main

import (
	"encoding/json"
	"testing"
	"time"
)

// TestHookSteps sees that no event of a round is that of another: it would be
// dropped as one that came twice, and yet measured.
func TestHookSteps(t *testing.T) {
	seen := map[string]string{}
	for round := range 3 {
		a := &agent{project: "/src", round: round}
		steps := a.steps()
		if len(steps) < 15 {
			t.Fatalf("only %d steps", len(steps))
		}
		for _, s := range steps {
			text, err := a.payload(s)
			if err != nil || !json.Valid(text) {
				t.Fatalf("%s: %s, %v", s.name, text, err)
			}
			if other, twice := seen[string(text)]; twice {
				t.Errorf("%s is the same event as %s before", s.name, other)
			}
			seen[string(text)] = s.name
		}
	}
}

func TestHookReport(t *testing.T) {
	h := hooked{Runs: 3, Boards: []hookBoard{{10_000, []hookFigure{
		{figure{"Stop", ms(3 * time.Millisecond), ms(4 * time.Millisecond)}, ms(time.Millisecond / 2)},
		{figure{"SessionEnd", ms(5 * time.Millisecond), ms(4 * time.Millisecond)}, ms(time.Millisecond)},
	}}}}
	const want = `medians of 3 runs

| event, at so many tasks | took | limit | of it | | the least, above a start |
|---|---:|---:|---:|---|---:|
| 10,000: Stop | 3.00 ms | 4.00 ms | 75 % | green | 0.50 ms |
| 10,000: SessionEnd | 5.00 ms | 4.00 ms | 125 % | **over** | 1.00 ms |
`
	if got := h.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestHookFigures sees that a limit hangs on the starts next to its event.
func TestHookFigures(t *testing.T) {
	a := &agent{names: []string{"Stop"}, events: map[string]*paired{
		"Stop": {took: []time.Duration{7, 9, 8}, start: []time.Duration{3, 2, 4}},
	}}
	if got := a.figures(); len(got) != 1 || got[0] != (hookFigure{figure{"Stop", 8, ms(3 + time.Millisecond)}, 5}) {
		t.Errorf("got %+v", got)
	}
}
