package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// readChecks hold a Reader to its answers: queries to [pawl.Query.Match] over every
// task, pages to one page with all of them.
func readChecks() []check {
	checks := []check{
		{name: "reader Get returns tasks in the order asked for", run: func(w *world) {
			workload(w)
			w.view(func(r pawl.Reader) { w.ordered(r.Get, func(t pawl.Task) pawl.Task { return t }) })
		}},
		{name: "reader Get names all that are missing", run: func(w *world) {
			workload(w)
			w.view(func(r pawl.Reader) {
				tasks, err := r.Get(99, 1, 2, 77)
				wantKind(w, pawl.NotFound, err)
				if tasks != nil {
					w.Errorf("%d tasks with an error", len(tasks))
				}
				if e, ok := errors.AsType[*pawl.Error](err); ok {
					slices.Sort(e.IDs)
					same(w, "missing", []pawl.ID{2, 77, 99}, e.IDs)
				}
				for _, id := range []pawl.ID{0, -1, pawl.MaxID} {
					_, err := r.Get(id)
					wantKind(w, pawl.NotFound, err)
				}
			})
		}},
		{name: "reader Briefs returns tasks without their long texts", run: func(w *world) {
			workload(w)
			w.commit(func(d draft) {
				d[1].Description, d[1].Subject, d[1].Metadata = "long", "short", map[string]json.RawMessage{pawl.RefKey: []byte(`"x"`), "k": []byte("1")}
			})
			w.view(func(r pawl.Reader) {
				w.ordered(r.Briefs, func(t pawl.Task) pawl.Task { return t.Brief() })
				if tasks, err := r.Briefs(1, 99); tasks != nil || pawl.KindOf(err) != pawl.NotFound {
					w.Errorf("a task that is not there: %v, %v", tasks, err)
				}
				page, err := r.Select(pawl.Query{Text: "LONG", Brief: true})
				if err != nil {
					w.Fatalf("Select: %v", err)
				}
				same(w, "briefs by a text that they lack", brief(w.want.tasks.pick([]pawl.ID{1})), page.Tasks)
			})
		}},
		{name: "reader Nodes returns the shape of tasks", run: func(w *world) {
			workload(w)
			w.view(func(r pawl.Reader) {
				ids := []pawl.ID{5, 2, 1, 1, 3, 99, 4}
				nodes, err := r.Nodes(ids...)
				if err != nil {
					w.Fatalf("Nodes: %v", err)
				}
				same(w, "nodes", w.want.tasks.nodes(ids), nodes)
				none, err := r.Nodes()
				if len(none) != 0 || err != nil {
					w.Errorf("Nodes(): %v, %v", none, err)
				}
			})
		}},
		{name: "reader derived fields follow from edges, parents and status", run: func(w *world) {
			w.commit(func(d draft) {
				for id := range pawl.ID(6) {
					d.add(pawl.Task{ID: id + 1})
				}
				d[1].Blocks = []pawl.ID{4, 2} // in no order
				d[3].Blocks = []pawl.ID{2}
				d[5].Parent, d[6].Parent = 2, 2
			})
			w.commit(func(d draft) { d[3].Status = pawl.Completed })
			w.commit(func(d draft) { d[5].Status = pawl.Completed })
			w.commit(func(d draft) { d[1].Blocks = []pawl.ID{4} })
			w.commit(func(d draft) { d[6].Parent = 1 })
			w.commit(func(d draft) { d[3].Status, d[5].Status = pawl.Pending, pawl.InProgress })
			w.commit(func(d draft) { d.remove(3); d.remove(6) })
			w.reopen()
			w.agree()
		}},
		{name: "reader Select counts what was cut off", run: func(w *world) {
			large(w, pawl.MaxPage+5)
			w.view(func(r pawl.Reader) {
				for limit, want := range map[int]int{0: pawl.MaxPage, pawl.MaxPage + 1: pawl.MaxPage, -1: pawl.MaxPage, 7: 7} {
					page, err := r.Select(pawl.Query{Limit: limit})
					if err != nil || len(page.Tasks) != want || page.Total != pawl.MaxPage+5 || page.Next == nil {
						w.Errorf("limit %d: %d of %d tasks, next %v, %v", limit, len(page.Tasks), page.Total, page.Next, err)
					}
				}
			})
		}},
		{name: "reader pages keep their place while the board moves", run: pagesWhileMoving},
		{name: "reader a page says whether the board moved", run: func(w *world) {
			workload(w)
			next := func(cursor *pawl.Cursor) pawl.Page {
				var page pawl.Page
				w.view(func(r pawl.Reader) {
					var err error
					if page, err = r.Select(pawl.Query{Limit: 1, After: cursor}); err != nil {
						w.Fatalf("Select: %v", err)
					}
				})
				return page
			}
			first := next(nil)
			second := next(first.Next)
			w.commit(func(d draft) { d[1].Description = "moved" })
			third := next(second.Next)
			fourth := next(third.Next)
			same(w, "moved", []bool{false, false, true, true}, []bool{first.Moved, second.Moved, third.Moved, fourth.Moved})
			if fourth.Next != nil || fourth.Revision != w.want.revision {
				w.Errorf("last page: %+v", fourth)
			}
		}},
		{name: "reader Reach walks edges and parents, by id", run: reach},
		{name: "reader Reach follows a long chain", run: func(w *world) {
			const n = 1_000
			w.commit(func(d draft) {
				for id := range pawl.ID(n) {
					d.add(pawl.Task{ID: n - id})
				}
				for id := range pawl.ID(n - 1) {
					d[n-id].Blocks = []pawl.ID{n - id - 1} // against the numbers
				}
			})
			w.view(func(r pawl.Reader) {
				for dir, from := range map[pawl.Direction]pawl.ID{pawl.Dependents: n, pawl.Dependencies: 1} {
					nodes, err := r.Reach(dir, from)
					if err != nil || len(nodes) != n {
						w.Errorf("Reach(%v, %v): %d nodes, %v", dir, from, len(nodes), err)
					}
				}
			})
		}},
	}
	for n, q := range queries(time.Time{}) {
		checks = append(checks, check{name: "reader Select " + q.name, run: func(w *world) { selects(w, n) }})
	}
	for _, v := range values() {
		checks = append(checks, check{name: "value " + v.name, run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1}); d.add(pawl.Task{ID: 2}) })
			w.commit(func(d draft) { v.set(d[1]) })
			w.commit(func(d draft) { d.add(pawl.Task{ID: 3}); v.set(d[3]) })
			w.commit(func(d draft) { d[1].UpdatedAt = w.clock.stored(); d.block(1, 2) })
			w.reopen()
			w.agree()
		}})
	}
	return checks
}

