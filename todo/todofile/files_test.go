package todofile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

func place(t *testing.T) (*Store, string) {
	dir := filepath.Join(t.TempDir(), "state", "todos")
	return open(t, dir), dir
}

func write(t testing.TB, path, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
}

func load(t testing.TB, s *Store, key todo.Key) todo.List {
	t.Helper()
	list, err := s.Load(t.Context(), key)
	if err != nil {
		t.Fatalf("load %q: %v", key, err)
	}
	return list
}

// contents are what the todos of a list say.
func contents(l todo.List) (all []string) {
	for _, item := range l.Items {
		all = append(all, item.Content)
	}
	return all
}

// Reading, or writing nothing, makes no file.
func TestNothingIsMade(t *testing.T) {
	s, dir := place(t)
	load(t, s, one)
	for _, fn := range []func(*todo.List) error{
		func(*todo.List) error { return nil },
		func(l *todo.List) error { l.Project = "p"; return nil }, // and still blank
		func(*todo.List) error { return errors.New("no") },
	} {
		s.Update(t.Context(), one, fn)
	}
	if _, err := s.Lists(t.Context(), time.Time{}); err != nil {
		t.Error(err)
	}
	if err := s.Remove(t.Context(), one); err != nil {
		t.Error(err)
	}
	if n, err := s.Sweep(t.Context(), time.Now(), time.Now()); n != 0 || err != nil {
		t.Error(n, err)
	}
	if open, err := s.PanelOpen(t.Context(), "s"); open || err != nil {
		t.Error(open, err)
	}
	if _, err := os.Stat(filepath.Dir(dir)); !absent(err) {
		t.Errorf("something was made: %v", err)
	}
}

// Writing the same again writes nothing, takes no lock, and makes no calls but
// the reading of the list and of its log.
func TestNothingIsWritten(t *testing.T) {
	s, dir := place(t)
	must.Do(t, appending(one, "a")(t, s))
	path := filepath.Join(dir, "one.json")
	before, err := os.Stat(path)
	must.Do(t, err)
	work, _ := os.Stat(filepath.Join(dir, workDir))
	for range 3 {
		must.Do(t, errOf(s.Update(t.Context(), one, func(l *todo.List) error {
			l.Items = slices.Clone(l.Items)
			l.News = []string{}
			return nil
		})))
		s.Update(t.Context(), one, func(l *todo.List) error { l.Items = nil; return errors.New("no") })
	}
	after, err := os.Stat(path)
	if err != nil || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("the file was written: %v", err)
	}
	if now, _ := os.Stat(filepath.Join(dir, workDir)); !now.ModTime().Equal(work.ModTime()) {
		t.Error("something was staged")
	}

	d := newSimDisk()
	must.Do(t, appending(one, "a")(t, d.open(t)))
	var did []string
	d.before = func(_ int, op, _ string) error { did = append(did, op); return nil }
	if _, err := d.open(t).Update(t.Context(), one, func(*todo.List) error { return nil }); err != nil || !slices.Equal(did, []string{"read", "read"}) {
		t.Errorf("an update without a change did %q, %v", did, err)
	}
	did = nil
	must.Do(t, appending(one, "b")(t, d.open(t)))
	if n := len(slices.DeleteFunc(did, func(op string) bool { return op != "sync" })); n != 2 {
		t.Errorf("a change synced %d times, want the file and the folder", n)
	}
}

// No file for a blank list, and no lock files but the fixed ones.
func TestNothingPilesUp(t *testing.T) {
	s, dir := place(t)
	for _, key := range []todo.Key{one, two} {
		must.Do(t, appending(key, "a")(t, s))
	}
	if got := names(t, dir); !slices.Equal(got, []string{workDir, "one+two.json", "one.json"}) {
		t.Errorf("the folder has %q", got)
	}
	must.Do(t, errOf(s.Update(t.Context(), one, func(l *todo.List) error { l.Items = nil; return nil })))
	must.Do(t, s.Remove(t.Context(), two))
	if got := names(t, dir); !slices.Equal(got, []string{workDir}) {
		t.Errorf("the folder has %q", got)
	}
	for n := range 100 {
		key := todo.Key{Session: strings.Repeat("x", n+1)}
		must.Do(t, appending(key, "a")(t, s))
		must.Do(t, s.Remove(t.Context(), key))
	}
	if got := names(t, filepath.Join(dir, workDir)); len(got) > 16 {
		t.Errorf("a hundred sessions left %q", got)
	}
}

