package tool

import (
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// deleted is what Claude Code calls the status of a task that is to be removed.
const deleted = "deleted"

// statusOf returns the state that models mean by a word, folded; empty: none.
func statusOf(folded string) string {
	switch folded {
	case "pending", "todo", "open", "notstarted", "new", "queued", "backlog", "planned", "reopen", "reopened":
		return "pending"
	case "inprogress", "doing", "started", "start", "active", "working", "wip", "ongoing", "current", "running":
		return "in_progress"
	case "completed", "complete", "done", "finished", "closed", "close", "resolved", "success", "x":
		return "completed"
	case "deleted", "delete", "removed", "remove":
		return deleted
	}
	return ""
}

// notStatus returns why a word, folded, is not a status but something that is told of
// a task by other means; empty: it is no such word.
func notStatus(folded string) string {
	switch folded {
	case "blocked":
		return "a task is blocked while it waits for another one: say which with addBlockedBy, or why with hold"
	case "held", "onhold":
		return "to put a task on hold, give the reason with hold"
	case "paused":
		return "to put a task away use hold with a reason, or release"
	case "cancelled", "canceled":
		return "put a task that will not be done on hold with a reason, or complete it with a note"
	case "failed":
		return "a task that failed is still pending: use release, and say why with note"
	case "ready":
		return "a task is ready when it is pending and nothing keeps it"
	}
	return ""
}

// status reads what a task is to become; empty: nothing was said.
func (a *arguments) status(name string) string {
	word := a.word(name)
	if word == "" {
		return ""
	}
	if status := statusOf(fold(word)); status != "" {
		return status
	}
	if why := notStatus(fold(word)); why != "" {
		a.fault(name, "%s", why)
		return ""
	}
	all := []string{"pending", "in_progress", "completed"}
	if near := text.Nearest(word, all); near != "" {
		a.fault(name, "%q is not a status: did you mean %q?", line(text.Clip(word, 40)), near)
	} else {
		a.fault(name, "%q is not a status: use pending, in_progress or completed", line(text.Clip(word, 40)))
	}
	return ""
}

// priorityOf returns the priority that models mean by a word, folded.
func priorityOf(folded string) (pawl.Priority, bool) {
	switch folded {
	case "high", "urgent", "critical", "highest", "p0", "p1":
		return pawl.High, true
	case "medium", "normal", "default", "mid", "p2":
		return pawl.Medium, true
	case "low", "minor", "lowest", "p3", "p4":
		return pawl.Low, true
	}
	return pawl.Medium, false
}

// priority reads a priority; nil: nothing was said.
func (a *arguments) priority(name string) *pawl.Priority {
	word := a.word(name)
	if word == "" {
		return nil
	}
	p, ok := priorityOf(fold(word))
	if !ok {
		a.fault(name, "%q is not a priority: use high, medium or low", line(text.Clip(word, 40)))
		return nil
	}
	return &p
}

// owner reads whose a task is to be; empty: nobody's.
func (a *arguments) owner() (string, bool) {
	s, ok := a.text("owner")
	switch fold(strings.TrimSpace(s)) {
	case "", "none", "nobody", "null", "nil", "unassigned": // and "-"
		s = ""
	}
	return strings.TrimSpace(s), ok
}

// hold reads the reason of a hold; empty: the hold is lifted.
func (a *arguments) hold() (string, bool) {
	s, ok := a.text("hold")
	switch fold(strings.TrimSpace(s)) {
	case "false", "no", "off", "none", "null", "":
		s = ""
	case "true", "yes", "on":
		a.fault("hold", "needs a reason, such as \"waits for the design\"")
	}
	return s, ok
}
