package todo

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// A Service makes all reads and changes of todo lists. It is as safe for concurrent
// use as its store.
type Service struct {
	store Store
	now   func() time.Time
}

// New returns the service of a store. The clock says when things happen; times
// are kept in UTC and whole milliseconds.
func New(store Store, now func() time.Time) *Service {
	return &Service{store: store, now: func() time.Time { return now().UTC().Truncate(time.Millisecond) }}
}

// Read returns a list, or a blank one if the key has none.
func (s *Service) Read(ctx context.Context, key Key) (List, error) {
	return s.store.Load(ctx, key.Normal())
}

// Look is Read without the todos that left the list. In a long session these are
// most of it, and callers that need the open todos do not need them.
func (s *Service) Look(ctx context.Context, key Key) (List, error) {
	if looker, ok := s.store.(Looker); ok {
		return looker.Look(ctx, key.Normal())
	}
	list, err := s.store.Load(ctx, key.Normal())
	list.Past = nil
	return list, err
}

// Stamp returns a text that differs after each change of a list, without reading
// it: see [Stamper]. It is empty if the store is not a Stamper.
func (s *Service) Stamp(ctx context.Context, key Key) (string, error) {
	if stamper, ok := s.store.(Stamper); ok {
		return stamper.Stamp(ctx, key.Normal())
	}
	return "", nil
}

// StampAll is [Service.Stamp] for what Sessions returns.
func (s *Service) StampAll(ctx context.Context) (string, error) {
	if stamper, ok := s.store.(Stamper); ok {
		return stamper.StampAll(ctx)
	}
	return "", nil
}

// change is an update that also records its time and the session's start. An
// update that changes nothing is not recorded.
func (s *Service) change(ctx context.Context, key Key, project string, fn func(*List, time.Time) error) (List, error) {
	return s.store.Update(ctx, key.Normal(), func(l *List) error {
		now, before := s.now(), l.Clone()
		if err := fn(l, now); err != nil {
			return err
		}
		if len(before.Items) > 0 && len(l.Items) == 0 {
			l.Pause = nil // it ends with the list
		}
		if reflect.DeepEqual(before, *l) || l.Blank() {
			return nil // nothing to record
		}
		if project != "" {
			l.Project = project
		}
		if l.StartedAt.IsZero() {
			l.StartedAt = now
		}
		l.UpdatedAt = now
		l.finished(now)
		l.stale(before.Items)
		return nil
	})
}

// Pause records why the agent cannot go on and suspends continuation until
// [Service.Prompt].
func (s *Service) Pause(ctx context.Context, key Key, project, reason string) (Pause, error) {
	reason = strings.TrimSpace(reason)
	switch n := utf8.RuneCountInString(reason); {
	case n == 0:
		return Pause{}, pawl.Errorf(pawl.Invalid, "reason is required: say in 1 to %d characters why you cannot go on", MaxReason)
	case n > MaxReason:
		return Pause{}, pawl.Errorf(pawl.Invalid, "reason has %d characters, and at most %d are kept: shorten it", n, MaxReason)
	}
	list, err := s.change(ctx, key, project, func(l *List, now time.Time) error {
		l.Pause = &Pause{Reason: reason, At: now}
		return nil
	})
	if err != nil {
		return Pause{}, err
	}
	return *list.Pause, nil
}

// Prompt ends a pause, because the user has spoken. Without a pause it writes
// nothing.
func (s *Service) Prompt(ctx context.Context, key Key) error {
	list, err := s.Look(ctx, key)
	if err != nil || list.Pause == nil {
		return err
	}
	_, err = s.change(ctx, key, "", func(l *List, _ time.Time) error {
		l.Pause = nil
		return nil
	})
	return err
}

// TakeNews returns what people did to the list since the last call, a sentence
// each.
func (s *Service) TakeNews(ctx context.Context, key Key) ([]string, error) {
	list, err := s.Look(ctx, key)
	if err != nil || len(list.News) == 0 {
		return nil, err
	}
	var news []string
	_, err = s.store.Update(ctx, key.Normal(), func(l *List) error {
		news, l.News, l.NewsAt = l.News, nil, time.Time{}
		return nil
	})
	return news, err
}

// tell adds a sentence for the agent about what a person did.
func (l *List) tell(now time.Time, format string, args ...any) {
	if len(l.News) == 0 {
		l.NewsAt = now
	}
	l.News = append(l.News, fmt.Sprintf(format, args...))
	if over := len(l.News) - MaxNews; over > 0 {
		l.News = slices.Delete(l.News, 0, over)
	}
}

// leave remembers a todo that left the list.
func (l *List) leave(item Item, how Departure, now time.Time) {
	l.Past = append(l.Past, Past{Item: item, How: how, At: now})
	if over := len(l.Past) - MaxPast; over > 0 {
		l.Past = slices.Delete(l.Past, 0, over)
	}
}

// remember keeps the todos from before a change, for an undo. Tool calls are left
// out, because an undo cannot make them not have happened.
func (l *List) remember(what string, now time.Time) {
	items := slices.Clone(l.Items)
	for i := range items {
		items[i] = items[i].withoutCalls()
	}
	l.Before = &Snapshot{What: what, At: now, Items: items}
}

// Sessions returns the lists of a project, or all with an empty project, the
// newest first.
func (s *Service) Sessions(ctx context.Context, project string) ([]Head, error) {
	heads, err := s.store.Lists(ctx, time.Time{})
	if err != nil || project == "" {
		return heads, err
	}
	return slices.DeleteFunc(heads, func(h Head) bool { return h.Project != project }), nil
}

