package gitshare

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A clone whose .tasks comes back from a backup, as a whole or in part, takes nothing back that
// was sent since, here or elsewhere, and ends no claim of another clone. It keeps no claim that
// it gave up. What is done here after that is sent.
func TestBackup(t *testing.T) {
	t.Parallel()
	for what, of := range map[string]struct {
		stays, journal bool // what was in .tasks stays below; the backup has .pawl, too
		notes          int  // that are written before the next sync
	}{
		"with the history":            {journal: true, notes: 1},
		"and the history passes by":   {journal: true, notes: 30},
		"without the history":         {notes: 1},
		"over the files that are now": {stays: true, notes: 1},
		"one sync after the other":    {journal: true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			f := newField(t)
			ada, bob := f.desk("ada"), f.desk("bob")
			ada.by.Name, bob.by.Name = "claude", "claude"
			ada.must(tasks("one", "two", "three", "four", "five", "six", "seven", "eight"))
			ada.join()
			bob.join()
			ada.must(pawl.ClaimTask{ID: 6, Lease: pawl.Duration(time.Hour)})
			ada.sync()
			saved := filepath.Join(f.dir, "backup")
			must.Do(t, os.CopyFS(saved, os.DirFS(ada.board)))
			ada.must(pawl.Complete{IDs: []pawl.ID{1}})
			ada.must(pawl.AddNote{ID: 2, Text: "ada's"})
			ada.must(pawl.Release{IDs: []pawl.ID{6}})
			ada.must(pawl.Delete{IDs: []pawl.ID{8}})
			ada.sync()
			bob.sync()
			bob.must(pawl.Complete{IDs: []pawl.ID{3}})
			bob.must(pawl.AddNote{ID: 4, Text: "bob's"})
			bob.must(pawl.ClaimTask{ID: 5, Lease: pawl.Duration(time.Hour)})
			bob.must(pawl.ClaimTask{ID: 6, Lease: pawl.Duration(time.Hour)})
			bob.must(pawl.Delete{IDs: []pawl.ID{7}})
			bob.sync()
			ada.sync()

			err := ada.store.Close()
			if !of.journal {
				err = errors.Join(err, os.RemoveAll(filepath.Join(saved, ".pawl")))
			}
			if !of.stays {
				err = errors.Join(err, os.RemoveAll(ada.board))
			}
			files, _ := filepath.Glob(filepath.Join(saved, "task_*.json"))
			for _, name := range files {
				_ = os.Remove(filepath.Join(ada.board, filepath.Base(name)))
			}
			if of.stays {
				err = errors.Join(err, os.Remove(filepath.Join(saved, ".lock")), os.RemoveAll(filepath.Join(saved, ".gitignore")), os.RemoveAll(filepath.Join(saved, ".gitattributes")))
			}
			if err = errors.Join(err, os.CopyFS(ada.board, os.DirFS(saved))); err != nil {
				t.Fatal(err)
			}
			ada.open()
			for n := range of.notes {
				ada.must(pawl.AddNote{ID: 2, Text: fmt.Sprint("later ", n)})
			}
			if of.notes == 1 {
				back := f.away()
				for _, op := range []pawl.Op{pawl.Complete{IDs: []pawl.ID{6}}, pawl.ClaimTask{ID: 5, Lease: pawl.Duration(time.Hour)}} {
					if _, err := ada.do(op); pawl.KindOf(err) != pawl.Unconfirmed && pawl.KindOf(err) != pawl.Conflict {
						t.Errorf("%#v while the remote is away: %v", op, err)
					}
				}
				back()
				for _, op := range []pawl.Op{pawl.ClaimTask{ID: 5, Lease: pawl.Duration(time.Hour)}, pawl.Complete{IDs: []pawl.ID{6}}, pawl.Complete{IDs: []pawl.ID{5}}} {
					if _, err := ada.do(op); pawl.KindOf(err) != pawl.Conflict {
						t.Errorf("%#v of what bob has: %v", op, err)
					}
				}
			}
			ada.must(tasks("new"))
			for range 2 {
				if r, err := ada.sharing.Try(t.Context(), share.Options{By: ada.by}); err != nil || len(r.Lost) > 0 {
					t.Errorf("a dry run: %+v, %v", r, err)
				}
				ada.sync()
				bob.sync()
			}
			if r := ada.sync(); !r.Empty() {
				t.Errorf("there is still something to sync: %+v", r)
			}
			for _, d := range []*desk{ada, bob} {
				board := NewLocal(d.store, d.by)
				b, err := board.Read(t.Context(), 0, nil)
				if err != nil || len(b.Tasks) != 7 {
					t.Fatalf("%s has %d tasks, %v", d.by.Session, len(b.Tasks), err)
				}
				is := d.tasksOf(1, 2, 3, 4, 5, 6)
				if is[0].Status != pawl.Completed || len(is[1].Notes) != 1+of.notes || is[2].Status != pawl.Completed || len(is[3].Notes) != 1 {
					t.Errorf("%s has %+v", d.by.Session, is)
				}
				for _, c := range is[4:] {
					if !c.Claim.Live() || c.Claim.Session != "bob-1" || (c.Claim.Clone == "") != (d == bob) {
						t.Errorf("%s has %v claimed with %+v", d.by.Session, c.ID, c.Claim)
					}
				}
			}
			bob.must(pawl.Complete{IDs: []pawl.ID{5}})
			bob.must(pawl.Complete{IDs: []pawl.ID{6}})
			if r := bob.sync(); len(r.Lost) > 0 {
				t.Errorf("bob lost %+v", r.Lost)
			}
		})
	}
}

