package storetest

import (
	"encoding/json"
	"errors"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/spoil"
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
	var checks []check
	for _, of := range []struct {
		name string
		read func(r pawl.Reader) (any, error)
	}{
		{"Get", func(r pawl.Reader) (any, error) { return r.Get(1, 2, 3) }},
		{"Briefs", func(r pawl.Reader) (any, error) { return r.Briefs(1, 2, 3) }},
		{"Select", func(r pawl.Reader) (any, error) { return r.Select(pawl.Query{Order: pawl.ByUrgency}) }},
		{"a brief Select", func(r pawl.Reader) (any, error) { return r.Select(pawl.Query{Brief: true}) }},
		{"Nodes", func(r pawl.Reader) (any, error) { return r.Nodes(1, 2, 3) }},
		{"Reach forward", func(r pawl.Reader) (any, error) { return r.Reach(pawl.Dependents, 1) }},
		{"Reach backward", func(r pawl.Reader) (any, error) { return r.Reach(pawl.Dependencies, 2) }},
		{"Result", func(r pawl.Reader) (any, error) { result, _, err := r.Result("op"); return result, err }},
	} {
		checks = append(checks, check{name: "5 what " + of.name + " returns is a copy", run: func(w *world) {
			board(w)
			var first string
			look := func(r pawl.Reader) {
				for range 2 {
					got, err := of.read(r)
					text, bad := pawl.Encode(got)
					if err := errors.Join(err, bad); err != nil {
						w.Fatalf("%s: %v", of.name, err)
					}
					if first == "" {
						first = string(text)
					}
					same(w, of.name+" after what it returned was spoilt", first, string(text))
					spoil.All(got)
				}
			}
			w.view(look)
			w.agree()
			w.inUpdate(look)
			w.agree()
		}})
	}
	return append(checks, []check{
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
				spoil.All(c.Ranks)
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
	}...)
}

// spoilAll spoils what was returned, which has to be something.
func spoilAll[T any](w *world, list []T, err error) {
	w.Helper()
	if err != nil || len(list) == 0 {
		w.Fatalf("%d of %T, %v", len(list), list, err)
	}
	spoil.All(list)
}
