package todofile

import (
	"context"
	"sync"
)

// panelLock is held while the file of a session's panels is made, looked at or
// removed: for microseconds, and never while anything is written. So a look is
// not taken for a panel by another look, and nobody locks a file that is gone.
const panelLock = panelDir + "/.lock"

// OpenPanel implements [todo.Panels].
func (s *Store) OpenPanel(ctx context.Context, session string) (closed func() error, err error) {
	for _, dir := range []string{".", panelDir} {
		if err := s.disk.mkdir(dir); err != nil {
			return nil, storageError(err)
		}
	}
	unlock, err := s.wait(ctx, panelLock)
	if err != nil {
		return nil, err
	}
	defer unlock()
	name := panelName(session)
	release, got, err := s.disk.try(name, true)
	if err == nil && !got {
		err = errBusy // somebody who does not keep to the above
	}
	if err != nil {
		return nil, storageError(err)
	}
	return sync.OnceValue(func() error {
		release()
		_, err := s.look(context.Background(), name)
		return err
	}), nil
}

// PanelOpen implements [todo.Panels].
func (s *Store) PanelOpen(ctx context.Context, session string) (bool, error) {
	return s.look(ctx, panelName(session))
}

// look reports whether a panel has its lock on a file, and removes the file when
// none has.
func (s *Store) look(ctx context.Context, name string) (open bool, err error) {
	if _, err := s.disk.stat(name); err != nil {
		if absent(err) {
			return false, nil
		}
		return false, storageError(err)
	}
	unlock, err := s.wait(ctx, panelLock)
	if err != nil {
		return false, err
	}
	defer unlock()
	release, got, err := s.disk.try(name, false)
	switch {
	case absent(err):
		return false, nil
	case err != nil:
		return false, storageError(err)
	case !got:
		return true, nil
	}
	release() // nobody else can come now; on Windows an open file cannot be removed
	if err := s.disk.remove(name); err != nil && !absent(err) {
		return false, storageError(err)
	}
	return false, nil
}

func (s *Store) sweepPanels(ctx context.Context) error {
	names, err := s.names(panelDir)
	if err != nil {
		return err
	}
	for _, base := range names {
		name := panelDir + "/" + base
		if name == panelLock {
			continue
		}
		if _, err := s.look(ctx, name); err != nil {
			return err
		}
	}
	return nil
}
