package file

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// TestJudge goes through what a crash leaves, point by point.
func TestJudge(t *testing.T) {
	same := func(e fileState) fileState { e.sameBoot = true; return e }
	for _, c := range []struct {
		name string
		is   fileState
		want action
	}{
		{"in place", same(fileState{present: true, after: true, text: true}), done},
		{"in place after a power cut", fileState{present: true, after: true, text: true}, done},
		{"removed", same(fileState{removes: true}), done},

		{"a process died before the exchange", same(fileState{present: true, before: true, younger: true, text: true}), write},
		{"it died before a new file was put in place", same(fileState{creates: true, text: true}), write},
		{"it died before a file was taken away", same(fileState{present: true, before: true, removes: true}), write},
		{"another program edited after the process died", same(fileState{present: true, younger: true, text: true}), keep},
		{"another program removed after the process died", same(fileState{text: true}), keep},

		{"a rename was lost", fileState{present: true, before: true, text: true}, write},
		{"so was the one before it", fileState{present: true, text: true}, write},
		{"a removal was lost", fileState{present: true, before: true, removes: true}, write},
		{"a new file was lost", fileState{creates: true, text: true}, write},
		{"the content was lost", fileState{present: true, torn: true, younger: true, text: true}, write},
		{"another program edited after the power cut", fileState{present: true, younger: true, text: true}, keep},
		{"git brought back the text before", fileState{present: true, before: true, younger: true, text: true}, keep},
		{"git brought back what was removed", fileState{present: true, before: true, younger: true, removes: true}, keep},
		{"another program removed a file that was older", fileState{text: true}, keep},

		{"an external edit was recorded", same(fileState{external: true, present: true, before: true, text: true}), keep},
		{"and then lost", fileState{external: true, present: true, text: true}, write},
		{"of many, only the hash was", fileState{external: true, present: true}, keep},
		{"an external removal was lost: it stays lost", fileState{external: true, present: true, removes: true}, keep},
	} {
		if got := decide(c.is); got != c.want {
			t.Errorf("%s: verdict %d, want %d", c.name, got, c.want)
		}
	}
}

// board makes a board with some tasks and returns its disk.
func board(t testing.TB, ops ...pawl.Op) *disk {
	t.Helper()
	d := newDisk()
	do(t, d, ops...)
	if inhabit {
		var two []*Store
		for range 2 {
			two = append(two, simStore(t, d.process()))
			beResident(two[len(two)-1])
		}
		d.residents = two
	}
	return d
}

// do carries out ops, each in a process of its own.
func do(t testing.TB, d *disk, ops ...pawl.Op) []pawl.Result {
	t.Helper()
	var results []pawl.Result
	for _, op := range ops {
		d.now += 1e9 // so that nothing is racy that need not be
		r, err := pawl.NewBoard(simStore(t, d.process())).Do(context.Background(), pawl.Request{By: by, Op: op})
		if err != nil {
			t.Fatalf("%T: %v", op, err)
		}
		results = append(results, r)
	}
	return results
}

// doLater carries out an op in a process whose clock has moved on.
func doLater(t testing.TB, d *disk, op pawl.Op) pawl.Result {
	t.Helper()
	d.now += 1e9
	s := simStore(t, d.process())
	s.clock = func() time.Time { return noon.Add(time.Second) }
	r, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: op})
	if err != nil {
		t.Fatalf("%T: %v", op, err)
	}
	return r
}

func create(subjects ...string) pawl.Op {
	var c pawl.Create
	for _, s := range subjects {
		c.Tasks = append(c.Tasks, pawl.NewTask{Ref: s, Subject: s})
	}
	return c
}

// chain makes tasks; each waits for the one before.
func chain(subjects ...string) pawl.Op {
	c := create(subjects...).(pawl.Create)
	for i := 1; i < len(subjects); i++ {
		c.Tasks[i].BlockedBy = []pawl.Ref{pawl.RefName(subjects[i-1])}
	}
	return c
}

// see returns the tasks of a board as one process after another sees them:
// twice by readers, and after a writer has been there.
func see(t testing.TB, d *disk) map[pawl.ID]pawl.Task {
	t.Helper()
	var tasks map[pawl.ID]pawl.Task
	last := ""
	for i := range 3 {
		if i == 2 {
			comeBy(t, d)
		}
		s := simStore(t, d.process())
		now := state(t, s)
		if i > 0 && now != last {
			t.Fatalf("the board changes although nobody changes it:\n%sthen\n%s", last, now)
		}
		last = now
		tasks = map[pawl.ID]pawl.Task{}
		must.Do(t, s.View(context.Background(), func(r pawl.Reader) error {
			page, err := r.Select(pawl.Query{})
			for _, task := range page.Tasks {
				tasks[task.ID] = task
			}
			return err
		}))
	}
	return tasks
}

