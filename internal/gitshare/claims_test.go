package gitshare

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/file"
)

// tasksOf are the board's tasks, by id.
func (d *desk) tasksOf(ids ...pawl.ID) []pawl.Task {
	d.t.Helper()
	var found []pawl.Task
	must.Do(d.t, d.store.View(d.t.Context(), func(r pawl.Reader) (err error) { found, err = r.Get(ids...); return err }))
	return found
}

// refused asks for something that makes somebody the owner of a task. The remote does
// not confirm it: it fails with a hint, and the task is as it was.
func (d *desk) refused(op pawl.Op, id pawl.ID, hint string) {
	d.t.Helper()
	was := d.tasksOf(id)[0]
	o, err := d.do(op)
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok || e.Kind != pawl.Unconfirmed || len(o.Result.IDs) != 0 || o.Shared != nil && len(o.Shared.Here)+len(o.Shared.Confirmed) > 0 {
		d.t.Errorf("%#v: %+v, %v", op, o, err)
		return
	}
	if is := e.Hint.Step.String() + e.Hint.Text; is != "reach" && hint == "" || is != "say"+hint && hint != "" {
		d.t.Errorf("%#v: %v, and the hint is %q", op, err, is)
	}
	if is := d.tasksOf(id)[0]; is.Status != was.Status || is.Owner != was.Owner || is.Claim.Live() && is.Claim.Clone == "" || !is.StartedAt.Equal(was.StartedAt) || !is.CompletedAt.Equal(was.CompletedAt) {
		d.t.Errorf("%#v: afterwards %v is %v by %q with %+v", op, id, is.Status, is.Owner, is.Claim)
	}
}

// away takes the remote away, until back is called.
func (f *field) away() (back func()) {
	f.t.Helper()
	move := func(from, to string) {
		must.Do(f.t, os.Rename(from, to))
	}
	move(f.remote(), f.remote()+".away")
	return func() { move(f.remote()+".away", f.remote()) }
}

