package gitshare_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/gitshare"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/store/file"
)

var (
	ctx = context.Background()
	ada = pawl.Actor{Name: "ada", Session: "s1"}
	bob = pawl.Actor{Name: "bob", Session: "s2"}
)

// A clone is a board in a folder, with a clock that the test moves.
type clone struct {
	testing.TB
	dir   string
	now   time.Time
	store *file.Store
	board *pawl.Board
	local *gitshare.Local
}

func newClone(t testing.TB, by pawl.Actor) *clone {
	c := &clone{TB: t, dir: filepath.Join(t.TempDir(), ".tasks"), now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	store := must.Get(file.Open(c.dir, file.WithClock(func() time.Time { return c.now })))(t)
	t.Cleanup(func() { _ = store.Close() })
	c.store, c.board, c.local = store, pawl.NewBoard(store), gitshare.NewLocal(store, by)
	return c
}

// do carries out ops of an actor, each as a change set of its own.
func (c *clone) do(by pawl.Actor, ops ...pawl.Op) pawl.Result {
	c.Helper()
	var res pawl.Result
	for _, op := range ops {
		var err error
		if res, err = c.board.Do(ctx, pawl.Request{By: by, Op: op}); err != nil {
			c.Fatalf("%#v: %v", op, err)
		}
	}
	return res
}

func (c *clone) read(since pawl.Revision) *share.Board {
	c.Helper()
	return must.Get(c.local.Read(ctx, since, nil))(c)
}

func (c *clone) write(op pawl.OpID, w share.Written) pawl.Revision {
	c.Helper()
	return must.Get(c.local.Write(ctx, op, 0, nil, func(*share.Board) (*share.Written, error) { return &w, nil }))(c)
}

func (c *clone) wrote(op pawl.OpID) bool {
	c.Helper()
	return must.Get(c.local.Wrote(ctx, op))(c)
}

func (c *clone) task(id pawl.ID) pawl.Task {
	c.Helper()
	tasks := must.Get(c.board.Get(ctx, id))(c)
	return tasks[0]
}

func create(subjects ...string) pawl.Op {
	var op pawl.Create
	for _, s := range subjects {
		op.Tasks = append(op.Tasks, pawl.NewTask{Subject: s})
	}
	return op
}

// set gives the text of a task another value of a key.
func set(text []byte, key, was, is string) []byte {
	return bytes.Replace(text, fmt.Appendf(nil, "%q: %s", key, was), fmt.Appendf(nil, "%q: %s", key, is), 1)
}

// claimed is the text of a pending task that somebody works on.
func claimed(text []byte, owner string) []byte {
	return set(set(text, "status", `"pending"`, `"in_progress"`), "owner", `""`, fmt.Sprintf("%q", owner))
}

// held is bob's claim in another clone.
func held(c *clone) share.LocalHeld {
	return share.LocalHeld{Claim: pawl.Claim{
		Session: "s1", Token: 7, Lease: pawl.Duration(time.Hour), Until: c.now.Add(time.Hour), Clone: "mac-mini-3f2a9c1d",
	}, Expired: 1}
}

func TestWriteIsRead(t *testing.T) {
	t.Parallel()
	c := newClone(t, ada)
	if b := c.read(0); len(b.Tasks) != 0 || b.Since.Known || c.wrote("op1") {
		t.Fatalf("an empty board reads as %+v", b)
	}
	c.do(ada, create("one", "two", "three"))
	was := c.read(0)
	bobs := claimed(was.Tasks[1], "bob")
	rev := c.write("op1", share.Written{
		Tasks:  map[pawl.ID][]byte{1: bobs, 3: nil, 7: bytes.Replace(was.Tasks[2], []byte(`"id": 2`), []byte(`"id": 7`), 1)},
		Claims: map[pawl.ID]share.LocalHeld{1: held(c), 2: {Expired: 2}},
		Mark:   12,
	})
	b := c.read(0)
	if !bytes.Equal(b.Tasks[1], bobs) || len(b.Tasks) != 3 || b.Mark != 12 || b.Revision != rev {
		t.Errorf("the board is %+v", b)
	}
	if want := map[pawl.ID]share.LocalHeld{1: held(c), 2: {Expired: 2}}; !maps.Equal(b.Claims, want) {
		t.Errorf("the claims are %+v, want %+v", b.Claims, want)
	}
	if !c.wrote("op1") || c.wrote("op2") {
		t.Error("it is not known which writes there were")
	}
	again, err := c.local.Write(ctx, "op1", 0, nil, func(*share.Board) (*share.Written, error) {
		t.Error("a write runs twice")
		return nil, errors.New("twice")
	})
	if again != rev || err != nil {
		t.Errorf("the same write again: %d, %v; want %d", again, err, rev)
	}
	if same := c.write("op2", share.Written{Tasks: map[pawl.ID][]byte{1: bobs}, Claims: b.Claims, Mark: 12}); same != rev || c.wrote("op2") {
		t.Error("what is there already was written")
	}
	if res := c.do(ada, create("next")); res.IDs[0] != 13 {
		t.Errorf("the next task is %v", res.IDs)
	}
}

// A write of claims alone touches no file.
func TestWriteClaims(t *testing.T) {
	t.Parallel()
	c := newClone(t, ada)
	c.do(ada, create("one"), pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	before := c.read(0)
	info, _ := os.Stat(filepath.Join(c.dir, "task_1.json"))
	mine := before.Claims[1]
	mine.Claim.Confirmed = c.now
	rev := c.write("op1", share.Written{Claims: map[pawl.ID]share.LocalHeld{1: mine}})
	after := c.read(before.Revision)
	if rev != before.Revision+1 || after.Claims[1] != mine || !after.Since.Known || len(after.Since.Turns) > 0 {
		t.Errorf("at %d, the claims are %+v; %+v", rev, after.Claims, after.Since)
	}
	if now, _ := os.Stat(filepath.Join(c.dir, "task_1.json")); !os.SameFile(info, now) || !now.ModTime().Equal(info.ModTime()) {
		t.Error("the file is another one")
	}
	for set, err := range c.board.Changes(ctx, pawl.Span{After: before.Revision}) {
		if err != nil || set.Verb != pawl.VerbSync || len(set.Changes) > 0 {
			t.Errorf("history has %+v, %v", set, err)
		}
	}
	other := must.Get(file.Open(c.dir))(t)
	b, err := gitshare.NewLocal(other, bob).Read(ctx, 0, nil)
	if err != nil || b.Claims[1] != mine {
		t.Errorf("another process reads %+v, %v", b, err)
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	one := []pawl.ID{1}
	for name, h := range map[string]struct {
		first  []pawl.Op // before the revision that is asked about
		does   func(*clone)
		turns  map[pawl.ID]share.Turns
		remove map[pawl.ID]bool
	}{
		"nothing":          {does: func(*clone) {}},
		"texts and labels": {does: func(c *clone) { c.do(ada, pawl.Update{ID: 1, AddLabels: []string{"x"}}) }},
		"claimed and completed": {
			does: func(c *clone) {
				c.do(ada, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}, pawl.Complete{IDs: one})
			},
			turns: map[pawl.ID]share.Turns{1: {N: 2}},
		},
		"renewed": {
			first: []pawl.Op{pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}},
			does:  func(c *clone) { c.now = c.now.Add(time.Minute); c.do(ada, pawl.Renew{}, pawl.Renew{}) },
		},
		"its lease ended": {
			first: []pawl.Op{pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}},
			does: func(c *clone) {
				c.now = c.now.Add(2 * time.Hour)
				c.do(bob, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
			},
			turns: map[pawl.ID]share.Turns{1: {N: 2, Doubtful: true}},
		},
		"assigned, and then its lease ended": {
			does: func(c *clone) {
				c.do(ada, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
				c.now = c.now.Add(2 * time.Hour)
				c.do(bob, create("more"))
			},
			turns: map[pawl.ID]share.Turns{1: {N: 2}},
		},
		"removed": {
			does:   func(c *clone) { c.do(ada, pawl.Delete{IDs: one}) },
			remove: map[pawl.ID]bool{1: true},
		},
		"removed and back": {
			does: func(c *clone) {
				res := c.do(ada, pawl.Delete{IDs: one})
				c.do(ada, pawl.Undo{Revision: res.Revision})
			},
		},
		"removed by another program": {
			does: func(c *clone) { _ = os.Remove(filepath.Join(c.dir, "task_1.json")) },
		},
		"completed by another program": {
			does: func(c *clone) {
				name := filepath.Join(c.dir, "task_1.json")
				text, _ := os.ReadFile(name)
				_ = os.WriteFile(name, set(text, "status", `"pending"`, `"completed"`), 0o600)
			},
			turns: map[pawl.ID]share.Turns{1: {N: 1, Doubtful: true}},
		},
		"by a sync": {
			does: func(c *clone) {
				c.do(ada, pawl.ClaimTask{ID: 1}, pawl.ClaimTask{ID: 2})
				b := c.read(0)
				c.write("op", share.Written{
					Tasks:  map[pawl.ID][]byte{1: set(b.Tasks[1], "owner", `"ada"`, `"bob"`), 3: nil},
					Claims: map[pawl.ID]share.LocalHeld{1: held(c)},
				})
			},
			turns: map[pawl.ID]share.Turns{2: {N: 1}},
		},
		"by a sync and after it": {
			does: func(c *clone) {
				b := c.read(0)
				c.write("op", share.Written{Tasks: map[pawl.ID][]byte{1: claimed(b.Tasks[1], "bob")}, Claims: map[pawl.ID]share.LocalHeld{1: held(c)}})
				c.do(ada, pawl.ClaimTask{ID: 1, Force: true})
			},
			turns: map[pawl.ID]share.Turns{1: {N: 1, Forced: true}},
		},
		"under another number by a merge": {
			does: func(c *clone) {
				c.do(ada, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
				_, err := c.store.Rewrite(ctx, file.Why{By: ada, Verb: pawl.VerbMerge}, func(f file.Files) (file.Rewriting, error) {
					return file.Rewriting{
						Tasks: map[pawl.ID][]byte{1: nil, 9: set(f.Tasks[1], "id", "1", "9"), 3: nil},
						Moved: []file.Move{{From: 1, To: 9, CreatedAt: c.now}},
					}, nil
				})
				if err != nil {
					c.Error(err)
				}
			},
			turns:  map[pawl.ID]share.Turns{9: {N: 1}},
			remove: map[pawl.ID]bool{3: true},
		},
		"under another number": {
			does: func(c *clone) {
				c.do(ada, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}, pawl.Release{IDs: one})
				b := c.read(0)
				made := c.task(1).CreatedAt
				c.write("op", share.Written{
					Tasks: map[pawl.ID][]byte{
						1: set(set(b.Tasks[2], "id", "2", "1"), "createdAt", fmt.Sprintf("%q", made.Format("2006-01-02T15:04:05.000Z")), `"2026-02-01T09:00:00.000Z"`),
						9: set(b.Tasks[1], "id", "1", "9"),
					},
					Moved: []merge.Moved{{Named: merge.Named{ID: 9}, From: 1, Side: merge.Ours, CreatedAt: made}},
				})
				c.do(ada, pawl.ClaimTask{ID: 9})
			},
			turns: map[pawl.ID]share.Turns{9: {N: 3}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClone(t, ada)
			c.do(ada, append([]pawl.Op{create("one", "two", "three")}, h.first...)...)
			at := c.read(0).Revision
			h.does(c)
			b := c.read(at)
			if !b.Since.Known || !maps.Equal(b.Since.Turns, h.turns) || !maps.Equal(b.Since.Removed, h.remove) {
				t.Errorf("history tells %+v, want turns %v and removed %v", b.Since, h.turns, h.remove)
			}
			rev, err := c.local.Write(ctx, "later", at, nil, func(under *share.Board) (*share.Written, error) {
				if !maps.Equal(b.Since.Turns, under.Since.Turns) || !maps.Equal(b.Since.Removed, under.Since.Removed) || under.Revision != b.Revision {
					t.Errorf("inside a write it is %+v", under.Since)
				}
				return nil, nil
			})
			if rev != b.Revision || err != nil {
				t.Errorf("a write of nothing: %d, %v", rev, err)
			}
		})
	}
	c := newClone(t, ada)
	c.do(ada, create("one"))
	at := c.read(0).Revision
	for _, since := range []pawl.Revision{0, 1, at + 1} {
		if c.read(since).Since.Known {
			t.Errorf("what happened since %d is known at %d", since, at)
		}
	}
}

// What another program did while a sync was under way is not the sync's: it is told
// of the next one.
func TestEditedBeforeAWrite(t *testing.T) {
	t.Parallel()
	c := newClone(t, ada)
	c.do(ada, create("one", "two"))
	b := c.read(0)
	name := filepath.Join(c.dir, "task_1.json")
	must.Do(t, os.WriteFile(name, set(b.Tasks[1], "status", `"pending"`, `"completed"`), 0o600))
	c.write("op", share.Written{Tasks: map[pawl.ID][]byte{2: claimed(b.Tasks[2], "bob")}, Claims: map[pawl.ID]share.LocalHeld{2: held(c)}})
	if since := c.read(b.Revision).Since; !maps.Equal(since.Turns, map[pawl.ID]share.Turns{1: {N: 1, Doubtful: true}}) {
		t.Errorf("history tells %+v", since)
	}
}

// The highest number that was given is known without a file for it, and so one is
// made only when the remote has gone further.
func TestMark(t *testing.T) {
	t.Parallel()
	c := newClone(t, ada)
	c.do(ada, create("one", "two", "three"), pawl.Delete{IDs: []pawl.ID{2}})
	water := filepath.Join(c.dir, ".highwatermark")
	if b := c.read(0); b.Mark != 3 || c.write("op1", share.Written{Mark: 3}) != b.Revision {
		t.Errorf("the mark is %d", b.Mark)
	}
	if _, err := os.Stat(water); err == nil {
		t.Error("a file was made")
	}
	c.write("op2", share.Written{Mark: 8})
	if text, err := os.ReadFile(water); string(text) != "8" || c.read(0).Mark != 8 || !c.wrote("op2") {
		t.Errorf("the file has %q, %v", text, err)
	}
}

func TestRevision(t *testing.T) {
	t.Parallel()
	c := newClone(t, ada)
	for want, does := range []func(){
		func() {},
		func() { c.do(ada, create("one")) },
		func() {
			name := filepath.Join(c.dir, "task_1.json")
			text, _ := os.ReadFile(name)
			_ = os.WriteFile(name, set(text, "status", `"pending"`, `"completed"`), 0o600)
		},
		func() { c.read(0) },
	} {
		does()
		rev, edited, err := c.local.Revision(ctx)
		if err != nil || edited != (want == 2) || want > 0 && rev == 0 {
			t.Errorf("step %d: %d, %v, %v", want, rev, edited, err)
		}
	}
}
