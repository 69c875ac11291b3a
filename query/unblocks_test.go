package query

import (
	"math/rand/v2"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

// What is counted on numbers, for many tasks at once, is what one finds who
// follows each edge, whichever of the tasks were at hand before.
func TestUnblocksFollowsEachEdge(t *testing.T) {
	for seed := range uint64(long.Of(50)) {
		r := rand.New(rand.NewPCG(seed, 1))
		board := pawl.NewBoard(memory.New())
		var create pawl.Create
		n := 5 + r.IntN(60)
		for i := range n {
			task := pawl.NewTask{Subject: "x"}
			for b := range i {
				if r.IntN(8) == 0 {
					task.BlockedBy = append(task.BlockedBy, pawl.RefID(pawl.ID(b+1)))
				}
			}
			if i > 0 && len(task.BlockedBy) == 0 && r.IntN(3) == 0 {
				task.Parent = pawl.RefID(pawl.ID(1 + r.IntN(i)))
			}
			create = pawl.Create{Tasks: []pawl.NewTask{task}}
			board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: create}) // one that closes a cycle is refused, and is not there
		}
		must.Do(t, board.View(t.Context(), func(reader pawl.Reader) error {
			tasks, err := pages(reader, pawl.Query{Brief: true, Limit: pawl.MaxPage})
			if err != nil || len(tasks) < 2 {
				t.Fatalf("%d tasks, %v", len(tasks), err)
			}
			byID := map[pawl.ID]*pawl.Task{}
			for i := range tasks {
				byID[tasks[i].ID] = &tasks[i]
			}
			some := tasks[:1+r.IntN(len(tasks))]
			counts, err := unblocksAll(reader, some)
			if err != nil {
				t.Fatal(err)
			}
			for i := range some {
				seen := map[pawl.ID]bool{some[i].ID: true}
				var follow func(task *pawl.Task) int
				follow = func(task *pawl.Task) (n int) {
					for _, id := range waiters(task.Blocks, task.Parent) {
						if !seen[id] && byID[id].Open() {
							seen[id] = true
							n += 1 + follow(byID[id])
						}
					}
					return n
				}
				if want := min(follow(&some[i]), MostUnblocked); counts[some[i].ID] != want {
					t.Errorf("seed %d: %d tasks wait for %v, counted %d", seed, want, some[i].ID, counts[some[i].ID])
				}
			}
			return nil
		}))
	}
}
