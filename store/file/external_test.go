package file

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// edit replaces a part of a task's file in place, as naive programs do.
func (d *disk) edit(t testing.TB, id pawl.ID, old, new string) {
	t.Helper()
	d.now += 1e9
	text := d.text(taskName(id))
	if !strings.Contains(text, old) {
		t.Fatalf("the file of %v has no %q:\n%s", id, old, text)
	}
	d.put(taskName(id), strings.Replace(text, old, new, 1))
}

func expect(t testing.TB, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: %s, want %s", what, g, w)
	}
}

// A naive program completes a task: it takes it out of the blockedBy of the
// others, one file after the other, and then writes its own. We may come by
// between any two of them.
func TestNaiveCompletes(t *testing.T) {
	for visit := range 4 {
		d := board(t, pawl.Create{Tasks: []pawl.NewTask{
			{Ref: "a", Subject: "a"},
			{Subject: "b", BlockedBy: []pawl.Ref{pawl.RefName("a")}},
			{Subject: "c", BlockedBy: []pawl.Ref{pawl.RefName("a")}},
		}})
		for i, edit := range []func(){
			func() { d.edit(t, 2, `"blockedBy": [1]`, `"blockedBy": []`) },
			func() { d.edit(t, 3, `"blockedBy": [1]`, `"blockedBy": []`) },
			func() { d.edit(t, 1, `"pending"`, `"completed"`) },
		} {
			if i == visit {
				comeBy(t, d)
			}
			edit()
		}
		tasks := see(t, d)
		expect(t, "blocks of 1", tasks[1].Blocks, []pawl.ID{2, 3})
		expect(t, "2 waits for", tasks[2].BlockedBy, []pawl.ID{})
		expect(t, "blockers of 3", tasks[3].Blockers, []pawl.ID{1})
		do(t, d, pawl.Reopen{IDs: []pawl.ID{1}})
		tasks = see(t, d)
		expect(t, "2 waits again for", tasks[2].BlockedBy, []pawl.ID{1})
		expect(t, "3 waits again for", tasks[3].BlockedBy, []pawl.ID{1})
	}
}

// The newer naive program has no key "blocks" in its files.
func TestNaiveWithoutBlocks(t *testing.T) {
	d := board(t, chain("a", "b"))
	d.edit(t, 1, "\n  \"blocks\": [2],", "")
	tasks := see(t, d)
	expect(t, "blocks of 1", tasks[1].Blocks, []pawl.ID{2})
	d.edit(t, 2, `"blockedBy": [1]`, `"blockedBy": []`)
	d.edit(t, 1, `"pending"`, `"completed"`)
	tasks = see(t, d)
	expect(t, "2 waits for", tasks[2].BlockedBy, []pawl.ID{})
	expect(t, "blocks of 1", tasks[1].Blocks, []pawl.ID{2})
	d.edit(t, 1, `"completed"`, `"pending"`)
	expect(t, "2 waits again for", see(t, d)[2].BlockedBy, []pawl.ID{1})
}

