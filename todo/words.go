package todo

import (
	"slices"
	"strings"
	"unicode"
)

// field is what a key of a todo is about.
type field uint8

const (
	otherField field = iota
	idField
	contentField
	statusField
	doneField // true or false instead of a status
	blockedField
	priorityField
	activeField
	subtasksField
)

// fieldOf returns the field that a key means, and how well it fits. Of several keys
// for one field the one with the lowest rank counts: a description is the content
// only if there is no title.
func fieldOf(key string) (f field, rank int) {
	key = plain(key)
	for f, ranks := range fieldKeys {
		for rank, keys := range ranks {
			if slices.Contains(keys, key) {
				return field(f), rank
			}
		}
	}
	return otherField, 0
}

// fieldKeys are the keys of each field by their rank.
var fieldKeys = [...][][]string{
	idField:       {{"id"}, {"todoid", "itemid", "taskid"}},
	contentField:  {{"content"}, {"text"}, {"step"}, {"subject"}, {"title"}, {"task", "todo"}, {"name"}, {"description"}},
	statusField:   {{"status"}, {"state"}},
	doneField:     {{"done", "completed", "complete", "checked", "finished"}},
	blockedField:  {{"blocked"}},
	priorityField: {{"priority"}},
	activeField:   {{"activeform"}},
	subtasksField: {{"subtasks"}, {"subtodos", "subitems", "substeps", "children", "steps"}},
}

func wraps(key string) bool {
	switch plain(key) {
	case "todos", "todolist", "items", "plan", "tasks", "entries", "list":
		return true
	}
	return false
}

// standing is where an agent says that a todo stands.
type standing struct {
	status  Status
	blocked bool
	leave   Departure
}

// standingOf understands the words that agents use for a status, and the marks
// of checklists.
func standingOf(word string) (standing, bool) {
	switch w := plain(word); w {
	case "pending", "todo", "open", "new", "notstarted", "unstarted", "notdone", "planned", "queued", "ready", "next", "backlog", "incomplete":
		return standing{status: Pending}, true
	case "inprogress", "progress", "doing", "active", "started", "wip", "workinprogress", "current", "ongoing", "working", "running", "underway":
		return standing{status: InProgress}, true
	case "completed", "complete", "done", "finished", "finish", "closed", "resolved", "succeeded", "success":
		return standing{status: Completed}, true
	case "blocked", "waiting", "onhold", "hold", "held", "paused", "stuck", "deferred", "postponed":
		return standing{status: Pending, blocked: true}, true
	case "cancelled", "canceled", "cancel", "skipped", "skip", "abandoned", "obsolete", "wontdo", "wontfix":
		return standing{status: Pending, leave: Cancelled}, true
	case "deleted", "delete", "removed", "remove":
		return standing{status: Pending, leave: Deleted}, true
	default:
		mark := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(word), "["), "]")
		status, ok := statusOfMark(mark)
		return standing{status: status}, ok
	}
}

// statusOfMark understands what stands in the box of a checklist.
func statusOfMark(mark string) (Status, bool) {
	switch mark {
	case "", " ", "☐", "○", "◻", "◯":
		return Pending, true
	case "-", "~", ">", "/", "→", "▸", "▶", "◼", "◐":
		return InProgress, true
	case "x", "X", "✓", "✔", "☑", "✅":
		return Completed, true
	}
	return "", false
}

// priorityOf understands the words and numbers that agents use for a priority;
// 0 is the highest, as in P0.
func priorityOf(word string) (Priority, bool) {
	switch plain(word) {
	case "high", "highest", "critical", "urgent", "important", "major", "p0", "p1", "0", "1":
		return High, true
	case "medium", "med", "normal", "default", "moderate", "p2", "2":
		return Medium, true
	case "low", "lowest", "minor", "trivial", "p3", "p4", "3", "4":
		return Low, true
	}
	return "", false
}

// plain is a word as it is compared: small letters and digits only.
func plain(word string) string {
	const most = 40 // longer than any word that is known
	if len(word) > most {
		return word
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word)
}
