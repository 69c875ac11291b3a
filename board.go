package pawl

import (
	"context"
	"errors"
	"iter"
	"slices"
)

// A Board is the tasks of one project. It is safe for concurrent use.
type Board struct {
	store Store
}

// NewBoard returns the board that store keeps.
func NewBoard(store Store) *Board { return &Board{store: store} }

// Close closes the store.
func (b *Board) Close() error {
	if err := refuseInside(); err != nil {
		return err
	}
	return b.store.Close()
}

// Do carries out a request in a commit of its own. A request that fails changes
// nothing. One with an op id that ran before is not run again: its result is the
// one of that run, with the tasks as they are now.
func (b *Board) Do(ctx context.Context, request Request) (Result, error) {
	return only(b.DoAll(ctx, request))
}

// DoAll carries out requests as [Board.Do] does, in order and in one commit, and
// returns one result for each. A request that fails does not affect the others:
// its result is zero, and the error is a [*BatchError] that names it.
func (b *Board) DoAll(ctx context.Context, requests ...Request) ([]Result, error) {
	return b.DoThen(ctx, requests, func(Reader, []Result, error) {})
}

// DoThen is DoAll, and runs fn on the board as the requests leave it, before
// anybody else can change it. fn gets the results and the error so far. It may run
// several times, each time from the start, and before anything is written: its last
// run counts. The reader has the revision of the board before. fn must not call
// this board or another one, which is refused with Invalid, nor wait for a
// goroutine that does: the store is at work.
func (b *Board) DoThen(ctx context.Context, requests []Request, fn func(Reader, []Result, error)) ([]Result, error) {
	if len(requests) > MaxRequests {
		return failAll(requests, invalid("%d requests at once are too many: send at most %d", len(requests), MaxRequests))
	}
	requests = b.recall(ctx, byValues(requests))
	results, errs := b.attempt(ctx, requests, fn)
	b.explain(ctx, requests, errs)
	again, at := b.again(ctx, requests, errs)
	if len(again) == 0 {
		return results, batchError(errs)
	}
	merge := func(came []Result, failed error) ([]Result, error) {
		all, allErrs := slices.Clone(results), slices.Clone(errs)
		for i := range came {
			all[at[i]], allErrs[at[i]] = came[i], ErrorAt(failed, i)
		}
		return all, batchError(allErrs)
	}
	return merge(b.DoThen(ctx, again, func(r Reader, came []Result, failed error) {
		all, err := merge(came, failed)
		fn(r, all, err)
	}))
}

// again are those requests, and their places, that may not fail a second time:
// those that were refused for a claim of the caller's name in another session
// that is the caller's as well, undos that may pass over a change, and those whose
// screening was overtaken. Each now knows of one more such session or change, or has
// one try less, so this comes to an end.
func (b *Board) again(ctx context.Context, requests []Request, errs []error) (again []Request, at []int) {
	for i, req := range requests {
		next, ok := req.Related(errs[i])
		if errors.Is(errs[i], errOvertaken) {
			next, ok, errs[i] = req.screened(ctx, errs[i])
		} else if !ok {
			next, ok = b.further(ctx, req, errs[i])
		}
		if ok {
			again, at = append(again, next), append(at, i)
		}
	}
	return again, at
}

// errOvertaken is the cause of a refusal of a request whose tasks changed after its screening.
var errOvertaken = errors.New("the screening is overtaken")

// screened is a request screened again, five times at most.
func (req Request) screened(ctx context.Context, err error) (Request, bool, error) {
	tries := req.Seen.tries + 1
	if tries > 5 {
		return req, false, err
	}
	if undo, is := req.Op.(revert); is {
		req.Op = undo.Undo // which looks for its change again
	}
	req, err = req.Seen.Again(ctx, req)
	req.Seen.tries = tries
	return req, err == nil, err
}

// undecided reports whether again may find something.
func undecided(requests []Request, errs []error) bool {
	for i, req := range requests {
		if e, refused := errs[i].(*Error); refused && (req.Same != nil && len(e.Namesakes) > 0 || passable(req.Op, e)) {
			return true
		}
	}
	return false
}

// Related adds to the request the sessions that err names and that are the caller's
// as well, and reports whether there are any: then it is worth sending again. A
// [Board] does that itself; a client of a distant board has to, since Same is not
// sent.
func (req Request) Related(err error) (Request, bool) {
	e, refused := err.(*Error)
	if !refused || req.Same == nil {
		return req, false
	}
	same := slices.Clone(req.Sessions)
	for _, session := range e.Namesakes {
		if !slices.Contains(same, session) && req.Same(session) {
			same = append(same, session)
		}
	}
	more := len(same) > len(req.Sessions)
	req.Sessions = same
	return req, more
}

