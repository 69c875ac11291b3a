package todofile

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/todo"
)

// noted are the calls of a list's first todo.
func noted(l todo.List) (calls []string) {
	if len(l.Items) > 0 {
		for _, c := range l.Items[0].ToolCalls {
			calls = append(calls, c.ID+" "+string(c.Outcome))
		}
	}
	return calls
}

// do runs steps that must succeed.
func do(t testing.TB, s *Store, steps ...func(testing.TB, *Store) error) {
	t.Helper()
	for _, step := range steps {
		must.Do(t, step(t, s))
	}
}

// The log is what docs/format.md shows, and the list's file says how much of it
// is in the list.
func TestTextOfCalls(t *testing.T) {
	s, dir := place(t)
	do(t, s, appending(one, "a"), noting(one, "1", todo.Running), noting(one, "1", todo.Succeeded))
	want := `{"callLog":1}
{"what":"begin","todo":"a","content":3826002220,"id":"1","name":"edit","startedAt":"2026-01-01T00:00:00Z","outcome":"running"}
{"what":"end","id":"1","endedAt":"2026-01-01T00:00:00Z","outcome":"succeeded"}
`
	if got, err := os.ReadFile(filepath.Join(dir, "one.calls")); string(got) != want {
		t.Errorf("the log has %s, %v", got, err)
	}
	do(t, s, appending(one, "b"))
	text, err := os.ReadFile(filepath.Join(dir, "one.json"))
	if mark := fmt.Sprintf(`"callLog": {"number":1,"bytes":%d}`, len(want)); !strings.Contains(string(text), mark) {
		t.Errorf("the list lacks %s, %v:\n%s", mark, err, text)
	}
	do(t, s, noting(one, "2", todo.Running))
	if got, err := os.ReadFile(filepath.Join(dir, "one.calls")); !strings.HasPrefix(string(got), "{\"callLog\":2}\n") {
		t.Errorf("the next log has %s, %v", got, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "one.calls")); err != nil || info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		t.Errorf("the log is for others, too: %v, %v", info.Mode(), err)
	}
}

// Wherever a list goes, its log goes.
func TestLogGoesWithItsList(t *testing.T) {
	for name, gone := range map[string]func(testing.TB, *Store) error{
		"removed": func(t testing.TB, s *Store) error { return s.Remove(t.Context(), one) },
		"blank": func(t testing.TB, s *Store) error {
			_, err := s.Update(t.Context(), one, func(l *todo.List) error { *l = todo.List{}; return nil })
			return err
		},
		"swept": func(t testing.TB, s *Store) error {
			now := time.Now()
			_, err := s.Sweep(t.Context(), now, now)
			return err
		},
		"moved": func(t testing.TB, s *Store) error {
			return todo.New(s, time.Now).Move(t.Context(), one, todo.Key{Session: "other"})
		},
	} {
		s, dir := place(t)
		do(t, s, appending(one, "a"), noting(one, "1", todo.Running), gone)
		left := slices.DeleteFunc(names(t, dir), func(name string) bool { return name == workDir || name == "other.json" })
		if len(left) > 0 {
			t.Errorf("%s: there is %q", name, left)
		}
		if name == "moved" && !slices.Equal(noted(load(t, s, todo.Key{Session: "other"})), []string{"1 running"}) {
			t.Error("the call did not move")
		}
	}
}

