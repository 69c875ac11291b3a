package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// Promises 6 and 7: history, and what requests led to. The comparison of a
// whole history after every commit is in [world.agree].
func changeChecks() []check {
	return []check{
		{name: "6 a set says who, when, how and what came of it", run: func(w *world) {
			w.commit(func(d draft) { d.add(full(1)) })
			w.clock.Advance(time.Hour)
			w.commitSteps(
				step{
					set:  pawl.ChangeSet{By: pawl.Actor{Name: "ada", Session: "s1", Agent: "explore"}, Verb: "claim", OpID: "o-1", Result: []byte(`{"ids":[1]}`), Ready: []pawl.ID{7, 1}},
					edit: func(d draft) { d[1].Owner = "ada" },
				},
				step{set: pawl.ChangeSet{By: pawl.Actor{Name: "pawl"}, Verb: "expire"}, edit: func(d draft) { d[1].Owner, d[1].Claim = "", pawl.Claim{} }},
				step{set: pawl.ChangeSet{By: pawl.Actor{Name: "ada"}, Verb: "undo", Undoes: 17}, edit: func(d draft) { d[1].Owner = "ada" }},
			)
			w.reopen()
			w.agree()
		}},
		{name: "6 only the fields that an edit names mean anything", run: onlyNamedFields},
		{name: "6 replayed from the start, history is the board", run: func(w *world) {
			workload(w)
			replayed, err := replay(w.history())
			if err != nil {
				w.Fatalf("replay: %v", err)
			}
			replayed.settle()
			same(w, "replayed history", w.want.tasks.list(), replayed.list())
		}},
		{name: "6 it can be resumed from every revision", run: func(w *world) {
			workload(w)
			last := w.want.revision
			for _, set := range w.want.sets {
				between(w, pawl.Span{After: set.Revision})
			}
			for _, span := range []pawl.Span{{After: last + 1}, {After: last + 1_000_000}, {After: last, Task: 1}} { // nothing comes
				between(w, span)
			}
		}},
		{name: "6 it can end before every revision", run: func(w *world) {
			workload(w)
			first, last := w.want.sets[0].Revision, w.want.revision
			for before := first; before <= last+2; before++ {
				for _, after := range []pawl.Revision{0, first, first + 2, last - 1, last} {
					between(w, pawl.Span{After: after, Before: before})
				}
			}
			between(w, pawl.Span{Before: last + 1_000_000})
		}},
		{name: "6 the sets that took another one back", run: func(w *world) {
			workload(w)
			first := w.want.sets[0].Revision
			for i, set := range []pawl.ChangeSet{{Undoes: first + 1}, {}, {Undoes: first + 2, OpID: `,"undoes":1`}, {OpID: `,"undoes":2`}} {
				w.commitSteps(
					step{set: set, edit: func(d draft) { d[1].Description = fmt.Sprint("try ", i) }},
					step{edit: func(d draft) {
						d[3].Metadata = map[string]json.RawMessage{"undoes": json.RawMessage(fmt.Sprint(i + 1))}
					}},
				)
			}
			last := w.want.revision
			for _, span := range []pawl.Span{{}, {Before: last - 3}, {After: first + 10}, {After: first + 3, Before: last}, {Task: 1}, {Task: 3}} {
				span.Undos = true
				between(w, span)
			}
		}},
		{name: "6 the sets of one task", run: func(w *world) {
			workload(w)
			for id := range w.want.lastID + 1 {
				between(w, pawl.Span{Task: id})
			}
		}},
		{name: "6 a reader may stop, and may write, in the middle", run: func(w *world) {
			workload(w)
			sets := len(w.want.sets)
			seen := 0
			for _, err := range w.store.Changes(w.ctx, pawl.Span{}) {
				if err != nil {
					w.Fatalf("Changes: %v", err)
				}
				seen++
				w.commit(func(d draft) { d[1].Description += "." })
				if seen == sets-1 {
					break
				}
			}
			if seen != sets-1 {
				w.Errorf("%d sets before the reader stopped, want %d", seen, sets-1)
			}
		}},
		{name: "6 a sequence can be walked twice", run: func(w *world) {
			workload(w)
			seq := w.store.Changes(w.ctx, pawl.Span{})
			for range 2 {
				n := 0
				for range seq {
					n++
				}
				same(w, "sets", len(w.want.sets), n)
			}
		}},
		{name: "6 what was trimmed is Gone, and says where to start", run: gone, needs: func(o *opener) bool { return o.bounded != nil }},
		{name: "11 the origin stays", run: func(w *world) {
			var first pawl.Revision
			for n := range 3 {
				rev := w.commit(func(d draft) { d.add(pawl.Task{ID: pawl.ID(n + 1)}) })
				if n == 0 {
					first = rev
				}
				same(w, "the first set", "@1", first.Short(w.origin()))
				same(w, "the latest set", fmt.Sprint("@", n+1), rev.Short(w.origin()))
				w.reopen()
			}
		}},
		{name: "11 to trim history moves no number", run: func(w *world) {
			w.bound()
			for n := range w.opener.sets + 1 {
				same(w, "a set", fmt.Sprint("@", n+1), w.count(w.store).Short(w.origin()))
			}
		}, needs: func(o *opener) bool { return o.bounded != nil }},
		{name: "6 readers see no gap while others write, and no set before its tasks", run: followed},

		{name: "7 the result of an op id", run: func(w *world) {
			results := map[pawl.OpID]string{
				"a": `{"ids":[1,2]}`, "b": ``, "with spaces / and: ünïcode": `null`,
				pawl.OpID(strings.Repeat("x", pawl.MaxOpID)): `"` + strings.Repeat("long ", 2000) + `"`,
				"bytes": "any\x00bytes\xff\n",
			}
			for op, result := range results {
				w.commitSteps(step{set: pawl.ChangeSet{OpID: op, Result: []byte(result)}, edit: func(draft) {}})
			}
			look := func(r pawl.Reader) {
				for op, want := range results {
					if got, ok, err := r.Result(op); string(got) != want || !ok || err != nil {
						w.Errorf("Result(%q): %q, %v, %v, want %q", op, got, ok, err, want)
					}
				}
			}
			w.inUpdate(look)
			w.reopen()
			w.view(look)
		}},
		{name: "7 an op id that never ran has no result", run: func(w *world) {
			w.commitSteps(step{set: pawl.ChangeSet{OpID: "a", Result: []byte(`1`)}, edit: func(d draft) { d.add(pawl.Task{ID: 1}) }})
			w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) {
				commit := counted(r, 1)
				commit.Sets[0].OpID, commit.Sets[0].Result = "failed", []byte(`2`)
				return commit, errors.New("no")
			})
			w.commit(func(d draft) { d[1].Subject = "no op id" })
			w.view(func(r pawl.Reader) {
				for _, op := range []pawl.OpID{"failed", "", "A", "a ", "%"} {
					if got, ok, err := r.Result(op); got != nil || ok || err != nil {
						w.Errorf("Result(%q): %q, %v, %v", op, got, ok, err)
					}
				}
			})
		}},
		{name: "7 a result is kept for a day, whatever else happens", run: func(w *world) {
			w.commitSteps(step{set: pawl.ChangeSet{OpID: "a", Result: []byte(`1`)}, edit: func(d draft) { d.add(pawl.Task{ID: 1}) }})
			for n := range 30 {
				w.clock.Advance(24*time.Hour/30 - time.Second)
				w.commitSteps(step{set: pawl.ChangeSet{OpID: pawl.OpID(fmt.Sprint(n)), Result: []byte(`2`)}, edit: func(d draft) { d[1].Description += "." }})
			}
			w.reopen()
			w.view(func(r pawl.Reader) {
				if got, ok, err := r.Result("a"); string(got) != `1` || !ok || err != nil {
					w.Errorf("Result: %q, %v, %v", got, ok, err)
				}
			})
		}},
	}
}

