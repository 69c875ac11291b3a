package nudge

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
)

// A FailedCheck is a check whose last run failed.
type FailedCheck struct {
	Task  pawl.ID // whose it is; zero: the todo list's
	Check string  // its name; empty: nobody here knows which one it is
	Tail  string  // the end of what it printed here, with secrets masked; empty: nobody here has seen it
}

// How much of what a failed check printed a note has.
const (
	maxTailLines = 8
	maxTail      = 700 // bytes
)

// failedNote says of the first check that failed what it printed, in the room that there
// is: bytes.
func failedNote(all []FailedCheck, room int) string {
	if len(all) == 0 {
		return ""
	}
	first := &all[0]
	of := first.Task.String()
	if first.Task == 0 {
		of = "your todo list"
	}
	head := fmt.Sprintf("A check of %s failed when it last ran", of)
	if first.Check != "" {
		head = fmt.Sprintf("The check %s of %s failed when it last ran", line(first.Check, maxName), of)
	}
	if more := len(all) - 1; more > 0 {
		head += fmt.Sprintf(", and so did %d more", more)
	}
	printed := "; it printed at its end:\n"
	tail := tailLines(first.Tail, min(maxTail, room-len(head)-len(printed)))
	switch {
	case tail != "":
		return head + printed + tail
	case len(head)+2 <= room:
		return head + ".\n"
	}
	return ""
}

// tailLines are the last lines of a text that have room, each as a line of ours.
func tailLines(s string, room int) string {
	s = strings.TrimSpace(s)
	out, n := "", 0
	for n < maxTailLines && s != "" {
		last := s
		if at := strings.LastIndexByte(s, '\n'); at >= 0 {
			s, last = s[:at], s[at+1:]
		} else {
			s = ""
		}
		if last = line(last, maxLine); last == "" {
			continue
		}
		last = "| " + last + "\n"
		if len(last)+len(out) > room {
			break
		}
		out = last + out
		n++
	}
	return out
}

// Standing returns how a task stands with its checks: a brief task says it, of a whole one
// it is worked out.
func Standing(t *pawl.Task) pawl.Checked {
	if t.Checked != pawl.NotChecked {
		return t.Checked
	}
	return t.Standing()
}

// checkRemark says behind a task that the agent has claimed how it stands with its checks.
func checkRemark(t *pawl.Task, all []FailedCheck) string {
	var names []string
	for i := range all {
		if all[i].Task == t.ID && all[i].Check != "" {
			names = append(names, line(all[i].Check, maxName))
		}
	}
	const most = 3
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("%d more", more))
	}
	is := Standing(t)
	switch {
	case len(names) > 0:
		return " (failed: " + strings.Join(names, ", ") + ")"
	case is == pawl.CheckedFailed:
		return " (a check failed)"
	case is == pawl.CheckedOpen:
		return " (checks open: completing it runs them)"
	}
	return ""
}
