package postgres

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/pawl-dev/pawl"
)

// A document that cannot be read stops no other task. Its task comes with Damage set, and
// with what the columns beside it say. The database cannot tell which documents are
// damaged: it is found out where one is read. From then on it is left out of what the
// database chooses and counts, and compared here, as tasks are whose lease has ended. This
// process keeps in mind what it has found, so that it finds it once. Store.Check reads
// all documents, and so knows all.

// damaged is what was found of each board.
type damaged struct {
	mu     sync.Mutex
	boards map[string]map[pawl.ID]bool
}

// mostDamaged is how many damaged tasks of a board are remembered. Each read checks
// whether they still are damaged.
const mostDamaged = 1000

func (d *damaged) note(board string, id pawl.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.boards == nil {
		d.boards = map[string]map[pawl.ID]bool{}
	}
	if d.boards[board] == nil {
		d.boards[board] = map[pawl.ID]bool{}
	}
	if len(d.boards[board]) < mostDamaged {
		d.boards[board][id] = true
	}
}

func (d *damaged) forget(board string, id pawl.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.boards[board], id)
}

func (d *damaged) of(board string) []pawl.ID {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.boards[board]))
}

// recall looks at the tasks that were damaged when they were read last.
func (r *reader) recall() error {
	if r.damaged != nil {
		return nil
	}
	known := r.store.db.damaged.of(r.store.name)
	if err := r.fetch(known); err != nil {
		return err
	}
	r.damaged = map[pawl.ID]*row{}
	for _, id := range known {
		if found := r.rows[id]; found.exists() && found.damage() != "" {
			r.damaged[id] = found
		} else {
			r.store.db.damaged.forget(r.store.name, id)
		}
	}
	return nil
}

// task is the whole task of a row, sharing nothing with it.
func (r *reader) task(of *row) pawl.Task {
	if r.broken(of) {
		return of.remains()
	}
	return of.decoded.Clone()
}

// broken reports whether the document of a row cannot be read, and keeps that in mind.
func (r *reader) broken(of *row) bool {
	if of.damage() == "" {
		return false
	}
	if r.damaged != nil {
		r.damaged[of.id] = of
	}
	r.store.db.damaged.note(r.store.name, of.id)
	return true
}

func (r *reader) tasks(of []*row) []pawl.Task {
	tasks := make([]pawl.Task, len(of))
	for i, one := range of {
		tasks[i] = r.task(one)
	}
	return tasks
}

// damage says why the document of the row cannot be read; empty: it can.
func (r *row) damage() string {
	if r.why == nil {
		_, err := r.shared()
		why := ""
		if err != nil {
			why = fmt.Sprintf("its document in the database cannot be read: %v", err)
		}
		r.why = &why
	}
	return *r.why
}

// remains is what the columns have of a task whose document cannot be read.
func (r *row) remains() pawl.Task {
	t := pawl.Task{
		ID: r.id, Status: pawl.Status(r.status), Priority: pawl.Priority(r.priority), Urgency: pawl.Priority(-r.u), Height: int(-r.h),
		Owner: r.owner, Claim: r.claimed(), Expired: int(r.expired), Parent: r.parent, Children: ids(r.children), OpenChildren: int(r.openChildren),
		Blocks: ids(r.blocks), Blockers: ids(r.blockers), BlockedBy: ids(r.blockedBy), Damage: r.damage(),
	}
	if !t.Status.Valid() {
		t.Status = pawl.Pending
	}
	return t
}

// claimed is the claim in its column. One that cannot be read is none: the document has
// it, and Store.Mend writes it again.
func (r *row) claimed() (c pawl.Claim) {
	if r.claim == nil || json.Unmarshal([]byte(*r.claim), &c) != nil {
		return pawl.Claim{}
	}
	return c
}

// sound says what a document lacks to be that of the task with this id.
func sound(t *pawl.Task, id pawl.ID) error {
	switch {
	case id < 1 || id > pawl.MaxID:
		return fmt.Errorf("%d is not a task id", id)
	case t.ID != id:
		return fmt.Errorf("it is that of %s", t.ID)
	case !t.Status.Valid():
		return fmt.Errorf("the status is %q", t.Status)
	case !t.Priority.Valid():
		return fmt.Errorf("the priority is %d", t.Priority)
	case t.Claim.Token > mostToken:
		return fmt.Errorf("the claim has the token %d", t.Claim.Token)
	}
	return nil
}

// mostToken is above all revisions: every JSON reader keeps it exactly.
const mostToken = 1 << 53