// A backup brought a board back with its history, and work went on there. Its history had the
// revisions of what was sent again: a task of another clone was deleted everywhere, what was new
// was never sent, and two had one task. Now the first change puts back what the backup undid.
func TestOnFromABackup(t *testing.T) {
	t.Parallel()
	for more := range 4 {
		if more%3 != 0 && !*long.Asked {
			continue // between the others
		}
		t.Run(fmt.Sprint(more, " more"), func(t *testing.T) {
			t.Parallel()
			f := newField(t)
			ada, bob := f.desk("ada"), f.desk("bob")
			ada.mode, bob.mode = Manual, Manual
			ada.must(tasks("one", "two"))
			ada.join()
			bob.join()
			ada.must(pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
			ada.sync()
			saved := t.TempDir()
			must.Do(t, os.CopyFS(saved, os.DirFS(ada.board)))
			bob.sync()
			bob.must(pawl.Release{IDs: []pawl.ID{1}, Force: true})
			bob.must(pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
			three := bob.must(tasks("three")).Result.IDs[0]
			bob.must(pawl.AddNote{ID: three, Text: "of bob"})
			bob.sync()
			ada.sync()
			four := ada.must(tasks("four")).Result.IDs[0]
			ada.sync()
			ada.store.Close()
			must.Do(t, errors.Join(os.RemoveAll(ada.board), os.CopyFS(ada.board, os.DirFS(saved))))
			ada.open()
			back := f.away()
			for n := range more {
				ada.must(pawl.AddNote{ID: 2, Text: fmt.Sprint("later ", n)})
			}
			five := ada.must(tasks("five")).Result.IDs[0]
			back()
			if _, err := ada.do(pawl.Complete{IDs: []pawl.ID{1}}); pawl.KindOf(err) != pawl.Conflict {
				t.Errorf("what bob has is completed: %v", err)
			}
			for range 2 {
				ada.sync()
				bob.sync()
			}
			for _, d := range []*desk{ada, bob} {
				is := d.tasksOf(1, 2, three, four, five)
				if len(is[1].Notes) != more || is[2].Subject != "three" || len(is[2].Notes) != 1 || is[3].Subject != "four" || is[4].Subject != "five" {
					t.Errorf("%s has %+v", d.by.Session, is)
				}
				if c := is[0].Claim; !c.Live() || c.Session != "bob-1" || (c.Clone == "") != (d == bob) {
					t.Errorf("%s has #1 claimed with %+v", d.by.Session, c)
				}
			}
			bob.must(pawl.Complete{IDs: []pawl.ID{1}})
		})
	}
}

// An old file came back, and before any sync somebody claimed and completed its task, which
// another clone had: their completion becomes a note, and they hear of it.
func TestOldFileCompleted(t *testing.T) {
	t.Parallel()
	for what, done := range map[string]bool{"claimed": false, "completed": true} {
		t.Run(what, func(t *testing.T) {
			ada, bob := pair(t, "one")
			name := filepath.Join(ada.board, "task_1.json")
			old := must.Get(os.ReadFile(name))(t)
			bob.must(pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
			if done {
				bob.must(pawl.Complete{IDs: []pawl.ID{1}})
			}
			bob.sync()
			ada.sync()
			must.Do(t, os.WriteFile(name, old, 0o644))
			for _, op := range []pawl.Op{pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)}, pawl.Complete{IDs: []pawl.ID{1}}} {
				must.Get(pawl.NewBoard(ada.store).Do(t.Context(), pawl.Request{By: ada.by, Op: op}))(t)
			}
			if r := ada.sync(); len(r.Lost) != 1 || r.Lost[0].ID != 1 || r.Lost[0].Was != pawl.Completed || r.Lost[0].By != "bob" {
				t.Errorf("ada hears of %+v", r.Lost)
			}
			if r := ada.sync(); !r.Empty() {
				t.Errorf("the next sync did something: %+v", r)
			}
			if r := bob.sync(); len(r.Lost) > 0 {
				t.Errorf("bob lost %+v", r.Lost)
			}
			for _, d := range []*desk{ada, bob} {
				is := d.tasksOf(1)[0]
				if is.Owner != "bob" || (is.Status == pawl.Completed) != done || len(is.Notes) != 1 || is.Claim.Live() == done {
					t.Errorf("%s has %+v", d.by.Name, is)
				}
			}
		})
	}
}

// An old board came back in whose files a task has the number that another one has by now. What
// is done to it there is done to it, under the number that it has.
func TestBackupOfOtherNumbers(t *testing.T) {
	t.Parallel()
	f := newField(t)
	ada, bob := f.desk("ada"), f.desk("bob")
	ada.mode, bob.mode = Manual, Manual
	ada.must(tasks("one"))
	ada.join()
	bob.join()
	ada.must(tasks("mine"))
	must.Do(t, ada.sharing.Keep(t.Context(), ada.by))
	saved := t.TempDir()
	must.Do(t, os.CopyFS(saved, os.DirFS(ada.board)))
	bob.must(tasks("his"))
	bob.sync()
	ada.sync()
	ada.must(pawl.Update{ID: 3, AddLabels: []string{"kept"}})
	ada.sync()
	ada.store.Close()
	must.Do(t, errors.Join(os.RemoveAll(filepath.Join(saved, ".pawl")), os.RemoveAll(ada.board), os.CopyFS(ada.board, os.DirFS(saved))))
	ada.open()
	for _, op := range []pawl.Op{pawl.Update{ID: 2, AddLabels: []string{"added"}}, pawl.Update{ID: 1, AddBlockedBy: []pawl.ID{2}}} {
		must.Get(pawl.NewBoard(ada.store).Do(t.Context(), pawl.Request{By: ada.by, Op: op}))(t)
	}
	ada.sync()
	bob.sync()
	for _, d := range []*desk{ada, bob} {
		is := d.tasksOf(1, 2, 3)
		if is[1].Subject != "his" || len(is[1].Labels) > 0 || is[2].Subject != "mine" || fmt.Sprint(is[2].Labels, is[0].BlockedBy) != "[kept added] [#3]" {
			t.Errorf("%s has %+v", d.by.Name, is)
		}
	}
}

// An edit of a file by hand ends no claim of another clone, and one that was taken back before
// it was sent does not come back.
func TestEditedByHand(t *testing.T) {
	t.Parallel()
	ada, bob := pair(t, "one", "two", "three")
	bob.must(pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	bob.must(pawl.ClaimTask{ID: 3, Lease: pawl.Duration(time.Hour)})
	bob.sync()
	ada.sync()
	edit := func(name string, from, to string) {
		name = filepath.Join(ada.board, name)
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, bytes.Replace(text, []byte(from), []byte(to), 1), 0o644)
		}
		must.Do(t, err)
		if _, err := NewLocal(ada.store, ada.by).Read(t.Context(), 0, nil); err != nil { // the history has it
			t.Fatal(err)
		}
	}
	edit("task_1.json", `"in_progress"`, `"pending"`)
	edit("task_3.json", `"in_progress"`, `"completed"`)
	edit("task_2.json", `"two"`, `"second"`)
	edit("task_2.json", `"second"`, `"two"`)
	if r := ada.sync(); len(r.Lost) != 1 || r.Lost[0].ID != 3 {
		t.Errorf("ada hears of %+v", r)
	}
	bob.sync()
	for _, d := range []*desk{ada, bob} {
		is := d.tasksOf(1, 2, 3)
		if is[1].Subject != "two" {
			t.Errorf("%s has %+v", d.by.Name, is[1])
		}
		for _, c := range []pawl.Task{is[0], is[2]} {
			if c.Status != pawl.InProgress || c.Owner != "bob" || c.Claim.Session != "bob-1" {
				t.Errorf("%s has %+v", d.by.Name, c)
			}
		}
	}
	bob.must(pawl.Complete{IDs: []pawl.ID{1}})
	bob.must(pawl.Complete{IDs: []pawl.ID{3}})
}

