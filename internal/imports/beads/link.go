package beads

import (
	"slices"

	"github.com/pawl-dev/pawl"
)

// tasks links the issues and returns them in the order of the file. What a
// dependency says stays in the metadata, whether it could be linked or not.
func (b *board) tasks() []pawl.ImportTask {
	for _, i := range b.issues {
		for _, d := range i.deps {
			b.link(i, d)
		}
	}
	b.unloop()
	tasks := make([]pawl.ImportTask, 0, len(b.issues))
	for _, i := range b.issues {
		i.metadata(b)
		tasks = append(tasks, i.task)
	}
	return tasks
}

// link makes an edge or a parent of a dependency.
func (b *board) link(i *issue, d dependency) {
	t := &i.task
	if d.Type != "blocks" && d.Type != "parent-child" {
		return
	}
	other := pawl.RefName(d.DependsOn)
	switch {
	case d.Issue != "" && d.Issue != i.id:
		b.warn(i, "has a dependency of another issue, %s; it is not linked", d.Issue)
	case b.gone[d.DependsOn]:
	case b.byID[d.DependsOn] == nil:
		b.warn(i, "depends on %s, which is not in the file; it is not linked", d.DependsOn)
	case d.DependsOn == i.id:
		b.warn(i, "depends on itself; it is not linked")
	case d.Type == "blocks":
		if !slices.Contains(t.BlockedBy, other) {
			t.BlockedBy = append(t.BlockedBy, other)
		}
	case t.Parent != (pawl.Ref{}) && t.Parent != other:
		b.warn(i, "has a second parent, %s; it is not linked", d.DependsOn)
	default:
		t.Parent = other
	}
}

// unloop takes out edges that close a cycle, which a board would refuse
// together with everything else. A parent waits for its children.
func (b *board) unloop() {
	children := map[string][]*issue{}
	for _, i := range b.issues {
		if p := i.task.Parent.Name; p != "" {
			children[p] = append(children[p], i)
		}
	}
	const (
		open = iota + 1
		done
	)
	state := map[*issue]int{}
	var visit func(i *issue)
	visit = func(i *issue) {
		state[i] = open
		i.task.BlockedBy = slices.DeleteFunc(i.task.BlockedBy, func(ref pawl.Ref) bool {
			on := b.byID[ref.Name]
			if state[on] == open {
				b.warn(i, "depends on %s, which waits for it in turn; it is not linked", ref.Name)
				return true
			}
			if state[on] != done {
				visit(on)
			}
			return false
		})
		for _, child := range children[i.id] {
			if state[child] == open {
				b.warn(child, "is a child of %s, for which it waits in turn; it is not linked", i.id)
				child.task.Parent = pawl.Ref{}
			} else if state[child] != done {
				visit(child)
			}
		}
		state[i] = done
	}
	for _, i := range b.issues {
		if state[i] == 0 {
			visit(i)
		}
	}
}
