package replay_test

import (
	"bytes"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/internal/wire"
)

// BenchmarkFilm takes a board of 10,000 tasks through 100,000 change sets: the
// newest 5,000 of them, as a page does, and all, to see that nothing grows with
// the square.
func BenchmarkFilm(b *testing.B) {
	p, sets := busy(10_000, 100_000)
	for _, limit := range []int{replay.MaxSteps, 10_000, 20_000, 40_000} {
		b.Run(fmt.Sprint(limit), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				film, err := p.Film(backward(sets), limit)
				if err != nil || len(film.Steps) != limit {
					b.Fatal(len(film.Steps), film.Cut, err)
				}
			}
		})
	}
	b.Run("json", func(b *testing.B) {
		film := must.Get(p.Film(backward(sets), replay.MaxSteps))(b)
		var text bytes.Buffer
		for b.Loop() {
			text.Reset()
			must.Do(b, wire.WriteJSON(&text, film))
		}
		b.ReportMetric(float64(text.Len()), "bytes")
	})
}

// busy is a board in which tasks that wait in chains of ten under common parents
// are completed and reopened, and the history that led there.
func busy(tasks, sets int) (replay.Present, []pawl.ChangeSet) {
	p := replay.Present{Revision: pawl.Revision(sets), Now: time.Unix(0, 0), Name: "ada"}
	for i := range tasks {
		t := pawl.Task{ID: pawl.ID(i + 1), Subject: fmt.Sprint("Task number ", i+1), Status: pawl.Pending, Parent: pawl.ID(i/100*100 + 1)}
		if i%10 > 0 {
			t.BlockedBy = []pawl.ID{t.ID - 1}
		}
		p.Tasks = append(p.Tasks, t)
	}
	history := make([]pawl.ChangeSet, sets)
	for i := range history {
		id := pawl.ID(i/2%(tasks/10)*10 + 1)
		from, to, verb := pawl.Pending, pawl.Completed, "complete"
		waited, waits := []pawl.ID{id}, []pawl.ID(nil)
		if i%2 == 1 {
			from, to, verb, waited, waits = to, from, "reopen", waits, waited
		}
		history[i] = pawl.ChangeSet{
			Revision: pawl.Revision(i + 1), At: time.Unix(int64(i), 0), By: pawl.Actor{Name: "ada"}, Verb: verb,
			Changes: []pawl.Change{
				{ID: id, Fields: []pawl.Field{pawl.FieldStatus, pawl.FieldUpdatedAt}, Before: &pawl.Task{ID: id, Status: from}, After: &pawl.Task{ID: id, Status: to}},
				{ID: id + 1, Fields: []pawl.Field{pawl.FieldBlockedBy}, Before: &pawl.Task{ID: id + 1, BlockedBy: waited}, After: &pawl.Task{ID: id + 1, BlockedBy: waits}},
			},
		}
	}
	return p, history
}

func backward(sets []pawl.ChangeSet) iter.Seq2[pawl.ChangeSet, error] {
	return func(yield func(pawl.ChangeSet, error) bool) {
		for i := len(sets) - 1; i >= 0; i-- {
			if !yield(sets[i], nil) {
				return
			}
		}
	}
}
