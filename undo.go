package pawl

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Undo is [Board.Do] with an [Undo] of the change set with this revision.
func (b *Board) Undo(ctx context.Context, by Actor, rev Revision) (Result, error) {
	return b.Do(ctx, Request{By: by, Op: Undo{Revision: rev}})
}

// recall looks up in history what undos revert. A change set never changes, so
// this can happen before the store is asked; and what cannot be found fails only
// there, since the request may have run before.
func (b *Board) recall(ctx context.Context, requests []Request) []Request {
	isUndo := func(req Request) bool { _, is := req.Op.(Undo); return is }
	if !slices.ContainsFunc(requests, isUndo) {
		return requests
	}
	requests = slices.Clone(requests)
	for i, req := range requests {
		if op, is := req.Op.(Undo); is && len(op.check()) == 0 {
			requests[i].Op = b.lookUp(ctx, req, op, nil)
		}
	}
	return requests
}

func (b *Board) lookUp(ctx context.Context, req Request, op Undo, passed []Revision) revert {
	found := revert{Undo: op, passed: passed}
	if op.Revision != 0 {
		found.set, found.err = b.ChangeAt(ctx, op.Revision)
	} else {
		by := req.By
		if by.Name = oneLine(by.Name); op.Everywhere {
			by.Session = ""
		}
		same := func(session string) bool {
			return slices.Contains(req.Sessions, session) || req.Same != nil && req.Same(session)
		}
		found.set, found.err = b.Undoable(ctx, by, same, passed...)
	}
	first, err := found.set, found.err
	for err == nil && first.Undoes != 0 { // an undo of an undo does again what that took back
		first, err = b.ChangeAt(ctx, first.Undoes)
	}
	found.outside = first.Verb == ExternalName
	if found.err == nil && (req.Agent || req.Bound) {
		found.later, found.err = b.overtaking(ctx, req, &found.set)
	}
	return found
}

// overtaking returns the later set that keeps agents from undoing set, even if the task is as
// set left it: the undo of set, or a person's change of the same. It returns a set without
// changes if there is none. A sync may bring a person's changes. A set that was undone does
// not count, and neither does its undo if both are a person's.
func (b *Board) overtaking(ctx context.Context, req Request, set *ChangeSet) (ChangeSet, error) {
	persons := func(by *ChangeSet) bool {
		return by.Verb == VerbSync || Personal(by.By.Session) && !(req.Bound && by.By.Name == req.By.Name)
	}
	meets := func(next *ChangeSet) bool { id, _ := set.meets(next); return id != 0 }
	undone := map[Revision]ChangeSet{}
	for next, err := range b.Changes(ctx, Span{After: set.Revision, Backward: true}) {
		if err != nil {
			return ChangeSet{}, err
		}
		if undo, is := undone[next.Revision]; is {
			if persons(&undo) && !persons(&next) && meets(&undo) {
				return undo, nil
			}
			continue
		}
		if _, is := undone[next.Undoes]; next.Undoes != 0 && (!is || persons(&next)) {
			undone[next.Undoes] = next
		}
		if (next.Undoes == set.Revision || next.Undoes < set.Revision && persons(&next)) && meets(&next) {
			return next, nil
		}
	}
	return ChangeSet{}, nil
}

// meets returns the task and its fields in which a later set changed what undoing set gives
// back; zero: there is none. A task that the later set made or deleted has no fields.
func (set *ChangeSet) meets(later *ChangeSet) (ID, []Field) {
	for _, l := range later.Changes {
		for _, c := range set.Changes {
			if c.ID != l.ID || !c.CreatedAt.Equal(l.CreatedAt) {
				continue // before anything is copied: both may have thousands of changes
			}
			fields := slices.DeleteFunc(slices.Clone(l.Fields), func(f Field) bool { return !c.takes(f) })
			if l.Before == nil || l.After == nil || len(fields) > 0 {
				return l.ID, fields
			}
		}
	}
	return 0, nil
}

// further is a request whose undo passes over the change that it was refused.
func (b *Board) further(ctx context.Context, req Request, err error) (Request, bool) {
	e, refused := err.(*Error)
	if !refused || !passable(req.Op, e) {
		return req, false
	}
	op := req.Op.(revert)
	req.Op = b.lookUp(ctx, req, op.Undo, append(slices.Clone(op.passed), op.set.Revision))
	return req, true
}

