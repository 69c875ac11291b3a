package query

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// A Merger merges boards that git has brought together. It is safe for concurrent
// use.
type Merger interface {
	// Before makes pending merges, before by changes the board. It is called before
	// each change, so it must be quick when there is nothing to do; then it returns
	// nil. It does not fail: a remark says why it could not merge.
	Before(ctx context.Context, by pawl.Actor) *merge.Outcome
	// Stale returns which of the numbers mean another task than by may know, because a
	// merge or sync moved the one that had the number, until by is told. It is called in the
	// transaction of a change, and writes nothing.
	Stale(by pawl.Actor, numbers []pawl.ID) []merge.Moved
	// Tell notes that by knows of moves, if there are any.
	Tell(by pawl.Actor, moved []merge.Moved)
	// MayUndo returns the error with which Undo would refuse, because of git or the
	// board; nil: it would not. It changes nothing.
	MayUndo(ctx context.Context, rev pawl.Revision) error
	// Undo takes back the merge that made a change set.
	Undo(ctx context.Context, by pawl.Actor, rev pawl.Revision) (pawl.Result, error)
}

// An Option changes how [Local] works.
type Option func(*local)

// Merging lets m make pending merges before each change.
func Merging(m Merger) Option { return func(l *local) { l.merger = m } }

// merged runs requests after the merger. The first outcome says what it did, even
// if the requests fail.
func (l local) merged(ctx context.Context, want Want, requests []pawl.Request) ([]Outcome, error) {
	if l.merger == nil || len(requests) == 0 {
		return l.doAll(ctx, want, requests)
	}
	done := l.merger.Before(ctx, requests[0].By)
	all := make([]Outcome, len(requests))
	errs := make([]error, len(requests))
	var rest []pawl.Request
	var places []int
	for i, req := range requests {
		var rev pawl.Revision
		if rev, errs[i] = l.undoesMerge(ctx, req); rev != 0 {
			all[i], errs[i] = l.undoMerge(ctx, want, req, rev)
		}
		if rev != 0 || errs[i] != nil {
			continue
		}
		rest, places = append(rest, req), append(places, i)
	}
	stale := make([][]merge.Moved, len(rest))
	for n := range rest {
		req := &rest[n]
		if numbers := mentioned(req.Op); req.Still == nil && len(numbers) > 0 {
			req.Still = func(pawl.Reader) error {
				stale[n] = l.merger.Stale(req.By, numbers)
				return refuseStale(stale[n])
			}
		}
	}
	if len(rest) > 0 {
		some, err := l.doAll(ctx, want, rest)
		for n, i := range places {
			all[i], errs[i] = some[n], pawl.ErrorAt(err, n)
			l.merger.Tell(rest[n].By, stale[n])
		}
	}
	if done != nil { // which tells of all moves
		all[0].Merged = done
		l.merger.Tell(requests[0].By, done.Report.Moved)
	}
	return all, batch(errs)
}

// batch is what [Board.DoAll] returns of requests that failed for themselves.
func batch(errs []error) error {
	if !slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return nil
	}
	return &pawl.BatchError{Errs: errs}
}

// refuseStale refuses a request that names numbers which a merge gave to other tasks: its author
// may have meant the tasks that had them.
func refuseStale(moved []merge.Moved) error {
	if len(moved) == 0 {
		return nil
	}
	e := pawl.Errorf(pawl.Conflict, "a merge moved tasks that this request names")
	e.Cause = pawl.ErrMoved
	for i, m := range moved {
		e.IDs = append(e.IDs, m.ID)
		is := fmt.Sprintf("%v is now %v", m.From, m.ID)
		if m.Elder != "" {
			by := "another task, "
			if m.ElderBy != "" {
				by = m.ElderBy + "'s "
			}
			is += fmt.Sprintf("; %v is %s%s", m.From, by, clip(m.Elder))
		}
		if e.Faults = append(e.Faults, pawl.Fault{Problem: is}); i == 0 {
			e.Message = is
		}
	}
	if len(moved) == 1 {
		e.Faults = nil
	}
	return e
}

