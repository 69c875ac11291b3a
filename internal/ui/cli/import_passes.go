package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// passes is an import by as few ops as the number of its tasks allows. Where
// one op is not enough each brings its tasks with the edges that lead to them
// and to tasks of the ops before; edges into later ones come last.
type passes struct {
	pawl.Import                // all of it
	most        int            // in one op
	chunk       map[string]int // the op that brings the task of a name

	progress *progress
	// screened makes a request one that may be sent, with the checks that the project
	// asks. Nil: as it is.
	screened func(context.Context, query.Board, pawl.Request) (pawl.Request, error)
}

// screen screens what the passes ask for.
func (p passes) screen(ctx context.Context, board query.Board, requests ...pawl.Request) (_ []pawl.Request, err error) {
	for i := range requests {
		if p.screened != nil && err == nil {
			requests[i], err = p.screened(ctx, board, requests[i])
		}
	}
	return requests, err
}

func inPasses(op pawl.Import, most int) passes {
	p := passes{Import: op, most: most, chunk: map[string]int{}}
	for i := range op.Tasks {
		if name := op.Tasks[i].Ref; name != "" {
			p.chunk[name] = i / most
		}
	}
	return p
}

func (p passes) several() bool { return len(p.Tasks) > p.most }

// first are the requests that make the tasks, with edges as far as the ids of
// refs are known.
func (p passes) first(by pawl.Actor, refs map[string]pawl.ID) []pawl.Request {
	var requests []pawl.Request
	for n := 0; n*p.most < len(p.Tasks); n++ {
		requests = append(requests, p.request(n, by, refs))
	}
	return requests
}

// request is the n-th of them.
func (p passes) request(n int, by pawl.Actor, refs map[string]pawl.ID) pawl.Request {
	chunk := p.Tasks[n*p.most : min((n+1)*p.most, len(p.Tasks))]
	if p.several() {
		chunk = slices.Clone(chunk)
		for i := range chunk {
			t := &chunk[i]
			t.Parent, t.BlockedBy, t.Blocks = p.edges(t, func(ref pawl.Ref) (pawl.Ref, bool) {
				if ref.Name == "" || p.chunk[ref.Name] == n {
					return ref, true
				}
				id, known := refs[ref.Name]
				return pawl.RefID(id), known && p.chunk[ref.Name] < n
			})
		}
	}
	op := pawl.Import{Tasks: chunk, Exact: p.Exact}
	if (n+1)*p.most >= len(p.Tasks) {
		op.LastID = p.LastID
	}
	return pawl.Request{By: by, Op: op}
}

// look finds out whether the tasks can be all that the board has, or those of them that it
// has are the first, as after an interruption: then they keep what they have. A single op
// sees to the former itself.
func (p *passes) look(ctx context.Context, board query.Board, by pawl.Actor) error {
	if p.LastID == 0 || !p.several() {
		return nil
	}
	rest := p.Tasks
	for q := (pawl.Query{Brief: true, Uncounted: true}); ; {
		is, err := query.Of(ctx, board, query.Asker{By: by}, query.TasksQuery{Query: q})
		if err != nil {
			return err
		}
		for _, t := range is.Page.Tasks {
			if len(rest) == 0 || t.ID != rest[0].ID || !t.CreatedAt.Equal(rest[0].CreatedAt) || !t.UpdatedAt.Equal(rest[0].UpdatedAt) {
				return nil
			}
			rest = rest[1:]
		}
		if q.After = is.Page.Next; q.After == nil {
			p.Exact = len(rest) == 0 || is.LastID < rest[0].ID
			return nil
		}
	}
}

// second are the requests that add the edges into later passes, once all tasks
// have their ids: for their order, with the others of the same tasks. None changes more
// than the pass that made its tasks.
func (p passes) second(all *came, by pawl.Actor) []pawl.Request {
	var requests []pawl.Request
	for n := 0; n*p.most < len(p.Tasks); n++ {
		var tasks []pawl.ImportTask
		for i := n * p.most; i < min((n+1)*p.most, len(p.Tasks)); i++ {
			t, later := &p.Tasks[i], false
			edges := pawl.NewTask{Subject: t.Subject, Priority: t.Priority}
			edges.Parent, edges.BlockedBy, edges.Blocks = p.edges(t, func(ref pawl.Ref) (pawl.Ref, bool) {
				if ref.Name == "" {
					return ref, true
				}
				later = later || p.chunk[ref.Name] > n
				return pawl.RefID(all.Refs[ref.Name]), true
			})
			if later {
				tasks = append(tasks, pawl.ImportTask{ID: all.IDs[i], CreatedAt: all.created[i], NewTask: edges})
			}
		}
		if len(tasks) > 0 {
			requests = append(requests, pawl.Request{By: by, Op: pawl.Import{Tasks: tasks, Exact: p.Exact}})
		}
	}
	return requests
}

