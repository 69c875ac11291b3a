// Package importstest is what tests of formats share.
package importstest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/store/memory"
)

// Files writes files below a new folder, which it returns: "name", "text", ….
func Files(t testing.TB, files ...string) string {
	t.Helper()
	root := t.TempDir()
	for pair := range slices.Chunk(files, 2) {
		name := filepath.Join(root, filepath.FromSlash(pair[0]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(pair[1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Text reads a text.
func Text(f *imports.Format, text string) (*imports.Result, error) {
	return imports.Read(f, &imports.Input{In: strings.NewReader(text)})
}

// Place reads what a folder has at a place.
func Place(f *imports.Format, root, path string) (*imports.Result, error) {
	in := imports.Input{Root: root, Path: path}
	defer in.Close()
	return imports.Read(f, &in)
}

// Load brings a result to an empty board, which must take it, and checks that
// a second import changes nothing. It returns the board's tasks.
func Load(t testing.TB, f *imports.Format, r *imports.Result) []pawl.Task {
	t.Helper()
	board := pawl.NewBoard(memory.New())
	for again := range 2 {
		tasks := r.Merge(f, all(t, board))
		res, err := board.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Import{Tasks: tasks}})
		if err != nil {
			t.Fatalf("the board refuses it: %v", err)
		}
		if again == 1 && (res.Changed || len(res.Kept) != len(tasks)) {
			t.Fatalf("a second import changes tasks: %v", res.Updated)
		}
	}
	return all(t, board)
}

func all(t testing.TB, board *pawl.Board) []pawl.Task {
	t.Helper()
	var tasks []pawl.Task
	for q := (pawl.Query{}); ; {
		page, err := board.Select(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, page.Tasks...)
		if q.After = page.Next; q.After == nil {
			return tasks
		}
	}
}

// Show writes what a board got of a source as a text to compare: a line for
// each task, and what was told.
//
//	[x] #1 Parser (taskmaster:master:1) after #2 part of #3 high @ada on hold: later [label]
//	changed   tasks.json:3: pending: nobody is at it
func Show(w io.Writer, r *imports.Result, tasks []pawl.Task) {
	fmt.Fprintf(w, "%d tasks, %d subtasks, %d dependencies, %d criteria\n", len(r.Tasks), r.Subtasks, r.Edges, r.Criteria)
	for i := range tasks {
		t := &tasks[i]
		mark := map[pawl.Status]string{pawl.Pending: " ", pawl.InProgress: ">", pawl.Completed: "x"}[t.Status]
		fmt.Fprintf(w, "[%s] %v %s (%s)", mark, t.ID, t.Subject, t.Ref())
		if len(t.Blockers) > 0 {
			fmt.Fprintf(w, " after %v", t.Blockers)
		}
		if t.Parent != 0 {
			fmt.Fprintf(w, " part of %v", t.Parent)
		}
		if t.Priority != pawl.Medium {
			fmt.Fprintf(w, " %v", t.Priority)
		}
		if t.Owner != "" {
			fmt.Fprintf(w, " @%s", t.Owner)
		}
		if t.Hold != nil {
			fmt.Fprintf(w, " on hold: %s", t.Hold.Reason)
		}
		if len(t.Labels) > 0 {
			fmt.Fprintf(w, " %v", t.Labels)
		}
		fmt.Fprintln(w)
		if raw := t.Metadata[r.Format]; raw != nil {
			fmt.Fprintf(w, "      %s\n", imports.OneLine(string(raw), 200))
		}
	}
	for _, told := range []struct {
		title   string
		remarks []imports.Remark
	}{{"changed", r.Changed}, {"left out", r.LeftOut}} {
		for _, remark := range told.remarks {
			fmt.Fprintf(w, "%-8s  %v\n", told.title, remark)
		}
	}
}

// Tagged reads the list of a text that has a tag.
func Tagged(f *imports.Format, text, tag string) (*imports.Result, error) {
	return imports.Read(f, &imports.Input{In: strings.NewReader(text), Tag: tag})
}

// Refused gives a format whose source is one JSON document what is none: it is
// refused as a whole, with its place.
func Refused(t *testing.T, f *imports.Format) {
	deep := strings.Repeat(`[`, 10_000)
	for name, test := range map[string]struct{ text, why string }{
		"empty":     {"", "is empty"},
		"blank":     {" \n", "is empty"},
		"truncated": {"{\n \"tasks\": [{\"id\": 1,\n\"title\": \"a", "line 3 is not JSON"},
		"a text":    {"hello", "line 1 is not JSON"},
		"deep":      {deep + strings.Repeat(`]`, 10_000), "nested"},
		"deeper":    {deep, "nested"},
		"latin-1":   {"{\"tasks\":\n[\"\xe4\"]}", "UTF-8: line 2"},
		"half":      {"\xff\xfe{", "UTF-16"},
		"NUL":       {"\x00\x00\x00", "not JSON"},
		"large":     {strings.Repeat(" ", imports.MaxFile+1), "longer than 32 MiB"},
	} {
		r, err := Text(f, test.text)
		if pawl.KindOf(err) != pawl.Invalid || !strings.Contains(fmt.Sprint(err), test.why) {
			t.Errorf("%s: %+v, %v; want %q", name, r, err, test.why)
		}
	}
	root := Files(t, "f.json", "\xff\xfe")
	if _, err := Place(f, root, "absent.json"); pawl.KindOf(err) != pawl.NotFound {
		t.Errorf("an absent file: %v", err)
	}
	if err := os.Symlink(filepath.Join(t.TempDir(), "x"), filepath.Join(root, "out.json")); err == nil {
		if _, err := Place(f, root, "out.json"); err == nil {
			t.Error("a link that leads out of the folder is read")
		}
	}
}

// Fuzz gives a format any text: it refuses it or a board takes what it reads,
// twice.
func Fuzz(f *testing.F, format *imports.Format, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Text(format, text)
		if err != nil {
			if pawl.KindOf(err) == pawl.Internal || strings.Contains(err.Error(), "a fault in Pawl") {
				t.Fatal(err)
			}
			return
		}
		if len(r.Tasks) > 0 {
			Load(t, format, r)
		}
	})
}

// Sample compares what a board gets of something in testdata with the file
// beside it whose name ends with .txt.
func Sample(t *testing.T, f *imports.Format, path string) {
	t.Helper()
	Golden(t, f, "testdata", path, strings.TrimSuffix(path, filepath.Ext(path))+".txt")
}

// Golden compares what a board gets of a source with a file in testdata.
func Golden(t *testing.T, f *imports.Format, root, path, golden string) {
	t.Helper()
	r, err := Place(f, root, path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	Show(&b, r, Load(t, f, r))
	sample.Golden(t, golden, b.String())
}
