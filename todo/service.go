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

// A Service is the one door to todo lists. It is safe for concurrent use, as
// far as its store is.
type Service struct {
	store Store
	now   func() time.Time
}

// New returns the service of a store. The clock says when things happen; times
// are kept in UTC and whole milliseconds.
func New(store Store, now func() time.Time) *Service {
	return &Service{store: store, now: func() time.Time { return now().UTC().Truncate(time.Millisecond) }}
}

// Read returns a list; a blank one where there is none.
func (s *Service) Read(ctx context.Context, key Key) (List, error) {
	return s.store.Load(ctx, key.Normal())
}

// Look is Read without what left the list, which is most of the list of a long
// session, and nothing to who only wants to know what is to do.
func (s *Service) Look(ctx context.Context, key Key) (List, error) {
	if looker, ok := s.store.(Looker); ok {
		return looker.Look(ctx, key.Normal())
	}
	list, err := s.store.Load(ctx, key.Normal())
	list.Past = nil
	return list, err
}

// Stamp tells cheaply whether a list may be another one than before, as
// [Stamper] says. Of a store that cannot tell it is empty.
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

// change is an update that notes when it happened, and knows the session's start.
// One that changes nothing leaves no trace.
func (s *Service) change(ctx context.Context, key Key, project string, fn func(*List, time.Time) error) (List, error) {
	return s.store.Update(ctx, key.Normal(), func(l *List) error {
		now, before := s.now(), l.Clone()
		if err := fn(l, now); err != nil {
			return err
		}
		if reflect.DeepEqual(before, *l) || l.Blank() {
			return nil // there is nothing to note
		}
		if project != "" {
			l.Project = project
		}
		if l.StartedAt.IsZero() {
			l.StartedAt = now
		}
		l.UpdatedAt = now
		l.finished(now)
		return nil
	})
}

// Pause stores why the agent cannot go on, and halts continuation until
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

// Prompt says that the user has spoken, which ends a pause. It writes nothing
// where there is none.
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

// TakeNews returns what people did to the list since the agent was last told,
// a sentence each, and forgets it.
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

// remember keeps the todos as they are before a change, to go back to. Tool
// calls are left out: they happened, whatever the list says.
func (l *List) remember(what string, now time.Time) {
	items := CloneItems(l.Items)
	for i := range items {
		items[i].ToolCalls = nil
		for s := range items[i].Subtasks {
			items[i].Subtasks[s].ToolCalls = nil
		}
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

// Resume gives a list the todos of an earlier one, which stays as it is. What
// the list had before is remembered.
func (s *Service) Resume(ctx context.Context, key Key, how Editing, from Key) (List, error) {
	old, err := s.store.Load(ctx, from.Normal())
	if err != nil {
		return List{}, err
	}
	if len(old.Items) == 0 {
		return List{}, pawl.Errorf(pawl.NotFound, "session %q has no todos", from.Normal().Session)
	}
	return s.Restore(ctx, key, how, old.Items, "resumed the todos of session "+quoted(from.Normal().Session))
}

// Restore replaces the todos by ones that were kept elsewhere; what says so, as
// it follows "A person …". Entries of an agent's own list get other ids: another
// conversation numbers its own from 1 again, and would mean these.
func (s *Service) Restore(ctx context.Context, key Key, how Editing, items []Item, what string) (List, error) {
	return s.change(ctx, key, how.Project, func(l *List, now time.Time) error {
		l.remember(what, now)
		l.Items = disowned(items)
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

// disowned returns a copy of todos in which none is an entry of an agent's own
// list.
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

// Move carries a list over to the key that its agent turned out to have. It does
// nothing when the other key has todos already: its own are worth more. A list
// that somebody changes meanwhile stays where it was as well.
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

// Watched reports whether a panel is open on a session. A store that cannot
// know has none.
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

// KeepOpen is how long a list with something left to do is kept that nobody
// comes back to, unless all are kept longer.
const KeepOpen = 90 * 24 * time.Hour

// Sweep removes lists that nobody came back to for so long, or, where something
// is left to do, for [KeepOpen]. It returns how many.
func (s *Service) Sweep(ctx context.Context, keep time.Duration) (int, error) {
	sweeper, ok := s.store.(Sweeper)
	if !ok {
		return 0, nil
	}
	now := s.now()
	return sweeper.Sweep(ctx, now.Add(-keep), now.Add(-max(keep, KeepOpen)))
}

// Problems tells what the store had to set aside, once, a sentence each.
func (s *Service) Problems() []string { return s.store.Problems() }
