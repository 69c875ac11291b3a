package plan

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/store/memory"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// Each story is a plan and what it comes to. Sections begin with "-- name --";
// the section options may say chain.
func TestStories(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d stories, want at least 30 (%v)", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			head, want, _ := strings.Cut(string(text), "-- want --\n")
			options, in, ok := strings.Cut(head, "-- plan --\n")
			if !ok {
				t.Fatal("there is no section plan")
			}
			p, err := Parse([]byte(in), Options{Chain: strings.Contains(options, "chain"), Parallel: strings.Contains(options, "parallel")})
			got := show(p, err)
			if got == want {
				return
			}
			if !*update {
				t.Fatalf("got\n%s\nwant\n%s", got, want)
			}
			must.Do(t, os.WriteFile(path, []byte(head+"-- want --\n"+got), 0o644))
		})
	}
}

// show writes a plan down, a task a line with what is set of it.
func show(p Plan, err error) string {
	var b strings.Builder
	if err != nil {
		b.WriteString("refused: ")
		if e, ok := errors.AsType[*pawl.Error](err); ok && len(e.Faults) > 0 {
			fmt.Fprintln(&b, e.Message)
			for _, f := range e.Faults {
				fmt.Fprintln(&b, " ", f)
			}
			return b.String()
		}
		fmt.Fprintln(&b, err)
		return b.String()
	}
	ref := func(r pawl.Ref) string {
		if r.Name != "" {
			return r.Name
		}
		return r.ID.String()
	}
	for i, task := range p.Tasks {
		fmt.Fprintf(&b, "%s: %q", p.Where[i], task.Subject)
		say := func(name, value string) {
			if value != "" {
				fmt.Fprintf(&b, " %s=%s", name, value)
			}
		}
		refs := func(list []pawl.Ref) string {
			var names []string
			for _, r := range list {
				names = append(names, ref(r))
			}
			return strings.Join(names, ",")
		}
		say("ref", task.Ref)
		if task.Parent != (pawl.Ref{}) {
			say("parent", ref(task.Parent))
		}
		say("after", refs(task.BlockedBy))
		say("blocks", refs(task.Blocks))
		if task.Priority != pawl.Medium {
			say("priority", task.Priority.String())
		}
		say("labels", strings.Join(task.Labels, ","))
		say("owner", task.Owner)
		say("note", strings.ReplaceAll(task.Note, "\n", " / "))
		if task.Done {
			say("done", "yes")
		}
		for _, c := range task.Checks {
			say("check", fmt.Sprintf("%q", c.Name+": "+c.Command()))
		}
		for _, text := range task.Accept {
			if slices.Contains(task.Met, text) {
				say("met", fmt.Sprintf("%q", text))
			} else {
				say("accept", fmt.Sprintf("%q", text))
			}
		}
		say("active", task.ActiveForm)
		for _, key := range slices.Sorted(maps.Keys(task.Metadata)) {
			say("metadata."+key, string(task.Metadata[key]))
		}
		b.WriteString("\n")
		if task.Description != "" {
			b.WriteString("  | " + strings.ReplaceAll(task.Description, "\n", "\n  | ") + "\n")
		}
	}
	for _, subject := range p.Skipped {
		fmt.Fprintf(&b, "skipped %q\n", subject)
	}
	for _, line := range p.Left {
		fmt.Fprintf(&b, "left out %q\n", line)
	}
	for _, i := range p.Unshown {
		fmt.Fprintf(&b, "not shown %q\n", p.Tasks[i].Subject)
	}
	for _, i := range p.Reopened {
		fmt.Fprintf(&b, "reopened %q\n", p.Tasks[i].Subject)
	}
	if p.InRow > 0 || p.Headings > 0 {
		fmt.Fprintf(&b, "headings=%d (%d in a row) items in a row=%d\n", p.Headings, p.HeadingsInRow, p.InRow)
	}
	return b.String()
}

// An error of the board about the tasks it was given is told in the words of
// the text.
func TestLocate(t *testing.T) {
	p := Plan{Where: []string{"line 3", "tasks[0].children[1]"}}
	for _, test := range []struct{ path, want string }{
		{"tasks[0].subject", "line 3, subject"},
		{"tasks[1].subject", "tasks[0].children[1].subject"},
		{"tasks[0]", "line 3"},
		{"tasks[2].subject", "tasks[2].subject"},
		{"tasks", "tasks"},
	} {
		err := p.Locate(&pawl.Error{Kind: pawl.Invalid, Message: test.path + ": no", Faults: []pawl.Fault{{Path: test.path, Problem: "is blank"}}})
		if want := test.want + ": no: " + test.want + ": is blank"; err.Error() != want || !errors.Is(err, pawl.Invalid) {
			t.Errorf("got %q, want %q", err, want)
		}
	}
	if err := errors.New("x"); p.Locate(err) != err {
		t.Error("another error was changed")
	}
}