// Lists are for their user alone, whatever somebody made of them.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // has no such modes
	}
	s, dir := place(t)
	mode := func(name string, want os.FileMode) {
		t.Helper()
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
	must.Do(t, appending(one, "a")(t, s))
	must.Do(t, errOf(s.OpenPanel(t.Context(), "one")))
	write(t, filepath.Join(dir, "bad.json"), "{")
	load(t, s, todo.Key{Session: "bad"})
	for _, name := range []string{".", "..", workDir, panelDir, lostDir} {
		mode(name, 0o700)
	}
	mode("one.json", 0o600)
	mode("panels/one", 0o600)
	must.Do(t, os.Chmod(filepath.Join(dir, "one.json"), 0o666))
	must.Do(t, appending(one, "b")(t, s))
	mode("one.json", 0o600)
}

// The file is what the package comment and docs/format.md show.
func TestText(t *testing.T) {
	s, dir := place(t)
	when := time.Date(2026, 1, 1, 11, 0, 0, 5e6, time.FixedZone("", 3600))
	must.Do(t, errOf(s.Update(t.Context(), todo.Key{Session: "S 1", Agent: "b"}, func(l *todo.List) error {
		l.Project, l.UpdatedAt = "/home/ann/shop", when
		l.Items = []todo.Item{{ID: "1", Content: "Write <tests>", Status: todo.Pending, Priority: todo.Medium, ActiveForm: "Writing"}}
		return nil
	})))
	want := `{
  "version": 1,
  "session": "S 1",
  "agent": "b",
  "project": "/home/ann/shop",
  "updatedAt": "2026-01-01T10:00:00.005Z",
  "todos": [
    {"id":"1","content":"Write <tests>","status":"pending","priority":"medium","activeForm":"Writing"}
  ]
}
`
	if got, err := os.ReadFile(filepath.Join(dir, "%53%201+b.json")); string(got) != want {
		t.Errorf("the file has %s, %v", got, err)
	}
}

