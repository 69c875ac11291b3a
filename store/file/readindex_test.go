package file

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// prepared has the state folder as Prepare makes it.
func (d *disk) prepared() {
	d.mkdir(stateDir)
	d.put(stateIgnoreName, privateIgnore)
}

// unwrittenBoard is a board as git leaves it: n tasks, every third waiting for the one
// before it, and Pawl has never written to it.
func unwrittenBoard(n int, ignore string) *disk {
	d := newDisk()
	if ignore != "" {
		d.put(ignoreName, ignore)
	}
	for i := 1; i <= n; i++ {
		blockedBy, blocks := "", ""
		if i%3 == 0 {
			blockedBy = fmt.Sprint(i - 1)
		}
		if i%3 == 2 && i < n {
			blocks = fmt.Sprint(i + 1)
		}
		d.put(fmt.Sprintf("task_%d.json", i), fmt.Sprintf(`{"id": %d, "subject": "task %d", "description": "", "status": "pending", "blockedBy": [%s], "blocks": [%s], "owner": ""}`, i, i, blockedBy, blocks))
	}
	d.now += 1e9
	return d
}

func (d *disk) mkdir(name string) { d.set(d.root, name, d.make(kindFolder)) }

// costs is what a new process does to show the first ready tasks.
func costs(t *testing.T, d *disk) (opened, listed, wrote int) {
	t.Helper()
	before := d.before
	d.before = func(_ int, op, name string) error {
		switch op {
		case "read":
			if strings.HasPrefix(name, "task_") {
				opened++
			}
		case "list":
			if name == "." {
				listed++
			}
		case "create", "mkdir", "rename", "renamenew", "exchange", "remove", "write", "truncate", "sync", "fdatasync", "lock":
			wrote++
		}
		return nil
	}
	defer func() { d.before = before }()
	firstReady(t, simStore(t, d.process()))
	return opened, listed, wrote
}

func firstReady(t *testing.T, s *Store) {
	t.Helper()
	must.Do(t, s.View(context.Background(), func(r pawl.Reader) error {
		page, err := r.Select(pawl.Query{Ready: true, Order: pawl.ByUrgency, Limit: 20, Brief: true})
		if err == nil && len(page.Tasks) == 0 {
			t.Error("nothing is ready")
		}
		return err
	}))
}

// The second reader of a fresh clone opens as few files as one of a board that
// Pawl has written to.
func TestReadIndex(t *testing.T) {
	const tasks = 1_000
	written := unwrittenBoard(tasks, sharedIgnore)
	w := simStore(t, written.process())
	for range 2 {
		must.Do(t, errOf(pawl.NewBoard(w).Do(t.Context(), pawl.Request{By: by, Op: create("one")})))
		written.now += 1e9
	}
	costs(t, written)
	wantOpened, wantListed, _ := costs(t, written)

	d := unwrittenBoard(tasks, sharedIgnore)
	want := state(t, simStore(t, d.process()))
	d.prepared()
	if opened, _, _ := costs(t, d); opened != tasks {
		t.Errorf("the first reader opens %d files, want %d", opened, tasks)
	}
	if opened, listed, wrote := costs(t, d); opened != wantOpened || listed != wantListed || wrote > 0 {
		t.Errorf("the second opens %d task files, lists %d folders and writes %d times; on a board by Pawl it opens %d and lists %d", opened, listed, wrote, wantOpened, wantListed)
	}
	if got := state(t, simStore(t, d.process())); got != want {
		t.Error("the second reader shows another board")
	}
	must.Do(t, errOf(pawl.NewBoard(simStore(t, d.process())).Do(t.Context(), pawl.Request{By: by, Op: create("one")})))
	if d.text(readIndexName) != "" {
		t.Error("the first write left the readers' index")
	}
	if got := sets(t, simStore(t, d.process())); len(got) != 2 || !strings.HasPrefix(got[0], pawl.ExternalName) {
		t.Errorf("the history is %q", got)
	}
}