// passable reports whether op is an undo that may pass over what it was refused.
func passable(op Op, e *Error) bool {
	undo, is := op.(revert)
	if !is || undo.err != nil || undo.Revision != 0 || undo.set.ofFiles() {
		return false
	}
	if len(undo.passed) >= undo.Pass && !(undo.set.OnlyRuns() && len(undo.passed) < MaxPassed) {
		return false
	}
	return refusal(e.Kind) // Invalid: taking it back would close a cycle
}

// refusal reports whether a failure of this kind is the board's answer, rather
// than trouble on the way to it.
func refusal(k Kind) bool {
	return k == Conflict || k == NotFound || k == Blocked || k == Invalid || k == Unmet
}

// ChangeAt returns the change set with a revision. It fails with NotFound or
// Gone when history does not have it.
func (b *Board) ChangeAt(ctx context.Context, rev Revision) (ChangeSet, error) {
	// Backward: a store refuses to go forward from before a restored backup, though it has the set.
	for set, err := range b.Changes(ctx, Span{After: rev - 1, Before: rev + 1, Backward: true}) {
		if err != nil {
			if e, ok := err.(*Error); ok && e.Kind == Gone {
				return ChangeSet{}, b.goneAt(ctx, rev, e)
			}
			return ChangeSet{}, err
		}
		return set, nil
	}
	return ChangeSet{}, Errorf(NotFound, "revision %d does not exist", rev).Next(HintHistory)
}

// goneAt says of a revision that is before what history keeps whether the board
// has ever counted so far down: gone, or no revision of this board.
func (b *Board) goneAt(ctx context.Context, rev Revision, gone *Error) error {
	var origin Revision
	err := b.View(ctx, func(r Reader) error {
		origin = r.Origin()
		return nil
	})
	if err != nil {
		return err
	}
	if rev > origin {
		return gone.Next(HintHistory)
	}
	return Errorf(NotFound, "this board has no revision %d", rev).Next(HintHistory)
}

// Undoable returns the newest change set by this actor that is in effect and is not an undo
// itself: the one that a person means by the last change. A repair and a merge count as well,
// but an [Undo] of them is refused; what a sync brought does not, nor does a claim that another
// clone was first to make. An actor without a session is the name in all of its sessions, as a
// person is. With a session, the actor's changes are
// those of that session and of the sessions of the name for which same returns true (nil:
// none). A later change may depend on the result; if its undo is refused, pass its revision in
// but to get the one before. Undoable fails with NotFound if no change is left.
func (b *Board) Undoable(ctx context.Context, by Actor, same func(session string) bool, but ...Revision) (ChangeSet, error) {
	undone := map[Revision]bool{}
	own := map[string]bool{by.Session: true}
	mine := func(other Actor) bool {
		if other.Name != by.Name || by.Session == "" {
			return other.Name == by.Name
		}
		is, asked := own[other.Session]
		if !asked {
			is = same != nil && same(other.Session)
			own[other.Session] = is
		}
		return is
	}
	who := clip(by.Name, 60)
	if by.Session != "" {
		who += " in this session"
	}
	for set, err := range b.Changes(ctx, Span{Backward: true}) {
		switch {
		case set.Verb == VerbSync: // nobody here did that
			for i := range set.Changes {
				if c := &set.Changes[i]; c.LosesClaim() {
					undone[c.Before.Claim.Token] = true
				}
			}
		case err != nil && KindOf(err) == Gone:
			return ChangeSet{}, Errorf(NotFound, "in what history keeps there is nothing by %s to be undone: %v", who, err).Next(HintHistory)
		case err != nil:
			return ChangeSet{}, err
		case undone[set.Revision]: // an undo that was undone takes nothing back
		case set.Undoes != 0:
			undone[set.Undoes] = true
		case mine(set.By) && (set.ofFiles() || !set.Bulk && slices.ContainsFunc(set.Changes, tellable)) && !slices.Contains(but, set.Revision):
			return set, nil
		}
	}
	return ChangeSet{}, Errorf(NotFound, "there is nothing by %s to be undone", who).Next(HintHistory)
}

