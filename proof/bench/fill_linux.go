package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/pawl-dev/pawl"
)

// A shape is what the tasks of a board are like, with their places in the order.
type shape func(size int) func(id pawl.ID, t *pawl.Task)

// allReady is a board whose tasks wait for nothing.
func allReady(int) func(pawl.ID, *pawl.Task) {
	return func(pawl.ID, *pawl.Task) {}
}

// chain is how many tasks follow one another in [halfDone].
const chain = 10

// halfDone is a board of chains of tasks, the first half of which is completed: of the
// others, one in ten is ready.
func halfDone(size int) func(pawl.ID, *pawl.Task) {
	return func(id pawl.ID, t *pawl.Task) {
		first := (id-1)/chain*chain + 1
		last := min(first+chain-1, pawl.ID(size))
		t.Priority = []pawl.Priority{pawl.Medium, pawl.Medium, pawl.Low, pawl.High}[int(first/chain)%4]
		if id < last {
			t.Blocks = []pawl.ID{id + 1}
		}
		if int(first) <= size/2 {
			t.Status, t.Owner = pawl.Completed, "ada"
			t.StartedAt, t.CompletedAt = t.CreatedAt.Add(time.Hour), t.CreatedAt.Add(2*time.Hour)
			t.UpdatedAt = t.CompletedAt
			return
		}
		t.Height = int(last - id)
		if id > first {
			t.BlockedBy = []pawl.ID{id - 1}
		}
	}
}

// fans is a board of hubs, each with so many tasks that wait for it.
func fans(waiting int) shape {
	return func(int) func(pawl.ID, *pawl.Task) {
		return func(id pawl.ID, t *pawl.Task) {
			each := pawl.ID(waiting + 1)
			hub := (id-1)/each*each + 1
			if id != hub {
				t.BlockedBy = []pawl.ID{hub}
				return
			}
			t.Height = 1
			for i := range pawl.ID(waiting) {
				t.Blocks = append(t.Blocks, hub+1+i)
			}
		}
	}
}

// fill makes the tasks of a board, as an import does.
func fill(ctx context.Context, store pawl.Store, size int, of shape) error {
	board := pawl.NewBoard(store)
	finish := of(size)
	r := rand.New(rand.NewPCG(1, uint64(size)))
	blockers := map[pawl.ID][]pawl.Ref{}
	for first := 1; first <= size; first += pawl.MaxImport {
		var op pawl.Import
		for id := pawl.ID(first); int(id) < min(first+pawl.MaxImport, size+1); id++ {
			made := began.Add(time.Duration(id) * time.Second)
			t := pawl.Task{Status: pawl.Pending, CreatedAt: made, UpdatedAt: made, Priority: pawl.Medium}
			finish(id, &t)
			for _, later := range t.Blocks {
				blockers[later] = append(blockers[later], pawl.RefID(id))
			}
			op.Tasks = append(op.Tasks, pawl.ImportTask{
				NewTask: pawl.NewTask{
					Subject: fmt.Sprintf("Step %d: %s", id, prose(r, 6)), Description: prose(r, 30), Labels: []string{labels[int(id)%len(labels)]},
					Priority: t.Priority, Owner: t.Owner, BlockedBy: blockers[id],
				},
				ID: id, Status: t.Status, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, StartedAt: t.StartedAt, CompletedAt: t.CompletedAt,
			})
			delete(blockers, id)
		}
		if _, err := board.Do(ctx, pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op}); err != nil {
			return err
		}
	}
	return nil
}
