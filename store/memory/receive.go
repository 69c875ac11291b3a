package memory

import (
	"context"

	"github.com/pawl-dev/pawl"
)

// Receiving returns the copy that has not ended.
func (s *Store) Receiving(ctx context.Context) (*pawl.Receiving, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.now
	if b.run == "" {
		return nil, nil
	}
	is := &pawl.Receiving{Run: b.run, Origin: b.origin, Revision: b.revision}
	if n := len(b.history.sets); n > 0 {
		is.Last = trim(b.history.sets[n-1])
	}
	return is, nil
}

// Receive takes the next part of a copy.
func (s *Store) Receive(ctx context.Context, part pawl.Part) error {
	if err := alive(ctx); err != nil {
		return err
	}
	if err := part.Check(); err != nil {
		return err
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.now.fits(&part); err != nil {
		return err
	}
	if s.now.views > 0 {
		s.now = s.now.copied()
	}
	s.now.receive(&part)
	if part.End != nil {
		s.hint()
	}
	return nil
}

// fits says why a part cannot be taken.
func (b *board) fits(part *pawl.Part) error {
	if begin := part.Begin; begin != nil {
		empty := b.run == "" && len(b.tasks.byID) == 0 && len(b.history.sets) == 0
		return begin.Fits(empty, b.origin, b.revision)
	}
	if part.Run != b.run {
		return pawl.OtherRunError()
	}
	return part.Follows(b.revision)
}

func (b *board) receive(part *pawl.Part) {
	switch {
	case part.Begin != nil:
		b.run, b.origin, b.revision, b.epoch = part.Run, part.Begin.Origin, part.Begin.Since, b.epoch+1
	case part.Tasks != nil:
		staged := map[pawl.ID]*pawl.Task{}
		for id := range b.tasks.byID {
			if part.Tasks.After < id && id <= part.Tasks.UpTo {
				staged[id] = nil
			}
		}
		for i := range part.Tasks.Tasks {
			t := part.Tasks.Tasks[i].Clone()
			staged[t.ID] = &t
		}
		b.tasks.install(staged)
	case part.End != nil:
		b.run, b.lastID = "", max(b.lastID, part.End.LastID)
	}
	for i := range part.Sets {
		set := trim(part.Sets[i])
		b.revision = set.Revision
		b.history.add(set)
		b.results.add(set, set.At)
	}
}