func (b *Board) attempt(ctx context.Context, requests []Request, fn func(Reader, []Result, error)) ([]Result, []error) {
	if err := refuseInside(); err != nil {
		return make([]Result, len(requests)), slices.Repeat([]error{err}, len(requests))
	}
	var results []Result
	var errs []error
	var err error
	for leases := true; leases && err == nil; {
		_, err = b.store.Update(ctx, func(r Reader) (Commit, error) {
			batch := newOverlay(r)
			batch.room = roomOf(ctx)
			var commit Commit
			var err error
			results, errs, commit, err = run(batch, requests, false)
			if leases = results == nil; err == nil && !leases {
				duringUpdate(func() { fn(batch, results, batchError(errs)) })
			}
			return commit, err
		})
	}
	if err == nil {
		return results, errs
	}
	if len(results) != len(requests) {
		return make([]Result, len(requests)), slices.Repeat([]error{err}, len(requests))
	}
	for i := range results {
		if errs[i] == nil {
			results[i], errs[i] = Result{}, err
		}
	}
	return results, errs
}

// Try returns what Do would answer to the same request at this moment, and
// writes nothing. It reserves nothing either: the ids and tokens in the answer
// are what Do would have given.
func (b *Board) Try(ctx context.Context, request Request) (Result, error) {
	return only(b.TryAll(ctx, request))
}

// TryAll is Try for what DoAll would answer.
func (b *Board) TryAll(ctx context.Context, requests ...Request) ([]Result, error) {
	var results []Result
	var failed error
	err := b.Preview(ctx, requests, func(_ Reader, tried []Result, err error) error {
		results, failed = tried, err
		return nil
	})
	if err != nil {
		return failAll(requests, err)
	}
	return results, failed
}

// Preview runs fn on the board as it would be after the requests, with what
// [Board.TryAll] says of them. The reader has the revision of the board as it
// is. The error is that of the store or of fn. fn may call the board, as in
// [Board.View].
func (b *Board) Preview(ctx context.Context, requests []Request, fn func(Reader, []Result, error) error) error {
	if len(requests) > MaxRequests {
		return invalid("%d requests at once are too many: try at most %d", len(requests), MaxRequests)
	}
	if err := refuseInside(); err != nil {
		return err
	}
	requests = b.recall(ctx, byValues(requests))
	for i := range requests {
		requests[i].Seen = nil // a try is nothing that a screening has to allow
	}
	for last := false; ; {
		var errs []error
		early := false // a refusal may be one that a further run gets over
		err := b.store.View(ctx, func(r Reader) error {
			batch := newOverlay(r)
			batch.room = roomOf(ctx)
			results, failed, _, err := run(batch, requests, true)
			if err != nil {
				return err
			}
			if errs = failed; !last && undecided(requests, errs) {
				early = true
				return nil
			}
			for i := range results {
				if results[i].Revision > r.Revision() {
					results[i].Revision = 0
				}
			}
			return fn(batch, results, batchError(errs))
		})
		if err != nil || !early {
			b.explain(ctx, requests, errs) // asks the store again, which fn held; the errors are the same
			return err
		}
		again, at := b.again(ctx, requests, errs)
		last = len(again) == 0
		for i := range again {
			requests[at[i]] = again[i]
		}
	}
}