// What a newer Pawl or somebody else keeps in the file stays, and a newer format
// is left alone.
func TestUnknownKeys(t *testing.T) {
	s, dir := place(t)
	path := filepath.Join(dir, "one.json")
	write(t, path, `{"version":1,"session":"one","colour":{"a":[1,2]},"todos":[
		{"id":"1","content":"a","status":"pending","priority":"high","activeForm":"a","estimate":3},
		{"id":"2","content":"b","status":"pending","priority":"high","activeForm":"b","x":"<y>"}]}`)
	must.Do(t, errOf(s.Update(t.Context(), one, func(l *todo.List) error {
		l.Items[0], l.Items[1] = l.Items[1], l.Items[0]
		l.Items[0].Status = todo.Completed
		return nil
	})))
	text, err := os.ReadFile(path)
	for _, want := range []string{`"colour": {"a":[1,2]}`, `"estimate":3`, `"x":"<y>"`, `"status":"completed"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is gone, %v:\n%s", want, err, text)
		}
	}
	if first, second := strings.Index(string(text), `"x"`), strings.Index(string(text), `"estimate"`); first > second {
		t.Errorf("the keys did not go with their todos:\n%s", text)
	}

	var newer string
	for _, newer = range []string{`{"version":2,"session":"one","todos":[]}`, `{"version":2,"x":1,"todos":[]}`, `{"version":2,"todos":{"a":1}}`} {
		write(t, path, newer)
		_, err = s.Load(t.Context(), one)
		storage, ok := errors.AsType[*todo.StorageError](err)
		if !ok || storage.Why != todo.Other || !strings.Contains(err.Error(), "use a newer one") {
			t.Errorf("a newer format: %v", err)
		}
	}
	if err := appending(one, "b")(t, s); err == nil {
		t.Error("a newer format was written over")
	}
	if err := s.Remove(t.Context(), two); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(path); string(text) != newer {
		t.Errorf("the file has %s, %v", text, err)
	}
	if heads, err := s.Lists(t.Context(), time.Time{}); err != nil || len(heads) != 0 || len(s.Problems()) != 1 {
		t.Errorf("lists: %v, %v", heads, err)
	}
}

// Bytes that are no text become what is read back, at once, and are no change
// the next time.
func TestNoUTF8(t *testing.T) {
	s, dir := place(t)
	must.Do(t, appending(one, "a\xffb")(t, s))
	before, err := os.Stat(filepath.Join(dir, "one.json"))
	must.Do(t, err)
	list, err := s.Update(t.Context(), one, func(l *todo.List) error {
		l.Items[0].Content = "a\xffb"
		l.Items[0].ID = "a\xffb"
		return nil
	})
	if got := contents(list); err != nil || !slices.Equal(got, []string{"a\ufffdb"}) || !slices.Equal(got, contents(load(t, s, one))) {
		t.Errorf("the answer is %q, %v", got, err)
	}
	if after, err := os.Stat(filepath.Join(dir, "one.json")); err != nil || !os.SameFile(before, after) {
		t.Errorf("the file was written again: %v", err)
	}
}

// What a list as large as this would be set aside at the next read, so it is
// not written.
func TestTooLargeToWrite(t *testing.T) {
	s, _ := place(t)
	must.Do(t, appending(one, "a")(t, s))
	_, err := s.Update(t.Context(), one, func(l *todo.List) error {
		l.News = []string{strings.Repeat("x", todo.MaxList)}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "more than 8 MiB") {
		t.Errorf("a list that is too large: %v", err)
	}
	if got := contents(load(t, s, one)); !slices.Equal(got, []string{"a"}) {
		t.Errorf("there is %q", got)
	}
}

// A person may rename a file, and copy one: its name says whose it is.
func TestNames(t *testing.T) {
	s, dir := place(t)
	must.Do(t, appending(one, "a")(t, s))
	must.Do(t, os.Rename(filepath.Join(dir, "one.json"), filepath.Join(dir, "three+x.json")))
	for _, name := range []string{"one (conflicted copy).json", "One.json", "one.json.swp", "one+.json", "a~b.json", "+.json", ".json", "%6.json"} {
		write(t, filepath.Join(dir, name), `[{"content":"theirs","status":"pending"}]`)
	}
	heads, err := s.Lists(t.Context(), time.Time{})
	three := todo.Key{Session: "three", Agent: "x"}
	if err != nil || len(heads) != 1 || heads[0].Key != three || heads[0].Title != "a" {
		t.Errorf("lists: %+v, %v", heads, err)
	}
	if got := contents(load(t, s, three)); !slices.Equal(got, []string{"a"}) {
		t.Errorf("there is %q", got)
	}
	n, err := s.Sweep(t.Context(), time.Now().Add(time.Hour), time.Now().Add(time.Hour))
	if n != 1 || err != nil {
		t.Errorf("sweep removed %d, %v", n, err)
	}
	if got := names(t, dir); len(got) != 9 { // .work, and what is not ours
		t.Errorf("sweep left %q", got)
	}
}

// Two versions of Pawl must take the same lock for a list: this never changes.
func TestWhichLock(t *testing.T) {
	for name, want := range map[string]string{"one.json": "c", "one+two.json": "3", "default.json": "a", "%53%201+b.json": "f"} {
		if got := workName(name, ".lock"); got != workDir+"/"+want+".lock" {
			t.Errorf("%s is written under %s, want %s", name, got, want)
		}
	}
}

// errOf is the error of a call of which nothing else matters.
func errOf[T any](_ T, err error) error { return err }
