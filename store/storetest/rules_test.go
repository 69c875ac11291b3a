package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/spoil"
)

// Promises of a board on top of its store that no story can show.
func TestRules(t *testing.T) {
	for _, c := range ruleChecks() {
		t.Run(c.name, func(t *testing.T) { c.run(newWorld(t, sound(t, nil))) })
	}
}

func ruleChecks() []check {
	return []check{
		{name: "1 of many that claim each gets another task", run: manyClaims},
		{name: "1 of many that claim one task exactly one gets it", run: func(w *world) {
			for round := range 5 {
				id := w.must("ada", pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}).IDs[0]
				won := make(chan pawl.Revision, 20)
				var wg sync.WaitGroup
				for n := range cap(won) {
					wg.Go(func() {
						by := pawl.Actor{Name: "agent", Session: fmt.Sprint(round, n)}
						res, err := w.board.Do(w.ctx, pawl.Request{By: by, Op: pawl.ClaimTask{ID: id, Lease: pawl.Duration(time.Minute)}})
						if err == nil {
							won <- res.Revision
						} else if !errors.Is(err, pawl.Conflict) {
							w.Errorf("claim: %v", err)
						}
					})
				}
				wg.Wait()
				if len(won) != 1 {
					w.Errorf("%d won", len(won))
				} else if token := w.get(id).Claim.Token; token != <-won {
					w.Errorf("the token is %d", token)
				}
			}
		}},
		{name: "1 many edits of one task all count", run: func(w *world) {
			const writers, rounds = 6, 8
			w.must("ada", pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
			var wg sync.WaitGroup
			for n := range writers {
				wg.Go(func() {
					for round := range rounds {
						by := pawl.Actor{Name: fmt.Sprint("agent ", n), Session: fmt.Sprint(n)}
						requests := []pawl.Request{
							{By: by, Op: pawl.AddNote{ID: 1, Text: fmt.Sprint(n, ".", round)}},
							{By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "more", Blocks: []pawl.Ref{pawl.RefID(1)}}}}},
						}
						if _, err := w.board.DoAll(w.ctx, requests...); err != nil {
							w.Errorf("%v", err)
						}
					}
				})
			}
			wg.Wait()
			t := w.get(1)
			if len(t.Notes) != writers*rounds || len(t.BlockedBy) != writers*rounds {
				w.Errorf("%d notes and %d blockers, want %d", len(t.Notes), len(t.BlockedBy), writers*rounds)
			}
		}},
		{name: "7 one op id from many callers runs once", run: func(w *world) {
			var wg sync.WaitGroup
			var mu sync.Mutex
			first := 0
			for range 12 {
				wg.Go(func() {
					res, err := w.board.Do(w.ctx, pawl.Request{By: pawl.Actor{Name: "ada"}, ID: "once", Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}})
					mu.Lock()
					defer mu.Unlock()
					if err != nil || len(res.IDs) != 1 || res.IDs[0] != 1 || len(res.Tasks) != 1 {
						w.Errorf("%+v", res)
					}
					if !res.Repeated {
						first++
					}
				})
			}
			wg.Wait()
			if first != 1 || len(w.history()) != 1 {
				w.Errorf("it ran %d times and left %d sets", first, len(w.history()))
			}
		}},
		{name: "5.10 a set says what it made ready", run: setsSayReady},
		{name: "5.7 every way to look shows a lease that ended as ended", run: func(w *world) {
			w.must("ada", pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two", BlockedBy: []pawl.Ref{pawl.RefID(1)}}}})
			for range pawl.MaxExpired {
				w.must("bob", pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Minute)})
				w.clock.Advance(time.Minute)
				err := w.board.View(w.ctx, func(r pawl.Reader) error {
					w.Helper()
					lookEveryWay(w, r)
					return nil
				})
				if err != nil {
					w.Errorf("View: %v", err)
				}
			}
			tasks, err := w.board.Get(w.ctx, 1)
			if err != nil || tasks[0].Hold == nil || tasks[0].Status != pawl.Pending {
				w.Errorf("after %d leases: %+v, %v", pawl.MaxExpired, tasks, err)
			}
		}},
		{name: "11 NUL and broken UTF-8 never reach a store", run: func(w *world) {
			w.must("ada", pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
			bad := []string{"a\x00b", "\xff", "ok\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80"}
			refused := 0
			for _, text := range bad {
				raw := map[string]json.RawMessage{"k": json.RawMessage(`"` + text + `"`)}
				key := map[string]json.RawMessage{text: json.RawMessage(`1`)}
				name := pawl.Actor{Name: text}
				for _, req := range []pawl.Request{
					{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: text}}}},
					{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "s", Description: text}}}},
					{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "s", ActiveForm: text}}}},
					{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "s", Owner: text}}}},
					{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "s", Labels: []string{text}}}}},
					{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "s", Metadata: raw}}}},
					{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "s", Metadata: key}}}},
					{Op: pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "s"}, Extra: raw}}}},
					{Op: pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "s"}, Extra: key}}}},
					{Op: pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "s"}, Notes: []pawl.Note{{Text: text}}}}}},
					{Op: pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "s"}, Notes: []pawl.Note{{By: text, Text: "t"}}}}}},
					{Op: pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "s"}, Hold: &pawl.Hold{Reason: text}}}}},
					{Op: pawl.Update{ID: 1, Subject: &text}},
					{Op: pawl.Update{ID: 1, Description: &text}},
					{Op: pawl.Update{ID: 1, ActiveForm: &text}},
					{Op: pawl.Update{ID: 1, AddLabels: []string{text}}},
					{Op: pawl.Update{ID: 1, Metadata: raw}},
					{Op: pawl.AddNote{ID: 1, Text: text}},
					{Op: pawl.PutHold{IDs: []pawl.ID{1}, Reason: text}},
					{Op: pawl.Release{IDs: []pawl.ID{1}, Hold: text}},
					{Op: pawl.Assign{IDs: []pawl.ID{1}, Owner: text}},
					{By: name, Op: pawl.ClaimTask{ID: 1}},
					{By: pawl.Actor{Name: "ada", Session: text}, Op: pawl.ClaimTask{ID: 1}},
					{By: pawl.Actor{Name: "ada", Agent: text}, Op: pawl.ClaimTask{ID: 1}},
					{ID: pawl.OpID(text), Op: pawl.PutHold{IDs: []pawl.ID{1}, Reason: "why"}},
				} {
					if req.By == (pawl.Actor{}) {
						req.By.Name = "ada"
					}
					_, err := w.board.Do(w.ctx, req)
					if !errors.Is(err, pawl.Invalid) {
						w.Errorf("%T with %q (by %q, op id %q): %v", req.Op, text, req.By, req.ID, err)
						continue
					}
					refused++
				}
			}
			if refused < 100 {
				w.Errorf("only %d requests were refused", refused)
			}
			for _, set := range w.history() {
				text, err := json.Marshal(set)
				if err != nil || !utf8.Valid(text) || strings.Contains(string(text), `\u0000`) || strings.Contains(string(text), `\ufffd`) {
					w.Errorf("revision %d: %s, %v", set.Revision, text, err)
				}
			}
		}},
		{name: "11 inputs have limits, and what is within them is kept", run: limits},
		{name: "5.10 a run that was discarded leaves nothing in the results", run: func(w *world) {
			w.must("ada", pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two"}}})
			restless := pawl.NewBoard(&overtaken{Store: w.store, by: func() {
				w.must("eve", pawl.ClaimTask{})
				w.must("eve", pawl.Create{Tasks: []pawl.NewTask{{Subject: "of eve"}}})
			}})
			results, err := restless.DoAll(w.ctx,
				pawl.Request{By: pawl.Actor{Name: "bob", Session: "b"}, Op: pawl.ClaimTask{}, ID: "claim"},
				pawl.Request{By: pawl.Actor{Name: "bob", Session: "b"}, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "of bob", Ref: "r"}}}},
			)
			if err != nil {
				w.Fatalf("%v", err)
			}
			same(w, "the task claimed", []pawl.ID{2}, results[0].IDs)
			same(w, "the task made", map[string]pawl.ID{"r": 4}, results[1].Refs)
			if t := w.get(2); t.Owner != "bob" || t.Claim.Token != results[0].Revision {
				w.Errorf("%+v, result %+v", t, results[0])
			}
			if t := w.get(4); t.Subject != "of bob" {
				w.Errorf("#4 is %q", t.Subject)
			}
		}},
		{name: "8 a store that fails fails every request, and nothing else", run: func(w *world) {
			w.must("ada", pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
			before := w.snapshot()
			down := pawl.Errorf(pawl.Unavailable, "the disk is full, and the outcome is not known")
			results, err := pawl.NewBoard(failing{w.store, down}).DoAll(w.ctx,
				pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Complete{IDs: []pawl.ID{1}}},
				pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Complete{IDs: []pawl.ID{99}}},
			)
			wantKind(w, pawl.Unavailable, pawl.ErrorAt(err, 0))
			if pawl.ErrorAt(err, 1) == nil {
				w.Errorf("a request that cannot work has no error")
			}
			for _, res := range results {
				if res.IDs != nil || res.Tasks != nil || res.Revision != 0 {
					w.Errorf("a result of what did not happen: %+v", res)
				}
			}
			same(w, "board", w.lens().dump(before), w.lens().dump(w.snapshot()))
		}},
		{name: "5.10 ops share nothing with what is kept", run: func(w *world) {
			raw := json.RawMessage(`"kept"`)
			op := pawl.Create{Tasks: []pawl.NewTask{{Subject: "one", Labels: []string{"kept"}, Metadata: map[string]json.RawMessage{"k": raw}}}}
			res := w.must("ada", op)
			before := w.lens().dump(w.snapshot())
			spoil.All(raw)
			op.Tasks[0].Labels[0] = "spoilt"
			op.Tasks[0].Metadata["other"] = raw
			spoilAll(w, res.Tasks, nil)
			same(w, "board", before, w.lens().dump(w.snapshot()))
		}}, {name: "reader pages follow one another by key", run: pagesByKey},
		{name: "4 a board may not be called inside a function of DoThen", run: callsInDoThen},
	}
}

