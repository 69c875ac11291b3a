package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// printList prints a list as its agent reads it, on a terminal with the numbers
// that one changes it by.
func (t *todoRun) printList(list *todo.List) {
	if !t.screen.on {
		t.print("%s\n", strings.TrimRight(text.Lines(todo.Structured(list, time.Now())), "\n"))
		return
	}
	for _, line := range t.numbered(list) {
		t.print("%s\n", line)
	}
	if list.HasCheck() {
		t.print("%s\n", list.CheckTold(time.Now()))
	}
}

// numbered are the todos in columns, each behind its position:
//
//	1  ✔  Plan
//	2  →  Write tests [high]
//	2.1  ○  unit
func (t *todoRun) numbered(list *todo.List) []string {
	type row struct {
		number, text string
		state        todo.Status
	}
	var rows []row
	for i, item := range list.Items {
		text := item.Content
		if item.Priority != todo.Medium && item.Priority != "" {
			text += " [" + string(item.Priority) + "]"
		}
		if item.Blocked {
			text += " (blocked)"
		}
		if item.Task != 0 {
			text += fmt.Sprintf(" (task %v)", item.Task)
		}
		rows = append(rows, row{fmt.Sprint(i + 1), text, item.Status})
		for s, sub := range item.Subtasks {
			rows = append(rows, row{fmt.Sprintf("%d.%d", i+1, s+1), sub.Content, sub.Status})
		}
	}
	width := 0
	for _, r := range rows {
		width = max(width, len(r.number))
	}
	states := map[todo.Status]query.State{todo.Completed: query.Done, todo.InProgress: query.Working, todo.Pending: query.Waiting}
	colours := map[todo.Status]string{todo.Completed: faint, todo.InProgress: yellow}
	var lines []string
	for _, r := range rows {
		indent := strings.Repeat("  ", strings.Count(r.number, "."))
		line := fmt.Sprintf("%-*s  %s%s  %s", width, r.number, indent, states[r.state].Glyph(t.screen.Unicode), text.Line(r.text))
		line = t.screen.Fit(line, t.screen.Width)
		if colour := colours[r.state]; colour != "" {
			line = t.paint.as(colour, line)
		}
		lines = append(lines, line)
	}
	return lines
}
