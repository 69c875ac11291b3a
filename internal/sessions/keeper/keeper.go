// Package keeper is what a server keeps of the sessions of coding agents on its boards:
// who works where, and the todo list of each.
//
//	DIR/shop/3f0a…e1.json   a session: of a token, a machine's user, a session there, an agent of it
//
// Everybody with a token for a board reads all of its sessions, and writes those of
// the token. A file is replaced whole and synced before the answer: what a machine was
// told to be kept is kept. What goes wrong with one of them leaves the others.
package keeper

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	MostBytes    = 16 << 20  // of their files
	room         = 2 << 20   // bytes of the lists that come with an answer
	fits         = 256 << 10 // bytes of a list that comes with an answer
	mostGone     = 1000      // removed sessions that are remembered
	seldom       = time.Minute
)

// How long a session is kept that nobody comes back to.
const (
	keepSeen = 24 * time.Hour // without a list
	keepDone = 30 * 24 * time.Hour
)

// A Keeper is safe for concurrent use. One process uses a folder.
type Keeper struct {
	dir  string
	now  func() time.Time
	warn func(string)

	mu     sync.Mutex
	boards map[string]*board
}

// Open returns the keeper of a folder. Nothing is read or made yet.
func Open(dir string, now func() time.Time, warn func(string)) *Keeper {
	return &Keeper{dir: dir, now: func() time.Time { return now().UTC().Truncate(time.Millisecond) }, warn: warn, boards: map[string]*board{}}
}

// A board is the sessions of one.
type board struct {
	*Keeper
	name string
	dir  string

	mu      sync.Mutex
	loaded  bool
	epoch   string
	seq     uint64
	all     map[string]*entry
	gone    []removed // the oldest first
	floor   uint64    // what was removed until then is not known
	changed chan struct{}
	swept   time.Time
}

// An entry is a session without its list.
type entry struct {
	remote.Session
	token string
	size  int64  // of its file
	seq   uint64 // of its last change
	saved time.Time
}

type removed struct {
	id      string
	version int64
	seq     uint64
}

// on returns the sessions of a board, locked.
func (k *Keeper) on(name string) *board {
	k.mu.Lock()
	b := k.boards[name]
	if b == nil {
		b = &board{Keeper: k, name: name, dir: filepath.Join(k.dir, name), all: map[string]*entry{}, changed: make(chan struct{}), epoch: rand.Text()[:8]}
		k.boards[name] = b
	}
	k.mu.Unlock()
	b.mu.Lock()
	if !b.loaded {
		b.load()
		b.loaded = true
	}
	b.sweep()
	return b
}

