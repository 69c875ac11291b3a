package known_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/importstest"
	"github.com/pawl-dev/pawl/internal/imports/known"
)

// Of each format, a task that its reader drops without a word is named with its place:
// nothing counted the tasks of formats without boxes.
func TestDroppedTasksAreNamed(t *testing.T) {
	samples := map[string]string{
		"taskmaster": "taskmaster/testdata/tasks.small.json", "backlog": "backlog/testdata/backlog", "beads": "beads/testdata/beads-ui.jsonl",
		"taskmd": "taskmd/testdata/tasks", "github": "github/testdata/rest.json", "claude": "claude/testdata/time-tracker",
		"speckit": "checklist/testdata/own/speckit.md", "openspec": "checklist/testdata/openspec/changes/add-global-install-scope/tasks.md",
		"kiro": "checklist/testdata/own/kiro-waves.md",
	}
	for _, format := range known.Formats {
		sample := samples[format.Name]
		if sample == "" || format.Count == nil {
			t.Errorf("%s: no sample, or no count", format.Name)
			continue
		}
		whole := must.Get(importstest.Place(format, "..", sample))(t)
		if slices.ContainsFunc(whole.LeftOut, notTasks) {
			t.Errorf("%s: left out %v", format.Name, whole.LeftOut)
		}
		if len(whole.Tasks) < 3 {
			t.Errorf("%s: only %d tasks", format.Name, len(whole.Tasks))
		}
		for n := range min(len(whole.Tasks), 20) {
			var dropped imports.Task
			f := *format
			f.Read = func(in *imports.Input) (*imports.Result, error) {
				r, err := format.Read(in)
				dropped = r.Tasks[n]
				r.Tasks = slices.Delete(r.Tasks, n, n+1)
				return r, err
			}
			r := must.Get(importstest.Place(&f, "..", sample))(t)
			left := slices.DeleteFunc(r.LeftOut, func(r imports.Remark) bool { return !notTasks(r) })
			switch {
			case format.Boxes && !slices.Contains(dropped.Kept(), "box"): // a heading
			case slices.ContainsFunc(whole.LeftOut, func(r imports.Remark) bool { return r.At == dropped.At }): // its line is named
			case len(left) != 1 || left[0].At.File != dropped.At.File || left[0].At.Line != 0 && left[0].At.Line != dropped.At.Line:
				t.Errorf("%s: without %q of %v, left out %v", format.Name, dropped.Subject, dropped.At, left)
			}
		}
	}
}

func notTasks(r imports.Remark) bool { return strings.HasSuffix(r.What, "that are not tasks") }

// What readers of other shapes than theirs dropped without a word.
func TestNothingIsDropped(t *testing.T) {
	for _, test := range []struct{ format, text, want string }{
		{"taskmaster", `{"tasks":[{"id":1,"title":"A","subtasks":{"id":1,"title":"B"}},` + "\n" + `{"id":2,"title":"C"}]}`, `line 1: {"id":1,"title":"B"}},`},
		{"taskmaster", `{"tasks":[{"id":1,"subtasks":[{"id":1,"subtasks":[` + "\n" + `{"id":1,"title":"deep"}]}]},{"id":2,"title":"C"}]}`, `line 2: {"id":1,"title":"deep"}`},
		{"taskmaster", `{"a":{"tasks":[{"id":1,"title":"A"}],` + "\n" + `"group":{"tasks":[{"id":2,"title":"B"}]}}}`, `line 2: {"id":2,"title":"B"}`},
		{"taskmaster", `{"tasks":[{"id":1,"title":"A","n":1e400}],` + "\n" + `"later":{"tasks":[{"id":2,"title":"B"}]}}`, `line 2: {"id":2,"title":"B"}`},
	} {
		r, err := importstest.Text(known.Named(test.format), test.text)
		if err != nil || !slices.ContainsFunc(r.LeftOut, func(r imports.Remark) bool { return notTasks(r) && strings.HasPrefix(r.String(), test.want) }) {
			t.Errorf("%s: %v, left out %v, want %q", test.text, err, r.LeftOut, test.want)
		}
	}
	front := "---\nid: 9\ntitle: T\nstatus: pending\n---\n"
	for _, test := range []struct{ format, name, text string }{
		{"taskmd", "tasks/.old/009.md", front}, {"backlog", "tasks/.old/task-9 - T.md", front}, {"backlog", "later/task-9 - T.md", front},
		{"claude", "tasks/other/9.json", `{"id":"9","subject":"T"}`}, {"claude", "tasks/.9.json", `{"id":"9","subject":"T"}`},
	} {
		folder := map[string]string{"taskmd": "tasks", "backlog": ".", "claude": "tasks"}[test.format]
		f := known.Named(test.format)
		for beside, want := range map[string]bool{test.name: true, "docs/doc-1 - D.md": false} {
			r, err := importstest.Place(f, importstest.Files(t, "tasks/x.txt", "", beside, test.text), folder)
			if named := err == nil && slices.ContainsFunc(r.LeftOut, func(r imports.Remark) bool { return r.At.File == beside }); err != nil || named != want {
				t.Errorf("%s: %v, left out %v, want %s: %v", test.format, err, r.LeftOut, beside, want)
			}
		}
	}
}

