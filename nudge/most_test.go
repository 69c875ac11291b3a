package nudge

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/todo"
)

// No nudge is longer than what people are told before they agree to a setup.
func TestMostBytes(t *testing.T) {
	now := time.Date(2026, 11, 22, 14, 2, 0, 0, time.UTC)
	long := strings.Repeat("word ", 100)
	f := Facts{
		Tools:  Tools{Write: "mcp__pawl__todo_write", Update: "TaskUpdate", Others: "mcp__pawl__todo_write", Pause: "mcp__pawl__todo_pause", Off: "/pawl:continuation off", Quiet: "/pawl:reminders off"},
		Commit: Commit{Hash: strings.Repeat("a", 40), Subject: long, At: now},
	}
	for i := range 40 {
		f.List.Items = append(f.List.Items, todo.Item{ID: fmt.Sprint(i), Content: fmt.Sprint(i) + long, Status: todo.Pending})
		f.Owned = append(f.Owned, pawl.Task{ID: pawl.ID(1000 + i), Subject: long, Status: pawl.InProgress, StartedAt: now.Add(-time.Hour)})
	}
	for i := range f.Owned {
		f.Owned[i].Checked = pawl.CheckedFailed
		f.Failed = append(f.Failed, FailedCheck{f.Owned[i].ID, long, strings.Repeat(long+"\n", 50)})
	}
	longest := 0
	see := func(d Decision) {
		longest = max(longest, len(d.Tell), len(d.Continue), len(d.Show))
	}
	var s State
	var d Decision
	for range 20 { // each time in other words
		s, d = Decide(s, Event{Kind: CallEnds, Call: Call{}}, f, Defaults, now)
		see(d)
		s, d = Decide(s, Event{Kind: Stop}, f, Defaults, now)
		see(d)
	}
	f.List.Check = &pawl.Check{Name: long, Run: []string{"true"}}
	f.List.Checked = &todo.Checked{Sum: f.List.Check.Sum(), Exit: 1, At: now}
	f.Check = ListCheck{Runs: true, Tail: strings.Repeat(long+"\n", 50), How: "pawl check --todos --session 0f0d7052-fe5d-45d1-8b2c-cce820a2ad60 --agent reviewer"}
	for _, status := range []todo.Status{todo.Pending, todo.Completed} {
		for i := range f.List.Items {
			f.List.Items[i].Status = status
		}
		_, d = Decide(State{}, Event{Kind: Stop}, f, Defaults, now)
		see(d)
	}
	var fresh State
	steps := ""
	for i := range 30 {
		steps += fmt.Sprintf("%d. Write %s\n", i+1, long)
	}
	for i := range 8 {
		fresh, d = Decide(fresh, Event{Kind: Prompt, Text: fmt.Sprint(i, " Do this in order:\n\n", steps)}, Facts{Tools: f.Tools}, Defaults, now.Add(time.Duration(i)*time.Hour))
		see(d)
	}
	t.Logf("the longest nudge has %d bytes", longest)
	if longest > MostBytes || longest < MostBytes/2 {
		t.Errorf("the longest nudge has %d bytes, and MostBytes says %d", longest, MostBytes)
	}
}
