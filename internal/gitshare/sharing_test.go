package gitshare

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/file"
)

// errNo is a person's answer.
var errNo = errors.New("no")

// A desk is one person's clone with its board, as the program has it.
type desk struct {
	*field
	board   string
	by      pawl.Actor
	store   *file.Store
	sharing *Sharing
	ask     query.Board
	spawned int // syncs
	kept    int // processes that only make a commit
	mode    string
	offline bool // what the person set, and asks for
	asks    bool
	asked   []share.Target // what a person was asked to agree to
	refuses bool           // they do not
}

// desk makes a clone of the remote.
func (f *field) desk(name string) *desk {
	f.t.Helper()
	dir := filepath.Join(f.dir, name)
	must.Do(f.t, os.MkdirAll(dir, 0o755))
	f.git(dir, "init", "-q")
	f.git(dir, "remote", "add", "origin", f.remote())
	d := &desk{field: f, board: filepath.Join(dir, ".tasks"), by: pawl.Actor{Name: name, Session: name + "-1"}, mode: Claims}
	d.open()
	return d
}

func (d *desk) options() Options {
	return Options{
		Getenv: os.Getenv, Store: d.store, Mode: func() string { return d.mode },
		Spawn: d.spawn, Offline: func() bool { return d.offline },
		Agree: func(t share.Target) error {
			if d.asked = append(d.asked, t); d.refuses {
				return errNo
			}
			return nil
		},
	}
}

func (d *desk) spawn(_ string, keep bool) error {
	if keep {
		d.kept++
	} else {
		d.spawned++
	}
	return nil
}

// open opens the board, as another process would.
func (d *desk) open() {
	d.t.Helper()
	store := must.Get(file.Open(d.board))(d.t)
	d.t.Cleanup(func() { store.Close() })
	d.store = store
	var with []query.Option
	if d.sharing = Open(d.board, d.options()); d.sharing != nil {
		with = append(with, query.Sharing(d.sharing), query.Syncing(d.sharing))
	}
	d.ask = query.Local(pawl.NewBoard(store), with...)
}

func (d *desk) join() Joined {
	d.t.Helper()
	_, joined, err := Join(d.t.Context(), d.board, Wish{By: d.by}, d.options(), func() error { return nil })
	must.Do(d.t, err)
	d.open()
	return joined
}

// alone is a clone that shares a board with these tasks.
func alone(t *testing.T, subjects ...string) *desk {
	t.Helper()
	ada := newField(t).desk("ada")
	ada.must(tasks(subjects...))
	ada.join()
	return ada
}

// pair are two clones that share it.
func pair(t *testing.T, subjects ...string) (ada, bob *desk) {
	t.Helper()
	ada = alone(t, subjects...)
	bob = ada.desk("bob")
	bob.join()
	return ada, bob
}

func (d *desk) do(op pawl.Op) (query.Outcome, error) {
	return d.ask.Do(d.t.Context(), pawl.Request{By: d.by, Op: op, Offline: d.asks}, query.WantNames)
}

func (d *desk) must(op pawl.Op) query.Outcome {
	d.t.Helper()
	o, err := d.do(op)
	if err != nil {
		d.t.Fatalf("%#v: %v", op, err)
	}
	return o
}

func (d *desk) sync() share.Report {
	d.t.Helper()
	return must.Get(d.sharing.Sync(d.t.Context(), share.Options{By: d.by}))(d.t)
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
	t.Parallel()
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
	t.Parallel()
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
		return must.Get(bob.sharing.Try(t.Context(), share.Options{By: bob.by}))(t)
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
	// A sync that is killed after its write would remember nothing afterwards.
	var noted []merge.Moved
	bob.sharing.o.Moved = func(_ *file.Store, by pawl.Actor, moved []merge.Moved) {
		if noted = moved; listed(t, bob.board) != files || by != bob.by {
			t.Errorf("%+v hears of numbers that the board has already", by)
		}
	}
	did := bob.sync()
	if len(noted) != 1 || noted[0].From != 2 || noted[0].ID != 3 {
		t.Errorf("remembered: %+v", noted)
	}
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
	files := must.Get(filepath.Glob(filepath.Join(board, "task_*.json")))(t)
	var b strings.Builder
	for _, f := range files {
		text := must.Get(os.ReadFile(f))(t)
		b.WriteString(filepath.Base(f) + "\n" + string(text))
	}
	return b.String()
}

