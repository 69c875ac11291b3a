package gitshare

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/store/file"
)

// A desk is one person's clone with its board, as the program has it.
type desk struct {
	*field
	board   string
	by      pawl.Actor
	store   *file.Store
	sharing *Sharing
	ask     ask.Board
	spawned int
	mode    string
}

// desk makes a clone of the remote.
func (f *field) desk(name string) *desk {
	f.t.Helper()
	dir := filepath.Join(f.dir, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		f.t.Fatal(err)
	}
	f.git(dir, "init", "-q")
	f.git(dir, "remote", "add", "origin", f.remote())
	d := &desk{field: f, board: filepath.Join(dir, ".tasks"), by: pawl.Actor{Name: name, Session: name + "-1"}, mode: Claims}
	d.open()
	return d
}

func (d *desk) options() Options {
	return Options{
		Getenv: os.Getenv, Store: d.store, Mode: func() string { return d.mode },
		Spawn: func(string) error { d.spawned++; return nil },
	}
}

// open opens the board, as another process would.
func (d *desk) open() {
	d.t.Helper()
	store, err := file.Open(d.board)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { store.Close() })
	d.store = store
	var with []ask.Option
	if d.sharing = Open(d.board, d.options()); d.sharing != nil {
		with = append(with, ask.Sharing(d.sharing), ask.Syncing(d.sharing))
	}
	d.ask = ask.Local(pawl.NewBoard(store), with...)
}

func (d *desk) join() Joined {
	d.t.Helper()
	_, joined, err := Join(d.t.Context(), d.board, Wish{By: d.by}, d.options(), func() error { return nil })
	if err != nil {
		d.t.Fatal(err)
	}
	d.open()
	return joined
}

func (d *desk) do(op pawl.Op) (ask.Outcome, error) {
	return d.ask.Do(d.t.Context(), pawl.Request{By: d.by, Op: op}, ask.WantNames)
}

func (d *desk) must(op pawl.Op) ask.Outcome {
	d.t.Helper()
	o, err := d.do(op)
	if err != nil {
		d.t.Fatalf("%#v: %v", op, err)
	}
	return o
}

func (d *desk) sync() share.Report {
	d.t.Helper()
	r, err := d.sharing.Sync(d.t.Context(), share.Options{By: d.by})
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

func tasks(subjects ...string) pawl.Create {
	var op pawl.Create
	for _, s := range subjects {
		op.Tasks = append(op.Tasks, pawl.NewTask{Subject: s})
	}
	return op
}

// Two people share a board: each task is claimed by one of them, and who was second
// hears it before any work is wasted.
func TestClaims(t *testing.T) {
	f := newField(t)
	ada, bob := f.desk("ada"), f.desk("bob")
	ada.must(tasks("one", "two", "three"))
	if joined := ada.join(); !joined.Published {
		t.Errorf("the first one to share says %+v", joined)
	}
	if joined := bob.join(); joined.Published || len(joined.Report.Arrived) != 3 {
		t.Errorf("the second one says %+v", joined)
	}
	took := ada.must(pawl.ClaimTask{ID: 1})
	if took.Shared == nil || len(took.Shared.Confirmed) != 1 || len(took.Shared.Here) != 0 {
		t.Errorf("the claim is %+v", took.Shared)
	}
	lost, err := bob.do(pawl.ClaimTask{ID: 1})
	if !errors.Is(err, pawl.Conflict) || !strings.Contains(err.Error(), "ada") {
		t.Errorf("the second claim: %+v, %v", lost, err)
	}
	if s := bob.sharing.Status(t.Context()); s == nil || s.Failed != "" || s.Synced.IsZero() {
		t.Errorf("bob's status is %+v", s)
	}

	// A claim of the next one takes another one, where the first choice is gone.
	ada.must(pawl.ClaimTask{ID: 2})
	next := bob.must(pawl.ClaimTask{})
	if len(next.Result.IDs) != 1 || next.Result.IDs[0] != 3 || next.Shared == nil || len(next.Shared.Confirmed) != 1 {
		t.Errorf("bob has %v, %+v", next.Result.IDs, next.Shared)
	}
	if len(next.Shared.Passed) != 1 || next.Shared.Passed[0].ID != 2 || next.Shared.Passed[0].By != "ada" {
		t.Errorf("passed over: %+v", next.Shared.Passed)
	}

	// A completion travels with the next push.
	ada.spawned = 0
	ada.must(pawl.Complete{IDs: []pawl.ID{1}})
	if ada.spawned != 1 {
		t.Errorf("%d syncs were asked for", ada.spawned)
	}
	ada.sync()
	if r := bob.sync(); len(r.Changed) == 0 {
		t.Errorf("bob got %+v", r)
	}
}

// Try says what Sync then does, and changes neither side.
func TestTry(t *testing.T) {
	f := newField(t)
	ada, bob := f.desk("ada"), f.desk("bob")
	ada.mode, bob.mode = Manual, Manual
	ada.must(tasks("one"))
	ada.join()
	bob.join()
	ada.must(tasks("two of ada"))
	ada.sync()
	bob.must(tasks("two of bob"))
	try := func() share.Report {
		t.Helper()
		r, err := bob.sharing.Try(t.Context(), share.Options{By: bob.by})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	refs := func() string { return f.git(f.remote(), "for-each-ref") }
	before, files := refs(), listed(t, bob.board)
	said := try()
	if again := try(); cmp.Diff(said, again) != "" {
		t.Errorf("a second try says something else: %s", cmp.Diff(said, again))
	}
	if refs() != before || listed(t, bob.board) != files {
		t.Errorf("a try changed something:\n%s%s", refs(), listed(t, bob.board))
	}
	did := bob.sync()
	if did.Revision = 0; cmp.Diff(did, said) != "" || len(said.Sent) != 1 || len(said.Arrived) != 1 || len(said.Merge.Moved) != 1 {
		t.Errorf("done, not said (-done +said):\n%s", cmp.Diff(did, said))
	}
	if r := try(); !r.Empty() {
		t.Errorf("after a sync: %+v", r)
	}
	f.git(f.remote(), "update-ref", "-d", "refs/pawl/board")
	stop := new(share.StopError)
	if _, err := bob.sharing.Try(t.Context(), share.Options{By: bob.by}); !errors.As(err, &stop) || stop.Stop != share.StopDeleted {
		t.Errorf("without a board on the remote: %v", err)
	}
	if s := bob.sharing.Status(t.Context()); s.Stopped != "" {
		t.Errorf("a try stopped the clone: %+v", s)
	}
	if r, err := bob.sharing.Try(t.Context(), share.Options{By: bob.by, Resume: true}); err != nil || len(r.Sent) != 3 {
		t.Errorf("resumed: %+v, %v", r, err)
	}
}

// listed are the names and texts of a board's files.
func listed(t *testing.T, board string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(board, "task_*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(filepath.Base(f) + "\n" + string(text))
	}
	return b.String()
}
