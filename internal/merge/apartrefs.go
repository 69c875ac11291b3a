package merge

import (
	"slices"

	"github.com/pawl-dev/pawl"
)

// refer finds out which tasks the edges connect that name a number of several tasks
// at one end at least.
func (a *aparting) refer() {
	for _, p := range a.pieces {
		for _, n := range p.task.BlockedBy {
			if a.contested(n) || a.contested(p.id) {
				for _, q := range a.meant(p, n, pawl.FieldBlockedBy) {
					a.connect(p, q)
				}
			}
		}
		for _, n := range p.task.Blocks {
			if a.contested(n) || a.contested(p.id) {
				for _, q := range a.meant(p, n, pawl.FieldBlocks) {
					a.connect(q, p)
				}
			}
		}
	}
}

// connect records that a task waits, or waited, for another one.
func (a *aparting) connect(later, earlier *piece) {
	if !slices.Contains(later.waits, earlier) && later != earlier {
		later.waits = append(later.waits, earlier)
		earlier.blocks = append(earlier.blocks, later)
	}
}

// meant returns the tasks that a number means in an edge of p: all that have the
// edge on their side. None has it if the edge is an old one that only one side
// names.
func (a *aparting) meant(p *piece, n pawl.ID, field pawl.Field) []*piece {
	all := a.at[n]
	if len(all) < 2 {
		return all
	}
	likely := among(all, func(q *piece) bool {
		if field == pawl.FieldBlockedBy {
			return slices.Contains(q.task.Blocks, p.id)
		}
		return slices.Contains(q.task.BlockedBy, p.id)
	})
	if len(likely) == 1 || len(likely) > 1 && !a.contested(p.id) {
		return likely // two branches can each have added a task that is to wait for p
	}
	if len(likely) == 0 {
		likely = among(all, func(q *piece) bool { return q != p && (!q.task.Open() || !p.task.Open()) })
	}
	if len(likely) == 0 {
		likely = among(all, func(q *piece) bool { return q != p })
	}
	return []*piece{a.take(p, likely, field)}
}

// parent returns the task that the number of p's parent means. One that is
// completed has no open child.
func (a *aparting) parent(p *piece) pawl.ID {
	all := a.at[p.task.Parent]
	if len(all) < 2 {
		return p.task.Parent
	}
	likely := among(all, func(q *piece) bool { return q != p && (q.task.Open() || !p.task.Open()) })
	if len(likely) == 0 {
		likely = among(all, func(q *piece) bool { return q != p })
	}
	return a.take(p, likely, pawl.FieldParent).now
}

// take chooses one of several: the one that was made together with p, else the
// eldest, which may be wrong.
func (a *aparting) take(p *piece, likely []*piece, field pawl.Field) *piece {
	if len(likely) == 1 {
		return likely[0]
	}
	together := among(likely, func(q *piece) bool {
		return !p.task.CreatedAt.IsZero() && q.task.CreatedAt.Equal(p.task.CreatedAt)
	})
	if len(together) == 1 {
		return together[0]
	}
	q := likely[0]
	if field != pawl.FieldParent && a.contested(p.id) {
		rank := slices.Index(a.at[p.id], p)
		// The elder of two plans is likely elder throughout, and edges that cross
		// from one plan to the other would hold both up.
		for _, other := range likely {
			if slices.Index(a.at[other.id], other) == rank {
				q = other
			}
		}
	}
	a.report.Unclear = append(a.report.Unclear, Unclear{ID: p.now, Field: field, Took: q.now})
	return q
}

func among(all []*piece, fit func(*piece) bool) []*piece {
	var fitting []*piece
	for _, p := range all {
		if fit(p) {
			fitting = append(fitting, p)
		}
	}
	return fitting
}

// relist sets the numbers of the tasks that a task names. Its other references stay
// in their place.
func (a *aparting) relist(p *piece, t *pawl.Task) {
	var open []*piece
	if p.task.Open() {
		open = among(p.waits, func(q *piece) bool { return q.task.Open() })
	}
	t.BlockedBy = a.list(p, t.BlockedBy, p.waits, open)
	t.Blocks = a.list(p, t.Blocks, p.blocks, p.blocks)
	t.Parent = a.parent(p)
}

// list puts in the place of each contested number the tasks that it means, and
// behind the others those that the list must have.
func (a *aparting) list(p *piece, old []pawl.ID, means, must []*piece) []pawl.ID {
	var ids []pawl.ID
	add := func(id pawl.ID) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, n := range old {
		if !a.contested(n) && (!a.contested(p.id) || a.at[n] == nil) {
			ids = append(ids, n)
			continue
		}
		for _, q := range means {
			if q.id == n {
				add(q.now)
			}
		}
	}
	for _, q := range must {
		add(q.now)
	}
	return ids
}