// edges are those of a task that which keeps, as it has them.
func (p passes) edges(t *pawl.ImportTask, which func(pawl.Ref) (pawl.Ref, bool)) (parent pawl.Ref, blockedBy, blocks []pawl.Ref) {
	some := func(refs []pawl.Ref) (kept []pawl.Ref) {
		for _, ref := range refs {
			if ref, keep := which(ref); keep {
				kept = append(kept, ref)
			}
		}
		return kept
	}
	if t.Parent != (pawl.Ref{}) {
		if ref, keep := which(t.Parent); keep {
			parent = ref
		}
	}
	return parent, some(t.BlockedBy), some(t.Blocks)
}

// check finds edges to tasks that the file does not have. A single op sees to
// that itself.
func (p passes) check() error {
	if !p.several() {
		return nil
	}
	var faults []pawl.Fault
	for i := range p.Tasks {
		t := &p.Tasks[i]
		for _, of := range []struct {
			key  string
			refs []pawl.Ref
		}{{"parent", []pawl.Ref{t.Parent}}, {"blockedBy", t.BlockedBy}, {"blocks", t.Blocks}} {
			for _, ref := range of.refs {
				if _, there := p.chunk[ref.Name]; ref.Name != "" && !there {
					faults = append(faults, pawl.Fault{
						Path: fmt.Sprintf("tasks[%d].%s", i, of.key), Problem: fmt.Sprintf("names %q, which is not a task of the file", ref.Name),
					})
				}
			}
		}
	}
	if len(faults) > 0 {
		return &pawl.Error{Kind: pawl.Invalid, Message: "some tasks are named that are not there", Faults: faults}
	}
	return nil
}

// came is what came of an import.
type came struct {
	pawl.Result                          // without its tasks and changes
	created     []time.Time              // of the tasks in IDs
	revisions   []pawl.Revision          // of the passes, in their order
	origin      pawl.Revision            // that they count from
	fields      map[pawl.ID][]pawl.Field // what would become other, where that was tried
	open        []pawl.ID                // completed in the source, and open here: they need checks or criteria
	tasks       map[pawl.ID]pawl.Task    // those in IDs, as they are afterwards
}

func newCame() came {
	return came{Result: pawl.Result{Refs: map[string]pawl.ID{}}, tasks: map[pawl.ID]pawl.Task{}}
}

// run carries out the first requests and then what they leave open, each as a
// commit of its own, and returns what came of all of them. After an error it
// says what there is to be taken back.
func (p passes) run(ctx context.Context, board query.Board, by pawl.Actor) (came, error) {
	all := newCame()
	if err := p.check(); err != nil {
		return all, err
	}
	for far := 0; far < len(p.Tasks); far += p.most {
		if p.several() {
			p.progress.at("importing, %d of %d tasks made", far, len(p.Tasks))
		}
		requests, err := p.screen(ctx, board, p.request(far/p.most, by, all.Refs))
		if err != nil {
			return all, err
		}
		one, err := board.Do(ctx, requests[0], 0)
		if err != nil {
			return all, err
		}
		all.add(&one.Result)
		p.held(&all, far/p.most, &one.Result, requests[0].Op)
		all.origin = one.Head.Origin
	}
	if !p.several() {
		return all, nil
	}
	changed := map[pawl.ID]bool{}
	for _, request := range p.second(&all, by) {
		p.progress.at("importing, joining the tasks")
		one, err := board.Do(ctx, request, 0)
		if err != nil {
			return all, err
		}
		all.connect(&one.Result, changed)
	}
	all.settle(changed)
	return all, nil
}