// comeBy lets a writer come by who has nothing to write.
func comeBy(t testing.TB, d *disk) {
	t.Helper()
	d.now += 1e9
	s := simStore(t, d.process())
	must.Do(t, errOf(s.Update(context.Background(), func(pawl.Reader) (pawl.Commit, error) { return pawl.Commit{}, nil })))
}

// dieBefore lets a process die right before a call on a name.
func dieBefore(t testing.TB, d *disk, op, name string, request pawl.Op) {
	t.Helper()
	d.before = func(_ int, o, n string) error {
		if o == op && strings.HasSuffix(n, name) {
			return errDead
		}
		return nil
	}
	defer func() {
		d.before = nil
		if r := recover(); r != (crash{}) {
			t.Fatalf("the process did not die before %s of %s: %v", op, name, r)
		}
	}()
	do(t, d, request)
}

func changeSets(t testing.TB, d *disk) []pawl.ChangeSet {
	t.Helper()
	var all []pawl.ChangeSet
	for set, err := range simStore(t, d.process()).Changes(context.Background(), pawl.Span{}) {
		must.Do(t, err)
		all = append(all, set)
	}
	return all
}

func lost(d *disk) []string {
	_, _, n, _ := d.find(lostDir)
	return slices.Sorted(maps.Keys(n.names))
}

// Another program edits a file after a process has died between commit and rename:
// the edit stays, over the change.
func TestStrangerAfterCrash(t *testing.T) {
	d := board(t, chain("one", "two"))
	old := d.text("task_1.json")
	dieBefore(t, d, "exchange", "task_1.json", pawl.Complete{IDs: []pawl.ID{1}})
	d.put("task_1.json", strings.Replace(old, `"one"`, `"ONE"`, 1))
	tasks := see(t, d)
	if tasks[1].Subject != "ONE" || tasks[1].Status != pawl.Pending {
		t.Errorf("the edit was lost: %+v", tasks[1])
	}
	if got := changeSets(t, d); got[len(got)-1].By.Name != pawl.ExternalName {
		t.Errorf("the edit is not in the history: %+v", got[len(got)-1])
	}
}

// git brings back the older text of a file after a power cut. Its hash is
// known, and it is meant anyway.
func TestCheckoutAfterPowerCut(t *testing.T) {
	if problem := checkoutAfterPowerCut(t, usual); problem != "" {
		t.Error(problem)
	}
}

func checkoutAfterPowerCut(t testing.TB, configure func(*Store)) string {
	d := board(t, create("one"), pawl.Update{ID: 1, Subject: ptr("uno")})
	old := d.text("task_1.json")
	do(t, d, pawl.Update{ID: 1, Subject: ptr("eins")})
	// Everything had reached the disk; then the machine went down.
	_ = d.process().SyncAll()
	d.powerCut(rand.New(rand.NewPCG(1, 1)))
	d.swap("task_1.json", old)
	s := simStore(t, d.process())
	configure(s)
	must.Do(t, errOf(s.Update(context.Background(), func(pawl.Reader) (pawl.Commit, error) { return pawl.Commit{}, nil })))
	if got := see(t, d)[1].Subject; got != "uno" {
		return fmt.Sprintf("the checked out text was replaced: %q", got)
	}
	return ""
}