// run carries requests out on an overlay and says what to commit. Each request
// works on a layer of its own, which is dropped when it fails. Where more leases have
// ended than one set records, a commit of that set comes first, with no results: the
// requests would else be carried out again and again past all of them. With all, they
// are carried out nevertheless.
func run(batch *overlay, requests []Request, all bool) ([]Result, []error, Commit, error) {
	r := batch.base
	batch.claims = nextClaims(requests)
	var commit Commit
	if err := prepare(r, requests); err != nil {
		return nil, nil, commit, err
	}
	expired, more, err := expire(r, batch)
	if err != nil {
		return nil, nil, commit, err
	}
	if more && !all && len(expired.Changes) > 0 {
		return nil, nil, Commit{Sets: []ChangeSet{expired}, Ranks: batch.moves(), LastID: batch.lastID}, nil
	}
	if len(expired.Changes) > 0 {
		commit.Sets = append(commit.Sets, expired)
	}
	untangled, cut, err := untangle(batch)
	if err != nil {
		return nil, nil, commit, err
	}
	if len(untangled.Changes) > 0 {
		commit.Sets = append(commit.Sets, untangled)
	}
	unasked := len(commit.Sets)
	sessions := map[string][]ID{}
	earlier := map[OpID]int{} // op ids of this very batch
	results, errs := make([]Result, len(requests)), make([]error, len(requests))
	var full error
	for i, req := range requests {
		if errs[i] = full; full != nil {
			continue
		}
		req.By.Name = oneLine(req.By.Name)
		res := &results[i]
		if first, again := earlier[req.ID]; again {
			if req.Op == nil || hashOp(requests[first].Op) != hashOp(req.Op) {
				errs[i] = otherRequest(req.ID)
				continue
			}
			*res = results[first]
			res.Repeated, res.Changes = true, nil
			continue
		}
		if done, err := repeat(batch, req, res); done || err != nil {
			if err != nil {
				*res, errs[i] = Result{}, err
			}
			continue
		}
		x := &tx{
			overlay: newOverlay(batch), by: req.By, same: req.Sessions, agent: req.Agent || req.Bound, bound: req.Bound, res: res,
			token: r.Revision() + Revision(len(commit.Sets)) + 1,
		}
		x.room = batch.room
		set, err := x.run(req, r, sessions)
		if err != nil {
			if errors.Is(err, ErrTooMuch) {
				full = err
			}
			*res, errs[i] = Result{}, err
			continue
		}
		if len(set.Changes) > 0 || req.ID != "" {
			res.Revision, res.Cut, cut = x.token, cut, nil
			set.Result = record(req, res, x)
			commit.Sets = append(commit.Sets, set)
			batch.absorb(x.overlay)
		}
		if req.ID != "" {
			earlier[req.ID] = i
		}
	}
	if len(commit.Sets) == unasked {
		commit.Sets = nil // no request changed anything: expiries and cuts wait for one that does
	}
	commit.Ranks = batch.moves()
	commit.LastID = batch.lastID
	return results, errs, commit, nil
}

// run carries out one request on its layer.
func (x *tx) run(req Request, r Reader, sessions map[string][]ID) (ChangeSet, error) {
	set := ChangeSet{At: x.now, By: req.By, OpID: req.ID}
	if req.Op == nil {
		return set, noOp()
	}
	set.Verb = req.Op.Verb()
	if undo, ok := req.Op.(revert); ok {
		set.Undoes, x.res.Undoes, x.res.Passed = undo.set.Revision, undo.set.Revision, undo.passed
	}
	if req.Still != nil {
		if err := req.Still(x); err != nil {
			return set, err
		}
	}
	if found := req.faults(); len(found) > 0 {
		return set, unworkable(found)
	}
	if err := req.Op.apply(x); err != nil {
		return set, err
	}
	x.res.Changed = x.dirty()
	own, err := claimedBy(req.By.Session, r, sessions)
	if err != nil {
		return set, err
	}
	if err := x.renewLeases(own); err != nil {
		return set, err
	}
	if err := x.finish(); err != nil {
		return set, err
	}
	set.Changes, set.Ready = x.changes(), x.overlay.freed()
	x.res.Ready = x.freed(set.Ready)
	x.res.Changes = set.Changes
	if err := req.Seen.holds(set.Changes); err != nil {
		return set, err
	}
	for _, id := range x.res.IDs {
		if tasks, err := x.Get(id); err == nil {
			x.res.Tasks = append(x.res.Tasks, tasks...)
		} else if KindOf(err) != NotFound {
			return set, err
		}
	}
	return set, nil
}

// ErrMoved is the cause of each refusal of a number that a sync or merge gave to another task.
// The caller has to judge again: the same request would change that task.
var ErrMoved = errors.New("another task has this number by now: a sync or merge moved the one that had it")

// holds fails if the changes need a screening of states that it has not seen.
func (s *Seen) holds(changes []Change) error {
	differ := func(a, b *Task) bool {
		return slices.ContainsFunc(Diff(a, b), func(f Field) bool { return slices.Contains(judged, f) })
	}
	for i := range changes {
		c := &changes[i]
		if s == nil || s.Tasks == nil || c.Before == nil || c.After != nil && !differ(c.Before, c.After) {
			continue
		}
		if was := s.Tasks[c.ID]; was != nil && !was.CreatedAt.Equal(c.Before.CreatedAt) {
			return Errorf(Conflict, "%v: %w", c.ID, ErrMoved).About(c.ID).Next(HintList)
		} else if was == nil || differ(was, c.Before) {
			e := Errorf(Conflict, "%v was changed at the same time, several times", c.ID).About(c.ID).Next(HintRetry)
			e.Cause = errOvertaken
			return e
		}
	}
	return nil
}