// ordered holds what get returns to the order of the ids, and to what each task should be.
func (w *world) ordered(get func(ids ...pawl.ID) ([]pawl.Task, error), be func(pawl.Task) pawl.Task) {
	w.Helper()
	for _, ids := range [][]pawl.ID{{}, {3}, {5, 1, 3}, {1, 1}, {4, 3, 4}} {
		tasks, err := get(ids...)
		if err != nil {
			w.Fatalf("of %v: %v", ids, err)
		}
		want := w.want.tasks.pick(ids)
		for i := range want {
			want[i] = be(want[i])
		}
		same(w, fmt.Sprint("of ", ids), want, tasks)
	}
}

func (d draft) pick(ids []pawl.ID) []pawl.Task {
	tasks := []pawl.Task{}
	for _, id := range ids {
		tasks = append(tasks, d[id].Clone())
	}
	return tasks
}

func brief(tasks []pawl.Task) []pawl.Task {
	for i := range tasks {
		tasks[i] = tasks[i].Brief()
	}
	return tasks
}

func (d draft) nodes(ids []pawl.ID) []pawl.Node {
	nodes := []pawl.Node{}
	for _, id := range ids {
		if t := d[id]; t != nil {
			nodes = append(nodes, t.Node())
		} else {
			nodes = append(nodes, pawl.Node{ID: id, Missing: true})
		}
	}
	return nodes
}