func TestOneSide(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(t testing.TB, d *disk)
		want []pawl.ID // what 2 waits for
	}{
		{"removed from blockedBy", func(t testing.TB, d *disk) { d.edit(t, 2, `"blockedBy": [1]`, `"blockedBy": []`) }, nil},
		{"removed from blocks", func(t testing.TB, d *disk) { d.edit(t, 1, `"blocks": [2]`, `"blocks": []`) }, nil},
		{"added to blockedBy", func(t testing.TB, d *disk) { d.edit(t, 2, `"blockedBy": [1]`, `"blockedBy": [3, 1]`) }, []pawl.ID{3, 1}},
		{"added to blocks", func(t testing.TB, d *disk) { d.edit(t, 3, `"blocks": []`, `"blocks": [2]`) }, []pawl.ID{1, 3}},
		{"added although completed", func(t testing.TB, d *disk) {
			do(t, d, pawl.Complete{IDs: []pawl.ID{3}})
			d.edit(t, 2, `"blockedBy": [1]`, `"blockedBy": [3, 1]`)
		}, []pawl.ID{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := board(t, chain("a", "b"), create("c"))
			c.edit(t, d)
			tasks := see(t, d)
			expect(t, "2 waits for", tasks[2].BlockedBy, c.want)
			one, two, three := d.text(taskName(1)), d.text(taskName(2)), d.text(taskName(3))
			comeBy(t, d)
			if one != d.text(taskName(1)) || two != d.text(taskName(2)) || three != d.text(taskName(3)) {
				t.Error("an edge was healed by writing")
			}
			problems, err := simStore(t, d.process()).Check(context.Background())
			must.Do(t, err)
			kinds := []string{"one-sided"}
			if tasks[3].Status == pawl.Completed {
				kinds = []string{"outdated", "one-sided"}
			}
			if !slices.EqualFunc(problems, kinds, func(p pawl.Problem, kind string) bool { return p.Kind == kind }) {
				t.Errorf("the check says %+v", problems)
			}
			// It stays so when its own file is written by an op.
			do(t, d, pawl.AddNote{ID: 2, Text: "hm"}, pawl.AddNote{ID: 1, Text: "hm"})
			expect(t, "2 still waits for", see(t, d)[2].BlockedBy, c.want)
		})
	}
}

// A blocker whose file is gone blocks and is named; what refers to it stays.
func TestMissing(t *testing.T) {
	d := board(t, chain("a", "b"))
	text := d.text(taskName(1))
	d.drop(taskName(1))
	tasks := see(t, d)
	if len(tasks) != 1 {
		t.Fatalf("the board is %v", tasks)
	}
	expect(t, "2 waits for", tasks[2].BlockedBy, []pawl.ID{1})
	problems, _ := simStore(t, d.process()).Check(context.Background())
	if len(problems) != 1 || problems[0].Kind != "missing" || !slices.Equal(problems[0].IDs, []pawl.ID{2, 1}) {
		t.Errorf("the check says %+v", problems)
	}
	got := do(t, d, create("c"))[0]
	expect(t, "the next id", got.IDs[0], pawl.ID(3))
	d.now += 1e9
	d.swap(taskName(1), text)
	tasks = see(t, d)
	expect(t, "blocks of 1", tasks[1].Blocks, []pawl.ID{2})
	expect(t, "2 waits for", tasks[2].BlockedBy, []pawl.ID{1})
}