// Each way to become an owner is refused while the remote does not confirm it, and leaves
// nothing behind; unless the person wants it otherwise and the remote is away.
func TestRefused(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada, bob := f.desk("ada"), f.desk("bob")
	ada.must(tasks("one", "two", "three", "four"))
	ada.must(pawl.Assign{IDs: []pawl.ID{3}, Owner: "ada"})
	ada.join()
	bob.join()
	ada.must(pawl.ClaimTask{ID: 4})
	ways := []struct {
		op pawl.Op
		id pawl.ID
	}{
		{pawl.ClaimTask{ID: 1}, 1},
		{pawl.ClaimTask{}, 3}, // assigned before, and afterwards
		{pawl.ClaimTask{}, 1},
		{pawl.Start{IDs: []pawl.ID{1, 2}}, 2},
		{pawl.Complete{IDs: []pawl.ID{1}}, 1},
		{pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: 1, Text: "x"}, pawl.Complete{IDs: []pawl.ID{1}}}}, 1},
		{pawl.All{Ops: []pawl.Op{pawl.PutHold{IDs: []pawl.ID{1}, Reason: "x"}, pawl.LiftHold{IDs: []pawl.ID{1}}, pawl.ClaimTask{ID: 1}}}, 1},
	}
	back := f.away()
	for _, w := range ways {
		ada.refused(w.op, w.id, "")
	}
	for _, asks := range []bool{true, false} {
		ada.asks, ada.offline = asks, !asks
		if o := ada.must(pawl.ClaimTask{ID: 1}); !slices.Equal(o.Shared.Here, []pawl.ID{1}) || o.Shared.Why == "" {
			t.Errorf("the person wants it, and the claim is %+v", o.Shared)
		}
		ada.must(pawl.Release{IDs: []pawl.ID{1}})
	}
	bound := pawl.Request{By: ada.by, Op: pawl.ClaimTask{ID: 1}, Offline: true, Bound: true}
	ada.offline = false
	if _, err := ada.ask.Do(t.Context(), bound, 0); pawl.KindOf(err) != pawl.Unconfirmed {
		t.Errorf("an agent of a server asks for it: %v", err)
	}
	// What the remote confirmed is completed without it, and sent later.
	if o := ada.must(pawl.Complete{IDs: []pawl.ID{4}}); !o.Result.Changed {
		t.Errorf("the claim was confirmed, and done says %+v", o.Result)
	}
	back()
	ada.sync()
	bob.sync()
	if is := bob.tasksOf(4)[0]; is.Status != pawl.Completed || is.Owner != "ada" {
		t.Errorf("bob has %v by %q", is.Status, is.Owner)
	}
	for _, is := range bob.tasksOf(1, 2, 3) {
		if is.Status != pawl.Pending || is.Claim.Live() {
			t.Errorf("what was refused is %v by %q at the others", is.Status, is.Owner)
		}
	}
	// A hook does not wait, so it cannot confirm anything.
	ada.sharing.o.Hook = true
	ada.refused(pawl.ClaimTask{ID: 1}, 1, "run it in a terminal")
	ada.sharing.o.Hook = false
	// Done of a task that bob has claimed since.
	bob.must(pawl.ClaimTask{ID: 1})
	if _, err := ada.do(pawl.Complete{IDs: []pawl.ID{1}}); pawl.KindOf(err) != pawl.Conflict || !strings.Contains(err.Error(), "bob") {
		t.Errorf("done of what bob has: %v", err)
	}
	if is := ada.tasksOf(1)[0]; is.Status != pawl.InProgress || is.Owner != "bob" {
		t.Errorf("afterwards it is %v by %q", is.Status, is.Owner)
	}
	if o := ada.must(pawl.Complete{IDs: []pawl.ID{2}}); !ada.sharing.Sent(o.Result.Revision) {
		t.Error("done of an unclaimed task was not sent")
	}
	// Of several tasks all are claimed, or none.
	bob.must(pawl.ClaimTask{ID: 3, Force: true})
	ada.must(tasks("five"))
	if _, err := ada.do(pawl.Start{IDs: []pawl.ID{3, 5}}); pawl.KindOf(err) != pawl.Conflict {
		t.Errorf("one of two is bob's: %v", err)
	}
	if is := ada.tasksOf(5)[0]; is.Status != pawl.Pending || is.Claim.Live() {
		t.Errorf("the other one is %v by %q", is.Status, is.Owner)
	}
}

