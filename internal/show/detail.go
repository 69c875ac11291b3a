package show

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// mostRelated bounds how many tasks one section of a detail spells out.
const mostRelated = 20

// A Field is one thing that a detail says.
type Field struct {
	Name, Value string
	At          time.Time // what Value spells, where it is a moment
}

// Fields are what a detail says before it comes to other tasks. shared is how the
// board is shared, or nil.
func Fields(d *query.Detail, clock Clock, shared *share.Status) []Field {
	t := &d.Task
	var fields []Field
	say := func(name, value string) {
		if value != "" {
			fields = append(fields, Field{Name: name, Value: value})
		}
	}
	say("Status", status(t))
	if t.Status != pawl.Pending {
		say("Owner", owner(t, clock, shared))
	}
	if t.Status == pawl.InProgress {
		say("Shared", HereOnly(t.ID, shared))
		say("Doing", text.Line(t.ActiveForm))
	}
	if t.Priority != pawl.Medium {
		say("Priority", t.Priority.String())
	}
	if t.Urgency > t.Priority && t.Open() {
		say("Urgency", t.Urgency.String()+", for a task that waits for it")
	}
	for _, other := range Others(t) {
		say("Also", other)
	}
	if odd := t.Extra[string(pawl.FieldChecks)]; odd != nil {
		say("Checks", "cannot be read: "+text.Line(text.Clip(string(odd), 80)))
	}
	say("Labels", Labels(t))
	if ref := t.Ref(); !strings.HasPrefix(ref, "plan:") || !strings.Contains(ref, "/=") { // the sum of a line
		say("Known as", text.Line(t.Ref()))
	}
	say("Was", was(t))
	for _, once := range Once(d) {
		say("Number", once)
	}
	return fields
}

// Times are the moments of a task.
func Times(d *query.Detail, clock Clock) []Field {
	t := &d.Task
	var fields []Field
	say := func(name string, at time.Time) {
		if !at.IsZero() {
			fields = append(fields, Field{name, clock.Spell(at), at})
		}
	}
	say("Created", t.CreatedAt)
	say("Started", t.StartedAt)
	say("Completed", t.CompletedAt)
	if t.CompletedAt.IsZero() && !t.UpdatedAt.Equal(t.CreatedAt) && !t.UpdatedAt.Equal(t.StartedAt) {
		say("Updated", t.UpdatedAt)
	}
	return fields
}

// A Section is the tasks that one has some kind of edge to.
type Section struct {
	Title string
	Note  string // how many of them are done
	Lost  []pawl.ID
	Tasks []pawl.Task
	More  int // those beyond what one looks at
}

// Sections are the other tasks that a detail shows.
func Sections(d *query.Detail) []Section {
	t := &d.Task
	var sections []Section
	add := func(s Section) {
		if n := mostRelated - min(mostRelated, len(s.Lost)); len(s.Tasks) > n {
			s.Tasks, s.More = s.Tasks[:n], len(s.Tasks)-n
		}
		if len(s.Lost) > mostRelated {
			s.More += len(s.Lost) - mostRelated
			s.Lost = s.Lost[:mostRelated]
		}
		if len(s.Tasks)+len(s.Lost) > 0 {
			sections = append(sections, s)
		}
	}
	add(Section{Title: "Waits for", Lost: d.Lost, Tasks: d.Blockers})
	unblocks := "Unblocks"
	if !t.Open() {
		unblocks = "Unblocked"
	}
	add(Section{Title: unblocks, Tasks: d.Blocks})
	add(Section{Title: "Children", Note: fmt.Sprintf("%d of %d done", len(t.Children)-t.OpenChildren, len(t.Children)), Tasks: d.Children})
	return sections
}

// Detail is the task in full. Its texts are indented, so that no line of them
// can pass for one of ours. shared is how the board is shared, or nil.
func Detail(d *query.Detail, shared *share.Status) string {
	return DetailShowing(d, shared, Checks(&d.Task, Clock{}))
}

