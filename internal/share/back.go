package share

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// BackOp begins the op ids of writes that put the board's files back.
const BackOp = "back/"

// back puts files back in whose place an older text came, as by a checkout of an old branch
// or from a backup, and what else the board lost that nobody changed: claims, and the times that tasks are known by.
// A commit that had them without the board would say later that they were ended here.
// What was done since to the older files is done to the board's.
func (c *cycle) back(ctx context.Context, b *Board) (*Board, error) {
	for try := 0; ; try++ {
		want := c.wanted(b)
		if len(want) == 0 {
			return b, nil
		}
		if try == 3 {
			return nil, errors.New("git changes the board's files all the time")
		}
		op := pawl.OpID(BackOp + c.own + "/" + strconv.FormatInt(int64(b.Revision), 10))
		_, err := c.local.Write(ctx, op, c.since, func(now *Board) (*Written, error) {
			w := &Written{Tasks: map[pawl.ID][]byte{}, Claims: map[pawl.ID]LocalHeld{}, Mark: max(now.Mark, c.before.Mark)}
			for id, text := range want {
				if !bytes.Equal(now.Tasks[id], b.Tasks[id]) || now.Claims[id] != b.Claims[id] {
					continue
				}
				w.Tasks[id] = text
				if held := c.heldBack(id, text, b); held != now.Claims[id] {
					w.Claims[id] = held
				}
			}
			return w, nil
		})
		if err != nil {
			return nil, err
		}
		c.step("back")
		if b, err = c.local.Read(ctx, c.since, c.before.Tasks); err != nil {
			return nil, err
		}
	}
}

// heldBack is the claim of a task that is put back. One that the board has stands if it was
// made here since, in the work that the task is still in.
func (c *cycle) heldBack(id pawl.ID, text []byte, b *Board) LocalHeld {
	is, was, now := taskOf(text), taskOf(c.before.Tasks[id]), b.Claims[id]
	if is == nil || was == nil || !sameTask(is, was) || !sameWork(is, was) {
		return now
	}
	steps := b.Since.Steps[id]
	did := func(field pawl.Field) bool {
		return slices.ContainsFunc(steps, func(s pawl.Change) bool { return slices.Contains(s.Fields, field) })
	}
	if now.Claim.Live() && (!b.Since.Put[id] || did(pawl.FieldClaim) && !did(pawl.FieldStatus)) {
		return now
	}
	back := c.localHeld(c.before.Beside[id], now)
	if is.Status != pawl.InProgress || is.Owner == "" || !back.Claim.Live() {
		back.Claim = pawl.Claim{} // a store keeps none
	}
	return back
}

// wanted are the texts that belong in the place of the older ones that came there, or that
// lack something; nil: the task was deleted. A task that the board never had is news.
func (c *cycle) wanted(b *Board) map[pawl.ID][]byte {
	want := dated(b, c.before.Tasks)
	for id, text := range c.before.Tasks {
		if c.alone && c.behind && b.Tasks[id] == nil && find(&merge.Board{Tasks: b.Tasks}, id, taskOf(text)) == nil {
			want[id] = text // before the number is given again
		}
	}
	for id, beside := range c.before.Beside {
		if b.forgot(id, beside) && c.heldBack(id, b.Tasks[id], b) != b.Claims[id] {
			want[id] = b.Tasks[id] // and the claim with it
		}
	}
	for id := range b.Since.Put {
		is, was, steps := taskOf(b.Tasks[id]), taskOf(c.before.Tasks[id]), b.Since.Steps[id]
		switch {
		case is == nil:
		case was != nil && sameTask(is, was) && !b.Since.Removed[id]:
			text, lost := follow(id, c.before.Tasks[id], steps, c.state.worked(c.before.Beside[id]))
			if text == nil || bytes.Equal(text, b.Tasks[id]) {
				continue
			}
			if want[id] = text; lost != nil {
				if h := b.Claims[id].Claim; h.Live() && h.Clone == "" {
					lost.Held = c.state.heldAs(h)
				}
				c.lose([]merge.Yielded{*lost})
			}
		case len(steps) == 0 && b.Since.Removed[id]:
			want[id] = nil
		case len(steps) == 0 && (c.deleted(is) || find(&c.before, id, is) != nil):
			want[id] = c.before.Tasks[id] // the other has another number by now, or none
		}
	}
	return want
}

