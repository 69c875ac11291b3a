package merge

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// fewTasks draws tasks that easily meet: of few numbers, moments and subjects.
func fewTasks(t *rapid.T, label string) []byte {
	task := func(label string) *pawl.Task {
		n := func(most int, what string) int { return rapid.IntRange(0, most).Draw(t, label+" "+what) }
		task := &pawl.Task{
			ID: 12, Subject: []string{"a", "b", "c"}[n(2, "subject")],
			Status:    []pawl.Status{pawl.Pending, pawl.InProgress, pawl.Completed}[n(2, "status")],
			Blocks:    []pawl.ID{13, 14}[:n(2, "blocks")],
			Labels:    []string{"x", "y"}[n(2, "labels"):],
			Notes:     []pawl.Note{{Text: "n"}, {Text: "see #12"}}[n(2, "notes"):],
			CreatedAt: when(n(3, "made")), UpdatedAt: when(n(3, "changed")),
		}
		if !strings.Contains(label, " ") && n(9, "number") == 0 {
			task.ID = 5
		}
		if n(5, "moved") == 0 && !task.CreatedAt.IsZero() {
			task.Was = []pawl.ID{5}
		}
		return task
	}
	own := task(label)
	text := taskjson.Encode(own)
	var others [][]byte
	taken := map[time.Time]bool{own.CreatedAt: true}
	for i := range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, label+" others") {
		other := task(fmt.Sprint(label, " ", i))
		if taken[time.Time{}] || taken[other.CreatedAt] {
			break // two of one identity are told apart by their subjects only: they may be taken for one
		}
		taken[other.CreatedAt] = true
		others = append(others, taskjson.Encode(other))
	}
	whole, err := taskjson.Join(text, others)
	must.Do(t, err)
	return whole
}

func when(n int) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Date(2026, 11, 20, 8+n, 0, 0, 0, time.UTC)
}

// Any two files of tasks make one that holds them all.
func TestRandomFiles(t *testing.T) {
	apart, whole := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var base []byte
		if rapid.Bool().Draw(t, "based") {
			base = fewTasks(t, "base")
		}
		ours, theirs := fewTasks(t, "ours"), fewTasks(t, "theirs")
		checkFile(t, 12, base, ours, theirs)
		merged, ok := File(12, nil, ours, theirs)
		if !ok {
			return
		}
		all, _ := versionsOf(merged)
		if whole++; len(all) > 1 {
			apart++
		}
		for _, side := range [][]byte{ours, theirs} {
			versions, _ := versionsOf(side)
			for _, v := range versions {
				if versions[0].task.ID == 12 && !strings.Contains(string(merged), fmt.Sprintf("%q", v.task.Subject)) {
					t.Fatalf("%q is lost of\n%s\nand\n%s\nwhich make\n%s", v.task.Subject, ours, theirs, merged)
				}
			}
		}
	})
	if apart == 0 || whole == apart {
		t.Errorf("of %d files %d hold several tasks: not both kinds were tried", whole, apart)
	}
}
