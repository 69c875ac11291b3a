package gitmerge

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/store/file"
)

// An undo is what it takes to bring back what git left.
type undo struct {
	Version  int           `json:"version"`
	Place    string        `json:"place"`
	Head     string        `json:"head,omitempty"`     // HEAD when it was merged
	Under    string        `json:"under,omitempty"`    // and the operation that git was in the middle of
	Joints   []taken       `json:"joints,omitempty"`   // what was merged
	Since    pawl.Revision `json:"since"`              // of the board before
	Revision pawl.Revision `json:"revision,omitempty"` // of the merge; zero: it was killed before it could say
	Wrote    bool          `json:"wrote,omitempty"`    // files of the board were changed, too
	Names    []string      `json:"names,omitempty"`    // the files that were changed in git's index
	Stages   []git.Entry   `json:"stages,omitempty"`   // and what it had of them
}

// before returns the undo of a merge that changes files of the board. The store's
// journal has their old texts.
func (l *look) before(f file.Files, joints []joint) *undo {
	u := &undo{Version: 1, Since: f.Revision, Wrote: true}
	if l.tree != nil {
		u.Place, u.Head = l.memory.Place, l.state.Head
	}
	u.about(joints)
	return u
}

func (u *undo) about(joints []joint) {
	for _, j := range joints {
		u.Joints = append(u.Joints, j.taken)
		if j.Under != "" {
			u.Under = j.Under
		}
	}
}

// keep writes an undo. Without it the merge stands, and cannot be taken back.
func (m *Merger) keep(u *undo) {
	path := filepath.Join(m.dir, undoName)
	text, err := json.Marshal(u)
	if err == nil && len(text) <= maxUndo {
		err = filelock.Write(path, text)
	}
	if err != nil || len(text) > maxUndo {
		os.Remove(path) // that of an earlier merge would be wrong now
	}
}

// kept reads the undo of the last merge; nil: there is none.
func (m *Merger) kept() *undo {
	u := new(undo)
	if json.Unmarshal(m.own(undoName, maxUndo), u) != nil || u.Version != 1 {
		return nil
	}
	return u
}

// keepStages adds to the undo of a merge what the index has of some files, before
// they are changed there. back is nil if the files had been merged before already.
func (l *look) keepStages(back *undo, joints []joint, names []string) {
	if back == nil {
		now := &undo{Version: 1, Place: l.memory.Place, Head: l.state.Head}
		now.about(joints)
		if back = l.kept(); back == nil || back.Place != now.Place || back.Head != now.Head || !slices.Equal(back.Joints, now.Joints) {
			back = now
		}
	}
	for _, name := range names {
		if slices.Contains(back.Names, name) {
			continue // as it was before the first attempt
		}
		back.Names = append(back.Names, name)
		for _, e := range l.entries {
			if e.Name == name {
				back.Stages = append(back.Stages, e)
			}
		}
	}
	l.keep(back)
}

// Abort undoes the last merge: files and index are again as git left them, byte for
// byte.
func (m *Merger) Abort(ctx context.Context, by pawl.Actor) (merge.Outcome, error) {
	m.one.Lock()
	defer m.one.Unlock()
	out, _, err := m.abort(ctx, by, 0)
	return out, explain(err)
}

// Undo undoes the merge that made a change set, which must be the last one.
func (m *Merger) Undo(ctx context.Context, by pawl.Actor, rev pawl.Revision) (pawl.Result, error) {
	m.one.Lock()
	defer m.one.Unlock()
	_, result, err := m.abort(ctx, by, rev)
	return result, explain(err)
}

// MayUndo returns why Undo cannot undo a merge; nil: it can.
func (m *Merger) MayUndo(ctx context.Context, rev pawl.Revision) error {
	m.one.Lock()
	defer m.one.Unlock()
	_, _, err := m.toAbort(ctx, rev)
	if err != nil {
		return explain(err)
	}
	did, err := m.store.Rewritten(ctx, rev)
	if err != nil {
		return err
	}
	_, err = m.store.Rewrite(ctx, file.Why{Verb: pawl.VerbUndo, Undoes: rev}, func(f file.Files) (file.Rewriting, error) {
		if _, err := did.Back(f); err != nil && !returned(did, f) {
			return file.Rewriting{}, err
		}
		return file.Rewriting{}, nil // nothing is written
	})
	return explain(err)
}

// toAbort is the undo of the last merge, which must be that of a revision unless
// that is zero, and what git has now. It refuses when git has gone on.
func (m *Merger) toAbort(ctx context.Context, rev pawl.Revision) (*undo, *look, error) {
	u := m.kept()
	if u == nil || rev != 0 && u.Revision != 0 && rev != u.Revision {
		return nil, nil, errNone()
	}
	l, err := m.look(ctx)
	if err != nil {
		return nil, nil, err
	}
	if l.tree != nil && l.tree.Dir().Busy() {
		return nil, nil, busy()
	}
	return u, l, l.mayAbort(ctx, u)
}

