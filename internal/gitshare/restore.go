package gitshare

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/store/file"
)

// Restore restores a shared board whose tasks and history are gone, as after git clean, and
// reports whether it did. It takes the last commit of a sync or of [Sharing.Keep] from git's
// folder, and does not use the remote. For an existing board it costs one look.
func Restore(ctx context.Context, board string, o Options) (bool, error) {
	if !gone(board) {
		return false, nil
	}
	if err := siteOf(board).led(); err != nil {
		return false, err // a board that is made here would be another one than git's folder has
	}
	s := Open(board, o)
	if s == nil {
		return false, nil
	}
	done, err := s.restore(ctx)
	if err != nil && !errors.Is(err, errOther) {
		return false, pawl.Errorf(pawl.KindOf(err), "the files of a shared board are gone from %s, and its board cannot be brought back from git's folder: %w", board, err).Say("pawl sync")
	}
	return done, err
}

// restoring is a file in .pawl while a board is brought back: a crash leaves it there.
const restoring = "restoring"

// gone reports whether a folder has nothing of a board that Pawl has written or a person
// has put there, or a board that was not brought back to its end. A hook may have made the
// folder for Pawl's own files since.
func gone(board string) bool {
	if _, err := os.Lstat(filepath.Join(board, ".pawl", "journal")); err == nil {
		_, err := os.Lstat(filepath.Join(board, ".pawl", restoring))
		return err == nil
	}
	tasks, err := fs.Glob(os.DirFS(board), "task_*.json")
	return err == nil && len(tasks) == 0
}

func (s *Sharing) restore(ctx context.Context) (bool, error) {
	unlock := s.try(lockName)
	if unlock == nil && !s.o.Hook {
		var err error
		if unlock, err = s.lock(ctx, lockName); err != nil {
			return false, err
		}
	}
	if unlock == nil {
		return false, pawl.Errorf(pawl.Unavailable, "another sync of this board is still under way")
	}
	defer unlock()
	if !gone(s.Board) {
		return false, nil // another process has restored it
	}
	r, err := s.read(stateName)
	if err == nil && s.other(r, true) { // git makes the folder of a submodule again
		err = errOther
	}
	if err != nil {
		return false, err
	}
	sharer, done, err := s.alone(ctx, r, pawl.Actor{Name: "pawl"})
	if err != nil {
		return false, err
	}
	defer done()
	mark := s.relays()
	if err := errors.Join(os.MkdirAll(s.Board, 0o755), file.Prepare(s.Board)); err != nil {
		return false, err
	}
	if err := mark.write(restoring, nil); err != nil {
		return false, err
	}
	rev, sent, err := sharer.Restore(ctx)
	if err != nil {
		return false, err
	}
	if rev != 0 {
		if r.Sent = rev; !sent { // the history begins with what was brought back
			r.Sent--
		}
		if err := s.save(r); err != nil {
			return false, err
		}
	}
	return rev != 0, os.Remove(mark.File(restoring))
}

// alone is what brings the clone's board and its commits together without the remote. The
// caller has the lock.
func (s *Sharing) alone(ctx context.Context, r *record, by pawl.Actor) (*share.Sharer, func(), error) {
	repo, err := git.OpenRepo(ctx, s.File(repoName), s.project())
	if err != nil {
		return nil, nil, err
	}
	if err := s.rebind(r); err != nil {
		return nil, nil, err
	}
	store, done, err := s.store()
	if err != nil {
		return nil, nil, err
	}
	commits := NewRepository(repo, git.Remote{}, r.Ref)
	return share.New(commits, s.local(store, by, commits), &memory{s.site, r}, clock{}, newName), done, nil
}