// undoMerge takes back a merge and tells it as any undo.
func (l local) undoMerge(ctx context.Context, want Want, req pawl.Request, rev pawl.Revision) (Outcome, error) {
	if req.Bound { // a merge is nobody's own
		e := pawl.Errorf(pawl.Conflict, "a merge is undone by a person")
		e.Hint = pawl.Hint{Step: pawl.HintHistory}
		return Outcome{}, e
	}
	result, err := l.merger.Undo(ctx, req.By, rev)
	o := []Outcome{{Result: result}}
	if err != nil {
		return o[0], err
	}
	_ = l.board.View(ctx, func(r pawl.Reader) error { // what was done stands without it
		o[0].Head = headOf(r)
		return o[0].read(r, want, req.By.Name, &result, false)
	})
	if want&WantUndid != 0 {
		undid(ctx, l.board, o)
	}
	return o[0], nil
}

// tryMerge is what an undo of a merge would come to, if that is what a request is:
// it tells of the tasks that the merge changed.
func (l local) tryMerge(ctx context.Context, want Want, req pawl.Request) (o []Outcome, is bool, err error) {
	rev, err := l.undoesMerge(ctx, req)
	if rev == 0 {
		return nil, err != nil, err
	}
	if err := l.merger.MayUndo(ctx, rev); err != nil {
		return nil, true, err
	}
	set, err := l.board.ChangeAt(ctx, rev)
	if err != nil {
		return nil, true, err
	}
	o = []Outcome{{Result: pawl.Result{Changed: true, Undoes: rev}}}
	for _, c := range set.Changes {
		o[0].Result.IDs = append(o[0].Result.IDs, c.ID)
	}
	err = l.board.View(ctx, func(r pawl.Reader) error { o[0].Head = headOf(r); return nil })
	if want&WantUndid != 0 {
		undid(ctx, l.board, o)
	}
	return o, true, err
}

// undoesMerge returns the revision of the merge that a request takes back; zero:
// it does something else. A merge that was taken back does not return that way.
func (l local) undoesMerge(ctx context.Context, req pawl.Request) (pawl.Revision, error) {
	op, is := req.Op.(pawl.Undo)
	if !is {
		return 0, nil
	}
	some, unknown := spelledOut(ctx, l.board, []pawl.Request{{Op: op}})
	if op, is = some[0].Op.(pawl.Undo); !is || len(unknown) > 0 && unknown[0] != nil {
		return 0, nil
	}
	var set pawl.ChangeSet
	var err error
	if op.Revision != 0 {
		set, err = l.board.ChangeAt(ctx, op.Revision)
	} else {
		by := req.By
		if op.Everywhere {
			by.Session = ""
		}
		set, err = l.board.Undoable(ctx, by, func(session string) bool {
			return slices.Contains(req.Sessions, session) || req.Same != nil && req.Same(session)
		})
	}
	if err == nil && set.Undoes != 0 {
		if undone, err := l.board.ChangeAt(ctx, set.Undoes); err == nil && undone.Verb == pawl.VerbMerge {
			e := pawl.Errorf(pawl.Conflict, "this change took a merge back, and only a merge brings it again")
			e.Revision = set.Undoes
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl merge"}
			return 0, e
		}
	}
	if err != nil || set.Verb != pawl.VerbMerge {
		return 0, nil
	}
	return set.Revision, nil
}

// mentioned are the numbers of tasks that an op names, each once. The id that an
// imported task asks for is none: it names the task that comes.
func mentioned(op pawl.Op) []pawl.ID {
	var found []pawl.ID
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Int64:
			if id, is := v.Interface().(pawl.ID); is && id > 0 && !slices.Contains(found, id) {
				found = append(found, id)
			}
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() && (v.Type() != reflect.TypeFor[pawl.ImportTask]() || f.Name != "ID" && f.Name != "Was") {
					walk(v.Field(i))
				}
			}
		}
	}
	walk(reflect.ValueOf(op))
	return found
}
