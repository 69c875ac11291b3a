package gitmerge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/gitmerge"
	"github.com/pawl-dev/pawl/store/file"
)

// BenchmarkMerge merges two boards of 10,000 tasks, of which 300 differ: a hundred
// new ones under the same numbers on both sides, and a hundred that both changed.
func BenchmarkMerge(b *testing.B) {
	c := &clone{TB: b, dir: b.TempDir(), name: "ann"}
	b.Setenv("HOME", c.dir)
	c.git("init", "-q", "-b", "main")
	c.git("config", "gc.auto", "0")
	if _, err := file.Init(c.board(), file.Unchanged); err != nil {
		b.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	task := func(id int, subject, status string, minute int) {
		born := id
		if id > 10_000 {
			born += minute
		}
		when := func(m int) string { return at.Add(time.Duration(m) * time.Minute).Format("2006-01-02T15:04:05.000Z") }
		text := fmt.Sprintf("{\n  \"id\": %d,\n  \"subject\": %q,\n  \"description\": \"A text of some length that says what is to be done.\",\n  \"status\": %q,\n  \"blockedBy\": [],\n  \"blocks\": [],\n  \"owner\": \"\",\n  \"createdAt\": %q,\n  \"updatedAt\": %q\n}\n",
			id, subject, status, when(born), when(id+minute))
		if err := os.WriteFile(filepath.Join(c.board(), fmt.Sprintf("task_%d.json", id)), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for id := 1; id <= 10_000; id++ {
		task(id, fmt.Sprint("Task ", id), "pending", 0)
	}
	c.commit("Begin")
	side := func(name string, minute int) {
		c.git("checkout", "-q", "-b", name, "main")
		for id := 101; id <= 200; id++ {
			task(id, fmt.Sprint("Task ", id), map[string]string{"ours": "in_progress", "theirs": "completed"}[name], minute)
		}
		for id := 10_001; id <= 10_100; id++ {
			task(id, fmt.Sprint("New on ", name, " ", id), "pending", minute)
		}
		c.commit(name)
	}
	side("theirs", 20_000)
	side("ours", 30_000)
	c.git("repack", "-q", "-a", "-d")
	for b.Loop() {
		b.StopTimer()
		c.git("reset", "-q", "--hard", "ours")
		c.git("clean", "-q", "-f", "-d")
		c.add("A task that wakes the store")
		c.git("clean", "-q", "-f", "-d")
		if _, err := c.try("merge", "-q", "theirs"); err == nil {
			b.Fatal("git did not stop")
		}
		b.StartTimer()
		out, err := c.merger().Merge(b.Context(), gitmerge.Options{By: c.by()})
		if err != nil || len(out.Report.Arrived) != 100 {
			b.Fatalf("%d arrived, %d moved, %v %v %+v", len(out.Report.Arrived), len(out.Report.Moved), out.Sources, err, len(out.Added))
		}
	}
}

// BenchmarkNothing is what a write pays for having a merger.
func BenchmarkNothing(b *testing.B) {
	c := newClone(b, "ann")
	m := c.merger()
	m.Before(b.Context(), c.by())
	for b.Loop() {
		if out := m.Before(b.Context(), c.by()); out != nil {
			b.Fatal(out)
		}
	}
}
