package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// passes is an import by as few ops as the number of its tasks allows. Where
// one op is not enough the tasks come first and their edges last, so that an
// edge may lead from any of them to any other.
type passes struct {
	tasks []pawl.ImportTask
	most  int // in one op

	progress *progress
}

func inPasses(tasks []pawl.ImportTask, most int) passes { return passes{tasks: tasks, most: most} }

func (p passes) several() bool { return len(p.tasks) > p.most }

// first are the requests that make the tasks.
func (p passes) first(by pawl.Actor) []pawl.Request {
	var requests []pawl.Request
	for chunk := range slices.Chunk(p.tasks, p.most) {
		if p.several() {
			chunk = slices.Clone(chunk)
			for i := range chunk {
				chunk[i].Parent, chunk[i].BlockedBy, chunk[i].Blocks = pawl.Ref{}, nil, nil
			}
		}
		requests = append(requests, pawl.Request{By: by, Op: pawl.Import{Tasks: chunk}})
	}
	return requests
}

// came is what came of an import.
type came struct {
	pawl.Result
	revisions []pawl.Revision // of the passes, in their order
}

func newCame() came { return came{Result: pawl.Result{Refs: map[string]pawl.ID{}}} }

// run carries out the first requests and then what they leave open, each as a
// commit of its own, and returns what came of all of them. After an error it
// says what there is to be taken back.
func (p passes) run(ctx context.Context, board *pawl.Board, first []pawl.Request) (came, error) {
	do := func(requests []pawl.Request, done string) (results []pawl.Result, err error) {
		total, far := 0, 0
		for _, request := range requests {
			total += len(request.Op.(pawl.Import).Tasks)
		}
		for _, request := range requests {
			if len(requests) > 1 {
				p.progress.at("importing, %d of %d tasks %s", far, total, done)
			}
			far += len(request.Op.(pawl.Import).Tasks)
			result := board.Do(ctx, request)[0]
			if result.Err != nil {
				return results, result.Err
			}
			results = append(results, result)
		}
		return results, nil
	}
	all := newCame()
	results, err := do(first, "made")
	all.add(results)
	if err != nil || !p.several() {
		return all, err
	}
	second, err := p.second(&all, first[0].By)
	if err != nil {
		return all, err
	}
	results, err = do(second, "joined")
	all.connect(results)
	return all, err
}

// try says what run would come to, and writes nothing.
func (p passes) try(ctx context.Context, board *pawl.Board, first []pawl.Request) (came, error) {
	do := func(requests []pawl.Request) ([]pawl.Result, error) {
		results := board.Try(ctx, requests...)
		for _, result := range results {
			if result.Err != nil {
				return nil, result.Err
			}
		}
		return results, nil
	}
	all := newCame()
	results, err := do(first)
	all.add(results)
	if err != nil || !p.several() {
		return all, err
	}
	second, err := p.second(&all, first[0].By)
	if err != nil {
		return all, err
	}
	if results, err = do(slices.Concat(first, second)); err == nil {
		all.connect(results[len(first):])
	}
	return all, err
}

// add takes over what came of the passes that make tasks.
func (c *came) add(results []pawl.Result) {
	for _, result := range results {
		c.IDs = append(c.IDs, result.IDs...)
		c.Updated = append(c.Updated, result.Updated...)
		c.Kept = append(c.Kept, result.Kept...)
		c.Tasks = append(c.Tasks, result.Tasks...)
		c.Ready = append(c.Ready, result.Ready...)
		maps.Copy(c.Refs, result.Refs)
		c.note(result)
	}
}

// connect takes over what came of the passes that add edges: tasks that the
// first passes left as they were may be others now.
func (c *came) connect(results []pawl.Result) {
	changed := map[pawl.ID]bool{}
	for _, result := range results {
		for _, id := range result.Updated {
			changed[id] = true
		}
		c.note(result)
	}
	c.Ready = nil // the edges have the last word, and not each of them was there yet
	c.Kept = slices.DeleteFunc(c.Kept, func(id pawl.ID) bool {
		if changed[id] {
			c.Updated = append(c.Updated, id)
		}
		return changed[id]
	})
}

func (c *came) note(result pawl.Result) {
	c.Changed = c.Changed || result.Changed
	if result.Revision != 0 {
		c.Revision = result.Revision
		c.revisions = append(c.revisions, result.Revision)
	}
}

// second are the requests that add the edges, once the tasks have their ids.
func (p passes) second(all *came, by pawl.Actor) ([]pawl.Request, error) {
	edges, err := p.edges(&all.Result)
	var requests []pawl.Request
	for chunk := range slices.Chunk(edges, p.most) {
		requests = append(requests, pawl.Request{By: by, Op: pawl.Import{Tasks: chunk}})
	}
	return requests, err
}

// edges are the tasks that have a parent or edges once more, each under the id
// that it got.
func (p passes) edges(all *pawl.Result) ([]pawl.ImportTask, error) {
	var edges []pawl.ImportTask
	var faults []pawl.Fault
	for i := range p.tasks {
		t := &p.tasks[i].NewTask
		if t.Parent == (pawl.Ref{}) && len(t.BlockedBy)+len(t.Blocks) == 0 {
			continue
		}
		resolve := func(key string, refs ...pawl.Ref) []pawl.Ref {
			var ids []pawl.Ref
			for _, ref := range refs {
				if ref.Name != "" {
					id, there := all.Refs[ref.Name]
					if !there {
						faults = append(faults, pawl.Fault{
							Path: fmt.Sprintf("tasks[%d].%s", i, key), Problem: fmt.Sprintf("names %q, which is no task of the file", ref.Name),
						})
					}
					ref = pawl.RefID(id)
				}
				ids = append(ids, ref)
			}
			return ids
		}
		edges = append(edges, pawl.ImportTask{
			ID: all.IDs[i], CreatedAt: all.Tasks[i].CreatedAt,
			NewTask: pawl.NewTask{
				Subject: t.Subject, Priority: t.Priority, Parent: resolve("parent", t.Parent)[0],
				BlockedBy: resolve("blockedBy", t.BlockedBy...), Blocks: resolve("blocks", t.Blocks...),
			},
		})
	}
	if len(faults) > 0 {
		return nil, &pawl.Error{Kind: pawl.Invalid, Message: "some tasks are named that are not there", Faults: faults}
	}
	return edges, nil
}
