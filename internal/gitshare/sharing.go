package gitshare

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/store/file"
)

// Options are what a Sharing needs of the program.
type Options struct {
	Getenv func(string) string
	Store  *file.Store   // the board, which is open
	Mode   func() string // the setting sync; nil: claims
	// Spawn starts a process in the background: [Sharing.Background], or with keep
	// [Sharing.Keep]; nil: none is started.
	Spawn func(board string, keep bool) error
	Hook  bool                        // never wait for the network
	Open  func() (*file.Store, error) // opens the board if Store is nil; it is closed again after each use
	Now   func() time.Time            // nil: time.Now
	// Agree asks a person whether the clone may sync with this target: for the first time,
	// or because its programs have changed. Nil: nobody can be asked.
	Agree func(share.Target) error
	// Offline is the person's setting that lets claims count here while the remote cannot
	// be reached; nil: they do not.
	Offline func() bool
	// Moved is called before a sync of a store moves numbers, with the actor who will be told,
	// if any: a concurrent command names the old ones. Follow is called afterwards. Both may
	// be nil.
	Moved  func(store *file.Store, by pawl.Actor, moved []merge.Moved)
	Follow func(ctx context.Context, moved []merge.Moved)
}

// A Sharing is a shared board. It is safe for concurrent use, and no call delays
// another one that does not need the network.
type Sharing struct {
	site
	o Options

	mu     sync.Mutex
	looked time.Time   // when it was last found out whether a sync is due
	known  *record     // as it was read last
	of     fs.FileInfo // its file then
}

// Open returns the sharing of the board in a folder; nil: it is not shared. It runs no git.
func Open(board string, o Options) *Sharing {
	p := siteOf(board)
	if !p.Shared() {
		return nil
	}
	return open(p, o)
}

// Follow is Open for a process that runs on: the board may be shared later, and its
// sharing may end.
func Follow(board string, o Options) *Sharing { return open(siteOf(board), o) }

// Active reports whether the board is shared now.
func (s *Sharing) Active() bool { return s.Shared() }

func open(p site, o Options) *Sharing {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Mode == nil {
		o.Mode = func() string { return Claims }
	}
	return &Sharing{site: p, o: o}
}

// The values of the setting sync.
const (
	Manual = "manual"
	Claims = "claims"
	Always = "always"
)

// Status is the last known state of sharing; nil if the board is not shared now. It
// runs no git. The caller, who has the board, adds Unsent, Here and Clones.
func (s *Sharing) Status(context.Context) *share.Status {
	r, err := s.record()
	if errors.Is(err, ErrNotShared) {
		return nil
	}
	st := &share.Status{Mode: s.o.Mode(), Running: filelock.Held(s.File(lockName))}
	if err != nil {
		st.Failed = err.Error()
		return st
	}
	st.Remote, st.Ref, st.Clone = git.Display(r.Remote), r.Ref, r.State.Clone
	st.Synced, st.Failed, st.Since, st.Stopped = r.State.Synced, r.State.Failed, r.State.Since, r.State.Stopped
	return st
}

// Readable fails if what this clone remembers of sharing cannot be read.
func (s *Sharing) Readable() error {
	if _, err := s.record(); err != nil && !errors.Is(err, ErrNotShared) {
		return err
	}
	return nil
}

// Unsent is how many change sets up to a revision the remote does not have.
func (s *Sharing) Unsent(rev pawl.Revision) int {
	r, err := s.record()
	if err != nil {
		return 0
	}
	return int(max(0, rev-r.Sent))
}

// Sent implements [query.Syncer].
func (s *Sharing) Sent(rev pawl.Revision) bool {
	r, err := s.record()
	return err == nil && rev <= r.Sent
}

// Offline implements [query.Syncer].
func (s *Sharing) Offline() bool { return s.o.Offline != nil && s.o.Offline() }

// Whole is Status with Unsent.
func (s *Sharing) Whole(ctx context.Context) *share.Status {
	st := s.Status(ctx)
	if st == nil {
		return nil
	}
	store, done, err := s.store()
	if err != nil {
		return st
	}
	defer done()
	if rev, _, err := store.Revision(ctx); err == nil {
		st.Unsent = s.Unsent(rev)
	}
	return st
}

