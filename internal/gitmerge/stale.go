package gitmerge

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/merge"
)

// A stale remembers, for the call that merges, what it has to refuse.
type stale struct {
	mu    sync.Mutex
	fresh map[string][]merge.Moved // by who merged, until their request was looked at
}

// who is whose knowledge of numbers it is about.
func who(by pawl.Actor) string { return by.Session + "\n" + by.Name }

func (s *stale) told(by pawl.Actor, moved []merge.Moved) {
	if len(moved) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fresh == nil {
		s.fresh = map[string][]merge.Moved{}
	}
	s.fresh[who(by)] = moved
}

func (s *stale) take(by pawl.Actor) ([]merge.Moved, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	moved, ok := s.fresh[who(by)]
	delete(s.fresh, who(by))
	return moved, ok
}

// How long numbers are remembered that a merge moved, and how far back history is
// searched for sessions that knew them.
const (
	staleFor    = 24 * time.Hour
	mostHistory = 300
	mostTold    = 1000
)

// Stale returns which of the numbers mean another task than by knows. The one whose
// call merged was told all of it; a session that worked on the board before may have
// the old numbers in its memory, if another one merged, too. Each is returned once.
func (m *Merger) Stale(ctx context.Context, by pawl.Actor, numbers []pawl.ID) []merge.Moved {
	named := func(moved merge.Moved) bool { return slices.Contains(numbers, moved.From) }
	if moved, ok := m.stale.take(by); ok {
		m.remind(by, moved)
		return pick(moved, named)
	}
	if len(numbers) == 0 || !bytes.Contains(m.memoryText(), []byte(`"moved":[`)) {
		return nil
	}
	tree, ok := gitdir.Find(m.dir)
	if !ok {
		return nil
	}
	was := m.remember(tree)
	if len(was.Moved) == 0 || time.Since(time.Unix(was.MovedAt, 0)) > staleFor {
		return nil
	}
	hits := pick(was.Moved, func(moved merge.Moved) bool { return named(moved) && !slices.Contains(was.Told, told(by, moved)) })
	if len(hits) == 0 || !m.worked(ctx, by, was.MovedAt) {
		return nil
	}
	m.remind(by, hits)
	return hits
}

// remind notes that somebody knows of moves.
func (m *Merger) remind(by pawl.Actor, moved []merge.Moved) {
	m.one.Lock()
	defer m.one.Unlock()
	tree, ok := gitdir.Find(m.dir)
	if !ok {
		return
	}
	was := m.remember(tree)
	for _, mv := range moved {
		if len(was.Told) < mostTold {
			was.Told = append(was.Told, told(by, mv))
		}
	}
	m.note(was)
}

// Synced remembers numbers that a sync of a shared board moves: sessions that worked
// on the board before may have the old ones in their memory, but for the one that is
// told now; by is zero if nobody is.
func (m *Merger) Synced(by pawl.Actor, moved []merge.Moved) {
	tree, ok := gitdir.Find(m.dir)
	if moved = ours(moved); len(moved) == 0 || !ok {
		return
	}
	m.one.Lock()
	defer m.one.Unlock()
	was := m.remember(tree)
	if time.Since(time.Unix(was.MovedAt, 0)) > staleFor {
		was.Moved, was.Told = nil, nil
	}
	for _, mv := range moved {
		is := strconv.FormatInt(int64(mv.From), 10) + "\n"
		was.Moved = slices.DeleteFunc(was.Moved, func(old merge.Moved) bool { return old.From == mv.From })
		was.Told = slices.DeleteFunc(was.Told, func(old string) bool { return strings.HasPrefix(old, is) })
		if was.Moved = append(was.Moved, mv); by != (pawl.Actor{}) && len(was.Told) < mostTold {
			was.Told = append(was.Told, told(by, mv))
		}
	}
	was.MovedAt = time.Now().Unix()
	m.note(was)
}

func told(by pawl.Actor, moved merge.Moved) string {
	return strconv.FormatInt(int64(moved.From), 10) + "\n" + who(by)
}

func pick(moved []merge.Moved, want func(merge.Moved) bool) []merge.Moved {
	return slices.DeleteFunc(slices.Clone(moved), func(m merge.Moved) bool { return !want(m) })
}

// worked reports whether somebody changed the board in their session before a time.
func (m *Merger) worked(ctx context.Context, by pawl.Actor, before int64) bool {
	n := 0
	for set, err := range m.store.Changes(ctx, pawl.Span{Backward: true}) {
		if n++; err != nil || n > mostHistory {
			return false
		}
		if set.By.Session == by.Session && set.By.Name == by.Name && set.At.Unix() <= before && set.Verb != pawl.VerbMerge && set.Verb != pawl.VerbSync {
			return true
		}
	}
	return false
}