// large makes a board of n tasks in commits of a size that Board makes too.
func large(w *world, n int) {
	w.Helper()
	w.commit(func(d draft) {
		for id := range pawl.ID(n) {
			d.add(pawl.Task{ID: id + 1})
		}
	})
}

// pagesWhileMoving changes the board between pages. Tasks that did not move are
// returned exactly once; new ones behind the cursor are seen, before it they are
// not.
func pagesWhileMoving(w *world) {
	w.commit(func(d draft) {
		for id := range pawl.ID(9) {
			d.add(pawl.Task{ID: 10 * (id + 1)})
		}
	})
	var seen []pawl.ID
	page := pawl.Page{Next: nil}
	read := func() {
		w.Helper()
		w.view(func(r pawl.Reader) {
			w.Helper()
			var err error
			if page, err = r.Select(pawl.Query{Limit: 3, After: page.Next}); err != nil {
				w.Fatalf("Select: %v", err)
			}
		})
		for _, t := range page.Tasks {
			seen = append(seen, t.ID)
		}
	}
	read() // 10 20 30
	w.commit(func(d draft) {
		d.remove(30) // where the cursor stands
		d.remove(50)
		d.add(pawl.Task{ID: 25})
		d.add(pawl.Task{ID: 35})
	})
	read() // 35 40 60
	w.commit(func(d draft) { d.remove(10) })
	read()
	same(w, "seen", []pawl.ID{10, 20, 30, 35, 40, 60, 70, 80, 90}, seen)
	if page.Next != nil || page.Total != 8 || !page.Moved {
		w.Errorf("last page: next %v, total %d, moved %v", page.Next, page.Total, page.Moved)
	}
}

func reach(w *world) {
	w.commit(func(d draft) {
		for id := range pawl.ID(9) {
			d.add(pawl.Task{ID: id + 1})
		}
		d.block(9, 2) // 9 → 2 → 4 → 6, 9 → 3 → 4, and 5 is a child of 4, 7 of 5
		d.block(9, 3)
		d.block(2, 4)
		d.block(3, 4)
		d.block(4, 6)
		d[5].Parent, d[7].Parent = 4, 5
		d[2].Status = pawl.Completed
	})
	for _, tt := range []struct {
		dir  pawl.Direction
		from []pawl.ID
		want []pawl.ID
	}{
		{pawl.Dependents, []pawl.ID{9}, []pawl.ID{2, 3, 4, 6, 9}},
		{pawl.Dependents, []pawl.ID{7}, []pawl.ID{4, 5, 6, 7}},
		{pawl.Dependents, []pawl.ID{1}, []pawl.ID{1}},
		{pawl.Dependents, []pawl.ID{6, 1, 6}, []pawl.ID{1, 6}},
		{pawl.Dependencies, []pawl.ID{6}, []pawl.ID{2, 3, 4, 5, 6, 7, 9}},
		{pawl.Dependencies, []pawl.ID{5}, []pawl.ID{5, 7}},
		{pawl.Dependencies, []pawl.ID{2, 8}, []pawl.ID{2, 8, 9}},
		{pawl.Dependencies, []pawl.ID{77, 2}, []pawl.ID{2, 9, 77}},
		{pawl.Dependents, nil, nil},
	} {
		w.view(func(r pawl.Reader) {
			nodes, err := r.Reach(tt.dir, tt.from...)
			if err != nil {
				w.Fatalf("Reach(%v, %v): %v", tt.dir, tt.from, err)
			}
			same(w, fmt.Sprintf("Reach(%v, %v)", tt.dir, tt.from), w.want.tasks.nodes(tt.want), nodes)
		})
	}
}
