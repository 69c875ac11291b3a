//go:build unix

package crowd_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/store/file"
)

// mixed does all sorts of ops, most of them on several files at once, until it
// is killed.
func (w *worker) mixed() {
	rnd := rand.New(rand.NewPCG(w.Seed, uint64(w.Worker)))
	var known []pawl.ID
	for {
		some := pawl.ID(1)
		if len(known) > 0 {
			some = known[rnd.IntN(len(known))]
		}
		switch rnd.IntN(8) {
		case 0, 1, 2: // a fan: one task that three others wait for
			res, _ := w.do(pawl.Create{Tasks: []pawl.NewTask{
				{Ref: "root", Subject: fmt.Sprintf("root of worker %d", w.Worker)},
				{Subject: "leaf", BlockedBy: []pawl.Ref{pawl.RefName("root")}},
				{Subject: "leaf", BlockedBy: []pawl.Ref{pawl.RefName("root")}},
				{Subject: "leaf", BlockedBy: []pawl.Ref{pawl.RefName("root"), pawl.RefID(some)}},
			}})
			known = append(known, res.IDs...)
		case 3:
			w.do(pawl.Complete{IDs: []pawl.ID{some}})
		case 4:
			w.do(pawl.Reopen{IDs: []pawl.ID{some}})
		case 5:
			w.do(pawl.ClaimTask{Lease: pawl.Duration(time.Hour)})
		case 6:
			w.do(pawl.Update{ID: some, Description: ptr(strings.Repeat("x", rnd.IntN(5000)))})
		case 7:
			if rnd.IntN(4) == 0 {
				w.do(pawl.Delete{IDs: []pawl.ID{some}})
			}
		}
	}
}

// TestKill kills processes with SIGKILL at random moments of a mixed load.
// Whatever was acknowledged is in the history and on the disk, whatever was
// not is there whole or not at all.
func TestKill(t *testing.T) {
	const workers = 8
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	dir, _ := newBoard(t, 1)
	acked, kills := 0, 0
	for round := range *rounds {
		var all []*process
		for i := range workers {
			all = append(all, start(t, job{Kind: "mixed", Board: dir, Worker: i, Seed: seed + uint64(round)}))
		}
		// Each dies at a moment of its own, the first while all are at work.
		var acks []ack
		heard := <-all[0].lines
		acks = append(acks, heard)
		for _, p := range all {
			time.Sleep(time.Duration(rnd.IntN(60)) * time.Millisecond)
			if err := p.Process.Kill(); err != nil {
				t.Fatalf("a worker ended by itself: %v\n%s", err, p.noise.String())
			}
			kills++
		}
		for _, p := range all {
			acks = append(acks, p.drain()...)
			if s := p.noise.String(); s != "" {
				t.Fatalf("round %d: a worker says\n%s", round, s)
			}
		}
		acked += len(acks)
		survived(t, dir, acks)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	t.Logf("%d rounds, %d processes killed, %d acknowledged ops, none lost", *rounds, kills, acked)
	if kills != *rounds*workers || acked < *rounds {
		t.Errorf("%d kills and %d acknowledged ops: the test did not test what it means to", kills, acked)
	}
}

// survived opens the board as the next process would and compares three
// things: what was acknowledged, the history, and the files.
func survived(t *testing.T, dir string, acks []ack) {
	t.Helper()
	store := must.Get(file.Open(dir))(t)
	board := pawl.NewBoard(store)
	defer board.Close()
	// A write recovers whatever was cut short.
	if _, err := board.Do(context.Background(), pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "after the crash"}}}}); err != nil {
		t.Fatal(err)
	}
	known := map[pawl.OpID]pawl.Revision{}
	state := map[pawl.ID]*pawl.Task{}
	last := pawl.Revision(0)
	for set, err := range board.Changes(context.Background(), pawl.Span{}) {
		if err != nil {
			t.Fatal(err)
		}
		if last != 0 && set.Revision != last+1 {
			t.Errorf("the history has a gap between revisions %d and %d", last, set.Revision)
		}
		last = set.Revision
		if set.By.Name == pawl.ExternalName {
			t.Errorf("revision %d is taken for an external edit: %v", set.Revision, set.Changes[0].ID)
		}
		known[set.OpID] = set.Revision
		for _, c := range set.Changes {
			switch {
			case c.After == nil:
				delete(state, c.ID)
			case c.Before == nil:
				state[c.ID] = c.After
			default:
				pawl.CopyFields(state[c.ID], c.After, c.Fields...)
			}
		}
	}
	for _, a := range acks {
		if a.Err == "" && a.Revision != 0 && known[a.OpID] != a.Revision {
			t.Errorf("%s %s was acknowledged at revision %d; the history has it at %d", a.Verb, a.OpID, a.Revision, known[a.OpID])
		}
	}
	tasks := everything(t, board)
	for _, task := range tasks {
		was := state[task.ID]
		if was == nil {
			t.Errorf("%v is on the board and not in the history", task.ID)
			continue
		}
		delete(state, task.ID)
		if diff := pawl.Diff(was, &task); len(diff) > 0 {
			t.Errorf("%v differs from its history in %v", task.ID, diff)
		}
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("task_%d.json", task.ID)))
		if err != nil {
			t.Error(err)
			continue
		}
		f, err := taskjson.Decode(text)
		if err != nil {
			t.Errorf("%v: %v", task.ID, err)
		}
		f.Task.Claim, f.Task.Expired = task.Claim, task.Expired // kept beside the file
		if diff := pawl.Diff(&f.Task, &task); len(diff) > 0 {
			t.Errorf("the file of %v differs from the board in %v", task.ID, diff)
		}
	}
	if len(state) > 0 {
		t.Errorf("in the history and not on the board: %v", slices.Sorted(maps.Keys(state)))
	}
	visible := must.Get(filepath.Glob(filepath.Join(dir, "[^.]*")))(t)
	if len(visible) != len(tasks) {
		t.Errorf("%d files that one sees, for %d tasks", len(visible), len(tasks))
	}
}