// lookEveryWay compares what Get shows with what the other ways do.
func lookEveryWay(w *world, r pawl.Reader) {
	w.Helper()
	tasks, err := r.Get(1, 2)
	if err != nil {
		w.Fatalf("Get: %v", err)
	}
	if t := tasks[0]; t.Status != pawl.Pending || t.Owner != "" || t.Claim.Live() {
		w.Errorf("the lease did not end: %+v", t)
	}
	page, err := r.Select(pawl.Query{})
	if err != nil {
		w.Fatalf("Select: %v", err)
	}
	same(w, "Select", tasks, page.Tasks)
	want := []pawl.Node{tasks[0].Node(), tasks[1].Node()}
	nodes, err := r.Nodes(1, 2)
	if err != nil {
		w.Fatalf("Nodes: %v", err)
	}
	same(w, "Nodes", want, nodes)
	nodes, err = r.Reach(pawl.Dependents, 1)
	if err != nil {
		w.Fatalf("Reach: %v", err)
	}
	same(w, "Reach", want, nodes)
}

func limits(w *world) {
	w.must("ada", pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
	text := func(n int) *string { s := strings.Repeat("ä", n); return &s }
	bytes := func(n int) *string { s := strings.Repeat("x", n); return &s }
	deep := func(n int) map[string]json.RawMessage {
		return map[string]json.RawMessage{"k": json.RawMessage(strings.Repeat("[", n) + strings.Repeat("]", n))}
	}
	var labels []string
	for i := range pawl.MaxLabels + 1 {
		labels = append(labels, fmt.Sprint(i))
	}
	many := func(n int) pawl.Create {
		var op pawl.Create
		for range n {
			op.Tasks = append(op.Tasks, pawl.NewTask{Subject: "one of many"})
		}
		return op
	}
	ids := func(n int) []pawl.ID {
		ids := make([]pawl.ID, n)
		for i := range ids {
			ids[i] = 1
		}
		return ids
	}
	for _, tt := range []struct {
		name           string
		within, beyond pawl.Op
	}{
		{"subject", pawl.Update{ID: 1, Subject: text(pawl.MaxSubject)}, pawl.Update{ID: 1, Subject: text(pawl.MaxSubject + 1)}},
		{"description", pawl.Update{ID: 1, Description: bytes(pawl.MaxDescription)}, pawl.Update{ID: 1, Description: bytes(pawl.MaxDescription + 1)}},
		{"active form", pawl.Update{ID: 1, ActiveForm: text(pawl.MaxActiveForm)}, pawl.Update{ID: 1, ActiveForm: text(pawl.MaxActiveForm + 1)}},
		{"label", pawl.Update{ID: 1, AddLabels: []string{*text(pawl.MaxLabel)}}, pawl.Update{ID: 1, AddLabels: []string{*text(pawl.MaxLabel + 1)}}},
		{"labels", pawl.Update{ID: 1, RemoveLabels: []string{*text(pawl.MaxLabel)}, AddLabels: labels[1:]}, pawl.Update{ID: 1, AddLabels: labels}},
		{"note", pawl.AddNote{ID: 1, Text: *bytes(pawl.MaxNote)}, pawl.AddNote{ID: 1, Text: *bytes(pawl.MaxNote + 1)}},
		{"reason", pawl.PutHold{IDs: ids(1), Reason: *text(pawl.MaxReason)}, pawl.PutHold{IDs: ids(1), Reason: *text(pawl.MaxReason + 1)}},
		{"owner", pawl.Assign{IDs: ids(1), Owner: *text(pawl.MaxName)}, pawl.Assign{IDs: ids(1), Owner: *text(pawl.MaxName + 1)}},
		{"metadata", pawl.Update{ID: 1, Metadata: map[string]json.RawMessage{"k": json.RawMessage(`"` + *bytes(pawl.MaxMetadata - 3) + `"`)}},
			pawl.Update{ID: 1, Metadata: map[string]json.RawMessage{"k": json.RawMessage(`"` + *bytes(pawl.MaxMetadata - 2) + `"`)}}},
		{"depth", pawl.Update{ID: 1, Metadata: deep(pawl.MaxDepth)}, pawl.Update{ID: 1, Metadata: deep(pawl.MaxDepth + 1)}},
		{"tasks of one op", many(pawl.MaxBatch), many(pawl.MaxBatch + 1)},
		{"ids of one op", pawl.LiftHold{IDs: ids(pawl.MaxBatch)}, pawl.LiftHold{IDs: ids(pawl.MaxBatch + 1)}},
		{"lease", pawl.ClaimTask{ID: 2, Lease: pawl.Duration(pawl.MaxLease)}, pawl.ClaimTask{ID: 3, Lease: pawl.Duration(pawl.MaxLease + time.Millisecond)}},
	} {
		if _, err := w.board.Do(w.ctx, pawl.Request{By: pawl.Actor{Name: "ada"}, Op: tt.within}); err != nil {
			w.Errorf("%s: what is within the limit is refused: %v", tt.name, err)
		}
		if _, err := w.board.Do(w.ctx, pawl.Request{By: pawl.Actor{Name: "ada"}, Op: tt.beyond}); !errors.Is(err, pawl.Invalid) {
			w.Errorf("%s: beyond the limit: %v", tt.name, err)
		}
	}
	requests := make([]pawl.Request, pawl.MaxRequests+1)
	for i := range requests {
		requests[i] = pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.LiftHold{IDs: ids(1)}}
	}
	if _, err := w.board.DoAll(w.ctx, requests...); !errors.Is(pawl.ErrorAt(err, 0), pawl.Invalid) || !errors.Is(pawl.ErrorAt(err, len(requests)-1), pawl.Invalid) {
		w.Fatalf("%d requests at once: %v", len(requests), err)
	}
	w.reopen()
	if t := w.get(1); len(t.Description) != pawl.MaxDescription || utf8.RuneCountInString(t.Subject) != pawl.MaxSubject {
		w.Errorf("a description of %d bytes, a subject of %d characters", len(t.Description), utf8.RuneCountInString(t.Subject))
	}
}

