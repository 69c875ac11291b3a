package storetest

import (
	"fmt"
	"time"

	"github.com/pawl-dev/pawl"
)

// Promise 10: a glance shows what a view shows. A store that has no quick answer
// is asked anyway, because [pawl.Board.Glance] has one for each.
func glanceChecks() []check {
	queries := []pawl.GlanceQuery{
		{},
		{Session: "s1"}, {Session: "s2"}, {Session: "tty"}, {Session: "nobody"},
		{IDs: []pawl.ID{5}}, {IDs: []pawl.ID{13, 2, 99, 7, 2, 6}},
		{Ready: 1}, {Ready: pawl.MaxGlance}, {Ready: 3, For: "ada"}, {Ready: pawl.MaxGlance, For: "zoe"},
		{Session: "s2", IDs: []pawl.ID{1, 8, 11}, Ready: 5, For: "ada"},
	}
	return []check{
		{name: "10 a glance shows what is claimed, named and next", run: func(w *world) {
			crowd(w)
			// At this time one lease has ended, one ends, one runs; an hour later, all have ended.
			for range 2 {
				for _, q := range queries {
					w.glance(q)
				}
				w.clock.Advance(time.Hour)
			}
		}},
		{name: "10 a glance shows what was committed just now", run: func(w *world) {
			q := pawl.GlanceQuery{Session: "s1", IDs: []pawl.ID{1, 2, 3, 4, 5}, Ready: 3}
			w.glance(q)
			crowd(w)
			for _, edit := range []func(d draft){
				func(d draft) { d[1].Subject = "anew" },
				func(d draft) { d[6].Status = pawl.Completed; d[6].Claim = pawl.Claim{} },
				func(d draft) {
					d[1].Status, d[1].Owner, d[1].Claim = pawl.InProgress, "ada", pawl.Claim{Session: "s1", Token: 2}
				},
				func(d draft) { d[1].Notes = append(d[1].Notes, pawl.Note{Text: "halfway"}) },
				func(d draft) { d[1].Status, d[1].Claim = pawl.Completed, pawl.Claim{} },
				func(d draft) { d.remove(1) },
				func(d draft) { d[2].Hold = &pawl.Hold{Reason: "why", At: w.clock.stored()} },
				func(d draft) { d.add(pawl.Task{ID: 14, Priority: pawl.High}) },
			} {
				w.commit(edit)
				w.glance(q)
			}
			w.reopen()
			w.glance(q)
		}},
		{name: "10 a glance shows what another store committed", needs: canShare, run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1, Description: "0"}) })
			other := w.share()
			for i := range 3 {
				rev := w.count(other)
				g, err := w.board.Glance(w.ctx, pawl.GlanceQuery{IDs: []pawl.ID{1}})
				if err != nil || len(g.Tasks) != 1 || g.Revision != rev || g.Tasks[0].Description != fmt.Sprint(i+1) {
					w.Errorf("at revision %d after %d commits: %+v, %v", rev, i+1, g, err)
				}
			}
		}},
		{name: "10 the lists of a glance are bounded", run: func(w *world) {
			const tasks = 4 * pawl.MaxGlance
			var ids []pawl.ID
			w.commit(func(d draft) {
				for id := range pawl.ID(tasks) {
					d.add(pawl.Task{ID: id + 1})
					if ids = append(ids, id+1); id%2 == 0 {
						d[id+1].Status, d[id+1].Owner, d[id+1].Claim = pawl.InProgress, "ada", pawl.Claim{Session: "s1", Token: 1}
					}
				}
			})
			for _, q := range []pawl.GlanceQuery{{Session: "s1"}, {IDs: ids}, {Ready: tasks}, {Ready: -1}} {
				w.glance(q)
			}
		}},
		{name: "10 what a glance returns is a copy", run: func(w *world) {
			crowd(w)
			q := pawl.GlanceQuery{Session: "s1", IDs: []pawl.ID{3, 9}, Ready: 2}
			for range 2 {
				g := w.glance(q)
				for _, tasks := range [][]pawl.Task{g.Claimed, g.Tasks, g.Ready} {
					spoilAll(w, tasks, nil)
				}
			}
			w.agree()
		}},
	}
}

// glance looks at the board in passing, and compares with what a view shows.
func (w *world) glance(q pawl.GlanceQuery) pawl.Glance {
	w.Helper()
	g, err := w.board.Glance(w.ctx, q)
	want, viewErr := pawl.NewBoard(struct{ pawl.Store }{w.store}).Glance(w.ctx, q) // which is no Glancer
	if err != nil || viewErr != nil {
		w.Fatalf("Glance(%+v): %v, %v", q, err, viewErr)
	}
	same(w, fmt.Sprintf("Glance(%+v)", q), want, g)
	return g
}
