package todofile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// working is a list as a session has it: some todos, the tool calls of each,
// and what went before.
func working(key todo.Key) todo.List {
	l := todo.List{Key: key, Project: "/home/ann/shop", StartedAt: time.Unix(1767261600, 0), UpdatedAt: time.Unix(1767265200, 0)}
	for n := range 8 {
		item := todo.Item{
			ID: fmt.Sprint(n), Content: strings.Repeat("some words ", 5), Status: todo.Pending, Priority: todo.Medium,
			ActiveForm: strings.Repeat("some words ", 5), CreatedAt: time.Unix(1767261600, 0),
		}
		for c := range 5 {
			item.ToolCalls = append(item.ToolCalls, todo.ToolCall{
				ID: fmt.Sprint(n, c), Name: "Edit", Parameters: []byte(`{"file_path":"/home/ann/shop/cart.go"}`), StartedAt: time.Unix(1767261600, 0), Outcome: todo.Succeeded,
			})
		}
		l.Items = append(l.Items, item)
	}
	return l
}

func fill(b *testing.B, s *Store, lists int) {
	for n := range lists {
		key := todo.Key{Session: fmt.Sprint("session-", n)}
		text, err := (&document{}).encode(new(toDisk(new(working(key)))))
		if err != nil {
			b.Fatal(err)
		}
		write(b, filepath.Join(s.dir, fileName(key)), string(text))
	}
}

var aKey = todo.Key{Session: "session-0"}

func BenchmarkLoad(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "todos"))
	fill(b, s, 1)
	for b.Loop() {
		if list, err := s.Load(b.Context(), aKey); err != nil || len(list.Items) != 8 {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "todos"))
	fill(b, s, 1)
	n := 0
	for b.Loop() {
		n++
		if _, err := s.Update(b.Context(), aKey, func(l *todo.List) error { l.Project = fmt.Sprint(n); return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplace is what an update cannot do without: a file written, synced
// and renamed, and its folder synced.
func BenchmarkReplace(b *testing.B) {
	d := osDisk{b.TempDir()}
	text, err := (&document{}).encode(new(toDisk(new(working(aKey)))))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := d.create("new", text); err != nil {
			b.Fatal(err)
		}
		if err := d.sync("new"); err != nil {
			b.Fatal(err)
		}
		if err := os.Rename(d.path("new"), d.path("old")); err != nil {
			b.Fatal(err)
		}
		if err := d.sync("."); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUnchanged(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "todos"))
	fill(b, s, 1)
	for b.Loop() {
		if _, err := s.Update(b.Context(), aKey, func(*todo.List) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLists1000(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "todos"))
	fill(b, s, 1000)
	for b.Loop() {
		if heads, err := s.Lists(b.Context(), time.Time{}); err != nil || len(heads) != 1000 {
			b.Fatal(err)
		}
	}
}

func BenchmarkPanelOpen(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "todos"))
	closed, err := s.OpenPanel(b.Context(), "s")
	if err != nil {
		b.Fatal(err)
	}
	defer closed()
	for b.Loop() {
		if open, err := s.PanelOpen(b.Context(), "s"); !open || err != nil {
			b.Fatal(open, err)
		}
	}
}