// Each op that can leave a task in progress with an owner asks the remote, or a word here says
// why it cannot make one. Undo and import made owners that no remote knew of, with exit 0.
func TestOwners(t *testing.T) {
	t.Parallel()
	ada, bob := pair(t, "one", "two", "three", "four", "five", "six", "seven", "eight")
	import1 := func(id pawl.ID, status pawl.Status) pawl.Op {
		is := ada.tasksOf(id)[0]
		return pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: is.Subject, Owner: "eve"}, ID: id, CreatedAt: is.CreatedAt, Status: status}}}
	}
	undo := func(id pawl.ID, end pawl.Op) pawl.Op {
		ada.must(pawl.ClaimTask{ID: id})
		return pawl.Undo{Revision: ada.must(end).Result.Revision}
	}
	ways := map[string][]struct {
		id pawl.ID
		op pawl.Op
	}{
		pawl.VerbClaim:    {{1, pawl.ClaimTask{ID: 1}}},
		pawl.VerbStart:    {{2, pawl.Start{IDs: []pawl.ID{2}}}},
		pawl.VerbComplete: {{3, pawl.Complete{IDs: []pawl.ID{3}}}},
		pawl.VerbImport:   {{4, import1(4, pawl.InProgress)}, {8, import1(8, pawl.Completed)}},
		pawl.VerbUndo: {
			{5, undo(5, pawl.Release{IDs: []pawl.ID{5}})},
			{6, undo(6, pawl.Complete{IDs: []pawl.ID{6}})},
		},
		pawl.VerbAll:     {{7, pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: 7, Text: "x"}, import1(7, pawl.InProgress)}}}},
		pawl.VerbCreate:  nil, // pending, or completed without having been anybody's
		pawl.VerbUpdate:  nil, // no status and no owner
		pawl.VerbReopen:  nil, // pending
		pawl.VerbRelease: nil,
		pawl.VerbAssign:  nil, // of pending tasks
		pawl.VerbHold:    nil,
		pawl.VerbLift:    nil,
		pawl.VerbNote:    nil,
		pawl.VerbCheck:   nil,
		pawl.VerbDelete:  nil,
		pawl.VerbRenew:   nil, // of claims alone
	}
	ada.sync()
	for _, op := range pawl.Ops() {
		if _, decided := ways[op.Verb()]; !decided && op.Verb() != "" {
			t.Errorf("%s: can it make somebody the owner of a task?", op.Verb())
		}
	}
	back := ada.away()
	for _, all := range ways {
		for _, w := range all {
			ada.refused(w.op, w.id, "")
		}
	}
	made := pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "nine", Owner: "ada"}, Status: pawl.InProgress}}}
	if _, err := ada.do(made); pawl.KindOf(err) != pawl.Unconfirmed {
		t.Errorf("a new task with an owner: %v", err)
	}
	back()
	for verb, all := range ways {
		for _, w := range all {
			o := ada.must(w.op)
			if !ada.sharing.Sent(o.Result.Revision) {
				t.Errorf("%s of %v is not confirmed", verb, w.id)
			}
		}
	}
	bob.sync()
	for verb, all := range ways {
		for _, w := range all {
			if mine, his := ada.tasksOf(w.id)[0], bob.tasksOf(w.id)[0]; mine.Status == pawl.Pending || his.Owner != mine.Owner || his.Status != mine.Status {
				t.Errorf("%s of %v: it is %q's here, and %q's in the other clone", verb, w.id, mine.Owner, his.Owner)
			}
		}
	}
	// Another clone was first.
	id := ada.must(tasks("ten")).Result.IDs[0]
	again := undo(id, pawl.Release{IDs: []pawl.ID{id}})
	ada.sync()
	bob.sync()
	bob.must(pawl.ClaimTask{ID: id})
	if _, err := ada.do(again); pawl.KindOf(err) != pawl.Conflict || ada.tasksOf(id)[0].Owner != "bob" {
		t.Errorf("an undo of what bob has claimed since: %v", err)
	}
}

// A claim that was cut off while it waited for the remote is no way around it.
func TestLeftOver(t *testing.T) {
	t.Parallel()
	ada := alone(t, "one")
	back := ada.away()
	alone := query.Local(pawl.NewBoard(ada.store)) // as if it was killed
	o := must.Get(alone.Do(t.Context(), pawl.Request{By: ada.by, Op: pawl.ClaimTask{ID: 1}}, 0))(t)
	if _, err := ada.do(pawl.ClaimTask{ID: 1}); pawl.KindOf(err) != pawl.Unconfirmed {
		t.Errorf("the claim again: %v", err)
	}
	if _, err := ada.do(pawl.Complete{IDs: []pawl.ID{1}}); pawl.KindOf(err) != pawl.Unconfirmed {
		t.Errorf("its completion: %v", err)
	}
	is := ada.tasksOf(1)[0]
	if is.Status != pawl.InProgress || is.Claim.Session != ada.by.Session || is.Claim.Token == o.Result.Tasks[0].Claim.Token {
		t.Errorf("afterwards it is %v by %q with %+v", is.Status, is.Owner, is.Claim)
	}
	// A caller that shows the token was told of the claim.
	if o := ada.must(pawl.ClaimTask{ID: 1, Token: is.Claim.Token}); !slices.Equal(o.Shared.Here, []pawl.ID{1}) {
		t.Errorf("renewed: %+v", o.Shared)
	}
	back()
	if o := ada.must(pawl.ClaimTask{ID: 1}); !slices.Equal(o.Shared.Confirmed, []pawl.ID{1}) {
		t.Errorf("with the remote: %+v", o.Shared)
	}
}

