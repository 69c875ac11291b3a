package share

import (
	"cmp"
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

// back repairs the board before its next commit: files that an older text has replaced, as by a
// checkout of an old branch or from a backup, numbers that others have, claims that it forgot.
// If only the commit had them, a later one would say that they were ended here. It leaves
// missing tasks to the exchange that follows, if one does.
func (c *cycle) back(ctx context.Context, b *Board) (*Board, error) {
	for try := 0; ; try++ {
		x, w, err := c.right(b)
		if err != nil || len(w.Tasks)+len(w.Claims) == 0 && w.Mark <= b.Mark {
			return b, err
		}
		if try == 3 {
			return nil, errors.New("git changes the board's files all the time")
		}
		op := pawl.OpID(BackOp + c.own + "/" + strconv.FormatInt(int64(b.Revision), 10))
		_, err = c.local.Write(ctx, op, c.since, c.before.Tasks, func(now *Board) (*Written, error) {
			if own, err := c.repo.Own(ctx); err != nil || own != c.own {
				return nil, cmp.Or(err, ErrRace) // another sync of this clone has written the board
			}
			now.Since.Put, now.Since.Left = b.Since.Put, b.Since.Left
			x, w, err = c.right(now)
			return w, err
		})
		if err != nil {
			return nil, err
		}
		c.step("back")
		c.lose(x.lost)
		c.put = andThen(c.put, x.told)
		c.restored = append(c.restored, x.restored...)
		if b, err = c.local.Read(ctx, c.since, c.before.Tasks); err != nil {
			return nil, err
		}
	}
}

// right is what has to be written to a board before a commit is made of it.
func (c *cycle) right(b *Board) (*side, *Written, error) {
	x, err := c.sideOf(c.before, b, false)
	if err != nil {
		return nil, nil, err
	}
	w := c.written(b, x, x.out, x.told)
	x.restored = slices.DeleteFunc(x.restored, func(r merge.Named) bool {
		late := b.Tasks[r.ID] == nil && !c.behind // else before its number is given again
		if late {
			delete(w.Tasks, r.ID)
			delete(w.Claims, r.ID)
		}
		return late
	})
	for id, held := range w.Claims {
		is, want, t := b.Claims[id].Claim, held.Claim, taskOf(x.out.Tasks[id])
		kept := want.Live() && t != nil && t.Status == pawl.InProgress && t.Owner != "" // a store keeps no other
		if kept && !retimed(b.Tasks[id], x.out.Tasks[id]) && is.Token == want.Token && is.Clone == want.Clone || !kept && want != (pawl.Claim{}) {
			delete(w.Claims, id) // only the remote confirms one that is there
		}
	}
	return x, w, nil
}

// Again returns a task's text after the change that made done of older is applied to it.
// Without an older text it returns done.
func Again(id pawl.ID, older, done, text []byte) []byte {
	switch {
	case older == nil:
		return done
	case done == nil || text == nil:
		return text
	}
	one := func(text []byte) merge.Board { return merge.Board{Tasks: map[pawl.ID][]byte{id: text}} }
	merged, _ := merge.Onto([]merge.Board{one(older)}, one(done), one(text))
	return merged.Tasks[id]
}

// With returns a task's text with some fields of another task, or nil if it cannot.
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

// Keep commits the changes of this clone since its last commit, and does not ask the
// remote: [Sharer.Restore] has them from there.
func (s *Sharer) Keep(ctx context.Context, by pawl.Actor) error {
	s.one.Lock()
	defer s.one.Unlock()
	state, err := s.memory.Load(ctx)
	if err != nil {
		return err
	}
	c := &cycle{Sharer: s, o: Options{By: by}, state: state}
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
	rev, err = s.local.Write(ctx, op, 0, nil, func(b *Board) (*Written, error) {
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
