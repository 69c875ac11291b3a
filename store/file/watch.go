package file

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// A Watcher reports changes in some folders, by means of the operating system. It sends the
// full names of changed files. The channel is closed when events may have been missed, because
// there were too many or a folder is gone; then, and after stop, nothing is watched. Package
// notify has one.
type Watcher func(folders ...string) (events <-chan string, stop func(), err error)

// WithWatcher makes a long-lived store follow changes by others by means of w
// instead of checking every file each time, until it is closed.
func WithWatcher(w Watcher) Option {
	return func(s *Store) { s.watcher, s.tracker = w, newChangeTracker() }
}

// WithWarnings makes the store call warn, once for each problem that a person
// should know of.
func WithWarnings(warn func(text string)) Option { return func(s *Store) { s.warn = warn } }

const (
	gather     = 20 * time.Millisecond  // what happens within it is read together
	gitAgain   = 100 * time.Millisecond // between two looks whether git is still at work
	comeAgain  = 250 * time.Millisecond // between two looks for a folder that is not there
	pollEvery  = 500 * time.Millisecond // where the system tells nothing
	watchAgain = time.Minute            // between two tries to be told after all
	watchShort = time.Second            // a watch that is over by then
	watchTries = 5                      // so often in a row is not tried again at once
	restAfter  = 10 * time.Minute       // without a request, and with nobody who listens, nothing is checked
)

// A folderWatcher keeps a store's change tracker informed, in goroutines of its
// own.
type folderWatcher struct {
	*Store
	ctx   context.Context
	end   context.CancelFunc
	ended sync.WaitGroup
	wake  chan struct{} // something was heard

	stop   func()    // ends the watch that is on, if one is
	retry  time.Time // not to be tried again before this
	began  time.Time // of the latest watch
	short  int       // watches in a row that were over at once
	warned bool
	seen   pawl.Revision // when it was last polled
}

// startWatching starts the folder watcher, once. Without a Watcher it only has
// work while somebody listens.
func (s *Store) startWatching() {
	s.watching.Do(func() {
		ctx, end := context.WithCancel(context.Background())
		s.folders = &folderWatcher{Store: s, ctx: ctx, end: end, wake: make(chan struct{}, 1)}
		s.folders.ended.Go(s.folders.run)
	})
}

// stopWatching ends the folder watcher, and with it all hints.
func (s *Store) stopWatching() {
	s.watching.Do(func() {}) // from now on nobody comes
	if s.folders == nil {
		return
	}
	s.folders.end()
	s.folders.ended.Wait()
	s.tracker.close()
}

// Notify hints after every commit, and after every edit by somebody else once
// it is recorded.
func (s *Store) Notify(ctx context.Context) (<-chan struct{}, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	if s.tracker == nil {
		s.tracker = newChangeTracker()
	}
	hints := s.tracker.listen()
	context.AfterFunc(ctx, func() { s.tracker.forget(hints) })
	s.startWatching()
	if s.folders == nil || s.folders.ctx.Err() != nil {
		s.tracker.forget(hints)
		return hints, nil
	}
	s.folders.poke()
	return hints, nil
}

func (w *folderWatcher) poke() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// run waits for something to be heard, or for the time to look by himself.
func (w *folderWatcher) run() {
	defer func() {
		if w.stop != nil {
			w.stop()
		}
	}()
	for {
		pause := w.round()
		timer := time.NewTimer(pause)
		select {
		case <-w.ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		case <-w.wake:
			timer.Stop()
			select {
			case <-w.ctx.Done():
				return
			case <-time.After(gather):
			}
		}
	}
}

// round does what there is to do, and says when the next one is due.
func (w *folderWatcher) round() time.Duration {
	if w.watcher == nil {
		return w.poll()
	}
	if !w.tracker.isAt(w.fs) {
		if wait, ok := w.start(); !ok {
			return wait
		}
	}
	if w.tracker.takeMoved() {
		w.tracker.hint()
	}
	due := w.tracker.takeDue()
	if due && w.tracker.isChecked() {
		w.sweep()
	}
	if len(w.tracker.suspected()) > 0 || due && !w.tracker.isChecked() {
		if w.fs.GitBusy() {
			return gitAgain
		}
		w.record()
	}
	return w.tracker.rest()
}

