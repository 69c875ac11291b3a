package keeper

import (
	"context"
	"encoding/json"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/sessions"
	"github.com/pawl-dev/pawl/todo"
)

// Storage is where a keeper keeps sessions: a folder ([Folder]), or a database that
// several servers share (package tables).
type Storage interface {
	// Shelf returns the storage of one board's sessions, and reads nothing. warn is
	// told what is left alone because it cannot be read.
	Shelf(board string, warn func(string)) Shelf
}

// A Shelf stores the sessions of one board. Its keeper calls one method at a time, but
// for Watch.
type Shelf interface {
	// News returns what other servers changed since a mark. With the zero mark it
	// returns all records.
	News(ctx context.Context, since Mark) (News, error)
	// Read returns the sessions with these ids, as far as they exist and can be read.
	// The error is about the last one that cannot.
	Read(ctx context.Context, ids ...string) (map[string]Kept, error)
	// Update runs fn at most once, with the news, while no other server changes the board's
	// sessions. What fn wrote survives a crash from then on.
	Update(ctx context.Context, since Mark, fn func(News, Desk) error) error
	// Atomic reports whether a failed Update leaves nothing behind.
	Atomic() bool
	// Watch returns a channel that is closed once another server may have changed
	// something since the mark, until stop is called. It is nil without other servers.
	Watch(since Mark) (changed <-chan struct{}, stop func())
}

// A Desk is what an update works on. It sees its own writes.
type Desk interface {
	Read(ctx context.Context, ids ...string) (map[string]Kept, error)
	// Write replaces a session, and returns its size.
	Write(ctx context.Context, k Kept, seq uint64) (int64, error)
	// Saw records a later version and time of a session whose list did not change. A
	// shelf without other servers may leave that for later.
	Saw(ctx context.Context, r Record) error
	// Remove removes a session, and keeps its id and version.
	Remove(ctx context.Context, r Record) error
	// Trim forgets what was removed until then.
	Trim(ctx context.Context, floor uint64) error
}

// A Mark is a state of a board's sessions: a number that grows with each change,
// counted in an epoch. Numbers of two epochs cannot be compared.
type Mark struct {
	Epoch string
	Seq   uint64
}

// News is what changed between two marks.
type News struct {
	Mark
	Floor   uint64 // what was removed until then is not known
	Whole   bool   // the records are all that exist
	Records []Record
	Now     time.Time // by the clock of the storage
}

// A Record is a session without its list, or what is left of one that was removed: its
// id and version.
type Record struct {
	remote.Session // with its Head
	Token          string
	Size           int64  // of all of it
	Seq            uint64 // of its last change
	Gone           bool
	Own            *OwnHead // nil: a machine has the list, and not this server
}

// Kept is all of a session.
type Kept struct {
	Token   string
	Session remote.Session
	Own     *Own
}

// Own is what a list has besides that belongs to this server, as those of agents do
// that call its tools over HTTP.
type Own struct {
	// Session and Agent are the key, if others get to see a shorter one: a name of a
	// session may have any bytes.
	Session []byte `json:"session,omitempty"`
	Agent   []byte `json:"agent,omitempty"`
	// List is the list, if others cannot read it.
	List    *remote.List   `json:"list,omitempty"`
	Project string         `json:"project,omitempty"`
	News    []string       `json:"news,omitempty"`
	NewsAt  time.Time      `json:"newsAt,omitzero"`
	Before  *todo.Snapshot `json:"before,omitempty"`
	// The check of a list is nobody's who only reads the list: a command may have a secret.
	Check    *pawl.Check     `json:"check,omitempty"`
	Checked  *todo.Checked   `json:"checked,omitempty"`
	BadCheck json.RawMessage `json:"badCheck,omitempty"`
}

// An OwnHead is what the agent gets to see of its list among others.
type OwnHead struct {
	Session []byte `json:"session,omitempty"` // as in [Own]
	Agent   []byte `json:"agent,omitempty"`
	Project string `json:"project,omitempty"`
	remote.ListHead
}

// key is the key of a session in its store.
func (k *Kept) key() todo.Key {
	if k.Own != nil {
		return keyOf(&k.Session, k.Own.Session, k.Own.Agent)
	}
	return keyOf(&k.Session, nil, nil)
}

func keyOf(s *remote.Session, session, agent []byte) todo.Key {
	key := todo.Key{Session: s.Session, Agent: s.Agent}
	if session != nil {
		key = todo.Key{Session: string(session), Agent: string(agent)}
	}
	return key
}

// list is the list as its agent has it.
func (k *Kept) list(key todo.Key) todo.List {
	l := k.Session.List
	if k.Own != nil && k.Own.List != nil {
		l = k.Own.List
	}
	list := sessions.ListOf(l, key, nil)
	if k.Own != nil {
		list.Project, list.News, list.NewsAt, list.Before = k.Own.Project, k.Own.News, k.Own.NewsAt, k.Own.Before
		list.Check, list.Checked, list.BadCheck = k.Own.Check, k.Own.Checked, k.Own.BadCheck
	}
	return list
}

// ID is the name of the session on its shelf.
func (k *Kept) ID() string { return idOf(k.Token, k.Session.Home, k.key()) }

// Record is the session without its list.
func (k *Kept) Record() Record {
	s := k.Session
	s.ID, s.Head, s.List = k.ID(), HeadOf(s.List), nil
	r := Record{Session: s, Token: k.Token}
	if s.Home == home {
		list := k.list(k.key())
		h := list.Head()
		r.Own = &OwnHead{Project: h.Project, ListHead: remote.ListHead{
			StartedAt: h.StartedAt, UpdatedAt: h.UpdatedAt, FinishedAt: h.FinishedAt, Pending: h.Pending, InProgress: h.InProgress,
			Completed: h.Completed, Past: h.Past, Title: h.Title, Paused: h.Paused,
		}}
		if k.Own != nil {
			r.Own.Session, r.Own.Agent = k.Own.Session, k.Own.Agent
		}
	}
	return r
}

// head is the head of a list that belongs to this server.
func (r *Record) head() todo.Head {
	h := &r.Own.ListHead
	return todo.Head{
		Key: keyOf(&r.Session, r.Own.Session, r.Own.Agent), Project: r.Own.Project, StartedAt: h.StartedAt, UpdatedAt: h.UpdatedAt,
		FinishedAt: h.FinishedAt, Pending: h.Pending, InProgress: h.InProgress, Completed: h.Completed, Past: h.Past, Title: h.Title, Paused: h.Paused,
	}
}