func (m *Merger) abort(ctx context.Context, by pawl.Actor, rev pawl.Revision) (merge.Outcome, pawl.Result, error) {
	u, l, err := m.toAbort(ctx, rev)
	if err != nil {
		return merge.Outcome{}, pawl.Result{}, err
	}
	out := merge.Outcome{Board: strings.TrimSuffix(l.prefix, "/"), Left: l.left, Waits: l.waits()}
	result := pawl.Result{Changed: true}
	var moved []merge.Moved
	if u.Wrote {
		if result.Undoes, err = m.revisionOf(ctx, u); err != nil {
			return merge.Outcome{}, pawl.Result{}, err
		}
		if result.Undoes == 0 && len(u.Names) == 0 { // it was killed before anything was written
			return merge.Outcome{}, pawl.Result{}, errNone()
		}
	}
	if result.Undoes != 0 {
		if moved, err = m.takeBack(ctx, by, &result); err != nil {
			return merge.Outcome{}, pawl.Result{}, err
		}
		out.Revision = result.Revision
		m.follow(ctx, moved)
	}
	if len(u.Names) > 0 {
		if err := l.tree.Update(ctx, l.dir, missing(u), u.Stages...); err != nil {
			return out, result, err
		}
		out.Added = l.full(u.Names)
	}
	if l.tree != nil {
		l.settle(moved, len(u.Names) > 0, func(w *memory) {
			for _, t := range u.Joints {
				w.took(t)
				w.Taken[w.find(t)].Undone = true
			}
		})
	}
	os.Remove(filepath.Join(m.dir, undoName))
	return out, result, nil
}

// takeBack makes the files what they were before a merge, and returns which tasks
// have other numbers now.
func (m *Merger) takeBack(ctx context.Context, by pawl.Actor, result *pawl.Result) ([]merge.Moved, error) {
	did, err := m.store.Rewritten(ctx, result.Undoes)
	if err != nil {
		return nil, err
	}
	result.IDs = slices.Sorted(maps.Keys(did.After))
	var moved []merge.Moved
	result.Revision, err = m.store.Rewrite(ctx, file.Why{By: by, Verb: pawl.VerbUndo, Undoes: result.Undoes}, func(f file.Files) (file.Rewriting, error) {
		moved = nil
		if returned(did, f) {
			return file.Rewriting{}, nil // an earlier attempt was killed right after
		}
		w, err := did.Back(f)
		if err == nil && !did.Marked { // the numbers that it gave are remembered in .pawl
			w.Exact, w.MarkText = true, f.MarkText
		}
		for _, move := range w.Moved {
			moved = append(moved, merge.Moved{Named: merge.Named{ID: move.To}, From: move.From, Side: merge.Ours, CreatedAt: move.CreatedAt})
		}
		return w, err
	})
	return moved, err
}

// returned reports whether the files are as before a merge.
func returned(did *file.Rewritten, f file.Files) bool {
	for id, text := range did.Before {
		if now, there := f.Tasks[id]; there != (text != nil) || !bytes.Equal(now, text) {
			return false
		}
	}
	return true
}

// missing are the names that the index did not have.
func missing(u *undo) []string {
	return slices.DeleteFunc(slices.Clone(u.Names), func(name string) bool {
		return slices.ContainsFunc(u.Stages, func(e git.Entry) bool { return e.Name == name })
	})
}

func errNone() error { return pawl.Errorf(pawl.Conflict, "there is no merge that could be taken back") }

// mayAbort refuses when git is no longer where it was when it was merged.
func (l *look) mayAbort(ctx context.Context, u *undo) error {
	if l.tree == nil {
		return nil
	}
	if u.Place != l.memory.Place {
		return pawl.Errorf(pawl.Conflict, "the last merge was in another folder: there is nothing to take back here")
	}
	if l.state.Head != u.Head {
		shapes, err := l.commits(ctx, u.Head, l.state.Head)
		if err != nil {
			return err
		}
		if u.Under != "" || shapes[0].id != shapes[1].id {
			return pawl.Errorf(pawl.Conflict, "git has committed the merge (%.10s): to take it back now would delete what others made", l.after(u.Head))
		}
	}
	isStages := func(t taken) bool { return t.Kind == merge.KindStages }
	if u.Under != "" && u.Under != l.stamp.Under && !slices.ContainsFunc(u.Joints, isStages) {
		return pawl.Errorf(pawl.Conflict, "git has ended the merge without a commit, so there is nothing to take back")
	}
	return nil
}

// after is the commit that HEAD became after another one, or HEAD.
func (l *look) after(head string) string {
	moves := l.tree.Dir().Moves("HEAD", mostMoves)
	for i := len(moves) - 1; i >= 0; i-- {
		if moves[i].From == head {
			return moves[i].To
		}
	}
	return l.state.Head
}

// revisionOf returns the revision of the merge that an undo is of.
func (m *Merger) revisionOf(ctx context.Context, u *undo) (pawl.Revision, error) {
	if u.Revision != 0 {
		return u.Revision, nil
	}
	for set, err := range m.store.Changes(ctx, pawl.Span{After: u.Since}) {
		if err != nil {
			return 0, err
		}
		if set.Verb == pawl.VerbMerge {
			return set.Revision, nil
		}
	}
	return 0, nil
}
