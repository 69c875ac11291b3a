package keeper

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/remote"
)

// Lists returns what changed of a board's sessions since a stamp, and waits for that
// as long as it is told. If ctx ends while it waits, nothing has changed.
func (k *Keeper) Lists(ctx context.Context, name, since string, wait time.Duration) (remote.Lists, error) {
	var lists remote.Lists
	var last Mark
	var changed <-chan struct{}
	var shelf Shelf
	look := func(ctx context.Context, b *board) error {
		var err error
		last, changed, shelf = b.Mark, b.changed, b.shelf
		lists, err = b.since(ctx, since)
		return err
	}
	err := k.look(ctx, name, look)
	if err != nil || wait <= 0 || lists.Stamp != since {
		return lists, err
	}
	elsewhere, stop := shelf.Watch(last)
	defer stop()
	timer := time.NewTimer(min(wait, remote.MaxWait))
	defer timer.Stop()
	select {
	case <-changed:
	case <-elsewhere:
	case <-timer.C:
	case <-ctx.Done():
		return lists, ctx.Err()
	}
	err = k.look(ctx, name, look)
	return lists, err
}

// since returns what changed since a stamp.
func (b *board) since(ctx context.Context, stamp string) (remote.Lists, error) {
	seq, known := b.parse(stamp)
	lists := remote.Lists{Stamp: b.stamp(), Now: b.now, Whole: !known}
	if known {
		for _, r := range b.gone {
			if r.Seq > seq && b.all[r.ID] == nil {
				lists.Gone = append(lists.Gone, r.ID)
			}
		}
	}
	some := slices.DeleteFunc(slices.Collect(maps.Values(b.all)), func(r *Record) bool { return known && r.Seq <= seq })
	slices.SortFunc(some, func(x, y *Record) int {
		return cmp.Or(y.last().Compare(x.last()), cmp.Compare(x.Session.Session, y.Session.Session), cmp.Compare(x.Agent, y.Agent), cmp.Compare(x.ID, y.ID))
	})
	var ids []string
	left := int64(room)
	for _, r := range some {
		if r.Head != nil && r.Size <= min(left, fits) {
			ids, left = append(ids, r.ID), left-r.Size
		}
	}
	var all map[string]Kept
	if len(ids) > 0 {
		var err error // of a list that cannot be read; its reader asks for it alone
		if all, err = b.shelf.Read(ctx, ids...); all == nil && err != nil {
			return lists, err
		}
	}
	for _, r := range some {
		s := r.Session
		if k, ok := all[r.ID]; ok && k.Session.Version <= s.Version { // else it has just changed, and the reader hears of it
			s.List = k.Session.List
		}
		lists.Sessions = append(lists.Sessions, s)
	}
	return lists, nil
}

func (m Mark) stamp() string { return m.Epoch + "." + strconv.FormatUint(m.Seq, 10) }

// parse returns the number in a stamp, if what changed since is known.
func (b *board) parse(stamp string) (seq uint64, known bool) {
	epoch, number, _ := strings.Cut(stamp, ".")
	seq, err := strconv.ParseUint(number, 10, 64)
	return seq, err == nil && epoch == b.Epoch && seq <= b.Seq && seq >= b.floor
}

// List returns a session with its list.
func (k *Keeper) List(ctx context.Context, name, id string) (s remote.Session, err error) {
	err = k.look(ctx, name, func(ctx context.Context, b *board) error {
		r := b.all[id]
		if r == nil {
			return pawl.Errorf(pawl.NotFound, "this session is not known here, or it was removed")
		}
		kept, err := b.read(ctx, id)
		s = r.Session
		s.List = kept.Session.List
		return err
	})
	return s, err
}

// read returns all of a session.
func (b *board) read(ctx context.Context, id string) (Kept, error) { return one(ctx, b.shelf.Read, id) }

// one reads one session, which a record says is there.
func one(ctx context.Context, read func(context.Context, ...string) (map[string]Kept, error), id string) (Kept, error) {
	all, err := read(ctx, id)
	kept, ok := all[id]
	if ok {
		return kept, nil
	}
	if err == nil {
		err = pawl.Errorf(pawl.NotFound, "this session was just removed")
	}
	return kept, err
}
