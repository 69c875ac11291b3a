package query

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// Past is what happened to a task, the newest first, without mere renewals.
type Past struct {
	Sets  []pawl.ChangeSet `json:"sets,omitempty"`
	Names Subjects         `json:"names,omitempty"` // of the tasks of the sets
	More  bool             `json:"more,omitempty"`  // there may be earlier ones
}

// fill adds what happened to each task, or to one that was deleted, as far as the answer's snapshot had it.
// One pass over history serves all of them.
func (q TaskQuery) fill(ctx context.Context, b *pawl.Board, r pawl.Reader, answer Answer) error {
	a := answer.(*Details)
	for i := range a.Tasks {
		if f := &a.Tasks[i]; f.Fault != nil {
			missing(ctx, b, r, f.Fault)
		}
	}
	if q.History <= 0 {
		return nil
	}
	found := map[pawl.ID]*Found{} // whose past is looked for still
	for i := range a.Tasks {
		if f := &a.Tasks[i]; f.Detail != nil {
			if first := found[f.Detail.Task.ID]; first != nil {
				f.Past = first.Past
				continue
			}
			f.Past = &Past{}
			found[f.Detail.Task.ID] = f
		}
	}
	all := slices.Collect(maps.Values(found))
	if err := q.readPast(ctx, b, a.Revision, found); err != nil {
		return err
	}
	for _, f := range all {
		f.Past.Names = Subjects{}
		rest := f.Past.Names.learnSets(f.Past.Sets)
		f.Past.Names.take(rest, f.Detail.around())
		if len(rest) == 0 {
			continue
		}
		tasks, _, err := present(r, slices.Sorted(maps.Keys(rest)))
		if err != nil {
			return err
		}
		f.Past.Names.take(rest, tasks)
	}
	return nil
}

// readPast finds the sets of tasks, and takes those from found that it is done with.
func (q TaskQuery) readPast(ctx context.Context, b *pawl.Board, now pawl.Revision, found map[pawl.ID]*Found) error {
	span := pawl.Span{Backward: true}
	if q.Back > 0 {
		span.After = max(0, now-q.Back)
	}
	for id, f := range found {
		f.Past.More = span.After > 0
		if len(found) == 1 {
			span.Task = id
		}
	}
	most := min(q.History, MostSets)
	for set, err := range b.Changes(ctx, span) {
		if errors.Is(err, pawl.Gone) { // the rest was trimmed
			for _, f := range found {
				f.Past.More = false
			}
			return nil
		}
		if err != nil {
			return err
		}
		if set.Revision > now {
			continue
		}
		renewal := Renewal(&set)
		for _, c := range set.Changes {
			f := found[c.ID]
			if f == nil {
				continue
			}
			if len(f.Past.Sets) == most {
				f.Past.More = true
				delete(found, c.ID)
				continue
			}
			if renewal {
				continue
			}
			f.Past.Sets = append(f.Past.Sets, set)
			if c.Before == nil && !set.Bulk && set.Undoes == 0 { // it was made here, not brought back
				f.Past.More = false
				delete(found, c.ID)
			}
		}
		if len(found) == 0 {
			return nil
		}
	}
	return nil
}

// around are the task and those around it.
func (d *Detail) around() []pawl.Task {
	tasks := slices.Concat([]pawl.Task{d.Task}, d.Blockers, d.Blocks, d.Children)
	if d.Parent != nil {
		tasks = append(tasks, *d.Parent)
	}
	return tasks
}
