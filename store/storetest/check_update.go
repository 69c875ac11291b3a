package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// Promises 1 to 3: what Update does.
func updateChecks() []check {
	return []check{
		{name: "1 a new board is empty", run: func(w *world) {
			w.agree()
			w.inUpdate(func(pawl.Reader) {})
			w.agree()
			w.view(func(r pawl.Reader) {
				if r.Revision() < 0 || r.LastID() != 0 {
					w.Errorf("revision %d, last id %d", r.Revision(), r.LastID())
				}
				if _, err := r.Get(1); !errors.Is(err, pawl.NotFound) {
					w.Errorf("Get(1): %v", err)
				}
			})
		}},
		{name: "1 the sets of a commit build on each other", run: func(w *world) {
			w.commitSteps(
				step{edit: func(d draft) { d.add(pawl.Task{ID: 1}); d.add(pawl.Task{ID: 2, Parent: 1}) }},
				step{edit: func(d draft) { d[1].Subject = "renamed"; d.block(2, 1) }},
				step{edit: func(d draft) { d.remove(2) }},
				step{edit: func(d draft) { d.add(pawl.Task{ID: 3, Priority: pawl.High}); d.block(1, 3) }},
			)
		}},
		{name: "1 places in the order move with what waits", run: func(w *world) {
			w.commit(func(d draft) {
				for id := range pawl.ID(5) {
					d.add(pawl.Task{ID: id + 1, Priority: pawl.Low})
				}
				d.block(1, 2)
				d.block(2, 3)
				d.add(pawl.Task{ID: 6, Parent: 3, Priority: pawl.Low})
			})
			w.commit(func(d draft) { d[3].Priority = pawl.High })
			w.commitSteps(
				step{edit: func(d draft) { d.block(3, 4) }},
				step{edit: func(d draft) { d.block(4, 5) }},
			)
			w.commit(func(d draft) { d[4].Blocks = nil })
		}},
		{name: "1 the last id stays when its task goes", run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1}); d.add(pawl.Task{ID: 9}) })
			w.commit(func(d draft) { d.remove(9) })
			w.commit(func(d draft) { d.remove(1) })
			w.reopen()
			w.agree()
			w.want.lastID = 40 // of an import
			w.commit(func(d draft) { d.add(pawl.Task{ID: 12}) })
			w.reopen()
			w.agree()
		}},
		{name: "1 the largest ids are kept exactly and counted on from", run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: pawl.MaxForeignID}) })
			w.commit(func(d draft) {
				d.add(pawl.Task{ID: pawl.MaxForeignID + 1, Parent: pawl.MaxForeignID})
				d.block(pawl.MaxForeignID+1, pawl.MaxForeignID)
			})
			w.reopen()
			w.agree()
			w.commit(func(d draft) { d.add(pawl.Task{ID: pawl.MaxID}) })
			w.commit(func(d draft) { d[pawl.MaxID].Subject = "the last one" })
			w.agree()
			w.view(func(r pawl.Reader) {
				if got, err := r.Get(pawl.MaxID, pawl.MaxForeignID+1); err != nil || got[0].ID != pawl.MaxID || got[1].Parent != pawl.MaxForeignID {
					w.Errorf("Get: %+v, %v", got, err)
				}
			})
			w.reopen()
			w.agree()
		}},
		{name: "1 updates at the same time follow one another", run: concurrentUpdates},
		{name: "1 everything is there after the store was opened again", run: func(w *world) {
			w.commitSteps(
				step{edit: func(d draft) { d.add(full(1)); d.add(full(2)); d.block(1, 2) }},
				step{set: pawl.ChangeSet{OpID: "op", Result: []byte(`{"n":1}`)}, edit: func(d draft) { d.add(pawl.Task{ID: 3, Parent: 1}) }},
			)
			w.commit(func(d draft) { d.remove(2) })
			w.reopen()
			w.agree()
			w.commit(func(d draft) { d[1].Status, d[1].Claim = pawl.Completed, pawl.Claim{} })
			w.reopen()
			w.agree()
			w.view(func(r pawl.Reader) {
				if got, ok, err := r.Result("op"); string(got) != `{"n":1}` || !ok || err != nil {
					w.Errorf("Result: %s, %v, %v", got, ok, err)
				}
			})
		}, needs: func(o *opener) bool { return o.again != nil }},

		{name: "2 an error of fn comes back as it is", run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1}) })
			plain, ours := errors.New("no"), pawl.Errorf(pawl.Blocked, "waits")
			for _, want := range []error{plain, ours} {
				_, err := w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) { return counted(r, 1), want })
				if err != want {
					w.Errorf("Update: %v, want %v itself", err, want)
				}
				if err := w.store.View(w.ctx, func(pawl.Reader) error { return want }); err != want {
					w.Errorf("View: %v, want %v itself", err, want)
				}
			}
			w.agree()
			w.commit(func(d draft) { d[1].Subject = "next" }) // no revision is missing
		}},
		{name: "2 a panic in fn commits nothing and leaves the store usable", run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1}) })
			panics := func(do func()) {
				defer func() {
					if recover() == nil {
						w.Errorf("the panic was swallowed")
					}
				}()
				do()
			}
			panics(func() {
				w.store.Update(w.ctx, func(pawl.Reader) (pawl.Commit, error) { panic("in update") })
			})
			panics(func() { w.store.View(w.ctx, func(pawl.Reader) error { panic("in view") }) })
			w.agree()
			w.commit(func(d draft) { d[1].Subject = "goes on" })
		}},
		{name: "2 an empty commit writes nothing", run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1}); d.add(pawl.Task{ID: 2}) })
			for name, commit := range map[string]pawl.Commit{
				"nothing":   {},
				"a last id": {LastID: 99},
				"a place":   {Ranks: []pawl.Rank{{ID: 1, Urgency: pawl.High, Height: 3}}},
			} {
				if _, err := w.store.Update(w.ctx, func(pawl.Reader) (pawl.Commit, error) { return commit, nil }); err != nil {
					w.Errorf("%s: %v", name, err)
				}
				w.agree()
			}
		}},
		{name: "2 a request that nobody waits for commits nothing", run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1}) })
			ctx, cancel := context.WithCancel(w.ctx)
			cancel()
			_, err := w.store.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) { return counted(r, 1), nil })
			wantKind(w, pawl.Unavailable, err)
			wantKind(w, pawl.Unavailable, w.store.View(ctx, func(pawl.Reader) error { return nil }))
			_, err = collect(ctx, w.store, pawl.Span{})
			wantKind(w, pawl.Unavailable, err)
			w.agree()
		}},
		{name: "2 a set without changes counts", run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1}) })
			w.commitSteps(step{set: pawl.ChangeSet{OpID: "nothing came of it"}, edit: func(draft) {}})
		}},

		{name: "3 sets are numbered in order", run: func(w *world) {
			for n := range 4 {
				var steps []step
				for i := range n + 1 {
					steps = append(steps, step{edit: func(d draft) { d.add(pawl.Task{ID: pawl.ID(10*n + i + 1)}) }})
				}
				w.commitSteps(steps...)
			}
		}},
		{name: "3 revisions that a caller filled in do not count", run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1}) })
			w.commitSteps(step{set: pawl.ChangeSet{Revision: 1 << 40}, edit: func(d draft) { d.add(pawl.Task{ID: 2}) }})
		}},
	}
}