// Of two tags the one that is asked for is counted, and no other.
func TestCountOfATag(t *testing.T) {
	const text = `{"a":{"tasks":[{"id":1,"title":"A"}]},"b":{"tasks":[{"id":1,"title":"B","subtasks":{"id":7}}]}}`
	for tag, want := range map[string]int{"a": 0, "b": 1} {
		r, err := importstest.Tagged(known.Named("taskmaster"), text, tag)
		if err != nil || len(r.Tasks) != 1 || len(r.LeftOut) != want {
			t.Errorf("%s: %+v, %v", tag, r, err)
		}
	}
}

// A fault of Pawl with one file of a folder leaves that file out, by name, and the others
// come.
func TestPanicWithOneFile(t *testing.T) {
	root := importstest.Files(t, "list/1.x", "A", "list/2.x", "B", "list/3.x", "C")
	f := imports.Format{Name: "fake", Count: imports.CountFiles(".x"), Read: func(in *imports.Input) (*imports.Result, error) {
		r := &imports.Result{}
		err := in.Each(in.Path, ".x", r, nil, func(name string, raw []byte) error {
			at := imports.Position{File: name, Line: 4}
			if in.Reading(at); string(raw) == "B" {
				panic("planted")
			}
			task := imports.New("fake:"+string(raw), at)
			task.SetSubject(r, string(raw))
			r.Tasks = append(r.Tasks, task)
			return nil
		})
		return r, err
	}}
	r, err := importstest.Place(&f, root, "list")
	if err != nil || len(r.Tasks) != 2 || len(r.LeftOut) != 1 || fmt.Sprint(r.LeftOut[0]) != "list/2.x:4: cannot be read: a fault in Pawl: planted" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := importstest.Place(&f, root, "list/2.x"); pawl.KindOf(err) != pawl.Invalid || !strings.HasPrefix(fmt.Sprint(err), "list/2.x:4 cannot be read: a fault in Pawl: planted") {
		t.Error(err)
	}
}

// Each shape of a source with a record for each task comes whole, with the counter's
// agreement, and a second import changes nothing.
func TestRecords(t *testing.T) {
	raw := must.Get(os.ReadFile("testdata/records.txt"))(t)
	played := map[string]int{}
	for _, shape := range strings.Split(string(raw), "\n=== ")[1:] {
		head, body, _ := strings.Cut(shape, "\n")
		var name, at string
		var tasks int
		if _, err := fmt.Sscanf(head, "%s %d %s", &name, &tasks, &at); err != nil {
			t.Fatal(head, err)
		}
		f := known.Named(name)
		played[name]++
		for _, change := range []func(string) string{
			func(s string) string { return s }, func(s string) string { return "\uFEFF" + strings.ReplaceAll(s, "\n", "\r\n") },
		} {
			var files []string
			if base := path.Base(at); filepath.Ext(base) != "" && base[0] != '.' {
				files = []string{at, change(body)}
			} else {
				for _, file := range strings.Split("\n"+body, "\n--- ")[1:] {
					name, text, _ := strings.Cut(file, "\n")
					files = append(files, at+"/"+name, change(text))
				}
			}
			r, err := importstest.Place(f, importstest.Files(t, files...), at)
			if err != nil || len(r.Tasks) != tasks || len(r.LeftOut) > 0 {
				t.Errorf("%s: %v\n%+v", head, err, r)
				continue
			}
			importstest.Load(t, f, r)
		}
	}
	for _, f := range known.Formats {
		if !f.Boxes && played[f.Name] < 7 {
			t.Errorf("%s: only %d shapes", f.Name, played[f.Name])
		}
	}
}
