package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/pawl-dev/pawl"
)

// A shape is what the tasks of a board are like. Their places in the order follow from
// the shape, since what fills a board does not work them out.
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

// fill makes the tasks of a board as a copy of another board would: part by part,
// without a history.
func fill(ctx context.Context, to pawl.Receiver, size int, of shape) error {
	revision := pawl.Revision(time.Now().UnixMilli())
	run := fmt.Sprint("fill ", revision)
	if err := to.Receive(ctx, pawl.Part{Run: run, Begin: &pawl.Begin{Origin: revision, Since: revision, Empty: true}}); err != nil {
		return err
	}
	finish := of(size)
	r := rand.New(rand.NewPCG(1, uint64(size)))
	for after := 0; after < size; after += pawl.MaxPartTasks {
		stretch := &pawl.Stretch{After: pawl.ID(after), UpTo: pawl.ID(min(after+pawl.MaxPartTasks, size))}
		for id := stretch.After + 1; id <= stretch.UpTo; id++ {
			made := began.Add(time.Duration(id) * time.Second)
			t := pawl.Task{
				ID: id, Status: pawl.Pending, CreatedAt: made, UpdatedAt: made, Priority: pawl.Medium,
				Subject: fmt.Sprintf("Step %d: %s", id, prose(r, 6)), Description: prose(r, 30), Labels: []string{labels[int(id)%len(labels)]},
			}
			finish(id, &t)
			t.Urgency = t.Priority // which those that wait for it have, too
			stretch.Tasks = append(stretch.Tasks, t)
		}
		if err := to.Receive(ctx, pawl.Part{Run: run, Tasks: stretch}); err != nil {
			return err
		}
	}
	return to.Receive(ctx, pawl.Part{Run: run, End: &pawl.End{Revision: revision, LastID: pawl.ID(size)}})
}