// start has the system tell what happens. Where it cannot, the board is polled.
func (w *folderWatcher) start() (wait time.Duration, ok bool) {
	if w.stop != nil {
		w.stop()
		w.stop = nil
		if w.short++; time.Since(w.began) > watchShort {
			w.short = 0
		}
		if w.short >= watchTries {
			w.short, w.retry = 0, time.Now().Add(watchAgain)
		}
	}
	folder, err := w.fs.Stat(".")
	if err != nil || folder.Kind != kindFolder {
		return comeAgain, false
	}
	if w.remote() != "" || time.Now().Before(w.retry) { // of another machine's edits the system tells nothing
		return w.poll(), false
	}
	state, err := w.fs.Stat(stateDir)
	folders := []string{w.dir}
	if err == nil && state.Kind == kindFolder {
		folders = append(folders, filepath.Join(w.dir, stateDir))
	}
	events, stop, err := w.watcher(folders...)
	now, gone := w.fs.Stat(".")
	came, _ := w.fs.Stat(stateDir)
	switch {
	case gone != nil, err == nil && (!sameFolder(now, folder) || len(folders) == 1 && came.Kind == kindFolder): // just now, and nobody was told
		if err == nil {
			stop()
		}
		return comeAgain, false
	case err != nil:
		w.retry = time.Now().Add(watchAgain)
		if !w.warned && w.warn != nil {
			w.warn("changes by others are seen a moment later, because the system cannot report them: " + err.Error())
		}
		w.warned = true
		return w.poll(), false
	}
	w.stop, w.began = stop, time.Now()
	watch := w.tracker.raise(folder)
	w.ended.Go(func() { w.hear(watch, events) })
	return 0, true
}

// hear records what the system reports, until it stops.
func (w *folderWatcher) hear(watch int, events <-chan string) {
	for name := range events {
		if w.heard(watch, name) {
			w.poke()
		}
	}
	w.tracker.lower(watch)
	w.poke()
}

// heard says whether a change of something in the board's folder is news.
func (s *Store) heard(watch int, name string) bool {
	base := filepath.Base(name)
	switch {
	case filepath.Dir(name) == filepath.Join(s.dir, stateDir):
		if base != filepath.Base(indexName) && base != filepath.Base(logName) {
			return false
		}
		s.tracker.commit()
	case base == stateDir: // it came or went, and is to be watched or not
		s.tracker.lower(watch)
	default:
		id, ok := parseTaskName(base)
		if !ok {
			return false
		}
		s.tracker.doubt(id)
	}
	return true
}

// poll looks for commits, and now and then at the files. It is what remains
// where the system tells nothing.
func (w *folderWatcher) poll() time.Duration {
	if !w.tracker.isHeard() {
		return watchAgain
	}
	rev, err := w.latest()
	if err == nil && rev != w.seen {
		w.seen = rev
		w.tracker.hint()
	}
	if !w.fs.GitBusy() && w.tracker.takeDue() {
		w.record()
	}
	return pollEvery
}

// latest is the revision of the last commit.
func (w *folderWatcher) latest() (pawl.Revision, error) {
	if err := w.enter(w.ctx); err != nil {
		return 0, err
	}
	defer w.leave()
	defer w.fs.Hold()()
	err := w.refresh(w.ctx)
	return w.loaded.mark.revision, err
}

// sweep checks all files by stat, and makes those suspect that do not look as
// they should. Nobody has to wait for it.
func (w *folderWatcher) sweep() {
	if w.enter(w.ctx) != nil {
		return
	}
	check := w.tracker.begin()
	t, known := w.shown(), w.swept
	before := w.loaded.fsTime // the clock before the folder is looked at: what is as young as it may change once more
	w.leave()
	folder, err := w.fs.Stat(".")
	if err != nil {
		return
	}
	var suspects []pawl.ID
	var at row
	rows := t.cursor()
	err = w.fs.StatEach(t.len(),
		func(_ int, buf []byte) []byte { at, _ = rows.next(); return appendTaskName(buf, at.id()) },
		func(_ int, info fileInfo) {
			if !at.matches(&info) || at.racy() {
				suspects = append(suspects, at.id())
			}
		})
	if err == nil && folder != known {
		names := newSet(t)
		err = w.fs.List(".", func(name []byte) {
			if id, ok := parseTaskName(name); ok && !names.has(id) {
				suspects = append(suspects, id)
			}
		})
	}
	if err != nil {
		return
	}
	check.suspects = nil // their text has to be read
	w.tracker.finish(check, nil)
	w.tracker.doubt(suspects...)
	if w.enter(w.ctx) != nil {
		return
	}
	defer w.leave()
	w.swept = fileInfo{}
	if !w.racyAt(folder, before) {
		w.swept = folder
	}
}

// record takes into history what others did to the files, where it may: what
// cannot be written now is tried again when more is heard. A board that was
// never written to has no history.
func (w *folderWatcher) record() {
	if w.enter(w.ctx) != nil {
		return
	}
	defer w.leave()
	defer w.fs.Hold()()
	if err := w.refresh(w.ctx); err != nil || !w.loaded.exists {
		return
	}
	sc, err := w.scan(w.shown())
	if err != nil {
		return
	}
	w.remember(sc)
	if len(sc.found) > 0 {
		_, _ = w.carryOut(w.ctx, func(*reader) (*plan, error) { return nil, nil })
	}
}
