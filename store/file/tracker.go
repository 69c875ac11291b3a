package file

import (
	"maps"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// A changeTracker is what a running process knows about the files without looking at
// each of them: while the system tells of every change, only those that it
// named since the last check of all files can differ from what is loaded.
//
// It trusts that for a few seconds. The system does not report writes to mapped
// memory, or through another name of the file; the next check finds them.
//
// A nil tracker knows nothing, as in a process that runs one command.
type changeTracker struct {
	mu       sync.Mutex
	up       bool          // the system tells of changes
	folder   fileInfo      // of this folder
	watch    int           // counts watches
	epoch    int           // counts what makes a check of all files worthless
	checked  time.Time     // when the last check of all files began that is worth something
	looked   time.Time     // and the last one at all
	cost     time.Duration // of it
	suspects map[pawl.ID]int
	heard    int  // changes so far; a suspect has the number of the last one about it
	moved    bool // something may have been committed
	used     time.Time

	listeners map[chan struct{}]bool
}

func newChangeTracker() *changeTracker {
	return &changeTracker{suspects: map[pawl.ID]int{}, listeners: map[chan struct{}]bool{}}
}

const (
	// checkEvery is how often all files are checked in a process that runs on,
	checkEvery = 5 * time.Second
	// and checkShare how much of its time that may take at most: on a very
	// large board it is done less often.
	checkShare = 150
)

// interval is how long the last check of all files is good for.
func (l *changeTracker) interval() time.Duration {
	return max(checkEvery, checkShare*l.cost)
}

// raise says that from now on the system tells of what happens in a folder, and
// returns the number of this watch.
func (l *changeTracker) raise(folder fileInfo) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.up, l.folder, l.checked, l.moved = true, folder, time.Time{}, true
	l.epoch++
	l.watch++
	return l.watch
}

// lower says that a watch is over, unless another one has begun.
func (l *changeTracker) lower(watch int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if watch == l.watch {
		l.up, l.checked = false, time.Time{}
		l.epoch++
	}
}

// distrust makes the last check worthless, since what it was compared with
// is gone.
func (l *changeTracker) distrust() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.checked = time.Time{}
	l.epoch++
}

// doubt makes a file suspect.
func (l *changeTracker) doubt(ids ...pawl.ID) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range ids {
		l.heard++
		l.suspects[id] = l.heard
	}
}

// use notes that somebody wants something of the board.
func (l *changeTracker) use() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used = time.Now()
}

// covers reports whether only suspects can differ from what is loaded.
func (l *changeTracker) covers(folder fileInfo) bool {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.up && !l.checked.IsZero() && sameFolder(l.folder, folder) && time.Since(l.checked) < 2*l.interval()
}

// sameFolder compares what stays when names come and go.
func sameFolder(a, b fileInfo) bool {
	return a.Kind == kindFolder && b.Kind == kindFolder && a.Device == b.Device && a.Inode == b.Inode
}

// A check is one of all files, under way.
type check struct {
	epoch    int
	began    time.Time
	suspects map[pawl.ID]int
}

// begin is called before a check of all files.
func (l *changeTracker) begin() check {
	if l == nil {
		return check{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return check{l.epoch, time.Now(), maps.Clone(l.suspects)}
}

// finish is called after the check, with the files that have changed. Events since
// begin may make the check worthless.
func (l *changeTracker) finish(c check, found []finding) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cost = time.Since(c.began)
	if !l.up || c.epoch != l.epoch {
		return
	}
	l.looked, l.checked = c.began, c.began
	for id, heard := range c.suspects {
		if l.suspects[id] == heard {
			delete(l.suspects, id)
		}
	}
	for i := range found { // until they are recorded
		l.heard++
		l.suspects[found[i].id] = l.heard
	}
}

// takeDue reports, once, that it is time for a check of all files: for those who
// listen, and for the next request.
func (l *changeTracker) takeDue() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	due := l.wanted() && time.Since(l.looked) >= l.interval()
	if due {
		l.looked = time.Now()
	}
	return due
}

func (l *changeTracker) wanted() bool { return len(l.listeners) > 0 || time.Since(l.used) < restAfter }

// rest is how long it is until then.
func (l *changeTracker) rest() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.wanted() {
		return restAfter
	}
	return max(l.interval()-time.Since(l.looked), gather)
}

// suspected returns the suspects.
func (l *changeTracker) suspected() map[pawl.ID]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.suspects)
}

// clearSuspect ends the suspicion of a file, unless more was heard of it since.
func (l *changeTracker) clearSuspect(id pawl.ID, heard int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.suspects[id] == heard {
		delete(l.suspects, id)
	}
}

// listen adds somebody who wants hints, until forget.
func (l *changeTracker) listen() chan struct{} {
	hints := make(chan struct{}, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listeners[hints] = true
	return hints
}

func (l *changeTracker) forget(hints chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.listeners[hints] {
		delete(l.listeners, hints)
		close(hints)
	}
}

// close ends all hints.
func (l *changeTracker) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for hints := range l.listeners {
		close(hints)
	}
	clear(l.listeners)
}

// hint tells everybody who listens that something may be new.
func (l *changeTracker) hint() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for hints := range l.listeners {
		select {
		case hints <- struct{}{}:
		default: // there is one already
		}
	}
}

// commit says that something may have been committed.
func (l *changeTracker) commit() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.moved = true
}

// takeMoved reports, once, whether something may have been committed.
func (l *changeTracker) takeMoved() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	moved := l.moved
	l.moved = false
	return moved
}

// isAt reports whether the system tells of the folder that is at the board's
// place now: nobody tells when one above it is moved away.
func (l *changeTracker) isAt(fs fileSystem) bool {
	folder, err := fs.Stat(".")
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.up && err == nil && sameFolder(l.folder, folder)
}

// isChecked reports whether all files were looked at since the system tells of
// changes.
func (l *changeTracker) isChecked() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.checked.IsZero()
}

// isHeard reports whether somebody listens.
func (l *changeTracker) isHeard() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.listeners) > 0
}
