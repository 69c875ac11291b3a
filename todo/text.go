package todo

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/text"
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
	return fitted(func(r room) string { return simplified(items, r) })
}

func simplified(items []Item, r room) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Todo List (%s)\n", count(len(items), "task"))
	for i := range items {
		mark := "- [ ] "
		switch items[i].Status {
		case Completed:
			mark = "- [x] "
		case InProgress:
			mark = "- [→] ← current "
		}
		b.WriteString(mark + r.line(items[i].Content) + "\n")
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
	return fitted(func(r room) string { return structured(l, now, r) })
}

func structured(l *List, now time.Time, r room) string {
	var b strings.Builder
	b.WriteString("## Todo Progress\n\n")
	if len(l.Items) == 0 {
		b.WriteString("No todos found.\n\nUse todo_write to create a task list when working on multi-step projects.\n")
	} else {
		h := l.Head()
		fmt.Fprintf(&b, "%s: %d completed, %d in progress, %d pending\n", count(len(l.Items), "task"), h.Completed, h.InProgress, h.Pending)
	}
	for row := range l.rows(r) {
		if r == (room{}) && b.Len() > maxText {
			return b.String() // which is too long, whatever follows
		}
		row.write(&b, !r.bare)
	}
	if l.HasCheck() {
		b.WriteString("\n" + l.CheckTold(now) + "\n")
	}
	if l.Pause != nil {
		b.WriteString("\n" + l.Pause.Told(now) + "\n")
	}
	return strings.TrimRight(b.String(), " \n")
}

// write adds a row's line. There is a blank one before each todo.
func (r *Row) write(b *strings.Builder, subtasksShown bool) {
	if r.Kind == ItemRow {
		b.WriteByte('\n')
	}
	b.WriteString(strings.Repeat("  ", r.Indent))
	switch r.Kind {
	case ItemRow:
		b.WriteString(icon(r.Status, "○") + r.Text)
	case SubtaskRow:
		b.WriteString(icon(r.Status, "•") + r.Text)
	case CallRow, CallsBefore:
		b.WriteString("↳ " + r.Text)
	}
	for _, badge := range r.Badges(subtasksShown) {
		b.WriteString(" " + badge)
	}
	if r.Kind == ItemRow && r.Status == InProgress {
		b.WriteString(" ← current")
	}
	b.WriteByte('\n')
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

// maxText is what either form has at most, in bytes, as far as cutting helps: a
// model reads it whole, and pays for each.
const maxText = 20_000

// A room is how much of a list is shown. The zero value is all of it.
type room struct {
	text int  // bytes of a todo's text; zero: all
	bare bool // subtasks are only counted
}

// fitted is a text with as much in it as there is room for.
func fitted(write func(room) string) (text string) {
	for _, r := range []room{{}, {text: 300}, {text: 100}, {100, true}, {40, true}} {
		if text = write(r); len(text) <= maxText {
			break
		}
	}
	return text
}

// line is as much of a text as there is room for.
func (r room) line(s string) string {
	s = strings.TrimSpace(s)
	if r.text > 0 {
		s = upTo(s, r.text+utf8.UTFMax) // no text becomes shorter by being made clean
	}
	s = text.Line(s)
	if r.text == 0 || len(s) <= r.text {
		return s
	}
	return strings.TrimRight(upTo(s, r.text-len("…")), " ") + "…"
}

// upTo is s, or of a longer text the runes within n bytes.
func upTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func line(s string) string { return text.Line(strings.TrimSpace(s)) }

func ago(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return text.FormatDuration(d.Truncate(time.Minute)) + " ago"
}
