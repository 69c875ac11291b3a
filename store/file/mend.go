package file

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Mend puts right what can be put right without a loss. A file that cannot be
// read gets the last text of it that the journal has, and what stood there is
// kept in lost+found; that counts as an edit from outside, as if a person had
// done it. A file that says less or more about edges than holds is brought in
// line. Both can be left off at any moment and begun again.
func (s *Store) Mend(ctx context.Context, by pawl.Actor, dry bool) ([]pawl.Mended, error) {
	problems, err := s.Check(ctx)
	if err != nil {
		return nil, err
	}
	var mended []pawl.Mended
	for _, p := range problems {
		if p.Kind != "damaged" {
			continue
		}
		done, err := s.restore(ctx, p.IDs[0], dry)
		if err != nil {
			return mended, err
		}
		if done != "" {
			mended = append(mended, pawl.Mended{Problem: p, Done: done})
		}
	}
	if !dry && len(mended) > 0 {
		// What came back is recorded like any edit, and so survives a power cut.
		// It may speak of edges.
		if _, err := s.Update(ctx, func(pawl.Reader) (pawl.Commit, error) { return pawl.Commit{}, nil }); err != nil {
			return mended, err
		}
		if problems, err = s.Check(ctx); err != nil {
			return mended, err
		}
	}
	var uneven []pawl.ID
	for _, p := range problems {
		if p.Kind != "one-sided" {
			continue
		}
		if id, ok := parseTaskName(p.File); ok && !slices.Contains(uneven, id) {
			uneven = append(uneven, id)
			mended = append(mended, pawl.Mended{Problem: p, Done: p.File + " says which edges hold"})
		}
	}
	if dry || len(uneven) == 0 {
		return mended, nil
	}
	return mended, s.align(ctx, by, uneven)
}

// align writes files whose edges are not those that hold.
func (s *Store) align(ctx context.Context, by pawl.Actor, ids []pawl.ID) error {
	for chunk := range slices.Chunk(ids, pawl.MaxBatch) {
		_, err := s.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) {
			set := pawl.ChangeSet{At: r.Now(), By: by, Verb: "mend"}
			for _, id := range chunk {
				tasks, err := r.Get(id)
				if pawl.KindOf(err) == pawl.NotFound && err != nil || err == nil && tasks[0].Damage != "" {
					continue // since it was looked at
				}
				if err != nil {
					return pawl.Commit{}, err
				}
				// The edges hold before and after, so there is nothing that an
				// undo could take back.
				t := &tasks[0]
				set.Changes = append(set.Changes, pawl.Change{ID: id, CreatedAt: t.CreatedAt, Fields: []pawl.Field{pawl.FieldBlockedBy}, Before: t, After: t})
			}
			if len(set.Changes) == 0 {
				return pawl.Commit{}, nil
			}
			return pawl.Commit{Sets: []pawl.ChangeSet{set}, LastID: r.LastID()}, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// restore gives a task's file the last text that the journal has of it, and says
// what it did; nothing when there is none, or when it can be read by now.
func (s *Store) restore(ctx context.Context, id pawl.ID, dry bool) (string, error) {
	if err := s.enter(ctx); err != nil {
		return "", err
	}
	defer s.leave()
	defer s.fs.Hold()()
	if !dry {
		unlock, err := s.lock(ctx, true)
		if err != nil {
			return "", err
		}
		defer unlock()
	}
	f, err := s.look(id)
	if err != nil || f.gone || f.damage == "" || f.info.Kind != Regular {
		return "", err
	}
	text, rev, err := s.lastText(id)
	if err != nil || text == nil {
		return "", err
	}
	kept := lostName(id, fmt.Sprint(rev))
	said := fmt.Sprintf("%s is as it was at revision %d; what stood there is in %s", taskName(id), rev, kept)
	if dry {
		return said, nil
	}
	if s.fs.GitBusy() {
		return "", pawl.Errorf(pawl.Unavailable, "git is changing files: mend the board when it is done")
	}
	tmp := tmpName(rev, id)
	if _, err := s.createTmp(tmp, text); err != nil {
		return "", unwritable(err)
	}
	if err := s.swap(tmp, id); err != nil {
		return "", unwritable(err)
	}
	s.lookout.doubt(id)
	return said, nil
}

// swap exchanges a temporary file and the task's, and keeps what comes out:
// whatever it is, it was somebody's.
func (s *Store) swap(tmp string, id pawl.ID) error {
	err := s.fs.Exchange(tmp, taskName(id))
	if errors.Is(err, errors.ErrUnsupported) {
		if err := s.setAside(taskName(id), id, tmp); err != nil {
			return err
		}
		return s.fs.RenameNew(tmp, taskName(id))
	}
	if err != nil {
		return err
	}
	return s.setAside(tmp, id, tmp)
}

// lastText finds the last text in the journal that a task's file had and that
// can be read, and the revision that it is from.
func (s *Store) lastText(id pawl.ID) ([]byte, pawl.Revision, error) {
	all, err := segments(s.fs)
	if err != nil {
		return nil, 0, s.unreadable(err)
	}
	for _, n := range slices.Backward(all) {
		st, err := readStretch(s.fs, position{segment: n})
		if err != nil {
			return nil, 0, s.unreadable(err)
		}
		for _, r := range slices.Backward(st.records) {
			f := r.file(id)
			switch {
			case f == nil:
				continue
			case f.After == "": // the task was removed, and the file is of another one
				return nil, 0, nil
			case f.Text == nil:
				continue
			}
			if file, err := taskjson.Decode([]byte(*f.Text)); err == nil && file.Task.ID == id && strings.TrimSpace(file.Task.Subject) != "" {
				return []byte(*f.Text), r.Rev, nil
			}
		}
	}
	return nil, 0, nil
}
