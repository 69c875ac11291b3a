package tables

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/server/pg"
)

const (
	// trusted is for how long what was read of the tokens counts: within this time a
	// token that was revoked anywhere ends everywhere, or nobody is let in.
	trusted = 4 * time.Second
	// lookTime bounds a look at the table, and lookAgain is the pause after one: tokens
	// that nobody knows may ask for one at any time. They wait for it.
	lookTime  = 2 * time.Second
	lookAgain = 100 * time.Millisecond
)

// Tokens is the [access.Refresher] of a table. Its copy is at most a few seconds old,
// so that no request waits for the database to learn whose it is.
type Tokens struct {
	db  *pg.Database
	now func() time.Time

	looking sync.Mutex // one look at a time
	mu      sync.Mutex
	known   map[string]access.Entry
	stamp   string
	seen    time.Time            // when that was so
	begun   time.Time            // when the last look began
	tried   time.Time            // when it ended
	broken  error                // why the last look failed
	ended   map[string]time.Time // when those were revoked that were seen to be
}

// In returns the tokens of a database. Nothing is read yet.
func In(db *pg.Database) *Tokens {
	return &Tokens{db: db, now: time.Now, ended: map[string]time.Time{}}
}

// Ended returns the tokens that were seen to be revoked, for a file that survives the
// process; Remember adds those of an earlier process. A restored backup may lack some
// of these revocations: none of these tokens becomes valid again.
func (t *Tokens) Ended() map[string]time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.ended)
}

// Remember must be called before the tokens are read.
func (t *Tokens) Remember(ended map[string]time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.Copy(t.ended, ended)
}

// end revokes what has come back. The table does not change while nothing has.
func (t *Tokens) end(known map[string]access.Entry) (ids []string, at []int64) {
	for id, e := range known {
		was, ended := t.ended[id]
		switch {
		case !e.Revoked.IsZero():
			t.ended[id] = e.Revoked
		case ended:
			e.Revoked = was
			known[id] = e
			ids, at = append(ids, id), append(at, was.UnixMilli())
		}
	}
	return ids, at
}

// endAgain revokes in the table again, for the other servers: the first that knows of a
// revocation tells them so.
const endAgain = `with ended as (
		update pawl.token t set revoked = n.at from unnest($1::text[], $2::bigint[]) n(id, at) where t.id = n.id and t.revoked is null returning true)
	insert into pawl.server (key, value) select $3, $4 where exists (select from ended) on conflict (key) do update set value = excluded.value`

var _ access.Refresher = (*Tokens)(nil)

// Load returns the known tokens. If they are too old, one caller reads them again now
// and then, and the others fail at once as Unavailable.
func (t *Tokens) Load(was any) (map[string]access.Entry, any, error) {
	t.mu.Lock()
	now := t.now()
	due := now.Sub(t.seen) > trusted && now.Sub(t.tried) > access.Fresh
	t.mu.Unlock()
	if due && t.looking.TryLock() {
		_ = t.refresh(context.Background()) // kept as broken
		t.looking.Unlock()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || t.now().Sub(t.seen) > trusted {
		if t.broken != nil {
			return nil, nil, t.broken
		}
		return nil, nil, pawl.Errorf(pawl.Unavailable, "the tokens cannot be read in time")
	}
	if was == t.stamp {
		return nil, was, nil
	}
	return maps.Clone(t.known), t.stamp, nil
}

// Refresh reads the table, or waits for a read that began after this call: all that the
// table had before the call is known after it.
func (t *Tokens) Refresh(ctx context.Context) error {
	began := t.now()
	t.looking.Lock()
	defer t.looking.Unlock()
	t.mu.Lock()
	fresh, broken, pause := t.begun.After(began), t.broken, lookAgain-t.now().Sub(t.tried)
	t.mu.Unlock()
	if fresh {
		return broken
	}
	if pause > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(pause, lookAgain)):
		}
	}
	return t.refresh(ctx)
}

func (t *Tokens) refresh(ctx context.Context) error {
	ctx, done := context.WithTimeout(ctx, lookTime)
	defer done()
	t.mu.Lock()
	began := t.now()
	known, stamp := t.known, t.stamp
	t.begun = began
	t.mu.Unlock()
	now, stamp, err := t.look(ctx, known, stamp)
	var ids []string
	var at []int64
	t.mu.Lock()
	if err == nil && stamp != t.stamp {
		ids, at = t.end(now)
	}
	if t.tried, t.broken = t.now(), err; err == nil {
		t.known, t.stamp, t.seen = now, stamp, began
	}
	t.mu.Unlock()
	if ids != nil {
		// If it fails, these have ended here, and others warn of it: see pawl serve restored.
		_, _ = t.db.Exec(ctx, endAgain, ids, at, keyTokens, newStamp())
	}
	return err
}

