package gitshare

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/share"
)

// at is the desk of somebody whose clone is in another folder: it was copied or moved there,
// or is a link that came with an archive.
func (d *desk) at(dir string) *desk {
	other := &desk{field: d.field, board: filepath.Join(dir, ".tasks"), by: d.by, mode: Claims}
	other.open()
	return other
}

func (d *desk) copied(name string) *desk {
	d.t.Helper()
	dir := filepath.Join(d.dir, name)
	must.Do(d.t, os.CopyFS(dir, os.DirFS(filepath.Dir(d.board))))
	return d.at(dir)
}

// bound replaces what a clone's record says of the folder that has its name.
func (d *desk) bound(to func(home string) map[string]string) {
	d.t.Helper()
	path := d.sharing.File(stateName)
	text, err := os.ReadFile(path)
	record := map[string]any{}
	if err = errors.Join(err, json.Unmarshal(text, &record)); err != nil {
		d.t.Fatal(err)
	}
	record["bound"] = to(d.sharing.Home)
	if text, err = json.Marshal(record); err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	must.Do(d.t, err)
}

func inode(t *testing.T, dir string) string {
	t.Helper()
	return must.Get(clone.Folder(dir))(t)
}

func (d *desk) called() string { return d.sharing.Status(d.t.Context()).Clone }

// A folder is one clone on each machine, at each path and for each user that has it, as a
// container has its host's. It took another name at each change between them, and the claims
// under the last one were nobody's.
func TestOneFolder(t *testing.T) {
	ada := alone(t, "one", "two")
	ada.must(pawl.ClaimTask{ID: 1})
	was := ada.called()
	for what, change := range map[string]func(){
		"at another path": func() {
			moved := filepath.Join(ada.dir, "moved")
			ada.store.Close()
			must.Do(t, os.Rename(filepath.Dir(ada.board), moved))
			ada = ada.at(moved)
		},
		"for another user": func() { t.Setenv("HOME", t.TempDir()); t.Setenv("XDG_STATE_HOME", t.TempDir()) },
		"as it was begun": func() {
			ada.bound(func(string) map[string]string { return map[string]string{"folder": ""} })
		},
		"after its repository was made again": func() {
			must.Do(t, os.RemoveAll(ada.sharing.File(repoName)))
		},
	} {
		change()
		t.Setenv(AllowVar, "allow")
		ada.sync()
		ada.must(tasks("more"))
		ada.sync()
		if is := ada.called(); is != was {
			t.Fatalf("%s: the clone is %s, and was %s", what, is, was)
		}
	}
	if ada.must(pawl.Complete{IDs: []pawl.ID{1}}); ada.tasksOf(1)[0].Status != pawl.Completed {
		t.Error("the claim is gone")
	}
}

// A copy has the session, the tokens and the claims that the remote has, and none is its own.
// It completed what the original had claimed, with exit 0, and took a claim twice.
func TestCopyHasNoClaims(t *testing.T) {
	ada := alone(t, "one", "two")
	token := ada.must(pawl.ClaimTask{ID: 1}).Result.Tasks[0].Claim.Token
	for what, op := range map[string]pawl.Op{
		"completed": pawl.Complete{IDs: []pawl.ID{1}}, "claimed": pawl.ClaimTask{ID: 1},
		"started": pawl.Start{IDs: []pawl.ID{1}}, "claimed by its token": pawl.ClaimTask{ID: 1, Token: token},
	} {
		twin := ada.copied(what)
		// A process that made a commit has named the copy, and not asked the remote.
		r, err := twin.sharing.load()
		if err = errors.Join(err, twin.sharing.rebind(r)); err != nil {
			t.Fatal(err)
		}
		t.Setenv(AllowVar, "")
		if o, err := twin.do(op); !errors.Is(err, pawl.Unconfirmed) || !strings.Contains(err.Error(), "nobody has allowed this user to sync this clone") {
			t.Errorf("%s, alone: %+v, %v", what, o.Result, err)
		}
		if is := twin.tasksOf(1)[0]; is.Status != pawl.InProgress || is.Owner != "ada" || !is.Claim.Live() {
			t.Errorf("%s, alone, is %v by %s, %+v", what, is.Status, is.Owner, is.Claim)
		}
		t.Setenv(AllowVar, "allow")
		if o, err := twin.do(op); pawl.KindOf(err) != pawl.Conflict || errors.Is(err, pawl.Unconfirmed) || !strings.Contains(err.Error(), "ada on ") {
			t.Errorf("%s: %+v, %v", what, o.Result, err)
		}
		if is := twin.tasksOf(1)[0]; is.Claim.Clone != ada.called() {
			t.Errorf("%s: the claim is %+v", what, is.Claim)
		}
	}
	ada.sync()
	if ada.must(pawl.Complete{IDs: []pawl.ID{1}}); ada.tasksOf(1)[0].Status != pawl.Completed {
		t.Error("the original lost its claim")
	}
}

