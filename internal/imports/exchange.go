package imports

import (
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// An Exchange is what a file of boxes and a board have to tell each other since
// they last did. Tasks are those of the board.
type Exchange struct {
	Tick     map[int]bool // what boxes of the file are to be, by their lines
	Ticked   []*pawl.Task // completed here
	Unticked []*pawl.Task // reopened here
	Done     []*pawl.Task // ticked in the file
	Reopened []*pawl.Task // unticked in the file
	Against  []Against    // ticked in the file, and not to be completed here
	Own      []*pawl.Task // those of Done that the caller works on
	Gone     []*pawl.Task // open, and no longer in the file

	now time.Time
}

// Against is a task that the file has ticked and the board cannot take so.
type Against struct {
	Task *pawl.Task
	At   Position
	Why  string
}

// Exchange compares the boxes of a file with the board. A change on one side alone
// is to be made on the other; afterwards the result says what both have, for
// [Result.Merge]. Nothing is taken from somebody who has claimed a task: claimed
// says of one that is in progress why it cannot be completed; empty: it can, and the
// caller completes what is in Own first.
func (r *Result) Exchange(f *Format, board []pawl.Task, file string, claimed func(*pawl.Task) string, now time.Time) *Exchange {
	r.align(f, board)
	x := &Exchange{Tick: map[int]bool{}, now: now}
	known := map[string]*pawl.Task{}
	for i := range board {
		if ref := board[i].Ref(); ref != "" {
			known[ref] = &board[i]
		}
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		b := known[t.Ref]
		if b == nil || !placeOf(f, t.Metadata).Box {
			continue
		}
		was := t.Status
		if last, known := r.last(b); known && last.Status != "" {
			was = last.Status
		}
		if f.Lasting && t.Status != pawl.Completed {
			was = pawl.Pending // an empty box reopens nothing
		}
		x.compare(t, b, was == pawl.Completed, claimed, r.Closed)
	}
	x.Gone = r.Gone(f, board, file)
	r.regroup(f)
	return x
}

// compare decides about one box.
func (x *Exchange) compare(t *Task, b *pawl.Task, was bool, claimed func(*pawl.Task) string, closed bool) {
	file, here := t.Status == pawl.Completed, b.Status == pawl.Completed
	switch {
	case file == was && here == was, file != was && here == file:
	case file == was && closed: // nothing is ticked there any longer
	case file == was && here:
		x.Tick[t.At.Line] = true
		x.Ticked = append(x.Ticked, b)
		t.Status = pawl.Completed
	case file == was && b.Status == pawl.Pending:
		x.Tick[t.At.Line] = false
		x.Unticked = append(x.Unticked, b)
		t.Status = pawl.Pending
	case file == was: // somebody is at it again: that is not the file's business yet
	case file:
		if why := refuse(b, claimed); why != "" {
			x.Against = append(x.Against, Against{b, t.At, why})
			t.Status = pawl.Pending
			return
		}
		x.Done = append(x.Done, b)
		t.CompletedAt = x.now
		if b.Status == pawl.InProgress {
			x.Own = append(x.Own, b)
		}
	default:
		x.Reopened = append(x.Reopened, b)
	}
}

func refuse(b *pawl.Task, claimed func(*pawl.Task) string) string {
	switch {
	case b.Damage != "":
		return "its file cannot be read"
	case b.Status == pawl.InProgress && claimed(b) != "":
		return claimed(b)
	case b.Hold != nil:
		return "it is on hold: " + OneLine(b.Hold.Reason, 60)
	}
	return ""
}

// regroup completes groups without a box of which all parts are done, and opens
// the others.
func (r *Result) regroup(f *Format) {
	parts := map[string][]int{}
	for i := range r.Tasks {
		if p := r.Tasks[i].Parent.Name; p != "" {
			parts[p] = append(parts[p], i)
		}
	}
	for i := range slices.Backward(r.Tasks) {
		t := &r.Tasks[i]
		if of := parts[t.Ref]; len(of) > 0 && !placeOf(f, t.Metadata).Box {
			t.Status = pawl.Completed
			if slices.ContainsFunc(of, func(p int) bool { return r.Tasks[p].Status != pawl.Completed }) {
				t.Status = pawl.Pending
			}
		}
	}
}

// String says it in a line.
func (a Against) String() string { return fmt.Sprintf("%v: ticked there, but %s", a.At, a.Why) }
