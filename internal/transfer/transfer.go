// Package transfer makes a board the copy of another one, wherever the two are
// kept: tasks, edges, history, claims, results of op ids, with the same ids,
// revisions and tokens.
//
// A copy can be killed at any moment and repeated: it goes on where it was. When
// it is repeated later it brings what is new. It never overwrites work: a board
// that is not empty is written only if it is an earlier copy of the same board and
// nothing has happened on it since. The two histories show that, as git sees that one
// branch is behind another; no mark is kept for it.
package transfer

import (
	"context"
	"crypto/rand"
	"errors"
	"iter"

	"github.com/pawl-dev/pawl"
)

// A Look is a board as it stands.
type Look struct {
	Origin   pawl.Revision `json:"origin,omitempty"`
	Revision pawl.Revision `json:"revision"`
	Tasks    int           `json:"tasks"`
	// Set is the one that was asked for; nil: it is not kept, or there is none.
	Set *pawl.ChangeSet `json:"set,omitempty"`
	// Begins: that revision has no set because the history that is kept begins after it.
	Begins bool `json:"begins,omitempty"`
	// Receiving: the board is a copy that has not been finished, and nothing of the
	// above is known.
	Receiving *pawl.Receiving `json:"receiving,omitempty"`
}

func (l *Look) empty() bool { return l.Tasks == 0 && l.unused() }

// unused reports whether nothing is known to have happened on the board.
func (l *Look) unused() bool { return l.Receiving == nil && l.Revision == l.Origin }

// An Item is a piece of a board on its way: first a Start, then sets and tasks, in
// order, and a pawl.End.
type Item struct {
	Start *Start          `json:"start,omitempty"`
	Set   *pawl.ChangeSet `json:"set,omitempty"`
	Task  *pawl.Task      `json:"task,omitempty"`
	End   *pawl.End       `json:"end,omitempty"`
}

// Start says where the sets begin: after Since.
type Start struct {
	Origin pawl.Revision `json:"origin,omitempty"`
	Since  pawl.Revision `json:"since"`
}

// Fresh asks a source for all of its history.
const Fresh pawl.Revision = -1

// A Source is a board to copy from.
type Source interface {
	// Look says how the board is, and what its set of that revision is.
	Look(ctx context.Context, rev pawl.Revision) (Look, error)
	// Read goes through the board: the sets after a revision, or all that are kept
	// when it is [Fresh], and all tasks as they are at the last one.
	Read(ctx context.Context, after pawl.Revision) iter.Seq2[Item, error]
}

// A Target is a board to copy to.
type Target interface {
	Look(ctx context.Context, rev pawl.Revision) (Look, error)
	Receive(ctx context.Context, part pawl.Part) error
}

// A Report is what a copying did.
type Report struct {
	Origin   pawl.Revision
	Revision pawl.Revision // that both boards are at; with Ahead, the source
	Resumed  bool          // an unfinished copy was gone on with
	Updated  bool          // an earlier copy got what is new
	Sets     int           // that came
	Tasks    int           // of the board
	Ahead    int           // so many sets the target has beyond the source, which has nothing new
}

// Nothing reports whether there was nothing to bring.
func (r *Report) Nothing() bool { return r.Updated && r.Sets == 0 }

// tries is how often a copying begins again where it was, when a part of it was lost, or
// it is not known whether it was taken.
const tries = 4

// Copy makes to the copy of from. tell, if it is not nil, hears now and then how far
// it is.
func Copy(ctx context.Context, from Source, to Target, tell func(Report)) (Report, error) {
	r, err := once(ctx, from, to, tell)
	for range tries - 1 {
		lost, ok := errors.AsType[*lostError](err)
		if !ok || ctx.Err() != nil || pawl.KindOf(lost.cause) != pawl.Unavailable && pawl.KindOf(lost.cause) != pawl.Conflict {
			break
		}
		var more Report
		more, err = once(ctx, from, to, tell)
		more.Sets += r.Sets
		more.Resumed, more.Updated = r.Resumed, r.Updated
		r = more
	}
	if lost, ok := errors.AsType[*lostError](err); ok {
		err = lost.cause
	}
	return r, err
}

// A lostError is that of a part that was sent, or of what was to come next.
type lostError struct{ cause error }

func (e *lostError) Error() string { return e.cause.Error() }
func (e *lostError) Unwrap() error { return e.cause }

