package storetest

import (
	"encoding/json"
	"reflect"

	"github.com/pawl-dev/pawl"
)

// Promise 5: nothing is shared. Each check spoils what it was given, or what
// it gave, and looks again.
func copyChecks() []check {
	board := func(w *world) {
		w.commitSteps(step{
			set: pawl.ChangeSet{OpID: "op", Result: []byte(`{"n":1}`), By: pawl.Actor{Name: "ada"}},
			edit: func(d draft) {
				d.add(full(1))
				d.add(full(2))
				d.add(full(3))
				d.block(1, 2)
				d.block(2, 3)
				d[3].Parent = 2
				d[2].Blocks = nil
			},
		})
		w.commit(func(d draft) { d[1].Labels, d[1].Subject = []string{"x", "y"}, "again" })
	}
	read := func(name string, spoiling func(w *world, r pawl.Reader)) check {
		return check{name: "5 what " + name + " returns is a copy", run: func(w *world) {
			board(w)
			w.view(func(r pawl.Reader) { spoiling(w, r) })
			w.agree()
			w.inUpdate(func(r pawl.Reader) { spoiling(w, r) })
			w.agree()
		}}
	}
	return []check{
		read("Get", func(w *world, r pawl.Reader) {
			tasks, err := r.Get(1, 2, 3)
			spoilAll(w, tasks, err)
			again, err := r.Get(1, 2, 3)
			if err != nil {
				w.Fatalf("Get: %v", err)
			}
			same(w, "tasks after others were spoilt", w.want.tasks.list(), again)
		}),
		read("Select", func(w *world, r pawl.Reader) {
			page, err := r.Select(pawl.Query{Order: pawl.ByUrgency})
			spoilAll(w, page.Tasks, err)
		}),
		read("Briefs", func(w *world, r pawl.Reader) {
			tasks, err := r.Briefs(1, 2, 3)
			spoilAll(w, tasks, err)
			page, err := r.Select(pawl.Query{Brief: true})
			spoilAll(w, page.Tasks, err)
			again, err := r.Briefs(1, 2, 3)
			if err != nil {
				w.Fatalf("Briefs: %v", err)
			}
			same(w, "briefs after others were spoilt", brief(w.want.tasks.list()), again)
		}),
		read("Nodes", func(w *world, r pawl.Reader) {
			nodes, err := r.Nodes(1, 2, 3)
			spoilAll(w, nodes, err)
		}),
		read("Reach", func(w *world, r pawl.Reader) {
			nodes, err := r.Reach(pawl.Dependents, 1)
			spoilAll(w, nodes, err)
			nodes, err = r.Reach(pawl.Dependencies, 2)
			spoilAll(w, nodes, err)
		}),
		read("Result", func(w *world, r pawl.Reader) {
			result, ok, err := r.Result("op")
			if !ok || err != nil {
				w.Fatalf("Result: %v, %v", ok, err)
			}
			spoil(reflect.ValueOf(result))
			again, _, _ := r.Result("op")
			same(w, "result after it was spoilt", `{"n":1}`, string(again))
		}),
		{name: "5 what Changes yields is a copy", run: func(w *world) {
			board(w)
			spoilAll(w, w.history(), nil)
			spoilAll(w, w.changes(pawl.Span{Backward: true}), nil)
			w.agree()
		}},
		{name: "5 what a commit brings is not kept", run: func(w *world) {
			board(w)
			var commits []pawl.Commit
			steps := func() []step {
				return []step{
					{
						set: pawl.ChangeSet{OpID: "second", Result: []byte(`{"n":2}`)},
						edit: func(d draft) {
							d.add(full(4))
							d[1].Metadata["n"] = json.RawMessage(`2`)
							d[1].Extra = nil
							d[1].Hold = &pawl.Hold{Reason: "other"}
							d[1].Notes = nil
							d[2].Labels = []string{"q"}
							d.block(1, 4)
						},
					},
					{edit: func(d draft) { d.remove(3) }},
				}
			}
			next := w.plan(steps()...)
			_, err := w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) {
				next.number(r.Revision())
				commits = append(commits, w.plan(steps()...).commit)
				return commits[len(commits)-1], nil
			})
			if err != nil {
				w.Fatalf("Update: %v", err)
			}
			w.want = next.state
			for _, c := range commits {
				spoilAll(w, c.Sets, nil)
				spoil(reflect.ValueOf(c.Ranks))
			}
			w.agree()
			w.view(func(r pawl.Reader) {
				result, _, err := r.Result("second")
				if err != nil {
					w.Errorf("Result: %v", err)
				}
				same(w, "result", `{"n":2}`, string(result))
			})
		}},
	}
}

// spoilAll spoils what was returned, which has to be something.
func spoilAll[T any](w *world, list []T, err error) {
	w.Helper()
	if err != nil || len(list) == 0 {
		w.Fatalf("%d of %T, %v", len(list), list, err)
	}
	spoil(reflect.ValueOf(list))
}

// spoil writes over everything that a copy has to have copied, and behind the ends of lists:
// what an append to a shared list would do.
func spoil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			spoil(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			spoil(v.Index(i))
		}
		if v.Len() < v.Cap() && v.Type().Elem().Kind() != reflect.Uint8 {
			reflect.Append(v, reflect.Zero(v.Type().Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				spoil(v.Field(i))
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			spoil(v.MapIndex(key))
			v.SetMapIndex(key, reflect.Value{})
			v.SetMapIndex(reflect.ValueOf("spoilt").Convert(key.Type()), reflect.Zero(v.Type().Elem()))
		}
	}
	switch {
	case !v.CanSet():
	case v.Kind() == reflect.String:
		v.SetString("spoilt")
	case v.CanInt():
		v.SetInt(99)
	case v.Kind() == reflect.Uint8:
		v.SetUint('!')
	}
}