// deleted reports whether a task was deleted from the shared board.
func (c *cycle) deleted(t *pawl.Task) bool {
	for _, g := range c.before.Gone {
		if was := taskOf(g.Text); was != nil && sameTask(t, was) {
			return true
		}
	}
	return false
}

// follow is a task's text after steps, which may have been done to another text of it;
// nil: it is not known. The work of somebody else, or not this clone's own, stays, and all that
// the steps did instead is one thing that yields.
func follow(id pawl.ID, text []byte, steps []pawl.Change, own bool) (_ []byte, lost *merge.Yielded) {
	var was *pawl.Task // before the work that yields
	for _, s := range steps {
		if s.Before == nil {
			text = taskjson.Encode(s.After)
			continue
		}
		if t := taskOf(text); t != nil && t.CreatedAt.UnixMilli() != s.CreatedAt.UnixMilli() {
			continue // it was done to another task that had the number
		}
		from, to := With(text, s.Before, s.Fields), With(text, s.After, s.Fields)
		if from == nil || to == nil {
			return nil, nil
		}
		if lost != nil {
			from = With(from, was, Work)
		}
		one := func(text []byte) merge.Board { return merge.Board{Tasks: map[pawl.ID][]byte{id: text}} }
		merged, told := merge.Onto([]merge.Board{one(from)}, one(to), one(text))
		text = merged.Tasks[id]
		if y := told.Yielded; len(y) > 0 && !(own && y[0].Owner == y[0].By) {
			was, lost = taskOf(from), &y[0]
		}
	}
	return text, lost
}

// Work are the fields that say who works on a task.
var Work = []pawl.Field{pawl.FieldStatus, pawl.FieldOwner, pawl.FieldStartedAt, pawl.FieldCompletedAt}

// With is a task's text with some fields of another task; nil: there is none.
func With(text []byte, from *pawl.Task, fields []pawl.Field) []byte {
	t := taskOf(text)
	if t == nil {
		return nil
	}
	pawl.CopyFields(t, from, fields...)
	text, err := taskjson.Patch(text, t)
	if err != nil {
		return nil
	}
	return text
}

// Keep makes a commit of what this clone changed since its last one, and does not ask the
// remote: [Sharer.Restore] has it from there.
func (s *Sharer) Keep(ctx context.Context, by pawl.Actor) error {
	s.one.Lock()
	defer s.one.Unlock()
	state, err := s.memory.Load(ctx)
	if err != nil {
		return err
	}
	c := &cycle{Sharer: s, o: Options{By: by}, state: state, alone: true}
	if err := c.settle(ctx); err != nil {
		return err
	}
	if err := c.snapshot(ctx); err != nil {
		return err
	}
	return s.repo.Tidy(ctx)
}

// Restore writes what the clone's last commit has to a board that is gone as a whole, with
// its history, and does not ask the remote. It returns the revision, zero if there was
// nothing to write, and whether the remote has all of it.
func (s *Sharer) Restore(ctx context.Context) (rev pawl.Revision, sent bool, err error) {
	s.one.Lock()
	defer s.one.Unlock()
	state, err := s.memory.Load(ctx)
	if err != nil {
		return 0, false, err
	}
	c := &cycle{Sharer: s, state: state}
	if err := c.settle(ctx); err != nil {
		return 0, false, err
	}
	own, err := s.repo.Own(ctx)
	if err == nil && own == "" && state.Tip != "" {
		err = errors.New("the clone's commits are gone, too")
	}
	if err != nil || own == "" {
		return 0, false, err
	}
	had, err := c.board(ctx, own)
	if err != nil {
		return 0, false, err
	}
	wrote, op := false, pawl.OpID(BackOp+own)
	rev, err = s.local.Write(ctx, op, 0, func(b *Board) (*Written, error) {
		if wrote = len(b.Tasks) == 0; !wrote { // somebody has begun another one: the next sync joins them
			return nil, nil
		}
		return c.written(b, &side{out: had}, had, merge.Report{}), nil
	})
	if err == nil && !wrote { // a start that was killed may have written it
		wrote, err = s.local.Wrote(ctx, op)
	}
	if err != nil || !wrote {
		return 0, false, err
	}
	c.step("back")
	state.Even = nil
	state.count(own, rev)
	return rev, own == state.Tip, c.save(ctx)
}