// A log without a list is what a crash leaves: no list gets its calls, and a
// sweep removes it when it is old.
func TestLogWithoutList(t *testing.T) {
	s, dir := place(t)
	do(t, s, appending(one, "a"), noting(one, "1", todo.Running))
	path := filepath.Join(dir, "one.calls")
	text, err := os.ReadFile(path)
	must.Do(t, err)
	do(t, s, func(t testing.TB, s *Store) error { return s.Remove(t.Context(), one) })
	write(t, path, string(text))
	if list := load(t, s, one); !list.Blank() {
		t.Errorf("there is %+v", list)
	}
	do(t, s, appending(one, "a"))
	if got := noted(load(t, s, one)); got != nil {
		t.Errorf("a new list has the calls %q", got)
	}
	write(t, path, string(text)) // as if it had not been removed either
	do(t, s, noting(one, "2", todo.Running))
	if got := noted(load(t, s, one)); !slices.Equal(got, []string{"2 running"}) {
		t.Errorf("a new list has the calls %q", got)
	}

	for _, name := range []string{"old.calls", "new.calls", "Theirs.calls", "x.calls~"} {
		write(t, filepath.Join(dir, name), string(text))
	}
	now := time.Now()
	for _, name := range []string{"old.calls", "Theirs.calls", "x.calls~", "one.calls"} {
		must.Do(t, os.Chtimes(filepath.Join(dir, name), now, now.Add(-time.Hour)))
	}
	must.Do(t, errOf(s.Sweep(t.Context(), now.Add(-time.Minute), now.AddDate(-1, 0, 0))))
	if got := names(t, dir); slices.Contains(got, "old.calls") || len(got) != 6 { // .work, one's list and log, what is new, and what is not ours
		t.Errorf("a sweep left %q", got)
	}
}

// Lines that are torn, make no sense, or are of a newer Pawl are passed over, and
// those around them are not.
func TestStrangeLines(t *testing.T) {
	s, dir := place(t)
	do(t, s, appending(one, "a"), noting(one, "1", todo.Running), noting(one, "1", todo.Interrupted))
	path := filepath.Join(dir, "one.calls")
	text, err := os.ReadFile(path)
	must.Do(t, err)
	begin := strings.SplitAfter(string(text), "\n")[1]
	write(t, path, string(text)+strings.Join([]string{
		"", "null", "[]", "{}", begin[:40], strings.Repeat("\x00", 50), `{"what":"pause","id":"1","outcome":"failed"}`,
		`{"what":"end","id":"1","outcome":"running"}`, `{"what":"end","id":"1","outcome":"lost"}`, `{"what":"begin","id":7}`,
		strings.Replace(begin, `"id":"1"`, `"id":"2","colour":"red"`, 1) + begin[:40],
	}, "\n"))
	do(t, s, noting(one, "3", todo.Running))
	for range 2 {
		if got := noted(load(t, s, one)); !slices.Equal(got, []string{"1 interrupted", "2 running", "3 running"}) {
			t.Errorf("the calls are %q", got)
		}
		do(t, s, appending(one, "b"))
	}
}

// What stands in a log's place is in nobody's way: calls are then written with
// the list.
func TestPlantedLog(t *testing.T) {
	kinds := maps.Clone(planted)
	kinds["large file"] = func(path, _ string) error { return os.WriteFile(path, make([]byte, maxLog+1), 0o600) }
	kinds["a text"] = func(path, _ string) error { return os.WriteFile(path, []byte("{\"callLog\":\"x\"}\n{}\n{"), 0o600) }
	for name, plant := range kinds {
		t.Run(name, func(t *testing.T) {
			s, dir := place(t)
			do(t, s, appending(one, "a"))
			victim := filepath.Join(t.TempDir(), "victim")
			write(t, victim, "theirs")
			if err := plant(filepath.Join(dir, "one.calls"), victim); err != nil {
				mustrun.NotHere(t, "this cannot be planted: "+err.Error())
			}
			do(t, s, noting(one, "1", todo.Running), noting(one, "1", todo.Failed), appending(one, "b"), noting(one, "2", todo.Running))
			if got := noted(load(t, s, one)); !slices.Equal(got, []string{"1 failed", "2 running"}) {
				t.Errorf("the calls are %q", got)
			}
			if text, err := os.ReadFile(victim); string(text) != "theirs" {
				t.Errorf("the file that a link led to has %q, %v", text, err)
			}
			if problems := s.Problems(); problems != nil {
				t.Errorf("the problems are %q", problems)
			}
		})
	}
}

