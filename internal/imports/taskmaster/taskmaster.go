// Package taskmaster reads the tasks.json of Task Master: lists of tasks under
// tags, or in old files one list without a tag.
//
//	{"master": {"tasks": [{"id": 1, "title": "Login", "status": "done",
//	  "dependencies": [], "subtasks": [{"id": 1, "title": "Form", "dependencies": []}]}]}}
//
// Ids begin again at 1 under each tag and under each parent, so that a task's name
// elsewhere is taskmaster:TAG:5.2. A subtask's dependency without a dot is a
// sibling, whatever its type; files have 164 of them as numbers and 18 as texts.
package taskmaster

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/text"
)

const key = "taskmaster"

// Format is Task Master.
var Format = imports.Format{
	Name: key, Title: "Task Master", Shape: ".taskmaster/tasks/tasks.json, or tasks/tasks.json of older versions",
	Homes: []string{".taskmaster/tasks/tasks.json", "tasks/tasks.json"},
	Find: func(root string) []string {
		found := imports.Exists(root, false, ".taskmaster/tasks/tasks.json", "tasks/tasks.json")
		return found[:min(len(found), 1)] // an old file stays behind when a project is upgraded
	},
	Recognises: func(name string, head []byte) bool {
		return bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && bytes.Contains(head, []byte(`"tasks"`)) &&
			(bytes.Contains(head, []byte(`"testStrategy"`)) || path.Base(name) == "tasks.json" && bytes.Contains(head, []byte(`"title"`)))
	},
	Read: read, Count: imports.CountObjects("[", "tasks[", "subtasks[", "subtasks"),
}

func read(in *imports.Input) (*imports.Result, error) {
	raw, err := in.Text()
	if err != nil {
		return nil, err
	}
	doc, err := imports.ParseJSON(in.Path, raw)
	if err != nil {
		return nil, err
	}
	r := &imports.Result{}
	lists, err := lists(doc, in, r)
	if err != nil {
		return nil, err
	}
	for _, l := range lists {
		l.label = len(lists) > 1 || l.tag != master
		l.gather(l.tasks, "")
		l.read(l.tasks, nil)
	}
	return r, nil
}

// master is the tag of a list that has none.
const master = "master"

type list struct {
	*imports.Result
	in    *imports.Input
	tag   string
	label bool
	whole imports.Value
	tasks []imports.Value
	ids   map[string]bool // of all that can be read: "5", "5.2"
}

// lists finds the lists of a document, and of those the one that was asked for.
func lists(doc imports.Value, in *imports.Input, r *imports.Result) ([]list, error) {
	var all []list
	add := func(tag string, v imports.Value) {
		all = append(all, list{Result: r, in: in, tag: tag, whole: v, tasks: v.Elements(), ids: map[string]bool{}})
	}
	if doc.Is('[') {
		add(master, doc)
	} else if tasks := doc.Get("tasks"); tasks.Is('[') {
		add(master, tasks)
	} else {
		for _, m := range doc.Members() {
			if tasks := m.Value.Get("tasks"); tasks.Is('[') {
				add(m.Name, tasks)
			} else {
				r.Leave(m.Value.At(), "no list of tasks", text.Clip(text.Line(m.Name), 60))
			}
		}
	}
	if len(all) == 0 {
		return nil, pawl.Errorf(pawl.Invalid, "%s has no list of tasks", in.Name())
	}
	if in.Tag == "" {
		return all, nil
	}
	var tags []string
	for _, l := range all {
		if l.tag == in.Tag {
			in.Only(l.whole)
			return []list{l}, nil
		}
		tags = append(tags, text.Clip(text.Line(l.tag), 40))
	}
	return nil, pawl.Errorf(pawl.NotFound, "%s has no tag %q; it has %s", in.Name(), in.Tag, strings.Join(tags[:min(len(tags), 20)], ", "))
}

// id is the id of a task, or the place of a subtask that has none.
func id(v imports.Value, under string, i int) string {
	own, ok := v.Get("id").Text()
	own = imports.OneLine(own, 60)
	if !ok || own == "" {
		if under == "" {
			return ""
		}
		own = strconv.Itoa(i + 1)
	}
	if under != "" && !strings.HasPrefix(own, under+".") {
		own = under + "." + own
	}
	return own
}

