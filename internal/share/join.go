package share

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// joined is what clone and remote have in common.
type joined struct {
	commit string
	board  merge.Board
	read   bool // board is known
}

// join brings the snapshot onto what the remote has, and pushes the result.
func (c *cycle) join(ctx context.Context, tip string) (joined, error) {
	if tip == c.own || c.own == "" || c.has(tip) {
		if tip == "" || c.state.Even != nil && c.state.Even.Commit == tip {
			return joined{commit: tip}, nil
		}
		theirs, err := c.board(ctx, tip)
		if err == nil {
			c.state.see(&theirs, c.clock.Now())
		}
		return joined{tip, theirs, true}, err
	}
	var bases []string
	var err error
	switch {
	case tip == "":
	case c.from == c.state.Tip && c.from != "" && c.whole:
		bases = []string{c.from} // the remote went on from there, or is still there
	default:
		if bases, err = c.repo.Bases(ctx, c.own, tip); err != nil {
			return joined{}, err
		}
	}
	if err := c.need(ctx); err != nil {
		return joined{}, err
	}
	var theirs merge.Board
	var based []merge.Board
	if tip != "" {
		boards, err := c.repo.Read(ctx, append(slices.Clone(bases), tip)...)
		if err != nil {
			return joined{}, err
		}
		based, theirs = boards[:len(bases)], boards[len(bases)]
	}
	c.state.see(&theirs, c.clock.Now())
	merged, report := c.onto(based, c.side, theirs)
	c.step("merged")
	done := joined{tip, merged, true}
	if tip != "" && sameBoards(merged, theirs) {
		c.tell(report)
		return done, nil
	}
	ahead := tip == "" || slices.Equal(bases, []string{tip})
	if done.commit = c.own; !ahead || !sameBoards(merged, c.side) {
		commit := Commit{Board: merged, Parents: []string{tip, c.own}, Name: c.o.By.Name, At: c.clock.Now().Wall}
		if tip == "" {
			commit.Parents = []string{c.own}
		}
		commit.Message = c.message(headline(c.o.By.Name, theirs, merged), c.own, report)
		if done.commit, err = c.repo.Write(ctx, commit, theirs); err != nil {
			return joined{}, err
		}
	}
	c.step("committed")
	if err := c.repo.Push(ctx, tip, done.commit); err != nil {
		return joined{}, err
	}
	c.step("pushed")
	now := c.clock.Now()
	c.state.Turn = c.state.Turn.next(now, now.Up-c.began, c.report.Tries == 0)
	c.tell(report)
	c.report.Sent = differ(theirs, merged)
	return done, nil
}

// need reads the snapshot, where the clone has not changed since it was synced.
func (c *cycle) need(ctx context.Context) error {
	if c.side.Tasks != nil || c.own == "" {
		return nil
	}
	var err error
	c.side, err = c.board(ctx, c.own)
	c.before = c.side
	return err
}

// tell puts what a merge did to this clone's changes into the report.
func (c *cycle) tell(r merge.Report) {
	c.lose(r.Yielded)
	r.Arrived, r.Changed, r.Deleted, r.Moved, r.Yielded = nil, nil, nil, nil, nil
	if !r.Empty() {
		c.report.Merge = r
	}
}

// recall tells what a sync did whose answer was lost.
func (c *cycle) recall(said saidReport) {
	c.lose(said.Lost)
	c.report.Merge = said.Merge
}

// differ names the tasks that differ between two boards, but for renewals.
func differ(before, after merge.Board) []merge.Named {
	var ids []pawl.ID
	for id, text := range after.Tasks {
		a, b := before.Beside[id], after.Beside[id]
		if !bytes.Equal(text, before.Tasks[id]) || a.Turn != b.Turn || !sameHeld(a.Held, b.Held) {
			ids = append(ids, id)
		}
	}
	named := make([]merge.Named, 0, len(ids))
	for _, id := range slices.Sorted(slices.Values(ids)) {
		named = append(named, merge.Named{ID: id, Subject: subjectOf(after.Tasks[id])})
	}
	for _, id := range slices.Sorted(maps.Keys(before.Tasks)) {
		if _, stays := after.Tasks[id]; !stays {
			named = append(named, merge.Named{ID: id, Subject: subjectOf(before.Tasks[id])})
		}
	}
	return named
}