// ofFiles reports whether the set is about the files themselves: its changes are
// what followed from that, and to revert them would not bring the files back.
func (set *ChangeSet) ofFiles() bool { return set.Verb == VerbMend || set.Verb == VerbMerge }

// OnlyRuns reports whether the set did no more than record what runs of checks showed. A
// later run takes the record's place for good, so an undo without a revision passes over it.
func (set *ChangeSet) OnlyRuns() bool {
	return !set.Bulk && !slices.ContainsFunc(set.Changes, func(c Change) bool {
		return c.Before == nil || c.After == nil || slices.ContainsFunc(c.Fields, func(f Field) bool { return c.takes(f) && f != FieldEvidence })
	})
}

// LosesClaim reports whether a sync ended a claim of this clone that the remote never had:
// another clone was first.
func (c *Change) LosesClaim() bool {
	return c.Before != nil && c.After != nil && c.Before.Claim.Live() && c.Before.Claim.Clone == "" && c.Before.Claim.Confirmed.IsZero() && c.After.Claim.Clone != ""
}

// tellable reports whether a change did more than renew a claim.
func tellable(c Change) bool {
	return c.Before == nil || c.After == nil ||
		slices.ContainsFunc(c.Fields, func(f Field) bool { return !slices.Contains(overtaken, f) })
}

// explain says of each undo that was refused what it would have reverted, and if
// a later change is in the way, which one that is: the newest, since it would have
// to be taken back first.
func (b *Board) explain(ctx context.Context, requests []Request, errs []error) {
	for i := range errs {
		op, isUndo := requests[i].Op.(revert)
		e, failed := errs[i].(*Error)
		if isUndo && failed && op.err == nil {
			e.Undoes = op.set.Revision
		}
		if !isUndo || !failed || e.Hint.Step != HintHistory || len(e.IDs) == 0 || e.Revision != 0 {
			continue
		}
		id := e.IDs[0]
		n := slices.IndexFunc(op.set.Changes, func(c Change) bool { return c.ID == id })
		var differs []Field
		var origin Revision
		_ = b.View(ctx, func(r Reader) error { // the refusal stands without it, too
			origin = r.Origin()
			tasks, err := r.Get(id)
			if err == nil && op.set.Changes[n].After != nil {
				differs = op.set.Changes[n].overwrites(&tasks[0])
			}
			return err
		})
		for set, err := range b.Changes(ctx, Span{After: op.set.Revision, Task: id, Backward: true}) {
			if err != nil || op.blame(e, &set, differs, origin) {
				break // the refusal stands without it, too
			}
		}
	}
}

// blame puts a later set into the refusal of an undo, when it made one of the
// differences that are in the way, made the task or deleted it.
func (op revert) blame(e *Error, set *ChangeSet, differs []Field, origin Revision) bool {
	c := &set.Changes[slices.IndexFunc(set.Changes, func(c Change) bool { return c.ID == e.IDs[0] })]
	verb := set.Verb
	if verb == ExternalName {
		verb = "git or an editor"
	}
	who := fmt.Sprintf("%s (%s", set.Revision.Short(origin), verb)
	if verb == VerbSync {
		who += " with other clones"
	} else if set.By.Name != "" && set.By.Name != ExternalName {
		who += " by " + clip(set.By.Name, 60)
	}
	who += ")"
	if !set.Bulk && c.Before != nil && c.After != nil {
		var fields []string
		for _, f := range c.Fields {
			if slices.Contains(differs, f) {
				fields = append(fields, string(f))
			}
		}
		if len(fields) == 0 {
			return false
		}
		if c.leaves(Field(fields[0])) && len(fields) == 1 { // to take that set back would not help
			e.Message += fmt.Sprintf(": %s ran its checks, and what they showed stays", who)
			return true
		}
		e.Message += fmt.Sprintf(": %s changed its %s", who, strings.Join(fields, ", "))
	} else {
		e.Message += ", by " + who
	}
	if set.Undoes == op.set.Revision {
		e.Message = fmt.Sprintf("%s was undone already, by %s", op.set.Revision.Short(origin), set.Revision.Short(origin))
		e.Next(HintUndo)
	}
	e.Revision = set.Revision
	return true
}
