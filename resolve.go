package pawl

import (
	"context"
	"slices"
	"strings"
)

// Resolve returns the id behind what a person wrote: 12, #12, or the name that
// the task has elsewhere ([Task.Ref]); if no task has that, the name in capital or in small
// letters. It fails with NotFound, and with Invalid when several tasks have the name.
func (b *Board) Resolve(ctx context.Context, name string) (ID, error) {
	if id, err := ParseID(name); err == nil {
		return id, nil
	}
	var id ID
	err := b.View(ctx, func(r Reader) error {
		ids, faults, err := Resolve(r, name)
		if err == nil && faults[0] != nil {
			return faults[0]
		}
		if err == nil {
			id = ids[0]
		}
		return err
	})
	return id, err
}

// Resolve is [Board.Resolve] of several names within a view: it looks for all of
// them at once. Where a name has no id, faults says why.
func Resolve(r Reader, names ...string) (ids []ID, faults []*Error, err error) {
	q := Query{Brief: true}
	for _, name := range names {
		if _, err := ParseID(name); err != nil && name != "" { // which the tasks without a name have
			q.Refs = append(q.Refs, name, strings.ToUpper(name), strings.ToLower(name))
		}
	}
	slices.Sort(q.Refs)
	q.Refs = slices.Compact(q.Refs)
	found := map[string][]ID{} // the first two with each name
	for len(q.Refs) > 0 {
		page, err := r.Select(q)
		if err != nil {
			return nil, nil, err
		}
		for i := range page.Tasks {
			if ref := page.Tasks[i].Ref(); len(found[ref]) < 2 {
				found[ref] = append(found[ref], page.Tasks[i].ID)
			}
		}
		if q.After = page.Next; q.After == nil {
			break
		}
	}
	ids, faults = make([]ID, len(names)), make([]*Error, len(names))
	for i, name := range names {
		id, err := ParseID(name)
		if err != nil {
			same := found[name]
			if upper, lower := strings.ToUpper(name), strings.ToLower(name); len(same) == 0 {
				same = slices.Clone(found[upper])
				if lower != upper {
					same = append(same, found[lower]...)
				}
			}
			id, faults[i] = theOne(name, same)
		}
		ids[i] = id
	}
	return ids, faults, nil
}

// theOne is the task with a name, if it is the only one.
func theOne(name string, ids []ID) (ID, *Error) {
	switch {
	case len(ids) == 0:
		return 0, Errorf(NotFound, "task %q does not exist on this board", clip(name, 80)).Next(HintList)
	case len(ids) > 1:
		return 0, invalid("%q names several tasks, %v and %v among them", clip(name, 80), ids[0], ids[1]).About(ids...).Say("use the number")
	}
	return ids[0], nil
}
