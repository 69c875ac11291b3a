// Package beads reads the issues of the beads tracker, 1.x and before, one JSON
// object a line:
//
//	{"id":"bv-3","title":"Ship","status":"open","priority":1,
//	 "dependencies":[{"issue_id":"bv-3","depends_on_id":"bv-2","type":"blocks"}]}
//
// Priorities 0 and 1 are high, 3 and 4 low. A closed issue is a completed task,
// a deferred or pinned one is on hold. A dependency that blocks is an edge,
// parent-child a parent; an assignee owns what is open; notes and comments are
// notes. The id is the task's name elsewhere ([pawl.Task.Ref]).
//
// The file also has rows that are no work but the machinery of agents: agents,
// gates, messages, molecules. They are left out, and so is what was deleted.
package beads

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/text"
)

// Key is the metadata key under which a task keeps what only beads knows about
// it.
const Key = "beads"

// maxLine bounds one issue: what a task's file may hold.
const maxLine = pawl.MaxTask

// Format is beads.
var Format = imports.Format{
	Name: Key, Title: "beads", Shape: ".beads/issues.jsonl, of 1.x and before",
	Homes: []string{".beads/issues.jsonl", ".beads/beads.jsonl"},
	Find: func(root string) []string {
		found := imports.Exists(root, false, ".beads/issues.jsonl", ".beads/beads.jsonl")
		return found[:min(len(found), 1)]
	},
	Recognises: func(_ string, head []byte) bool {
		line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
		return bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte(`"issue_type"`)) && bytes.Contains(line, []byte(`"title"`))
	},
	Read: read, Count: imports.CountLines,
}

func read(in *imports.Input) (*imports.Result, error) {
	f, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := board{Result: &imports.Result{}, file: in.Path, now: in.Now, gone: map[string]bool{}, gates: map[string]bool{}}
	lines := bufio.NewReaderSize(f, 64<<10)
	for no := 1; ; no++ {
		line, long, err := text.ReadLine(lines, maxLine)
		if told, ok := errors.AsType[*pawl.Error](err); ok {
			return nil, told
		}
		if err != nil && err != io.EOF {
			return nil, pawl.Errorf(pawl.Unavailable, "the issues cannot be read: %w", err)
		}
		at := imports.Position{File: in.Path, Line: no}
		switch {
		case long:
			b.Leave(at, "longer than 1 MiB", "")
		case len(b.Tasks) == imports.MaxTasks:
			return nil, pawl.Errorf(pawl.Invalid, "there are more than %d issues: bring them in by parts", imports.MaxTasks)
		case len(bytes.TrimSpace(line)) > 0:
			in.Reading(at)
			b.line(no, line)
		}
		if err == io.EOF {
			break
		}
	}
	b.link()
	return b.Result, nil
}

type board struct {
	*imports.Result
	file  string
	now   time.Time
	deps  [][]imports.Value // of each task
	gone  map[string]bool   // issues that were deleted in beads
	gates map[string]bool   // gates that are open
}

// machinery are the types of rows that are no work.
var machinery = map[string]string{
	"agent": "rows of agents", "role": "rows of agents", "rig": "rows of rigs", "gate": "rows of gates", "message": "rows of messages",
	"molecule": "rows of molecules", "event": "rows of events", "slot": "rows of slots",
}

func (b *board) line(no int, raw []byte) {
	v, err := imports.ParseLine(b.file, no, raw)
	if err != nil {
		what, _ := strings.CutPrefix(err.Error(), v.At().String()+" ")
		b.Leave(v.At(), what, "")
		return
	}
	f := imports.FieldsOf(v)
	kind := f.Take("_type")
	id := f.Take("id")
	status, _ := f.Value("status").Text()
	what, _ := f.Value("issue_type").Text()
	labels, _ := f.Value("labels").Texts()
	for _, label := range labels {
		if kind, is := strings.CutPrefix(label, "gt:"); is && machinery[kind] != "" {
			what = kind // as newer versions say it
		}
	}
	switch {
	case !v.Is('{'):
		b.Leave(v.At(), "not an issue", "")
		return
	case kind != "" && kind != "issue":
		b.Leave(v.At(), "rows that are no issue", kind)
		return
	case strings.TrimSpace(id) == "":
		b.Leave(v.At(), "no id", "")
		return
	case status == "tombstone":
		b.gone[id] = true // it is there only so that other clones delete it, too
		b.Leave(v.At(), "deleted in beads", id)
		return
	case machinery[what] != "":
		b.gone[id] = true
		if what == "gate" && status != "closed" {
			b.gates[id] = true
		}
		b.Leave(v.At(), machinery[what], id)
		return
	case string(f.Value("is_template").Raw()) == "true" || string(f.Value("template").Raw()) == "true":
		b.gone[id] = true
		b.Leave(v.At(), "rows of molecules", id)
		return
	}
	t := imports.New(id, v.At())
	if !t.SetSubject(b.Result, f.Take("title")) {
		b.Leave(v.At(), "no title", id)
		return
	}
	b.fill(&t, f, status)
	f.TakeLabels(b.Result, &t, "labels")
	deps := f.Value("dependencies")
	f.Rest(&t)
	b.Tasks = append(b.Tasks, t)
	b.deps = append(b.deps, deps.Elements())
}

