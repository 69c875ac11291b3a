package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/gitdir"
)

// ErrMoved says that a reference is not where the caller last saw it.
var ErrMoved = errors.New("the reference was moved meanwhile")

// Ref returns what a reference of the repository is; empty: there is none. It does not
// run git: references are files here, because nothing else writes them.
func (r *Repo) Ref(name string) (string, error) {
	if err := refName(name); err != nil {
		return "", err
	}
	text := string(gitdir.File(filepath.Join(r.dir, filepath.FromSlash(name)), 100))
	if text == "" {
		return "", nil
	}
	id := strings.TrimSuffix(text, "\n")
	if !gitdir.IsID(id) {
		return "", fmt.Errorf("%s in %s is no id of a commit", name, r.dir)
	}
	return id, nil
}

// SetRef moves a reference from one commit to another one; empty: there is none. If it is
// elsewhere, SetRef fails with [ErrMoved]. When it returns, the reference is on the disk,
// and so is everything that this process wrote before.
func (r *Repo) SetRef(ctx context.Context, name, old, id string) error {
	return r.setRef(ctx, name, id, func(was string) bool { return was == old })
}

func (r *Repo) setRef(ctx context.Context, name, id string, ok func(was string) bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if id != "" && !gitdir.IsID(id) {
		return fmt.Errorf("%q is not the id of a commit", id)
	}
	lock, err := os.OpenFile(filepath.Join(r.dir, "refs.lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = filelock.Free(lock) }()
	if got, err := filelock.Try(lock); err != nil || !got { // its holder is moving one
		return errors.Join(err, ErrMoved)
	}
	was, err := r.Ref(name)
	switch {
	case err != nil:
		return err
	case !ok(was):
		return ErrMoved
	case was == id:
		return nil
	}
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if id == "" {
		if err := os.Remove(path); err != nil {
			return err
		}
		return filelock.SyncFolder(filepath.Dir(path))
	}
	if err := errors.Join(filelock.SyncFolder(filepath.Join(r.dir, "objects", "pack")), os.MkdirAll(filepath.Dir(path), 0o755)); err != nil {
		return err
	}
	// Not below refs, where git could take it for a reference.
	tmp := filepath.Join(r.dir, "refs.new")
	if err := errors.Join(os.WriteFile(tmp, []byte(id+"\n"), 0o644), syncFile(tmp)); err != nil {
		return err
	}
	if err := filelock.Rename(tmp, path); err != nil {
		return err
	}
	return filelock.SyncFolder(filepath.Dir(path))
}

// CheckBranch refuses a name that no branch can have.
func CheckBranch(name string) error {
	if refName("refs/heads/"+name) != nil {
		return fmt.Errorf("%.80q cannot be the name of a branch", name)
	}
	return nil
}

// refName refuses what git lets no reference be called, and what is not below refs: a
// name can come from a setting.
func refName(name string) error {
	rest, ok := strings.CutPrefix(name, "refs/")
	bad := strings.ContainsFunc(rest, func(c rune) bool { return c <= ' ' || c == 0x7f || strings.ContainsRune(`~^:?*[\`, c) })
	for part := range strings.SplitSeq(rest, "/") {
		bad = bad || part == "" || part[0] == '.' || part[0] == '-' || strings.HasSuffix(part, ".") || strings.HasSuffix(part, ".lock")
	}
	if !ok || bad || len(name) > 200 || !strings.Contains(rest, "/") || strings.Contains(rest, "..") || strings.Contains(rest, "@{") {
		return fmt.Errorf("%.80q is not the name of a reference", name)
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrPermission) { // objects are read-only
		f, err = os.Open(path)
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// grace is how long unreferenced objects are kept: longer than any process works
// before a reference leads to its objects.
const grace = 10 * time.Minute

// stale reports whether a file was last changed before that.
func stale(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && time.Since(info.ModTime()) > grace
}