// DetailShowing is [Detail] with what is known of the task's checks.
func DetailShowing(d *query.Detail, shared *share.Status, checks []Shown) string {
	var b strings.Builder
	b.WriteString(withoutNotes(d, shared, checks))
	if len(d.Task.Notes) > 0 {
		b.WriteString("Notes:\n")
		for _, n := range d.Task.Notes {
			fmt.Fprintf(&b, "  %s %s:\n%s\n", Clock{}.Spell(n.At), text.Line(n.By), text.Indent(text.Indent(n.Text)))
		}
	}
	return b.String()
}

// WithoutNotes is Detail but for the notes, which are its end.
func WithoutNotes(d *query.Detail, shared *share.Status) string {
	return withoutNotes(d, shared, Checks(&d.Task, Clock{}))
}

func withoutNotes(d *query.Detail, shared *share.Status, checks []Shown) string {
	var b strings.Builder
	t := &d.Task
	fmt.Fprintf(&b, "%s\n", Name(t))
	for _, f := range Fields(d, Clock{}, shared) {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	asked(&b, "Checks", "", checks)
	asked(&b, "Criteria", Ticked(t), Criteria(t, Clock{}))
	if d.Parent != nil {
		fmt.Fprintf(&b, "Parent: %s\n", ListLine(d.Parent, shared))
	}
	for _, s := range Sections(d) {
		b.WriteString(s.Title)
		if s.Note != "" {
			b.WriteString(" (" + s.Note + ")")
		}
		b.WriteString(":\n")
		for _, id := range s.Lost {
			fmt.Fprintf(&b, "  [!] %v (missing)\n", id)
		}
		for i := range s.Tasks {
			fmt.Fprintf(&b, "  %s\n", ListLine(&s.Tasks[i], shared))
		}
		if s.More > 0 {
			fmt.Fprintf(&b, "  and %d more\n", s.More)
		}
	}
	for _, f := range Times(d, Clock{}) {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	if t.Description != "" {
		fmt.Fprintf(&b, "Description:\n%s\n", text.Indent(t.Description))
	}
	return b.String()
}

// asked writes what must be so before the task is done.
func asked(b *strings.Builder, title, note string, all []Shown) {
	if len(all) == 0 {
		return
	}
	b.WriteString(title)
	if note != "" {
		b.WriteString(" (" + note + ")")
	}
	b.WriteString(":\n")
	for _, s := range all {
		fmt.Fprintf(b, "  %s %s\n", checkBox(s.Is), s.Line())
		for _, line := range s.Tail {
			fmt.Fprintf(b, "      | %s\n", line)
		}
	}
}

// status is the state in words.
func status(t *pawl.Task) string {
	if t.Damage != "" {
		return "damaged: " + text.Line(t.Damage)
	}
	if t.Unshown() {
		return unshown(t)
	}
	words := StatusWords(t.Status)
	if t.Free() && t.Owner == "" {
		return "ready"
	}
	alone := *t // what is said elsewhere is not said here
	alone.Priority, alone.Merging, alone.Conflicted = pawl.Medium, nil, false
	alone.Checked, alone.Checks, alone.Accept, alone.Evidence = pawl.NotChecked, nil, nil, nil
	words = strings.Join(append([]string{words}, Remarks(&alone)...), ", ")
	if t.Hold != nil && t.Hold.By != "" {
		words += " (by " + text.Line(t.Hold.By) + ")"
	}
	return words
}

// StatusWords is how a reader calls a status: the way a file spells one has no
// spaces.
func StatusWords(s pawl.Status) string { return text.Line(strings.ReplaceAll(string(s), "_", " ")) }

// owner says who holds a task, and to a program what it needs to go on with it.
func owner(t *pawl.Task, clock Clock, shared *share.Status) string {
	s := Owner(t, shared)
	if !t.Claim.Live() {
		return s
	}
	var how []string
	if !clock.person() && t.Claim.Clone == "" {
		how = append(how, fmt.Sprintf("token %d", t.Claim.Token))
		if t.Claim.Session != "" {
			how = append(how, "session "+text.Line(text.Clip(t.Claim.Session, 60)))
		}
	}
	if t.Claim.Agent != "" {
		how = append(how, "agent "+text.Line(t.Claim.Agent))
	}
	if !t.Claim.Until.IsZero() {
		how = append(how, "lease until "+clock.Spell(t.Claim.Until))
	}
	if how == nil {
		return s
	}
	return s + " (" + strings.Join(how, ", ") + ")"
}
