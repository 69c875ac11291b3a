package gitshare

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/store/file"
)

// apart puts git's folder of a clone beside it, as --separate-git-dir and submodules have it.
func (d *desk) apart(way func(from, to string) error) {
	d.t.Helper()
	root := filepath.Dir(d.board)
	to := root + ".git"
	err := os.Rename(filepath.Join(root, ".git"), to)
	if err = errors.Join(err, way(to, filepath.Join(root, ".git"))); err != nil {
		d.t.Fatal(err)
	}
}

func byFile(from, to string) error { return os.WriteFile(to, []byte("gitdir: "+from+"\n"), 0o644) }

// unowned fails if anybody becomes the owner of a task at the desk, or a sync sends anything.
func (d *desk) unowned(why string, ops ...pawl.Op) {
	d.t.Helper()
	for _, op := range ops {
		_, err := d.do(op)
		e, ok := errors.AsType[*pawl.Error](err)
		if !ok || e.Kind != pawl.Unconfirmed || !strings.Contains(e.Error(), why) || e.Hint.Step != pawl.HintSay {
			d.t.Errorf("%#v: %v, and the hint is %+v", op, err, e)
		}
	}
	if _, err := d.sharing.Sync(d.t.Context(), share.Options{By: d.by}); err == nil || !strings.Contains(err.Error(), why) {
		d.t.Errorf("a sync: %v", err)
	}
	if is := d.sharing.Status(d.t.Context()); is == nil || !strings.Contains(is.Failed, why) {
		d.t.Errorf("the status is %+v", is)
	}
}

// unrestored fails if a look at a folder without a board, whose .git leads into the desk's
// clone, brings the board to it, or takes it from the desk.
func (d *desk) unrestored(git string, id pawl.ID) {
	d.t.Helper()
	d.must(tasks("unsent"))
	must.Do(d.t, d.sharing.Keep(d.t.Context(), d.by))
	for what, way := range map[string]func(from, to string) error{"file": byFile, "link": os.Symlink} {
		empty := filepath.Join(d.dir, what+" into "+filepath.Base(git))
		must.Do(d.t, errors.Join(os.Mkdir(empty, 0o755), way(git, filepath.Join(empty, ".git"))))
		if back, err := d.restored(filepath.Join(empty, ".tasks")); back || !errors.Is(err, errOther) {
			d.t.Errorf("a %s into %s: restored: %v, %v", what, git, back, err)
		}
		if left, err := os.ReadDir(empty); err != nil || len(left) != 1 {
			d.t.Errorf("in the folder with the %s is %v, %v", what, left, err)
		}
	}
	was := d.called()
	if d.must(pawl.ClaimTask{ID: id}); d.called() != was {
		d.t.Errorf("the clone is called %s, and was %s", d.called(), was)
	}
}

// restored looks at a board as the program does that opens it.
func (d *desk) restored(board string) (bool, error) {
	o := d.options()
	o.Store, o.Open = nil, func() (*file.Store, error) { return file.Open(board) }
	return Restore(d.t.Context(), board, o)
}

// cleaned removes the board, and fails if a look there does not bring it back.
func (d *desk) cleaned() {
	d.t.Helper()
	must.Do(d.t, d.sharing.Keep(d.t.Context(), d.by))
	d.store.Close()
	must.Do(d.t, os.RemoveAll(d.board))
	if back, err := d.restored(d.board); !back || err != nil {
		d.t.Errorf("restored: %v, %v", back, err)
	}
	d.open()
}