// A remote that lost the board, or some of it, confirms nothing.
func TestStoppedRefuses(t *testing.T) {
	t.Parallel()
	ada, bob := pair(t, "one", "two")
	first := strings.TrimSpace(ada.git(ada.remote(), "rev-parse", "refs/pawl/board"))
	ada.must(pawl.ClaimTask{ID: 1})
	ada.asks, ada.offline = true, true // it is not away
	ada.git(ada.remote(), "update-ref", "refs/pawl/board", first)
	ada.refused(pawl.ClaimTask{ID: 2}, 2, "pawl sync")
	ada.refused(pawl.Complete{IDs: []pawl.ID{2}}, 2, "pawl sync") // it has stopped by now
	ada.git(ada.remote(), "update-ref", "-d", "refs/pawl/board")
	bob.refused(pawl.ClaimTask{ID: 2}, 2, "pawl sync")
}

// Agents of one clone share a push.
func TestOnePush(t *testing.T) {
	t.Parallel()
	ada := alone(t, "one", "two", "three", "four", "five", "six", "seven", "eight")
	count := func() int {
		return len(strings.Fields(ada.git(ada.remote(), "rev-list", "--first-parent", "refs/pawl/board")))
	}
	before := count()
	unlock, err := ada.sharing.lock(t.Context(), lockName) // as if a sync were under way
	must.Do(t, err)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if o, err := ada.do(pawl.ClaimTask{}); err != nil || len(o.Shared.Confirmed) != 1 {
				t.Errorf("%+v, %v", o.Shared, err)
			}
		})
	}
	for claimed := 0; claimed < 8; { // all wait for the sync
		claimed = 0
		for _, is := range ada.tasksOf(1, 2, 3, 4, 5, 6, 7, 8) {
			if is.Status == pawl.InProgress {
				claimed++
			}
		}
	}
	unlock()
	group.Wait()
	if pushes := count() - before; pushes != 1 {
		t.Errorf("8 claims of one clone were %d pushes", pushes)
	}
}

// A racing repository loses its first race.
type racing struct {
	*Repository
	before func()
}

func (r *racing) Push(ctx context.Context, old, tip string) error {
	if r.before != nil {
		r.before()
		r.before = nil
	}
	return r.Repository.Push(ctx, old, tip)
}

// After a lost race a sync takes along what others of its clone claimed meanwhile.
func TestRaceTakesAlong(t *testing.T) {
	t.Parallel()
	ada, bob := pair(t, "one", "two", "three")
	alone := query.Local(pawl.NewBoard(ada.store))
	claim := func(id pawl.ID) {
		if _, err := alone.Do(t.Context(), pawl.Request{By: ada.by, Op: pawl.ClaimTask{ID: id}}, 0); err != nil {
			t.Error(err)
		}
	}
	claim(1)
	r := must.Get(ada.sharing.load())(t)
	repo := must.Get(ada.sharing.repository(t.Context(), r, nil))(t)
	race := &racing{repo, func() { bob.must(pawl.ClaimTask{ID: 3}); claim(2) }}
	report, err := share.New(race, NewLocal(ada.store, ada.by), &memory{ada.sharing.site, r}, clock{}, newName).Sync(t.Context(), share.Options{By: ada.by})
	if err != nil || report.Tries != 1 || !slices.Equal(report.Confirmed, []pawl.ID{1, 2}) {
		t.Errorf("%+v, %v", report, err)
	}
}

