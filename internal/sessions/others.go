package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/todo"
)

// How others' lists are asked for.
const (
	fresh        = 500 * time.Millisecond  // an answer serves several questions of one command
	patience     = 1500 * time.Millisecond // of a command that has its own lists anyway
	briefly      = 250 * time.Millisecond  // if the server did not answer a moment ago
	farApart     = 15 * time.Second        // two tries in the background, at most
	mostSessions = 10_000
	maxCache     = 32 << 20
)

// others are the sessions of all machines, as the server told them last.
type others struct {
	server Server
	dir    string
	now    func() time.Time

	asking sync.Mutex // held while the server is asked

	mu      sync.Mutex
	loaded  bool
	home    string
	stamps  string                     // what to ask since
	all     map[string]*remote.Session // by id; not changed once they are here
	built   *View
	rounds  int       // how often something changed
	at      time.Time // when the server last answered
	asked   time.Time // when it was last asked
	failed  bool      // the last time it did not answer
	why     error
	told    bool // that it did not
	stop    context.CancelFunc
	stopped chan struct{}
	first   chan struct{} // closed once the background has an answer, or a failure
}

// cacheJSON is what is kept of the last answer, for a time without a server.
type cacheJSON struct {
	Stamp    string            `json:"stamp"`
	At       time.Time         `json:"at"`
	Sessions []*remote.Session `json:"sessions"`
}

func (o *others) cache() string { return filepath.Join(o.dir, "others.json") }

// load reads what was known last. o.mu is held.
func (o *others) load() {
	if o.loaded {
		return
	}
	o.loaded, o.all = true, map[string]*remote.Session{}
	info, err := os.Lstat(o.cache())
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxCache {
		return
	}
	var c cacheJSON
	if text, err := os.ReadFile(o.cache()); err != nil || json.Unmarshal(text, &c) != nil {
		return
	}
	o.stamps, o.at = c.Stamp, c.At
	for _, s := range c.Sessions {
		if s != nil && s.Check() == nil {
			o.all[s.ID] = s
		}
	}
}

// save keeps what is known. Without it only a time without a server is blank.
func (o *others) save(c cacheJSON) {
	text, err := json.Marshal(c)
	if err != nil || len(text) > maxCache || userdir.Make(o.dir) != nil {
		return
	}
	_ = filelock.Write(o.cache(), text)
}

