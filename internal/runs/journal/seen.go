package journal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/runs"
)

// Seen is a folder for a reader that polls it: each look reads only what the journal
// has gained since the last one. Many goroutines may use it.
type Seen struct {
	Folder Folder
	mu     sync.Mutex
	state  *runs.State // what the first whole bytes of the journal tell
	whole  int64
	info   os.FileInfo // of the file that was read; nil: none
}

// Status is how the run of the folder stands; false: there has never been one.
func (s *Seen) Status(now time.Time) (runs.Status, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state, err := s.look()
	if err != nil || state.Run == nil {
		return runs.Status{}, false, err
	}
	return runs.StatusOf(state, s.Folder.Live(), s.Folder.Alive(), now), true, nil
}

// Now is the folder as it was at the last look.
func (s *Seen) Now() Folder {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Folder
}

// Attempts are the attempts at a task, the newest last.
func (s *Seen) Attempts(task runs.Identity) ([]runs.Attempt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state, err := s.look()
	if err != nil {
		return nil, err
	}
	var all []runs.Attempt
	if w := state.Tasks[task]; w != nil {
		all = append(all, w.Attempts...)
	}
	return all, nil
}

// look reads what is new, and returns how the run stands, with what people have asked.
func (s *Seen) look() (*runs.State, error) {
	if err := s.follow(); err != nil {
		return nil, err
	}
	state := s.state.Clone()
	return state, s.Folder.expect(state)
}

// follow reads what is new. It reads a journal from its start if that was replaced.
func (s *Seen) follow() error {
	if s.Folder.base != "" { // the first run marks the clone
		s.Folder = s.Folder.of(s.Folder.clone.ID())
	}
	file, err := os.Open(s.Folder.journal())
	if errors.Is(err, fs.ErrNotExist) {
		s.state, s.whole, s.info = &runs.State{}, 0, nil
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if s.info == nil || !os.SameFile(s.info, info) || info.Size() < s.whole {
		s.state, s.whole = &runs.State{}, 0
	}
	s.info = info
	if info.Size() == s.whole {
		return nil
	}
	whole, err := s.Folder.apply(io.NewSectionReader(file, s.whole, info.Size()-s.whole), s.state)
	s.whole += whole
	if err != nil {
		s.info = nil // the next look begins at the start
	}
	return err
}