// A process in a sandbox without a network, which may not write to git's folder, leaves its
// claim to one that can; what that cannot do is refused.
func TestRelay(t *testing.T) {
	ada, bob := pair(t, "one", "two", "three")
	f := ada.field
	boxed := &desk{field: f, board: ada.board, by: pawl.Actor{Name: "boxed", Session: "boxed-1"}, mode: Claims}
	boxed.open()
	box := func() { // the lock cannot be taken
		boxed.sharing.Home = boxed.sharing.Home + ".away"
		if err := os.Mkdir(boxed.sharing.Home, 0o700); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
		text, err := os.ReadFile(ada.sharing.File(stateName))
		if err == nil {
			err = os.WriteFile(boxed.sharing.File(stateName), text, 0o600)
		}
		boxed.bound(func(home string) map[string]string { return map[string]string{"folder": inode(t, home)} }) // it stands for the same folder
		if err == nil && !os.IsExist(os.Mkdir(boxed.sharing.File(lockName), 0o700)) {
			t.Setenv("PAWL_SYNC", "allow")
		}
		must.Do(t, err)
	}
	box()
	if _, err := boxed.do(pawl.ClaimTask{ID: 1}); pawl.KindOf(err) != pawl.Unconfirmed {
		t.Fatalf("nobody is there to help: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	group.Go(func() { ada.sharing.Relay(ctx) })
	for !filelock.Held(ada.sharing.relays().File(relayLock)) {
		runtime.Gosched()
	}
	if o, err := boxed.do(pawl.ClaimTask{ID: 1}); err != nil || !slices.Equal(o.Shared.Confirmed, []pawl.ID{1}) {
		t.Errorf("with help: %+v, %v", o.Shared, err)
	}
	bob.must(pawl.ClaimTask{ID: 2})
	if _, err := boxed.do(pawl.ClaimTask{ID: 2}); pawl.KindOf(err) != pawl.Conflict || !strings.Contains(err.Error(), "bob") {
		t.Errorf("bob was faster: %v", err)
	}
	over, end := context.WithCancel(t.Context())
	end()
	if _, err := boxed.sharing.Confirm(over, boxed.by, nil); err == nil || strings.Contains(err.Error(), "pawl mcp") {
		t.Errorf("pawl mcp was given no time: %v", err)
	}
	back := ada.away()
	boxed.refused(pawl.ClaimTask{ID: 3}, 3, "")
	back()
	// The remote answers, and then cannot be reached: who may claim without it may not now.
	ada.git(filepath.Dir(ada.board), "remote", "set-url", "--push", "origin", ada.remote()+".away")
	boxed.offline = true
	if o, err := boxed.do(pawl.ClaimTask{ID: 3}); pawl.KindOf(err) != pawl.Unconfirmed {
		t.Errorf("the remote was reached: %+v, %v", o.Shared, err)
	}
	boxed.offline = false
	stop()
	group.Wait()
	if left, err := filepath.Glob(filepath.Join(ada.board, ".pawl", relayPrefix+"*")); len(left) > 0 || err != nil {
		t.Errorf("%v is left, %v", left, err)
	}
	if _, err := boxed.do(pawl.ClaimTask{ID: 3}); pawl.KindOf(err) != pawl.Unconfirmed {
		t.Errorf("it has ended: %v", err)
	}
}

// Where .tasks/.pawl was removed, this clone knows no claim: a task that its file gives to the
// caller's name can be that of another clone, or of another session here. The remote is asked
// before the caller is treated as its owner.
func TestForgotten(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada, bob := f.desk("ada"), f.desk("bob")
	ada.by.Name, bob.by.Name = "claude", "claude" // as each agent of a kind
	ada.must(tasks("one", "two", "three", "four", "five", "six", "seven"))
	ada.join()
	bob.join()
	hers := map[pawl.ID]pawl.Op{
		1: pawl.Start{IDs: []pawl.ID{1}, Lease: pawl.Duration(time.Hour)}, 2: pawl.ClaimTask{ID: 2, Lease: pawl.Duration(time.Hour)}, 3: pawl.Complete{IDs: []pawl.ID{3}},
		4: pawl.Release{IDs: []pawl.ID{4}}, 5: pawl.Delete{IDs: []pawl.ID{5}},
	}
	for id := range hers {
		ada.must(pawl.ClaimTask{ID: id, Lease: pawl.Duration(time.Hour)})
	}
	bob.must(pawl.ClaimTask{ID: 6, Lease: pawl.Duration(time.Hour)})
	bob.sync()
	forget := func() {
		must.Do(t, errors.Join(bob.store.Close(), os.RemoveAll(filepath.Join(bob.board, ".pawl"))))
		bob.open()
	}
	for id, op := range hers {
		forget()
		back := f.away()
		bob.refused(op, id, "")
		back()
		if o, err := bob.do(op); pawl.KindOf(err) != pawl.Conflict || !strings.Contains(err.Error(), "claimed by claude on ") {
			t.Errorf("%#v of what another clone has: %+v, %v", op, o, err)
		}
	}
	forget()
	if r := bob.sync(); len(r.Lost) > 0 {
		t.Errorf("the clone lost what it never had: %+v", r.Lost)
	}
	forget()
	other := pawl.Request{By: pawl.Actor{Name: "claude", Session: "bob-2"}, Op: pawl.Complete{IDs: []pawl.ID{6}}}
	if _, err := bob.ask.Do(t.Context(), other, 0); pawl.KindOf(err) != pawl.Conflict {
		t.Errorf("another session of the clone completes #6: %v", err)
	}
	forget()
	bob.must(pawl.Complete{IDs: []pawl.ID{6}})
	ada.sync()
	for id := range hers {
		if is := ada.tasksOf(id)[0]; is.Status != pawl.InProgress || is.Claim.Clone != "" || is.Claim.Session != "ada-1" {
			t.Errorf("%v is %v, claimed with %+v", id, is.Status, is.Claim)
		}
	}
	// Nobody has a claim of what another program put in progress. The first who starts it gets one.
	is := bob.tasksOf(7)[0]
	is.Status, is.Owner = pawl.InProgress, "claude"
	must.Do(t, os.WriteFile(filepath.Join(bob.board, "task_7.json"), taskjson.Encode(&is), 0o600))
	if o := bob.must(pawl.Start{IDs: []pawl.ID{7}, Lease: pawl.Duration(time.Hour)}); o.Shared == nil || !slices.Equal(o.Shared.Confirmed, []pawl.ID{7}) {
		t.Errorf("#7 is started: %+v", o.Shared)
	}
	if _, err := ada.do(pawl.Start{IDs: []pawl.ID{7}, Lease: pawl.Duration(time.Hour)}); pawl.KindOf(err) != pawl.Conflict {
		t.Errorf("both clones have started #7: %v", err)
	}
}

// Where .tasks/.pawl was removed, a file was away for a while, or another program left createdAt
// out, other changes are sent as ever. No sync takes what the board lacks for ended here, nor
// one after a commit that could not be sent.
func TestForgottenAndWritten(t *testing.T) {
	t.Parallel()
	for what, begin := range map[string]func(*desk){
		"sent":                func(d *desk) { d.sync() },
		"kept":                func(d *desk) { _ = d.sharing.Keep(d.t.Context(), d.by) },
		"the remote was away": func(d *desk) { defer d.away()(); _, _ = d.sharing.Sync(d.t.Context(), share.Options{By: d.by}) },
	} {
		t.Run(what, func(t *testing.T) {
			long.Seldom(t, 6)
			t.Parallel()
			f := newField(t)
			ada, bob := f.desk("ada"), f.desk("bob")
			ada.must(tasks("hers", "his", "noted", "dated", "undated", "run out", "away"))
			undate := func(d *desk, id pawl.ID) (was pawl.Task) {
				was = d.tasksOf(id)[0]
				is := was
				is.CreatedAt = time.Time{}
				must.Do(t, os.WriteFile(filepath.Join(d.board, "task_"+strconv.Itoa(int(id))+".json"), taskjson.Encode(&is), 0o600))
				return was
			}
			undate(ada, 5)
			ada.join()
			bob.join()
			ada.must(pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
			ada.must(pawl.ClaimTask{ID: 7, Lease: pawl.Duration(time.Hour)})
			must.Get(NewLocal(ada.store, ada.by).Write(t.Context(), "op", 0, nil, func(*share.Board) (*share.Written, error) {
				return &share.Written{Claims: map[pawl.ID]share.LocalHeld{6: {Expired: 2}}}, nil
			}))(t)
			ada.sync()
			bob.must(pawl.ClaimTask{ID: 2, Lease: pawl.Duration(time.Hour)})
			bob.sync()
			must.Do(t, errors.Join(bob.store.Close(), os.RemoveAll(filepath.Join(bob.board, ".pawl"))))
			bob.open()
			bob.must(pawl.AddNote{ID: 3, Text: "written"})
			made := undate(bob, 4).CreatedAt
			begin(bob)
			away := filepath.Join(bob.board, "task_7.json")
			must.Do(t, os.Rename(away, away+".away"))
			bob.must(pawl.AddNote{ID: 5, Text: "later"})
			must.Do(t, os.Rename(away+".away", away))
			bob.must(pawl.Update{ID: 4, Subject: new("another subject")})
			for range 3 {
				bob.sync()
				ada.sync()
			}
			if r := bob.sync(); !r.Empty() {
				t.Errorf("there is still something to sync: %+v", r)
			}
			for _, d := range []*desk{ada, bob} {
				is := d.tasksOf(1, 2, 3, 4, 5, 6, 7)
				for i, by := range map[int]*desk{0: ada, 1: bob, 6: ada} {
					if has := is[i].Claim; !has.Live() || has.Session != by.by.Session || (has.Clone == "") != (d == by) {
						t.Errorf("%s has the claim %+v of %v", d.by.Name, has, is[i].ID)
					}
				}
				if len(is[2].Notes) != 1 || len(is[4].Notes) != 1 || is[4].Subject != "undated" {
					t.Errorf("%s has %+v", d.by.Name, is)
				}
				if !is[3].CreatedAt.Equal(made) || is[3].Subject != "another subject" {
					t.Errorf("%s has another #4: %+v", d.by.Name, is[3])
				}
				if is[5].Expired != 2 {
					t.Errorf("%s has #6 run out %d times", d.by.Name, is[5].Expired)
				}
			}
			bob.must(pawl.Complete{IDs: []pawl.ID{2}})
			if _, err := bob.do(pawl.ClaimTask{ID: 1}); pawl.KindOf(err) != pawl.Conflict {
				t.Errorf("two have claimed #1: %v", err)
			}
		})
	}
}

// The time that a claim waits for another sync of its clone is none that the remote had.
func TestPatience(t *testing.T) {
	ada := alone(t, "one", "two")
	synctest.Test(t, func(t *testing.T) {
		o := ada.options()
		o.Store = nil
		o.Open = func() (*file.Store, error) {
			time.Sleep(patience * 6 / 10) // as a slow remote
			return file.Open(ada.board)
		}
		s := Open(ada.board, o)
		store := must.Get(file.Open(ada.board))(t)
		defer store.Close()
		l := query.Local(pawl.NewBoard(store), query.Syncing(s))
		unlock, err := s.lock(t.Context(), lockName) // a sync is under way
		must.Do(t, err)
		go func() { time.Sleep(patience * 6 / 10); unlock() }()
		if _, err := l.Do(t.Context(), pawl.Request{By: ada.by, Op: pawl.ClaimTask{ID: 1}}, 0); err != nil {
			t.Errorf("the remote is there: %v", err)
		}
		if unlock, err = s.lock(t.Context(), lockName); err != nil { // one that takes too long
			t.Fatal(err)
		}
		defer unlock()
		_, err = l.Do(t.Context(), pawl.Request{By: ada.by, Op: pawl.ClaimTask{ID: 2}, Offline: true}, 0)
		if pawl.KindOf(err) != pawl.Unconfirmed || !strings.HasSuffix(err.Error(), "another sync of this board is still under way") {
			t.Errorf("behind a sync that does not end: %v", err)
		}
	})
}

// What is in the way of a task here may be over in another clone: it has completed a blocker,
// or ended a claim or a hold. The remote is asked before the board here refuses a claim for that.
func TestOldView(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada, bob := f.desk("ada"), f.desk("bob")
	plan := tasks("one", "two", "three", "four", "five", "six", "seven", "eight")
	plan.Tasks[1].BlockedBy = []pawl.Ref{pawl.RefID(1)}
	plan.Tasks[5].Parent = pawl.RefID(5)
	plan.Tasks[6].BlockedBy = []pawl.Ref{pawl.RefID(8)}
	ada.must(plan)
	ada.must(pawl.PutHold{IDs: []pawl.ID{3}, Reason: "x"})
	ada.join()
	bob.join()
	ada.must(pawl.ClaimTask{ID: 4})
	bob.sync()
	for _, w := range []struct {
		hers, his pawl.Op
		refused   pawl.Kind
	}{
		{pawl.Complete{IDs: []pawl.ID{1}}, pawl.ClaimTask{ID: 2}, pawl.Blocked},
		{pawl.LiftHold{IDs: []pawl.ID{3}}, pawl.Start{IDs: []pawl.ID{3}}, pawl.Blocked},
		{pawl.Release{IDs: []pawl.ID{4}}, pawl.ClaimTask{ID: 4}, pawl.Conflict},
		{pawl.Complete{IDs: []pawl.ID{6}}, pawl.Complete{IDs: []pawl.ID{5}}, pawl.Blocked},
	} {
		ada.must(w.hers)
		ada.sync()
		back := f.away()
		if _, err := bob.do(w.his); pawl.KindOf(err) != w.refused {
			t.Errorf("%#v without the remote: %v", w.his, err)
		}
		back()
		if o := bob.must(w.his); o.Shared == nil || len(o.Shared.Here) > 0 || !o.Result.Changed {
			t.Errorf("%#v: %+v", w.his, o.Shared)
		}
	}
	if _, err := bob.do(pawl.ClaimTask{ID: 7}); pawl.KindOf(err) != pawl.Blocked {
		t.Errorf("a claim of what is blocked everywhere: %v", err)
	}
	if _, err := ada.do(pawl.Start{IDs: []pawl.ID{2}}); pawl.KindOf(err) != pawl.Conflict {
		t.Errorf("ada starts what bob has: %v", err)
	}
}

// The undo of what another program did to a task's file brings the claim back, if the remote has
// given the task to nobody else since. A claim that came back was taken for confirmed.
func TestUndoOutside(t *testing.T) {
	t.Parallel()
	ada, bob := pair(t, "one", "two", "three")
	ada.must(pawl.Start{IDs: []pawl.ID{1, 2}, Lease: pawl.Duration(time.Hour)})
	outside := func(id pawl.ID, edit func(path string) error) pawl.Undo {
		must.Do(t, edit(filepath.Join(ada.board, "task_"+id.String()[1:]+".json")))
		ada.must(pawl.AddNote{ID: 3, Text: "x"}) // which records the edit
		for set, err := range ada.store.Changes(t.Context(), pawl.Span{Backward: true}) {
			if err == nil && set.Verb == pawl.ExternalName {
				return pawl.Undo{Revision: set.Revision}
			}
		}
		t.Fatal("the store has recorded no edit")
		return pawl.Undo{}
	}
	back := ada.away()
	undo := outside(2, os.Remove)
	if _, err := ada.do(undo); pawl.KindOf(err) != pawl.Unconfirmed {
		t.Errorf("without the remote: %v", err)
	}
	back()
	if o := ada.must(undo); o.Shared == nil || !slices.Equal(o.Shared.Confirmed, []pawl.ID{2}) {
		t.Errorf("with it: %+v", o.Shared)
	}
	undo = outside(1, func(path string) error {
		is := ada.tasksOf(1)[0]
		is.Status, is.Owner = pawl.Pending, ""
		return os.WriteFile(path, taskjson.Encode(&is), 0o600)
	})
	ada.sync()
	bob.sync()
	bob.must(pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	if o, err := ada.do(undo); pawl.KindOf(err) != pawl.Conflict {
		t.Errorf("of what bob has claimed since: %+v, %v", o.Shared, err)
	}
	if is := ada.tasksOf(1)[0]; is.Owner != "bob" || is.Claim.Clone == "" {
		t.Errorf("it is %v by %s with %+v", is.Status, is.Owner, is.Claim)
	}
}

// Where an undo gives a task back to an agent of another clone, its lease begins again here, and
// ends for all clones.
func TestUndoOfAnothersRelease(t *testing.T) {
	t.Parallel()
	ada, bob := pair(t, "one")
	bob.must(pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	ada.sync()
	ended := ada.must(pawl.Release{IDs: []pawl.ID{1}, Force: true})
	if o := ada.must(pawl.Undo{Revision: ended.Result.Revision}); o.Shared == nil || !slices.Equal(o.Shared.Confirmed, []pawl.ID{1}) {
		t.Errorf("the undo: %+v", o.Shared)
	}
	bob.sync()
	for _, d := range []*desk{ada, bob} {
		if is := d.tasksOf(1)[0]; is.Status != pawl.InProgress || is.Owner != "bob" || is.Claim.Lease != pawl.Duration(time.Hour) || is.Claim.Until.IsZero() {
			t.Errorf("%s has %v by %q with %+v", d.by.Name, is.Status, is.Owner, is.Claim)
		}
	}
}
