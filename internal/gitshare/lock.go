package gitshare

import (
	"context"
	"errors"
	"io/fs"
	"os"
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
	f, err := os.OpenFile(p.file(name), os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, p.lost()
	}
	if err != nil {
		return nil, unwritable(err)
	}
	for {
		got, err := filelock.Try(f)
		if err != nil {
			f.Close()
			return nil, unwritable(err)
		}
		if got {
			return func() { f.Close() }, nil
		}
		if share.Sleep(ctx, lockPause) != nil {
			f.Close()
			return nil, pawl.Errorf(pawl.Unavailable, "another sync of this board is still under way")
		}
	}
}

// try takes a lock if nobody has it; nil: somebody has.
func (p site) try(name string) (unlock func()) {
	f, err := os.OpenFile(p.file(name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil
	}
	if got, err := filelock.Try(f); err != nil || !got {
		f.Close()
		return nil
	}
	return func() { f.Close() }
}

// locked reports whether somebody has a lock. It makes no file.
func (p site) locked(name string) bool {
	f, err := os.OpenFile(p.file(name), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	got, err := filelock.Try(f)
	return err == nil && !got
}
