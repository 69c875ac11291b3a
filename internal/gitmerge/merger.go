package gitmerge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/store/file"
)

// A Store is a board of files.
type Store interface {
	pawl.Store
	Rewrite(ctx context.Context, why file.Why, fn func(file.Files) (file.Rewriting, error)) (pawl.Revision, error)
	Rewritten(ctx context.Context, rev pawl.Revision) (*file.Rewritten, error)
	IsForeign() bool
}

// A Merger merges what git brought into one board. It is safe for concurrent use.
type Merger struct {
	dir    string
	store  Store
	follow func(context.Context, []merge.Moved)

	one sync.Mutex // merges one after the other
}

// New returns the merger of the store's board in a folder. It reads nothing. follow is called
// with the tasks that were renumbered, after a merge or its undo; each has its old number in
// From.
func New(dir string, store Store, follow func(context.Context, []merge.Moved)) *Merger {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return &Merger{dir: dir, store: store, follow: follow}
}

// Options say what to merge.
type Options struct {
	By     pawl.Actor
	DryRun bool
	Ref    string // a commit, by any name that git knows; empty: what git has brought together
	auto   bool   // before a write: nothing is merged that a person has to ask for
	status bool   // a dry run that nobody asked for
}

// autoPatience is how long a write waits for git.
const autoPatience = 10 * time.Second

// again is after how long a write tries again what has failed.
const again = time.Minute

// Before merges boards that wait for it. It returns nil if it wrote nothing and has
// nothing to tell. It does not fail.
func (m *Merger) Before(ctx context.Context, by pawl.Actor) *merge.Outcome {
	tree, ok := gitdir.Find(m.dir)
	if !ok {
		return nil
	}
	stamp := tree.Stamp()
	if m.unchanged(tree, stamp) {
		return nil
	}
	was := m.remember(tree)
	if tree.Busy() || byHand(tree.Under()) ||
		was.FailedStamp == stamp && time.Now().Unix()-was.FailedAt < int64(again/time.Second) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, autoPatience)
	defer cancel()
	out, err := m.run(ctx, Options{By: by, auto: true})
	if err == nil {
		if out.Revision == 0 && len(out.Added)+len(out.Removed) == 0 {
			// Git has done it all, but callers who had a number must hear whose it is now.
			if out.Report = (merge.Report{Moved: ours(out.Report.Moved)}); out.Report.Empty() {
				return nil
			}
		}
		return &out
	}
	store, is := errors.AsType[*pawl.Error](err)
	if errors.Is(err, git.ErrBusy) || errors.Is(err, git.ErrMissing) || is && store.Kind == pawl.Unavailable || errors.Is(ctx.Err(), context.Canceled) {
		return nil // the next write tries again
	}
	err = explain(err)
	told := was.Failed == err.Error()
	m.note(tree, func(w *memory) { w.Failed, w.FailedAt, w.FailedStamp = err.Error(), time.Now().Unix(), stamp })
	if told {
		return nil
	}
	return &merge.Outcome{Remark: err.Error()}
}

// byHand reports whether only a person merges: git is in the middle of several
// commits, and each stop is the user's to end.
func byHand(u gitdir.Under) bool { return u.Rebase != nil || u.More || u.Apply || u.Bisect }

// Merge merges what git has brought together, or another commit's board.
func (m *Merger) Merge(ctx context.Context, o Options) (merge.Outcome, error) {
	out, err := m.run(ctx, o)
	if err == nil && !o.DryRun {
		m.Tell(o.By, out.Report.Moved)
	}
	return out, explain(err)
}

func (m *Merger) run(ctx context.Context, o Options) (merge.Outcome, error) {
	m.one.Lock()
	defer m.one.Unlock()
	l, err := m.look(ctx)
	if err != nil {
		return merge.Outcome{}, err
	}
	l.all = !o.auto
	var joints []joint
	switch {
	case l.tree == nil && o.Ref != "":
		err = pawl.Errorf(pawl.Invalid, "git does not manage the folder of this board, so no branch can be merged")
	case l.tree == nil: // there may be two tasks in a file, as in an archive
	case o.Ref != "":
		joints, err = l.named(ctx, o.Ref)
	case l.tree.Dir().Busy():
		err = busy()
	default:
		joints, err = l.joints(ctx)
	}
	if err != nil {
		return merge.Outcome{}, err
	}
	return l.carryOut(ctx, o, joints)
}

