package show

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/query"
)

func askGraph(t *testing.T, q query.GraphQuery) (query.GraphTasks, error) {
	t.Helper()
	return query.Of(t.Context(), query.Local(sample.Board(t)), query.Asker{By: pawl.Actor{Name: "ada"}}, q)
}

func loadGraph(t *testing.T, q query.GraphQuery) (g *Graph, alone int) {
	t.Helper()
	a := must.Get(askGraph(t, q))(t)
	return NewGraph(a.Tasks, a.Missing, "ada"), a.Alone
}

// told is a graph in words: nodes, edges with ~ for children and ? for those
// that nobody waits for any more, and the rest.
func told(g *Graph) string {
	var words []string
	for i, n := range g.Nodes {
		words = append(words, fmt.Sprintf("%v/%d", n.Task.ID, g.Layer(i)))
		if n.Undrawn != nil {
			words = append(words, fmt.Sprint("!", n.Undrawn))
		}
	}
	for _, e := range g.Edges {
		line := "-"
		if e.Child {
			line = "~"
		}
		if !e.Open {
			line += "?"
		}
		words = append(words, fmt.Sprintf("%d%s%d", g.Nodes[e.From].Task.ID, line, g.Nodes[e.To].Task.ID))
	}
	return strings.Join(append(words, fmt.Sprint("chain", g.Chain)), " ")
}

func TestGraph(t *testing.T) {
	for _, c := range []struct {
		name  string
		q     query.GraphQuery
		want  string
		alone int
	}{
		{"open", query.GraphQuery{}, "#2/0 #3/0 #4/1 #5/2 #6/1 #7/0 2-4 3-4 3~6 4-5 7~6 chain[#2 #4 #5]", 2},
		{"all", query.GraphQuery{All: true}, "#1/0 #2/1 #3/1 #4/2 #5/3 #6/2 #7/0 1-?2 1-?3 1-?4 2-4 3-4 3~6 4-5 7~6 chain[#2 #4 #5]", 2},
		{"open, and one that is done", query.GraphQuery{Also: []pawl.ID{1, 4, 99}}, "#1/0 #2/1 #3/1 #4/2 #5/3 #6/2 #7/0 1-?2 1-?3 1-?4 2-4 3-4 3~6 4-5 7~6 chain[#2 #4 #5]", 2},
		{"a label, and others that are not done", query.GraphQuery{Tasks: pawl.Query{Labels: []string{"auth"}}, Alone: true, Also: []pawl.ID{2}}, "#3/0 chain[]", 0},
		{"a label", query.GraphQuery{Tasks: pawl.Query{Labels: []string{"auth"}}, Alone: true}, "#3/0 chain[]", 0},
		{"children", query.GraphQuery{Tasks: pawl.Query{Parent: 6}}, " chain[]", 2},
		{"high", query.GraphQuery{Tasks: pawl.Query{Priority: new(pawl.High)}, Alone: true}, "#5/0 ![#4] chain[]", 0},
		{"around a completed one", query.GraphQuery{Around: 1}, "#1/0 #2/1 #3/1 #4/2 #5/3 #6/2 1-?2 1-?3 1-?4 2-4 3-4 3~6 4-5 chain[#2 #4 #5]", 0},
		{"around one, and one that is done", query.GraphQuery{Around: 2, Also: []pawl.ID{1}}, "#1/0 #2/1 #4/2 ![#3] #5/3 1-?2 1-?4 2-4 4-5 chain[#2 #4 #5]", 0},
		{"around the last", query.GraphQuery{Around: 5}, "#2/0 #3/0 #4/1 #5/2 2-4 3-4 4-5 chain[#2 #4 #5]", 0},
		{"one step", query.GraphQuery{Around: 4, Depth: 1}, "#2/0 #3/0 #4/1 #5/2 2-4 3-4 4-5 chain[#2 #4 #5]", 0},
		{"one step, from the side", query.GraphQuery{Around: 3, Depth: 1, All: true}, "#1/0 #3/1 #4/2 ![#2] #6/2 1-?3 1-?4 3-4 3~6 chain[#3 #4]", 0},
		{"around a child", query.GraphQuery{Around: 7}, "#6/1 #7/0 7~6 chain[#7 #6]", 0},
	} {
		g, alone := loadGraph(t, c.q)
		if got := told(g); got != strings.TrimSpace(c.want) || alone != c.alone {
			t.Errorf("%s:\ngot  %s, %d alone\nwant %s, %d alone", c.name, got, alone, c.want, c.alone)
		}
	}
	if _, err := askGraph(t, query.GraphQuery{Around: 99}); pawl.KindOf(err) != pawl.NotFound {
		t.Errorf("a graph around a task that is not there: %v", err)
	}
	for _, q := range []query.GraphQuery{{Most: 5}, {Around: 1, Most: 5}} {
		if _, err := askGraph(t, q); pawl.KindOf(err) != pawl.Invalid {
			t.Errorf("a graph of six tasks where there may be five: %v", err)
		}
	}
	if g, _ := loadGraph(t, query.GraphQuery{Most: 6}); len(g.Nodes) != 6 {
		t.Errorf("%d nodes", len(g.Nodes))
	}
}