// once is one try.
func once(ctx context.Context, from Source, to Target, tell func(Report)) (Report, error) {
	is, err := to.Look(ctx, 0)
	if err != nil {
		return Report{}, err
	}
	if is.empty() {
		was, err := from.Look(ctx, 0)
		if err != nil {
			return Report{}, err
		}
		if was.empty() { // perhaps it is the same board, under another name
			return Report{Origin: was.Origin, Revision: was.Revision, Updated: true}, nil
		}
		return send(ctx, from, to, Fresh, Report{}, tell)
	}
	if is.Receiving != nil {
		r := Report{Origin: is.Receiving.Origin, Revision: is.Receiving.Revision, Resumed: true}
		was, err := from.Look(ctx, r.Revision)
		if err != nil {
			return r, err
		}
		last := &is.Receiving.Last
		if last.Revision == 0 {
			last = nil
		}
		if err := follows(&was, r.Origin, r.Revision, last, last == nil); err != nil {
			return r, err
		}
		return send(ctx, from, to, r.Revision, r, tell)
	}
	was, err := from.Look(ctx, is.Revision)
	if err != nil {
		return Report{}, err
	}
	r := Report{Origin: is.Origin, Revision: was.Revision, Updated: true, Tasks: was.Tasks}
	if is.unused() { // these tasks did not come from anywhere
		return r, other()
	}
	if was.Receiving != nil {
		return r, pawl.UnfinishedError()
	}
	if is.Revision > was.Revision { // worked on since; is there anything that it has not?
		if was, err = from.Look(ctx, was.Revision); err != nil {
			return r, err
		}
		r.Ahead = int(is.Revision - was.Revision)
	}
	if is, err = to.Look(ctx, min(is.Revision, was.Revision)); err != nil {
		return r, err
	}
	if r.Ahead > 0 {
		return r, follows(&was, is.Origin, was.Revision, is.Set, is.Begins)
	}
	if err := follows(&was, is.Origin, is.Revision, is.Set, is.Begins); err != nil || is.Revision == was.Revision {
		return r, err
	}
	return send(ctx, from, to, is.Revision, r, tell)
}

// follows says why a board does not go on from a revision of another one, whose set
// of that revision is last; begins: it has none, since its history begins after that.
func follows(was *Look, origin, at pawl.Revision, last *pawl.ChangeSet, begins bool) error {
	switch {
	case was.Receiving != nil:
		return pawl.UnfinishedError()
	case was.Origin != origin || at > was.Revision:
		return other()
	case last == nil && was.Set == nil && begins && was.Begins:
		return nil // both begin there, and so did nothing else: a new board counts from the time
	case last == nil || was.Set == nil:
		return pawl.Errorf(pawl.Conflict, "the history of one of the boards does not reach back to %s, so nobody can tell whether the other one is a copy of it", at.Short(origin)).
			Say("copy to an empty place")
	case !sameSet(last, was.Set):
		return other()
	}
	return nil
}

func other() error {
	return pawl.Errorf(pawl.Conflict, "the board to copy to is not empty, and has other changes than the one to copy from").
		Say("copy to an empty place")
}

// sameSet compares what makes a set the one that it is. The states in it were
// written by two kinds of stores, and say nothing more.
func sameSet(a, b *pawl.ChangeSet) bool {
	if a.Revision != b.Revision || !a.At.Equal(b.At) || a.By != b.By || a.Verb != b.Verb || a.OpID != b.OpID || a.Undoes != b.Undoes || len(a.Changes) != len(b.Changes) {
		return false
	}
	for i := range a.Changes {
		x, y := &a.Changes[i], &b.Changes[i]
		if x.ID != y.ID || !x.CreatedAt.Equal(y.CreatedAt) || len(x.Fields) != len(y.Fields) {
			return false
		}
	}
	return true
}

// send copies what comes after a revision.
func send(ctx context.Context, from Source, to Target, after pawl.Revision, r Report, tell func(Report)) (Report, error) {
	s := sender{ctx: ctx, to: to, run: rand.Text(), report: r, tell: tell}
	for item, err := range from.Read(ctx, after) {
		if err != nil {
			return s.report, &lostError{err}
		}
		if err := s.take(&item, after == Fresh); err != nil {
			return s.report, err
		}
	}
	if !s.ended {
		return s.report, &lostError{pawl.Errorf(pawl.Unavailable, "the board to copy from ended in the middle: repeat this")}
	}
	return s.report, nil
}

