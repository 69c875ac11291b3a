package todo

import (
	"cmp"
	"context"
	"time"
)

// A Store keeps lists. What makes a type a store is that it passes todo/todotest,
// which has a check for each promise:
//
//  1. What Load and Update return shares no memory with the store, and what fn
//     left in its list is not kept but copied.
//  2. Update runs fn on the list as it is and stores what fn made of it, whole
//     or not at all. Updates of one key follow one another, across processes,
//     too: each sees what every earlier one stored. fn is pure and may run again.
//  3. An error of fn is returned as it is, and stores nothing. Nothing is
//     written when the list is as it was, and a list that has become blank
//     ([List.Blank]) leaves nothing behind.
//  4. Keys are kept apart by every byte of their [Key.Normal] form, whatever
//     names a file system knows.
//  5. A list that cannot be read is set aside, and told ([Store.Problems]): the
//     key has a blank one from then on.
//  6. Lists tells of every key that has something and changed after a time, the
//     newest first. It may tell of older ones, too.
//  7. A failure of storage is a *[StorageError].
type Store interface {
	// Load returns the list of a key; a blank one where there is none.
	Load(ctx context.Context, key Key) (List, error)
	// Update changes the list of a key and returns what is stored afterwards.
	Update(ctx context.Context, key Key, fn func(*List) error) (List, error)
	// Lists returns the head of every list that changed after a time; of all with
	// the zero time.
	Lists(ctx context.Context, after time.Time) ([]Head, error)
	// Remove takes a list away with all that is remembered with it.
	Remove(ctx context.Context, key Key) error
	// Problems tells what was set aside since the last time it was asked, a
	// sentence each.
	Problems() []string
}

// A Head is a list without its texts, as far as whoever chooses one needs it.
type Head struct {
	Key
	Project    string
	StartedAt  time.Time
	UpdatedAt  time.Time // when its todos changed last; tool calls do not count
	Pending    int
	InProgress int
	Completed  int
	Past       int       // how many are remembered
	FinishedAt time.Time // when all of the list was done last; zero: never, or it is not remembered
	Title      string    // the content of the current todo, else of the first open one, else of the last that left
	Paused     bool
}

// Head returns the head of a list.
func (l *List) Head() Head {
	h := Head{
		Key: l.Key, Project: l.Project, StartedAt: l.StartedAt, UpdatedAt: l.UpdatedAt,
		Past: len(l.Past), Paused: l.Pause != nil,
	}
	for i := range l.Items {
		switch l.Items[i].Status {
		case InProgress:
			h.InProgress++
			h.Title = l.Items[i].Content
		case Completed:
			h.Completed++
		default:
			h.Pending++
			if h.Title == "" {
				h.Title = l.Items[i].Content
			}
		}
	}
	if done, ok := l.LastFinished(); ok {
		h.FinishedAt = done.At
	}
	if n := len(l.Past); h.Title == "" && n > 0 {
		h.Title = l.Past[n-1].Item.Content
	}
	return h
}

// Panels is a store that knows whether somebody watches a session: a panel
// holds a lock, so that one that was killed counts as closed at once.
type Panels interface {
	// OpenPanel holds the session's lock until closed is called, or the process
	// ends. Several may hold it.
	OpenPanel(ctx context.Context, session string) (closed func() error, err error)
	// PanelOpen reports whether anybody holds it.
	PanelOpen(ctx context.Context, session string) (bool, error)
}

// Looker is a store that reads a list faster when nobody asks for its past.
type Looker interface {
	// Look is Load without Past.
	Look(ctx context.Context, key Key) (List, error)
}

// A Stamper is a store that tells, without reading a list, whether it may be
// another one than before. Where the clock of the storage is coarse, a change
// just after another may show late: whoever goes by stamps looks anyway now and
// then.
type Stamper interface {
	// Stamp returns what is another text after each change of a list, its tool
	// calls included.
	Stamp(ctx context.Context, key Key) (string, error)
	// StampAll is the same for what Lists returns, tool calls not included.
	StampAll(ctx context.Context) (string, error)
}

// Sweeper is a store that grows old lists.
type Sweeper interface {
	// Sweep removes lists without open todos that were last changed before
	// done, and those with open ones before open, and what was set aside before
	// done. It returns how many lists it removed.
	Sweep(ctx context.Context, done, open time.Time) (int, error)
}

// A StorageError is a failure to reach what keeps the lists, in the words that
// agents get to see.
type StorageError struct {
	Why   Why
	Cause error
}

// Why storage failed.
type Why uint8

// The reasons.
const (
	Elsewise Why = iota // see the cause
	Denied              // no permission, or a read-only file system
	Full                // no space, or the quota is used up
)

func (e *StorageError) Error() string {
	switch e.Why {
	case Denied:
		return "Permission denied accessing todo storage"
	case Full:
		return "Storage full, cannot save todos"
	}
	return "Failed to access todo storage: " + e.Cause.Error()
}

func (e *StorageError) Unwrap() error { return e.Cause }

// Newest orders heads, the newest first, and keys where that does not decide.
func Newest(a, b Head) int {
	return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Agent, b.Agent))
}