// try says what run would come to, and writes nothing.
func (p passes) try(ctx context.Context, board query.Board, by pawl.Actor) (came, error) {
	all := newCame()
	if err := p.check(); err != nil {
		return all, err
	}
	do := func(requests []pawl.Request) ([]query.Outcome, error) {
		requests, err := p.screen(ctx, board, requests...)
		if err != nil {
			return nil, err
		}
		outcomes, err := board.Try(ctx, 0, requests...)
		return outcomes, firstError(err)
	}
	first := p.first(by, nil)
	outcomes, err := do(first)
	if err != nil {
		return all, err
	}
	for i := range outcomes {
		all.add(&outcomes[i].Result)
		p.held(&all, i, &outcomes[i].Result, first[i].Op)
	}
	if !p.several() {
		all.tell(outcomes)
		return all, nil
	}
	// Once more, now that the ids are known that the tasks would get.
	first = p.first(by, all.Refs)
	if outcomes, err = do(slices.Concat(first, p.second(&all, by))); err != nil {
		return all, err
	}
	all = newCame()
	changed := map[pawl.ID]bool{}
	for i := range outcomes {
		if i < len(first) {
			all.add(&outcomes[i].Result)
			p.held(&all, i, &outcomes[i].Result, first[i].Op)
		} else {
			all.connect(&outcomes[i].Result, changed)
		}
	}
	all.settle(changed)
	all.tell(outcomes)
	return all, nil
}

// held notes which tasks the n-th op left open because checks or criteria hold them.
func (p passes) held(all *came, n int, result *pawl.Result, sent pawl.Op) {
	op := sent.(pawl.Import)
	wanted := map[pawl.ID]bool{}
	for i, id := range result.IDs {
		wanted[id] = p.Tasks[n*p.most+i].Status == pawl.Completed
	}
	for i := range result.Tasks {
		t := &result.Tasks[i]
		if wanted[t.ID] && t.Open() && (len(t.AllChecks(op.Rules)) > 0 || len(t.Accept) > 0) {
			all.open = append(all.open, t.ID)
		}
	}
}

// tell notes which fields of tasks that were there would change.
func (c *came) tell(outcomes []query.Outcome) {
	c.fields = map[pawl.ID][]pawl.Field{}
	for i := range outcomes {
		for _, change := range outcomes[i].Result.Changes {
			for _, f := range change.Fields {
				if f != pawl.FieldUpdatedAt && !slices.Contains(c.fields[change.ID], f) {
					c.fields[change.ID] = append(c.fields[change.ID], f)
				}
			}
		}
	}
}

// add takes over what came of a pass that makes tasks.
func (c *came) add(result *pawl.Result) {
	c.IDs = append(c.IDs, result.IDs...)
	c.Updated = append(c.Updated, result.Updated...)
	c.Kept = append(c.Kept, result.Kept...)
	c.Ready = append(c.Ready, result.Ready...)
	maps.Copy(c.Refs, result.Refs)
	for i := range result.Tasks {
		c.created = append(c.created, result.Tasks[i].CreatedAt)
	}
	c.note(result)
}

// connect takes over what came of a pass that adds edges.
func (c *came) connect(result *pawl.Result, changed map[pawl.ID]bool) {
	for _, id := range result.Updated {
		changed[id] = true
	}
	c.note(result)
}

// settle runs when all edges are there: tasks that the first passes left unchanged
// may have changed now, and those that became ready may no longer be ready.
func (c *came) settle(changed map[pawl.ID]bool) {
	c.Ready = nil
	c.Kept = slices.DeleteFunc(c.Kept, func(id pawl.ID) bool {
		if changed[id] {
			c.Updated = append(c.Updated, id)
		}
		return changed[id]
	})
}

func (c *came) note(result *pawl.Result) {
	c.Changed = c.Changed || result.Changed
	if result.Revision != 0 {
		c.Revision = result.Revision
		c.revisions = append(c.revisions, result.Revision)
	}
	for i := range result.Tasks {
		c.tasks[result.Tasks[i].ID] = result.Tasks[i]
	}
	for i := range result.Changes { // a pass changes tasks of those before
		if change := &result.Changes[i]; change.After != nil {
			c.tasks[change.ID] = *change.After
		}
	}
}

// fresh are the tasks that the import made or changed, as they are afterwards.
func (c *came) fresh() (tasks []pawl.Task) {
	for _, id := range c.IDs {
		if t, ok := c.tasks[id]; ok && !slices.Contains(c.Kept, id) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}
