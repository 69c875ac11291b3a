package gitshare

import (
	"context"
	"strconv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/store/file"
)

// A Local is the board in a folder, as syncs read and write it.
type Local struct {
	*file.Store
	by    pawl.Actor
	root  string // of the work tree that git has; empty: none
	repo  *Repository
	hears pawl.Actor // who will be told of what moves
	moved func(store *file.Store, by pawl.Actor, moved []merge.Moved)
}

var _ share.Local = (*Local)(nil)

// NewLocal returns the board of a store. Its history attributes the writes of syncs
// to by.
func NewLocal(store *file.Store, by pawl.Actor) *Local {
	return &Local{Store: store, by: by, hears: by}
}

// Read implements [share.Local]. Edits of other programs are recorded first, so
// that they are told once, under their own revision.
func (l *Local) Read(ctx context.Context, since pawl.Revision, base map[pawl.ID][]byte) (*share.Board, error) {
	f, err := l.Files(ctx)
	if err == nil && f.Edited {
		if _, err := l.Update(ctx, func(pawl.Reader) (pawl.Commit, error) { return pawl.Commit{}, nil }); err != nil {
			return nil, err
		}
		f, err = l.Files(ctx)
	}
	if err != nil {
		return nil, err
	}
	return boardOf(f, since, base, func(texts [][]byte) ([]bool, error) {
		if l.root == "" {
			return make([]bool, len(texts)), nil
		}
		had, err := l.repo.Had(ctx, texts)
		if err != nil {
			return nil, err
		}
		tree, err := git.Find(ctx, l.root)
		if tree == nil || err != nil {
			return had, err
		}
		has, err := tree.Has(ctx, texts)
		for i := range has {
			has[i] = has[i] || had[i]
		}
		return has, err
	})
}

// Write implements [share.Local].
func (l *Local) Write(ctx context.Context, op pawl.OpID, since pawl.Revision, base map[pawl.ID][]byte, fn func(*share.Board) (*share.Written, error)) (pawl.Revision, error) {
	why := file.Why{By: l.by, Verb: pawl.VerbSync, OpID: op, Apart: true}
	return l.Rewrite(ctx, why, func(f file.Files) (file.Rewriting, error) {
		b, err := boardOf(&f, since, base, nil)
		if err != nil {
			return file.Rewriting{}, err
		}
		w, err := fn(b)
		if err != nil || w == nil {
			return file.Rewriting{}, err
		}
		if l.moved != nil {
			l.moved(l.Store, l.hears, w.Moved)
		}
		return rewriting(&f, w), nil
	})
}

// Wrote implements [share.Local].
func (l *Local) Wrote(ctx context.Context, op pawl.OpID) (bool, error) {
	_, ran, err := l.Ran(ctx, op)
	return ran, err
}

func boardOf(f *file.Files, since pawl.Revision, base map[pawl.ID][]byte, known func([][]byte) ([]bool, error)) (*share.Board, error) {
	b := &share.Board{
		Tasks: f.Tasks, Damaged: f.Damaged, Claims: make(map[pawl.ID]share.LocalHeld, len(f.Claims)),
		Mark: max(f.Mark, f.LastID), Revision: f.Revision, Now: f.Now,
	}
	for id, held := range f.Claims {
		b.Claims[id] = share.LocalHeld(held)
	}
	var err error
	b.Since, err = historyOf(f, since, base, known)
	return b, err
}

// rewriting is what a store is asked to write.
func rewriting(f *file.Files, w *share.Written) file.Rewriting {
	r := file.Rewriting{Tasks: w.Tasks, Claims: make(map[pawl.ID]file.Held, len(w.Claims)), Beside: map[string][]byte{}}
	for id, held := range w.Claims {
		r.Claims[id] = file.Held(held)
	}
	if w.Mark > f.LastID { // what is not above it is never given again anyway
		r.Mark = w.Mark
	}
	for _, m := range w.Moved {
		if m.Side == merge.Ours {
			r.Moved = append(r.Moved, file.Move{From: m.From, To: m.ID, CreatedAt: m.CreatedAt})
		}
	}
	for i, left := range w.Beside {
		if left.Text != nil {
			r.Beside["task_"+strconv.FormatInt(int64(left.ID), 10)+"."+strconv.Itoa(i)+".sync"] = left.Text
		}
	}
	return r
}
