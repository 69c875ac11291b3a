package show

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
)

// plan makes tasks that wait for some of those before them, or are children of
// one of them. Numbers are in no order.
func plan(rng *rand.Rand, n int) []pawl.Task {
	tasks := make([]pawl.Task, n)
	names := rng.Perm(n)
	for i := range tasks {
		t := &tasks[i]
		t.ID, t.Subject, t.Status = pawl.ID(names[i]+1), fmt.Sprint("Task ", names[i]+1), pawl.Pending
		for range rng.IntN(3) {
			if i > 0 {
				b := &tasks[rng.IntN(i)]
				if slices.Contains(t.Blockers, b.ID) {
					continue
				}
				t.Blockers, t.BlockedBy = append(t.Blockers, b.ID), append(t.BlockedBy, b.ID)
				b.Blocks = append(b.Blocks, t.ID)
			}
		}
		if i > 0 && len(t.Blockers) == 0 && rng.IntN(3) == 0 {
			c := &tasks[rng.IntN(i)]
			if c.Parent == 0 {
				c.Parent = t.ID
				t.Children, t.OpenChildren = append(t.Children, c.ID), t.OpenChildren+1
			}
		}
	}
	return tasks
}

// Kin is what one comes to on the edges, in one direction.
func TestKin(t *testing.T) {
	seen := [4]int{}
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 5))
		g := NewGraph(plan(rng, 2+rng.IntN(30)), nil, "ada")
		about := rng.IntN(len(g.Nodes))
		waits := make([][]bool, len(g.Nodes)) // waits[a][b]: b waits for a, through others too
		for i := range waits {
			waits[i] = make([]bool, len(g.Nodes))
		}
		for range g.Nodes {
			for _, e := range g.Edges {
				waits[e.From][e.To] = true
				for i := range waits {
					waits[i][e.To] = waits[i][e.To] || waits[i][e.From]
				}
			}
		}
		for i, kin := range g.Kin(g.Nodes[about].Task.ID) {
			want := Apart
			switch {
			case i == about:
				want = Same
			case waits[i][about]:
				want = Before
			case waits[about][i]:
				want = Behind
			}
			if kin != want {
				t.Errorf("seed %d: node %d is %d to node %d, want %d", seed, i, kin, about, want)
			}
			seen[kin]++
		}
	}
	if slices.Min(seen[:]) < 10 {
		t.Errorf("hardly any of a kind: %v", seen)
	}
	g := NewGraph([]pawl.Task{{ID: 1, Blockers: []pawl.ID{2}}, {ID: 2, Blockers: []pawl.ID{1}}}, nil, "ada")
	if got := g.Kin(1); !slices.Equal(got, []Kin{Same, Before}) {
		t.Errorf("in a cycle: %v", got)
	}
	if g.Kin(3) != nil {
		t.Error("a task that is not there has kin")
	}
}

// In the graph around a task, what it waits for is drawn above it, and what
// waits for it below, however many steps away.
func TestAroundAboveAndBelow(t *testing.T) {
	looked := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 6))
		all := NewGraph(plan(rng, 2+rng.IntN(40)), nil, "ada")
		id := all.Nodes[rng.IntN(len(all.Nodes))].Task.ID
		var tasks []pawl.Task
		for i, kin := range all.Kin(id) {
			if kin != Apart {
				tasks = append(tasks, all.Nodes[i].Task)
			}
		}
		g := NewGraph(tasks, nil, "ada")
		if len(g.Layout.Parts) != 1 {
			t.Fatalf("seed %d: %d parts around one task", seed, len(g.Layout.Parts))
		}
		order := g.Layout.Parts[0]
		at := slices.Index(order, int32(g.At(id)))
		for i, v := range order {
			kin := g.Kin(id)[v]
			if i < at && kin != Before || i > at && kin != Behind {
				t.Errorf("seed %d: %v, which is %d to %v, is number %d of the drawing, and that is number %d", seed, g.Nodes[v].Task.ID, kin, id, i, at)
			}
			looked++
		}
	}
	if looked < 1_000 {
		t.Errorf("only %d tasks were looked at", looked)
	}
}