// Another program writes in the very moment of an exchange. His text is kept aside.
func TestDisplaced(t *testing.T) {
	for _, c := range []struct {
		name string
		op   pawl.Op
		call string
	}{
		{"exchange", pawl.Update{ID: 1, Subject: ptr("ours")}, "exchange"},
		{"delete", pawl.Delete{IDs: []pawl.ID{1}}, "rename"},
		{"create", create("ours"), "renamenew"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := board(t, create("one"))
			name := "task_1.json"
			if c.name == "create" {
				name = "task_2.json"
			}
			theirs := strings.Replace(d.text("task_1.json"), `"one"`, `"theirs"`, 1)
			theirs = strings.Replace(theirs, `"id": 1`, `"id": `+name[5:6], 1)
			d.before = func(_ int, op, n string) error {
				if op == "rename" && c.name == "delete" && strings.Contains(n, tmpDir) && strings.HasSuffix(n, ".1") || op == c.call && n == name {
					d.before = nil
					d.swap(name, theirs)
				}
				return nil
			}
			do(t, d, c.op)
			if d.before != nil {
				t.Fatal("the other program did not come")
			}
			got := lost(d)
			if len(got) != 1 || d.text(lostDir+"/"+got[0]) != theirs {
				t.Fatalf("the external text is not in lost+found: %v", got)
			}
			tasks := see(t, d)
			if c.name == "delete" {
				if len(tasks) != 0 {
					t.Errorf("the task is still there: %v", tasks)
				}
			} else if task := tasks[pawl.ID(name[5]-'0')]; task.Subject != "ours" {
				t.Errorf("ours is not in place: %+v", task)
			}
			problems, err := simStore(t, d.process()).Check(context.Background())
			if err != nil || len(problems) != 1 || problems[0].Kind != "displaced" {
				t.Errorf("the check says %v, %v", problems, err)
			}
		})
	}
}

// The process dies after the exchange, before it has compared: what it had
// displaced is found in the temporary files.
func TestDisplacedAndDied(t *testing.T) {
	d := board(t, create("one"))
	theirs := strings.Replace(d.text("task_1.json"), `"one"`, `"theirs"`, 1)
	swapped := false
	d.before = func(_ int, op, n string) error {
		switch {
		case op == "exchange":
			swapped = true
			d.swap("task_1.json", theirs)
		case swapped:
			return errDead
		}
		return nil
	}
	func() {
		defer func() { _ = recover() }()
		do(t, d, pawl.Update{ID: 1, Subject: ptr("ours")})
	}()
	d.before = nil
	if got := see(t, d)[1].Subject; got != "ours" {
		t.Errorf("the committed change is not there: %q", got)
	}
	if got := lost(d); len(got) != 1 || d.text(lostDir+"/"+got[0]) != theirs {
		t.Errorf("the external text is not in lost+found: %v", got)
	}
}

// Without .pawl nothing is lost but history, claims and undo.
func TestStateRemoved(t *testing.T) {
	d := board(t, chain("one", "two", "three"), pawl.Complete{IDs: []pawl.ID{1}}, pawl.Delete{IDs: []pawl.ID{3}}, pawl.ClaimTask{})
	before := see(t, d)
	token := before[2].Claim.Token
	d.drop(stateDir)
	after := see(t, d)
	if len(after) != 2 || !slices.Equal(after[1].Blocks, before[1].Blocks) || after[2].Owner != "ada" || after[2].Claim.Live() {
		t.Errorf("the board is %+v", after)
	}
	got := doLater(t, d, create("next"))
	if got.IDs[0] != 4 {
		t.Errorf("the id %v is given again", got.IDs[0])
	}
	if got.Revision <= token {
		t.Errorf("revision %d comes after the token %d", got.Revision, token)
	}
}

// Where neither the index nor the journal can be read, nothing tells which
// revisions were given: no later one may be an old token again.
func TestNothingReadable(t *testing.T) {
	d := board(t, create("one", "two"), pawl.ClaimTask{})
	token := see(t, d)[1].Claim.Token
	for _, name := range []string{indexName, logName, segmentName(1)} {
		_, _, n, _ := d.find(name)
		for i := range n.data {
			n.data[i] ^= 0x55
		}
	}
	got := doLater(t, d, create("three"))
	if got.IDs[0] != 3 || got.Revision <= token {
		t.Errorf("%v is made at revision %d, after the token %d", got.IDs[0], got.Revision, token)
	}
}

// What a crashed update has left in tmp is not mistaken for another program's.
func TestLitter(t *testing.T) {
	d := board(t, create("one", "two"))
	dieBefore(t, d, "write", ".jsonl", pawl.Complete{IDs: []pawl.ID{1, 2}})
	do(t, d, pawl.Complete{IDs: []pawl.ID{2}})
	dieBefore(t, d, "exchange", "task_1.json", pawl.Complete{IDs: []pawl.ID{1}})
	see(t, d)
	if got := lost(d); len(got) > 0 {
		t.Errorf("lost+found has %v", got)
	}
	if _, _, tmp, _ := d.find(tmpDir); len(tmp.names) > 0 {
		t.Errorf("tmp has %v", slices.Sorted(maps.Keys(tmp.names)))
	}
}

// errOf is the error of a call of which nothing else matters.
func errOf[T any](_ T, err error) error { return err }
