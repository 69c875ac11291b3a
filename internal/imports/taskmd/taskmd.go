// Package taskmd reads the folder of taskmd: a Markdown file for each task, with
// fields above its text.
//
//	tasks/cli/016-parser.md   id: "016", status: pending, dependencies: ["015"], tags: [go]
//
// Its field verify has commands that its own program runs. They become text in
// the metadata, and nothing runs them.
package taskmd

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/text"
)

const key = "taskmd"

// Format is taskmd.
var Format = imports.Format{
	Name: key, Title: "taskmd", Shape: "the folder tasks beside .taskmd.yaml, or one of its Markdown files", Folder: true,
	Homes: []string{"tasks"},
	Find: func(root string) []string {
		if len(imports.Exists(root, false, ".taskmd.yaml")) == 0 {
			return nil
		}
		return imports.Exists(root, true, "tasks")
	},
	Recognises: func(name string, head []byte) bool {
		head = bytes.TrimSpace(head)
		return bytes.HasPrefix(head, []byte("---")) && bytes.Contains(head, []byte("\nid:")) && bytes.Contains(head, []byte("\ntitle:")) &&
			bytes.Contains(head, []byte("\nstatus:")) && !bytes.Contains(head, []byte("\ncreated_date:"))
	},
	Read: read, Count: imports.CountFiles(".md"),
}

func read(in *imports.Input) (*imports.Result, error) {
	l := list{Result: &imports.Result{}}
	err := in.Each(in.Path, ".md", l.Result, nil, func(name string, raw []byte) error {
		group := ""
		if name != in.Path {
			group = strings.TrimPrefix(strings.TrimPrefix(path.Dir(name), path.Clean(in.Path)), "/")
		}
		l.file(name, group, raw)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(l.Tasks, func(a, b imports.Task) int {
		return cmp.Or(cmp.Compare(len(a.Ref), len(b.Ref)), cmp.Compare(a.Ref, b.Ref))
	})
	return l.Result, nil
}

type list struct{ *imports.Result }

func ref(id string) string { return key + ":" + strings.TrimSpace(id) }

var item = &text.Regexp{Expr: `^[-*+] `}

func (l *list) file(name, group string, raw []byte) {
	at := imports.Position{File: name}
	front, ok := imports.ParseFront(string(raw))
	if !ok {
		l.Leave(at, "no fields above the text", "")
		return
	}
	id := front.Text("id")
	if id == "" {
		l.Leave(at, "no id", "")
		return
	}
	t := imports.New(ref(id), at)
	title, body := heading(front.Body)
	if !t.SetSubject(l.Result, cmp.Or(front.Text("title"), title)) {
		l.Leave(at, "no title", id)
		return
	}
	t.SetDescription(l.Result, body)
	t.SetState(l.Result, "taskmd", front.Text("status"), false)
	t.SetPriority(front.Text("priority"))
	if tags := front.Get("tags").Texts; !t.AddLabels(tags...) {
		t.Keep("tags", tags)
	}
	t.AddLabels(cmp.Or(front.Text("group"), group))
	t.Assign(slices.Concat(front.Get("owner").Texts, front.Get("assignee").Texts)...)
	front.TakeTime(l.Result, &t, &t.CreatedAt, "created", "created_at")
	front.TakeTime(l.Result, &t, &t.UpdatedAt, "updated", "updated_at")
	front.TakeTime(l.Result, &t, &t.CompletedAt, "completed_at")
	for _, on := range slices.Concat(front.Get("dependencies").Texts, front.Get("depends_on").Texts) {
		t.After(ref(on))
	}
	if parent := front.Text("parent"); parent != "" {
		t.Parent = pawl.RefName(ref(parent))
	}
	front.Rest(&t, "id", "title", "status", "priority", "tags", "group", "owner", "assignee", "created", "created_at", "updated", "updated_at", "completed_at", "dependencies", "depends_on", "parent")
	l.criteria(body)
	l.Tasks = append(l.Tasks, t)
}

// heading takes the title off a text that begins with it.
func heading(body string) (title, rest string) {
	body = strings.TrimSpace(body)
	first, rest, _ := strings.Cut(body, "\n")
	if title, is := strings.CutPrefix(first, "# "); is {
		return strings.TrimSpace(title), strings.TrimSpace(rest)
	}
	return "", body
}

// criteria counts what stands below the heading of that name.
func (l *list) criteria(body string) {
	within := false
	for line := range strings.SplitSeq(body, "\n") {
		if title, is := strings.CutPrefix(line, "## "); is {
			within = strings.EqualFold(strings.TrimSpace(title), "acceptance criteria")
		} else if within && item.Get().MatchString(line) {
			l.Criteria++
		}
	}
}
