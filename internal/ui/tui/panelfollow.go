package tui

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

const (
	// panelEvery is how often the panel asks whether something changed: a few looks
	// at files from outside, without reading them.
	panelEvery = 100 * time.Millisecond
	// panelAnyway is after how many rounds it reads even if nothing seems to have
	// changed: some file systems keep times in whole seconds.
	panelAnyway = 20
)

// A follower reads what the panel shows, and keeps the lock that marks the session
// as watched. One call of next runs at a time.
type follower struct {
	PanelOptions
	wanted chan target

	mu      sync.Mutex // locked during a look
	target  target
	shown   string    // the session that is followed; empty: none yet
	since   time.Time // when that was chosen
	asked   bool      // by the reader
	rounds  int
	again   time.Time   // when to read again, after a change; zero: there was none
	heads   []todo.Head // of all lists
	project []todo.Head // those of the project
	all     string      // the stamp of all lists when heads were read
	one     string      // that of the list when it was read
	last    *panelLook
	watched string // the session that is marked as watched
	unwatch func() error
	away    bool // nobody sees the panel for now
	closed  bool
}

// A panelLook is what the panel shows. It is immutable.
type panelLook struct {
	key      todo.Key // without a session: none exists yet
	pinned   string   // the session that it stays with
	list     todo.List
	end      show.PanelEnd // of a list without todos
	agents   []string      // those of the session with a list, the main one first
	sessions []string      // where something is going on
	others   []string      // of a session without lists: those that have one, the newest first
	wanted   PanelWanted
	problem  string // why it may be out of date
	note     string // what the store had to do, told once
}

func newFollower(o PanelOptions) *follower {
	f := &follower{PanelOptions: o, wanted: make(chan target, 1)}
	f.turn(target{session: o.Session, agent: o.Agent, of: o.Session})
	return f
}

// want has another list shown.
func (f *follower) want(t target) {
	select {
	case <-f.wanted: // outdated
	default:
	}
	f.wanted <- t
}

// next waits until the panel should show something else. It reports false when the
// context ends.
func (f *follower) next(ctx context.Context) (*panelLook, bool) {
	for {
		if look := f.look(ctx); look != nil {
			return look, true
		}
		select {
		case <-ctx.Done():
			return nil, false
		case t := <-f.wanted:
			f.mu.Lock()
			f.turn(t)
			f.mu.Unlock()
		case <-time.After(panelEvery):
		}
	}
}

// look returns what the panel should show; nil: the same as before.
func (f *follower) look(ctx context.Context) *panelLook {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.away {
		return nil
	}
	var now panelLook
	if f.last != nil {
		now = *f.last
	}
	err := f.find(ctx, &now)
	if ctx.Err() != nil {
		return nil
	}
	now.problem = ""
	if err != nil {
		now.problem = sentence(err)
	}
	for _, note := range f.Todos.Problems() {
		now.note = text.Line(note)
	}
	if f.last != nil && reflect.DeepEqual(now, *f.last) {
		return nil
	}
	f.last = &now
	return &now
}

// find looks at what may have changed.
func (f *follower) find(ctx context.Context, now *panelLook) error {
	anyway := f.rounds%panelAnyway == 0 || !f.again.IsZero() && !f.Now().Before(f.again)
	f.rounds++
	if anyway {
		f.again = time.Time{}
	}
	now.wanted = f.Wanted(now.key.Session)
	stamp, err := f.Todos.StampAll(ctx)
	if err != nil {
		return err
	}
	if anyway || stamp == "" || stamp != f.all {
		if f.heads, err = f.Todos.Sessions(ctx, ""); err != nil {
			return err
		}
		f.project = slices.DeleteFunc(slices.Clone(f.heads), func(h todo.Head) bool { return !f.Ours(h) })
		f.changed(&f.all, stamp)
	}
	key := f.choose(now)
	now.pinned = f.target.session
	if key.Session != now.key.Session {
		now.wanted = f.Wanted(key.Session)
	}
	if key.Session == "" {
		f.release() // of a session whose list is gone
		now.key, now.list, now.end = key, todo.List{}, show.PanelEnd{}
		return nil
	}
	watching := f.watch(ctx, key.Session, anyway)
	if stamp, err = f.Todos.Stamp(ctx, key); err != nil {
		return err
	}
	if anyway || stamp == "" || stamp != f.one || key != now.key {
		if err := f.read(ctx, key, now); err != nil {
			return err
		}
		f.changed(&f.one, stamp)
	}
	return watching // the list is shown even if that failed
}

// changed keeps a stamp. A second change within the same clock tick may not alter
// the stamp, so the next read follows soon.
func (f *follower) changed(is *string, stamp string) {
	if *is != stamp {
		*is, f.again = stamp, f.Now().Add(panelEvery/2)
	}
}

// read reads the list, and if it has no todos left, how it ended.
func (f *follower) read(ctx context.Context, key todo.Key, now *panelLook) error {
	list, err := f.Todos.Look(ctx, key)
	if err != nil || key == now.key && reflect.DeepEqual(list, now.list) {
		return err
	}
	var end show.PanelEnd
	if len(list.Items) == 0 {
		whole, err := f.Todos.Read(ctx, key)
		if err != nil {
			return err
		}
		end = show.EndOf(&whole)
	}
	now.key, now.list, now.end = key, list, end
	return nil
}

// watch marks a session as watched. With sure it checks that the lock still
// exists: removing the folder removes the lock.
func (f *follower) watch(ctx context.Context, session string, sure bool) error {
	if f.unwatch != nil && f.watched == session {
		if !sure {
			return nil
		}
		if open, err := f.Todos.Watched(ctx, session); open || err != nil {
			return err
		}
	}
	f.release() // first: the old session is no longer shown
	unwatch, err := f.Todos.Watch(ctx, session)
	if err != nil {
		return err
	}
	f.watched, f.unwatch = session, unwatch
	return nil
}

func (f *follower) release() {
	if f.unwatch != nil {
		f.unwatch() // the end of the process would do the same
		f.unwatch = nil
	}
}

// leave releases the session until the reader is back: a suspended panel watches
// nothing.
func (f *follower) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away = true
	f.release()
}

func (f *follower) back() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away, f.rounds = false, 0
}

// close releases the session.
func (f *follower) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.release()
}
