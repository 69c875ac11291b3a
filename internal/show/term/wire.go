package term

import (
	"cmp"
	"maps"
	"slices"
)

// A wire is a line that several edges share: each of its sources leads to each
// of its targets, so that nobody is led astray. Sources stand on one layer.
//
//	◆─┐ #1          wire {1, 2} → {3, 4}
//	◆─┤ #2
//	  ├─○ #3
//	  └─○ #4
type strand struct {
	from, to []int // rows, ascending
	child    bool  // leads from children to their parent
	lane     int   // among the wires of its layer, counted from the right
}

// joins reports whether the task of a row is at either end.
func (w *strand) joins(row int) bool {
	return slices.Contains(w.from, row) || slices.Contains(w.to, row)
}

// An edge between two rows of a drawing.
type edge struct {
	from, to int
	child    bool
}

// wires finds few wires for edges. Every edge must be on the wire of its source
// or on that of its target: a cover of a graph with two sides, here the one that
// greed finds. Tasks that lead to the same ones, or come from the same ones,
// count as one.
func wires(edges []edge, layer []int) []strand {
	var all []strand
	for _, child := range []bool{false, true} {
		groups := map[int][]edge{} // by layer
		for _, e := range edges {
			if e.child == child {
				groups[layer[e.from]] = append(groups[layer[e.from]], e)
			}
		}
		for _, edges := range groups {
			for _, w := range cover(edges) {
				w.child = child
				all = append(all, w)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b strand) int {
		return cmp.Or(cmp.Compare(layer[a.from[0]], layer[b.from[0]]), slices.Compare(a.from, b.from), slices.Compare(a.to, b.to))
	})
	lanes := map[int]int{}
	for i := range all {
		l := layer[all[i].from[0]]
		all[i].lane = lanes[l]
		lanes[l]++
	}
	return all
}

// cover makes wires for edges of one kind.
func cover(edges []edge) []strand {
	sources, targets := twins(edges, edge.ends), twins(edges, func(e edge) (int, int) { return e.to, e.from })
	left := map[[2]int]bool{} // edges between twins, by the first row of each, on no wire yet
	for _, s := range sources {
		for _, t := range targets {
			if slices.Contains(s.others, t.rows[0]) {
				left[[2]int{s.rows[0], t.rows[0]}] = true
			}
		}
	}
	var found []strand
	for len(left) > 0 {
		var best twin
		var most []twin
		source := false
		for _, s := range sources {
			if ts := slices.DeleteFunc(slices.Clone(targets), func(t twin) bool { return !left[[2]int{s.rows[0], t.rows[0]}] }); len(ts) > len(most) {
				best, most, source = s, ts, true
			}
		}
		for _, t := range targets {
			if ss := slices.DeleteFunc(slices.Clone(sources), func(s twin) bool { return !left[[2]int{s.rows[0], t.rows[0]}] }); len(ss) > len(most) {
				best, most, source = t, ss, false
			}
		}
		var others []int
		for _, o := range most {
			others = append(others, o.rows...)
			if source {
				delete(left, [2]int{best.rows[0], o.rows[0]})
			} else {
				delete(left, [2]int{o.rows[0], best.rows[0]})
			}
		}
		slices.Sort(others)
		if source {
			found = append(found, strand{from: best.rows, to: others})
		} else {
			found = append(found, strand{from: others, to: best.rows})
		}
	}
	return found
}

func (e edge) ends() (int, int) { return e.from, e.to }

// A twin is rows with the same edges.
type twin struct {
	rows, others []int // ascending
}

// twins groups the rows at one end of edges by the rows at their other end.
func twins(edges []edge, ends func(edge) (here, there int)) []twin {
	others := map[int][]int{}
	for _, e := range edges {
		here, there := ends(e)
		others[here] = append(others[here], there)
	}
	var found []twin
	for _, row := range slices.Sorted(maps.Keys(others)) {
		theirs := others[row]
		slices.Sort(theirs)
		i := slices.IndexFunc(found, func(t twin) bool { return slices.Equal(t.others, theirs) })
		if i < 0 {
			i = len(found)
			found = append(found, twin{others: theirs})
		}
		found[i].rows = append(found[i].rows, row)
	}
	return found
}
