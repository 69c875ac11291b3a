package cli

import (
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
)

// tellApart names the boards in other work trees of the repository that Pawl has written:
// all should use this board. A branch's own tasks, as git has them there, are none.
func (a *app) tellApart(board string) {
	tree, ok := gitdir.Find(filepath.Dir(board))
	if !ok {
		return
	}
	below, err := filepath.Rel(tree.Root, filepath.Dir(board))
	if err != nil {
		return
	}
	roots := tree.Places()
	for _, other := range tree.Linked() {
		roots = append(roots, other.Root)
	}
	named := map[string]bool{filepath.Clean(board): true}
	for _, root := range roots {
		apart := filepath.Join(root, below, project.Name)
		if _, err := os.Stat(filepath.Join(apart, ".pawl", "journal")); err != nil || named[apart] {
			continue
		}
		named[apart] = true
		a.print("Another work tree of this repository has a board of its own, which is not used: %s\n  its tasks: %s\n",
			text.Line(apart), commandLine("pawl list --board", apart))
	}
}