// claimedBy lists what a session had claimed before the batch.
func claimedBy(session string, r Reader, known map[string][]ID) ([]ID, error) {
	if session == "" {
		return nil, nil
	}
	ids, ok := known[session]
	if ok {
		return ids, nil
	}
	page, err := r.Select(Query{Session: session, Status: []Status{InProgress}, Brief: true, Uncounted: true})
	for _, t := range page.Tasks {
		ids = append(ids, t.ID)
	}
	known[session] = ids
	return ids, err
}

// Expire records the leases that have ended. Every reader sees their end already, and the
// next change would record it too; Expire is for a server whose watchers wait for it. It
// writes nothing when none has ended.
func (b *Board) Expire(ctx context.Context) error {
	if err := refuseInside(); err != nil {
		return err
	}
	due := false
	err := b.store.View(ctx, func(r Reader) error {
		set, _, err := expire(r, newOverlay(r))
		due = len(set.Changes) > 0
		return err
	})
	for due && err == nil {
		_, err = b.store.Update(ctx, func(r Reader) (Commit, error) {
			batch := newOverlay(r)
			set, more, err := expire(r, batch)
			if due = more && len(set.Changes) > 0; err != nil || len(set.Changes) == 0 {
				return Commit{}, err
			}
			return Commit{Sets: []ChangeSet{set}, Ranks: batch.moves(), LastID: batch.lastID}, nil
		})
	}
	return err
}

// expire puts on the batch what every reader already sees: leases that ended, at most as
// many as a page has. It says whether there are more.
func expire(r Reader, batch *overlay) (set ChangeSet, more bool, err error) {
	set = ChangeSet{At: batch.now, By: Actor{Name: systemName}, Verb: VerbExpire}
	page, err := r.Select(Query{LeaseBefore: batch.now, Uncounted: true})
	if err != nil {
		return set, false, err
	}
	for _, t := range page.Tasks {
		if t.Damage != "" || t.Conflicted { // recorded once the file can be written
			continue
		}
		before := t.Clone()
		after := t.Settle(batch.now)
		batch.before[t.ID], batch.tasks[t.ID] = &before, &after
	}
	set.Changes, set.Ready = batch.changes(), batch.freed()
	return set, page.Next != nil, nil
}

// View runs fn on the board as it is at one moment. Every lease that has ended
// reads as settled. fn may call the board: what it does there, as what others
// do, does not show in the Reader.
func (b *Board) View(ctx context.Context, fn func(Reader) error) error {
	if err := refuseInside(); err != nil {
		return err
	}
	return b.store.View(ctx, func(r Reader) error { return fn(newOverlay(r)) })
}

// Recorded is View for showing history: a lease that has ended is not settled
// before a change set has recorded it.
func (b *Board) Recorded(ctx context.Context, fn func(Reader) error) error {
	if err := refuseInside(); err != nil {
		return err
	}
	return b.store.View(ctx, fn)
}

// Get returns tasks in the order asked for, or NotFound.
func (b *Board) Get(ctx context.Context, ids ...ID) (tasks []Task, err error) {
	err = b.View(ctx, func(r Reader) error {
		tasks, err = r.Get(ids...)
		return err
	})
	return tasks, err
}

// Select returns a page of the tasks that a query chooses.
func (b *Board) Select(ctx context.Context, q Query) (page Page, err error) {
	err = b.View(ctx, func(r Reader) error {
		page, err = r.Select(q)
		return err
	})
	return page, err
}

// Changes returns what happened, in order of revision, without the
// [ChangeSet.Result] that a store keeps beside it.
func (b *Board) Changes(ctx context.Context, span Span) iter.Seq2[ChangeSet, error] {
	return func(yield func(ChangeSet, error) bool) {
		if err := refuseInside(); err != nil {
			yield(ChangeSet{}, err)
			return
		}
		for set, err := range b.store.Changes(ctx, span) {
			set.Result = nil
			if !yield(set, err) {
				return
			}
		}
	}
}

// Check tells what is wrong with the board.
func (b *Board) Check(ctx context.Context) ([]Problem, error) {
	if err := refuseInside(); err != nil {
		return nil, err
	}
	checker, ok := b.store.(Checker)
	if !ok {
		return nil, nil
	}
	return checker.Check(ctx)
}

// Mend repairs the problems of the board that it can repair without a loss; with
// dry it only says what it would do. See [Mender].
func (b *Board) Mend(ctx context.Context, by Actor, dry bool) ([]Mended, error) {
	if err := refuseInside(); err != nil {
		return nil, err
	}
	mender, ok := b.store.(Mender)
	if !ok {
		return nil, nil
	}
	return mender.Mend(ctx, by, dry)
}