func busy() error {
	return pawl.Errorf(pawl.Unavailable, "git is at work here: its index.lock exists").Next(pawl.HintRetry)
}

// explain gives git's errors a kind.
func explain(err error) error {
	switch {
	case err == nil, errors.As(err, new(*pawl.Error)):
		return err
	case errors.Is(err, git.ErrBusy):
		return busy()
	case errors.Is(err, git.ErrMissing):
		return pawl.Errorf(pawl.Unavailable, "%w, and a merge needs it", err)
	case errors.Is(err, errOctopus):
		return pawl.Errorf(pawl.Invalid, "%w", err)
	}
	return pawl.Errorf(pawl.Unavailable, "the boards could not be merged: %w", err)
}

// look looks at git. Without a tree it does not manage the board's folder.
func (m *Merger) look(ctx context.Context) (*look, error) {
	tree, err := git.Find(ctx, m.dir)
	if err != nil || tree == nil {
		return &look{Merger: m}, err
	}
	l := &look{Merger: m, tree: tree, shapes: map[string]shape{}, blobs: map[string][]byte{}}
	at := tree.Dir()
	l.stamp = at.Stamp() // before anything is read
	l.memory = m.remember(at)
	if l.prefix, err = prefix(tree.Root, m.dir); err != nil {
		return nil, err
	}
	if l.state, err = tree.State(ctx); err != nil {
		return nil, err
	}
	unmerged, err := tree.Unmerged(ctx, tree.Root)
	if err != nil {
		return nil, err
	}
	inBoard := false
	for _, e := range unmerged {
		if strings.HasPrefix(e.Name, l.prefix) {
			inBoard = true
		} else if !slices.Contains(l.left, e.Name) {
			l.left = append(l.left, e.Name)
		}
	}
	if inBoard || !l.state.Under.None() {
		l.entries, err = tree.Entries(ctx, m.dir)
	}
	return l, err
}

// prefix is what git's paths of a board's files begin with.
func prefix(root, dir string) (string, error) {
	rel, err := filepath.Rel(root, clone.Real(dir))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("the board %s is not in git's work tree %s", dir, root)
	}
	return filepath.ToSlash(rel) + "/", nil
}

// named is the joint with a commit that a person names.
func (l *look) named(ctx context.Context, ref string) ([]joint, error) {
	commit, err := l.tree.Commit(ctx, ref)
	switch {
	case err != nil:
		return nil, err
	case commit == "":
		return nil, pawl.Errorf(pawl.NotFound, "git knows no commit %q", ref)
	case l.state.Head == "":
		return nil, pawl.Errorf(pawl.Invalid, "there is no commit yet that %q could be merged into", ref)
	case len(l.unmerged()) > 0 || !l.state.Under.None():
		return nil, pawl.Errorf(pawl.Conflict, "git is in the middle of something else: end that first")
	}
	j := joint{full: true, name: ref}
	j.taken = taken{Kind: merge.KindRef, Ours: l.state.Head, Theirs: commit}
	if err := l.fill(ctx, &j, l.state.Head); err != nil {
		return nil, err
	}
	if j.theirs.id == "" {
		return nil, pawl.Errorf(pawl.NotFound, "%s has no board in %s", ref, strings.TrimSuffix(l.prefix, "/"))
	}
	if j.ours.id == j.theirs.id || j.idle() && j.bases[0].id == j.theirs.id {
		return nil, nil
	}
	return []joint{j}, nil
}

// marked reports whether git has left its conflict lines in a text.
func marked(text []byte) bool {
	return bytes.HasPrefix(text, []byte("<<<<<<<")) || bytes.Contains(text, []byte("\n<<<<<<<"))
}
