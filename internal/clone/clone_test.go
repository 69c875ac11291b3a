package clone

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// work makes a folder with what git needs to see a clone.
func work(t *testing.T, dir string) string {
	t.Helper()
	write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
}

func mark(t *testing.T, dir string) ID {
	t.Helper()
	id, err := Of(dir).Mark()
	if err != nil || id == "" {
		t.Fatalf("%s: %q, %v", dir, id, err)
	}
	return id
}

// A clone is another one after each way in which files of somebody else, or copies of its
// own, can come to stand where it was, or to name its folder.
func TestAnotherClone(t *testing.T) {
	for name, become := range map[string]func(t *testing.T, dir string) (elsewhere string){
		"made again at its path": func(t *testing.T, dir string) string {
			must.Do(t, os.RemoveAll(dir))
			return work(t, dir)
		},
		"made again, with the secret of an archive": func(t *testing.T, dir string) string {
			secret, err := os.ReadFile(filepath.Join(dir, ".git", "pawl", "secret"))
			must.Do(t, err)
			remove(t, dir)
			write(t, filepath.Join(work(t, dir), ".git", "pawl", "secret"), string(secret))
			return dir
		},
		"moved": func(t *testing.T, dir string) string {
			must.Do(t, os.Rename(dir, dir+"-2"))
			return dir + "-2"
		},
		"copied": func(t *testing.T, dir string) string {
			must.Do(t, os.CopyFS(dir+"-2", os.DirFS(dir)))
			return dir + "-2"
		},
		"named by a file": func(t *testing.T, dir string) string {
			write(t, filepath.Join(dir+"-2", ".git"), "gitdir: "+filepath.Join(dir, ".git")+"\n")
			return dir + "-2"
		},
		"named by a link": func(t *testing.T, dir string) string {
			must.Do(t, os.MkdirAll(dir+"-2", 0o755))
			mustrun.Link(t, filepath.Join(dir, ".git"), filepath.Join(dir+"-2", ".git"))
			return dir + "-2"
		},
		"named as the folder of work trees": func(t *testing.T, dir string) string {
			write(t, filepath.Join(work(t, dir+"-2"), ".git", "commondir"), filepath.Join(dir, ".git")+"\n")
			return dir + "-2"
		},
		"named as that of a linked work tree": func(t *testing.T, dir string) string {
			linked(t, dir, "side")
			write(t, filepath.Join(dir+"-2", ".git"), "gitdir: "+filepath.Join(dir, ".git", "worktrees", "side")+"\n")
			return dir + "-2"
		},
		"named through a link, as that of a linked work tree with a relative path": func(t *testing.T, dir string) string {
			write(t, filepath.Join(dir, ".git", "worktrees", filepath.Base(linked(t, dir, "side")), "gitdir"), "../../../../side/.git\n")
			other := dir + "-2"
			must.Do(t, os.MkdirAll(filepath.Join(other, "d"), 0o755))
			mustrun.Link(t, filepath.Join(dir, ".git"), filepath.Join(other, "d", "p"))
			write(t, filepath.Join(other, "side", ".git"), "gitdir: ../d/p/worktrees/side\n")
			return filepath.Join(other, "side")
		},
		"with the .git file of a linked work tree as a link": func(t *testing.T, dir string) string {
			must.Do(t, os.MkdirAll(dir+"-2", 0o755))
			mustrun.Link(t, filepath.Join(linked(t, dir, "side"), ".git"), filepath.Join(dir+"-2", ".git"))
			return dir + "-2"
		},
		"unpacked where a linked work tree was removed": func(t *testing.T, dir string) string {
			side := linked(t, dir, "side")
			file, err := os.ReadFile(filepath.Join(side, ".git"))
			must.Do(t, err)
			remove(t, side)
			unpack(t, dir, side, string(file))
			return side
		},
		"unpacked into the folder of a linked work tree": func(t *testing.T, dir string) string {
			side := linked(t, dir, "side")
			file, err := os.ReadFile(filepath.Join(side, ".git"))
			must.Do(t, err)
			remove(t, filepath.Join(side, ".git"))
			unpack(t, dir, side, string(file))
			return side
		},
		"unpacked where a work tree of pawl run was removed": func(t *testing.T, dir string) string {
			side := elsewhere(t, dir, "side")
			must.Do(t, Vouch(side))
			file, err := os.ReadFile(filepath.Join(side, ".git"))
			must.Do(t, err)
			remove(t, side)
			unpack(t, dir, side, string(file))
			return side
		},
		"a linked work tree whose file system has another clock": func(t *testing.T, dir string) string { return elsewhere(t, dir, "side") },
		"with the secret of a link": func(t *testing.T, dir string) string {
			mustrun.Link(t, filepath.Join(dir, ".git", "pawl"), filepath.Join(work(t, dir+"-2"), ".git", "pawl"))
			return dir + "-2"
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "work")
			before := mark(t, work(t, dir))
			after := become(t, dir)
			if id := Of(after).ID(); id == before {
				t.Errorf("%s is taken for the clone", after)
			}
			if id, err := Of(after).Mark(); id == before || err == nil && id == "" {
				t.Errorf("%s, once marked: %q, %v", after, id, err)
			}
		})
	}
}

