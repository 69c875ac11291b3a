package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Repo is a bare repository of Pawl's own, in which the states of one shared board
// are commits. It adds no object, reference or setting to the user's repository,
// whose configuration it reads for the way to the remote.
//
// One process at a time may change a Repo: its users hold a lock. Only SetRef needs
// none.
//
//	repo, err := git.OpenRepo(ctx, dir, project)
//	remote, err := repo.Remote(ctx, "origin")
//	tip, err := repo.Fetch(ctx, remote, "refs/pawl/board")
//	id, err := repo.Commit(ctx, git.Draft{…})
//	err = repo.Push(ctx, remote, "refs/pawl/board", tip, id)
type Repo struct {
	dir     string
	tree    *Tree               // it, for commands without the network
	root    string              // of the user's work tree; outside of any, the folder of the board
	config  string              // the user's configuration of that clone; empty: there is no clone
	parents map[string][]string // of the commits that were made here
	most    int64               // bytes of one fetch
}

// OpenRepo opens the repository in a folder, and makes it if it is missing. Project is
// the folder whose remotes, credentials and proxies it uses.
func OpenRepo(ctx context.Context, dir, project string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	r := &Repo{dir: dir, root: project, parents: map[string][]string{}, most: maxFetch}
	if at, ok := gitdir.Find(project); ok {
		r.root, r.config = at.Root, filepath.Join(at.Common, "config")
	}
	program, err := look(r.root)
	if err != nil {
		return nil, err
	}
	r.tree = &Tree{Root: dir, git: program, dirs: []string{"--git-dir=" + dir}}
	if whole(dir) {
		return r, nil
	}
	return r, r.make(ctx, r.format(ctx))
}

// Dir is the folder of the repository.
func (r *Repo) Dir() string { return r.dir }

// initial is a configuration as git's init leaves it, whatever the version and the system.
var initial = &text.Regexp{Expr: `(?i)^(\[(core|extensions|receive)\]\n|\t(repositoryformatversion|filemode|bare|symlinks|ignorecase|precomposeunicode|hidedotfiles|` +
	`sharedrepository|denynonfastforwards|objectformat|refstorage) = [a-z0-9]+\n)*$`}

// astray are the files that lead git to another configuration, other addresses or the
// objects of another repository.
var astray = []string{"commondir", "remotes", "branches", filepath.Join("objects", "info", "alternates")}

// whole reports whether a folder is a repository that Pawl made to its end. It may have come
// with somebody's archive: nothing in it may name a program, or lead out of it.
func whole(dir string) bool {
	head := gitdir.File(filepath.Join(dir, "HEAD"), 100)
	config, ended := strings.CutSuffix(string(gitdir.File(filepath.Join(dir, "config"), 16<<10)), made)
	if !bytes.HasPrefix(head, []byte("ref: ")) || !ended || !initial.Get().MatchString(config) || !isDir(filepath.Join(dir, "objects")) || !isDir(filepath.Join(dir, "refs")) {
		return false
	}
	return nil == filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if d != nil && !d.IsDir() && !d.Type().IsRegular() || slices.ContainsFunc(astray, func(name string) bool { return strings.EqualFold(name, rel) }) {
			return fs.ErrInvalid
		}
		if d != nil && d.IsDir() && len(rel) == len("objects/00") && filepath.Dir(rel) == "objects" {
			return fs.SkipDir // of a thousand objects, which hold no names
		}
		return nil // what cannot be read, or has just gone, leads nowhere
	})
}

// format is the kind of ids that the user's clone has, which is that of its remotes.
func (r *Repo) format(ctx context.Context) string {
	if r.config != "" {
		if t, err := Find(ctx, r.root); err == nil && t != nil {
			if out, err := t.ask(ctx, nil, "rev-parse", "--show-object-format"); err == nil && strings.TrimSpace(out) == "sha256" {
				return "sha256"
			}
		}
	}
	return "sha1"
}

// made ends the configuration: git run by hand in the repository gets the settings of
// Pawl's own calls.
const made = `[gc]
	auto = 0
	packRefs = false
[maintenance]
	auto = false
[fetch]
	fsckObjects = true
	unpackLimit = 1
[fastimport]
	unpackLimit = 0
# Made by Pawl for a shared board. It can be deleted: pawl sync makes it again.
`

// make makes the repository beside its place, and renames it when all of it is on
// the disk. Anything there that is not a repository is set aside.
func (r *Repo) make(ctx context.Context, format string) error {
	above := filepath.Dir(r.dir)
	if err := os.MkdirAll(above, 0o755); err != nil {
		return err
	}
	r.leftovers()
	tmp, err := os.MkdirTemp(above, filepath.Base(r.dir)+".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	filelock.HandOver(tmp)
	t := &Tree{Root: tmp, git: r.tree.git}
	// An older git does not know the variable: it has one kind of references only.
	_, err = t.run(ctx, call{env: []string{"GIT_DEFAULT_REF_FORMAT=files"}, patience: patience, limit: maxAnswer},
		"init", "-q", "--bare", "--template=", "--object-format="+format, "--initial-branch=none", tmp)
	if err != nil {
		return err
	}
	if err := r.finish(tmp); err != nil {
		return err
	}
	if _, err := os.Lstat(r.dir); err == nil {
		if whole(r.dir) { // another process was faster
			return nil
		}
		aside := r.dir + ".broken"
		if err := errors.Join(os.RemoveAll(aside), os.Rename(r.dir, aside)); err != nil {
			return err
		}
	}
	if err := os.Rename(tmp, r.dir); err != nil && !whole(r.dir) {
		return err
	}
	return filelock.SyncFolder(above)
}

// finish writes the configuration, and brings all of a new repository to the disk.
func (r *Repo) finish(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, "config"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(made)
	if err := errors.Join(err, f.Close(), os.MkdirAll(filepath.Join(dir, "refs", "pawl"), 0o755), os.MkdirAll(filepath.Join(dir, "objects", "pack"), 0o755)); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return filelock.SyncFolder(path)
		default:
			return syncFile(path)
		}
	})
}

// leftovers removes what processes that were killed had begun to make. One that is
// still at it fails, and its caller tries again.
func (r *Repo) leftovers() {
	old, _ := filepath.Glob(r.dir + ".new-*")
	for _, path := range old {
		if stale(path) {
			_ = os.RemoveAll(path)
		}
	}
}

// again makes the repository with the other kind of ids, if nothing is in it yet.
func (r *Repo) again(ctx context.Context) error {
	format := "sha256"
	if strings.Contains(string(gitdir.File(filepath.Join(r.dir, "config"), 16<<10)), "sha256") {
		format = "sha1"
	}
	if names, err := filepath.Glob(filepath.Join(r.dir, "refs", "pawl", "*")); err != nil || len(names) > 0 {
		return errors.Join(err, fmt.Errorf("the remote uses other ids than the board has been kept with"))
	}
	if err := os.Remove(filepath.Join(r.dir, "HEAD")); err != nil { // so that it is not whole
		return err
	}
	return r.make(ctx, format)
}