// overtaken is a store in which somebody else is always a little faster: it
// runs fn on the board as it was, discards that, and runs it on the board that
// the other left behind.
type overtaken struct {
	pawl.Store
	by func()
}

func (s *overtaken) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	if err := s.View(ctx, func(r pawl.Reader) error { _, err := fn(r); return err }); err != nil {
		return 0, err
	}
	s.by()
	return s.Store.Update(ctx, fn)
}

// failing is a store that runs fn and then cannot commit.
type failing struct {
	pawl.Store
	err error
}

func (s failing) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	if err := s.View(ctx, func(r pawl.Reader) error { _, err := fn(r); return err }); err != nil {
		return 0, err
	}
	return 0, s.err
}

// setsSayReady holds the sets of requests, and of leases that ran out, to what
// the board shows before and after.
func setsSayReady(w *world) {
	free := func() map[pawl.ID]bool {
		now := map[pawl.ID]bool{}
		page, err := w.board.Select(w.ctx, pawl.Query{})
		if err != nil {
			w.Fatalf("Select: %v", err)
		}
		for _, t := range page.Tasks {
			if t.Free() {
				now[t.ID] = true
			}
		}
		return now
	}
	before, last := free(), pawl.Revision(0)
	for _, op := range []pawl.Op{
		pawl.Create{Tasks: []pawl.NewTask{{Subject: "a"}, {Subject: "b", BlockedBy: []pawl.Ref{pawl.RefID(1)}}, {Subject: "c", Parent: pawl.RefID(2)}, {Subject: "d"}}},
		pawl.ClaimTask{ID: 1},
		pawl.Complete{IDs: []pawl.ID{1}},
		pawl.Complete{IDs: []pawl.ID{3}}, // the last child, so its parent is ready
		pawl.Reopen{IDs: []pawl.ID{1}},
		pawl.PutHold{IDs: []pawl.ID{1}, Reason: "r"},
		pawl.LiftHold{IDs: []pawl.ID{1}},
		pawl.ClaimTask{ID: 4, Lease: pawl.Duration(time.Minute)},
		pawl.AddNote{ID: 4, Text: "n"}, // after its lease has ended
		pawl.Delete{IDs: []pawl.ID{1}},
	} {
		if _, ok := op.(pawl.AddNote); ok {
			w.clock.Advance(time.Hour)
		}
		w.must("ada", op)
		after, got := free(), map[pawl.ID]bool{}
		for _, set := range w.changes(pawl.Span{After: last}) {
			last = set.Revision
			for _, id := range set.Ready {
				got[id] = true
			}
		}
		for id := range before {
			delete(after, id)
		}
		same(w, fmt.Sprintf("what %T made ready", op), after, got)
		before = free()
	}
}