// A file that cannot be read keeps what was known of it, blocks, is named with
// its line, and is never written.
func TestDamaged(t *testing.T) {
	d := board(t, chain("a", "b"), create("c"))
	text := d.text(taskName(1))
	d.edit(t, 1, `"status": "pending",`, `"status": "pending"`)
	broken := d.text(taskName(1))
	tasks := see(t, d)
	expect(t, "its subject", tasks[1].Subject, "a")
	expect(t, "its edges", tasks[1].Blocks, []pawl.ID{2})
	expect(t, "2 waits for", tasks[2].BlockedBy, []pawl.ID{1})
	if !strings.HasPrefix(tasks[1].Damage, "task_1.json:6:3: ") {
		t.Errorf("the damage is %q", tasks[1].Damage)
	}
	err := simStore(t, d.process()).View(context.Background(), func(r pawl.Reader) error {
		for _, q := range []struct {
			query pawl.Query
			want  pawl.ID
		}{{pawl.Query{Damaged: true}, 1}, {pawl.Query{Blocked: true}, 2}} {
			page, err := r.Select(q.query)
			if err != nil {
				return err
			}
			if page.Total != 1 || page.Tasks[0].ID != q.want {
				t.Errorf("%+v finds %d: %+v", q.query, page.Total, page.Tasks)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	problems, _ := simStore(t, d.process()).Check(context.Background())
	if len(problems) != 1 || problems[0].Kind != "damaged" || problems[0].File != "task_1.json" || problems[0].Line != 6 || problems[0].Column != 3 {
		t.Errorf("the check says %+v", problems)
	}
	s := simStore(t, d.process())
	_, err = s.Update(context.Background(), func(r pawl.Reader) (pawl.Commit, error) {
		was, err := r.Get(1)
		if err != nil {
			return pawl.Commit{}, err
		}
		is := was[0].Clone()
		is.Subject = "A"
		change := pawl.Change{ID: 1, Fields: []pawl.Field{pawl.FieldSubject}, Before: &was[0], After: &is}
		return pawl.Commit{Sets: []pawl.ChangeSet{{Verb: "update", Changes: []pawl.Change{change}}}}, nil
	})
	if !errors.Is(err, pawl.Internal) || !strings.Contains(err.Error(), "task_1.json:6:3") {
		t.Errorf("writing it says %v", err)
	}
	do(t, d, pawl.Complete{IDs: []pawl.ID{3}})
	if d.text(taskName(1)) != broken {
		t.Error("the damaged file was written")
	}
	d.put(taskName(1), text)
	tasks = see(t, d)
	if tasks[1].Damage != "" || len(tasks[2].BlockedBy) != 1 {
		t.Errorf("after the mend: %+v", tasks)
	}
}

// What another program writes as status or owner ends a claim; other edits do not.
func TestClaimVoid(t *testing.T) {
	for _, c := range []struct {
		old, new string
		live     bool
	}{
		{`"status": "in_progress"`, `"status": "pending"`, false},
		{`"owner": "ada"`, `"owner": "bob"`, false},
		{`"subject": "a"`, `"subject": "A"`, true},
	} {
		d := board(t, create("a"), pawl.ClaimTask{})
		d.edit(t, 1, c.old, c.new)
		if got := see(t, d)[1].Claim.Live(); got != c.live {
			t.Errorf("after %s the claim is live: %v", c.new, got)
		}
	}
}

// What other programs did is one set of its own, and comes before what the writer
// does who finds it.
func TestExternalSet(t *testing.T) {
	d := board(t, chain("a", "b"))
	d.edit(t, 1, `"subject": "a"`, `"subject": "A"`)
	d.edit(t, 1, `"description": ""`, `"description": "long"`)
	d.put(taskName(7), `{"id": 7, "subject": "theirs", "status": "pending", "blockedBy": [2]}`)
	before := changeSets(t, d)
	s := simStore(t, d.process())
	var seen pawl.Revision
	rev, err := s.Update(context.Background(), func(r pawl.Reader) (pawl.Commit, error) {
		seen = r.Revision()
		return pawl.Commit{}, nil
	})
	if err != nil || rev != seen || seen != before[len(before)-1].Revision+1 {
		t.Fatalf("the revision is %d, the writer saw %d: %v", rev, seen, err)
	}
	set := changeSets(t, d)[len(before)]
	if set.By.Name != pawl.ExternalName || set.Verb != "external" || set.Bulk {
		t.Errorf("the set is %+v", set)
	}
	if len(set.Changes) != 3 {
		t.Fatalf("the changes are %+v", set.Changes)
	}
	expect(t, "fields of 1", set.Changes[0].Fields, []pawl.Field{pawl.FieldSubject, pawl.FieldDescription})
	expect(t, "before", set.Changes[0].Before.Subject+set.Changes[0].Before.Description, "a")
	expect(t, "after", set.Changes[0].After.Subject+set.Changes[0].After.Description, "Along")
	expect(t, "2 has gained", set.Changes[1].Fields, []pawl.Field{pawl.FieldBlocks})
	if set.Changes[2].Before != nil || set.Changes[2].After.Subject != "theirs" {
		t.Errorf("7 came as %+v", set.Changes[2])
	}
	comeBy(t, d)
	if got := changeSets(t, d); len(got) != len(before)+1 {
		t.Errorf("it was recorded again: %+v", got[len(got)-1])
	}
	if got := do(t, d, create("next"))[0]; got.IDs[0] != 8 {
		t.Errorf("the next id is %v", got.IDs[0])
	}
}

// Another program who completes a task makes ready what waited for it, and the set says so.
func TestExternalReady(t *testing.T) {
	d := board(t, chain("a", "b", "c"))
	d.edit(t, 1, `"pending"`, `"completed"`)
	d.put(taskName(7), `{"id": 7, "subject": "theirs", "status": "pending"}`)
	comeBy(t, d)
	all := changeSets(t, d)
	expect(t, "made ready", all[len(all)-1].Ready, []pawl.ID{2, 7})
}

func TestExternalBulk(t *testing.T) {
	d := board(t, create("a"))
	for i := range bulkLimit + 1 {
		d.put(taskName(pawl.ID(i+2)), fmt.Sprintf(`{"id": %d, "subject": "theirs"}`, i+2))
	}
	comeBy(t, d)
	all := changeSets(t, d)
	set := all[len(all)-1]
	if !set.Bulk || len(set.Changes) != bulkLimit+1 || set.Changes[0].After != nil {
		t.Errorf("the set is %+v", set)
	}
}

// A text that was only touched has not changed.
func TestTouched(t *testing.T) {
	d := board(t, create("a"))
	before := len(changeSets(t, d))
	d.now += 1e9
	d.swap(taskName(1), d.text(taskName(1)))
	see(t, d)
	if got := changeSets(t, d); len(got) != before {
		t.Errorf("a touch was recorded: %+v", got[len(got)-1])
	}
}

// A second change in the same tick of the clock, of the same length, is seen.
func TestRacy(t *testing.T) {
	d := board(t, create("a"))
	now := d.now
	_, _, n, _ := d.find(taskName(1))
	n.data = []byte(strings.Replace(string(n.data), `"a"`, `"A"`, 1))
	d.now = now
	expect(t, "its subject", see(t, d)[1].Subject, "A")
}

func TestStrangersCycle(t *testing.T) {
	d := board(t, chain("a", "b"), create("c"))
	d.edit(t, 1, `"blockedBy": []`, `"blockedBy": [2]`)
	tasks := see(t, d)
	one, two := tasks[1], tasks[2]
	if one.Free() || two.Free() {
		t.Error("a member of a cycle is ready")
	}
	problems, _ := simStore(t, d.process()).Check(context.Background())
	if !slices.ContainsFunc(problems, func(p pawl.Problem) bool { return p.Kind == "cycle" && slices.Equal(p.IDs, []pawl.ID{1, 2}) }) {
		t.Errorf("the check says %+v", problems)
	}
	do(t, d, pawl.Complete{IDs: []pawl.ID{3}}, pawl.Update{ID: 1, RemoveBlockedBy: []pawl.ID{2}})
	one = see(t, d)[1]
	if !one.Free() {
		t.Errorf("the cycle is still there: %+v", one)
	}
}

// A program with an id counter of its own writes its new task over ours. Ours
// is kept aside.
func TestStaleCounter(t *testing.T) {
	d := board(t, create("a"), create("ours"))
	ours := d.text(taskName(2))
	d.now += 1e9
	d.put(taskName(2), `{"id": 2, "subject": "theirs", "status": "pending", "blockedBy": [], "blocks": [], "owner": ""}`)
	expect(t, "on the board", see(t, d)[2].Subject, "theirs")
	if got := lost(d); len(got) != 1 || d.text(lostDir+"/"+got[0]) != ours {
		t.Errorf("in lost+found is %v", got)
	}
}

// While git changes files nothing of it is recorded, and no file is written
// that the op is not about. When git is done, the board is what git left.
func TestCheckout(t *testing.T) {
	if problem := checkout(t, usual, (*Store).Update); problem != "" {
		t.Error(problem)
	}
}

type update func(*Store, context.Context, func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error)

// updating is a store with another way to update it.
type updating struct {
	*Store
	update update
}

func (u updating) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	return u.update(u.Store, ctx, fn)
}

func checkout(t testing.TB, configure func(*Store), how update) string {
	d := board(t, chain("a", "b", "c"), create("other"))
	here := []string{d.text(taskName(1)), d.text(taskName(2)), d.text(taskName(3))}
	note := func(text string) string {
		s := simStore(t, d.process())
		configure(s)
		_, err := pawl.NewBoard(updating{s, how}).Do(context.Background(), pawl.Request{By: by, Op: pawl.AddNote{ID: 4, Text: text}})
		if err != nil {
			return err.Error()
		}
		return ""
	}
	// On the other branch the first blocks nothing, and the others are gone.
	d.git = true
	d.now += 1e9
	d.swap(taskName(1), strings.Replace(here[0], `"blocks": [2]`, `"blocks": []`, 1))
	before := len(changeSets(t, d))
	if problem := note("meanwhile"); problem != "" {
		return problem
	}
	if got := changeSets(t, d); len(got) != before+1 || got[before].Verb != "note" {
		return fmt.Sprintf("a half-done checkout was recorded: %v", got[before:])
	}
	if d.text(taskName(2)) != here[1] {
		return "a file was written that git had not come to yet"
	}
	d.now += 1e9
	d.drop(taskName(2))
	d.drop(taskName(3))
	d.git = false
	if tasks := see(t, d); len(tasks) != 2 {
		return fmt.Sprintf("on the other branch: %v", tasks)
	}
	// And back.
	d.git = true
	for i, text := range here {
		d.now += 1e9
		if i == 2 {
			if problem := note("again"); problem != "" {
				return problem
			}
		}
		d.swap(taskName(pawl.ID(i+1)), text)
	}
	d.git = false
	tasks := see(t, d)
	for i, text := range here {
		if d.text(taskName(pawl.ID(i+1))) != text {
			return fmt.Sprintf("the file of #%d is not as git left it", i+1)
		}
	}
	if got := fmt.Sprint(tasks[2].BlockedBy, tasks[3].BlockedBy, tasks[1].Blocks); got != "[#1] [#2] [#2]" {
		return "the edges are " + got
	}
	return ""
}

// healing is an update that brings every file in line with its edges on the
// way, which a store must not do.
func healing(s *Store, ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	return s.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) {
		commit, err := fn(r)
		if err != nil || commit.Empty() {
			return commit, err
		}
		var changes []pawl.Change
		r.(*reader).table.each(func(row row) bool {
			e := row.open()
			if !slices.Equal(e.said.blockedBy, e.blockedBy) || !slices.Equal(e.said.blocks, e.blocks) {
				task := e.light()
				changes = append(changes, pawl.Change{ID: e.id, Fields: []pawl.Field{pawl.FieldBlocks, pawl.FieldBlockedBy}, Before: &task, After: &task})
			}
			return true
		})
		commit.Sets[0].Changes = append(commit.Sets[0].Changes, changes...)
		return commit, nil
	})
}

// Two processes: one has looked at a file again and not said so, the other one
// claims the task, and then the first one writes something else.
func TestOldSight(t *testing.T) {
	d := board(t, create("a", "b"))
	d.now += 1e9
	d.swap(taskName(1), d.text(taskName(1)))
	first := simStore(t, d.process())
	_, err := first.Update(context.Background(), func(pawl.Reader) (pawl.Commit, error) { return pawl.Commit{}, nil })
	must.Do(t, err)
	do(t, d, pawl.ClaimTask{ID: 1})
	must.Do(t, errOf(pawl.NewBoard(first).Do(context.Background(), pawl.Request{By: by, Op: pawl.AddNote{ID: 2, Text: "x"}})))
	if !see(t, d)[1].Claim.Live() {
		t.Error("the claim is gone")
	}
}