// fill reads what a task has a place for, edges and labels aside.
func (b *board) fill(t *imports.Task, f *imports.Fields, status string) {
	var d imports.Sections
	d.Add("", f.Take("description"))
	d.Add("Design", f.Take("design"))
	d.Add("Acceptance criteria", f.Take("acceptance_criteria"))
	t.SetDescription(b.Result, d.String())
	b.state(t, f, status)
	switch priority, _ := f.Value("priority").Text(); priority {
	case "0", "1":
		t.Priority = pawl.High
	case "3", "4":
		t.Priority = pawl.Low
	}
	f.TakeTime(b.Result, t, "created_at", &t.CreatedAt)
	f.TakeTime(b.Result, t, "updated_at", &t.UpdatedAt)
	f.TakeTime(b.Result, t, "started_at", &t.StartedAt)
	if t.Status == pawl.Completed { // else it was reopened
		f.TakeTime(b.Result, t, "closed_at", &t.CompletedAt)
	}
	t.AddNote(pawl.Note{Text: f.Take("notes")})
	for _, c := range f.Value("comments").Elements() { // they stay in the metadata, too: they have ids there
		var note pawl.Note
		note.By, _ = c.Get("author").Text()
		note.Text, _ = c.Get("text").Text()
		at, _ := c.Get("created_at").Text()
		imports.SetTime(&note.At, at)
		t.AddNote(note)
	}
}

func (b *board) state(t *imports.Task, f *imports.Fields, status string) {
	t.Status = pawl.Pending
	switch status {
	case "closed":
		t.Status = pawl.Completed
	case "in_progress", "hooked":
		t.Status = pawl.InProgress
	case "deferred", "pinned":
		reason := status + " in beads"
		if until, _ := f.Value("defer_until").Text(); until != "" {
			reason += " until " + until
		}
		t.HoldFor(reason)
	case "blocked":
		if len(f.Value("dependencies").Elements()) == 0 { // else they say what blocks it
			t.HoldFor("blocked in beads")
		}
	case "", "open":
		var at time.Time
		if until, _ := f.Value("defer_until").Text(); until != "" && (!imports.SetTime(&at, until) || at.After(b.now)) {
			t.HoldFor("deferred in beads until " + until)
		}
	default:
		b.Change(t, "pending: its status is unknown, kept in metadata")
	}
	if who := strings.TrimSpace(f.Take("assignee")); t.Status != pawl.Completed {
		t.Assign(who)
	} else if who != "" {
		t.Keep("assignee", who)
	}
}

// link makes edges and parents of dependencies. Each dependency stays in the
// metadata, whether it could be linked or not.
func (b *board) link() {
	for i := range b.Tasks {
		t := &b.Tasks[i]
		for _, d := range b.deps[i] {
			from, _ := d.Get("issue_id").Text()
			on, _ := d.Get("depends_on_id").Text()
			kind, _ := d.Get("type").Text()
			blocks := kind == "blocks" || kind == "blocked-by"
			switch {
			case !blocks && kind != "parent-child":
			case from != "" && from != t.Ref || on == "":
				b.Leave(d.At(), "dependencies of another issue, kept in metadata", t.Ref)
			case b.gates[on] && t.Status != pawl.Completed:
				t.HoldFor("waits for the gate " + on + " in beads")
			case b.gone[on]:
			case blocks:
				t.After(on)
			case t.Parent != (pawl.Ref{}) && t.Parent.Name != on:
				b.Leave(d.At(), "second parents, kept in metadata", t.Ref+" is part of "+on)
			default:
				t.Parent = pawl.RefName(on)
			}
		}
	}
}
