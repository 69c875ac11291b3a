package show

import "github.com/pawl-dev/pawl"

// Kin is the relation of a task of a graph to a certain one, through others too.
type Kin uint8

// The kinds of kin. In a cycle, where a task is both, it is Before.
const (
	Apart  Kin = iota
	Before     // the certain one waits for it
	Behind     // it waits for the certain one
	Same       // the certain one itself
)

// Kin returns the relation of each node to a task; nil when that is not in the
// graph.
func (g *Graph) Kin(id pawl.ID) []Kin {
	at := g.At(id)
	if at < 0 {
		return nil
	}
	kin := make([]Kin, len(g.Nodes))
	kin[at] = Same
	for _, as := range []Kin{Before, Behind} {
		next := make([][]int, len(g.Nodes))
		for _, e := range g.Edges {
			if as == Before {
				next[e.To] = append(next[e.To], e.From)
			} else {
				next[e.From] = append(next[e.From], e.To)
			}
		}
		seen := make([]bool, len(g.Nodes))
		seen[at] = true
		for way := []int{at}; len(way) > 0; {
			last := way[len(way)-1]
			way = way[:len(way)-1]
			for _, v := range next[last] {
				if seen[v] {
					continue
				}
				seen[v] = true
				if kin[v] == Apart {
					kin[v] = as
				}
				way = append(way, v)
			}
		}
	}
	return kin
}
