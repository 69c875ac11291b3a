package cli

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/schema"
	"github.com/pawl-dev/pawl/internal/merge"
)

// metAgain is what came of a pull that stopped at two files.
func metAgain() merge.Outcome {
	return merge.Outcome{
		Report: merge.Report{
			Arrived: []merge.Named{{ID: 12, Subject: "Rotate the key"}, {ID: 16, Subject: "Price tests"}},
			Changed: []pawl.ID{4, 15},
			Moved: []merge.Moved{{
				Named: merge.Named{ID: 15, Subject: "Retry hooks"}, From: 12, Side: merge.Ours,
				CreatedAt: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), Elder: "Rotate the key", ElderBy: "bob",
			}},
			Kept: []merge.Kept{{Named: merge.Named{ID: 9, Subject: "Cart total"}, Deleted: merge.Theirs}},
			Both: []merge.Both{{Named: merge.Named{ID: 4, Subject: "Cart"}, Ours: "ada", Theirs: "bob"}},
		},
		Sources:  []merge.Source{{Kind: merge.KindMerge, Name: "origin/main", Ours: "5e0c8f1", Theirs: "a1b8c7f"}},
		Revision: 7, Added: []string{".tasks/task_12.json", ".tasks/task_15.json", ".tasks/task_9.json"},
		Left: []string{"src/cart.ts"}, Waits: "git commit", Board: ".tasks",
	}
}

func TestMergeScreen(t *testing.T) {
	d := newFixture(t)
	d.must("add", "one")
	book := must.Get(schema.Open())(t)
	full := merge.Outcome{Dry: true, Sources: []merge.Source{{Kind: merge.KindRef, Name: "feature"}}, Report: merge.Report{
		Deleted:  []merge.Named{{ID: 8, Subject: "Old"}},
		Moved:    []merge.Moved{{Named: merge.Named{ID: 20, Subject: "Theirs"}, From: 3, Side: merge.Theirs, Elder: "Mine", ElderBy: "ada"}, {Named: merge.Named{ID: 21, Subject: "Again"}, From: 5, Side: merge.Ours}},
		Kept:     []merge.Kept{{Named: merge.Named{ID: 9, Subject: "Nine"}, Deleted: merge.Ours}},
		Cut:      []merge.Edge{{Task: 1, For: 2}, {Task: 3, For: 4, Parent: true}},
		Reopened: []merge.Named{{ID: 6, Subject: "Epic"}},
		Waiting:  []merge.Edge{{Task: 7, For: 8}},
		Noted:    []merge.Noted{{ID: 1, Field: pawl.FieldDescription, Side: merge.Theirs, Note: true, Value: "text"}, {ID: 2, Field: pawl.FieldPriority, Side: merge.Ours, Value: "high"}},
		Unclear:  []merge.Unclear{{ID: 2, Field: pawl.FieldParent, Took: 12}},
		Beside:   []merge.Leftover{{ID: 4, Why: "too many notes\x1b[31m", Text: []byte("text")}},
	}}
	many := merge.Outcome{Revision: 9, Commit: true}
	for i := range 30 {
		many.Report.Kept = append(many.Report.Kept, merge.Kept{Named: merge.Named{ID: pawl.ID(i + 1), Subject: "Task"}, Deleted: merge.Theirs})
	}
	for _, c := range []struct {
		args string
		is   merge.Outcome
		want string
		err  string
	}{
		{"merge", metAgain(), `Merged: 2 arrived, 1 changed, 1 moved, nothing lost (until you commit: pawl undo)
  moved  #12 Retry hooks → #15, bob's #12 Rotate the key is older
  kept   #9 Cart total: removed there, changed here
  both   #4 Cart: you and bob
         (branches share plans; a claim holds in one clone only)
  git    3 files added; src/cart.ts is left
`, "pawl: hint: resolve src/cart.ts, then git commit\n"},
		{"merge feature --dry-run", full, `Would merge feature: 1 removed there, 2 moved, nothing lost
  moved     #5 Again → #21
            their #3 Theirs → #20, your #3 Mine is older
  kept      #9 Nine: removed here, changed there
  removed   #8 Old: removed there
  cut       #1 no longer depends on #2: that closed a cycle
            #3 is no longer a child of #4: that closed a cycle
  reopened  #6 Epic: a child of it is open
  waits     #7 is in progress and depends on #8, which is open
  noted     #1: their description yielded to yours, and is a note now
            #2: your priority was replaced by theirs: high
  unclear   #2: its parent could mean two tasks, and was taken for #12
  beside    #4: too many notes\x1b[31m
`, ""},
		{"merge", many, `Merged: nothing lost (until you commit: pawl undo)
  kept  #1 Task: removed there, changed here
        #2 Task: removed there, changed here
        #3 Task: removed there, changed here
        #4 Task: removed there, changed here
        #5 Task: removed there, changed here
        and 25 more
`, "pawl: hint: git add .tasks && git commit -m \"Merge tasks\" .tasks\n"},
		{"merge", merge.Outcome{}, "Nothing to merge\n", ""},
		{"merge", merge.Outcome{Apart: true, Revision: 8, Waits: "git commit", Report: merge.Report{Changed: []pawl.ID{4}}}, "Merged: 1 changed, nothing lost (until you commit: pawl merge --abort)\n", "pawl: hint: git commit\n"},
		{"merge --dry-run", merge.Outcome{Dry: true}, "Nothing to merge\n", ""},
		{"merge", merge.Outcome{Done: true, Report: merge.Report{Arrived: []merge.Named{{ID: 1, Subject: "One"}, {ID: 2, Subject: "Two"}}}}, "Nothing to merge: git has done it (2 arrived)\n", ""},
		{"merge --abort", merge.Outcome{}, "No merge to take back\n", ""},
		{"merge --abort", merge.Outcome{Revision: 8, Waits: "git commit"}, "Took the merge back: the board is as git left it\n", ""},
	} {
		var asked Merging
		d.merge = func(m Merging) (merge.Outcome, error) { asked = m; return c.is, nil }
		got := d.run(strings.Fields(c.args)...)
		if got.code != 0 || got.out != c.want || got.err != c.err {
			t.Errorf("pawl %s: exit code %d\n%s%s\nwant\n%s%s", c.args, got.code, got.out, got.err, c.want, c.err)
		}
		real, err := filepath.EvalSymlinks(d.dir)
		if err != nil || asked.Dir != filepath.Join(real, ".tasks") && asked.Dir != filepath.Join(d.dir, ".tasks") || asked.By.Name != "ada" {
			t.Errorf("asked for %+v", asked)
		}
		got = d.run(append(strings.Fields(c.args), "--json")...)
		if err := book.Check("merge", []byte(got.out)); err != nil {
			t.Errorf("pawl %s --json: %v\n%s", c.args, err, got.out)
		}
	}

	d.merge = func(Merging) (merge.Outcome, error) {
		return merge.Outcome{Remark: "a merge of three branches is not taken apart"}, nil
	}
	if got := d.run("merge"); got.code != 4 || got.err != "pawl: a merge of three branches is not taken apart\n" {
		t.Errorf("exit code %d: %s%s", got.code, got.out, got.err)
	}
	for _, args := range []string{"merge --abort --dry-run", "merge --abort main", "merge a b"} {
		if got := d.run(strings.Fields(args)...); got.code != 2 {
			t.Errorf("pawl %s: exit code %d", args, got.code)
		}
	}
	if got := newFixture(t).run("merge"); got.code != 3 {
		t.Errorf("without a board: exit code %d: %s", got.code, got.err)
	}
}

