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
}

func inPasses(tasks []pawl.ImportTask, most int) passes { return passes{tasks, most} }

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

// run carries out the first requests and then what they leave open, and returns
// what came of all of them.
func (p passes) run(ctx context.Context, board *pawl.Board, first []pawl.Request) (pawl.Result, error) {
	all := pawl.Result{Refs: map[string]pawl.ID{}}
	for _, request := range first {
		result := board.Do(ctx, request)[0]
		if result.Err != nil {
			return all, result.Err
		}
		all.IDs = append(all.IDs, result.IDs...)
		all.Updated = append(all.Updated, result.Updated...)
		all.Kept = append(all.Kept, result.Kept...)
		all.Tasks = append(all.Tasks, result.Tasks...)
		all.Ready = append(all.Ready, result.Ready...)
		all.Revision = max(all.Revision, result.Revision)
		maps.Copy(all.Refs, result.Refs)
	}
	if !p.several() {
		return all, nil
	}
	edges, err := p.edges(&all)
	if err != nil {
		return all, err
	}
	changed := map[pawl.ID]bool{}
	for chunk := range slices.Chunk(edges, p.most) {
		result := board.Do(ctx, pawl.Request{By: first[0].By, Op: pawl.Import{Tasks: chunk}})[0]
		if result.Err != nil {
			return all, result.Err
		}
		all.Revision = max(all.Revision, result.Revision)
		for _, id := range result.Updated {
			changed[id] = true
		}
	}
	all.Ready = nil // the edges have the last word, and not each of them was there yet
	all.Kept = slices.DeleteFunc(all.Kept, func(id pawl.ID) bool {
		if changed[id] {
			all.Updated = append(all.Updated, id)
		}
		return changed[id]
	})
	return all, nil
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