// gather learns all ids, before a dependency is read.
func (l *list) gather(tasks []imports.Value, under string) {
	for i, v := range tasks {
		if own := id(v, under, i); own != "" {
			l.ids[own] = true
			l.gather(v.Get("subtasks").Elements(), own)
		}
	}
}

func (l *list) ref(id string) string { return key + ":" + l.tag + ":" + id }

func (l *list) read(tasks []imports.Value, parent *imports.Task) {
	for i, v := range tasks {
		under := ""
		if parent != nil {
			under = strings.TrimPrefix(parent.Ref, l.ref(""))
		}
		own := id(v, under, i)
		l.in.Reading(v.At())
		switch {
		case !v.Is('{'):
			l.Leave(v.At(), "not a task", "")
			continue
		case own == "":
			l.leave(v, "no id")
			continue
		}
		t, ok := l.task(v, own, under)
		if !ok {
			l.leave(v, "no title")
			continue
		}
		if parent != nil {
			t.Parent = pawl.RefName(parent.Ref)
		}
		l.Tasks = append(l.Tasks, t)
		l.read(v.Get("subtasks").Elements(), &t)
	}
}

func (l *list) leave(v imports.Value, why string) {
	title, _ := v.Get("title").Text()
	l.Leave(v.At(), why, imports.OneLine(title, 60))
	for _, sub := range v.Get("subtasks").Elements() {
		title, _ := sub.Get("title").Text()
		l.Leave(sub.At(), "subtasks of a task that is left out", imports.OneLine(title, 60))
	}
}

func (l *list) task(v imports.Value, own, under string) (imports.Task, bool) {
	t := imports.New(l.ref(own), v.At())
	f := imports.FieldsOf(v)
	f.Place("id", "subtasks")
	if p, _ := f.Value("parentId").Text(); p == under || p == "undefined" {
		f.Place("parentId")
	}
	title := f.Take("title")
	if strings.TrimSpace(title) == "" {
		if title, _, _ = strings.Cut(strings.TrimSpace(f.Take("description")), "\n"); title != "" {
			l.Change(&t, "title taken from the description")
		}
	}
	if !t.SetSubject(l.Result, title) {
		return t, false
	}
	var d imports.Sections
	d.Add("", f.Take("description"))
	d.Add("Details", f.Take("details"))
	d.Add("Test strategy", f.Take("testStrategy"))
	t.SetDescription(l.Result, d.String())
	status := f.Take("status")
	if status == "review" {
		status = "in review"
	}
	t.SetState(l.Result, "Task Master", status, !f.Value("dependencies").None())
	t.SetPriority(f.Take("priority"))
	f.TakeTime(l.Result, &t, "createdAt", &t.CreatedAt)
	f.TakeTime(l.Result, &t, "updatedAt", &t.UpdatedAt)
	if l.label {
		t.AddLabels(l.tag)
	}
	f.TakeLabels(l.Result, &t, "tags")
	f.TakeLabels(l.Result, &t, "labels")
	for _, name := range []string{"assignee", "owner"} {
		if names, ok := f.Value(name).Texts(); ok && len(names) > 0 {
			t.Assign(names...)
			f.Place(name)
		}
	}
	l.edges(&t, f, under)
	f.Rest(&t)
	return t, true
}

func (l *list) edges(t *imports.Task, f *imports.Fields, under string) {
	v := f.Value("dependencies")
	if v.None() {
		return
	}
	whole := v.Is('[')
	on := v.Elements()
	if !whole {
		on = []imports.Value{v}
	}
	for _, e := range on {
		name, ok := e.Text()
		if name = imports.OneLine(name, 60); !ok || name == "" {
			l.Leave(e.At(), "a dependency that is not an id, kept in metadata", "")
			whole = false
			continue
		}
		sibling := name
		if under != "" && !strings.Contains(name, ".") {
			sibling = under + "." + name
		}
		if !l.ids[sibling] && l.ids[name] {
			sibling = name
			l.Change(t, "waits for the task, since it has no such sibling")
		}
		t.After(l.ref(sibling))
	}
	if whole {
		f.Place("dependencies")
	}
}
