// Package graph works on a graph of plain integers: how urgent and how high each
// node stands, which nodes form a cycle, the way from one node to another, and where to
// draw them (a [Layout]).
//
//	next[0] = [1, 2]    nodes 1 and 2 wait for node 0
//
// It knows nothing of tasks. Nothing in it recurses, so that a chain as long
// as a board costs memory in proportion and no stack.
package graph

import "slices"

// Rank works out urgency and height in place. next[i] are the nodes that wait
// for i; only open ones take part.
//
// On entry urgency[i] is the node's own priority and height[i] a lower bound:
// normally zero, or, for a node at the edge of what is looked at, its known
// height with next[i] empty. Afterwards urgency[i] is the highest among i and
// all that wait for it, and height[i] the longest chain of nodes that wait for
// it. The members of a cycle share one value: the longest chain that leaves
// the cycle.
func Rank(next [][]int32, urgency []int8, height []int32) {
	s := newSearch(next)
	s.run(func(members []int32) {
		top, high := urgency[members[0]], height[members[0]]
		for _, i := range members {
			top, high = max(top, urgency[i]), max(high, height[i])
			for _, j := range next[i] {
				if s.found(j) {
					top, high = max(top, urgency[j]), max(high, height[j]+1)
				}
			}
		}
		for _, i := range members {
			urgency[i], height[i] = top, high
		}
	})
}

// Cycles returns the members of each strongly connected component that has
// more than one node or an edge to itself. Members are sorted, and so are the
// components, by their first member.
func Cycles(next [][]int32) [][]int32 {
	var cycles [][]int32
	newSearch(next).run(func(members []int32) {
		if len(members) > 1 || slices.Contains(next[members[0]], members[0]) {
			cycle := slices.Clone(members)
			slices.Sort(cycle)
			cycles = append(cycles, cycle)
		}
	})
	slices.SortFunc(cycles, func(a, b []int32) int { return int(a[0] - b[0]) })
	return cycles
}

// Closing adds edges to a graph in their order, and returns the places of those that
// would close a cycle, which it leaves out. next is the graph, and changes.
func Closing(next [][]int32, edges [][2]int32) []int {
	var closing []int
	seen := make([]int, len(next)) // at which edge
	var todo []int32
	reaches := func(from, to int32, at int) bool {
		for todo = append(todo[:0], from); len(todo) > 0; {
			node := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if node == to {
				return true
			}
			for _, n := range next[node] {
				if seen[n] != at {
					seen[n] = at
					todo = append(todo, n)
				}
			}
		}
		return false
	}
	for i, e := range edges {
		if reaches(e[1], e[0], i+1) {
			closing = append(closing, i)
			continue
		}
		next[e[0]] = append(next[e[0]], e[1])
	}
	return closing
}

// Path returns a shortest path from → … → to, both included, or nil when there
// is none. The path from a node to itself is that node. next is asked once a
// node.
func Path(from, to int64, next func(int64) []int64) []int64 {
	came := map[int64]int64{from: from}
	queue := []int64{from}
	for at := 0; at < len(queue); at++ {
		i := queue[at]
		if i == to {
			return trace(from, to, came)
		}
		for _, j := range next(i) {
			if _, seen := came[j]; !seen {
				came[j] = i
				queue = append(queue, j)
			}
		}
	}
	return nil
}

// trace walks back from to, and turns the way round.
func trace(from, to int64, came map[int64]int64) []int64 {
	path := []int64{to}
	for i := to; i != from; {
		i = came[i]
		path = append(path, i)
	}
	slices.Reverse(path)
	return path
}