// Two folders can have one git folder: of the copy of a clone made with --separate-git-dir, of
// a submodule, of a bare repository's work tree. Both were one clone with two boards: a task was
// claimed in each of them, and what the second one did was never sent.
func TestTwoFolders(t *testing.T) {
	for what, way := range map[string]func(from, to string) error{"a file": byFile, "a link": os.Symlink} {
		t.Run(what, func(t *testing.T) {
			long.Seldom(t, 6)
			f := newField(t)
			ada := f.desk("ada")
			ada.must(tasks("one", "two", "three"))
			ada.apart(way)
			ada.open()
			ada.join()
			ada.must(pawl.Start{IDs: []pawl.ID{1}})
			copied := filepath.Join(f.dir, "copied")
			err := os.CopyFS(filepath.Join(copied, ".tasks"), os.DirFS(ada.board))
			if err = errors.Join(err, way(filepath.Dir(ada.board)+".git", filepath.Join(copied, ".git"))); err != nil {
				t.Fatal(err)
			}
			eve := ada.at(copied)
			t.Setenv(AllowVar, "allow")
			was := ada.called()
			eve.unowned("another folder", pawl.ClaimTask{ID: 2}, pawl.Start{IDs: []pawl.ID{3}}, pawl.Complete{IDs: []pawl.ID{1}})
			if err := eve.sharing.Keep(t.Context(), eve.by); err == nil {
				t.Error("the copy's board is kept as the original's")
			}
			ada.unrestored(filepath.Join(f.dir, "ada.git"), 2)
			moved := filepath.Join(f.dir, "moved")
			ada.store.Close()
			must.Do(t, os.Rename(filepath.Dir(ada.board), moved))
			must.Do(t, os.CopyFS(filepath.Dir(ada.board), os.DirFS(moved)))
			ada.at(filepath.Dir(ada.board)).unowned("another folder", pawl.ClaimTask{ID: 3}) // also where the original was
			ada = ada.at(moved)
			ada.cleaned()
			if ada.must(pawl.Complete{IDs: []pawl.ID{2}}); ada.called() != was {
				t.Errorf("the original is called %s, and was %s", ada.called(), was)
			}
			must.Do(t, eve.sharing.Stop(t.Context()))
			eve.join()
			if o := eve.must(pawl.ClaimTask{ID: 3}); len(o.Shared.Confirmed) != 1 || eve.called() == was {
				t.Errorf("the copy's claim: %+v; it is called %s", o.Shared, eve.called())
			}
			ada.unowned("another folder", pawl.ClaimTask{ID: 3})
		})
	}
}

// Git removes the folder of a submodule and makes it again. What no sync has sent comes back.
func TestFolderMadeAgain(t *testing.T) {
	f := newField(t)
	ada := f.desk("ada")
	ada.must(tasks("one"))
	ada.apart(byFile)
	ada.open()
	ada.join()
	t.Setenv(AllowVar, "allow")
	ada.must(tasks("two"))
	must.Do(t, ada.sharing.Keep(t.Context(), ada.by))
	was, root := ada.called(), filepath.Dir(ada.board)
	ada.store.Close()
	err := os.Rename(root, root+".old") // so that no new folder gets its inode
	if err = errors.Join(err, os.Mkdir(root, 0o755), byFile(root+".git", filepath.Join(root, ".git"))); err != nil {
		t.Fatal(err)
	}
	if back, err := ada.restored(ada.board); !back || err != nil {
		t.Fatalf("restored: %v, %v", back, err)
	}
	ada.open()
	if o := ada.must(pawl.ClaimTask{ID: 2}); len(o.Shared.Confirmed) != 1 || ada.called() != was {
		t.Errorf("the claim: %+v; the clone is called %s, and was %s", o.Shared, ada.called(), was)
	}
}

// A container may have the work tree of a shared board and not git's folder. The board was
// taken for a private one there, and each task was given to two.
func TestFolderAlone(t *testing.T) {
	f := newField(t)
	ada := f.desk("ada")
	ada.must(tasks("one", "two", "three"))
	ada.apart(byFile)
	ada.open()
	ada.join()
	t.Setenv(AllowVar, "allow")
	root := filepath.Dir(ada.board)
	git := root + ".git"
	owns := []pawl.Op{pawl.ClaimTask{ID: 1}, pawl.Start{IDs: []pawl.ID{2}}, pawl.Complete{IDs: []pawl.ID{3}}}
	for why, hide := range map[string]string{"git's folder is not there": git, "is missing from": filepath.Join(git, "pawl")} {
		must.Do(t, os.Rename(hide, hide+".hidden"))
		ada.open()
		if ada.sharing == nil {
			t.Fatalf("%s: the board is not shared", why)
		}
		ada.unowned(why, owns...)
		err := os.RemoveAll(hide) // what Pawl may have made there in the meantime
		if err = errors.Join(err, os.Rename(hide+".hidden", hide)); err != nil {
			t.Fatal(err)
		}
	}
	ada.open()
	ada.must(pawl.ClaimTask{ID: 1})
	must.Do(t, os.RemoveAll(filepath.Join(git, "pawl")))
	ada.open()
	must.Do(t, ada.sharing.Stop(t.Context()))
	if ada.open(); ada.sharing != nil {
		t.Fatal("the board is still shared")
	}
	ada.join()
	ada.must(pawl.ClaimTask{ID: 2})
	ada.store.Close()
	err := errors.Join(os.RemoveAll(ada.board), os.RemoveAll(git))
	if _, none := Restore(t.Context(), ada.board, ada.options()); err != nil || none == nil || !strings.Contains(none.Error(), git) {
		t.Errorf("another board can be made here: %v, %v", err, none)
	}
}

