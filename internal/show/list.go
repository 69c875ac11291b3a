package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// ListLine is a task as one line of a list, cheap to read for a model:
//
//	[ ] #12 Refactor auth middleware (blocked by #8, #11)
//	[>] #3 Write parser @ada
//	[x] #1 Setup
//	[!] #7 (damaged: the file ends in the middle of a value)
//	[x] #8 Fix the flicker (completed, but a check failed)
//
// It says only what matters in the task's state. s is how the board is shared, or nil.
//
//	[>] #3 Write parser @bob on mac-mini
//	[>] #4 Write emitter @ada (claimed here only)
func ListLine(t *pawl.Task, s *share.Status) string {
	line := fmt.Sprintf("%s %v", Mark(t), t.ID)
	if t.Subject != "" {
		line += " " + Subject(t)
	}
	notes := Remarks(t)
	if t.Status == pawl.InProgress && t.Owner != "" {
		line += " @" + Owner(t, s)
		if isHereOnly(t.ID, s) {
			notes = slices.Insert(notes, 0, hereOnly)
		}
	}
	if len(notes) > 0 {
		line += " (" + strings.Join(notes, "; ") + ")"
	}
	return line
}

// Labels lists a task's labels in a line.
func Labels(t *pawl.Task) string {
	labels := make([]string, len(t.Labels))
	for i, label := range t.Labels {
		labels[i] = text.Line(label)
	}
	return strings.Join(labels, ", ")
}

// Name is how a sentence calls a task: #12 Refactor auth middleware.
func Name(t *pawl.Task) string {
	if t.Subject == "" {
		return t.ID.String()
	}
	return t.ID.String() + " " + Subject(t)
}

// taskName is how a sentence calls a task of which little more is known than its id.
func taskName(s query.Subjects, id pawl.ID) string { return Name(&pawl.Task{ID: id, Subject: s[id]}) }

// Subject is a task's subject in a line. Only a file that another program wrote can have one
// that is too long, and a list stays cheap to read anyway.
func Subject(t *pawl.Task) string { return text.Line(text.Clip(t.Subject, pawl.MaxSubject)) }

// Mark is the box before a task.
func Mark(t *pawl.Task) string {
	switch {
	case t.Damage != "":
		return "[!]"
	case t.Status == pawl.Completed:
		return "[x]"
	case t.Status == pawl.InProgress:
		return "[>]"
	}
	return "[ ]"
}

// Remarks says what a reader of a list should know beyond the subject.
func Remarks(t *pawl.Task) []string {
	if t.Damage != "" {
		return []string{"damaged: " + text.Line(t.Damage)}
	}
	notes := text.Some(OtherBranch(t))
	if shown := CheckedWords(t); shown != "" && (t.Unshown() || t.Open()) {
		notes = append(notes, shown)
	}
	if !t.Open() {
		return notes
	}
	if t.Priority != pawl.Medium {
		notes = append(notes, t.Priority.String()+" priority")
	}
	if t.Status == pawl.Pending && t.Owner != "" {
		notes = append(notes, "assigned to "+text.Line(t.Owner))
	}
	if len(t.BlockedBy) > 0 {
		notes = append(notes, "blocked by "+IDs(t.BlockedBy))
	}
	if t.OpenChildren > 0 {
		notes = append(notes, "waits for "+Children(t))
	}
	if t.Hold != nil {
		notes = append(notes, "on hold: "+text.Line(t.Hold.Reason))
	}
	return notes
}

// Children counts the open children: "2 children", and "2 of 3 children" once
// one of them is done.
func Children(t *pawl.Task) string {
	if t.OpenChildren == len(t.Children) {
		return text.Count(len(t.Children), "child", "children")
	}
	return fmt.Sprintf("%d of %s", t.OpenChildren, text.Count(len(t.Children), "child", "children"))
}

// IDs lists ids for a sentence, and only counts those beyond the first ten.
func IDs(ids []pawl.ID) string {
	const most = 10
	var b strings.Builder
	for i, id := range ids {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(ids)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(id.String())
	}
	return b.String()
}

// Cut says which edge of a cycle was cut.
func Cut(e pawl.Edge) string {
	if e.Parent {
		return fmt.Sprintf("%v is no longer a child of %v: that closed a cycle", e.Task, e.For)
	}
	return fmt.Sprintf("%v no longer depends on %v: that closed a cycle", e.Task, e.For)
}

// Cuts says which edges were cut before a request.
func Cuts(r *pawl.Result) (said []string) {
	for _, e := range r.Cut {
		said = append(said, Cut(e))
	}
	return said
}

// Cycle names the tasks of a cycle.
func Cycle(ids []pawl.ID) string {
	if len(ids) == 1 {
		return ids[0].String() + " depends on itself"
	}
	return IDs(ids) + " depend on one another"
}
