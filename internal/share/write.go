package share

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// write brings what clone and remote have in common into the board as it is by now,
// and moves the clone's commit to it.
func (c *cycle) write(ctx context.Context, done joined) error {
	state := c.state
	state.Tip, state.Stopped = done.commit, ""
	if !done.read { // no news, and nothing to send
		if state.Even != nil && c.same {
			state.Even.Revision = c.at
			state.count(done.commit, c.at)
		}
		return c.finish(ctx, &done.board)
	}
	if err := c.need(ctx); err != nil {
		return err
	}
	c.miss(&done.board)
	c.report.Confirmed = state.agree(&done.board)
	// One commit may have to be written more than once, as when a file goes: the op
	// id has the revision.
	op := pawl.OpID("sync/" + done.commit + "/" + c.own + "/" + strconv.FormatInt(int64(c.at), 10))
	state.Pending = &Pending{Op: op, From: c.own, To: done.commit}
	state.count(done.commit, c.at, c.own)
	if err := c.save(ctx); err != nil {
		return err
	}
	even, removed := false, false
	var told merge.Report
	var lost []merge.Yielded
	rev, err := c.local.Write(ctx, op, c.at, c.side.Tasks, func(b *Board) (*Written, error) {
		if err := c.guard(ctx, op); err != nil {
			return nil, err
		}
		x, err := c.sideOf(c.side, b, false)
		if err != nil {
			return nil, err
		}
		lost = x.lost
		var merged merge.Board
		merged, told = c.onto([]merge.Board{c.side}, x.out, done.board)
		told = andThen(x.told, told)
		removed = len(b.Since.Removed) > 0
		even = sameBoards(merged, done.board) && len(b.Damaged) == 0
		return c.written(b, x, merged, told), nil
	})
	if err != nil {
		return err
	}
	c.step("written")
	if done.commit != c.own {
		if err := c.repo.SetOwn(ctx, c.own, done.commit); err != nil {
			return err
		}
		c.step("own")
	}
	c.lose(lost)
	c.lose(told.Yielded)
	state.Pending, state.Even, state.Undue, state.Copied = nil, nil, nil, false
	if even {
		state.Even = &Even{done.commit, rev}
	}
	if !removed {
		c.at = max(c.at, rev) // what happened since the snapshot and differs from the commit counts as one turn
	}
	state.count(done.commit, c.at)
	state.forget(&done.board)
	c.arrived(&told, done.board)
	c.report.Revision = rev
	if err := c.finish(ctx, &done.board); err != nil {
		return err
	}
	_ = c.repo.Tidy(ctx) // a clone that could not tidy up is larger, and nothing else
	return nil
}

// guard reports whether this sync is still the one to write the board: the clone's
// commit is where it was, and no other sync is about to write. A lock sees to that, but
// not everywhere.
func (c *cycle) guard(ctx context.Context, op pawl.OpID) error {
	own, err := c.repo.Own(ctx)
	if err != nil {
		return err
	}
	state, err := c.memory.Load(ctx)
	if err != nil {
		return err
	}
	if own != c.own || state.Pending == nil || state.Pending.Op != op {
		return errStale
	}
	return nil
}

// finish tells of what was lost, last of all: what no sync has told of before a crash,
// the next one tells.
func (c *cycle) finish(ctx context.Context, board *merge.Board) error {
	c.report.Lost, c.state.Owed = c.state.gone(board), nil
	c.state.notice(c.clock.Now(), c.report.Lost)
	return c.memory.Save(ctx, c.state)
}

// gone is what is owed, without what a board has again: the remote may have gone back
// since a sync that did not end noted that it yields.
func (s *State) gone(b *merge.Board) []merge.Yielded {
	type work struct {
		subject, owner string
		status         pawl.Status
	}
	has := map[work][]*merge.Held{}
	if len(s.Owed) > 0 {
		for id, text := range b.Tasks {
			if t := taskOf(text); t != nil {
				w := work{t.Subject, t.Owner, t.Status}
				has[w] = append(has[w], b.Beside[id].Held)
			}
		}
	}
	return slices.DeleteFunc(s.Owed, func(y merge.Yielded) bool {
		return (y.Held != nil || y.Now != y.Was || y.By != y.Owner) &&
			slices.ContainsFunc(has[work{y.Subject, y.Owner, y.Was}], func(h *merge.Held) bool { return sameHeld(h, y.Held) })
	})
}

// miss notes claims of this clone that the remote gave to somebody else, or ended. One that
// was forgotten before a commit had it is known by the work alone.
func (c *cycle) miss(theirs *merge.Board) {
	there := heldIn(theirs)
	var lost []merge.Yielded
	find := finder{texts: theirs.Tasks}
	for _, id := range slices.Sorted(maps.Keys(c.side.Beside)) {
		h := c.side.Beside[id].Held
		if !c.state.worked(c.side.Beside[id]) || h != nil && there[key(h)] {
			continue
		}
		was := taskOf(c.side.Tasks[id])
		is := find.find(id, was)
		if is == nil || is.Status == pawl.Pending || h == nil && (is.ID != id || was.Status == pawl.Completed || sameWork(was, is)) {
			continue
		}
		lost = append(lost, merge.Yielded{
			Named: merge.Named{ID: is.ID, Subject: is.Subject}, Was: was.Status, Owner: was.Owner, Held: h,
			Now: is.Status, By: is.Owner, Winner: theirs.Beside[is.ID].Held,
		})
	}
	c.lose(lost)
}

