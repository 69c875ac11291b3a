package todo

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/clean"
	"github.com/pawl-dev/pawl/internal/duration"
)

// Texts in a list are data: each stands in one line, with what could act there
// spelled out, so that none passes for a line of ours.

// Simplified is the list as a session without a panel reads it:
//
//	## Todo List (3 tasks)
//	- [x] Plan
//	- [→] ← current Write tests
//	- [ ] Run tests
func Simplified(items []Item) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Todo List (%d tasks)\n", len(items))
	for i := range items {
		mark := "- [ ] "
		switch items[i].Status {
		case Completed:
			mark = "- [x] "
		case InProgress:
			mark = "- [→] ← current "
		}
		b.WriteString(mark + line(items[i].Content) + "\n")
	}
	return b.String()
}

// Structured is the list with everything that the panel shows, in the order of
// the list, at now:
//
//	## Todo Progress
//
//	2 tasks: 1 completed, 1 in progress, 0 pending
//
//	✔ Plan
//
//	→ Write tests [HIGH] (1/2) ← current
//	  ✔ Read the old ones
//	  → Cover the parser
//	    ↳ read_file(path: 'parse.go') 2x
//	  ↳ bash(command: 'go test') (failed)
//
// Where there are very many tool calls they are left out of what is completed,
// and if need be of all but the current todo.
func Structured(l *List, now time.Time) string {
	var b strings.Builder
	b.WriteString("## Todo Progress\n\n")
	if len(l.Items) == 0 {
		b.WriteString("No todos found.\n\nUse todo_write to create a task list when working on multi-step projects.\n")
	} else {
		h := l.Head()
		fmt.Fprintf(&b, "%d tasks: %d completed, %d in progress, %d pending\n", len(l.Items), h.Completed, h.InProgress, h.Pending)
	}
	with := showCalls(l.Items)
	for i := range l.Items {
		b.WriteByte('\n')
		l.Items[i].write(&b, with(&l.Items[i]))
	}
	if l.Pause != nil {
		fmt.Fprintf(&b, "\nPaused %s, until the user's next prompt: %s\n", ago(now.Sub(l.Pause.At)), line(l.Pause.Reason))
	}
	return strings.TrimRight(b.String(), " \n")
}

// write adds the lines of a todo, with its tool calls or without.
func (i *Item) write(b *strings.Builder, calls bool) {
	b.WriteString(icon(i.Status, "○") + line(i.Content))
	switch i.Priority {
	case High:
		b.WriteString(" [HIGH]")
	case Low:
		b.WriteString(" [LOW]")
	}
	done := 0
	for s := range i.Subtasks {
		if i.Subtasks[s].Status == Completed {
			done++
		}
	}
	if done > 0 {
		fmt.Fprintf(b, " (%d/%d)", done, len(i.Subtasks))
	}
	if i.Blocked && i.Status == Pending {
		b.WriteString(" (blocked)")
	}
	if i.Task != 0 {
		fmt.Fprintf(b, " (task #%d)", i.Task)
	}
	if i.Status == InProgress {
		b.WriteString(" ← current")
	}
	b.WriteByte('\n')
	for s := range i.Subtasks {
		sub := &i.Subtasks[s]
		b.WriteString("  " + icon(sub.Status, "•") + line(sub.Content) + "\n")
		if calls {
			writeCalls(b, "    ", sub.ToolCalls)
		}
	}
	if calls {
		writeCalls(b, "  ", i.ToolCalls)
	}
}

func icon(s Status, pending string) string {
	switch s {
	case Completed:
		return "✔ "
	case InProgress:
		return "→ "
	}
	return pending + " "
}

// line is a text of the list in one line.
func line(s string) string { return clean.Line(strings.TrimSpace(s)) }

func ago(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return duration.Format(d.Truncate(time.Minute)) + " ago"
}
