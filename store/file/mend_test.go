package file

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/storetest"
)

const brokenText = `{"id": 2, "subject": "tw`

// ill is a board with a file that cannot be read, and one that is silent about
// an edge that holds.
func ill(t testing.TB) *disk {
	t.Helper()
	d := board(t, chain("one", "two", "three"), create("four"), pawl.ClaimTask{ID: 4})
	d.now += 1e9
	d.put(taskName(2), brokenText)
	d.put(taskName(4), strings.Replace(d.text(taskName(4)), `"blockedBy": []`, `"blockedBy": [1]`, 1))
	comeBy(t, d)
	return d
}

func mend(t testing.TB, d *disk, dry bool) []pawl.Mended {
	t.Helper()
	d.now += 1e9
	mended, err := simStore(t, d.process()).Mend(context.Background(), by, dry)
	must.Do(t, err)
	return mended
}

// kept reports whether the broken text is still somewhere.
func kept(d *disk) bool {
	if d.text(taskName(2)) == brokenText {
		return true
	}
	for _, dir := range []string{lostDir, tmpDir} {
		_, _, n, _ := d.find(dir)
		for _, file := range n.names {
			if string(file.data) == brokenText {
				return true
			}
		}
	}
	return false
}

func TestMend(t *testing.T) {
	d := ill(t)
	before := len(changeSets(t, d))
	if got := mend(t, d, true); len(got) != 2 || d.text(taskName(2)) != brokenText || len(changeSets(t, d)) != before {
		t.Errorf("a dry run: %+v", got)
	}
	if got := mend(t, d, false); len(got) != 2 || got[0].Problem.Kind != "damaged" || got[1].Problem.Kind != "one-sided" {
		t.Errorf("mended %+v", got)
	}
	tasks := see(t, d)
	if tasks[2].Subject != "two" || len(tasks[3].BlockedBy) != 1 || len(tasks[4].BlockedBy) != 1 || !tasks[4].Claim.Live() {
		t.Errorf("the board is %+v", tasks)
	}
	if !kept(d) || !strings.Contains(d.text(taskName(1)), `"blocks": [2, 4]`) {
		t.Errorf("kept %v; the blocker's file is %s", lost(d), d.text(taskName(1)))
	}
	problems, err := simStore(t, d.process()).Check(context.Background())
	if err != nil || len(problems) != 1 || problems[0].Kind != "displaced" {
		t.Errorf("left are %+v, %v", problems, err)
	}
	sets := changeSets(t, d)
	if last := sets[len(sets)-1]; last.Verb != "mend" || last.By != by {
		t.Errorf("the last change is %+v", last)
	}
	if got := mend(t, d, false); len(got) != 0 {
		t.Errorf("mended once more: %+v", got)
	}
}

// mendUntil mends a board in a process to which something happens, and reports
// whether it died of it.
func mendUntil(t testing.TB, d *disk) (died bool, err error) {
	defer func() {
		if r := recover(); r != nil && r != (crash{}) {
			panic(r)
		} else if r != nil {
			died = true
		}
	}()
	d.now += 1e9
	_, err = simStore(t, d.process()).Mend(context.Background(), by, false)
	return false, err
}

// at lets something happen at the nth call from now on.
func at(d *disk, n int, what error) {
	d.before = func(int, string, string) error {
		if n--; n == 0 {
			return what
		}
		return nil
	}
}

// cured holds a board of ill to what mending makes of it in the end.
func cured(t testing.TB, d *disk) string {
	t.Helper()
	mend(t, d, false)
	do(t, d, create("five"))
	tasks := see(t, d)
	if tasks[2].Subject != "two" || len(tasks[4].BlockedBy) != 1 || !strings.Contains(d.text(taskName(1)), `"blocks": [2, 4]`) || tasks[5].Subject != "five" {
		return fmt.Sprintf("the board is %+v", tasks)
	}
	if !kept(d) {
		return "the text that could not be read is gone"
	}
	r := &recorder{TB: t}
	storetest.CheckInvariants(r, simStore(t, d.process()))
	return strings.Join(r.found, "\n")
}

// However far a process comes that mends, with or without a power cut, and
// however far the next one comes that recovers, nothing is lost, and the one
// after it brings it to its end.
func TestMendAndDie(t *testing.T) {
	deaths, again := 0, 0
	for n := 1; ; n += stride() {
		died := false
		for _, power := range []bool{false, true} {
			for second := range 3 {
				if !*long.Asked && power != ((n+second)%2 == 0) {
					continue
				}
				d := ill(t)
				_ = d.process().SyncAll() // what the other program wrote is its own to sync
				at(d, n, errDead)
				if died, _ = mendUntil(t, d); !died {
					break
				}
				rnd := rand.New(rand.NewPCG(uint64(n), 9))
				deaths++
				if d.before = nil; power {
					d.powerCut(rnd)
				}
				clear(d.holders)
				if !kept(d) {
					t.Fatalf("death at call %d, power cut %v: the text that could not be read is gone", n, power)
				}
				if second > 0 {
					at(d, 1+rnd.IntN(60), errDead)
					if died, _ := mendUntil(t, d); died {
						again++
					}
					if d.before = nil; power {
						d.powerCut(rnd)
					}
					clear(d.holders)
				}
				if problem := cured(t, d); problem != "" {
					t.Fatalf("death at call %d, power cut %v, again %v: %s", n, power, second > 0, problem)
				}
			}
		}
		if !died {
			break
		}
	}
	t.Logf("%d deaths, %d of them again in what came after", deaths, again)
	if deaths < 100/stride() || again < 25/stride() {
		t.Errorf("only %d deaths, and %d after them", deaths, again)
	}
}

