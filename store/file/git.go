package file

import (
	"path/filepath"
	"sync"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// A gitWatch tells whether git is at work in the tree around a folder.
type gitWatch struct {
	dir   string
	once  sync.Once
	tree  gitdir.Tree
	found bool
}

// GitBusy looks for the lock that git holds while it writes its index, which
// it does for as long as it changes files.
func (w *gitWatch) GitBusy() bool {
	w.once.Do(func() { w.tree, w.found = gitdir.Find(filepath.Dir(w.dir)) })
	return w.found && w.tree.Busy()
}