// callsInDoThen calls the board, and another one, from a function that runs
// while the store is being updated: both refuse at once.
func callsInDoThen(w *world) {
	ada := pawl.Actor{Name: "ada"}
	one := pawl.Request{By: ada, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}}
	nothing := func(pawl.Reader) error { return nil }
	before := w.board.Changes(w.ctx, pawl.Span{})
	ends(w, "the board inside DoThen", func(ctx context.Context) {
		_, err := w.board.DoThen(ctx, []pawl.Request{one}, func(pawl.Reader, []pawl.Result, error) {
			for _, board := range []*pawl.Board{w.board, pawl.NewBoard(w.store)} {
				_, done := board.Do(ctx, one)
				_, tried := board.Try(ctx, one)
				_, got := board.Get(ctx, 1)
				_, glanced := board.Glance(ctx, pawl.GlanceQuery{Ready: 1})
				_, _, polled := board.ChangedSince(ctx, 0)
				_, checked := board.Check(ctx)
				_, mended := board.Mend(ctx, ada, true)
				var listed, ranged, watched error
				for _, err := range board.Changes(ctx, pawl.Span{}) {
					listed = err
				}
				for _, err := range before {
					ranged = err
				}
				for _, err := range board.Watch(ctx, 0) {
					if watched = err; err == nil {
						break
					}
				}
				for name, err := range map[string]error{
					"Do": done, "Try": tried, "View": board.View(ctx, nothing), "Recorded": board.Recorded(ctx, nothing), "Get": got,
					"Glance": glanced, "ChangedSince": polled, "Check": checked, "Mend": mended, "Changes": listed, "Changes from before": ranged, "Watch": watched, "Close": board.Close(),
				} {
					if !errors.Is(err, pawl.Invalid) {
						w.Errorf("%s inside DoThen: %v, want it refused as %v", name, err, pawl.Invalid)
					}
				}
			}
		})
		if err != nil {
			w.Errorf("DoThen: %v", err)
		}
	})
	if tasks, err := w.board.Get(w.ctx, 1); err != nil || len(tasks) != 1 {
		w.Errorf("afterwards: %v, %v", tasks, err)
	}
}

