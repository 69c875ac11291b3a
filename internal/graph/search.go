package graph

import "math"

// A search finds strongly connected components by Tarjan's algorithm, without
// recursion.
type search struct {
	next [][]int32
	// low is zero for a node not seen yet, done for one whose component was
	// reported, and else the earliest node on the stack that it is known to reach.
	low   []int32
	stack []int32 // nodes seen and not reported, in the order they were met
	calls []call
}

// A call is a node in the middle of its visit.
type call struct {
	node  int32
	order int32 // when the node was met, from 1
	edge  int32 // how many of its edges were followed
	base  int32 // where the node stands on the stack
}

const done = math.MaxInt32

func newSearch(next [][]int32) *search {
	return &search{next: next, low: make([]int32, len(next))}
}

// run reports every component once, those that can be reached from it first.
// members is valid only during the call.
func (s *search) run(report func(members []int32)) {
	var met int32
	for root := range s.next {
		if s.low[root] != 0 {
			continue
		}
		s.enter(int32(root), &met)
		for len(s.calls) > 0 {
			if child, ok := s.advance(); ok {
				s.enter(child, &met)
			} else {
				s.leave(report)
			}
		}
	}
}

// found reports whether the component of i was reported before the present
// one. To a report, it says whether an edge to i leaves the component.
func (s *search) found(i int32) bool { return s.low[i] == done }

func (s *search) enter(i int32, met *int32) {
	*met++
	s.low[i] = *met
	s.calls = append(s.calls, call{node: i, order: *met, base: int32(len(s.stack))})
	s.stack = append(s.stack, i)
}

// advance follows the edges of the present node until one leads somewhere new.
func (s *search) advance() (int32, bool) {
	c := &s.calls[len(s.calls)-1]
	edges := s.next[c.node]
	low := s.low[c.node]
	for int(c.edge) < len(edges) {
		j := edges[c.edge]
		c.edge++
		if s.low[j] == 0 {
			s.low[c.node] = low
			return j, true
		}
		low = min(low, s.low[j])
	}
	s.low[c.node] = low
	return 0, false
}

// leave ends the visit of the present node. A node that reaches nothing met
// before it is the first of its component, which is what stands on the stack
// from there.
func (s *search) leave(report func(members []int32)) {
	c := s.calls[len(s.calls)-1]
	s.calls = s.calls[:len(s.calls)-1]
	if low := s.low[c.node]; low < c.order {
		caller := s.calls[len(s.calls)-1].node
		s.low[caller] = min(s.low[caller], low)
		return
	}
	members := s.stack[c.base:]
	report(members)
	for _, i := range members {
		s.low[i] = done
	}
	s.stack = s.stack[:c.base]
}