// Where a reader may not leave anything, it makes nothing and reads all the
// same.
func TestReadIndexKeptOut(t *testing.T) {
	readOnlyDisk := func(_ int, op, _ string) error {
		switch op {
		case "create", "mkdir", "rename", "remove", "write", "truncate", "lock":
			return syscall.EROFS
		}
		return nil
	}
	for name, c := range map[string]struct {
		ignore string
		state  bool
		before func(int, string, string) error
	}{
		"no state folder":     {sharedIgnore, false, nil},
		"of an older version": {sharedIgnore, true, nil},
		"a read-only folder":  {sharedIgnore, true, readOnlyDisk},
		"git is checking out": {sharedIgnore, true, nil},
		"few tasks":           {sharedIgnore, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			n := 200
			if strings.HasPrefix(name, "few") {
				n = 10
			}
			d := unwrittenBoard(n, c.ignore)
			d.git = strings.HasPrefix(name, "git")
			if d.prepared(); !c.state {
				d.drop(stateDir)
			}
			if strings.HasPrefix(name, "of") {
				d.drop(stateIgnoreName)
			}
			d.before = c.before
			names := slices.Sorted(maps.Keys(d.root.names))
			for range 2 {
				firstReady(t, simStore(t, d.process()))
			}
			if got := slices.Sorted(maps.Keys(d.root.names)); !slices.Equal(got, names) {
				t.Errorf("the folder has %v now", got)
			}
			if d.text(readIndexName) != "" {
				t.Error("there is an index")
			}
			if !c.state {
				return
			}
			if _, _, state, _ := d.find(stateDir); len(state.names) > 1 {
				t.Errorf("the state folder has %v", slices.Sorted(maps.Keys(state.names)))
			}
		})
	}
}

// A link in the place of the state folder is not followed.
func TestReadIndexLinked(t *testing.T) {
	dir, elsewhere := filepath.Join(t.TempDir(), ".tasks"), t.TempDir()
	must.Do(t, errOf(Init(dir, Unchanged)))
	must.Do(t, os.RemoveAll(filepath.Join(dir, stateDir)))
	if err := os.Symlink(elsewhere, filepath.Join(dir, stateDir)); err != nil {
		t.Skip(err)
	}
	for i := 1; i <= 2*saveFromFiles; i++ {
		must.Do(t, os.WriteFile(filepath.Join(dir, taskName(pawl.ID(i))), fmt.Appendf(nil, `{"id": %d, "subject": "one"}`, i), 0o644))
	}
	if err := Prepare(dir); err == nil {
		t.Error("it is prepared")
	}
	s, err := Open(dir)
	must.Do(t, err)
	_ = s.View(t.Context(), func(pawl.Reader) error { return nil }) // refused, as before
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("behind the link is %v (%v)", left, err)
	}
}

// A reader that dies at any point while it leaves the index, with or without a
// power cut, harms neither the next reader nor the first writer.
func TestReadIndexCrash(t *testing.T) {
	const tasks = saveFromFiles + 1
	for _, at := range readerCalls(t, tasks) {
		for _, power := range []bool{false, true} {
			d := unwrittenBoard(tasks, sharedIgnore)
			d.prepared()
			(&simProcess{disk: d}).SyncAll()
			want := state(t, simStore(t, unwrittenBoard(tasks, sharedIgnore).process()))
			died := dies(func() {
				start := d.calls
				d.before = func(call int, _, _ string) error {
					if call-start >= at {
						return errDead
					}
					return nil
				}
				firstReady(t, simStore(t, d.process()))
			})
			if !died {
				t.Fatalf("nobody died at call %d", at)
			}
			d.before, d.holders = nil, map[string]map[*simProcess]bool{}
			if power {
				d.powerCut(rand.New(rand.NewPCG(uint64(at), 1)))
			}
			for range 2 {
				if got := state(t, simStore(t, d.process())); got != want {
					t.Fatalf("after a crash at call %d, power cut %v, the board is\n%s", at, power, got)
				}
			}
			if opened, _, _ := costs(t, d); opened > 0 {
				t.Fatalf("after a crash at call %d, power cut %v, the third reader opens %d files", at, power, opened)
			}
			if _, err := pawl.NewBoard(simStore(t, d.process())).Do(t.Context(), pawl.Request{By: by, Op: create("one")}); err != nil {
				t.Fatalf("after a crash at call %d: %v", at, err)
			}
			if got := see(t, d); len(got) != tasks+1 {
				t.Fatalf("after a crash at call %d there are %d tasks", at, len(got))
			}
		}
	}
}

// readerCalls numbers the calls of a reader that leaves the index, of the many
// that read a task only some.
func readerCalls(t *testing.T, tasks int) (at []int) {
	d := unwrittenBoard(tasks, sharedIgnore)
	d.prepared()
	start, kept := d.calls, false
	d.before = func(call int, op, name string) error {
		n := call - start
		if op != "read" || !strings.HasPrefix(name, "task_") || n%16 == 0 {
			at = append(at, n)
		}
		kept = kept || op == "rename" && name == readIndexName
		return nil
	}
	firstReady(t, simStore(t, d.process()))
	if !kept {
		t.Fatal("the reader leaves no index")
	}
	return at
}