// stray is a graph that only external edits can make: a cycle, a task that waits for
// itself, one that waits for what is not there, an edge that is named twice.
func stray() *Graph {
	task := func(id pawl.ID, blockers ...pawl.ID) pawl.Task {
		return pawl.Task{ID: id, Subject: fmt.Sprintf("Task %d", id), Status: pawl.Pending, Blockers: blockers, BlockedBy: blockers}
	}
	child := task(5, 4)
	child.Children = []pawl.ID{4}
	return NewGraph([]pawl.Task{task(1, 3), task(2, 1), task(3, 2), task(4, 4, 77), child, task(6, 88)}, []pawl.ID{77}, "ada")
}

func TestStrayGraph(t *testing.T) {
	g := stray()
	want := "#1/0 ![#3] #2/1 #3/2 #4/1 ![#4] #5/2 #6/0 ![#88] #77/0 1-2 2-3 3-1 4-4 4-5 77-4 chain[#1 #2 #3]"
	if got := told(g); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := fmt.Sprint(g.Cycles); got != "[[#1 #2 #3] [#4]]" {
		t.Errorf("cycles %s", got)
	}
}

// hostile are subjects that mean something in the languages of pictures.
var hostile = []string{
	`quotes " ' ` + "`back`", `"#; #35; #quot;`, `[a] (b) {c} <d>`, "<script>alert(1)</script> &lt; &amp; &#34;",
	`%%{init: {"theme":"dark"}}%%`, "end", "graph TD; a-->b", "---\ntitle: x\n---", ":::x", "click t1 call()", "`**bold**`",
	`\`, `"`, `\"`, `\N \G \n`, "\"]\n  evil --> t1", "|a| --> |b|", "@{ shape: rect }", "$$x$$", "\u202e\x1b[2J", "fa:fa-car",
}

func hostileGraph() *Graph {
	var tasks []pawl.Task
	for i, s := range hostile {
		tasks = append(tasks, pawl.Task{ID: pawl.ID(i + 1), Subject: s, Status: pawl.Pending})
	}
	return NewGraph(tasks, nil, "ada")
}

// What a task says stays inside of its label. That Mermaid's own parser reads
// this text with all labels whole was tried with version 11.17.
func TestMermaid(t *testing.T) {
	sample.Golden(t, "graph.mmd", hostileGraph().Mermaid())
	sample.Golden(t, "graph-stray.mmd", stray().Mermaid())
	for line := range strings.Lines(hostileGraph().Mermaid()) {
		label, ok := strings.CutPrefix(line, "  t")
		if !ok {
			continue
		}
		_, label, _ = strings.Cut(label, `["`)
		label, rest, _ := strings.Cut(label, `"]`)
		if rest != ":::ready\n" || strings.ContainsAny(label, "\"`[]{}<>&%\\|@$") {
			t.Errorf("this may not stay a label: %s", line)
		}
	}
}

// That Graphviz reads all labels whole is part of the story graph.txtar.
func TestDot(t *testing.T) {
	sample.Golden(t, "graph.dot", hostileGraph().Dot())
	sample.Golden(t, "graph-stray.dot", stray().Dot())
}

// Every state has a look, and its ink can be read on its paper: WCAG AA.
func TestContrast(t *testing.T) {
	for s := range query.Missing + 1 {
		if !slices.ContainsFunc(states, func(l look) bool { return l.state == s }) {
			t.Errorf("%v has no look", s)
		}
	}
	for _, l := range states {
		a, b := luminance(t, l.ink), luminance(t, l.paper)
		if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
			t.Errorf("%v: %s on %s has a contrast of %.2f", l.state, l.ink, l.paper, ratio)
		}
	}
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n := must.Get(strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8))(t)
		v := float64(n) / 255
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