// counted commits a task whose description is the number of its edits.
func counted(r pawl.Reader, id pawl.ID) pawl.Commit {
	set := pawl.ChangeSet{At: r.Now(), Verb: "count"}
	if tasks, err := r.Get(id); err == nil {
		before := tasks[0]
		after := before.Clone()
		n, _ := strconv.Atoi(after.Description)
		after.Description = strconv.Itoa(n + 1)
		set.Changes = []pawl.Change{{ID: id, CreatedAt: before.CreatedAt, Fields: []pawl.Field{pawl.FieldDescription}, Before: &before, After: &after}}
	} else {
		set.Changes = []pawl.Change{{ID: id, After: &pawl.Task{ID: id, Subject: "counter", Status: pawl.Pending, Description: "0"}}}
	}
	return pawl.Commit{Sets: []pawl.ChangeSet{set}, LastID: max(id, r.LastID())}
}

// concurrentUpdates has several writers add to one number, each in a commit of
// one or two sets. None may be lost, and no revision given twice.
func concurrentUpdates(w *world) {
	const writers, rounds = 8, 10
	w.commit(func(d draft) { d.add(pawl.Task{ID: 1, Description: "0"}) })
	var wg sync.WaitGroup
	var mu sync.Mutex
	taken := map[pawl.Revision]int{}
	for writer := range writers {
		wg.Go(func() {
			for range rounds {
				rev, err := w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) {
					commit := counted(r, 1)
					if writer%2 == 0 {
						commit.Sets = append(commit.Sets, pawl.ChangeSet{At: r.Now(), Verb: "nothing"})
					}
					return commit, nil
				})
				if err != nil {
					w.Errorf("Update: %v", err)
				}
				mu.Lock()
				taken[rev]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if got, want := w.get(1).Description, strconv.Itoa(writers*rounds); got != want {
		w.Errorf("%s edits are there of %s", got, want)
	}
	if len(taken) != writers*rounds {
		w.Errorf("%d revisions for %d updates", len(taken), writers*rounds)
	}
	for i, set := range w.history() {
		if want := w.want.sets[0].Revision + pawl.Revision(i); set.Revision != want {
			w.Fatalf("set %d has revision %d, want %d", i, set.Revision, want)
		}
	}
}

// full returns a task with every field that a commit can set.
func full(id pawl.ID) pawl.Task {
	at := func(minute int) time.Time {
		return time.Date(2026, time.February, 3, 4, minute, 5, 678_000_000, time.UTC)
	}
	return pawl.Task{
		ID: id, Subject: "full " + id.String(), Description: "line one\nline two", Status: pawl.InProgress,
		Owner: "ada", ActiveForm: "Filling", Priority: pawl.High,
		Labels:    []string{"b", "a"},
		Notes:     []pawl.Note{{At: at(1), By: "ada", Text: "one"}, {At: at(2), By: "bob", Text: "two"}},
		Hold:      &pawl.Hold{Reason: "wait for it", By: "bob", At: at(3)},
		Checks:    []pawl.Check{unitCheck, {Name: "lint", Run: []string{"lint"}, Optional: true}},
		Accept:    []pawl.Criterion{{Text: "keys are rotated", By: "ada", At: at(8)}, {Text: "no secret is logged"}},
		Evidence:  []pawl.Evidence{ranCheck(unitCheck, at(9), true), ranCheck(pawl.Check{Name: "vet", Run: []string{"vet"}}, at(10), false)},
		Metadata:  map[string]json.RawMessage{"ref": json.RawMessage(`"bv-1"`), "n": json.RawMessage(`[1,{"a":null}]`)},
		CreatedAt: at(4), UpdatedAt: at(5), StartedAt: at(6), CompletedAt: at(7),
		Extra:   map[string]json.RawMessage{"their": json.RawMessage(`{"own":true}`)},
		Claim:   pawl.Claim{Session: "s1", Agent: "explore", Token: 1, Lease: pawl.Duration(15 * time.Minute), Until: at(21)},
		Expired: 2,
	}
}

// unitCheck has every field of a check.
var unitCheck = pawl.Check{
	Name: "unit tests", Run: []string{"go", "test", "-run", "A B", "./..."}, Dir: "web/app", Timeout: pawl.Duration(90 * time.Second),
	Env: []string{"CGO_ENABLED", "HOME"}, Expect: 3,
}

// ranCheck is evidence of a check with every field.
func ranCheck(c pawl.Check, at time.Time, passed bool) pawl.Evidence {
	e := pawl.Evidence{
		Check: c.Name, Sum: c.Sum(), At: at, By: "ada", Commit: strings.Repeat("c", 40), Tree: strings.Repeat("a", 40),
		Dirty: true, Passed: passed, Exit: c.Expect, Millis: 1234, Output: "sha256:" + strings.Repeat("0", 64),
	}
	if !passed {
		e.Exit = pawl.NoExit
	}
	return e
}
