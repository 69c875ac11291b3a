package settings

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

var update = flag.Bool("update", false, "write the expected files anew")

// TestEdit plays testdata/edit/*.txtar: a file before, and after what the first
// lines say: set KEY VALUE, unset KEY.
func TestEdit(t *testing.T) {
	stories, err := filepath.Glob("testdata/edit/*.txtar")
	if err != nil || len(stories) < 8 {
		t.Fatalf("only %d stories, %v", len(stories), err)
	}
	for _, story := range stories {
		t.Run(strings.TrimSuffix(filepath.Base(story), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(story)
			if err != nil || len(archive.Files) != 2 {
				t.Fatal(err, "before and after are wanted")
			}
			text := archive.Files[0].Data
			steps := 0
			for line := range strings.Lines(string(archive.Comment)) {
				word := strings.Fields(line)
				switch {
				case len(word) == 3 && word[0] == "set":
					s := Find(word[1])
					value, err := s.Parse(word[2])
					if err != nil {
						t.Fatal(err)
					}
					if text, err = put(text, "F", s, value); err != nil {
						t.Fatal(err)
					}
				case len(word) == 2 && word[0] == "unset":
					if text, err = drop(text, "F", Find(word[1])); err != nil {
						t.Fatal(err)
					}
				default:
					continue
				}
				steps++
			}
			if steps == 0 {
				t.Fatal("nothing is done")
			}
			if *update {
				archive.Files[1].Data = text
				must.Do(t, os.WriteFile(story, txtar.Format(archive), 0o644))
			}
			if want := string(archive.Files[1].Data); string(text) != want {
				t.Errorf("got\n%s\nwant\n%s", text, want)
			}
		})
	}
}

// What cannot be seen in a story: a byte order mark, ends of lines as on
// Windows, no last newline.
func TestEditBytes(t *testing.T) {
	for before, want := range map[string]string{
		"\ufeff{\"lease\": \"1h\"}":            "\ufeff{\"lease\": \"30m\"}",
		"{\r\n  \"reminders\": false\r\n}\r\n": "{\r\n  \"reminders\": false,\r\n  \"lease\": \"30m\"\r\n}\r\n",
		"{}":                                   "{\n  \"lease\": \"30m\"\n}",
		"":                                     "\n{\n  \"lease\": \"30m\"\n}\n",
		"// later":                             "// later\n{\n  \"lease\": \"30m\"\n}\n",
	} {
		lease := Find("lease")
		value, err := lease.Parse("30m")
		if err != nil {
			t.Fatal(err)
		}
		got, err := put([]byte(before), "F", lease, value)
		if err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v; want %q", before, got, err, want)
		}
	}
}

func TestSet(t *testing.T) {
	ctx := t.Context()
	for _, scope := range []Scope{Project, User} {
		path := filepath.Join(t.TempDir(), Name)
		if scope == User {
			path = filepath.Join(t.TempDir(), "made", Name)
		}
		lease := Find("lease")
		for _, step := range []struct {
			text    string
			changed bool
		}{{"30m", true}, {"30m", false}, {"1800s", false}, {"1h", true}, {"", true}, {"", false}} {
			changed, err := false, error(nil)
			if step.text == "" {
				changed, err = Unset(ctx, scope, path, lease)
			} else {
				changed, err = Set(ctx, scope, path, lease, step.text)
			}
			if changed != step.changed || err != nil {
				t.Errorf("%s, to %q: changed %v, %v", scope, step.text, changed, err)
			}
		}
		info := must.Get(os.Stat(path))(t)
		if private := info.Mode().Perm()&0o077 == 0; runtime.GOOS != "windows" && private != (scope == User) {
			t.Errorf("the file of the %s has mode %v", scope, info.Mode())
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".pawl*")); scope == User && len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		if names, _ := os.ReadDir(filepath.Join(filepath.Dir(path), ".pawl", "tmp")); len(names) > 0 {
			t.Errorf("left behind: %v", names)
		}
	}
	if changed, err := Unset(ctx, User, filepath.Join(t.TempDir(), "none", Name), Find("lease")); changed || err != nil {
		t.Errorf("unset where there is no file: %v, %v", changed, err)
	}
}