// A sender puts items together to parts.
type sender struct {
	ctx    context.Context
	to     Target
	run    string
	sets   []pawl.ChangeSet
	tasks  []pawl.Task
	size   int     // of those
	upTo   pawl.ID // tasks up to this id were sent
	count  int     // of tasks
	ended  bool
	report Report
	tell   func(Report)
}

func (s *sender) take(item *Item, fresh bool) error {
	switch {
	case item.Start != nil:
		s.report.Origin = item.Start.Origin
		return s.send(pawl.Part{Begin: &pawl.Begin{Origin: item.Start.Origin, Since: item.Start.Since, Empty: fresh}})
	case item.Set != nil:
		n := setSize(item.Set)
		if len(s.sets) == pawl.MaxPartSets || len(s.sets) > 0 && s.size+n > pawl.PartSize {
			if err := s.flushSets(); err != nil {
				return err
			}
		}
		s.sets, s.size = append(s.sets, *item.Set), s.size+n
	case item.Task != nil:
		if err := copies(item.Task); err != nil {
			return err
		}
		if err := s.flushSets(); err != nil {
			return err
		}
		n := taskSize(item.Task)
		if len(s.tasks) == pawl.MaxPartTasks || len(s.tasks) > 0 && s.size+n > pawl.PartSize {
			if err := s.flushTasks(item.Task.ID - 1); err != nil {
				return err
			}
		}
		s.tasks, s.size = append(s.tasks, *item.Task), s.size+n
	case item.End != nil:
		if err := s.flushSets(); err != nil {
			return err
		}
		if err := s.flushTasks(pawl.MaxID); err != nil {
			return err
		}
		s.ended, s.report.Revision, s.report.Tasks = true, item.End.Revision, s.count
		return s.send(pawl.Part{End: item.End})
	}
	return nil
}

// copies says why a task cannot be copied.
func copies(t *pawl.Task) error {
	var e *pawl.Error
	switch {
	case t.Damage != "":
		e = pawl.Errorf(pawl.Conflict, "%s cannot be copied, because its file is damaged: %s", t.ID, t.Damage)
		e.Hint = pawl.Hint{Step: pawl.HintDiagnose}
	case t.Conflicted || len(t.Merging) > 0:
		e = pawl.Errorf(pawl.Conflict, "%s cannot be copied before the boards that git has brought together are merged", t.ID)
		e.Hint = pawl.Hint{Step: pawl.HintMerge}
	default:
		return nil
	}
	e.IDs = []pawl.ID{t.ID}
	return e
}

func (s *sender) flushSets() error {
	if len(s.sets) == 0 {
		return nil
	}
	err := s.send(pawl.Part{Sets: s.sets})
	if err != nil {
		return err
	}
	s.report.Sets += len(s.sets)
	s.report.Revision = s.sets[len(s.sets)-1].Revision
	s.sets, s.size = s.sets[:0], 0
	return nil
}

func (s *sender) flushTasks(upTo pawl.ID) error {
	err := s.send(pawl.Part{Tasks: &pawl.Stretch{After: s.upTo, UpTo: upTo, Tasks: s.tasks}})
	s.count += len(s.tasks)
	s.report.Tasks = s.count
	s.upTo, s.tasks, s.size = upTo, s.tasks[:0], 0
	return err
}

func (s *sender) send(part pawl.Part) error {
	part.Run = s.run
	if err := s.to.Receive(s.ctx, part); err != nil {
		return &lostError{err}
	}
	if s.tell != nil {
		s.tell(s.report)
	}
	return nil
}

// taskSize is about how many bytes a task has as JSON.
func taskSize(t *pawl.Task) int {
	if t == nil {
		return 0
	}
	n := 300 + len(t.Subject) + len(t.Description) + len(t.ActiveForm) + 8*(len(t.Blocks)+len(t.BlockedBy))
	for i := range t.Notes {
		n += 60 + len(t.Notes[i].Text)
	}
	for key, raw := range t.Metadata {
		n += len(key) + len(raw)
	}
	for key, raw := range t.Extra {
		n += len(key) + len(raw)
	}
	return n
}

func setSize(set *pawl.ChangeSet) int {
	n := 200 + len(set.Result)*4/3
	for i := range set.Changes {
		n += 100 + taskSize(set.Changes[i].Before) + taskSize(set.Changes[i].After)
	}
	return n
}
