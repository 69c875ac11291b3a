package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// Names in a board's folder.
const (
	lockName  = ".lock"
	waterName = ".highwatermark"
	stateDir  = ".pawl"
	gateName  = stateDir + "/gate"
	indexName = stateDir + "/index"
	logName   = stateDir + "/index.log"
	tmpDir    = stateDir + "/tmp"
	lostDir   = stateDir + "/lost+found"
)

// A Store keeps one board in a folder. It is safe for concurrent use, by the
// goroutines of a process and by many processes; a function given to Update
// must not call it again.
type Store struct {
	dir   string
	fs    fileSystem
	clock func() time.Time
	pause func(time.Duration)
	keep  int           // segments of the journal
	size  int64         // that a segment may have before the next one begins
	day   time.Duration // how long the results of op ids are kept at least
	rules rules

	unmerged func(context.Context) ([]string, error) // see WithUnmerged
	checks   func() []pawl.CheckRule                 // see WithRules
	gitHas   func(texts [][]byte) []bool             // see WithGit

	// turn is held while a call works on what follows. View gives it back
	// before it runs its function.
	turn       chan struct{}
	loaded     loaded
	remoteOnce sync.Once
	remoteKind string

	places places

	// Of a store that lives for long; see changeTracker and folderWatcher.
	watcher  Watcher
	tracker  *changeTracker
	folders  *folderWatcher
	watching sync.Once
	swept    fileInfo // the folder, when its names were last gone through in the background
	warn     func(text string)
}

var (
	_ pawl.Store    = (*Store)(nil)
	_ pawl.Checker  = (*Store)(nil)
	_ pawl.Notifier = (*Store)(nil)
	_ pawl.Glancer  = (*Store)(nil)
)

// rules are the decisions that the board's safety hangs on, so that tests can
// put a wrong one in place of each and see that it does not go unnoticed.
type rules struct {
	decide func(fileState) action
	merge  func(*table, []finding) map[pawl.ID]*entry
	place  func(s *Store, tmp string, f *journalFile, saw fileInfo) error
	lock   func(s *Store, ctx context.Context, exclusive bool) (unlock func(), err error)
}

// An Option changes how a store works.
type Option func(*Store)

// WithClock makes the store ask clock for the time instead of the machine.
func WithClock(clock func() time.Time) Option { return func(s *Store) { s.clock = clock } }

// WithUnmerged makes the store ask which files of the board version control has not finished
// merging, before it proposes a repair of a damaged file. The history has only one side of
// those, so no repair restores them from it.
func WithUnmerged(ask func(context.Context) (names []string, err error)) Option {
	return func(s *Store) { s.unmerged = ask }
}

// WithRules makes the store ask which checks the project requires of its tasks beside their
// own, if an edited file claims what no run has shown.
func WithRules(ask func() []pawl.CheckRule) Option { return func(s *Store) { s.checks = ask } }

// WithGit makes the store ask which texts git has, if an edited file claims what no run has
// shown. Without it, git counts as having none.
func WithGit(has func(texts [][]byte) []bool) Option {
	return func(s *Store) { s.gitHas = has }
}

// withFS makes the store work on another file system than the machine's.
func withFS(fs fileSystem) Option { return func(s *Store) { s.fs = fs } }

// WithHistory bounds the history to the latest n segments of the journal,
// 8 MiB each. Those younger than a day are kept anyway.
func WithHistory(n int) Option { return func(s *Store) { s.keep = max(n, 1) } }

// DefaultHistory is how many segments of the journal are kept.
const DefaultHistory = 32

// Open returns the store of the board in a folder, usually called .tasks. It
// makes nothing and reads nothing: a folder that is not there is an empty
// board, and comes into being with the first commit.
func Open(dir string, opts ...Option) (*Store, error) {
	s := &Store{clock: time.Now, pause: time.Sleep, keep: DefaultHistory, size: segmentLimit, day: keepResults, turn: make(chan struct{}, 1)}
	s.checks = func() []pawl.CheckRule { return nil }
	s.gitHas = func(texts [][]byte) []bool { return make([]bool, len(texts)) }
	s.rules = rules{decide: decide, merge: merge, place: (*Store).putInPlace, lock: (*Store).takeLock}
	for _, opt := range opts {
		opt(s)
	}
	if s.fs == nil {
		at, err := locate(dir)
		if err != nil {
			return nil, err
		}
		dir, s.fs = at, newFS(at)
	}
	s.dir = dir
	return s, nil
}