// A finder finds tasks of a board, which may have other numbers there. It reads each text once.
type finder struct {
	texts map[pawl.ID][]byte
	by    map[identity][]*pawl.Task // when it was needed
}

// find returns a task; nil: it is not there. Of several that were made in one moment it is the
// one of its name, or else of its number.
func (f *finder) find(id pawl.ID, t *pawl.Task) (found *pawl.Task) {
	if t == nil {
		return nil
	}
	if is := taskOf(f.texts[id]); is != nil && sameTask(t, is) && is.Subject == t.Subject {
		return is
	}
	if f.by == nil {
		f.by = map[identity][]*pawl.Task{}
		for _, text := range f.texts {
			f.add(taskOf(text))
		}
	}
	for _, is := range f.by[identityOf(t)] {
		switch {
		case is.Subject == t.Subject:
			return is
		case found == nil || is.ID == id:
			found = is
		}
	}
	return found
}

// add notes a task that came since.
func (f *finder) add(t *pawl.Task) {
	if f.by != nil && t != nil {
		f.by[identityOf(t)] = append(f.by[identityOf(t)], t)
	}
}

// arrived tells what the board got.
func (c *cycle) arrived(told *merge.Report, board merge.Board) {
	r := &c.report
	r.Arrived, r.Deleted, r.Merge.Moved = told.Arrived, told.Deleted, told.Moved
	for _, id := range told.Changed {
		r.Changed = append(r.Changed, merge.Named{ID: id, Subject: subjectOf(board.Tasks[id])})
	}
	r.Merge.Beside = append(r.Merge.Beside, told.Beside...)
}

// written is what has to be done to the files and claims of a board so that it says
// what the merged one says.
func (c *cycle) written(b *Board, x *side, merged merge.Board, told merge.Report) *Written {
	w := &Written{Tasks: map[pawl.ID][]byte{}, Claims: map[pawl.ID]LocalHeld{}, Mark: merged.Mark, Moved: told.Moved, Beside: told.Beside}
	for id, text := range merged.Tasks {
		if _, damaged := b.Damaged[id]; damaged && bytes.Equal(text, x.out.Tasks[id]) {
			continue // it has nothing new, and doctor mends it
		}
		if now, there := b.Tasks[id]; !there || !bytes.Equal(now, text) {
			w.Tasks[id] = text
		}
		if want, is := c.localHeld(merged.Beside[id], b.Claims[id]), b.Claims[id]; want != is || want.Claim.Live() && retimed(b.Tasks[id], text) {
			w.Claims[id] = want
		}
	}
	for id := range b.Tasks {
		if _, stays := merged.Tasks[id]; stays {
			continue
		}
		if _, damaged := b.Damaged[id]; damaged && c.side.Tasks[id] == nil {
			continue // nobody else knows of it
		}
		w.Tasks[id] = nil
	}
	return w
}

// retimed reports whether a text has another time of creation: to the store it is another task,
// without the claim of the one before.
func retimed(was, is []byte) bool {
	if was == nil || bytes.Equal(was, is) {
		return false
	}
	a, b := taskOf(was), taskOf(is)
	return a != nil && b != nil && !a.CreatedAt.Equal(b.CreatedAt)
}

// localHeld is what the store keeps of a claim.
func (c *cycle) localHeld(beside merge.Beside, is LocalHeld) LocalHeld {
	h := beside.Held
	want := LocalHeld{Expired: beside.Expired}
	if h == nil {
		return want
	}
	want.Claim = pawl.Claim{Session: h.Session, Agent: h.Agent, Token: h.Token, Lease: h.Lease}
	if !c.state.mine(h) {
		want.Claim.Clone = h.Clone
		if lease := time.Duration(h.Lease); lease > 0 {
			since := c.clock.Now()
			if seen, ok := c.state.Seen[key(h)]; ok {
				since = seen.At
			}
			want.Claim.Until = millis(since.Wall.Add(lease + margin(lease)))
		}
		return want
	}
	if is.Claim.Clone == "" && is.Claim.Token == h.Token {
		want = is
	} else if h.Lease > 0 {
		want.Claim.Until = millis(c.clock.Now().Wall.Add(time.Duration(h.Lease)))
	}
	want.Claim.Confirmed = time.Time{}
	if agreed, ok := c.state.Agreed[key(h)]; ok {
		want.Claim.Confirmed = millis(agreed.At.Wall)
	}
	return want
}

// millis is a time as a store keeps it.
func millis(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// forget drops what is remembered of claims that are gone.
func (s *State) forget(b *merge.Board) {
	there := heldIn(b)
	maps.DeleteFunc(s.Written, func(k string, _ Renewal) bool { return !there[k] })
}

// heldIn are the claims that a board has, by key.
func heldIn(b *merge.Board) map[string]bool {
	there := map[string]bool{}
	for _, beside := range b.Beside {
		if beside.Held != nil {
			there[key(beside.Held)] = true
		}
	}
	return there
}

// restarted lets leases of other clones count anew: nobody knows for how long the
// machine was off.
func (s *State) restarted(now Instant) {
	for k, r := range s.Seen {
		if r.At.Boot != now.Boot {
			r.At = now
			s.Seen[k] = r
		}
	}
}
