package merge

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
)

// A commitGraph is commits as git has them: each with its board and its parents.
type commitGraph struct {
	commits []commit
	several int // merges with several bases
}

type commit struct {
	board   Board
	parents []int
}

func (g *commitGraph) commit(b Board, parents ...int) int {
	g.commits = append(g.commits, commit{b, parents})
	return len(g.commits) - 1
}

// past are a commit and all before it.
func (g *commitGraph) past(c int) map[int]bool {
	seen := map[int]bool{}
	for todo := []int{c}; len(todo) > 0; {
		c := todo[0]
		todo = todo[1:]
		if !seen[c] {
			seen[c] = true
			todo = append(todo, g.commits[c].parents...)
		}
	}
	return seen
}

// bases are the merge bases of two commits: what both have in their past, and no
// other such commit has in its.
func (g *commitGraph) bases(a, b int) []int {
	before, other := g.past(a), g.past(b)
	var common []int
	for c := range before {
		if other[c] {
			common = append(common, c)
		}
	}
	bases := slices.DeleteFunc(slices.Clone(common), func(c int) bool {
		return slices.ContainsFunc(common, func(d int) bool { return d != c && g.past(d)[c] })
	})
	slices.Sort(bases)
	return bases
}

// merge is what git does with two commits.
func (g *commitGraph) merge(a, b int) int {
	switch {
	case g.past(a)[b]:
		return a
	case g.past(b)[a]:
		return b
	}
	var bases []Board
	for _, c := range g.bases(a, b) {
		bases = append(bases, g.commits[c].board)
	}
	if len(bases) > 1 {
		g.several++
	}
	m, _ := Boards(bases, g.commits[a].board, g.commits[b].board)
	return g.commit(m, a, b)
}

// Three and four clones that pull from each other, in any order and with work in
// between, have the same board when all have met, with everything on it.
func TestClonesThatMetAgree(t *testing.T) {
	criss := 0
	for seed := range *histories {
		seed += *from
		n, err := clones(uint64(seed))
		if err != nil {
			t.Fatalf("history %d: %v", seed, err)
		}
		criss += n
	}
	t.Logf("%d merges had several bases", criss)
	if *histories >= 400 && criss == 0 {
		t.Error("no merge had several bases")
	}
}

func clones(seed uint64) (several int, err error) {
	s := newSim(seed + 1e6)
	g := &commitGraph{}
	b := Board{Tasks: map[pawl.ID][]byte{}}
	for range s.rng.IntN(8) {
		b = s.act(b, 0)
	}
	s.gone = map[string]bool{}
	for name := range byName(open(b)) {
		s.seen[name] = true
	}
	root := g.commit(b)
	heads := make([]int, 2+s.rng.IntN(3))
	for i := range heads {
		heads[i] = root
	}
	for range 2 + s.rng.IntN(14) {
		i, j := s.rng.IntN(len(heads)), s.rng.IntN(len(heads))
		if s.rng.IntN(3) > 0 {
			b := g.commits[heads[i]].board
			for range 1 + s.rng.IntN(3) {
				b = s.act(b, i)
			}
			for name := range byName(open(b)) {
				s.seen[name] = true
			}
			heads[i] = g.commit(b, heads[i])
			continue
		}
		if s.rng.IntN(2) == 0 { // both at once, as two people who pull before they push
			heads[i], heads[j] = g.merge(heads[i], heads[j]), g.merge(heads[j], heads[i])
			continue
		}
		heads[i] = g.merge(heads[i], heads[j])
	}
	for range 2 {
		for i := range heads {
			for j := range heads {
				heads[i] = g.merge(heads[i], heads[j])
			}
		}
	}
	end := g.commits[heads[0]].board
	for _, h := range heads {
		if other := g.commits[h].board; !sameBoard(other, end) {
			return g.several, fmt.Errorf("clones differ:\n%s", differ(end, other))
		}
	}
	at := byName(open(end))
	for name := range s.seen {
		if len(at[name]) == 0 && !s.gone[name] {
			return g.several, fmt.Errorf("%s is lost", name)
		}
	}
	for name, tasks := range at {
		if len(tasks) > 1 && !s.odd[name] && !s.gone[name] {
			return g.several, fmt.Errorf("%s is there %d times", name, len(tasks))
		}
	}
	return g.several, whole(open(end))
}
