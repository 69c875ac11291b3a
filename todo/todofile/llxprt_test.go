package todofile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

// What LLxprt keeps in its files, and what it says of them: the cases "store-…"
// that were recorded from it. Files that it reads are read, so that a list can
// be brought along. Files that it stumbles over at each read and write are set
// aside here, and in nobody's way.
func TestLLxprtFiles(t *testing.T) {
	text, err := os.ReadFile("testdata/llxprt-store.json")
	must.Do(t, err)
	var cases []struct {
		ID, Label, File string
		Throws, Paused  bool
		Todos           []struct{ ID, Content, Status string }
	}
	must.Do(t, json.Unmarshal(text, &cases))
	if len(cases) < 6 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID+" "+c.Label, func(t *testing.T) {
			s, dir := place(t)
			write(t, filepath.Join(dir, "one.json"), c.File)
			list := load(t, s, one)
			if paused := list.Pause != nil; paused != c.Paused {
				t.Errorf("it is paused: %v", paused)
			}
			if len(list.Items) != len(c.Todos) {
				t.Fatalf("there are %q, want %v", contents(list), c.Todos)
			}
			for i, want := range c.Todos {
				if got := list.Items[i]; got.ID != want.ID || got.Content != want.Content || string(got.Status) != want.Status {
					t.Errorf("todo %d is %+v, want %+v", i, got, want)
				}
			}
			if problems := s.Problems(); len(problems) > 0 != c.Throws {
				t.Errorf("the problems are %q", problems)
			}
			if err := appending(one, "more")(t, s); err != nil || len(load(t, s, one).Items) != len(c.Todos)+1 {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

func TestForeignFiles(t *testing.T) {
	s, dir := place(t)
	path := filepath.Join(dir, "one.json")
	write(t, path, "\ufeff"+`{"todos":[{"id":7,"content":"a","status":"in_progress","subtasks":[{"content":"b","toolCalls":[
		{"id":"c","name":"read_file","parameters":{"path": "x"},"timestamp":"2025-01-01T00:00:00.000Z"}]}]}],"paused":true}`)
	list := load(t, s, one)
	info, _ := os.Stat(path)
	if list.Pause == nil || list.Pause.Reason == "" || list.Pause.At.IsZero() || list.UpdatedAt.Sub(info.ModTime()).Abs() > 1e6 {
		t.Errorf("the list is %+v, its pause %+v", list, list.Pause)
	}
	want := `[{"id":"7","content":"a","status":"in_progress","priority":"medium","activeForm":"a","subtasks":[{"id":"1","content":"b","status":"pending","toolCalls":[` +
		`{"id":"c","name":"read_file","parameters":{"path":"x"},"startedAt":"2025-01-01T00:00:00Z","outcome":"interrupted"}]}]}]`
	if got, err := json.Marshal(list.Items); string(got) != want {
		t.Errorf("the todos are\n     %s, %v\nwant %s", got, err, want)
	}
	before, _ := os.ReadFile(path)
	if _, err := s.Update(t.Context(), one, func(*todo.List) error { return nil }); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); !slices.Equal(text, before) {
		t.Errorf("nothing changed, and the file became %s", text)
	}
	if err := appending(one, "b")(t, s); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); !strings.HasPrefix(string(text), "{\n  \"version\": 1,\n  \"session\": \"one\",") || strings.Contains(string(text), "timestamp") {
		t.Errorf("the file became %s", text)
	}
	heads, err := s.Lists(t.Context(), time.Time{})
	if err != nil || len(heads) != 1 || !heads[0].Paused || heads[0].Key != one {
		t.Errorf("lists: %+v, %v", heads, err)
	}
}

// A list that a person made by hand, without a time, is as old as its file: a
// sweep lets it be until that is old.
func TestSweepOfFileWithoutTime(t *testing.T) {
	s, dir := place(t)
	path := filepath.Join(dir, "one.json")
	write(t, path, `{"version":1,"session":"one","todos":[{"content":"a","status":"pending"}]}`)
	info, err := os.Stat(path)
	must.Do(t, err)
	for _, c := range []struct {
		after time.Duration // how long after the file's time all is too old
		want  int
	}{{-time.Hour, 0}, {time.Hour, 1}} {
		limit := info.ModTime().Add(c.after)
		if n, err := s.Sweep(t.Context(), limit, limit); n != c.want || err != nil {
			t.Errorf("a limit %s after it: the sweep removed %d, %v; want %d", c.after, n, err, c.want)
		}
	}
}

// Any text is read or refused; what is read comes back the same from what we
// write of it.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{"version":1,"session":"s","todos":[]}`, `[]`, `null`, ``, `{"todos":[{"id":1,"content":"c","status":"pending"}],"paused":true}`,
		`{"version":1,"todos":[{"status":"completed","x":{},"toolCalls":[{"parameters":{"a":[1, 2]}}]}],"y":"` + "\xff" + `","pause":{"reason":"r"}}`,
		`{"version":1,"sessionBytes":"/w==","todos":[],"past":[{"item":{"status":"pending"},"how":"finished"}],"news":["n"],"before":{"what":"w","items":[]}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := parse(text)
		if err != nil {
			return
		}
		disk := toDisk(&doc.kept)
		once, err := doc.encode(&disk)
		if err != nil { // a year after 9999 can be read and not written
			return
		}
		again, err := parse(once)
		if err != nil {
			t.Fatalf("what was written of it cannot be read: %v\n%s", err, once)
		}
		disk = toDisk(&again.kept)
		twice, err := again.encode(&disk)
		if err != nil || string(once) != string(twice) {
			t.Errorf("%v, it was\n%s\nand became\n%s", err, once, twice)
		}
	})
}

// Every key has a name that is one element of a path, and a name leads back to
// its key or to none.
func FuzzNames(f *testing.F) {
	f.Add("s", "a", "s+a", "")
	f.Add("..", "/", "A", "a")
	f.Add(strings.Repeat("é", 100), "x", strings.Repeat("é", 101), "x")
	f.Fuzz(func(t *testing.T, session, agent, session2, agent2 string) {
		a, b := todo.Key{Session: session, Agent: agent}.Normal(), todo.Key{Session: session2, Agent: agent2}.Normal()
		x, y := fileName(a), fileName(b)
		if len(x) > 143 || !filepath.IsLocal(x) || strings.ContainsAny(x, "/\\\x00:") || strings.HasPrefix(x, ".") {
			t.Errorf("%q has the name %q", a, x)
		}
		if a != b && strings.EqualFold(x, y) {
			t.Errorf("%q and %q have the names %q and %q", a, b, x, y)
		}
		if back, ok := keyOf(x); ok && back != a || !ok && !hashed(x) {
			t.Errorf("%q leads back to %q, %v", x, back, ok)
		}
	})
}