// idOf names a session's file. Nobody can guess or choose it into another one's.
func idOf(token, home string, key todo.Key) string {
	sum := sha256.New()
	for _, part := range []string{token, home, key.Session, key.Agent} {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Send keeps what a machine says of its sessions, in the name of a token.
func (k *Keeper) Send(name string, by access.Token, send remote.Send) (remote.Sent, error) {
	var sent remote.Sent
	if err := by.MayChange(); err != nil {
		return sent, err
	}
	if n := len(send.Sessions); n > remote.MaxSend {
		return sent, pawl.Errorf(pawl.Invalid, "%d sessions in a request are too many: send at most %d", n, remote.MaxSend)
	}
	if send.Home == "" || len(send.Home) > remote.MaxWord {
		return sent, pawl.Errorf(pawl.Invalid, "home names the machine's user, in 1 to %d bytes", remote.MaxWord)
	}
	for i := range send.Sessions {
		if err := send.Sessions[i].Check(); err != nil {
			return sent, fmt.Errorf("sessions[%d]: %w", i, err)
		}
	}
	b := k.on(name)
	defer b.mu.Unlock()
	shift := remote.Apart(send.Now, k.now())
	for _, s := range send.Sessions {
		s.Home, s.Name, s.Person = send.Home, by.Name, by.Person
		if !s.Seen.IsZero() {
			s.Seen = s.Seen.Add(shift).UTC().Truncate(time.Millisecond)
		}
		if s.Seen.After(k.now()) {
			s.Seen = k.now()
		}
		if s.List != nil {
			s.List.Shift(shift)
		}
		version, err := b.put(by.ID, s)
		if err != nil {
			return sent, err
		}
		sent.Versions = append(sent.Versions, version)
	}
	return sent, nil
}

// put keeps a session, and returns the version that is kept. 0 asks for the whole of
// one that is not known.
func (b *board) put(token string, s remote.Session) (int64, error) {
	s.ID = idOf(token, s.Home, todo.Key{Session: s.Session, Agent: s.Agent})
	was := b.all[s.ID]
	switch {
	case was != nil && s.Version <= was.Version:
		return was.Version, nil
	case was == nil && s.Keep:
		return 0, nil
	case was == nil:
		if i := slices.IndexFunc(b.gone, func(r removed) bool { return r.id == s.ID }); i >= 0 && s.Version <= b.gone[i].version {
			return b.gone[i].version, nil
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
		return s.Version, b.remove(s.ID, s.Version)
	}
	if s.Keep && was.Ended == s.Ended && was.Machine == s.Machine && was.Program == s.Program && was.Folder == s.Folder && b.now().Sub(was.saved) < seldom {
		was.Version, was.Seen = s.Version, s.Seen // a sign that it is there is not worth the disk each time
		b.touch(was)
		return s.Version, nil
	}
	return s.Version, b.save(token, s, nil)
}

// HeadOf is [sessions.HeadOf] with a title of a line.
func HeadOf(l *remote.List) *remote.ListHead {
	head := sessions.HeadOf(l)
	if head != nil && len(head.Title) > remote.MaxWord {
		head.Title = string([]rune(head.Title)[:min(100, len([]rune(head.Title)))])
	}
	return head
}

// save writes a session, and with it what only the server's own lists have.
func (b *board) save(token string, s remote.Session, own *ownList) error {
	if s.Keep {
		f, err := b.read(s.ID)
		if err != nil {
			return err
		}
		s.List, s.Keep, own = f.Session.List, false, f.Own
	}
	size, err := b.write(file{Format: format, Token: token, Session: s, Own: own})
	if err != nil {
		return err
	}
	s.List = nil
	e := &entry{Session: s, token: token, size: size, saved: b.now()}
	b.all[s.ID] = e
	b.touch(e)
	return b.limit(token, s.ID)
}

// touch marks a session as changed.
func (b *board) touch(e *entry) {
	b.seq++
	e.seq = b.seq
	b.wake()
}

func (b *board) wake() {
	close(b.changed)
	b.changed = make(chan struct{})
}

func (b *board) remove(id string, version int64) error {
	if b.all[id] == nil {
		return nil
	}
	if err := b.unlink(id); err != nil {
		return err
	}
	delete(b.all, id)
	b.seq++
	if b.gone = append(b.gone, removed{id, version, b.seq}); len(b.gone) > mostGone {
		b.floor = b.gone[0].seq
		b.gone = slices.Delete(b.gone, 0, 1)
	}
	b.wake()
	return nil
}

// limit removes the oldest sessions of a token that has too many, but not the one that
// it just sent.
func (b *board) limit(token, but string) error {
	var own []*entry
	var bytes int64
	for _, e := range b.all {
		if e.token == token {
			own, bytes = append(own, e), bytes+e.size
		}
	}
	slices.SortFunc(own, func(x, y *entry) int { return x.last().Compare(y.last()) })
	n := len(own)
	for _, e := range own {
		if n <= MostSessions && bytes <= MostBytes {
			return nil
		}
		if e.ID == but {
			continue
		}
		if err := b.remove(e.ID, e.Version); err != nil {
			return err
		}
		n, bytes = n-1, bytes-e.size
	}
	return nil
}

func (e *entry) last() time.Time {
	if e.Head != nil && e.Head.UpdatedAt.After(e.Seen) {
		return e.Head.UpdatedAt
	}
	return e.Seen
}

// sweep removes the sessions that nobody came back to, once in a while.
func (b *board) sweep() {
	now := b.now()
	if now.Sub(b.swept) < time.Hour {
		return
	}
	b.swept = now
	for id, e := range b.all {
		keep := keepSeen
		if e.Head != nil {
			if keep = keepDone; e.Head.Pending+e.Head.InProgress > 0 {
				keep = todo.KeepOpen
			}
		}
		if now.Sub(e.last()) > keep {
			if err := b.remove(id, e.Version); err != nil {
				b.warn(err.Error())
			}
		}
	}
}

// Lists returns what changed of a board's sessions since a stamp, and waits for that
// as long as it is told.
func (k *Keeper) Lists(ctx context.Context, name, since string, wait time.Duration) (remote.Lists, error) {
	b := k.on(name)
	defer func() { b.mu.Unlock() }()
	seq, known := b.parse(since)
	if known && seq == b.seq && wait > 0 {
		changed := b.changed
		b.mu.Unlock()
		timer := time.NewTimer(min(wait, remote.MaxWait))
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		b.mu.Lock()
	}
	lists := remote.Lists{Stamp: b.stamp(), Now: b.now(), Whole: !known}
	if known {
		for _, r := range b.gone {
			if r.seq > seq && b.all[r.id] == nil {
				lists.Gone = append(lists.Gone, r.id)
			}
		}
	}
	some := slices.DeleteFunc(slices.Collect(maps.Values(b.all)), func(e *entry) bool { return known && e.seq <= seq })
	slices.SortFunc(some, func(x, y *entry) int {
		return cmp.Or(y.last().Compare(x.last()), cmp.Compare(x.Session.Session, y.Session.Session), cmp.Compare(x.Agent, y.Agent), cmp.Compare(x.ID, y.ID))
	})
	left := int64(room)
	for _, e := range some {
		s := e.Session
		if s.Head != nil && e.size <= min(left, fits) {
			if f, err := b.read(e.ID); err == nil {
				s.List, left = f.Session.List, left-e.size
			}
		}
		lists.Sessions = append(lists.Sessions, s)
	}
	return lists, ctx.Err()
}

func (b *board) stamp() string { return b.epoch + "." + strconv.FormatUint(b.seq, 10) }

// parse returns the number in a stamp, if what changed since is known.
func (b *board) parse(stamp string) (seq uint64, known bool) {
	epoch, number, _ := strings.Cut(stamp, ".")
	seq, err := strconv.ParseUint(number, 10, 64)
	return seq, err == nil && epoch == b.epoch && seq <= b.seq && seq >= b.floor
}

// List returns a session with its list.
func (k *Keeper) List(name, id string) (remote.Session, error) {
	b := k.on(name)
	defer b.mu.Unlock()
	e := b.all[id]
	if e == nil {
		return remote.Session{}, pawl.Errorf(pawl.NotFound, "this session is not known here, or it was removed")
	}
	f, err := b.read(id)
	if err != nil {
		return remote.Session{}, err
	}
	s := e.Session
	s.List = f.Session.List
	return s, nil
}
