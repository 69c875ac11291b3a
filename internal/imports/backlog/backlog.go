// Package backlog reads the folder of Backlog.md: a Markdown file for each task,
// with fields above its text.
//
//	backlog/config.yml             statuses: ["To Do", "In Progress", "Done"]
//	backlog/tasks/back-7 - Ship.md id: BACK-7, status: To Do, dependencies: [BACK-6]
//
// The last status of the config is done. Old files have other prefixes, ids in
// any case and no marks around their sections. Acceptance criteria become part
// of the description: words, which nothing runs. Archived tasks are left out.
package backlog

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/text"
)

// Format is Backlog.md.
var Format = imports.Format{
	Name: "backlog", Title: "Backlog.md", Shape: "the folder backlog, or one of its Markdown files",
	Homes: []string{"backlog", ".backlog"},
	Find: func(root string) []string {
		found := imports.Exists(root, true, "backlog/tasks", ".backlog/tasks")
		for i := range found {
			found[i] = path.Dir(found[i])
		}
		return found[:min(len(found), 1)]
	},
	Recognises: func(name string, head []byte) bool {
		return bytes.HasPrefix(bytes.TrimSpace(head), []byte("---")) && bytes.Contains(head, []byte("\nid:")) && bytes.Contains(head, []byte("\nstatus:")) &&
			(bytes.Contains(head, []byte("\ncreated_date:")) || bytes.Contains(head, []byte("SECTION:DESCRIPTION:BEGIN")))
	},
	Read: read, Count: imports.CountFiles(".md", "docs", "decisions", "milestones"),
}

func read(in *imports.Input) (*imports.Result, error) {
	b := board{Result: &imports.Result{}, in: in, byNumber: map[string][]string{}, prefixes: map[string]bool{}, refs: map[string]bool{}}
	if !in.IsDir() {
		raw, err := in.Text()
		if err != nil {
			return nil, err
		}
		b.config(path.Join(path.Dir(path.Dir(in.Path)), "config.yml"))
		b.file(in.Path, raw, "tasks")
	} else {
		b.config(path.Join(in.Path, "config.yml"))
		for _, folder := range []string{"tasks", "completed", "drafts", "archive"} {
			if err := b.folder(folder); err != nil {
				return nil, err
			}
		}
	}
	b.finish()
	return b.Result, nil
}

type board struct {
	*imports.Result
	in       *imports.Input
	statuses []string // the last is done
	first    string   // what a new task has

	files    []file
	byNumber map[string][]string // refs by number: "222.1"
	prefixes map[string]bool     // of ids: "BACK"
	refs     map[string]bool
}

// file is a task's file, before edges are known.
type file struct {
	task    imports.Task
	number  []int
	parent  string
	on      []string
	subtask []string
}

func (b *board) config(name string) {
	b.statuses = []string{"To Do", "In Progress", "Done"}
	raw, err := b.in.File(name, imports.MaxText)
	if err != nil {
		return // the folder says enough
	}
	front := imports.ParseFields(string(raw))
	if f := front.Get("statuses"); len(f.Texts) > 1 {
		b.statuses = f.Texts
	}
	b.first = front.Text("default_status")
}

func (b *board) folder(name string) error {
	dir := path.Join(b.in.Path, name)
	if !b.in.HasFolder(dir) {
		return nil
	}
	return b.in.Each(dir, ".md", b.Result, nil, func(file string, raw []byte) error {
		if name == "archive" {
			b.Leave(imports.Position{File: file}, "archived", "")
		} else {
			b.file(file, raw, name)
		}
		return nil
	})
}

var fileName = &text.Regexp{Expr: `^([A-Za-z][A-Za-z0-9]*-[0-9]+(?:\.[0-9]+)*)\s*-\s*(.*)\.md$`}

