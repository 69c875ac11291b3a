package storetest

import (
	"encoding/json"
	"time"

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
			_, err := w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) {
				spoiling(w, r)
				return pawl.Commit{}, nil
			})
			if err != nil {
				w.Errorf("Update: %v", err)
			}
			w.agree()
		}}
	}
	return []check{
		read("Get", func(w *world, r pawl.Reader) {
			tasks, err := r.Get(1, 2, 3)
			spoilTasks(w, tasks, err)
			again, err := r.Get(1, 2, 3)
			if err != nil {
				w.Fatalf("Get: %v", err)
			}
			same(w, "tasks after others were spoilt", w.want.tasks.list(), again)
		}),
		read("Select", func(w *world, r pawl.Reader) {
			page, err := r.Select(pawl.Query{Order: pawl.ByUrgency})
			spoilTasks(w, page.Tasks, err)
		}),
		read("Briefs", func(w *world, r pawl.Reader) {
			tasks, err := r.Briefs(1, 2, 3)
			spoilTasks(w, tasks, err)
			page, err := r.Select(pawl.Query{Brief: true})
			spoilTasks(w, page.Tasks, err)
			again, err := r.Briefs(1, 2, 3)
			if err != nil {
				w.Fatalf("Briefs: %v", err)
			}
			same(w, "briefs after others were spoilt", brief(w.want.tasks.list()), again)
		}),
		read("Nodes", func(w *world, r pawl.Reader) {
			nodes, err := r.Nodes(1, 2, 3)
			spoilNodes(w, nodes, err)
		}),
		read("Reach", func(w *world, r pawl.Reader) {
			nodes, err := r.Reach(pawl.Dependents, 1)
			spoilNodes(w, nodes, err)
			nodes, err = r.Reach(pawl.Dependencies, 2)
			spoilNodes(w, nodes, err)
		}),
		read("Result", func(w *world, r pawl.Reader) {
			result, ok, err := r.Result("op")
			if !ok || err != nil {
				w.Fatalf("Result: %v, %v", ok, err)
			}
			spoilBytes(result)
			again, _, _ := r.Result("op")
			same(w, "result after it was spoilt", `{"n":1}`, string(again))
		}),
		{name: "5 what Changes yields is a copy", run: func(w *world) {
			board(w)
			for _, set := range append(w.history(), w.changes(pawl.Span{Backward: true})...) {
				spoilSet(set)
			}
			w.agree()
		}},
		{name: "5 what a commit brings is not kept", run: func(w *world) {
			board(w)
			var commits []pawl.Commit
			next := w.plan(
				step{
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
				step{edit: func(d draft) { d.remove(3) }},
			)
			_, err := w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) {
				next.number(r.Revision())
				commits = append(commits, cloneCommit(next.commit))
				return commits[len(commits)-1], nil
			})
			if err != nil {
				w.Fatalf("Update: %v", err)
			}
			w.want = next.state
			for _, c := range commits {
				for _, set := range c.Sets {
					spoilSet(set)
				}
				for i := range c.Ranks {
					c.Ranks[i] = pawl.Rank{ID: 1, Urgency: pawl.Low, Height: 99}
				}
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

func cloneCommit(c pawl.Commit) pawl.Commit {
	sets := make([]pawl.ChangeSet, len(c.Sets))
	for i, set := range c.Sets {
		sets[i] = set
		sets[i].Result = append([]byte(nil), set.Result...)
		sets[i].Changes = make([]pawl.Change, len(set.Changes))
		for j, change := range set.Changes {
			sets[i].Changes[j] = change
			sets[i].Changes[j].Fields = append([]pawl.Field(nil), change.Fields...)
			if change.Before != nil {
				before := change.Before.Clone()
				sets[i].Changes[j].Before = &before
			}
			if change.After != nil {
				after := change.After.Clone()
				sets[i].Changes[j].After = &after
			}
		}
	}
	c.Sets = sets
	c.Ranks = append([]pawl.Rank(nil), c.Ranks...)
	return c
}

// The spoilers write over everything that a copy has to have copied.

func spoilTasks(w *world, tasks []pawl.Task, err error) {
	w.Helper()
	if err != nil || len(tasks) == 0 {
		w.Fatalf("%d tasks, %v", len(tasks), err)
	}
	for i := range tasks {
		spoilTask(&tasks[i])
	}
}

func spoilTask(t *pawl.Task) {
	for _, ids := range [][]pawl.ID{t.BlockedBy, t.Blocks, t.Blockers, t.Children} {
		spoilIDs(ids)
	}
	for i := range t.Labels {
		t.Labels[i] = "spoilt"
	}
	for i := range t.Notes {
		t.Notes[i] = pawl.Note{Text: "spoilt", At: time.Unix(0, 0)}
	}
	if t.Hold != nil {
		t.Hold.Reason = "spoilt"
	}
	for i := range t.Checks {
		for _, words := range [][]string{t.Checks[i].Run, t.Checks[i].Env} {
			for j := range words {
				words[j] = "spoilt"
			}
		}
		t.Checks[i].Name = "spoilt"
	}
	for i := range t.Accept {
		t.Accept[i].Text = "spoilt"
	}
	for i := range t.Evidence {
		t.Evidence[i].Check = "spoilt"
	}
	for _, raw := range []map[string]json.RawMessage{t.Metadata, t.Extra} {
		for key, value := range raw {
			spoilBytes(value)
			delete(raw, key)
			raw["spoilt"] = json.RawMessage(`true`)
		}
	}
	t.Subject = "spoilt"
}

func spoilNodes(w *world, nodes []pawl.Node, err error) {
	w.Helper()
	if err != nil || len(nodes) == 0 {
		w.Fatalf("%d nodes, %v", len(nodes), err)
	}
	for _, n := range nodes {
		for _, ids := range [][]pawl.ID{n.BlockedBy, n.Blocks, n.Blockers, n.Children} {
			spoilIDs(ids)
		}
	}
}

// spoilIDs writes behind the end too: what an append to a shared list would do.
func spoilIDs(ids []pawl.ID) {
	for i := range ids {
		ids[i] = 999
	}
	if spare := ids[len(ids):cap(ids)]; len(spare) > 0 {
		spare[0] = 999
	}
}

func spoilBytes(b []byte) {
	for i := range b {
		b[i] = '!'
	}
}

func spoilSet(set pawl.ChangeSet) {
	spoilBytes(set.Result)
	for i := range set.Changes {
		c := &set.Changes[i]
		for j := range c.Fields {
			c.Fields[j] = "spoilt"
		}
		if c.Before != nil {
			spoilTask(c.Before)
		}
		if c.After != nil {
			spoilTask(c.After)
		}
		*c = pawl.Change{ID: 999}
	}
}
