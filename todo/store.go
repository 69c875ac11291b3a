package todo

import (
	"cmp"
	"context"
	"time"
)

// A Store keeps lists. A type is a store if it passes todo/todotest, which has a
// check for each promise:
//
//  1. Lists that Load and Update return share no memory with the store. The store
//     copies the list that fn leaves.
//  2. Update runs fn on the current list and stores the result, whole or not at
//     all. Updates of one key are serialised, across processes too: each sees what
//     every earlier one stored. fn is pure and may run again.
//  3. Update returns an error of fn unchanged and stores nothing. It writes nothing
//     if the list did not change, and removes a list that became blank
//     ([List.Blank]).
//  4. Keys that differ in a byte of their [Key.Normal] form have different lists,
//     whatever names the file system allows.
//  5. A list that cannot be read is set aside and reported ([Store.Problems]). The
//     key has a blank list from then on.
//  6. Lists returns every key that has something and changed after a time, the
//     newest first. It may return older ones too.
//  7. A failure of storage is a *[StorageError].
type Store interface {
	// Load returns the list of a key, or a blank one.
	Load(ctx context.Context, key Key) (List, error)
	// Update changes the list of a key and returns what is stored afterwards.
	Update(ctx context.Context, key Key, fn func(*List) error) (List, error)
	// Lists returns the head of every list that changed after a time; of all with
	// the zero time.
	Lists(ctx context.Context, after time.Time) ([]Head, error)
	// Remove deletes a list with all that is remembered with it.
	Remove(ctx context.Context, key Key) error
	// Problems returns what was set aside since the last call, a sentence each.
	Problems() []string
}

// A Head is the part of a list that is needed to choose one, without its texts.
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

// Panels is a store that knows whether a panel is open on a session. A panel holds
// a lock, so a killed panel counts as closed at once.
type Panels interface {
	// OpenPanel holds the session's lock until closed is called, or the process
	// ends. Several may hold it.
	OpenPanel(ctx context.Context, session string) (closed func() error, err error)
	// PanelOpen reports whether anybody holds it.
	PanelOpen(ctx context.Context, session string) (bool, error)
}

// Looker is a store that reads a list faster without its past.
type Looker interface {
	// Look is Load without Past.
	Look(ctx context.Context, key Key) (List, error)
}

// A Stamper is a store that can tell whether a list may have changed without
// reading it. If the clock of the storage is coarse, a change right after another
// may show late, so callers also read the list now and then.
type Stamper interface {
	// Stamp returns a text that differs after each change of a list, its tool
	// calls included.
	Stamp(ctx context.Context, key Key) (string, error)
	// StampAll is the same for what Lists returns, tool calls not included.
	StampAll(ctx context.Context) (string, error)
}

// Sweeper is a store that can remove old lists.
type Sweeper interface {
	// Sweep removes lists without open todos that were last changed before
	// done, and those with open ones before open, and what was set aside before
	// done. It returns how many lists it removed.
	Sweep(ctx context.Context, done, open time.Time) (int, error)
}

// A StorageError is a failure of the storage, in the words that agents see.
type StorageError struct {
	Why   Why
	Cause error
}

// Why storage failed.
type Why uint8

// The reasons.
const (
	Other  Why = iota // see the cause
	Denied            // no permission, or a read-only file system
	Full              // no space, or the quota is used up
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

// Newest orders heads by time, the newest first, then by key.
func Newest(a, b Head) int {
	return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Agent, b.Agent))
}
