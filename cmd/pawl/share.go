package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/gitexclude"
	"github.com/pawl-dev/pawl/internal/gitshare"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/store/file"
)

// committed are the texts that git has of a file.
func committed(ctx context.Context, path string) ([][]byte, error) {
	tree, err := git.Find(ctx, filepath.Dir(path))
	if tree == nil || err != nil {
		return nil, nil // without git a copy has only its own memory
	}
	return tree.Committed(ctx, path, 2<<20) // a list of boxes is not larger
}

func shareStatus(dir string, unsent bool) (*share.Status, error) {
	s := gitshare.Open(dir, boards.ShareOptions(dir, nil))
	if s == nil {
		return nil, nil
	}
	if err := s.Readable(); err != nil {
		return nil, err
	}
	if !unsent {
		return s.Status(context.Background()), nil
	}
	return s.Whole(context.Background()), nil
}

func wish(t cli.ToShare) gitshare.Wish {
	return gitshare.Wish{By: t.By, Remote: t.Remote, From: t.From, Branch: t.Branch, Unasked: t.Unasked}
}

func sharePlan(ctx context.Context, t cli.ToShare) (cli.SharePlan, error) {
	to, err := gitshare.Aim(ctx, t.Dir, wish(t))
	if err != nil {
		return cli.SharePlan{}, err
	}
	plan := cli.SharePlan{Remote: to.Remote, Address: to.Address, Ref: to.Ref, Programs: to.Programs, Allowed: gitshare.AllowedBy(os.Getenv)}
	versions, err := gitexclude.Versioned(ctx, t.Dir)
	plan.Tracked, plan.Branch, plan.Branches = versions.Index, versions.Branch, versions.Others
	return plan, err
}

func shareBoard(ctx context.Context, t cli.ToShare) (cli.Shared, error) {
	o := boards.ShareOptions(t.Dir, nil)
	o.Agree = t.Agree
	if s := gitshare.Open(t.Dir, o); s != nil {
		return again(ctx, s, t)
	}
	var out cli.Shared
	_, missing := os.Lstat(t.Dir)
	isNew := errors.Is(missing, os.ErrNotExist)
	if isNew {
		if _, err := os.Stat(filepath.Dir(t.Dir)); err != nil {
			return out, pawl.Errorf(pawl.NotFound, "the folder %s does not exist", filepath.Dir(t.Dir))
		}
	}
	s, joined, err := gitshare.Join(ctx, t.Dir, wish(t), o, func() error {
		untracked, err := gitexclude.Share(ctx, t.Dir)
		if err != nil {
			return err
		}
		out.Untracked = untracked
		_, err = boards.Plainly(t.Dir, file.Unchanged)
		return err
	})
	out.Report, out.Published = joined.Report, joined.Published
	if err != nil {
		if isNew {
			removeEmpty(t.Dir)
		}
		return out, err
	}
	out.Made, out.Status = isNew, *s.Whole(ctx)
	return out, nil
}

// again lets a board that is shared already go on through another remote, or takes its files
// out of git's index, and syncs it.
func again(ctx context.Context, s *gitshare.Sharing, t cli.ToShare) (out cli.Shared, err error) {
	if t.Moved {
		err = s.Through(ctx, wish(t))
	} else {
		out.Untracked, err = gitexclude.Share(ctx, t.Dir)
	}
	if err != nil {
		return out, err
	}
	out.Report, err = s.Sync(ctx, share.Options{By: t.By})
	if status := s.Whole(ctx); status != nil {
		out.Status = *status
	}
	return out, err
}

// removeEmpty removes the folder of a board that was just made, and has no task.
func removeEmpty(dir string) {
	if tasks, err := filepath.Glob(filepath.Join(dir, "task_*.json")); err == nil && len(tasks) == 0 {
		_ = os.RemoveAll(dir)
	}
}

func stopSharing(ctx context.Context, dir string, _ pawl.Actor) (cli.Stopped, error) {
	s := gitshare.Open(dir, boards.ShareOptions(dir, nil))
	if s == nil {
		return cli.Stopped{Sight: boards.Look(ctx, dir)}, nil
	}
	was := s.Whole(ctx)
	out := cli.Stopped{Was: was, Unsent: was.Unsent}
	ctx, cancel := context.WithTimeout(ctx, time.Minute) // for a sync that is under way
	defer cancel()
	if err := s.Stop(ctx); err != nil {
		return out, err
	}
	if _, hidden := gitexclude.Made(dir); hidden {
		if _, err := gitexclude.Show(ctx, dir); err != nil {
			return out, err
		}
	}
	out.Sight = boards.Look(ctx, dir)
	return out, nil
}

func syncBoard(ctx context.Context, t cli.ToSync) (cli.Synced, error) {
	o := boards.ShareOptions(t.Dir, nil)
	o.Agree = t.Agree
	s := gitshare.Open(t.Dir, o)
	if s == nil {
		if t.Background {
			return cli.Synced{}, nil // it was, when that was asked for
		}
		return cli.Synced{}, gitshare.ErrNotShared
	}
	if t.Keep {
		return cli.Synced{}, s.Keep(ctx, t.By)
	}
	if t.Background {
		return cli.Synced{}, s.Background(ctx, t.By)
	}
	do := s.Sync
	if t.Dry {
		do = s.Try
	}
	report, err := do(ctx, share.Options{By: t.By, Resume: t.Resume})
	out := cli.Synced{Report: report}
	tell := s.Status // after a sync, nothing waits to be sent
	if err != nil || t.Dry {
		tell = s.Whole
	}
	if status := tell(ctx); status != nil {
		out.Status = *status
	}
	return out, err
}

func offered(ctx context.Context, t cli.ToShare) (cli.Offered, error) {
	o, err := gitshare.Offered(ctx, t.Dir, wish(t))
	out := cli.Offered{Remote: o.Remote, Programs: o.Programs}
	if o.Found {
		out.Ref = o.Ref
	}
	return out, err
}