func linked(t *testing.T, main, name string) string {
	t.Helper()
	side := filepath.Join(filepath.Dir(main), name)
	at := filepath.Join(main, ".git", "worktrees", name)
	write(t, filepath.Join(at, "gitdir"), filepath.Join(side, ".git")+"\n")
	write(t, filepath.Join(at, "commondir"), "") // for Wine a folder was made when a file came into it last
	write(t, filepath.Join(side, ".git"), "gitdir: "+at+"\n")
	write(t, filepath.Join(at, "commondir"), "../..\n") // after the .git file, as all versions of git do
	return side
}

// remove removes a file or folder.
func remove(t *testing.T, path string) {
	t.Helper()
	if mustrun.UnderWine() { // which numbers files without a count of their uses
		must.Do(t, os.Rename(path, path+"-before"))
		return
	}
	must.Do(t, os.RemoveAll(path))
}

// unpack makes the folder of a linked work tree with a .git file, as an archive does after
// git has made the one that was there.
func unpack(t *testing.T, main, side, text string) {
	t.Helper()
	made, err := os.Stat(filepath.Join(main, ".git", "worktrees", filepath.Base(side), "commondir"))
	must.Do(t, err)
	for path := filepath.Join(side, ".git"); ; must.Do(t, os.Remove(path)) { // until the file system's clock goes on
		write(t, path, text)
		at, _, err := came(path)
		must.Do(t, err)
		if at > made.ModTime().UnixNano() {
			must.Do(t, os.Chtimes(path, made.ModTime(), made.ModTime().Add(-time.Hour)))
			return
		}
	}
}

// elsewhere makes a linked work tree of which no time shows that git made it.
func elsewhere(t *testing.T, main, name string) string {
	t.Helper()
	side := linked(t, main, name)
	before := time.Now().Add(-time.Hour)
	must.Do(t, os.Chtimes(filepath.Join(main, ".git", "worktrees", name, "commondir"), before, before))
	return side
}

func TestOneClone(t *testing.T) {
	dir := work(t, filepath.Join(t.TempDir(), "work"))
	if id := Of(dir).ID(); id != "" {
		t.Errorf("%q before anything marked it", id)
	}
	id := mark(t, dir)
	side := linked(t, dir, "side")
	relative := linked(t, dir, "relative")
	write(t, filepath.Join(dir, ".git", "worktrees", "relative", "gitdir"), "../../../../relative/.git\n")
	write(t, filepath.Join(relative, ".git"), "gitdir: ../work/.git/worktrees/relative\n")
	write(t, filepath.Join(dir, ".git", "worktrees", "relative", "commondir"), "../..\n")
	link := filepath.Join(filepath.Dir(dir), "link")
	mustrun.Link(t, dir, link)
	run := elsewhere(t, dir, "run")
	must.Do(t, Vouch(run))
	for _, at := range []string{dir, filepath.Join(dir, "deep", "down"), side, filepath.Join(side, ".tasks"), relative, run, link} {
		if got := Of(at).ID(); got != id {
			t.Errorf("%s: %q, want %q", at, got, id)
		}
		if Of(at).Kin() == "" || Of(at).Kin() != Of(dir).Kin() {
			t.Errorf("%s is not of the same kin", at)
		}
	}
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Join(dir, ".git", "pawl", "secret"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the secret: %v, %v", info, err)
		}
	}
	must.Do(t, os.CopyFS(dir+"-2", os.DirFS(dir)))
	if Of(dir+"-2").Kin() != Of(dir).Kin() {
		t.Error("a copy is not of the same kin")
	}
}

func TestOutsideOfGit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "board")
	if id, err := Of(dir).Mark(); id != "" || !errors.Is(err, pawl.Unavailable) {
		t.Errorf("a missing folder: %q, %v", id, err)
	}
	must.Do(t, os.Mkdir(dir, 0o755))
	id := mark(t, dir)
	if Of(dir).ID() != id || Of(dir).Kin() != "" {
		t.Errorf("%q, then %q; kin %q", id, Of(dir).ID(), Of(dir).Kin())
	}
	must.Do(t, os.Rename(dir, dir+"-2"))
	must.Do(t, os.Mkdir(dir, 0o755))
	if got := Of(dir).ID(); got == id || got == "" {
		t.Errorf("another folder at its path: %q", got)
	}
}

