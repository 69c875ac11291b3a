package gitmerge_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"

	"github.com/pawl-dev/pawl/internal/dev/long"
)

// What a person leaves out of a rebase does not come back.
func TestRebaseLeavesOut(t *testing.T) {
	t.Parallel()
	left := func(ann *clone, args ...string) { // Drop is left out
		ann.git(append([]string{"-c", `sequence.editor=sed -i -e "/Drop$/d"`, "rebase", "-q", "-i"}, args...)...)
	}
	contested := func(ann *clone) {
		ann.write(".tasks/task_3.json", `{"id": 3, "subject": "Dropped", "createdAt": "2026-01-02T03:04:05.006Z"}`+"\n")
	}
	for _, test := range []struct {
		name   string
		before func(ann *clone)
		drop   func(ann *clone) // what the commit named Drop does
		rebase func(ann *clone)
		want   string
		stays  string
	}{
		{"a task", nil, func(ann *clone) { ann.add("Dropped", 2) }, func(ann *clone) { left(ann, "bob") }, "", "Dropped"},
		{"a change", nil, func(ann *clone) { ann.do(pawl.Complete{IDs: []pawl.ID{1}}) }, func(ann *clone) { left(ann, "bob") }, "#1 Plan\n", "#1 Plan completed"},
		{"one change of two", func(ann *clone) { ann.do(pawl.AddNote{ID: 1, Text: "kept"}) },
			func(ann *clone) { ann.do(pawl.Complete{IDs: []pawl.ID{1}}) }, func(ann *clone) { left(ann, "bob") }, "#1 Plan\n", "#1 Plan completed"},
		{"a removal", nil, func(ann *clone) { ann.do(pawl.Delete{IDs: []pawl.ID{1}}) }, func(ann *clone) { left(ann, "bob") }, "#1 Plan\n", ""},
		{"a task whose number bob's has", func(ann *clone) { ann.git("reset", "-q", "--hard", "HEAD~1") },
			contested, func(ann *clone) { left(ann, "bob") }, "#3 Retry hooks\n", "Dropped"},
		{"a topic below", nil, func(ann *clone) {
			ann.add("Dropped")
		}, func(ann *clone) { ann.git("rebase", "-q", "--onto", "bob", "HEAD~1") }, "", "Dropped"},
		{"a conflict", func(ann *clone) { ann.git("reset", "-q", "--hard", "HEAD~1") },
			contested, func(ann *clone) {
				ann.git("config", "--unset", "merge.pawl.driver")
				ann.stops("rebase", "bob")
				ann.git("rebase", "--skip")
			}, "#3 Retry hooks\n", "Dropped"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ann, _ := twoClones(t)
			ann.drive()
			if test.before != nil {
				test.before(ann)
			}
			ann.write("x", "x")
			ann.commit("Before")
			ann.merger().Before(ctx(), ann.by())
			test.drop(ann)
			ann.commit("Drop")
			ann.add("Stays", 2)
			ann.commit("More")
			test.rebase(ann)
			ann.merger().Before(ctx(), ann.by())
			got := ann.tasks()
			if !strings.Contains(got, test.want) || test.stays != "" && strings.Contains(got, test.stays) {
				t.Errorf("now there is\n%s", got)
			}
			for _, subject := range []string{"Retry hooks", "Wait for hooks", "Stays"} {
				if strings.Count(got, subject) != 1 {
					t.Errorf("%s is not there once:\n%s", subject, got)
				}
			}
		})
	}
}

// Nor does what a merge was told to take nothing of, here and in a clone that gets it.
func TestMergeLeavesOut(t *testing.T) {
	t.Parallel()
	for name, only := range map[string]bool{"a new task": false, "a change": true} {
		t.Run(name, func(t *testing.T) {
			long.Seldom(t, 6)
			ann, bob := twoClones(t)
			if only {
				bob.git("reset", "-q", "--hard", "HEAD~1")
			}
			bob.do(pawl.Complete{IDs: []pawl.ID{1}})
			if !only {
				bob.add("Dropped")
			}
			bob.commit("More")
			ann.merger().Before(ctx(), ann.by())
			cleo := ann.clone("cleo")
			cleo.merger().Before(ctx(), cleo.by())
			want := ann.files()
			ann.git("pull", "-q", "--no-rebase", "--no-edit", "-s", "ours", bob.dir, "main")
			clones := []*clone{ann}
			if !only { // else only the clone that did it can know
				cleo.git("pull", "-q", "--ff-only", ann.dir, "main")
				clones = append(clones, cleo)
			}
			for _, c := range clones {
				if out := c.merger().Before(ctx(), c.by()); out != nil || !maps.Equal(c.files(), want) {
					t.Errorf("%s: %+v\n%s", c.name, out, c.tasks())
				}
			}
		})
	}
}
