package tool

import (
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// deleted is what Claude Code calls the status of a task that is to be removed.
const deleted = "deleted"

// statuses are what models call the states of a task, folded.
var statuses = map[string]string{
	"pending": "pending", "todo": "pending", "open": "pending", "notstarted": "pending", "new": "pending",
	"queued": "pending", "backlog": "pending", "planned": "pending", "reopen": "pending", "reopened": "pending",
	"inprogress": "in_progress", "doing": "in_progress", "started": "in_progress", "start": "in_progress", "active": "in_progress",
	"working": "in_progress", "wip": "in_progress", "ongoing": "in_progress", "current": "in_progress", "running": "in_progress",
	"completed": "completed", "complete": "completed", "done": "completed", "finished": "completed", "closed": "completed",
	"close": "completed", "resolved": "completed", "success": "completed", "x": "completed",
	"deleted": deleted, "delete": deleted, "removed": deleted, "remove": deleted,
}

// notStatuses are words for what is said of a task by other means.
var notStatuses = map[string]string{
	"blocked":   "a task is blocked while it waits for another one: say which with addBlockedBy, or why with hold",
	"held":      "a task is held for a reason: give it with hold",
	"onhold":    "a task is held for a reason: give it with hold",
	"paused":    "to put a task away use hold with a reason, or release",
	"cancelled": "a task that will not be done is held with a reason, or completed with a note",
	"canceled":  "a task that will not be done is held with a reason, or completed with a note",
	"failed":    "a task that failed is still pending: use release, and say why with note",
	"ready":     "a task is ready when it is pending and nothing keeps it",
}

// status reads what a task is to become; empty: nothing was said.
func (a *arguments) status(name string) string {
	word := a.word(name)
	if word == "" {
		return ""
	}
	if status, ok := statuses[fold(word)]; ok {
		return status
	}
	if why, ok := notStatuses[fold(word)]; ok {
		a.fault(name, "%s", why)
		return ""
	}
	all := []string{"pending", "in_progress", "completed"}
	if near := text.Nearest(word, all); near != "" {
		a.fault(name, "%q is no status: did you mean %q?", line(text.Clip(word, 40)), near)
	} else {
		a.fault(name, "%q is no status: use pending, in_progress or completed", line(text.Clip(word, 40)))
	}
	return ""
}

var priorities = map[string]pawl.Priority{
	"high": pawl.High, "urgent": pawl.High, "critical": pawl.High, "highest": pawl.High, "p0": pawl.High, "p1": pawl.High,
	"medium": pawl.Medium, "normal": pawl.Medium, "default": pawl.Medium, "mid": pawl.Medium, "p2": pawl.Medium,
	"low": pawl.Low, "minor": pawl.Low, "lowest": pawl.Low, "p3": pawl.Low, "p4": pawl.Low,
}

// priority reads a priority; nil: nothing was said.
func (a *arguments) priority(name string) *pawl.Priority {
	word := a.word(name)
	if word == "" {
		return nil
	}
	p, ok := priorities[fold(word)]
	if !ok {
		a.fault(name, "%q is no priority: use high, medium or low", line(text.Clip(word, 40)))
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
