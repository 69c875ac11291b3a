package share

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl/internal/merge"
)

// Try finds out what Sync would do: it fetches what the remote has, and changes
// neither that nor this clone's board nor what the clone remembers. Another clone may
// be faster before a Sync, which then does something else.
func (s *Sharer) Try(ctx context.Context, o Options) (Report, error) {
	s.one.Lock()
	defer s.one.Unlock()
	state, err := s.memory.Load(ctx)
	if err != nil {
		return Report{}, err
	}
	c := &cycle{Sharer: s, o: o, state: state}
	err = c.try(ctx)
	return c.report, err
}

func (c *cycle) try(ctx context.Context) error {
	if !c.state.Stopped.rechecked() && !c.o.Resume {
		return &StopError{c.state.Stopped}
	}
	own, err := c.repo.Own(ctx)
	if err != nil {
		return err
	}
	since := c.state.Counted[own]
	if c.before, err = c.board(ctx, own); err != nil {
		return err
	}
	c.own, c.from, c.dry = own, own, true
	tip, err := c.fetch(ctx)
	if err != nil && !errors.Is(err, errRenamed) {
		return err
	}
	now, err := c.local.Read(ctx, since, c.before.Tasks)
	if err != nil {
		return err
	}
	x, err := c.sideOf(c.before, now, true)
	if err != nil {
		return err
	}
	var bases []string
	if tip != "" && own != "" {
		if bases, err = c.repo.Bases(ctx, own, tip); err != nil {
			return err
		}
	}
	boards := []merge.Board{{}}
	if tip != "" {
		if boards, err = c.repo.Read(ctx, append(bases, tip)...); err != nil {
			return err
		}
	}
	based, theirs := boards[:len(boards)-1], boards[len(boards)-1]
	merged, report := c.onto(based, x.out, theirs)
	_, told := c.onto([]merge.Board{x.out}, x.out, merged)
	c.report.Restored = x.restored
	c.lose(x.lost)
	c.tell(report)
	c.report.Sent = differ(theirs, merged)
	c.side = x.out
	c.miss(&merged)
	c.arrived(&told, merged)
	c.report.Merge = andThen(x.told, c.report.Merge)
	c.report.Lost = c.state.gone(&merged)
	return nil
}