// locate returns where a board's folder really is. A symbolic link counts only
// if it stays inside the folder that it lies in: a project from elsewhere must
// not make us write outside of it.
func locate(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", pawl.Errorf(pawl.Invalid, "the board's folder %s has no place: %w", dir, err)
	}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return dir, nil
	case impossible(err):
		return "", noPlace(err)
	case err != nil:
		return "", pawl.Errorf(pawl.Unavailable, "the board's folder %s cannot be reached: %w", dir, err)
	case info.IsDir():
		return dir, nil
	case info.Mode()&fs.ModeSymlink == 0:
		return "", pawl.Errorf(pawl.Invalid, "%s is a file, and a board is a folder", dir)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", pawl.Errorf(pawl.Invalid, "%s is a symbolic link that leads nowhere: %w", dir, err)
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil || !strings.HasPrefix(real, parent+string(filepath.Separator)) {
		return "", pawl.Errorf(pawl.Invalid, "%s is a symbolic link to %s, outside of its folder: name that place as the board instead", dir, real)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", pawl.Errorf(pawl.Invalid, "%s leads to a file, and a board is a folder", dir)
	}
	return real, nil
}

// Warnings returns what a person should know once about the board's file system.
func (s *Store) Warnings() []string {
	kind := s.remote()
	if kind == "" {
		return nil
	}
	return []string{fmt.Sprintf(
		"%s is on a network file system (%s), where locks may not keep two machines apart: let one machine serve the board to the others", s.dir, kind)}
}

// enter waits for this goroutine's turn.
func (s *Store) enter(ctx context.Context) error {
	if ctx.Err() == nil {
		select {
		case s.turn <- struct{}{}:
			return nil
		case <-ctx.Done():
		}
	}
	return pawl.Errorf(pawl.Unavailable, "the request ended before the board was asked: %w", context.Cause(ctx))
}

func (s *Store) leave() { <-s.turn }

func (s *Store) now() time.Time { return s.clock().UTC().Truncate(time.Millisecond) }

// View runs fn on the board as it is.
func (s *Store) View(ctx context.Context, fn func(pawl.Reader) error) error {
	defer s.fs.Hold()()
	if err := s.enter(ctx); err != nil {
		return err
	}
	s.use()
	r, err := s.present(ctx)
	s.leave()
	if err != nil {
		return err
	}
	return fn(r)
}

// use begins to keep up with others, in a store that was made to.
func (s *Store) use() {
	if s.watcher != nil {
		s.tracker.use()
		s.startWatching()
	}
}

// list returns the names in a folder, sorted; none when it is not there.
func (s *Store) list(dir string) ([]string, error) {
	var names []string
	err := s.fs.List(dir, func(name []byte) { names = append(names, string(name)) })
	if err != nil && !absent(err) {
		return nil, err
	}
	slices.Sort(names)
	return names, nil
}

// present brings what is loaded up to date and returns a reader of it.
func (s *Store) present(ctx context.Context) (*reader, error) {
	var newer error
	if err := s.refresh(ctx); errors.Is(err, errNewer) {
		newer = err
		s.tracker.distrust()
		s.loaded = loaded{table: newTable(&snapshot{})} // tasks can be read by any version, and nothing else is
	} else if err != nil {
		return nil, err
	}
	if s.loaded.unwritten() && s.tracker == nil {
		r, err := s.presentUnwritten()
		if err != nil {
			return nil, err
		}
		// The first commit may have been under way, and the scan saw a part of it.
		if err := s.refresh(ctx); err != nil {
			return nil, err
		}
		if s.loaded.unwritten() {
			r.edited = true // nothing of it has been recorded
			return r, nil
		}
	}
	scan, err := s.scan(s.shown())
	if err != nil {
		return nil, err
	}
	s.remember(scan)
	if len(scan.found) > 0 && s.loaded.exists {
		// Some of it may be the work of a process that has put it into the
		// log meanwhile.
		if err := s.refresh(ctx); err != nil {
			return nil, err
		}
		if err := s.reconcile(s.shown(), scan); err != nil {
			return nil, err
		}
	}
	if scan.worthKeeping() && s.saveIndex(scan) {
		if err := s.refresh(ctx); err != nil {
			return nil, err
		}
		if err := s.reconcile(s.shown(), scan); err != nil {
			return nil, err
		}
	}
	t := s.shown()
	r := s.reader(t.with(s.merged(t, scan.found)))
	r.edited, r.newer = len(scan.found) > 0, newer
	return r, nil
}