// Without the remote a claim stands if the person wants it so, and says so; nothing that
// runs by itself is tried again at once.
func TestOffline(t *testing.T) {
	t.Parallel()
	ada := alone(t, "one", "two")
	must.Do(t, os.Rename(ada.remote(), ada.remote()+".away"))
	ada.asks = true
	o := ada.must(pawl.ClaimTask{ID: 1})
	if o.Shared == nil || len(o.Shared.Here) != 1 || o.Shared.Why == "" || len(o.Shared.Confirmed) != 0 {
		t.Errorf("the claim is %+v", o.Shared)
	}
	s := ada.sharing.Status(t.Context())
	if s.Failed == "" || s.Since.IsZero() {
		t.Errorf("the status is %+v", s)
	}
	r := must.Get(ada.sharing.record())(t)
	first, now := r.next(r.Tried).Sub(r.Tried), r.Tried.Add(5*time.Second)
	if ada.sharing.due(r, now, false, true) || !ada.sharing.due(r, now, true, true) {
		t.Error("a change that nobody waits for is sent in the pause, or one that somebody does is not")
	}
	r.State.Failures = 5
	if next := r.next(r.Tried).Sub(r.Tried); next <= first {
		t.Errorf("the pause is %v, then %v", first, next)
	}
	must.Do(t, os.Rename(ada.remote()+".away", ada.remote()))
	if report := ada.sync(); len(report.Confirmed) != 1 {
		t.Errorf("the claim is not confirmed afterwards: %+v", report)
	}
}