func TestSetRefused(t *testing.T) {
	broken := "{\n  \"lease\": \"30m\"\n  oops\n}\n"
	path := write(t, Name, broken)
	_, err := Set(t.Context(), User, path, Find("lease"), "1h")
	if e, ok := err.(*pawl.Error); !ok || e.Kind != pawl.Internal || !strings.Contains(e.Message, Name+":3:3: ") || e.Hint.Text == "" {
		t.Errorf("a broken file: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != broken {
		t.Errorf("a broken file was changed: %q", text)
	}
	if _, err := Set(t.Context(), User, path, Find("lease"), "often"); !errors.Is(err, pawl.Invalid) {
		t.Errorf("no duration: %v", err)
	}
	_, err = Set(t.Context(), Project, path, Find("toolCalls.arguments"), "off")
	if e, ok := err.(*pawl.Error); !ok || e.Kind != pawl.Invalid || e.Hint.Text != "pawl config set toolCalls.arguments off --scope user" {
		t.Errorf("not for a project: %v", err)
	}
}

// Several that set different keys at once all find their key afterwards.
func TestSetTogether(t *testing.T) {
	for _, scope := range []Scope{Project, User} {
		path := filepath.Join(t.TempDir(), Name)
		keys := map[string]string{
			"lease": "30m", "reminders": "off", "todo-continuation": "7", "run.slots": "7", "interactive": "never",
			"run.timeout": "5h", "todos.keep": "5d", "recovery.tokens": "100",
		}
		var all sync.WaitGroup
		for key, text := range keys {
			all.Go(func() {
				if _, err := Set(t.Context(), scope, path, Find(key), text); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		f := Read(scope, path)
		for key := range keys {
			if _, said := f.Get(key); !said {
				t.Errorf("%s was lost in the file of the %s", key, scope)
			}
		}
	}
}

// A link to where somebody keeps their settings stays one.
func TestSetThroughLink(t *testing.T) {
	kept := write(t, "kept.jsonc", "{}")
	path := filepath.Join(t.TempDir(), Name)
	mustrun.Link(t, kept, path)
	if _, err := Set(t.Context(), User, path, Find("lease"), "30m"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if _, said := Read(User, kept).Get("lease"); !said {
		t.Error("what the link leads to was not changed")
	}
	if _, err := Set(t.Context(), Project, path, Find("lease"), "30m"); err == nil {
		t.Error("a project's link was followed")
	}
}

// Whatever a file holds, reading it ends in values and problems with places in
// it; and a value that is set in it is there afterwards, with all others.
func FuzzFile(f *testing.F) {
	for _, text := range []string{
		"", "{}", "// x", "{\"lease\": \"30m\",}", "{\"todos\": {\"keep\": \"5d\" /* x */}, \"panel\": false // y\n}",
		"{\"run\": {\"slots\": 5, /* a */}, \"run\": 3, // b\n}", "{\"a\":{\"lease\":1}}", "\ufeff{\r\n}", "[", "{\"lease\":\"0\",\"lease\":\"1h\"}", "{\"\\u006cease\": \"1h\"}",
	} {
		f.Add([]byte(text), uint8(1), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, row uint8, on bool) {
		if len(text) > maxFile {
			return
		}
		before := readText(User, "F", text)
		lines := strings.Count(string(text), "\n") + 1
		broken := false
		for _, p := range before.Problems {
			if p.Line < 0 || p.Line > lines+2 || p.Line > 0 && p.Column < 1 || p.Text == "" {
				t.Fatalf("%+v in %q", p, text)
			}
			broken = broken || before.values == nil
		}
		s := &Table[int(row)%len(Table)]
		if !s.Allows(User) {
			return
		}
		value, _ := s.parse(s.Default)
		if s.Type == Bool {
			value = on
		}
		edited, err := put(text, "F", s, value)
		if (err != nil) != broken {
			t.Fatalf("%v for %q", err, text)
		}
		if broken {
			return
		}
		after := readText(User, "F", edited)
		for i := range Table {
			other := &Table[i]
			was, said := before.Get(other.Key)
			is, still := after.Get(other.Key)
			switch {
			case other == s && is.Is != value:
				t.Fatalf("%s is %v and not %v in %q, made of %q", s.Key, is.Is, value, edited, text)
			case other != s && (said != still || was.Is != is.Is):
				t.Fatalf("%s was %v and is %v in %q, made of %q", other.Key, was.Is, is.Is, edited, text)
			}
		}
		gone, err := drop(edited, "F", s)
		if err != nil {
			t.Fatal(err)
		}
		if _, still := readText(User, "F", gone).Get(s.Key); still {
			t.Fatalf("%s is still in %q", s.Key, gone)
		}
	})
}

func ExampleProblem() {
	for _, p := range readText(User, "pawl.jsonc", []byte("{\n  \"lease\": 30\n}")).Problems {
		fmt.Println(p)
	}
	// Output: pawl.jsonc:2:12: lease must be a duration such as "15m", from 1s to 7d, or "0": never
}