// Close stops watching, and after many commits makes the written files survive
// without the journal.
func (s *Store) Close() error {
	s.stopWatching()
	ctx := context.Background()
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	if s.loaded.wrote < closeAfter {
		return nil
	}
	unlock, err := s.lock(ctx, true)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.load(); err != nil {
		return err
	}
	if len(s.loaded.pending) > 0 || s.loaded.mark.since == 0 {
		return nil
	}
	s.loaded.wrote = 0
	return s.checkpoint()
}

// closeAfter is how many commits make a process a long-lived one. The others
// leave the checkpoint to the writer of the sixty-fourth record.
const closeAfter = 8

// lockPatience is how long a lock is waited for: an update takes milliseconds,
// so a process that holds it longer hangs.
const lockPatience = 10 * time.Second

func (s *Store) lock(ctx context.Context, exclusive bool) (func(), error) {
	return s.rules.lock(s, ctx, exclusive)
}

// takeLock takes the board's lock. Callers queue at the gate, so that
// readers who share it cannot keep a writer out for ever.
func (s *Store) takeLock(ctx context.Context, exclusive bool) (func(), error) {
	if unlock, err := s.lockBoth(ended, exclusive); err == nil || ctx.Err() != nil {
		return unlock, lockError(err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, lockPatience, errHeld)
	defer cancel()
	unlock, err := s.lockBoth(ctx, exclusive)
	return unlock, lockError(err)
}

// ended tries to take a lock at once. Mostly it succeeds, and to set up
// a timer would cost a short command more than the lock.
var ended = func() context.Context {
	ctx, end := context.WithCancel(context.Background())
	end()
	return ctx
}()

func (s *Store) lockBoth(ctx context.Context, exclusive bool) (func(), error) {
	gate, err := s.fs.Lock(ctx, gateName, true)
	if err != nil {
		return nil, err
	}
	defer gate()
	return s.fs.Lock(ctx, lockName, exclusive)
}

var errHeld = errors.New("another process has held the lock for 10 seconds")

func lockError(err error) error {
	if err == nil {
		return nil
	}
	if withoutLock(err) {
		return unwritable(err)
	}
	return pawl.Errorf(pawl.Unavailable, "cannot lock the board: %w", err)
}

// taskName is the name of a task's file.
func taskName(id pawl.ID) string { return string(appendTaskName(nil, id)) }

func appendTaskName(buf []byte, id pawl.ID) []byte {
	buf = append(buf, "task_"...)
	buf = strconv.AppendInt(buf, int64(id), 10)
	return append(buf, ".json"...)
}

// parseTaskName returns the id that a file's name stands for. There is one
// name for each id: task_007.json is none.
func parseTaskName[T string | []byte](name T) (pawl.ID, bool) {
	const prefix, suffix = "task_", ".json"
	digits := len(name) - len(prefix) - len(suffix)
	if digits < 1 || digits > 16 || string(name[:len(prefix)]) != prefix || string(name[len(prefix)+digits:]) != suffix || name[len(prefix)] == '0' {
		return 0, false
	}
	id := pawl.ID(0)
	for i := range digits {
		c := name[len(prefix)+i]
		if c < '0' || c > '9' {
			return 0, false
		}
		id = id*10 + pawl.ID(c-'0')
	}
	return id, id <= pawl.MaxID
}
