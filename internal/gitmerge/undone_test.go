package gitmerge_test

import (
	"maps"
	"testing"
)

// What a merge brought is not lost because it was taken back and git has gone on:
// no write takes it again, and pawl merge does.
func TestUndoneMergeComesAgain(t *testing.T) {
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
			ann, _ := twoClones(t)
			ann.merger().Before(ctx(), ann.by())
			test.merge(ann)
			before := ann.files()
			if out := ann.merge(); out.Revision == 0 {
				t.Fatalf("nothing was merged: %+v", out)
			}
			merged := ann.tasks()
			if _, err := ann.merger().Abort(ctx(), ann.by()); err != nil {
				t.Fatal(err)
			}
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
