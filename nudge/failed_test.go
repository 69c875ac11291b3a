package nudge

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// An agent that stops on a failed check is told which it is and what it printed at its
// end; after a compaction it learns in a word how its task stands.
func TestFailedCheckIsTold(t *testing.T) {
	now := time.Date(2026, 11, 22, 14, 2, 0, 0, time.UTC)
	task := pawl.Task{ID: 12, Subject: "Write the parser", Status: pawl.InProgress, Checked: pawl.CheckedFailed}
	f := Facts{Owned: []pawl.Task{task}, Failed: []FailedCheck{{12, "unit", "ok  a\n\n--- FAIL: TestX <b>\x1b[31m\nFAIL\n"}}}
	_, d := Decide(State{}, Event{Kind: Stop}, f, Defaults, now)
	want := "The check unit of #12 failed when it last ran; it printed at its end:\n| ok a\n| --- FAIL: TestX ‹b›\\x1b[31m\n| FAIL\n"
	if !strings.Contains(d.Continue, want) {
		t.Errorf("told:\n%s", d.Continue)
	}
	_, d = Decide(State{}, Event{Kind: Start, Source: Compact}, f, Defaults, now)
	if !strings.Contains(d.Tell, "- #12 Write the parser (failed: unit)\n") {
		t.Errorf("told:\n%s", d.Tell)
	}
	f.Owned[0].Checked, f.Failed = pawl.CheckedOpen, nil
	_, d = Decide(State{}, Event{Kind: Start, Source: Compact}, f, Defaults, now)
	if !strings.Contains(d.Tell, "- #12 Write the parser (checks open: completing it runs them)\n") {
		t.Errorf("told:\n%s", d.Tell)
	}
}

// What a check printed gets the room that is left, its last lines, and never half a line.
func TestFailedNoteHasRoom(t *testing.T) {
	var b strings.Builder
	for range 100 {
		b.WriteString("word word word\n")
	}
	all := []FailedCheck{{12, "unit", b.String()}, {13, "vet", ""}}
	for room := -10; room < 1200; room++ {
		text := failedNote(all, room)
		if len(text) > max(0, room) || text != "" && !strings.HasSuffix(text, "\n") {
			t.Fatalf("in %d bytes: %q", room, text)
		}
		if text != "" && !strings.HasPrefix(text, "The check unit of #12 failed when it last ran, and so did 1 more") {
			t.Fatalf("in %d bytes: %q", room, text)
		}
	}
	if n := strings.Count(failedNote(all, 1200), "| word word word\n"); n != maxTailLines {
		t.Errorf("%d lines", n)
	}
}

// A check that passes at last, or another one that fails, is something that has moved.
func TestFailedChecksMove(t *testing.T) {
	f := Facts{Owned: []pawl.Task{{ID: 12}}}
	seen := map[uint64]bool{}
	for _, failed := range [][]FailedCheck{nil, {{12, "unit", "x"}}, {{12, "vet", "x"}}, {{12, "unit", "x"}, {12, "vet", "x"}}} {
		f.Failed = failed
		if now := sum(f); seen[now] {
			t.Errorf("%v stands where another one does", failed)
		} else {
			seen[now] = true
		}
	}
	a, b := f, f
	a.Failed, b.Failed = []FailedCheck{{12, "unit", "x"}}, []FailedCheck{{12, "unit", "another time"}}
	if sum(a) != sum(b) {
		t.Error("what it prints is no progress")
	}
}