// A file that was young when the index was made may change and keep its times,
// and after a new start of the machine so may any: these are read again.
func TestReadIndexTimes(t *testing.T) {
	const tasks = 3 * saveFromFiles
	d := unwrittenBoard(tasks, sharedIgnore)
	d.prepared()
	last := taskName(tasks)
	_, _, n, _ := d.find(last)
	d.before = func(_ int, op, _ string) error {
		if op == "create" { // the clock is read
			n.mtime, n.ctime = d.now, d.now
			d.before = nil
		}
		return nil
	}
	firstReady(t, simStore(t, d.process()))
	n.data = []byte(strings.Replace(string(n.data), `"subject": "task`, `"subject": "TASK`, 1))
	if opened, _, _ := costs(t, d); opened != 1+tasks { // one differs, so all are read
		t.Errorf("the young file was not looked at: %d were opened", opened)
	}
	if opened, _, _ := costs(t, d); opened > 1 {
		t.Errorf("then %d files are opened", opened)
	}
	d.boot++
	if opened, _, _ := costs(t, d); opened != tasks {
		t.Errorf("after a new start of the machine %d files are opened, want %d", opened, tasks)
	}
}

// dies reports whether the process dies in do.
func dies(do func()) (died bool) {
	defer func() {
		if r := recover(); r != nil {
			if r != (crash{}) {
				panic(r)
			}
			died = true
		}
	}()
	do()
	return false
}

// At each call of a reader that leaves the index another process reads, writes
// or edits: nobody fails, nobody waits (a lock of these disks that is not free is
// an error), and what is shown afterwards is what the files say.
func TestReadIndexAmongOthers(t *testing.T) {
	const tasks = saveFromFiles + 1
	others := map[string]func(d *disk) error{
		"reader": func(d *disk) error { firstReady(t, simStore(t, d.process())); return nil },
		"writer": func(d *disk) error {
			_, err := pawl.NewBoard(simStore(t, d.process())).Do(t.Context(), pawl.Request{By: by, Op: create("one")})
			return err
		},
		"editor": func(d *disk) error {
			d.put("task_2.json", `{"id": 2, "subject": "finished", "status": "completed"}`)
			return nil
		},
	}
	for name, act := range others {
		t.Run(name, func(t *testing.T) {
			for _, at := range readerCalls(t, tasks) {
				d := unwrittenBoard(tasks, sharedIgnore)
				d.prepared()
				start, acted := d.calls, false
				d.before = func(call int, _, _ string) error {
					if call-start != at {
						return nil
					}
					d.before, acted = nil, true
					if err := act(d); err != nil {
						t.Fatalf("at call %d: %v", at, err)
					}
					return nil
				}
				firstReady(t, simStore(t, d.process()))
				if !acted {
					t.Fatalf("nobody acted at call %d", at)
				}
				d.now += 1e9
				got := state(t, simStore(t, d.process()))
				if _, _, state, _ := d.find(stateDir); state.names["index"] == nil {
					d.set(d.root, stateDir, nil)
				}
				if want := state(t, simStore(t, d.process())); got != want {
					t.Fatalf("at call %d: with the index the board is\n%sand without it\n%s", at, got, want)
				}
			}
		})
	}
}

// A reader that is at work when the first commit of a board is half placed shows
// all of it or nothing.
func TestReadIndexDuringFirstCommit(t *testing.T) {
	const tasks = 3
	seen := map[int]int{}
	for _, at := range readerCallsOf(t, tasks) {
		for upTo := 1; ; upTo += stride() {
			d := unwrittenBoard(tasks, sharedIgnore)
			d.prepared()
			start, died := d.calls, false
			d.before = func(call int, _, _ string) error {
				if call-start != at {
					return nil
				}
				begin := d.calls
				d.before = func(call int, _, _ string) error {
					if died = died || call-begin >= upTo; died {
						return errors.New("the writer is gone")
					}
					return nil
				}
				_, _ = pawl.NewBoard(simStore(t, d.process())).Do(t.Context(), pawl.Request{By: by, Op: create("new a", "new b")})
				d.before = nil
				return nil
			}
			s, n := simStore(t, d.process()), 0
			err := s.View(t.Context(), func(r pawl.Reader) error {
				page, err := r.Select(pawl.Query{Text: "new"})
				n = len(page.Tasks)
				return err
			})
			if err != nil || n == 1 {
				t.Fatalf("the writer ends after %d calls at the reader's call %d: %d new tasks, %v", upTo, at, n, err)
			}
			seen[n]++
			if !died {
				break
			}
		}
	}
	if seen[0] < 20/stride() || seen[2] < 20/stride() {
		t.Errorf("shown so often: %v", seen)
	}
}