// workload is a board with a past: creations, edits, completions, a deletion.
func workload(w *world) {
	w.Helper()
	w.commit(func(d draft) {
		for id := range pawl.ID(4) {
			d.add(pawl.Task{ID: id + 1, CreatedAt: w.clock.stored()})
		}
		d.block(1, 2)
		d.block(2, 3)
		d[4].Parent = 1
	})
	w.clock.Advance(time.Minute)
	w.commitSteps(
		step{set: pawl.ChangeSet{Verb: "complete", OpID: "o"}, edit: func(d draft) { d[4].Status = pawl.Completed }},
		step{edit: func(d draft) { d[3].Priority = pawl.High }},
	)
	w.commit(func(d draft) { d.remove(2) })
	w.commitSteps(
		step{edit: func(d draft) { d.add(full(5)); d.block(5, 1) }},
		step{edit: func(draft) {}},
		step{edit: func(d draft) { d[5].Notes = append(d[5].Notes, pawl.Note{Text: "three"}) }},
	)
	w.commit(func(d draft) { d[4].Status = pawl.Pending })
}

// between compares a span of history, both ways.
func between(w *world, span pawl.Span) {
	w.Helper()
	var want []pawl.ChangeSet
	for _, set := range w.want.sets {
		in := set.Revision > span.After && (span.Before == 0 || set.Revision < span.Before) && (!span.Undos || set.Undoes != 0)
		if in && (span.Task == 0 || slices.ContainsFunc(set.Changes, func(c pawl.Change) bool { return c.ID == span.Task })) {
			want = append(want, set)
		}
	}
	same(w, fmt.Sprintf("%+v", span), want, w.changes(span))
	span.Backward = true
	same(w, fmt.Sprintf("%+v", span), backward(want), w.changes(span))
}

func backward(sets []pawl.ChangeSet) []pawl.ChangeSet {
	sets = slices.Clone(sets)
	slices.Reverse(sets)
	return sets
}

