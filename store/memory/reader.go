package memory

import (
	"bytes"
	"time"

	"github.com/pawl-dev/pawl"
)

// A reader reads a board that does not change while it does.
type reader struct {
	board *board
	now   time.Time
}

func (r *reader) Revision() pawl.Revision { return r.board.revision }
func (r *reader) Origin() pawl.Revision   { return 0 }
func (r *reader) Epoch() int64            { return r.board.epoch }
func (r *reader) LastID() pawl.ID         { return r.board.lastID }
func (r *reader) Now() time.Time          { return r.now }

func (r *reader) Get(ids ...pawl.ID) ([]pawl.Task, error) {
	tasks := make([]pawl.Task, 0, len(ids))
	var missing []pawl.ID
	for _, id := range ids {
		if t, ok := r.board.tasks.get(id); ok {
			tasks = append(tasks, t.Clone())
		} else {
			missing = append(missing, id)
		}
	}
	if missing != nil {
		return nil, pawl.NotFoundError(missing...)
	}
	return tasks, nil
}

func (r *reader) Briefs(ids ...pawl.ID) ([]pawl.Task, error) {
	tasks, err := r.Get(ids...)
	for i := range tasks {
		tasks[i] = tasks[i].Brief()
	}
	return tasks, err
}

func (r *reader) Nodes(ids ...pawl.ID) ([]pawl.Node, error) {
	nodes := make([]pawl.Node, len(ids))
	for i, id := range ids {
		nodes[i] = r.node(id)
	}
	return nodes, nil
}

func (r *reader) node(id pawl.ID) pawl.Node {
	t, ok := r.board.tasks.get(id)
	if !ok {
		return pawl.Node{ID: id, Missing: true}
	}
	t = t.Clone()
	return t.Node()
}

func (r *reader) Select(q pawl.Query) (pawl.Page, error) {
	var matches []pawl.Task
	for id := range r.board.tasks.byID {
		if t, _ := r.board.tasks.get(id); q.Match(&t, r.now) {
			matches = append(matches, t)
		}
	}
	page := q.Paginate(matches, r.board.revision)
	if q.Brief {
		return page, nil // which shares nothing with the board
	}
	for i, t := range page.Tasks {
		page.Tasks[i] = t.Clone()
	}
	return page, nil
}

func (r *reader) Reach(dir pawl.Direction, from ...pawl.ID) ([]pawl.Node, error) {
	return pawl.Walk(dir, from, r.node), nil
}

func (r *reader) Result(op pawl.OpID) ([]byte, bool, error) {
	result, ok := r.board.results.byOp[op]
	return bytes.Clone(result), ok, nil
}