// A meeting is a merger that has something to merge, once.
type meeting struct{ was *merge.Outcome }

func (m *meeting) Before(context.Context, pawl.Actor) *merge.Outcome {
	o := m.was
	m.was = nil
	return o
}

func (m *meeting) Stale(_ pawl.Actor, numbers []pawl.ID) []merge.Moved {
	if len(numbers) == 1 && numbers[0] == 12 {
		return metAgain().Report.Moved
	}
	return nil
}

func (m *meeting) Tell(pawl.Actor, []merge.Moved) {}

func (m *meeting) MayUndo(context.Context, pawl.Revision) error { return nil }

func (m *meeting) Undo(context.Context, pawl.Actor, pawl.Revision) (pawl.Result, error) {
	return pawl.Result{}, nil
}

// What was merged before a change is said, once, and also if the change is refused.
func TestMergeBeforeAChange(t *testing.T) {
	d := newFixture(t)
	d.must("add", "one")
	done := metAgain()
	done.Added, done.Left, done.Waits, done.Commit = nil, nil, "", true
	const told = "pawl: merged: 2 arrived, 1 changed, 1 kept, 1 with two owners, #12 is now #15 (bob's is older)\npawl: hint: git add .tasks && git commit -m \"Merge tasks\" .tasks\n"
	d.merger = &meeting{was: &done}
	if got := d.run("add", "two"); got.err != told || got.out != "Added #2 two\n" {
		t.Errorf("%s%s", got.out, got.err)
	}
	if got := d.run("add", "three"); got.err != "" {
		t.Errorf("said again: %s", got.err)
	}
	d.merger = &meeting{was: &done}
	if got := d.run("done", "12"); got.code != 4 || got.err != told+"pawl: #12 is now #15; #12 is bob's Rotate the key\n" {
		t.Errorf("exit code %d: %s%s", got.code, got.out, got.err)
	}
	d.merger = &meeting{was: &done}
	book := must.Get(schema.Open())(t)
	got := d.run("add", "four", "--json")
	if err := book.Check("result", []byte(got.out)); err != nil || !strings.Contains(got.out, `"merged":{"said":"2 arrived, 1 changed, 1 kept, 1 with two owners, #12 is now #15 (bob's is older)"`) {
		t.Errorf("%v: %s", err, got.out)
	}
	d.merger = &meeting{was: &merge.Outcome{Remark: "git is rebasing: run pawl merge, then git rebase --continue"}}
	if got := d.run("add", "five"); got.err != "pawl: git is rebasing: run pawl merge, then git rebase --continue\n" {
		t.Errorf("%s", got.err)
	}
}

