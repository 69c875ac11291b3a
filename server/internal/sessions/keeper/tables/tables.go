// Package tables keeps the sessions of coding agents in a database, for all servers in
// front of it: table pawl.session has a row for each, and pawl.session_mark one for each
// board, which writers lock.
//
//	board │ id     seq  about                       list
//	shop  │ 3f0a…  41   {"session":"s1","name":…}   {"list":{…}}
//
// seq counts the changes of a board's sessions. A server that knows them up to 40 asks
// for what is above, and for the list of a session only when somebody wants it.
package tables

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/sessions/keeper"
	"github.com/pawl-dev/pawl/server/pg"
)

// maxList is the most bytes of a list as text, as in a file.
const maxList = 2*remote.MaxListText + 1<<20

// Of returns the sessions of a database as storage. Who opened the database closes it.
func Of(db *pg.Database, options ...Option) keeper.Storage {
	s := &storage{db: db, lookout: newLookout(db)}
	for _, o := range options {
		o(s)
	}
	return s
}

// An Option changes how sessions are kept.
type Option func(*storage)

// WithClock replaces the database's clock, for tests.
func WithClock(clock func() time.Time) Option { return func(s *storage) { s.clock = clock } }

func newEpoch() string { return rand.Text()[:12] }

type storage struct {
	db      *pg.Database
	lookout *lookout
	clock   func() time.Time // nil: the database's own
}

func (s *storage) Shelf(board string, warn func(string)) keeper.Shelf {
	return &shelf{s, board, warn}
}

type shelf struct {
	*storage
	board string
	warn  func(string)
}

func (s *shelf) Atomic() bool { return true }

// news is one statement, so that the records are those of the mark.
const news = `
select m.epoch, m.seq, m.floor, n.now, m.epoch is distinct from $3 or m.floor > $2 or m.seq < $2,
       r.id, r.seq, r.token, r.gone, r.size, r.about, r.own
from (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now) n
left join pawl.session_mark m on m.board = $1
left join pawl.session r on r.board = m.board and r.seq > case when m.epoch = $3 and m.floor <= $2 and m.seq >= $2 then $2 else -1 end
order by r.seq`

// A row is what a query of news answers with.
type row struct {
	epoch            *string
	seq, floor       *int64
	now              int64
	whole            bool
	id, token, about *string
	at, size         *int64
	gone             *bool
	own              *string
}

// take adds a row to the news.
func (s *shelf) take(n *keeper.News, rows pg.Rows) error {
	var r row
	if err := rows.Scan(&r.epoch, &r.seq, &r.floor, &r.now, &r.whole, &r.id, &r.at, &r.token, &r.gone, &r.size, &r.about, &r.own); err != nil {
		return err
	}
	n.Now, n.Whole = time.UnixMilli(r.now).UTC(), r.whole
	if s.clock != nil {
		n.Now = s.clock().UTC().Truncate(time.Millisecond)
	}
	if r.epoch == nil {
		return nil
	}
	n.Mark, n.Floor = keeper.Mark{Epoch: *r.epoch, Seq: uint64(*r.seq)}, uint64(*r.floor)
	if r.id == nil {
		return nil
	}
	record := keeper.Record{Token: *r.token, Size: *r.size, Gone: *r.gone}
	err := json.Unmarshal([]byte(*r.about), &record.Session)
	if err == nil && r.own != nil {
		err = json.Unmarshal([]byte(*r.own), &record.Own)
	}
	if err == nil {
		err = record.Session.Check()
	}
	if err != nil { // it stops no other
		s.warn(fmt.Sprintf("a todo list of the board %s cannot be read, and is left alone: %v", s.board, err))
		return nil
	}
	record.ID, record.Seq = *r.id, uint64(*r.at)
	n.Records = append(n.Records, record)
	return nil
}

// News implements [keeper.Shelf].
func (s *shelf) News(ctx context.Context, since keeper.Mark) (n keeper.News, err error) {
	err = s.db.Query(ctx, func() { n = keeper.News{} }, func(rows pg.Rows) error { return s.take(&n, rows) },
		news, s.board, int64(since.Seq), since.Epoch)
	return n, s.db.Unnamed(err)
}

const read = "select id, token, about, list from pawl.session where board = $1 and id = any($2) and not gone"

// kept reads a row of all of a session.
func kept(rows pg.Rows, all map[string]keeper.Kept) (wrong, err error) {
	var id, token, about string
	var list *string
	if err := rows.Scan(&id, &token, &about, &list); err != nil {
		return nil, err
	}
	k := keeper.Kept{Token: token}
	err = json.Unmarshal([]byte(about), &k.Session)
	if err == nil && list != nil {
		var text listText
		err = json.Unmarshal([]byte(*list), &text)
		k.Session.List, k.Own = text.List, text.Own
	}
	if err == nil {
		err = k.Session.Check()
	}
	if err == nil && k.ID() != id {
		err = errors.New("it is another session's than its id says")
	}
	if err != nil {
		return pawl.Errorf(pawl.Unavailable, "the todo list %s in the database cannot be read: %w", id, err), nil
	}
	all[id] = k
	return nil, nil
}

// listText is the column list.
type listText struct {
	List *remote.List `json:"list,omitempty"`
	Own  *keeper.Own  `json:"own,omitempty"`
}

// Read implements [keeper.Shelf].
func (s *shelf) Read(ctx context.Context, ids ...string) (map[string]keeper.Kept, error) {
	all := make(map[string]keeper.Kept, len(ids))
	var wrong error
	err := s.db.Query(ctx, func() { clear(all); wrong = nil }, func(rows pg.Rows) error {
		bad, err := kept(rows, all)
		wrong = cmp.Or(bad, wrong)
		return err
	}, read, s.board, ids)
	if err != nil {
		return nil, s.db.Unnamed(err)
	}
	return all, wrong
}

// Watch implements [keeper.Shelf].
func (s *shelf) Watch(since keeper.Mark) (<-chan struct{}, func()) {
	return s.lookout.watch(s.board, since)
}

// text is a value as JSON, which PostgreSQL takes: raw JSON of a client may have bytes
// that are not UTF-8.
func text(value any) (string, error) {
	t, err := keeper.Text(value)
	return strings.ToValidUTF8(string(t), "\ufffd"), err
}
