package pawl_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// An import leaves owner, status and hold of a task that somebody else claimed, that is
// assigned to another name, or on hold: it refuses what the other ops refuse.
func TestImportTakesNoTask(t *testing.T) {
	ann := pawl.Actor{Name: "ann", Session: "terminal-1"}
	for name, before := range map[string]func(*world){
		"a person's claim":      func(w *world) { w.must(ann, pawl.ClaimTask{ID: 1}) },
		"another agent's claim": func(w *world) { w.must(bob, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}) },
		"an assigned task":      func(w *world) { w.must(ann, pawl.Assign{IDs: ids(1), Owner: "ann"}) },
		"a task on hold":        func(w *world) { w.must(ann, pawl.PutHold{IDs: ids(1), Reason: "legal"}) },
		"a claim beside a hold": func(w *world) {
			w.must(bob, pawl.ClaimTask{ID: 1})
			w.must(ann, pawl.PutHold{IDs: ids(1), Reason: "legal"})
		},
		"what waits for a person": func(w *world) { w.must(ann, pawl.PutHold{IDs: ids(1), Reason: pawl.ApprovalReason(1, "look")}) },
	} {
		for _, status := range []pawl.Status{"", pawl.Pending, pawl.InProgress, pawl.Completed} {
			for _, newer := range []time.Duration{0, time.Hour} {
				w := newWorld(t)
				w.must(ann, create(pawl.NewTask{Subject: "one"}))
				before(w)
				was := w.task(1)
				in := pawl.ImportTask{ID: 1, CreatedAt: was.CreatedAt, Status: status, StartedAt: w.now, CompletedAt: w.now, NewTask: pawl.NewTask{Subject: "renamed", Owner: "ada"}}
				if newer != 0 {
					in.UpdatedAt = w.now.Add(newer)
				}
				w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{in}})
				got := w.task(1)
				for _, f := range pawl.Diff(&was, &got) {
					if f != pawl.FieldSubject && f != pawl.FieldUpdatedAt {
						t.Errorf("%s, %q, %v newer: %s changed", name, status, newer, f)
					}
				}
				if got.Subject != "renamed" {
					t.Errorf("%s, %q: the subject stayed", name, status)
				}
			}
		}
	}
}

// Notes that were written on the board since an export are not lost by its import, which
// takes the texts back to what they were.
func TestImportOfAnOlderExport(t *testing.T) {
	w := newWorld(t)
	w.must(ada, create(pawl.NewTask{Subject: "one", Description: "first", Labels: []string{"go"}}))
	w.must(ada, pawl.AddNote{ID: 1, Text: "first"})
	old := w.task(1)
	in := pawl.ImportTask{ID: 1, CreatedAt: old.CreatedAt, UpdatedAt: old.UpdatedAt, Status: old.Status, Notes: old.Notes,
		NewTask: pawl.NewTask{Subject: "one", Description: "first", Labels: []string{"go"}}}
	w.now = w.now.Add(time.Minute)
	subject, text := "two", "second"
	w.must(bob, pawl.Update{ID: 1, Subject: &subject, Description: &text, AddLabels: []string{"web"}})
	w.must(bob, pawl.AddNote{ID: 1, Text: "second"})
	w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{in}})
	if got := w.task(1); len(got.Notes) != 2 || got.Subject != "one" {
		t.Errorf("%+v", got)
	}
	// A source's own words count whenever it is imported: its times are not the board's.
	ref := map[string]json.RawMessage{pawl.RefKey: json.RawMessage(`"x-1"`)}
	w.must(ada, pawl.Update{ID: 1, Metadata: ref})
	w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{{UpdatedAt: old.UpdatedAt, NewTask: pawl.NewTask{Subject: "of the source", Metadata: ref}}}})
	if got := w.task(1); got.Subject != "of the source" || len(got.Notes) != 2 {
		t.Errorf("%+v", got)
	}
}

