package file

import (
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/graph"
)

// Cycles returns the tasks of each cycle that other programs have made. The search reads
// all tasks, so the result is kept until another program adds an edge.
func (r *reader) Cycles() ([][]pawl.ID, error) {
	if r.acyclic {
		return nil, nil
	}
	cycles := r.table.cycles()
	if r.locked && r.table == r.store.loaded.table {
		r.store.loaded.mark.acyclic = len(cycles) == 0
	}
	return cycles, nil
}

// cycles returns the tasks of each cycle of recorded edges and parents.
func (t *table) cycles() [][]pawl.ID {
	var entries []*entry
	at := map[pawl.ID]int32{}
	t.each(func(row row) bool {
		e := row.open()
		at[e.id] = int32(len(entries))
		entries = append(entries, e)
		return true
	})
	next := make([][]int32, len(entries))
	for i, e := range entries {
		for _, id := range append(slices.Clip(e.blocks), e.parent) {
			if j, ok := at[id]; ok {
				next[i] = append(next[i], j)
			}
		}
	}
	var cycles [][]pawl.ID
	for _, members := range graph.Cycles(next) {
		var ids []pawl.ID
		for _, i := range members {
			ids = append(ids, entries[i].id)
		}
		cycles = append(cycles, ids)
	}
	return cycles
}

// addsEdges reports whether some changes of a table give a task an edge or a parent that it had
// not.
func addsEdges(was *table, changes map[pawl.ID]*entry) bool {
	for id, e := range changes {
		old := was.get(id)
		if old == nil {
			old = &entry{}
		}
		if e != nil && (e.parent != old.parent || slices.ContainsFunc(e.blocks, func(id pawl.ID) bool { return !slices.Contains(old.blocks, id) })) {
			return true
		}
	}
	return false
}
