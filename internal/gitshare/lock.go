package gitshare

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/share"
)

const lockPause = 25 * time.Millisecond

// lock takes one of a place's locks, which ends with the process, and waits for it
// until ctx ends.
func (p site) lock(ctx context.Context, name string) (unlock func(), err error) {
	if err := p.plain(); err != nil {
		return nil, err
	}
	for {
		unlock, err := p.take(name)
		if err != nil || unlock != nil {
			return unlock, err
		}
		if share.Sleep(ctx, lockPause) != nil {
			return nil, pawl.Errorf(pawl.Unavailable, "another sync of this board is still under way")
		}
	}
}

// loadLocked takes the lock of syncs, and loads the record.
func (p site) loadLocked(ctx context.Context) (r *record, unlock func(), err error) {
	if unlock, err = p.lock(ctx, lockName); err != nil {
		return nil, nil, err
	}
	if r, err = p.load(); err != nil {
		unlock()
		return nil, nil, err
	}
	return r, unlock, nil
}

// try takes a lock if nobody has it; nil: somebody has, or it cannot be taken.
func (p site) try(name string) (unlock func()) {
	unlock, _ = p.take(name)
	return unlock
}

// take takes a lock if nobody has it; nil: somebody has.
func (p site) take(name string) (unlock func(), err error) {
	f, err := filelock.Take(p.File(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, p.lost()
	case err != nil || f == nil:
		return nil, unwritable(err)
	}
	filelock.HandOver(f.Name())
	return func() { p.handOver(); _ = filelock.Free(f) }, nil
}
