package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// mostRelated bounds how many tasks one section of a detail spells out.
const mostRelated = 20

// A Detail is a task with the tasks around it.
type Detail struct {
	Task     pawl.Task
	Parent   *pawl.Task
	Blockers []pawl.Task // all that it waits or waited for
	Blocks   []pawl.Task // all that wait or waited for it
	Children []pawl.Task
	Lost     []pawl.ID // blockers that an edge names and that are not there
}

// LoadDetail reads a task and what surrounds it.
func LoadDetail(r pawl.Reader, id pawl.ID) (*Detail, error) {
	tasks, err := r.Get(id)
	if err != nil {
		return nil, err
	}
	d := &Detail{Task: tasks[0]}
	t := &d.Task
	if d.Blockers, d.Lost, err = Present(r, t.Blockers); err != nil {
		return nil, err
	}
	if d.Blocks, _, err = Present(r, t.Blocks); err != nil {
		return nil, err
	}
	if d.Children, _, err = Present(r, t.Children); err != nil {
		return nil, err
	}
	if t.Parent != 0 {
		parents, _, err := Present(r, []pawl.ID{t.Parent})
		if err != nil {
			return nil, err
		}
		if len(parents) > 0 {
			d.Parent = &parents[0]
		}
	}
	return d, nil
}

// Present gets those of the tasks that are there, and names the others.
func Present(r pawl.Reader, ids []pawl.ID) (tasks []pawl.Task, lost []pawl.ID, err error) {
	if len(ids) == 0 {
		return nil, nil, nil
	}
	nodes, err := r.Nodes(ids...)
	if err != nil {
		return nil, nil, err
	}
	var there []pawl.ID
	for _, n := range nodes {
		if n.Missing {
			lost = append(lost, n.ID)
		} else {
			there = append(there, n.ID)
		}
	}
	if len(there) > 0 {
		tasks, err = r.Get(there...)
	}
	return tasks, lost, err
}

// String is the task in full. Its texts are indented, so that no line of them
// can pass for one of ours.
func (d *Detail) String() string {
	var b strings.Builder
	t := &d.Task
	fmt.Fprintf(&b, "%s\n", Name(t))
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	field("Status", status(t))
	if t.Status != pawl.Pending {
		field("Owner", owner(t))
	}
	if t.Status == pawl.InProgress {
		field("Doing", Line(t.ActiveForm))
	}
	if t.Priority != pawl.Medium {
		field("Priority", t.Priority.String())
	}
	if t.Urgency > t.Priority && t.Open() {
		field("Urgency", t.Urgency.String()+", for a task that waits for it")
	}
	labels := make([]string, len(t.Labels))
	for i, label := range t.Labels {
		labels[i] = Line(label)
	}
	field("Labels", strings.Join(labels, ", "))
	field("Known as", Line(t.Ref()))
	if d.Parent != nil {
		field("Parent", ListLine(d.Parent))
	}
	d.related(&b)
	field("Created", moment(t.CreatedAt))
	field("Started", moment(t.StartedAt))
	field("Completed", moment(t.CompletedAt))
	if t.CompletedAt.IsZero() && !t.UpdatedAt.Equal(t.CreatedAt) && !t.UpdatedAt.Equal(t.StartedAt) {
		field("Updated", moment(t.UpdatedAt))
	}
	if t.Description != "" {
		fmt.Fprintf(&b, "Description:\n%s\n", Indent(t.Description))
	}
	if len(t.Notes) > 0 {
		b.WriteString("Notes:\n")
		for _, n := range t.Notes {
			fmt.Fprintf(&b, "  %s %s:\n%s\n", moment(n.At), Line(n.By), indent(n.Text, "    "))
		}
	}
	return b.String()
}

func (d *Detail) related(b *strings.Builder) {
	t := &d.Task
	waits := make([]string, 0, len(d.Blockers)+len(d.Lost))
	for _, id := range d.Lost {
		waits = append(waits, fmt.Sprintf("[!] %v (missing)", id))
	}
	section(b, "Waits for", append(waits, lines(d.Blockers)...))
	unblocks := "Unblocks"
	if !t.Open() {
		unblocks = "Unblocked"
	}
	section(b, unblocks, lines(d.Blocks))
	if len(d.Children) > 0 {
		section(b, fmt.Sprintf("Children (%d of %d done)", len(t.Children)-t.OpenChildren, len(t.Children)), lines(d.Children))
	}
}

func lines(tasks []pawl.Task) []string {
	out := make([]string, len(tasks))
	for i := range tasks {
		out[i] = ListLine(&tasks[i])
	}
	return out
}

func section(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", title)
	for i, line := range lines {
		if i == mostRelated {
			fmt.Fprintf(b, "  and %d more\n", len(lines)-i)
			break
		}
		fmt.Fprintf(b, "  %s\n", line)
	}
}

// status is the state in words.
func status(t *pawl.Task) string {
	if t.Damage != "" {
		return "damaged: " + Line(t.Damage)
	}
	words := map[pawl.Status]string{pawl.Pending: "pending", pawl.InProgress: "in progress", pawl.Completed: "completed"}[t.Status]
	if t.Free() && t.Owner == "" {
		return "ready"
	}
	var why []string
	for _, remark := range Remarks(t) {
		if t.Priority == pawl.Medium || remark != t.Priority.String()+" priority" {
			why = append(why, remark)
		}
	}
	if len(why) > 0 {
		words += ", " + strings.Join(why, ", ")
	}
	if t.Hold != nil && t.Hold.By != "" {
		words += " (by " + Line(t.Hold.By) + ")"
	}
	return words
}

// owner says who holds a task, and what a program needs to go on with it.
func owner(t *pawl.Task) string {
	s := Line(t.Owner)
	if !t.Claim.Live() {
		return s
	}
	how := []string{fmt.Sprintf("token %d", t.Claim.Token)}
	if t.Claim.Session != "" {
		how = append(how, "session "+Line(Clip(t.Claim.Session, 60)))
	}
	if t.Claim.Agent != "" {
		how = append(how, "agent "+Line(t.Claim.Agent))
	}
	if !t.Claim.Until.IsZero() {
		how = append(how, "lease until "+moment(t.Claim.Until))
	}
	return s + " (" + strings.Join(how, ", ") + ")"
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// Indent sets text off by two spaces a line.
func Indent(text string) string { return indent(text, "  ") }

func indent(text, by string) string {
	lines := strings.Split(strings.TrimRight(Text(text), "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = by + line
		}
	}
	return strings.Join(lines, "\n")
}