// Every call of a mend may fail, and every call of the changes that follow: the
// text is kept, and mending can be begun again.
func TestMendFails(t *testing.T) {
	fired := 0
	for n := 1; ; n += stride() {
		here := false
		for i, cause := range []error{syscall.EIO, syscall.ENOSPC} {
			for _, sticky := range []bool{false, true} {
				if !*long.Asked && (i != n%2 || sticky != (n/2%2 == 0)) {
					continue
				}
				d := ill(t)
				calls := 0
				here = false
				d.before = func(int, string, string) error {
					if calls++; calls == n || sticky && calls > n {
						here = true
						return cause
					}
					return nil
				}
				_, _ = mendUntil(t, d)
				if d.before = nil; !here {
					break
				}
				fired++
				if !kept(d) {
					t.Fatalf("%v at call %d, sticky %v: the text that could not be read is gone", cause, n, sticky)
				}
				// A change that fails too, and one that does not.
				d.before = func(_ int, op, name string) error {
					if op == "fdatasync" {
						return syscall.EIO
					}
					return nil
				}
				pawl.NewBoard(simStore(t, d.process())).Do(context.Background(), pawl.Request{By: by, Op: create("no")})
				d.before = nil
				if problem := cured(t, d); problem != "" {
					t.Fatalf("%v at call %d, sticky %v: %s", cause, n, sticky, problem)
				}
			}
		}
		if !here {
			break
		}
	}
	t.Logf("%d faults", fired)
	if fired < 60/stride() {
		t.Errorf("only %d faults", fired)
	}
}

// A text that a mend of an earlier version left in tmp when it was killed is
// kept by the next recovery, like any that a record may have displaced.
func TestLeftInTmp(t *testing.T) {
	d := board(t, create("one", "two"), pawl.Update{ID: 2, Subject: ptr("zwei")})
	rev := changeSets(t, d)[1].Revision
	d.put(tmpName(rev, 2), brokenText)
	for _, boot := range []int{1, 2} { // also once the record is no longer pending
		d.boot = boot
		dieBefore(t, d, "exchange", "task_1.json", pawl.AddNote{ID: 1, Text: "x"})
		see(t, d)
		if !kept(d) {
			t.Fatal("the text is gone")
		}
	}
	if got := lost(d); len(got) != 1 {
		t.Errorf("lost+found has %v", got)
	}
}

// Somebody writes while a recovery puts a file in its place. His text is kept.
func TestStrangerInRecovery(t *testing.T) {
	for _, op := range []pawl.Op{pawl.Update{ID: 1, Subject: ptr("ours")}, pawl.Delete{IDs: []pawl.ID{1}}} {
		for n := 1; ; n++ {
			d := board(t, create("one"))
			theirs := strings.Replace(d.text(taskName(1)), `"one"`, `"theirs"`, 1)
			if _, ok := op.(pawl.Delete); ok {
				dieBefore(t, d, "rename", ".1", op)
			} else {
				dieBefore(t, d, "exchange", taskName(1), op)
			}
			came, calls := false, 0
			d.before = func(int, string, string) error {
				if calls++; calls == n {
					came = true
					d.before = nil
					d.swap(taskName(1), theirs)
				}
				return nil
			}
			comeBy(t, d)
			if d.before = nil; !came {
				break
			}
			found := d.text(taskName(1)) == theirs
			for _, name := range lost(d) {
				found = found || d.text(lostDir+"/"+name) == theirs
			}
			if !found {
				t.Fatalf("%T: what somebody wrote at call %d of the recovery is gone", op, n)
			}
		}
	}
}

const conflictText = `<<<<<<< HEAD
{"id": 2, "subject": "here", "status": "pending", "blockedBy": [1]}
=======
{"id": 2, "subject": "there", "status": "completed"}
>>>>>>> topic
`

