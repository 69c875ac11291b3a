package todofile

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/todo"
)

// What cannot be read is set aside whole, told once, and in nobody's way.
func TestDamage(t *testing.T) {
	whole := `{"version":1,"session":"one","todos":[{"id":"1","content":"a","status":"pending","priority":"low","activeForm":"a"}]}`
	for name, c := range map[string]struct{ text, why string }{
		"torn":              {whole[:60], "line 1: unexpected end"},
		"empty":             {"", "it is empty"},
		"blanks":            {" \n", "it is empty"},
		"null":              {"null", "it is no JSON object"},
		"a number":          {"1", "it is no JSON object"},
		"zeros":             {strings.Repeat("\x00", 100), "it is no JSON object"},
		"two in one":        {whole + whole, "after top-level value"},
		"no todos":          {`{"version":1}`, "it has no list of todos"},
		"null todos":        {`{"version":1,"todos":null}`, "it has no list of todos"},
		"todos of a kind":   {`{"version":1,"todos":{}}`, "todos cannot be a object"},
		"a todo of a kind":  {"{\"version\":1,\n\"todos\":[1]}", "line 2: todos cannot be a number"},
		"a null todo":       {`[null]`, `todos.0.status is ""`},
		"a status":          {strings.Replace(whole, "pending", "done", 1), `todos.0.status is "done"`},
		"a priority":        {strings.Replace(whole, "low", "p1", 1), `todos.0.priority is "p1"`},
		"a time":            {strings.Replace(whole, `"id"`, `"createdAt":"yesterday","id"`, 1), "yesterday"},
		"merge conflict":    {"<<<<<<< HEAD\n" + whole, "it is no JSON object"},
		"deep":              {`{"version":1,"todos":[` + strings.Repeat("[", 20_000), "exceeded max depth"},
		"too large":         {whole + strings.Repeat(" ", todo.MaxList), "it is larger than 8 MiB"},
		"an id of any kind": {`[{"id":true,"content":"c","status":"pending"}]`, "cannot be a bool"},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := place(t)
			now := time.UnixMilli(1767261600000)
			s.now = func() time.Time { return now }
			must.Do(t, appending(two, "b")(t, s))
			for n, lost := range []string{"one.json-1767261600000", "one.json-1767261600000.2"} {
				write(t, filepath.Join(dir, "one.json"), c.text)
				if n == 0 { // found by a look at all
					if heads, err := s.Lists(t.Context(), time.Time{}); err != nil || len(heads) != 1 || heads[0].Key != two {
						t.Errorf("lists: %+v, %v", heads, err)
					}
				}
				if list := load(t, s, one); !list.Blank() || list.Key != one {
					t.Errorf("the list is %+v", list)
				}
				problems := s.Problems()
				if len(problems) != 1 || !strings.Contains(problems[0], c.why) || !strings.Contains(problems[0], filepath.Join(dir, "one.json")) || !strings.Contains(problems[0], lost) {
					t.Errorf("the problems are %q", problems)
				}
				if got, err := os.ReadFile(filepath.Join(dir, lostDir, lost)); string(got) != c.text {
					t.Errorf("kept are %d bytes of %d, %v", len(got), len(c.text), err)
				}
			}
			if err := appending(one, "a")(t, s); err != nil || !slices.Equal(contents(load(t, s, one)), []string{"a"}) {
				t.Errorf("afterwards: %v", err)
			}
			if !slices.Equal(contents(load(t, s, two)), []string{"b"}) {
				t.Error("the other list suffered")
			}
			if _, err := s.Sweep(t.Context(), now, time.Time{}); err != nil || len(names(t, filepath.Join(dir, lostDir))) != 2 {
				t.Errorf("a sweep of what is older: %v", err)
			}
			if _, err := s.Sweep(t.Context(), now.Add(1e6), time.Time{}); err != nil || len(names(t, filepath.Join(dir, lostDir))) != 0 {
				t.Errorf("a sweep: %v", err)
			}
		})
	}
}

// An update meets the damage itself, and goes on.
func TestDamageMetByUpdate(t *testing.T) {
	s, dir := place(t)
	write(t, filepath.Join(dir, "one.json"), "{")
	if err := appending(one, "a")(t, s); err != nil || len(s.Problems()) != 1 {
		t.Error(err)
	}
	write(t, filepath.Join(dir, "one.json"), "{")
	if err := s.Remove(t.Context(), one); err != nil {
		t.Error(err)
	}
	if list := load(t, s, one); !list.Blank() || len(s.Problems()) > 0 {
		t.Errorf("after removing it: %+v", list)
	}
}

