// Package claude reads a list of Claude Code's own tasks: a folder with a JSON
// file for each task.
//
//	~/.claude/tasks/LIST/3.json
//	{"id":"3","subject":"Ship","activeForm":"Shipping","status":"pending","blocks":[],"blockedBy":["2"]}
//
// The program deletes a list soon after its last task is completed, and the
// lists of all projects are in one folder. So a person has to name one.
package claude

import (
	"bytes"
	"cmp"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
)

const key = "claude"

// Format is Claude Code's tasks.
var Format = imports.Format{
	Name: key, Title: "Claude Code", Shape: "a folder below ~/.claude/tasks, only with --from claude", Asked: true,
	Recognises: func(name string, head []byte) bool {
		return strings.HasSuffix(name, ".json") && bytes.Contains(head, []byte(`"activeForm"`)) && bytes.Contains(head, []byte(`"blockedBy"`)) && bytes.Contains(head, []byte(`"subject"`))
	},
	Lists: func(getenv func(string) string, home string) string {
		return filepath.Join(cmp.Or(getenv("CLAUDE_CONFIG_DIR"), filepath.Join(home, ".claude")), "tasks")
	},
	Read: read, Count: imports.CountFiles(".json"),
}

func read(in *imports.Input) (*imports.Result, error) {
	l := list{Result: &imports.Result{}, name: path.Base(in.Path)}
	if !in.IsDir() {
		l.name = path.Base(filepath.ToSlash(in.Root))
	}
	number := func(name string) int {
		n, err := strconv.Atoi(strings.TrimSuffix(path.Base(name), ".json"))
		if err != nil {
			return 1 << 30
		}
		return n
	}
	byNumber := func(a, b string) int { return cmp.Compare(number(a), number(b)) }
	err := in.Each(in.Path, ".json", l.Result, byNumber, func(name string, raw []byte) error {
		if name != in.Path && (path.Dir(name) != path.Clean(in.Path) || strings.HasPrefix(path.Base(name), ".")) {
			return nil // of another list, or the program's own
		}
		v, err := imports.ParseJSON(name, raw)
		if err == nil {
			l.task(v)
		}
		return err
	})
	return l.Result, err
}

type list struct {
	*imports.Result
	name string
}

func (l *list) ref(id string) string { return key + ":" + l.name + ":" + id }

func (l *list) task(v imports.Value) {
	f := imports.FieldsOf(v)
	id := f.Take("id")
	switch {
	case !v.Is('{'):
		l.Leave(v.At(), "not a task", "")
		return
	case id == "":
		l.Leave(v.At(), "no id", "")
		return
	case string(f.Value("metadata").Get("_internal").Raw()) == "true":
		l.Leave(v.At(), "the program's own rows", id)
		return
	}
	t := imports.New(l.ref(id), v.At())
	if !t.SetSubject(l.Result, f.Take("subject")) {
		l.Leave(v.At(), "no subject", id)
		return
	}
	t.SetDescription(l.Result, f.Take("description"))
	t.ActiveForm = imports.OneLine(f.Take("activeForm"), pawl.MaxActiveForm)
	t.SetState(l.Result, "Claude Code", f.Take("status"), true) // an owner was an agent of a session, which has no claim here
	for _, e := range f.Value("blockedBy").Elements() {
		if on, ok := e.Text(); ok {
			t.After(l.ref(on))
		}
	}
	for _, e := range f.Value("blocks").Elements() {
		if on, ok := e.Text(); ok {
			t.Blocks = append(t.Blocks, pawl.RefName(imports.OneLine(l.ref(on), imports.MaxRef)))
		}
	}
	f.Place("blockedBy", "blocks")
	f.Rest(&t)
	l.Tasks = append(l.Tasks, t)
}
