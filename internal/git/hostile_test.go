package git

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// hostile makes a clone whose configuration, hooks and attributes start a program
// wherever git lets them. The program leaves a file.
func hostile(t *testing.T) (c *clone, ran func() string, ours, theirs string) {
	if runtime.GOOS == "windows" {
		t.Skip("not here: the programs of the test are shell scripts")
	}
	c = newClone(t)
	ours, theirs = c.part()
	c.git("checkout", "-q", "--detach")
	c.write("readme", "next\n")
	c.task(1, "Next")
	next := c.commit("Next")
	c.git("checkout", "-q", "main")
	c.write(".git/next", next)
	c.write("big", strings.Repeat("x", 1<<20))
	lost := c.git("hash-object", "-w", "big")
	canary := filepath.Join(t.TempDir(), "ran")
	evil := filepath.Join(t.TempDir(), "evil")
	c.write(evil, "#!/bin/sh\necho \"$0 $*\" >>'"+canary+"'\nexit 1\n")
	hooks := filepath.Join(c.dir, ".git", "hooks")
	other := filepath.Join(filepath.Dir(evil), "hooks")
	must.Do(t, errors.Join(os.Chmod(evil, 0o755), os.MkdirAll(other, 0o755), os.MkdirAll(hooks, 0o755)))
	for _, dir := range []string{hooks, other} {
		for _, name := range []string{"post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout", "pre-commit", "post-merge", "pre-auto-gc", "post-rewrite", "query-watchman", "post-commit", "commit-msg", "prepare-commit-msg", "pre-merge-commit", "pre-rebase", "post-applypatch", "pre-applypatch", "applypatch-msg"} {
			must.Do(t, os.Symlink(evil, filepath.Join(dir, name)))
		}
	}
	config := func(more string) string {
		return strings.ReplaceAll(`
[core]
	fsmonitor = EVIL
	pager = EVIL
	editor = EVIL
	sshCommand = EVIL
	gitProxy = EVIL
	askPass = EVIL
	alternateRefsCommand = EVIL
	untrackedCache = true
	splitIndex = true
	autocrlf = true
	`+more+`
[filter "evil"]
	clean = EVIL clean
	smudge = EVIL smudge
	process = EVIL process
	required = true
[filter "evil=x.\"y"]
	clean = EVIL clean
	required = true
[diff]
	external = EVIL
[diff "evil"]
	textconv = EVIL
	command = EVIL
[merge "evil"]
	driver = EVIL
[credential]
	helper = !EVIL
[gpg]
	program = EVIL
[log]
	showSignature = true
[commit]
	gpgSign = true
[interactive]
	diffFilter = EVIL
[pager]
	cat-file = EVIL
	rev-list = EVIL
	ls-files = EVIL
[uploadpack]
	packObjectsHook = EVIL
[alias]
	cat-file = !EVIL
	ls-files = !EVIL
	rev-parse = !EVIL
	update-index = !EVIL
[remote "origin"]
	url = ssh://nowhere.invalid/x
	uploadpack = EVIL
	promisor = true
	partialclonefilter = blob:none
[extensions]
	partialClone = origin
`, "EVIL", evil)
	}
	c.write(filepath.Dir(evil)+"/more", config("hooksPath = "+other))
	c.write(".git/config", c.read(".git/config")+config("")+"[include]\n\tpath = "+filepath.Dir(evil)+"/more\n")
	c.write(".git/config", strings.Replace(c.read(".git/config"), "repositoryformatversion = 0", "repositoryformatversion = 1", 1))
	c.write(".git/info/attributes", "* filter=evil diff=evil merge=evil text ident\n.tasks/task_2.json !filter\nreadme filter=evil=x.\"y\n")
	c.write(".git/objects/info/alternates", filepath.Join(c.dir, ".git", "objects")+"\n")
	must.Do(t, os.Remove(filepath.Join(c.dir, ".git", "objects", lost[:2], lost[2:])))
	c.write(".git/lost", lost)
	ran = func() string {
		text, _ := os.ReadFile(canary)
		_ = os.Remove(canary)
		return string(text)
	}
	return c, ran, ours, theirs
}