// Problems are not told over and over, and not without end.
func TestProblemsAreBounded(t *testing.T) {
	s, dir := place(t)
	for n := range 50 {
		write(t, filepath.Join(dir, fmt.Sprint(n, ".json")), "{")
	}
	if heads, err := s.Lists(t.Context(), time.Time{}); err != nil || len(heads) != 0 {
		t.Errorf("lists: %v, %v", heads, err)
	}
	if n := len(s.Problems()); n != maxProblems {
		t.Errorf("%d problems are told", n)
	}
	if n := len(s.Problems()); n != 0 {
		t.Errorf("%d problems are told again", n)
	}
}

// Links, pipes and folders in the place of a list are not followed, opened or
// waited for.
func TestPlanted(t *testing.T) {
	for name, plant := range planted {
		t.Run(name, func(t *testing.T) {
			victim := filepath.Join(t.TempDir(), "victim")
			write(t, victim, `[{"content":"theirs","status":"pending"}]`)
			s, dir := place(t)
			path := filepath.Join(dir, "one.json")
			for range 2 {
				must.Do(t, os.MkdirAll(dir, 0o700))
				if err := plant(path, victim); err != nil {
					mustrun.NotHere(t, "this cannot be planted: "+err.Error())
				}
				if heads, err := s.Lists(t.Context(), time.Time{}); err != nil || len(heads) != 0 {
					t.Errorf("lists: %v, %v", heads, err)
				}
				if err := appending(one, "a")(t, s); err != nil {
					t.Error(err)
				}
				if got := contents(load(t, s, one)); !slices.Equal(got, []string{"a"}) {
					t.Errorf("there is %q", got)
				}
				if problems := s.Problems(); len(problems) != 1 || !strings.Contains(problems[0], "not a regular file") {
					t.Errorf("the problems are %q", problems)
				}
				if err := s.Remove(t.Context(), one); err != nil {
					t.Error(err)
				}
			}
			if text, err := os.ReadFile(victim); !strings.Contains(string(text), "theirs") {
				t.Errorf("what the link led to is %q, %v", text, err)
			}
			if _, err := s.Sweep(t.Context(), time.Now().Add(time.Hour), time.Now()); err != nil {
				t.Error(err)
			}
		})
	}
}

// A link in the place of a text on its way, or of a lock, harms nothing
// outside. A lock that is none is an error.
func TestPlantedAtWork(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	write(t, victim, "precious")
	s, dir := place(t)
	must.Do(t, os.MkdirAll(filepath.Join(dir, workDir), 0o700))
	mustrun.Link(t, victim, filepath.Join(dir, workName(fileName(one), ".new")))
	if err := appending(one, "a")(t, s); err != nil {
		t.Error(err)
	}
	lock := filepath.Join(dir, workName(fileName(one), ".lock"))
	must.Do(t, os.Remove(lock))
	mustrun.Link(t, filepath.Join(filepath.Dir(victim), "made"), lock)
	if err := appending(one, "b")(t, s); err == nil || !strings.Contains(err.Error(), "Failed to access todo storage: ") {
		t.Errorf("a link for a lock: %v", err)
	}
	if got := names(t, filepath.Dir(victim)); len(got) != 1 {
		t.Errorf("something was made outside: %q", got)
	}
	if text, _ := os.ReadFile(victim); string(text) != "precious" {
		t.Errorf("the victim has %q", text)
	}
}

// A folder that cannot be one is an error in the words of storage errors.
func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	for _, dir := range []string{file, filepath.Join(file, "todos")} {
		s := open(t, dir)
		for what, err := range map[string]error{
			"update": appending(one, "a")(t, s),
			"lists":  func() error { _, err := s.Lists(t.Context(), time.Time{}); return err }(),
			"panel":  func() error { _, err := s.OpenPanel(t.Context(), "s"); return err }(),
		} {
			if runtime.GOOS == "windows" && what == "lists" {
				continue // where this says that there is nothing
			}
			if err == nil || !strings.HasPrefix(err.Error(), "Failed to access todo storage: ") {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}