// look reads the tokens, if they are others than those that are known.
func (t *Tokens) look(ctx context.Context, known map[string]access.Entry, stamp string) (map[string]access.Entry, string, error) {
	if known != nil {
		now, err := t.db.Value(ctx, keyTokens)
		if err != nil || now == stamp {
			return known, stamp, err
		}
	}
	read := map[string]access.Entry{}
	var wrong error
	err := t.db.Query(ctx, func() { clear(read); wrong = nil }, scanInto(read, &stamp, &wrong), all)
	return read, stamp, errors.Join(err, wrong)
}

// scanInto adds the row of a token to known. wrong says why one does not count.
func scanInto(known map[string]access.Entry, stamp *string, wrong *error) func(pg.Rows) error {
	return func(rows pg.Rows) error {
		var r row
		if err := r.scan(rows, stamp); err != nil || r.id == nil {
			return err
		}
		e, err := r.entry()
		if err != nil {
			*wrong = pawl.Errorf(pawl.Internal, "no token counts, because that with the id %q in the table pawl.token cannot be read: %w", *r.id, err).
				Say("repair that row, or use the Pawl that wrote it")
		}
		known[e.ID] = e
		return nil
	}
}

// Change replaces the tokens by what fn makes of them. It first locks the row of their
// stamp, so that nobody else changes them.
func (t *Tokens) Change(ctx context.Context, fn func(map[string]access.Entry) error) error {
	ctx, done := t.db.Wait(ctx)
	defer done()
	err := t.change(ctx, fn)
	t.mu.Lock()
	t.tried = time.Time{} // the next look is one, whenever the last was
	t.mu.Unlock()
	_ = t.Refresh(ctx) // what was changed is, whether it was seen or not
	return t.db.Error(err)
}

func (t *Tokens) change(ctx context.Context, fn func(map[string]access.Entry) error) error {
	stamp := newStamp()
	known := map[string]access.Entry{}
	var wrong error
	tx, err := t.db.Begin(ctx, func(b *pg.Batch) {
		clear(known)
		wrong = nil
		b.Queue(pg.PutValue, keyTokens, stamp)
		b.Queue(all).Query(pg.Each(scanInto(known, new(string), &wrong)))
	})
	if err != nil {
		return err
	}
	defer tx.Close()
	if wrong != nil {
		return wrong
	}
	before := maps.Clone(known)
	if err := fn(known); err != nil {
		return err
	}
	var b pg.Batch
	for id, e := range known {
		if was, there := before[id]; there && was.Sum == e.Sum && was.Same(&e.Token) && was.Revoked.Equal(e.Revoked) && was.Expires.Equal(e.Expires) {
			continue
		}
		b.Queue(`insert into pawl.token (id, name, person, role, boards, created, expires, revoked, sum) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
			on conflict (id) do update set name = excluded.name, person = excluded.person, role = excluded.role, boards = excluded.boards,
			created = excluded.created, expires = excluded.expires, revoked = excluded.revoked, sum = excluded.sum`,
			id, e.Name, e.Person, string(e.Role), e.Boards, e.Created.UnixMilli(), millis(e.Expires), millis(e.Revoked), e.Sum[:])
	}
	for id := range before {
		if _, still := known[id]; !still {
			b.Queue("delete from pawl.token where id = $1", id)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	err = tx.Commit(ctx, &b)
	if errors.Is(err, pg.ErrUnknown) {
		return t.settle(ctx, stamp, err)
	}
	return err
}

// settle finds out whether a commit with a stamp happened whose answer was lost. That it
// is written once more shows that it is also where a standby takes over.
func (t *Tokens) settle(ctx context.Context, stamp string, lost error) error {
	changed, err := t.db.Exec(ctx, "update pawl.server set value = value where key = $1 and value = $2", keyTokens, stamp)
	if err != nil || changed == 0 {
		return lost
	}
	return nil
}

// Uses returns when each token was used last, as far as servers have recorded it.
func (t *Tokens) Uses(ctx context.Context) (map[string]time.Time, error) {
	var uses map[string]time.Time
	err := t.db.Query(ctx, func() { uses = map[string]time.Time{} }, func(rows pg.Rows) error {
		var id string
		var at int64
		err := rows.Scan(&id, &at)
		uses[id] = time.UnixMilli(at).UTC()
		return err
	}, "select id, used from pawl.token where used is not null")
	return uses, err
}

// Use records when tokens were used, if that is new. It skips locked rows: it could
// deadlock with servers that record the same tokens in another order, or with a
// revocation.
func (t *Tokens) Use(ctx context.Context, at map[string]time.Time) error {
	ids, times := make([]string, 0, len(at)), make([]int64, 0, len(at))
	for id, used := range at {
		ids, times = append(ids, id), append(times, used.UnixMilli())
	}
	_, err := t.db.Exec(ctx, `with free as (select id from pawl.token where id = any($1::text[]) for no key update skip locked)
		update pawl.token t set used = n.used from unnest($1::text[], $2::bigint[]) n(id, used)
		where t.id = n.id and t.id in (select id from free) and (t.used is null or t.used < n.used)`, ids, times)
	return err
}