// Nothing that this package does starts a program that a repository names.
func TestHostileRepository(t *testing.T) {
	t.Parallel()
	c, ran, ours, theirs := hostile(t)
	if _, _ = c.try("status"); ran() == "" {
		t.Fatal("the repository of the test is not hostile")
	}
	if _, _ = c.try("cat-file", "-p", c.read(".git/lost")); ran() == "" {
		t.Error("nobody tries to fetch what is missing")
	}
	if _, _ = c.try("update-index", "--add", "--cacheinfo", "100644,"+strings.Repeat("1", 40)+",x"); ran() == "" {
		t.Error("no hook watches the index")
	}
	if _, _ = c.try("fetch"); ran() == "" {
		t.Error("nothing is started by a fetch")
	}
	if _, _ = c.try("add", "-A"); ran() == "" {
		t.Error("no filter is started")
	}
	c.write(".tasks/task_1.json", "{}\n")
	ctx := t.Context()
	tree := c.tree()
	lost := c.read(".git/lost")
	entry := Entry{"task_1.json", Regular, "", 0}
	// Files that are as young as the index are compared before it is written.
	young := func() {
		old := time.Unix(1, 0)
		must.Do(t, os.Chtimes(c.path(".git/index"), old, old))
	}
	next := c.read(".git/next")
	base := c.git("merge-base", ours, theirs)
	dir, spare := c.beside("w"), c.beside("spare")
	linked := func(do func(*Tree) error) func() error {
		return func() error {
			w, err := OpenWorktree(ctx, dir, c.path(".git"))
			if err != nil {
				return err
			}
			for _, name := range []string{"readme", "new", ".tasks/task_1.json"} {
				c.write(filepath.Join(dir, name), "a\r\n$Id$\n")
			}
			old := time.Unix(1, 0)
			must.Do(t, os.Chtimes(filepath.Join(w.Dir().Dir, "index"), old, old))
			return do(w)
		}
	}
	// What needs the object that is missing may fail, but tells so and asks nobody.
	calls := map[string]func() error{
		"Blobs": func() error {
			texts, err := tree.Blobs(ctx, []string{lost}, 1<<20)
			if len(texts) > 0 {
				t.Errorf("what is missing has %d texts", len(texts))
			}
			return err
		},
		"Between": func() error { _, err := tree.Between(ctx, theirs, ours, c.board(), 10); return err },
		"Bases":   func() error { _, err := tree.Bases(ctx, ours, theirs); return err },
		"Commit":  func() error { _, err := tree.Commit(ctx, "--upload-pack=side"); return err },
		"Dir":     func() error { tree.Dir().Stamp(); tree.Dir().Under(); tree.Dir().Moves("HEAD", 10); return nil },
		"Entries": func() error { _, err := tree.Entries(ctx, c.board()); return err },
		"Exclude": func() error { _, err := tree.Exclude(ctx); return err },
		"Folders": func() error { _, err := tree.Folders(ctx, c.board(), ours, theirs); return err },
		"Committed": func() error {
			texts, err := tree.Committed(ctx, c.path("readme"), 100)
			if err == nil && len(texts) == 0 {
				t.Error("Committed returned nothing")
			}
			return err
		},
		"Ignored":    func() error { _, err := tree.Ignored(ctx, c.path("readme")); return err },
		"IsAncestor": func() error { _, err := tree.IsAncestor(ctx, ours, theirs); return err },
		"Merges":     func() error { _, err := tree.Merges(ctx, "", ours, 10); return err },
		"Authored":   func() error { _, err := tree.Authored(ctx, theirs, ours, 10); return err },
		"OnBranches": func() error { _, err := tree.OnBranches(ctx, c.board()); return err },
		"Parents":    func() error { _, err := tree.Parents(ctx, ours); return err },
		"Put": func() error {
			ids, err := tree.Put(ctx, [][]byte{[]byte("a\r\n$Id$\n")})
			if err == nil {
				entry.ID = ids[0]
			}
			return err
		},
		"State":   func() error { _, err := tree.State(ctx); return err },
		"Tracked": func() error { _, err := tree.Tracked(ctx, c.board()); return err },
		"Work": func() error {
			young()
			_, err := tree.Work(ctx, c.board())
			return err
		},
		"AddWorktree": func() error {
			return errors.Join(tree.AddWorktree(ctx, dir, "refs/heads/pawl/1", ours), tree.AddWorktree(ctx, spare, "", theirs))
		},
		"Worktrees":      func() error { _, err := tree.Worktrees(ctx); return err },
		"RemoveWorktree": func() error { return tree.RemoveWorktree(ctx, spare) },
		"Ref":            func() error { _, err := tree.Ref(ctx, "refs/heads/main"); return err },
		"SetRef":         func() error { return tree.SetRef(ctx, "refs/pawl/run/x", "", ours, "test") },
		"Checkout":       linked(func(w *Tree) error { return w.Checkout(ctx, ours) }),
		"Detach":         linked(func(w *Tree) error { return w.Detach(ctx) }),
		"Adopt":          linked(func(w *Tree) error { return w.Adopt(ctx, theirs) }),
		"Snapshot": linked(func(w *Tree) error {
			id, err := w.Snapshot(ctx, "test", []string{".tasks"})
			if err == nil && id == "" {
				t.Error("nothing was committed")
			}
			return err
		}),
		"Strip": func() error { _, err := tree.Strip(ctx, base, ours, []string{".tasks"}); return err },
		"Rebase": linked(func(w *Tree) error {
			_, conflicts, err := w.Rebase(ctx, ours, base, theirs)
			if len(conflicts) == 0 {
				t.Error("nothing was merged")
			}
			return err
		}),
		"Squash": linked(func(w *Tree) error {
			_, conflicts, err := w.Squash(ctx, ours, base, theirs, "all")
			if len(conflicts) == 0 {
				t.Error("nothing was merged")
			}
			return err
		}),
		"FastForward": func() error {
			young()
			at, err := tree.State(ctx)
			if err != nil {
				return err
			}
			if err := errors.Join(os.WriteFile(c.path(".tasks/task_1.json"), []byte("{\"subject\": \"Ours\"}\n"), 0o644), os.WriteFile(c.path(".tasks/task_2.json"), []byte("{\"subject\": \"Our second\"}\n"), 0o644)); err != nil {
				return err
			}
			return tree.FastForward(ctx, at.Branch, at.Head, next)
		},
		"Contains":    func() error { _, err := tree.Contains(ctx, ours, base, theirs); return err },
		"Changed":     func() error { _, err := tree.Changed(ctx, base, ours); return err },
		"Diff":        func() error { _, err := tree.Diff(ctx, base, ours, 1000); return err },
		"DiffStat":    func() error { _, _, _, err := tree.DiffStat(ctx, base, ours); return err },
		"Log":         func() error { _, err := tree.Log(ctx, base, ours, 10); return err },
		"Standing":    func() error { young(); _, err := tree.Standing(ctx, nil); return err },
		"Shared":      func() error { _, err := tree.Shared(ctx); return err },
		"UpstreamRef": func() error { _, err := tree.UpstreamRef(ctx, "refs/heads/main"); return err },
		"Upstream":    func() error { _, err := tree.Upstream(ctx); return err },
		"Unmerged":    func() error { _, err := tree.Unmerged(ctx, c.board()); return err },
		"Has":         func() error { _, err := tree.Has(ctx, [][]byte{[]byte("a\n")}); return err },
		"Refresh": func() error {
			young()
			return tree.Refresh(ctx, c.board(), "task_1.json", "task_2.json")
		},
		"Update": func() error {
			young()
			return tree.Update(ctx, c.board(), []string{"task_2.json"}, entry)
		},
	}
	var names []string
	for name := range calls {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names { // Put is before Update
		if err := calls[name](); err != nil && name != "Blobs" {
			t.Errorf("%s: %v", name, err)
		}
		if got := ran(); got != "" {
			t.Errorf("%s started %s", name, got)
		}
	}
	if text, err := tree.Blobs(ctx, []string{entry.ID}, 100); err != nil || string(text[entry.ID]) != "a\r\n$Id$\n" {
		t.Errorf("what was put is %q, %v", text[entry.ID], err)
	}
	if got := ran(); got != "" {
		t.Errorf("started %s", got)
	}
	for i := range reflect.TypeFor[*Tree]().NumMethod() {
		if name := reflect.TypeFor[*Tree]().Method(i).Name; calls[name] == nil {
			t.Errorf("%s is not tried on a hostile repository", name)
		}
	}
}

// What a person names is never an option, nor a file of anybody's.
func TestCommitNames(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	ours, theirs := c.part()
	c.git("tag", "-am", "One", "v1", "side")
	tree := c.tree()
	for name, want := range map[string]string{
		"side": theirs, "v1": theirs, "HEAD": ours, "main": ours, ours[:8]: ours, "main~1^{commit}": c.git("rev-parse", "main~1"), "@": ours,
		"": "", "nobody": "", "--all": "", "-h": "", "side\nmain": "", "HEAD:.tasks": "", "HEAD:readme": "", "main..side": "", "$(touch x)": "", "--batch": "",
		strings.Repeat("x", 1<<16): "", "a b": "", "HEAD^{commit} ": "",
	} {
		if got, err := tree.Commit(t.Context(), name); got != want || err != nil {
			t.Errorf("%.40q is %q, want %q, %v", name, got, want, err)
		}
	}
	for _, id := range []string{"", "HEAD", "--all", strings.Repeat("g", 40), ours + "\n"} {
		if _, err := tree.Bases(t.Context(), ours, id); err == nil {
			t.Errorf("%q was taken for an id", id)
		}
		if _, err := tree.Folders(t.Context(), c.board(), id); err == nil {
			t.Errorf("%q was taken for an id", id)
		}
		if _, err := tree.Blobs(t.Context(), []string{id}, 1); err == nil {
			t.Errorf("%q was taken for an id", id)
		}
	}
}

// A folder may have what is not a file, and files of any name and size.
func TestStrangeFolder(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, c *clone) {
		if runtime.GOOS == "windows" {
			t.Skip("not here: links and such names")
		}
		c.git("config", "core.quotePath", "true")
		odd := ".tasks/task_1\n\"é\t.json"
		c.write(odd, "odd\n")
		c.write(".tasks/deep/er/task_9.json", "deep")
		c.write(".tasks/large", strings.Repeat("0123456789abcdef", 1<<16))
		c.write(".tasks/larger", strings.Repeat("0123456789ABCDEF", 1<<17))
		c.write(".tasks/run", "#!")
		must.Do(t, errors.Join(os.Chmod(c.path(".tasks/run"), 0o755), os.Symlink("/etc/passwd", c.path(".tasks/task_5.json"))))
		c.git("add", "-A")
		module := c.git("rev-parse", "HEAD")
		c.git("update-index", "--add", "--cacheinfo", "160000,"+module+",.tasks/task_6.json")
		c.git("commit", "-qm", "Odd")
		tree := c.tree()
		head := must.Get(tree.Commit(t.Context(), "HEAD"))(t)
		folders := must.Get(tree.Folders(t.Context(), c.board(), head))(t)
		var ids []string
		modes := map[string]Mode{}
		for _, e := range folders[0].Entries {
			modes[e.Name] = e.Mode
			ids = append(ids, e.ID)
		}
		for name, want := range map[string]bool{"task_1.json": true, "task_1\n\"é\t.json": true, "run": true, "large": true, "task_5.json": false, "task_6.json": false, "deep": false} {
			if mode, ok := modes[name]; !ok || mode.Regular() != want {
				t.Errorf("%q has mode %o", name, mode)
			}
		}
		entries, err := tree.Entries(t.Context(), c.board())
		if err != nil || len(entries) != len(folders[0].Entries) {
			t.Errorf("the index has %d entries, the commit %d: %v", len(entries), len(folders[0].Entries), err)
		}
		texts, err := tree.Blobs(t.Context(), ids, 1<<16)
		must.Do(t, err)
		for _, e := range folders[0].Entries {
			text, ok := texts[e.ID]
			if want := e.Name != "deep" && e.Name != "task_6.json" && !strings.HasPrefix(e.Name, "large"); ok != want {
				t.Errorf("%q was read: %v, %d bytes", e.Name, ok, len(text))
			}
		}
		for _, name := range []string{"../readme", "/readme", "", "a/../../readme"} {
			if err := tree.Update(t.Context(), c.board(), []string{name}); err == nil {
				t.Errorf("%q was taken for a file of the board", name)
			}
		}
		odd = strings.TrimPrefix(odd, ".tasks/")
		must.Do(t, tree.Update(t.Context(), c.board(), []string{odd}))
		if left, err := tree.Entries(t.Context(), c.board()); err != nil || len(left) != len(entries)-1 {
			t.Errorf("%d entries are left of %d: %v", len(left), len(entries), err)
		}
		// A board that is a link, or missing, is not a folder of the commit.
		if folders, err = tree.Folders(t.Context(), c.path(".tasks/task_5.json"), head); err != nil || folders[0].ID != "" {
			t.Errorf("a link is the folder %+v, %v", folders[0], err)
		}
		if folders, err = tree.Folders(t.Context(), c.path("nothing/.tasks"), head); err != nil || folders[0].ID != "" {
			t.Errorf("nothing is the folder %+v, %v", folders[0], err)
		}
		if folders, err = tree.Folders(t.Context(), c.path(".tasks/deep/er"), head); err != nil || len(folders[0].Entries) != 1 {
			t.Errorf("a deeper folder is %+v, %v", folders[0], err)
		}
	})
}
