package show

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/query"
)

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
