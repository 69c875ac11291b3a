package file

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Mend repairs what it can without a loss. An unreadable file gets the last text of
// it that the journal has, in one commit like any other change; first its present
// text is kept in lost+found. A file in which git has left two versions stays as it
// is. A file whose edges differ from those in force is brought in line.
func (s *Store) Mend(ctx context.Context, by pawl.Actor, dry bool) ([]pawl.Mended, error) {
	problems, err := s.Check(ctx)
	if err != nil {
		return nil, err
	}
	mended, err := s.restoreAll(ctx, by, problems, dry)
	if err != nil {
		return mended, err
	}
	if !dry && len(mended) > 0 { // what came back may speak of edges
		if _, err := s.Update(ctx, func(pawl.Reader) (pawl.Commit, error) { return pawl.Commit{}, nil }); err != nil {
			return mended, err
		}
		if problems, err = s.Check(ctx); err != nil {
			return mended, err
		}
	}
	var uneven []pawl.ID
	for _, p := range problems {
		if p.Kind != "one-sided" && p.Kind != "outdated" {
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
			set := pawl.ChangeSet{At: r.Now(), By: by, Verb: pawl.VerbMend}
			for _, id := range chunk {
				tasks, err := r.Get(id)
				if pawl.KindOf(err) == pawl.NotFound && err != nil || err == nil && (tasks[0].Damage != "" || tasks[0].Conflicted) {
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

// restoreAll does what can be done about each file that cannot be read.
func (s *Store) restoreAll(ctx context.Context, by pawl.Actor, problems []pawl.Problem, dry bool) ([]pawl.Mended, error) {
	var damaged []pawl.Problem
	var ids []pawl.ID
	for _, p := range problems {
		if p.Kind == "damaged" {
			damaged, ids = append(damaged, p), append(ids, p.IDs[0])
		}
	}
	all, err := s.askRemedies(ctx, ids)
	if err != nil {
		return nil, err
	}
	var mended []pawl.Mended
	for i, id := range ids {
		m := all[id]
		if m.why != "" {
			continue
		}
		kept := lostName(id, strconv.FormatInt(int64(m.rev), 10))
		if !dry {
			if kept, err = s.restore(ctx, by, m); err != nil {
				return mended, err
			}
		}
		if kept != "" {
			mended = append(mended, pawl.Mended{Problem: damaged[i], Done: m.does(kept)})
		}
	}
	return mended, nil
}

func (s *Store) askRemedies(ctx context.Context, ids []pawl.ID) (map[pawl.ID]*remedy, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	return s.remedies(ctx, ids)
}

// restore applies a remedy. It returns where the text is kept that stood there,
// or nothing where somebody has changed the file since it was looked at.
func (s *Store) restore(ctx context.Context, by pawl.Actor, m *remedy) (kept string, err error) {
	if err := s.enter(ctx); err != nil {
		return "", err
	}
	defer s.leave()
	defer s.fs.Hold()()
	_, err = s.carryOut(ctx, func(r *reader) (*plan, error) {
		kept = ""
		e := r.table.get(m.is.id)
		is, err := s.look(m.is.id)
		if err != nil || e == nil || e.damage == "" || is.gone || is.damage == "" || is.hash != m.is.hash {
			return nil, err
		}
		if s.fs.GitBusy() {
			return nil, pawl.Errorf(pawl.Unavailable, "git is changing files: mend the board when it is done")
		}
		if !r.locked {
			return nil, nil
		}
		kept, err = s.keepCopy(m, is.text)
		if err != nil {
			return nil, unwritable(err)
		}
		if m.remove {
			return nil, s.clear(m)
		}
		p, err := s.restoration(r, by, m, is)
		if p == nil {
			kept = ""
		}
		return p, err
	})
	return kept, err
}

// keepCopy puts a copy of a text that is to be replaced into lost+found, for good,
// before anything happens to the text itself. A copy that is there is enough.
func (s *Store) keepCopy(m *remedy, is []byte) (string, error) {
	return s.keepText(lostName(m.is.id, strconv.FormatInt(int64(m.rev), 10)), is)
}

// keepText puts a text into lost+found for good, under a name there, or one like it
// where that has another text.
func (s *Store) keepText(as string, is []byte) (string, error) {
	tmp := tmpDir + "/kept"
	if _, err := s.createTmp(tmp, is); err != nil {
		return "", err
	}
	if err := s.fs.Sync(tmp); err != nil {
		return "", err
	}
	ext := path.Ext(as)
	name := as
	for n := 2; ; n++ {
		if text, _, err := s.fs.Read(name, int64(len(is))); err == nil && bytes.Equal(text, is) {
			return name, s.fs.Sync(lostDir)
		}
		err := s.fs.RenameNew(tmp, name)
		if err == nil {
			return name, s.fs.Sync(lostDir)
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		name = strings.TrimSuffix(as, ext) + "-" + strconv.Itoa(n) + ext
	}
}

// clear removes what is left of a task that was deleted. A copy is kept.
func (s *Store) clear(m *remedy) error {
	tmp := tmpName(m.rev, m.is.id)
	f := journalFile{ID: m.is.id, Before: hashText(m.is.hash)}
	if err := s.takeAway(tmp, &f, m.is.info); err != nil {
		return unwritable(err)
	}
	s.tracker.doubt(m.is.id)
	return nil
}

// restoration is the plan by which a file gets its last known text again. Its
// effect on the board is worked out as for an external edit, because the text may
// be older than edges of other tasks to it.
func (s *Store) restoration(r *reader, by pawl.Actor, m *remedy, is finding) (*plan, error) {
	id := m.is.id
	rec, err := readRecord(s.fs, m.known)
	if err != nil {
		return nil, s.unreadable(err)
	}
	known := rec.file(id)
	if known == nil || known.Text == nil {
		return nil, nil // the journal is another one by now
	}
	last := (&entry{left: known.Left}).shownText([]byte(*known.Text))
	file, err := taskjson.Decode(last)
	if err != nil {
		return nil, pawl.Errorf(pawl.Internal, "the last text of %s that is known cannot be read: %w", id, err)
	}
	was := r.table.get(id)
	found := []finding{{id: id, info: is.info, hash: hashOf(last), text: last, file: file}}
	merged := s.merged(r.table, found)
	set := s.externalSet(r.table, merged, found, false, s.images())
	set.By, set.Verb = by, pawl.VerbMend
	task := file.Task
	merged[id].derive(&task)
	if !slices.ContainsFunc(set.Changes, func(c pawl.Change) bool { return c.ID == id }) {
		// The table's task stays as it is, so an undo has nothing to revert.
		set.Changes = append(set.Changes, pawl.Change{ID: id, CreatedAt: task.CreatedAt, Fields: []pawl.Field{pawl.FieldBlockedBy}, Before: &task, After: &task})
	}
	return &plan{
		reader: r, kind: mendRecord, order: []pawl.ID{id},
		commit: &pawl.Commit{Sets: []pawl.ChangeSet{set}, LastID: r.lastID},
		targets: map[pawl.ID]*target{id: {
			was: was, text: &text{bytes: is.text, info: is.info, racy: true}, task: &task, file: true, next: last,
			beside: merged[id].claim != was.claim || merged[id].expired != was.expired,
		}},
	}, nil
}
