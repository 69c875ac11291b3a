// Package keeper is what a server keeps of the sessions of coding agents on its boards:
// who works where, and the todo list of each. A [Storage] stores them: a folder, or a
// database that several servers share.
//
// Everybody with a token for a board reads all of its sessions, and writes those of
// the token. A session is stored before the answer: what a machine was told to be kept
// is kept. What goes wrong with one of them leaves the others.
package keeper

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/sessions"
	"github.com/pawl-dev/pawl/todo"
)

// The limits. A token that sends more loses its oldest sessions, and no other one's.
const (
	MostSessions = 200       // of a token, on a board
	MostBytes    = 16 << 20  // of what is stored of them
	room         = 2 << 20   // bytes of the lists that come with an answer
	fits         = 256 << 10 // bytes of a list that comes with an answer
	mostGone     = 1000      // removed sessions that are remembered
)

// How long a session is kept that nobody comes back to.
const (
	keepSeen = 24 * time.Hour // without a list
	keepDone = 30 * 24 * time.Hour
)

// A Keeper is safe for concurrent use.
type Keeper struct {
	storage Storage
	warn    func(string)

	mu     sync.Mutex
	boards map[string]*board
}

// New returns the keeper of a storage. Nothing is read or made yet.
func New(storage Storage, warn func(string)) *Keeper {
	return &Keeper{storage: storage, warn: warn, boards: map[string]*board{}}
}

// Open returns the keeper of a folder, which only this process uses.
func Open(dir string, now func() time.Time, warn func(string)) *Keeper {
	return New(Folder(dir, now), warn)
}

// A board is the sessions of one: what its shelf has, without the lists.
type board struct {
	*Keeper
	shelf Shelf
	turn  chan struct{} // has room for the one who works on the board

	Mark
	all     map[string]*Record
	gone    []Record // the oldest first
	floor   uint64   // what was removed until then is not known
	now     time.Time
	looked  time.Time // when the shelf was asked last
	changed chan struct{}
	swept   time.Time
}

// look gives fn the sessions of a board as they are now. Nobody else works on them until
// it returns.
func (k *Keeper) look(ctx context.Context, name string, fn func(context.Context, *board) error) error {
	asked := time.Now()
	return k.on(ctx, name, func(ctx context.Context, b *board) error {
		if !b.looked.After(asked) { // else somebody looked for all who waited
			looked := time.Now()
			news, err := b.shelf.News(ctx, b.Mark)
			if err != nil {
				return err
			}
			b.learn(news)
			b.looked = looked
		}
		b.sweep(ctx)
		return fn(ctx, b)
	})
}

// change lets fn change what is stored of a board. If fn fails after it changed
// something, an atomic shelf has nothing of it.
func (k *Keeper) change(ctx context.Context, name string, fn func(context.Context, *desk) error) error {
	return k.on(ctx, name, func(ctx context.Context, b *board) error {
		err := b.update(ctx, fn)
		if err == nil {
			b.sweep(ctx)
		}
		return err
	})
}

// patience is how long a request waits for its board and for the storage.
const patience = 10 * time.Second

func (k *Keeper) on(ctx context.Context, name string, fn func(context.Context, *board) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	k.mu.Lock()
	b := k.boards[name]
	if b == nil {
		b = &board{Keeper: k, shelf: k.storage.Shelf(name, k.warn), turn: make(chan struct{}, 1), changed: make(chan struct{})}
		k.boards[name] = b
	}
	k.mu.Unlock()
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		return pawl.Errorf(pawl.Unavailable, "the todo lists of this board are busy: %w", ctx.Err())
	}
	defer func() { <-b.turn }()
	return fn(ctx, b)
}

// learn takes in what others changed.
func (b *board) learn(n News) {
	if b.now = n.Now; n.Whole {
		b.all, b.gone = map[string]*Record{}, nil
	}
	for i := range n.Records {
		r := &n.Records[i]
		delete(b.all, r.ID)
		if r.Gone {
			b.remember(*r)
		} else {
			b.all[r.ID] = r
		}
	}
	moved := b.Mark != n.Mark
	if b.Mark, b.floor = n.Mark, n.Floor; moved {
		b.wake()
	}
}