// onlyNamedFields commits, for every field, an edit that names it alone and
// whose after-image is nonsense in all the others.
func onlyNamedFields(w *world) {
	w.commit(func(d draft) { d.add(pawl.Task{ID: 1}); d.add(full(2)); d.add(pawl.Task{ID: 3}) })
	other := full(2)
	other.Subject, other.Description, other.Status, other.Owner = "other", "other", pawl.Pending, "other"
	other.ActiveForm, other.Priority, other.Parent, other.Labels = "Other", pawl.High, 1, []string{"other"}
	other.BlockedBy, other.Blocks, other.Notes, other.Hold, other.Metadata, other.Extra = nil, []pawl.ID{3}, nil, nil, nil, nil
	other.Claim, other.Expired = pawl.Claim{}, 0
	shift := time.Hour
	for _, at := range []*time.Time{&other.UpdatedAt, &other.StartedAt, &other.CompletedAt} {
		*at = at.Add(shift)
	}
	current := w.want.tasks[2].Clone()
	fields := pawl.Diff(&current, &other)
	if len(fields) < 15 {
		w.Fatalf("only %d fields differ", len(fields))
	}
	for _, field := range fields {
		if field == pawl.FieldParent || field == pawl.FieldBlocks {
			continue // they change other tasks too
		}
		next := w.plan(step{edit: func(d draft) { pawl.CopyFields(d[2], &other, field) }})
		change := &next.commit.Sets[0].Changes[0]
		nonsense := other.Clone()
		nonsense.Blockers, nonsense.Children, nonsense.OpenChildren = []pawl.ID{99}, []pawl.ID{98}, 7
		nonsense.Urgency, nonsense.Height = change.After.Urgency, change.After.Height
		pawl.CopyFields(&nonsense, change.After, field)
		change.After = &nonsense
		w.bring(next)
		w.agree()
		if w.Failed() {
			w.Fatalf("after an edit of %s alone", field)
		}
	}
}

// gone writes until the first set is forgotten.
func gone(w *world) {
	w.bound()
	var first, last pawl.Revision
	for n := range w.opener.sets + 1 {
		if last = w.count(w.store); n == 0 {
			first = last
		}
	}
	// all fails unless the sets of a span are those from one revision to another, before it
	// says that others are gone.
	all := func(span pawl.Span, from, to pawl.Revision) (said *pawl.Error) {
		w.Helper()
		sets, err := collect(w.ctx, w.store, span)
		wantKind(w, pawl.Gone, err)
		said, _ = errors.AsType[*pawl.Error](err)
		if span.Backward {
			slices.Reverse(sets)
		}
		w.numbered(sets, from, to)
		return said
	}
	said := all(pawl.Span{After: first - 1}, 1, 0)
	if said == nil || said.Revision < first || said.Revision > last {
		w.Fatalf("%v says where to start; the board is at %d and %d is gone", said, last, first)
	}
	// The kept history can be read up to any revision, the trimmed one not at all.
	w.numbered(w.changes(pawl.Span{After: said.Revision}), said.Revision+1, last)
	w.numbered(w.changes(pawl.Span{After: said.Revision, Before: last}), said.Revision+1, last-1)
	all(pawl.Span{Before: first + 1}, 1, 0)
	all(pawl.Span{Before: first + 1, Backward: true}, 1, 0)
	all(pawl.Span{Backward: true}, said.Revision+1, last) // the newest come first
	same(w, "the task, which trimmed history must not touch", fmt.Sprint(w.opener.sets), w.get(1).Description)
}

// numbered holds sets to their revisions: all from one to another, and none from 1 to 0.
func (w *world) numbered(sets []pawl.ChangeSet, from, to pawl.Revision) {
	w.Helper()
	var want, got []pawl.Revision
	for rev := from; rev <= to; rev++ {
		want = append(want, rev)
	}
	for _, set := range sets {
		got = append(got, set.Revision)
	}
	same(w, "the revisions", want, got)
}

// followed follows the board from several places while it is written. No set is missing, and
// none shows before the board has what it says.
func followed(w *world) {
	const rounds = 30
	start := w.commit(func(d draft) { d.add(pawl.Task{ID: 1, Description: "0"}) })
	done := make(chan error)
	follow := func() error {
		for at := start; at < start+2*rounds; {
			for set, err := range w.store.Changes(w.ctx, pawl.Span{After: at}) {
				if err != nil {
					return err
				}
				if set.Revision != at+1 {
					return fmt.Errorf("revision %d follows %d", set.Revision, at)
				}
				at = set.Revision
				err := w.store.View(w.ctx, func(r pawl.Reader) error {
					if r.Revision() < at {
						return fmt.Errorf("a set of revision %d shows while the board is at %d", at, r.Revision())
					}
					return nil
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	}
	for range 2 {
		go func() { done <- follow() }()
	}
	for range rounds {
		_, err := w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) {
			commit := counted(r, 1)
			commit.Sets = append(commit.Sets, pawl.ChangeSet{At: r.Now(), Verb: "nothing"})
			return commit, nil
		})
		if err != nil {
			w.Fatalf("Update: %v", err)
		}
	}
	for range 2 {
		if err := <-done; err != nil {
			w.Errorf("follower: %v", err)
		}
	}
}
