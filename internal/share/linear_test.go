package share

import (
	"fmt"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// linearText is the file of a task that is told from others by when it was made.
func linearText(id pawl.ID, made int, and ...func(*pawl.Task)) []byte {
	t := &pawl.Task{ID: id, Subject: fmt.Sprint("Task ", made), Status: pawl.Pending, CreatedAt: simStart.Add(time.Duration(made) * time.Second)}
	for _, and := range and {
		and(t)
	}
	return taskjson.Encode(t)
}

// linearCases are what a sync may have to look for many tasks for, each with n of them.
var linearCases = map[string]func(n int) func() error{
	"numbers that others have": func(n int) func() error {
		base, b := linearBoard(n), linearBoard(n).Tasks
		for id := range pawl.ID(n / 2) {
			b[id+1] = linearText(id+1, n+int(id))
		}
		return linearSide(base, &Board{Tasks: b})
	},
	"older texts of deleted tasks": func(n int) func() error {
		base, b, put := linearBoard(n), linearBoard(n).Tasks, map[pawl.ID][]byte{}
		for id := range pawl.ID(n / 2) {
			put[id+1] = base.Tasks[id+1]
			base.Gone = append(base.Gone, merge.Gone{ID: id + 1, Text: put[id+1]})
			delete(base.Tasks, id+1)
		}
		return linearSide(base, &Board{Tasks: b, Since: History{Put: put}})
	},
	"older texts of moved tasks": func(n int) func() error {
		base, b, put := linearBoard(n), linearBoard(n).Tasks, map[pawl.ID][]byte{}
		for id := range pawl.ID(n / 2) {
			put[id+1] = base.Tasks[id+1]
			delete(base.Tasks, id+1)
			to := pawl.ID(n) + id + 1
			base.Tasks[to] = linearText(to, int(id+1), func(t *pawl.Task) { t.Was = []pawl.ID{id + 1} })
		}
		return linearSide(base, &Board{Tasks: b, Since: History{Put: put}})
	},
	"files that went and no commit has": func(n int) func() error {
		left := map[pawl.ID][]byte{}
		for id := pawl.ID(n + 1); id < pawl.ID(n+n/2); id++ {
			left[id] = linearText(id, int(id))
		}
		return linearSide(linearBoard(n), &Board{Tasks: linearBoard(n).Tasks, Since: History{Left: left}})
	},
	"claims that are not on the remote": func(n int) func() error {
		mine, theirs := linearBoard(n), linearBoard(n)
		mine.Beside = map[pawl.ID]merge.Beside{}
		for id := range pawl.ID(n / 2) {
			mine.Beside[id+1] = merge.Beside{Held: &merge.Held{Clone: "here", Token: pawl.Revision(id + 1)}}
			delete(theirs.Tasks, id+1)
		}
		return func() error {
			(&cycle{state: &State{Clone: "here"}, side: mine}).miss(&theirs)
			return nil
		}
	},
	"losses that are to be told": func(n int) func() error {
		b, owed := linearBoard(n), make([]merge.Yielded, n/2)
		return func() error {
			if got := (&State{Owed: owed}).gone(&b); len(got) != len(owed) {
				return fmt.Errorf("%d of %d are told", len(got), len(owed))
			}
			return nil
		}
	},
}

func linearBoard(n int) merge.Board {
	b := merge.Board{Tasks: map[pawl.ID][]byte{}, Mark: pawl.ID(n)}
	for id := range pawl.ID(n) {
		b.Tasks[id+1] = linearText(id+1, int(id+1))
	}
	return b
}

func linearSide(base merge.Board, b *Board) func() error {
	return func() error { return (&side{state: &State{Clone: "here"}, base: base, onto: merge.Onto}).of(b) }
}

// What a sync looks for takes no more for each task where there are many. Allocations are
// counted, which reading a text is full of: they do not depend on the machine.
func TestLinear(t *testing.T) {
	const few, times = 50, 6
	for what, of := range linearCases {
		t.Run(what, func(t *testing.T) {
			count := func(n int) float64 {
				run := of(n)
				return testing.AllocsPerRun(1, func() {
					if err := run(); err != nil {
						t.Error(err)
					}
				})
			}
			if small, large := count(few), count(times*few); large > 1.5*times*small {
				t.Errorf("%.0f allocations for %d tasks, %.0f for %d", small, few, large, times*few)
			}
		})
	}
}
