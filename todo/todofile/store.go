// Package todofile keeps todo lists in a folder, one file a list, so that they
// outlive the process and several processes can share them.
//
//	todos/
//	  0f0d7052-3a9c.json              the list of that session's main agent
//	  0f0d7052-3a9c+reviewer.json     that of another agent in it
//	  0f0d7052-3a9c.calls             tool calls that are not in the list's file yet
//	  lost+found/x.json-1767261600000 what could not be read, and when it was found
//	  panels/0f0d7052-3a9c            locked by the panels that are open on a session
//	  .work/3.lock, .work/3.new       a lock for a sixteenth of the lists, and a text on its way
//	  .work/3.calls                   a lock for their tool calls
//
// A list's file:
//
//	{
//	  "version": 1,
//	  "session": "0f0d7052-3a9c",
//	  "project": "/home/ann/shop",
//	  "updatedAt": "2026-01-01T10:00:00Z",
//	  "todos": [
//	    {"id":"1","content":"Write tests","status":"pending","priority":"medium","activeForm":"Writing tests"}
//	  ]
//	}
//
// The file is the truth, and a person may edit it; the page docs/format.md has
// all its keys. It is replaced whole and synced, so a crash leaves the old list
// or the new one. A list with nothing in it has no file. The first write makes
// the folder.
//
// Locks are a fixed number of files that are never removed: a lock for each list
// would lie about long after its session, and one for all would have each agent
// wait for the disk of every other.
package todofile

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/todo"
)

// A Store is safe for concurrent use, and for any number of processes on one
// folder. It keeps nothing open, so it needs no closing; panels do. After Lists it
// remembers the heads.
type Store struct {
	dir  string
	disk disk
	now  func() time.Time

	mu       sync.Mutex
	problems []string
	told     map[string]bool // what problems ever held
	heads    map[string]seen // by name, of lists that were read before
}

var (
	_ todo.Store   = (*Store)(nil)
	_ todo.Panels  = (*Store)(nil)
	_ todo.Sweeper = (*Store)(nil)
	_ todo.CallLog = (*Store)(nil)
	_ todo.Looker  = (*Store)(nil)
	_ todo.Stamper = (*Store)(nil)
)

// An Option changes how a store works.
type Option func(*Store)

// WithClock makes the store take the time of files that it sets aside from now.
func WithClock(now func() time.Time) Option { return func(s *Store) { s.now = now } }

// Open returns the store of a folder, an absolute path. Nothing is read or made
// yet.
func Open(dir string, opts ...Option) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, storageError(err)
	}
	s := &Store{dir: dir, disk: osDisk{dir}, now: time.Now, told: map[string]bool{}}
	for _, opt := range opts {
		opt(s)
	}
	return s, nil
}

// Dir returns the folder in which the command pawl keeps the user's lists, for
// programs that share them. It need not be there.
func Dir(getenv func(string) string) (string, error) {
	state, err := userdir.State(getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(state, "todos"), nil
}

// Load implements [todo.Store]. It takes no lock: a file is there whole.
func (s *Store) Load(ctx context.Context, key todo.Key) (todo.List, error) {
	key = key.Normal()
	doc, err := s.read(ctx, fileName(key), nil)
	if err != nil {
		return todo.List{}, err
	}
	return *doc.look(key), nil // nobody else has it
}

// Look implements [todo.Looker].
func (s *Store) Look(ctx context.Context, key todo.Key) (todo.List, error) {
	key = key.Normal()
	doc, err := s.read(ctx, fileName(key), nothing)
	if err != nil {
		return todo.List{}, err
	}
	list := *doc.look(key)
	list.Past = nil
	return list, nil
}

// Update implements [todo.Store].
func (s *Store) Update(ctx context.Context, key todo.Key, fn func(*todo.List) error) (todo.List, error) {
	key = key.Normal()
	name := fileName(key)
	// Most updates of a hook change nothing. They need no lock, and no right to
	// write.
	doc, err := s.read(ctx, name, nil)
	if err != nil {
		return todo.List{}, err
	}
	list, text, err := doc.change(key, fn)
	if err != nil || text == nil {
		return list, err
	}
	unlock, err := s.lock(ctx, name)
	if err != nil {
		return todo.List{}, err
	}
	defer unlock()
	now, err := s.readLocked(name, doc)
	if err != nil {
		return todo.List{}, err
	}
	if now != doc { // somebody was faster
		if list, text, err = now.change(key, fn); err != nil || text == nil {
			return list, err
		}
	}
	if len(text) == 0 {
		err = s.remove(ctx, name)
	} else if err = s.replace(name, text); err == nil {
		s.emptyLog(ctx, name, now.log)
	}
	if err != nil {
		return todo.List{}, err
	}
	return list, nil
}

// Remove implements [todo.Store].
func (s *Store) Remove(ctx context.Context, key todo.Key) error {
	name := fileName(key.Normal())
	if _, err := s.disk.stat(name); err != nil {
		if absent(err) {
			return nil
		}
		return storageError(err)
	}
	unlock, err := s.lock(ctx, name)
	if err != nil {
		return err
	}
	defer unlock()
	return s.remove(ctx, name)
}

// replace puts a text in the place of a list's file. The caller has its lock.
func (s *Store) replace(name string, text []byte) error {
	temp := workName(name, ".new")
	err := s.disk.remove(temp) // what a crash left
	if err == nil || absent(err) {
		err = s.disk.create(temp, text)
	}
	if err == nil {
		err = s.disk.sync(temp)
	}
	if err == nil {
		err = s.disk.rename(temp, name)
	}
	if err != nil {
		s.disk.remove(temp) // as far as that works: the next one does it again
		return storageError(err)
	}
	return storageError(s.disk.sync("."))
}

// remove removes a list's file, and its log. The caller has its lock.
func (s *Store) remove(ctx context.Context, name string) error {
	err := s.disk.remove(name)
	if absent(err) {
		return nil
	}
	if err == nil {
		s.removeLog(ctx, name)
		err = s.disk.sync(".")
	}
	return storageError(err)
}

// lock takes the lock of a list's file, and makes the folders that a writer
// needs.
func (s *Store) lock(ctx context.Context, name string) (unlock func(), err error) {
	for _, dir := range []string{".", workDir} {
		if err := s.disk.mkdir(dir); err != nil {
			return nil, storageError(err)
		}
	}
	return s.wait(ctx, workName(name, ".lock"))
}

// patience is how long to wait for a lock. Its holder has a text of some kilobytes
// to write, perhaps on a slow disk.
const patience = 10 * time.Second

func (s *Store) wait(ctx context.Context, lock string) (unlock func(), err error) {
	limited, cancel := context.WithTimeoutCause(ctx, patience, errBusy)
	defer cancel()
	unlock, err = s.disk.lock(limited, lock)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return unlock, storageError(err)
}