func (b *board) update(ctx context.Context, fn func(context.Context, *desk) error) error {
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		before := b.Mark
		err := b.shelf.Update(ctx, b.Mark, func(n News, d Desk) error {
			b.learn(n)
			before = b.Mark
			return fn(ctx, &desk{b, d})
		})
		switch {
		case b.Mark == before:
		case err != nil && b.shelf.Atomic():
			b.Mark, b.all, b.gone, b.looked = Mark{}, nil, nil, time.Time{} // only the shelf knows what is stored
		default:
			b.wake()
		}
		if _, again := errors.AsType[*again](err); !again {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
	}
}

// The pauses before an update is tried again.
const (
	firstPause = 20 * time.Millisecond
	mostPause  = 500 * time.Millisecond
)

// Again is the error of an update that stored nothing, as the shelf knows, and that may
// work soon: the keeper tries it again while its caller waits.
func Again(err error) error { return &again{err} }

type again struct{ error }

func (a *again) Unwrap() error { return a.error }

// A desk changes the sessions of a board.
type desk struct {
	*board
	Desk
}

// idOf names a session on its shelf. Nobody can guess or choose it into another one's.
func idOf(token, home string, key todo.Key) string {
	sum := sha256.New()
	for _, part := range []string{token, home, key.Session, key.Agent} {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Send keeps what a machine says of its sessions, in the name of a token.
func (k *Keeper) Send(ctx context.Context, name string, by access.Token, send remote.Send) (remote.Sent, error) {
	if err := by.MayChange(); err != nil {
		return remote.Sent{}, err
	}
	if n := len(send.Sessions); n > remote.MaxSend {
		return remote.Sent{}, pawl.Errorf(pawl.Invalid, "%d sessions in a request are too many: send at most %d", n, remote.MaxSend)
	}
	if send.Home == "" || len(send.Home) > remote.MaxWord {
		return remote.Sent{}, pawl.Errorf(pawl.Invalid, "home names the machine's user, in 1 to %d bytes", remote.MaxWord)
	}
	for i := range send.Sessions {
		if err := send.Sessions[i].Check(); err != nil {
			return remote.Sent{}, fmt.Errorf("sessions[%d]: %w", i, err)
		}
	}
	var sent remote.Sent
	err := k.change(ctx, name, func(ctx context.Context, d *desk) error {
		sent.Versions = sent.Versions[:0] // fn may run again
		shift := remote.Apart(send.Now, d.now)
		for _, s := range send.Sessions {
			s.Home, s.Name, s.Person = send.Home, by.Name, by.Person
			if !s.Seen.IsZero() {
				s.Seen = s.Seen.Add(shift).UTC().Truncate(time.Millisecond)
			}
			if s.Seen.After(d.now) {
				s.Seen = d.now
			}
			if s.List != nil {
				list := *s.List
				s.List = &list
				s.List.Shift(shift)
			}
			version, err := d.put(ctx, by.ID, s)
			if err != nil {
				return err
			}
			sent.Versions = append(sent.Versions, version)
		}
		return nil
	})
	return sent, err
}

// put keeps a session, and returns the version that is kept. 0 asks for the whole of
// one that is not known, or that a restored backup has an unknown version of: then it
// has version 0.
func (d *desk) put(ctx context.Context, token string, s remote.Session) (int64, error) {
	s.ID = idOf(token, s.Home, todo.Key{Session: s.Session, Agent: s.Agent})
	was := d.all[s.ID]
	switch {
	case was != nil && s.Version <= was.Version:
		return was.Version, nil
	case s.Keep && (was == nil || was.Version == 0):
		return 0, nil
	case was == nil:
		if i := slices.IndexFunc(d.gone, func(r Record) bool { return r.ID == s.ID }); i >= 0 && s.Version <= d.gone[i].Version {
			return d.gone[i].Version, nil
		}
	}
	s.Head = HeadOf(s.List)
	if s.Keep {
		s.Head = was.Head
	} else if s.Head == nil {
		s.List = nil
	}
	if was != nil && s.Seen.Before(was.Seen) {
		s.Seen = was.Seen
	}
	if s.Ended && s.Head == nil {
		return s.Version, d.remove(ctx, s.ID, s.Version)
	}
	if s.Keep && was.Ended == s.Ended && was.Machine == s.Machine && was.Program == s.Program && was.Folder == s.Folder {
		r := *was
		r.Version, r.Seen, r.Seq = s.Version, s.Seen, d.Seq+1
		if err := d.Saw(ctx, r); err != nil {
			return 0, err
		}
		d.have(r)
		return s.Version, nil
	}
	k := Kept{Token: token, Session: s}
	if s.Keep {
		all, err := d.Read(ctx, s.ID)
		if err != nil {
			return 0, err
		}
		k.Session.List, k.Session.Keep, k.Own = all[s.ID].Session.List, false, all[s.ID].Own
	}
	return s.Version, d.save(ctx, k)
}

// HeadOf is [sessions.HeadOf] with a title of a line.
func HeadOf(l *remote.List) *remote.ListHead {
	head := sessions.HeadOf(l)
	if head != nil && len(head.Title) > remote.MaxWord {
		head.Title = string([]rune(head.Title)[:min(100, len([]rune(head.Title)))])
	}
	return head
}

// save writes a session.
func (d *desk) save(ctx context.Context, k Kept) error {
	r := k.Record()
	r.Seq = d.Seq + 1
	var err error
	if r.Size, err = d.Write(ctx, k, r.Seq); err != nil {
		return err
	}
	d.have(r)
	return d.limit(ctx, k.Token, r.ID)
}

// have takes in a change of this server.
func (b *board) have(r Record) {
	b.Seq = r.Seq
	if r.Gone {
		delete(b.all, r.ID)
		b.remember(r)
	} else {
		b.all[r.ID] = &r
	}
}

func (b *board) wake() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// remember adds a session to those that were removed.
func (b *board) remember(r Record) {
	b.gone = append(slices.DeleteFunc(b.gone, func(was Record) bool { return was.ID == r.ID }), r)
}

func (d *desk) remove(ctx context.Context, id string, version int64) error {
	was := d.all[id]
	if was == nil {
		return nil
	}
	r := Record{Session: remote.Session{ID: id, Version: version}, Token: was.Token, Gone: true, Seq: d.Seq + 1}
	if err := d.Remove(ctx, r); err != nil {
		return err
	}
	if d.have(r); len(d.gone) <= mostGone {
		return nil
	}
	d.floor = d.gone[0].Seq
	d.gone = slices.Delete(d.gone, 0, 1)
	return d.Trim(ctx, d.floor)
}

// limit removes the oldest sessions of a token that has too many, but not the one that
// it just sent.
func (d *desk) limit(ctx context.Context, token, but string) error {
	var own []*Record
	var bytes int64
	for _, r := range d.all {
		if r.Token == token {
			own, bytes = append(own, r), bytes+r.Size
		}
	}
	if len(own) <= MostSessions && bytes <= MostBytes {
		return nil
	}
	slices.SortFunc(own, func(x, y *Record) int { return x.last().Compare(y.last()) })
	n := len(own)
	for _, r := range own {
		if n <= MostSessions && bytes <= MostBytes {
			return nil
		}
		if r.ID == but {
			continue
		}
		if err := d.remove(ctx, r.ID, r.Version); err != nil {
			return err
		}
		n, bytes = n-1, bytes-r.Size
	}
	return nil
}

// last is when something of a session changed.
func (r *Record) last() time.Time {
	last := r.Seen
	if r.Head != nil && r.Head.UpdatedAt.After(last) {
		last = r.Head.UpdatedAt
	}
	if r.Own != nil && r.Own.UpdatedAt.After(last) {
		last = r.Own.UpdatedAt
	}
	return last
}

// sweep removes the sessions that nobody came back to, once in a while.
func (b *board) sweep(ctx context.Context) {
	if b.now.Sub(b.swept) < time.Hour {
		return
	}
	b.swept = b.now
	if !slices.ContainsFunc(slices.Collect(maps.Values(b.all)), b.left) {
		return
	}
	if err := b.update(ctx, func(ctx context.Context, d *desk) error {
		for id, r := range d.all {
			if d.left(r) {
				if err := d.remove(ctx, id, r.Version); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		b.warn(err.Error())
	}
}

// left reports whether nobody came back to a session for long.
func (b *board) left(r *Record) bool {
	h := r.Head
	if r.Own != nil {
		h = &r.Own.ListHead
	}
	keep := keepSeen
	if h != nil && h.Pending+h.InProgress > 0 {
		keep = todo.KeepOpen
	} else if h != nil && h.Completed+h.Past > 0 || r.Head != nil {
		keep = keepDone
	}
	return b.now.Sub(r.last()) > keep
}
