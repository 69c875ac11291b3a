package keeper

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/sessions"
	"github.com/pawl-dev/pawl/todo"
)

// home is that of lists that are kept nowhere but here: agents call the server's tools
// over HTTP.
const home = "server"

// Store returns the lists of a board as the holder of a token has them: all of them to
// read, and to change those that belong to this server and the token.
func (k *Keeper) Store(name string, by access.Token) todo.Store { return &store{k, name, by} }

type store struct {
	keeper *Keeper
	name   string
	by     access.Token
}

var (
	_ todo.Store     = (*store)(nil)
	_ todo.Stamper   = (*store)(nil)
	_ todo.Presences = (*store)(nil)
)

// Here reports whether a session is one of the token's on this server.
func (s *store) here(o *entry) bool { return o.Home == home && o.token == s.by.ID }

func (s *store) view(b *board) *sessions.View {
	all := make([]*remote.Session, 0, len(b.all))
	here := map[*remote.Session]bool{}
	for _, e := range b.all {
		one := e.Session
		all, here[&one] = append(all, &one), s.here(e)
	}
	return sessions.NewView(all, func(one *remote.Session) bool { return here[one] })
}

func (s *store) id(key todo.Key) string { return idOf(s.by.ID, home, key) }

// Load implements [todo.Store].
func (s *store) Load(_ context.Context, key todo.Key) (todo.List, error) {
	key = key.Normal()
	b := s.keeper.on(s.name)
	defer b.mu.Unlock()
	if e := b.all[s.id(key)]; e != nil {
		return s.own(b, key)
	}
	found, origin := s.view(b).Find(key)
	if found == nil {
		return todo.List{Key: key}, nil
	}
	f, err := b.read(found.ID)
	if err != nil {
		return todo.List{}, err
	}
	return sessions.ListOf(f.Session.List, key, origin), nil
}

// own reads a list that belongs here.
func (s *store) own(b *board, key todo.Key) (todo.List, error) {
	if b.all[s.id(key)] == nil {
		return todo.List{Key: key}, nil
	}
	f, err := b.read(s.id(key))
	if err != nil {
		return todo.List{}, err
	}
	list := sessions.ListOf(f.Session.List, key, nil)
	if f.Own != nil {
		list.News, list.NewsAt, list.Before = f.Own.News, f.Own.NewsAt, f.Own.Before
	}
	return list, nil
}

// Update implements [todo.Store].
func (s *store) Update(_ context.Context, key todo.Key, fn func(*todo.List) error) (todo.List, error) {
	key = key.Normal()
	b := s.keeper.on(s.name)
	defer b.mu.Unlock()
	was, err := s.own(b, key)
	if err != nil {
		return todo.List{}, err
	}
	if was.Blank() {
		if _, origin := s.view(b).Find(key); origin != nil {
			return todo.List{}, origin.Foreign()
		}
	}
	list := was.Clone()
	if err := fn(&list); err != nil {
		return todo.List{}, err
	}
	list.Key, list.Project, list.Origin = key, "", nil
	if reflect.DeepEqual(list, was) {
		return was, nil
	}
	if err := s.by.MayChange(); err != nil {
		return todo.List{}, err
	}
	e, version := b.all[s.id(key)], int64(1)
	if e != nil {
		version = e.Version + 1
	}
	if list.Blank() {
		return todo.List{Key: key}, b.remove(s.id(key), version)
	}
	one := remote.Session{
		ID: s.id(key), Session: key.Session, Agent: key.Agent, Version: version, Home: home, Name: s.by.Name, Person: s.by.Person, Seen: b.now(),
		List: &remote.List{StartedAt: list.StartedAt, UpdatedAt: list.UpdatedAt, FinishedAt: list.FinishedAt, Items: list.Items, Pause: list.Pause, Past: list.Past},
	}
	if err := one.Check(); err != nil {
		return todo.List{}, err
	}
	one.Head = HeadOf(one.List)
	var own *ownList
	if len(list.News) > 0 || list.Before != nil {
		own = &ownList{list.News, list.NewsAt, list.Before}
	}
	if one.Head == nil {
		one.List = nil // only news are left, for the agent
	}
	if err := b.save(s.by.ID, one, own); err != nil {
		return todo.List{}, err
	}
	return list, nil
}

// Lists implements [todo.Store].
func (s *store) Lists(_ context.Context, after time.Time) ([]todo.Head, error) {
	b := s.keeper.on(s.name)
	defer b.mu.Unlock()
	heads := s.view(b).Heads()
	for _, e := range b.all {
		if s.here(e) && e.Head != nil {
			h := e.Head
			heads = append(heads, todo.Head{
				Key: todo.Key{Session: e.Session.Session, Agent: e.Agent}, StartedAt: h.StartedAt, UpdatedAt: h.UpdatedAt, FinishedAt: h.FinishedAt,
				Pending: h.Pending, InProgress: h.InProgress, Completed: h.Completed, Past: h.Past, Title: h.Title, Paused: h.Paused,
			})
		}
	}
	heads = slices.DeleteFunc(heads, func(h todo.Head) bool { return !after.IsZero() && !h.UpdatedAt.After(after) })
	slices.SortFunc(heads, todo.Newest)
	return heads, nil
}

// Remove implements [todo.Store].
func (s *store) Remove(_ context.Context, key todo.Key) error {
	if err := s.by.MayChange(); err != nil {
		return err
	}
	key = key.Normal()
	b := s.keeper.on(s.name)
	defer b.mu.Unlock()
	if e := b.all[s.id(key)]; e != nil {
		return b.remove(e.ID, e.Version)
	}
	if _, origin := s.view(b).Find(key); origin != nil {
		return origin.Foreign()
	}
	return nil
}

// Present implements [todo.Presences].
func (s *store) Present(_ context.Context, after time.Time) ([]todo.Origin, time.Time, error) {
	b := s.keeper.on(s.name)
	defer b.mu.Unlock()
	return s.view(b).Present(after), time.Time{}, nil
}

// Problems implements [todo.Store]: the server tells its own.
func (s *store) Problems() []string { return nil }

// Stamp implements [todo.Stamper].
func (s *store) Stamp(_ context.Context, key todo.Key) (string, error) {
	key = key.Normal()
	b := s.keeper.on(s.name)
	defer b.mu.Unlock()
	e := b.all[s.id(key)]
	if e == nil {
		if found, _ := s.view(b).Find(key); found != nil {
			e = b.all[found.ID]
		}
	}
	if e == nil {
		return b.epoch, nil
	}
	return fmt.Sprint(b.epoch, ".", e.seq), nil
}

// StampAll implements [todo.Stamper].
func (s *store) StampAll(context.Context) (string, error) {
	b := s.keeper.on(s.name)
	defer b.mu.Unlock()
	return b.epoch + "." + strconv.FormatUint(b.seq, 10), nil
}
