package sessions

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/todo"
)

// A Local is the store of this machine's lists.
type Local interface {
	todo.Store
	todo.Panels
	todo.Looker
	todo.Stamper
	todo.Sweeper
	todo.CallLog
}

// A Server answers for the lists of other machines, as [remote.Board] does.
type Server interface {
	Lists(ctx context.Context, since string, wait time.Duration) (remote.Lists, error)
	List(ctx context.Context, id string) (remote.Session, error)
	Away() time.Time
}

// Options are what a store needs.
type Options struct {
	Local   Local
	Server  Server
	Dir     string // of the address, in the user's folder
	Name    string // of the caller's token
	Machine string // this one
	Folder  string // the name of the project's folder
	Changed func() // is called after each change of an own list: it is to be sent; may be nil
	Now     func() time.Time
}

// A Store is the lists of this machine and, to read, those of all other ones on a board
// at an address. Own lists never wait for the server; those of others are as they were
// last while it does not answer. It is safe for concurrent use.
type Store struct {
	Options
	others *others
}

var (
	_ todo.Store     = (*Store)(nil)
	_ Local          = (*Store)(nil)
	_ todo.Presences = (*Store)(nil)
)

// New returns a store. It asks and reads nothing yet.
func New(o Options) *Store {
	return &Store{Options: o, others: &others{server: o.Server, dir: o.Dir, now: o.Now}}
}

// Close ends what runs in the background.
func (s *Store) Close() { s.others.close() }

// elsewhere returns the session of another machine that a key names. Own keys need no
// look for that.
func (s *Store) elsewhere(ctx context.Context, key todo.Key) (*remote.Session, *todo.Origin) {
	if !strings.Contains(key.Session, "@") {
		return nil, nil
	}
	return s.others.view(ctx).Find(key)
}

// Load implements [todo.Store].
func (s *Store) Load(ctx context.Context, key todo.Key) (todo.List, error) {
	return s.read(ctx, key.Normal(), s.Local.Load)
}

// Look implements [todo.Looker].
func (s *Store) Look(ctx context.Context, key todo.Key) (todo.List, error) {
	return s.read(ctx, key.Normal(), s.Local.Look)
}

func (s *Store) read(ctx context.Context, key todo.Key, own func(context.Context, todo.Key) (todo.List, error)) (todo.List, error) {
	list, err := own(ctx, key)
	if err != nil || !list.Blank() {
		return list, err
	}
	found, origin := s.elsewhere(ctx, key)
	if found == nil {
		return list, nil
	}
	theirs, err := s.others.list(ctx, found)
	if err != nil {
		return list, err
	}
	return ListOf(theirs, key, origin), nil
}

// foreign is the error of a change of another machine's list.
func (s *Store) foreign(ctx context.Context, key todo.Key) error {
	_, origin := s.elsewhere(ctx, key)
	if origin == nil {
		return nil
	}
	if own, err := s.Local.Look(ctx, key); err != nil || !own.Blank() {
		return err
	}
	return origin.Foreign()
}

// Update implements [todo.Store].
func (s *Store) Update(ctx context.Context, key todo.Key, fn func(*todo.List) error) (todo.List, error) {
	key = key.Normal()
	if err := s.foreign(ctx, key); err != nil {
		return todo.List{}, err
	}
	list, err := s.Local.Update(ctx, key, fn)
	if err == nil {
		s.changed(key)
	}
	return list, err
}

// Remove implements [todo.Store].
func (s *Store) Remove(ctx context.Context, key todo.Key) error {
	key = key.Normal()
	if err := s.foreign(ctx, key); err != nil {
		return err
	}
	err := s.Local.Remove(ctx, key)
	if err == nil && s.Changed != nil {
		s.Changed() // it goes there if it was sent
	}
	return err
}

// LogCall implements [todo.CallLog].
func (s *Store) LogCall(ctx context.Context, key todo.Key, id string, note func(*todo.List) (todo.CallNote, bool)) error {
	err := s.Local.LogCall(ctx, key, id, note)
	if err == nil {
		s.changed(key.Normal())
	}
	return err
}