// record returns the record, read again only when its file has changed.
func (s *Sharing) record() (*record, error) {
	info, err := os.Lstat(s.File(stateName))
	if err != nil {
		return s.load()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known != nil && os.SameFile(s.of, info) && s.of.ModTime().Equal(info.ModTime()) && s.of.Size() == info.Size() {
		return s.known, nil
	}
	r, err := s.load()
	if err != nil {
		return nil, err
	}
	s.known, s.of = r, info
	return r, nil
}

// Confirm implements [query.Syncer].
func (s *Sharing) Confirm(ctx context.Context, by pawl.Actor, wanted func() bool) (*share.Report, error) {
	report, err := s.confirm(ctx, by, wanted)
	var hinted *pawl.Error
	if err == nil || report != nil && report.Reached || errors.As(err, new(*share.StopError)) || errors.As(err, &hinted) && hinted.Hint.Step != pawl.HintNone {
		return report, err
	}
	if is, other := s.relayed(ctx); is {
		return nil, other
	}
	return report, err
}

// confirm is Confirm by this process.
func (s *Sharing) confirm(ctx context.Context, by pawl.Actor, wanted func() bool) (*share.Report, error) {
	r, err := s.record()
	if err != nil {
		return nil, err
	}
	switch {
	case s.halted(r) != nil:
		return nil, s.halted(r)
	case !s.allowed(r, s.o.Getenv):
		return nil, notAllowed("")
	case s.o.Hook:
		return nil, pawl.Errorf(pawl.Unavailable, "a hook does not wait for the remote").Say("run it in a terminal")
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	unlock, err := s.lock(waiting, lockName)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if wanted != nil && !wanted() {
		return nil, nil
	}
	if r, err = s.load(); err != nil {
		return nil, err
	}
	patience := patience
	if now := s.o.Now(); r.State.Failures > 1 && now.Before(r.next(now)) { // it was away a moment ago
		patience = impatience
	}
	ctx, cancel = context.WithTimeout(ctx, patience)
	defer cancel()
	return s.locking(ctx, r, request{Options: share.Options{By: by, Claims: true}, alone: wanted == nil})
}

// patience is how long a claim waits for the remote, and impatience how long for one that has
// failed before. A test gives more, so that no busy machine fails it.
var patience, impatience = share.Patience, 3 * time.Second

// halted says why no sync runs by itself; nil: nothing keeps it.
func (s *Sharing) halted(r *record) error {
	if r.State.Stopped == "" || r.State.Stopped == share.StopTracked {
		return nil // the latter is found out anew
	}
	return &share.StopError{Stop: r.State.Stopped}
}

// A request is one sync.
type request struct {
	share.Options
	person bool // it was asked for by name, which allows others that run by themselves
	alone  bool // it runs by itself: nobody reads what it did
}

// Sync exchanges the board with the remote. It was asked for by name.
func (s *Sharing) Sync(ctx context.Context, o share.Options) (share.Report, error) {
	r, unlock, err := s.loadLocked(ctx)
	if err != nil {
		return share.Report{}, err
	}
	defer unlock()
	report, err := s.locking(ctx, r, request{Options: o, person: true})
	if report == nil {
		report = &share.Report{}
	}
	return *report, err
}

// Try finds out what Sync would do. It changes only Pawl's own copy of the remote.
func (s *Sharing) Try(ctx context.Context, o share.Options) (share.Report, error) {
	r, unlock, err := s.loadLocked(ctx)
	if err != nil {
		return share.Report{}, err
	}
	defer unlock()
	repo, err := s.repository(ctx, r, s.o.Agree)
	if err != nil {
		return share.Report{}, err
	}
	over, err := s.overrun(ctx, r)
	if over {
		err = &share.StopError{Stop: share.StopTracked}
	}
	if err != nil {
		return share.Report{}, err
	}
	store, done, err := s.store()
	if err != nil {
		return share.Report{}, err
	}
	defer done()
	return share.New(repo, s.local(store, o.By, repo), &memory{s.site, r}, clock{}, newName).Try(ctx, o)
}

// locking runs one sync. The caller has the lock.
func (s *Sharing) locking(ctx context.Context, r *record, q request) (*share.Report, error) {
	ask := s.o.Agree
	if !q.person {
		ask = nil
	}
	repo, err := s.repository(ctx, r, ask)
	if err != nil {
		return nil, err
	}
	if err := s.rebind(r); err != nil {
		return nil, err
	}
	q.Renew = q.Renew && r.State.Leases() // else each task would be read for nothing
	over, err := s.overrun(ctx, r)
	switch {
	case err != nil:
		return nil, err
	case r.joining: // the files are taken out of the index when they are on the remote
	case over:
		r.State.Stopped = share.StopTracked
		return nil, errors.Join(&share.StopError{Stop: share.StopTracked}, s.save(r))
	case r.State.Stopped == share.StopTracked:
		r.State.Stopped = ""
		if err := s.save(r); err != nil {
			return nil, err
		}
	}
	store, done, err := s.store()
	if err != nil {
		return nil, err
	}
	defer done()
	r.Tried = s.o.Now().UTC().Truncate(time.Millisecond)
	local := s.local(store, q.By, repo)
	if q.alone {
		local.hears = pawl.Actor{}
	}
	report, err := share.New(repo, local, &memory{s.site, r}, clock{}, newName).Sync(ctx, q.Options)
	if even := r.State.Even; err == nil && even != nil && even.Revision != r.Sent {
		r.Sent = even.Revision
		err = s.save(r)
	}
	if moved := report.Merge.Moved; s.o.Follow != nil && len(moved) > 0 {
		s.o.Follow(context.WithoutCancel(ctx), moved)
	}
	return &report, err
}

// Copied implements [query.Syncer].
func (s *Sharing) Copied() bool {
	r, err := s.record()
	if err != nil {
		return errors.Is(err, errOther)
	}
	_, copied, err := s.bind(r)
	return r.State.Copied || copied && err == nil
}

// Former implements [query.Syncer].
func (s *Sharing) Former(clone string) bool {
	r, err := s.record()
	return err == nil && slices.Contains(r.State.Former, clone)
}

// rebind looks whether this is the folder that the clone's name was given to. A copy of it
// gets a name of its own.
func (s *Sharing) rebind(r *record) error {
	is, copied, err := s.bind(r)
	if err != nil || is == r.Bound {
		return err
	}
	if copied {
		r.State.Renamed(newName())
	}
	r.Bound = is
	return s.save(r)
}

// local is the board in the work tree that git has, and in the repository that has its commits.
func (s *Sharing) local(store *file.Store, by pawl.Actor, repo *Repository) *Local {
	l := NewLocal(store, by)
	l.root, l.repo, l.moved = s.Tree.Root, repo, s.o.Moved
	return l
}

// store is the board, and what is to be done with it afterwards.
func (s *Sharing) store() (*file.Store, func(), error) {
	if s.o.Store != nil {
		return s.o.Store, func() {}, nil
	}
	store, err := s.o.Open()
	if err != nil {
		return nil, nil, err
	}
	return store, func() { store.Close() }, nil
}