// A batch has a limit, and one task more is told as such.
func TestTooMany(t *testing.T) {
	list := strings.Repeat("- a\n", pawl.MaxBatch)
	if p, err := Parse([]byte(list), Options{}); err != nil || len(p.Tasks) != pawl.MaxBatch {
		t.Errorf("%d tasks, %v", len(p.Tasks), err)
	}
	if _, err := Parse([]byte(list+"- [x] done\n- b\n"), Options{}); !errors.Is(err, pawl.Invalid) || !strings.Contains(err.Error(), "501 tasks") {
		t.Errorf("got %v", err)
	}
}

// Every plan that is accepted here is accepted by a board that has the tasks it
// names, in one request.
func TestBoardTakesThePlans(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txt")
	taken := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, in, _ := strings.Cut(string(text), "-- plan --\n")
		in, _, _ = strings.Cut(in, "-- want --\n")
		p, err := Parse([]byte(in), Options{})
		if err != nil {
			continue
		}
		board := pawl.NewBoard(memory.New())
		there := pawl.Create{Tasks: make([]pawl.NewTask, 40)}
		for i := range there.Tasks {
			there.Tasks[i].Subject = "there already"
		}
		for _, op := range []pawl.Op{there, pawl.Create{Tasks: p.Tasks}} {
			if _, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op}); err != nil {
				t.Errorf("%s: %v", path, p.Locate(err))
			}
		}
		taken++
	}
	if taken < 20 {
		t.Errorf("only %d plans were tried", taken)
	}
}

// A fault of Pawl is an error that names the line, or the task of JSON: a first pawl
// plan ended in a stack trace.
func TestPanicIsAFault(t *testing.T) {
	broken := &text.Regexp{Expr: "("}
	were, was := subjects, [...]*text.Regexp{written, waitTag}
	t.Cleanup(func() { subjects, written, waitTag = were, was[0], was[1] })
	for text, want := range map[string]string{
		"# T\n\n- [ ] A\n- [ ] #7 B\n":                               "line 4: cannot be read: a fault in Pawl: ",
		`{"tasks":[{"subject":"A"},{"text":"B"}]}`:                   "tasks[1]: cannot be read: a fault in Pawl: ",
		"<x>\n<task type=\"auto\">\n<name>A</name>\n</task>\n</x>\n": "line 2: cannot be read: a fault in Pawl: ",
	} {
		subjects, written, waitTag = nil, broken, broken
		p, err := Parse([]byte(text), Options{Known: map[pawl.ID]bool{7: true}})
		var e *pawl.Error
		if !errors.As(err, &e) || len(e.Faults) != 1 || !strings.HasPrefix(e.Faults[0].Path+": "+e.Faults[0].Problem, want) || len(p.Tasks) > 0 {
			t.Errorf("%q: %v, %+v", text, err, p)
		}
	}
}

// Whatever a text says, either it is refused with a reason, or it makes tasks
// that refer to one another only.
func FuzzParse(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.txt")
	for _, path := range paths {
		text := must.Get(os.ReadFile(path))(f)
		_, in, _ := strings.Cut(string(text), "-- plan --\n")
		in, _, _ = strings.Cut(in, "-- want --\n")
		f.Add([]byte(in), false)
		f.Add([]byte(in), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, chain bool) {
		p, err := Parse(text, Options{Chain: chain})
		if err != nil {
			if !errors.Is(err, pawl.Invalid) || err.Error() == "" || strings.Contains(fmt.Sprintf("%+v", err.(*pawl.Error).Faults), "a fault in Pawl") {
				t.Fatalf("a refusal without a reason: %v", err)
			}
			return
		}
		if len(p.Tasks) == 0 || len(p.Tasks) != len(p.Where) {
			t.Fatalf("%d tasks in %d places", len(p.Tasks), len(p.Where))
		}
		refs := map[string]bool{}
		for _, task := range p.Tasks {
			if task.Ref != "" && refs[task.Ref] {
				t.Fatalf("two tasks with the ref %q", task.Ref)
			}
			refs[task.Ref] = true
		}
		if named := (Plan{Tasks: slices.Clone(p.Tasks)}); len(p.Tasks) < 50 {
			for i := range named.Tasks {
				named.Tasks[i].Subject = fmt.Sprint(i) // two may be called the same
			}
			openEdges(t, named)
		}
		for i, task := range p.Tasks {
			if strings.TrimSpace(task.Subject) == "" {
				t.Fatalf("task %d has no subject", i)
			}
			for _, ref := range append(slices.Concat(task.BlockedBy, task.Blocks), task.Parent) {
				if ref.Name != "" && (!refs[ref.Name] || ref.ID != 0 || ref.Name == task.Ref) {
					t.Fatalf("task %d refers to %v", i, ref)
				}
			}
		}
	})
}