// A call that meets a change of the list, at whatever moment, is kept: another
// process notes one before each call of an update, and makes an update before
// each call of a note.
func TestCallsMeetChanges(t *testing.T) {
	meet := func(first, second func(testing.TB, *Store) error, want ...string) {
		t.Helper()
		for stop := 1; ; stop++ {
			d := newSimDisk()
			do(t, d.open(t), appending(one, "a"), noting(one, "1", todo.Running))
			other := open(t, "/sim")
			other.disk = &simProcess{simDisk: d}
			d.calls = 0
			met := false
			d.before = func(call int, op, name string) error {
				if call != stop || met {
					return nil
				}
				met = true
				if err := second(t, other); err != nil {
					met = false // it would have to wait for a lock
				}
				return nil
			}
			do(t, d.open(t), first)
			d.before = nil
			if d.calls < stop {
				return
			}
			if !met {
				continue
			}
			for range 2 {
				list, err := d.open(t).Load(t.Context(), one)
				if got := noted(list); err != nil || !slices.Equal(got, want) || len(list.Items) < 2 {
					t.Errorf("met before call %d: the calls are %q of %q, want %q, %v", stop, got, contents(list), want, err)
				}
				do(t, d.open(t), appending(one, "z"))
			}
		}
	}
	change, note := appending(one, "b"), noting(one, "2", todo.Running)
	meet(change, note, "1 running", "2 running")
	meet(note, change, "1 running", "2 running")
	meet(noting(one, "1", todo.Failed), change, "1 failed")
	meet(change, noting(one, "1", todo.Failed), "1 failed")
}

// A halfDisk shows the beginning of a log to its first readers, as a file system
// may to a reader while another process appends.
type halfDisk struct {
	disk
	bytes, readers int
}

func (d *halfDisk) read(name string, limit int64) ([]byte, time.Time, error) {
	text, written, err := d.disk.read(name, limit)
	if strings.HasSuffix(name, callSuffix) && d.readers > 0 {
		d.readers--
		text = text[:min(d.bytes, len(text))]
	}
	return text, written, err
}

// A change that read half of a line, since it does not wait for those who append,
// leaves the whole of it to the next one.
func TestCallsReadByHalves(t *testing.T) {
	for cut := 0; ; cut += 9 { // all would be many syncs
		s, dir := place(t)
		do(t, s, appending(one, "a"), noting(one, "1", todo.Running), noting(one, unnamed, todo.Running), noting(one, "1", todo.Failed))
		info, err := os.Stat(filepath.Join(dir, "one.calls"))
		must.Do(t, err)
		whole := s.disk
		s.disk = &halfDisk{whole, cut, 2}
		do(t, s, appending(one, "b"))
		s.disk = whole
		for range 2 {
			if got := noted(load(t, s, one)); !slices.Equal(got, []string{"1 failed", " running"}) {
				t.Errorf("after %d bytes were seen the calls are %q", cut, got)
			}
			do(t, s, appending(one, "c"))
		}
		if int64(cut) >= info.Size() {
			return
		}
	}
}

// A list that is set aside takes its tool calls along: none of them turns up in
// the next list, whose todos may have the same numbers.
func TestLogOfListSetAside(t *testing.T) {
	for name, meet := range map[string]func(testing.TB, *Store){
		"by a reader": func(t testing.TB, s *Store) { load(t, s, one) },
		"by a writer": func(testing.TB, *Store) {},
	} {
		s, dir := place(t)
		do(t, s, appending(one, "a"), noting(one, "1", todo.Running))
		write(t, filepath.Join(dir, "one.json"), `{"version":1,"todos":[`)
		meet(t, s)
		must.Do(t, errOf(s.Update(t.Context(), one, func(l *todo.List) error {
			l.Items = []todo.Item{{ID: "a", Content: "other", Status: todo.Pending, Priority: todo.Low, ActiveForm: "other"}}
			return nil
		})))
		if got := noted(load(t, s, one)); got != nil {
			t.Errorf("%s: the new list has the calls %q", name, got)
		}
		if len(s.Problems()) != 1 {
			t.Errorf("%s: nobody was told", name)
		}
	}
}
