package share

import (
	"context"
	"errors"
	"slices"
	"sort"
	"time"
)

// fetch gets what the remote has, and stops where that is not what was there before
// and more.
func (c *cycle) fetch(ctx context.Context) (string, error) {
	tip, err := c.repo.Fetch(ctx)
	if err != nil {
		return "", err
	}
	c.report.Reached = true
	c.step("fetched")
	now := c.clock.Now()
	c.state.Synced, c.state.Failed, c.state.Failures, c.state.Since = now.Wall, "", 0, time.Time{}
	c.state.restarted(now)
	last := c.state.Tip
	c.line, c.whole = nil, tip == last
	if tip == last {
		return tip, nil
	}
	if last == "" { // the first sync; perhaps the answer to another first one was lost
		if c.line, err = c.repo.Line(ctx, "", tip); err != nil {
			return "", err
		}
		return tip, c.twin(ctx)
	}
	stop := StopDeleted
	if tip != "" {
		if c.line, err = c.repo.Line(ctx, last, tip); err != nil {
			return "", err
		}
		kept := len(c.line) > 0 && slices.Contains(c.line[0].Parents, last)
		c.whole = kept
		if !kept {
			if kept, err = c.repo.IsAncestor(ctx, last, tip); err != nil {
				return "", err
			}
		}
		if kept {
			if err := c.news(ctx, last); err != nil {
				return "", err
			}
			return tip, c.twin(ctx)
		}
		stop = StopRewound
	}
	if c.o.Resume {
		return tip, nil
	}
	c.state.Stopped = stop
	return "", errors.Join(&StopError{stop}, c.save(ctx))
}

// news leaves on the line only what the clone has not seen. Where the last tip is not
// on the line itself, as after a remote that went back, the line has it all.
func (c *cycle) news(ctx context.Context, last string) error {
	if slices.Contains(c.line[0].Parents, last) {
		return nil
	}
	var failed error
	fresh := sort.Search(len(c.line), func(i int) bool {
		old, err := c.repo.IsAncestor(ctx, c.line[i].ID, last)
		failed = errors.Join(failed, err)
		return !old
	})
	c.line = c.line[fresh:]
	return failed
}

// twin looks for commits under this clone's name that this clone did not make: a
// machine was copied whole, and both go on. Commits that it did make are of a sync
// whose answer was lost, and that it has not reported.
func (c *cycle) twin(ctx context.Context) error {
	for _, commit := range c.line {
		by, said := readMessage(commit.Message)
		if by != c.state.Clone {
			continue
		}
		mine := commit.ID
		if slices.Contains(commit.Parents, said.Of) {
			mine = said.Of
		}
		known := mine == c.own
		if !known {
			var err error
			if known, err = c.repo.IsAncestor(ctx, mine, c.own); err != nil {
				return err
			}
		}
		if known {
			c.recall(said)
			continue
		}
		c.state.Renamed(c.rename())
		err := c.save(ctx)
		if err == nil && c.own != c.from { // what the snapshot has is this clone's own: the next one says so
			err = c.repo.SetOwn(ctx, c.own, c.from)
		}
		return errors.Join(errRenamed, err)
	}
	return nil
}

// has reports whether what the remote has contains the snapshot, as far as the new
// part of its line tells.
func (c *cycle) has(tip string) bool {
	return tip == c.own || slices.ContainsFunc(c.line, func(l Commit) bool {
		return l.ID == c.own || slices.Contains(l.Parents, c.own)
	})
}
