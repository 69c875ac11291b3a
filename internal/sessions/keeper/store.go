package keeper

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
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

func (s *store) look(ctx context.Context, fn func(context.Context, *board) error) error {
	return storageError(s.keeper.look(ctx, s.name, fn))
}

// storageError is a failure of the storage in the words that agents see.
func storageError(err error) error {
	if e, ok := errors.AsType[*pawl.Error](err); !ok || e.Kind != pawl.Unavailable {
		return err
	}
	why := todo.Other
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		why = todo.Denied
	case errors.Is(err, syscall.ENOSPC):
		why = todo.Full
	}
	return &todo.StorageError{Why: why, Cause: err}
}

// here reports whether a session is one of the token's on this server.
func (s *store) here(r *Record) bool { return r.Own != nil && r.Token == s.by.ID }

func (s *store) view(b *board) *sessions.View {
	all := make([]*remote.Session, 0, len(b.all))
	here := map[*remote.Session]bool{}
	for _, r := range b.all {
		one := r.Session
		all, here[&one] = append(all, &one), s.here(r)
	}
	return sessions.NewView(all, func(one *remote.Session) bool { return here[one] })
}

func (s *store) id(key todo.Key) string { return idOf(s.by.ID, home, key) }

// Load implements [todo.Store].
func (s *store) Load(ctx context.Context, key todo.Key) (list todo.List, err error) {
	key = key.Normal()
	err = s.look(ctx, func(ctx context.Context, b *board) error {
		list = todo.List{Key: key}
		if id := s.id(key); b.all[id] != nil {
			kept, err := b.read(ctx, id)
			list = kept.list(key)
			return err
		}
		found, origin := s.view(b).Find(key)
		if found == nil {
			return nil
		}
		kept, err := b.read(ctx, found.ID)
		list = sessions.ListOf(kept.Session.List, key, origin)
		return err
	})
	return list, err
}

// Update implements [todo.Store].
func (s *store) Update(ctx context.Context, key todo.Key, fn func(*todo.List) error) (list todo.List, err error) {
	key = key.Normal()
	var refused error // by fn
	err = s.keeper.change(ctx, s.name, func(ctx context.Context, d *desk) error {
		list, err = s.update(ctx, d, key, func(l *todo.List) error {
			refused = fn(l)
			return refused
		})
		return err
	})
	switch {
	case refused != nil:
		return todo.List{}, refused
	case err != nil:
		return todo.List{}, storageError(err)
	}
	return list, nil
}

func (s *store) update(ctx context.Context, d *desk, key todo.Key, fn func(*todo.List) error) (todo.List, error) {
	id := s.id(key)
	was, version := todo.List{Key: key}, int64(1)
	if r := d.all[id]; r != nil {
		kept, err := one(ctx, d.Read, id)
		if err != nil {
			return was, err
		}
		was, version = kept.list(key), r.Version+1
	} else if _, origin := s.view(d.board).Find(key); origin != nil {
		return was, origin.Foreign()
	}
	list := was.Clone()
	if err := fn(&list); err != nil {
		return was, err
	}
	list.Key, list.Origin = key, nil
	if reflect.DeepEqual(list, was) {
		return was, nil
	}
	if err := s.by.MayChange(); err != nil {
		return was, err
	}
	if list.Blank() {
		return todo.List{Key: key}, d.remove(ctx, id, version)
	}
	list = list.Clone()
	return list, d.save(ctx, s.kept(&list, version, d.now))
}

// kept is what is stored of a list.
func (s *store) kept(list *todo.List, version int64, now time.Time) Kept {
	k := Kept{Token: s.by.ID, Session: remote.Session{
		Session: list.Session, Agent: list.Agent, Version: version, Home: home, Name: s.by.Name, Person: s.by.Person, Seen: now,
		List: &remote.List{StartedAt: list.StartedAt, UpdatedAt: list.UpdatedAt, FinishedAt: list.FinishedAt, Items: list.Items, Pause: list.Pause, Past: list.Past},
	}}
	own := &Own{
		Project: list.Project, News: list.News, NewsAt: list.NewsAt, Before: list.Before,
		Check: list.Check, Checked: list.Checked, BadCheck: list.BadCheck,
	}
	if k.Session.Check() != nil { // its name, or the list, is none that others can read
		own.Session, own.Agent = []byte(list.Session), []byte(list.Agent)
		k.Session.Session, k.Session.Agent = word(list.Session), word(list.Agent)
		if k.Session.Check() != nil {
			own.List, k.Session.List = k.Session.List, nil
		}
	}
	if HeadOf(k.Session.List) == nil && k.Session.List != nil { // only news are left, for the agent
		own.List, k.Session.List = k.Session.List, nil
	}
	if !reflect.ValueOf(*own).IsZero() {
		k.Own = own
	}
	return k
}

// word is a name of a session or an agent as others get to see it.
func word(name string) string {
	name = strings.ToValidUTF8(name, "\ufffd")
	for r := []rune(name); len(name) > remote.MaxKey; name = string(r) {
		r = r[:len(r)-1]
	}
	return strings.TrimSpace(name)
}

// Lists implements [todo.Store].
func (s *store) Lists(ctx context.Context, after time.Time) (heads []todo.Head, err error) {
	err = s.look(ctx, func(_ context.Context, b *board) error {
		heads = s.view(b).Heads()
		for _, r := range b.all {
			if s.here(r) {
				heads = append(heads, r.head())
			}
		}
		return nil
	})
	heads = slices.DeleteFunc(heads, func(h todo.Head) bool { return !after.IsZero() && !h.UpdatedAt.After(after) })
	slices.SortFunc(heads, todo.Newest)
	return heads, err
}

// Remove implements [todo.Store].
func (s *store) Remove(ctx context.Context, key todo.Key) error {
	if err := s.by.MayChange(); err != nil {
		return err
	}
	key = key.Normal()
	return storageError(s.keeper.change(ctx, s.name, func(ctx context.Context, d *desk) error {
		if r := d.all[s.id(key)]; r != nil {
			return d.remove(ctx, r.ID, r.Version)
		}
		if _, origin := s.view(d.board).Find(key); origin != nil {
			return origin.Foreign()
		}
		return nil
	}))
}

// Present implements [todo.Presences].
func (s *store) Present(ctx context.Context, after time.Time) (present []todo.Origin, _ time.Time, err error) {
	err = s.look(ctx, func(_ context.Context, b *board) error {
		present = s.view(b).Present(after)
		return nil
	})
	return present, time.Time{}, err
}

// Problems implements [todo.Store]: the server tells its own.
func (s *store) Problems() []string { return nil }

// Stamp implements [todo.Stamper].
func (s *store) Stamp(ctx context.Context, key todo.Key) (stamp string, err error) {
	key = key.Normal()
	err = s.look(ctx, func(_ context.Context, b *board) error {
		r := b.all[s.id(key)]
		if r == nil {
			if found, _ := s.view(b).Find(key); found != nil {
				r = b.all[found.ID]
			}
		}
		if stamp = b.Epoch; r != nil {
			stamp = Mark{b.Epoch, r.Seq}.stamp()
		}
		return nil
	})
	return stamp, err
}

// StampAll implements [todo.Stamper].
func (s *store) StampAll(ctx context.Context) (stamp string, err error) {
	err = s.look(ctx, func(_ context.Context, b *board) error {
		stamp = b.stamp()
		return nil
	})
	return stamp, err
}