// must sends a request that has to work.
func (w *world) must(name string, op pawl.Op) pawl.Result {
	w.Helper()
	res, err := w.board.Do(w.ctx, pawl.Request{By: pawl.Actor{Name: name, Session: name}, Op: op})
	if err != nil {
		w.Fatalf("%T: %v", op, err)
	}
	return res
}

func pagesByKey(w *world) {
	crowd(w)
	for _, order := range []pawl.Order{pawl.ByID, pawl.ByUrgency, pawl.ByCompletion} {
		for _, q := range []pawl.Query{{}, {Ready: true}, {Status: []pawl.Status{pawl.InProgress}}, {Status: []pawl.Status{pawl.Completed}}} {
			q.Order = order
			w.view(func(r pawl.Reader) {
				all, err := r.Select(q)
				if err != nil || all.Next != nil {
					w.Fatalf("Select: next %v, %v", all.Next, err)
				}
				for limit := 1; limit <= len(all.Tasks)+1; limit++ {
					q.Limit, q.After = limit, nil
					var got []pawl.Task
					for pages := 1; ; pages++ {
						page, err := r.Select(q)
						if err != nil || page.Total != all.Total || page.Moved || len(page.Tasks) > limit {
							w.Fatalf("page %d of %d: %d of %d tasks, moved %v, %v", pages, limit, len(page.Tasks), page.Total, page.Moved, err)
						}
						got = append(got, page.Tasks...)
						if page.Next == nil {
							if want := max(1, (len(all.Tasks)+limit-1)/limit); pages != want {
								w.Errorf("%d pages of %d, want %d", pages, limit, want)
							}
							break
						}
						q.After = page.Next
					}
					same(w, fmt.Sprint("all pages of ", limit), all.Tasks, got)
				}
				q.Limit, q.After, q.Uncounted = 2, nil, true
				page, err := r.Select(q)
				if err != nil || page.Total != 0 || (page.Next != nil) != (len(all.Tasks) > 2) {
					w.Errorf("a page that is not counted: %d in all, next %v, %v", page.Total, page.Next, err)
				}
				same(w, "a page that is not counted", all.Tasks[:min(2, len(all.Tasks))], page.Tasks)
				q.Uncounted = false
			})
		}
	}
}