// What git has left two versions in is named with both, and stays as it is.
func TestMendConflict(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"both added": {conflictText, "pawl merge"},
		"in a line": {strings.ReplaceAll(strings.ReplaceAll(`{
  "id": 2,
/<<<<<<< HEAD
  "subject": "here",
/||||||| 1234567
  "subject": "before",
/=======
  "subject": "there",
/>>>>>>> topic
  "status": "pending"
}
`, "\n/", "\n"), "/", ""), "pawl merge"},
		"one of them is no task": {strings.Replace(conflictText, `"there"`, "1", 1), `two versions in it, HEAD ("here", pending) and topic`},
		"a base in conflict": {strings.Replace(conflictText, "=======\n", "||||||| merged common ancestors\n<<<<<<<<< Temporary merge branch 1\n1\n=========\n2\n>>>>>>>>> Temporary merge branch 2\n=======\n", 1) + "no task",
			`two versions in it, HEAD and topic`},
		"a part of it": {"<<<<<<< HEAD\n{\"id\": 2", "two versions in it, HEAD and theirs"},
	} {
		t.Run(name, func(t *testing.T) {
			d := board(t, create("one", "two"))
			d.put(taskName(2), c.text)
			comeBy(t, d)
			if got := mend(t, d, false); len(got) != 0 || d.text(taskName(2)) != c.text || len(lost(d)) > 0 {
				t.Errorf("mended %+v; the file is %s", got, d.text(taskName(2)))
			}
			problems, err := simStore(t, d.process()).Check(context.Background())
			if err != nil || len(problems) != 1 || !strings.Contains(problems[0].Mend, c.want) {
				t.Errorf("the check says %+v, %v", problems, err)
			}
		})
	}
}

// A file that comes back damaged even though its task was deleted goes again, where
// it is only what a power cut leaves; what else it may be is left to a person.
func TestMendDeleted(t *testing.T) {
	for _, c := range []struct {
		name, text string
		goes       bool
	}{
		{"empty", "", true},
		{"zeros", strings.Repeat("\x00", 300), true},
		{"a beginning", "{\n  \"id\": 2,\n  \"sub", true},
		{"something else", "{\"id\": 2, my own task", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := board(t, create("one", "two"), pawl.Delete{IDs: []pawl.ID{2}})
			d.put(taskName(2), c.text)
			comeBy(t, d)
			got := mend(t, d, false)
			_, err := d.stat(taskName(2))
			if absent(err) != c.goes || len(got) == 1 != c.goes {
				t.Errorf("mended %+v; the file: %v", got, err)
			}
			problems, err := simStore(t, d.process()).Check(context.Background())
			if err != nil || len(problems) != 1 {
				t.Fatalf("the check says %+v, %v", problems, err)
			}
			switch p := problems[0]; {
			case c.goes && (p.Kind != "displaced" || d.text(p.File) != c.text):
				t.Errorf("left is %+v with %q", p, d.text(p.File))
			case !c.goes && !strings.Contains(p.Mend, "#2 was deleted at revision"):
				t.Errorf("left is %+v", p)
			}
			if tasks := see(t, d); c.goes && len(tasks) != 1 {
				t.Errorf("the board is %+v", tasks)
			}
		})
	}
}

// readyToSeed are the tasks that a program takes for ready which reads nothing
// but the files, one by one: pending, and nothing in blockedBy.
func readyToSeed(t testing.TB, d *disk) (ids []pawl.ID) {
	t.Helper()
	for id := pawl.ID(1); d.text(taskName(id)) != ""; id++ {
		var task struct {
			Status    string
			BlockedBy []int
		}
		must.Do(t, json.Unmarshal([]byte(d.text(taskName(id))), &task))
		if task.Status == "pending" && len(task.BlockedBy) == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// A task that was completed in its file alone stays in its dependents' lists
// until they are written, or mended: a check names them.
func TestMendOutdated(t *testing.T) {
	seeds := newDisk() // a board that another program made, with one side of each edge
	for id := pawl.ID(1); id <= 3; id++ {
		by := "[]"
		if id > 1 {
			by = fmt.Sprintf("[%d]", id-1)
		}
		seeds.put(taskName(id), fmt.Sprintf(`{"id": %d, "subject": "task", "status": "pending", "blockedBy": %s, "owner": ""}`, id, by))
	}
	for name, d := range map[string]*disk{"ours": board(t, chain("one", "two", "three")), "a seed's": seeds} {
		t.Run(name, func(t *testing.T) {
			comeBy(t, d)
			d.put(taskName(1), strings.Replace(d.text(taskName(1)), `"pending"`, `"completed"`, 1))
			comeBy(t, d)
			if got := see(t, d)[2].BlockedBy; len(got) > 0 {
				t.Errorf("two waits for %v", got)
			}
			problems, err := simStore(t, d.process()).Check(context.Background())
			if err != nil || !slices.ContainsFunc(problems, func(p pawl.Problem) bool { return p.Kind == "outdated" && p.File == taskName(2) }) {
				t.Errorf("the check says %+v, %v", problems, err)
			}
			mend(t, d, false)
			if got := readyToSeed(t, d); !slices.Equal(got, []pawl.ID{2}) {
				t.Errorf("by the files alone, %v is ready", got)
			}
			// The edge is not forgotten: a reopening has it again.
			do(t, d, pawl.Reopen{IDs: []pawl.ID{1}})
			if got := see(t, d)[2].BlockedBy; !slices.Equal(got, []pawl.ID{1}) || !slices.Equal(readyToSeed(t, d), []pawl.ID{1}) {
				t.Errorf("after the reopening, two waits for %v", got)
			}
			if problems, err := simStore(t, d.process()).Check(context.Background()); err != nil || len(problems) > 0 {
				t.Errorf("the check says %+v, %v", problems, err)
			}
		})
	}
}
