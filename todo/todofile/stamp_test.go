package todofile

import (
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

// Who looks at all lists again and again reads those that changed.
func TestListsAreReadOnce(t *testing.T) {
	disk := newSimDisk()
	s := disk.open(t)
	reads := map[string]int{}
	disk.before = func(_ int, op, name string) error {
		if op == "read" && strings.HasSuffix(name, suffix) {
			reads[name]++
		}
		return nil
	}
	put := func(key todo.Key, content string) {
		t.Helper()
		must.Do(t, errOf(s.Update(t.Context(), key, func(l *todo.List) error {
			l.Items = []todo.Item{{ID: "1", Content: content, Status: todo.Pending, Priority: todo.Medium}}
			return nil
		})))
	}
	lists := func(want ...string) {
		t.Helper()
		heads, err := s.Lists(t.Context(), time.Time{})
		must.Do(t, err)
		titles := map[string]bool{}
		for _, h := range heads {
			titles[h.Title] = true
		}
		for _, title := range want {
			if !titles[title] || len(heads) != len(want) {
				t.Errorf("lists tells of %v, want %q", heads, want)
			}
		}
	}
	put(todo.Key{Session: "a"}, "one")
	put(todo.Key{Session: "b"}, "two")
	disk.now = disk.now.Add(time.Hour)
	lists("one", "two")
	clear(reads)
	lists("one", "two")
	if len(reads) > 0 {
		t.Errorf("without a change these are read again: %v", reads)
	}
	put(todo.Key{Session: "b"}, "six")
	clear(reads)
	lists("one", "six")
	if reads["a.json"] > 0 || reads["b.json"] == 0 {
		t.Errorf("after a change of b these are read: %v", reads)
	}
	clear(reads)
	lists("one", "six")
	if reads["b.json"] == 0 {
		t.Error("what was written just now is taken for settled")
	}
}

// Who asks for what changed lately does not pay for what was written long ago,
// and what is known of that is not forgotten for it.
func TestOldListsAreNotRead(t *testing.T) {
	disk := newSimDisk()
	s := disk.open(t)
	reads := 0
	disk.before = func(_ int, op, name string) error {
		if op == "read" && strings.HasSuffix(name, suffix) {
			reads++
		}
		return nil
	}
	put := func(session string) {
		t.Helper()
		must.Do(t, errOf(s.Update(t.Context(), todo.Key{Session: session}, func(l *todo.List) error {
			l.Items, l.UpdatedAt = []todo.Item{{ID: "1", Content: session, Status: todo.Pending, Priority: todo.Medium}}, disk.now
			return nil
		})))
	}
	expect := func(after time.Time, mostReads int, want ...string) {
		t.Helper()
		reads = 0
		heads, err := s.Lists(t.Context(), after)
		var got []string
		for _, h := range heads {
			got = append(got, h.Title)
		}
		if err != nil || !slices.Equal(got, want) || reads > mostReads {
			t.Errorf("lists after %v tells of %q, %v with %d reads, want %q with %d", after, got, err, reads, want, mostReads)
		}
	}
	put("old")
	disk.now = disk.now.Add(30 * time.Hour)
	put("new")
	disk.now = disk.now.Add(time.Hour)
	day := disk.now.Add(-24 * time.Hour)
	expect(day, 1, "new")
	expect(time.Time{}, 1, "new", "old")
	expect(day, 0, "new")
	expect(time.Time{}, 0, "new", "old")
}

// A list that another one took the place of is read, though it is as long and
// says that it is as old.
func TestReplacedListIsSeen(t *testing.T) {
	s, dir := place(t)
	path := filepath.Join(dir, "s1.json")
	written := time.Now().Add(-time.Hour)
	for _, title := range []string{"one", "two"} {
		write(t, path+".new", `{"version":1,"session":"s1","todos":[{"id":"1","content":"`+title+`","status":"pending","priority":"low","activeForm":""}]}`)
		if runtime.GOOS == "windows" { // which tells files apart by their times
			written = written.Add(time.Second)
		}
		must.Do(t, os.Chtimes(path+".new", written, written))
		must.Do(t, os.Rename(path+".new", path))
		heads, err := s.Lists(t.Context(), time.Time{})
		if err != nil || len(heads) != 1 || heads[0].Title != title {
			t.Errorf("lists tells of %v, %v, want %s", heads, err, title)
		}
	}
}

// What happens in a folder shows where a link to it is all that one knows.
func TestStampThroughALink(t *testing.T) {
	_, dir := place(t)
	must.Do(t, os.MkdirAll(dir, 0o700))
	link := filepath.Join(t.TempDir(), "link")
	mustrun.Link(t, dir, link)
	s := open(t, link)
	before, err := s.StampAll(t.Context())
	must.Do(t, err)
	old := time.Now().Add(-time.Hour)
	must.Do(t, os.Chtimes(dir, old, old))
	if now, err := s.StampAll(t.Context()); now == before || err != nil {
		t.Errorf("after a change the stamp is %s, %v", now, err)
	}
}