// An agent completes no task that is kept for another name, as it cannot claim it. A
// person may.
func TestAgentCompletesNoAssignedTask(t *testing.T) {
	w := newWorld(t)
	w.must(bob, create(pawl.NewTask{Subject: "one"}))
	w.must(bob, pawl.Assign{IDs: ids(1), Owner: "bob"})
	done := pawl.Request{By: ada, Op: pawl.Complete{IDs: ids(1)}, Agent: true}
	if _, err := w.Do(t.Context(), done); pawl.KindOf(err) != pawl.Conflict {
		t.Errorf("an agent: %v", err)
	}
	if done.Agent = false; w.open(1) {
		w.must(ada, done.Op)
	}
}

// Tasks of a whole board come to an empty one under their own numbers and times, and no
// number that was given there is given again; or the import is refused.
func TestImportOfAWholeBoard(t *testing.T) {
	w := newWorld(t)
	made := w.now.Add(-time.Hour)
	task := func(id pawl.ID) pawl.ImportTask {
		return pawl.ImportTask{ID: id, CreatedAt: made, NewTask: pawl.NewTask{Subject: "one"}}
	}
	future := task(2)
	future.UpdatedAt = w.now.Add(time.Minute)
	w.fails(pawl.Conflict, ada, pawl.Import{Tasks: []pawl.ImportTask{future}, LastID: 9, Exact: true})
	half := pawl.Import{Tasks: []pawl.ImportTask{task(2)}, LastID: 2, Exact: true}
	rest := pawl.Import{Tasks: []pawl.ImportTask{task(5)}, LastID: 9, Exact: true}
	for range 2 {
		if got := append(w.must(ada, half).IDs, w.must(ada, rest).IDs...); got[0] != 2 || got[1] != 5 {
			t.Errorf("their numbers: %v", got)
		}
	}
	if got := w.must(ada, create(pawl.NewTask{Subject: "next"})).IDs; got[0] != 10 {
		t.Errorf("the next number is %v", got)
	}
	w.fails(pawl.Conflict, ada, pawl.Import{Tasks: []pawl.ImportTask{task(10)}, LastID: 10, Exact: true})
	w.now = w.now.Add(time.Minute)
	half.Tasks[0].Labels = []string{"web"} // which is a change of it, as any other
	if w.must(ada, half); len(w.task(2).Labels) != 1 || !w.task(2).UpdatedAt.Equal(w.now) {
		t.Errorf("after a change: %+v", w.task(2))
	}
	// Else it gets another one.
	if got := w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{task(10)}, LastID: 20}).IDs; got[0] != 11 {
		t.Errorf("among other tasks: %v", got)
	}
	if got := w.must(ada, create(pawl.NewTask{Subject: "next"})).IDs; got[0] != 12 {
		t.Errorf("the next number among other tasks is %v", got)
	}
}

// A time that is still to come, as of a wrong clock or an edited export, does not count: all
// that happened to the task later was older than the import for ever.
func TestImportFromTheFuture(t *testing.T) {
	w := newWorld(t)
	w.must(ada, create(pawl.NewTask{Subject: "one"}))
	made, never := w.task(1).CreatedAt, w.now.AddDate(100, 0, 0)
	in := pawl.ImportTask{ID: 1, CreatedAt: made, UpdatedAt: never, StartedAt: never, CompletedAt: never, Status: pawl.Completed, NewTask: pawl.NewTask{Subject: "one"}}
	other := in
	other.ID, other.CreatedAt = 2, never
	w.now = w.now.Add(time.Minute)
	w.must(bob, pawl.Import{Tasks: []pawl.ImportTask{in, other}})
	for _, id := range ids(1, 2) {
		if got := w.task(id); got.Status != pawl.Completed || !got.UpdatedAt.Equal(w.now) || got.StartedAt.After(w.now) || got.CompletedAt.After(w.now) {
			t.Errorf("%+v", got)
		}
	}
	w.now = w.now.Add(time.Minute)
	if res := w.must(bob, pawl.Import{Tasks: []pawl.ImportTask{in, other}}); len(res.Kept) != 2 { // which knows it by its time
		t.Errorf("the same once more: %+v", res)
	}
	in.Status, in.UpdatedAt, in.StartedAt, in.CompletedAt = pawl.Pending, w.now, time.Time{}, time.Time{}
	w.must(bob, pawl.Import{Tasks: []pawl.ImportTask{in}})
	if !w.open(1) {
		t.Error("a later export does not count")
	}
}