// What is due depends on the setting, on who waits, and on when the last one was.
func TestDue(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	at := func(ago time.Duration) *record {
		return &record{Tried: now.Add(-ago), State: share.State{Synced: now.Add(-ago)}}
	}
	renewal := at(2 * time.Minute)
	renewal.State.Agreed = map[string]share.Renewal{"here/1": {At: share.Instant{Wall: now.Add(-31 * time.Minute)}, Lease: time.Hour}}
	slept := at(2 * time.Minute) // the wall clock was set back, and the other one tells that half an hour has passed
	here := instant(now)
	here.Wall, here.Up = now.Add(time.Minute), here.Up-31*time.Minute
	slept.State.Agreed = map[string]share.Renewal{"here/1": {At: here, Lease: time.Hour}}
	stopped := at(2 * time.Minute)
	stopped.State.Stopped = share.StopRewound
	failed := at(-24 * time.Hour)
	failed.State.Failures = 3
	for _, c := range []struct {
		what          string
		mode          string
		r             *record
		soon, changed bool
		want          bool
	}{
		{"a completion", Claims, at(time.Second), true, true, true},
		{"an edit", Claims, at(time.Second), false, true, false},
		{"an edit, always", Always, at(time.Second), false, true, true},
		{"a completion, manual", Manual, at(2 * time.Minute), true, true, false},
		{"a look", Claims, at(30 * time.Second), false, false, false},
		{"a look after a minute", Claims, at(time.Minute), false, false, true},
		{"a look after a minute, manual", Manual, at(time.Minute), false, false, false},
		{"a renewal, manual", Manual, renewal, false, false, true},
		{"a renewal after the clock was set back, manual", Manual, slept, false, false, true},
		{"a look after the clock was set back", Claims, at(-24 * time.Hour), false, false, true},
		{"a completion after failures and the clock was set back", Claims, failed, true, true, true},
		{"a completion when sharing has stopped", Claims, stopped, true, true, false},
	} {
		s := &Sharing{o: Options{Mode: func() string { return c.mode }}}
		if got := s.due(c.r, now, c.soon, c.changed); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// What no sync takes up soon is a commit in git's folder soon, and outlives the board's:
// with sync=manual, without the remote, and where nobody has allowed to sync.
func TestKept(t *testing.T) {
	for what, lets := range map[string]func(*desk){
		"manual": func(d *desk) { d.mode = Manual },
		"the remote is away": func(d *desk) {
			must.Do(t, os.Rename(d.remote(), d.remote()+".away"))
			for range 3 {
				_, _ = d.sharing.Sync(t.Context(), share.Options{By: d.by})
			}
		},
		"not allowed":                    func(*desk) { t.Setenv("HOME", t.TempDir()) },
		"a sync is about to begin":       func(d *desk) { t.Cleanup(d.sharing.try(waitName)) },
		"the remote was rewound, claims": func(d *desk) { d.stop(share.StopRewound) },
	} {
		t.Run(what, func(t *testing.T) {
			long.Seldom(t, 6)
			ada := alone(t, "one")
			lets(ada)
			ada.must(pawl.Release{IDs: []pawl.ID{1}}) // nothing is changed
			if ada.kept != 0 {
				t.Error("a process is started for nothing")
			}
			before := ada.spawned
			ada.must(pawl.AddNote{ID: 1, Text: "a note"})
			ada.must(pawl.PutHold{IDs: []pawl.ID{1}, Reason: "later"})
			if ada.kept != 2 || ada.spawned != before {
				t.Errorf("%d processes keep it, and %d sync it", ada.kept, ada.spawned-before)
			}
			must.Do(t, ada.sharing.Keep(t.Context(), ada.by))
			must.Do(t, os.RemoveAll(ada.board))
			o := ada.options()
			o.Store, o.Open = nil, func() (*file.Store, error) { return file.Open(ada.board) }
			if back, err := Restore(t.Context(), ada.board, o); err != nil || !back {
				t.Fatalf("%v, %v", back, err)
			}
			ada.open()
			got, err := pawl.NewBoard(ada.store).Get(t.Context(), 1)
			if err != nil || got[0].Hold == nil || len(got[0].Notes) != 1 {
				t.Errorf("it came back as %+v, %v", got, err)
			}
		})
	}
}

// A link in the place of .pawl came with somebody's archive. Nothing is written behind it.
func TestRestoredBehindALink(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada, elsewhere := f.desk("ada"), t.TempDir()
	ada.must(tasks("one"))
	ada.join()
	must.Do(t, errors.Join(os.RemoveAll(ada.board), os.Mkdir(ada.board, 0o755), os.Symlink(elsewhere, filepath.Join(ada.board, ".pawl"))))
	o := ada.options()
	o.Store, o.Open = nil, func() (*file.Store, error) { return file.Open(ada.board) }
	if back, err := Restore(t.Context(), ada.board, o); err == nil || back {
		t.Errorf("restored: %v, %v", back, err)
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("behind the link is %v (%v)", left, err)
	}
}

// A crash while a board is brought back leaves no empty board: the next start goes on. That
// is so before the board is written, and after.
func TestRestoredAfterACrash(t *testing.T) {
	t.Parallel()
	ada := alone(t, "one", "two")
	o := ada.options()
	o.Store, o.Open = nil, func() (*file.Store, error) { return file.Open(ada.board) }
	state := ada.sharing.File(stateName)
	before, err := os.ReadFile(state)
	if err == nil {
		err = os.RemoveAll(ada.board)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Join(ada.board, ".pawl", "journal"), 0o755)
	}
	for _, when := range []string{"before it was written", "after it was written"} {
		err = errors.Join(err, os.WriteFile(filepath.Join(ada.board, ".pawl", restoring), nil, 0o600), os.WriteFile(state, before, 0o600))
		must.Do(t, err)
		if back, err := Restore(t.Context(), ada.board, o); err != nil || !back {
			t.Errorf("%s: %v, %v", when, back, err)
		}
		if s := Open(ada.board, o).Whole(t.Context()); s.Unsent != 0 {
			t.Errorf("%s: %d changes wait", when, s.Unsent)
		}
		if back, err := Restore(t.Context(), ada.board, o); err != nil || back {
			t.Errorf("%s, the next one: %v, %v", when, back, err)
		}
	}
	ada.open()
	if got, err := pawl.NewBoard(ada.store).Get(t.Context(), 1, 2); err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
}

// stop has automatic syncs of the clone stopped.
func (d *desk) stop(why share.Stop) {
	d.t.Helper()
	r, err := d.sharing.load()
	if err == nil {
		r.State.Stopped = why
		err = d.sharing.save(r)
	}
	must.Do(d.t, err)
}

// A process that only makes a commit does not keep a sync from being started.
func TestKeepingHoldsUpNoSync(t *testing.T) {
	t.Parallel()
	ada := alone(t, "one")
	t.Cleanup(ada.sharing.try(keepName))
	ada.must(pawl.PutHold{IDs: []pawl.ID{1}, Reason: "later"})
	if ada.spawned != 1 || ada.kept != 0 {
		t.Errorf("%d syncs, %d others", ada.spawned, ada.kept)
	}
	ada.must(pawl.AddNote{ID: 1, Text: "a note"})
	if ada.kept != 0 {
		t.Error("a second one is started while one waits")
	}
}

// Nothing runs by itself where this user has not asked for it, as in a folder that
// came with an archive.
func TestOnlyWhereAsked(t *testing.T) {
	ada := alone(t, "one", "two")
	ada.must(pawl.Start{IDs: []pawl.ID{1, 2}})
	ada.must(pawl.Complete{IDs: []pawl.ID{1}})
	if ada.spawned == 0 {
		t.Error("no sync is started where the user has shared the board")
	}
	t.Setenv("HOME", t.TempDir())
	ada.open()
	ada.spawned = 0
	ada.must(pawl.Complete{IDs: []pawl.ID{2}})
	ada.must(tasks("three"))
	ada.asks, ada.offline = true, true // the remote is there
	ada.refused(pawl.ClaimTask{ID: 3}, 3, "ask a person at a terminal to run: pawl sync")
	if ada.spawned != 0 {
		t.Errorf("%d syncs for another user", ada.spawned)
	}
	t.Setenv("PAWL_SYNC", "allow")
	if o := ada.must(pawl.ClaimTask{ID: 3}); len(o.Shared.Confirmed) != 1 {
		t.Errorf("in a container for which a person allowed it, the claim is %+v", o.Shared)
	}
	os.Unsetenv("PAWL_SYNC")
	// Without a terminal nobody agrees to anything. (An unmarked program's first sync did.)
	ada.refuses = true
	for name, ask := range map[string]func() error{
		"sync":   func() error { _, err := ada.sharing.Sync(t.Context(), share.Options{By: ada.by}); return err },
		"try":    func() error { _, err := ada.sharing.Try(t.Context(), share.Options{By: ada.by}); return err },
		"rename": func() error { return ada.sharing.Through(t.Context(), Wish{By: ada.by, Remote: "origin"}) },
	} {
		if err := ask(); !errors.Is(err, errNo) {
			t.Errorf("%s, and nobody agrees: %v", name, err)
		}
	}
	ada.refuses = false
	ada.sync()
	ada.must(pawl.Release{IDs: []pawl.ID{3}})
	if ada.spawned == 0 {
		t.Error("no sync is started after pawl sync")
	}
}

// A clone may come with an archive, its state and git's configuration and all. Its first sync
// asked nobody, and ran the program that the configuration named.
func TestAsked(t *testing.T) {
	ada := alone(t, "one")
	if want := []share.Target{{Remote: "origin", Address: ada.remote(), Ref: "refs/pawl/board"}}; !cmp.Equal(ada.asked, want) {
		t.Errorf("to share asks for %+v, not %+v", ada.asked, want)
	}
	dir := filepath.Dir(ada.board)
	ran := filepath.Join(t.TempDir(), "ran")
	program := "echo ran >>'" + filepath.ToSlash(ran) + "'; false"
	ada.git(dir, "remote", "set-url", "origin", "ssh://short/x")
	ada.git(dir, "config", "url.ssh://host.invalid/.insteadOf", "ssh://short/")
	ada.git(dir, "config", "core.sshCommand", program)
	t.Setenv("HOME", t.TempDir()) // somebody else's machine
	started := func(what string, want bool) {
		t.Helper()
		if _, err := os.Stat(ran); (err == nil) != want {
			t.Errorf("%s: whether the program ran is %v", what, err == nil)
		}
		_ = os.Remove(ran)
	}
	sync := func(o share.Options) error { _, err := ada.sharing.Sync(t.Context(), o); return err }
	way := share.Target{Remote: "origin", Address: "ssh://host.invalid/x", Ref: "refs/pawl/board", Programs: []string{"core.sshcommand=" + program}}
	ada.refuses = true
	for what, try := range map[string]func() error{
		"sync":          func() error { return sync(share.Options{By: ada.by}) },
		"sync --resume": func() error { return sync(share.Options{By: ada.by, Resume: true}) },
		"a dry run":     func() error { _, err := ada.sharing.Try(t.Context(), share.Options{By: ada.by}); return err },
		"share --remote": func() error {
			return ada.sharing.Through(t.Context(), Wish{By: ada.by, Remote: "origin"})
		},
	} {
		ada.asked = nil
		if err := try(); !errors.Is(err, errNo) || !cmp.Equal(ada.asked, []share.Target{way}) {
			t.Errorf("%s asks for %+v, and fails with %v", what, ada.asked, err)
		}
		started(what, false)
	}
	ada.refuses = false
	if err := sync(share.Options{By: ada.by}); !errors.Is(err, share.ErrAway) {
		t.Errorf("a person agrees, and sync says %v", err)
	}
	started("after consent", true)
	ada.asked = nil
	_ = sync(share.Options{By: ada.by})
	if started("the next sync", true); len(ada.asked) > 0 {
		t.Errorf("the next sync asks again: %+v", ada.asked)
	}
	// Another address or program was agreed to by nobody, also where another file names it.
	more := filepath.Join(dir, ".git", "more")
	ada.git(dir, "config", "include.path", "more")
	for what, change := range map[string]func(){
		"another address": func() { ada.git(dir, "config", "url.ssh://other.invalid/.insteadOf", "ssh://short/x") },
		"another push":    func() { ada.git(dir, "config", "url.ssh://other.invalid/.pushInsteadOf", "ssh://short/") },
		"another program": func() { ada.git(dir, "config", "core.sshCommand", program+" ") },
		"an include":      func() { ada.git(dir, "config", "--file", more, "credential.helper", "!"+program) },
	} {
		was := must.Get(os.ReadFile(filepath.Join(dir, ".git", "config")))(t)
		change()
		if o, err := ada.do(pawl.ClaimTask{ID: 1}); pawl.KindOf(err) != pawl.Unconfirmed || !strings.Contains(err.Error(), "as git is set up in it now") {
			t.Errorf("%s: a claim says %+v, %v", what, o, err)
		}
		started(what, false)
		must.Do(t, os.WriteFile(filepath.Join(dir, ".git", "config"), was, 0o644))
		_ = os.Remove(more)
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv(AllowVar, "allow") // a script's configuration is its own
	if err := sync(share.Options{By: ada.by}); !errors.Is(err, share.ErrAway) || len(ada.asked) > 0 {
		t.Errorf("a person allowed it for a script, and sync asks for %+v and says %v", ada.asked, err)
	}
	started("allowed by the variable", true)
}

// A copy of a clone is another clone, and the claims are the original's.
func TestCopy(t *testing.T) {
	t.Parallel()
	ada := alone(t, "one", "two")
	f := ada.field
	ada.must(pawl.Start{IDs: []pawl.ID{1, 2}})
	must.Do(t, os.CopyFS(filepath.Join(ada.dir, "copy"), os.DirFS(filepath.Join(ada.dir, "ada"))))
	twin := &desk{field: f, board: filepath.Join(ada.dir, "copy", ".tasks"), by: ada.by, mode: Claims}
	twin.open()
	twin.must(pawl.Release{IDs: []pawl.ID{2}})
	if twin.spawned != 0 {
		t.Error("the copy syncs by itself")
	}
	was, report := twin.sharing.Status(t.Context()).Clone, twin.sync()
	if is := twin.sharing.Status(t.Context()).Clone; is == was || was != ada.sharing.Status(t.Context()).Clone {
		t.Errorf("the copy is %s, and was %s", is, was)
	}
	ada.sync()
	got := ada.must(pawl.Renew{IDs: []pawl.ID{1}})
	if c := got.Result.Tasks[0].Claim; c.Clone != "" || got.Result.Tasks[0].Status != pawl.InProgress || ada.tasksOf(2)[0].Owner != "ada" {
		t.Errorf("the original lost its claim: %+v (%+v)", c, report)
	}
}

// Who stops and shares again is the same clone, and has its claims. What it did in
// between counts.
func TestStopAndGoOn(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada, bob := f.desk("ada"), f.desk("bob")
	ada.must(tasks("one", "two", "three"))
	ada.join()
	ada.must(pawl.ClaimTask{ID: 1})
	was := ada.sharing.Status(t.Context()).Clone
	must.Do(t, ada.sharing.Stop(t.Context()))
	ada.open()
	if ada.sharing != nil && ada.sharing.Status(t.Context()) != nil {
		t.Error("it is still shared")
	}
	ada.must(pawl.Delete{IDs: []pawl.ID{3}})
	bob.join()
	if joined := ada.join(); len(joined.Report.Lost) != 0 || len(joined.Report.Arrived) != 0 {
		t.Errorf("sharing again: %+v", joined.Report)
	}
	if is := ada.sharing.Status(t.Context()).Clone; is != was {
		t.Errorf("the clone is called %s, and was %s", is, was)
	}
	if o := ada.must(pawl.Complete{IDs: []pawl.ID{1}}); !o.Result.Changed {
		t.Errorf("the claim is gone: %+v", o.Result)
	}
	if bob.sync(); len(bob.must(pawl.ClaimTask{}).Result.IDs) != 1 {
		t.Error("nothing is left for bob")
	}
	if _, err := bob.do(pawl.ClaimTask{ID: 3}); !errors.Is(err, pawl.NotFound) {
		t.Errorf("the deleted task: %v", err)
	}
}

// A file that nobody deleted by Pawl comes back, each time.
func TestRestored(t *testing.T) {
	t.Parallel()
	ada := alone(t, "one", "two")
	for _, id := range []pawl.ID{2, 1, 2} {
		must.Do(t, os.Remove(filepath.Join(ada.board, "task_"+strconv.FormatInt(int64(id), 10)+".json")))
		if r := ada.sync(); len(r.Restored) != 1 || r.Restored[0].ID != id {
			t.Errorf("the sync restored %+v", r.Restored)
		}
		if r := ada.sync(); len(r.Restored) != 0 {
			t.Errorf("the next sync restored %+v", r.Restored)
		}
	}
}

// What was done here since the last sync comes back, too, when git puts an old branch's
// files in the place of a board's, and takes them away again.
func TestRestoredChanges(t *testing.T) {
	t.Parallel()
	ada := alone(t, "one", "two", "three")
	f := ada.field
	name := func(id pawl.ID) string {
		return filepath.Join(ada.board, "task_"+strconv.FormatInt(int64(id), 10)+".json")
	}
	old := map[string][]byte{}
	for id := pawl.ID(1); id <= 3; id++ {
		text := must.Get(os.ReadFile(name(id)))(t)
		old[name(id)] = text
	}
	ada.must(pawl.AddNote{ID: 1, Text: "the key is in the safe"})
	ada.must(pawl.Complete{IDs: []pawl.ID{2}})
	ada.must(tasks("four"))
	ada.must(pawl.Delete{IDs: []pawl.ID{3}})
	for path, text := range old {
		must.Do(t, os.WriteFile(path, text, 0o644))
	}
	ada.must(tasks("five")) // the store has seen the files now
	for id := pawl.ID(1); id <= 4; id++ {
		must.Do(t, os.Remove(name(id)))
	}
	r := ada.sync()
	var restored []pawl.ID
	for _, n := range r.Restored {
		restored = append(restored, n.ID)
	}
	if !slices.Equal(restored, []pawl.ID{1, 2, 4}) {
		t.Errorf("the sync restored %v", restored)
	}
	bob := f.desk("bob")
	bob.join()
	for name, d := range map[string]*desk{"ada": ada, "bob": bob} {
		has := must.Get(query.Of(t.Context(), d.ask, query.Asker{}, query.TaskQuery{Names: []string{"1", "2", "3", "4"}}))(t)
		task := func(i int) pawl.Task {
			if has.Tasks[i].Detail == nil {
				t.Errorf("%s: %v", name, has.Tasks[i].Fault)
				return pawl.Task{}
			}
			return has.Tasks[i].Detail.Task
		}
		if len(task(0).Notes) != 1 || task(1).Status != pawl.Completed || has.Tasks[2].Fault == nil || task(3).Subject != "four" {
			t.Errorf("%s has %+v", name, has.Tasks)
		}
	}
	if r := ada.sync(); !r.Empty() {
		t.Errorf("the next sync did something: %+v", r)
	}
}

// A board that was begun anew where all files went takes no number away from a task,
// neither here nor in other clones.
func TestReplaced(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada, bob := f.desk("ada"), f.desk("bob")
	ada.must(tasks("one", "two"))
	ada.must(pawl.Complete{IDs: []pawl.ID{1}})
	ada.join()
	bob.join()
	ada.store.Close()
	must.Do(t, os.RemoveAll(ada.board))
	ada.open()
	for _, op := range []pawl.Op{tasks("begin", "go on"), pawl.Update{ID: 2, AddBlockedBy: []pawl.ID{1}}} { // by a program that knows nothing of sharing
		must.Get(pawl.NewBoard(ada.store).Do(t.Context(), pawl.Request{By: ada.by, Op: op}))(t)
	}
	if r := ada.sync(); len(r.Restored) != 2 || len(r.Merge.Moved) != 2 || r.Merge.Moved[0].From != 1 || r.Merge.Moved[0].ID != 3 {
		t.Errorf("the sync restored %+v, and moved %+v", r.Restored, r.Merge.Moved)
	}
	o := ada.must(pawl.ClaimTask{ID: 3})
	if o.Result.Tasks[0].Subject != "begin" {
		t.Errorf("claimed %q", o.Result.Tasks[0].Subject)
	}
	if r := ada.sync(); !r.Empty() {
		t.Errorf("the next sync did something: %+v", r)
	}
	if r := bob.sync(); len(r.Deleted) != 0 || len(r.Arrived) != 2 {
		t.Errorf("bob's sync: %+v", r)
	}
	if got, want := listed(t, bob.board), listed(t, ada.board); got != want {
		t.Errorf("the boards differ:\n%s\n%s", got, want)
	}
}

// A claim does not say that its owner has another task, too, if the sync took that.
func TestHolding(t *testing.T) {
	t.Parallel()
	ada, bob := pair(t, "one", "two", "three")
	synced := bob.ask
	bob.ask = query.Local(pawl.NewBoard(bob.store)) // nobody hears of these
	bob.must(pawl.ClaimTask{ID: 1})
	bob.must(pawl.ClaimTask{ID: 2})
	bob.ask = synced
	ada.must(pawl.ClaimTask{ID: 1})
	o, err := bob.ask.Do(t.Context(), pawl.Request{By: bob.by, Op: pawl.ClaimTask{}}, query.WantNames|query.WantTasks)
	if err != nil || !slices.Equal(o.Result.IDs, []pawl.ID{3}) || !slices.Equal(o.Result.Holding, []pawl.ID{2}) || len(o.Holding) != 1 || o.Holding[0].ID != 2 {
		t.Errorf("claimed %v, holding %v, %+v, %v", o.Result.IDs, o.Result.Holding, o.Holding, err)
	}
}

// While the checked-out branch has the board's files, nothing is synced.
func TestTracked(t *testing.T) {
	t.Parallel()
	ada := alone(t, "one")
	dir := filepath.Dir(ada.board)
	ada.git(dir, "add", "-f", ".tasks/task_1.json")
	_, err := ada.sharing.Sync(t.Context(), share.Options{By: ada.by})
	if stop := (&share.StopError{}); !errors.As(err, &stop) || stop.Stop != share.StopTracked {
		t.Errorf("the sync says %v", err)
	}
	if s := ada.sharing.Status(t.Context()); s.Stopped != share.StopTracked {
		t.Errorf("the status is %+v", s)
	}
	ada.git(dir, "rm", "-q", "--cached", ".tasks/task_1.json")
	ada.sync()
	if s := ada.sharing.Status(t.Context()); s.Stopped != "" {
		t.Errorf("the status is %+v", s)
	}
}

// Sharing that broke off half-way is no sharing, and goes on where it was.
func TestHalfJoined(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada := f.desk("ada")
	ada.must(tasks("one"))
	broke := errors.New("broke off")
	_, _, err := Join(t.Context(), ada.board, Wish{By: ada.by}, ada.options(), func() error { return broke })
	if !errors.Is(err, broke) || Open(ada.board, ada.options()) != nil {
		t.Fatalf("shared after %v", err)
	}
	half := must.Get(siteOf(ada.board).read(joiningName))(t)
	ada.join()
	if got := ada.sharing.Status(t.Context()).Clone; got != half.State.Clone {
		t.Errorf("the clone is %s, and was %s", got, half.State.Clone)
	}
	if _, _, err := Join(t.Context(), ada.board, Wish{By: ada.by}, ada.options(), func() error { return nil }); !errors.Is(err, pawl.Conflict) {
		t.Errorf("shared twice: %v", err)
	}
	must.Do(t, ada.sharing.Stop(t.Context()))
	if Open(ada.board, ada.options()) != nil {
		t.Error("still shared")
	}
	if _, err := os.Lstat(filepath.Join(ada.board, "task_1.json")); err != nil {
		t.Error(err)
	}
}

// A state file of a newer Pawl, a damaged one, and one that leads elsewhere, are named.
func TestState(t *testing.T) {
	t.Parallel()
	ada := alone(t, "one")
	path := ada.sharing.File(stateName)
	whole := must.Get(os.ReadFile(path))(t)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("others can read %s: %v, %v", path, info.Mode(), err)
	}
	for what, text := range map[string]string{
		"newer Pawl": strings.Replace(string(whole), `"format":1`, `"format":2,"more":[]`, 1),
		"is damaged": string(whole[:len(whole)/2]),
		"damaged":    string(whole) + "{}",
		"missing":    `{"format":1}`,
	} {
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		ada.open()
		if _, err := ada.sharing.Sync(t.Context(), share.Options{By: ada.by}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := ada.do(pawl.ClaimTask{ID: 1}); pawl.KindOf(err) != pawl.Unconfirmed || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: a claim: %v", what, err)
		}
		ada.must(pawl.AddNote{ID: 1, Text: what}) // the board works all the same
	}
}

// A lost claim is told to its session once, whatever syncs save meanwhile.
func TestNotices(t *testing.T) {
	t.Parallel()
	ada, bob := pair(t, "one")
	bob.asks = true
	back := ada.away()
	bob.must(pawl.ClaimTask{ID: 1})
	back()
	ada.must(pawl.ClaimTask{ID: 1})
	if report := bob.sync(); len(report.Lost) != 1 {
		t.Fatalf("bob lost %+v", report.Lost)
	}
	if got := Notices(bob.board, "another"); got != nil {
		t.Errorf("another session hears %+v", got)
	}
	if got := Notices(bob.board, "bob-1"); len(got) != 1 || got[0].Lost.By != "ada" {
		t.Errorf("bob hears %+v", got)
	}
	bob.must(tasks("two"))
	bob.sync()
	if got := Notices(bob.board, "bob-1"); got != nil {
		t.Errorf("bob hears it again: %+v", got)
	}
}

// Many claims of one clone at a time wait for one another, and hold up nobody who reads.
func TestMany(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada, bob := f.desk("ada"), f.desk("bob")
	var subjects []string
	for i := range 12 {
		subjects = append(subjects, fmt.Sprint("task ", i))
	}
	ada.must(tasks(subjects...))
	ada.join()
	bob.join()
	var all sync.WaitGroup
	var mu sync.Mutex
	owner := map[pawl.ID]string{}
	for _, d := range []*desk{ada, bob} {
		for range 6 {
			all.Go(func() {
				o, err := d.do(pawl.ClaimTask{})
				if err != nil {
					t.Errorf("%s: %v", d.by.Name, err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				id := o.Result.IDs[0]
				if other := owner[id]; other != "" || len(o.Shared.Confirmed) != 1 {
					t.Errorf("%v is %s's and %s's: %+v", id, other, d.by.Name, o.Shared)
				}
				owner[id] = d.by.Name
			})
		}
	}
	all.Wait()
	if len(owner) != 12 {
		t.Errorf("%d tasks are claimed", len(owner))
	}
}

// A host's name becomes a part of a clone's.
func TestHostName(t *testing.T) {
	for host, want := range map[string]string{
		"Mac-mini.local": "mac-mini", "": "clone", "…": "clone", "a_b c": "a-b-c", "-x-": "x",
		strings.Repeat("a", 40): strings.Repeat("a", 30),
	} {
		if got := hostName(host); got != want {
			t.Errorf("%q: %q, want %q", host, got, want)
		}
	}
	if name := newName(); pawl.CloneHost(name) == name {
		t.Errorf("%s has no host", name)
	}
}

// A checkout of an old branch undoes nothing, here or in other clones; what is done on
// it, and an edit of a person's, is sent.
func TestCheckout(t *testing.T) {
	t.Parallel()
	ada, bob := pair(t, "one", "two", "three")
	dir := filepath.Dir(ada.board)
	var files []string
	old := map[string][]byte{}
	for id := 1; id <= 3; id++ {
		name := filepath.Join(ada.board, "task_"+strconv.Itoa(id)+".json")
		text := must.Get(os.ReadFile(name))(t)
		files, old[name] = append(files, name), text
	}
	ada.git(dir, append([]string{"hash-object", "-w"}, files...)...)
	bob.must(pawl.Complete{IDs: []pawl.ID{1}})
	bob.must(pawl.AddNote{ID: 2, Text: "from bob"})
	bob.must(pawl.ClaimTask{ID: 3})
	bob.sync()
	ada.sync()
	ada.must(pawl.AddNote{ID: 2, Text: "before"})
	for name, text := range old {
		must.Do(t, os.WriteFile(name, text, 0o644))
	}
	ada.must(pawl.AddNote{ID: 2, Text: "after"})
	now := must.Get(os.ReadFile(files[1]))(t)
	must.Do(t, os.WriteFile(files[1], bytes.Replace(now, []byte(`"two"`), []byte(`"second"`), 1), 0o644))
	if r, err := ada.sharing.Try(t.Context(), share.Options{By: ada.by}); err != nil || len(r.Sent) != 1 || r.Sent[0].ID != 2 {
		t.Errorf("a dry run: %+v, %v", r, err)
	}
	if r := ada.sync(); len(r.Sent) != 1 || r.Sent[0].ID != 2 {
		t.Errorf("the sync sent %+v", r.Sent)
	}
	if r := ada.sync(); !r.Empty() {
		t.Errorf("the next sync did something: %+v", r)
	}
	bob.sync()
	for _, d := range []*desk{ada, bob} {
		has := d.tasksOf(1, 2, 3)
		if has[0].Status != pawl.Completed || len(has[1].Notes) != 3 || has[1].Subject != "second" || has[2].Owner != "bob" {
			t.Errorf("%s has %+v", d.by.Name, has)
		}
	}
	bob.must(pawl.Complete{IDs: []pawl.ID{3}}) // the claim is still bob's
	if r := bob.sync(); len(r.Lost) != 0 {
		t.Errorf("bob lost %+v", r.Lost)
	}
}