// changed has an own list sent.
func (s *Store) changed(key todo.Key) {
	_ = Note(s.Dir, Seen{Key: key, Folder: s.Folder}) // the list itself is kept; the next change notes it again
	if s.Changed != nil {
		s.Changed()
	}
}

// Lists implements [todo.Store].
func (s *Store) Lists(ctx context.Context, after time.Time) ([]todo.Head, error) {
	heads, err := s.Local.Lists(ctx, after)
	if err != nil {
		return nil, err
	}
	here := s.here()
	for i := range heads {
		if o, ok := here[heads[i].Key]; ok {
			heads[i].Origin = &o
		}
	}
	own := map[todo.Key]bool{}
	for i := range heads {
		own[heads[i].Key] = true
	}
	for _, h := range s.others.view(ctx).Heads() {
		if !own[h.Key] && (after.IsZero() || h.UpdatedAt.After(after)) {
			heads = append(heads, h)
		}
	}
	slices.SortFunc(heads, todo.Newest)
	return heads, nil
}

// here are this machine's sessions on the board.
func (s *Store) here() map[todo.Key]todo.Origin {
	marks, err := Marked(s.Dir)
	if err != nil {
		return nil
	}
	here := map[todo.Key]todo.Origin{}
	for i := range marks {
		if m := &marks[i]; !m.Ended {
			here[m.Key] = todo.Origin{Key: m.Key, Name: s.Name, Machine: s.Machine, Program: m.Program, Folder: m.Folder, Session: m.Session, Seen: m.at, Here: true}
		}
	}
	return here
}

// Present implements [todo.Presences].
func (s *Store) Present(ctx context.Context, after time.Time) ([]todo.Origin, time.Time, error) {
	var all []todo.Origin
	for _, o := range s.here() {
		if o.Seen.After(after) {
			all = append(all, o)
		}
	}
	for _, o := range s.others.view(ctx).Present(after) {
		if !o.Here {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b todo.Origin) int {
		if c := b.Seen.Compare(a.Seen); c != 0 {
			return c
		}
		return strings.Compare(a.Key.Session+"\x00"+a.Agent, b.Key.Session+"\x00"+b.Agent)
	})
	return all, s.others.since(), nil
}

// Problems implements [todo.Store].
func (s *Store) Problems() []string {
	problems := s.Local.Problems()
	if told := s.others.problem(); told != "" {
		problems = append(problems, told)
	}
	return problems
}

// Stamp implements [todo.Stamper].
func (s *Store) Stamp(ctx context.Context, key todo.Key) (string, error) {
	stamp, err := s.Local.Stamp(ctx, key)
	if err != nil || !strings.Contains(key.Session, "@") {
		return stamp, err
	}
	return stamp + s.others.stamp(key), nil
}

// StampAll implements [todo.Stamper]. Callers ask for it again and again, so from the
// first time on changes of other machines are followed in the background.
func (s *Store) StampAll(ctx context.Context) (string, error) {
	stamp, err := s.Local.StampAll(ctx)
	if err != nil {
		return "", err
	}
	return stamp + s.others.follow(), nil
}

// Sweep implements [todo.Sweeper].
func (s *Store) Sweep(ctx context.Context, done, open time.Time) (int, error) {
	return s.Local.Sweep(ctx, done, open)
}

// OpenPanel implements [todo.Panels]. An agent of another machine is not told of a
// panel here.
func (s *Store) OpenPanel(ctx context.Context, session string) (func() error, error) {
	if _, origin := s.elsewhere(ctx, todo.Key{Session: session}); origin != nil {
		return func() error { return nil }, nil
	}
	return s.Local.OpenPanel(ctx, session)
}

// PanelOpen implements [todo.Panels].
func (s *Store) PanelOpen(ctx context.Context, session string) (bool, error) {
	if _, origin := s.elsewhere(ctx, todo.Key{Session: session}); origin != nil {
		return true, nil
	}
	return s.Local.PanelOpen(ctx, session)
}
