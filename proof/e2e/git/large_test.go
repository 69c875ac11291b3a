//go:build unix

package git_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// BenchmarkMerge measures `pawl merge` on a board of 10,000 tasks on which git has
// stopped: each side has changed 250 tasks, has added 250, and both changed 50.
//
//	go -C proof test ./e2e/git -run '^$' -bench Merge -benchtime 5x
func BenchmarkMerge(b *testing.B) {
	const size, changed, both, added = 10_000, 250, 50, 250
	w := newWorld(b, nets{attributes: true})
	ada := w.first("ada")
	for i := range size {
		ada.put(i+1, "task", "base")
	}
	ada.save("Ten thousand")
	bob := ada.clone("bob")
	for i := range changed {
		ada.put(i+1, "task", "ada's")
		bob.put(changed-both+i+1, "task", "bob's")
	}
	for i := range added {
		ada.put(size+1+i, "ada's", "ada's")
		bob.put(size+1+i, "bob's", "bob's")
	}
	ada.save("Ada's")
	bob.save("Bob's")
	ada.pawl("list") // the index is there, as on any day
	ada.pull2(bob)
	var took time.Duration
	n := 0
	for b.Loop() {
		b.StopTimer()
		c := ada.copyTo(filepath.Join(w.dir, fmt.Sprint("copy", n)))
		b.StartTimer()
		started := time.Now()
		c.pawl("merge")
		took += time.Since(started)
		b.StopTimer()
		if got := len(c.tasks()); got != size+2*added {
			b.Fatalf("%d tasks of %d", got, size+2*added)
		}
		must.Do(b, os.RemoveAll(c.root))
		n++
		b.StartTimer()
	}
	b.ReportMetric(took.Seconds()*1000/float64(n), "ms/merge")
}

// put writes a task's file, as another program would.
func (c *clone) put(id int, subject, description string) {
	c.Helper()
	at := fmt.Sprintf("2026-01-02T03:%02d:%02d.%03dZ", id/1000%60, id/1000/60, id%1000)
	text := fmt.Sprintf(`{
  "id": %d,
  "subject": "%s %[1]d",
  "description": "%s",
  "status": "pending",
  "blockedBy": [],
  "blocks": [],
  "owner": "",
  "createdAt": "%s",
  "updatedAt": "%[4]s"
}
`, id, subject, description, at)
	must.Do(c.TB, os.WriteFile(filepath.Join(c.board, fmt.Sprintf("task_%d.json", id)), []byte(strings.TrimPrefix(text, "\n")), 0o644))
}
