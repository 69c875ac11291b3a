package file

import "sync"

// syncers is how many files are synced at a time. A file system's journal takes
// those together that wait for it at the same moment.
const syncers = 16

// SyncEach syncs files at the same time.
func (f *osFS) SyncEach(names []string) error {
	var workers sync.WaitGroup
	var mu sync.Mutex
	var failed error
	next := 0
	for range min(syncers, len(names)) {
		workers.Go(func() {
			for {
				mu.Lock()
				if next == len(names) || failed != nil {
					mu.Unlock()
					return
				}
				name := names[next]
				next++
				mu.Unlock()
				if err := f.Sync(name); err != nil && !absent(err) {
					mu.Lock()
					failed = err
					mu.Unlock()
				}
			}
		})
	}
	workers.Wait()
	return failed
}