func (b *board) file(name string, raw []byte, folder string) {
	at := imports.Position{File: name}
	front, ok := imports.ParseFront(string(raw))
	if !ok {
		b.Leave(at, "no fields above the text", "")
		return
	}
	id, title := front.Text("id"), front.Text("title")
	if m := fileName.Get().FindStringSubmatch(path.Base(name)); m != nil {
		id = cmp.Or(id, m[1])
		title = cmp.Or(title, strings.ReplaceAll(m[2], "-", " "))
	}
	if id == "" {
		b.Leave(at, "no id", "")
		return
	}
	t := imports.New(strings.ToUpper(id), at)
	if !t.SetSubject(b.Result, title) {
		b.Leave(at, "no title", "")
		return
	}
	b.state(&t, front.Text("status"), folder)
	t.SetPriority(front.Text("priority"))
	labels := front.Get("labels").Texts
	if len(labels) == 1 && !front.Get("labels").List {
		labels = strings.Split(labels[0], ",")
	}
	for i := range labels {
		labels[i] = strings.TrimSpace(labels[i])
	}
	if !t.AddLabels(labels...) {
		t.Keep("labels", labels)
		b.Change(&t, "labels that cannot be read, or cut, kept in metadata")
	}
	t.Assign(front.Get("assignee").Texts...)
	front.TakeTime(b.Result, &t, &t.CreatedAt, "created_date")
	front.TakeTime(b.Result, &t, &t.UpdatedAt, "updated_date")
	b.body(&t, front.Body)
	front.Rest(&t, "id", "title", "status", "priority", "labels", "assignee", "created_date", "updated_date", "dependencies", "parent_task_id", "subtasks")
	f := file{task: t, number: numbers(t.Ref), parent: front.Text("parent_task_id"), on: front.Get("dependencies").Texts, subtask: front.Get("subtasks").Texts}
	b.files = append(b.files, f)
	prefix, number := split(t.Ref)
	if !b.refs[t.Ref] && prefix != "DRAFT" { // drafts have numbers of their own
		b.byNumber[number] = append(b.byNumber[number], t.Ref)
	}
	b.refs[t.Ref], b.prefixes[prefix] = true, true
}

// state maps a status: the list of a project is free.
func (b *board) state(t *imports.Task, status, folder string) {
	t.State = status
	is := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(status), w) })
	}
	last := b.statuses[len(b.statuses)-1]
	switch {
	case folder == "drafts" || strings.EqualFold(status, "draft"):
		t.HoldFor("a draft in Backlog.md")
		t.AddLabels("draft")
	case is("cancel", "won't", "wont do", "duplicate", "rejected"):
		t.Status = pawl.Completed
		t.AddLabels("cancelled")
	case strings.EqualFold(status, last), is("done", "complete"), folder == "completed":
		t.Status = pawl.Completed
	case status == "" || strings.EqualFold(status, b.first) || strings.EqualFold(status, b.statuses[0]) || is("to do", "todo", "open", "ready"):
		t.Status = pawl.Pending
	case is("progress", "doing", "active"):
		t.Status = pawl.InProgress
	case is("review", "test", "qa", "block", "hold", "wait", "defer", "verif"):
		t.HoldFor(status + " in Backlog.md")
	default:
		t.Keep("status", status)
		b.Change(t, "pending: its status is unknown, kept in metadata")
	}
}

// split takes an id apart: BACK-24.02 is BACK and 24.2.
func split(ref string) (prefix, number string) {
	prefix, number, _ = strings.Cut(ref, "-")
	parts := strings.Split(number, ".")
	for i := range parts {
		if parts[i] = strings.TrimLeft(parts[i], "0"); parts[i] == "" {
			parts[i] = "0"
		}
	}
	return prefix, strings.Join(parts, ".")
}

func numbers(ref string) []int {
	_, number := split(ref)
	var all []int
	for part := range strings.SplitSeq(number, ".") {
		n, _ := strconv.Atoi(part) // what is not a number comes first
		all = append(all, n)
	}
	return all
}

// resolve finds the task that an id means: in any case, with zeros in front, or
// with the prefix that the project had before.
func (b *board) resolve(id string) string {
	id = strings.TrimSpace(id)
	ref := strings.ToUpper(id)
	if b.refs[ref] {
		return ref
	}
	if ref != "" && ref[0] >= '0' && ref[0] <= '9' {
		ref = "-" + ref
	}
	prefix, number := split(ref)
	var same []string
	for _, other := range b.byNumber[number] {
		p, _ := split(other)
		if p == prefix || !b.prefixes[prefix] {
			same = append(same, other)
		}
	}
	if len(same) == 1 {
		return same[0]
	}
	return id
}

func (b *board) finish() {
	slices.SortStableFunc(b.files, func(x, y file) int {
		px, _ := split(x.task.Ref)
		py, _ := split(y.task.Ref)
		return cmp.Or(cmp.Compare(px, py), slices.Compare(x.number, y.number))
	})
	children := map[string]string{}
	for i := range b.files {
		for _, id := range b.files[i].subtask {
			children[b.resolve(id)] = b.files[i].task.Ref
		}
	}
	for i := range b.files {
		f := &b.files[i]
		t := &f.task
		for _, id := range f.on {
			t.After(b.resolve(id))
		}
		above := t.Ref[:max(0, strings.LastIndexByte(t.Ref, '.'))]
		switch {
		case f.parent != "":
			t.Parent = pawl.RefName(b.resolve(f.parent))
		case children[t.Ref] != "":
			t.Parent = pawl.RefName(children[t.Ref])
		case above != "" && b.refs[b.resolve(above)]:
			t.Parent = pawl.RefName(b.resolve(above))
		}
		b.Tasks = append(b.Tasks, *t)
	}
}