// manyClaims has several claim the tasks of a board.
func manyClaims(w *world) {
	const tasks, claimers = 40, 8
	var op pawl.Create
	for range tasks {
		op.Tasks = append(op.Tasks, pawl.NewTask{Subject: "one of many"})
	}
	if _, err := w.board.Do(w.ctx, pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op}); err != nil {
		w.Fatalf("Create: %v", err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	taken, tokens := map[pawl.ID]int{}, map[pawl.Revision]int{}
	for n := range claimers {
		wg.Go(func() {
			by := pawl.Actor{Name: "agent", Session: fmt.Sprint(n)}
			for {
				res, err := w.board.Do(w.ctx, pawl.Request{By: by, Op: pawl.ClaimTask{Lease: pawl.Duration(time.Minute)}})
				if errors.Is(err, pawl.Busy) {
					return
				}
				if err != nil {
					w.Errorf("claim: %v", err)
					return
				}
				mu.Lock()
				taken[res.IDs[0]]++
				tokens[res.Tasks[0].Claim.Token]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(taken) != tasks || len(tokens) != tasks {
		w.Errorf("%d of %d tasks were claimed, under %d tokens", len(taken), tasks, len(tokens))
	}
	for id, n := range taken {
		if n != 1 {
			w.Errorf("%v was claimed %d times", id, n)
		}
	}
}
