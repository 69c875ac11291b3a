//go:build unix

package server

import (
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// A Worker is a client that claims and completes tasks.
type Worker struct {
	Name   string
	Board  query.Board
	Ledger *Ledger

	sent int
}

// Do carries out an op on a task, or with 0 on a ready one, and records the result
// in the ledger.
func (w *Worker) Do(ctx context.Context, id pawl.ID, op pawl.Op) (pawl.Result, error) {
	call := w.Ledger.now()
	request := pawl.Request{By: pawl.Actor{Name: w.Name, Session: "s-" + w.Name}, Op: op}
	if w.sent++; w.sent%2 == 0 { // of the others the client makes one itself, and tells of no repetition
		request.ID = pawl.OpID(rand.Text())
	}
	outcome, err := w.Board.Do(ctx, request, 0)
	res := outcome.Result
	if err == nil && id == 0 && len(res.IDs) > 0 {
		id = res.IDs[0]
	}
	w.Ledger.add(Deed{Who: w.Name, Verb: op.Verb(), Task: id, Revision: res.Revision, Err: err, Repeated: res.Repeated, Call: call, Return: w.Ledger.now()})
	return res, err
}

// Drain claims and completes tasks until none is left; now and then it releases one,
// or tries to claim one that another client may own. It ends early with the context.
func (w *Worker) Drain(ctx context.Context, tasks int, seed uint64) error {
	rnd := mathrand.New(mathrand.NewPCG(seed, 1))
	for ctx.Err() == nil {
		res, err := w.Do(ctx, 0, pawl.ClaimTask{Lease: pawl.Duration(time.Hour)})
		switch pawl.KindOf(err) {
		case pawl.Idle, pawl.Busy: // what others have they complete
			if err != nil {
				return nil
			}
		}
		if err != nil {
			return err
		}
		if len(res.IDs) != 1 || len(res.Tasks) != 1 {
			return fmt.Errorf("%s claimed %v", w.Name, res.IDs)
		}
		id, token := res.IDs[0], res.Tasks[0].Claim.Token
		switch rnd.IntN(8) {
		case 0:
			if _, err := w.Do(ctx, id, pawl.Release{IDs: []pawl.ID{id}}); err != nil {
				return err
			}
			continue
		case 1:
			other := 1 + pawl.ID(rnd.IntN(tasks))
			if res, err := w.Do(ctx, other, pawl.ClaimTask{ID: other, Lease: pawl.Duration(time.Hour)}); err == nil && other != id {
				if _, err := w.Do(ctx, other, pawl.Complete{IDs: []pawl.ID{other}, Token: res.Tasks[0].Claim.Token}); err != nil {
					return err
				}
			} else if kind := pawl.KindOf(err); err != nil && kind != pawl.Conflict {
				return err
			}
		}
		if _, err := w.Do(ctx, id, pawl.Complete{IDs: []pawl.ID{id}, Token: token}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Fill makes tasks without dependencies.
func Fill(t testing.TB, b query.Board, n int) {
	t.Helper()
	for n > 0 {
		var op pawl.Create
		for range min(n, pawl.MaxBatch) {
			op.Tasks = append(op.Tasks, pawl.NewTask{Subject: "task"})
		}
		n -= len(op.Tasks)
		_, err := b.Do(context.Background(), pawl.Request{Op: op}, 0)
		must(t, err)
	}
}

// Crowd lets workers drain a board of so many tasks at once.
func Crowd(t testing.TB, workers []*Worker, tasks int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*within+time.Duration(tasks)*20*time.Millisecond)
	defer cancel()
	var group sync.WaitGroup
	for i, w := range workers {
		group.Go(func() {
			if err := w.Drain(ctx, tasks, uint64(i)); err != nil {
				t.Errorf("%s: %v", w.Name, err)
			}
		})
	}
	group.Wait()
}

// AllDone checks that each task of a board is completed.
func AllDone(t testing.TB, b query.Board, tasks int) {
	t.Helper()
	seen := 0
	for task, err := range b.Export(context.Background(), query.Asker{}, pawl.Query{}) {
		must(t, err)
		seen++
		if task.Status != pawl.Completed {
			t.Errorf("%v is %v, claimed by %q", task.ID, task.Status, task.Owner)
		}
	}
	if seen != tasks {
		t.Errorf("%d tasks of %d", seen, tasks)
	}
}