// Resume gives a list the todos of an earlier one, which stays as it is. The todos
// that the list had before are remembered.
func (s *Service) Resume(ctx context.Context, key Key, how Editing, from Key) (List, error) {
	old, err := s.store.Load(ctx, from.Normal())
	if err != nil {
		return List{}, err
	}
	if len(old.Items) == 0 {
		return List{}, pawl.Errorf(pawl.NotFound, "session %q has no todos", from.Normal().Session)
	}
	return s.restore(ctx, key, how, old, "resumed the todos of session "+quoted(from.Normal().Session))
}

// Restore replaces the todos by ones that were kept elsewhere. what describes it
// in the words after "A person …". Entries of an agent's own list get other ids,
// because another conversation numbers its own entries from 1 again.
func (s *Service) Restore(ctx context.Context, key Key, how Editing, items []Item, what string) (List, error) {
	return s.restore(ctx, key, how, List{Items: items}, what)
}

// restore is Restore with the check of the list: it must pass before the todos count as done,
// whichever session does them.
func (s *Service) restore(ctx context.Context, key Key, how Editing, from List, what string) (List, error) {
	return s.change(ctx, key, how.Project, func(l *List, now time.Time) error {
		switch same := l.Check != nil && from.Check != nil && l.Check.Equal(from.Check); {
		case !from.HasCheck() || same:
		case l.HasCheck():
			return pawl.Errorf(pawl.Conflict, "this list has another check than the one to resume, and a list has one").Say("pawl todo check --none")
		default:
			old := from.Clone()
			l.Check, l.BadCheck, l.Checked = old.Check, old.BadCheck, nil
		}
		l.remember(what, now)
		l.Items = disowned(from.Items)
		for i := range l.Items {
			if l.Items[i].CreatedAt.IsZero() {
				l.Items[i].CreatedAt = now
			}
		}
		if i := l.Current(); i >= 0 {
			l.demote(i)
		}
		if how.By != "" {
			l.tell(now, "%s %s, in the place of those that were in the list: read it again.", how.By, what)
		}
		return nil
	})
}

// disowned returns a copy of todos without the ids of an agent's own list.
func disowned(items []Item) []Item {
	rows := make([]row, len(items))
	for i := range items {
		rows[i] = row{Item: items[i].clone(), was: &items[i], said: !items[i].Native()}
		if !rows[i].said {
			rows[i].ID = ""
		}
	}
	identify(rows, true)
	return listed(rows)
}

// Forget removes the lists of a session, of all its agents, with all that is
// remembered with them: tool calls, todos that left them, changes that could be
// undone. It returns them as they were.
func (s *Service) Forget(ctx context.Context, session string) ([]List, error) {
	session = Key{Session: session}.Normal().Session
	heads, err := s.store.Lists(ctx, time.Time{})
	if err != nil {
		return nil, err
	}
	var gone []List
	for i := range heads {
		if heads[i].Session != session {
			continue
		}
		list, err := s.store.Load(ctx, heads[i].Key)
		if err == nil {
			err = s.store.Remove(ctx, heads[i].Key)
		}
		if err != nil {
			return gone, err
		}
		gone = append(gone, list)
	}
	return gone, nil
}

// Move moves a list to the key that its agent turned out to have. It does nothing
// if that key has todos already, or if the list changes while it is moved.
func (s *Service) Move(ctx context.Context, from, to Key) error {
	old, err := s.store.Load(ctx, from.Normal())
	if err != nil || old.Blank() {
		return err
	}
	moved := false
	_, err = s.store.Update(ctx, to.Normal(), func(l *List) error {
		moved = l.Blank()
		if moved {
			own := l.Key
			*l = old.Clone()
			l.Key = own
		}
		return nil
	})
	if err != nil || !moved {
		return err
	}
	_, err = s.store.Update(ctx, from.Normal(), func(l *List) error {
		if reflect.DeepEqual(*l, old) {
			*l = List{Key: l.Key}
		}
		return nil
	})
	return err
}

// Watched reports whether a panel is open on a session; false if the store does
// not know.
func (s *Service) Watched(ctx context.Context, session string) (bool, error) {
	panels, ok := s.store.(Panels)
	if !ok {
		return false, nil
	}
	return panels.PanelOpen(ctx, Key{Session: session}.Normal().Session)
}

// Watch says that a panel is open on a session until closed is called.
func (s *Service) Watch(ctx context.Context, session string) (closed func() error, err error) {
	panels, ok := s.store.(Panels)
	if !ok {
		return func() error { return nil }, nil
	}
	return panels.OpenPanel(ctx, Key{Session: session}.Normal().Session)
}

// KeepOpen is how long an unused list with open todos is kept, unless all lists
// are kept longer.
const KeepOpen = 90 * 24 * time.Hour

// Sweep removes lists that have not changed for so long and, with open todos, for
// [KeepOpen]. It returns how many it removed.
func (s *Service) Sweep(ctx context.Context, keep time.Duration) (int, error) {
	sweeper, ok := s.store.(Sweeper)
	if !ok {
		return 0, nil
	}
	now := s.now()
	return sweeper.Sweep(ctx, now.Add(-keep), now.Add(-max(keep, KeepOpen)))
}

// Problems returns what the store had to set aside, a sentence each, once.
func (s *Service) Problems() []string { return s.store.Problems() }