// view returns all sessions as they are known, after a question to the server if
// nothing in the background asks anyway.
func (o *others) view(ctx context.Context) *View {
	o.mu.Lock()
	o.load()
	following, first := o.stop != nil, o.first
	current := o.now().Sub(o.asked) < fresh
	o.mu.Unlock()
	switch {
	case following:
		select { // only the first answer is waited for
		case <-first:
		case <-ctx.Done():
		case <-time.After(patience):
		}
	case !current:
		wait := patience
		if !o.server.Away().IsZero() {
			wait = briefly
		}
		limited, cancel := context.WithTimeout(ctx, wait)
		_ = o.ask(limited, 0)
		cancel()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.built == nil {
		if o.home == "" {
			o.home = HomeAt(o.dir)
		}
		all := make([]*remote.Session, 0, len(o.all))
		for _, s := range o.all {
			all = append(all, s)
		}
		o.built = NewView(all, o.here)
	}
	return o.built
}

// ask asks the server what changed.
func (o *others) ask(ctx context.Context, wait time.Duration) error {
	o.asking.Lock()
	defer o.asking.Unlock()
	o.mu.Lock()
	o.load()
	since := o.stamps
	o.mu.Unlock()
	lists, err := o.server.Lists(ctx, since, wait)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = o.now()
	if err != nil {
		if ctx.Err() == nil || errors.Is(ctx.Err(), context.DeadlineExceeded) {
			o.failed, o.why = true, err
		}
		return err
	}
	o.failed, o.told, o.at = false, false, o.now()
	if !lists.Whole && len(lists.Sessions)+len(lists.Gone) == 0 && lists.Stamp == o.stamps {
		return nil
	}
	o.take(&lists)
	c := cacheJSON{Stamp: o.stamps, At: o.at}
	for _, s := range o.all {
		c.Sessions = append(c.Sessions, s)
	}
	o.save(c)
	return nil
}

// take makes an answer part of what is known. What is not as it should be is left out.
func (o *others) take(lists *remote.Lists) {
	if lists.Whole {
		clear(o.all)
	}
	for _, id := range lists.Gone {
		delete(o.all, id)
	}
	if o.home == "" {
		o.home = HomeAt(o.dir)
	}
	shift := remote.Apart(lists.Now, o.now())
	for i := range lists.Sessions {
		s := &lists.Sessions[i]
		if o.here(s) { // this machine knows better, and keeps no second copy
			delete(o.all, s.ID)
			continue
		}
		if s.ID == "" || s.Check() != nil || len(o.all) >= mostSessions && o.all[s.ID] == nil {
			continue
		}
		if !s.Seen.IsZero() {
			s.Seen = s.Seen.Add(shift)
		}
		if s.Head != nil {
			s.Head.Shift(shift)
		}
		if s.List != nil {
			s.List.Shift(shift)
		}
		o.all[s.ID] = s
	}
	o.stamps, o.built = lists.Stamp, nil
	o.rounds++
}

// here reports whether a session is of this machine's user.
func (o *others) here(s *remote.Session) bool { return s.Home != "" && s.Home == o.home }

// list returns the list of a session, which the server is asked for if it did not come
// with the others.
func (o *others) list(ctx context.Context, s *remote.Session) (*remote.List, error) {
	if s.List != nil || s.Head == nil {
		return s.List, nil
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	got, err := o.server.List(limited, s.ID)
	if err != nil {
		return nil, err
	}
	if err := got.Check(); err != nil || got.List == nil {
		return nil, err
	}
	if got.Head != nil {
		got.List.Shift(s.Head.UpdatedAt.Sub(got.Head.UpdatedAt).Round(time.Second))
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := o.all[s.ID]; now == s {
		whole := *s
		whole.List = got.List
		o.all[s.ID], o.built = &whole, nil
	}
	return got.List, nil
}

// follow asks in the background from now on, and returns a text that differs after
// each change.
func (o *others) follow() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stop == nil {
		ctx, cancel := context.WithCancel(context.Background())
		o.stop, o.stopped, o.first = cancel, make(chan struct{}), make(chan struct{})
		go o.run(ctx, o.first, o.stopped)
	}
	return " " + strconv.Itoa(o.rounds)
}

func (o *others) run(ctx context.Context, first, stopped chan struct{}) {
	defer close(stopped)
	pause := 250 * time.Millisecond
	for wait := time.Duration(0); ctx.Err() == nil; wait = remote.MaxWait {
		one, cancel := context.WithTimeout(ctx, wait+remote.Usual)
		start := time.Now()
		err := o.ask(one, wait)
		cancel()
		if first != nil {
			close(first)
			first = nil
		}
		if err == nil {
			pause = 250 * time.Millisecond
			if wait > 0 && time.Since(start) < pause { // however much changes, not more often than is seen
				sleep(ctx, pause)
			}
			continue
		}
		sleep(ctx, pause+rand.N(pause))
		pause = min(2*pause, farApart)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

func (o *others) close() {
	o.mu.Lock()
	stop, stopped := o.stop, o.stopped
	o.mu.Unlock()
	if stop != nil {
		stop()
		<-stopped
	}
}

// stamp returns a text that differs after each change of a session that is known.
func (o *others) stamp(key todo.Key) string {
	o.mu.Lock()
	built, rounds := o.built, o.rounds
	o.mu.Unlock()
	if built == nil {
		return " " + strconv.Itoa(rounds)
	}
	s, _ := built.Find(key)
	if s == nil {
		return ""
	}
	return " " + s.ID + "." + strconv.FormatInt(s.Version, 10)
}

// since is of when what is known is, if the server does not answer now; zero: now.
func (o *others) since() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.failed {
		return time.Time{}
	}
	return o.at
}

// problem says once that the server does not answer.
func (o *others) problem() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.failed || o.told {
		return ""
	}
	o.told = true
	if !errors.Is(o.why, pawl.Unavailable) && !errors.Is(o.why, context.DeadlineExceeded) {
		return "the todo lists of other machines cannot be read: " + o.why.Error()
	}
	if o.at.IsZero() {
		return "the todo lists of other machines are not known here, because the server does not answer"
	}
	return "the todo lists of other machines are as of " + remote.Clock(o.at) + ", because the server does not answer"
}