// Only what the clone's commits had is known as theirs, in repositories of each kind: what was
// written for a commit that was given up is not.
func TestHad(t *testing.T) {
	t.Parallel()
	forms(t, func(t *testing.T, f *field) {
		r := f.clone("ada")
		texts := [][]byte{task(1, "first"), task(1, "second"), task(1, "given up"), task(1, "never")}
		var own string
		for i, text := range texts[:3] {
			b := board(1)
			b.Tasks[1] = text
			var parents []string
			if own != "" {
				parents = []string{own}
			}
			id := write(t, r, b, parents...)
			if i == 2 {
				break
			}
			must.Do(t, r.SetOwn(t.Context(), own, id))
			own = id
		}
		had, err := r.Had(t.Context(), texts)
		if err != nil || fmt.Sprint(had) != "[true true false false]" {
			t.Errorf("it had %v, %v", had, err)
		}
	})
}

// Another program left createdAt out of a task's file. The sync that confirms a claim of the task
// puts it back: the claim stands, and was said to be of a task that another clone had deleted.
func TestClaimOfTheUndated(t *testing.T) {
	t.Parallel()
	ada, bob := pair(t, "one")
	is := ada.tasksOf(1)[0]
	made := is.CreatedAt
	is.CreatedAt = time.Time{}
	must.Do(t, os.WriteFile(filepath.Join(ada.board, "task_1.json"), taskjson.Encode(&is), 0o644))
	o := ada.must(pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	if is := ada.tasksOf(1)[0]; len(o.Shared.Confirmed) != 1 || !is.CreatedAt.Equal(made) || is.Claim.Token != o.Result.Tasks[0].Claim.Token || is.Claim.Confirmed.IsZero() {
		t.Errorf("ada has %+v, and was told %+v", is, o.Shared)
	}
	if _, err := bob.do(pawl.ClaimTask{ID: 1}); pawl.KindOf(err) != pawl.Conflict {
		t.Errorf("bob: %v", err)
	}
	ada.must(pawl.Complete{IDs: []pawl.ID{1}})
}

// Where the history of a board is gone, or an older one came back, a claim gets no token that
// the remote has as another claim's.
func TestTokensGoOn(t *testing.T) {
	t.Parallel()
	for what, lose := range map[string]func(ada *desk, saved string) error{
		"git clean": func(ada *desk, _ string) error { ada.cleaned(); return nil },
		"a backup": func(ada *desk, saved string) error {
			return errors.Join(os.RemoveAll(ada.board), os.CopyFS(ada.board, os.DirFS(saved)))
		},
	} {
		t.Run(what, func(t *testing.T) {
			ada := newField(t).desk("ada")
			ada.must(tasks("one", "two"))
			ada.join()
			saved := t.TempDir()
			must.Do(t, os.CopyFS(saved, os.DirFS(ada.board)))
			for range 3 {
				ada.must(pawl.AddNote{ID: 1, Text: "more"})
			}
			ada.must(pawl.ClaimTask{ID: 1})
			ada.sync()
			ada.store.Close()
			must.Do(t, lose(ada, saved))
			ada.open()
			ada.must(pawl.ClaimTask{ID: 2})
			is := ada.tasksOf(1, 2)
			if one, two := is[0].Claim, is[1].Claim; !one.Live() || two.Token <= one.Token {
				t.Errorf("#1 is claimed with %+v, #2 with %+v", one, two)
			}
			if r := ada.sync(); !r.Empty() {
				t.Errorf("there is still something to sync: %+v", r)
			}
		})
	}
}

// A hook does not put back what a backup undid, for which git is needed: another process does.
func TestBackupAndAHook(t *testing.T) {
	t.Parallel()
	ada := newField(t).desk("ada")
	ada.must(tasks("one", "two"))
	ada.join()
	saved := t.TempDir()
	must.Do(t, os.CopyFS(saved, os.DirFS(ada.board)))
	ada.must(pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	ada.must(pawl.AddNote{ID: 1, Text: "more"})
	ada.sync()
	ada.store.Close()
	must.Do(t, errors.Join(os.RemoveAll(ada.board), os.CopyFS(ada.board, os.DirFS(saved))))
	ada.open()
	ada.sharing.o.Hook, ada.kept = true, 0
	was, _, err := ada.store.Revision(t.Context())
	_, failed := ada.do(pawl.AddNote{ID: 2, Text: "of a hook"})
	is, _, err2 := ada.store.Revision(t.Context())
	if errors.Join(err, err2) != nil || pawl.KindOf(failed) != pawl.Unavailable || is != was || ada.kept != 1 {
		t.Errorf("from %d to %d, %d processes, %v, %v", was, is, ada.kept, failed, errors.Join(err, err2))
	}
	must.Do(t, ada.sharing.Keep(t.Context(), ada.by))
	ada.must(pawl.AddNote{ID: 2, Text: "of a hook"})
	if c := ada.tasksOf(1)[0].Claim; !c.Live() {
		t.Errorf("the claim is %+v", c)
	}
}
