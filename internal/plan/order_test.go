package plan

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// sketch is a random plan: what stands in a row in it must stay in a row.
type sketch struct {
	name  string
	done  bool
	row   bool // its parts are numbered
	parts []*sketch
}

func (s *sketch) leaves() []string {
	if len(s.parts) == 0 {
		if s.done {
			return nil
		}
		return []string{s.name}
	}
	var names []string
	for _, p := range s.parts {
		names = append(names, p.leaves()...)
	}
	return names
}

// before lists pairs of open leaves of which the first must come first.
func (s *sketch) before(pairs [][2]string) [][2]string {
	for i, p := range s.parts {
		pairs = p.before(pairs)
		if !s.row {
			continue
		}
		for _, later := range s.parts[i+1:] {
			for _, x := range p.leaves() {
				for _, y := range later.leaves() {
					pairs = append(pairs, [2]string{x, y})
				}
			}
		}
	}
	return pairs
}

type sketcher struct {
	*rand.Rand
	n    int
	text strings.Builder
}

func (g *sketcher) list(s *sketch, indent string, depth int) {
	s.row = g.IntN(2) == 0
	for i := range 1 + g.IntN(4) {
		g.n++
		p := &sketch{name: fmt.Sprintf("x%d", g.n), done: g.IntN(4) == 0}
		mark, box := "-", "[ ] "
		if s.row {
			mark = fmt.Sprintf("%d.", i+1)
		}
		if p.done {
			box = "[x] "
		}
		fmt.Fprintf(&g.text, "%s%s %s%s\n", indent, mark, box, p.name)
		if depth < 3 && g.IntN(3) == 0 {
			g.list(p, indent+"    ", depth+1)
		}
		s.parts = append(s.parts, p)
	}
}

func (g *sketcher) plan() *sketch {
	root := &sketch{row: g.IntN(2) == 0}
	for i := range 1 + g.IntN(4) {
		section := &sketch{}
		if root.row {
			fmt.Fprintf(&g.text, "## Phase %d: p%d\n", i+1, i)
		} else {
			fmt.Fprintf(&g.text, "## Part of it %c\n", 'a'+i)
		}
		g.list(section, "", 0)
		root.parts = append(root.parts, section)
	}
	return root
}

// Whatever is numbered, nested and done, nothing can start before what stands
// before it in its row, and nothing waits for itself.
func TestOrderIsNeverLost(t *testing.T) {
	pairs := 0
	for seed := range uint64(400) {
		g := &sketcher{Rand: rand.New(rand.NewPCG(seed, 1))}
		root := g.plan()
		p, err := Parse([]byte(g.text.String()), Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, g.text.String())
		}
		waits := openEdges(t, p)
		for _, pair := range root.before(nil) {
			pairs++
			if !reached(waits, pair[1], pair[0], map[string]bool{}) {
				t.Fatalf("seed %d: %s may start before %s\n%s", seed, pair[1], pair[0], g.text.String())
			}
		}
	}
	if pairs < 1000 {
		t.Errorf("only %d pairs were looked at", pairs)
	}
}

// openEdges are the edges among open tasks by subject, children included; it
// fails on a cycle among all.
func openEdges(t *testing.T, p Plan) map[string][]string {
	t.Helper()
	byRef := map[string]*pawl.NewTask{}
	all, open := map[string][]string{}, map[string][]string{}
	for i := range p.Tasks {
		if ref := p.Tasks[i].Ref; ref != "" {
			byRef[ref] = &p.Tasks[i]
		}
	}
	edge := func(from, to *pawl.NewTask) {
		all[from.Subject] = append(all[from.Subject], to.Subject)
		if !from.Done && !to.Done {
			open[from.Subject] = append(open[from.Subject], to.Subject)
		}
	}
	for i := range p.Tasks {
		task := &p.Tasks[i]
		for _, on := range task.BlockedBy {
			if on.Name != "" {
				edge(task, byRef[on.Name])
			}
		}
		if task.Parent.Name != "" {
			edge(byRef[task.Parent.Name], task)
		}
	}
	for name, next := range all {
		for _, to := range next {
			if reached(all, to, name, map[string]bool{}) {
				t.Fatalf("%s waits for itself", name)
			}
		}
	}
	return open
}

func reached(edges map[string][]string, from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for _, next := range edges[from] {
		if reached(edges, next, to, seen) {
			return true
		}
	}
	return false
}

// A long text without boxes once took the square of its lines, for each that was
// left out was looked for among all others; with the fault this does not end.
func TestLongTextIsRead(t *testing.T) {
	var b strings.Builder
	b.WriteString("- [ ] Task\n\nText\n\n")
	const lines = 300_000
	for i := range lines {
		fmt.Fprintf(&b, "- bullet %d\n", i)
	}
	p, err := Parse([]byte(b.String()), Options{})
	if err != nil || len(p.Tasks) != 1 || len(p.Left) != lines+1 {
		t.Errorf("%d tasks, %d left out, %v", len(p.Tasks), len(p.Left), err)
	}
}
