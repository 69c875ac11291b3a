package imports

import (
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// Fields are the members of a task's object that no reader has taken yet. Those left in
// the end are kept.
type Fields struct {
	members []Member
	byName  map[string]int
	taken   map[string]bool
}

// FieldsOf takes an object apart. Of a name that is there twice the last counts.
func FieldsOf(v Value) *Fields {
	f := &Fields{members: v.Members(), byName: map[string]int{}, taken: map[string]bool{}}
	for i, m := range f.members {
		f.byName[m.Name] = i
	}
	return f
}

// Value is a field, which stays to be kept.
func (f *Fields) Value(name string) Value {
	if i, there := f.byName[name]; there {
		return f.members[i].Value
	}
	return Value{}
}

// Place says that the task has the whole of some fields.
func (f *Fields) Place(names ...string) {
	for _, name := range names {
		f.taken[name] = true
	}
}

// Take returns the text of a field and takes it. A field that is not a text stays
// to be kept, and is as if it was not there.
func (f *Fields) Take(name string) string {
	s, ok := f.Value(name).Text()
	if ok {
		f.Place(name)
	}
	return s
}

// TakeTime reads a time.
func (f *Fields) TakeTime(r *Result, task *Task, name string, dst *time.Time) {
	v := f.Value(name)
	if v.None() {
		return
	}
	if s, ok := v.Text(); ok && SetTime(dst, s) {
		f.Place(name)
	} else {
		r.Change(task, "a time that cannot be read, kept in metadata")
	}
}

// TakeLabels adds the labels of a list, or of one text.
func (f *Fields) TakeLabels(r *Result, task *Task, name string) {
	labels, ok := f.Value(name).Texts()
	if ok && task.AddLabels(labels...) {
		f.Place(name)
	} else {
		r.Change(task, "labels that cannot be read, or cut, kept in metadata")
	}
}

// Rest keeps what was not taken.
func (f *Fields) Rest(t *Task) {
	for i, m := range f.members {
		if f.byName[m.Name] == i && !f.taken[m.Name] && !m.Value.None() {
			t.Keep(m.Name, m.Value.Raw())
		}
	}
}

// ParsePriority reads the word for a priority that many programs share, and
// reports whether that says all of the word: high does not say all of urgent.
func ParsePriority(word string) (p pawl.Priority, whole, ok bool) {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "":
		return pawl.Medium, true, true
	case "high", "h":
		return pawl.High, true, true
	case "medium", "normal", "m":
		return pawl.Medium, true, true
	case "low", "l":
		return pawl.Low, true, true
	case "critical", "urgent", "highest", "blocker", "p0", "p1":
		return pawl.High, false, true
	case "p2":
		return pawl.Medium, false, true
	case "p3", "p4", "lowest", "trivial", "minor":
		return pawl.Low, false, true
	}
	return pawl.Medium, false, false
}

// SetState sets the status that a word has in many programs, and puts on hold what is
// blocked or not begun for another reason; a task that waits for others is not held for
// being blocked.
func (t *Task) SetState(r *Result, program, word string, waits bool) {
	t.State = word
	switch state := strings.ToLower(strings.TrimSpace(word)); state {
	case "", "pending", "todo":
		t.Status = pawl.Pending
	case "done", "completed":
		t.Status = pawl.Completed
	case "in-progress", "in_progress":
		t.Status = pawl.InProgress
	case "cancelled", "canceled":
		t.Status = pawl.Completed
		t.AddLabels("cancelled")
	case "blocked", "deferred", "review", "in review", "in-review", "on-hold":
		if state != "blocked" || !waits {
			t.HoldFor(state + " in " + program)
		}
	default:
		t.Keep("status", word)
		r.Change(t, "pending: its status is unknown, kept in metadata")
	}
}

// SetPriority sets the priority that a word says, and keeps a word that says more.
func (t *Task) SetPriority(word string) {
	p, whole, known := ParsePriority(word)
	if t.Priority = p; !whole || !known {
		t.Keep("priority", word)
	}
}

// Sections joins parts of a description, each below its title.
type Sections struct{ b strings.Builder }

// Add adds a part, unless it is blank. A title is left out if it is "".
func (s *Sections) Add(title, text string) {
	text = strings.Trim(text, "\r\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	if s.b.Len() > 0 {
		s.b.WriteString("\n\n")
	}
	if title != "" {
		s.b.WriteString(title + ":\n")
	}
	s.b.WriteString(text)
}

func (s *Sections) String() string { return s.b.String() }
