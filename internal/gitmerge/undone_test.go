package gitmerge_test

import (
	"maps"
	"testing"

	"github.com/pawl-dev/pawl"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// What a merge brought is not lost because it was taken back and git has gone on:
// no write takes it again, and pawl merge does.
func TestUndoneMergeComesAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		merge func(ann *clone) // up to a merge that can be taken back
		after func(ann *clone)
	}{
		{"while git merges", func(ann *clone) { ann.stops("merge", "bob") }, func(*clone) {}},
		{"git committed what stood there", func(ann *clone) { ann.stops("merge", "bob") }, func(ann *clone) { ann.commit("Merge bob") }},
		{"and more", func(ann *clone) { ann.stops("merge", "bob") }, func(ann *clone) {
			ann.commit("Merge bob")
			ann.merger().Before(ctx(), ann.by())
			ann.write("more", "more")
			ann.commit("More")
		}},
		{"git had committed it", func(ann *clone) {
			ann.stops("merge", "bob")
			ann.git("checkout", "-q", "--ours", ".")
			ann.commit("Merge bob")
		}, func(*clone) {}},
		{"a rebase", func(ann *clone) {
			ann.stops("rebase", "bob")
			ann.git("checkout", "-q", "--theirs", ".")
			ann.git("add", "-A")
			ann.git("rebase", "--continue")
		}, func(*clone) {}},
	} {
		t.Run(test.name, func(t *testing.T) {
			long.Seldom(t, 6)
			ann, _ := twoClones(t)
			ann.merger().Before(ctx(), ann.by())
			test.merge(ann)
			before := ann.files()
			if out := ann.merge(); out.Revision == 0 {
				t.Fatalf("nothing was merged: %+v", out)
			}
			merged := ann.tasks()
			must.Get(ann.merger().Abort(ctx(), ann.by()))(t)
			test.after(ann)
			if out := ann.merger().Before(ctx(), ann.by()); out != nil {
				t.Errorf("a write took it again: %+v", out)
			}
			state, err := ann.merger().State(ctx())
			if err != nil || test.name != "and more" && (state.Next == nil || !state.ByHand) {
				t.Errorf("the status does not tell of it: %+v, %v", state, err)
			}
			if !maps.Equal(before, ann.files()) {
				t.Errorf("files were changed:\n%s", ann.tasks())
			}
			ann.merge()
			ann.has(merged)
			if out := ann.merge(); !out.Nothing() {
				t.Errorf("it is never done: %+v", out)
			}
		})
	}
}

// What somebody puts into the index while git merges is neither side's, and stays.
func TestWorkInTheIndexStays(t *testing.T) {
	t.Parallel()
	for _, resolved := range []bool{false, true} {
		ann, _ := twoClones(t)
		ann.stops("merge", "bob")
		ann.do(pawl.AddNote{ID: 1, Text: "while merging"})
		ann.add("While merging")
		ann.do(pawl.Delete{IDs: []pawl.ID{2}})
		ann.git("add", "-A", ".tasks/task_1.json", ".tasks/task_2.json", ".tasks/task_5.json")
		if resolved {
			ann.git("add", "-A") // and bob's are lost
		}
		if out := ann.merger().Before(ctx(), ann.by()); out == nil || len(out.Report.Deleted) != 0 {
			t.Errorf("outcome %+v", out)
		}
		ann.has(`
#1 Plan
#3 Retry hooks
#4 Wait for hooks after [#3]
#5 Rotate the key was [#3]
#6 Tell about the key after [#5] was [#4]
#7 While merging was [#5]
`)
		if err := pawl.NewBoard(ann.store()).View(ctx(), func(r pawl.Reader) error {
			one, err := r.Get(1)
			if err == nil && len(one[0].Notes) != 1 {
				t.Errorf("the note is lost: %+v", one)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
		if status := ann.git("diff", "--name-only"); status != "" && !resolved {
			t.Errorf("the index has not:\n%s", status)
		}
	}
}
