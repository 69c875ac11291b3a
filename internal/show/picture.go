package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// Mermaid is the graph as a Mermaid flowchart, which many pages can draw. Text
// of tasks is spelled so that it is nothing but text there.
func (g *Graph) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i := range g.Nodes {
		n := &g.Nodes[i]
		fmt.Fprintf(&b, "  t%d[\"%s\"]:::%s\n", n.Task.ID, mermaidText(n.title()), n.State)
	}
	for _, e := range g.Edges {
		arrow := "-->"
		if e.Child {
			arrow = "-.->"
		}
		fmt.Fprintf(&b, "  t%d %s t%d\n", g.Nodes[e.From].Task.ID, arrow, g.Nodes[e.To].Task.ID)
	}
	for _, state := range states {
		if !slices.ContainsFunc(g.Nodes, func(n GraphNode) bool { return n.State == state.state }) {
			continue
		}
		style := "stroke:" + state.ink + ",color:" + state.ink + ",fill:" + state.paper
		if state.dashed {
			style += ",stroke-dasharray:4 3"
		}
		fmt.Fprintf(&b, "  classDef %s %s\n", state.state, style)
	}
	return b.String()
}

// mermaidText spells everything by its number that Mermaid, or HTML in it, could
// take for more than a letter.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range text.Line(s) {
		if r < 0x80 && !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" ,.:()/", r)) {
			fmt.Fprintf(&b, "#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// title is what a node is called in a picture.
func (n *GraphNode) title() string {
	switch {
	case n.State == query.Missing:
		return n.Task.ID.String() + " (missing)"
	case n.State == query.Damaged:
		return n.Task.ID.String() + " (damaged)"
	}
	return n.State.Glyph(true) + " " + Name(&n.Task)
}

// A look is how nodes in a state are painted, on a light page.
type look struct {
	state      query.State
	ink, paper string
	dashed     bool
}

var states = []look{
	{query.Ready, "#1a7f4b", "#e8f6ee", false},
	{query.Working, "#ae510a", "#fdf0e3", false},
	{query.Waiting, "#6b7280", "#f6f7f8", false},
	{query.Taken, "#6b7280", "#f6f7f8", false},
	{query.Done, "#6b7280", "#ffffff", true},
	{query.Held, "#b42318", "#fdecea", false},
	{query.Damaged, "#b42318", "#fdecea", true},
	{query.Missing, "#b42318", "#ffffff", true},
}

// Dot is the graph in the language of Graphviz.
func (g *Graph) Dot() string {
	var b strings.Builder
	b.WriteString("digraph pawl {\n  rankdir=LR\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"]\n")
	for i := range g.Nodes {
		n := &g.Nodes[i]
		fmt.Fprintf(&b, "  t%d [label=\"%s\"%s]\n", n.Task.ID, dotText(n.title()), dotStyle(n.State))
	}
	for _, e := range g.Edges {
		style := ""
		switch {
		case e.Child:
			style = " [style=dashed, arrowhead=empty]"
		case !e.Open:
			style = " [style=dotted]"
		}
		fmt.Fprintf(&b, "  t%d -> t%d%s\n", g.Nodes[e.From].Task.ID, g.Nodes[e.To].Task.ID, style)
	}
	b.WriteString("}\n")
	return b.String()
}

func dotStyle(s query.State) string {
	for _, look := range states {
		if look.state != s {
			continue
		}
		style := fmt.Sprintf(", color=\"%s\", fontcolor=\"%s\", fillcolor=\"%s\"", look.ink, look.ink, look.paper)
		if look.dashed {
			style += ", style=\"rounded,filled,dashed\""
		}
		return style
	}
	return ""
}

// dotText spells what Graphviz reads in a quoted text: its end, escapes, and the
// entities of HTML.
func dotText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;").Replace(s)
}
