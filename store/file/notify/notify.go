// Package notify watches folders with the notifications of the operating
// system, by means of fsnotify. Watch is a file.Watcher for processes that run on:
//
//	store, err := file.Open(dir, file.WithWatcher(notify.Watch))
//
// It is a package of its own so that a program that does not watch need not
// build fsnotify. It knows nothing of boards.
package notify

import (
	"sync"

	"github.com/fsnotify/fsnotify"
)

// Watch reports changes in folders. It sends the full names of files that were
// made, written, renamed or removed in them. The channel is closed when the system
// has dropped events or one of the folders is gone, and after stop.
func Watch(folders ...string) (events <-chan string, stop func(), err error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, nil, err
	}
	for _, folder := range folders {
		if err := w.Add(folder); err != nil {
			w.Close()
			return nil, nil, err
		}
	}
	names := make(chan string)
	done := make(chan struct{})
	go tell(w, folders, names, done)
	var once sync.Once
	return names, func() { once.Do(func() { close(done) }) }, nil
}

// tell passes on what the system says until that is no longer all.
func tell(w *fsnotify.Watcher, folders []string, names chan<- string, done <-chan struct{}) {
	defer close(names)
	defer w.Close()
	watched := map[string]bool{}
	for _, folder := range folders {
		watched[folder] = true
	}
	for {
		select {
		case <-done:
			return
		case <-w.Errors: // an overflow, or worse
			return
		case e, more := <-w.Events:
			if !more || watched[e.Name] && (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)) {
				return
			}
			select {
			case names <- e.Name:
			case <-done:
				return
			}
		}
	}
}