// Git itself makes what Of looks for, and git worktree move and repair leave it.
func TestRealWorkTree(t *testing.T) {
	mustrun.NotUnderWine(t, "git is not there")
	dir := filepath.Join(t.TempDir(), "work")
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	git("init", "-q", dir)
	git("-C", dir, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "c")
	// A folder that was there before git made the work tree, and comes to its place later.
	must.Do(t, os.Mkdir(dir+"-early", 0o755))
	write(t, filepath.Join(dir+"-early", ".git"), "gitdir: "+filepath.Join(dir, ".git", "worktrees", "work-taken")+"\n")
	git("-C", dir, "worktree", "add", "-q", dir+"-taken")
	git("-C", dir, "worktree", "add", "-q", dir+"-side")
	git("clone", "-q", "--bare", dir, dir+".git")
	git("-C", dir+".git", "worktree", "add", "-q", dir+"-bare")
	id := mark(t, dir)
	same := func(at string) {
		t.Helper()
		if Of(at).ID() != id {
			t.Errorf("%s is another clone", at)
		}
	}
	same(dir + "-side")
	same(dir + "-taken")
	must.Do(t, os.RemoveAll(dir+"-taken"))
	must.Do(t, os.Rename(dir+"-early", dir+"-taken"))
	if Of(dir+"-taken").ID() == id {
		t.Error("a folder from before the work tree, in its place, is the clone")
	}
	git("-C", dir, "worktree", "move", dir+"-side", dir+"-moved")
	if runtime.GOOS == "linux" { // elsewhere a .git file that git writes again counts as new
		same(dir + "-moved")
	}
	must.Do(t, os.Rename(dir+"-moved", dir+"-side"))
	git("-C", dir, "worktree", "repair", dir+"-side")
	if runtime.GOOS == "linux" {
		same(dir + "-side")
	}
	must.Do(t, os.CopyFS(dir+"-copy", os.DirFS(dir+"-side")))
	must.Do(t, os.RemoveAll(dir+"-side"))
	git("-C", dir, "worktree", "repair", dir+"-copy")
	if Of(dir+"-copy").ID() == id {
		t.Error("a copy of a work tree, which git has taken for it, is the clone")
	}
	if c := Of(dir + "-bare"); c.Root != "" || mark(t, dir+"-bare") == "" {
		t.Errorf("the work tree of a bare clone: %+v", c)
	}
}

// A secret that cannot be written, or that only another user can read, is no reason to
// trust: nothing is known of the clone then.
func TestNoSecret(t *testing.T) {
	dir := work(t, filepath.Join(t.TempDir(), "work"))
	write(t, filepath.Join(dir, ".git", "pawl"), "a file where the folder must be")
	id, err := Of(dir).Mark()
	if id != "" || !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), filepath.Join(".git", "pawl", "secret")) {
		t.Errorf("%q, %v", id, err)
	}
	must.Do(t, os.Remove(filepath.Join(dir, ".git", "pawl")))
	other := work(t, filepath.Join(t.TempDir(), "other"))
	mark(t, other)
	mustrun.Link(t, filepath.Join(other, ".git", "pawl"), filepath.Join(dir, ".git", "pawl"))
	id, err = Of(dir).Mark()
	if id != "" || Of(dir).Kin() != "" || err == nil || !strings.Contains(err.Error(), filepath.Join(".git", "pawl")+" is not a folder") {
		t.Errorf("another clone's through a link: %q, kin %q, %v", id, Of(dir).Kin(), err)
	}
	must.Do(t, os.Remove(filepath.Join(dir, ".git", "pawl")))
	for _, damaged := range []string{"torn", strings.Repeat("0", digits+9)} {
		write(t, filepath.Join(dir, ".git", "pawl", "secret"), damaged)
		if id := Of(dir).ID(); id != "" {
			t.Errorf("a damaged secret: %q", id)
		}
		mark(t, dir)
	}
}

// Processes that mark a clone at the same time agree.
func TestTogether(t *testing.T) {
	dir := work(t, filepath.Join(t.TempDir(), "work"))
	ids := make([]ID, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			id, err := Of(dir).Mark()
			if err != nil {
				t.Error(err)
			}
			ids[i] = id
		})
	}
	all.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Fatalf("%q", ids)
		}
	}
}