// A .git file that leads into a clone, made by hand or unpacked, makes a second folder of that one.
func TestFileIntoAClone(t *testing.T) {
	ada := alone(t, "one", "two", "three")
	ada.must(pawl.Start{IDs: []pawl.ID{1}})
	copied := filepath.Join(ada.dir, "copied")
	err := os.CopyFS(filepath.Join(copied, ".tasks"), os.DirFS(ada.board))
	if err = errors.Join(err, byFile(filepath.Join(filepath.Dir(ada.board), ".git"), filepath.Join(copied, ".git"))); err != nil {
		t.Fatal(err)
	}
	eve := ada.at(copied)
	t.Setenv(AllowVar, "allow")
	eve.unowned("another folder", pawl.ClaimTask{ID: 2}, pawl.Start{IDs: []pawl.ID{3}}, pawl.Complete{IDs: []pawl.ID{1}})
	ada.unrestored(filepath.Join(ada.dir, "ada", ".git"), 2)
	must.Do(t, eve.sharing.Stop(t.Context()))
	eve.join()
	eve.must(pawl.ClaimTask{ID: 3})
	ada.unowned("another folder", pawl.ClaimTask{ID: 3}, pawl.Complete{IDs: []pawl.ID{2}})
	must.Do(t, ada.sharing.Stop(t.Context()))
	ada.join()
	was := ada.called()
	ada.store.Close()
	moved := filepath.Join(ada.dir, "moved") // all that is in a folder, not the folder
	err = os.Mkdir(moved, 0o755)
	for _, name := range []string{".git", ".tasks"} {
		err = errors.Join(err, os.Rename(filepath.Join(filepath.Dir(ada.board), name), filepath.Join(moved, name)))
	}
	must.Do(t, err)
	if ada = ada.at(moved); ada.called() != was {
		t.Errorf("the clone is called %s, and was %s", ada.called(), was)
	}
	ada.sync()
	ada.cleaned()
}

// Git's folder can be moved out of a clone, and back into it: that makes no other folder of it.
// The clone was refused, and the way out lost what it had completed.
func TestGitsFolderMovedOut(t *testing.T) {
	for what, way := range map[string]func(d *desk) (to string){
		"git init": func(d *desk) string {
			out := filepath.Join(d.dir, "out.git")
			d.git(d.dir, "init", "-q", "--separate-git-dir", out, "ada")
			return out
		},
		"git submodule": func(d *desk) string {
			d.git(d.dir, "init", "-q")
			d.git(filepath.Dir(d.board), "commit", "-q", "--allow-empty", "-m", "x")
			d.git(d.dir, "submodule", "--quiet", "add", "./ada")
			d.git(d.dir, "submodule", "--quiet", "absorbgitdirs")
			return filepath.Join(d.dir, ".git", "modules", "ada")
		},
		"a link": func(d *desk) string { d.apart(os.Symlink); return filepath.Join(d.dir, "ada.git") },
		"a file": func(d *desk) string { d.apart(byFile); return filepath.Join(d.dir, "ada.git") },
	} {
		t.Run(what, func(t *testing.T) {
			long.Seldom(t, 6)
			ada := alone(t, "one", "two", "three")
			ada.must(pawl.Start{IDs: []pawl.ID{1}})
			t.Setenv(AllowVar, "allow")
			was, out := ada.called(), way(ada)
			ada.open()
			ada.must(pawl.Complete{IDs: []pawl.ID{1}})
			ada.unrestored(out, 2)
			ada.cleaned()
			ada.sync()
			back := filepath.Join(filepath.Dir(ada.board), ".git")
			must.Do(t, errors.Join(os.Remove(back), os.Rename(out, back)))
			ada.open()
			ada.must(pawl.Complete{IDs: []pawl.ID{2}})
			ada.unrestored(back, 3)
			if is := ada.tasksOf(1, 2); ada.called() != was || is[0].Status != pawl.Completed || is[1].Status != pawl.Completed {
				t.Errorf("the clone is called %s, and was %s; it has %v and %v", ada.called(), was, is[0].Status, is[1].Status)
			}
		})
	}
}
