package postgres

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/epoch"
	"github.com/pawl-dev/pawl/server/pg"
)

// Numbers of boards jump ahead as package epoch says: as soon as a server sees that the
// database is another one than before, or behind what it has seen of it. History before
// the jump cannot be followed on: watchers begin again.

// The keys of the table server.
const (
	keySystem = "system" // PostgreSQL's identifier of the cluster that has the database
	keyID     = "id"     // of the database itself; a copy of it has the same
)

// Moved is a board whose numbers jumped ahead, and the new numbers.
type Moved struct {
	Name string
	epoch.High
}

// seen is what this process has seen of the boards.
type seen struct {
	mu sync.Mutex
	of map[string]epoch.High
}

func (s *seen) note(name string, h epoch.High) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[string]epoch.High{}
	}
	s.of[name] = s.of[name].And(h)
}

func (s *seen) get(name string) epoch.High {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of[name]
}

// Seen returns the highest numbers of boards that this process has seen, for a file that
// survives it.
func (d *Database) Seen() map[string]epoch.High {
	d.seen.mu.Lock()
	defer d.seen.mu.Unlock()
	return maps.Clone(d.seen.of)
}

// Remember adds the numbers that an earlier process has seen.
func (d *Database) Remember(all map[string]epoch.High) {
	for name, h := range all {
		d.seen.note(name, h)
	}
}

// ID names the database and its copies; the first call generates the name.
func (d *Database) ID(ctx context.Context) (id string, err error) {
	return d.FirstValue(ctx, keyID, strings.ToLower(rand.Text()))
}

// Check makes the numbers of boards jump ahead where they must, and returns these
// boards: all, if the database is in another cluster than before; and each that is
// behind what this process has seen of it. It remembers the numbers of the others.
func (d *Database) Check(ctx context.Context) ([]Moved, error) {
	moved, err := d.CheckSystem(ctx)
	if err != nil {
		return moved, err
	}
	seen := d.Seen()
	now := map[string]epoch.High{}
	err = d.Query(ctx, func() { clear(now) }, func(rows pg.Rows) error {
		var name string
		var h epoch.High
		err := rows.Scan(&name, &h.Revision, &h.LastID, &h.Epoch)
		now[name] = h
		return err
	}, "select name, rev, last_id, epoch from pawl.board where name = any($1)", slices.Collect(maps.Keys(seen)))
	if err != nil {
		return moved, err
	}
	for name, h := range now {
		if !h.Behind(seen[name]) {
			d.seen.note(name, h)
			continue
		}
		m, err := d.catchUp(ctx, name)
		if err != nil {
			return moved, err
		}
		moved = append(moved, m...)
	}
	return moved, nil
}

// CheckSystem makes the numbers of all boards jump ahead, if the database is in another
// cluster of PostgreSQL than before: it was restored from a dump of unknown age.
func (d *Database) CheckSystem(ctx context.Context) ([]Moved, error) {
	is := d.Lineage().System
	if is == "" {
		return nil, nil
	}
	was, err := d.Value(ctx, keySystem)
	if err != nil || was == is {
		return nil, err
	}
	if was == "" {
		// A login that may only read leaves it to others.
		_, _ = d.FirstValue(ctx, keySystem, is)
		return nil, nil
	}
	return d.jump(ctx, jump{system: is, was: was})
}

// Restored makes the numbers of all boards jump ahead.
func (d *Database) Restored(ctx context.Context) ([]Moved, error) {
	return d.jump(ctx, jump{system: d.Lineage().System, told: true})
}

// catchUp lets the numbers of one board jump ahead, if they are behind.
func (d *Database) catchUp(ctx context.Context, name string) ([]Moved, error) {
	return d.jump(ctx, jump{board: name, behind: true})
}

// A jump says which boards are meant.
type jump struct {
	board       string // empty: all
	behind      bool   // only if it is behind what was seen
	system, was string // not empty: if the cluster is still noted as was; afterwards it is this one
	told        bool   // whatever is noted
}

// jump carries out a jump in one transaction. It may run twice: then numbers jump twice.
func (d *Database) jump(ctx context.Context, j jump) (moved []Moved, err error) {
	ctx, done := d.Wait(ctx)
	defer done()
	type found struct {
		Moved
		id   int64
		last time.Time // of its changes; zero: not known
	}
	var boards []found
	var now time.Time
	ours := true
	tx, err := d.Begin(ctx, func(b *pg.Batch) {
		boards, ours = nil, true
		switch {
		case j.system == "":
		case j.told:
			b.Queue(pg.PutValue, keySystem, j.system)
		default:
			ours = false
			b.Queue("update pawl.server set value = $2 where key = $1 and value = $3 returning true", keySystem, j.system, j.was).
				Query(pg.Each(func(pg.Rows) error { ours = true; return nil }))
		}
		b.Queue(`select id, name, rev, last_id, epoch, clock_timestamp(), (select doc from pawl.change c where c.board = b.id order by c.rev desc limit 1)
			from pawl.board b where $1 in ('', name) order by id for no key update of b`, j.board).
			Query(pg.Each(func(rows pg.Rows) error {
				var f found
				var doc *string
				err := rows.Scan(&f.id, &f.Name, &f.Revision, &f.LastID, &f.Epoch, &now, &doc)
				if doc != nil {
					var set struct{ At time.Time }
					_ = json.Unmarshal([]byte(*doc), &set) // what cannot be read stops no board
					f.last = set.At
				}
				boards = append(boards, f)
				return err
			}))
	})
	if err != nil {
		return nil, d.Error(err)
	}
	defer tx.Close()
	if !ours {
		return nil, nil // another server was first
	}
	if d.clock != nil {
		now = d.clock()
	}
	var b pg.Batch
	for _, f := range boards {
		seen := d.seen.get(f.Name)
		if j.behind && !f.Behind(seen) {
			continue
		}
		f.High = f.Past(seen, now, f.last)
		b.Queue("update pawl.board set rev = $2, last_id = $3, trimmed = $2, epoch = $4 where id = $1", f.id, f.Revision, f.LastID, f.Epoch)
		moved = append(moved, f.Moved)
	}
	if len(moved) == 0 && j.system == "" && !j.told {
		return nil, nil
	}
	for _, f := range boards {
		pg.Ring(&b, topic(f.id))
	}
	if err := tx.Commit(ctx, &b); err != nil {
		return nil, d.Error(err)
	}
	for _, m := range moved {
		d.seen.note(m.Name, m.High)
		if d.jumped != nil {
			d.jumped(m)
		}
	}
	return moved, nil
}

// checkEach is how often a server looks whether its database is behind.
const checkEach = time.Second

// Watch looks once a second whether the database is behind, or another one, until ctx
// ends, and calls save after each look, and at the end. A failed look is repeated.
func (d *Database) Watch(ctx context.Context, save func()) {
	tick := time.NewTicker(checkEach)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			save() // who stops in order has not seen more than what was saved
			return
		case <-tick.C:
		}
		_, _ = d.Check(ctx)
		save()
	}
}