// A clone that was moved to another machine has another name, and its claims are those of a
// clone that is gone. A person takes them over by force; each sync took that back.
func TestMovedAway(t *testing.T) {
	ada, bob := pair(t, "one", "two", "three", "four", "five")
	ada.must(pawl.Start{IDs: []pawl.ID{1, 2, 3, 4}})
	moved := ada.copied("elsewhere")
	t.Setenv(AllowVar, "allow")
	moved.must(pawl.Release{IDs: []pawl.ID{4}}) // as if it was its own
	moved.sync()
	for _, op := range []pawl.Op{pawl.Complete{IDs: []pawl.ID{2}}, pawl.Release{IDs: []pawl.ID{2}}, pawl.ClaimTask{ID: 2}, pawl.Start{IDs: []pawl.ID{2}}} {
		_, err := moved.do(op)
		if e, ok := errors.AsType[*pawl.Error](err); !ok || e.Kind != pawl.Conflict || !strings.HasSuffix(e.Hint.Text, "ask a person to run: pawl release 2 --force") {
			t.Errorf("%T: %v, and the hint is %+v", op, err, e)
		}
	}
	bob.must(pawl.Start{IDs: []pawl.ID{5}})
	moved.sync()
	_, err := moved.do(pawl.Start{IDs: []pawl.ID{5}})
	if e, ok := errors.AsType[*pawl.Error](err); !ok || e.Kind != pawl.Conflict || e.Hint.Step == pawl.HintSay {
		t.Errorf("what bob has: %v, and the hint is %+v", err, e)
	}
	for _, op := range []pawl.Op{pawl.Complete{IDs: []pawl.ID{1}, Force: true}, pawl.Release{IDs: []pawl.ID{2}, Force: true}, pawl.ClaimTask{ID: 3, Force: true}} {
		moved.must(op)
	}
	moved.sync()
	bob.sync()
	for _, d := range []*desk{moved, bob} {
		got := d.tasksOf(1, 2, 3, 4)
		if got[0].Status != pawl.Completed || got[1].Status != pawl.Pending || len(got[0].Notes) > 0 {
			t.Errorf("%s has %v and %v, %+v", d.by.Name, got[0].Status, got[1].Status, got[0].Notes)
		}
		if c := got[2].Claim; got[2].Status != pawl.InProgress || d == bob && c.Clone != moved.called() || d == moved && c.Clone != "" {
			t.Errorf("%s has %v, %+v", d.by.Name, got[2].Status, c)
		}
		if c := got[3].Claim; c.Clone != ada.called() {
			t.Errorf("%s has a claim that was taken unknowingly: %+v", d.by.Name, c)
		}
	}
}

// An archive may bring a link in the place of Pawl's folder, into another clone of the user. A
// board there was taken for that clone's, and written over it.
func TestLinkedPlace(t *testing.T) {
	t.Parallel()
	ada := alone(t, "one")
	for what, link := range map[string]string{"all of it": "pawl", "a board": filepath.Join("pawl", "board")} {
		dir := filepath.Join(ada.dir, what)
		ada.git(ada.dir, "init", "-q", dir)
		name := filepath.Join(dir, ".git", link)
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o755))
		mustrun.Link(t, filepath.Join(filepath.Dir(ada.board), ".git", link), name)
		eve := ada.at(dir)
		own := ada.git(ada.sharing.File(repoName), "rev-parse", ownRef)
		if _, err := eve.sharing.restore(t.Context()); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		for what, call := range map[string]func() error{
			"a sync": func() error { _, err := eve.sharing.Sync(t.Context(), share.Options{By: eve.by}); return err },
			"a claim": func() error {
				_, err := eve.do(pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "x", Owner: "ada"}, Status: pawl.InProgress}}})
				return err
			},
			"the end": func() error { return eve.sharing.Stop(t.Context()) },
			"reading": eve.sharing.Readable,
			"keeping": func() error { return eve.sharing.Keep(t.Context(), eve.by) },
		} {
			if err := call(); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		if is := ada.git(ada.sharing.File(repoName), "rev-parse", ownRef); is != own || !ada.sharing.Shared() {
			t.Errorf("%s: the other clone's board is %s, and was %s", what, is, own)
		}
	}
	if ada.must(pawl.ClaimTask{ID: 1}); ada.tasksOf(1)[0].Claim.Confirmed.IsZero() {
		t.Error("the other clone is damaged")
	}
}

// A disk image has the folder's own identity. The twin that syncs later takes another name, and
// what it has claimed since is its own: the first claim was refused, and the original had it.
func TestImage(t *testing.T) {
	ada := alone(t, "one", "two", "three")
	ada.must(pawl.ClaimTask{ID: 1})
	twin := ada.copied("image")
	twin.bound(func(home string) map[string]string { return map[string]string{"folder": inode(t, home)} })
	t.Setenv(AllowVar, "allow")
	ada.must(pawl.ClaimTask{ID: 2})
	if o := twin.must(pawl.ClaimTask{ID: 3}); len(o.Shared.Confirmed) != 1 || twin.called() == ada.called() {
		t.Errorf("the twin's claim: %+v; it is called %s", o.Shared, twin.called())
	}
	ada.sync()
	if is := ada.tasksOf(3)[0]; is.Claim.Clone != twin.called() {
		t.Errorf("the original has %+v", is.Claim)
	}
	for _, id := range []pawl.ID{1, 2} {
		if _, err := twin.do(pawl.Complete{IDs: []pawl.ID{id}}); pawl.KindOf(err) != pawl.Conflict {
			t.Errorf("the twin completes %v: %v", id, err)
		}
		ada.must(pawl.Complete{IDs: []pawl.ID{id}})
	}
	if twin.must(pawl.Complete{IDs: []pawl.ID{3}}); twin.tasksOf(3)[0].Status != pawl.Completed {
		t.Error("the twin lost its claim")
	}
}
