package tui

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/view"
	"github.com/pawl-dev/pawl/todo"
)

const (
	// panelEvery is how often the panel asks whether something changed: a few looks
	// at files from outside, without reading them.
	panelEvery = 100 * time.Millisecond
	// panelAnyway is after how many times it reads although nothing seems to have
	// changed: some file systems count time in seconds.
	panelAnyway = 20
)

// A follower finds out what the panel shows, and holds the lock by which the
// session is watched. One call of next runs at a time.
type follower struct {
	PanelOptions
	wanted chan target

	mu     sync.Mutex // held for a look
	target target
	rounds int
	heads  []todo.Head // of the project, or of the session that is asked for
	all    string      // the stamp of all lists when heads were read
	one    string      // that of the list when it was read
	last   *panelLook
	held   string // the session that is watched
	let    func() error
	closed bool
}

// A target is which list the reader wants to see.
type target struct {
	session string // empty: the newest one of the project
	agent   string // empty: the main one
	of      string // the session in which that agent was chosen; empty: it is meant in any
}

// A panelLook is what there is to see. It is not changed any more.
type panelLook struct {
	key     todo.Key // without a session: there is none yet
	pinned  string   // the session that it stays with
	list    todo.List
	past    bool     // it had todos before
	agents  []string // those of the session with a list, the main one first
	wanted  PanelWanted
	problem string // why it may be out of date
	note    string // what the store had to do, told once
}

func newFollower(o PanelOptions) *follower {
	f := &follower{PanelOptions: o, wanted: make(chan target, 1)}
	f.target = target{session: o.Session, agent: o.Agent, of: o.Session}
	return f
}

// want has another list shown.
func (f *follower) want(t target) {
	select {
	case <-f.wanted: // which is not wanted any more
	default:
	}
	f.wanted <- t
}

// next waits until there is something else to see. It reports false when the
// context ends.
func (f *follower) next(ctx context.Context) (*panelLook, bool) {
	for {
		if look := f.look(ctx); look != nil {
			return look, true
		}
		pause := time.NewTimer(panelEvery)
		select {
		case <-ctx.Done():
			pause.Stop()
			return nil, false
		case t := <-f.wanted:
			f.mu.Lock()
			f.target, f.rounds = t, 0
			f.mu.Unlock()
			pause.Stop()
		case <-pause.C:
		}
	}
}

// look returns what there is to see; nil: the same as before.
func (f *follower) look(ctx context.Context) *panelLook {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
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
		now.note = view.Line(note)
	}
	if f.last != nil && reflect.DeepEqual(now, *f.last) {
		return nil
	}
	f.last = &now
	return &now
}

// find looks at what may have changed.
func (f *follower) find(ctx context.Context, now *panelLook) error {
	anyway := f.rounds%panelAnyway == 0
	f.rounds++
	stamp, err := f.Todos.StampAll(ctx)
	if err != nil {
		return err
	}
	if anyway || stamp == "" || stamp != f.all {
		if f.heads, err = f.Todos.Sessions(ctx, ""); err != nil {
			return err
		}
		f.all = stamp
	}
	key := f.choose(now)
	now.pinned = f.target.session
	now.wanted = f.Wanted(key.Session)
	if key.Session == "" {
		f.release() // of a session whose list is gone
		now.key, now.list = key, todo.List{}
		return nil
	}
	held := f.hold(ctx, key.Session)
	if stamp, err = f.Todos.Stamp(ctx, key); err != nil {
		return err
	}
	if anyway || stamp == "" || stamp != f.one || key != now.key {
		list, err := f.Todos.Look(ctx, key)
		if err != nil {
			return err
		}
		now.key, now.list, f.one = key, list, stamp
	}
	return held // which keeps nobody from seeing the list
}

// choose finds the list to show: of the session that the reader asked for or
// the one that was written to last, that of the agent who was asked for, else
// the main one, else any.
func (f *follower) choose(now *panelLook) todo.Key {
	key := todo.Key{Session: f.target.session}
	if key.Session == "" {
		i := slices.IndexFunc(f.heads, f.Ours)
		if i < 0 {
			return todo.Key{}
		}
		key.Session = f.heads[i].Session
	}
	now.agents = nil
	for _, h := range f.heads {
		if h.Session == key.Session {
			now.agents = append(now.agents, h.Agent)
		}
	}
	slices.Sort(now.agents)
	switch {
	case f.target.agent != "" && (f.target.of == "" || f.target.of == key.Session):
		key.Agent = f.target.agent
	case len(now.agents) > 0:
		key.Agent = now.agents[0]
	}
	now.past = slices.ContainsFunc(f.heads, func(h todo.Head) bool { return h.Key == key && h.Past > 0 })
	return key
}

// hold makes a session the one that is watched.
func (f *follower) hold(ctx context.Context, session string) error {
	if f.let != nil && f.held == session {
		return nil
	}
	let, err := f.Todos.Watch(ctx, session)
	if err != nil {
		return err
	}
	f.release()
	f.held, f.let = session, let
	return nil
}

func (f *follower) release() {
	if f.let != nil {
		f.let() // the end of the process would do the same
		f.let = nil
	}
}

// close lets go of the session.
func (f *follower) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.release()
}