// readerCallsOf are all calls of a reader of a small unwritten board.
func readerCallsOf(t *testing.T, tasks int) (at []int) {
	d := unwrittenBoard(tasks, sharedIgnore)
	d.prepared()
	start := d.calls
	d.before = func(call int, _, _ string) error {
		at = append(at, call-start)
		return nil
	}
	firstReady(t, simStore(t, d.process()))
	return at
}

// A reader with the index shows the same as one without it, whatever is edited.
func TestReadIndexAfterEdits(t *testing.T) {
	const tasks = saveFromFiles + 6
	rnd := rand.New(rand.NewPCG(7, 7))
	d := unwrittenBoard(tasks, sharedIgnore)
	d.prepared()
	for round := range 200 {
		name := taskName(pawl.ID(1 + rnd.IntN(tasks)))
		text := fmt.Sprintf(`{"id": %s, "subject": "edited", "status": %q, "blockedBy": [%d]}`, strings.TrimSuffix(name[5:], ".json"),
			[]string{"pending", "completed", "in_progress"}[rnd.IntN(3)], 1+rnd.IntN(tasks))
		switch rnd.IntN(5) {
		case 0:
			if d.text(name) != "" {
				d.drop(name)
			}
		case 1:
			d.put(name, text)
		case 2:
			d.swap(name, text)
		case 3:
			d.put(name, "{")
		}
		if rnd.IntN(2) == 0 {
			d.now += 1e9
		}
		got := state(t, simStore(t, d.process()))
		kept := d.root.names[stateDir]
		delete(d.root.names, stateDir)
		want := state(t, simStore(t, d.process()))
		d.root.names[stateDir] = kept
		if got != want {
			t.Fatalf("round %d: with the index the board is\n%sand without it\n%s", round, got, want)
		}
	}
}

// A refused request makes no journal on a board that was never written to.
func TestUnwrittenRefused(t *testing.T) {
	d := unwrittenBoard(3, sharedIgnore)
	d.prepared()
	_, err := pawl.NewBoard(simStore(t, d.process())).Do(t.Context(), pawl.Request{By: by, Op: pawl.Complete{IDs: []pawl.ID{9}}})
	if err == nil {
		t.Fatal("task 9 was completed")
	}
	if _, _, journal, _ := d.find(journalDir); journal != nil {
		t.Error("there is a journal")
	}
}

// Prepare makes the state folder of a board that is there, out of git whatever the
// board's own .gitignore says, and nothing else.
func TestPrepare(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tasks")
	must.Do(t, Prepare(dir))
	if _, err := os.Lstat(dir); err == nil {
		t.Fatal("it makes a board")
	}
	if err := os.MkdirAll(filepath.Join(dir, stateDir), 0o755); err != nil { // by an older version
		t.Fatal(err)
	}
	for _, before := range []string{filepath.Join(dir, "none"), filepath.Join(dir, stateDir)} {
		must.Do(t, os.RemoveAll(before))
		for range 2 {
			must.Do(t, Prepare(dir))
		}
		if got := read(t, filepath.Join(dir, stateIgnoreName)); got != privateIgnore {
			t.Errorf("in it git ignores %q", got)
		}
		if names, _ := os.ReadDir(dir); len(names) != 1 {
			t.Errorf("the board has %v", names)
		}
	}
}

// A board that Pawl has never written to has no history, so that whoever asks what
// has changed has to read everything.
func TestUnwrittenHasNoHistory(t *testing.T) {
	d := unwrittenBoard(2, "")
	for range 2 {
		b := pawl.NewBoard(simStore(t, d.process()))
		page, err := b.Select(context.Background(), pawl.Query{})
		if err != nil || page.Total != 2 {
			t.Fatalf("%+v, %v", page, err)
		}
		for _, since := range []pawl.Revision{0, page.Revision} {
			if ids, next, err := b.ChangedSince(context.Background(), since); !errors.Is(err, pawl.Gone) {
				t.Errorf("since %d: %v, %d, %v", since, ids, next, err)
			}
		}
	}
}
