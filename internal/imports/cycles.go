package imports

import (
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/graph"
)

// unloop takes out what closes a cycle, which a board would refuse together
// with everything else. A parent waits for its children. Of a cycle the
// youngest edge goes: the one that stands last in the source; a parent goes
// only where parents alone form the cycle.
func (s *settling) unloop() {
	for i := range s.Tasks {
		if s.ring(i) {
			t := &s.Tasks[i]
			t.Keep("absent is part of", t.Parent.Name)
			s.Leave(t.At, "parents that form a ring", s.name(t.Ref)+" is part of "+s.name(t.Parent.Name))
			s.parent[i], t.Parent = -1, pawl.Ref{}
			s.Subtasks--
		}
	}
	next := make([][]int32, len(s.Tasks))
	for i := range s.Tasks {
		for _, j := range s.waits[i] {
			next[i] = append(next[i], int32(j))
		}
		if p := s.parent[i]; p >= 0 {
			next[p] = append(next[p], int32(i))
		}
	}
	for _, members := range graph.Cycles(next) {
		s.untie(members)
	}
}

func (s *settling) ring(i int) bool {
	slow := s.parent[i]
	for fast := slow; fast >= 0; {
		if fast == i {
			return true
		}
		if fast = s.parent[fast]; fast == i {
			return true
		} else if fast < 0 {
			return false
		}
		if fast = s.parent[fast]; fast == slow {
			return slow == i // a ring further up, which others close
		}
		slow = s.parent[slow]
	}
	return false
}

// untie takes edges out of a strongly connected component: it starts with the
// parents and adds its edges in the order of the source, but those that would
// close a cycle.
func (s *settling) untie(members []int32) {
	in := map[int]bool{}
	for _, m := range members {
		in[int(m)] = true
	}
	next := map[int][]int{}
	for _, m := range members {
		if p := s.parent[m]; p >= 0 && in[p] {
			next[p] = append(next[p], int(m))
		}
	}
	for _, m := range members {
		i := int(m)
		for _, j := range slices.Clone(s.waits[i]) {
			if !in[j] {
				continue
			}
			closes := s.looked > maxLooks || graph.Path(int64(j), int64(i), func(k int64) []int64 {
				to := make([]int64, len(next[int(k)]))
				for n, l := range next[int(k)] {
					to[n] = int64(l)
				}
				s.looked += 1 + len(to)
				return to
			}) != nil
			if !closes {
				next[i] = append(next[i], j)
				continue
			}
			t := &s.Tasks[i]
			s.cut(i, j)
			s.Edges--
			t.Keep("cut waits for", s.Tasks[j].Ref)
			s.Leave(t.At, "dependencies that close a cycle", s.name(t.Ref)+" waits for "+s.name(s.Tasks[j].Ref))
		}
	}
}

// maxLooks bounds all searches, since a hostile file chooses how much there is
// to look at: after that the edges of a component go.
const maxLooks = 50_000_000

// reaches reports whether from waits for to, directly or not, or whether it
// would take too long to find out.
func (s *settling) reaches(from, to int) bool {
	children := s.childrenOf()
	if s.looked > maxLooks {
		return true
	}
	return graph.Path(int64(from), int64(to), func(k int64) []int64 {
		var next []int64
		s.looked += 1 + len(s.waits[k]) + len(children[k])
		for _, j := range s.waits[k] {
			next = append(next, int64(j))
		}
		for _, c := range children[k] {
			next = append(next, int64(c))
		}
		return next
	}) != nil
}

func (s *settling) childrenOf() [][]int {
	if s.children == nil {
		s.children = make([][]int, len(s.Tasks))
		for i, p := range s.parent {
			if p >= 0 {
				s.children[p] = append(s.children[p], i)
			}
		}
	}
	return s.children
}
