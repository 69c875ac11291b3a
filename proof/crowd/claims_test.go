//go:build unix

package crowd_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/pawl-dev/pawl"
)

// claim takes tasks until nothing is ready; some it gives back, the others it
// completes. Now and then it tries for one that another may hold.
func (w *worker) claim() {
	rnd := rand.New(rand.NewPCG(w.Seed, uint64(w.Worker)))
	for {
		res, err := w.do(pawl.ClaimTask{Lease: pawl.Duration(time.Hour)})
		if err != nil {
			return
		}
		id := res.IDs[0]
		if rnd.IntN(4) == 0 { // what it gets, it keeps
			w.do(pawl.ClaimTask{ID: 1 + pawl.ID(rnd.IntN(w.Count)), Lease: pawl.Duration(time.Hour)})
		}
		if rnd.IntN(8) == 0 {
			w.do(pawl.Release{IDs: []pawl.ID{id}})
			continue
		}
		w.do(pawl.Complete{IDs: []pawl.ID{id}, Token: res.Tasks[0].Claim.Token})
	}
}

// One task, as the history of claims sees it.
type holding struct {
	owner int // a worker, or nobody or done
}

const (
	nobody = -1
	done   = -2
)

type step struct {
	verb   string
	worker int
	ok     bool
}

var taskModel = porcupine.Model{
	Init: func() any { return holding{nobody} },
	Step: func(state, input, _ any) (bool, any) {
		s, in := state.(holding), input.(step)
		switch in.verb {
		case "claim":
			if !in.ok { // refused: somebody else had it, or it was done
				return s.owner != nobody && s.owner != in.worker, s
			}
			return s.owner == nobody || s.owner == in.worker, holding{in.worker}
		case "release":
			return in.ok && s.owner == in.worker, holding{nobody}
		case "complete":
			return in.ok && s.owner == in.worker, holding{done}
		}
		return false, s
	},
	Equal:             func(a, b any) bool { return a == b },
	DescribeOperation: func(input, _ any) string { return fmt.Sprint(input) },
}

// TestClaims: of many processes exactly one gets each task, at every moment of
// a history in which tasks are also given back.
func TestClaims(t *testing.T) {
	const workers, least = 16, 100 // with fewer tasks it may be that nobody asks for one that is held
	count := max(*shared, least)
	dir, board := newBoard(t, count)
	acks := crowd(t, workers, job{Kind: "claim", Board: dir, Count: count, Seed: 7})
	byTask := map[pawl.ID][]porcupine.Operation{}
	completed := map[pawl.ID]int{}
	refused, empty := 0, 0
	for _, a := range acks {
		in := step{worker: a.Worker, ok: a.Err == ""}
		in.verb = map[string]string{"pawl.ClaimTask": "claim", "pawl.Release": "release", "pawl.Complete": "complete"}[a.Verb]
		id := a.Target
		if id == 0 && !in.ok {
			empty++ // nothing was ready
			continue
		} else if id == 0 {
			id = a.IDs[0]
		}
		if !in.ok {
			refused++
		}
		if in.verb != "claim" && !in.ok {
			t.Errorf("%s of %v: %s", in.verb, id, a.Err)
		}
		if in.verb == "complete" && in.ok {
			completed[id]++
		}
		byTask[id] = append(byTask[id], porcupine.Operation{ClientId: a.Worker, Input: in, Call: a.Start, Return: a.End})
	}
	operations := 0
	for id, history := range byTask {
		operations += len(history)
		if result := porcupine.CheckOperationsTimeout(taskModel, history, within); result != porcupine.Ok {
			t.Errorf("%v: two owners at one time, or an owner from nowhere (%v):\n%v", id, result, history)
		}
	}
	for _, task := range everything(t, board) {
		// A claim by id may leave a worker with a task that it never completes.
		if task.Status == pawl.Pending {
			t.Errorf("%v is still pending", task.ID)
		}
		if completed[task.ID] > 1 {
			t.Errorf("%v was completed %d times", task.ID, completed[task.ID])
		}
	}
	t.Logf("%d processes, %d operations on %d tasks, %d claims of a held one refused", workers, operations, len(byTask), refused)
	if refused == 0 || empty != workers {
		t.Errorf("%d claims were refused and %d workers found nothing left: the test did not test what it means to", refused, empty)
	}
}

// TestModelCatchesTwoOwners keeps the check honest.
func TestModelCatchesTwoOwners(t *testing.T) {
	history := []porcupine.Operation{
		{ClientId: 0, Input: step{"claim", 0, true}, Call: 1, Return: 2},
		{ClientId: 1, Input: step{"claim", 1, true}, Call: 3, Return: 4},
	}
	if porcupine.CheckOperations(taskModel, history) {
		t.Error("two owners of one task pass for a correct history")
	}
}
