package merge

import (
	"bytes"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// large makes boards of n tasks that some hundred changes on each side tell apart.
func large(n int) (base, ours, theirs Board) {
	made := time.UnixMilli(1_800_000_000_000).UTC()
	texts := func() map[pawl.ID][]byte {
		tasks := make(map[pawl.ID][]byte, n)
		for i := 1; i <= n; i++ {
			t := pawl.Task{ID: pawl.ID(i), Subject: fmt.Sprintf("Task %d of the plan", i), Description: fmt.Sprintf("Do what #%d left, then go on. %0200d", i/2, i),
				Status: pawl.Pending, CreatedAt: made.Add(time.Duration(i) * time.Second), UpdatedAt: made, Labels: []string{"plan"}}
			if i > 1 {
				t.BlockedBy = []pawl.ID{pawl.ID(i / 2)}
			}
			if i > 3 {
				t.BlockedBy = append(t.BlockedBy, pawl.ID(i-1))
			}
			for _, w := range []int{2 * i, 2*i + 1} {
				if w <= n {
					t.Blocks = append(t.Blocks, pawl.ID(w))
				}
			}
			if i >= 3 && i < n && i+1 != 2*i {
				t.Blocks = append(t.Blocks, pawl.ID(i+1))
			}
			tasks[pawl.ID(i)] = taskjson.Encode(&t)
		}
		return tasks
	}
	base, ours, theirs = Board{Tasks: texts()}, Board{Tasks: texts()}, Board{Tasks: texts()}
	for i := range 300 {
		for side, b := range []Board{ours, theirs} {
			id := pawl.ID(1 + (i*31+side*7)%n)
			b.Tasks[id] = bytes.Replace(b.Tasks[id], []byte("Task "), fmt.Appendf(nil, "Task (%d) ", side), 1)
			next := pawl.ID(n + 1 + i)
			b.Tasks[next] = taskjson.Encode(&pawl.Task{ID: next, Subject: fmt.Sprintf("New %d.%d", side, i), Description: fmt.Sprintf("See #%d", next), Status: pawl.Pending,
				CreatedAt: made.Add(time.Duration(2*i+side) * time.Hour)})
		}
	}
	return base, ours, theirs
}

func BenchmarkBoards(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		base, ours, theirs := large(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				m, r := Boards([]Board{base}, ours, theirs)
				if len(m.Tasks) != n+600 || len(r.Moved) != 300 {
					b.Fatalf("%d tasks, %d moved", len(m.Tasks), len(r.Moved))
				}
			}
		})
	}
}

// shared makes boards of n tasks that are shared, of which each side changed some.
func onLine(n, changes int) (base, ours, theirs Board) {
	base, ours, theirs = large(n)
	for _, b := range []*Board{&base, &ours, &theirs} {
		b.Mark = pawl.ID(n)
	}
	if changes < 300 {
		ours, theirs = base, base
		ours.Tasks, theirs.Tasks = maps.Clone(base.Tasks), maps.Clone(base.Tasks)
	}
	for side, b := range []*Board{&ours, &theirs} {
		for i := range changes {
			if changes < 300 {
				id := pawl.ID(1 + (i*31+side*7)%n)
				b.Tasks[id] = bytes.Replace(b.Tasks[id], []byte("Task "), fmt.Appendf(nil, "Task (%d) ", side), 1)
			}
		}
	}
	for _, b := range []*Board{&base, &ours, &theirs} {
		b.Beside = map[pawl.ID]Beside{}
		for id := range b.Tasks {
			b.Beside[id] = Beside{Turn: 1}
		}
		for i := range n / 5 {
			b.Gone = append(b.Gone, Gone{ID: pawl.ID(i + 1), Text: base.Tasks[pawl.ID(i+1)]})
		}
	}
	return base, ours, theirs
}

func BenchmarkOnto(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		for _, changes := range []int{1, 300} {
			base, ours, theirs := onLine(n, changes)
			b.Run(fmt.Sprintf("%d/%d", n, changes), func(b *testing.B) {
				for b.Loop() {
					m, _ := Onto([]Board{base}, ours, theirs)
					if len(m.Tasks) < n {
						b.Fatalf("%d tasks", len(m.Tasks))
					}
				}
			})
		}
	}
}