// The status says what git and the board wait for, and nothing where they do not.
func TestStatusWithGit(t *testing.T) {
	d := newFixture(t)
	d.must("add", "one")
	book := must.Get(schema.Open())(t)
	next := metAgain()
	own := merge.Outcome{Dry: true, Report: merge.Report{Changed: []pawl.ID{4}}}
	for _, c := range []struct {
		is        merge.State
		head, err string
	}{
		{merge.State{}, "1 open, 0 done", ""},
		{merge.State{Under: "merge", Waits: "git commit", Left: []string{"src/cart.ts"}}, "1 open, 0 done", ""},
		{merge.State{Next: &next}, "1 open, 0 done; 2 arrived", "pawl: two tasks are #12; at the next change yours becomes #15 (now: pawl merge)\n"},
		{merge.State{Next: &next, ByHand: true}, "1 open, 0 done; 2 arrived", "pawl: two tasks are #12; yours becomes #15 with pawl merge\n"},
		{merge.State{Next: &merge.Outcome{Done: true, Report: merge.Report{Arrived: next.Report.Arrived, Changed: []pawl.ID{4}}}}, "1 open, 0 done; 2 arrived", ""},
		{merge.State{Next: &own}, "1 open, 0 done", "pawl: at the next change another branch's board is merged: 1 changed (now: pawl merge)\n"},
		{
			merge.State{Under: "merge", Waits: "git commit", Tasks: []string{".tasks/task_9.json"}, Left: []string{"src/cart.ts"}, Board: ".tasks"},
			"1 open, 0 done", "pawl: git is merging: pawl merge for .tasks; src/cart.ts is yours\n",
		},
		{
			merge.State{Under: "rebase", Waits: "git rebase --continue", Tasks: []string{".tasks/task_9.json"}, Board: ".tasks", Next: &next, ByHand: true},
			"1 open, 0 done; 2 arrived", "pawl: git is rebasing: pawl merge for .tasks, then git rebase --continue\npawl: two tasks are #12; yours becomes #15\npawl: #9 Cart total: removed there, changed here; it stays\n",
		},
		{
			merge.State{Under: "rebase", Waits: "git rebase --continue", Left: []string{"cart.js"}, Board: ".tasks"},
			"1 open, 0 done", "pawl: git is rebasing: tasks of your later commits are not here yet, and their numbers can be other tasks'; before git rebase --continue: git add .tasks\n",
		},
		{merge.State{Tasks: []string{".tasks/task_9.json"}}, "1 open, 0 done", "pawl: git has conflicts in 1 file of the board: pawl merge\n"},
		{merge.State{Next: &merge.Outcome{Remark: "a merge of three branches"}}, "1 open, 0 done", "pawl: a merge of three branches\n"},
	} {
		d.state = c.is
		got := d.run()
		head, _, _ := strings.Cut(got.out, "\n")
		if _, head, _ = strings.Cut(head, ": "); head != c.head || got.err != c.err || got.code != 0 {
			t.Errorf("%+v:\n%q\n%q, want\n%q\n%q", c.is, head, got.err, c.head, c.err)
		}
		if got = d.run("status", "--json"); got.err != "" || book.Check("status", []byte(got.out)) != nil {
			t.Errorf("%v\n%s%s", book.Check("status", []byte(got.out)), got.out, got.err)
		}
		if d.accesses != 1 {
			t.Errorf("%d accesses", d.accesses)
		}
	}
}
