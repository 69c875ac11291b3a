package storetest

import (
	"fmt"
	"maps"
	"reflect"
	"time"

	"github.com/pawl-dev/pawl"
)

// A model is a board by the specification, in the plainest words there are: it
// keeps what was said in a draft and derives the rest again after every
// request. Revisions and tokens count from its first change. It knows nothing
// of how a board or a store does it.
type model struct {
	tasks draft // as recorded: an expired lease is still there
	last  pawl.ID
	past  []past // what each change set did; the revision is the index plus one
	ran   map[pawl.OpID]ran
}

// past is one change set: the board before and after.
type past struct {
	verb          string
	by            pawl.Actor
	op            pawl.OpID
	at            time.Time
	undoes        pawl.Revision
	before, after draft
}

// ran is a request with an op id, and what came of it.
type ran struct {
	op   pawl.Op
	came expected
}

// expected is what should come of a request.
type expected struct {
	Kind    error // a pawl.Kind, or nil
	Rev     pawl.Revision
	Again   bool
	IDs     []pawl.ID
	Refs    map[string]pawl.ID
	Ready   []pawl.ID
	Holding []pawl.ID
}

func newModel() *model { return &model{tasks: draft{}, ran: map[pawl.OpID]ran{}} }

func (m *model) rev() pawl.Revision { return pawl.Revision(len(m.past)) }

// carryOut makes a move at a given time.
func (m *model) carryOut(mv move, now time.Time) []expected {
	var sets []past
	current := m.tasks.expire(now)
	if len(m.tasks.differs(current)) > 0 {
		sets = append(sets, past{verb: "expire", by: pawl.Actor{Name: "pawl"}, at: now, before: m.tasks, after: current})
	}
	expiries := len(sets)
	last := m.last
	var results []expected
	for _, req := range mv.requests {
		if was, ok := m.ran[req.ID]; ok && req.ID != "" {
			if reflect.DeepEqual(was.op, req.Op) {
				was.came.Again = true
				results = append(results, was.came)
			} else {
				results = append(results, expected{Kind: pawl.Invalid})
			}
			continue
		}
		t := &turn{tasks: current.clone(), last: last, now: now, by: req.By, token: m.rev() + pawl.Revision(len(sets)) + 1}
		verb, err := t.run(req.Op, m)
		if err == nil {
			err = t.finish(current)
		}
		if err != nil {
			results = append(results, expected{Kind: err})
			continue
		}
		if len(current.differs(t.tasks)) > 0 || req.ID != "" {
			undo, _ := req.Op.(pawl.Undo)
			sets = append(sets, past{verb: verb, by: req.By, op: req.ID, at: now, undoes: undo.Revision, before: current, after: t.tasks})
			t.came.Rev = t.token
			current, last = t.tasks, t.last
			if req.ID != "" {
				m.ran[req.ID] = ran{req.Op, t.came}
			}
		}
		results = append(results, t.came)
	}
	if len(sets) > expiries {
		m.past = append(m.past, sets...)
		m.tasks, m.last = current, last
	}
	return results
}

// seen is the board as every reader sees it: leases that ended have ended.
func (m *model) seen(now time.Time) draft { return m.tasks.expire(now) }

// expire ends the leases that ran out, each at its own time. The third time in
// a row the task is put on hold.
func (d draft) expire(now time.Time) draft {
	d = d.clone()
	for _, t := range d {
		if t.Status != pawl.InProgress || t.Claim.Token == 0 || t.Claim.Lease == 0 || now.Before(t.Claim.Until) {
			continue
		}
		if t.Expired++; t.Expired >= 3 && t.Hold == nil {
			t.Hold = &pawl.Hold{Reason: fmt.Sprint(t.Expired, " leases in a row ran out"), By: "pawl", At: t.Claim.Until}
		}
		t.UpdatedAt = t.Claim.Until
		t.Status, t.Owner, t.StartedAt, t.Claim = pawl.Pending, "", time.Time{}, pawl.Claim{}
	}
	return d
}

// differs names the tasks that are not the same on another board, and in what;
// for one that only one of them has, in nothing.
func (d draft) differs(other draft) map[pawl.ID][]pawl.Field {
	found := map[pawl.ID][]pawl.Field{}
	all := draft{}
	maps.Copy(all, d)
	maps.Copy(all, other)
	for id := range all {
		a, b := d[id], other[id]
		if a == nil || b == nil {
			found[id] = nil
		} else if fields := pawl.Diff(a, b); len(fields) > 0 {
			found[id] = fields
		}
	}
	return found
}
